"""Rows that move numbers about: shapes, slices, joins.  All are linear, so each one's transpose is its derivative."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..errors import InvalidArgumentError
from ..kinds import Linear, provide
from ..record.refusal import refusal
from ..tensor import Operand, Tag, Tensor, TensorShape, conversion, convert, make, to_array
from . import elementwise

# fmt: off
identity_     = Linear("identity", lambda x: x, lambda g: g, sign="=", formula="x", derivatives=("d",))
reshape_      = Linear("reshape", lambda x, shape: np.reshape(x, shape), lambda g, x_shape: reshape_(g, shape=x_shape),
                       formula="x in another shape", derivatives=("d, reshaped",), misfit=lambda x, shape: _misfit(x, shape))
transpose_    = Linear("transpose", lambda x, perm: np.transpose(x, perm), lambda g, perm: transpose_(g, perm=_inverse(perm)),
                       sign="xᵀ", formula="x with its axes in another order", derivatives=("d, axes put back",))
broadcast_to_ = Linear("broadcast_to", lambda x, shape: _broadcast_to(x, shape), lambda g, x_shape: reduce_to(g, x_shape),
                       formula="x, repeated", derivatives=("d, summed",))
sum_to_       = Linear("sum_to", lambda x, shape: _sum_to(x, shape), lambda g, x_shape: broadcast_to_(g, shape=x_shape),
                       sign="Σ", formula="x, summed over what was repeated", derivatives=("d, repeated",))
getitem_      = Linear("getitem", lambda x, key: x[_key(key)], lambda g, x_shape, key: put_(g, shape=x_shape, key=key),
                       sign="[ ]", formula="x[key]", derivatives=("d, put back in its place",), title="StridedSlice",
                       hint="An index must lie inside the axis: print(x.shape) shows its lengths.")
put_          = Linear("put", lambda x, shape, key: _put(x, shape, key), lambda g, key: getitem_(g, key=key),
                       formula="x in a field of zeros", derivatives=("d[key]",))
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
# fmt: on


def _inverse(perm: Sequence[int]) -> tuple[int, ...]:
    return tuple(int(one) for one in np.argsort(perm))


def _minus(shift: Any) -> Any:
    return tuple(-one for one in shift) if isinstance(shift, tuple) else -shift


def _broadcast_to(x: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    if x.size != 1 or x.ndim > len(shape) or x.dtype.kind not in "fc":
        return np.broadcast_to(x, shape)
    # Of one number NumPy's own function costs as much as a small matrix product.
    whole: np.ndarray = np.ndarray(shape, x.dtype, np.asarray(x), 0, (0,) * len(shape))
    whole.flags.writeable = False
    return whole


def _sum_to(x: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    lead = x.ndim - len(shape)
    if lead == 1 and x.shape[1:] == shape:  # a batch, by far the most frequent
        return np.add.reduce(x, 0)
    ones = tuple([axis + lead for axis, length in enumerate(shape) if length == 1 and x.shape[axis + lead] != 1])
    return np.asarray(np.add.reduce(x, (*range(lead), *ones), keepdims=True)).reshape(shape)


def _put(x: np.ndarray, shape: tuple[int, ...], key: Any) -> np.ndarray:
    whole = np.zeros(shape, x.dtype)
    whole[_key(key)] = x
    return whole


def reduce_to(g: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Undo broadcasting: sum over the axes along which a value of this shape was repeated."""
    return sum_to_(g, shape=tuple(shape))


def zeros_like_tag(tag: Tag) -> Tensor:
    """Zeros of a value's shape and dtype."""
    return make(np.zeros(tag.shape, tag.dtype))


# ---- the public functions -------------------------------------------------------------------------------------------------


def _shape(shape: Any) -> tuple[int, ...]:
    if type(shape) is int:  # one axis: by far the most frequent
        return (shape,)
    array = to_array(shape)
    if array.size and array.dtype.kind not in "iu":
        raise refusal(
            TypeError, f"Cannot convert {shape!r} to EagerTensor of dtype int32", "Lengths and axes are whole numbers."
        )
    return tuple(int(one) for one in array.reshape(-1))


def _misfit(x: list[int], shape: tuple[int, ...]) -> str:
    """Why the numbers of one shape do not make another."""
    size, known = math.prod(x), math.prod(one for one in shape if one != -1)
    wanted = {0: f"has {known}", 1: f"requires a multiple of {known}"}.get(shape.count(-1), "has more than one -1")
    return f"Input to reshape is a tensor with {size} values, but the requested shape {wanted}"


def axis_within(axis: Any, ndim: int) -> int:
    """The axis counted from the front; raises InvalidArgumentError for one that is not there."""
    if not -ndim <= int(axis) < ndim:
        raise refusal(
            InvalidArgumentError,
            f"axis {int(axis)} is not there: a tensor with {ndim} axes has them in [{-ndim}, {ndim})",
            "print(x.shape) shows them; negative ones count from the last.",
        )
    return int(axis) % ndim


def identity(input: Any, name: str | None = None) -> Tensor:  # noqa: A002
    """A new tensor with the same numbers, connected to the old one.

    >>> identity([1.0]).numpy()
    array([1.], dtype=float32)
    """
    return identity_(input)


def identity_n(input: Any, name: str | None = None) -> list[Tensor]:  # noqa: A002
    """New tensors with the same numbers, connected to the old ones.

    >>> [float(one) for one in identity_n([1.0, 2.0])]
    [1.0, 2.0]
    """
    if not isinstance(input, list | tuple):
        raise refusal(TypeError, f"identity_n takes a list of tensors, got {input!r}", "Of one tensor: tf.identity(x).")
    return [identity_(one) for one in input]


def ensure_shape(x: Any, shape: Any, name: str | None = None) -> Tensor:
    """The tensor itself; raises InvalidArgumentError unless it has the shape, in which None stands for any length.

    >>> ensure_shape([1.0, 2.0], [None]).shape
    TensorShape([2])
    """
    x = convert(x)
    if not x.shape.is_compatible_with(shape):
        raise refusal(
            InvalidArgumentError,
            f"Shape of tensor input {x.shape.as_list()} is not compatible with expected shape {TensorShape(shape).as_list()}",
            "tf.reshape makes it that shape, if that is meant.",
        )
    return identity_(x)


def reshape(tensor: Any, shape: Any, name: str | None = None) -> Tensor:
    """The same numbers in rows of other lengths; one length may be -1.

    >>> reshape([[1, 2], [3, 4]], [-1]).numpy()
    array([1, 2, 3, 4], dtype=int32)
    """
    lengths = _shape(shape)
    for place, length in enumerate(lengths):
        if length < -1:  # NumPy would read it as -1
            raise refusal(
                InvalidArgumentError,
                f"Size {place} must be non-negative, not {length}",
                "-1 alone stands for what is left.",
            )
    return reshape_(tensor, shape=lengths)


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
    if axes is not None and (long := [i for i in axes if input.shape[i] != 1]):
        raise refusal(
            InvalidArgumentError,
            f"Can not squeeze dim[{long[0]}], expected a dimension of 1, got {input.shape[long[0]]}: "
            f"the shape is {list(input.shape)}",
            "Leave axis out to take away every axis of length 1, or take one layer: x[0].",
        )
    kept = [n for i, n in enumerate(input.shape) if not (n == 1 if axes is None else i in axes)]
    return reshape_(input, shape=tuple(kept))


def concat(values: Any, axis: int, name: str | None = None) -> Tensor:
    """The values joined along an axis.

    >>> concat([[1, 2], [3]], 0).numpy()
    array([1, 2, 3], dtype=int32)
    """
    parts = _alike(values if isinstance(values, list | tuple) else [values])
    if not parts:
        raise refusal(
            InvalidArgumentError, "concat needs at least one value, got an empty list", "tf.zeros([0]) is empty."
        )
    return concat_(*parts, axis=int(axis))


def stack(values: Any, axis: int = 0, name: str | None = None) -> Tensor:
    """The values as layers along a new axis.

    >>> stack([1.0, 2.0]).numpy()
    array([1., 2.], dtype=float32)
    """
    if isinstance(values, Operand) and axis == 0:
        return convert(values)
    parts = _alike(values)
    if not parts:
        return convert([])
    _new_axis(axis, parts[0].ndim + 1)
    return stack_(*parts, axis=int(axis))


def _alike(values: Any) -> list[Tensor]:
    """The values as tensors of one dtype: that of the first tensor, or else that which holds all the numbers."""
    if isinstance(values, Operand):
        return list(values)
    hint = next((one._tag.dtype for one in values if isinstance(one, Operand)), None)
    if hint is None and all(type(one) in (int, float) for one in values):
        hint = to_array(values).dtype
    return [convert(one, hint=hint) for one in values]


def _new_axis(axis: int, ndim: int) -> None:
    if not -ndim <= axis < ndim:
        raise refusal(
            ValueError, f"Argument `axis` = {axis} not in range [{-ndim}, {ndim})", "print(x.shape) shows the axes."
        )


def unstack(value: Any, num: int | None = None, axis: int = 0, name: str | None = None) -> list[Tensor]:
    """The layers along an axis, as a list.

    >>> [int(one) for one in unstack([1, 2])]
    [1, 2]
    """
    value = convert(value)
    _new_axis(axis, value.ndim)
    if num is not None and num != value.shape[axis]:
        raise refusal(
            InvalidArgumentError,
            f"Input shape axis {axis} must equal {num}, got shape {value.shape.as_list()}",
            "Without num you get all there are.",
        )
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
        if num_or_size_splits < 1 or length % num_or_size_splits:
            raise refusal(
                InvalidArgumentError,
                f"an axis of length {length} cannot be split into {num_or_size_splits} equal pieces",
                "Say how long each is: tf.split(x, [2, 3]).",
            )
        sizes: tuple[int, ...] = (length // num_or_size_splits,) * num_or_size_splits
    else:
        sizes = _shape(num_or_size_splits)
        if -1 in sizes:
            rest = length - sum(one for one in sizes if one != -1)
            sizes = tuple(rest if one == -1 else one for one in sizes)
        if sum(sizes) != length:
            raise refusal(
                InvalidArgumentError,
                f"pieces of lengths {list(sizes)} do not make up an axis of length {length}",
                "One of them may be -1: it takes what is left.",
            )
    return list(split_(value, sizes=sizes, axis=int(axis)))


def split_at(value: Tensor, shapes: list[tuple[int, ...]], axis: int) -> list[Tensor]:
    """The pieces that were joined from values of these shapes."""
    return list(split_(value, sizes=tuple(shape[axis] for shape in shapes), axis=axis))


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


def _key(key: Any) -> Any:
    return tuple(slice(*one[1:]) if isinstance(one, tuple) else Ellipsis if one == "..." else one for one in key)


def _pack(values: Any, dtype: Any = None) -> Tensor:
    parts = [_pack(one, dtype) if isinstance(one, list | tuple) else one for one in values]
    packed = stack(parts)
    return packed if dtype is None else elementwise.cast(packed, dtype)


conversion.pack = _pack
provide(
    add=elementwise.add,
    conj=elementwise.conj,
    sum_to=sum_to_,
    broadcast_to=broadcast_to_,
    zeros_like_tag=zeros_like_tag,
)
