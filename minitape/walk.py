"""The way back: from the last entry to the first, each cotangent through the rules of its op.

Where somebody listens a rule runs on tensors, and is a computation like any other: an outer tape writes it down, a picture
shows it.  Where nobody does, the same rules run on plain arrays: the same text, the same numbers, at a third of the cost.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from .entry import Entry
from .ops.elementwise import add
from .ops.shapes import sum_to_
from .record.events import Label, emit, state
from .record.ledger import FLIGHT
from .record.log import UNLOGGED
from .rule import OnArrays
from .tensor import Tag, Tensor, make
from .trace import wrap

# What has arrived at each value so far: a tensor, or a bare NumPy number where nobody listens.
Cotangents = dict[Tag, Any]
Slope = Callable[[int, int, Any, Any], None]


def walk_back(
    label: Label,
    entries: Sequence[Entry],
    cotangents: Cotangents,
    sources: set[Tag],
    keep: bool,
    slope: Slope | None,
) -> None:
    """Carry the cotangents back through the entries; afterwards they hold those of the sources, and of all leaves.

    `keep`: let the entries keep what they have, for another walk.  `slope` is told of each use: the entry's tick, the input's
    position, what arrived and what came back, as arrays.
    """
    heard = state.recorders or state.listeners
    with np.errstate(all="ignore"):  # an infinite slope is an answer, as in TensorFlow, and no warning
        # Entries are in the order of time, so when one is reached from the back, all later uses of its outputs have been
        # reversed already and their cotangents are complete.
        for entry in reversed(entries):
            application = entry.application
            arrived: list[Any] = []
            nothing = True
            for tag in application.outputs:
                # Taken out, and held by nobody else: a call that runs again may take long, and lets go of them as it goes.
                one = cotangents.get(tag) if tag in sources else cotangents.pop(tag, None)
                arrived.append(one)
                nothing = nothing and one is None
            if nothing or entry.kept is None:
                continue
            rules = None if heard else entry.plan.over_arrays(application.outputs[0].dtype)
            if rules is None:
                _through_tensors(label, entry, arrived, cotangents, slope)
            else:
                _through_arrays(entry, rules, arrived[0], cotangents, slope)
            del arrived, one
            if not keep:
                entry.kept = None


def _through_arrays(
    entry: Entry, rules: Sequence[tuple[int, OnArrays]], arrived: Any, cotangents: Cotangents, slope: Slope | None
) -> None:
    application, kept = entry.application, entry.kept or ()
    inputs, tick = application.inputs, application.tick
    change, known = arrived, None
    if not isinstance(arrived, np.generic):
        known = arrived._read()  # slices of a table become the whole
        change = known._array
        if not change.ndim:
            change = change[()]  # a number leaves its 0-d array
    for position, rule in rules:
        part, into = rule(change, kept, application), inputs[position]
        if part.shape != into.shape:
            part = sum_to_.forward(part, into.shape)
        if slope is not None:
            slope(tick, position, change, part)
        before = cotangents.get(into)
        if before is not None:
            part = (before if isinstance(before, np.generic) else before._read()._array[()]) + part
        # A bare number is Python's affair; an array has bytes, and those are counted.
        if type(part) is np.ndarray:
            part = wrap(part, () if known is None else (known,), FLIGHT)
        cotangents[into] = part


def _through_tensors(
    label: Label, entry: Entry, arrived: list[Any], cotangents: Cotangents, slope: Slope | None
) -> None:
    application = entry.application
    heard = state.recorders or state.listeners
    before = state.context
    arrived[:] = [as_tensor(one) for one in arrived]
    role = "" if heard else UNLOGGED
    state.context = before.at_work("gradient", application, label, role)
    # A call takes what arrived out of the list; of a single number its digits are enough.
    change = arrived[0]._array if slope is not None and len(arrived) == 1 and arrived[0]._array.size == 1 else None
    try:
        values = entry.values()
        for position, part in application.primitive.pull(application, values, arrived, entry.wanted):
            if part is not None:
                if slope is not None:
                    slope(application.tick, position, change, part._array)
                arrive(label, cotangents, application.inputs[position], part, position)
    finally:
        state.context = before


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
    """What arrived, as a tensor if it was a bare number; None stays None."""
    return make(np.asarray(cotangent)) if isinstance(cotangent, np.generic) else cotangent
