"""How many elements come out of a step, as far as it is known before: -1 stands for no end, -2 for not known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .elements import INFINITE, UNKNOWN


def known(buffer_size: Any, count: int) -> int:
    """The size of a buffer; -2 asks for one that holds all."""
    size = int(buffer_size)
    return (count if count > 0 else 2**62) if size == UNKNOWN else size


def times(count: int, n: int) -> int:
    """All of it, n times; for ever where n is negative."""
    if count == 0 or n == 0:
        return 0
    if n < 0:
        return INFINITE
    return count if count < 0 else count * n


def at_most(count: int, n: int) -> int:
    """The first n."""
    if n < 0:
        return count
    return n if count == INFINITE else count if count == UNKNOWN else min(n, count)


def without(count: int, n: int) -> int:
    """All but the first n; nothing where n is negative."""
    if n < 0:
        return 0
    return count if count < 0 else max(0, count - n)


def batches(count: int, size: int, drop_remainder: bool) -> int:
    """So many at a time."""
    return count if count < 0 else count // size if drop_remainder else -(-count // size)


def windows(count: int, size: int, shift: int, stride: int, drop_remainder: bool) -> int:
    """Windows of so many, each beginning `shift` later."""
    if count < 0:
        return count
    if drop_remainder:
        count -= (size - 1) * stride
    return max(0, -(-count // shift))


def shortest(counts: Sequence[int]) -> int:
    """Side by side until one ends."""
    if UNKNOWN in counts:
        return UNKNOWN
    return min([count for count in counts if count != INFINITE], default=INFINITE)


def added(first: int, second: int) -> int:
    """One after the other."""
    if INFINITE in (first, second):
        return INFINITE
    return UNKNOWN if UNKNOWN in (first, second) else first + second


def directed(counts: Sequence[int]) -> int:
    """Each from the one that is chosen: nobody knows when that ends, unless one never does."""
    return INFINITE if INFINITE in counts else UNKNOWN
