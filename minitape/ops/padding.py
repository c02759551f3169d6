"""Rows that put numbers into a larger tensor: borders, mirror images, copies, diagonals.  All are linear."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kinds import Linear
from ..notes import Notes, named, written
from ..record.refusal import invalid_argument, value_error
from ..tensor import Tensor, convert, to_array
from .shapes import _shape, getitem_, reshape_, sum_to_

# fmt: off
pad_ = Linear("pad", lambda x, paddings, value: np.pad(x, paddings, constant_values=value) if paddings else x,
    lambda g, x_shape, paddings: getitem_(g, key=_inside(x_shape, paddings)),
    notes=Notes(phrase="x with a border"))
mirror_ = Linear("mirror_pad", lambda x, paddings, mode: np.pad(x, paddings, mode),
    lambda g, x_shape, paddings, mode: unmirror_(g, shape=x_shape, paddings=paddings, mode=mode),
    notes=Notes(phrase="x with its mirror image around"))
unmirror_ = Linear("unmirror", lambda x, shape, paddings, mode: _unmirror(x, shape, paddings, mode),
    lambda g, paddings, mode: mirror_(g, paddings=paddings, mode=mode),
    notes=Notes(phrase="x with its mirror images added"))
tile_ = Linear("tile", lambda x, multiples: np.tile(x, multiples),
    lambda g, x_shape, multiples: _untile(g, x_shape, multiples),
    notes=Notes(phrase="x, side by side"))
diag_ = Linear("diag", lambda x: _diag(x), lambda g: diag_part_(g), notes=Notes(phrase="x on a diagonal"))
diag_part_ = Linear("diag_part", lambda x: np.diagonal(x, axis1=-2, axis2=-1).copy(),
    lambda g, x_shape: _bordered(diag_(g), x_shape),
    notes=Notes(phrase="the diagonal of x", sign="diag"))
# fmt: on


def _inside(shape: tuple[int, ...], paddings: Any) -> tuple[Any, ...]:
    return tuple(("slice", before, before + length, None) for length, (before, _) in zip(shape, paddings, strict=True))


def _unmirror(x: np.ndarray, shape: tuple[int, ...], paddings: Any, mode: Any) -> np.ndarray:
    origin = np.pad(np.arange(int(np.prod(shape, dtype=int))).reshape(shape), paddings, mode)
    whole = np.zeros(shape, x.dtype)
    np.add.at(whole.reshape(-1), origin, x)
    return whole


@written(phrase="g, its copies summed")
def _untile(g: Tensor, shape: tuple[int, ...], multiples: tuple[int, ...]) -> Tensor:
    pairs = [length for pair in zip(multiples, shape, strict=True) for length in pair]
    split = reshape_(g, shape=tuple(pairs))
    return reshape_(sum_to_(split, shape=tuple(1 if i % 2 == 0 else n for i, n in enumerate(pairs))), shape=shape)


def _diag(x: np.ndarray) -> np.ndarray:
    whole = np.zeros((*x.shape, x.shape[-1]), x.dtype)
    np.einsum("...ii->...i", whole)[...] = x
    return whole


@written("g")
def _bordered(g: Tensor, shape: tuple[int, ...]) -> Tensor:
    """Zeros to the right or below, up to this shape."""
    if g.tag.shape == shape:
        return g
    return pad_(
        g, paddings=tuple((0, wanted - there) for wanted, there in zip(shape, g.tag.shape, strict=True)), value=0
    )


# ---- the public functions -------------------------------------------------------------------------------------------


@named("pad")
def pad(
    tensor: Any, paddings: Any, mode: str = "CONSTANT", constant_values: float = 0, name: str | None = None
) -> Tensor:
    """The tensor with a border of a constant, or of its own mirror image: paddings [[before, after], ...], per axis.

    >>> tf.pad([1, 2], [[1, 0]]).numpy()
    array([0, 1, 2], dtype=int32)
    """
    borders, tensor = to_array(paddings), convert(tensor)
    if borders.ndim != 2 or borders.shape[1] != 2:
        raise invalid_argument(
            f"paddings must be a matrix with 2 columns: {list(borders.shape)}",
            "One pair per axis: [[before, after], [before, after]].",
        )
    numbers = _shape(paddings)
    pairs = tuple(zip(numbers[::2], numbers[1::2], strict=True))
    if len(pairs) != tensor.ndim:
        raise invalid_argument(
            f"paddings need one pair per axis: there are {tensor.ndim} axes and {len(pairs)} pairs",
            "[[1, 1], [0, 0]] puts a row above and one below, and leaves the columns.",
        )
    if mode.upper() in ("REFLECT", "SYMMETRIC"):
        room = 0 if mode.upper() == "SYMMETRIC" else 1
        for pair, length in zip(pairs, tensor.shape, strict=True):
            if max(pair) > length - room:
                raise invalid_argument(
                    f"paddings must be no more than {length - room} for an axis of length {length}",
                    "A mirror holds no more than what it stands before; use mode='CONSTANT' for a wider border.",
                )
        return mirror_(tensor, paddings=pairs, mode=mode.lower())
    if mode.upper() != "CONSTANT":
        raise value_error(
            f"Value of argument `mode` expected to be one of CONSTANT, REFLECT, or SYMMETRIC. Received: {mode}",
            "'CONSTANT' puts numbers around, 'REFLECT' and 'SYMMETRIC' mirror what is there.",
        )
    if constant_values:
        # A border other than zero is no linear map of the tensor alone: a border of zeros plus a frame.
        frame = np.pad(np.zeros(tensor.shape, tensor.dtype.numpy_dtype), pairs, constant_values=constant_values)
        return pad_(tensor, paddings=pairs, value=0) + frame
    return pad_(tensor, paddings=pairs, value=0)


@named("tile")
def tile(input: Any, multiples: Any, name: str | None = None) -> Tensor:
    """The tensor laid side by side, `multiples[i]` times along axis i.

    >>> tf.tile([1, 2], [2]).numpy()
    array([1, 2, 1, 2], dtype=int32)
    """
    if isinstance(multiples, int):
        raise invalid_argument(
            "Expected multiples to be 1-D, but got shape []",
            f"They are one list, also for one axis: tf.tile(x, [{multiples}]).",
        )
    input, times = convert(input), _shape(multiples)
    if len(times) != input.ndim:
        raise invalid_argument(
            f"multiples need one number per axis: there are {input.ndim} axes and {len(times)} numbers",
            "1 leaves an axis as it is: tf.tile(x, [2, 1]).",
        )
    return tile_(input, multiples=times)
