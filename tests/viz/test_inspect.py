"""What the inspector says of each value is what the scene says, and what a reader selects reaches Python."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import viz
from tests.viz import programs
from viz.paint.inspect import about


@pytest.mark.parametrize("name", ["slope", "nested", "recompute", "loop_folded", "keras_step", "unwatched"])
def test_every_fact_of_a_value_is_told(name: str) -> None:
    scene = programs.kept(name).scene
    told = about(scene)
    assert told.keys() == {one["id"] for one in scene.values}
    names = {one["id"]: one["name"] for one in scene.values}
    for value in scene.values:
        text = told[value["id"]]
        spans = len(value.get("kept", [])) + len(value.get("held", []))
        uses = [(edge["b"], span) for edge in scene.edges if edge["a"] == value["id"] for span in edge.get("kept", [])]
        spans += len({(user, *span.values()) for user, span in uses})  # x × x keeps x twice, which is said once
        assert text.count("data-from=") == spans
        users = {edge["b"] for edge in scene.edges if edge["a"] == value["id"]}
        assert len(users) > 8 or all(re.sub(r"[&<>].*", "", names[one]) in text for one in users)
        steps = [int(one) for one in re.findall(r'data-go="(\d+)"', text)]
        assert all(0 <= one < len(scene.steps) for one in steps)


def test_what_is_selected_reaches_python() -> None:
    pytest.importorskip("anywidget")
    import minitape as tf

    with viz.record() as run:
        w = tf.Variable([[1.0, 2.0], [3.0, 4.0]])
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(w * w)
        tape.gradient(y, w)
    stepper: Any = viz.step(run)
    assert stepper.selected is None
    w_id = next(one["id"] for one in run.scene.values if one["name"] == "w")
    stepper.chosen = f"value:{w_id}"
    kind, name, place, numbers = stepper.selected
    assert (kind, name, place) == ("value", "w", None)
    np.testing.assert_array_equal(numbers, [[1, 2], [3, 4]])
    stepper.chosen = f"gradient:{w_id}@1,0"
    kind, name, place, numbers = stepper.selected
    assert (kind, name, place) == ("gradient", "w", (1, 0))
    np.testing.assert_array_equal(numbers, [[2, 4], [6, 8]])
    stepper.chosen = "place:s0|7"
    assert stepper.selected[:2] == ("line", "s0, line 7")
    stepper.chosen = "value:none of these"
    assert stepper.selected is None
