"""Statistics composed of reductions: spread, counts, sums of several tensors."""

from __future__ import annotations

from typing import Any

from ..notes import named
from ..record.refusal import refusal
from ..tensor import Tensor, convert
from .elementwise import cast, conj, equal, not_equal, real, sqrt, square
from .joins import several
from .reductions import reduce_mean, reduce_sum


@named("math.reduce_variance")
def reduce_variance(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """The mean squared distance from the mean: a real number, of complex numbers too.

    >>> tf.math.reduce_variance([1.0, 3.0]).numpy(), tf.math.reduce_variance([1.0, 1j]).numpy()
    (np.float32(1.0), np.float64(0.5))
    """
    x = convert(input_tensor)
    if x.dtype.is_integer or x.dtype.is_bool:
        raise refusal(
            TypeError,
            f"Input must be either real or complex, got {x.dtype.name}: whole numbers have no fractions for a variance",
        )
    apart = x - reduce_mean(x, axis, keepdims=True)
    return reduce_mean(real(conj(apart) * apart) if x.dtype.is_complex else square(apart), axis, keepdims)


@named("math.reduce_std")
def reduce_std(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """The square root of the variance.

    >>> tf.math.reduce_std([1.0, 3.0]).numpy()
    np.float32(1.0)
    """
    return sqrt(reduce_variance(input_tensor, axis, keepdims))


@named("math.count_nonzero")
def count_nonzero(
    input: Any, axis: Any = None, keepdims: bool | None = None, dtype: Any = "int64", name: str | None = None
) -> Tensor:
    """How many numbers along the axes are not zero.

    >>> tf.math.count_nonzero([0, 1, 2]).numpy()
    np.int64(2)
    """
    x = convert(input)
    return reduce_sum(cast(not_equal(x, cast(0, x.dtype)), dtype), axis, bool(keepdims))


@named("math.zero_fraction nn.zero_fraction")
def zero_fraction(value: Any, name: str | None = None) -> Tensor:
    """The share of zeros.

    >>> tf.nn.zero_fraction([0.0, 2.0]).numpy()
    np.float32(0.5)
    """
    x = convert(value)
    return reduce_mean(cast(equal(x, cast(0, x.dtype)), "float32"))


@named("add_n math.accumulate_n math.add_n")
def add_n(inputs: Any, name: str | None = None) -> Tensor:
    """The sum of several tensors of one shape.

    >>> tf.add_n([1.0, 2.0, 3.0]).numpy()
    np.float32(6.0)
    """
    inputs = several(inputs)
    if not inputs:
        raise refusal(ValueError, "add_n needs at least one tensor, got an empty list", "Of nothing, 0.0 is the sum.")
    total, *rest = [convert(value) for value in inputs]
    for moment in rest:
        total = total + moment
    return total
