"""Whether a rerun can do what the first run did: variables that changed, numbers drawn by chance, assignments made twice.

Ops, shapes and numbers are compared as they come (`inside.py`); this is what is known before a rerun, or after it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..record.log import Assigned
from .errors import (
    NonDeterministicRecomputeWarning,
    RecomputeMismatchError,
    RecomputeSideEffectWarning,
    VariableChangedWarning,
    warn,
)


def changed_variables(name: str, level: str, changed: Iterable[Any]) -> None:
    """Variables that got a new value since the region ran; raises RecomputeMismatchError where values are compared."""
    for variable in changed:
        if level == "values":
            advice = "Ask for gradients before you assign."
            raise RecomputeMismatchError(
                name, 0, f"read {variable.name} as it was then", "it has a new value now", advice
            )
        if level == "metadata":
            warn(
                f"variable {variable.name} has changed since region {name!r} ran: it runs again with the new value, "
                "and the gradient is taken there. Ask for gradients before you assign.",
                VariableChangedWarning,
            )


def other_numbers(name: str, level: str, sources: list[str]) -> None:
    """The region drew from these, and they are not put back; where values are compared the draw itself will be refused."""
    if sources and level == "metadata":
        warn(
            f"region {name!r} draws from {', '.join(sources)} and runs again with other numbers: the gradient is that of "
            "another computation. Leave preserve_rng=True, or draw outside and pass the numbers in.",
            NonDeterministicRecomputeWarning,
        )


def side_effects(name: str, level: str, number: int, assigned: list[Assigned]) -> None:
    """Assignments to variables from outside, made by a rerun."""
    for one in {one.tag: one for one in assigned}.values() if level != "off" else ():
        warn(
            f"region {name!r} assigns to {one.tag.name or 'a variable'} at {one.site}: it did so when it ran, and {number} "
            "time(s) again for gradients. Ask tf.is_recomputing() to do it once.",
            RecomputeSideEffectWarning,
        )
