"""Whatever of TensorFlow's vocabulary a program calls, the line of the call has a step that says what it gave, and truly."""

from __future__ import annotations

import ast
import doctest
import inspect

import pytest

import viz
from minitape.notes import NAMES

from . import array_programs
from .test_claims import untrue

# What gives no tensor, and what no learner calls.
NO_TENSOR = {
    "IndexedSlices", "broadcast_static_shape", "compat.v1.nn.fused_batch_norm", "random.Generator",
    "random.get_global_generator", "random.set_global_generator", "random.set_seed",
}  # fmt: skip
ONE_EACH = sorted({id(what): name for name, what in sorted(NAMES.items(), reverse=True)}.values())
# Of these the example says nothing here: it drops nothing, or calls the function by another name.
CALLS = {
    "nn.dropout": "tf.nn.dropout([1.0, 1.0], 0.5)", "linalg.diag": "tf.linalg.diag([1.0, 2.0])",
    "linalg.trace": "tf.linalg.trace([[1.0, 2.0], [3.0, 4.0]])",
}  # fmt: skip


def call_of(name: str) -> tuple[str, str]:
    """What the example of a function does first, and its call."""
    before = ["import numpy as np\n"]
    for example in doctest.DocTestParser().get_examples(inspect.getdoc(NAMES[name]) or ""):
        for node in ast.walk(ast.parse(example.source)):
            if isinstance(node, ast.Call) and NAMES.get(ast.unparse(node.func).removeprefix("tf.")) is NAMES[name]:
                return "".join(before), CALLS.get(name) or ast.unparse(node)
        before.append(example.source)
    return "", CALLS[name]


def told(before: str, call: str) -> tuple[viz.Run, list[str]]:
    """A run in which somebody uses what a call gives, and what the steps at the line of the call say."""
    text = f"{before}answer = {call}\nused = [tf.identity(one) for one in tf.nest.flatten(answer)]\n"
    run = array_programs.recorded(text, call)
    line = before.count("\n") + 1
    return run, [step["say"] for step in run.scene.steps if step.get("place", [None, 0])[1] == line]


@pytest.mark.parametrize("name", [name for name in ONE_EACH if name not in NO_TENSOR])
def test_the_line_of_a_call_has_a_step_that_says_what_it_gave(name: str) -> None:
    _, said = told(*call_of(name))
    assert any(one.startswith("answer") for one in said), said


@pytest.mark.parametrize(
    ("call", "formula"),
    [
        ("tf.math.bincount(classes)", "answer = bincount(classes)"),
        ("tf.math.bincount(classes, minlength=6)", "answer = bincount(classes, 6 places)"),
        ("tf.math.bincount(classes, [0.5, 1.0, 1.0], maxlength=2)", "answer = bincount(classes, weights, 2 places)"),
        ("tf.math.confusion_matrix(classes, [3, 1, 3])", "answer = confusion_matrix(classes, predictions, 4 places)"),
        (
            "tf.math.confusion_matrix(classes, [3, 1, 3], weights=[1, 2, 3])",
            "answer = confusion_matrix(classes, predictions, weights, 4 places)",
        ),
        (
            "tf.histogram_fixed_width(tf.cast(classes, tf.float32), [0.0, 4.0], 3)",
            "answer = histogram_fixed_width(v₁, limits, 3)",
        ),
        ("tf.nn.in_top_k(classes, [[0.1, 0.9, 0.0, 0.3]] * 3, 2)", "answer = in_top_k(classes, predictions, 2)"),
        ("tf.sequence_mask(classes, 4)", "answer = sequence_mask(classes, 4)"),
        ("tf.unique(classes)", "answer.y = unique(classes)[0]"),
        ("tf.unique_with_counts(classes)", "answer.y = unique_with_counts(classes)[0]"),
        ("tf.unravel_index(classes, [2, 2])", "answer = unravel_index(classes, shape 2×2)"),
        ("tf.math.invert_permutation(tf.argsort(classes))", "answer = invert_permutation(v₁)"),
        ("tf.where(tf.equal(classes, 1))", "answer = where(v₁)"),
        (
            "tf.random.categorical([[0.0, 1.0]] * 2, 3)",
            "answer = argmax(reshape(logits, shape 2×1×2) + noise, axis 2)",
        ),
    ],
)
def test_counts_and_places_have_a_step_with_a_formula_that_is_so(call: str, formula: str) -> None:
    """They had none: NumPy made them, unseen."""
    run, said = told("classes = tf.constant([1, 3, 1])\n", call)
    count, wrong = untrue(run)
    assert count >= 2 and not wrong, wrong
    assert formula in [" ".join([term[0] for term in step.get("formula", ())]) for step in run.scene.steps]
    assert any(one.startswith("answer") for one in said), said


def test_a_draw_is_told_with_what_it_was_drawn_from() -> None:
    """And that no gradient comes back through it, which is why policy gradients need a logarithm."""
    source = """
logits = tf.Variable([[0.2, 0.5]])
with tf.GradientTape() as tape:
    action = tf.random.categorical(logits, 1)
"""
    [step] = [
        step for step in array_programs.recorded(source, "draw").scene.steps if step["say"].startswith("action is")
    ]
    assert step["say"].endswith("No tape writes this down: this op has no slope.")
    assert step["formula"][2][0] == "argmax(logits + noise, axis 1, kept)"
