"""What stands in the microscope's formula is read off the rule's letters: turned, summed and derived as the rule does it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minitape as tf
import viz
from viz.microscope import form
from viz.microscope.form import spelled
from viz.microscope.pack import spoken
from viz.microscope.specimen import specimen
from viz.paint.page import MICROSCOPE, STATIC

FORM = Path(form.__file__)


def formulas(program: Callable[..., Any], *shapes: tuple[int, ...]) -> dict[str, str]:
    """By what a step gives, its formula as a line of text."""
    chance = np.random.default_rng(1)
    given = [
        tf.Variable(chance.normal(size=shape).astype("f"), name=name)
        for name, shape in zip("xyz", shapes, strict=False)
    ]
    with viz.record() as run:
        with tf.GradientTape() as tape:
            L = tf.reduce_sum(program(*given))
        tape.gradient(L, given)
    made = specimen(run.scene)
    told = {}
    for step in made["steps"].values():
        words = []
        for one in step["row"]:
            words.append(one.get("sign") or one["name"] + "ᵀ" * ("turned" in one))
            words += [one["note"]] if one.get("note") else []
        told.setdefault(made["arrays"][step["result"]]["name"].partition("/")[2] or "value", " ".join(words))
    return told


@pytest.mark.parametrize(
    ("program", "shapes", "expected"),
    [
        (lambda x, y: x @ y, [(3, 4), (4, 2)], {"value": "x @ y", "∂x": "{} @ yᵀ", "∂y": "xᵀ @ {}"}),
        (
            lambda x, y: tf.matmul(x, y, transpose_a=True),
            [(4, 3), (4, 2)],
            {"value": "xᵀ @ y", "∂x": "y @ {}ᵀ", "∂y": "x @ {}"},
        ),
        (lambda x, y: x + y, [(3, 4), (4,)], {"value": "x + y", "∂x": "{}", "∂y": "Σ axis 0 {}"}),
        (lambda x: tf.tanh(x), [(3,)], {"value": "tanh(·)", "∂x": "{} × 1 − {out}²"}),
        (lambda x: tf.reduce_mean(x, 1), [(2, 4)], {"value": "Σ axis 1 0.25 × x", "∂x": "0.25 × {}"}),
        (lambda x, y: x * y, [(3, 2), (3, 1)], {"value": "x × y", "∂y": "Σ axis 1 {} × x"}),
        (
            lambda x, y: tf.nn.softmax_cross_entropy_with_logits(y, x),
            [(2, 3), (2, 3)],
            {"value": "Σ axis 1 y × log(Σ(exp(x))) − x", "∂x": "{} × exp(x) ÷ Σ(exp(x)) × Σ(y) − y"},
        ),
        (
            lambda x: tf.nn.sparse_softmax_cross_entropy_with_logits([0, 2], x),
            [(2, 3)],
            {"∂x": "{} × exp(x) ÷ Σ(exp(x)) − where at a place in labels {}"},
        ),
        (
            lambda x: tf.gather(x, [2, 0, 2, 1, 1]),
            [(3, 4)],
            {"value": "x at indices", "∂x": "Σ axis 0 where at a place in indices {}"},
        ),
        (
            lambda x: tf.math.unsorted_segment_sum(x, [1, 0, 1], 2),
            [(3, 2)],
            {"value": "Σ axis 0 where at a place in indices x", "∂x": "{} at indices"},
        ),
        (
            lambda x: tf.nn.max_pool2d(x, 2, 2, "VALID"),
            [(1, 4, 4, 1)],
            {"value": "max x", "∂x": "Σ where x = {}, the first in its window {}"},
        ),
        (lambda x: tf.nn.avg_pool2d(x, 2, 2, "VALID"), [(1, 4, 4, 1)], {"value": "Σ 1 ÷ n × x", "∂x": "Σ 1 ÷ n × {}"}),
    ],
)
def test_a_formula_says_what_the_rule_does(program: Any, shapes: Any, expected: dict[str, str]) -> None:
    told = formulas(program, *shapes)
    for what, text in expected.items():
        pattern = text.partition("{")[0]
        assert what in told and told[what].startswith(pattern), (what, told)
        for part in [one.strip() for one in text.replace("{out}", "{}").split("{}")]:
            assert part in told[what], (what, part, told[what])


def test_an_expression_is_spelled_with_the_brackets_that_it_needs() -> None:
    called = {"x": "a", "y": "b + c"}
    assert spelled(["−", "x", ["−", "x", "y"]], called) == "a − (a − (b + c))"
    assert spelled(["×", ["+", "x", 1.0], "y"], called) == "(a + 1) × (b + c)"
    assert spelled(["^", "y", 2.0], called) == "(b + c)²"
    assert spelled(["^", "x", ["−", "y", 1.0]], called) == "a ^ ((b + c) − 1)"
    assert spelled(["if", [">", "x", 0.0], "x", ["−", "x"]], called) == "a if a > 0 else −a"


def test_every_word_is_said_and_every_said_word_is_there() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in [*(STATIC / name for name in MICROSCOPE), FORM])
    unsaid = [key for key in spoken() if f"words.{key}" not in code and f'"{key}"' not in code]
    assert unsaid == []
    assert set(re.findall(r"words\.(\w+)", code)) <= {*spoken()}
