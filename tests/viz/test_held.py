"""Who holds which bytes: what the cards say is what the ledger counted."""

from __future__ import annotations

import gc
from typing import Any

import pytest

import minitape as tf
import viz
from viz.paint.state import memory_at

from . import programs

# Two cards on the same bytes, which the ledger counts once: a reshape, a custom gradient's result, a number put into a power.
SHARED = {"jacobian", "batch_jacobian", "custom_gradient", "forward_over_backward"}


def holders(value: dict[str, Any], step: int) -> list[str]:
    return [one["by"] for one in value["held"] if one["from"] <= step and ("to" not in one or step < one["to"])]


@pytest.mark.parametrize("name", [one for one in programs.NAMES if one not in SHARED])
def test_what_the_cards_hold_is_in_the_ledger(name: str) -> None:
    """No card claims bytes that the ledger did not count for that holder at that step."""
    gc.collect()
    scene = programs.kept(name).scene
    for step in range(len(scene.steps)):
        counted, claimed = memory_at(scene, step), dict.fromkeys(memory_at(scene, step), 0)
        for value in scene.values:
            by = holders(value, step)
            assert len(by) <= 1, (value["name"], step)
            if by:
                claimed[by[0]] += value["bytes"]
        assert all(claimed[holder] <= counted[holder] for holder in counted), (step, claimed, counted)


def test_a_value_passes_from_hand_to_hand() -> None:
    """Python's name for it, then the tape's own hold, then nobody: the loss of a step, when its name is gone."""
    x = tf.Variable(3.0)
    with viz.record() as run:
        with tf.GradientTape() as tape:
            y = tf.exp(x)
            z = y * y
            del y
        tape.gradient(z, x)
    y = next(one for one in run.scene.values if one["name"] == "y")
    assert [one["by"] for one in y["held"]] == ["python", "tape"]
    assert y["held"][0]["to"] == y["held"][1]["from"]
    assert y["held"][1]["to"] == y["gone"]


def test_views_hold_the_same_bytes() -> None:
    with viz.record() as run:
        a = tf.constant([1.0, 2.0]) * 2.0
        b = tf.reshape(a, [2, 1])
        del a
        c = b * 3.0
    held = {one["name"]: one["held"] for one in run.scene.values}
    assert held["a"][-1]["by"] == held["b"][-1]["by"] == "python"
    assert "to" not in held["a"][-1], "the name is gone, but b has its bytes"
    assert float(tf.reduce_sum(c)) == 18.0


def test_what_was_there_before_is_held_from_the_start() -> None:
    x = tf.constant(3.0)
    with viz.record() as run:
        y = x * x
    value = run.scene.values[0]
    assert value["born"] == 0
    assert value["held"] == [{"by": "python", "from": 0}]
    assert float(y) == 9.0


def test_a_reversible_layer_keeps_its_results_until_the_next_one_can_give_them_back() -> None:
    scene = programs.kept("reversible").scene
    said = [step["say"] for step in scene.steps if step["kind"] == "entry"]
    assert said[0].endswith("keeps v₂ and v₄. From its results it can go back, without what ran inside.")
    assert said[1].endswith("keeps y1 and y2. It lets v₂ and v₄ go: this layer will give them back.")
    pins = {value["name"]: value["kept"][0] for value in scene.values if value.get("kept")}
    assert set(pins) == {"v₂", "v₄", "y1", "y2"}
    assert pins["v₂"]["to"] == pins["y1"]["from"]
    assert scene.steps[pins["y1"]["to"]]["kind"] == "gradients"
    kept = {one["id"]: one["kept"] for one in scene.regions if one["kind"] == "rebuild"}
    assert sorted(kept.values()) == [0, 8]


def test_a_variable_that_is_rebuilt_stays_a_variable() -> None:
    scene = programs.kept("reversible").scene
    x1 = next(one for one in scene.values if one["name"] == "x1")
    assert "gone" not in x1
    assert x1["held"] == [{"by": "variable", "from": x1["born"]}]


def test_watching_keeps_nothing_alive() -> None:
    """A persistent tape is gone as soon as its name goes to the next one, watched or not."""
    weights = tf.Variable(tf.fill([1000], 0.5))
    with viz.record() as run:
        for _ in range(2):
            with tf.GradientTape(persistent=True) as tape:
                loss = tf.reduce_sum(tf.sin(weights * 3.0))
            weights.assign_sub(0.1 * tape.gradient(loss, weights))
    kinds = [record.kind for record in run.stream.records]
    assert kinds.count("deleted") == 1
    assert kinds[kinds.index("deleted") - 1 :][:3] == ["enter", "deleted", "watch"]


def test_looking_for_names_leaves_the_learners_own_dictionary_alone() -> None:
    """What `locals()` gave a learner stays theirs."""
    x = tf.Variable(3.0)
    mine = locals()
    with viz.record() as run:
        y = x * x
    assert mine["x"] is x and run.naming.found[x.tag] == "x" and y is not x
    del mine
    with viz.record() as run:
        y = x * x
    assert run.naming.found[x.tag] == "x" and locals()["y"] is y
