"""Recording changes nothing: the same numbers to the last bit, the same errors, and nothing left behind."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import pytest

import viz

tf = pytest.importorskip(
    "tensorflow", reason="TensorFlow is not installed: .ci/tensorflow runs these tests where it is"
)
from . import programs  # noqa: E402


def flat(answers: list[Any]) -> list[Any]:
    return [None if one is None else one.numpy() for one in tf.nest.flatten(answers)]


def run(name: str, recorded: bool) -> list[Any]:
    if not recorded:
        return flat(programs.PROGRAMS[name]())
    with viz.record(tf):
        return flat(programs.PROGRAMS[name]())


def put_on() -> list[Any]:
    """Everything that recording puts on, as it is now."""
    from tensorflow.python.eager import context, record
    from tensorflow.python.framework import constant_op
    from tensorflow.python.ops import resource_variable_ops

    tape, accumulator = dict(vars(tf.GradientTape)), dict(vars(tf.autodiff.ForwardAccumulator))
    variable = resource_variable_ops.ResourceVariable.__dict__["__init__"]
    return [
        tape, accumulator, variable, record.record_operation, record.stop_recording,
        constant_op.convert_to_eager_tensor, len(context.context().op_callbacks),
    ]  # fmt: skip


@pytest.mark.parametrize("name", programs.PROGRAMS)
def test_numbers_are_the_same_to_the_last_bit(name: str) -> None:
    before = put_on()
    plain, recorded = run(name, False), run(name, True)
    assert put_on() == before
    assert len(plain) == len(recorded) > 0
    for one, other in zip(plain, recorded, strict=True):
        assert (one is None) == (other is None)
        assert one is None or (one.dtype == other.dtype and one.tobytes() == other.tobytes())


def asked_twice() -> None:
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    tape.gradient(y, x)
    tape.gradient(y, x)


def shapes_that_do_not_fit() -> None:
    with tf.GradientTape():
        tf.matmul(tf.Variable(tf.ones([2, 3])), tf.ones([2, 3]))


def of_no_tensor() -> None:
    with tf.GradientTape() as tape:
        y = tf.Variable(1.0) * 2.0
    tape.gradient(y, "x")


def watched_too_early() -> None:
    tf.GradientTape().watch(tf.constant(1.0))


def entered_twice() -> None:
    with tf.GradientTape() as tape, tape:
        pass


def stopped_outside() -> None:
    with tf.GradientTape().stop_recording():
        pass


def in_a_rule_of_ones_own() -> None:
    @tf.custom_gradient
    def f(x: Any) -> Any:
        def grad(dy: Any) -> Any:
            raise KeyError("a rule of one's own")

        return x * 2, grad

    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = f(x) * x
    tape.gradient(y, x)


def of_a_rule_with_too_few_answers() -> None:
    @tf.custom_gradient
    def f(x: Any, y: Any) -> Any:
        return x * y, lambda dy: dy

    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = f(x, x)
    tape.gradient(y, x)


def in_a_rerun() -> None:
    calls = []

    @tf.recompute_grad
    def body(a: Any) -> Any:
        calls.append(1)
        if len(calls) > 1:
            raise ValueError("the second time")
        return tf.sin(a)

    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        y = body(x * 2.0)
    tape.gradient(y, x)


def in_a_region() -> None:
    @tf.recompute_grad
    def body(a: Any) -> Any:
        raise ZeroDivisionError(str(a.shape))

    with tf.GradientTape():
        body(tf.Variable(1.0) * 2.0)


def jacobian_by_rows_of_a_tape_that_does_not_persist() -> None:
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = x * x
    tape.jacobian(y, x, experimental_use_pfor=False)


def without_a_derivative() -> None:
    x = tf.Variable([1.0, 2.0])
    with tf.GradientTape() as tape:
        y = tf.raw_ops.NthElement(input=x, n=0)
        z = tf.raw_ops.Bucketize(input=y, boundaries=[1.0])
    assert tape.gradient(z, x) is None
    raise LookupError(tf.shape(y).numpy().tolist())


def recompute_in_forward_mode() -> None:
    f = tf.recompute_grad(lambda a: tf.sin(a) * 2.0)
    x = tf.constant(1.0)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
        y = f(x)
    acc.jvp(y)


def second_order_of_a_region() -> None:
    f = tf.recompute_grad(lambda a: tf.sin(a) * a)
    x = tf.Variable(0.7)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = f(x)
        slope = inner.gradient(y, x)
    outer.gradient(slope, x)


def of_the_program() -> None:
    x = tf.Variable(2.0)
    y = x * 2.0
    raise ZeroDivisionError(f"{y.numpy()}")


ERRORS: list[Callable[[], None]] = [
    asked_twice, shapes_that_do_not_fit, of_no_tensor, watched_too_early, entered_twice, stopped_outside, in_a_rule_of_ones_own,
    of_a_rule_with_too_few_answers, in_a_rerun, in_a_region, jacobian_by_rows_of_a_tape_that_does_not_persist,
    without_a_derivative, recompute_in_forward_mode, second_order_of_a_region, of_the_program,
]  # fmt: skip


@pytest.mark.parametrize("fails", ERRORS, ids=lambda fails: fails.__name__)
def test_an_error_is_still_raised_in_its_own_words(fails: Callable[[], None]) -> None:
    before = put_on()
    with pytest.raises(Exception) as plain:
        fails()
    with pytest.raises(Exception) as recorded, viz.record(tf) as run:
        fails()
    assert put_on() == before
    assert (type(recorded.value), str(recorded.value)) == (type(plain.value), str(plain.value))
    assert run.stream.records[-1].kind == "error"
    assert run.scene.steps[-1]["say"].startswith(f"An error ends the run: {type(plain.value).__name__}")


def test_an_error_does_not_leave_the_next_run_astray() -> None:
    with pytest.raises(RuntimeError), viz.record(tf):
        asked_twice()
    with viz.record(tf) as run:
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = x * x
        slope = tape.gradient(y, x)
    assert slope == 6
    assert run.stream.records[-1].kind == "release"


def test_no_tensor_is_kept_alive() -> None:
    import weakref

    with viz.record(tf) as run:
        x = tf.Variable(tf.ones(64))
        with tf.GradientTape() as tape:
            y = tf.sin(x)
            loss = tf.reduce_sum(y)
        tape.gradient(loss, x)
        dead = weakref.ref(y)
        del y
        gc.collect()
        assert dead() is None
    assert len(run) > 5


def test_names_of_variables_stay() -> None:
    plain = tf.Variable(1.0).name, tf.Variable(1.0, name="w").name
    with viz.record(tf), tf.name_scope("outer"):
        assert (tf.Variable(1.0).name, tf.Variable(1.0, name="w").name) == tuple(f"outer/{one}" for one in plain)


def test_two_at_a_time_are_refused() -> None:
    with viz.record(tf), pytest.raises(RuntimeError, match="recorded already"), viz.record(tf):
        pass
    with viz.record(tf):
        pass


def test_another_thread_is_left_alone() -> None:
    import threading

    answers: list[float] = []

    def work() -> None:
        for at in range(1, 40):
            x = tf.Variable(float(at))
            f = tf.recompute_grad(lambda a: a * a)
            with tf.GradientTape() as tape:
                y = f(x) + x * x
            answers.append(float(tape.gradient(y, x)))

    with viz.record(tf) as run:
        thread = threading.Thread(target=work)
        thread.start()
        for _ in range(10):
            x = tf.Variable(3.0)
            with tf.GradientTape() as tape:
                y = x * x
            assert float(tape.gradient(y, x)) == 6.0
        thread.join()
    assert answers == [4.0 * at for at in range(1, 40)]
    asked = [record for record in run.stream.records if record.kind == "gradient"]
    assert len(asked) == 10 and "region-open" not in {record.kind for record in run.stream.records}
