"""Early stop: a rerun leaves the function when all that rules will read is there again."""

from __future__ import annotations

import numpy as np
import pytest

import minitape as tf
import viz
from minitape.engine import straight
from minitape.ops import elementwise, linalg
from minitape.recompute import RecomputeMismatchError, policies
from minitape.testing import check_gradients
from tests.core.recompute.measuring import held

FA = tf.autodiff.ForwardAccumulator


class Network:
    """Two layers, the second without an activation: its product is never read in the backward pass."""

    def __init__(self):
        self.w, self.b = tf.Variable([[0.5, -1.0], [0.25, 0.75]]), tf.Variable([0.1, -0.2])
        self.v, self.c = tf.Variable([[1.0], [-2.0]]), tf.Variable([0.3])
        self.reached = []

    def __call__(self, x):
        hidden = tf.tanh(x @ self.w + self.b)
        self.reached.append("hidden")
        y = hidden @ self.v + self.c
        self.reached.append("output")
        return tf.reshape(y, [-1])

    @property
    def variables(self):
        return [self.w, self.b, self.v, self.c]


@pytest.fixture
def again(monkeypatch):
    """Which ops were computed by reruns, in order."""
    computed = []

    def count(row):
        forward = row.forward

        def counted(*args, **params):
            if tf.is_recomputing():
                computed.append(row.name)
            return forward(*args, **params)

        monkeypatch.setattr(row, "forward", counted)
        monkeypatch.setattr(row, "run", straight(row))  # which the engine has written out with the other

    for row in (linalg.matmul_, elementwise.sin, elementwise.exp, elementwise.multiply):
        count(row)
    return computed


def answers(region, network, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = region(x)
        loss = tf.reduce_sum(y * y)
    return y, tape.gradient(loss, [x, *network.variables])


def test_what_is_not_read_is_not_computed_again(again):
    network, x = Network(), tf.constant([[1.0, 2.0], [-0.5, 0.3]])
    y, plain = answers(network, network, x)
    for early_stop, reached, computed in (
        (False, ["hidden", "output", "hidden", "output"], ["matmul", "matmul"]),
        (True, ["hidden", "output", "hidden"], ["matmul"]),
    ):
        network.reached.clear()
        again.clear()
        z, ours = answers(tf.recompute_grad(network, early_stop=early_stop), network, x)
        assert (network.reached, again) == (reached, computed)
        for one, other in zip((z, *ours), (y, *plain), strict=True):
            np.testing.assert_array_equal(one, other)


def test_a_region_of_which_nothing_is_read_does_not_run_again():
    runs = []

    @tf.recompute_grad(early_stop=True)
    def f(x, y):
        runs.append("begins")
        z = tf.reshape(x + y, [4])
        runs.append("ends")
        return -z

    x = tf.ones([2, 2])
    with tf.GradientTape() as tape:
        tape.watch(x)
        z = f(x, x)
    assert tape.gradient(z, x).numpy().tolist() == [[-2.0, -2.0], [-2.0, -2.0]]
    assert runs == ["begins", "ends", "begins"]


def test_numbers_from_outside_are_known_and_numbers_made_inside_are_not(again):
    """A product saves both factors: an argument and a variable are at hand, what is made inside must be made again."""
    v, x, k = tf.Variable(3.0), tf.constant(2.0), tf.constant(5.0)
    for factor, computed in (
        (lambda x, k: k, ["sin"]),
        (lambda x, k: v, ["sin"]),
        (lambda x, k: tf.exp(x), ["sin", "exp"]),
        (lambda x, k: tf.constant(4.0), ["sin", "multiply"]),  # made by no op: one more op, and it is there
    ):

        def f(x, k, factor=factor):
            return tf.sin(x) * factor(x, k) + 1.0

        gradients = []
        for region in (f, tf.recompute_grad(f, early_stop=True)):
            again.clear()
            with tf.GradientTape() as tape:
                tape.watch([x, k])
                y = region(x, k)
            gradients.append([None if one is None else float(one) for one in tape.gradient(y, [x, k, v])])
        assert gradients[0] == gradients[1]
        assert again == computed


def test_a_captured_tensor_gets_its_gradient_through_the_rest():
    x, k = tf.constant([1.0, 2.0]), tf.constant([3.0, 4.0])
    region = tf.recompute_grad(lambda x: tf.sin(x) + k, early_stop=True)
    with tf.GradientTape() as tape:
        tape.watch([x, k])
        y = region(x)
    by_x, by_k = tape.gradient(y, [x, k])
    np.testing.assert_array_equal(by_x, np.cos(x))
    np.testing.assert_array_equal(by_k, [1.0, 1.0])


@pytest.mark.parametrize("mode", ["record", "recompute"])
def test_higher_orders_and_modes(mode):
    w = tf.constant([[0.5, -1.0], [0.25, 0.75]], tf.float64)

    @tf.recompute_grad(early_stop=True, higher_order=mode)
    def f(x):
        return tf.reduce_sum(tf.sin(x @ w) @ w, axis=0)

    check_gradients(f, [tf.constant([[0.3, -1.2]], tf.float64)])


def test_regions_in_regions():
    inner = tf.recompute_grad(lambda x: tf.exp(x) + 1.0, early_stop=True)
    outer = tf.recompute_grad(lambda x: inner(tf.sin(x)) - 2.0, early_stop=True)
    x = tf.constant(0.5, tf.float64)
    ours, plain = held(outer, x), held(lambda x: tf.exp(tf.sin(x)) - 1.0, x)
    np.testing.assert_array_equal(ours.gradients[0], plain.gradients[0])
    assert ours.after == 0


def test_it_runs_to_its_end_where_somebody_looks_on():
    network, x = Network(), tf.constant([[1.0, 2.0]])
    region = tf.recompute_grad(network, early_stop=True)
    with viz.record() as run:
        answers(region, network, x)
    assert network.reached == ["hidden", "output"] * 2 and run is not None
    network.reached.clear()
    with FA(x, tf.ones([1, 2])) as acc:  # forward over backward: the rerun's tangents need its numbers
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = region(x)
        gradient = tape.gradient(y, x)
    assert network.reached == ["hidden", "output"] * 2 and acc.jvp(gradient) is not None


def test_policies_go_with_it(again):
    x = tf.constant(0.5, tf.float64)

    def f(x):
        return tf.exp(tf.sin(tf.sin(x))) + 1.0

    region = tf.recompute_grad(f, early_stop=True, policy=policies.ops("sin"))
    np.testing.assert_array_equal(held(region, x).gradients[0], held(f, x).gradients[0])
    region = tf.recompute_grad(f, early_stop=True, policy=policies.ops("sin"))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = region(x)
    again.clear()
    tape.gradient(y, x)
    assert again == ["exp"]  # exp saves what it makes; the sines were kept


def test_what_runs_again_is_compared_as_ever():
    runs = []

    @tf.recompute_grad(early_stop=True)
    def f(x):
        runs.append(1)
        return tf.sin(tf.sin(x) if len(runs) == 1 else tf.cos(x)) + 1.0

    x = tf.constant(0.5)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    with pytest.raises(RecomputeMismatchError, match="cos"):
        tape.gradient(y, x)


def test_a_function_that_catches_everything_it_can_is_left_all_the_same():
    went_on = []

    @tf.recompute_grad(early_stop=True)
    def f(x):
        y = tf.sin(x)
        try:
            y = y + x
            went_on.append(1)
        except Exception:
            y = y * 100.0
        return y

    x = tf.constant(0.5)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    assert float(tape.gradient(y, x)) == pytest.approx(np.cos(0.5) + 1.0) and went_on == [1]
