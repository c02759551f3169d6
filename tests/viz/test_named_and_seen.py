"""A sentence, the line that is marked and the cards that the eye is drawn to speak of the same things."""

from __future__ import annotations

import re
from typing import Any

import pytest

import minitape as tf
import viz
from tests.viz.test_fold import chain
from tests.viz.test_layers_fold import told
from viz.layout.chips import chip_height, chip_width
from viz.layout.curve import parsed, runs_through, sampled
from viz.paint import graph
from viz.paint import state as at
from viz.paint.named import named
from viz.paint.sheet import Mark, resolved
from viz.scene import Scene
from viz.tell.pieces import BACK

LINES = re.compile(r"(?:Back through |\w+, )?[Ll]ines? ([\d–, and]+?)(?: ×\d+| \(\d+ of \d+\))?, \d+ ops?")
PROGRAMS = ("neural_ode", "transformer", "vae", "forecasting", "mixture_density", "seq2seq")


def lines_named(sentence: str) -> set[int]:
    """The lines that a sentence begins with."""
    found = LINES.match(sentence)
    hulls = re.findall(r"(\d+)(?:–(\d+))?", found[1]) if found else []
    return {line for first, last in hulls for line in range(int(first), int(last or first) + 1)}


def recurrent(turns: int) -> Scene:
    """A recurrent net whose last piece has the loss as well."""
    w, u, x = tf.Variable([[0.5, -0.3], [0.2, 0.4]]), tf.Variable([[0.3, 0.1]]), tf.constant([[0.4], [0.1]])
    with viz.record() as run:
        with tf.GradientTape() as tape:
            h = tf.zeros([2, 2])
            for _ in range(turns):
                h = tf.tanh(h @ w + x @ u)
            loss = tf.reduce_mean(h * h)
        tape.gradient(loss, [w, u])
    return run.scene


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [*PROGRAMS, "recurrent"])
def test_the_line_of_a_fold_is_among_those_that_its_sentence_names(name: str) -> None:
    """Of rounds that only begin alike the first was named, and the last was marked."""
    scene = recurrent(40) if name == "recurrent" else told(name)
    seen = 0
    for step in scene.steps:
        if named := lines_named(step["say"]):
            seen += 1
            place = step.get("cause", step["place"]) if step["kind"] == "contribution" else step["place"]
            assert place[1] in named, step["say"]
    assert seen or not any(group["label"].startswith("line") for group in scene.groups)


def test_a_card_called_step_is_not_what_a_fold_speaks_of() -> None:
    """ "… as one step" called it, and a sign led to it from every fold."""
    with viz.record() as run:
        step, y = tf.Variable(1.0), tf.Variable(2.0)
        with tf.GradientTape() as tape:
            out = y
            for _ in range(100):
                out = tf.sin(out) * step
        tape.gradient(out, y)
    card = {value["id"] for value in run.scene.values if value["name"] == "step"}
    line = named(run.scene)
    folds = [place for place, told_ in enumerate(run.scene.steps) if told_["kind"] == "fold"]
    assert card and len(folds) > 3
    assert not card & {each for place in folds for each in str(resolved(line, place)).split()}


def test_all_results_of_an_op_are_named_where_its_backward_pass_speaks_of_them() -> None:
    """The second of `mean, logvar = tf.split(…)` was half out of the picture, without a sign."""
    x = tf.Variable([[1.0, 2.0, 3.0, 4.0]])
    with viz.record() as run:
        with tf.GradientTape() as tape:
            mean, logvar = tf.split(x * 2.0, 2, axis=1)
            loss = tf.reduce_sum(mean * tf.exp(logvar))
        tape.gradient(loss, x)
    ids = {value["name"]: value["id"] for value in run.scene.values}
    [back] = [
        at
        for at, told_ in enumerate(run.scene.steps)
        if "through mean and logvar" in told_["say"].replace("\u00a0", " ")
    ]
    assert set(str(resolved(named(run.scene), back)).split()) == {ids["mean"], ids["logvar"]}


def test_what_a_constant_was_made_like_is_named() -> None:
    """No edge leads from `scores` to the ones that are made like it."""
    w, x = tf.Variable([[1.0, 2.0]]), tf.constant([[1.0], [2.0]])
    with viz.record() as run:
        with tf.GradientTape() as tape:
            scores = x @ w
            loss = tf.keras.losses.BinaryCrossentropy(from_logits=True)(tf.ones_like(scores), scores)
        tape.gradient(loss, w)
    ids = {value["name"]: value["id"] for value in run.scene.values}
    [made] = [
        at
        for at, told_ in enumerate(run.scene.steps)
        if "tf.ones_like(scores)" in told_["say"] and not told_.get("flow")
    ]
    assert str(resolved(named(run.scene), made)).split() == [ids["scores"]]


def test_rounds_are_counted_where_they_are_rounds_of_the_same() -> None:
    labels = {group["label"] for group in recurrent(40).groups}
    assert any(re.fullmatch(r"\w+, line \d+ ×2", label) for label in labels)
    assert any(re.fullmatch(r"(\w+, )?lines \d+–\d+", label) for label in labels), "the last has the loss as well"
    assert all("×" in group["label"] for group in chain(400)[0].scene.groups)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", PROGRAMS)
def test_no_card_is_looked_at_that_the_sentence_of_a_fold_does_not_name(name: str) -> None:
    scene = told(name)
    names = {value["id"]: value["name"] for value in scene.values}
    several = 0
    for step in scene.steps:
        made = [card for card in step.get("focus", []) if isinstance(card, str)]
        if step["kind"] == "fold" and not step["say"].startswith(BACK):
            several += len(made) > 1
            for card in made:
                assert re.search(rf"(^|[ ,]){re.escape(names[card])} is ", step["say"]), (names[card], step["say"])
    assert several or name not in ("transformer", "vae")


def test_an_op_with_several_results_tells_those_that_are_looked_at() -> None:
    with viz.record() as run:
        parts = tf.split(tf.constant([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]), 6)
        a, b = tf.split(parts[0] * tf.constant([1.0, 2.0]), 2)
        del a, b
    told_ = {tuple(step["focus"]): step["say"] for step in run.scene.steps if step["kind"] == "op"}
    names = {value["id"]: value["name"] for value in run.scene.values}
    assert {len(focus) for focus in told_} == {1, 2, 3}
    for focus, say in told_.items():
        assert all(f"{names[card]} is " in say for card in focus)
    assert any(", and 3 more" in say for say in told_.values())


def test_of_many_gradients_those_are_looked_at_that_are_told() -> None:
    with viz.record() as run:
        weights = [tf.Variable(float(place)) for place in range(9)]
        with tf.GradientTape() as tape:
            total = tf.add_n([weight * weight for weight in weights])
        tape.gradient(total, weights)
    answer = run.scene.steps[-1]
    assert answer["kind"] == "gradients" and len(answer["focus"]) == 3 and "And so for 6 more." in answer["say"]


def test_a_question_asked_once_more_begins_with_empty_edges() -> None:
    """The next row of a Jacobian began beside the numbers of the row before."""
    with viz.record() as run:
        x = tf.Variable([1.0, 3.0])
        with tf.GradientTape() as tape:
            y = x * x
        tape.jacobian(y, x)
    scene = run.scene
    seeds = [place for place, step in enumerate(scene.steps) if step["kind"] == "seed"]
    assert len(seeds) == 2
    for seed in seeds:
        assert [edge["id"] for edge in scene.edges if at.carried_at(edge, seed)] == []
    assert any(at.carried_at(edge, seeds[1] - 1) for edge in scene.edges)
    assert any(at.carried_at(edge, len(scene.steps) - 1) for edge in scene.edges)


def tapes() -> Scene:
    with viz.record() as run:
        x = tf.Variable(1.5)
        with tf.GradientTape() as third:
            with tf.GradientTape() as second:
                with tf.GradientTape() as first:
                    y = x * tf.sin(x)
                slope = first.gradient(y, x)
            bend = second.gradient(slope, x)
        third.gradient(bend, x)
    return run.scene


def test_a_number_on_an_edge_stands_where_nothing_moves_under_it_later() -> None:
    """In three tapes within each other arrows ran under numbers of other edges 34 times."""
    scene = tapes()
    assert scene.layout is not None
    edges = {edge["id"]: edge for edge in scene.edges}
    found = []
    for way in ("LR", "TB"):
        lines = {key: sampled(parsed(d)) for key, d in scene.layout[way]["edges"].items()}
        chips = {mark.key[5:]: mark for mark in marks_of(graph.graph(scene, way).mark) if mark.key.startswith("chip:")}
        for step, told_ in enumerate(scene.steps):
            for key, mark in chips.items():
                if shown := at.carried_at(edges[key], step):
                    wide, high = chip_width(shown["text"]) - 2, chip_height(shown["text"]) - 2
                    left, top = map(float, re.findall(r"-?[\d.]+", mark.attrs["transform"]))
                    box = [left - wide / 2, top - high / 2, wide, high]
                    moving = [edge for edge, _ in told_.get("flow", []) if edge in lines and edge != key]
                    found += [(way, step, edge, key) for edge in moving if runs_through(lines[edge], box)]
    assert found == []


def marks_of(mark: Mark) -> list[Mark]:
    return [mark, *(inner for kid in mark.kids for inner in marks_of(kid))]


def test_of_many_gradients_of_a_value_its_card_shows_the_newest() -> None:
    with viz.record() as run:
        w = tf.Variable(2.0)
        with tf.GradientTape(persistent=True) as tape:
            ys = [w * float(place) for place in range(3, 15)]
        for y in ys:
            tape.gradient(y, w)
    scene = run.scene
    value = next(value for value in scene.values if value["name"] == "w")
    assert len(value["cells"]) == 13
    marks = marks_of(graph.graph(scene, "LR").mark)
    card = next(mark for mark in marks if mark.attrs.get("data_value") == value["id"])
    answers = [step for step, told_ in enumerate(scene.steps) if told_["kind"] == "gradients"]
    for step, cell in zip(answers, value["cells"][1:], strict=True):
        texts = [str(resolved(mark.attrs["text"], step)) for mark in marks_of(card) if mark.tag == "text"]
        assert cell["label"] in texts and cell["states"][-1]["text"] in texts
        rings = [resolved(mark.attrs["cls"], step) for mark in marks_of(card) if mark.key.startswith("ring:")]
        assert rings.count("ring") == 1


def test_an_error_ends_a_run_at_the_line_that_raised_it() -> None:
    def net(x: Any) -> Any:
        return x + tf.ones([3])

    with pytest.raises(tf.errors.InvalidArgumentError), viz.record() as run:
        x = tf.Variable([1.0, 2.0])
        with tf.GradientTape():
            net(x)
    step = run.scene.steps[-1]
    lines = dict(run.scene.sources[int(step["place"][0][1:])]["lines"])
    assert step["kind"] == "error" and lines[step["place"][1]].strip() == "return x + tf.ones([3])"


def test_a_gradient_that_an_outer_tape_uses_is_called_by_its_name_where_it_comes_up() -> None:
    """Formulas spoke of g₁ and g₄, which no step had named: the outer tape does not see how they come back."""
    with viz.record() as run:
        x = tf.Variable(2.0)
        with tf.GradientTape() as outer:
            with tf.GradientTape() as tape:
                y = x * x - 3.0 * x
            slope = tape.gradient(y, x)
        outer.gradient(slope, x)
    told: list[str] = []
    for step in run.scene.steps:
        made, *used = [term[0] for term in step.get("formula", [])] or [""]
        told += [made, step["say"]]
        for name in re.findall("g[₀-₉]+", " ".join(used)):
            assert any(name in say for say in told), (name, step)
    called = [say for say in told if "It is called" in say]
    assert [say.rpartition(" ")[2] for say in called] == ["g₁.", "g₂."], told
    assert "starting with 1" in called[0] and called[1].startswith("Back through 3·x to x: −3.")
    assert not any("called slope" in say for say in told)


def test_what_glides_along_an_edge_goes_behind_numbers() -> None:
    with viz.record() as run:
        x = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            y = x * x * x
        tape.gradient(y, x)
    for way in ("LR", "TB"):
        kids = list(graph.graph(run.scene, way).mark.kids)
        dots = [at for at, mark in enumerate(kids) if "data_dot" in mark.attrs]
        numbers = [at for at, mark in enumerate(kids) if mark.key.startswith("chip:")]
        assert len(dots) == 4 and len(numbers) > 2 and max(dots) < min(numbers)
