"""Exceptions: TensorFlow's types and the beginnings of its texts, then a word that helps."""

from __future__ import annotations

import pathlib
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
