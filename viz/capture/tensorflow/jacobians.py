"""Jacobians: a question for each row where TensorFlow asks row by row, one answer where it vectorizes them all."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from ..records import Answered, Asked, Value
from .notes import NO_ROWS, Notes
from .values import eager, told


class Jacobian:
    """A Jacobian that is being worked out."""

    def __init__(self, target: Value) -> None:
        self.target = target
        self.rows = 0

    def next_row(self) -> int:
        """The row that is asked for now."""
        self.rows += 1
        return self.rows - 1


class Jacobians:
    """Wraps the two methods of a tape."""

    def __init__(self, notes: Notes, known: Any) -> None:
        self.notes, self.known = notes, known

    def asked(self, plain: Any, tape: Any, target: Any, sources: Any, *args: Any, **kwargs: Any) -> Any:
        """In place of `tape.jacobian` and `tape.batch_jacobian`."""
        notes, state = self.notes, self.known.get(tape)
        flat = tf.nest.flatten(sources)
        if state is None or not eager(target) or not all(map(told, flat)):
            return plain(tape, target, sources, *args, **kwargs)
        wanted = tuple([notes.value(source) for source in flat])
        around, notes.jacobian = notes.jacobian, Jacobian(notes.value(target))
        jacobian = notes.jacobian
        try:
            answers = plain(tape, target, sources, *args, **kwargs)
        finally:
            notes.jacobian = around
        if not jacobian.rows:
            notes.say(NO_ROWS)
            notes.add(Asked(recorder=state.recorder, targets=(jacobian.target,), sources=wanted))
            found, numbers = notes.values.answers(tf.nest.flatten(answers))
            notes.add(Answered(recorder=state.recorder, sources=wanted, answers=found, numbers=numbers))
        return answers
