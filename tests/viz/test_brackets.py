"""A formula reads the same whatever its values are called: names that are pieces of formulas stand in brackets."""

from __future__ import annotations

import ast
import re

import pytest

from viz.capture.numbers import Snapshot
from viz.tell.formula import Operand, equation

# As rows say them; x, y and d are the names.
TEXTS = [
    "x ^ y", "x × y", "− x", "−x × y", "x ÷ y", "− d × x ÷ y²", "d × 2 × x", "x³", "(x − y)²", "sum(d × y, axis 0)", "xᵀ @ d",
    "− xᵀ @ d @ xᵀ", "x[0]", "x if x > 0 else y", "d if x ≥ y else 0", "|x|", "√(x)", "d × y × x^(y − 1)", "x − y", "max(x, y)",
    "log(1 + exp(x))", "1 ÷ x", "x > y", "d × (1 − x²)", "d ÷ 2 ÷ x", "(d − sum(d × x)) × x", "x × d − y × d", "− (x × y)",
]  # fmt: skip
NAMES = [
    "rate−a", "-b", "a·b", "a^2", "a[0]", "h@W", "exp(-b)", "a > 1", "(a+b)₂", "a÷b", "size+1", "2·rate", "−rate", "true−pred",
    "-b·ts", "a·b+c", "e−a", "f(x)·2", "-b^2", "7e−5", "−2",
]  # fmt: skip
PYTHON = (
    ("ᵀ", ".T"), ("²", "**2"), ("³", "**3"), ("·", "*"), ("×", "*"), ("÷", "/"), ("−", "-"), ("^", "**"), ("≥", ">="),
    ("√(", "sqrt("), ("₂", "[2]"), ("axis 0", "axis=0"),
)  # fmt: skip


def read(formula: str) -> str:
    """How Python would read it."""
    text = re.sub(r"\|([^|]+)\|", r"abs(\1)", formula)
    for sign, written in PYTHON:
        text = text.replace(sign, written)
    return ast.dump(ast.parse(text, mode="eval"))


def told(text: str, letter: str, name: str) -> str:
    """The formula of a row in which one value has this name."""
    symbols = {"x": "p", "y": "q", "d": "r", letter: name}
    operands = {each: Operand(symbol, Snapshot("3", None, 3.0), "value") for each, symbol in symbols.items()}
    made = equation(["out", "1", "value", ""], text, operands)
    above = " ".join(term[0] for term in made if term[0])
    return above.removeprefix("out = ").partition("  ")[0]


@pytest.mark.parametrize("text", TEXTS)
@pytest.mark.parametrize("letter", "xyd")
def test_a_formula_reads_the_same_whatever_its_values_are_called(text: str, letter: str) -> None:
    for name in NAMES if re.search(rf"\b{letter}", text) else ():
        meant = told(text, letter, "Z").replace("Z", f"({name})")
        assert read(told(text, letter, name)) == read(meant), f"{name}: {told(text, letter, name)}"


def test_a_name_with_a_stroke_is_no_quotient() -> None:
    assert told("x ^ y", "x", "dense/kernel") == "(dense/kernel) ^ q"
    assert told("xᵀ @ d", "x", "dense/kernel") == "(dense/kernel)ᵀ @ r"
