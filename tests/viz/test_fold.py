"""Long runs: what is drawn stays small, whatever ran, and no byte of the peak and no share of a gradient is lost."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minitape as tf
import viz
from tests.viz.neurons import Net
from viz.paint.svg import picture
from viz.paint.text import story
from viz.scene import Scene

LITTLE = 310  # what one picture may hold


def chain(count: int) -> Any:
    x = tf.Variable(1.01)
    with viz.record() as run:
        with tf.GradientTape() as tape:
            y = x
            for _ in range(count):
                y = tf.sin(y) * x
        slope = tape.gradient(y, x)
    return run, float(slope)


def number(text: str) -> float:
    return float(text.replace("−", "-"))


def most(run: Any) -> int:
    return max(max(record.high, sum(record.memory)) for record in run.stream.records)


def drawn_peak(scene: Scene) -> float:
    return max(max(sum(step["memory"].values()), step.get("high", 0)) for step in scene.steps)


def test_a_short_run_is_not_folded() -> None:
    run, _ = chain(20)
    assert run.scene.groups == []
    assert not any("folded" in note for note in run.scene.notes)


@pytest.mark.parametrize("count", [160, 1500])
def test_a_long_run_is_drawn_small_and_its_shares_still_add_up(count: int) -> None:
    run, slope = chain(count)
    scene = run.scene
    assert len(scene.values) <= LITTLE
    assert len(scene.steps) <= LITTLE
    assert scene.layout is not None
    assert sum(one["values"] for one in scene.groups) == 2 * count
    assert drawn_peak(scene) == most(run)
    x = next(one for one in scene.values if one["name"] == "x")
    shares = [one for edge in scene.edges if edge["a"] == x["id"] for one in edge.get("carried", [])]
    assert sum(number(one["text"]) for one in shares) == pytest.approx(slope, abs=2e-3)
    gradient = next(cell for cell in x["cells"] if cell["kind"] == "gradient")["states"][-1]["text"]
    assert number(gradient) == pytest.approx(slope, abs=1e-3)
    assert any("folds. F opens" in note for note in scene.notes)


@pytest.mark.parametrize("count", [40, 150, 600])
def test_a_list_of_losses_has_one_card_a_fold(count: int) -> None:
    """Each had a card of its own: of 40 a tangle of edges, and of more than 300 no graph at all."""
    w, b = tf.Variable(0.5), tf.Variable(0.0)
    with viz.record() as run:
        with tf.GradientTape() as tape:
            losses = []
            for place in range(count):
                losses.append((w * (place / count) + b - 1.0) ** 2)
            loss = tf.reduce_mean(tf.stack(losses))
        tape.gradient(loss, [w, b])
    scene = run.scene
    names = [value["name"] for value in scene.values if value["name"].startswith("losses[")]
    assert len(names) <= len(scene.groups) <= 40 and len(scene.values) <= len(scene.groups) + 4
    told = [step["say"].replace("\u00a0", " ") for step in scene.steps]
    forward = [say for say in told if re.search(r"losses\[\d+\] is ", say)]
    said = sum(len(re.findall(r"losses\[\d+\] is", say)) for say in forward)
    assert said + sum(int(more) for say in forward for more in re.findall(r"and (\d+) more", say)) >= count - 20
    back = next(say for say in told if "for losses[" in say)
    shares = len(re.findall(r"for losses\[\d+\]", back)) + int(re.search(r"and (\d+) more", back)[1])
    assert shares >= count - 20, "all but those that are folded with what takes them"
    w_card = next(value for value in scene.values if value["name"] == "w")
    summed = sum(
        number(one["text"]) for edge in scene.edges if edge["a"] == w_card["id"] for one in edge.get("carried", [])
    )
    gradient = next(cell for cell in w_card["cells"] if cell["kind"] == "gradient")["states"][-1]["text"]
    assert summed == pytest.approx(number(gradient), abs=2e-3)


def test_a_group_is_opened_by_its_id_and_the_rest_stays_as_it_was() -> None:
    run, _ = chain(400)
    folded = run.scene
    opened = viz.graph(run, unfold=["fold 2"]).scene
    inner = [one for one in opened.groups if one["parent"] == "fold 2"]
    assert inner
    assert "fold 2" not in {one["id"] for one in opened.groups}
    assert {one["id"] for one in folded.groups} - {"fold 2"} == {
        one["id"] for one in opened.groups if not one["parent"]
    }
    whole = next(one for one in folded.groups if one["id"] == "fold 2")
    assert sum(one["values"] for one in inner) <= whole["values"]
    assert folded.steps[-1]["say"] == opened.steps[-1]["say"]


def test_the_rounds_of_a_training_loop_are_one_step_and_leave_their_numbers() -> None:
    w, data = tf.Variable(0.5), tf.constant([1.0, 2.0, 3.0])
    with viz.record() as run:
        for _ in range(60):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((w * data - 2.0 * data) ** 2)
            w.assign_sub(0.05 * tape.gradient(loss, w))
    scene = run.scene
    (fold,) = [one for one in scene.groups if one["id"] == "rounds"]
    step = scene.steps[fold["from"]]
    assert step["say"].startswith("58 more rounds of the same")
    assert len(scene.recorders) == 2
    assert drawn_peak(scene) == most(run)
    shown = next(one for one in scene.values if one["name"] == "w")["cells"][0]["states"][-1]["text"]
    assert number(shown) == pytest.approx(float(w), abs=1e-4)


def regions() -> None:
    layer = tf.recompute_grad(lambda h: tf.sin(tf.cos(tf.sin(h))))
    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for _ in range(120):
            y = layer(y)
    tape.gradient(y, x)


def nested() -> None:
    x = tf.Variable(1.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = x
            for _ in range(160):
                y = tf.sin(y) * x
        d = inner.gradient(y, x)
    outer.gradient(d, x)


def forward_mode() -> None:
    x = tf.constant(1.0)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
        y = x
        for _ in range(200):
            y = tf.sin(y) * x
    acc.jvp(y)


def layers() -> None:
    model = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="tanh") for _ in range(80)])
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(model(tf.ones([3, 4])))
    tape.gradient(y, model.trainable_variables)


def halving() -> None:
    net = tf.checkpoint_sequential([lambda h: tf.sin(tf.cos(h))] * 160, schedule="halving")
    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = net(x)
    tape.gradient(y, x)


@pytest.mark.parametrize("program", [regions, nested, forward_mode, layers, halving])
def test_any_long_program_folds(program: Callable[[], None]) -> None:
    with viz.record() as run:
        program()
    scene = run.scene
    assert scene.groups
    assert len(scene.values) <= LITTLE
    assert len(scene.steps) <= LITTLE
    assert drawn_peak(scene) == most(run)
    ids = {value["id"] for value in scene.values}
    assert all({edge["a"], edge["b"]} <= ids for edge in scene.edges)
    assert all(one.get("face", scene.values[0]["id"]) in ids for one in scene.groups)
    assert picture(scene, len(scene.steps) // 2).startswith("<svg")
    assert len(story(scene).splitlines()) >= len(scene.steps)


def test_many_variables_are_not_many_cards() -> None:
    """A run of four hundred variables stays a picture: those that no shown op uses are counted, not drawn."""
    with viz.record() as run:
        weights = [tf.Variable(float(at)) for at in range(400)]
        with tf.GradientTape() as tape:
            total = tf.add_n(weights)
        slopes = tape.gradient(total, weights)
    scene = run.scene
    assert len(scene.values) < 100
    answer = next(step for step in scene.steps if step["kind"] == "gradients")
    told = answer["say"].count(" is 1")
    assert told == 3 and answer["say"].split(". tape")[0].endswith("And so for 397 more")
    assert [float(one) for one in slopes] == [1.0] * 400


def test_a_gradient_that_is_missing_is_told_also_of_a_long_run() -> None:
    with viz.record() as run:
        weights = [tf.Variable(float(at)) for at in range(250)]
        unused = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            total = tf.add_n([weight * weight for weight in weights])
        tape.gradient(total, [unused, *weights])
    value = next(one for one in run.scene.values if one["name"] == "unused")
    assert value["cells"][-1]["states"][-1]["text"] == "None"


@pytest.mark.parametrize("turns", [20, 40, 60])
def test_a_recurrent_net_opens_as_a_graph_that_can_be_read(turns: int) -> None:
    """Twenty turns were a hundred cards of which five were seen; forty had no graph, and Graphviz was said to be missing."""
    w = tf.Variable([[0.5, 0.1], [0.2, 0.4]], name="w")
    with viz.record() as run, tf.GradientTape() as tape:
        h = tf.ones((2, 2))
        for _ in range(turns):
            h = tf.tanh(h @ w + 0.1 * h)
        tape.gradient(tf.reduce_sum(h), w)
    scene = run.scene
    assert scene.groups and scene.layout is not None
    assert len(scene.values) <= 40
    assert not any("Graphviz" in note or "graph" in note for note in scene.notes)
    assert [one["turns"] for one in scene.loops] == [turns]


def test_of_loops_by_chance_few_are_told() -> None:
    draw = random.Random(2)
    x = tf.Variable(0.5)
    with viz.record() as run:
        y = x * 1.0
        for _ in range(3000):
            y = draw.choice((tf.sin, tf.cos, tf.tanh))(y)
    assert 0 < len(run.scene.loops) <= 12


def test_a_page_offers_no_fold_that_it_cannot_open(tmp_path: Any) -> None:
    x = tf.Variable(0.5)
    with viz.record() as run, tf.GradientTape() as tape:
        y = x * 1.0
        for _ in range(3000):
            y = tf.sin(y) * 1.01
        tape.gradient(y, x)
    page = Path(viz.export(run, tmp_path / "long.html")).read_text(encoding="utf-8")
    (note,) = re.findall('<p class="mt-remark">(.*?)</p>', page)  # the page has this very source, too
    assert "F opens the one at hand" not in note and "closed here" in note
    assert any("F opens the one at hand" in note for note in run.scene.notes)  # in a notebook it does


def test_an_amount_is_the_same_in_sentence_and_picture() -> None:
    """A region that keeps as much as it saves is told with its bytes: 999,500 of them are 1 MB, never 1e+03 kB."""
    x = tf.constant([0.5] * 249_875)  # 999,500 bytes
    with viz.record() as run, tf.GradientTape() as tape:
        tape.watch(x)
        tape.gradient(tf.recompute_grad(tf.sin)(x), x)
    said = " ".join([*run.scene.notes, *[one["say"] for one in run.scene.steps], story(run.scene)])
    assert "1 MB" in said and "e+" not in said


def test_no_fold_goes_on_where_a_function_that_was_cut_has_returned() -> None:
    """The last turn of the first call was told with what the caller did next: "lines 6–7 and 12"."""
    start, stiff = tf.Variable([1.0, 0.0]), tf.Variable(0.5)

    def simulate(stiffness: Any) -> Any:
        position, velocity = start[0], start[1]
        for _ in range(12):
            velocity = velocity - 0.1 * stiffness * position
            position = position + 0.1 * velocity
        return position

    with viz.record() as run:
        with tf.GradientTape() as tape:
            soft = simulate(stiff)
            hard = simulate(4.0 * stiff)
            loss = (soft - 0.3) ** 2 + (hard + 0.1) ** 2
        tape.gradient(loss, stiff)
    labels = [group["label"] for group in run.scene.groups]
    assert labels and not any(" and " in label for label in labels), labels
    assert sum(label.startswith("simulate, ") for label in labels) >= 2


def test_gradients_that_a_line_names_have_cards_of_their_names_among_folds() -> None:
    """Of a long backward pass that an outer tape wrote down, vega and rho had none."""
    s, sigma, r = tf.Variable(100.0), tf.Variable(0.2), tf.Variable(0.05)

    def normal(x: Any) -> Any:
        return 0.5 * (1.0 + tf.math.erf(x / tf.sqrt(2.0)))

    with viz.record() as run:
        with tf.GradientTape() as outer:
            with tf.GradientTape(persistent=True) as inner:
                d1 = (tf.math.log(s / 105.0) + r + 0.5 * sigma**2) / sigma
                d2 = d1 - sigma
                price = s * normal(d1) - 105.0 * tf.exp(-r) * normal(d2)
            delta = inner.gradient(price, s)
            vega, rho = inner.gradient(price, [sigma, r])
        gamma = outer.gradient(delta, s)
    assert run.scene.groups and float(vega) > float(gamma) < float(rho)
    names = {value["name"]: value for value in run.scene.values}
    assert names.keys() >= {"delta", "vega", "rho"}, list(names)
    answer = next(at for at, step in enumerate(run.scene.steps) if step["say"].startswith("vega is"))
    assert names["vega"]["born"] <= answer and names["rho"]["born"] <= answer


def test_rounds_that_are_not_told_say_what_those_after_them_use() -> None:
    """Of a loop that hands tensors on it was said that it leaves nothing behind."""
    with viz.record() as run:
        place = tf.constant(1.0)
        for _ in range(12):
            with tf.GradientTape() as tape:
                tape.watch(place)
                height = tf.reduce_sum(tf.sin(place) * tf.cos(place) + tf.tanh(place) * tf.exp(-place * place))
            place = place - 0.1 * tape.gradient(height, place)
    (fold,) = [step for step in run.scene.steps if "more rounds of the same" in step["say"]]
    assert "place₃ is " in fold["say"], fold["say"]
    card = next(value for value in run.scene.values if value["name"] == "place₃")
    assert run.scene.steps[card["born"]] is fold


def test_a_net_of_single_neurons_is_folded_neuron_by_neuron() -> None:
    """It was cut every 43 ops, in the middle of a neuron: 832 edges, and no picture."""
    net, x = Net(2, [16, 16, 1]), [2.0, 3.0]
    with viz.record() as run:
        with tf.GradientTape() as tape:
            loss = (net(x) - 1.0) ** 2
        tape.gradient(loss, net.parameters())
    scene = run.scene
    folds = [block["label"] for block in scene.groups]
    assert len(scene.values) < 80 and len(scene.edges) < 150 and len(folds) <= 24
    assert sum("×" not in label for label in folds[2:18]) == 16, "each neuron of the second layer is a fold"
    turns = [int(label.rpartition("×")[2]) for label in folds[:2]]
    assert sum(turns) == 16, "and the first is told in whole neurons"
    names = {value["name"] for value in scene.values}
    assert {"layers[0].neurons[0].b", "layers[1].neurons[15].b", "layers[2].neurons[0].w[0]"} <= names


def test_a_batch_through_a_net_of_single_neurons_is_folded_example_by_example() -> None:
    """The loop over the examples has 321 ops a turn, most of which come again and again within it."""
    net, xs = Net(2, [8, 16, 1]), [[float(at), 1.0 - at] for at in range(12)]
    with viz.record() as run:
        with tf.GradientTape() as tape:
            scores = [net(x) for x in xs]
            loss = sum((score - 1.0) ** 2 for score in scores)
        tape.gradient(loss, net.parameters())
    scene = run.scene
    sizes = [block["values"] for block in scene.groups]
    assert sizes[:12] == [sizes[0]] * 12 and sizes[0] > 300
    assert [value["name"] for value in scene.values if value["name"].startswith("scores[")] == [
        f"scores[{at}]" for at in range(12)
    ]
    turns = [loop["turns"] for loop in scene.loops]
    assert turns[0] == 12, "the lens has the loop over the examples first"


def test_the_first_turn_of_a_loop_and_the_last_are_folds_of_their_own() -> None:
    """No instruction comes again before the second turn begins: the first was one piece with what comes before the loop."""
    costs = tf.Variable(np.linspace(0.1, 2.0, 20).reshape(4, 5))
    with viz.record() as run:
        with tf.GradientTape() as tape:
            f, g = tf.zeros(4, "float64"), tf.zeros(5, "float64")
            logs = tf.math.log(tf.constant([4.0, 5.0], "float64"))
            log_a, log_b = -logs[0], -logs[1]
            for _ in range(6):
                f = 0.1 * (log_a - tf.reduce_logsumexp((g[None] - costs) / 0.1, 1))
                g = 0.1 * (log_b - tf.reduce_logsumexp((f[:, None] - costs) / 0.1, 0))
            plan = tf.exp((f[:, None] + g[None] - costs) / 0.1)
            cost = tf.reduce_sum(plan * costs)
        tape.gradient(cost, costs)
    told = [step["say"] for step in run.scene.steps if "as one step" in step["say"]]
    lines = [re.search(r"[Ll]ine \d+ \((\d) of (\d)\), 6 ops as one step: (f|g)", said) for said in told]
    assert [line and line.groups() for line in lines] == [
        None,
        *[(str(turn), "6", name) for turn in range(1, 7) for name in "fg"],
        None,
    ], told


def test_a_long_turn_is_cut_where_lines_end() -> None:
    """It was cut into pieces of one length, in the middle of a line that then gave a number without a name."""
    q, r = tf.Variable(0.3), tf.Variable(0.5)
    with viz.record() as run:
        with tf.GradientTape() as tape:
            mean, spread, total = tf.constant(0.0), tf.constant(1.0), tf.constant(0.0)
            for seen in (0.2, -0.1, 0.4, 0.3):
                spread = spread * 0.9 * 0.9 + tf.exp(q) * tf.exp(q)
                whole = spread * 1.1 * 1.1 + tf.exp(r) * tf.exp(r)
                gain = spread * 1.1 / whole / tf.sqrt(whole) * tf.sqrt(whole)
                error = seen - 1.1 * mean * tf.ones([]) * tf.ones([])
                mean = mean * 0.9 + gain * error - 0.1 * gain * mean
                spread = spread - gain * whole * gain * tf.ones([]) * tf.ones([])
                total = total + tf.math.log(whole) + error * error / whole + 0.1 * whole
        tape.gradient(total, [q, r])
    lines = [group["label"] for group in run.scene.groups]
    begins = [int(re.search(r"\d+", label)[0]) for label in lines]  # type: ignore[index]
    ends = [int(re.findall(r"\d+", label.partition(" (")[0])[-1]) for label in lines]
    assert len(lines) > 8 and not any(end == begin for end, begin in zip(ends, begins[1:], strict=False)), lines


TWO_LINES = """w, a, b = tf.Variable(0.3), tf.constant(0.2), tf.constant(0.1)
with tf.GradientTape() as tape:
    for _ in range(5):
        a = tf.tanh(a * w + b * w - tf.sin(a * b)) * w + b
        b = tf.tanh(b * w + a * w - tf.cos(a * b)) * w + a
tape.gradient(b, w)
"""


def test_two_long_lines_are_two_folds_where_three_would_be_as_long_as_others(tmp_path: Path) -> None:
    """The end of the first was nearest to both cuts: a piece without an op, and of a filter's loop no fold could be opened."""
    path = tmp_path / "two_lines.py"
    path.write_text(TWO_LINES, encoding="utf-8")
    with viz.record() as run:
        exec(compile(TWO_LINES, str(path), "exec"), {"tf": tf})
    told = [step["say"] for step in run.scene.steps if "as one step" in step["say"]]
    assert len(told) >= 10 and all(re.match(r"Line [45] \([1-5] of 5\), ", said) for said in told), (
        told
    )  # with a capital


def test_a_fold_says_beside_each_of_its_lines_what_it_gave() -> None:
    """Only the last line of a fold had anything beside it."""
    w = tf.Variable(0.3)
    with viz.record() as run:
        with tf.GradientTape() as tape:
            place, speed = tf.constant(1.0), tf.constant(0.0)
            for _ in range(20):
                push = -w * place * 1.5 * 1.5 - 0.1 * speed
                speed = speed + 0.1 * push * 2.0
                place = place + 0.1 * speed * 2.0
        tape.gradient(place, w)
    (source,) = run.scene.sources
    folds = [step for step in run.scene.steps if "as one step" in step["say"]]
    assert len(folds) > 5
    for step in folds:
        values = [value for value in run.scene.values if value["id"] in step["focus"]]
        beside = {told.split(" = ")[0]: told.split(" = ")[1] for _, told in step["produced"]}
        for value in values:
            text = value["cells"][0]["states"][0]["text"]
            assert beside[value["name"].rstrip("₀₁₂₃₄₅₆₇₈₉")] == text, (step["say"], beside)
    assert {len(step["produced"]) for step in folds} == {3}


def test_a_large_call_is_one_fold_that_has_what_it_returns() -> None:
    """It was cut into "line 83 ×3", "line 83 ×6" and so on: nobody sees into a function of the library."""
    draw = np.random.default_rng(0)
    weights = [tf.Variable(draw.normal(size=(2, 2))) for _ in range(14)]
    with viz.record() as run:
        with tf.GradientTape() as tape:
            h = tf.ones((1, 2), "float64")
            for w in weights:
                h = tf.tanh(h @ w)
            loss = tf.reduce_sum(h * h)
        grads = tape.gradient(loss, weights)
        clipped, norm = tf.clip_by_global_norm(grads, 1.0)
        total = norm * 2.0 + tf.reduce_sum(clipped[3])
    assert float(total) > 0.0 and len(run.scene.groups) > 3
    large = [group for group in run.scene.groups if group["values"] > 40]
    assert len(large) == 1 and " ×" not in large[0]["label"], large
    names = {value["name"] for value in run.scene.values}
    assert "norm" in names and any(name.startswith("clipped[") for name in names), sorted(names)


def test_weights_that_have_room_are_all_seen_and_one_op_among_folds_has_its_name() -> None:
    """A recurrent layer stood there with its bias alone, and what lies between two of them was called getitem."""
    layers = [tf.keras.layers.GRU(2) for _ in range(12)]
    with viz.record() as run:
        with tf.GradientTape() as tape:
            h = tf.ones([1, 2])
            for layer in layers:
                again = h[:, None]
                h = layer(again)
            loss = tf.reduce_sum(h**2)
        tape.gradient(loss, layers[0].trainable_variables)
    scene = run.scene
    assert sum(value["kind"] == "variable" for value in scene.values) == 36
    assert any(step["say"].startswith("Back through again₁₂: the gradient is now ") for step in scene.steps)
