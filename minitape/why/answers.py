"""Looks at each answer of a tape for what goes wrong in silence, and warns."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from itertools import compress
from operator import attrgetter
from typing import Any

from ..entry import APPLICATIONS
from ..errors import ClippedToZero, LeftTheTape, SpreadOut, SummedTarget
from ..primitive import TABLE
from ..record.diary import Diary
from ..record.events import emit, state, ticks
from ..record.provenance import learner_frame
from ..record.trail import crossed
from ..record.warning import modes, warn
from . import fixes, log
from .history import ProgramHistory
from .sums import numbers_only, separate
from .zeros import held

DIFFERENCES = {TABLE["subtract"], TABLE["squared_difference"]}
CLIP = TABLE["clip_by_value"]
SUSPECTS = {*DIFFERENCES, CLIP}  # the rows that a warning can be about
row_of = attrgetter("primitive")

LEFT = "M04"  # the cause: numbers that left for Python or NumPy
LONG = 2000  # entries from which on a line that asks is looked at only so often: a loop of such programs is no lesson
OFTEN = 3
_looked: Counter[tuple[Any, int]] = Counter()  # by line


def look_at(tape: Any, targets: Any, sources: Any, answers: Any, whole: bool = False) -> None:
    """Warn where a gradient is a number, but not the one that was meant.

    `whole` says that the answers are Jacobians, which are no sums.
    """
    written = tape.written.items[APPLICATIONS]
    shaped = targets and targets[0].tag.shape
    since = tape.diary.spans[0][0]
    left = crossed[0] > since or state.others_until > since
    if not left and not shaped and SUSPECTS.isdisjoint(map(row_of, written)) or modes[0] == "off":
        return
    # What left before the tape, or after its last entry, cannot have come back into it: a loss that is printed costs nothing.
    if left:
        if state.listeners:
            _tell_left(tape, written, targets, sources, answers)
        entered = _entered(tape)
        if entered and written and _crossed(entered, written[-1].tick) and not (len(written) > LONG and _too_often()):
            _left(tape, targets, sources, answers, entered)
    if len(written) > LONG:
        return
    if shaped and len(targets) == 1 and not whole:
        _summed(tape, written, targets, sources, answers)
    if not shaped and len(targets) == 1:
        _spread(compress(written, map(DIFFERENCES.__contains__, map(row_of, written))), written)
    if CLIP in map(row_of, written):
        _clipped(tape, targets, sources, answers)


def look_at_tangent(accumulator: Any, primal: Any, tangent: Any) -> None:
    """Warn where a tangent misses what left for Python or NumPy on the way."""
    if modes[0] == "off":
        return
    entered = _entered(accumulator)
    if entered and _crossed(entered, None):
        watched = [_Followed(tag) for tag in accumulator.diary.watched]
        _left(accumulator, [primal], watched, [tangent] * len(watched), entered)


class _Followed:
    """What stands for a source of which only the tag is known."""

    def __init__(self, tag: Any) -> None:
        self.tag = tag


def _too_often() -> bool:
    frame = learner_frame()
    line = frame.f_code, frame.f_lasti
    if len(_looked) > LONG:
        _looked.clear()
    _looked[line] += 1
    return _looked[line] > OFTEN


def _crossed(since: int, until: int | None) -> bool:
    """Whether, between two ticks, numbers left for Python or NumPy, came back by an assignment, or went unseen."""
    until = next(ticks) if until is None else until
    return log.exported_between(since, until) or log.assigned_between(since, until) or log.elsewhere(since)


def _left(recorder: Any, targets: Any, sources: Any, answers: Any, since: int) -> None:
    if all(answer is None for answer in answers):
        return
    history, asked = ProgramHistory(recorder, since), [target.tag for target in targets]
    # One walk for all sources: mostly there is nothing to say of any, and a net may have thousands.
    if not any(
        edge.cut and _missed(history, edge, since) for edges in history.behind(asked).values() for edge in edges
    ):
        return
    for source, answer in zip(sources, answers, strict=True):
        if answer is None:
            continue
        for edge in history.unrecorded(asked, source.tag):
            said = _missed(history, edge, since)
            if said is None:
                continue
            what, fix = said
            name = history.name(source.tag)
            if isinstance(source, _Followed):
                flows, ask = "tangent", "why(value)"
            else:
                flows, ask = "gradient", f"why(target, {name})"
            warn(
                LeftTheTape,
                f"a use of {name} was not recorded: {what} at {edge.site}\n"
                f"  The {flows} misses what flows through it. {_sentence(fix)}"
                f" If it is meant, say so with tf.stop_gradient. See {recorder.label.name}.{ask}.",
            )
            return


def _tell_left(tape: Any, written: list[Any], targets: Any, sources: Any, answers: Any) -> None:
    """Tell listeners which use an answer leaves out, or is None for, so that a picture names the cause that `why` names."""
    since, none = _entered(tape), any(answer is None for answer in answers)
    until = written[-1].tick if written and not none else None  # as above
    if not since or not (written or none) or not _crossed(since, until):
        return
    history, asked = ProgramHistory(tape, since), [target.tag for target in targets]
    edges = [edge for behind in history.behind(asked).values() for edge in behind]
    missed = any(edge.cut and _missed(history, edge, since) for edge in edges)
    for source, answer in zip(sources, answers, strict=True):
        if answer is None:
            why = Diary.explain(tape, targets, source, None, len(sources) > 1)
            site = why.site if why.code == LEFT else None
            exports = [edge for edge in edges if edge.kind == "export" and edge.site == site]
            found = [(f"{fixes.how(edge)} left the {history.label.kind}", edge.site) for edge in exports]
        else:
            uses = history.unrecorded(asked, source.tag) if missed else []
            found = [(said[0], edge.site) for edge in uses if (said := _missed(history, edge, since)) is not None]
        for what, line in found[:1]:
            emit("left out", label=tape.label, of=source.tag, what=what, line=line)


def _missed(history: ProgramHistory, edge: Any, since: int) -> tuple[str, str] | None:
    """What happened on a step that has no derivative, and what to do; None where it is no slip."""
    if edge.kind == "export":
        if edge.record.tick > since and _known(history, edge.of):
            return f"{fixes.how(edge)} {fixes.left(edge, f'the {history.label.kind}')}", fixes.stay(edge).text
    elif edge.kind == "assign":
        if edge.record.how == "tf.Variable" and edge.record.tick > since and _known(history, edge.of):
            name = history.name(edge.of)
            return f"tf.Variable took the value of {name}", fixes.instead_of_state(name, "tf.Variable").text
    elif edge.kind == "elsewhere":
        return f"{fixes.op_name(edge.application)} ran in another thread", fixes.thread().text
    elif edge.kind == "overlooked":
        return f"{fixes.op_name(edge.application)} ran inside of a custom gradient", fixes.output(
            history.name(edge.into)
        ).text
    return None


def _entered(tape: Any) -> int:
    """When the tape began to listen: of what came before, warnings tell nothing."""
    entered = tape.diary.last("enter")
    return entered.tick if entered is not None else 0


def _known(history: ProgramHistory, tag: Any) -> bool:
    """Whether the tape has anything to do with a value: it watches it, perhaps only later, or wrote down how it was made."""
    application = history.producer.get(tag)
    return tag in history.diary.watched or (application is not None and application.tick in history.wanted)


def _summed(tape: Any, written: list[Any], targets: Any, sources: Any, answers: Any) -> None:
    questions = tape.diary.questions
    if not questions or questions[-1].seeded:
        return
    target = targets[0].tag
    if math.prod(target.shape) == 1:
        return
    maker = next((one for one in reversed(written) if target in one.outputs), None)
    second = maker is not None and maker.context.phase == "gradient"
    answered = [source for source, answer in zip(sources, answers, strict=True) if answer is not None]
    # A model's weights are trained by the sum of its losses; single numbers are what somebody asks a slope for, and a watched
    # tensor that was spread over a larger one.
    if not second and not all(math.prod(one.tag.shape) == 1 or _is_spread(tape, target, one) for one in answered):
        return
    for source in answered:
        if not separate(ProgramHistory(tape, _entered(tape)), target, source.tag):
            name = "the Hessian summed over its rows" if second else "the sum over them"
            what = "a gradient" if second else "the target"
            warn(
                SummedTarget,
                f"{what} of shape {list(target.shape)} was differentiated, and the answer is {name}.\n"
                f"  For one derivative per element write {tape.label.name}.jacobian(...); if the sum is meant, "
                "say so with tf.reduce_sum.",
            )
            return


def _is_spread(tape: Any, target: Any, source: Any) -> bool:
    """Whether a watched tensor was repeated to fill a target of more axes, number by number."""
    tag = source.tag
    if tag.variable or len(target.shape) <= len(tag.shape):
        return False
    return numbers_only(ProgramHistory(tape, _entered(tape)), target, tag)


def _spread(differences: Iterable[Any], written: list[Any]) -> None:
    """A column minus a row: every prediction with every truth, where each was meant with its own."""
    for difference in differences:
        # Every row with every other: a square.
        if len(set(difference.outcome.shape)) != 1 or difference.context.phase != "forward":
            continue
        shapes = [tag.shape for tag in difference.inputs]
        column = next(
            (tag for tag in difference.inputs if len(tag.shape) == 2 and tag.shape[1] == 1 < tag.shape[0]), None
        )
        if column is None or (column.shape[0],) not in shapes:
            continue
        maker = next((other for other in written if column in other.outputs), None)
        if maker is None or maker.primitive.name in _ON_PURPOSE:
            continue
        count = column.shape[0]
        warn(
            SpreadOut,
            f"shapes {list(shapes[0])} and {list(shapes[1])} made [{count}, {count}] at {difference.site}: every row with every "
            f"other.\n  If each belongs to its own, make both the same shape: tf.squeeze(x, 1), or y[:, tf.newaxis]. If all "
            "pairs are meant, write the axis of the other too: y[tf.newaxis, :].",
        )
        return


_ON_PURPOSE = ("expand_dims", "getitem", "reshape", "slice", "transpose")


def _clipped(tape: Any, targets: Any, sources: Any, answers: Any) -> None:
    for source, answer in zip(sources, answers, strict=True):
        if answer is None or answer.array.size == 0 or answer.array.any():
            continue
        history = ProgramHistory(tape, _entered(tape))
        wanted = {source.tag}
        path = history.path([target.tag for target in targets], wanted.__contains__)
        edge = held(tape.diary, path or [], ("clip_by_value",))
        if edge is not None:
            warn(
                ClippedToZero,
                f"the gradient of {history.name(source.tag)} is zero, because {fixes.op_name(edge.application)} held the value "
                f"at {edge.site}\n  {_sentence(fixes.clip().text)}",
            )
            return


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] + "."
