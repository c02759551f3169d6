"""Statistics composed of reductions: spread, counts, sums of several tensors."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Any

import numpy as np

from ..kinds import Linear
from ..notes import Notes, named, written
from ..record.refusal import invalid_argument, type_error, value_error
from ..tensor import Tensor, convert
from .elementwise import cast, conj, equal, not_equal, real, sqrt, square
from .joins import several
from .reductions import reduce_mean, reduce_sum


@written(phrase="g")
def _to_each(g: Any, shapes: Sequence[tuple[int, ...]]) -> list[Any]:
    return [g] * len(shapes)


# fmt: off
add_n_ = Linear("add_n", lambda *values: reduce(np.add, values), lambda g, shapes: _to_each(g, shapes),
    arguments=("*values",),
    notes=Notes(sign="+", phrase="the sum of values", kinds="iufc"))
# fmt: on


@named("math.reduce_variance")
def reduce_variance(input_tensor: Any, axis: Any = None, keepdims: bool = False, name: str | None = None) -> Tensor:
    """The mean squared distance from the mean: a real number, of complex numbers too.

    >>> tf.math.reduce_variance([1.0, 3.0]).numpy(), tf.math.reduce_variance([1.0, 1j]).numpy()
    (np.float32(1.0), np.float64(0.5))
    """
    x = convert(input_tensor)
    if x.dtype.is_integer or x.dtype.is_bool:
        raise type_error(
            f"Input must be either real or complex, got {x.dtype.name}: whole numbers have no fractions for a variance"
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
        raise value_error("add_n needs at least one tensor, got an empty list", "Of nothing, 0.0 is the sum.")
    first, *rest = values = [convert(value) for value in inputs]
    for place, value in enumerate(rest, 1):
        if value.shape != first.shape:
            raise invalid_argument(
                "Inputs to operation AddN must have the same size and shape. "
                f"Input 0: {first.shape} != input {place}: {value.shape}",
                "With + an axis of 1, or a missing one, is repeated.",
            )
    return add_n_(*values) if rest else first
