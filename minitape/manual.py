"""What `help(tf.tanh)` and `tf.tanh?` say.  A row of the table has no such text: it is made of what the row says by itself.

Formula, names, dtypes and derivative are the row's.  The numbers of the example are the heart's, which no recorder sees at work.
A loss or metric that is the mean of a function has the function's example.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from . import symbols
from .heart import Tape, apply, now
from .notes import EVERY_KIND, NAMES
from .primitive import Primitive
from .tensor import constant

KINDS = {"b": "booleans", "i": "whole numbers", "f": "floats", "c": "complex numbers", "O": "strings"}
# The first operand of an example, where the domain of the row is a word; the second has the same numbers the other way round.
NUMBERS = {"positive": [2.0, 3.0], "nonzero": [-1.0, 2.0]}


def manual(row: Primitive) -> str:
    r"""A row's docstring: what is shown here, and a program.

    >>> print(manual(tf.multiply).partition("\n\n>>>")[0])
    x × y, element by element.
    <BLANKLINE>
        x, y          any dtype, the same of both, in shapes that broadcast
        raises        InvalidArgumentError for others
        derivative    by x: d × y
                      by y: d × x
        d             a small change: a tangent on its way forward, a cotangent on its way back
        a tape keeps  y, to go back to x; x, to go back to y
        TensorFlow    tf.multiply, tf.math.multiply
    """
    names = [f"tf.{name}" for name, what in NAMES.items() if what is row]
    if not names:  # a function with a docstring stands before it
        return row.notes.doc or row.formula
    says = row.notes.doc or f"{row.formula}, element by element."
    facts = [*_operands(row), *_derivative(row), ("TensorFlow", ", ".join(names)), ("source", row.notes.source)]
    table = [f"    {name:12}  {fact}" for name, fact in facts if fact]
    return "\n".join([says, "", *table, "", *_example(row, names[0])])


def _operands(row: Primitive) -> list[tuple[str, str]]:
    several, every = len(row.arguments) > 1, row.kinds == EVERY_KIND
    takes = "any dtype" if every else ", ".join([word for kind, word in KINDS.items() if kind in row.kinds])
    if several:
        takes += ", the same of both" * row.same_dtype + ", in shapes that broadcast"
    return [
        (", ".join(row.arguments), takes),
        ("raises", "InvalidArgumentError for others" if several or not every else ""),
    ]


def _derivative(row: Primitive) -> list[tuple[str, str]]:
    by = {i: text for i, text in enumerate(symbols.texts(row).derivatives) if row.differentiable(i)}
    if not by:
        return [("derivative", "none: no tape writes it down")]
    several = len(row.arguments) > 1
    told = [f"by {row.arguments[i]}: {text}" if several else text for i, text in by.items()]
    saved = {
        row.arguments[i]: " and ".join(row.save_names(row.saves(tuple([j == i for j in range(len(row.arguments))]))))
        or "nothing"
        for i in by
    }
    keeps = "; ".join([f"{kept}, to go back to {name}" for name, kept in saved.items()])
    return [
        *zip(["derivative", *[""] * len(told)], told),
        ("d", "a small change: a tangent on its way forward, a cotangent on its way back"),
        ("a tape keeps", keeps if len({*saved.values()}) > 1 else next(iter(saved.values()))),
    ]


def _example(row: Primitive, name: str) -> list[str]:
    """A program that calls the row, and what it prints."""
    called, numbers = row.arguments, _numbers(row)
    operands = ", ".join([f"tf.constant({each})" for each in numbers])
    call = f"{name}({', '.join(called)})"
    watched = [name for i, name in enumerate(called) if row.differentiable(i)]
    sources = watched[0] if len(watched) == 1 else f"[{', '.join(watched)}]"
    out, answers = _computed(row, numbers)
    lines = [f">>> {', '.join(called)} = {operands}"]
    if not watched:
        return [*lines, f">>> {call}.numpy()", repr(out)]
    lines += [">>> with tf.GradientTape() as tape:", f"...     tape.watch({sources})", f"...     out = {call}"]
    lines += [">>> out.numpy()", repr(out)]
    if len(watched) == 1:
        return [*lines, f">>> tape.gradient(out, {sources}).numpy()", repr(*answers)]
    return [*lines, f">>> [part.numpy() for part in tape.gradient(out, {sources})]", repr(answers)]


def _numbers(row: Primitive) -> list[list[Any]]:
    domain = row.notes.domain
    if isinstance(domain, str):
        first = NUMBERS[domain]
    else:  # one number from each half
        low, high = domain
        first = [round(low + (high - low) * share, 2) for share in (0.25, 0.875)]
    both: list[list[Any]] = [first, first[::-1]]
    if "f" not in row.kinds:
        both = [[True, False], [True, True]] if "b" in row.kinds else [[6, 5], [1, 3]]
    return both[: len(row.arguments)]


def _computed(row: Primitive, numbers: Iterable[list[Any]]) -> tuple[Any, list[Any]]:
    """The value and the gradients, as arrays."""
    with now(recorders=(), listeners=(), instead=apply):
        operands = [constant(each) for each in numbers]
        sources = [x for i, x in enumerate(operands) if row.differentiable(i)]
        with Tape() as tape:
            tape.watch(*sources)
            out = row(*operands)
        return out.numpy(), [answer.numpy() for answer in tape.gradient(out, sources)] if sources else []


def of_function(kind: type, function: Callable[..., Any]) -> str:
    r"""The first example of a function's docstring, told of a class that gives the mean of its numbers.

    >>> of_function(tf.keras.losses.Huber, tf.keras.losses.huber).split("\n")[1]
    'np.float32(2.625)'
    """
    source, answer = (function.__doc__ or "").partition(">>> ")[2].split("\n")[:2]
    line = ast.parse(source)
    calls = [node for node in ast.walk(line) if isinstance(node, ast.Call)]
    call = next(node for node in calls if ast.unparse(node.func).rpartition(".")[2] == function.__name__)
    path = f"tf.{kind.__module__.partition('.')[2]}.{kind.__name__}"
    call.func, call.keywords = ast.Call(ast.Name(path), [], call.keywords), []  # the constructor takes the settings
    numbers = eval(answer, {"np": np, "array": np.array, "float32": np.float32})
    return f">>> {ast.unparse(line)}\n{np.mean(numbers)!r}"
