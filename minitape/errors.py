"""The exceptions of TensorFlow's names that the library raises, with messages that teach."""

from __future__ import annotations


class OpError(Exception):
    """Something an op refused: says which op, with which shapes, on which of the learner's lines."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


class InvalidArgumentError(OpError):
    """The arguments of an op do not fit together: dtypes, shapes or values."""


class FailedPreconditionError(OpError):
    """Something was used in a state in which it cannot be."""


class OutOfRangeError(OpError):
    """An index or an iteration went past the end."""


class UnimplementedError(OpError):
    """The op exists, but not for these arguments."""


class NotFoundError(OpError):
    """Something that was asked for by name is not there."""
