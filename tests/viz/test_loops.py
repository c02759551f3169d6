"""Loops are found in what ran, and what is told of their turns is what NumPy and a tape of one's own say."""

from __future__ import annotations

import linecache
import math
import re
import warnings
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import minitape as tf
import viz
from viz.layout.sizes import sans_width
from viz.paint.lens import ROOMS, sheets
from viz.paint.loop import LEFT, _on, _said_of_ways, axis
from viz.paint.loopgrid import CARD, INSIDE, WIDE, arranged, edges
from viz.paint.strips import bars, scale_of, shown, stretches
from viz.paint.turns import every
from viz.style import words
from viz.tell.loops import Loops
from viz.tell.turns import turns_of


def rnn(turns: int, plant: int = -1) -> tuple[Any, Any]:
    """A recurrent net under a tape, and what a tape that watches everything says of each turn."""
    draw = np.random.default_rng(3)
    Wx = tf.Variable(draw.normal(size=(3, 4)).astype("f4"), name="Wx")
    Wh = tf.Variable((0.5 * draw.normal(size=(4, 4))).astype("f4"), name="Wh")
    data = [draw.normal(size=(2, 3)).astype("f4") for _ in range(turns)]
    if plant >= 0:
        data[plant][1, 2] = np.nan
    xs = [tf.constant(one) for one in data]
    with viz.record("a recurrent net") as run:
        with tf.GradientTape() as tape:
            h = tf.zeros((2, 4))
            for x in xs:
                h = tf.tanh(x @ Wx + h @ Wh)
            loss = tf.reduce_mean(h * h)
        tape.gradient(loss, [Wx, Wh])
    made = []
    with tf.GradientTape(persistent=True) as own:
        h = tf.zeros((2, 4))
        for x in xs:
            a, b = x @ Wx, h @ Wh
            h = tf.tanh(a + b)
            made.append((h, a, x))
        loss = tf.reduce_mean(h * h)
    return run, [(h, x, own.gradient(loss, h), own.gradient(loss, a)) for h, a, x in made]


def norm(array: Any) -> float:
    return float(np.sqrt(np.square(np.asarray(array, "f8")).sum()))


def the(told: dict[str, Any], name: str) -> dict[str, Any]:
    return next(one for one in told["body"] if one["name"] == name)


@pytest.mark.parametrize("turns", [3, 20, 50])
def test_what_is_told_of_a_turn_is_true(turns: int) -> None:
    run, truth = rnn(turns)
    (told,) = run.scene.loops
    assert (told["turns"], told["order"], told["label"]) == (turns, "mirrored", "for x in xs:")
    h, x, Wx = the(told, "h"), the(told, "x"), the(told, "Wx")
    assert h["values"] == pytest.approx([norm(one[0]) for one in truth], rel=1e-3)
    assert h["gradients"] == pytest.approx([norm(one[2]) for one in truth], rel=1e-3)
    assert x["values"] == pytest.approx([norm(one[1]) for one in truth], rel=1e-3)
    assert Wx["shares"] == pytest.approx([norm(one[1].numpy().T @ one[3].numpy()) for one in truth], rel=1e-3)
    assert [[the(told, "h")["id"], the(told, "h @ Wh")["id"]]] == told["carried"]
    assert Wx["kind"] == "variable" and x["kind"] == "input"


def test_a_call_around_ops_is_no_op_of_the_loop() -> None:
    """A reversible layer, and a region that is run again, stand around ops that a turn has already: no card, no reader of its own."""
    net = tf.ReversibleSequential([tf.ReversibleLayer(tf.sin, tf.tanh) for _ in range(4)], drift="off")
    with viz.record() as run:
        a, b = tf.constant(1.0), tf.constant(2.0)
        with tf.GradientTape() as tape:
            tape.watch([a, b])
            y, _ = net(a, b)
        tape.gradient(y, [a, b])
    (told,) = run.scene.loops
    assert [one["takes"] for one in told["body"]] == [[], ["b0"], ["b1"], ["b2"]]
    assert told["carried"] == [["b3", "b0"], ["b1", "b1"], ["b3", "b3"]] and told["order"] == "mirrored"
    assert len(sheets(run.scene, "p")) == 1


def test_nan_is_counted_and_not_left_out() -> None:
    run, _ = rnn(8, plant=5)
    h = the(run.scene.loops[0], "h")
    assert h["values_odd"] == [[5, 4, 0], [6, 4, 0], [7, 4, 0]]
    assert shown(h, "values", 5) == "4 NaN" and shown(h, "values", 4) != "4 NaN"
    assert bars(h, "values", 100.0, 18.0, scale_of([h["values"]]))[1].count("M") == 3


def test_infinity_is_not_called_nan() -> None:
    with warnings.catch_warnings(action="ignore"), viz.record() as run:
        h = tf.constant([1.0, 2.0, np.nan])
        for rate in (1e18, 1e18, 1e18):
            h = h * rate
    h = the(run.scene.loops[0], "h")
    assert h["values_odd"] == [[0, 1, 0], [1, 1, 0], [2, 1, 2]]
    assert [shown(h, "values", turn) for turn in (0, 2)] == ["1 NaN", "1 NaN, 2 ∞"]
    marks = bars(h, "values", 90.0, 18.0, scale_of([h["values"]]))[1]
    assert marks.count("v9.0") == 1 and marks.count("l6.0 6.0m0-6.0") == 3  # an arrow in the last turn, a cross in each


def test_a_training_loop_goes_back_within_each_turn() -> None:
    w = tf.Variable(2.0, name="w")
    kept = []
    with viz.record("training") as run:
        for _ in range(7):
            with tf.GradientTape() as tape:
                loss = w * w
            slope = tape.gradient(loss, w)
            w.assign_sub(0.1 * slope)
            kept.append((float(w), float(slope)))
    told = run.scene.loops[0]
    assert told["order"] == "nested" and told["turns"] == 7
    assert the(told, "w")["values"] == pytest.approx([now for now, _ in kept], rel=1e-3)
    assert the(told, "w")["shares"] == pytest.approx([slope for _, slope in kept], rel=1e-3)
    assert told["steps"] == sorted(told["steps"]) and len(set(told["steps"])) == 7


def test_ops_of_one_call_have_names_of_their_own() -> None:
    """A layer and a loss are many ops on one line: only the last of them is what the line names."""
    tf.keras.utils.clear_session()
    layers = [tf.keras.layers.Dense(4, activation="tanh"), tf.keras.layers.Dense(1)]
    model, x = tf.keras.Sequential(layers), tf.constant([[1.0, 2.0], [3.0, -1.0]])
    model(x)
    with viz.record("a net") as run:
        for _ in range(3):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(model(x) ** 2)
            tape.gradient(loss, model.trainable_variables)
    body = run.scene.loops[0]["body"]
    made = [
        f"{each['name']} = {each['sign']}" if each["sign"] else each["name"] for each in body if each["kind"] == "value"
    ]
    assert made == ["dense: @", "dense: +", "dense: tanh", "dense_1: @", "model(x)", "model(x) ** 2", "loss = mean"]
    weights = {each["name"] for each in body if each["kind"] == "variable"}
    assert weights == {"dense/kernel", "dense/bias", "dense_1/kernel", "dense_1/bias"}


def gates(turns: int) -> Any:
    """A cell with gates, in a function that a loop calls: more ops one after the other than a row of cards has room for."""
    draw = np.random.default_rng(7)
    W = tf.Variable(draw.normal(size=(5, 12)).astype("f4"), name="W")
    b = tf.Variable(np.zeros(12, "f4"), name="b")
    xs = tf.constant(draw.normal(size=(turns, 4, 2)).astype("f4"))

    def cell(x: Any, h: Any, c: Any) -> Any:
        z = tf.concat([x, h], 1) @ W + b
        i, f, g, o = tf.split(z, 4, axis=1)
        c = tf.sigmoid(f) * c + tf.sigmoid(i) * tf.tanh(g)
        return tf.sigmoid(o) * tf.tanh(c), c

    with viz.record("gates") as run:
        h = c = tf.zeros((4, 3))
        with tf.GradientTape() as tape:
            for turn in range(turns):
                h, c = cell(xs[turn], h, c)
            loss = tf.reduce_sum(h * h)
        tape.gradient(loss, [W, b])
    return run


def test_what_goes_into_a_call_of_many_ops_is_not_named_by_guessing() -> None:
    """y was called x, by its place in the line, and then after the op that takes it; x_batch is what `fit` has of x."""
    draw = np.random.default_rng(0)
    x, y = (tf.constant(draw.normal(size=(12, wide)).astype("f4")) for wide in (2, 1))
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, name="thin")])
    model.compile(optimizer="sgd", loss="mse")
    with viz.record("a fit") as run:
        model.fit(x, y, epochs=2, batch_size=4, verbose=0)
    (told,) = run.scene.loops
    assert [card["name"] for card in told["body"] if card["kind"] == "input"] == ["x_batch", "y_batch"]
    with viz.record("a call") as run:
        for batch in (x[:4], x[4:8], x[8:]):
            model(batch)
    (told,) = run.scene.loops
    assert [card["name"] for card in told["body"] if card["kind"] == "input"] == ["batch"]


def test_a_loop_is_named_by_its_line_though_most_of_it_runs_in_a_function() -> None:
    """Every time that it runs: after a while Python specializes `xs[turn]`, whose frames then stand at another offset."""
    for _ in range(5):
        assert [told["label"] for told in gates(4).scene.loops] == ["for turn in range(turns):"]


def test_a_loop_that_uses_nothing_from_outside_names_no_outside() -> None:
    """Its heading stood half cut under the picture."""
    with viz.record() as run:
        made = [tf.sin(tf.ones((2, 2)) * float(turn)) for turn in range(4)]
    assert len(made) == 4
    outside = {card["kind"] for card in run.scene.loops[0]["body"]} - {*INSIDE}
    assert outside == set() and words("loop.outside") not in sheets(run.scene, "x")[0]["html"]


@pytest.mark.parametrize("turns", [7, 140, 2500, 48_000])
def test_numbers_of_turns_have_room_beside_each_other(turns: int) -> None:
    told = {"turns": turns, "order": "mirrored", "memory": []}
    for _, wide in ROOMS:
        drawn, _ = axis(told, [], wide=wide)
        numbers = [each for each in every(drawn) if each.attrs.get("cls") == "celltext"]
        places = sorted((float(each.attrs["x"]), sans_width(each.attrs["text"], 11)) for each in numbers)
        assert len(places) >= 4
        assert all(x + w / 2 + 2 <= y - v / 2 for (x, w), (y, v) in pairwise(places))
        (first, left), (last, right) = places[0], places[-1]
        assert first - left / 2 >= -1 and last + right / 2 <= wide - LEFT + 1, "no number leaves the axis"


def test_edges_into_a_further_row_run_between_the_cards() -> None:
    told = gates(4).scene.loops[0]
    spots, grid = arranged(told)
    cards = {each["id"]: each for each in told["body"]}
    boxes = [(x, y, x + CARD, y + grid.tall(cards[key])) for key, (x, y) in spots.items()]
    assert len(grid.lanes) >= 3 and len(set(grid.lanes.values())) == len(grid.lanes)
    for (source, reader), lane in grid.lanes.items():
        ends = spots[source], spots[reader], grid.tall(cards[source]), grid.tall(cards[reader])
        numbers = [float(each) for each in re.findall(r"-?[\d.]+", _on(*ends, lane))]
        (x1, y1), down, into, (x2, y2) = (
            numbers[:2],
            numbers[2] + 5,
            numbers[12] + numbers[9],
            (numbers[-1], numbers[17] + 5),
        )
        assert 0 < into < WIDE and 0 < down < WIDE
        for a, b in (
            ((x1, y1), (down, y1)),
            ((down, y1), (down, lane)),
            ((down, lane), (into, lane)),
            ((into, lane), (into, y2)),
            ((into, y2), (x2, y2)),
        ):
            left, right, top, bottom = min(a[0], b[0]), max(a[0], b[0]), min(a[1], b[1]), max(a[1], b[1])
            hit = [
                box
                for box in boxes
                if left < box[2] - 1 and right > box[0] + 1 and top < box[3] - 1 and bottom > box[1] + 1
            ]
            assert hit == [], (source, reader, a, b)


@pytest.mark.parametrize(
    ("ran", "found"),
    [
        ("abab", []),
        ("ababab", [(0, 2, 3)]),
        ("xababababy", [(1, 2, 4)]),
        ("aaab" * 3, [(0, 4, 3), (0, 1, 3)]),
        ("xaaaayxaaaay" * 2, [(0, 6, 4), (1, 1, 4)]),
        ("abcdefg", []),
    ],
)
def test_turns(ran: str, found: list[tuple[int, int, int]]) -> None:
    assert [tuple(one) for one in turns_of(list(ran))] == found


def test_a_stream_from_json_tells_what_its_digits_can() -> None:
    """Its small arrays are rounded to a millionth: what is told of them is right in three digits, or it is not told."""
    run, truth = rnn(20)
    again = viz.Stream.from_json(run.stream.to_json())
    h = the(again.scene.loops[0], "h")  # type: ignore[attr-defined]
    assert h["values"] == pytest.approx([norm(one[0]) for one in truth], rel=1e-3)
    told = [(size, norm(one[2])) for size, one in zip(h["gradients"], truth, strict=True) if size is not None]
    assert 0 < len(told) < 20
    assert all(size == pytest.approx(true, rel=1e-3) for size, true in told)


def test_each_turn_leads_to_its_step() -> None:
    run, _ = rnn(3)
    (told,) = run.scene.loops
    for turn, step in enumerate(told["steps"]):
        assert run.scene.steps[step]["kind"] == "op", turn
    assert told["steps"] == sorted(set(told["steps"]))


@pytest.mark.parametrize("turns", [3, 61, 500, 1000])
def test_no_number_of_turns_is_without_a_picture(turns: int) -> None:
    w = tf.Variable(1.0, name="w")
    with viz.record("many turns") as run, tf.GradientTape() as tape:
        y = w * 1.0
        for _ in range(turns):
            y = tf.sin(y) * 1.1
        tape.gradient(y, w)
    scene = run.scene
    (sheet,) = sheets(scene, "mtID")
    assert sheet["steps"] == turns == len(sheet["at"])
    assert max(sheet["at"]) < len(scene.steps)
    assert len(stretches(turns)) <= 116 and stretches(turns)[-1][1] == turns
    assert len(sheet["html"]) < 60_000


def test_a_spike_is_seen_among_a_thousand() -> None:
    sizes = [1.0] * 1000
    sizes[437] = 50.0
    lying, _ = bars({"values": sizes}, "values", 116.0, 18.0, scale_of([sizes]))
    assert "v-17h0.9v17H116" in lying and math.isclose(scale_of([sizes]).of(1.0), 0.02)


def test_the_memory_of_a_loop_has_a_column_for_each_holder_that_the_picture_names() -> None:
    run, _ = rnn(4)
    (told,) = run.scene.loops
    assert len(run.scene.holders) < len(run.stream.holders)  # some hold nothing in this run
    assert {len(point) for point in told["memory"]} == {1 + len(run.scene.holders)}
    totals = {sum(record.memory) for record in run.stream.records if record.memory}
    assert {sum(point[1:]) for point in told["memory"]} <= totals
    assert max(sum(point[1:]) for point in told["memory"]) > 0


@pytest.mark.parametrize("mirrored", [True, False])
def test_what_is_held_after_a_loop_is_no_part_of_its_last_turn(mirrored: bool) -> None:
    with viz.record() as run:
        w, h = tf.Variable(0.5), tf.constant(1.0)
        if mirrored:
            with tf.GradientTape() as tape:
                for _ in range(5):
                    h = tf.tanh(h * w)
            tape.gradient(h, w)
        else:
            for _ in range(5):
                with tf.GradientTape() as tape:
                    loss = (w - 3.0) ** 2
                w.assign_sub(0.1 * tape.gradient(loss, w))
        large = tf.zeros([1000])
        tf.sin(large)
    told = Loops(run.stream.records).told({})[0]
    assert told["order"] == ("mirrored" if mirrored else "nested")
    assert max(sum(point[1:]) for point in told["memory"]) < 4000
    turns = {int(point[0]) for point in told["memory"]}
    assert turns >= set(range(5)) and max(turns) == (10 if mirrored else 4)


def test_a_loop_of_any_width_has_the_same_marks_and_every_edge() -> None:
    """What comes into a turn may stand at the end of a row, and its reader at the beginning of the next."""
    draw = np.random.default_rng(3)
    weights = [tf.Variable(draw.normal(size=(4, 4)).astype("f4"), name=f"W{at}") for at in range(4)]
    xs = [tf.constant(draw.normal(size=(2, 4)).astype("f4")) for _ in range(4)]
    with viz.record() as run:
        h = tf.zeros((2, 4))
        for x in xs:
            for_next = h
            for W in weights[:2]:
                for_next = tf.tanh(for_next @ W)
            h = tf.sigmoid(for_next @ weights[2]) * x + tf.sin(x) @ weights[3]
    assert len(sheets(run.scene, "p")) == len(run.scene.loops)
    led = []
    for told in run.scene.loops:
        inputs = {one["id"] for one in told["body"] if one["kind"] == "input"}
        for _, wide in ROOMS:
            spots, grid = arranged(told, wide)
            lost = [
                edge
                for edge in edges(told["body"])
                if edge not in grid.lanes and spots[edge[0]][0] >= spots[edge[1]][0]
            ]
            assert lost == []
            led += [source for source, _ in grid.lanes if source in inputs]
    assert led


def test_a_loop_is_named_by_the_line_that_goes_round_so_often() -> None:
    """Not by a loop inside of it, nor by one in a function that it calls."""
    program = (
        "def halved(x):\n    for _ in range(2):\n        x = tf.sin(x) * 0.5\n    return x\n"
        "x = tf.Variable(1.0)\nfor step in range(4):\n    with tf.GradientTape() as tape:\n        total = tf.constant(0.0)\n"
        "        for task in range(3):\n            total = total + halved(x) * float(task + 1)\n        loss = total * total\n"
        "    x.assign_sub(0.1 * tape.gradient(loss, x))\n"
    )
    source = "loops_named.py"
    linecache.cache[source] = len(program), None, program.splitlines(keepends=True), source
    with viz.record() as run:
        exec(compile(program, source, "exec"), {"tf": tf})
    labels = {told["turns"]: told["label"] for told in reversed(run.scene.loops)}
    assert labels[4] == "for step in range(4):" and labels[3] == "for task in range(3):"


def test_what_each_turn_puts_into_a_list_is_called_by_the_list() -> None:
    w, losses = tf.Variable(0.5), []
    with viz.record() as run, tf.GradientTape() as tape:
        for place in range(5):
            losses.append((w * float(place) + 1.0 - float(place)) ** 2)
        tape.gradient(tf.reduce_mean(tf.stack(losses)), w)
    body = run.scene.loops[0]["body"]
    assert body[-1]["name"] == "w" and "losses[…]" in [card["name"] for card in body]
    assert next(card["sign"] for card in body if card["name"] == "losses[…]") == "xʸ"


def test_words_of_what_is_carried_stand_on_no_way_along_the_cards() -> None:
    """Of a loop that carries several things a way of another one went through the words."""
    speed, pull = tf.Variable([3.0, 4.0]), tf.constant([0.0, -9.81])
    with viz.record() as run:
        with tf.GradientTape() as tape:
            place, _ = tf.while_loop(
                lambda p, u: True,
                lambda p, u: (p + 0.1 * u, u + 0.1 * (pull - 0.1 * u * tf.norm(u))),
                [tf.zeros(2), speed],
                maximum_iterations=8,
            )
            miss = tf.norm(place)
        tape.gradient(miss, speed)
    told = run.scene.loops[0]
    spots, grid = arranged(told)
    assert len(told["carried"]) >= 3
    mark = _said_of_ways(told["carried"], spots, grid)
    x, y = float(mark.attrs["x"]), float(mark.attrs["y"])
    half = sans_width(words("loop.carried"), 11) / 2
    for at, (source, reader) in enumerate(told["carried"]):
        lane = grid.carry[spots[reader][1]] + 5 * (at % 3)
        ends = sorted((spots[source][0] + CARD - 18, spots[reader][0] - 9))
        assert not (y - 9 < lane < y + 2) or ends[1] < x - half or x + half < ends[0], (y, lane)
