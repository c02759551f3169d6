"""What a tape of TensorFlow's keeps of an op: which of its inputs and outputs, asked of TensorFlow itself once for each type.

The table is in C++ and cannot be read.  But what a tape has dropped comes back as None when the entry is reversed.  So an entry
of each type is written on a tape of our own and reversed, in a thread of its own where no other tape listens.
"""

from __future__ import annotations

import threading
from typing import Any, NamedTuple

from .private import found
from .values import trainable

ASKED = threading.local()  # in our own thread: where the gradient function puts what it was given


class Kept(NamedTuple):
    """Which inputs and outputs of an op a tape keeps, by position."""

    inputs: tuple[int, ...] = ()
    outputs: tuple[int, ...] = ()


def asked(kind: str, inputs: Any, attrs: Any, outputs: Any) -> Kept:
    """TensorFlow's answer."""
    answers: list[Kept] = []

    def ask() -> None:
        ASKED.answers = answers
        new, write = found("eager.tape:push_new_tape"), found("pywrap_tfe:TFE_Py_RecordGradient")
        reverse = found("eager.imperative_grad:imperative_grad")
        if new is None or write is None or reverse is None:
            return
        from tensorflow.python.eager import tape as tapes

        tape = new(persistent=True, watch_accessed_variables=False)
        try:
            for tensor in inputs:
                tapes.watch(tape, tensor)
            write(kind, list(inputs), attrs, list(outputs), "")
        finally:
            tapes.pop_tape(tape)
        made, taken = list(filter(trainable, outputs)), list(filter(trainable, inputs))
        if made and taken:
            reverse(tape, made, taken, output_gradients=made)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    thread.join()
    return answers[0] if answers else Kept()


def answer(inputs: Any, outputs: Any, count: int) -> list[None] | None:
    """What the gradient function gives to a question of ours; None if it is not ours."""
    answers = getattr(ASKED, "answers", None)
    if answers is None:
        return None
    places = [tuple([at for at, tensor in enumerate(given or ()) if tensor is not None]) for given in (inputs, outputs)]
    answers.append(Kept(*places))
    return [None] * count
