"""Rows that move numbers about: shapes, slices, joins.  All are linear, so each one's transpose is its derivative."""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import tensor as tensor_module
from ..dtypes import as_dtype
from ..errors import InvalidArgumentError
from ..primitive import Linear, flat, provide
from ..tensor import Operand, Tag, Tensor, convert, make, to_array
from . import elementwise

# fmt: off
identity_     = Linear("identity", lambda x: x, lambda g: g, sign="=", formula="x", derivatives=("d",))
reshape_      = Linear("reshape", lambda x, shape: np.reshape(x, shape), lambda g, x_shape: reshape_(g, shape=x_shape),
                       formula="x in another shape", derivatives=("d, reshaped",))
transpose_    = Linear("transpose", lambda x, perm: np.transpose(x, perm), lambda g, perm: transpose_(g, perm=_inverse(perm)),
                       sign="xᵀ", formula="x with its axes in another order", derivatives=("d, axes put back",))
broadcast_to_ = Linear("broadcast_to", lambda x, shape: np.broadcast_to(x, shape), lambda g, x_shape: reduce_to(g, x_shape),
                       formula="x, repeated", derivatives=("d, summed",))
sum_to_       = Linear("sum_to", lambda x, shape: _sum_to(x, shape), lambda g, x_shape: broadcast_to_(g, shape=x_shape),
                       sign="Σ", formula="x, summed over what was repeated", derivatives=("d, repeated",))
getitem_      = Linear("getitem", lambda x, key: x[_key(key)], lambda g, x_shape, key: put_(g, shape=x_shape, key=key),
                       sign="[ ]", formula="x[key]", derivatives=("d, put back in its place",), title="StridedSlice",
                       hint="An index must lie inside the axis: print(x.shape) shows its lengths.")
put_          = Linear("put", lambda x, shape, key: _put(x, shape, key), lambda g, key: getitem_(g, key=key),
                       formula="x in a field of zeros", derivatives=("d[key]",))
pad_          = Linear("pad", lambda x, paddings, value: np.pad(x, paddings, constant_values=value),
                       lambda g, x_shape, paddings: getitem_(g, key=_inside(x_shape, paddings)),
                       formula="x with a border", derivatives=("d, border cut off",))
tile_         = Linear("tile", lambda x, multiples: np.tile(x, multiples), lambda g, x_shape, multiples: _untile(g, x_shape, multiples),
                       formula="x, side by side", derivatives=("d, copies summed",))
reverse_      = Linear("reverse", lambda x, axis: np.flip(x, axis).copy(), lambda g, axis: reverse_(g, axis=axis),
                       formula="x, turned round", derivatives=("d, turned round",))
roll_         = Linear("roll", lambda x, shift, axis: np.roll(x, shift, axis), lambda g, shift, axis: roll_(g, shift=_minus(shift), axis=axis),
                       formula="x, shifted round", derivatives=("d, shifted back",))
concat_       = Linear("concat", lambda *values, axis: np.concatenate(values, axis), lambda g, shapes, axis: split_at(g, shapes, axis),
                       arguments=("values",), variadic=True, formula="values, joined", derivatives=("its piece of d",),
                       hint="Only the joined axis may differ: print the shapes of the parts.")
stack_        = Linear("stack", lambda *values, axis: np.stack(values, axis), lambda g, axis: unstack(g, axis=axis),
                       arguments=("values",), variadic=True, formula="values, stacked", derivatives=("its layer of d",), title="Pack")
unstack_      = Linear("unstack", lambda x, axis: tuple(np.moveaxis(x, axis, 0)), lambda g, axis: stack(g, axis),
                       outputs=0, formula="the layers of x", derivatives=("layers, stacked",))
split_        = Linear("split", lambda x, sizes, axis: tuple(np.split(x, np.cumsum(sizes)[:-1], axis)), lambda g, axis: concat(g, axis),
                       outputs=0, formula="the pieces of x", derivatives=("pieces, joined",))
gather_       = Linear("gather", lambda x, indices, axis: _take(x, indices, axis),
                       lambda g, indices, x_shape, axis: scatter_add_(g, indices, axis=axis, shape=x_shape),
                       arguments=("x", "indices"), inert=("indices",), same_dtype=False, formula="x[indices]", derivatives=("d, added up in its places",))
scatter_add_  = Linear("scatter_add", lambda x, indices, axis, shape: _scatter_add(x, indices, axis, shape),
                       lambda g, indices, axis: gather_(g, indices, axis=axis),
                       arguments=("x", "indices"), inert=("indices",), same_dtype=False, formula="x, added up at indices", derivatives=("d[indices]",))
diag_         = Linear("diag", lambda x: _diag(x), lambda g: diag_part_(g), formula="x on a diagonal", derivatives=("the diagonal of d",))
diag_part_    = Linear("diag_part", lambda x: np.diagonal(x, axis1=-2, axis2=-1).copy(), lambda g, x_shape: _bordered(diag_(g), x_shape),
                       sign="diag", formula="the diagonal of x", derivatives=("d on a diagonal",))
one_hot_      = flat("one_hot", lambda x, depth, on, off, dtype: np.asarray(np.where(np.arange(depth) == x[..., None], on, off), dtype), formula="a 1 at place x")
# fmt: on


def _inverse(perm: Sequence[int]) -> tuple[int, ...]:
    return tuple(int(one) for one in np.argsort(perm))


def _minus(shift: Any) -> Any:
    return tuple(-one for one in shift) if isinstance(shift, tuple) else -shift


def _sum_to(x: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    lead = x.ndim - len(shape)
    ones = tuple(axis + lead for axis, length in enumerate(shape) if length == 1 and x.shape[axis + lead] != 1)
    return np.asarray(x.sum((*range(lead), *ones), keepdims=True)).reshape(shape)


def _put(x: np.ndarray, shape: tuple[int, ...], key: Any) -> np.ndarray:
    whole = np.zeros(shape, x.dtype)
    whole[_key(key)] = x
    return whole


def _scatter_add(x: np.ndarray, indices: np.ndarray, axis: int, shape: tuple[int, ...]) -> np.ndarray:
    whole = np.zeros(shape, x.dtype)
    places: Any = (slice(None),) * axis + (indices,)
    np.add.at(whole, places, x)
    return whole


def _take(x: np.ndarray, indices: np.ndarray, axis: int) -> np.ndarray:
    length = x.shape[axis]
    outside = indices[(indices < 0) | (indices >= length)]
    if outside.size:
        raise IndexError(f"indices = {outside.flat[0]} is not in [0, {length})")
    return np.take(x, indices, axis)


def _diag(x: np.ndarray) -> np.ndarray:
    whole = np.zeros((*x.shape, x.shape[-1]), x.dtype)
    np.einsum("...ii->...i", whole)[...] = x
    return whole


def _bordered(g: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Zeros to the right or below, up to this shape."""
    if g._tag.shape == shape:
        return g
    return pad_(
        g, paddings=tuple((0, wanted - there) for wanted, there in zip(shape, g._tag.shape, strict=True)), value=0
    )


def _inside(shape: tuple[int, ...], paddings: Any) -> tuple[Any, ...]:
    return tuple(("slice", before, before + length, None) for length, (before, _) in zip(shape, paddings, strict=True))


def _untile(g: Tensor, shape: tuple[int, ...], multiples: tuple[int, ...]) -> Tensor:
    pairs = [length for pair in zip(multiples, shape, strict=True) for length in pair]
    split = reshape_(g, shape=tuple(pairs))
    return reshape_(sum_to_(split, shape=tuple(1 if i % 2 == 0 else n for i, n in enumerate(pairs))), shape=shape)


def reduce_to(g: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Undo broadcasting: sum over the axes along which a value of this shape was repeated."""
    return sum_to_(g, shape=tuple(shape))


def zeros_like_tag(tag: Tag) -> Tensor:
    """Zeros of a value's shape and dtype."""
    return make(np.zeros(tag.shape, tag.dtype))


# ---- the public functions -------------------------------------------------------------------------------------------------


def _shape(shape: Any) -> tuple[int, ...]:
    array = to_array(shape) if not isinstance(shape, int) else np.array([shape])
    return tuple(int(one) for one in array.reshape(-1))


def axis_within(axis: Any, ndim: int) -> int:
    """The axis counted from the front; raises InvalidArgumentError for one that is not there."""
    if not -ndim <= int(axis) < ndim:
        raise InvalidArgumentError(
            f"axis {int(axis)} is not there: a tensor with {ndim} axes has them in [{-ndim}, {ndim})"
        )
    return int(axis) % ndim


def identity(input: Any, name: str | None = None) -> Tensor:  # noqa: A002
    """A new tensor with the same numbers, connected to the old one.

    >>> identity([1.0]).numpy()
    array([1.], dtype=float32)
    """
    return identity_(input)


def reshape(tensor: Any, shape: Any, name: str | None = None) -> Tensor:
    """The same numbers in rows of other lengths; one length may be -1.

    >>> reshape([[1, 2], [3, 4]], [-1]).numpy()
    array([1, 2, 3, 4], dtype=int32)
    """
    return reshape_(tensor, shape=_shape(shape))


def transpose(a: Any, perm: Any = None, conjugate: bool = False, name: str | None = None) -> Tensor:
    """The axes in another order, by default reversed.

    >>> transpose([[1, 2], [3, 4]]).numpy()
    array([[1, 3],
           [2, 4]], dtype=int32)
    """
    a = convert(a)
    order = (
        tuple(reversed(range(a.ndim))) if perm is None else tuple(axis_within(axis, a.ndim) for axis in _shape(perm))
    )
    turned = transpose_(a, perm=order)
    return elementwise.conj(turned) if conjugate else turned


def broadcast_to(input: Any, shape: Any, name: str | None = None) -> Tensor:  # noqa: A002
    """The numbers repeated to fill a larger shape.

    >>> broadcast_to([1.0, 2.0], [2, 2]).numpy()
    array([[1., 2.],
           [1., 2.]], dtype=float32)
    """
    return broadcast_to_(input, shape=_shape(shape))


def expand_dims(input: Any, axis: int, name: str | None = None) -> Tensor:  # noqa: A002
    """One more axis of length 1.

    >>> expand_dims([1.0, 2.0], 1).shape
    TensorShape([2, 1])
    """
    input = convert(input)  # noqa: A001
    place = axis_within(axis, input.ndim + 1)
    return reshape_(input, shape=(*input.shape[:place], 1, *input.shape[place:]))


def squeeze(input: Any, axis: Any = None, name: str | None = None) -> Tensor:  # noqa: A002
    """The axes of length 1 taken away, all or those named.

    >>> squeeze([[[1.0], [2.0]]]).shape
    TensorShape([2])
    """
    input = convert(input)  # noqa: A001
    axes = None if axis is None else tuple(axis_within(one, input.ndim) for one in _shape(axis))
    kept = [n for i, n in enumerate(input.shape) if not (n == 1 if axes is None else i in axes)]
    return reshape_(input, shape=tuple(kept))


def concat(values: Any, axis: int, name: str | None = None) -> Tensor:
    """The values joined along an axis.

    >>> concat([[1, 2], [3]], 0).numpy()
    array([1, 2, 3], dtype=int32)
    """
    return concat_(*_alike(values), axis=int(axis))


def stack(values: Any, axis: int = 0, name: str | None = None) -> Tensor:
    """The values as layers along a new axis.

    >>> stack([1.0, 2.0]).numpy()
    array([1., 2.], dtype=float32)
    """
    return stack_(*_alike(values), axis=int(axis))


def _alike(values: Any) -> list[Tensor]:
    if isinstance(values, Operand):
        return list(values)
    hint = next((one._tag.dtype for one in values if isinstance(one, Operand)), None)
    return [convert(one, hint=hint) for one in values]


def unstack(value: Any, num: int | None = None, axis: int = 0, name: str | None = None) -> list[Tensor]:
    """The layers along an axis, as a list.

    >>> [int(one) for one in unstack([1, 2])]
    [1, 2]
    """
    return list(unstack_(value, axis=axis))


def split(
    value: Any, num_or_size_splits: Any, axis: int = 0, num: int | None = None, name: str | None = None
) -> list[Tensor]:
    """The tensor in equal pieces (a number) or in pieces of given lengths (a list) along an axis.

    >>> [one.numpy().tolist() for one in split([1, 2, 3], [1, 2])]
    [[1], [2, 3]]
    """
    value = convert(value)
    axis = axis_within(axis, value.ndim)
    length = value.shape[axis]
    if isinstance(num_or_size_splits, int):
        if length % num_or_size_splits:
            raise InvalidArgumentError(
                f"an axis of length {length} cannot be split into {num_or_size_splits} equal pieces"
            )
        sizes: tuple[int, ...] = (length // num_or_size_splits,) * num_or_size_splits
    else:
        sizes = _shape(num_or_size_splits)
        if -1 in sizes:
            rest = length - sum(one for one in sizes if one != -1)
            sizes = tuple(rest if one == -1 else one for one in sizes)
        if sum(sizes) != length:
            raise InvalidArgumentError(f"pieces of lengths {list(sizes)} do not make up an axis of length {length}")
    return list(split_(value, sizes=sizes, axis=int(axis)))


def split_at(value: Tensor, shapes: list[tuple[int, ...]], axis: int) -> list[Tensor]:
    """The pieces that were joined from values of these shapes."""
    return list(split_(value, sizes=tuple(shape[axis] for shape in shapes), axis=axis))


def pad(
    tensor: Any, paddings: Any, mode: str = "CONSTANT", constant_values: float = 0, name: str | None = None
) -> Tensor:
    """The tensor with a border of a constant: paddings [[before, after], ...], one pair per axis.

    >>> pad([1, 2], [[1, 0]]).numpy()
    array([0, 1, 2], dtype=int32)
    """
    if mode.upper() != "CONSTANT":
        raise NotImplementedError(f"tf.pad with mode {mode!r}: only 'CONSTANT' is there")
    pairs = tuple((int(before), int(after)) for before, after in to_array(paddings))
    tensor = convert(tensor)
    if len(pairs) != tensor.ndim:
        raise InvalidArgumentError(
            f"paddings need one pair per axis: there are {tensor.ndim} axes and {len(pairs)} pairs"
        )
    if constant_values:
        # A border other than zero is no linear map of the tensor alone: a border of zeros plus a frame.
        frame = np.pad(np.zeros(tensor.shape, tensor.dtype.numpy_dtype), pairs, constant_values=constant_values)
        return pad_(tensor, paddings=pairs, value=0) + frame
    return pad_(tensor, paddings=pairs, value=0)


def tile(input: Any, multiples: Any, name: str | None = None) -> Tensor:  # noqa: A002
    """The tensor laid side by side, `multiples[i]` times along axis i.

    >>> tile([1, 2], [2]).numpy()
    array([1, 2, 1, 2], dtype=int32)
    """
    input, times = convert(input), _shape(multiples)  # noqa: A001
    if len(times) != input.ndim:
        raise InvalidArgumentError(
            f"multiples need one number per axis: there are {input.ndim} axes and {len(times)} numbers"
        )
    return tile_(input, multiples=times)


def reverse(tensor: Any, axis: Any, name: str | None = None) -> Tensor:
    """The tensor turned round along the axes.

    >>> reverse([1, 2], [0]).numpy()
    array([2, 1], dtype=int32)
    """
    return reverse_(tensor, axis=_shape(axis))


def roll(input: Any, shift: Any, axis: Any, name: str | None = None) -> Tensor:  # noqa: A002
    """The tensor shifted, what falls off coming in at the other end.

    >>> roll([1, 2, 3], 1, 0).numpy()
    array([3, 1, 2], dtype=int32)
    """
    return roll_(input, shift=_shape(shift), axis=_shape(axis))


def repeat(input: Any, repeats: Any, axis: int | None = None, name: str | None = None) -> Tensor:  # noqa: A002
    """Each element (along an axis) repeated.

    >>> repeat([1, 2], 2).numpy()
    array([1, 1, 2, 2], dtype=int32)
    """
    input = convert(input)  # noqa: A001
    if axis is None:
        input, axis = reshape(input, [-1]), 0  # noqa: A001
    counts = to_array(repeats).reshape(-1)
    return gather(input, np.repeat(np.arange(input.shape[axis]), counts if counts.size > 1 else counts[0]), axis=axis)


def gather(
    params: Any, indices: Any, validate_indices: Any = None, axis: int = 0, batch_dims: int = 0, name: str | None = None
) -> Tensor:
    """The slices at these indices along an axis; raises InvalidArgumentError for an index outside it.

    >>> gather([10.0, 20.0, 30.0], [2, 0]).numpy()
    array([30., 10.], dtype=float32)
    """
    if batch_dims:
        raise NotImplementedError("tf.gather with batch_dims: gather from each example by itself")
    params = convert(params)
    return gather_(params, convert(indices), axis=axis_within(axis or 0, params.ndim))


def one_hot(
    indices: Any,
    depth: int,
    on_value: Any = None,
    off_value: Any = None,
    axis: Any = None,
    dtype: Any = None,
    name: str | None = None,
) -> Tensor:
    """A vector with one 1 per index, along a new last axis.

    >>> one_hot([0, 2], 3).numpy()
    array([[1., 0., 0.],
           [0., 0., 1.]], dtype=float32)
    """
    kind = as_dtype(dtype or "float32").numpy_dtype
    on, off = 1 if on_value is None else on_value, 0 if off_value is None else off_value
    hot = one_hot_(indices, depth=int(depth), on=on, off=off, dtype=kind)
    if axis in (None, -1):
        return hot
    order = list(range(hot.ndim - 1))
    order.insert(axis, hot.ndim - 1)
    return transpose(hot, order)


# ---- indexing with [ ] --------------------------------------------------------------------------------------------------------


def _key(key: Any) -> Any:
    return tuple(slice(*one[1:]) if isinstance(one, tuple) else Ellipsis if one == "..." else one for one in key)


_INDICES = "Only integers, slices (`:`), ellipsis (`...`), tf.newaxis (`None`) and scalar tensors are valid indices"


def _plain(one: Any) -> Any:
    if isinstance(one, slice):
        return ("slice", *(None if part is None else int(part) for part in (one.start, one.stop, one.step)))
    if one is None or one is Ellipsis:
        return None if one is None else "..."
    if isinstance(one, bool) or not hasattr(one, "__index__"):
        raise TypeError(f"{_INDICES}, got {one!r}.")
    return operator.index(one)


def getitem(x: Any, key: Any) -> Tensor:
    """`x[key]`: numbers, slices, `...`, `None` (a new axis), or a boolean mask."""
    parts = key if isinstance(key, tuple) else (key,)
    mask = parts[0] if parts else None
    if len(parts) == 1 and isinstance(mask, Operand | np.ndarray | list) and to_array(mask).dtype == bool:
        return boolean_mask(x, mask)
    for one in parts:
        if isinstance(one, list | np.ndarray) and np.ndim(one):
            raise TypeError(f"{_INDICES}, got {one!r}. To pick several, use tf.gather(x, indices).")
    return getitem_(x, key=tuple(_plain(one) for one in parts))


def boolean_mask(tensor: Any, mask: Any, axis: int | None = None, name: str = "boolean_mask") -> Tensor:
    """The elements at which the mask holds, in a row.

    >>> boolean_mask([1, 2, 3], [True, False, True]).numpy()
    array([1, 3], dtype=int32)
    """
    tensor, holds = convert(tensor), to_array(mask)
    start = axis or 0
    lead, rest = tensor.shape[:start], tensor.shape[start + holds.ndim :]
    if tensor.shape[start : start + holds.ndim] != holds.shape:
        raise ValueError(f"the mask of shape {holds.shape} does not fit the tensor of shape {tensor.shape}")
    flat_tensor = reshape(tensor, (*lead, int(np.prod(holds.shape, dtype=int)), *rest))
    return gather(flat_tensor, np.flatnonzero(holds), axis=start)


def _pack(values: Any, dtype: Any = None) -> Tensor:
    parts = [_pack(one, dtype) if isinstance(one, list | tuple) else one for one in values]
    packed = stack(parts)
    return packed if dtype is None else elementwise.cast(packed, dtype)


tensor_module.pack = _pack
provide(
    add=elementwise.add,
    conj=elementwise.conj,
    reduce_to=reduce_to,
    broadcast_to=broadcast_to_,
    zeros_like_tag=zeros_like_tag,
)
