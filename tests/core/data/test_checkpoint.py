"""Checkpoints: names as TensorFlow gives them, files that are whole or not there, and what waits for its variable."""

from __future__ import annotations

import gc
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minitape as tf
from minitape.module import waiting
from minitape.train import files

Checkpoint = tf.train.Checkpoint


class Line(tf.Module):
    def __init__(self, slope: float = 2.0) -> None:
        super().__init__()
        self.slope, self.rest = tf.Variable(slope, name="slope"), [tf.Variable([1, 2]), {"b": tf.Variable(0.5)}]


def test_names_are_tensorflows(tmp_path: Path) -> None:
    """What TensorFlow 2.21 lists for the same program, without its graph of objects."""
    path = Checkpoint(line=Line(), step=tf.Variable(1)).save(tmp_path / "c")
    assert tf.train.list_variables(path) == [
        ("line/rest/0/.ATTRIBUTES/VARIABLE_VALUE", [2]),
        ("line/rest/1/b/.ATTRIBUTES/VARIABLE_VALUE", []),
        ("line/slope/.ATTRIBUTES/VARIABLE_VALUE", []),
        ("save_counter/.ATTRIBUTES/VARIABLE_VALUE", []),
        ("step/.ATTRIBUTES/VARIABLE_VALUE", []),
    ]
    assert tf.train.load_variable(tmp_path, "line/slope/.ATTRIBUTES/VARIABLE_VALUE") == np.float32(2.0)
    reader = tf.train.load_checkpoint(path)
    assert reader.get_variable_to_dtype_map()["line/rest/0/.ATTRIBUTES/VARIABLE_VALUE"] == tf.int32
    assert reader.has_tensor("step/.ATTRIBUTES/VARIABLE_VALUE") and not reader.has_tensor("step")
    root = Checkpoint(Line()).write(tmp_path / "root")
    assert [name.split("/.")[0] for name, _ in tf.train.list_variables(root)] == ["rest/0", "rest/1/b", "slope"]


def test_there_and_back(tmp_path: Path) -> None:
    first, second = Line(2.0), Line(7.0)
    saved = Checkpoint(line=first)
    assert os.path.basename(saved.save(tmp_path / "c")) == "c-1"
    first.rest[1]["b"].assign(9.0)
    path = saved.save(tmp_path / "c")
    assert tf.train.latest_checkpoint(tmp_path) == path == str(tmp_path / "c-2")
    status = Checkpoint(line=second).restore(path)
    assert status.assert_consumed() is status
    assert float(second.slope) == 2.0 and float(second.rest[1]["b"]) == 9.0
    assert int(saved.save_counter) == 2
    text = (tmp_path / "checkpoint").read_text()
    assert (
        text == 'model_checkpoint_path: "c-2"\nall_model_checkpoint_paths: "c-1"\nall_model_checkpoint_paths: "c-2"\n'
    )


def test_training_goes_on_where_it_was(tmp_path: Path) -> None:
    """An optimizer's steps and slots, and how far an iterator came, are part of it."""

    def parts() -> tuple[Any, Any, Any]:
        data = tf.data.Dataset.range(100).map(lambda x: tf.cast(x, tf.float32) / 10.0)
        return tf.Variable([1.0, 2.0]), tf.keras.optimizers.Adam(0.1), iter(data)

    def steps(w: Any, optimizer: Any, iterator: Any, count: int) -> None:
        for _ in range(count):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum((w - next(iterator)) ** 2)
            optimizer.apply_gradients([(tape.gradient(loss, w), w)])

    w, optimizer, iterator = parts()
    steps(w, optimizer, iterator, 3)
    path = Checkpoint(w=w, optimizer=optimizer, iterator=iterator).save(tmp_path / "c")
    steps(w, optimizer, iterator, 3)

    again, another, fresh = parts()
    another.build([again])
    Checkpoint(w=again, optimizer=another, iterator=fresh).restore(path).assert_consumed()
    steps(again, another, fresh, 3)
    assert again.numpy().tolist() == w.numpy().tolist()
    assert int(another.iterations) == 6


def test_what_comes_later_is_restored_when_somebody_looks(tmp_path: Path) -> None:
    path = Checkpoint(line=Line(5.0)).save(tmp_path / "c")
    empty = tf.Module()
    status = Checkpoint(line=empty).restore(path)
    with pytest.raises(AssertionError, match="line/slope"):
        status.assert_consumed()
    empty.slope = tf.Variable(0.0)
    status.assert_nontrivial_match().assert_existing_objects_matched()
    assert float(empty.slope) == 5.0


def test_nothing_to_restore_is_no_mistake() -> None:
    v = tf.Variable(1.0)
    Checkpoint(v=v).restore(tf.train.latest_checkpoint("nowhere"))
    assert float(v) == 1.0


def test_a_file_is_whole_or_the_old_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    v = tf.Variable(1.0)
    path = Checkpoint(v=v).write(tmp_path / "c")

    def broken(file: Any, **arrays: Any) -> None:
        file.write(b"half")
        raise OSError("the disk is full")

    v.assign(2.0)
    monkeypatch.setattr(files.np, "savez", broken)
    with pytest.raises(OSError, match="full"):
        Checkpoint(v=v).write(tmp_path / "c")
    assert os.listdir(tmp_path) == ["c.npz"]
    Checkpoint(v=v).restore(path)
    assert float(v) == 1.0


def test_a_manager_keeps_the_last_few(tmp_path: Path) -> None:
    v, step = tf.Variable(0.0), tf.Variable(0)
    make = lambda: tf.train.CheckpointManager(Checkpoint(v=v), tmp_path, 2, step_counter=step, checkpoint_interval=2)  # noqa: E731
    manager = make()
    assert manager.latest_checkpoint is None and manager.restore_or_initialize() is None
    for number in range(6):
        v.assign(float(number))
        assert (manager.save() is None) == bool(number % 2)
        step.assign_add(1)
    assert [os.path.basename(name) for name in manager.checkpoints] == ["ckpt-2", "ckpt-3"]
    assert sorted(os.listdir(tmp_path)) == ["checkpoint", "ckpt-2.npz", "ckpt-3.npz"]
    assert make().restore_or_initialize() == str(tmp_path / "ckpt-3") and float(v) == 4.0
    assert os.path.basename(str(make().save(checkpoint_number=9))) == "ckpt-9"


@pytest.mark.parametrize(
    ("program", "kind", "text"),
    [
        (lambda folder: Checkpoint(a=3), ValueError, "trackable"),
        (
            lambda folder: Checkpoint(a=tf.Variable(1.0)).restore(folder / "none"),
            tf.errors.NotFoundError,
            "latest_checkpoint",
        ),
        (lambda folder: Checkpoint(v=tf.Variable([1.0])).restore(folder / "c"), ValueError, "incompatible tensor"),
        (lambda folder: tf.train.load_variable(folder / "c", "w"), tf.errors.NotFoundError, "There are"),
        (
            lambda folder: Checkpoint(w=tf.Variable(1.0)).restore(folder / "c").assert_nontrivial_match(),
            AssertionError,
            "another",
        ),
        (
            lambda folder: Checkpoint(w=tf.Variable(1.0)).restore(folder / "c").assert_existing_objects_matched(),
            AssertionError,
            "not bound",
        ),
        (
            lambda folder: Checkpoint(v=tf.Variable(1.0)).restore(folder / "text"),
            tf.errors.NotFoundError,
            "no checkpoint",
        ),
    ],
)
def test_a_refusal_teaches(program: Any, kind: type[Exception], text: str, tmp_path: Path) -> None:
    Checkpoint(v=tf.Variable(1.0)).write(tmp_path / "c")
    (tmp_path / "text.npz").write_text("no zip")
    with pytest.raises(kind, match=text):
        program(tmp_path)


def test_the_rest_may_be_left(tmp_path: Path) -> None:
    path = Checkpoint(v=tf.Variable(1.0), w=tf.Variable(2.0)).write(tmp_path / "c")
    v = tf.Variable(0.0)
    Checkpoint(v=v).read(path).expect_partial().assert_consumed()
    assert float(v) == 1.0


def test_records_are_out_of_scope() -> None:
    with pytest.raises(AttributeError, match="out of scope"):
        tf.train.Example


def test_an_average_follows_slowly() -> None:
    v, steps = tf.Variable([0.0, 4.0]), tf.Variable(0)
    follower = tf.train.ExponentialMovingAverage(0.9, num_updates=steps)
    follower.apply([v])
    v.assign([1.0, 0.0])
    follower.apply([v])
    # The decay is (1 + 0) / (10 + 0) at first.
    np.testing.assert_allclose(follower.average(v).numpy(), [0.9, 0.4], rtol=1e-6)
    assert follower.average(tf.Variable(1.0)) is None and len(follower.variables) == 1


def test_a_layer_that_is_made_later_begins_with_what_was_restored(tmp_path: Path) -> None:
    """As in the guide: a fresh network is restored before it was ever called."""

    def network() -> Any:
        return tf.keras.Sequential([tf.keras.layers.Dense(3, activation="tanh"), tf.keras.layers.Dense(1)])

    x, trained = tf.ones([2, 4]), network()
    before = trained(x)
    path = Checkpoint(net=trained).save(tmp_path / "c")
    fresh = network()
    status = Checkpoint(net=fresh).restore(path)
    assert not fresh.variables
    assert fresh(x).numpy().tolist() == before.numpy().tolist()  # its first call already
    status.assert_consumed()
    assert all(reference() != status._settle for reference in waiting)


def test_what_waits_keeps_nothing_alive(tmp_path: Path) -> None:
    path = Checkpoint(line=Line(5.0)).save(tmp_path / "c")
    layer = tf.keras.layers.Dense(1)
    Checkpoint(line=layer).restore(path)  # which finds no place for anything, and is not kept
    gc.collect()
    last = waiting[-1]
    assert last() is not None
    del layer
    gc.collect()
    assert last() is None
    tf.keras.layers.Dense(1)(tf.ones([1, 1]))
    assert last not in waiting


@pytest.mark.parametrize("name", ["Adam", "Nadam", "SGD"])
def test_an_optimizer_that_is_built_after_a_restore_goes_on_where_the_other_ended(name: str, tmp_path: Path) -> None:
    def made() -> tuple[tf.Variable, Any]:
        return tf.Variable([1.0, -2.0]), getattr(tf.keras.optimizers, name)(
            0.1, **({"momentum": 0.9} if name == "SGD" else {})
        )

    def step(v: tf.Variable, optimizer: Any) -> None:
        optimizer.apply_gradients([(2.0 * v, v)])

    v, optimizer = made()
    step(v, optimizer)
    step(v, optimizer)
    path = tf.train.Checkpoint(v=v, optimizer=optimizer).save(str(tmp_path / "at"))
    step(v, optimizer)
    w, other = made()
    tf.train.Checkpoint(v=w, optimizer=other).restore(path)
    step(w, other)
    assert w.numpy().tolist() == v.numpy().tolist() and int(other.iterations) == 3
