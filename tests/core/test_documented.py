"""The documented programs, word for word (their indentation restored): values, and what they print."""

from __future__ import annotations

import io
import sys

import numpy as np
import pytest

import minitape as tf

pytestmark = pytest.mark.filterwarnings("error::minitape.errors.MinitapeWarning")  # no false alarm on any of them
FORWARD = """
primal = tf.constant(1.1)
with tf.autodiff.ForwardAccumulator(primal, tf.constant(1.)) as outer:
    with tf.autodiff.ForwardAccumulator(primal, tf.constant(1.)) as inner:
        primal_out = primal ** tf.constant(3.5)
inner_jvp = inner.jvp(primal_out)
"""
HESSIAN = """
v = tf.Variable([1., 2.])
with tf.autodiff.ForwardAccumulator(
    v,
    # The "vector" in Hessian-vector product.
    tf.constant([1., 0.])) as acc:
  with tf.GradientTape() as tape:
    y = tf.reduce_sum(v ** 3.)
  backward = tape.gradient(y, v)
"""


def run(program: str) -> dict[str, object]:
    space: dict[str, object] = {"tf": tf, "np": np}
    exec(program, space)
    return space


def test_the_square() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as g:
        g.watch(x)
        y = x * x
    dy_dx = g.gradient(y, x)
    assert repr(dy_dx) == "<tf.Tensor: shape=(), dtype=float32, numpy=6.0>"
    assert str(dy_dx) == "tf.Tensor(6.0, shape=(), dtype=float32)"


@pytest.mark.parametrize(("at", "first", "second"), [(3.0, "6.0", "2.0"), (5.0, "10.0", "2.0")])
def test_nested_tapes(at: float, first: str, second: str) -> None:
    x = tf.constant(at)
    with tf.GradientTape() as g:
        g.watch(x)
        with tf.GradientTape() as gg:
            gg.watch(x)
            y = x * x
        dy_dx = gg.gradient(y, x)
    d2y_dx2 = g.gradient(dy_dx, x)
    assert f"{dy_dx} {d2y_dx2}" == f"{first} {second}"
    assert repr(d2y_dx2) == f"<tf.Tensor: shape=(), dtype=float32, numpy={second}>"


def test_a_persistent_tape() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as g:
        g.watch(x)
        y = x * x
        z = y * y
    dz_dx = g.gradient(z, x)
    dy_dx = g.gradient(y, x)
    del g
    assert repr(dz_dx) == "<tf.Tensor: shape=(), dtype=float32, numpy=108.0>"
    assert repr(dy_dx) == "<tf.Tensor: shape=(), dtype=float32, numpy=6.0>"


def test_a_spent_tape_raises() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as g:
        g.watch(x)
        y = x * x
    g.gradient(y, x)
    expected = "^A non-persistent GradientTape can only be used to compute one set of gradients"
    with pytest.raises(RuntimeError, match=expected):
        g.gradient(y, x)


def test_nested_accumulators() -> None:
    space = run(FORWARD + "second = outer.jvp(inner_jvp)\nreversed_ = inner.jvp(outer.jvp(primal_out))")
    assert repr(space["inner_jvp"]) == "<tf.Tensor: shape=(), dtype=float32, numpy=4.4417057>"
    assert repr(space["second"]) == "<tf.Tensor: shape=(), dtype=float32, numpy=10.094786>"
    assert space["reversed_"] is None


def test_a_hessian_vector_product() -> None:
    space = run(HESSIAN + "product = acc.jvp(backward)")
    assert repr(space["backward"]) == (
        "<tf.Tensor: shape=(2,), dtype=float32, numpy=array([ 3., 12.], dtype=float32)>"
    )  # fmt: skip
    assert repr(space["product"]) == "<tf.Tensor: shape=(2,), dtype=float32, numpy=array([6., 0.], dtype=float32)>"


def test_watching_by_hand() -> None:
    a, b = tf.Variable(2.0), tf.Variable(3.0)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch(a)
        y = a * b
    assert [one is a for one in tape.watched_variables()] == [True]
    assert float(tape.gradient(y, a)) == 3.0


def test_print_goes_where_it_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    tf.print("running")
    tf.print("running", output_stream=sys.stdout)
    stream = io.StringIO()
    tf.print("x", tf.constant([[1, 2]]), output_stream=stream)
    captured = capsys.readouterr()
    assert (captured.err, captured.out, stream.getvalue()) == ("running\n", "running\n", "x [[1 2]]\n")


def test_a_linear_regression_both_ways() -> None:
    x = tf.constant([[2.0, 3.0], [1.0, 4.0]])
    targets = tf.constant([[1.0], [-1.0]])
    kernel, bias = tf.Variable([[1.0], [-2.0]]), tf.Variable([0.5])

    def loss_fn() -> tf.Tensor:
        return tf.reduce_sum((tf.matmul(x, kernel) + bias - targets) ** 2.0)

    kernel_fprop = []
    with tf.autodiff.ForwardAccumulator(kernel, tf.constant([[1.0], [0.0]])) as acc:
        kernel_fprop.append(acc.jvp(loss_fn()))
    with tf.autodiff.ForwardAccumulator(kernel, tf.constant([[0.0], [1.0]])) as acc:
        kernel_fprop.append(acc.jvp(loss_fn()))
    with tf.autodiff.ForwardAccumulator(bias, tf.constant([1.0])) as acc:
        bias_fprop = acc.jvp(loss_fn())
    with tf.GradientTape() as tape:
        loss = loss_fn()
    kernel_grad, bias_grad = tape.gradient(loss, (kernel, bias))
    np.testing.assert_allclose(kernel_grad, tf.stack(kernel_fprop)[:, tf.newaxis])
    np.testing.assert_allclose(bias_grad, bias_fprop[tf.newaxis])
