"""ForwardAccumulator: construction, look-ups, nesting, what it holds."""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np
import pytest

import minitape as tf
from minitape.record.events import state

Accumulator = tf.autodiff.ForwardAccumulator


@pytest.fixture(autouse=True)
def _no_recorder_stays() -> Any:
    yield
    assert state.recorders == ()


def test_several_primals_at_once() -> None:
    x, y = tf.constant(2.0), tf.Variable([3.0, 4.0])
    with Accumulator({"x": x, "y": [y]}, {"x": tf.constant(1.0), "y": [tf.constant([10.0, 20.0])]}) as acc:
        z = x * y
    assert acc.jvp(z).numpy().tolist() == [3.0 + 20.0, 4.0 + 40.0]


def test_a_look_up_is_no_computation() -> None:
    x = tf.constant(3.0)
    with Accumulator(x, tf.constant(1.0)) as acc:
        y = x * x
    assert [float(acc.jvp(y)) for _ in range(3)] == [6.0] * 3
    assert float(acc.jvp(x)) == 1.0
    assert acc.jvp(y).ref() == acc.jvp(y).ref()
    assert float(Accumulator(x, tf.constant(5.0)).jvp(x)) == 5.0  # also before it was entered


def test_structures_and_the_unconnected() -> None:
    x, c = tf.constant(3.0), tf.constant([1.0, 2.0], tf.float64)
    with Accumulator(x, tf.constant(1.0)) as acc:
        y = x * x
    found = acc.jvp({"a": [y, c], "b": x})
    assert float(found["a"][0]) == 6.0 and found["a"][1] is None and float(found["b"]) == 1.0
    zero = acc.jvp(c, unconnected_gradients="zero")
    assert zero.numpy().tolist() == [0.0, 0.0] and zero.dtype == tf.float64
    with pytest.raises(ValueError, match="nonsense"):
        acc.jvp(y, unconnected_gradients="nonsense")


def test_only_while_it_listens() -> None:
    x = tf.constant(3.0)
    before = x * x
    acc = Accumulator(x, tf.constant(1.0))
    with acc:
        y = x * x
    between = x * 5.0
    with acc:
        z = y * x
        lost = between * 2.0
    assert acc.jvp(before) is None and acc.jvp(between) is None and acc.jvp(lost) is None
    assert float(acc.jvp(z)) == 27.0


@pytest.mark.parametrize(
    ("primals", "tangents", "text"),
    [
        (lambda x: [x, x], lambda: [tf.constant(1.0)] * 2, "multiple times"),
        (lambda x: x, lambda: tf.constant(1.0, tf.float64), "dtype"),
        (lambda x: x, lambda: tf.constant([1.0]), "does not fit its primal"),
        (lambda x: tf.zeros([2]), lambda: tf.zeros([3]), r"\(3,\).*\(2,\)"),
        (lambda x: [x, tf.constant(1.0)], lambda: [tf.constant(1.0)], "structure"),
        (lambda x: 3.0, lambda: 1.0, "a primal must be a tensor"),
    ],
)
def test_what_does_not_fit_is_refused(primals: Any, tangents: Any, text: str) -> None:
    with pytest.raises(ValueError, match=text):
        Accumulator(primals(tf.constant(3.0)), tangents())


def test_python_floats_are_tangents_too() -> None:
    x = tf.constant(3.0, tf.float64)
    with Accumulator(x, 2.0) as acc:
        y = x * x
    assert float(acc.jvp(y)) == 12.0 and acc.jvp(y).dtype == tf.float64


def test_whole_numbers_carry_no_tangent() -> None:
    n = tf.constant(3)
    with pytest.warns(UserWarning, match=r"must be floating \(e.g. tf.float32\), got tf.int32"):
        acc = Accumulator(n, tf.constant(1))
    with acc:
        y = n * n
    assert acc.jvp(y) is None


def test_entering_while_active_is_refused() -> None:
    acc = Accumulator(tf.constant(3.0), tf.constant(1.0))
    with acc:
        with pytest.raises(ValueError, match=r"^Accumulator is already recording"):
            with acc:
                pass
        assert state.recorders == (acc,)


def test_an_exception_leaves_no_accumulator_listening() -> None:
    with pytest.raises(KeyError), Accumulator(tf.constant(3.0), tf.constant(1.0)):
        raise KeyError
    assert state.recorders == ()


def test_variables() -> None:
    v = tf.Variable(3.0)
    with Accumulator(v, tf.constant(1.0)) as acc:
        y = v * v
        v.assign(5.0)
        z = v * v
        read = v.value() * 2.0
    assert [float(acc.jvp(one)) for one in (y, z, read, v)] == [6.0, 10.0, 2.0, 1.0]


def test_nested_accumulators_on_a_variable() -> None:
    v = tf.Variable(2.0)
    with Accumulator(v, tf.constant(1.0)) as outer, Accumulator(v, tf.constant(1.0)) as inner:
        y = v**3.0
    assert float(outer.jvp(inner.jvp(y))) == pytest.approx(12.0)


def test_nested_forward_mode_through_identity_is_right() -> None:
    x = tf.constant(0.7)
    with Accumulator(x, tf.constant(1.0)) as outer, Accumulator(x, tf.constant(1.0)) as inner:
        m = tf.identity(x)
        y = (m * m) * m
    assert float(outer.jvp(inner.jvp(y))) == pytest.approx(4.2, rel=1e-6)


def test_two_side_by_side() -> None:
    x = tf.constant(2.0)
    with Accumulator(x, tf.constant(1.0)) as one, Accumulator(x, tf.constant(10.0)) as two:
        y = x * x
    assert (float(one.jvp(y)), float(two.jvp(y))) == (4.0, 40.0)


def test_jvp_of_none_is_none() -> None:
    x = tf.constant(2.0)
    with Accumulator(x, tf.constant(1.0)) as outer, Accumulator(x, tf.constant(1.0)) as inner:
        y = x * x
    assert inner.jvp(outer.jvp(y)) is None
    assert outer.jvp(inner.jvp(outer.jvp(y))) is None


def test_it_holds_tensors_weakly() -> None:
    x = tf.constant(2.0)
    with Accumulator(x, tf.constant(1.0)) as acc:
        y = x * x
        tangent = weakref.ref(acc._tangents[y.tag])
        gone = weakref.ref(y)
        del y
        assert gone() is None and tangent() is None
        del x
    assert acc._tangents == {}


def test_steps_and_stopped_gradients() -> None:
    x = tf.constant(2.5)
    with Accumulator(x, tf.constant(1.0)) as acc:
        stopped = tf.stop_gradient(x) * x
        rounded = tf.round(x)
    assert float(acc.jvp(stopped)) == 2.5 and acc.jvp(rounded) is None


def test_through_loops_and_branches() -> None:
    x = tf.constant(2.0)
    with Accumulator(x, tf.constant(1.0)) as acc:
        _, y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), [tf.constant(0), tf.constant(1.0)])
        z = tf.cond(x > 0.0, lambda: y * 2.0, lambda: y)
        w = tf.function(lambda one: one * one)(x)
    assert [float(acc.jvp(one)) for one in (y, z, w)] == [12.0, 24.0, 4.0]


def test_columns_of_a_jacobian() -> None:
    x = tf.constant([1.0, 2.0, 3.0])

    def program(x: Any) -> Any:
        return tf.stack([x[0] * x[1], tf.reduce_sum(x * x)])

    with tf.GradientTape() as tape:
        tape.watch(x)
        y = program(x)
    by_rows = tape.jacobian(y, x).numpy()
    columns = []
    for unit in np.eye(3, dtype=np.float32):
        with Accumulator(x, tf.constant(unit)) as acc:
            columns.append(acc.jvp(program(x)).numpy())
    np.testing.assert_allclose(np.stack(columns, 1), by_rows)
    with Accumulator._batch_accumulator(x, tf.eye(3)) as acc:
        batch = acc.jvp(program(x))
    np.testing.assert_allclose(batch.numpy().T, by_rows)


def test_a_batch_of_directions_inside_of_a_tape() -> None:
    w, x = tf.Variable([[1.0, 2.0], [3.0, -1.0]]), tf.constant([0.5, -0.3])

    @tf.recompute_grad
    def layer(x: Any) -> Any:
        return tf.reduce_sum(tf.tanh(w * x), 1) * x

    @tf.custom_gradient
    def cube(x: Any) -> Any:
        return x * x * x, lambda g: g * 3.0 * x * x

    def norm(jacobian_of: Any) -> Any:
        with tf.GradientTape() as tape:
            jacobian = jacobian_of(lambda x: cube(layer(x)))
            size = tf.reduce_sum(jacobian * jacobian)
        return jacobian.numpy(), tape.gradient(size, w).numpy()

    def at_once(program: Any) -> Any:
        with Accumulator._batch_accumulator(x, tf.eye(2)) as acc:
            y = program(x)
        return acc.jvp(y)

    def each(program: Any) -> Any:
        rows = []
        for unit in np.eye(2, dtype=np.float32):
            with Accumulator(x, tf.constant(unit)) as acc:
                y = program(x)
            rows.append(acc.jvp(y))
        return tf.stack(rows)

    for one, other in zip(norm(at_once), norm(each), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5)


@pytest.mark.parametrize("shape", [[], [2], [0, 2], [2, 3], [1, 2, 2]])
def test_a_batch_of_another_shape_is_refused(shape: list[int]) -> None:
    with pytest.raises(ValueError, match=r"a batch of tangents for \(2,\) has one more axis in front"):
        Accumulator._batch_accumulator(tf.constant([1.0, 2.0]), tf.zeros(shape))
    with pytest.raises(ValueError, match=r"shape \[3, \*\[\]\], not \[2\]"):
        Accumulator._batch_accumulator([tf.constant(1.0), tf.constant(2.0)], [tf.zeros([3]), tf.zeros([2])])


def test_a_wrong_word_for_unconnected_is_named() -> None:
    x = tf.constant(1.0)
    with tf.autodiff.ForwardAccumulator(x, 1.0) as accumulator:
        y = x * x
    with pytest.raises(ValueError, match="'zap' is not a valid UnconnectedGradients"):
        accumulator.jvp(y, unconnected_gradients="zap")
