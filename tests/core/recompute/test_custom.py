"""custom_gradient: the learner's rule in every mode (check 18)."""

from __future__ import annotations

import numpy as np
import pytest

import minitape as tf
from minitape.custom import NonLinearGradientError
from minitape.testing import check_gradients

FA = tf.autodiff.ForwardAccumulator


@tf.custom_gradient
def cube(x):
    def grad(dy):
        return dy * 3.0 * x * x

    return x * x * x, grad


@tf.custom_gradient
def log1pexp(x):
    e = tf.exp(x)

    def grad(upstream):
        return upstream * (1 - 1 / (1 + e))

    return tf.math.log(1 + e), grad


def derivatives(f, x, order):
    if order == 0:
        return f(x)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = derivatives(f, x, order - 1)
    return tape.gradient(y, x)


@pytest.mark.parametrize("f", [cube, log1pexp])
def test_both_modes_and_two_orders(f):
    check_gradients(f, [tf.constant([0.3, -1.2])])


def test_what_the_closure_borrows_is_differentiated_too():
    x = tf.constant(0.5, tf.float64)
    s = 1 / (1 + np.exp(-0.5))
    assert float(derivatives(log1pexp, x, 1)) == pytest.approx(s, rel=1e-12)
    assert float(derivatives(log1pexp, x, 2)) == pytest.approx(s * (1 - s), rel=1e-12)
    assert float(derivatives(log1pexp, x, 3)) == pytest.approx(s * (1 - s) * (1 - 2 * s), rel=1e-12)


def test_second_order_triple():
    x = tf.constant(3.0)
    assert [float(derivatives(cube, x, n)) for n in range(3)] == [27.0, 27.0, 18.0]

    @tf.custom_gradient
    def op(x):
        @tf.custom_gradient
        def first(x):
            return x * 10.0, lambda ddy: ddy * 100.0

        return x * x, lambda dy: dy * first(x)

    assert [float(derivatives(op, x, n)) for n in range(3)] == [9.0, 30.0, 100.0]

    @tf.custom_gradient
    def stopped(x):
        return x * x * x, lambda dy: dy * tf.stop_gradient(3.0 * x * x)

    assert derivatives(stopped, x, 2) is None


def test_forward_mode_uses_the_rule_whatever_the_body():
    x = tf.constant(3.0)
    for body in (lambda x: x * x, lambda x: tf.constant(x.numpy() ** 2), lambda x: tf.stop_gradient(x * x)):
        f = tf.custom_gradient(lambda x, body=body: (body(x), lambda dy: dy * 7.0))
        for tangent, moved in ((1.0, 7.0), (5.0, 35.0)):
            with FA(x, tf.constant(tangent)) as acc:
                y = f(x)
            assert float(acc.jvp(y)) == moved
    hundred = tf.constant(100.0)
    with FA(hundred, tf.constant(1.0)) as acc:
        y = log1pexp(hundred)
    assert float(acc.jvp(y)) == 1.0


@pytest.mark.parametrize("rule", [lambda dy: dy * dy, lambda dy: dy + 1.0, tf.nn.relu, tf.abs])
def test_a_rule_that_is_not_linear_has_no_way_forward(rule):
    f = tf.custom_gradient(lambda x: (x * 1.0, rule))
    x = tf.constant(3.0)
    with pytest.raises(NonLinearGradientError, match="not linear"), FA(x, tf.constant(5.0)):
        f(x)
    with tf.GradientTape() as tape:  # a tape does as it is told
        tape.watch(x)
        y = f(x)
    assert tape.gradient(y, x) is not None


def test_variables():
    v, x = tf.Variable(3.0, name="v"), tf.constant(2.0)
    given = []

    @tf.custom_gradient
    def f(x):
        def grad(dy, variables=None):
            given.extend(one.name for one in variables)
            return dy * v, [dy * x]

        return x * v, grad

    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert [float(one) for one in tape.gradient(y, [x, v])] == [3.0, 2.0]
    assert given == ["v:0"]
    assert tape.watched_variables() == (v,)


def test_the_texts_of_refusals():
    v, x = tf.Variable(3.0, name="v"), tf.constant(2.0)
    with pytest.raises(
        TypeError, match="grad_fn must accept keyword argument 'variables', since function uses variables"
    ):
        tf.custom_gradient(lambda x: (x * v, lambda dy: dy))(x)
    with pytest.raises(TypeError, match="return y, grad"):
        tf.custom_gradient(lambda x: x * 2.0)(x)

    def gradient(f):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = f(x)
        return tape.gradient(y, x)

    with pytest.raises(ValueError, match="expected to return 1 gradients, but returned 2 instead") as refused:
        gradient(tf.custom_gradient(lambda x: (x * 2.0, lambda dy: (dy, dy))))
    assert "(no input)  <-  shape" in str(refused.value)
    with pytest.raises(
        ValueError, match="Must return gradient for each variable from @custom_gradient grad_fn"
    ) as refused:
        gradient(tf.custom_gradient(lambda x: (x * v, lambda dy, variables=None: (dy, []))))
    assert "v  <-  (missing)" in str(refused.value)
    with pytest.raises(ValueError, match=r"gradient of shape \(\) .* for an input of shape \[2\]"):
        f = tf.custom_gradient(lambda x: (x * 2.0, lambda dy: 2.0))
        pair = tf.constant([1.0, 2.0])
        with tf.GradientTape() as tape:
            tape.watch(pair)
            y = f(pair)
        tape.gradient(y, pair)


def test_several_outputs_structures_and_keywords():
    x, y = tf.constant(2.0), tf.constant(7.0)

    @tf.custom_gradient
    def f(pair, *, k=None):
        a, b = pair["a"], pair["b"]

        def grad(da, db):
            return da * b * k + db, da * a * k + db, da * a * b

        return {"p": a * b * k, "s": [a + b]}, grad

    k = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch([x, y, k])
        out = f({"a": x, "b": y}, k=k)
    assert list(out) == ["p", "s"]
    assert [float(one) for one in tape.gradient(out["p"], [x, y, k])] == [21.0, 6.0, 14.0]


def test_a_keyword_without_an_answer_has_no_gradient_and_a_method_works():
    class Scaled:
        @tf.custom_gradient
        def by(self, x, k=1.0):
            return x * k, lambda dy: dy * k

    x, k = tf.constant(2.0), tf.constant(4.0)
    with tf.GradientTape() as tape:
        tape.watch([x, k])
        y = Scaled().by(x, k=k)
    gradients = tape.gradient(y, [x, k])
    assert float(gradients[0]) == 4.0 and gradients[1] is None


def test_one_entry_and_its_bytes():
    x = tf.constant(np.ones(1000))
    before = tf.ledger.held_for_backward
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = log1pexp(x)
    (kept,) = [entry for entry in tape.entries if entry.op == "log1pexp"]
    assert kept.held and tf.ledger.held_for_backward - before == 8000  # e, which the rule and exp's own entry share
    tape.gradient(y, x)
    assert tf.ledger.held_for_backward == before and not kept.held


def test_side_channel_and_identity():
    kept = {}

    @tf.custom_gradient
    def f(x):
        kept["m"] = x * x
        return kept["m"] * 1.0, lambda dy: dy * 100.0

    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = f(x)
    assert float(tape.gradient(y, x)) == 100.0
    assert float(tape.gradient(kept["m"], x)) == 6.0
    assert tape.gradient(y, kept["m"]) is None
    twice = tf.custom_gradient(lambda x: (x, lambda dy: dy * 2.0))
    assert float(derivatives(lambda x: twice(twice(x)), x, 1)) == 4.0


def test_pass_through():
    x = tf.Variable(3.0)
    with tf.GradientTape():
        y = tf.grad_pass_through(lambda x: x.assign(x * x))(x) * 1.0
    assert float(y) == 9.0 and float(x) == 9.0
