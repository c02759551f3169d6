"""GradientTape: life cycle, watching, what `gradient`, `jacobian` and `batch_jacobian` answer."""

from __future__ import annotations

import gc
import sys
import threading
import warnings
from typing import Any

import numpy as np
import pytest

import minitape as tf
from minitape.record.events import state
from minitape.record.ledger import FLIGHT

SPENT = "^A non-persistent GradientTape can only"


@pytest.fixture(autouse=True)
def _no_recorder_stays() -> Any:
    yield
    assert state.recorders == ()


def square(persistent: bool = False, at: float = 3.0) -> tuple[tf.GradientTape, Any, Any]:
    x = tf.constant(at)
    with tf.GradientTape(persistent=persistent) as tape:
        tape.watch(x)
        y = x * x
    return tape, x, y


# ---- life cycle -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("first", ["gradient", "jacobian"])
@pytest.mark.parametrize("second", ["gradient", "jacobian", "batch_jacobian"])
def test_a_plain_tape_answers_once(first: str, second: str) -> None:
    tape, x, y = square()
    getattr(tape, first)(y, x)
    with pytest.raises(RuntimeError, match=SPENT):
        getattr(tape, second)(y, x)


def test_also_when_it_was_asked_inside_the_block() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        assert float(tape.gradient(y, x)) == 6.0
        z = x * y
    with pytest.raises(RuntimeError, match=SPENT):
        tape.gradient(z, x)


def test_a_persistent_tape_answers_until_it_is_deleted() -> None:
    tape, x, y = square(persistent=True)
    assert [float(tape.gradient(y, x)) for _ in range(3)] == [6.0] * 3
    assert float(tape.jacobian(y, x)) == 6.0


def test_a_persistent_tape_records_its_own_gradient_inside_the_block() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x * x
        first = tape.gradient(y, x)
    assert float(tape.gradient(first, x)) == 18.0


def test_entering_while_active_is_refused() -> None:
    tape = tf.GradientTape()
    with tape:
        with pytest.raises(ValueError, match=r"^Tape is still recording"):
            with tape:
                pass
        assert state.recorders == (tape,)


def test_entering_again_goes_on_with_the_same_tape() -> None:
    x = tf.constant(3.0)
    tape = tf.GradientTape()
    with tape:
        tape.watch(x)
        y = x * x
    with tape:
        z = y * x
    assert len(tape.entries) == 2
    assert float(tape.gradient(z, x)) == 27.0


def test_reset_forgets_ops_and_watching_but_goes_on() -> None:
    x = tf.Variable(3.0)
    c = tf.constant(2.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(c)
        y = x * x * c
        tape.reset()
        assert tape.watched_variables() == () and tape.entries == ()
        z = x * c
    assert tape.gradient(y, x) is None and tape.gradient(z, c) is None
    assert float(tape.gradient(z, x)) == 2.0


def test_what_reset_lets_go_is_nobodys_by_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry that kept its own output, while the learner has it too, ends without a word."""
    failed: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", failed.append)
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.exp(x)
        tape.reset()
        z = x * y
    assert not failed and len(tape.entries) == 1
    assert tape.gradient(z, x).numpy().tolist() == y.numpy().tolist()


@pytest.mark.parametrize("what", ["reset", "stop_recording"])
def test_only_inside_the_block(what: str) -> None:
    tape, _, _ = square()
    with pytest.raises(ValueError, match=r"^Tape is not recording\."):
        done = getattr(tape, what)()
        done.__enter__()


def test_a_tape_that_was_never_entered_cannot_stop() -> None:
    with pytest.raises(ValueError, match=r"^Tape is not recording\."), tf.GradientTape().stop_recording():
        pass


def test_stop_recording_pauses_this_tape_only() -> None:
    x, v = tf.constant(3.0), tf.Variable(2.0)
    with tf.GradientTape() as outer, tf.GradientTape(persistent=True) as tape:
        outer.watch(x)
        tape.watch(x)
        y = x * x
        with tape.stop_recording():
            hidden = x * v
            inside = tape.gradient(y, x)
        z = y + hidden
    assert tape.watched_variables() == ()
    assert float(inside) == 6.0 and float(tape.gradient(z, x)) == 6.0
    assert tape.gradient(inside, x) is None
    assert outer.watched_variables() == (v,)
    assert float(outer.gradient(z, x)) == 8.0


def test_stop_recording_ends_with_an_exception() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        with pytest.raises(KeyError), tape.stop_recording():
            raise KeyError
        y = x * x
    assert float(tape.gradient(y, x)) == 6.0


def test_an_exception_leaves_no_tape_listening() -> None:
    with pytest.raises(KeyError), tf.GradientTape(), tf.GradientTape() as tape:
        with tape.stop_recording():
            raise KeyError
    assert state.recorders == ()


@pytest.mark.parametrize("arrays", [True, False])
def test_an_exception_in_the_backward_pass_leaves_nothing_behind(arrays: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = tf.multiply.plan((True, True))
    monkeypatch.setattr(plan, "back", (lambda *_: 1 / 0) if arrays else False)
    monkeypatch.setattr(plan, "heard", lambda *_: 1 / 0)
    tape, x, y = square()
    before = state.context, state.holder, state.site, list(tf.ledger.totals)
    with pytest.raises(ZeroDivisionError):
        tape.gradient(y, x)
    assert (state.context, state.holder, state.site) == before[:3]
    assert tf.ledger.totals[FLIGHT] == before[3][FLIGHT]
    with pytest.raises(RuntimeError, match=SPENT):
        tape.gradient(y, x)


def test_what_is_dropped_is_dropped_once() -> None:
    """Letting go of one entry may drop another that was due anyway; a value that is still used must not go with it."""

    def program(x: Any) -> Any:
        values = [x, tf.negative(x)]  # which all go at once, when the function returns
        values.append(tf.tanh(values[0]) * tf.tanh(values[1]))  # keeps both, and both keep their own output
        values.append(tf.square(tf.tanh(values[2])))
        values.append(tf.square(tf.tanh(values[1])))
        return values[-1]

    x = tf.constant(0.5)
    with tf.GradientTape() as outer:  # of two tapes, each is told of every handle
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.identity(program(x))
        slope = inner.gradient(y, x)
    t = np.tanh(0.5)
    assert float(slope) == pytest.approx(2 * t * (1 - t * t), rel=1e-6)
    assert float(outer.gradient(slope, x)) == pytest.approx(2 * (1 - t * t) * (1 - 3 * t * t), rel=1e-5)


def test_each_thread_has_its_own_tapes() -> None:
    x = tf.constant(3.0)
    seen: list[Any] = []
    with tf.GradientTape() as tape:
        tape.watch(x)
        thread = threading.Thread(target=lambda: seen.append((state.recorders, x * x)))
        thread.start()
        thread.join()
    assert seen[0][0] == () and tape.gradient(seen[0][1], x) is None


# ---- watching -------------------------------------------------------------------------------------------------------------


def test_watching_after_the_op_is_too_late() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
        tape.watch(x)
        z = x * 2.0
    assert tape.gradient(y, x) is None and float(tape.gradient(z, x)) == 2.0


def test_watching_an_intermediate_cuts_nothing() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        tape.watch(y)
        z = y * y
    dx, dy = tape.gradient(z, [x, y])
    assert (float(dx), float(dy)) == (108.0, 18.0)


def test_intermediates_are_sources_without_being_watched() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        z = y * y
    assert float(tape.gradient(z, y)) == 18.0


def test_watch_takes_structures() -> None:
    x, y, v = tf.constant(1.0), tf.constant(2.0), tf.Variable(3.0)
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        tape.watch({"a": [x], "b": (y, v)})
        z = x * y * v
    assert [float(one) for one in tape.gradient(z, [x, y, v])] == [6.0, 3.0, 2.0]


@pytest.mark.parametrize(("value", "kind"), [(3.0, "float"), (np.ones(2), "ndarray"), ("x", "str"), (None, "NoneType")])
def test_watch_refuses_what_is_no_tensor(value: Any, kind: str) -> None:
    with tf.GradientTape() as tape, pytest.raises(ValueError, match=f"type '{kind}'"):
        tape.watch(value)


def test_watching_whole_numbers_warns() -> None:
    with tf.GradientTape() as tape:
        with pytest.warns(UserWarning, match=r"must be floating \(e.g. tf.float32\), got tf.int32"):
            tape.watch(tf.constant(3))


def test_watched_variables_come_in_the_order_in_which_they_were_made() -> None:
    a, b, c, d = (tf.Variable(float(i), name=name, trainable=name != "d") for i, name in enumerate("abcd"))
    with tf.GradientTape() as tape:
        c * a
        b.assign_add(1.0)
        d * 2.0
    assert [one.name for one in tape.watched_variables()] == ["a:0", "b:0", "c:0"]
    tape.gradient(a * 1.0, a)
    assert isinstance(tape.watched_variables(), tuple) and len(tape.watched_variables()) == 3
    with tf.GradientTape() as tape:
        tape.watch(d)
    assert tape.watched_variables() == (d,)


def test_an_inner_tape_needs_its_own_watch() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            y = x * x
        assert inner.gradient(y, x) is None


# ---- gradient() -----------------------------------------------------------------------------------------------------------


def test_targets_are_summed_and_a_target_that_is_a_source_adds_its_seed() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * x
    assert float(tape.gradient([x, y], x)) == 7.0
    assert float(tape.gradient({"a": y, "b": [y]}, x)) == 12.0
    assert float(tape.gradient(x, x)) == 1.0
    assert [float(one) for one in tape.gradient(y, [x, x])] == [6.0, 6.0]
    assert tape.gradient(tape.gradient(y, x), x) is None  # the backward pass ran outside of the block


def test_output_gradients() -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y, z = x * x, x * 3.0
    assert tape.gradient(y, x, output_gradients=tf.constant([10.0, 100.0])).numpy().tolist() == [20.0, 400.0]
    assert tape.gradient(y, x, output_gradients=2.0).numpy().tolist() == [4.0, 8.0]
    assert tape.gradient([y, z], x, output_gradients=[None, 2.0]).numpy().tolist() == [8.0, 10.0]
    with pytest.raises(ValueError, match="2 targets and 1 seeds"):
        tape.gradient([y, z], x, output_gradients=[1.0])
    with pytest.raises(tf.errors.InvalidArgumentError, match="do not fit"):
        tape.gradient(y, x, output_gradients=tf.zeros([3]))


@pytest.mark.parametrize("zero", ["zero", tf.UnconnectedGradients.ZERO])
def test_unconnected(zero: Any) -> None:
    x, other = tf.constant([1.0, 2.0]), tf.constant([[1.0]], tf.float64)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, other])
        y = x * x
    assert tape.gradient(y, other) is None
    assert tape.gradient(y, other, unconnected_gradients="none") is None
    found = tape.gradient(y, [other, x], unconnected_gradients=zero)
    assert found[0].numpy().tolist() == [[0.0]] and found[0].dtype == tf.float64
    assert found[1].numpy().tolist() == [2.0, 4.0]
    with pytest.raises(ValueError, match=r"^Unknown value for unconnected_gradients: 'nonsense'"):
        tape.gradient(y, x, unconnected_gradients="nonsense")


def test_equal_constants_are_different_sources() -> None:
    a, b = tf.constant(3.0), tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch([a, b])
        y = a * a
    assert [None if one is None else float(one) for one in tape.gradient(y, [a, b])] == [6.0, None]


def test_whole_numbers_have_no_gradient() -> None:
    x = tf.constant(3.0)
    with warnings.catch_warnings(), tf.GradientTape(persistent=True) as tape:
        warnings.simplefilter("ignore")
        tape.watch(x)
        n = tf.cast(x * x, tf.int32)
        y = x * tf.cast(n, tf.float32)
    assert tape.gradient(n, x) is None
    assert float(tape.gradient(y, x)) == 9.0
    assert tape.gradient(y, n) is None


@pytest.mark.parametrize(
    "op", [tf.round, tf.floor, tf.argmax, lambda x: x > 0.0, lambda x: tf.cast(x, tf.int32), tf.stop_gradient]
)
def test_steps_have_no_gradient(op: Any) -> None:
    x = tf.constant([1.5, 2.5])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = op(x)
    assert tape.gradient(y, x) is None


def test_sign_has_zeros() -> None:
    x = tf.constant([1.5, -2.5])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.sign(x)
    assert tape.gradient(y, x).numpy().tolist() == [0.0, 0.0]


def test_missing_outputs_count_as_zeros() -> None:
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        a, b, c = tf.split(x * x, 3)
        d, e, f = tf.unstack(x)
    assert tape.gradient(b, x).numpy().tolist() == [0.0, 4.0, 0.0]
    assert tape.gradient([a, c], x).numpy().tolist() == [2.0, 0.0, 6.0]
    assert tape.gradient(f, x).numpy().tolist() == [0.0, 0.0, 1.0]


@pytest.mark.parametrize(
    ("program", "at", "expected"),
    [
        (tf.reduce_max, [2.0, 2.0, 1.0], [0.5, 0.5, 0.0]),
        (tf.reduce_min, [2.0, 1.0, 1.0], [0.0, 0.5, 0.5]),
        (lambda x: tf.maximum(x, 2.0), [2.0], [1.0]),
        (lambda x: tf.maximum(2.0, x), [2.0], [0.0]),
        (lambda x: tf.minimum(x, 2.0), [2.0], [1.0]),
        (tf.abs, [0.0], [0.0]),
        (tf.nn.relu, [0.0], [0.0]),
        (tf.norm, [0.0], [np.nan]),
        (lambda x: x**0.0, [0.0], [np.nan]),
        (lambda x: x**2.0, [0.0], [0.0]),
        (tf.sqrt, [0.0], [np.inf]),
        (lambda x: tf.clip_by_value(x, -1.0, 1.0), [-1.0, 1.0, 2.0], [1.0, 1.0, 0.0]),
    ],
)
def test_at_kinks_as_tensorflow(program: Any, at: list[float], expected: list[float]) -> None:
    x = tf.constant(at)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = program(x)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(tape.gradient(y, x).numpy(), np.float32(expected))


def test_a_value_used_twice_adds_up() -> None:
    x, y = tf.constant(2.0), tf.constant(-4.0)
    with tf.GradientTape() as tape:
        tape.watch([x, y])
        z = (x + y) * y
    assert [float(one) for one in tape.gradient(z, [x, y])] == [-4.0, -6.0]


def test_leaving_for_numpy_cuts() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = float(x) * x
        z = tf.constant(x.numpy()) ** 2.0
        w = tf.constant(np.square(x)) * 1.0
    assert float(tape.gradient(y, x)) == 3.0
    assert tape.gradient(z, x) is None and tape.gradient(w, x) is None


# ---- Jacobians --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", [[], [3], [2, 3]])
@pytest.mark.parametrize("source", [[], [2], [2, 2]])
def test_jacobian_has_the_shape_of_both(shape: list[int], source: list[int]) -> None:
    x = tf.constant(np.arange(1.0, 1.0 + np.prod(source)).reshape(source))
    weights = np.random.default_rng(0).normal(size=(*shape, *source))
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(weights * (x * x), list(range(len(shape), len(shape) + len(source))))
    jacobian = tape.jacobian(y, x)
    assert jacobian.shape == shape + source
    np.testing.assert_allclose(jacobian, weights * 2 * x.numpy())


def test_jacobian_of_structures_and_the_unconnected() -> None:
    x, v, other = tf.constant([1.0, 2.0]), tf.Variable(3.0), tf.constant([1.0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch([x, other])
        y = x * x * v
    found = tape.jacobian(y, {"x": x, "v": [v], "other": other})
    assert found["x"].numpy().tolist() == [[6.0, 0.0], [0.0, 12.0]]
    assert found["v"][0].numpy().tolist() == [1.0, 4.0] and found["other"] is None
    assert tape.jacobian(y, other, unconnected_gradients="zero").numpy().tolist() == [[0.0], [0.0]]


def test_jacobian_inside_the_block_and_of_a_jacobian() -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x * x
            first = tape.jacobian(y, x)
    second = outer.jacobian(first, x)
    assert second.shape == [2, 2, 2]
    assert second.numpy()[0, 0, 0] == 6.0 and second.numpy()[1, 1, 1] == 12.0 and second.numpy().sum() == 18.0


def test_jacobians_of_nothing() -> None:
    x = tf.zeros([1, 0])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = x * 2.0
    assert tape.batch_jacobian(y, x).shape == [1, 0, 0]
    assert tape.jacobian(y, x).shape == [1, 0, 1, 0]


def test_batch_jacobian() -> None:
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.stack([x[:, 0] * x[:, 1], x[:, 0] ** 2.0, x[:, 1]], axis=1)
        alone = tf.ones([2, 3])
    found = tape.batch_jacobian(y, x)
    assert found.shape == [2, 3, 2]
    assert found.numpy().tolist() == [[[2, 1], [2, 0], [0, 1]], [[4, 3], [6, 0], [0, 1]]]
    whole = tape.jacobian(y, x).numpy()
    np.testing.assert_array_equal(found, np.stack([whole[i, :, i] for i in range(2)]))
    assert tape.batch_jacobian(alone, x).numpy().tolist() == np.zeros([2, 3, 2]).tolist()


@pytest.mark.parametrize(
    ("target", "source", "text"),
    [
        ([2, 2], [3, 2], "^Need first dimension"),
        ([2], [2, 2], "must have rank at least 2"),
        ([2, 2], [2], "must have rank at least 2"),
    ],
)
def test_batch_jacobian_refuses(target: list[int], source: list[int], text: str) -> None:
    with tf.GradientTape() as tape, pytest.raises(ValueError, match=text):
        tape.batch_jacobian(tf.zeros(target), tf.zeros(source))


@pytest.mark.parametrize("options", [{"experimental_use_pfor": False}, {"parallel_iterations": 3}])
def test_loop_options_need_a_persistent_tape(options: dict[str, Any]) -> None:
    tape, x, y = square()
    with pytest.raises(RuntimeError, match="persistent"):
        tape.jacobian(y, x, **options)
    tape, x, y = square(persistent=True)
    assert float(tape.jacobian(y, x, **options)) == 6.0


def test_garbage_collection_changes_nothing() -> None:
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.exp(tf.sin(x * x))
        gc.collect()
    assert float(tape.gradient(y, x)) == pytest.approx(np.exp(np.sin(4.0)) * np.cos(4.0) * 4.0)


def test_what_another_tape_keeps_stays_known() -> None:
    """The inner tape alone still has `s`: the outer one must not forget where it came from."""
    x, w = tf.constant(0.5), tf.constant(2.0)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(w)
            s = tf.exp(x)
            with outer.stop_recording():
                z = s * w
            del s
        by_w = inner.gradient(z, w)
    assert float(outer.gradient(by_w, x)) == pytest.approx(np.exp(0.5))


def test_the_gradient_through_gather_is_indexed_slices() -> None:
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.gather(x, [2, 0, 2])
    gradient = tape.gradient(y, x)
    assert isinstance(gradient, tf.IndexedSlices) and not isinstance(gradient, tf.Tensor)
    assert gradient.indices.numpy().tolist() == [2, 0, 2] and gradient.values.numpy().tolist() == [1.0, 1.0, 1.0]
    assert tf.convert_to_tensor(gradient).numpy().tolist() == gradient.numpy().tolist() == [1.0, 0.0, 2.0]
    assert type(gradient * 2.0) is tf.Tensor and (gradient * 2.0).numpy().tolist() == [2.0, 0.0, 4.0]


def test_the_slices_of_several_gathers_stand_in_the_order_in_which_they_come_back() -> None:
    """A row of docs/differences.md: 1, 2, 4, 4, 3 in TensorFlow."""
    x = tf.Variable([1.0, 2.0, 3.0, 4.0, 5.0])
    with tf.GradientTape() as tape:
        first, second, third = tf.gather(x, [1, 2]), tf.gather(x, [3]), tf.gather(x, [4, 4])
        y = tf.reduce_sum(first) + tf.reduce_sum(second) * 2.0 + tf.reduce_sum(third) * 3.0
    gradient = tape.gradient(y, x)
    assert isinstance(gradient, tf.IndexedSlices) and gradient.indices.numpy().tolist() == [4, 4, 3, 1, 2]
    assert gradient.values.numpy().tolist() == [3.0, 3.0, 2.0, 1.0, 1.0]


def test_indexed_slices_are_dense_for_a_jacobian_in_a_sum_and_to_an_outer_tape() -> None:
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(x)
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = tf.gather(x * x, [1]) + tf.reduce_sum(tf.gather(x, [2, 2]))
        slope = tape.gradient(y, x)
    assert type(slope) is tf.Tensor and slope.numpy().tolist() == [0.0, 4.0, 2.0]
    assert type(tape.jacobian(y, x)) is tf.Tensor and tape.jacobian(y, x).shape == [1, 3]
    assert outer.gradient(slope, x).numpy().tolist() == [0.0, 2.0, 0.0]


def test_indexed_slices_update_a_variable() -> None:
    table = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
    with tf.GradientTape() as tape:
        y = tf.nn.embedding_lookup(table, [1])
    gradient = tape.gradient(y, table)
    assert table.scatter_sub(gradient).numpy().tolist() == [[1.0, 2.0], [2.0, 3.0]]
    assert table.assign_sub(gradient).numpy().tolist() == [[1.0, 2.0], [1.0, 2.0]]


def test_a_seed_of_none_is_ones() -> None:
    """A row of docs/differences.md: TensorFlow refuses a list with a None in it."""
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = [x * x, x * 3.0]
    assert float(tape.gradient(y, x, output_gradients=[None, tf.constant(2.0)])) == 12.0


@pytest.mark.parametrize(
    ("picked", "slices"),
    [
        (lambda x: tf.gather(x, [2, 0]), True),
        (lambda x: tf.gather_nd(x, [[2], [0]]), True),
        (lambda x: tf.gather_nd(x, [[[2]], [[0]]]), False),
        (lambda x: tf.boolean_mask(x, [True, False, True]), False),
        (lambda x: tf.repeat(x, [1, 0, 1]), False),
        (lambda x: tf.dynamic_partition(x, [0, 1, 0], 2)[0], False),
    ],
)
def test_what_picks_rows_has_indexed_slices_where_tensorflow_has(picked: Any, slices: bool) -> None:
    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = picked(x)
    gradient = tape.gradient(y, x)
    assert isinstance(gradient, tf.IndexedSlices) is slices
    assert tf.convert_to_tensor(gradient).numpy().tolist() == [1.0, 0.0, 1.0]


@pytest.mark.parametrize(
    "composed",
    [
        lambda x: tf.tensordot(x, tf.eye(2), 1),
        lambda x: tf.scatter_nd([[0], [2], [2]], x, [4, 2]),
        lambda x: tf.math.unsorted_segment_sum(x, [0, 1, 0], 2),
        lambda x: tf.keras.ops.moveaxis(x, 0, 0) * 2.0,
    ],
)
def test_a_tape_writes_nothing_down_that_changes_nothing(composed: Any) -> None:
    """A product of two matrices was four entries, of which three had the shape that was there."""
    x = tf.Variable([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    with tf.GradientTape() as tape:
        y = composed(x)
    assert len(tape.entries) == 1
    assert tape.gradient(y, x).shape == (3, 2)


@pytest.mark.parametrize("joined", [tf.stack, lambda parts: tf.concat([part[None] for part in parts], 0)])
def test_the_way_back_through_what_joins_many_is_one_op(joined: Any) -> None:
    """A list of losses that is stacked: each of them had all of them taken apart once more."""
    w = tf.Variable(1.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(joined([w * float(i) for i in range(40)]) ** 2)
        slope = tape.gradient(loss, w)
        back = [entry.op for entry in outer.entries if entry.phase == "gradient"]
    assert sum(back.count(op) for op in ("unstack", "split")) == 1
    assert float(slope) == 2.0 * sum(i * i for i in range(40))


def test_add_n_is_one_entry_and_takes_one_shape() -> None:
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.add_n([x * x, x, x])
    assert [entry.op for entry in tape.entries] == ["multiply", "add_n"]
    assert tape.gradient(y, x).numpy().tolist() == [4.0, 6.0]
    with pytest.raises(
        tf.errors.InvalidArgumentError, match=r"AddN must have the same size.*\(2,\) != input 2: \(1,\)"
    ):
        tf.add_n([x, x, tf.constant([1.0])])
