"""The formula of a step: that of an op in the direction that it ran, sums over batch and broadcast axes included.

Formulas are in the row's own names.  An empty one means that no true formula is known, and then none is shown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from ..capture.claims import STAYS, WHOLE, repeated, summed
from ..capture.numbers import Snapshot, exactly, number
from ..capture.records import Op
from .formula import Operand, names, signed


def arguments(op: Op) -> list[str]:
    """The names under which a row's formula speaks of its inputs, one per input; those that it has no name for are numbered."""
    named = [] if op.row.variadic else list(op.row.arguments[: len(op.takes)])
    return named + [f"value{place}" for place in range(len(named), len(op.takes))]


def formula_words(op: Op) -> str:
    """What the row computes, with the settings of this call; for a row of many inputs that says nothing else, their list."""
    if op.row.variadic and not op.row.pushes:
        return f"{op.row.name}({', '.join(arguments(op))})"
    return f"({op.row.formula})" if _COMPARES.search(op.row.formula) and "(" not in op.row.formula else op.row.formula


_COMPARES = re.compile(r"^\w+ [=≠<>≤≥] \w+$")


def back_words(op: Op, position: int) -> str:
    """What the rule makes of `d`, which arrives, for one input, sums over repeated axes included; "" if nothing can be said."""
    words = _said(op, op.row.derivatives, position)
    if not words or op.row.pushes or not _by_number(words):
        return words
    x, out = op.takes[position].shape, op.gives[0].shape
    made = _shape(words, op, out)
    return summed(words, made, x) if made != x and len(made) >= len(x) else words


def settled(words: str, arrived: Snapshot, operands: Mapping[str, Operand]) -> str:
    """The words without what makes no difference for these numbers.

    That nothing comes of nothing goes without saying where no number is 0 of what has arrived, and the sum of an example's labels
    where it is 1; a power that the program wrote as a number is one less.

    >>> settled("d ÷ 2 ÷ out if d ≠ 0 else 0", Snapshot(None, None, 3.0), {})
    'd ÷ 2 ÷ out'
    >>> labels = Operand("y", Snapshot("[0, 1]", {"numbers": [0.0, 1.0]}), "value")
    >>> settled("(softmax(logits) × sum(labels) − labels) × d", Snapshot(None, None, 3.0), {"labels": labels})
    '(softmax(logits) − labels) × d'
    >>> powers = [Operand(number(y), Snapshot(None, None, y), "value") for y in (2.0, 3.0, 0.5)]
    >>> [settled("d × y × x^(y − 1)", one.snap, {"y": one}) for one in powers]
    ['d × y × x', 'd × y × x²', 'd × y × x^(−0.5)']
    """
    if words.endswith(STAYS) and not _may_be_zero(arrived):
        words = words.removesuffix(STAYS)
    labels, found = operands.get("labels"), _WHOLE.search(words)
    if labels is not None and found and _are_chances(labels.snap, int(found[1] or 0)):
        words = words.replace(found[0], "")
    power = operands.get("y")
    if _POWER in words and power is not None and power.snap.value is not None and power.symbol == power.snap.text:
        words = words.replace(_POWER, _RAISED.get(less := power.snap.value - 1.0) or f"x^{signed(number(less))}")
    return words


_POWER = "x^(y − 1)"
_RAISED = {1.0: "x", 2.0: "x²", 3.0: "x³"}


_WHOLE = re.compile(re.escape(WHOLE) + r"(?:, axis (\d+), kept)?\)")


def _are_chances(labels: Snapshot, axis: int) -> bool:
    """Whether the numbers of an array are known, and sum to 1 along an axis."""
    numbers = exactly(labels)
    if numbers is None or numbers.ndim <= axis:
        return False
    return bool(np.allclose(numbers.sum(axis), 1.0, rtol=0.0, atol=1e-6))


def _may_be_zero(snap: Snapshot) -> bool:
    numbers, data = exactly(snap), snap.data or {}
    if numbers is not None:
        return not numbers.all()
    return not ("low" in data and float(data["low"]) * float(data["high"]) > 0)


def push_words(op: Op, moving: Sequence[int]) -> list[str]:
    """What the tangent `d` of each of these inputs adds to that of the result; an empty list where that cannot be said."""
    said = [_said(op, op.row.pushes or op.row.derivatives, position) for position in moving]
    if not all(said) or not (op.row.pushes or all(map(_by_number, said))):
        return []
    out = op.gives[0].shape
    if (
        op.row.pushes
        or np.broadcast_shapes(*[_shape(w, op, op.takes[at].shape) for w, at in zip(said, moving, strict=True)]) == out
    ):
        return said
    return [repeated(words, _shape(words, op, op.takes[at].shape), out) for words, at in zip(said, moving, strict=True)]


def _by_number(words: str) -> bool:
    return not re.search(r"[“@ᵀ]", words)


def _said(op: Op, words: Sequence[str], position: int) -> str:
    """The words for an input; complex numbers have rules of their own, of which these words say nothing."""
    if op.own_rule or any(value.dtype.startswith("complex") for value in (*op.takes, *op.gives)):
        return ""
    place = 0 if op.row.variadic and len(words) == 1 else position
    return words[place] if place < len(words) else ""


def _shape(words: str, op: Op, arrives: tuple[int, ...]) -> tuple[int, ...]:
    """The shape of a result that is worked out number by number."""
    shapes = {name: value.shape for name, value in zip(arguments(op), op.takes, strict=True)}
    shapes |= {"out": op.gives[0].shape, "d": arrives}
    return tuple(np.broadcast_shapes((), *[shapes[name] for name in names(words) if name in shapes]))


def joined(parts: Sequence[str]) -> str:
    """Several shares as one sum.

    >>> joined(["d0 × y", "−d1 × x"]), joined(["d0 if c else 0", "0 if c else d1"])
    ('d0 × y − d1 × x', '(d0 if c else 0) + (0 if c else d1)')
    """
    several = [f"({part})" if " if " in part and len(parts) > 1 else part for part in parts]
    text = several[0]
    for part in several[1:]:
        text += f" − {part[1:]}" if part.startswith("−") else f" + {part}"
    return text


def renamed(words: str, name: str) -> str:
    """The words with another name for what arrives.

    >>> renamed("x @ dᵀ + d(y) × d²", "d0")
    'x @ d0ᵀ + d(y) × d0²'
    """
    return re.sub(r"\bd(?![^\Wᵀ²³]|\()", name, words)
