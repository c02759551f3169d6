"""The way back: from the last entry to the first, each cotangent through the rules of its op.

Where somebody listens a rule runs on tensors, and is a computation like any other: an outer tape writes it down, a picture
shows it.  Where nobody does, the same rules run on plain arrays: the same text, the same numbers, at a third of the cost.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from .entry import Entries
from .ops.elementwise import add
from .ops.shapes import sum_to_
from .record.events import Label, emit, here, state
from .record.ledger import FLIGHT, ledger
from .record.log import SMALL, UNLOGGED
from .record.provenance import Site
from .rule import OnKept
from .tensor import Tag, Tensor, fresh, make
from .trace import Application, wrap

lift, land = ledger.lift, ledger.land

# What has arrived at each value so far: a tensor; or, where nobody listens, bare numbers: NumPy's own scalar, or an array that
# nobody else has, and whose bytes the ledger counts as in flight.  No record will ever know it, so it needs no tag.
Cotangents = dict[Tag, Any]
BARE = np.ndarray, np.generic
Slope = Callable[[int, int, Any, Any], None]


def walk_back(
    label: Label,
    entries: Entries,
    cotangents: Cotangents,
    sources: set[Tag],
    keep: bool,
    slope: Slope | None,
) -> None:
    """Carry the cotangents back through the entries; afterwards they hold those of the sources, and of all leaves.

    `keep`: let the entries keep what they have, for another walk.  `slope` is told of each use of a few numbers: the
    application's tick, the input's position, what arrived and what came back, as arrays.
    """
    now = state.__dict__
    heard = now["recorders"] or now["listeners"]
    site = here() if heard else None
    applications, plans, kept = entries.applications, entries.plans, entries.kept
    with np.errstate(all="ignore"):  # an infinite slope is an answer, as in TensorFlow, and no warning
        # Entries are in the order of time, so when one is reached from the back, all later uses of its outputs have
        # been reversed already and their cotangents are complete.  A persistent tape may add to them meanwhile.
        for place in range(len(applications) - 1, -1, -1):
            application = applications[place]
            tag = application.outcome
            if type(tag) is not tuple:
                if tag not in cotangents or kept[place] is None:
                    continue
                rules = None if heard else plans[place].over_arrays(tag.dtype)
                if rules is not None:
                    _through_arrays(application, rules, kept[place], tag, cotangents, tag in sources, slope)
                    if not keep:
                        kept[place] = None
                    continue
            # Taken out, and held by nobody else: a call that runs again may take long, and lets go of them as it goes.
            outputs = application.outputs
            taken = [as_tensor(cotangents.pop(tag, None)) for tag in outputs]
            for tag, one in zip(outputs, taken):
                if one is not None and tag in sources:
                    cotangents[tag] = one
                del one
            if kept[place] is None or not any([one is not None for one in taken]):
                continue
            _through_tensors(label, entries, place, taken, cotangents, slope, site)
            del taken
            if not keep:
                kept[place] = None


def let_go(cotangents: Cotangents) -> None:
    """Forget what has arrived, at the end of a walk, however it ends: bare arrays do not count themselves out."""
    while cotangents:
        _, one = cotangents.popitem()
        if type(one) is np.ndarray:
            land(one.nbytes)


def _through_arrays(
    application: Application,
    rules: Sequence[tuple[int, OnKept]],
    kept: Any,
    tag: Tag,
    cotangents: Cotangents,
    asked: bool,
    slope: Slope | None,
) -> None:
    """One entry, on plain arrays; `asked`: what arrived at its output is an answer too, and stays."""
    inputs = application.inputs
    arrived = change = cotangents[tag]
    own = type(arrived) is np.ndarray
    heir: Tag | None = None
    if not own and not isinstance(arrived, np.generic):
        arrived = arrived._read()  # slices of a table become the whole
        change = arrived._array
        if not change.ndim:
            change = change[()]  # a number leaves its 0-d array
    for position, rule in rules:
        part, into = rule(change, kept, application), inputs[position]
        if part.shape != into.shape:
            part = sum_to_.bare(part, into.shape)
        if slope is not None and part.size <= SMALL:
            slope(application.tick, position, change, part)
        before = cotangents.get(into)
        if before is not None:
            part = _numbers(before) + part
        if type(part) is np.ndarray:
            if not part.ndim:
                part = part[()]
            elif part.base is None and part is not change:
                lift(part.nbytes)
            elif part is change and own and not asked:  # handed on as it is, to the first input that takes it
                own, heir = False, into
                del cotangents[tag]
            else:  # bytes that several share are counted by tensors
                if own or heir is not None and cotangents.get(heir) is change:
                    land(change.nbytes)
                    arrived = cotangents[heir or tag] = fresh(change, FLIGHT)
                    own = False
                part = wrap(part, (arrived,) if type(arrived) is Tensor else (), FLIGHT)
        cotangents[into] = part
        if type(before) is np.ndarray:
            land(before.nbytes)
    if not asked:
        cotangents.pop(tag, None)
        if own:
            land(change.nbytes)


def _numbers(cotangent: Any) -> Any:
    return cotangent if isinstance(cotangent, BARE) else cotangent._read()._array[()]


def _through_tensors(
    label: Label,
    entries: Entries,
    place: int,
    arrived: list[Any],
    cotangents: Cotangents,
    slope: Slope | None,
    site: Site | None,
) -> None:
    application, plan, kept = entries.applications[place], entries.plans[place], entries.kept[place]
    inputs = application.inputs
    heard = state.recorders or state.listeners
    before = state.context, state.site
    role = "" if heard else UNLOGGED
    state.context = before[0].at_work("gradient", application, label, role)
    state.site = site if application.primitive.listed else None  # a call may run lines of the learner's own
    try:
        rules = plan.over_tensors(application.outputs[0].dtype)
        # Of a single number the digits that arrived are enough.
        change = arrived[0]
        single = change._array if slope is not None and len(arrived) == 1 and change._array.size == 1 else None
        if rules:
            parts = _by_rule(application, rules, change, kept)
        else:  # the op itself says what comes back: of complex numbers, of several outputs or inputs, of a whole call
            parts = application.primitive.pull(application, entries.values(place), arrived, plan.wanted)
        del change  # a call takes what arrived out of the list, and lets go of it when it likes
        for position, part in parts:
            if part is not None:
                if slope is not None and part._array.size <= SMALL:
                    slope(application.tick, position, single, part._array)
                arrive(label, cotangents, inputs[position], part, position)
    finally:
        state.context, state.site = before


def _by_rule(
    application: Application, rules: Sequence[tuple[int, OnKept]], change: Any, kept: Any
) -> Iterator[tuple[int, Any]]:
    """What `pull` would give, where a rule for each input is all there is to it: most ops, and the cheaper way."""
    inputs = application.inputs
    for position, rule in rules:
        part, shape = rule(change, kept, application), inputs[position].shape
        if part._tag.shape != shape:
            part = sum_to_(part, shape=shape)
        yield position, part


def begin(label: Label, cotangents: Cotangents, target: Tag) -> None:
    """Let ones arrive at a target: the seed of a way back that nobody gave another."""
    now = state.__dict__
    if now["recorders"] or now["listeners"] or target in cotangents:
        arrive(label, cotangents, target, make(_ones(target)), None)
    elif target.shape:
        lift(target.nbytes)
        cotangents[target] = _ones(target)
    else:
        cotangents[target] = target.dtype.type(1)


def _ones(target: Tag) -> np.ndarray:
    return np.ones(target.shape, target.dtype) if target.shape else np.array(1, target.dtype)


def arrive(label: Label, cotangents: Cotangents, tag: Tag, part: Tensor, position: int | None) -> None:
    """Add one contribution to what has arrived at a value: through the input at this position, or as a seed (None)."""
    before = cotangents.get(tag)
    if state.listeners:
        kind = "seed" if position is None else "contribution"
        emit(kind, (part,), label=label, into=tag, part=part._tag, position=position, first=before is None)
    if before is None:
        cotangents[tag] = part
        return
    before = as_tensor(before)
    if state.recorders or state.listeners:
        context = state.context
        state.context = context.at_work("gradient", context.cause, label, "accumulate")
        try:
            cotangents[tag] = add(before, part)
        finally:
            state.context = context
    else:
        cotangents[tag] = add(before, part)
    if state.listeners:
        emit("total", (cotangents[tag],), label=label, into=tag, total=cotangents[tag]._tag)


def as_tensor(cotangent: Any) -> Any:
    """What arrived, as a tensor if it was bare; None stays None."""
    if type(cotangent) is np.ndarray:
        land(cotangent.nbytes)
        return fresh(cotangent, state.holder)
    return fresh(np.asarray(cotangent), state.holder) if isinstance(cotangent, np.generic) else cotangent
