"""What can go wrong between a run and its rerun."""

from __future__ import annotations

from typing import Any

from ..errors import MinitapeWarning
from ..record import warning
from ..record.provenance import hide_library

_SAME_EACH_TIME = (
    "A region's function must do the same each time: take no decision from counters, clocks or fresh random numbers."
)


class RecomputeMismatchError(RuntimeError):
    """A rerun did something else than the first run: its gradient would be that of another computation."""

    def __init__(self, region: str, index: int, expected: Any, got: Any, advice: str = _SAME_EACH_TIME) -> None:
        self.region, self.index, self.expected, self.got = region, index, expected, got
        shown = f"{got if got is not None else 'had ended'}"
        if str(expected) == shown:
            shown += ", and makes other numbers"
        super().__init__(
            f"region {region!r} did something else when it was run again; the first difference is at op {index + 1}:\n"
            f"  first run:  {expected if expected is not None else 'had ended'}\n"
            f"  run again:  {shown}\n"
            f"  {advice}"
        )
        hide_library()


class VariableChangedWarning(MinitapeWarning):
    """A variable got a new value between a region's run and its rerun: the gradient is taken at the new value."""


class NonDeterministicRecomputeWarning(MinitapeWarning):
    """A region draws random numbers, and draws different ones when it runs again."""


class RecomputeSideEffectWarning(MinitapeWarning):
    """A region assigns to a variable, and did so again when it was run again."""


class CaptureWarning(MinitapeWarning):
    """In TensorFlow a tensor from outside, or one passed by keyword, gets no gradient from a region."""


class DriftWarning(MinitapeWarning):
    """A rebuilt value is further from the true one than allowed."""


def warn(message: str, category: type[Warning]) -> None:
    """Warn on the learner's line, wherever in the library the reason was found."""
    warning.warn(category, message)


__all__ = [
    "CaptureWarning", "DriftWarning", "NonDeterministicRecomputeWarning", "RecomputeMismatchError",
    "RecomputeSideEffectWarning", "VariableChangedWarning", "warn",
]  # fmt: skip
