"""Which numbers take part in which: an op as letters, and the same letters read towards any of its arrays.

A relation says: for every choice of letters, the number of `out` at its lines gains an expression of the numbers at theirs.
`out[i, j] += x[i, k] × y[k, j]` is a product of matrices; read towards `x` it is `x[i, k] += d[i, j] × y[k, j]`, its VJP.
So a row of the table is said once, and each of its directions follows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

Shape = tuple[int, ...]
Tree = Any  # an expression as plain data: a number, a name, or [what, part, …]
OUT = "out"


@dataclass(frozen=True)
class Line:
    """A place along one axis: constant + counts of letters, and perhaps a number of an array, all of it divided."""

    counts: tuple[tuple[str, int], ...] = ()
    constant: int = 0
    over: int = 1
    look: tuple[str, tuple[Line, ...]] | None = None  # a number of an array of places, negative ones from the end
    length: int = 0  # of the axis that looked-up places count on

    def __add__(self, other: Line | int) -> Line:
        if isinstance(other, int):
            return replace(self, constant=self.constant + other)
        counts = dict(self.counts)
        for letter, count in other.counts:
            counts[letter] = counts.get(letter, 0) + count
        kept = tuple([(letter, count) for letter, count in counts.items() if count])
        return replace(self, counts=kept, constant=self.constant + other.constant, look=self.look or other.look,
                       length=self.length or other.length)  # fmt: skip

    def __mul__(self, by: int) -> Line:
        return replace(
            self, counts=tuple([(name, count * by) for name, count in self.counts]), constant=self.constant * by
        )

    def plain(self) -> list[Any]:
        """The line as a page reads it."""
        line: list[Any] = [self.constant, self.over, dict(self.counts)]
        if self.look:
            line.append([self.look[0], [place.plain() for place in self.look[1]], self.length])
        return line


def letter(name: str) -> Line:
    """The line that is a letter itself."""
    return Line(((name, 1),))


Lines = tuple[Line, ...]


@dataclass(frozen=True)
class Relation:
    """What an op adds to its result, by letters."""

    lengths: Mapping[str, int]
    at: Mapping[str, Lines]  # by operand, and for `out`
    value: Tree = None  # what is added; by default the product of the operands
    partials: Mapping[str, Tree] = field(default_factory=dict)  # by operand, with `d` for what arrives
    scale: float = 1.0
    when: tuple[tuple[Line, int], ...] = ()  # lines that must lie between 0 and a length
    # Arrays that are read in another shape: theirs, and that.
    views: Mapping[str, tuple[Shape, Shape]] = field(default_factory=dict)

    def operands(self) -> tuple[str, ...]:
        """The operands whose numbers are multiplied."""
        return tuple([role for role in self.at if role != OUT])


def product(parts: Iterable[Tree], scale: float = 1.0) -> Tree:
    """A product of parts, and a number before it unless it is 1."""
    tree: Tree = None
    for part in [*([] if scale == 1.0 else [scale]), *parts]:
        tree = part if tree is None else ["×", tree, part]
    return 1.0 if tree is None else tree


def names(tree: Tree) -> set[str]:
    """The arrays that an expression names, but for those of a sum within it."""
    if isinstance(tree, str):
        return {tree}
    if isinstance(tree, list) and tree[0] == "Σ":
        return set()
    return set().union(*map(names, tree[1:])) if isinstance(tree, list) else set()


def toward(relation: Relation, target: str, tree: Tree, arrays: Mapping[str, str]) -> dict[str, Any]:
    """The terms of one number of `target`, as plain data: letters to run over, letters that follow, conditions, an expression.

    `r0`, `r1`, … are the place of that number; `arrays` says of a name in an expression whose lines it has: `d` those of `out`.

    >>> n, m, k = map(letter, "nmk")
    >>> rule = toward(Relation({"n": 2, "m": 3, "k": 4}, {"x": (n, k), "y": (k, m), "out": (n, m)}), "x", "d", {"d": "out"})
    >>> rule["over"], rule["let"]
    ([['m', 3]], [['n', 2, [0, 1, {'r0': 1}]], ['k', 4, [0, 1, {'r1': 1}]]])
    """
    bound: dict[str, Line] = {}
    guards = list(relation.when)
    # A letter by itself comes first: others may need it.
    for axis, line in sorted(enumerate(relation.at[target]), key=lambda axis: len(axis[1].counts)):
        place = letter(f"r{axis}")
        free = [(name, count) for name, count in line.counts if name not in bound]
        if free and line.look is None:
            name, count = next((term for term in free if abs(term[1]) == 1), free[0])
            rest = replace(line, counts=tuple([term for term in line.counts if term[0] != name]))
            sign = 1 if count > 0 else -1
            bound[name] = replace((place + rest * -1) * sign, over=abs(count))
        elif line.look is not None:
            guards.append((place * -1 + line, 1))
        else:
            guards.append((place + line * -1, 1))
    over = [[name, length] for name, length in relation.lengths.items() if name not in bound]
    used = {name: arrays.get(name, name) for name in sorted(names(tree))}
    return {
        "over": over,
        "let": [[name, relation.lengths[name], line.plain()] for name, line in bound.items()],
        "when": [[line.plain(), length] for line, length in guards],
        "of": tree,
        "at": {name: [line.plain() for line in relation.at[role]] for name, role in used.items()},
        **({"views": views} if (views := {n: relation.views[r][1] for n, r in used.items() if r in relation.views}) else {}),
        **({"as": relation.views[target]} if target in relation.views else {}),
    }  # fmt: skip
