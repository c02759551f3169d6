"""The programs of the documents, in our own names: each a function of the module that it is run with, TensorFlow or minitape.

Those of tools/facts/programs are twins too, where they are eager.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

STEPS = 4
PROGRAMS: dict[str, Callable[[Any], Any]] = {}


def program(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Enter a function as a program."""
    PROGRAMS[function.__name__] = function
    return function


# ---- recompute_grad -----------------------------------------------------------------------------------------------------------


def _chain(tf: Any, wrap: Callable[[Any], Any]) -> Any:
    factor = tf.Variable(1.0)

    def scaled(value: Any) -> Any:
        return value * factor

    step = wrap(scaled)
    with tf.GradientTape() as tape:
        value = tf.constant(1.0)
        for _ in range(STEPS):
            value = step(value)
    return tape.gradient(value, [factor])


@program
def a_chain_that_runs_again(tf: Any) -> Any:
    """Four calls of a function that is recomputed."""
    return _chain(tf, tf.recompute_grad)


@program
def a_chain_that_is_kept(tf: Any) -> Any:
    """The same without."""
    return _chain(tf, lambda function: function)


@program
def a_model_that_runs_again(tf: Any) -> Any:
    """A model of two layers that is recomputed, four times over."""
    model = tf.keras.Sequential([tf.keras.layers.Lambda(lambda value: value), tf.keras.layers.Dense(2)])
    model.build([None, 2])
    model.layers[1].kernel.assign([[1.0, 2.0], [0.5, -1.0]])
    again = tf.recompute_grad(model)
    with tf.GradientTape(persistent=True) as tape:
        value = tf.constant([[1.0, 2.0]])
        for _ in range(STEPS):
            value = again(value)
    return tape.gradient(value, model.variables), tape.gradient(value, again.__wrapped__.variables)


# ---- GradientTape -------------------------------------------------------------------------------------------------------------


@program
def the_slope_of_a_square(tf: Any) -> Any:
    """A constant that is watched."""
    at = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(at)
        square = at * at
    return tape.gradient(square, at)


@program
def the_slope_of_a_slope(tf: Any) -> Any:
    """A tape in a tape."""
    at = tf.constant(3.0)
    with tf.GradientTape() as outer:
        outer.watch(at)
        with tf.GradientTape() as inner:
            inner.watch(at)
            square = at * at
        slope = inner.gradient(square, at)
    return outer.gradient(slope, at)


@program
def a_tape_that_answers_twice(tf: Any) -> Any:
    """A tape that persists, until it is deleted."""
    at = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(at)
        square = at * at
        fourth = square * square
    by_both = tape.gradient(fourth, at), tape.gradient(square, at)
    del tape
    return by_both


@program
def a_loss_of_a_model(tf: Any) -> Any:
    """The trainable variables of a model, which nobody has to watch."""
    images, labels = tf.ones([2, 3]), tf.constant([[1.0, 0.0], [0.0, 1.0]])
    model = tf.keras.Sequential([tf.keras.layers.Dense(2)])
    model.build([None, 3])
    model.layers[0].kernel.assign([[0.5, -0.5], [1.0, 0.25], [-1.0, 2.0]])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(images) - labels))
    return tape.gradient(loss, model.trainable_variables)


# ---- ForwardAccumulator -------------------------------------------------------------------------------------------------------


@program
def a_regression_by_columns_and_by_row(tf: Any) -> Any:
    """A Jacobian by accumulators, and by one tape."""
    inputs, wanted = tf.constant([[2.0, 3.0], [1.0, 4.0]]), tf.constant([[1.0], [-1.0]])
    kernel, bias = tf.Variable([[0.5], [-1.0]]), tf.Variable([0.0])

    def loss() -> Any:
        return tf.reduce_sum((tf.matmul(inputs, kernel) + bias - wanted) ** 2.0)

    columns = []
    for direction in ([[1.0], [0.0]], [[0.0], [1.0]]):
        with tf.autodiff.ForwardAccumulator(primals=kernel, tangents=tf.constant(direction)) as acc:
            columns.append(acc.jvp(loss()))
    with tf.autodiff.ForwardAccumulator(bias, tf.constant([1.0])) as acc:
        columns.append(acc.jvp(loss()))
    with tf.GradientTape() as tape:
        target = loss()
    return columns, tape.gradient(target, (kernel, bias))


@program
def a_tangent_of_a_tangent(tf: Any) -> Any:
    """An accumulator in an accumulator."""
    at = tf.constant(1.1)
    with tf.autodiff.ForwardAccumulator(at, tf.constant(1.0)) as outer:
        with tf.autodiff.ForwardAccumulator(at, tf.constant(1.0)) as inner:
            power = at ** tf.constant(3.5)
    first = inner.jvp(power)
    return first, outer.jvp(power), outer.jvp(first)


@program
def a_hessian_times_a_vector(tf: Any) -> Any:
    """An accumulator around a tape."""
    at = tf.Variable([1.0, 2.0])
    with tf.autodiff.ForwardAccumulator(at, tf.constant([1.0, 0.0])) as acc:
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(at**3.0)
        slope = tape.gradient(y, at)
    return acc.jvp(slope)


@program
def a_jvp_after_its_block(tf: Any) -> Any:
    """Asked for inside, after, and of what came after."""
    at = tf.constant(2.0)
    with tf.autodiff.ForwardAccumulator(at, tf.constant(1.0)) as acc:
        square = at * at
        inside = acc.jvp(square)
    later = square * at
    return inside, acc.jvp(square), acc.jvp(later)
