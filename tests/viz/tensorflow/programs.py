"""Programs that know nothing of being recorded.  Each gives all that came out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

Program = Callable[[], list[Any]]
PROGRAMS: dict[str, Program] = {}


def program(function: Program) -> Program:
    PROGRAMS[function.__name__] = function
    return function


def numbers(*shape: int) -> Any:
    return tf.constant(np.random.default_rng(sum(shape)).normal(size=shape).astype(np.float32))


@program
def cube_to_third_order() -> list[Any]:
    x = tf.Variable(3.0)
    with tf.GradientTape() as third:
        with tf.GradientTape() as second:
            with tf.GradientTape() as first:
                y = x * x * x
            slope = first.gradient(y, x)
        bend = second.gradient(slope, x)
    return [y, slope, bend, third.gradient(bend, x)]


@program
def mlp_with_steps() -> list[Any]:
    w, b, v = tf.Variable(numbers(3, 4)), tf.Variable(tf.zeros(4)), tf.Variable(numbers(4, 1))
    x, aim = numbers(5, 3), numbers(5, 1)
    found = []
    for _ in range(2):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.tanh(x @ w + b) @ v - aim))
        for one, slope in zip((w, b, v), tape.gradient(loss, [w, b, v]), strict=True):
            one.assign_sub(0.1 * slope)
            found.append(slope)
    return [*found, w.read_value(), b.read_value(), v.read_value()]


@program
def data_sets_tables_and_fit() -> list[Any]:
    """Handles that are no variables': of iterators and tables."""
    tf.keras.utils.set_random_seed(3)
    table = tf.lookup.StaticHashTable(tf.lookup.KeyValueTensorInitializer([0, 1], [2.0, 3.0]), 0.0)
    w, found = tf.Variable(1.5), []
    for x, kind in tf.data.Dataset.from_tensor_slices((numbers(4, 2), [0, 1, 0, 1])).batch(2):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(table.lookup(kind) * tf.reduce_sum(w * x, axis=1))
        found.append(tape.gradient(loss, w))
    model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
    model.compile(optimizer="sgd", loss="mse", run_eagerly=True)
    model.fit(numbers(4, 2), numbers(4, 1), batch_size=2, epochs=1, verbose=0)
    return [*found, *model.trainable_variables]


@program
def keras_training_step() -> list[Any]:
    tf.keras.utils.set_random_seed(3)
    model = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.Adam(0.1)
    x, aim = numbers(5, 3), numbers(5, 1)
    model(x)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - aim))
    slopes = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(slopes, model.trainable_variables, strict=True))
    return [loss, *slopes, *(tf.convert_to_tensor(one) for one in model.trainable_variables)]


@program
def convolution_and_pooling() -> list[Any]:
    x, k = numbers(1, 6, 6, 1), tf.Variable(numbers(3, 3, 1, 2))
    with tf.GradientTape() as tape:
        y = tf.nn.max_pool2d(tf.nn.relu(tf.nn.conv2d(x, k, 1, "VALID")), 2, 2, "VALID")
        loss = tf.reduce_sum(tf.nn.log_softmax(tf.reshape(y, [1, -1])))
    return [loss, tape.gradient(loss, k)]


@program
def attention() -> list[Any]:
    x = numbers(2, 4, 3)
    q, k, v = (tf.Variable(numbers(3, 3) * scale) for scale in (1.0, 2.0, 3.0))
    with tf.GradientTape() as tape:
        scores = tf.nn.softmax(tf.matmul(x @ q, x @ k, transpose_b=True) / 3.0**0.5)
        loss = tf.reduce_mean(tf.einsum("bij,bjk->bik", scores, x @ v) ** 2)
    return [loss, *tape.gradient(loss, [q, k, v])]


@program
def embedding() -> list[Any]:
    table = tf.Variable(numbers(7, 3))
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.gather(table, [1, 2, 2, 5]) * 2.0)
    slope = tape.gradient(loss, table)
    return [loss, slope.values, slope.indices, tf.convert_to_tensor(slope)]


@program
def other_kinds_of_number() -> list[Any]:
    z, h = tf.Variable(tf.complex(numbers(3), numbers(3))), tf.Variable(tf.cast(numbers(3), tf.bfloat16))
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.abs(z * tf.math.conj(z) + z)) + tf.reduce_sum(tf.cast(h * h, tf.float32))
    return [loss, *tape.gradient(loss, [z, h])]


@program
def custom_gradient() -> list[Any]:
    w = tf.Variable(2.0)

    @tf.custom_gradient
    def log1pexp(x: Any) -> Any:
        e = tf.exp(x)
        return tf.math.log(1 + e), lambda upstream: upstream * (1 - 1 / (1 + e))

    @tf.custom_gradient
    def scaled(x: Any) -> Any:
        def grad(upstream: Any, variables: Any = None) -> Any:
            return upstream * w, [upstream * x for _ in variables]

        return x * w, grad

    x = tf.constant(100.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = scaled(log1pexp(x))
    return [y, tape.gradient(y, x), tape.gradient(y, w)]


@program
def second_order_of_a_custom_gradient() -> list[Any]:
    @tf.custom_gradient
    def cube(x: Any) -> Any:
        return x**3, lambda dy: dy * 3 * x**2

    x = tf.Variable(2.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = cube(x)
        slope = inner.gradient(y, x)
    return [y, slope, outer.gradient(slope, x)]


@program
def recompute_in_recompute() -> list[Any]:
    w = tf.Variable(1.5)

    @tf.recompute_grad
    def inside(a: Any) -> Any:
        return tf.exp(tf.sin(a) * w)

    @tf.recompute_grad
    def around(a: Any) -> Any:
        return inside(a * a) + tf.cos(a)

    x = numbers(3)
    with tf.GradientTape() as tape:
        tape.watch(x)
        loss = tf.reduce_sum(around(x) * around(2.0 * x))
    return [loss, *tape.gradient(loss, [x, w])]


@program
def persistent_and_stopped() -> list[Any]:
    x, w = tf.constant([1.0, 2.0]), tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.linalg.matvec(w, x)
        with tape.stop_recording():
            z = y * 2.0
        loss = tf.reduce_sum(tf.nn.relu(y) + tf.stop_gradient(z))
        inside = tape.gradient(loss, x)
    found = [
        inside,
        *tape.gradient(loss, [x, w]),
        tape.gradient(y, x, output_gradients=tf.constant([1.0, 2.0])),
        tape.gradient(z, x),
    ]
    del tape
    return found


@program
def jacobians() -> list[Any]:
    x = tf.Variable([1.0, 2.0, 3.0])
    with tf.GradientTape(persistent=True) as tape:
        y = tf.sin(x) * x[0]
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            z = tf.reduce_sum(x**3)
        slope = inner.gradient(z, x)
    return [tape.jacobian(y, x), tape.jacobian(y, x, experimental_use_pfor=False), outer.jacobian(slope, x)]


@program
def forward_mode() -> list[Any]:
    x, w = tf.constant([1.0, 2.0]), tf.Variable([3.0, 4.0])
    with tf.autodiff.ForwardAccumulator([x, w], [tf.constant([1.0, 0.0]), tf.constant([0.0, 1.0])]) as acc:
        y = tf.reduce_sum(tf.sin(x) * w)
        z = y * 2.0
    return [y, acc.jvp(y), acc.jvp(z), acc.jvp(tf.constant(1.0))]


@program
def nested_accumulators() -> list[Any]:
    x = tf.constant(1.1)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as outer:
        with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as inner:
            y = tf.sin(x) * x
        slope = inner.jvp(y)
    return [slope, outer.jvp(y), outer.jvp(slope)]


@program
def forward_over_backward() -> list[Any]:
    x = tf.constant([2.0, 3.0])
    with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 0.0])) as acc:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(x**3)
        slope = tape.gradient(y, x)
    return [slope, acc.jvp(slope)]


@program
def traced_functions() -> list[Any]:
    w = tf.Variable(2.0)

    @tf.function
    def step(a: Any) -> Any:
        return tf.sin(a) * w

    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        loss = tf.reduce_sum(step(step(x)))
    return [step(x), *tape.gradient(loss, [x, w])]


@program
def unconnected_and_unwatched() -> list[Any]:
    x, c, late = tf.Variable(1.0), tf.constant(2.0), tf.Variable(3.0)
    frozen = tf.Variable(4.0, trainable=False)
    with tf.GradientTape(persistent=True) as tape:
        y = x * c * frozen
        k = tf.cast(tf.cast(x, tf.int32), tf.float32) * 2.0
    zero = tf.UnconnectedGradients.ZERO
    return [
        tape.gradient(y, [x, c, late, frozen]),
        tape.gradient(k, x),
        tape.gradient(y, late, unconnected_gradients=zero),
    ]


@program
def loops_and_resets() -> list[Any]:
    x = tf.Variable(1.1)
    with tf.GradientTape() as tape:
        y = x * x
        tape.reset()
        y = x
        for _ in range(4):
            y = tf.where(y > 1.0, y * x, y + x)
    return [y, tape.gradient(y, x)]


@program
def random_numbers() -> list[Any]:
    tf.random.set_seed(5)
    w = tf.Variable(tf.random.normal([3]))
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.nn.dropout(w * tf.random.uniform([3]), 0.5, seed=1))
    return [loss, tape.gradient(loss, w)]
