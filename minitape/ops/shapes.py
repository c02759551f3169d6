"""Rows that rearrange numbers: shapes, slices, repetitions.  All are linear, so each one's transpose is its derivative."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..errors import InvalidArgumentError
from ..kinds import Linear
from ..notes import Notes, named, written
from ..record.refusal import described, invalid_argument, refusal, type_error
from ..spaces import provide
from ..tensor import Tag, Tensor, TensorShape, convert, make, to_array
from . import elementwise

# fmt: off
identity_ = Linear("identity", lambda x: x, lambda g: g, notes=Notes("x", sign="=", takes_batches=True))
reshape_ = Linear("reshape", lambda x, shape: x.reshape(shape), lambda g, x_shape: reshape_(g, shape=x_shape),
    notes=Notes(phrase="x in another shape", misfit=lambda x, shape: _misfit(x, shape),
        hint="A shape is one list: tf.reshape(x, [3, 2]); -1 stands for what is left."))
transpose_ = Linear("transpose", lambda x, perm: np.transpose(x, perm),
    lambda g, perm: transpose_(g, perm=_inverse(perm)),
    notes=Notes(phrase="x with its axes in another order", sign="xᵀ",
        hint="One list says where each axis comes from: tf.transpose(x, [1, 0])."))
broadcast_to_ = Linear("broadcast_to", lambda x, shape: _broadcast_to(x, shape),
    lambda g, x_shape: reduce_to(g, x_shape),
    notes=Notes(phrase="x, repeated"))
sum_to_ = Linear("sum_to", lambda x, shape: _sum_to(x, shape), lambda g, x_shape: broadcast_to_(g, shape=x_shape),
    notes=Notes(phrase="x, summed over what was repeated", sign="Σ"))
getitem_ = Linear("getitem", lambda x, key: x[_key(key)], lambda g, x_shape, key: put_(g, shape=x_shape, key=key),
    notes=Notes(phrase="x[key]", sign="[ ]", title="StridedSlice",
        misfit=lambda x, key: "" if x else "Attempting to slice scalar input: it has no axis",
        hint="An index must lie inside the axis: print(x.shape) shows its lengths."))
put_ = Linear("put", lambda x, shape, key: _put(x, shape, key), lambda g, key: getitem_(g, key=key),
    notes=Notes(phrase="x in a field of zeros"))
reverse_ = Linear("reverse", lambda x, axis: np.flip(x, axis).copy(), lambda g, axis: reverse_(g, axis=axis),
    notes=Notes(phrase="x, turned round"))
roll_ = Linear("roll", lambda x, shift, axis: np.roll(x, shift, axis),
    lambda g, shift, axis: roll_(g, shift=_minus(shift), axis=axis),
    notes=Notes(phrase="x, shifted round"))
# fmt: on


def _inverse(perm: Sequence[int]) -> tuple[int, ...]:
    return tuple(int(axis) for axis in np.argsort(perm))


def _minus(shift: Any) -> Any:
    return tuple(-steps for steps in shift) if isinstance(shift, tuple) else -shift


def _broadcast_to(x: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    if x.size != 1 or x.ndim > len(shape) or x.dtype.kind not in "fc":
        return np.broadcast_to(x, shape)
    # For one number NumPy's own function takes as long as a small matrix product.
    whole: np.ndarray = np.ndarray(shape, x.dtype, np.asarray(x), 0, (0,) * len(shape))
    whole.flags.writeable = False
    return whole


added: Callable[..., np.ndarray] = np.add.reduce  # its types are others in each version of NumPy


def _sum_to(x: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    lead = x.ndim - len(shape)
    if lead == 1 and x.shape[1:] == shape:  # a batch, by far the most frequent
        return added(x, 0)
    ones = tuple([axis + lead for axis, length in enumerate(shape) if length == 1 and x.shape[axis + lead] != 1])
    return added(x, (*range(lead), *ones), keepdims=True).reshape(shape)


def _put(x: np.ndarray, shape: tuple[int, ...], key: Any) -> np.ndarray:
    whole = np.zeros(shape, x.dtype)
    whole[_key(key)] = x
    return whole


@written(phrase="g, summed over what was repeated")
def reduce_to(g: Tensor, shape: tuple[int, ...]) -> Tensor:
    """The transpose of broadcasting: the sum over the axes along which a value of this shape was repeated."""
    return sum_to_(g, shape=tuple(shape))


def zeros_like_tag(tag: Tag) -> Tensor:
    """Zeros of a value's shape and dtype."""
    return make(np.zeros(tag.shape, tag.dtype))


# ---- the public functions -------------------------------------------------------------------------------------------


def _shape(shape: Any, kind: type[Exception] = InvalidArgumentError) -> tuple[int, ...]:
    if type(shape) is int:  # one axis: by far the most frequent
        return (shape,)
    array = to_array(shape)
    if array.size and array.dtype.kind not in "iu":
        raise refusal(
            TypeError if isinstance(shape, float) else kind,
            f"Cannot convert {shape!r} to EagerTensor of dtype int32",
            "Lengths and axes are whole numbers.",
        )
    return tuple(int(size) for size in array.reshape(-1))


def _misfit(x: list[int], shape: tuple[int, ...]) -> str:
    """Why the numbers of one shape do not make another."""
    size, known = math.prod(x), math.prod(length for length in shape if length != -1)
    wanted = {0: f"has {known}", 1: f"requires a multiple of {known}"}.get(shape.count(-1), "has more than one -1")
    return f"Input to reshape is a tensor with {size} values, but the requested shape {wanted}"


def axis_within(axis: Any, ndim: int) -> int:
    """The axis counted from the front; raises InvalidArgumentError for one that is not there."""
    at = whole(axis)
    if not -ndim <= at < ndim:
        raise invalid_argument(
            f"axis {at} is not there: a tensor with {ndim} axes has them in [{-ndim}, {ndim})",
            "print(x.shape) shows them; negative ones count from the last.",
        )
    return at % ndim


def whole(number: Any) -> int:
    """A number that says which, or how many; raises TypeError for 1.5, which would be cut off.

    >>> whole(tf.constant(2))
    2
    """
    if isinstance(number, int):
        return int(number)
    numbers = _shape(number)
    if len(numbers) != 1:
        raise type_error(f"one whole number is wanted, got {described(number)}", "Several are asked for one by one.")
    return numbers[0]


@named("identity")
def identity(input: Any, name: str | None = None) -> Tensor:
    """A new tensor with the same numbers, connected to the old one.

    >>> tf.identity([1.0]).numpy()
    array([1.], dtype=float32)
    """
    return identity_(input)


@named("identity_n")
def identity_n(input: Any, name: str | None = None) -> list[Tensor]:
    """New tensors with the same numbers, connected to the old ones.

    >>> [float(tensor) for tensor in tf.identity_n([1.0, 2.0])]
    [1.0, 2.0]
    """
    if not isinstance(input, list | tuple):
        raise type_error(f"identity_n takes a list of tensors, got {input!r}", "Of one tensor: tf.identity(x).")
    return [identity_(tensor) for tensor in input]


@named("ensure_shape")
def ensure_shape(x: Any, shape: Any, name: str | None = None) -> Tensor:
    """The tensor itself; raises InvalidArgumentError unless it has the shape, in which None stands for any length.

    >>> tf.ensure_shape([1.0, 2.0], [None]).shape
    TensorShape([2])
    """
    x = convert(x)
    if not x.shape.is_compatible_with(shape):
        raise invalid_argument(
            f"Shape of tensor input {x.shape.as_list()} is not compatible with expected shape {TensorShape(shape).as_list()}",
            "tf.reshape makes it that shape, if that is meant.",
        )
    return identity_(x)


@named("reshape")
def reshape(tensor: Any, shape: Any, name: str | None = None) -> Tensor:
    """The same numbers in another shape; one length may be -1, which stands for what is left.

    >>> tf.reshape([[1, 2], [3, 4]], [-1]).numpy()
    array([1, 2, 3, 4], dtype=int32)
    """
    lengths = _shape(shape)
    for position, length in enumerate(lengths):
        if length < -1:  # NumPy would read it as -1
            raise invalid_argument(
                f"Size {position} must be non-negative, not {length}", "-1 alone stands for what is left."
            )
    return reshape_(tensor, shape=lengths)


@named("transpose")
def transpose(a: Any, perm: Any = None, conjugate: bool = False, name: str | None = None) -> Tensor:
    """The axes in another order, by default reversed.

    >>> tf.transpose([[1, 2], [3, 4]]).numpy()
    array([[1, 3],
           [2, 4]], dtype=int32)
    """
    a = convert(a)
    order = (
        tuple(reversed(range(a.ndim))) if perm is None else tuple(axis_within(axis, a.ndim) for axis in _shape(perm))
    )
    turned = transpose_(a, perm=order)
    return elementwise.conj(turned) if conjugate and turned.tag.dtype.kind == "c" else turned


def in_shape(x: Tensor, shape: Any) -> Tensor:
    """A tensor in this shape: itself where it has it already, so that no tape writes down what changes nothing.

    >>> x = tf.ones([2, 3])
    >>> in_shape(x, (2, -1)) is x, in_shape(x, (-1,)).shape
    (True, TensorShape([6]))
    """
    have, shape = x.tag.shape, tuple(int(length) for length in shape)
    same = len(have) == len(shape) and all(length in (-1, there) for length, there in zip(shape, have, strict=True))
    return x if same else reshape_(x, shape=shape)


def in_order(x: Tensor, axes: Any) -> Tensor:
    """A tensor with its axes in this order: itself where they are.

    >>> x = tf.ones([2, 3])
    >>> in_order(x, (0, 1)) is x, in_order(x, (1, 0)).shape
    (True, TensorShape([3, 2]))
    """
    axes = tuple(axes)
    return x if axes == tuple(range(x.ndim)) else transpose_(x, perm=axes)


@named("broadcast_to")
def broadcast_to(input: Any, shape: Any, name: str | None = None) -> Tensor:
    """The numbers repeated to fill a larger shape.

    >>> tf.broadcast_to([1.0, 2.0], [2, 2]).numpy()
    array([[1., 2.],
           [1., 2.]], dtype=float32)
    """
    if isinstance(shape, int):
        raise invalid_argument(
            "shape must be a vector of {int32,int64}, got shape []",
            f"It is one list, also of one number: tf.broadcast_to(x, [{shape}]).",
        )
    return broadcast_to_(input, shape=_shape(shape))


def broadcastable(shape: Any, other: Any) -> bool:
    """Whether an op number by number can take two operands of these shapes.

    >>> broadcastable((2, 1), (3,)), broadcastable((2,), (3,))
    (True, False)
    """
    try:
        np.broadcast_shapes(shape, other)
    except (ValueError, RuntimeError):  # more axes than NumPy broadcasts
        return False
    return True


@named("expand_dims")
def expand_dims(input: Any, axis: int, name: str | None = None) -> Tensor:
    """One more axis of length 1.

    >>> tf.expand_dims([1.0, 2.0], 1).shape
    TensorShape([2, 1])
    """
    input = convert(input)
    along = axis_within(axis, input.ndim + 1)
    return reshape_(input, shape=(*input.shape[:along], 1, *input.shape[along:]))


@named("squeeze")
def squeeze(input: Any, axis: Any = None, name: str | None = None) -> Tensor:
    """Without the axes of length 1, all of them or those named.

    >>> tf.squeeze([[[1.0], [2.0]]]).shape
    TensorShape([2])
    """
    input = convert(input)
    axes = None if axis is None else tuple(axis_within(number, input.ndim) for number in _shape(axis))
    if axes is not None and (long := [i for i in axes if input.shape[i] != 1]):
        raise invalid_argument(
            f"Can not squeeze dim[{long[0]}], expected a dimension of 1, got {input.shape[long[0]]}: "
            f"the shape is {list(input.shape)}",
            "Leave axis out to take away every axis of length 1, or take one layer: x[0].",
        )
    kept = [n for i, n in enumerate(input.shape) if not (n == 1 if axes is None else i in axes)]
    return reshape_(input, shape=tuple(kept))


@named("reverse")
def reverse(tensor: Any, axis: Any, name: str | None = None) -> Tensor:
    """The tensor in the opposite order along the axes.

    >>> tf.reverse([1, 2], [0]).numpy()
    array([2, 1], dtype=int32)
    """
    return reverse_(tensor, axis=_shape(axis))


@named("roll")
def roll(input: Any, shift: Any, axis: Any, name: str | None = None) -> Tensor:
    """The tensor shifted along axes; what is shifted out at one end comes in at the other.

    >>> tf.roll([1, 2, 3], 1, 0).numpy()
    array([3, 1, 2], dtype=int32)
    """
    return roll_(input, shift=_shape(shift), axis=_shape(axis))


def _key(key: Any) -> Any:
    return tuple(slice(*part[1:]) if isinstance(part, tuple) else Ellipsis if part == "..." else part for part in key)


provide(
    add=elementwise.add,
    conj=elementwise.conj,
    sum_to=sum_to_,
    broadcast_to=broadcast_to_,
    reshape=reshape_,
    zeros_like_tag=zeros_like_tag,
)
