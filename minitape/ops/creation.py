"""Tensors made of plain numbers and lengths: they have no history, so a tape follows them only if it watches them."""

from __future__ import annotations

import builtins
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ..dtypes import as_dtype
from ..errors import ResourceExhaustedError
from ..notes import named
from ..record.refusal import invalid_argument, refusal, type_error, value_error
from ..tensor import Operand, Tensor, TensorShape, convert, created, to_array
from .elementwise import cast
from .shapes import _shape, broadcast_to_, expand_dims, reshape_


def _lengths(shape: Any) -> tuple[int, ...]:
    lengths = _shape(shape, TypeError)
    for length in lengths:
        if length < 0:
            raise invalid_argument(f"Dimension {length} must be >= 0", "-1 stands for a length only in tf.reshape.")
    return lengths


def _listed(shape: Any) -> tuple[int, ...]:
    """The lengths of a shape that must be a list: a single number is taken for one where nothing can be meant by a second."""
    if isinstance(shape, int | np.integer) or (isinstance(shape, Operand | np.ndarray) and not np.ndim(shape)):
        raise invalid_argument(
            "shape must be a vector of {int32,int64}, got shape []",
            f"It is one list, also of one number: [{int(shape)}].",
        )
    return _lengths(shape)


def _filled(start: Callable[..., np.ndarray], shape: Any, dtype: Any) -> Tensor:
    """A filled tensor; raises ResourceExhaustedError where memory does not suffice."""
    lengths, kind = _lengths(shape), as_dtype(dtype)
    try:
        return created(start(lengths, kind.numpy_dtype))
    except (MemoryError, OverflowError, ValueError):
        raise refusal(
            ResourceExhaustedError,
            f"OOM when allocating tensor with shape{list(lengths)} and type {kind.name}: that would be "
            f"{math.prod(lengths) * kind.size:,} bytes",
            "Is a length off by its zeros? A batch at a time takes less.",
        ) from None


@named("zeros")
def zeros(shape: Any, dtype: Any = "float32", name: str | None = None) -> Tensor:
    """Zeros.

    >>> tf.zeros([2]).numpy()
    array([0., 0.], dtype=float32)
    """
    return _filled(np.zeros, shape, dtype)


@named("ones")
def ones(shape: Any, dtype: Any = "float32", name: str | None = None) -> Tensor:
    """Ones.

    >>> tf.ones([2], "int32").numpy()
    array([1, 1], dtype=int32)
    """
    return _filled(np.ones, shape, dtype)


@named("fill")
def fill(dims: Any, value: Any, name: str | None = None) -> Tensor:
    """A tensor of this shape with one number everywhere.

    >>> tf.fill([2], 7.0).numpy()
    array([7., 7.], dtype=float32)
    """
    shape = value.shape if isinstance(value, Operand) else np.shape(value)
    if shape:
        raise invalid_argument(
            f"value must represent a scalar, got shape {list(shape)}",
            "tf.tile or tf.broadcast_to repeat a whole tensor.",
        )
    if isinstance(value, Operand):
        return broadcast_to_(value, shape=_lengths(dims))
    number = to_array(value)
    return _filled(lambda lengths, kind: np.full(lengths, number, kind), dims, number.dtype)


@named("zeros_like")
def zeros_like(input: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """Zeros of the same shape and dtype.

    >>> tf.zeros_like([1, 2]).numpy()
    array([0, 0], dtype=int32)
    """
    like = convert(input)
    return created(np.zeros(like.shape, like.tag.dtype if dtype is None else as_dtype(dtype).numpy_dtype))


@named("ones_like")
def ones_like(input: Any, dtype: Any = None, name: str | None = None) -> Tensor:
    """Ones of the same shape and dtype.

    >>> tf.ones_like([1.0, 2.0]).numpy()
    array([1., 1.], dtype=float32)
    """
    like = convert(input)
    return created(np.ones(like.shape, like.tag.dtype if dtype is None else as_dtype(dtype).numpy_dtype))


@named("range")
def range(start: Any, limit: Any = None, delta: Any = 1, dtype: Any = None, name: str = "range") -> Tensor:
    """Numbers from start up to (not including) limit, in steps of delta.

    >>> tf.range(3).numpy()
    array([0, 1, 2], dtype=int32)
    >>> tf.range(1.0, 2.0, 0.5).numpy()
    array([1. , 1.5], dtype=float32)
    """
    start, limit = (0, start) if limit is None else (start, limit)
    parts: list[Any] = [to_array(bound) for bound in (start, limit, delta)]
    for part in parts:
        if part.ndim or part.dtype.kind not in "iuf":
            raise invalid_argument(f"range counts between numbers, got {part.tolist()!r}", "Write tf.range(3).")
    # As in TensorFlow the widest of the three decides, in this order: a float32 beside an int32 gives float32.
    widest = max((part.dtype for part in parts), key=lambda kind: (kind.kind == "f", kind.itemsize))
    kind = widest if dtype is None else as_dtype(dtype).numpy_dtype
    first, last, step = parts
    if step == 0:
        raise invalid_argument(f"Requires delta != 0: {step}", "A step of 0 never arrives.")
    if (last - first) * np.sign(step) < 0:
        way = "start <= limit when delta > 0" if step > 0 else "start >= limit when delta < 0"
        raise invalid_argument(f"Requires {way}: {first}/{last}", "The other way is tf.range(start, limit, -1).")
    return created(np.arange(*parts).astype(kind))


@named("linspace")
def linspace(start: Any, stop: Any, num: int, name: str | None = None, axis: int = 0) -> Tensor:
    """`num` numbers from start to stop, both included, at even distances.

    >>> tf.linspace(0.0, 1.0, 3).numpy()
    array([0. , 0.5, 1. ], dtype=float32)
    """
    if isinstance(num, float):
        raise type_error(
            f"Argument num must be of type integer. Received: {num}", f"Write {int(num)}, the count of numbers."
        )
    count = int(num)
    if count < 0:
        raise invalid_argument(f"Requires num >= 0, got {count}", "It is how many numbers there are.")
    if isinstance(start, Operand) or isinstance(stop, Operand):
        return _between(start, stop, count, axis)
    first = to_array(start)
    first = first if first.dtype.kind == "f" else first.astype(np.float64)
    return created(np.linspace(first, to_array(stop), count, axis=axis).astype(first.dtype))


def _between(start: Any, stop: Any, count: int, axis: int) -> Tensor:
    """`linspace` between tensors, which are differentiated."""
    first = convert(start, hint=stop.tag.dtype if isinstance(stop, Operand) else None)
    last = convert(stop, hint=first.tag.dtype)
    if first.dtype.is_integer:
        first, last = cast(first, "float64"), cast(last, "float64")
    along = axis % (first.ndim + 1)
    steps = np.linspace(0.0, 1.0, count).astype(first.tag.dtype)
    steps = steps.reshape([count if position == along else 1 for position in builtins.range(first.ndim + 1)])
    return expand_dims(first, along) * (1.0 - steps) + expand_dims(last, along) * steps


@named("shape")
def shape(input: Any, out_type: Any = "int32", name: str | None = None) -> Tensor:
    """The shape, as a tensor of whole numbers.

    >>> tf.shape([[1, 2, 3]]).numpy()
    array([1, 3], dtype=int32)
    """
    return created(np.array(convert(input).tag.shape, as_dtype(out_type).numpy_dtype))


@named("size")
def size(input: Any, out_type: Any = "int32", name: str | None = None) -> Tensor:
    """How many numbers there are.

    >>> int(tf.size([[1, 2, 3]]))
    3
    """
    return created(np.array(convert(input).array.size, as_dtype(out_type).numpy_dtype))


@named("rank")
def rank(input: Any, name: str | None = None) -> Tensor:
    """How many axes there are.

    >>> int(tf.rank([[1, 2, 3]]))
    2
    """
    return created(np.array(convert(input).ndim, np.int32))


@named("meshgrid")
def meshgrid(*args: Any, indexing: str = "xy", name: str | None = None) -> list[Tensor]:
    """The coordinates of all points of a grid, a tensor per axis.

    >>> [grid.numpy().tolist() for grid in tf.meshgrid([1, 2], [3, 4])]
    [[[1, 2], [1, 2]], [[3, 3], [4, 4]]]
    """
    if indexing not in ("xy", "ij"):
        raise value_error(
            f"Argument `indexing` parameter must be either 'xy' or 'ij', got {indexing!r}",
            "'xy' counts columns first, as a plot does; 'ij' rows first, as a matrix does.",
        )
    rows = [row if len(row.shape) == 1 else reshape_(row, shape=(-1,)) for row in map(convert, args)]
    kinds = list(dict.fromkeys(row.dtype.name for row in rows))
    if len(kinds) > 1:
        raise invalid_argument(
            f"meshgrid was given {' and '.join(kinds)}; a grid is of one dtype",
            f"Convert the others: tf.cast(x, {kinds[0]!r}).",
        )
    order = (
        [1, 0, *builtins.range(2, len(rows))] if indexing == "xy" and len(rows) > 1 else [*builtins.range(len(rows))]
    )
    lengths = tuple(rows[i].shape[0] for i in order)
    grids = []
    for position, row in enumerate(rows):
        axis = order.index(position)
        laid = reshape_(row, shape=tuple(-1 if i == axis else 1 for i in builtins.range(len(rows))))
        grids.append(broadcast_to_(laid, shape=lengths))
    return grids


@named("broadcast_static_shape")
def broadcast_static_shape(shape_x: Any, shape_y: Any) -> TensorShape:
    """The shape of the result of an op on tensors of these shapes; raises ValueError if they do not fit.

    >>> tf.broadcast_static_shape([2, 1], [3])
    TensorShape([2, 3])
    """
    return TensorShape(np.broadcast_shapes(tuple(shape_x), tuple(shape_y)))


@named("broadcast_dynamic_shape")
def broadcast_dynamic_shape(shape_x: Any, shape_y: Any) -> Tensor:
    """`broadcast_static_shape` for shapes that are tensors.

    >>> tf.broadcast_dynamic_shape([2, 1], [3]).numpy()
    array([2, 3], dtype=int32)
    """
    return created(np.array(np.broadcast_shapes(_shape(shape_x), _shape(shape_y)), np.int32))
