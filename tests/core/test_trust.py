"""Nothing wrong in silence: each program here once gave a wrong number, a wrong ledger or a bare error."""

from __future__ import annotations

import asyncio
import copy
import gc
import os
import pickle
import subprocess
import sys
import threading
import time
import tracemalloc
import warnings
from collections.abc import Callable
from concurrent import futures
from typing import Any

import numpy as np
import pytest

import minitape as tf
from minitape.record.events import listening, state, ticks

Array = np.ndarray

WAYS: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda one: pickle.loads(pickle.dumps(one)),
}


def balance() -> dict[str, int]:
    gc.collect()
    return tf.ledger.reading()


# ---- copies mean something ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("way", WAYS)
def test_a_copied_tensor_is_itself_and_a_pickled_one_a_constant(way: str) -> None:
    before = balance()
    x = tf.ones([1000])
    y = WAYS[way](x)
    assert (y is x) == (way != "pickle")
    assert balance()["python"] - before["python"] == (8000 if way == "pickle" else 4000)
    assert y.array.base is None and (y.numpy() == 1).all()
    del x, y
    assert balance() == before


def test_a_deep_copy_keeps_the_gradient() -> None:
    x = tf.constant(3.0)
    with warnings.catch_warnings(), tf.GradientTape() as tape:
        warnings.simplefilter("error")
        tape.watch(x)
        y = copy.deepcopy({"x": x})["x"] * x
        slope = tape.gradient(y, x)
    assert float(slope) == 6.0  # as TensorFlow


def test_a_pickle_leaves_the_tape_and_the_tape_says_so() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = pickle.loads(pickle.dumps(x)) * x
    with pytest.warns(tf.errors.LeftTheTape, match="pickle"):
        assert float(tape.gradient(y, x)) == 3.0  # as TensorFlow, which says nothing


def test_a_watched_tensor_can_be_pickled() -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape, tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)):
        tape.watch(x)
        y = x * x
        assert pickle.loads(pickle.dumps(y)).numpy().tolist() == [1.0, 4.0]
    assert tape.gradient(y, x).numpy().tolist() == [2.0, 4.0]


@pytest.mark.parametrize("dtype", ["float64", "int32", "bool", "complex64"])
def test_dtypes_survive(dtype: str) -> None:
    x = tf.constant(np.ones([2, 3]).astype(dtype))
    again = pickle.loads(pickle.dumps(x))
    assert again.dtype is x.dtype and copy.deepcopy(x.dtype) is x.dtype and again.shape == x.shape


def test_text_survives() -> None:
    assert pickle.loads(pickle.dumps(tf.constant(["a", "bc"]))).numpy().tolist() == [b"a", b"bc"]


@pytest.mark.parametrize("way", ["deepcopy", "pickle"])
def test_another_variable_has_all_but_the_place(way: str) -> None:
    before = balance()
    with tf.name_scope("room"):
        v = tf.Variable([1.0, 2.0], trainable=False, name="v", shape=[None], constraint=tf.nn.relu)
    with tf.name_scope("elsewhere"):
        other = WAYS[way](v)
    assert other is not v and (other.name, other.trainable, other.shape) == (v.name, False, v.shape)
    assert other.constraint is v.constraint
    other.assign([5.0, 6.0, 7.0])
    assert v.numpy().tolist() == [1.0, 2.0]
    assert balance()["variable"] - before["variable"] == 20
    del v, other
    assert balance() == before


def test_a_shallow_copy_of_a_variable_is_the_variable() -> None:
    v = tf.Variable(1.0)
    assert copy.copy(v) is v  # as TensorFlow


def test_a_part_of_a_variable_is_copied_as_the_tensor_that_it_is() -> None:
    v = tf.Variable([1.0, 2.0])
    part = v[1:]
    assert copy.deepcopy(part) is part and type(pickle.loads(pickle.dumps(part))) is type(tf.constant(1.0))


class Twice(tf.keras.Model):
    def __init__(self) -> None:
        super().__init__()
        self.dense = tf.keras.layers.Dense(2)

    def call(self, x: Any) -> Any:
        return self.dense(x) * 2.0


def sequential() -> Any:
    return tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(4, "relu"), tf.keras.layers.Dense(2)])


def functional() -> Any:
    x = tf.keras.Input((3,))
    h = tf.keras.layers.Dense(4, activation="tanh")(x)
    return tf.keras.Model(x, tf.keras.layers.Concatenate()([tf.keras.layers.Dense(1)(h), tf.keras.layers.Dense(1)(h)]))


X, Y = np.linspace(0, 1, 12, dtype=np.float32).reshape(4, 3), np.ones((4, 2), np.float32)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("make", [sequential, functional, Twice])
def test_a_copied_model_has_weights_and_memory_of_its_own(make: Callable[[], Any], way: str) -> None:
    before = balance()
    model = make()
    model.compile(tf.keras.optimizers.Adam(0.1), "mse", metrics=["mae"])
    model.fit(X, Y, epochs=2, verbose=0, shuffle=False)
    twin = WAYS[way](model)
    assert [each.path for each in twin.variables] == [each.path for each in model.variables]
    assert not {id(each) for each in twin.variables} & {id(each) for each in model.variables}
    said = twin.predict(X, verbose=0)
    assert (said == model.predict(X, verbose=0)).all()
    assert int(twin.optimizer.iterations) == int(model.optimizer.iterations) == 2
    model.fit(X, Y, verbose=0, shuffle=False)
    assert (twin.predict(X, verbose=0) == said).all()
    twin.fit(X, Y, verbose=0, shuffle=False)
    assert (twin.predict(X, verbose=0) == model.predict(X, verbose=0)).all()
    assert twin.count_params() == model.count_params()
    if make is not Twice:
        assert twin.output_shape == model.output_shape and twin.layers[-1].output is twin.output
    del model, twin
    after = balance()
    assert {name: after[name] - before[name] for name in ("variable", "tape", "held_for_backward")} == dict.fromkeys(
        ("variable", "tape", "held_for_backward"), 0
    )


@pytest.mark.parametrize("way", WAYS)
def test_a_copied_layer_shares_nothing_and_leaves_its_model(way: str) -> None:
    model = sequential()
    layer = model.layers[0]
    twin = WAYS[way](layer)
    assert twin.kernel is not layer.kernel and (twin.kernel.numpy() == layer.kernel.numpy()).all()  # as Keras
    assert twin(tf.ones([1, 3])).shape == [1, 4]
    with pytest.raises(AttributeError):
        _ = twin.output


@pytest.mark.parametrize("way", WAYS)
def test_an_optimizer_copied_alone_begins_anew(way: str) -> None:
    optimizer, w = tf.keras.optimizers.Adam(0.25), tf.Variable(1.0)
    optimizer.apply_gradients([(tf.constant(1.0), w)])
    twin = WAYS[way](optimizer)
    assert (int(twin.iterations), float(twin.learning_rate)) == (0, 0.25)  # as Keras
    twin.learning_rate = 0.5
    twin.apply_gradients([(tf.constant(1.0), tf.Variable(2.0))])
    assert float(optimizer.learning_rate) == 0.25 and int(optimizer.iterations) == 1


def recorded() -> tuple[Any, Any, Any, Any]:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape, tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
        tape.watch(x)
        y = x * x
    return x, y, tape, acc


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("which", ["tape", "accumulator", "entry", "tag"])
def test_there_is_one_of_each_recorder(which: str, way: str) -> None:
    before = balance()
    x, y, tape, acc = recorded()
    one = {"tape": tape, "accumulator": acc, "entry": tape.entries[0], "tag": x.tag}[which]
    if way == "copy" or (which, way) == ("tag", "deepcopy"):
        assert WAYS[way](one) is one
    elif which != "tag":
        with pytest.raises(TypeError, match="cannot be copied deeply or pickled") as caught:
            WAYS[way](one)
        assert caught.value.site.filename == __file__ or way == "deepcopy"
        del caught
    assert float(tape.gradient(y, x)) == float(acc.jvp(y)) == 6.0
    del x, y, tape, acc, one
    assert balance() == before


# ---- a custom gradient keeps what its rule needs ---------------------------------------------------------------------------


def body(x: Any, steps: int = 50) -> Any:
    for _ in range(steps):
        x = tf.sin(x)
    return x


@tf.custom_gradient
def through(x: Any) -> Any:
    y = body(x)

    def grad(up: Any) -> Any:
        return up * y

    return y, grad


@pytest.mark.parametrize("outer", [False, True])
def test_a_rule_that_uses_its_output_holds_one_array(outer: bool) -> None:
    x = tf.Variable(tf.ones([1000]))
    before = balance()
    acc = tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) if outer else tf.name_scope("nothing")
    with acc, tf.GradientTape() as tape:
        tf.ledger.restart_peak()
        y = through(x)
        peak = tf.ledger.restart_peak() - before["live"]
        assert peak <= (10 if outer else 3) * 4000  # a few values in flight, not the fifty of the body
        assert balance()["held_for_backward"] - before["held_for_backward"] == 4000
    np.testing.assert_allclose(tape.gradient(y, x), y)


def test_an_outer_tape_still_differentiates_what_the_rule_borrows() -> None:
    x = tf.constant(0.7)
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = through(x)
        slope = inner.gradient(y, x)
    want = tf.constant(0.7)
    with tf.GradientTape() as plain:
        plain.watch(want)
        end = body(want)
    np.testing.assert_allclose(outer.gradient(slope, x), plain.gradient(end, want), rtol=1e-6)  # as TensorFlow


def test_what_leaks_from_a_hidden_body_is_told() -> None:
    kept: list[Any] = []

    @tf.custom_gradient
    def leaks(x: Any) -> Any:
        kept.append(x * x)
        y = tf.sin(kept[0])
        return y, lambda up: up * y

    x = tf.constant(3.0)
    with tf.GradientTape(persistent=False) as tape:
        tape.watch(x)
        z = leaks(x) + kept[0]
    with pytest.warns(tf.errors.LeftTheTape, match="inside of a custom gradient"):
        tape.gradient(z, x)
    assert "one more output" in str(tape.why(kept[0], x))


def test_four_hundred_reversible_steps_by_hand() -> None:
    steps = 400

    def move(a: Any, b: Any) -> tuple[Any, Any]:
        a = a + tf.tanh(b)
        return a, b + tf.sin(a)

    @tf.custom_gradient
    def chain(a: Any, b: Any) -> Any:
        for _ in range(steps):
            a, b = move(a, b)
        ends = a, b

        def grad(da: Any, db: Any) -> Any:
            a, b = ends
            for _ in range(steps):
                b = b - tf.sin(a)
                da = da + db * tf.cos(a)
                a = a - tf.tanh(b)
                db = db + da * (1.0 - tf.tanh(b) ** 2)
            return da, db

        return ends, grad

    def by_hand(first: Array, second: Array) -> Any:
        """The same program in NumPy: it has its inputs and its results, and goes back from these."""
        a, b = first, second
        for _ in range(steps):
            a = a + np.tanh(b)
            b = b + np.sin(a)
        ends = a, b
        da, db = np.ones_like(a), np.zeros_like(b)
        for _ in range(steps):
            b = b - np.sin(a)
            da = da + db * np.cos(a)
            a = a - np.tanh(b)
            db = db + da * (1 - np.tanh(b) ** 2)
        return (da, db), ends

    def run() -> Any:
        a, b = tf.constant(start), tf.constant(start)
        with tf.GradientTape() as tape:
            tape.watch([a, b])
            y, _ = chain(a, b)
        return tape.gradient(y, [a, b])

    start = np.linspace(0.1, 0.2, 10_000)
    before = balance()["live"]
    tf.ledger.restart_peak()
    run()
    ours = tf.ledger.restart_peak() - before
    tracemalloc.start()
    by_hand(start.copy(), start.copy())
    theirs = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert ours < 1.3 * theirs, (
        ours / start.nbytes,
        theirs / start.nbytes,
    )  # 400 arrays, while the body stayed on the tape
    short = np.linspace(0.1, 0.2, 3)
    steps, start = 5, short
    np.testing.assert_allclose(np.array(run()), np.array(by_hand(short, short)[0]), rtol=1e-9)


# ---- wrong numbers in silence -----------------------------------------------------------------------------------------------


def told(category: type[Warning], program: Callable[[], Any], match: str = "") -> Any:
    """What the program answers, while it warns at a line of this file."""
    with pytest.warns(category, match=match) as heard:
        answer = program()
    assert [one.filename for one in heard if issubclass(one.category, category)][:1] == [__file__]
    return answer


def jacobian(batch: bool = False) -> Any:
    v = tf.Variable([[2.0]])
    with tf.GradientTape() as tape:
        y = float(v[0, 0]) * v
    return tape.batch_jacobian(y, v) if batch else tape.jacobian(y, v)


def tangent() -> Any:
    x = tf.constant(3.0)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
        y = float(x) * x
    return acc.jvp(y)


def variable_inside() -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.Variable(x) * x
    return tape.gradient(y, x)


def long() -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = float(x) * x
        for _ in range(2500):
            y = y + 0.0
    return tape.gradient(y, x)


def in_a_thread(forward: bool = False) -> Any:
    x, found = tf.constant(3.0), []
    with tf.GradientTape() as tape, tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
        tape.watch(x)
        worker = threading.Thread(target=lambda: found.append(x * x))
        worker.start()
        worker.join()
        y = found[0] + x
    return acc.jvp(y) if forward else tape.gradient(y, x)


def in_an_older_thread() -> Any:
    """One that has computed before the tape was entered, and still lives when it answers."""
    x, found = tf.constant(3.0), []
    with futures.ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: x * x).result()
        with tf.GradientTape() as tape:
            tape.watch(x)
            found.append(pool.submit(lambda: x * x).result())
            y = found[0] + x
        return tape.gradient(y, x)


@pytest.mark.parametrize(
    ("program", "answer", "match"),
    [
        (jacobian, 2.0, "left the tape"),
        (lambda: jacobian(True), 2.0, "left the tape"),
        (tangent, 3.0, "left the accumulator"),
        (variable_inside, 3.0, "tf.Variable took the value of x"),
        (long, 3.0, "left the tape"),
        (in_a_thread, 1.0, "ran in another thread"),
        (lambda: in_a_thread(True), 1.0, "ran in another thread"),
        (in_an_older_thread, 1.0, "ran in another thread"),
    ],
    ids=[
        "jacobian",
        "batch_jacobian",
        "accumulator",
        "variable inside",
        "long",
        "thread",
        "thread, forward",
        "older thread",
    ],
)
def test_a_use_that_is_missed_is_told(program: Callable[[], Any], answer: float, match: str) -> None:
    assert float(tf.reshape(told(tf.errors.LeftTheTape, program, match), [])) == answer


def test_threads_that_ended_are_asked_about_no_more() -> None:
    before, during = set(state.alive.threads), set()

    def compute() -> None:
        tf.constant(1.0) * 2.0
        during.update(state.alive.threads)

    started = next(ticks)
    worker = threading.Thread(target=compute)
    worker.start()
    worker.join()
    assert len(during - before) == 1
    assert state.alive.threads <= before and state.others_until > started


def test_why_knows_of_threads() -> None:
    x, found = tf.constant(3.0), []
    with tf.GradientTape() as tape:
        tape.watch(x)
        worker = threading.Thread(target=lambda: found.append(x * x))
        worker.start()
        worker.join()
    assert tape.gradient(found[0], x) is None
    assert "in another thread" in str(tape.why(found[0], x))


def test_a_watched_row_spread_over_a_table_is_summed_and_told() -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * tf.constant([[1.0, 2.0], [3.0, 4.0]])
    assert told(tf.errors.SummedTarget, lambda: tape.gradient(y, x)).numpy().tolist() == [4.0, 6.0]


def test_a_second_source_that_is_taken_for_a_seed_is_told() -> None:
    w, b = tf.Variable(2.0), tf.Variable(5.0)
    with tf.GradientTape(persistent=True) as tape:
        loss = w * 3.0 + b
    slope = told(tf.errors.TakenAsSeed, lambda: tape.gradient(loss, w, b), r"tape\.gradient\(loss, \[w, b\]\)")
    assert float(slope) == 15.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tape.gradient(loss, w, output_gradients=b)  # it is meant
        tape.gradient(loss, w, tf.constant(2.0))


def test_a_column_minus_a_row_is_told() -> None:
    w = tf.Variable([[1.0]])
    x, y = tf.constant([[1.0], [2.0], [3.0]]), tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ w - y) ** 2)
    told(tf.errors.SpreadOut, lambda: tape.gradient(loss, w), r"\[3, 1\] and \[3\] made \[3, 3\]")
    with tf.GradientTape() as tape, warnings.catch_warnings():
        warnings.simplefilter("error")
        z = tf.squeeze(x @ w, 1)
        loss = tf.reduce_mean((z[:, tf.newaxis] - z) ** 2)  # all pairs, on purpose
        tape.gradient(loss, w)


def test_a_mask_is_not_dropped_in_silence() -> None:
    masked = np.ma.array([1.0, 2.0], mask=[False, True])
    assert told(tf.errors.MaskDropped, lambda: tf.constant(masked)).shape == [2]
    told(tf.errors.MaskDropped, lambda: tf.ones(2, "float64") * masked)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tf.constant(np.ma.array([1.0, 2.0]))


def changing() -> dict[str, tuple[Callable[[Any], Any], Callable[[], None]]]:
    generator, count, array, listed = np.random.default_rng(1), [0], np.array([1.0, 2.0, 3.0]), [1.0]

    def counted(x: Any) -> Any:
        count[0] += 1
        return x * float(count[0])

    return {
        "generator": (lambda x: x * (generator.random(3) > 0.5), lambda: None),
        "counter": (counted, lambda: None),
        "array": (lambda x: x * array, lambda: array.__setitem__(1, 5.0)),
        "list": (lambda x: x * listed[0], lambda: listed.__setitem__(0, 4.0)),
    }


@pytest.mark.parametrize("what", ["generator", "counter", "array", "list"])
@pytest.mark.parametrize("early", [False, True])
def test_a_rerun_that_makes_other_numbers_is_told(what: str, early: bool) -> None:
    function, change = changing()[what]
    x = tf.Variable(np.array([1.0, 2.0, 3.0]))
    with tf.GradientTape() as tape:
        y = tf.recompute_grad(function, early_stop=early)(x)
        loss = tf.reduce_sum(y * y)
    change()
    told(tf.errors.MinitapeWarning, lambda: tape.gradient(loss, x), "other numbers when it was run again")


def test_a_rerun_that_makes_the_same_numbers_is_quiet() -> None:
    x = tf.Variable(np.linspace(-1, 1, 1000).reshape(10, 100))
    with warnings.catch_warnings(), tf.GradientTape() as tape:
        warnings.simplefilter("error")
        y = tf.recompute_grad(lambda x: tf.nn.dropout(tf.tanh(x @ tf.transpose(x)), 0.5))(x)
        tape.gradient(y, x)


# ---- bad input is answered ---------------------------------------------------------------------------------------------------


def in_itself() -> list[Any]:
    one: list[Any] = []
    one.append(one)
    return one


def asked(**options: Any) -> Any:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return tape.gradient(y, x, **options)


ANSWERED: dict[str, tuple[Callable[[], Any], type[Exception]]] = {
    "a layer of a number": (lambda: tf.keras.layers.Dense(2)(5.0), ValueError),
    "a layer of None": (lambda: tf.keras.layers.Dense(2)(None), ValueError),
    "while_loop": (lambda: tf.while_loop(5, 6, [tf.constant(1.0)]), TypeError),
    "while_loop's body": (lambda: tf.while_loop(lambda x: x < 3, 6, [tf.constant(1.0)]), TypeError),
    "map_fn": (lambda: tf.map_fn(5, tf.ones(2)), TypeError),
    "foldl": (lambda: tf.foldl(5, tf.ones(2)), TypeError),
    "scan": (lambda: tf.scan(5, tf.ones(2)), TypeError),
    "cond": (lambda: tf.cond(True, 5, 6), TypeError),
    "case": (lambda: tf.case([(True, 5)]), TypeError),
    "switch_case": (lambda: tf.switch_case(0, [5]), TypeError),
    "custom_gradient": (lambda: tf.custom_gradient(5), TypeError),
    "grad_pass_through": (lambda: tf.grad_pass_through(5), TypeError),
    "einsum": (lambda: tf.einsum(5, tf.ones(2)), TypeError),
    "a seed of text": (lambda: asked(output_gradients="a"), tf.errors.InvalidArgumentError),
    "a seed of whole numbers": (lambda: asked(output_gradients=tf.constant(1)), tf.errors.InvalidArgumentError),
    "zeros without end": (lambda: tf.zeros([10**9, 10**9]), tf.errors.ResourceExhaustedError),
    "ones without end": (lambda: tf.ones([10**9, 10**10]), tf.errors.ResourceExhaustedError),
    "fill without end": (lambda: tf.fill([10**9, 10**9], 1.0), tf.errors.ResourceExhaustedError),
    "a list in itself": (lambda: tf.constant(in_itself()), ValueError),
    "a list in itself, added": (lambda: tf.ones(2) + in_itself(), ValueError),
    "a source in itself": (lambda: recorded()[2].gradient(tf.constant(1.0), in_itself()), ValueError),
    "a target in itself": (lambda: recorded()[2].gradient(in_itself(), tf.constant(1.0)), ValueError),
    "why of a list in itself": (lambda: recorded()[2].why(in_itself(), tf.constant(1.0)), ValueError),
    "why by a list in itself": (lambda: recorded()[2].why(tf.constant(1.0), in_itself()), ValueError),
    "watch of a list in itself": (lambda: recorded()[2].watch(in_itself()), ValueError),
    "jvp of a list in itself": (lambda: recorded()[3].jvp(in_itself()), ValueError),
    "a source of draws, in itself": (lambda: tf.random.Generator(in_itself()), ValueError),
    "a plan without end": (lambda: tf.plan(10**6, "sqrt"), ValueError),
    "a plan that is too long to write": (lambda: tf.plan(99_999, "none"), ValueError),
    "dates": (lambda: tf.constant(np.array(["2020-01-01"], "M8[D]")), ValueError),
    "spans of time": (lambda: tf.constant(np.array([1], "m8[s]")), ValueError),
    "long doubles": (lambda: tf.constant(np.ones(2, np.longdouble)), ValueError),
    "long doubles, multiplied": (lambda: tf.ones(2) * np.ones(2, np.longdouble), ValueError),
    "records": (lambda: tf.constant(np.array([(1, 2.0)], "i4,f4")), ValueError),
    "a variable of records": (lambda: tf.Variable(np.array([(1, 2.0)], "i4,f4")), ValueError),
    "True + True": (lambda: tf.constant(True) + True, tf.errors.InvalidArgumentError),
    "a boolean and a number": (lambda: tf.constant([True, 2]), ValueError),
    "an axis of text": (lambda: tf.math.cumsum([1.0], axis="a"), tf.errors.InvalidArgumentError),
    "a layer of nothing": (lambda: tf.keras.layers.Dense(), TypeError),
    "segments without end": (
        lambda: tf.math.unsorted_segment_max(tf.ones(2), [0, 0], 10**15),
        tf.errors.ResourceExhaustedError,
    ),
    "a shape of a number": (lambda: tf.TensorShape(5.0), TypeError),
    "keepdims of an array": (lambda: tf.reduce_sum([1.0], keepdims=np.ones(2)), TypeError),
    "a boolean and a float": (lambda: tf.constant([True, 2.0]), ValueError),
}


@pytest.mark.parametrize("name", ANSWERED)
def test_bad_input_is_answered_at_the_line_and_soon(name: str) -> None:
    program, kind = ANSWERED[name]
    began = time.perf_counter()
    with pytest.raises(kind) as caught:
        program()
    assert time.perf_counter() - began < 5.0
    assert caught.value.site.filename == __file__  # type: ignore[attr-defined]
    assert str(caught.value).count("\n") >= 1  # what happened, and the line or what to type next


def test_python_does_not_have_to_run_out_of_room() -> None:
    """Where it does, a tensor that is let go at that moment stays in the ledger."""
    deep: list[Any] = [tf.constant(1.0)]
    for _ in range(120):
        deep = [deep]
    with pytest.raises(ValueError, match="nested a hundred deep, has no leaves"):
        tf.nest.flatten(deep)
    with pytest.raises(ValueError, match="nested a hundred deep, cannot be"):
        tf.constant(1.0) * deep


def test_what_tensorflow_takes_is_taken() -> None:
    assert tf.constant([1, True]).numpy().tolist() == [1, 1]
    assert tf.constant([2.0, True]).numpy().tolist() == [2.0, 1.0]
    assert float(tf.constant(3.0) + True) == 4.0
    swapped = tf.constant(np.ones(2, ">f4"))
    assert swapped.dtype == tf.float32 and (swapped + tf.ones(2)).numpy().tolist() == [2.0, 2.0]


@pytest.mark.parametrize(
    "named",
    [
        lambda name: tf.Variable(1.0, name=name),
        lambda name: tf.keras.layers.Dense(1, name=name),
        lambda name: tf.name_scope(name),
    ],
    ids=["variable", "layer", "scope"],
)
def test_half_a_character_is_no_name(named: Callable[[str], Any]) -> None:
    assert named("ʹ\u202e").name
    with pytest.raises(ValueError, match="half a character"):
        named("w\ud800")


# ---- threads and tasks -------------------------------------------------------------------------------------------------------


def test_a_tape_that_is_left_in_another_thread_says_so() -> None:
    tape, heard = tf.GradientTape(), []

    def leave() -> None:
        with warnings.catch_warnings(record=True) as here:
            warnings.simplefilter("always")
            tape.__exit__(None, None, None)
        heard.extend(here)

    # The thread whose stack keeps the tape is one that ends, so that no other test is heard by it.
    def both() -> None:
        tape.__enter__()
        worker = threading.Thread(target=leave)
        worker.start()
        worker.join()

    first = threading.Thread(target=both)
    first.start()
    first.join()
    assert [one.category for one in heard] == [tf.errors.Elsewhere] and heard[0].filename == __file__


def test_pools_of_threads_have_a_tape_each() -> None:
    def cube(at: float) -> float:
        x = tf.Variable(at)
        with tf.GradientTape() as tape:
            y = x**3.0
        return float(tape.gradient(y, x))

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with futures.ThreadPoolExecutor(4) as pool:
            assert list(pool.map(cube, [1.0, 2.0, 3.0] * 20)) == [3.0, 12.0, 27.0] * 20


def test_what_a_pool_computes_for_a_tape_outside_is_none_and_why_says_where() -> None:
    x = tf.Variable(3.0)
    with futures.ThreadPoolExecutor(1) as pool, tf.GradientTape(persistent=True) as tape:
        (y,) = pool.map(tf.square, [x])
    assert tape.gradient(y, x) is None
    assert "in another thread" in str(tape.why(y, x))


FORKED = """
import os, minitape as tf
x = tf.Variable(3.0)
with tf.GradientTape() as tape:
    y = x * x
    child = os.fork()
    if not child:
        y = y * x
if not child:  # the child goes on with a tape of its own
    os._exit(int(tape.gradient(y, x)))
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), float(tape.gradient(y, x)), tf.recorders())
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_fork_has_the_tape_as_it_was_and_goes_its_own_way() -> None:
    ran = subprocess.run([sys.executable, "-W", "error", "-c", FORKED], capture_output=True, text=True, check=True)
    assert ran.stdout == "27 6.0 ()\n" and ran.stderr == ""


def test_an_assignment_between_use_and_gradient_changes_no_number() -> None:
    v = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = v * v
        v.assign(5.0)
    v.assign(7.0)
    assert float(tape.gradient(y, v)) == 4.0


async def slope(x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        await asyncio.sleep(0)
        y = y * x
    return tape.gradient(y, x)


def test_tasks_that_overhear_each_other_are_told_and_right() -> None:
    async def main() -> Any:
        return await asyncio.gather(slope(tf.constant(2.0)), slope(tf.constant(3.0)))

    with pytest.warns(tf.errors.Elsewhere, match="another task"):
        assert [float(one) for one in asyncio.run(main())] == [12.0, 27.0]


def test_tasks_that_a_block_starts_belong_to_it() -> None:
    async def main() -> Any:
        x = tf.constant(2.0)
        with tf.GradientTape() as outer:
            outer.watch(x)
            slopes = await asyncio.gather(asyncio.create_task(slope(x)))
        return outer.gradient(slopes[0], x)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert float(asyncio.run(main())) == 12.0


def test_a_tape_that_was_made_wrongly_ends_in_silence():
    def events(event: Any, tensors: Any) -> None:
        del event, tensors

    with listening(events), pytest.raises(TypeError):
        tf.GradientTape(bad=1)
    gc.collect()  # an error in __del__ fails the test run


@pytest.mark.parametrize("given", [(), (5,), (None, None)])
def test_a_tensor_that_was_made_wrongly_ends_in_silence(given: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[Any] = []
    monkeypatch.setattr(sys, "unraisablehook", heard.append)
    before = tf.ledger.reading()
    with pytest.raises(TypeError):
        tf.Tensor(*given)
    gc.collect()
    assert heard == [] and tf.ledger.reading() == before
