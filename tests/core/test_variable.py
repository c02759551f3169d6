"""Variables: making, assigning, and what tapes make of it."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import minitape as tf


def test_making() -> None:
    assert tf.Variable(1.0).name == "Variable:0" and tf.Variable(1.0, name="w").name == "w:0"
    assert tf.Variable(1.0).dtype == tf.float32 and tf.Variable(1).dtype == tf.int32
    assert tf.Variable([1, 2], dtype=tf.float64).dtype == tf.float64
    assert tf.Variable(lambda: tf.ones([2])).shape == [2]
    assert tf.Variable(1.0).trainable and not tf.Variable(1.0, trainable=False).trainable
    with pytest.raises(ValueError, match="initial_value"):
        tf.Variable()


def test_it_copies() -> None:
    array = np.zeros(2, np.float32)
    v = tf.Variable(array)
    array[0] = 1.0
    v.numpy()[0] = 2.0
    assert v.numpy().tolist() == [0.0, 0.0]
    w = copy.deepcopy(v)
    w.assign([5.0, 5.0])
    assert v.numpy().tolist() == [0.0, 0.0]


def test_assigning() -> None:
    v = tf.Variable([1.0, 2.0])
    assert v.assign([3.0, 4.0]) is v and v.numpy().tolist() == [3.0, 4.0]
    assert v.assign_add([1.0, 1.0]).numpy().tolist() == [4.0, 5.0]
    assert v.assign_sub(tf.constant([1.0, 2.0])).numpy().tolist() == [3.0, 3.0]
    assert v.assign(np.array([7, 8])).dtype == tf.float32


@pytest.mark.parametrize(
    ("method", "value", "problem"),
    [
        ("assign", [1.0, 2.0, 3.0], ValueError),
        ("assign", 1.0, ValueError),
        ("assign", tf.constant([1, 2]), ValueError),
        ("assign_add", 1.0, tf.errors.InvalidArgumentError),
        ("assign_sub", [1.0], tf.errors.InvalidArgumentError),
        ("assign_add", tf.constant([1.0, 2.0], tf.float64), ValueError),
    ],
)
def test_refused_and_unchanged(method: str, value: Any, problem: type[Exception]) -> None:
    v = tf.Variable([1.0, 2.0])
    with pytest.raises(problem):
        getattr(v, method)(value)
    assert v.numpy().tolist() == [1.0, 2.0]


def test_shapes_that_may_differ() -> None:
    v = tf.Variable([1.0], shape=[None])
    assert v.shape == [None]
    assert v.assign([1.0, 2.0, 3.0]).numpy().shape == (3,)


def test_tapes_watch_what_is_read() -> None:
    a, b, n = tf.Variable(2.0), tf.Variable(3.0, trainable=False), tf.Variable(4)
    with tf.GradientTape() as tape:
        y = a * b * tf.cast(n, tf.float32)
    assert [None if one is None else float(one) for one in tape.gradient(y, [a, b, n])] == [12.0, None, None]


def test_assign_add_alone_watches() -> None:
    v = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        v.assign_add(1.0)
    assert tape.watched_variables() == (v,)


def test_state_breaks_the_chain() -> None:
    z, v = tf.constant(2.0), tf.Variable(0.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(z)
        y = v.assign(z * z) * 3.0
    assert tape.gradient(y, z) is None and float(tape.gradient(y, v)) == 3.0


def test_the_value_of_the_moment_counts() -> None:
    v = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = v * v
    v.assign(10.0)
    assert float(tape.gradient(y, v)) == 6.0


def test_a_tensor_in_its_place_is_no_variable() -> None:
    x = tf.Variable(2.0)
    for _ in range(2):
        with tf.GradientTape() as tape:
            y = x * 3.0
        found = tape.gradient(y, x)
        x = x + 1.0  # the learner's slip: the name now stands for a tensor
    assert type(x) is tf.Tensor and found is None


def test_max_of_variables_still_differentiates() -> None:
    variables = [tf.Variable(1.0), tf.Variable(3.0), tf.Variable(2.0)]
    with tf.GradientTape() as tape:
        largest = max(variables)
        y = largest * largest
    assert float(tape.gradient(y, variables[1])) == 6.0


def test_value_and_read_value_are_connected() -> None:
    v = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        a = v.value()
        b = tf.convert_to_tensor(v)
        y = a * b * v.read_value()
    assert float(tape.gradient(y, v)) == 27.0
    with tf.GradientTape(persistent=True) as tape:
        a = v.value()
        y = a * v
    assert float(tape.gradient(y, a)) == 3.0


def test_in_formulas() -> None:
    v = tf.Variable([1.0, 2.0])
    assert type(v + 1.0) is tf.Tensor
    assert (np.array([3.0, 4.0]) * v).numpy().tolist() == [3.0, 8.0]
    assert v[1:].numpy().tolist() == [2.0] and (-v).numpy().tolist() == [-1.0, -2.0]
    assert (v == v).numpy().tolist() == [True, True] and v.ref() == v.ref()
    with pytest.raises(TypeError, match=r"\.ref\(\)"):
        hash(v)


def test_a_new_value_leaves_those_that_others_have_alone() -> None:
    w = tf.Variable([1.0, 2.0])
    before = dict(tf.ledger.reading())
    w.assign([3.0, 4.0])  # nobody else has the old one: as many bytes as before
    w.assign_add([0.0, 1.0])
    assert tf.ledger.reading() == before
    mine = tf.convert_to_tensor(w)
    with tf.GradientTape() as tape:
        y = w * w
    w.assign([5.0, 6.0])
    assert mine.numpy().tolist() == [3.0, 5.0] and w.numpy().tolist() == [5.0, 6.0]
    assert tape.gradient(y, w).numpy().tolist() == [6.0, 10.0]
    del mine, y, tape
    assert tf.ledger.reading() == before


def test_the_peak_has_the_moment_in_which_the_old_value_is_there_too() -> None:
    w = tf.Variable(tf.zeros([1000]))
    delta = tf.ones([1000])
    tf.ledger.restart_peak()
    live = tf.ledger.live
    w.assign_sub(delta)
    assert tf.ledger.restart_peak() == live + 4000
