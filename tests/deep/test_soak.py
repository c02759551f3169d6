"""The same again and again: nothing grows."""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import minitape as tf
import viz
from minitape.record.ledger import ledger
from tests.support import times

pytestmark = pytest.mark.deep


def growth(work: Callable[[], Any], rounds: int) -> tuple[int, int]:
    """By how many objects and bytes the second half of so many rounds is heavier than the first."""

    def state() -> tuple[int, int]:
        gc.collect()
        return len(gc.get_objects()), tracemalloc.get_traced_memory()[0]

    gc.unfreeze()
    tracemalloc.start()
    try:
        for _ in range(rounds // 2):
            work()
        objects, nbytes = state()
        for _ in range(rounds // 2):
            work()
        after = state()
    finally:
        tracemalloc.stop()
        gc.freeze()
    return after[0] - objects, after[1] - nbytes


def stepper() -> None:
    with viz.record() as run:
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = x * x * tf.sin(x)
        tape.gradient(y, x)
    repr(viz.step(run))


def remembered(work: Callable[[], Any]) -> None:
    """The log of what happened last is as long as it will ever be."""
    x = tf.Variable(1.0)
    for _ in range(6_000):
        _ = x * x
    work()


def test_steppers_of_a_cell_that_is_run_again_and_again(record_property: Any) -> None:
    record_property("tried: runs of a cell with a stepper: objects and bytes stay", times(500))
    remembered(stepper)
    objects, nbytes = growth(stepper, times(500))
    assert objects < 100 and nbytes < 100_000, (objects, nbytes)


@pytest.mark.parametrize("recorded", [False, True])
def test_training_steps(recorded: bool, record_property: Any) -> None:
    record_property("tried: training steps with Keras, recorded and not: objects and bytes stay", times(10_000) // 2)
    model = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="tanh"), tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.Adam(0.01)
    x, y = np.ones((8, 3), "float32"), np.ones((8, 1), "float32")

    def step() -> None:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2)
        optimizer.apply_gradients(
            zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables, strict=True)
        )

    def ten_steps() -> None:
        if recorded:
            with viz.record():
                for _ in range(10):
                    step()
        else:
            for _ in range(10):
                step()

    remembered(ten_steps)
    before = ledger.reading()
    objects, nbytes = growth(ten_steps, times(10_000) // 20)
    assert objects < 100 and nbytes < 100_000, (objects, nbytes)
    assert ledger.reading() == before
