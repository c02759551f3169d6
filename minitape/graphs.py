"""What TensorFlow's graphs need and eager programs still write: here lines run in order, so most of it does nothing."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

from .record.refusal import invalid_argument
from .tensor import to_array

if TYPE_CHECKING:
    from logging import Logger


def control_dependencies(control_inputs: Any) -> contextlib.AbstractContextManager[None]:
    """A block without effect: its lines run after those before it anyway.

    >>> with tf.control_dependencies([]):
    ...     print("now")
    now
    """
    return contextlib.nullcontext()


def no_op(name: str | None = None) -> None:
    """Does nothing.

    >>> tf.no_op()
    """


def Assert(condition: Any, data: Any, summarize: int | None = None, name: str | None = None) -> None:
    """Raises InvalidArgumentError with the data, unless the condition holds everywhere.

    >>> tf.Assert(2 > 1, ["never said"])
    """
    if not to_array(condition).all():
        summary = " ".join(str(to_array(item).tolist() if not isinstance(item, str) else item) for item in data)
        raise invalid_argument(
            f"Expected 'tf.Tensor(False, shape=(), dtype=bool)' to be true. Summarized data: {summary}",
            "The condition does not hold.",
        )


def get_logger() -> Logger:
    """The logger that programs silence with `tf.get_logger().setLevel("ERROR")`; nothing here writes to it.

    >>> tf.get_logger().name
    'tensorflow'
    """
    import logging  # slow to load

    return logging.getLogger("tensorflow")
