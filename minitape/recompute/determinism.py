"""Whether a rerun can do what the first run did: variables that changed, numbers drawn by chance, assignments made twice.

`inside.py` compares ops, shapes and numbers while a rerun goes on; the checks here come before it or after it.  A checksum of
the results says whether a rerun made the numbers of the first run: it notices any generator, counter, array or list that
changed meanwhile.
"""

from __future__ import annotations

import weakref
import zlib
from collections.abc import Mapping, Sequence
from typing import Any

from ..tensor import Tag, Tensor
from ..why.log import Assigned
from .errors import (
    NonDeterministicRecomputeWarning,
    RecomputeMismatchError,
    RecomputeSideEffectWarning,
    VariableChangedWarning,
    warn,
)


class Readings:
    """The variables that a run read, and the values that they had."""

    __slots__ = ("_assigned", "by_tag")

    def __init__(self, read: Mapping[Tag, tuple[Any, weakref.ref[Any]]]) -> None:
        self.by_tag = read
        # A variable that the run itself assigned has another value already: that is no change by others.
        self._assigned = [variable for variable, then in read.values() if then() is not variable.array_now]

    def changed(self) -> list[Any]:
        """The variables that somebody else has assigned since."""
        found = [variable for variable, then in self.by_tag.values() if then() is not variable.array_now]
        return [variable for variable in found if not any([variable is other for other in self._assigned])]


def changed_variables(name: str, level: str, readings: Readings, rebuilds: bool = False) -> bool:
    """Whether variables have changed since a region or a layer ran; warns of them.

    `rebuilds` says that the layer rebuilds its inputs, which then depend on the new values.  Raises RecomputeMismatchError where
    values are compared.
    """
    changed = readings.changed()
    what = "rebuilds its inputs" if rebuilds else "runs again"
    so = "they and the gradient are those of another program" if rebuilds else "the gradient is taken there"
    for variable in changed:
        if level == "values":
            advice = "Ask for gradients before you assign."
            raise RecomputeMismatchError(
                name, 0, f"read {variable.name} as it was then", "it has a new value now", advice
            )
        if level == "metadata":
            warn(
                f"variable {variable.name} has changed since region {name!r} ran: it {what} with the new value, "
                f"and {so}. Ask for gradients before you assign.",
                VariableChangedWarning,
            )
    return bool(changed)


def other_numbers(name: str, level: str, sources: list[str]) -> None:
    """Warn of generators that a region draws from and that are not put back.  (Where values are compared the draw is refused.)"""
    if sources and level == "metadata":
        warn(
            f"region {name!r} draws from {', '.join(sources)} and runs again with other numbers: the gradient is that of "
            "another computation. Leave preserve_rng=True, or draw outside and pass the numbers in.",
            NonDeterministicRecomputeWarning,
        )


def side_effects(name: str, level: str, number: int, assigned: list[Assigned]) -> None:
    """Warn of assignments to variables from outside that a rerun made."""
    for assignment in {assignment.tag: assignment for assignment in assigned}.values() if level != "off" else ():
        warn(
            f"region {name!r} assigns to {assignment.tag.name or 'a variable'} at {assignment.site}: it did so when it ran, and "
            f"{number} time(s) again for gradients. Ask tf.is_recomputing() to do it once.",
            RecomputeSideEffectWarning,
        )


def checksums(level: str, results: Sequence[Tensor]) -> tuple[int, ...] | None:
    """A checksum of each result; none where all numbers are compared anyway, or where nothing is."""
    if level != "metadata":
        return None
    return tuple([zlib.adler32(result.array.tobytes()) for result in results if result.tag.dtype.kind != "O"])


def same_numbers(name: str, first: tuple[int, ...] | None, results: Sequence[Tensor]) -> None:
    """Warn where a rerun ended with other numbers than the first run."""
    if first is not None and first != checksums("metadata", results):
        warn(
            f"region {name!r} made other numbers when it was run again: something that it uses has changed meanwhile, such as "
            "a generator (np.random.default_rng()), a counter, an array or a list. The gradient is that of another "
            "computation. Draw with tf.random, and pass in as an argument what may change.",
            NonDeterministicRecomputeWarning,
        )
