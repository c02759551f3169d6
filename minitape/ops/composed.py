"""Functions number by number that are composed of rows of the table."""

from __future__ import annotations

import math
from typing import Any

from ..notes import named
from ..record.refusal import type_error, value_error
from ..tensor import Operand, Tensor, convert
from .creation import zeros_like
from .elementwise import atan2, complex_, divide_no_nan, erf, imag, real, sigmoid, tanh, where


@named("math.angle")
def angle(input: Any, name: str | None = None) -> Tensor:
    """The angle of a complex number, in radians; of a negative real number pi.

    >>> tf.math.angle([1j]).numpy()
    array([1.57079633])
    """
    z = convert(input)
    return atan2(imag(z), real(z)) if z.dtype.is_complex else where(z < 0.0, math.pi, zeros_like(z))


@named("math.imag")
def imaginary(input: Any, name: str | None = None) -> Tensor:
    """The imaginary part; of real numbers zeros, which no gradient comes through.

    >>> tf.math.imag([1j]).numpy(), tf.math.imag([2.0]).numpy()
    (array([1.]), array([0.], dtype=float32))
    """
    z = convert(input)
    return imag(z) if z.dtype.is_complex else zeros_like(z)


@named("scalar_mul math.scalar_mul")
def scalar_mul(scalar: Any, x: Any, name: str | None = None) -> Tensor:
    """The tensor times one number; raises ValueError for more than one.

    >>> tf.scalar_mul(2.0, [1.0, 2.0]).numpy()
    array([2., 4.], dtype=float32)
    """
    x = convert(x)
    scalar = convert(scalar, hint=x.tag.dtype)
    if scalar.ndim:
        raise value_error(f"The input scalar must be a 0-D value. Received shape {scalar.shape}.", "x * y takes any.")
    return scalar * x


@named("math.reciprocal_no_nan")
def reciprocal_no_nan(x: Any, name: str | None = None) -> Tensor:
    """1 ÷ x, and 0 where x is 0.

    >>> tf.math.reciprocal_no_nan([2.0, 0.0]).numpy()
    array([0.5, 0. ], dtype=float32)
    """
    return divide_no_nan(1.0, convert(x))


@named("math.polyval")
def polyval(coeffs: Any, x: Any, name: str | None = None) -> Tensor:
    """A polynomial, the highest coefficient first (Horner 1819).

    >>> tf.math.polyval([1.0, 0.0, 3.0], 2.0).numpy()
    np.float32(7.0)
    """
    if not isinstance(coeffs, list | tuple):
        raise value_error(
            f"Argument coeffs must be list type. Received type {type(coeffs)}.", "One number per power: [1.0, 0.0]."
        )
    x = convert(x)
    if not coeffs:
        return x * 0.0
    total = convert(coeffs[0], hint=x.tag.dtype)
    for coeff in coeffs[1:]:
        total = total * x + coeff
    return total


@named("nn.gelu")
def gelu(features: Any, approximate: bool = False, name: str | None = None) -> Tensor:
    """The Gaussian error linear unit (Hendrycks and Gimpel 2016).

    >>> tf.nn.gelu([0.0, 1.0]).numpy()
    array([0.       , 0.8413447], dtype=float32)
    """
    x = convert(features)
    if approximate:
        return 0.5 * x * (1.0 + tanh(math.sqrt(2.0 / math.pi) * (x + 0.044715 * (x * x * x))))
    return 0.5 * x * (1.0 + erf(x / math.sqrt(2.0)))


@named("nn.silu nn.swish")
def silu(features: Any, beta: Any = 1.0, name: str | None = None) -> Tensor:
    """`x * sigmoid(beta * x)`, also called swish (Ramachandran, Zoph and Le 2017).

    >>> tf.nn.silu([0.0, 1.0]).numpy()
    array([0.       , 0.7310586], dtype=float32)
    """
    x = convert(features)
    return x * sigmoid(x if not isinstance(beta, Operand) and beta == 1.0 else beta * x)


@named("complex math.complex")
def complex(real: Any, imag: Any, name: str | None = None) -> Tensor:
    """A complex number from its parts; raises TypeError unless both are float32 or both float64.

    >>> tf.complex([1.0], [2.0]).numpy()
    array([1.+2.j], dtype=complex64)
    """
    real = convert(real)
    imag = convert(imag, hint=real.tag.dtype)
    if (real.dtype.name, imag.dtype.name) not in (("float32", "float32"), ("float64", "float64")):
        raise type_error(
            f"The `real` and `imag` components have incompatible types: {real.dtype.name} {imag.dtype.name}.",
            f"Convert one side: tf.cast(imag, tf.{real.dtype.name}).",
        )
    return complex_(real, imag)
