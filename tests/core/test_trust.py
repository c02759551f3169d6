"""Nothing wrong in silence: each program here once gave a wrong number, a wrong ledger or a bare error."""

from __future__ import annotations

import asyncio
import copy
import gc
import pickle
import threading
import warnings
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import minitape as tf
from minitape.record.ledger import PYTHON

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
    assert y._array.base is None and (y.numpy() == 1).all()
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
    one = {"tape": tape, "accumulator": acc, "entry": tape.entries[0], "tag": x._tag}[which]
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
