"""Slips that a type checker finds before the program runs: one a line, each marked."""

import minitape as tf
import viz
from minitape import Tensor

x = tf.Variable([1.0, 2.0])
with tf.GradientTape() as tape:
    y = tf.reduce_sum(tf.sin(x))

tape.gradient(y)  # slip: no sources
tape.gradient(y, "x")  # slip: the name of a variable for the variable
tape.gradient(y, x).nump()  # slip: misspelt
tape.gradient(y, [x, x]) * 2.0  # slip: a list is no tensor
tf.sin("1.0")  # slip: text
tf.sin(x, x)  # slip: one operand too many
tf.reduce_sum(x, axis="0")  # slip: an axis in quotes
tf.nn.relu6s(x)  # slip: no such op
tf.matmul(x, x, transpose=True)  # slip: no such setting
x.numpy().shapes  # slip: NumPy's word is shape


@tf.function
def double(value: Tensor) -> Tensor:
    return value * 2.0


@tf.recompute_grad
def block(value: Tensor, scale: float) -> Tensor:
    return value * scale


@tf.custom_gradient  # slip: no rule beside the value
def no_rule(value: Tensor) -> Tensor:
    return value


double(x.value(), 3)  # slip: one argument too many
block(x.value())  # slip: one too few
double(x.value()) + [None]  # slip: None is no number
tape.why(y, x).reason_of  # slip: misspelt
viz.graph(tape, steps=3)  # slip: the word is step
viz.memory(tape).figur  # slip: misspelt
with tf.autodiff.ForwardAccumulator(x) as acc:  # slip: no tangents
    pass
tf.Variable(1.0).assing(2.0)  # slip: misspelt
