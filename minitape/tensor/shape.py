"""The shape of a tensor, as far as it is known."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..record.refusal import described, type_error, value_error


class TensorShape(tuple[Any, ...]):
    """The lengths of a tensor's axes; None stands for a length not known yet.

    >>> shape = tf.TensorShape([2, 3])
    >>> shape, shape.rank, shape.as_list(), shape.num_elements(), shape == [2, 3]
    (TensorShape([2, 3]), 2, [2, 3], 6, True)
    >>> print(shape)
    (2, 3)
    """

    __slots__ = ()
    __hash__ = tuple.__hash__

    def __new__(cls, dims: Any = ()) -> TensorShape:
        unknown = dims is None or isinstance(dims, UnknownShape)
        try:
            return super().__new__(UnknownShape if unknown else cls, () if unknown else dims)
        except TypeError:
            raise type_error(f"Dimensions must be a list or a tuple, got {described(dims)}", "Write [2, 3].") from None

    @property
    def rank(self) -> Any:
        """The number of axes."""
        return len(self)

    @property
    def ndims(self) -> Any:
        """The number of axes."""
        return self.rank

    def as_list(self) -> list[Any]:
        """The lengths as a list, of Python's numbers though NumPy's were given."""
        return [length if length is None else int(length) for length in self]

    dims = property(as_list)

    def num_elements(self) -> int | None:
        """The number of numbers in a tensor of this shape, or None while a length is not known."""
        return None if None in self else int(np.prod(self, dtype=int))

    def is_fully_defined(self) -> bool:
        """True when every length is known."""
        return None not in self

    def is_compatible_with(self, other: Any) -> bool:
        """True when one tensor could have both shapes: no length is known to both and different."""
        other = other if isinstance(other, TensorShape) else TensorShape(other)
        if self.rank is None or other.rank is None:
            return True
        return len(self) == len(other) and all([a is None or b is None or a == b for a, b in zip(self, other)])

    def assert_is_compatible_with(self, other: Any) -> None:
        """Raises ValueError unless one tensor could have both shapes."""
        other = other if isinstance(other, TensorShape) else TensorShape(other)
        if not self.is_compatible_with(other):
            raise value_error(f"Shapes {self} and {other} are incompatible", "tf.reshape makes another shape.")

    def concatenate(self, other: Any) -> TensorShape:
        """Both, one after the other; a number is one length more."""
        return self + TensorShape([int(other)] if isinstance(other, int | np.integer) else other)

    def __getitem__(self, key: Any) -> Any:
        found = super().__getitem__(key)
        return TensorShape(found) if isinstance(key, slice) else found

    def __add__(self, other: Any) -> TensorShape:
        return TensorShape((*self, *other))

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, tuple | list) and tuple.__eq__(self, tuple(other))

    def __ne__(self, other: Any) -> bool:
        return not self == other

    def __repr__(self) -> str:
        return f"TensorShape({self.as_list()})"

    def __str__(self) -> str:
        return str(tuple(self.as_list()))


class UnknownShape(TensorShape):
    """A shape of which not even the rank is known: `TensorShape(None)`.

    >>> TensorShape(None), str(TensorShape(None)), TensorShape(None).rank
    (TensorShape(None), '<unknown>', None)
    """

    __slots__ = ()
    __hash__ = tuple.__hash__

    @property
    def rank(self) -> None:
        """Not known."""
        return

    def as_list(self) -> list[Any]:
        """Raises ValueError: there is nothing to list."""
        raise value_error(
            "as_list() is not defined on an unknown TensorShape.",
            "Ask shape.rank first: it is None where nothing is known.",
        )

    def num_elements(self) -> None:
        """Not known."""
        return

    def is_fully_defined(self) -> bool:
        """False."""
        return False

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, UnknownShape)

    def __repr__(self) -> str:
        return "TensorShape(None)"

    def __str__(self) -> str:
        return "<unknown>"
