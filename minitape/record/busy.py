"""Functions that are called too often for a door (`refusal.py`): they themselves refuse unknown and missing arguments.

A door would cost each of their calls one more call.  Such a function takes `**unknown`, has `NOT_GIVEN` as the default of an
argument that it needs, and takes `*surplus` where somebody may write one argument more.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any, NoReturn, TypeVar

from .provenance import value_in
from .refusal import answered, type_error

Busy = TypeVar("Busy", bound=Callable[..., Any])

_busy: dict[CodeType, tuple[Any, str]] = {}


class NotGiven:
    """The default of an argument that a busy function needs: Python calls it without, and the function says what is missing."""


NOT_GIVEN: Any = NotGiven()


def without_door(path: str) -> Callable[[Busy], Busy]:
    """Decorator for a function that is too busy for a door; takes `*surplus` and `**unknown` out of its signature."""

    def told_of(function: Busy) -> Busy:
        signature = inspect.signature(function)
        known = [
            item.replace(default=item.empty) if item.default is NOT_GIVEN else item
            for item in signature.parameters.values()
            if item.kind not in (item.VAR_KEYWORD, item.VAR_POSITIONAL)
        ]
        function.__signature__ = signature.replace(parameters=known)  # type: ignore[attr-defined]
        _busy[function.__code__] = function, path
        return function

    return told_of


def unexpected(unknown: dict[str, Any]) -> Exception:
    """What such a function raises for unknown keyword arguments: Python's words, with the line and advice of a refusal."""
    frame = sys._getframe(1)
    function, path = _busy[frame.f_code]
    words = f"{function.__qualname__}() got an unexpected keyword argument {next(iter(unknown))!r}"
    return answered(TypeError(words), path, function, (), _given(frame, function) | unknown)


def too_many(surplus: tuple[Any, ...], advice: str = "") -> Exception:
    """What such a function raises for positional arguments too many; unlike Python's, the count leaves `self` out."""
    frame = sys._getframe(1)
    function, path = _busy[frame.f_code]
    most = len([name for name in inspect.signature(function).parameters if name != "self"])
    words = f"{function.__qualname__}() takes {most} argument{'s' * (most > 1)} but {most + len(surplus)} were given"
    return answered(TypeError(words + advice), path, function, (), _given(frame, function))


def missing() -> Exception:
    """What such a function raises for a missing argument, and so does whatever it has handed `NOT_GIVEN` on to."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code not in _busy:
        frame = frame.f_back
    assert frame is not None
    function, path = _busy[frame.f_code]
    given = _given(frame, function)
    needed = [name for name, item in inspect.signature(function).parameters.items() if item.default is item.empty]
    left_out = next(name for name in needed[needed[:1] == ["self"] :] if name not in given)
    words = f"{function.__qualname__}() missing 1 required positional argument: {left_out!r}"
    return answered(TypeError(words), path, function, (), given)


def _given(frame: FrameType, function: Any) -> dict[str, Any]:
    """The known arguments that a busy function was called with, but for those that equal their defaults."""
    own = {name: (value_in(frame, name), item.default) for name, item in inspect.signature(function).parameters.items()}
    return {
        name: value for name, (value, default) in own.items()
        if name != "self" and value is not NOT_GIVEN and value is not default
    }  # fmt: skip


class WithBrackets(type):
    """The metaclass of blocks that are often written without brackets: `with tf.GradientTape as tape:`."""

    _with: str  # how the statement is written

    def __enter__(cls) -> NoReturn:
        raise type_error(
            f"{cls.__name__} is a class, and `with` takes one that is made of it: the brackets are missing", cls._with
        )

    def __exit__(cls, *problem: object) -> None: ...
