"""How many actions lead to an op of a long run: a fold is chosen and opened (two), the op is chosen (one), however long the run is;
or its turn is asked for (`/`, "turn 512", Enter: three), which opens all that it lies in."""

from __future__ import annotations

from typing import Any

import pytest

import minitape as tf
import viz
from viz.capture import stream_of
from viz.paint.page import inside
from viz.tell import opened_folds
from viz.tell.folding import Folding
from viz.tell.into import opened
from viz.tell.loops import Loops
from viz.tell.scenes import scene_of

from .test_loops import rnn as recorded

MOST = 6


def rnn(turns: int) -> Any:
    with viz.record("a cell, again and again") as run:
        w, u = tf.Variable([[0.5, -0.3], [0.2, 0.4]]), tf.Variable([[0.3, 0.1], [-0.2, 0.6]])
        h, x = tf.constant([[0.1, 0.2]]), tf.constant([[1.0, -1.0]])
        with tf.GradientTape() as tape:
            for _ in range(turns):
                h = tf.tanh(h @ w + x @ u)
            loss = tf.reduce_sum(h * h)
        tape.gradient(loss, [w, u])
    return run


def training(steps: int) -> Any:
    with viz.record("steps") as run:
        w, b, x = tf.Variable(0.5), tf.Variable(0.0), tf.constant([1.0, 2.0, 3.0])
        for _ in range(steps):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((w * x + b - 2.0 * x) ** 2)
            dw, db = tape.gradient(loss, [w, b])
            w.assign_sub(0.05 * dw)
            b.assign_sub(0.05 * db)
    return run


def attention(layers: int) -> Any:
    with viz.record("attention") as run:
        h = tf.constant([[0.5, -1.0, 0.25], [1.5, 0.75, -0.5]])
        eye = [[0.3, 0.1, 0.0], [0.0, 0.2, -0.1], [0.1, 0.0, 0.4]]
        weights = [[tf.Variable(eye) for _ in range(5)] for _ in range(layers)]
        with tf.GradientTape() as tape:
            for q, k, v, o, f in weights:
                scores = tf.nn.softmax((h @ q) @ tf.transpose(h @ k) / 1.75)
                h = h + (scores @ (h @ v)) @ o
                h = h + tf.nn.relu(h @ f)
            loss = tf.reduce_mean(h * h)
        tape.gradient(loss, [one for layer in weights for one in layer])
    return run


def actions(records: Any, open_: tuple[str, ...] = ()) -> int:
    """What an op needs that lies deepest: it is chosen (one), or the largest fold is chosen and opened first (two)."""
    folding = Folding(records, open_)
    ways = [("rounds",)] if any(record.kind == "rounds" for record in folding.records) else []
    inside = open_[-1] if open_ and open_[-1] != "rounds" else ""
    folds = [block for block in folding.block_of.values() if block.parent == inside and len(block.ops) > 1]
    if folds:
        ways.append((*open_, max(folds, key=lambda block: len(block.ops)).id))
    # A sole fold need not be chosen: F opens it.
    open_one = 1 if len(ways) == 1 and len({block.id for block in folds}) < 2 else 2
    return max([open_one + actions(records, way) for way in ways], default=1)


@pytest.mark.parametrize(
    "make",
    [
        *((rnn, turns) for turns in (3, 20, 50, 500)),
        *((training, steps) for steps in (3, 20, 50, 1000)),
        (attention, 4),
    ],
    ids=lambda one: f"{one[0].__name__} {one[1]}",
)
def test_every_op_is_reached_in_a_few_actions(make: Any) -> None:
    function, size = make
    stream = stream_of(function(size))
    if actions(stream.records) <= MOST:
        return
    widget = pytest.importorskip("viz.paint.widget", exc_type=ImportError)
    stepper = widget.Stepper(scene_of(stream), unfold=lambda names: scene_of(stream, names))
    loops = Loops(stream.records)
    for turn in (1, size // 2):
        stepper.opened = [f"turn {turn}"]  # what the page asks for
        way, scene = opened(stream.records, stream.records, stepper.opened), stepper.scene
        assert len(scene.values) < 100 and len(scene.recorders) <= 5, "however many turns there are"
        folding = Folding(stream.records, way)
        for op in loops.ops_in(0, turn):
            shown = not folding.around(op.id)
            assert 3 + (1 if shown else actions(stream.records, tuple(way))) <= MOST, (turn, op.row.name, way)
        begun = next(one for one in scene.values if one["born"] == stepper.step)
        assert scene.cards[loops.ops_in(0, turn)[0].gives[0].id] == begun["id"]


def test_a_turn_within_folds_is_opened_all_the_way() -> None:
    stream = stream_of(rnn(100))
    first = Loops(stream.records).ops_in(0, 50)[0]
    whole, scene = scene_of(stream, placed=False), scene_of(stream, ["turn 50"], placed=False)
    begin = scene.begin_of("turn 50")
    assert begin is not None and scene.begin_of("turn 100") is None and scene.begin_of("fold 1") is None
    card = next(one for one in scene.values if one["id"] == scene.cards[first.gives[0].id])
    assert card["born"] == begin and "group" not in card, "the op itself, and no fold's face"
    assert len(whole.values) < len(scene.values) < 80


def test_a_page_finds_what_is_folded_in_three() -> None:
    """`/`, a name, Enter: each name of the run with all folds open is on the page, folded or not."""
    run = training(20)
    folds = opened_folds(run, everything=True)
    names = {value["name"] for value in run.scene.values} | set(inside(run.scene, folds)[0])
    assert {value["name"] for one in folds.values() for value in one.values} <= names
    assert len(names) > len(run.scene.values)


def test_no_fold_that_a_page_opens_looks_as_before() -> None:
    """A cell's turn holds two products with constants, each of which is a block of one op: there is nothing in it to open."""
    folds = opened_folds(recorded(22)[0], everything=False)
    assert len(folds) > 15
    assert len({scene.to_json() for scene in folds.values()}) == len(folds)
