"""A rule that is a plain formula stands in the engine's text; any other is called."""

from __future__ import annotations

import math
import traceback
from typing import Any

import pytest

import minitape as tf
from minitape import engine
from minitape.engine.inline import formula
from minitape.kinds import Elementwise
from minitape.ops.elementwise import exp, multiply, pow, tanh
from minitape.ops.shapes import sum_to_


@pytest.mark.parametrize(
    ("rule", "text"),
    [
        (lambda dx, y: dx * y, "change * kept.array"),
        (lambda dx, y: dx - (dx - y), "change - (change - kept.array)"),
        (lambda dx, y: -0.5 * (dx / -y), "(-0.5) * (change / (-kept.array))"),
        (lambda dx, y: dx * (math.sqrt(4.0) * exp(y * y)), "change * (2.0 * exp_of(kept.array * kept.array))"),
        (lambda dx, y: 2.0**dx @ y, "(2.0 ** change) @ kept.array"),
        (lambda dx, y: dx * (y > 0.0), "change * (kept.array > 0.0)"),
    ],
)
def test_the_formula_of_a_rule(rule: Any, text: str) -> None:
    names: dict[str, Any] = {}
    assert formula(rule, ["change", "kept.array"], {}, names) == text
    assert names == ({"exp_of": exp} if "exp_of" in text else {})


def twice(dx: Any, y: Any) -> Any:
    square = y * y
    return dx * square + square


@pytest.mark.parametrize(
    "rule",
    [
        twice,  # what is used twice is computed once
        lambda dx, y: dx if y is None else dx * y,
        lambda dx, y: dx * (y == 1.0),
        lambda dx, y: dx * (not y),
        lambda dx, y: dx * y.shape[0],
        lambda dx, y: dx * float(y),
        lambda dx, y: dx * math.inf,
        lambda dx, y: 3.0,
    ],
)
def test_a_rule_that_is_more_than_a_formula_is_called(rule: Any) -> None:
    assert formula(rule, ["change", "kept.array"], {}, {}) is None


def test_what_stands_in_the_engines_text() -> None:
    text = engine.source(engine.back(multiply.plan((True, True)), sum_to_.bare))
    assert "part = change * kept[1].array" in text and "rule_" not in text
    text = engine.source(engine.back(pow.plan((True, False)), sum_to_.bare))
    assert "part = change * (kept[1].array * pow_of(kept[0].array, kept[1].array - 1.0))" in text
    assert "part = change * (1.0 - (kept * kept))" in engine.source(engine.heard(tanh.plan((True,)), sum_to_, print))


def test_a_rule_of_a_learners_own_is_called_so_that_a_traceback_shows_its_line() -> None:
    row = Elementwise("odd_of_mine", lambda x: x + 1.0, lambda dx, x: dx * (x @ x))
    try:
        x = tf.constant(2.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = row(x)
        with pytest.raises(ValueError, match="matmul") as problem:
            tape.gradient(y, x)
        assert "lambda dx, x: dx * (x @ x)" in "".join(traceback.format_exception(problem.value))
    finally:
        row.withdraw()


def test_no_target_has_no_gradient() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        tf.square(x)
    assert tape.gradient([], x) is None and tape.gradient([], [x], unconnected_gradients="zero")[0].numpy() == 0.0
