"""How many elements a step gives, as far as this is known beforehand: -1 stands for infinite, -2 for unknown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .elements import INFINITE, UNKNOWN


def known(buffer_size: Any, count: int) -> int:
    """The size of a buffer; -2 asks for one that holds all elements."""
    size = int(buffer_size)
    return (count if count > 0 else 2**62) if size == UNKNOWN else size


def times(count: int, n: int) -> int:
    """All elements n times; infinitely many where n is negative."""
    if count == 0 or n == 0:
        return 0
    if n < 0:
        return INFINITE
    return count if count < 0 else count * n


def at_most(count: int, n: int) -> int:
    """The first n elements."""
    if n < 0:
        return count
    return n if count == INFINITE else count if count == UNKNOWN else min(n, count)


def without(count: int, n: int) -> int:
    """All but the first n elements; none where n is negative."""
    if n < 0:
        return 0
    return count if count < 0 else max(0, count - n)


def batches(count: int, size: int, drop_remainder: bool) -> int:
    """Batches of this size."""
    return count if count < 0 else count // size if drop_remainder else -(-count // size)


def windows(count: int, size: int, shift: int, stride: int, drop_remainder: bool) -> int:
    """Windows of this size, each beginning `shift` later."""
    if count < 0:
        return count
    if drop_remainder:
        count -= (size - 1) * stride
    return max(0, -(-count // shift))


def shortest(counts: Sequence[int]) -> int:
    """Datasets side by side, until one ends."""
    if UNKNOWN in counts:
        return UNKNOWN
    return min([count for count in counts if count != INFINITE], default=INFINITE)


def added(first: int, second: int) -> int:
    """One dataset after the other."""
    if INFINITE in (first, second):
        return INFINITE
    return UNKNOWN if UNKNOWN in (first, second) else first + second


def directed(counts: Sequence[int]) -> int:
    """Elements of one dataset or another by choice: unknown, unless one of them is infinite."""
    return INFINITE if INFINITE in counts else UNKNOWN
