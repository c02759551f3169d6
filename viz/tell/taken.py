"""Which names are taken already: a second value of a name has a number, and one without a name a letter with a number."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from .spelling import counted, subscript


class Taken:
    """The names given out so far.

    >>> taken = Taken()
    >>> [taken.by("x"), taken.by("x"), taken.by("a·b"), taken.by("a·b"), taken.numbered("v"), taken.numbered("v")]
    ['x', 'x₂', 'a·b', '(a·b)₂', 'v₁', 'v₂']
    """

    def __init__(self) -> None:
        self._often: dict[str, int] = {}
        self._numbered: dict[str, int] = {}
        self._arrays: dict[Hashable, list[tuple[Any, str]]] = {}

    def by(self, name: str) -> str:
        """This name, with a number where it is taken."""
        while True:
            self._often[name] = count = self._often.get(name, 0) + 1
            made = name if count == 1 else counted(name, count)
            if count == 1 or made not in self._often:
                return made

    def numbered(self, letter: str) -> str:
        """The next number of a letter."""
        self._numbered[letter] = count = self._numbered.get(letter, 0) + 1
        return f"{letter}{subscript(count)}"

    def by_array(self, name: str, kind: Hashable, numbers: Any) -> str:
        """The same for an array that functions take: with the same numbers it is the same one, taken once more.

        >>> taken = Taken()
        >>> [taken.by_array("mask", "int32", numbers) for numbers in ([1, 0], [1, 0], [1, 1], None, None)]
        ['mask', 'mask', 'mask₂', 'mask₃', 'mask₄']
        """
        met = self._arrays.setdefault((name, kind), [])
        found = next((called for known, called in met if numbers is not None and known == numbers), "")
        if not found:
            found = self.by(name)
            met.append((numbers, found))
        return found
