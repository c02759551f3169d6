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
from .record.ledger import FLIGHT, Buffer, ledger, release, take
from .record.log import SMALL, UNLOGGED
from .rule import OnArrays
from .tensor import Tag, Tensor, make

# What has arrived at each value so far: a tensor; or, where nobody listens, a bare NumPy number, or an array with the buffer
# that counts its bytes: a tensor without a tag, because no record will ever know it.
Loose = tuple[np.ndarray, Buffer]
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

    `keep`: let the entries keep what they have, for another walk.  `slope` is told of each use of a few numbers: the entry's
    tick, the input's position, what arrived and what came back, as arrays.
    """
    now = state.__dict__
    heard = now["recorders"] or now["listeners"]
    with np.errstate(all="ignore"):  # an infinite slope is an answer, as in TensorFlow, and no warning
        # Entries are in the order of time, so when one is reached from the back, all later uses of its outputs have
        # been reversed already and their cotangents are complete.
        for entry in reversed(entries):
            outputs = entry.application.outputs
            if len(outputs) == 1:
                (tag,) = outputs
                arrived = cotangents.get(tag)
                if arrived is None or entry.kept is None:
                    continue
                rules = None if heard else entry.plan.over_arrays(tag.dtype)
                if rules is not None:
                    _through_arrays(entry, rules, arrived, cotangents, slope)
                    if tag not in sources:
                        del cotangents[tag]
                        if type(arrived) is tuple:
                            release(arrived[1], FLIGHT)
                    del arrived
                    if not keep:
                        entry.kept = None
                    continue
                del arrived
            # Taken out, and held by nobody else: a call that runs again may take long, and lets go of them as it goes.
            taken = [as_tensor(cotangents.pop(tag, None)) for tag in outputs]
            for tag, one in zip(outputs, taken):
                if one is not None and tag in sources:
                    cotangents[tag] = one
                del one
            if entry.kept is None or not any([one is not None for one in taken]):
                continue
            _through_tensors(label, entry, taken, cotangents, slope)
            if not keep:
                entry.kept = None


def let_go(cotangents: Cotangents) -> None:
    """Forget what has arrived, at the end of a walk, however it ends: loose arrays do not count themselves out."""
    while cotangents:
        _, one = cotangents.popitem()
        if type(one) is tuple:
            release(one[1], FLIGHT)


def _through_arrays(
    entry: Entry, rules: Sequence[tuple[int, OnArrays]], arrived: Any, cotangents: Cotangents, slope: Slope | None
) -> None:
    application, kept = entry.application, entry.kept
    inputs = application.inputs
    change, buffer = arrived, None
    if type(arrived) is tuple:
        change, buffer = arrived
    elif not isinstance(arrived, np.generic):
        tensor = arrived._read()  # slices of a table become the whole
        change, buffer = tensor._array, tensor._buffer
        if not change.ndim:
            change = change[()]  # a number leaves its 0-d array
    for position, rule in rules:
        part, into = rule(change, kept, application), inputs[position]
        if part.shape != into.shape:
            part = sum_to_.forward(part, into.shape)
        if slope is not None and part.size <= SMALL:
            slope(application.tick, position, change, part)
        before = cotangents.get(into)
        if before is not None:
            part = _numbers(before) + part
        # A bare number is Python's affair; an array has bytes, and those are counted.
        if type(part) is np.ndarray:
            if part.ndim:
                part = part, _counted(part, change, buffer)
            else:
                part = part[()]
        cotangents[into] = part
        if type(before) is tuple:
            release(before[1], FLIGHT)


def _numbers(cotangent: Any) -> Any:
    if type(cotangent) is tuple:
        return cotangent[0]
    return cotangent if isinstance(cotangent, np.generic) else cotangent._read()._array[()]


def _counted(part: np.ndarray, change: Any, buffer: Buffer | None) -> Buffer:
    """The buffer of what a rule made of a change, with one more hold on it: its own, or the change's, where they share."""
    base = part.base
    if base is None:
        if part is not change or buffer is None:
            buffer = Buffer(part.nbytes)
    else:
        while type(base.base) is np.ndarray:
            base = base.base
        if buffer is None or (base is not change and base is not change.base):
            buffer = ledger.buffer_for(part)
    take(buffer, FLIGHT)
    return buffer


def _through_tensors(
    label: Label, entry: Entry, arrived: list[Any], cotangents: Cotangents, slope: Slope | None
) -> None:
    application = entry.application
    heard = state.recorders or state.listeners
    before = state.context
    role = "" if heard else UNLOGGED
    state.context = before.at_work("gradient", application, label, role)
    # A call takes what arrived out of the list; of a single number its digits are enough.
    change = arrived[0]._array if slope is not None and len(arrived) == 1 and arrived[0]._array.size == 1 else None
    try:
        values = entry.values()
        for position, part in application.primitive.pull(application, values, arrived, entry.wanted):
            if part is not None:
                if slope is not None and part._array.size <= SMALL:
                    slope(application.tick, position, change, part._array)
                arrive(label, cotangents, application.inputs[position], part, position)
    finally:
        state.context = before


def begin(label: Label, cotangents: Cotangents, target: Tag) -> None:
    """Let ones arrive at a target: the seed of a way back that nobody gave another."""
    now = state.__dict__
    if now["recorders"] or now["listeners"] or target in cotangents:
        arrive(label, cotangents, target, make(np.ones(target.shape, target.dtype)), None)
    elif target.shape:
        seed = np.ones(target.shape, target.dtype)
        cotangents[target] = seed, _counted(seed, None, None)
    else:
        cotangents[target] = target.dtype.type(1)


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
    if type(cotangent) is tuple:
        array, buffer = cotangent
        tensor = Tensor(array, Tag(array.shape, array.dtype, array.nbytes), buffer, state.holder)
        release(buffer, FLIGHT)
        return tensor
    return make(np.asarray(cotangent)) if isinstance(cotangent, np.generic) else cotangent
