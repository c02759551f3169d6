"""Looks at each answer of a tape for what goes wrong in silence, and warns."""

from __future__ import annotations

import math
from typing import Any

from ..errors import ClippedToZero, LeftTheTape, SummedTarget
from ..primitive import TABLE
from ..record.alarm import silent, warn
from ..record.trail import exports
from . import fixes, log
from .history import History
from .sums import separate
from .zeros import held

clip_by_value = TABLE["clip_by_value"]

LONG = 2000  # entries beyond which nothing is looked for: such programs do not teach


def look_at(tape: Any, targets: Any, sources: Any, answers: Any) -> None:
    """Warn where a gradient is a number, but not the one that was meant."""
    written = tape.columns.applications
    if len(written) > LONG or silent():
        return
    # What left before the tape, or after its last entry, cannot have come back into it: a loss that is printed costs nothing.
    if exports and written and exports[-1][0] > tape.diary.spans[0][0]:
        entered = _entered(tape)
        if entered and log.exported_between(entered, written[-1].tick):
            _left(tape, targets, sources, answers, entered)
    if len(targets) == 1 and targets[0]._tag.shape:
        _summed(tape, written, targets, sources, answers)
    if clip_by_value.plans and not set(clip_by_value.plans.values()).isdisjoint(tape.columns.plans):
        _clipped(tape, targets, sources, answers)


def _left(tape: Any, targets: Any, sources: Any, answers: Any, since: int) -> None:
    history: History | None = None
    for source, answer in zip(sources, answers, strict=True):
        if answer is None:
            continue
        history = history or History(tape, since)
        left = [e for e in history.exports if e.tick > since and _known(history, e.tag)]
        if not left:
            return
        for edge in history.unrecorded([one._tag for one in targets], source._tag):
            if edge.kind == "export" and edge.record in left:
                how = fixes.how(edge)
                fix = fixes.stay(edge)
                name = history.name(source._tag)
                warn(
                    LeftTheTape,
                    f"a use of {name} was not recorded: {how} left the tape at {edge.site}\n"
                    f"  The gradient misses what flows through it. {_sentence(fix.text)}"
                    f" If it is meant, say so with tf.stop_gradient. See {tape.label.name}.why(target, {name}).",
                )
                return


def _entered(tape: Any) -> int:
    """When the tape began to listen: of what came before, warnings tell nothing."""
    entered = tape.diary.last("enter")
    return entered.tick if entered is not None else 0


def _known(history: History, tag: Any) -> bool:
    """Whether the tape has anything to do with a value: it watches it, perhaps only later, or wrote down how it was made."""
    row = history.producer.get(tag)
    return tag in history.diary.watched or (row is not None and row.tick in history.wanted)


def _summed(tape: Any, written: list[Any], targets: Any, sources: Any, answers: Any) -> None:
    questions = tape.diary.questions
    if not questions or questions[-1].seeded:
        return
    target = targets[0]._tag
    size = 1
    for one in target.shape:
        size *= one
    if size == 1:
        return
    maker = next((one for one in reversed(written) if target in one.outputs), None)
    second = maker is not None and maker.context.phase == "gradient"
    answered = [one for one, answer in zip(sources, answers, strict=True) if answer is not None]
    # A model's weights are trained by the sum of its losses; single numbers are what somebody asks a slope for.
    if not second and not all(math.prod(one._tag.shape) == 1 for one in answered):
        return
    for source in answered:
        if not separate(History(tape, _entered(tape)), target, source._tag):
            name = "the Hessian summed over its rows" if second else "the sum over them"
            what = "a gradient" if second else "the target"
            warn(
                SummedTarget,
                f"{what} of shape {list(target.shape)} was differentiated, and the answer is {name}.\n"
                f"  For one derivative per element write {tape.label.name}.jacobian(...); if the sum is meant, "
                "say so with tf.reduce_sum.",
            )
            return


def _clipped(tape: Any, targets: Any, sources: Any, answers: Any) -> None:
    for source, answer in zip(sources, answers, strict=True):
        if answer is None or answer._array.size == 0 or answer._array.any():
            continue
        history = History(tape, _entered(tape))
        wanted = {source._tag}
        path = history.path([one._tag for one in targets], wanted.__contains__)
        edge = held(tape.diary, path or [], ("clip_by_value",))
        if edge is not None:
            warn(
                ClippedToZero,
                f"the gradient of {history.name(source._tag)} is zero, because {fixes.op_name(edge.row)} held the value at "
                f"{edge.site}\n  {_sentence(fixes.clip().text)}",
            )
            return


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."
