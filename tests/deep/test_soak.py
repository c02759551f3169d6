"""Long runs: what is done again and again leaves nothing behind, in the ledger, in Python's collector and in memory."""

from __future__ import annotations

import contextlib
import gc
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

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


def test_training_that_is_recorded_within_bounds_is_flat(record_property: Any) -> None:
    record_property("tried: training steps in one viz.record(limit=2000): bytes, objects, resident memory", STEPS)
    step = trainer()
    with viz.record(limit=2_000) as run:
        while not run.full:  # what it may keep it has
            step()
        soak(step, STEPS)
    assert len(run) == 2_000 and run.scene.steps[-1]["kind"] == "full"


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


TAPE = """
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = tf.sin(x) * x
    tape.gradient(y, x)
"""


@mock.patch.dict(os.environ)  # a kernel says there what it can show
def test_a_cell_with_a_stepper_that_runs_again_is_flat(
    record_property: Any, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """In IPython's own shell, which keeps what each cell answered in `Out`."""
    comm = pytest.importorskip("comm")
    for name in ("create_comm", "get_comm_manager"):  # a kernel puts its own there
        monkeypatch.setattr(comm, name, getattr(comm, name))
    inprocess = pytest.importorskip("ipykernel.inprocess")
    count = times(500)
    record_property("tried: runs of one cell that shows a stepper: bytes, objects, resident memory", count)
    manager = inprocess.InProcessKernelManager()
    manager.start_kernel()
    shell = manager.kernel.shell
    try:
        filled = shell.run_cell(f"import minitape as tf, viz\nfor _ in range({FIRST}):{TAPE}")  # what is remembered
        shell.set_parent({"header": {}, "metadata": {"cellId": "again"}})

        def again() -> None:
            ran = shell.run_cell(f"with viz.record() as run:{TAPE}viz.step(run)", store_history=True, cell_id="again")
            assert filled.success and ran.success
            capsys.readouterr()

        soak(again, count, 80)
        assert len(shell.user_ns["Out"]) == 1
    finally:
        manager.shutdown_kernel()
        type(shell).clear_instance()
