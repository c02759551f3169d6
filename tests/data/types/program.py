"""What a learner writes, with every type known: mypy and pyright find nothing here, and nothing that they do not know."""

from collections.abc import Callable
from typing import assert_type

import numpy as np

import minitape as tf
import viz
from minitape import Tensor, Variable

# One gradient, several, and by name.
x, b = tf.Variable([1.0, 2.0], name="x"), tf.Variable(0.5)
with tf.GradientTape(persistent=True) as tape:
    h = tf.nn.relu(x * 3 + b) ** 2
    y = tf.reduce_sum(tf.sin(h)) / tf.norm(h)
assert_type(y, Tensor)
assert_type(tape.gradient(y, x), Tensor)
assert_type(tape.gradient(y, [x, b]), list[Tensor])
assert_type(tape.gradient(y, (x, b)), tuple[Tensor, ...])
assert_type(tape.gradient(y, {"x": x, "b": b}), dict[str, Tensor])
assert_type(tape.gradient([y, h], x, output_gradients=[None, tf.ones_like(h)]), Tensor)
assert_type(tape.jacobian(h, x, unconnected_gradients="zero"), Tensor)
assert_type(tape.watched_variables(), tuple[Variable, ...])
print(tape.why(y, x).code, tape.why(y, x))

# The numbers, on their way to NumPy.
assert_type(y.numpy(), np.ndarray)
print(float(y), int(tf.argmax(h)), y.shape.as_list(), h.dtype.name, np.mean(h.numpy()), f"{y.numpy():.3f}")

# Second order, forward mode.
with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as acc:
    with tf.GradientTape() as inner:
        z = tf.reduce_sum(x * x)
    slope = inner.gradient(z, x)
assert_type(acc.jvp(slope), Tensor)
assert_type(acc.jvp([z, slope]), list[Tensor])

# Rules, functions and regions keep the signature of what they decorate.


@tf.custom_gradient
def clipped(value: Tensor, limit: float = 1.0) -> tuple[Tensor, Callable[[Tensor], Tensor]]:
    return tf.identity(value), lambda upstream: tf.clip_by_value(upstream, -limit, limit)


@tf.function
def step(value: Tensor, rate: float) -> Tensor:
    return value - rate * value


@tf.recompute_grad
def block(value: Tensor) -> Tensor:
    return tf.tanh(tf.matmul(value, value, transpose_b=True))


@tf.recompute_grad(early_stop=True)
def other_block(value: Tensor) -> Tensor:
    return tf.exp(value)


class Net(tf.Module):
    def __init__(self) -> None:
        super().__init__(name="net")
        self.w = tf.Variable(tf.random.normal([3, 3], seed=1))

    @tf.function
    def __call__(self, value: Tensor) -> Tensor:
        return value @ self.w


assert_type(clipped(h, limit=2.0), Tensor)
assert_type(step(h, 0.1), Tensor)
assert_type(block(tf.eye(3)), Tensor)
assert_type(block.__wrapped__(tf.eye(3)), Tensor)
assert_type(other_block(h), Tensor)
assert_type(Net()(tf.eye(3)), Tensor)

# A training step, as the guides write it.
model = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(learning_rate=0.1)
inputs, labels = tf.ones([8, 2]), tf.zeros([8, 1])
with viz.record("a step") as run, tf.GradientTape() as training:
    loss = tf.reduce_mean(tf.square(model(inputs, training=True) - labels))
gradients = training.gradient(loss, model.trainable_variables)
optimizer.apply_gradients(zip(gradients, model.trainable_variables))

# Pictures.
picture = viz.graph(run, step=3, theme="dark")
viz.export(run, "page.html")
