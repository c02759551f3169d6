"""What `copy`, `deepcopy` and `pickle` make of what is known by its identity: itself, or a refusal."""

from __future__ import annotations

from typing import Any, NoReturn, Self

from .refusal import type_error


class Shared:
    """Something that never changes, or that records know by its identity: a copy of it is itself."""

    __slots__ = ()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: Any) -> Self:
        return self


class Alone(Shared):
    """Something that belongs to the run of a program in which it was made: there is no second one, and no file holds it.

    >>> import copy
    >>> copy.deepcopy(tf.GradientTape())
    Traceback (most recent call last):
    TypeError: a GradientTape cannot be copied deeply or pickled: it knows the values of this run by their identity...
    """

    __slots__ = ()
    _instead = "Copy or pickle the tensors that you get from it."

    def __deepcopy__(self, memo: Any) -> NoReturn:
        self.__reduce__()

    def __reduce__(self) -> NoReturn:
        raise type_error(
            f"a {type(self).__name__} cannot be copied deeply or pickled: it knows the values of this run by their identity",
            self._instead,
        )
