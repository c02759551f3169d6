"""Rows of the discrete Fourier transform over the last axes.

A transform is linear, and its transpose is the inverse transform up to a factor.  A real transform leaves out the half of the
spectrum that follows from the other half: in the transpose a number counts twice where it also stands for its conjugate.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..kinds import Linear
from ..notes import Notes, named
from ..tensor import Tensor, convert
from .elementwise import real
from .padding import pad_
from .shapes import _shape, axis_within, getitem_, roll

# fmt: off
fft_ = Linear("fft", lambda x, axes: _as(x, np.fft.fftn(x, axes=axes)),
    lambda g, x_shape, axes: ifft_(g, axes=axes) * _count(x_shape, axes),
    notes=Notes(phrase="Σ x × exp(−2πi j k ÷ n)", sign="F", title="FFT", kinds="c", source="Cooley and Tukey 1965"))
ifft_ = Linear("ifft", lambda x, axes: _as(x, np.fft.ifftn(x, axes=axes)),
    lambda g, x_shape, axes: fft_(g, axes=axes) / _count(x_shape, axes),
    notes=Notes(phrase="Σ x × exp(2πi j k ÷ n) ÷ n", sign="F⁻¹", title="IFFT", kinds="c",
        source="Cooley and Tukey 1965"))
rfft_ = Linear("rfft", lambda x, axes: _as(x, np.fft.rfftn(x, axes=axes)),
    lambda g, x_shape, axes: real(ifft_(_whole(g, x_shape), axes=axes)) * _count(x_shape, axes),
    notes=Notes(phrase="the first half of fft(x), x real", sign="F", title="RFFT", kinds="f",
        source="Cooley and Tukey 1965"))
irfft_ = Linear("irfft", lambda x, axes, length: _as(x, np.fft.irfftn(x, _lengths(x, axes, length), axes=axes)),
    lambda g, x_shape, axes, length: rfft_(g, axes=axes) * _twice(g, x_shape, axes, length),
    notes=Notes(phrase="the real x of which rfft is given", sign="F⁻¹", title="IRFFT", kinds="c",
        source="Cooley and Tukey 1965"))
# fmt: on


def _as(x: np.ndarray, found: np.ndarray) -> np.ndarray:
    """In the precision of the input."""
    narrow = x.dtype.itemsize <= (8 if x.dtype.kind == "c" else 4)
    kinds = (np.complex64, np.float32) if narrow else (np.complex128, np.float64)
    return found.astype(kinds[0] if found.dtype.kind == "c" else kinds[1], copy=False)


def _lengths(x: np.ndarray, axes: tuple[int, ...], length: int) -> list[int]:
    return [*[x.shape[axis] for axis in axes[:-1]], length]


def _count(shape: tuple[int, ...], axes: tuple[int, ...]) -> float:
    return float(np.prod([shape[axis] for axis in axes], dtype=int))


def _whole(g: Tensor, shape: tuple[int, ...]) -> Tensor:
    """The half of a spectrum with zeros in place of the other half."""
    missing = shape[-1] - g.tag.shape[-1]
    return pad_(g, paddings=(*[(0, 0)] * (len(shape) - 1), (0, missing)), value=0)


def _twice(g: Tensor, shape: tuple[int, ...], axes: tuple[int, ...], length: int) -> Tensor:
    """How often each number of a half spectrum counts in the whole one, over the count of all."""
    counts = np.full(shape[-1], 2.0)
    counts[0] = 1.0
    if length % 2 == 0:
        counts[-1] = 1.0
    kind = np.complex64 if g.tag.dtype.itemsize <= 4 else np.complex128
    return convert((counts / _count(g.tag.shape, axes)).astype(kind))


# ---- the public functions -------------------------------------------------------------------------------------------


def _complex(row: Linear, x: Any, axes: int) -> Tensor:
    return row(convert(x), axes=tuple(range(-axes, 0)))


def _forth(x: Any, lengths: Any, axes: int) -> Tensor:
    x = convert(x, hint=np.dtype(np.float32))
    return rfft_(x if lengths is None else _fitted(x, _shape(lengths)), axes=tuple(range(-axes, 0)))


def _back(x: Any, lengths: Any, axes: int) -> Tensor:
    x = convert(x, hint=np.dtype(np.complex64))
    there = x.tag.shape[-axes:]
    whole = (*there[:-1], max(0, 2 * (there[-1] - 1))) if lengths is None else _shape(lengths)
    half = (*whole[:-1], whole[-1] // 2 + 1)
    return irfft_(_fitted(x, half), axes=tuple(range(-axes, 0)), length=whole[-1])


def _fitted(x: Tensor, lengths: tuple[int, ...]) -> Tensor:
    """The last axes cut, or filled up with zeros, to these lengths."""
    there = x.tag.shape[-len(lengths) :]
    if there == lengths:
        return x
    key = tuple(("slice", 0, wanted, None) for wanted in lengths)
    missing = [(0, max(0, wanted - length)) for wanted, length in zip(lengths, there, strict=True)]
    return pad_(getitem_(x, key=("...", *key)), paddings=(*[(0, 0)] * (x.ndim - len(lengths)), *missing), value=0)


@named("signal.fft")
def fft(input: Any, name: str | None = None) -> Tensor:
    """The Fourier transform of complex numbers along the last axis.

    >>> tf.signal.fft([1 + 0j, 0, 0, 0]).numpy()
    array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j])
    """
    return _complex(fft_, input, 1)


@named("signal.ifft")
def ifft(input: Any, name: str | None = None) -> Tensor:
    """The inverse Fourier transform along the last axis.

    >>> tf.signal.ifft([4 + 0j, 0, 0, 0]).numpy()
    array([1.+0.j, 1.+0.j, 1.+0.j, 1.+0.j])
    """
    return _complex(ifft_, input, 1)


@named("signal.fft2d")
def fft2d(input: Any, name: str | None = None) -> Tensor:
    """The Fourier transform of complex numbers along the last two axes.

    >>> tf.signal.fft2d([[1 + 0j, 0], [0, 0]]).numpy()
    array([[1.+0.j, 1.+0.j],
           [1.+0.j, 1.+0.j]])
    """
    return _complex(fft_, input, 2)


@named("signal.ifft2d")
def ifft2d(input: Any, name: str | None = None) -> Tensor:
    """The inverse Fourier transform along the last two axes.

    >>> tf.signal.ifft2d([[4 + 0j, 0], [0, 0]]).numpy()
    array([[1.+0.j, 1.+0.j],
           [1.+0.j, 1.+0.j]])
    """
    return _complex(ifft_, input, 2)


@named("signal.rfft")
def rfft(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Tensor:
    """The first half of the Fourier transform of real numbers; `[length]` cuts the last axis or fills it up with zeros first.

    >>> tf.signal.rfft([1.0, 0.0, 0.0, 0.0]).numpy()
    array([1.+0.j, 1.+0.j, 1.+0.j], dtype=complex64)
    """
    return _forth(input_tensor, fft_length, 1)


@named("signal.irfft")
def irfft(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Tensor:
    """The real numbers of which `rfft` makes the input; `[length]` tells an odd length from an even one.

    >>> tf.signal.irfft(tf.signal.rfft([1.0, 2.0, 3.0]), [3]).numpy().round(4)
    array([1., 2., 3.], dtype=float32)
    """
    return _back(input_tensor, fft_length, 1)


@named("signal.rfft2d")
def rfft2d(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Tensor:
    """The Fourier transform of real numbers along the last two axes; along the last, its first half.

    >>> tf.signal.rfft2d([[1.0, 0.0], [0.0, 0.0]]).numpy()
    array([[1.+0.j, 1.+0.j],
           [1.+0.j, 1.+0.j]], dtype=complex64)
    """
    return _forth(input_tensor, fft_length, 2)


@named("signal.irfft2d")
def irfft2d(input_tensor: Any, fft_length: Any = None, name: str | None = None) -> Tensor:
    """The real numbers of which `rfft2d` makes the input.

    >>> tf.signal.irfft2d(tf.signal.rfft2d([[1.0, 2.0], [3.0, 4.0]])).numpy().round(4)
    array([[1., 2.],
           [3., 4.]], dtype=float32)
    """
    return _back(input_tensor, fft_length, 2)


def _middle(x: Any, axes: Any, way: int) -> Tensor:
    x = convert(x)
    chosen = tuple(range(x.ndim)) if axes is None else tuple(axis_within(axis, x.ndim) for axis in _shape(axes))
    shifts = tuple(x.tag.shape[axis] // 2 * way for axis in chosen)
    return roll(x, shifts, chosen)


@named("signal.fftshift")
def fftshift(x: Any, axes: Any = None, name: str | None = None) -> Tensor:
    """A spectrum with frequency 0 in the middle.

    >>> tf.signal.fftshift([0.0, 1.0, -1.0]).numpy()
    array([-1.,  0.,  1.], dtype=float32)
    """
    return _middle(x, axes, 1)


@named("signal.ifftshift")
def ifftshift(x: Any, axes: Any = None, name: str | None = None) -> Tensor:
    """A spectrum with frequency 0 in front again.

    >>> tf.signal.ifftshift([-1.0, 0.0, 1.0]).numpy()
    array([ 0.,  1., -1.], dtype=float32)
    """
    return _middle(x, axes, -1)
