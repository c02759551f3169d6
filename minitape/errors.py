# ruff: noqa: E701
"""The exceptions of TensorFlow's names that the library raises, with messages that teach."""

from __future__ import annotations


class OpError(Exception):
    """An op refused its operands: the message names the op, the shapes and the learner's line."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


# Tables, a class on a line.
# fmt: off
class InvalidArgumentError(OpError): """The arguments of an op do not fit together: dtypes, shapes or values."""
class FailedPreconditionError(OpError): """An object was used in a state that does not allow it."""
class OutOfRangeError(OpError): """An index or an iteration went past the end."""
class UnimplementedError(OpError): """The op exists, but not for these arguments."""
class NotFoundError(OpError): """Something that was asked for by name is not there."""
class AbortedError(OpError): """An operation was aborted."""
class AlreadyExistsError(OpError): """What was to be created exists already."""
class CancelledError(OpError): """An operation was cancelled."""
class DataLossError(OpError): """Data is damaged."""
class DeadlineExceededError(OpError): """Something took too long."""
class InternalError(OpError): """An invariant is broken."""
class PermissionDeniedError(OpError): """Permission is missing."""
class ResourceExhaustedError(OpError): """A resource, such as memory, is exhausted."""
class UnauthenticatedError(OpError): """Credentials are missing."""
class UnavailableError(OpError): """A service is not available at present."""
class UnknownError(OpError): """The cause is unknown."""


class MinitapeWarning(UserWarning):
    """A number is wrong, or will be, without an error.  `minitape.strict()` makes errors of these, `strict(False)` is silent."""
class LeftTheTape(MinitapeWarning):
    """A value left the tape for Python or NumPy and came back as a plain number: the gradient misses that use of it."""
class SummedTarget(MinitapeWarning):
    """The target has several elements that share a source, so the gradient is the sum over them."""
class ClippedToZero(MinitapeWarning):
    """The gradient is zero because a value was clipped on the way."""
class Elsewhere(MinitapeWarning):
    """A recorder is used across threads or tasks, and listens where nobody expects it to."""
class SpreadOut(MinitapeWarning):
    """A column and a row of the same length broadcast to a matrix, where one number each was probably meant."""
class MaskDropped(MinitapeWarning):
    """A masked array became a tensor, which has no masks: the numbers under the mask count."""
class TakenAsSeed(MinitapeWarning):
    """A variable stands where the seed of a gradient goes, so the gradient is multiplied by it."""
class NoSlope(MinitapeWarning):
    """Whole numbers were watched: they have no slope."""
class CountedAnew(MinitapeWarning):
    """The ledger's sums differed from those of the values that are alive, and were added up anew."""
class TapesPileUp(MinitapeWarning):
    """Many persistent tapes are alive, and each holds what it recorded."""
# fmt: on


__all__ = [
    "AbortedError", "AlreadyExistsError", "CancelledError", "ClippedToZero", "CountedAnew", "DataLossError",
    "DeadlineExceededError", "Elsewhere", "FailedPreconditionError", "InternalError", "InvalidArgumentError",
    "LeftTheTape", "MaskDropped", "MinitapeWarning", "NoSlope", "NotFoundError", "OpError", "OutOfRangeError",
    "PermissionDeniedError", "ResourceExhaustedError", "SpreadOut", "SummedTarget", "TakenAsSeed", "TapesPileUp",
    "UnauthenticatedError", "UnavailableError", "UnimplementedError", "UnknownError",
]  # fmt: skip
