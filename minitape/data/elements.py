"""The elements that pass from step to step of a dataset: structures of arrays.

Tuples and dicts are structure; a list is one tensor, as in TensorFlow.  A leaf is an array, or a dataset (in the elements of
`window`).  Tensors are made only for a program's own functions, and at the end.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from .. import nest
from ..dtypes import as_dtype
from ..errors import DataLossError
from ..operands import unfit
from ..record.events import unobserved
from ..record.refusal import described, invalid_argument, refusal, type_error, value_error
from ..spec import TensorSpec
from ..tensor import TensorShape, created, to_array

AUTOTUNE, INFINITE, UNKNOWN = -1, -1, -2


class DatasetSpec:
    """The spec of a dataset that is an element of another, as `window` makes them.

    >>> tf.data.Dataset.range(5).window(2).element_spec
    DatasetSpec(TensorSpec(shape=(), dtype=tf.int64, name=None), TensorShape([]))
    """

    def __init__(self, element_spec: Any) -> None:
        self.element_spec = element_spec

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, DatasetSpec) and self.element_spec == other.element_spec

    def __hash__(self) -> int:
        return hash(repr(self))

    def __repr__(self) -> str:
        return f"DatasetSpec({self.element_spec!r}, TensorShape([]))"


def is_dataset(leaf: Any) -> bool:
    """Whether a leaf is a dataset."""
    return hasattr(leaf, "element_spec")


def each(function: Callable[..., Any], structure: Any) -> Any:
    """The structure with the function applied to its leaves; unlike for `nest`, lists are leaves."""
    if isinstance(structure, Mapping):
        answers = {key: each(function, child) for key, child in structure.items()}
        return answers if type(structure) is dict else type(structure)(answers)  # type: ignore[call-arg]
    if isinstance(structure, tuple) and not isinstance(structure, TensorShape):
        children = [each(function, child) for child in structure]
        return type(structure)(*children) if hasattr(structure, "_fields") else tuple(children)
    return function(structure)


def arrays(value: Any) -> Any:
    """A value of the program as an element."""
    return each(lambda leaf: leaf if is_dataset(leaf) else to_array(leaf), value)


def tensors(element: Any) -> Any:
    """An element as the program sees it.  Each tensor has a copy of its bytes, so that it keeps no whole dataset alive."""
    return each(lambda leaf: leaf if is_dataset(leaf) else created(leaf.copy()), element)


def numbers(element: Any) -> Any:
    """An element as `as_numpy_iterator` gives it."""
    return each(lambda leaf: leaf.as_numpy_iterator() if is_dataset(leaf) else leaf.copy()[()], element)


def a_function(given: Any) -> None:
    """Raise ValueError where a step of a dataset is given something else, before there is an element to call it with."""
    if not callable(given):
        raise value_error(
            f"Argument `func` must be a callable. Received func={given!r} (of type {type(given)})",
            "A step takes a function of an element, as in ds.map(lambda x: x * 2).",
        )


def called(function: Callable[..., Any], *elements: Any) -> Any:
    """The result of a program's function, as an element; a tuple is passed to it as several arguments."""
    given: list[Any] = []
    with unobserved():  # it is a step of a dataset: no tape sees it, no picture shows it
        for element in elements:
            given += map(tensors, element) if type(element) is tuple else [tensors(element)]
        try:
            return answered(function(*given))
        except TypeError:
            _takes(function, given)
            raise


def _takes(function: Callable[..., Any], given: list[Any]) -> None:
    """Raise TypeError where a function has another number of parameters than an element has parts."""
    taken = unfit(function, given)
    if taken is not None:
        kinds = ", ".join(described(part) for part in given)
        parts = f"{len(given)} part{'s' * (len(given) != 1)}"
        wanted = ", ".join(("x", "y", "w")[: len(given)]) if len(given) < 4 else "*parts"
        raise type_error(
            f"{getattr(function, '__name__', 'the function')}({', '.join(taken.parameters)}) cannot be called with an element of "
            f"{parts}: {kinds}",
            f"A tuple is handed on as several arguments: write lambda {wanted}: ..., or def f({wanted}).",
        ) from None


def answered(answer: Any) -> Any:
    """What a function returned, as an element: a returned list counts as a tuple."""
    if answer is None:
        raise type_error(
            "Unsupported return value from function passed to Dataset.map(): None. Expected a (nested) structure of tensors.",
            "Return the new element: return x, y",
        )
    return arrays(tuple(answer) if isinstance(answer, list) else answer)


# ---- what elements are like -------------------------------------------------------------------------------------------------


def spec_of(element: Any) -> Any:
    """The spec of an element."""
    return each(
        lambda leaf: (
            DatasetSpec(leaf.element_spec) if is_dataset(leaf) else TensorSpec(leaf.shape, as_dtype(leaf.dtype))
        ),
        element,
    )


def batched_spec(spec: Any, length: int | None) -> Any:
    """The spec of batches of this length; None where it is not known."""
    return each(lambda part: TensorSpec(_joined([length], part.shape), part.dtype), spec)


def _joined(lengths: list[int | None], shape: TensorShape) -> Any:
    return None if shape.rank is None else [*lengths, *shape]


def common_spec(first: Any, second: Any) -> Any:
    """The spec of elements of both kinds: lengths in which they differ are not known."""
    if isinstance(first, DatasetSpec):
        return first
    if nest.is_nested(first):
        return nest.map_structure(common_spec, first, second)
    if first.shape.rank is None or second.shape.rank != first.shape.rank:
        return TensorSpec(None, first.dtype)
    return TensorSpec([a if a == b else None for a, b in zip(first.shape, second.shape, strict=True)], first.dtype)


def example(spec: Any, length: int) -> Any:
    """An element of zeros, with this length wherever the spec has none."""

    def zeros(part: Any) -> Any:
        shape = [length] if part.shape.rank is None else [length if n is None else n for n in part.shape]
        return np.zeros(shape, part.dtype.numpy_dtype)

    return each(zeros, spec)


def longer(element: Any, spec: Any) -> Any:
    """The element repeated along each axis whose length the spec does not know."""
    if nest.is_nested(spec):
        return nest.map_structure(longer, element, spec)
    if is_dataset(element) or spec.shape.rank is None:
        return element
    for axis, length in enumerate(spec.shape):
        if length is None:
            element = np.concatenate([element, element], axis)
    return element


# ---- several elements -------------------------------------------------------------------------------------------------------


def stacked(elements: Sequence[Any]) -> Any:
    """A batch of elements; raises InvalidArgumentError for shapes that differ."""
    return _columns(elements, _stack)


def padded(elements: Sequence[Any], shapes: Any, values: Any) -> Any:
    """A batch of elements padded to a common shape: the given one, or the longest of the batch where that is None."""
    first = elements[0]
    shapes = [None] * len(nest.flatten(first)) if shapes is None else _flat_shapes(shapes)
    values = _per_leaf(values, len(shapes))

    def fill(component: int, parts: Sequence[np.ndarray]) -> np.ndarray:
        wanted = [None] * parts[0].ndim if shapes[component] is None else list(shapes[component])
        longest = [max(part.shape[axis] for part in parts) for axis in range(parts[0].ndim)]
        lengths = [long if length in (None, -1) else length for long, length in zip(longest, wanted, strict=True)]
        value = b"" if values[component] is None and parts[0].dtype.kind == "O" else values[component] or 0
        batch = np.full((len(parts), *lengths), value, parts[0].dtype)
        for row, part in enumerate(parts):
            if any(have > room for have, room in zip(part.shape, lengths, strict=True)):
                raise refusal(
                    DataLossError,
                    f"Attempted to pad to a smaller size than the input element: {list(part.shape)} to {lengths}",
                    "None in padded_shapes pads to the longest of each batch.",
                )
            inside: Any = (row, *[slice(length) for length in part.shape])
            batch[inside] = part
        return batch

    return _columns(elements, fill)


def _flat_shapes(shapes: Any) -> list[Any]:
    if isinstance(shapes, Mapping):
        return [shapes[key] for key in sorted(shapes)]
    return list(shapes) if isinstance(shapes, tuple) and not isinstance(shapes, TensorShape) else [shapes]


def _per_leaf(values: Any, count: int) -> list[Any]:
    if values is None or not isinstance(values, tuple | Mapping):
        return [None if values is None else to_array(values)[()]] * count
    return [None if leaf is None else to_array(leaf)[()] for leaf in nest.flatten(values)]


def _columns(elements: Sequence[Any], join: Callable[[int, Sequence[np.ndarray]], np.ndarray]) -> Any:
    columns = zip(*map(nest.flatten, elements), strict=True)
    return nest.pack_sequence_as(elements[0], [join(component, column) for component, column in enumerate(columns)])


def _stack(component: int, parts: Sequence[np.ndarray]) -> np.ndarray:
    if is_dataset(parts[0]):
        raise type_error(
            "Datasets inside of a dataset cannot be batched.", "ds.flat_map(lambda part: part) joins them."
        )
    for number, part in enumerate(parts):
        if part.shape != parts[0].shape:
            raise invalid_argument(
                f"Cannot batch tensors with different shapes in component {component}. First element had shape "
                f"{list(parts[0].shape)} and element {number} had shape {list(part.shape)}.",
                "ds.padded_batch(n) fills them up to the longest.",
            )
    return np.stack(parts)


def rows(element: Any) -> tuple[list[np.ndarray], int]:
    """The leaves, and the common length of their first axes; raises ValueError where they have none in common."""
    leaves = nest.flatten(element)
    if any(leaf.ndim == 0 for leaf in leaves):
        raise value_error("Unbatching a tensor is only supported for rank >= 1", "Dataset.from_tensors takes it whole.")
    lengths = [len(leaf) for leaf in leaves]
    for length in lengths:
        if length != lengths[0]:
            raise value_error(f"Dimensions {lengths[0]} and {length} are not compatible", "All must have as many rows.")
    return leaves, lengths[0]


def slices(element: Any) -> Iterator[Any]:
    """The element's slices along the first axis, one after the other."""
    leaves, count = rows(element)
    for row in range(count):
        yield nest.pack_sequence_as(element, [np.asarray(leaf[row], leaf.dtype) for leaf in leaves])
