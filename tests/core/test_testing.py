"""check_gradients: it passes what is right, and catches what is wrong, in words that help."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

import minitape as tf
from minitape.engine import straight
from minitape.primitive import TABLE
from minitape.record.events import state
from minitape.rule import Bound
from minitape.testing import check_gradients, numerical_gradient, numerical_jvp


def test_structures_in_and_out() -> None:
    def program(a: Any, b: Any) -> Any:
        return {"sum": a["x"] + b, "parts": [tf.sin(a["y"][0]) * b, tf.cast(b > 0.0, tf.int32)]}

    check_gradients(program, [{"x": tf.constant([1.0, 2.0]), "y": [tf.constant(0.5)]}, tf.constant([0.3, 0.7])])


def test_variables_empty_and_complex() -> None:
    check_gradients(lambda v: v * v, tf.Variable([1.0, 2.0]))
    check_gradients(lambda x: tf.exp(x), tf.zeros([0]))
    check_gradients(lambda z: tf.exp(z) * tf.math.conj(z), tf.constant([1 + 2j]))


@pytest.fixture
def wrong_sine(monkeypatch: pytest.MonkeyPatch) -> None:
    row = TABLE["sin"]
    monkeypatch.setattr(row, "vjp", (Bound(row, lambda dx, x: dx * tf.cos(x) * 1.001),))
    monkeypatch.setattr(row, "jvp", row.vjp)
    monkeypatch.setattr(row, "plans", {})
    monkeypatch.setattr(row, "pushes", {})
    monkeypatch.setattr(row, "run", straight(row))


@pytest.mark.usefixtures("wrong_sine")
@pytest.mark.parametrize("mode", ["reverse", "forward"])
def test_a_wrong_rule_is_caught_and_named(mode: str) -> None:
    with pytest.raises(AssertionError) as caught:
        check_gradients(lambda y, x: [y, y * tf.sin(x)], [tf.constant(2.0), tf.constant([0.5, 0.6])], modes=[mode])
    text = str(caught.value)
    assert text.startswith(f"wrong derivative: {mode}, order 1, argument 1\n")
    numbers = {line.split()[0]: float(line.split()[-1]) for line in text.splitlines()[1:4]}
    assert abs(numbers[mode] / numbers["central"] - 1.001) < 1e-6
    assert numbers["error"] == pytest.approx(abs(numbers[mode] - numbers["central"]))


@pytest.mark.parametrize("modes", [["reverse"], ["forward"]])
def test_a_rule_that_is_wrong_at_second_order_only(monkeypatch: pytest.MonkeyPatch, modes: list[str]) -> None:
    row = TABLE["exp"]
    # The right number, but one that has left the tape: its own derivative is lost.
    monkeypatch.setattr(row, "vjp", (Bound(row, lambda dx, out: dx * tf.stop_gradient(out)),))
    monkeypatch.setattr(row, "jvp", row.vjp)
    monkeypatch.setattr(row, "plans", {})
    monkeypatch.setattr(row, "pushes", {})
    monkeypatch.setattr(row, "run", straight(row))
    check_gradients(tf.exp, tf.constant(0.5), order=1)
    with pytest.raises(AssertionError, match=f"{modes[0]} over {modes[0]}, order 2"):
        check_gradients(tf.exp, tf.constant(0.5), modes=modes)


def test_a_function_that_bends_sharply_is_not_called_wrong() -> None:
    """Of a polynomial of degree 73 the usual difference is off in the fifth digit, while the derivatives are exact."""
    check_gradients(lambda x, y: x * y**72 * 1e-3, [tf.constant(0.6), tf.constant(1.05)])
    with pytest.raises(AssertionError, match="wrong derivative"):
        check_gradients(lambda x, y: x * y**72 * 1e-3, [tf.constant(0.6), tf.constant(1.05)], tolerance=1e-13)


def test_modes_that_disagree() -> None:
    row = TABLE["reduce_logsumexp"]
    broken = (Bound(row, lambda t, x, axis, keepdims: tf.reduce_sum(t, axis, keepdims)),)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(row, "jvp", broken)
        patch.setattr(row, "pushes", {})  # or what another test found out of the right rule would hold of this one
        with pytest.raises(AssertionError, match="forward, order 1"):
            check_gradients(tf.reduce_logsumexp, tf.constant([1.0, 2.0]))
        check_gradients(tf.reduce_logsumexp, tf.constant([1.0, 2.0]), modes=["reverse"], order=1)


def test_inputs_without_a_slope() -> None:
    with pytest.warns(
        UserWarning, match=r"leaves argument 1 as it is: dtype int32 has no slope. Write 3.0 instead of 3"
    ):
        check_gradients(lambda x, n: x * tf.cast(n, tf.float64), [tf.constant(2.0), tf.constant(3)])
    with pytest.warns(UserWarning, match="argument 0"), pytest.raises(ValueError, match="no input has a slope"):
        check_gradients(lambda n: n, tf.constant(3))
    with pytest.raises(ValueError, match="no output has a slope"):
        check_gradients(lambda x: x > 0.0, tf.constant(3.0))
    with pytest.raises(ValueError, match="'sideways'"):
        check_gradients(tf.sin, tf.constant(3.0), modes=["sideways"])


def test_no_state_stays() -> None:
    np.random.seed(1)
    expected = np.random.random()
    np.random.seed(1)
    gc.collect()  # what earlier tests left to the collector
    before = state.recorders, state.listeners, state.context, state.holder, tf.ledger.reading()
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        check_gradients(tf.sin, x)
        with pytest.raises(AssertionError):
            check_gradients(lambda one: float(one) * one, x)
    assert tape.entries == ()
    del x, tape
    gc.collect()  # a traceback holds its frames in a circle
    assert (state.recorders, state.listeners, state.context, state.holder, tf.ledger.reading()) == before
    assert np.random.random() == expected


def test_the_same_seed_gives_the_same_directions() -> None:
    seen: list[list[float]] = []
    for _ in range(2):
        points: list[float] = []
        check_gradients(lambda x, points=points: (points.append(float(x[0])), x * x)[1], tf.constant([1.0]), order=1)
        seen.append(points)
    assert seen[0] == seen[1]


def test_the_numerical_helpers() -> None:
    x, y = np.array([1.0, 2.0]), np.array(3.0)
    by_x, by_y = numerical_gradient(lambda x, y: x * x * y, [x, y])
    np.testing.assert_allclose(by_x, 2 * x * y, rtol=1e-10)
    np.testing.assert_allclose(by_y, (x * x).sum(), rtol=1e-10)
    change = numerical_jvp(lambda x, y: {"a": x * y, "n": tf.cast(x, tf.int32)}, [x, y], [np.ones(2), np.array(1.0)])
    np.testing.assert_allclose(change["a"], x + y, rtol=1e-10)
    assert change["n"].tolist() == [0.0, 0.0]
