"""Exceptions: TensorFlow's types and the beginnings of its texts, then a word that helps."""

from __future__ import annotations

import gc
import math
import pathlib
import re
import subprocess
import sys
from typing import Any

import pytest

import minitape as tf

ONES = tf.ones([2, 3])


@pytest.mark.parametrize(
    ("program", "text"),
    [
        (lambda: tf.constant(1.0) + tf.constant(1.0, tf.float64), r"^cannot compute AddV2 as input #1\(zero-based\) was expected to be a float tensor but is a double tensor \[Op:AddV2\]"),
        (lambda: tf.constant(1) * tf.constant(1.0), r"^cannot compute Mul as input #1\(zero-based\) was expected to be a int32 tensor but is a float tensor"),
        (lambda: ONES + tf.ones([2]), r"^Incompatible shapes: \[2, 3\] vs\. \[2\] \[Op:AddV2\]"),
        (lambda: tf.matmul(ONES, ONES), r"^Matrix size-incompatible: In\[0\]: \[2,3\], In\[1\]: \[2,3\] \[Op:MatMul\]"),
        (lambda: tf.matmul(ONES, [1.0, 2.0, 3.0]), r"^In\[0\] and In\[1\] ndims must be >= 2"),
        (lambda: tf.reshape(ONES, [4]), r"\[Op:Reshape\]"),
        (lambda: tf.concat([ONES, tf.ones([2, 3, 1])], 0), r"\[Op:Concat\]"),
        (lambda: tf.gather([1.0, 2.0], [2]), r"indices = 2 is not in \[0, 2\)"),
        (lambda: tf.gather([1.0, 2.0], [-1]), r"indices = -1 is not in \[0, 2\)"),
        (lambda: tf.sqrt(tf.constant(4)), r"^Value for attr 'T' of int32 is not in the list of allowed values"),
        (lambda: tf.constant(1) // 0, "^Integer division by zero"),
        (lambda: tf.constant(1) + 1.5, "int32"),
        (lambda: tf.reduce_sum(ONES, 2), "^Invalid reduction dimension"),
        (lambda: tf.split(ONES, [1, 1], 1), "do not make up"),
        (lambda: tf.pad(ONES, [[1, 0]]), "one pair per axis"),
        (lambda: tf.tile(ONES, [2]), "one number per axis"),
        (lambda: ONES[5], r"StridedSlice"),
        (lambda: tf.logical_and(1.0, 2.0), "does not take float32"),
    ],
)  # fmt: skip
def test_invalid_arguments(program: Any, text: str) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=text) as caught:
        program()
    assert isinstance(caught.value, tf.errors.OpError) and caught.value.message


def test_a_refusal_names_the_learners_line() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        tf.ones([2]) + tf.ones([3])  # this line
    assert f"{pathlib.Path(__file__).name}, line " in str(caught.value)
    assert "# this line" in str(caught.value)


@pytest.mark.parametrize(
    ("program", "problem", "text"),
    [
        (lambda: tf.constant([[1], [2, 3]]), ValueError, "^Can't convert non-rectangular Python sequence to Tensor"),
        (lambda: tf.constant(None), ValueError, "unsupported type"),
        (lambda: tf.constant(1.5, tf.int32), TypeError, "^Cannot convert 1.5"),
        (lambda: tf.convert_to_tensor(tf.constant(1.0), tf.float64), ValueError, "^Tensor conversion requested dtype float64"),
        (lambda: bool(ONES), ValueError, "^The truth value of an array with more than one element is ambiguous"),
        (lambda: float(ONES), TypeError, "one element"),
        (lambda: tf.constant(1.0) + None, ValueError, "^None values not supported"),
        (lambda: tf.zeros([2], "nonsense"), TypeError, "^Cannot convert 'nonsense'"),
        (lambda: tf.where([True], 1.0), ValueError, "^x and y must both be non-None or both be None"),
        (lambda: tf.random.uniform([2], dtype=tf.int32), ValueError, "^Must specify maxval"),
        (lambda: tf.math.reduce_variance(tf.constant([1, 2])), TypeError, "^Input must be either real or complex"),
        (lambda: tf.GradientTape().watch(tf.constant(1.0)), ValueError, "does not listen yet"),
        (lambda: tf.GradientTape().gradient(ONES, ONES), RuntimeError, "^A non-persistent GradientTape can only"),
        (lambda: tf.autodiff.ForwardAccumulator(2.0, 1.0), ValueError, "^a primal must be a tensor or a variable, got 2.0"),
        (lambda: tf.autodiff.ForwardAccumulator(ONES, ONES).jvp(3.0), TypeError, "^jvp looks up a tensor or variable, got 3.0"),
    ],
)  # fmt: skip
def test_other_exceptions(program: Any, problem: type[Exception], text: str) -> None:
    with pytest.raises(problem, match=text):
        program()


@pytest.mark.parametrize(
    ("target", "source", "text"),
    [
        (None, ONES, "^Argument `target` should be"),
        (9.0, ONES, "^a target of a gradient"),
        (ONES, 3.0, "^a source of a gradient"),
    ],
)
def test_sources_and_targets(target: Any, source: Any, text: str) -> None:
    with tf.GradientTape() as tape:
        tape.watch(ONES)
        y = ONES * 2.0
    with pytest.raises(TypeError, match=text):
        tape.gradient(target, source)
    assert tape.gradient(y, ONES) is not None  # a question that was refused does not spend the tape


# ---- what a notebook shows of the way to an error -------------------------------------------------------------------------------

CELLS = '''
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance(colors="nocolor")
shell.run_cell("""import minitape as tf
def body(x):
    return tf.tanh(x) + tf.ones([3])
wave = tf.recompute_grad(body)""")
for first in ("", "tf.debugging.disable_traceback_filtering()"):
    print("NEXT")
    shell.run_cell(first)
    shell.run_cell("wave(tf.ones([2]))")
'''


def test_a_traceback_in_a_notebook_leads_along_the_learners_lines() -> None:
    """Our own frames between are counted and not shown, unless they are asked for; NumPy's refusal is no second traceback."""
    pytest.importorskip("IPython")
    root = pathlib.Path(tf.__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", CELLS], capture_output=True, text=True, cwd=root, check=False)
    text = re.sub(r"\x1b\[[0-9;]*m", "", done.stdout)
    _, filtered, whole = text.split("NEXT")
    assert "----> 1 wave(tf.ones([2]))" in filtered and "----> 3     return tf.tanh(x) + tf.ones([3])" in filtered, text
    assert "skipping hidden" in filtered and "Look at the shapes above" in filtered
    assert "direct cause" not in text and "During handling" not in text
    ours = [line for line in filtered.splitlines() if line.startswith("File ")]
    assert len(ours) == 1 and "in compute(" in ours[0]  # the last frame is always shown
    assert len([line for line in whole.splitlines() if line.startswith("File ")]) >= 4 and "skipping" not in whole


def test_a_refusal_that_was_caught_keeps_nothing_alive() -> None:
    """Marking frames makes no copy of what their names stand for: an exception in one would be a cycle."""
    x = tf.ones([1000])
    gc.collect()
    gc.disable()
    try:
        before = tf.ledger.live
        for _ in range(3):
            with pytest.raises(tf.errors.InvalidArgumentError):
                tf.sin(x) + tf.ones([3])
        assert tf.ledger.live == before
    finally:
        gc.enable()


@pytest.mark.parametrize(
    ("program", "said"),
    [
        (lambda: tf.gather(tf.constant([1.0, 2.0]), [2]), "indices = 2 is not in [0, 2) [Op:GatherV2]"),
        (lambda: tf.constant(2) ** -1, "Integers to negative integer powers are not allowed"),
        (lambda: tf.constant([1.0, 2.0])[5], "index 5 is out of bounds for axis 0 with size 2 [Op:StridedSlice]"),
        (lambda: tf.stack([tf.ones(2), tf.ones(3)]), "all input arrays must have the same shape [Op:Pack]"),
        (lambda: tf.transpose(tf.ones([2, 3]), [0, 0]), "repeated axis in transpose [Op:Transpose]"),
        (lambda: tf.transpose(tf.ones([2, 3]), [0]), "axes don't match array [Op:Transpose]"),
    ],
)
def test_the_cause_comes_first(program: Any, said: str) -> None:
    """And not "Incompatible shapes", where shapes are not what is wrong."""
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        program()
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize(
    "program",
    [
        lambda: tf.maximum(1, 2.5), lambda: tf.concat([[1], [2.5]], 0), lambda: tf.clip_by_value(1, 0.0, 2.0),
        lambda: tf.clip_by_value(tf.constant([5]), 0.0, 2.0), lambda: tf.constant([True]) / tf.constant([True]),
        lambda: tf.constant([True]) ** 2,
    ],
)  # fmt: skip
def test_whole_numbers_and_floats_do_not_mix(program: Any) -> None:
    """A row of docs/differences.md: TypeError in TensorFlow."""
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"tf\.cast"):
        program()


def test_a_claim_that_fails_says_where() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError) as caught:
        tf.debugging.assert_equal([1, 2, 3], [1, 5, 3])
    assert str(caught.value).startswith("Condition x == y did not hold. It does not at the indices [[1]]")
    with pytest.raises(ValueError, match=r"^mine Tensor must have rank 1\."):
        tf.debugging.assert_rank(tf.constant(1.0), 1, message="mine")


def test_a_plain_number_is_computed_from_tensors_and_not_made_one() -> None:
    """A number that Python computed would be a tensor that nothing leads to."""
    v = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = math.sin(v)
    with pytest.raises(TypeError, match=r"write tf\.sin\(v\) instead of math\.sin\(v\)"):
        tape.gradient(y, v)
    with pytest.raises(TypeError, match=r"x = tf\.Variable\(2\.0\)"):
        tape.gradient(v * v, 2.0)
    assert "compute it from tensors" in str(tape.why(0.5, v))
