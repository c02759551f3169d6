"""The backward pass: from the last entry to the first, each cotangent through the rules of its op.  (heart.py: `Tape.gradient`.)

Where somebody listens a rule runs on tensors, and is a computation like any other: an outer tape writes it down, a picture
shows it.  Where nobody does, the same rules run on plain arrays: the same text, the same numbers, at a third of the cost.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat
from typing import Any

import numpy as np

from . import engine
from .definition import faulty
from .engine import fresh, landed
from .entry import WIDTH, Entries, backwards, values_of
from .ops.indexing import together
from .ops.shapes import sum_to_
from .record.diary import SMALL, few
from .record.events import AROUND, Label, emit, here, new_context, new_event, state, ticks
from .record.ledger import FLIGHT, PYTHON, ledger
from .record.provenance import Site
from .record.trail import UNLOGGED
from .record.warning import quiet
from .rule import Plan
from .tensor import Tag, Tensor, make
from .trace import Application, in_flight

lift, land, charges = ledger.lift, ledger.land, ledger.charges

# What has arrived at each value so far.  Where somebody listens that is a tensor.  Where nobody does it has no tag, because no
# record will ever know it: a NumPy number, or an array that nobody else has and whose bytes the ledger counts as in flight.
Cotangents = dict[Tag, Any]
ndarray, number = np.ndarray, np.generic
SHORT = 64 * WIDTH  # items of entries: on a tape with no more, the diary notes what comes back at each use, for `why`
Slopes = dict[tuple[int, int], tuple[Any, Any]]


def walk_back(
    label: Label, entries: Entries, cotangents: Cotangents, sources: set[Tag], keep: bool, slopes: Slopes
) -> None:
    """Carry the cotangents back through the entries; afterwards they hold those of the sources, and of all leaves.

    `keep`: let the entries keep what they have, for another walk.  `slopes` collects, on a short tape and for arrays of a
    few numbers, what arrived at each use and what came back, by the application's tick and the input's position.
    """
    walk = walk_on_tensors if state.recorders or state.listeners else walk_on_arrays
    walk(label, entries, cotangents, sources, keep, slopes)


@quiet  # an infinite slope is an answer, as in TensorFlow, and no warning
def walk_on_arrays(
    label: Label, entries: Entries, cotangents: Cotangents, sources: set[Tag], keep: bool, slopes: Slopes | None
) -> None:
    """The backward pass where nobody sees it: on plain arrays, as far as the rules allow."""
    items = entries.items
    if len(items) > SHORT:
        slopes = None
    try:
        # Entries are in the order of time, so when one is reached from the back, all later uses of its outputs have
        # been reversed already and their cotangents are complete.  A persistent tape may add to them meanwhile.
        for there, _, kept, plan, application in backwards(items):
            tag = application.outcome
            arrived = cotangents.get(tag)  # None of several outputs: their tuple of tags is no key
            if arrived is None and tag.__class__ is not tuple:
                continue
            if kept is None:
                continue
            back = plan.back
            if back is None:
                back = plan.back = engine.back(plan, sum_to_.bare) or False
            if back and tag.dtype.kind == "f":  # rules for complex numbers are conjugated
                back(application, kept, arrived, cotangents, tag in sources, slopes)
            else:
                del arrived
                with in_flight():
                    _through_tensors(label, application, plan, kept, cotangents, sources, slopes, None, UNLOGGED)
            if not keep:
                items[there] = None
    except (AttributeError, NameError) as problem:
        raise faulty(application.primitive, problem) from None


@quiet
def walk_on_tensors(
    label: Label, entries: Entries, cotangents: Cotangents, sources: set[Tag], keep: bool, slopes: Slopes | None
) -> None:
    """The backward pass where somebody records or listens: on tensors, at the line that asked."""
    items = entries.items
    now, site = state.__dict__, here()
    context, site_before = now["context"], now["site"]
    around = context[AROUND:]
    if len(items) > SHORT:
        slopes = None
    try:
        for there, _, kept, plan, application in backwards(items):
            tag = application.outcome
            if (tag not in cotangents and tag.__class__ is not tuple) or kept is None:
                continue
            if plan.rules is None or tag.dtype.kind == "c":
                now["context"], now["site"] = context, site_before
                _through_tensors(label, application, plan, kept, cotangents, sources, slopes, site, "")
            else:
                now["context"], now["site"] = new_context(("gradient", application, label, "", *around)), site
                heard = plan.heard
                if heard is None:
                    heard = plan.heard = engine.heard(plan, sum_to_, accumulate)
                if tag in sources:  # it is an answer too, and stays
                    cotangents[tag] = cotangents.pop(tag)
                    heard(label, application, kept, cotangents[tag], cotangents, slopes)
                else:  # popped in the call, so that nobody else holds it and it goes once the rules have used it
                    heard(label, application, kept, cotangents.pop(tag), cotangents, slopes)
            if not keep:
                items[there] = None
    except (AttributeError, NameError) as problem:
        raise faulty(application.primitive, problem) from None
    now["context"], now["site"] = context, site_before  # after an error `trace.in_flight` sets them back


@quiet
def own_slopes(entries: Entries, slopes: Slopes) -> None:
    """Note (under ~position) the slope of each op on single numbers at which something arrived that is not finite.

    What came back there, by what had arrived, is no number, whatever the slope is.  It is asked for by `why` alone.
    """
    asked = {
        tick for (tick, _), (arrived, _) in slopes.items() if arrived is not None and not np.all(np.isfinite(arrived))
    }
    for _, _, kept, plan, application in backwards(entries.items):
        tag = application.outcome
        if application.tick in asked and kept is not None and plan.back and plan.elementwise and not tag.shape:
            alone: Slopes = {}
            plan.back(application, kept, tag.dtype.type(1), {}, True, alone)
            slopes.update({(tick, ~position): (None, slope) for (tick, position), (_, slope) in alone.items()})


def answers_of(cotangents: Cotangents, sources: Sequence[Tag], zero: bool) -> list[Tensor | None]:
    """What has come back to each source, for the learner; nothing: None, or zeros if `zero`.  The rest is let go of."""
    answers: list[Tensor | None] = []
    for tag in sources:
        answer = cotangents.get(tag)
        if isinstance(answer, number):  # it is a tensor from now on; asked for twice, it is one value
            answer = cotangents[tag] = fresh(answer, PYTHON)
        elif answer.__class__ is ndarray:
            answer = cotangents[tag] = landed(answer, PYTHON)
        elif answer is not None:
            answer = answer.handle(PYTHON)
        elif zero:
            answer = make(np.zeros(tag.shape, tag.dtype), PYTHON)
        answers.append(answer)
    if charges[FLIGHT] and ndarray in map(type, cotangents.values()):
        let_go(cotangents)
    return answers


def let_go(cotangents: Cotangents) -> None:
    """Forget what has arrived, at the end of a walk, however it ends: bare arrays do not take themselves off the ledger."""
    for cotangent in cotangents.values():
        if cotangent.__class__ is ndarray:
            land(cotangent.nbytes)
    cotangents.clear()


def _through_tensors(
    label: Label,
    application: Application,
    plan: Plan,
    kept: Any,
    cotangents: Cotangents,
    sources: set[Tag],
    slopes: Slopes | None,
    site: Site | None,
    role: str,
) -> None:
    """One entry, on tensors: where somebody listens, and where a rule needs more than numbers."""
    inputs, outputs = application.inputs, application.outputs
    # Taken out of the dict, so that nobody else holds them: a call that runs again may take long, and lets go of them on its way.
    arrived = list(map(as_tensor, map(cotangents.pop, outputs, repeat(None))))
    if not sources.isdisjoint(outputs):
        cotangents.update({tag: came for tag, came in zip(outputs, arrived) if came is not None and tag in sources})
    # Of a single output it is known that something arrived.
    if len(arrived) > 1 and all([came is None for came in arrived]):
        return
    before = state.context, state.site
    state.context = before[0].at_work("gradient", application, label, role)
    state.site = None if plan.of_call else site  # a call may run lines of the learner's own
    if plan.rules is not None and outputs[0].dtype.kind != "c":
        if plan.heard is None:
            plan.heard = engine.heard(plan, sum_to_, accumulate)
        plan.heard(label, application, kept, arrived[0], cotangents, slopes)
    else:  # the op itself says what comes back: of complex numbers, of several outputs or inputs, of a whole call
        single = None
        if slopes is not None and len(arrived) == 1 and arrived[0].array.size == 1:
            single = few(arrived[0].array)
        for position, part in application.primitive.pull(
            application, values_of(application, plan, kept), arrived, plan.wanted
        ):
            if part is not None:
                if slopes is not None and part.array.size <= SMALL:
                    slopes[application.tick, position] = single, few(part.array)
                accumulate(label, cotangents, inputs[position], part, position)
    state.context, state.site = before  # after an error `trace.in_flight` sets them back


def begin(label: Label, cotangents: Cotangents, target: Tag, seed: Tensor | None) -> None:
    """Put the seed of a backward pass in at a target: ones, unless another is given."""
    if seed is not None or state.recorders or state.listeners or target in cotangents:
        accumulate(label, cotangents, target, fresh(_ones(target), FLIGHT) if seed is None else seed, None)
    else:
        cotangents.update(ones(target))


def ones(target: Tag) -> Cotangents:
    """The cotangents that a backward pass from one target begins with if no seed is given: bare ones; none for whole numbers."""
    if target.dtype.kind not in "fc":
        return {}
    if target.shape:
        lift(target.nbytes)
        return {target: _ones(target)}
    return {target: target.dtype.type(1)}


def _ones(target: Tag) -> np.ndarray:
    return np.ones(target.shape, target.dtype) if target.shape else np.array(1, target.dtype)


def accumulate(label: Label, cotangents: Cotangents, tag: Tag, part: Tensor, position: int | None) -> None:
    """Add one contribution to what has arrived at a value: through the input at this position, or as a seed (None)."""
    now = state.__dict__
    heard, before = now["listeners"], cotangents.get(tag)
    if heard:
        kind = "seed" if position is None else "contribution"
        facts = {"label": label, "into": tag, "part": part.tag, "position": position, "first": before is None}
        event = new_event((kind, next(ticks), now["site"] or here(), now["context"], facts))
        for listener in heard:
            listener(event, (part,))
    if before is None:
        cotangents[tag] = part
        return
    before = as_tensor(before)
    context = now["context"]
    if heard or now["recorders"]:
        now["context"] = context.at_work("gradient", context.cause, label, "accumulate")
    cotangents[tag] = together(before, part)
    now["context"] = context
    if heard:
        emit("total", (cotangents[tag],), label=label, into=tag, total=cotangents[tag].tag)


def as_tensor(cotangent: Any, holder: int = FLIGHT) -> Any:
    """What arrived, as a tensor if it was bare; None stays None."""
    if cotangent.__class__ is ndarray:
        return landed(cotangent, holder)
    return fresh(cotangent, holder) if isinstance(cotangent, number) else cotangent
