"""How far apart two values are, number by number: the same to the bit, apart by rounding alone, or really apart."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..capture.numbers import Snapshot, exactly

EPSILON = {"float16": 2.0**-10, "bfloat16": 2.0**-7, "float32": 2.0**-23, "float64": 2.0**-52}
EPSILON |= {"complex64": 2.0**-23, "complex128": 2.0**-52}
LEAST = {"float16": 2.0**-24, "bfloat16": 2.0**-133, "float32": 2.0**-149, "complex64": 2.0**-149}  # numbers above zero
TOLD = 1e-6  # arrays that come from JSON have so much of each number
FEW = 16  # units in the last place: what a step or two may round away

SAME, ROUNDING, APART, SHAPE, UNKNOWN = "same", "rounding", "apart", "shape", "unknown"


class Known(NamedTuple):
    """What is known of a value: its kind of number, and its numbers as far as they were kept."""

    dtype: str
    shape: tuple[int, ...]
    numbers: np.ndarray | None  # all of them; None where only a range or a text was kept
    exact: bool = True
    text: str = ""  # the text that is shown instead of numbers


class Distance(NamedTuple):
    """How two values differ."""

    verdict: str  # same | rounding | apart | shape | unknown
    most: float = 0.0  # the largest absolute difference
    share: float = 0.0  # the largest relative difference
    units: float = 0.0  # the largest difference in units in the last place of the coarser dtype
    differing: int = 0  # numbers that are not the same
    size: int = 1  # of how many
    nan: int = 0  # numbers that are NaN in only one of the two
    infinite: int = 0  # and of the others those that are infinite in only one, or with another sign
    at: tuple[int, ...] = ()  # where the largest difference is
    there: float = 0.0  # the relative difference there

    @property
    def odd(self) -> int:
        """How many numbers have no distance from the other's: NaN or infinite in only one of the two."""
        return self.nan + self.infinite


def known(dtype: str, shape: tuple[int, ...], snap: Snapshot | None) -> Known:
    """What a snapshot of a value has kept of it.

    >>> known("float32", (), Snapshot("2.5", None, 2.5)).numbers
    array(2.5)
    """
    if snap is None:
        return Known(dtype, shape, None, False)
    numbers = exactly(snap)
    if numbers is not None:
        return Known(dtype, shape, numbers.reshape(shape), snap.value is not None or snap.whole is not None)
    if snap.data is not None and "low" in snap.data:
        return Known(dtype, shape, None, False, f"{snap.data['low']} … {snap.data['high']}")
    return Known(dtype, shape, None, not shape, snap.text)


def coarser(one: str, other: str) -> float:
    """The distance from 1 to the next number of the coarser of two dtypes; 0 where neither rounds."""
    return max(EPSILON.get(one, 0.0), EPSILON.get(other, 0.0))


def distance(one: Known, other: Known, *, computed: bool = True, calm: float | None = None) -> Distance:
    """How far apart two values are.

    `computed`: an op made them, so both may be rounded, and a little more than once.  A constant is rounded once, where the
    two dtypes differ, and never otherwise.  `calm` is the largest number that went into the op, where nothing has differed so
    far but by rounding: then the two ops had the same work, and half of the digits may go before it is called a difference.

    >>> third = known("float64", (), Snapshot("", None, 1 / 3))
    >>> rounded = known("float32", (), Snapshot("", None, float(np.float32(1 / 3))))
    >>> distance(third, rounded).verdict, distance(third, rounded).units < 1
    ('rounding', True)
    """
    if one.shape != other.shape:
        return Distance(SHAPE)
    a, b = one.numbers, other.numbers
    if a is None or b is None:
        same = one.text == other.text and bool(one.text)
        settled = one.exact and other.exact
        return Distance(
            SAME if same and settled else APART if settled or (one.text and other.text and not same) else UNKNOWN
        )
    if one.dtype == other.dtype and one.exact and other.exact and a.dtype == b.dtype and a.tobytes() == b.tobytes():
        return Distance(SAME, size=a.size)
    return _measured(one, other, computed, calm)


def _measured(one: Known, other: Known, computed: bool, calm: float | None) -> Distance:
    assert one.numbers is not None and other.numbers is not None
    a, b = one.numbers.astype("f8"), other.numbers.astype("f8")
    size, epsilon = a.size, coarser(one.dtype, other.dtype)
    finite = np.isfinite(a) & np.isfinite(b)
    alike = (a == b) | (np.isnan(a) & np.isnan(b))
    nan = int((np.isnan(a) ^ np.isnan(b)).sum())
    infinite = int((~finite & ~alike).sum()) - nan
    with np.errstate(all="ignore"):
        gaps = np.where(finite, np.abs(a - b), 0.0)
        larger = np.where(finite, np.maximum(np.abs(a), np.abs(b)), 0.0)
        shares = np.where(larger > 0, gaps / np.where(larger > 0, larger, 1.0), 0.0)
    most, scale = float(gaps.max(initial=0.0)), float(larger.max(initial=0.0))
    units = shares / epsilon if epsilon else shares * 0.0
    worst = np.unravel_index(int(np.argmax(np.where(~finite & ~alike, np.inf, gaps))), a.shape) if size else ()
    count = int((~alike).sum())
    if not count:
        verdict = SAME if one.exact and other.exact else UNKNOWN
    elif nan or infinite or not epsilon:
        verdict = APART
    else:
        verdict = ROUNDING if _rounded(one, other, gaps, larger, epsilon, computed, calm, scale) else APART
    return Distance(
        verdict, most, float(np.max(shares, initial=0.0)), float(np.max(units, initial=0.0)), count, size, nan, infinite,
        tuple([int(place) for place in worst]), float(shares[worst]) if size else 0.0,
    )  # fmt: skip


def _rounded(
    one: Known, other: Known, gaps: np.ndarray, larger: np.ndarray, epsilon: float, computed: bool, calm: float | None,
    scale: float,
) -> bool:  # fmt: skip
    grain = 0.0 if one.exact and other.exact else TOLD
    if not computed:
        once = epsilon if one.dtype != other.dtype else 0.0
        least = max(LEAST.get(one.dtype, 0.0), LEAST.get(other.dtype, 0.0)) if once else 0.0
        return bool((gaps <= once * larger + least + grain).all())
    most = FEW * epsilon * scale if calm is None else math.sqrt(epsilon) * max(scale, calm)
    return bool((gaps <= most + grain).all())
