"""Rows that pick numbers by index, and their transposes: gather, scatter, one_hot.

The gradient of a gathered table is known by its slices: gather's rule returns `IndexedSlices`, which everything else reads as
the dense tensor that they stand for.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import nullcontext
from typing import Any

import numpy as np

from ..dtypes import as_dtype
from ..kinds import Linear
from ..notes import Notes, named, written
from ..primitive import flat
from ..record.events import state, unobserved
from ..record.refusal import invalid_argument, type_error, value_error
from ..tensor import Operand, Tag, Tensor, convert, to_array
from .elementwise import add, cast
from .joins import concat_
from .shapes import _shape, axis_within, in_order, in_shape, reshape_, transpose

# fmt: off
gather_ = Linear("gather", lambda x, indices, axis: _take(x, indices, axis),
    lambda g, indices, x_shape, axis: _slices(g, indices, axis, x_shape), arguments=("x", "indices"),
    inert=("indices",),
    notes=Notes(phrase="x[indices]", title="GatherV2", same_dtype=False,
        hint="An index must lie inside the axis: print(x.shape) shows its lengths."))
scatter_add_ = Linear("scatter_add", lambda x, indices, axis, shape: _scatter_add(x, indices, axis, shape),
    lambda g, indices, axis: gather_(g, indices, axis=axis), arguments=("x", "indices"), inert=("indices",),
    notes=Notes(phrase="x, added up at indices", same_dtype=False))
take_along_ = Linear("take_along", lambda x, indices: _take_along(x, indices),
    lambda g, indices, x_shape: put_along_(g, indices, shape=x_shape), arguments=("x", "indices"),
    inert=("indices",),
    notes=Notes(phrase="x[..., indices]", title="GatherV2", same_dtype=False))
put_along_ = Linear("put_along", lambda x, indices, shape: _put_along(x, indices, shape),
    lambda g, indices: take_along_(g, indices), arguments=("x", "indices"), inert=("indices",),
    notes=Notes(phrase="x, added up at [..., indices]", same_dtype=False))
one_hot_ = flat("one_hot",
    lambda x, depth, on, off, dtype: np.asarray(np.where(np.arange(depth) == x[..., None], on, off), dtype),
    notes=Notes(phrase="a 1 at place x"))
# fmt: on


@named("IndexedSlices")
class IndexedSlices(Operand):
    """The gradient of some slices of a tensor: `values[i]` belongs to the slice `indices[i]`, all others are zero.

    In computations it is the dense tensor.  A slice that is named twice counts twice.

    >>> table = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    >>> with tf.GradientTape() as tape:
    ...     y = tf.gather(table, [1])
    >>> found = tape.gradient(y, table)
    >>> found.indices.numpy(), found.values.numpy()
    (array([1], dtype=int32), array([[1., 1.]], dtype=float32))
    >>> tf.convert_to_tensor(found).numpy()
    array([[0., 0.],
           [1., 1.]], dtype=float32)
    """

    __slots__ = ("__weakref__", "_dense", "_indices", "_values", "tag")

    def __init__(self, values: Any, indices: Any, dense_shape: Any = None, *, dense: Tensor | None = None) -> None:
        self._values, self._indices = convert(values), convert(indices)
        if dense is None and dense_shape is not None:
            shape = tuple(int(size) for size in to_array(dense_shape))
            dense = scatter_add_(self._values, self._indices, axis=0, shape=shape)
        self._dense = dense
        self.tag = Tag((), self._values.tag.dtype, 0) if dense is None else dense.tag

    @property
    def values(self) -> Tensor:
        """The slices."""
        return self._values

    @property
    def indices(self) -> Tensor:
        """Where each slice belongs, along the first axis."""
        return self._indices

    @property
    def dense_shape(self) -> Tensor | None:
        """The shape of the dense tensor, as a tensor; None if it is not known."""
        return None if self._dense is None else convert(np.array(self.tag.shape, np.int32))

    @property
    def tensor_now(self) -> Tensor:
        if self._dense is None:
            raise value_error(
                "Tensor conversion requested for IndexedSlices without dense_shape: it is not known how large the whole is",
                "Write tf.IndexedSlices(values, indices, dense_shape=[...]).",
            )
        return self._dense

    @property
    def array_now(self) -> np.ndarray:
        return self.tensor_now.array

    array = array_now  # a listener looks at it as at any tensor

    def handle(self, holder: int) -> IndexedSlices:
        """The same slices as other Python objects, counted for this holder."""
        dense = None if self._dense is None else self._dense.handle(holder)
        return IndexedSlices(self._values.handle(holder), self._indices.handle(holder), dense=dense)

    def __str__(self) -> str:
        return f"IndexedSlices(indices={self.indices!s}, values={self.values!s}, dense_shape={self.dense_shape!s})"

    __repr__ = __str__


@written(phrase="g, added up at indices")
def _slices(g: Tensor, indices: Tensor, axis: int, shape: tuple[int, ...]) -> Any:
    dense = scatter_add_(g, indices, axis=axis, shape=shape)
    if axis:
        return dense
    if indices.ndim == 1:
        return IndexedSlices(g, indices, dense=dense)
    with _described():
        many = indices.array.size
        flat_indices, values = reshape_(indices, shape=(many,)), reshape_(g, shape=(many, *shape[1:]))
    return IndexedSlices(values, flat_indices, dense=dense)


def together(first: Any, other: Any) -> Any:
    """The sum of two cotangents; slices and slices are the slices of both."""
    total = add.run(first, other)
    if not isinstance(first, IndexedSlices) or not isinstance(other, IndexedSlices):
        return total
    with _described():
        values = concat_(first.values, other.values, axis=0)
        wide = first.indices.dtype != other.indices.dtype
        indices = concat_(
            *(cast(slices.indices, "int64") if wide else slices.indices for slices in (first, other)), axis=0
        )
    return IndexedSlices(values, indices, dense=total)


def _described() -> Any:
    """A block for ops on indices and values of slices: unobserved, unless a recorder may differentiate them."""
    return nullcontext() if state.recorders else unobserved()


def _scatter_add(x: np.ndarray, indices: np.ndarray, axis: int, shape: tuple[int, ...]) -> np.ndarray:
    _inside(indices, shape[axis])
    whole = np.zeros(shape, x.dtype)
    where: Any = (slice(None),) * axis + (indices,)
    np.add.at(whole, where, x)
    return whole


def _take(x: np.ndarray, indices: np.ndarray, axis: int) -> np.ndarray:
    _inside(indices, x.shape[axis])
    return np.take(x, indices, axis)


def _inside(indices: np.ndarray, length: int) -> None:
    outside = indices[(indices < 0) | (indices >= length)]
    if outside.size:
        raise IndexError(f"indices = {outside.flat[0]} is not in [0, {length})")


def _take_along(x: np.ndarray, indices: np.ndarray) -> np.ndarray:
    _inside(indices, x.shape[-1])
    return np.asarray(x[_in_rows(indices, x.ndim)])


def _put_along(x: np.ndarray, indices: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    whole = np.zeros(shape, x.dtype)
    np.add.at(whole, _in_rows(indices, len(shape)), x)
    return whole


def _in_rows(indices: np.ndarray, ndim: int) -> Any:
    """The index of places along the last of some axes: many in each row, or one where `indices` lack that axis."""
    lead: Any = np.indices(indices.shape[: ndim - 1], sparse=True)
    return *[axis[..., None] if indices.ndim == ndim else axis for axis in lead], indices


# ---- picking --------------------------------------------------------------------------------------------------------


@named("gather")
def gather(
    params: Any, indices: Any, validate_indices: Any = None, axis: Any = None, batch_dims: int = 0,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """The slices at these indices along an axis; raises InvalidArgumentError for an index outside it.

    With `batch_dims` both have that many leading axes in common, and each example picks from its own.

    >>> tf.gather([10.0, 20.0, 30.0], [2, 0]).numpy()
    array([30., 10.], dtype=float32)
    >>> tf.gather([[1, 2], [3, 4]], [[1], [0]], batch_dims=1).numpy()
    array([[2],
           [3]], dtype=int32)
    """
    params, indices = convert(params), convert(indices)
    if indices.tag.dtype.kind not in "iu":
        raise invalid_argument(
            f"Value for attr 'Tindices' of {indices.dtype.name} is not in the list of allowed values: int16, int32, int64",
            "Indices are whole numbers: tf.cast(indices, tf.int32).",
        )
    if not batch_dims:
        return gather_(params, indices, axis=axis_within(axis or 0, params.ndim))
    batch = batch_dims + indices.ndim if batch_dims < 0 else batch_dims
    lead = params.tag.shape[:batch]
    if not 0 <= batch <= min(indices.ndim, params.ndim - 1) or indices.tag.shape[:batch] != lead:
        raise invalid_argument(
            f"with batch_dims={batch_dims} the first axes must be the same: params {params.shape.as_list()}, "
            f"indices {indices.shape.as_list()}",
            "Each example picks from its own: params [batch, ..., length, ...] and indices [batch, ...].",
        )
    along = batch if axis is None else axis_within(axis, params.ndim)
    length = params.tag.shape[along]
    _inside(indices.array, length)
    if batch == indices.ndim == params.ndim - 1:  # one number of each row: a class's score, an action's value
        return gather_along(params, indices)
    order = [*range(batch), along, *[i for i in range(batch, params.ndim) if i != along]]
    turned = in_order(params, order)
    count = int(np.prod(lead, dtype=int))
    start = (np.arange(count) * length).reshape(*lead, *[1] * (indices.ndim - batch))
    found = gather_(in_shape(turned, (count * length, *turned.tag.shape[batch + 1 :])), indices.array + start, axis=0)
    # The axes between the batch and the gathered one go back in front of those of the indices.
    inner, between = indices.ndim - batch, along - batch
    rest = [*range(batch + inner, batch + inner + between), *range(batch, batch + inner)]
    return in_order(found, [*range(batch), *rest, *range(batch + inner + between, found.ndim)])


def gather_along(params: Any, indices: Any) -> Tensor:
    """Numbers picked along the last axis, for each row its own: many (`np.take_along_axis`), or one.

    >>> gather_along([[1, 2], [3, 4]], [[1], [0]]).numpy(), gather_along([[1, 2], [3, 4]], [1, 0]).numpy()
    (array([[2],
           [3]], dtype=int32), array([2, 3], dtype=int32))
    """
    return take_along_(params, indices)


@named("gather_nd")
def gather_nd(params: Any, indices: Any, batch_dims: int = 0, name: str | None = None) -> Tensor:
    """The slices at index vectors: the last axis of `indices` says where in the first axes of `params`.

    >>> tf.gather_nd([[1, 2], [3, 4]], [[0, 1], [1, 0]]).numpy()
    array([2, 3], dtype=int32)
    """
    params, where = convert(params), to_array(indices)
    if batch_dims:
        lead = np.indices(where.shape[:batch_dims]).reshape(batch_dims, *where.shape[:batch_dims])
        lead = np.moveaxis(lead, 0, -1).reshape(
            *where.shape[:batch_dims], *[1] * (where.ndim - batch_dims - 1), batch_dims
        )
        where = np.concatenate([np.broadcast_to(lead, (*where.shape[:-1], batch_dims)), where], -1)
    depth = where.shape[-1]
    flat = int(np.prod(params.shape[:depth], dtype=int)), *params.shape[depth:]
    # As in TensorFlow, what comes back from rows of one number each is IndexedSlices, and otherwise a tensor.
    rows = params if depth == 1 and where.ndim == 2 else reshape_(params, shape=flat)
    return gather_(rows, places_of(where, params.tag.shape), axis=0)


def places_of(where: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Index vectors as indices into the flat list of all slices."""
    if where.dtype.kind not in "iu":
        raise invalid_argument(
            f"Value for attr 'Tindices' of {as_dtype(where.dtype).name} is not in the list of allowed values: "
            "int16, int32, int64",
            "Index vectors hold whole numbers.",
        )
    depth = where.shape[-1]
    if depth > len(shape):
        raise invalid_argument(
            f"index vectors of length {depth} do not index into a tensor of shape {list(shape)}",
            f"The last axis of the indices holds one number per axis of the tensor, at most {len(shape)}.",
        )
    lengths = np.array(shape[:depth], int)
    outside = np.argwhere(((where < 0) | (where >= lengths)).any(-1))
    if outside.size:
        first = tuple(outside[0])
        raise invalid_argument(
            f"indices{list(map(int, first))} = {where[first].tolist()} does not index into param shape {list(shape)}",
            "Indices count from 0, and negative ones do not count from the end here.",
        )
    steps = np.cumprod([1, *shape[:depth][:0:-1]])[::-1] if depth else np.zeros(0, int)
    return np.asarray((where * steps).sum(-1), np.int64)


_WHOLE = "A place is a whole number: tf.cast(x, tf.int32)."


@named("one_hot")
def one_hot(
    indices: Any, depth: int, on_value: Any = None, off_value: Any = None, axis: Any = None, dtype: Any = None,
    name: str | None = None,
) -> Tensor:  # fmt: skip
    """A vector with a single 1 for each index, along a new last axis; the dtype is that of `on_value` and `off_value` if given.

    Raises TypeError for values of different dtypes, or of another than `dtype`.

    >>> tf.one_hot([0, 2], 3).numpy()
    array([[1., 0., 0.],
           [0., 0., 1.]], dtype=float32)
    >>> tf.one_hot([0, 2], 3, on_value=5, off_value=-1).numpy()[0]
    array([ 5, -1, -1], dtype=int32)
    """
    kind = _kind_of([value for value in (on_value, off_value) if value is not None], dtype)
    (count,) = _shape(depth)
    if count < 0:
        raise invalid_argument(f"depth must be non-negative, got: {count}", "It is the number of classes.")
    if isinstance(indices, float):
        raise type_error(f"Cannot convert {indices!r} to EagerTensor of dtype int64", _WHOLE)
    indices = convert(indices)
    if indices.dtype.is_floating and indices.array.size:
        raise invalid_argument(f"indices of {indices.dtype.name} do not name places: {indices!r}", _WHOLE)
    if axis is not None and not -1 <= axis <= indices.ndim:
        raise invalid_argument(
            f"Expected axis to be -1 or between [0, {indices.ndim + 1}).  But received: {axis}",
            "It says where the new axis stands.",
        )
    on, off = 1 if on_value is None else on_value, 0 if off_value is None else off_value
    hot = one_hot_(indices, depth=count, on=on, off=off, dtype=kind)
    if axis in (None, -1):
        return hot
    order = list(range(hot.ndim - 1))
    order.insert(axis, hot.ndim - 1)
    return transpose(hot, order)


def _kind_of(values: Sequence[Any], dtype: Any) -> np.dtype[Any]:
    """The dtype of a one_hot: what is asked for, or that of its values, or float32."""
    given = [to_array(value).dtype for value in values]
    wanted = given[0] if dtype is None and given else as_dtype(dtype or "float32").numpy_dtype
    for kind in given:
        fits = dtype is not None and kind == np.int32 and wanted.kind in "iufc"  # whole numbers stand for any number
        if kind != wanted and not fits:
            raise type_error(
                f"the values of one_hot must have one dtype, its own: got {kind.name}, expected {wanted.name}",
                "Leave dtype out, or write on_value=1.0, off_value=0.0.",
            )
    return wanted
