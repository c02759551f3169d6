"""Reversible layers: bytes that do not grow with depth, and the drift that they pay with (check 10)."""

from __future__ import annotations

import numpy as np
import pytest

import minitape as tf
from minitape.recompute import DriftWarning, VariableChangedWarning
from minitape.testing import check_gradients
from tests.core.recompute.measuring import held


def stack(depth, f=tf.sin, g=tf.sin, exact=False):
    return [tf.ReversibleLayer(f, g, exact) for _ in range(depth)]


def plain(depth, f=tf.sin, g=tf.sin):
    def run(a, b):
        for _ in range(depth):
            a = a + f(b)
            b = b + g(a)
        return a, b

    return run


def inputs():
    return tf.constant(np.linspace(0.1, 1.0, 1000)), tf.constant(np.linspace(0.3, 1.0, 1000))


@pytest.mark.parametrize("depth", [4, 16, 64])
def test_held_whatever_the_depth(depth):
    net = tf.ReversibleSequential(stack(depth), drift="off")
    ours, theirs = held(net, *inputs()), held(plain(depth), *inputs())
    assert (ours.forward, ours.peak, ours.after) == (16000, 24000, 0)
    assert theirs.peak == 16000 * depth
    for a, b in zip(ours.gradients, theirs.gradients, strict=True):
        assert np.max(np.abs(a - b)) <= {4: 1e-13, 16: 1e-8, 64: 1e-3}[depth] * np.max(np.abs(b))


def test_layers_one_by_one_are_the_same():
    layers = stack(16)

    def run(a, b):
        for layer in layers:
            a, b = layer(a, b)
        return a, b

    assert held(run, *inputs())[:3] == (16000, 24000, 0)


def test_drift_is_measured_told_and_bounded():
    net = tf.ReversibleSequential(stack(64), tol=1e-12)
    with pytest.warns(DriftWarning, match="anchor_every"):
        held(net, *inputs())
    assert len(net.errors) == 64 and net.errors[0] > net.errors[63]
    with pytest.raises(FloatingPointError, match="layer"):
        held(tf.ReversibleSequential(stack(64), drift="raise", tol=1e-12), *inputs())
    anchored = tf.ReversibleSequential(stack(64), anchor_every=8)
    result = held(anchored, *inputs())
    assert max(anchored.errors.values()) < max(net.errors.values()) / 100
    assert result.forward == 8 * 16000


def test_exact_arithmetic_inverts_to_the_bit():
    net = tf.ReversibleSequential(stack(64, exact=True))
    start = [tf.round(one * 2.0**24) / 2.0**24 for one in inputs()]
    for a, b in zip(net.inverse(*net(*start)), start, strict=True):
        np.testing.assert_array_equal(a, b)
    held(net, *start)
    assert set(net.errors.values()) == {0.0}
    with pytest.raises(OverflowError, match="float64"):
        net(start[0] * 1e12, start[1])


def test_a_block_that_changes_the_shape_is_refused():
    x = tf.constant([1.0, 2.0])
    for block, layer in (
        ("f", tf.ReversibleLayer(tf.reduce_sum, tf.sin)),
        ("g", tf.ReversibleLayer(tf.sin, tf.reduce_sum)),
    ):
        with pytest.raises(ValueError, match=rf"{block} gave shape \(\), to be added to a half of shape \(2,\)"):
            layer(x, x)


def test_the_last_layer_is_said_to_keep_what_it_keeps():
    x = tf.constant(np.ones(1000))
    net = tf.ReversibleSequential(stack(3))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = net(x, x)
    kept = [line.split(";")[1].split(",")[0] for line in tf.explain_recompute(tape).splitlines()]
    assert kept == [" keeps 0 bytes", " keeps 0 bytes", " keeps 16000 bytes"] and y


def test_a_variable_that_changed_is_told_and_not_taken_for_rounding():
    v, x = tf.Variable(2.0, name="v"), tf.constant([0.5])
    net = tf.ReversibleSequential(stack(2, lambda x: tf.sin(x) * v), drift="raise")
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = net(x, x)
    v.assign(0.5)
    with pytest.warns(VariableChangedWarning, match="v:0 has changed .* rebuilds its inputs with the new value"):
        tape.gradient(y, x)


def test_orders_and_modes():
    v = tf.Variable(0.7, dtype=tf.float64)
    net = tf.ReversibleSequential(stack(3, lambda x: tf.sin(x) * v, tf.tanh))
    check_gradients(lambda a, b: net(a, b), [tf.constant([0.5, 0.1]), tf.constant([1.0, -1.0])])


@pytest.mark.parametrize("depth", [1, 2])
def test_in_a_region_under_an_accumulator_inside_of_a_tape(depth):
    net, x = tf.ReversibleSequential(stack(2, tf.tanh, tf.sin)), tf.constant([0.5, -1.0])
    slopes = []
    for regions in (0, depth):

        def f(a):
            return tf.add_n(net(a, a * 0.5))

        for _ in range(regions):
            f = tf.recompute_grad(f)
        with tf.GradientTape() as tape:
            tape.watch(x)
            with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as acc:
                y = f(x)
            slope = acc.jvp(y)
        slopes.append(tape.gradient(slope, x).numpy())
    np.testing.assert_allclose(*slopes, rtol=1e-5)


def test_variables_of_layers():
    v, w = tf.Variable(0.5), tf.Variable(0.25)
    f, g = (lambda x: tf.sin(x) * v), (lambda x: tf.tanh(x * w) * v)
    x = tf.constant([0.2, 0.4])
    gradients = []
    for net in (tf.ReversibleSequential(stack(3, f, g)), plain(3, f, g)):
        with tf.GradientTape() as tape:
            y = net(x, x)
        gradients.append([one.numpy() for one in tape.gradient(y, [v, w])])
    np.testing.assert_allclose(*gradients, rtol=1e-5)
