"""Tensors: dtypes, operators, indexing, NumPy.  Most of it as a list of facts taken from TensorFlow itself."""

from __future__ import annotations

import copy
import re
import weakref
from typing import Any

import numpy as np
import pytest

import minitape as tf
from minitape.testing import check_gradients
from tools.facts import EXPRESSIONS, expressions

FACTS = EXPRESSIONS.read()
BEGINNINGS = expressions.read()[1]  # of exceptions the first words, where they are the same


# By what they begin with: grad, tf.constant, x ...
KINDS: dict[str, list[str]] = {}
for line in FACTS:
    KINDS.setdefault(re.split(r"[^\w.]", line)[0], []).append(line)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", KINDS)
def test_as_tensorflow(kind: str) -> None:
    wrong = []
    for expression in KINDS[kind]:
        found, said = expressions.answer(tf, expression)
        if found != FACTS[expression] or not said.startswith(BEGINNINGS.get(expression, "")):
            wrong.append(f"{expression}\n  ours:   {found} {said}\n  theirs: {FACTS[expression]}")
    assert not wrong, "\n" + "\n".join(wrong)


def test_there_are_many_facts() -> None:
    assert len(FACTS) > 2300 and len(BEGINNINGS) > 150
    assert [one for one in BEGINNINGS if not FACTS[one].startswith("raises")] == []


# ---- what the facts cannot say -----------------------------------------------------------------------------------------------


def test_tensors_do_not_change() -> None:
    array = np.array([1.0, 2.0], np.float32)
    x = tf.constant(array)
    array[0] = 9.0
    assert x.numpy().tolist() == [1.0, 2.0]
    x.numpy()[0] = 9.0
    np.asarray(x)[0] = 9.0
    assert x.numpy().tolist() == [1.0, 2.0]
    with pytest.raises(AttributeError, match="never changes"):
        x[0] = 3.0
    assert copy.copy(x) is x


def test_ndarray_times_tensor_stays_a_tensor_and_sin_leaves() -> None:
    x = tf.constant([1.0, 2.0])
    for one in (
        np.ones(2, np.float32) * x,
        x * np.ones(2, np.float32),
        np.ones(2) + x,
        np.float32(2) * x,
        [1.0, 2.0] - x,
    ):
        assert type(one) is tf.Tensor and one.dtype == tf.float32
    assert type(np.sin(x)) is np.ndarray
    np.testing.assert_allclose(x, [1.0, 2.0])


def test_ndarray_times_tensor_is_differentiated() -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = np.array([3.0, 4.0], np.float32) * x
    assert tape.gradient(y, x).numpy().tolist() == [3.0, 4.0]


@pytest.mark.parametrize("value", [[tf.constant(1.0), 2.0], (1.0, tf.constant(2.0)), [[tf.constant(1.0)], [2.0]]])
def test_a_list_of_tensors_is_their_stack_and_differentiates(value: Any) -> None:
    leaf = next(one for one in tf.nest.flatten(value) if isinstance(one, tf.Tensor))
    with tf.GradientTape() as tape:
        tape.watch(leaf)
        y = tf.convert_to_tensor(value) * 3.0
    assert float(tape.gradient(y, leaf)) == 3.0


def test_identity_means_the_value_not_the_number() -> None:
    a, b = tf.constant(1.0), tf.constant(1.0)
    assert a.ref() != b.ref() and a.ref() == a.ref()
    assert {a.ref(): "a", b.ref(): "b"}[a.ref()] == "a"
    assert a.ref().deref() is a
    with pytest.raises(TypeError, match=r"\.ref\(\)"):
        hash(a)


def test_references_can_be_weak() -> None:
    x = tf.constant(1.0)
    gone = weakref.ref(x)
    del x
    assert gone() is None


@pytest.mark.parametrize(
    "key",
    [
        0,
        -1,
        (1, 2),
        (slice(None), 1),
        (slice(None, None, 2),),
        (slice(None, None, -1), slice(3, 0, -2)),
        (..., 1),
        (0, ..., 1),
        (None, 1),
        (slice(1, 2), None, slice(None)),
        ...,
        (),
        np.int64(1),
    ],
)
def test_indexing_as_numpy_and_back(key: Any) -> None:
    array = np.arange(24.0).reshape(3, 4, 2)
    x = tf.constant(array)
    with tf.GradientTape() as tape:
        tape.watch(x)
        part = x[key]
    np.testing.assert_array_equal(part.numpy(), array[key])
    expected = np.zeros_like(array)
    expected[key] = 1.0
    np.testing.assert_array_equal(tape.gradient(part, x).numpy(), expected)


def test_indexing_by_tensors_and_masks() -> None:
    x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    i = tf.constant(1)
    assert x[i].numpy().tolist() == [3.0, 4.0]
    assert x[i:, i].numpy().tolist() == [4.0, 6.0]
    assert x[x > 2.5].numpy().tolist() == [3.0, 4.0, 5.0, 6.0]
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x[np.array([True, False, True])]
    assert tape.gradient(y, x).numpy().tolist() == [[1.0, 1.0], [0.0, 0.0], [1.0, 1.0]]
    with pytest.raises(TypeError, match=r"tf\.gather"):
        x[[0, 1]]
    with pytest.raises(TypeError):
        x[1.0]
    with pytest.raises(tf.errors.InvalidArgumentError):
        x[5]


def test_iteration_and_length() -> None:
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    assert len(x) == 2 and [row.numpy().tolist() for row in x] == [[1.0, 2.0], [3.0, 4.0]]
    first, second = x
    assert float(first[0] + second[1]) == 5.0
    with pytest.raises(TypeError):
        iter(tf.constant(1.0))
    with pytest.raises(TypeError):
        len(tf.constant(1.0))


@pytest.mark.parametrize("axis", [2, -3, 7])
@pytest.mark.parametrize(
    "op",
    [
        lambda x, axis: tf.reduce_sum(x, axis),
        lambda x, axis: tf.squeeze(x, axis),
        lambda x, axis: tf.gather(x, [0], axis=axis),
        lambda x, axis: tf.transpose(x, [0, axis]),
        lambda x, axis: tf.split(x, 1, axis=axis),
        lambda x, axis: tf.expand_dims(x, axis + 2 if axis > 0 else axis - 2),
    ],
)
def test_an_axis_that_is_not_there(op: Any, axis: int) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError):
        op(tf.ones([1, 1]), axis)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "complex64", "complex128"])
def test_gradients_keep_the_dtype(dtype: str) -> None:
    x = tf.constant([1.0, 2.0], dtype)
    with tf.GradientTape() as tape, tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as accumulator:
        tape.watch(x)
        y = tf.tanh(x * 0.5 + 1.0) / 3.0
    assert y.dtype == tape.gradient(y, x).dtype == accumulator.jvp(y).dtype == dtype


@pytest.mark.parametrize("op", [tf.sin, tf.exp, tf.sqrt, tf.tanh, tf.nn.softmax, tf.math.log, tf.floor])
def test_whole_numbers_are_not_promoted_silently(op: Any) -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"write 4\.0 instead of 4"):
        op(tf.constant([1, 2]))


def test_squared_difference_takes_no_complex_numbers() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="complex"):
        tf.math.squared_difference(tf.constant(1j), tf.constant(2j))


def test_a_constant_of_a_tensor_is_the_tensor_as_in_tensorflow() -> None:
    x = tf.constant([1.0])
    assert tf.constant(x) is x
    assert tf.constant([x, x]).shape == [2, 1]


def test_cross_entropy_of_labels_that_are_no_probabilities() -> None:
    """TensorFlow's derivative takes the labels to sum to 1; this one is that of the function."""
    check_gradients(lambda x: tf.nn.softmax_cross_entropy_with_logits([2.0, 1.0], x), [[0.3, -0.4]], order=1)


def test_what_does_not_determine_a_derivative_says_so() -> None:
    """The last columns of a full Q or U are any that fit, so they have no derivative."""
    for factors in (tf.linalg.qr, tf.linalg.svd):
        x = tf.constant(np.eye(4, 2) + 1.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            parts = factors(x, full_matrices=True)
        assert (4, 4) in [one.shape for one in parts]
        with pytest.raises(NotImplementedError, match="Leave out full_matrices"):
            tape.gradient(parts, x)


def test_the_spectral_norm_of_any_two_axes() -> None:
    x = np.random.default_rng(0).normal(size=(2, 3, 4))
    for axes in ([0, 1], [2, 0], [-1, 1]):
        found = tf.norm(x, ord=2, axis=axes, keepdims=True)
        np.testing.assert_allclose(found, np.linalg.norm(x, 2, tuple(axes), keepdims=True), rtol=1e-12)
    check_gradients(lambda t: tf.norm(t, ord=2, axis=[0, 2]), [x])


def test_the_factors_of_a_matrix_make_it_again() -> None:
    x = tf.constant([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]])
    q, r = tf.linalg.qr(x)
    np.testing.assert_allclose(q @ r, x, rtol=1e-5)
    np.testing.assert_allclose(tf.transpose(q) @ q, np.eye(2), atol=1e-6)
    s, u, v = tf.linalg.svd(x)
    np.testing.assert_allclose(u * s @ tf.transpose(v), x, rtol=1e-5)
    np.testing.assert_allclose(tf.linalg.pinv(x) @ x, np.eye(2), atol=1e-5)
    square = tf.constant([[2.0, 0.5], [0.5, 1.0]])
    e, v = tf.linalg.eigh(square)
    np.testing.assert_allclose(v * e @ tf.transpose(v), square, rtol=1e-5)
    np.testing.assert_allclose(tf.linalg.expm(square), v * tf.exp(e) @ tf.transpose(v), rtol=1e-5)


@pytest.mark.parametrize(
    "name", ["pinv", "expm", "lbeta", "weighted", "lstsq", "ridge", "wide", "cut", "crelu", "blocks", "ends"]
)
def test_compositions(name: str) -> None:
    """What is made of rows is right where its rows are; here are those whose way of putting them together could be wrong."""
    draw = np.random.default_rng(0)
    high, square = draw.normal(size=(2, 3, 2)) + np.eye(3, 2) * 2.0, draw.normal(size=(3, 3))
    cases: dict[str, tuple[Any, list[Any]]] = {
        "pinv": (tf.linalg.pinv, [high]),
        "expm": (tf.linalg.expm, [square]),
        "lbeta": (tf.math.lbeta, [np.abs(square) + 0.5]),
        "weighted": (lambda x, w: tf.nn.weighted_moments(x, [0], w), [square, np.abs(square) + 1.0]),
        "lstsq": (lambda a, b: tf.linalg.lstsq(a, b, fast=False), [high, draw.normal(size=(2, 3, 1))]),
        "ridge": (lambda a, b: tf.linalg.lstsq(a, b, l2_regularizer=0.3), [high, draw.normal(size=(2, 3, 1))]),
        "wide": (tf.linalg.lstsq, [np.swapaxes(high, 1, 2), draw.normal(size=(2, 2, 1))]),
        "cut": (lambda x: tf.signal.rfft(x, [2]), [square]),
        "crelu": (tf.nn.crelu, [square]),
        "blocks": (
            lambda x: tf.nn.depth_to_space(tf.nn.space_to_depth(x, 2) ** 2, 2),
            [draw.normal(size=(1, 2, 4, 1))],
        ),
        "ends": (lambda a, b: tf.linspace(a, b, 4), [square, square + 1.0]),
    }
    function, arguments = cases[name]
    check_gradients(function, arguments)


def test_a_shape_that_is_set_is_checked() -> None:
    x = tf.ones([2, 3])
    x.set_shape([2, None])
    with pytest.raises(ValueError, match=r"Tensor's shape \(2, 3\) is not compatible with supplied shape \(3, 3\)"):
        x.set_shape([3, 3])


def test_a_shape_is_continued_by_a_length_or_by_another_shape() -> None:
    """As TensorFlow's."""
    shape = tf.TensorShape([2, None])
    assert str(shape.concatenate(4)) == "(2, None, 4)" and str(shape.concatenate([3, 4])) == "(2, None, 3, 4)"
    assert str(shape.concatenate(np.int64(5))) == "(2, None, 5)"
