"""The steps of a dataset: generators from elements to elements."""

from __future__ import annotations

import itertools
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import numpy as np

from .. import nest
from ..record.events import unobserved
from ..record.refusal import invalid_argument, type_error, value_error
from .elements import answered, called, slices, stacked, tensors

Elements = Iterable[Any]


def kept(elements: Elements, predicate: Callable[..., Any]) -> Iterator[Any]:
    """The elements for which the predicate is True."""
    return (element for element in elements if holds(predicate, element))


def holds(predicate: Callable[..., Any], element: Any) -> bool:
    """The predicate of an element; raises ValueError unless it is one bool."""
    answer = called(predicate, element)
    if not isinstance(answer, np.ndarray) or answer.dtype != bool or answer.ndim:
        described = f"{answer.dtype} of shape {list(answer.shape)}" if isinstance(answer, np.ndarray) else repr(answer)
        raise value_error(
            f"Invalid `predicate`. `predicate` must return a `tf.bool` scalar tensor, but it returned {described}.",
            "Compare: lambda x: x > 0",
        )
    return bool(answer)


def shuffled(elements: Elements, size: int, draw: np.random.Generator) -> Iterator[Any]:
    """In random order, drawn from a buffer that is refilled."""
    source = iter(elements)
    buffer = list(itertools.islice(source, size))
    for element in source:
        index = int(draw.integers(len(buffer)))
        chosen, buffer[index] = buffer[index], element
        yield chosen
    while buffer:
        index = int(draw.integers(len(buffer)))
        buffer[index], buffer[-1] = buffer[-1], buffer[index]
        yield buffer.pop()


def repeated(start: Callable[[], Elements], count: int) -> Iterator[Any]:
    """All elements, so many times over; with -1 for ever, unless there are none."""
    for _ in itertools.count() if count < 0 else range(count):
        empty = True
        for element in start():
            empty = False
            yield element
        if empty:
            return


def batched(
    elements: Elements, size: int, drop_remainder: bool, join: Callable[[list[Any]], Any] = stacked
) -> Iterator[Any]:
    """Batches of elements, each joined to one."""
    source = iter(elements)
    while batch := list(itertools.islice(source, size)):
        if len(batch) == size or not drop_remainder:
            yield join(batch)


def windows(
    elements: Elements, size: int, shift: int, stride: int, drop_remainder: bool
) -> Iterator[tuple[Any, list[list[Any]]]]:
    """Windows of elements: an element for its structure, and for each leaf the list of its values."""
    source, reach = iter(elements), (size - 1) * stride + 1
    buffer: deque[Any] = deque()
    while True:
        buffer.extend(itertools.islice(source, reach - len(buffer)))
        inside = list(itertools.islice(buffer, 0, reach, stride))
        if not inside:
            return
        if len(inside) == size or not drop_remainder:
            yield inside[0], [list(leaves) for leaves in zip(*map(nest.flatten, inside), strict=True)]
        for _ in range(shift):
            if buffer:
                buffer.popleft()
            else:
                next(source, None)


def interleaved(
    elements: Elements, parts: Callable[[Any], Elements], cycle_length: int, block_length: int
) -> Iterator[Any]:
    """A few datasets at a time, so many elements of each in turn; one that ends is replaced by the next."""
    source = iter(elements)
    open_parts: list[Iterator[Any] | None] = [None] * cycle_length
    here, taken, more = 0, 0, True
    while more or any(part is not None for part in open_parts):
        part = open_parts[here]
        if part is None and more:
            for element in itertools.islice(source, 1):
                open_parts[here], taken = iter(parts(element)), 0
                break
            else:
                more = False
            continue
        for element in itertools.islice(part or (), 1):
            yield element
            taken += 1
            break
        else:
            open_parts[here], taken = None, block_length
        if taken >= block_length:
            here, taken = (here + 1) % cycle_length, 0


def directed(choices: Iterator[int], parts: list[Iterator[Any]], stop: bool) -> Iterator[Any]:
    """The next element of each chosen part, until no choices or no elements are left; with `stop`, until one has none."""
    remaining = set(range(len(parts)))
    for choice in choices:
        if not 0 <= choice < len(parts):
            raise invalid_argument(
                f"Selector index out of range: {choice} >= {len(parts)}",
                f"The datasets are counted from 0 to {len(parts) - 1}.",
            )
        for element in itertools.islice(parts[choice], 1):
            yield element
            break
        else:
            remaining.discard(choice)
            if stop or not remaining:
                return


def unbatched(elements: Elements) -> Iterator[Any]:
    """The rows of each element."""
    return (row for element in elements for row in slices(element))


def joined(first: Elements, second: Elements) -> Iterator[Any]:
    """One after the other; raises TypeError for elements of another structure or dtype."""
    before = None
    for element in first:
        before = element
        yield element
    for element in second:
        if before is not None and _kind(before) != _kind(element):
            raise type_error(
                f"Incompatible dataset elements: {_kind(before)} vs. {_kind(element)}",
                "ds.map makes both alike: lambda x: tf.cast(x, tf.float32)",
            )
        yield element


def _kind(element: Any) -> Any:
    return nest.map_structure(lambda leaf: leaf.dtype.name if isinstance(leaf, np.ndarray) else "dataset", element)


def folded(elements: Elements, state: Any, function: Callable[..., Any], what: str) -> Iterator[tuple[Any, Any]]:
    """The results of a function with a state, element by element: the new state, and all that it returned."""
    for element in elements:
        with unobserved():
            answer = answered(function(tensors(state), tensors(element)))
        new = answer[0] if what == "scan" else answer
        if _kind(new) != _kind(state):
            raise type_error(
                f"The element types for the new state must match the initial state. Expected {_kind(state)}; got {_kind(new)}.",
                "Begin with a state of that dtype: tf.constant(0, tf.int64), say.",
            )
        state = new
        yield state, answer
