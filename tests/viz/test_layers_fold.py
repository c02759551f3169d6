"""Programs that people have, drawn: a called layer is one fold under the name that the program calls it by, opened on demand."""

from __future__ import annotations

import functools
import re
from pathlib import Path
from typing import Any

import pytest

import minitape as tf
import viz
from tests import people
from tests.support import deep
from viz.microscope.rule import SPECIAL
from viz.microscope.specimen import specimen
from viz.microscope.table import ROWS
from viz.scene import Scene
from viz.tell.scenes import scene_of


@functools.cache
def recorded(name: str) -> Any:
    """A run of one of the programs."""
    tf.keras.utils.clear_session()
    with viz.record(name) as run:
        people.printed(name, tf)
    return run.stream


def told(name: str, *open_: str) -> Scene:
    return scene_of(recorded(name), open_, placed=False)


# The layers that a program calls; the weights that are drawn, by the names that tell them apart.
DRAWN = {
    "vae": ({"encoder", "decoder"}, {"dense/kernel", "dense_2/kernel"}),
    "dcgan": ({"generator", "discriminator", "cross_entropy"}, {"dense/kernel", "conv2d/kernel"}),
    "pinn": ({"net", "back through net"}, {"dense/kernel", "dense_1/kernel"}),
    "actor_critic": ({"common", "actor", "critic"}, {"common/kernel", "actor/bias", "critic/kernel"}),
    "forecasting": (
        {"lstm_rnn", "model", "conv", "feed_back", "conv/lambda", "dense"},
        {"lstm/lstm_cell/recurrent_kernel", "conv1d/kernel", "dense/bias"},
    ),
    "char_rnn": ({"embedding", "gru", "dense", "loss_fn"}, {"embeddings", "gru_cell/kernel", "dense/kernel"}),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", DRAWN)
def test_layers_are_folds_with_the_names_that_the_program_calls_them_by(name: str) -> None:
    layers, weights = DRAWN[name]
    scene = told(name)
    assert len(scene.values) <= 100
    assert {one["label"] for one in scene.groups if one["kind"] == "layer"} == layers
    assert weights <= {one["name"] for one in scene.values if one["kind"] == "variable"}
    faces = {one["id"]: one for one in scene.values}
    for one in scene.groups:
        if one["kind"] == "layer" and one["label"] != "back through net":
            assert faces[one["face"]]["op"] == one["label"]  # the disc bears the layer's name
            assert not re.fullmatch(r"v?[₀-₉\d]+", faces[one["face"]]["name"])  # and the card a name of the program's


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["maml", "pinn", "transformer", "resnet", "neural_ode", "hessian"])
def test_before_anything_ran_nothing_that_runs_is_there(name: str) -> None:
    """A loss was told by a step after the tape was asked about it, and so it stood in the picture from the beginning."""
    assert [one["name"] for one in told(name).values if one["born"] == 0] == []


@pytest.mark.filterwarnings("ignore")
def test_a_layer_opens_into_its_own_layers_and_these_into_their_ops() -> None:
    encoder = next(one for one in told("vae").groups if one["label"] == "encoder")
    opened = told("vae", encoder["id"])
    assert encoder["id"] not in {one["id"] for one in opened.groups}
    inside = [one["op"] for one in opened.values if one.get("op") in ("@", "relu", "max(0, x)", "+")]
    assert inside
    gru = next(one for one in told("char_rnn").groups if one["label"] == "gru")
    within = [one for one in told("char_rnn", gru["id"]).groups if one["parent"] == gru["id"]]
    assert within and {one["kind"] for one in within} == {"layer"}
    assert all(one["label"].startswith("gru") for one in within)
    assert sum(one["values"] for one in within) <= gru["values"]


def written(path: Path, lines: str) -> Scene:
    """The scene of a program of a few lines."""
    path.write_text(lines, encoding="utf-8")
    tf.keras.utils.clear_session()
    space: dict[str, Any] = {"tf": tf, "D": tf.keras.layers.Dense, "x": tf.ones([2, 3])}
    with viz.record() as run:
        exec(compile(lines, str(path), "exec"), space)
    return scene_of(run.stream, placed=False)


def labels(scene: Scene) -> set[str]:
    return {one["label"] for one in scene.groups if one["kind"] == "layer"}


def test_only_a_name_that_is_sure_is_told(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that goes from layer to layer is none of theirs: they keep their own."""
    monkeypatch.setattr("viz.tell.folding.VALUES", 12)
    alone = "net = tf.keras.Sequential([D(3), D(3), D(3)])\nfor _ in range(4):\n    y = net(x)\n    z = y * y\n"
    in_turn = "first, second = D(3), D(3)\nfor layer in (first, second) * 4:\n    x = layer(x)\n"
    borrowed = (
        "a, b = D(3), D(3)\ndef f(it, x):\n    y = it(x)\n    return y\nfor _ in range(3):\n    x = f(b, f(a, x))\n"
    )
    assert labels(written(tmp_path / "alone.py", alone)) == {"net"}
    assert labels(written(tmp_path / "in_turn.py", in_turn)) <= {"dense", "dense_1"}
    assert labels(written(tmp_path / "borrowed.py", borrowed)) <= {"dense", "dense_1"}


@pytest.mark.deep
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", people.NAMES if deep() else ("attention_text", "unet"))
def test_the_microscope_takes_no_fold_for_the_op_that_it_is_called_like(name: str) -> None:
    """A layer may be called conv2d or softmax: it is no op of the table, and its array has no terms."""
    outside = {one["id"] for one in told(name).groups}
    scene = told(name, *sorted(outside)[:1])
    assert scene.looks is not None
    folds = {one["id"] for one in scene.groups}
    faces = {step: look for step, look in scene.looks.at.items() if look.op.row.id in folds}
    assert bool(faces) == bool(outside) and (
        name != "unet" or {*ROWS, *SPECIAL} & {look.op.row.name for look in faces.values()}
    )
    steps = specimen(scene)["steps"]
    assert not [look.op.row.name for step, look in faces.items() if "rule" in steps.get(str(step), {})]


def test_a_fault_of_the_microscope_closes_it_at_one_step_and_loses_no_page(monkeypatch: pytest.MonkeyPatch) -> None:
    with viz.record() as run:
        x = tf.constant([[0.5, -1.0]])
        tf.nn.softmax(x * 2.0)
    whole = specimen(run.scene)["steps"]

    def broken(*_: Any) -> Any:
        raise KeyError("axis")

    monkeypatch.setitem(SPECIAL, "softmax", broken)
    with pytest.raises(KeyError):
        specimen(run.scene)
    monkeypatch.delenv("VIZ_STRICT")
    left = specimen(run.scene)["steps"]
    assert {whole[step]["op"] for step in whole.keys() - left.keys()} == {"softmax"} and left


def test_a_recorder_that_ends_or_begins_in_folded_rounds_says_so() -> None:
    """The rounds of a loop in a loop: an outer tape ends among them, another one begins there."""
    x = tf.Variable(1.0)
    with viz.record() as run:
        for _ in range(3):
            with tf.GradientTape() as outer:
                total = tf.constant(0.0)
                for _ in range(3):
                    with tf.GradientTape() as inner:
                        y = tf.sin(x) * x
                    total = total + inner.gradient(y, x) ** 2.0
            x.assign_sub(0.1 * outer.gradient(total, x))
    scene = run.scene
    (rounds,) = [at for at, step in enumerate(scene.steps) if step["kind"] == "fold" and "rounds" in step["say"]]
    states = {told["name"]: [(state["t"], state["state"]) for state in told["states"]] for told in scene.recorders}
    first, last = (states[name] for name in sorted(states) if name.startswith("outer"))
    assert first[0][1] == "listening" and first[-1] == (rounds, "spent")
    assert last[0] == (rounds, "listening") and last[-1][1] == "spent" and last[-1][0] > rounds
    (begins,) = [step["say"] for step in scene.steps[rounds:] if step["kind"] == "enter"]
    assert "inside outer₂" in begins
