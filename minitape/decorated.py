"""The result of a decorator: it is called like the function that it replaces, and is bound like a method."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar, overload

Arguments = ParamSpec("Arguments")
Others = ParamSpec("Others")
Instance = TypeVar("Instance")
Value = TypeVar("Value", covariant=True)


class Decorated(Generic[Arguments, Value]):
    """Replaces a function, and has its signature."""

    def __call__(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Value:
        raise NotImplementedError

    @overload
    def __get__(self, instance: None, owner: Any = None) -> Self: ...
    @overload
    def __get__(
        self: Decorated[Concatenate[Instance, Others], Value], instance: Instance, owner: Any = None
    ) -> Callable[Others, Value]: ...
    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else types.MethodType(self, instance)
