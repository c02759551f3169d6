"""Long runs: what is done again and again leaves nothing behind, in the ledger, in Python's collector and in memory."""

from __future__ import annotations

import contextlib
import gc
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minitape as tf
import viz
from tests.support import times

pytestmark = pytest.mark.deep

PARTS = 4
FIRST = 2_100  # turns until what is built once is built, and what is remembered of the last few thousand is full


def resident() -> int:
    """The memory of this process that is in the machine's, in bytes; 0 where the system does not say."""
    with contextlib.suppress(OSError):
        return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGESIZE")
    return 0


def soak(once: Callable[[], Any], count: int, first: int = FIRST) -> None:
    """Nothing stays of a turn: no byte of a value's, less than an object in fifty turns, less than 200 bytes of the process."""
    found: dict[str, list[int]] = {"bytes": [], "objects": [], "resident": []}
    for turns in (first, *[count // PARTS] * PARTS):
        for _ in range(turns):
            once()
        gc.collect()
        found["bytes"].append(tf.ledger.live)
        found["objects"].append(len(gc.get_objects()))
        found["resident"].append(resident())
    flat(found, count)


def flat(found: dict[str, list[int]], turns: int) -> None:
    """Hold the end against the beginning; a page or an object more or less is no leak."""
    grown = {what: counts[-1] - counts[0] for what, counts in found.items()}
    assert grown["bytes"] == 0, found
    assert grown["objects"] < 100 + turns / 50, found
    assert grown["resident"] < 2_000_000 + 200 * turns, found
    assert tf.recorders() == ()


def trainer() -> Callable[[], Any]:
    """A step of training: forwards, backwards, update, and the loss on its way to Python."""
    tf.keras.utils.set_random_seed(3)
    model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="tanh"), tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.Adam(0.01)
    x = tf.constant(np.linspace(-1, 1, 32, dtype="float32").reshape(16, 2))
    y = tf.reduce_sum(x * x, 1, keepdims=True)

    def step() -> float:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x) - y) ** 2)
        variables = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables, strict=True))
        return float(loss)

    return step


STEPS = times(10_000)


def test_training_is_flat(record_property: Any) -> None:
    record_property("tried: training steps, one after the other: bytes, objects, resident memory", STEPS)
    step = trainer()
    first = step()
    soak(step, STEPS)
    assert step() < 0.5 * first


def test_recordings_that_are_let_go_are_flat(record_property: Any) -> None:
    count = times(1_000)
    record_property("tried: training steps, each in a viz.record() of its own: bytes, objects, resident memory", count)
    step = trainer()

    def recorded() -> None:
        with viz.record() as run:
            step()
        assert len(run) > 20

    for _ in range(FIRST):
        step()
    soak(recorded, count, 10)
