"""Name scopes and devices: recorded with every op, and without further effect."""

from __future__ import annotations

from typing import Any

from .record.blocks import Block
from .record.events import Context, state
from .record.refusal import value_error


def written(name: str) -> str:
    """A name that can be printed; raises ValueError for what is no text, and for half a surrogate pair.

    >>> written("encoder")
    'encoder'
    """
    if not isinstance(name, str):
        raise value_error(f"a name must be a string, got {name!r}", "Write name='encoder', say.")
    try:
        name.encode()
    except UnicodeEncodeError:
        raise value_error(
            f"{name!a} cannot be a name: it holds half a character", "Write it in whole characters."
        ) from None
    return name


class _Within(Block):
    """A block with a changed context, which can be entered many times, also inside of itself."""

    def __init__(self) -> None:
        self._before: list[Context] = []

    def _changes(self) -> dict[str, Any]:
        raise NotImplementedError

    def __enter__(self) -> Any:
        self._before.append(state.context)
        self.entered = True
        state.context = state.context._replace(**self._changes())

    def put_back(self) -> None:
        """End the innermost of its blocks."""
        state.context = self._before[-1]
        self.entered = len(self._before) > 1
        self._before.pop()


class name_scope(_Within):
    """A name that is put in front of the names of variables, and noted with ops, inside the block.

    A name that ends in "/" starts from the top.  Raises ValueError for no name.

    >>> with tf.name_scope("encoder") as scope:
    ...     print(scope, tf.Variable(1.0, name="w").name)
    encoder/ encoder/w:0
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        if not isinstance(name, str):
            raise value_error(f"name for name_scope must be a string, got {name!r}", "Write tf.name_scope('encoder').")
        self._name = written(name)

    @property
    def name(self) -> str:
        """The name as it was given."""
        return self._name

    def _changes(self) -> dict[str, Any]:
        if not self._name or self._name.endswith("/"):
            return {"scope": self._name.rstrip("/")}
        outer = state.context.scope
        return {"scope": f"{outer}/{self._name}" if outer else self._name}

    def __enter__(self) -> str:
        super().__enter__()
        return f"{state.context.scope}/" if state.context.scope else ""


class device(_Within):
    """Ask for a device.  It is recorded with ops; everything runs on the one CPU.

    >>> with tf.device("GPU:0"):
    ...     x = tf.constant(1.0)
    >>> x.device
    '/job:localhost/replica:0/task:0/device:CPU:0'
    """

    def __init__(self, device_name: Any) -> None:
        super().__init__()
        self._device = device_name

    def _changes(self) -> dict[str, Any]:
        return {"device": str(self._device or "")}
