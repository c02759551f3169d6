"""The programs in the documents of these functions, their calls as they stand there, in our own names: what they print.

The documents are those of `recompute_grad` (in two languages), `GradientTape`, `ForwardAccumulator`, and of the module
`AbstractRecomputeWrapper`; `test_documented` has the same programs word for word where they give numbers.
"""

from __future__ import annotations

import abc

import numpy as np
import pytest

import minitape as tf

pytestmark = pytest.mark.filterwarnings("error::minitape.errors.MinitapeWarning")  # no false alarm on any of them
STEPS = 4
RUNNING = "running\n" * STEPS


def scaled(by: tf.Variable):
    def program(value):
        tf.print("running")
        return value * by

    return program


def chained(program, start):
    value = start
    for _ in range(STEPS):
        value = program(value)
    return value


# ---- recompute_grad -----------------------------------------------------------------------------------------------------------


def test_a_recomputed_function_runs_again_in_the_backward_pass(capsys: pytest.CaptureFixture[str]) -> None:
    factor = tf.Variable(1.0)
    program = tf.recompute_grad(scaled(factor))
    with tf.GradientTape() as tape:
        result = chained(program, tf.constant(1.0))
    assert capsys.readouterr().err == RUNNING
    gradient = tape.gradient(result, [factor])
    assert capsys.readouterr().err == RUNNING
    assert [one.numpy() for one in gradient] == [4.0]


def test_a_plain_function_does_not(capsys: pytest.CaptureFixture[str]) -> None:
    factor = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        result = chained(scaled(factor), tf.constant(1.0))
    assert capsys.readouterr().err == RUNNING
    assert [one.numpy() for one in tape.gradient(result, [factor])] == [4.0]
    assert capsys.readouterr().err == ""


def test_a_recomputed_model(capsys: pytest.CaptureFixture[str]) -> None:
    def running(value):
        tf.print("running")
        return value

    model = tf.keras.Sequential([tf.keras.layers.Lambda(running), tf.keras.layers.Dense(2)])
    program = tf.recompute_grad(model)
    with tf.GradientTape(persistent=True) as tape:
        result = chained(program, tf.constant([[1, 2]]))
    assert capsys.readouterr().err == RUNNING
    by_model = tape.gradient(result, model.variables)
    assert capsys.readouterr().err == RUNNING
    by_wrapped = tape.gradient(result, program.__wrapped__.variables)
    assert capsys.readouterr().err == RUNNING
    assert len(by_model) == 2 and program.__wrapped__ is model
    for one, other in zip(by_model, by_wrapped, strict=True):
        np.testing.assert_array_equal(one, other)


def test_the_function_returned_has_nothing_of_the_model_but_the_way_to_it() -> None:
    model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
    program = tf.recompute_grad(model)
    with pytest.raises(AttributeError, match="__wrapped__"):
        _ = program.variables
    assert program.__wrapped__ is model


# ---- GradientTape -------------------------------------------------------------------------------------------------------------


def test_a_slope_of_a_square_and_its_own_slope() -> None:
    at = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(at)
        square = at * at
    assert str(tape.gradient(square, at)) == "tf.Tensor(6.0, shape=(), dtype=float32)"
    with tf.GradientTape() as outer:
        outer.watch(at)
        with tf.GradientTape() as inner:
            inner.watch(at)
            square = at * at
        first = inner.gradient(square, at)
    second = outer.gradient(first, at)
    assert (first.numpy(), second.numpy()) == (6.0, 2.0)


def test_a_tape_that_answers_twice() -> None:
    at = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(at)
        square = at * at
        fourth = square * square
    assert (tape.gradient(fourth, at).numpy(), tape.gradient(square, at).numpy()) == (108.0, 6.0)
    del tape


def test_the_trainable_variables_of_a_model() -> None:
    images, labels = tf.ones([2, 3]), tf.constant([[1.0, 0.0], [0.0, 1.0]])
    model = tf.keras.Sequential([tf.keras.layers.Dense(2, activation="softmax")])
    loss_object = tf.keras.losses.CategoricalCrossentropy()
    with tf.GradientTape() as tape:
        predictions = model(images)
        loss = loss_object(labels, predictions)
    gradients = tape.gradient(loss, model.trainable_variables)
    assert [one.shape.as_list() for one in gradients] == [[3, 2], [2]]


# ---- ForwardAccumulator -------------------------------------------------------------------------------------------------------


def test_a_regression_column_by_column_and_row_by_row() -> None:
    inputs, wanted = tf.constant([[2.0, 3.0], [1.0, 4.0]]), tf.constant([[1.0], [-1.0]])
    dense = tf.keras.layers.Dense(1)
    dense.build([None, 2])

    def loss():
        return tf.reduce_sum((dense(inputs) - wanted) ** 2.0)

    columns = []
    for direction in ([[1.0], [0.0]], [[0.0], [1.0]]):
        with tf.autodiff.ForwardAccumulator(primals=dense.kernel, tangents=tf.constant(direction)) as acc:
            columns.append(acc.jvp(loss()))
    with tf.autodiff.ForwardAccumulator(dense.bias, tf.constant([1.0])) as acc:
        by_bias = acc.jvp(loss())
    with tf.GradientTape() as tape:
        target = loss()
    kernel_grad, bias_grad = tape.gradient(target, (dense.kernel, dense.bias))
    np.testing.assert_allclose(kernel_grad, tf.stack(columns)[:, tf.newaxis])
    np.testing.assert_allclose(bias_grad, by_bias[tf.newaxis])


def test_a_tangent_of_a_tangent() -> None:
    at = tf.constant(1.1)
    with tf.autodiff.ForwardAccumulator(at, tf.constant(1.0)) as outer:
        with tf.autodiff.ForwardAccumulator(at, tf.constant(1.0)) as inner:
            power = at ** tf.constant(3.5)
    first = inner.jvp(power)
    assert repr(first) == "<tf.Tensor: shape=(), dtype=float32, numpy=4.4417057>"
    assert repr(outer.jvp(first)) == "<tf.Tensor: shape=(), dtype=float32, numpy=10.094786>"
    assert inner.jvp(outer.jvp(power)) is None


def test_a_hessian_times_a_vector() -> None:
    at = tf.Variable([1.0, 2.0])
    with tf.autodiff.ForwardAccumulator(at, tf.constant([1.0, 0.0])) as acc:
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(at**3.0)
        slope = tape.gradient(y, at)
    assert repr(slope) == "<tf.Tensor: shape=(2,), dtype=float32, numpy=array([ 3., 12.], dtype=float32)>"
    assert repr(acc.jvp(slope)) == "<tf.Tensor: shape=(2,), dtype=float32, numpy=array([6., 0.], dtype=float32)>"


def test_a_jvp_may_be_asked_for_again_and_after_the_block() -> None:
    at = tf.constant(2.0)
    with tf.autodiff.ForwardAccumulator(at, tf.constant(1.0)) as acc:
        square = at * at
        inside = acc.jvp(square)
    later = square * at
    assert [one.numpy() for one in (inside, acc.jvp(square), acc.jvp(square))] == [4.0, 4.0, 4.0]
    assert acc.jvp(later) is None, "what comes after the block is not followed"


def test_the_same_primal_twice_is_refused() -> None:
    at = tf.constant(2.0)
    with pytest.raises(ValueError, match="multiple times"):
        tf.autodiff.ForwardAccumulator([at, at], [tf.constant(1.0), tf.constant(1.0)])


# ---- the module AbstractRecomputeWrapper --------------------------------------------------------------------------------------


def test_a_wrapper_of_ones_own() -> None:
    wrapper = tf.layers.AbstractRecomputeWrapper.AbstractRecomputeWrapper
    assert abc.ABC in wrapper.__mro__ and wrapper.CtrlFlowWarnedOnce is False
    with pytest.raises(TypeError, match="abstract"):
        wrapper()
    asked = []

    def turn(count: tf.Tensor) -> list[tf.Tensor]:
        asked.append(wrapper.is_in_while_loop())
        return [count + 1]

    tf.while_loop(lambda count: count < 2, turn, [tf.constant(0)])
    assert asked == [True, True] and wrapper.is_in_while_loop() is False
