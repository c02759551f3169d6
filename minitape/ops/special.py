"""Rows of the rarer functions: those of gamma and of the error function, and products and quotients that are defined at 0.

Gamma's logarithm and the normal distribution's quantile come from Python's standard library, digit for digit.  digamma and its
derivatives are summed here: a recurrence leads to large arguments, where a short series is exact to rounding (Abramowitz and
Stegun 1964, 6.3.18, 6.4.11 and, for the sum that both stand for, 23.2.9).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..kinds import Elementwise
from ..notes import Notes, named
from ..tensor import Tensor, convert
from .elementwise import _special, equal, exp, log, log1p, reciprocal, select, sign_, where
from .reductions import reduce_sum

# fmt: off
erfc = Elementwise("erfc", lambda x: _special(math.erfc, x),
    lambda dx, x: dx * (-2.0 / math.sqrt(math.pi) * exp(-x * x)),
    notes=Notes(tf="math.erfc", kinds="f"))
erfinv = Elementwise("erfinv", lambda x: _special(_erfinv, x),
    lambda dx, out: dx * (math.sqrt(math.pi) / 2.0 * exp(out * out)),
    notes=Notes(phrase="the y with erf(y) = x", sign="erf⁻¹", tf="math.erfinv", domain=(-0.8, 0.8), kinds="f",
        quiet=True))
ndtri = Elementwise("ndtri", lambda x: _special(_quantile, x),
    lambda dx, out: dx * (math.sqrt(2.0 * math.pi) * exp(0.5 * (out * out))),
    notes=Notes(phrase="the y below which the normal distribution has x", sign="Φ⁻¹", tf="math.ndtri",
        domain=(0.1, 0.9), kinds="f", quiet=True))
lgamma = Elementwise("lgamma", lambda x: _special(_log_gamma, x), lambda dx, x: dx * digamma(x),
    notes=Notes(phrase="log |Γ(x)|", sign="log Γ", tf="math.lgamma", domain="positive", kinds="f", quiet=True,
        source="Abramowitz and Stegun 1964, 6.3.1"))
digamma = Elementwise("digamma", lambda x: _digamma(x), lambda dx, x: dx * polygamma(1.0, x),
    notes=Notes(doc="the derivative of log Γ(x)", sign="ψ", tf="math.digamma", domain="positive", kinds="f",
        quiet=True, source="Abramowitz and Stegun 1964, 6.4.1"))
polygamma = Elementwise("polygamma", lambda a, x: _polygamma(a, x), None, lambda dx, a, x: dx * polygamma(a + 1.0, x),
    arguments=("a", "x"),
    notes=Notes(doc="the derivative number a of digamma(x)", sign="ψ⁽ᵃ⁾", tf="math.polygamma", domain="positive",
        kinds="f", quiet=True, source="Abramowitz and Stegun 1964, 6.4.1"))
bessel_i0 = Elementwise("bessel_i0", lambda x: _bessel(0, x), lambda dx, x: dx * bessel_i1(x),
    notes=Notes(doc="the modified Bessel function of order 0", sign="I₀", tf="math.bessel_i0", kinds="f",
        quiet=True, source="Abramowitz and Stegun 1964, 9.6.27"))
bessel_i1 = Elementwise("bessel_i1", lambda x: _bessel(1, x),
    lambda dx, x, out: dx * (bessel_i0(x)
        - select(equal(x, 0.0), 0.5 + x * x / 16.0, out / select(equal(x, 0.0), 1.0 + x, x))),
    notes=Notes(doc="the modified Bessel function of order 1", sign="I₁", tf="math.bessel_i1", kinds="f",
        quiet=True, source="Abramowitz and Stegun 1964, 9.6.26"))
bessel_i0e = Elementwise("bessel_i0e", lambda x: _bessel(0, x, scaled=True),
    lambda dx, x, out: dx * (bessel_i1e(x) - sign_(x) * out),
    notes=Notes(doc="exp(−|x|) times the modified Bessel function of order 0", sign="I₀ₑ", tf="math.bessel_i0e",
        domain="nonzero", kinds="f", quiet=True))
bessel_i1e = Elementwise("bessel_i1e", lambda x: _bessel(1, x, scaled=True),
    lambda dx, x, out: dx * (bessel_i0e(x) - sign_(x) * out
        - select(equal(x, 0.0), 0.5 + x * 0.0, out / select(equal(x, 0.0), 1.0 + x, x))),
    notes=Notes(doc="exp(−|x|) times the modified Bessel function of order 1", sign="I₁ₑ", tf="math.bessel_i1e",
        domain="nonzero", kinds="f", quiet=True))
multiply_no_nan = Elementwise("multiply_no_nan", lambda x, y: np.where(y == 0, x.dtype.type(0), x * y),
    lambda dx, y: multiply_no_nan(dx, y), lambda dy, x: multiply_no_nan(x, dy),
    notes=Notes("x × y if y ≠ 0 else 0", sign="×", tf="math.multiply_no_nan", title="MulNoNan", domain="nonzero",
        kinds="fc", quiet=True))
xlogy = Elementwise("xlogy", lambda x, y: _zero_where(x, x * np.log(y)),
    lambda dx, x, y: dx * select(equal(x, 0.0), x * 0.0, log(where(equal(x, 0.0), 1.0, y))),
    lambda dy, x, y: dy * xdivy(x, y),
    notes=Notes("x × log(y) if x ≠ 0 else 0", sign="x log y", tf="math.xlogy", domain="positive",
        kinds="f", quiet=True))
xdivy = Elementwise("xdivy", lambda x, y: _zero_where(x, x / y),
    lambda dx, x, y: dx * select(equal(x, 0.0), x * 0.0, reciprocal(where(equal(x, 0.0), 1.0, y))),
    lambda dy, x, y: dy * xdivy(xdivy(-x, y), y),
    notes=Notes("x ÷ y if x ≠ 0 else 0", sign="x ÷ y", tf="math.xdivy", domain="positive", kinds="f",
        quiet=True))
xlog1py = Elementwise("xlog1py", lambda x, y: _zero_where(x, x * np.log1p(y)),
    lambda dx, x, y: dx * select(equal(x, 0.0), x * 0.0, log1p(where(equal(x, 0.0), 0.0, y))),
    lambda dy, x, y: dy * xdivy(x, 1.0 + y),
    notes=Notes("x × log(1 + y) if x ≠ 0 else 0", sign="x log(1+y)", tf="math.xlog1py", title="Xlog1py",
        domain="positive", kinds="f", quiet=True))
# fmt: on


def _zero_where(x: np.ndarray, found: np.ndarray) -> np.ndarray:
    return np.where(x == 0, x.dtype.type(0), found)


def _bessel(order: int, x: np.ndarray, scaled: bool = False) -> np.ndarray:
    """I of order 0 or 1: the sum of its powers near 0 (Abramowitz and Stegun 1964, 9.6.10), 9.7.1 far away."""
    far = np.abs(x.astype(np.float64))
    near = np.minimum(far, _BESSEL)
    term = total = (0.5 * near) ** order
    for k in range(1, 4 * _BESSEL):
        term = term * np.square(0.5 * near) / (k * (k + order))
        total = total + term
    beyond = np.maximum(far, _BESSEL)
    term = tail = np.ones_like(beyond)
    for k in range(1, 20):
        term = term * ((2 * k - 1) ** 2 - 4 * order) / (8 * k * beyond)
        tail = tail + term
    found = np.where(far < _BESSEL, total * np.exp(-near), tail / np.sqrt(2 * np.pi * beyond))
    found = np.where(np.isnan(far), np.nan, found if scaled else found * np.exp(far))
    return (found * np.sign(x) if order else found).astype(x.dtype)


_BESSEL = 30  # from here on the terms of 9.7.1 fall below rounding before they grow


def _log_gamma(x: float) -> float:
    if x <= 0.0 and x % 1.0 == 0.0 or x > 2.5e305:  # at its poles, and where it is larger than any float
        return math.inf
    return math.lgamma(x)


def _quantile(share: float) -> float:
    if share in (0.0, 1.0):
        return math.inf if share else -math.inf
    from statistics import NormalDist  # slow to load, and hardly ever needed

    return NormalDist().inv_cdf(share) if 0.0 < share < 1.0 else math.nan


def _erfinv(x: float) -> float:
    if not -1.0 < x < 1.0:
        return math.copysign(math.inf, x) if abs(x) == 1.0 else math.nan
    y = _quantile((x + 1.0) / 2.0) / math.sqrt(2.0)
    for _ in range(2):  # near 0 the share is rounded: Newton's steps bring the lost digits back
        y -= (math.erf(y) - x) * math.sqrt(math.pi) / 2.0 * math.exp(y * y)
    return y


# Bernoulli's numbers B₂, B₄ ... over (2k)!, as the Euler-Maclaurin sum has them.
_BERNOULLI = [1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798, -174611 / 330]
_STEPS = 10_000  # that are added one by one
_LARGE = 12.0  # from here on ten terms of the series are exact to rounding


def _digamma(x: np.ndarray) -> np.ndarray:
    z = x.astype(np.float64)
    turned = z < 0.5
    far = np.where(turned, 1.0 - z, z)
    total = np.zeros_like(far)
    while (near := far < _LARGE).any():
        total[near] -= 1.0 / far[near]
        far = np.where(near, far + 1.0, far)
    total += np.log(far) - 0.5 / far
    for k, number in enumerate(_BERNOULLI, 1):
        total -= number / (2 * k) * far ** (-2.0 * k)
    mirrored = total - np.pi / np.tan(np.pi * z)
    return np.where(turned, np.where(z == np.floor(z), np.nan, mirrored), total).astype(x.dtype)


def _polygamma(a: np.ndarray, x: np.ndarray) -> np.ndarray:
    order, z = (array.astype(np.float64) for array in np.broadcast_arrays(a, x))
    answer = np.full(z.shape, np.nan)
    for value in np.unique(order):
        here = order == value
        if value == 0:
            answer[here] = _digamma(z[here])
        elif value > 0 and value == np.floor(value):
            answer[here] = (-1.0) ** (value + 1) * math.factorial(int(value)) * _zeta(value + 1.0, z[here])
    pole = (z <= 0.0) & (z == np.floor(z)) & (order % 2 == 0)  # the sign changes at these
    return np.asarray(np.where(pole, np.nan, answer), x.dtype)


def _zeta(power: float, start: np.ndarray) -> np.ndarray:
    """Σ 1 / (start + k)**power over k = 0, 1, 2 ...: Hurwitz' zeta function, for a power above 1.

    From far left of zero, where the terms up to it are too many to add one by one, it is nan.
    """
    total, far = np.zeros_like(start), np.where(start < -_STEPS, np.nan, start)
    while (near := far < _LARGE + power).any():
        total[near] += far[near] ** -power
        far = np.where(near, far + 1.0, far)
    total += far ** (1.0 - power) / (power - 1.0) + 0.5 * far**-power
    factor, tail = power, far ** (-power - 1.0)
    for k, number in enumerate(_BERNOULLI, 1):
        total += number / math.factorial(2 * k) * factor * tail
        factor *= (power + 2 * k - 1) * (power + 2 * k)
        tail = tail / far**2
    return total


@named("math.lbeta")
def lbeta(x: Any, name: str | None = None) -> Tensor:
    """The logarithm of the beta function along the last axis: Σ log Γ(x) − log Γ(Σ x).

    >>> tf.math.lbeta([1.0, 2.0]).numpy().round(4)
    np.float32(-0.6931)
    """
    x = convert(x)
    return reduce_sum(lgamma(x), -1) - lgamma(reduce_sum(x, -1))
