"""`einsum`: sums of products, written in letters.

One operand needs no row of its own: it is a diagonal, a sum and a transpose.  Two are a bilinear row, whose transposes are
einsums again.  More are multiplied pair by pair, from the left.
"""

from __future__ import annotations

import string
from typing import Any

import numpy as np

from ..kinds import Bilinear
from ..notes import Notes, named
from ..record.refusal import type_error, value_error
from ..tensor import Operand, Tensor, convert
from .padding import diag_part_
from .reductions import reduce_sum
from .shapes import in_order, transpose_

# fmt: off
einsum_ = Bilinear("einsum",
    lambda x, y, left, right, result: np.einsum(f"{left},{right}->{result}", x, y, optimize=True),
    lambda g, y, left, right, result: einsum_(g, y, left=result, right=right, result=left),
    lambda g, x, left, right, result: einsum_(g, x, left=result, right=left, result=right),
    notes=Notes(phrase="Σ x × y, by letters", sign="Σ",
        hint="Each letter stands for one length: print the shapes of the operands."))
# fmt: on


@named("einsum linalg.einsum")
def einsum(equation: str, *inputs: Any, **options: Any) -> Tensor:
    """Products, sums and transposes, as the letters say: "ij,jk->ik" is the matrix product.

    A letter that is missing on the right is summed over; a letter twice in one operand takes its diagonal; "..." stands for
    batch axes.  Raises ValueError for an equation that does not fit the operands.

    >>> tf.einsum("ij,jk->ik", [[1.0, 2.0]], [[3.0], [4.0]]).numpy()
    array([[11.]], dtype=float32)
    >>> tf.einsum("ii", [[1.0, 2.0], [3.0, 4.0]]).numpy()
    np.float32(5.0)
    """
    if not isinstance(equation, str):
        raise type_error(
            f"tf.einsum: the equation is a text, got {equation!r}", 'Write it first: tf.einsum("ij,jk->ik", x, y).'
        )
    hint = next((value.tag.dtype for value in inputs if isinstance(value, Operand)), None)
    tensors = [convert(value, hint=hint) for value in inputs]
    terms, out = _letters(equation.replace(" ", ""), [tensor.ndim for tensor in tensors])
    parts = [
        _alone(tensor, letters, out + "".join(terms[:i] + terms[i + 1 :]))
        for i, (tensor, letters) in enumerate(zip(tensors, terms, strict=True))
    ]
    total, letters = parts[0]
    for position, (other, more) in enumerate(parts[1:], 1):
        wanted = set(out).union(*(term for _, term in parts[position + 1 :]))
        joined = "".join(letter for letter in dict.fromkeys(letters + more) if letter in wanted)
        last = position == len(parts) - 1
        total, letters = (
            einsum_(total, other, left=letters, right=more, result=out if last else joined),
            out if last else joined,
        )
    return _in_order(total, letters, out)


def _letters(equation: str, ranks: list[int]) -> tuple[list[str], str]:
    """The letters of each operand and of the result, with "..." spelled out and the result made up if it is not given."""
    left, arrow, right = equation.partition("->")
    terms = left.split(",")
    if len(terms) != len(ranks):
        raise value_error(
            f"the equation {equation!r} has {len(terms)} operands, but {len(ranks)} were given",
            "Give one comma-separated term per operand: tf.einsum('ij,jk->ik', a, b).",
        )
    free = [letter for letter in string.ascii_letters if letter not in equation]
    longest = 0
    spelled = []
    for term, rank in zip(terms, ranks, strict=True):
        batch = rank - len(term.replace("...", ""))
        if batch < 0 or batch and "..." not in term:
            raise value_error(
                f"the term {term!r} of {equation!r} does not fit an operand with {rank} axes",
                "Write one letter per axis, or '...' for those that only come along.",
            )
        longest = max(longest, batch)
        # Batch axes are counted from the last, so that operands with fewer of them broadcast.
        spelled.append(term.replace("...", "".join(free[:batch][::-1])))
    dots = "".join(free[:longest][::-1])
    if not arrow:
        plain = left.replace(",", "").replace("...", "")
        right = ("..." if "..." in left else "") + "".join(
            sorted(letter for letter in set(plain) if plain.count(letter) == 1)
        )
    out = right.replace("...", dots)
    known = set("".join(spelled))
    if not set(out) <= known or len(set(out)) != len(out):
        raise value_error(
            f"the result {right!r} of {equation!r} has a letter twice, or one no operand has",
            "What stands right of -> is made of letters of the left, each once.",
        )
    return spelled, out


def _alone(x: Tensor, letters: str, elsewhere: str) -> tuple[Tensor, str]:
    """The diagonals, and the sums over letters that appear nowhere else."""
    while len(set(letters)) < len(letters):
        twice = next(letter for letter in letters if letters.count(letter) > 1)
        first, second = [i for i, letter in enumerate(letters) if letter == twice][:2]
        others = [i for i in range(len(letters)) if i not in (first, second)]
        x = diag_part_(in_order(x, (*others, first, second)))
        letters = "".join(letters[i] for i in others) + twice
    lonely = [i for i, letter in enumerate(letters) if letter not in elsewhere]
    if lonely:
        x, letters = reduce_sum(x, lonely), "".join(letter for letter in letters if letter in elsewhere)
    return x, letters


def _in_order(x: Tensor, letters: str, out: str) -> Tensor:
    return x if letters == out else transpose_(x, perm=tuple(letters.index(letter) for letter in out))
