"""What stands beside a line of the program is the newest that the line, or the variable, gave."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

import minitape as tf
import viz
from tests import people
from viz.capture.numbers import Snapshot, number, spelled
from viz.paint import panels
from viz.paint.sheet import Mark
from viz.scene import Scene

Lines = dict[tuple[Any, ...], str]


def lines_by_step(scene: Scene) -> Iterator[tuple[int, Lines]]:
    """By step, what stands beside each line."""
    lines: Lines = {}
    for at, step in enumerate(scene.steps):
        lines.update({tuple(place): text for place, text in step.get("produced", [])})
        yield at, dict(lines)


def parts(text: str) -> list[tuple[str, str]]:
    return re.findall(r"([\w/]+) = (.*?)(?=, [\w/]+ = |, …|$)", text)


def line_fit(steps: int) -> tuple[Any, dict[str, list[float]]]:
    w, b = tf.Variable(0.5), tf.Variable(0.0)
    found: dict[str, list[float]] = {name: [] for name in ("guess", "loss", "dw", "db", "w", "b")}
    with viz.record() as run:
        for _ in range(steps):
            with tf.GradientTape() as tape:
                guess = w * 2.0 + b
                loss = (guess - 7.0) ** 2
            dw, db = tape.gradient(loss, [w, b])
            w.assign_sub(0.02 * dw)
            b.assign_sub(0.02 * db)
            for name, value in {"guess": guess, "loss": loss, "dw": dw, "db": db, "w": w, "b": b}.items():
                found[name].append(float(value))
    return run, found


def newton(steps: int) -> tuple[Any, dict[str, list[float]]]:
    x = tf.Variable(20.0)
    found: dict[str, list[float]] = {name: [] for name in ("y", "slope", "bend", "x")}
    with viz.record() as run:
        for _ in range(steps):
            with tf.GradientTape() as outer:
                with tf.GradientTape() as inner:
                    y = x**4 - 3.0 * x**2 + tf.sin(x)
                slope = inner.gradient(y, x)
            bend = outer.gradient(slope, x)
            x.assign_sub(0.2 * slope / bend)
            for name, value in {"y": y, "slope": slope, "bend": bend, "x": x}.items():
                found[name].append(float(value))
    return run, found


@pytest.mark.parametrize(("program", "steps"), [(line_fit, 20), (line_fit, 50), (newton, 12)])
def test_after_a_fold_of_rounds_each_line_shows_what_it_gave_last(program: Any, steps: int) -> None:
    run, found = program(steps)
    scene = run.scene
    fold = next(group["from"] for group in scene.groups if group["id"] == "rounds")
    seen: set[tuple[str, int]] = set()
    for at, lines in lines_by_step(scene):
        if at < fold:
            continue
        shown = {name: said for text in lines.values() for name, said in parts(text) if name in found}
        assert shown.keys() == found.keys(), at
        for name, said in shown.items():
            newest = [number for number in (-1, -2) if close(said, found[name][number])]
            assert newest, f"step {at}: {name} = {said}, of the last rounds {found[name][-2:]}"
            seen.update((name, number) for number in newest)
    assert seen == {(name, number) for name in found for number in (-1, -2)}  # the last round brings the last number


def close(said: str, value: float) -> bool:
    return float(said.replace("−", "-")) == pytest.approx(value, rel=1e-3, abs=1e-4)


def test_lines_that_an_opened_fold_showed_follow_in_the_folds_after_it() -> None:
    x, found = tf.Variable(1.5), list[float]()
    with viz.record() as run:
        y = x * 1.0
        for _ in range(150):
            z = y + 1.0
            y = z + x
            found += [float(z), float(y)]  # all different
    both = 0
    for at, lines in lines_by_step(viz.graph(run, unfold=["fold 2", "fold 2.1"]).scene):
        shown = dict(pair for text in lines.values() for pair in parts(text))
        if shown.keys() == {"y", "z"}:
            ran = {name: found.index(float(said)) for name, said in shown.items()}
            assert abs(ran["y"] - ran["z"]) == 1, (at, shown)
            both += ran["y"] == len(found) - 1
    assert both


def of_keras() -> Any:
    """A model that makes its variables on its first call, and an optimizer that changes them on another line."""
    model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(3)])
    x, y = tf.constant(people.numbers(16, 4)), tf.constant([0, 1, 2, 0] * 4)
    optimizer, loss_of = tf.keras.optimizers.Adam(0.01), tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    with viz.record() as run:
        for _ in range(3):
            with tf.GradientTape() as tape:
                loss = loss_of(y, model(x))
            grads = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(grads, model.trainable_variables, strict=True))
    return run


def of_people(name: str) -> Any:
    with viz.record() as run:
        people.printed(name, tf)
    return run


def of_two_lines() -> Any:
    x = tf.Variable(1.0)
    with viz.record() as run:
        for _ in range(3):
            x.assign_add(1.0)
            x.assign(x * 2.0)
    return run


@pytest.mark.parametrize(
    "make",
    [of_keras, of_two_lines, lambda: line_fit(2)[0], lambda: of_people("char_rnn"), lambda: of_people("training_loop")],
    ids=["keras", "two lines", "line", "char_rnn", "training_loop"],
)
def test_at_every_step_a_variable_beside_a_line_is_as_it_is_then(make: Any) -> None:
    scene = make().scene
    variables = {value["name"]: value["cells"][0]["states"] for value in scene.values if value["kind"] == "variable"}
    compared = 0
    for at, lines in lines_by_step(scene):
        for text in lines.values():
            for name, said in parts(text):
                states = [state for state in variables.get(name, []) if state["t"] <= at]
                if not states:
                    continue
                snap = Snapshot(states[-1]["text"], states[-1].get("data"))
                assert said in (spelled(snap), snap.text), f"step {at}: {name} = {said}, but it is {spelled(snap)}"
                compared += 1
    assert compared > 3


def outs(mark: Mark) -> Iterator[Mark]:
    """The marks of what stands beside the lines."""
    if mark.key.startswith("out:"):
        yield mark
    for kid in mark.kids:
        yield from outs(kid)


def test_a_line_that_only_loses_what_has_changed_is_not_marked_as_new() -> None:
    with viz.record() as run:
        a, b = tf.Variable(1.0), tf.Variable(2.0)
        a.assign(a * b)
        b.assign(b + a)
    scene = run.scene
    shown = [(mark, step) for mark in outs(panels.code(scene)) for step in range(1, len(scene.steps))]
    lost = 0
    for mark, step in shown:
        before, now = (mark.kids[0].now("text", at) for at in (step - 1, step))
        looks = mark.now("cls", step).split()
        if now and now != before and before.endswith(now):
            assert "fresh" not in looks, (step, now)
            lost += 1
        elif now != before:
            assert ("fresh" in looks) == bool(now), (step, now)
    assert lost


def test_what_is_left_beside_a_line_stays_as_it_stood_there() -> None:
    with viz.record() as run:
        a, b = tf.Variable([[0.1234, 0.2345, 0.3456], [0.4567, 0.5678, 0.6789]]), tf.Variable(1.0)
        b.assign(2.0)
        a.assign(a * b)
    texts = [text for step in run.scene.steps for _, text in step.get("produced", [])]
    whole = "a = [[0.1234, 0.2345, 0.3456], [0.4567, 0.5678, 0.6789]]"
    assert texts[:2] == [whole, "a = 2×3, b = 1"]
    assert texts[2:4] == ["b = 2", "a = 2×3"]


def given_by(run: Any, name: str) -> list[str]:
    """What lines gave under a name, one after the other."""
    told = [text for step in run.scene.steps for _, text in step.get("produced", [])]
    return [value for text in told for of, value in parts(text) if of == name]


def test_in_each_turn_of_a_loop_a_call_has_given_something() -> None:
    """`h = tf.sin(h)` takes at its own place in the program what it gave there before, as the ops within one call do."""
    x = tf.Variable(0.5)
    with viz.record() as run, tf.GradientTape():
        h = x
        for _ in range(3):
            h = tf.sin(h)
        for _ in range(2):
            spread = tf.math.reduce_std([h, 2.0 * h, 0.5])
        deviation = tf.math.reduce_std([h, spread])
    assert given_by(run, "h") == ["0.4794", "0.4613", "0.4451"]
    assert len(given_by(run, "spread")) == 2
    assert [float(one) for one in given_by(run, "deviation")] == [pytest.approx(float(deviation), rel=1e-3)]


def test_a_line_that_runs_again_gives_again() -> None:
    """The highlighted line still showed what it had given last, in the last turn of the first run."""

    @tf.recompute_grad
    def sines(h: Any) -> Any:
        for _ in range(3):
            h = tf.sin(h)
        return h

    x = tf.Variable(0.5)
    with viz.record() as run:
        with tf.GradientTape() as tape:
            y = sines(x)
        tape.gradient(y, x)
    assert given_by(run, "h") == ["0.4794", "0.4613", "0.4451"] * 2


def test_a_line_that_calls_a_function_or_makes_a_list_has_beside_it_what_it_got() -> None:
    """What the program's own functions gave back stood beside no line, nor did the items of a list."""
    a = tf.Variable(2.0)

    def scaled(x: Any) -> Any:
        return tf.sin(x) * a

    def named(x: Any) -> Any:
        out = scaled(x) + 1.0
        return out

    def both(x: Any) -> Any:
        return x * a, x + a

    with viz.record() as run:
        with tf.GradientTape() as tape:
            y = scaled(1.0)
            z = named(y)
            left, right = both(z)
            guesses = [tf.exp(-a * t) for t in (0.0, 1.0)]
            more = [scaled(t) for t in (0.5, 1.5)]
            doubled = tf.map_fn(scaled, tf.constant([1.0, 2.0]))
            for _ in range(2):
                turns = [named(t) for t in (3.0, 4.0)]
            total = sum(guesses) + sum(more) + left * right + tf.reduce_sum(doubled) + turns[0]
        tape.gradient(total, a)
    for name, value in (("y", y), ("z", z), ("left", left), ("right", right), ("out", z)):
        assert number(float(value)) in given_by(run, name), name
    told = [text for step in run.scene.steps for _, text in step.get("produced", [])]
    assert [text for text in told if text.startswith("guesses")] == ["guesses = [1]", "guesses = [1, 0.1353]"]
    assert [text for text in told if text.startswith("more")] == ["more = [0.9589]", "more = [0.9589, 1.995]"]
    assert [text for text in told if text.startswith("turns")][1] == "turns = [1.2822, −0.5136]"
    assert [text for text in told if text.startswith("turns")][-1] == "turns = [1.2822, −0.5136]"
    assert [text for text in told if text.startswith("doubled")] == ["doubled = [1.6829, 1.8186]"]  # no item is it


def test_a_fold_gives_a_line_what_its_last_op_gave() -> None:
    """`act` was what came out of the fold first, a result of another line."""
    ws = [tf.Variable(0.1 * place) for place in range(6)]

    def neuron(w: Any, x: Any) -> Any:
        act = sum((w * part for part in x), w)
        return tf.tanh(act)

    with viz.record() as run:
        with tf.GradientTape() as tape:
            loss = tf.constant(0.0)
            for x in ([2.0, 3.0], [3.0, -1.0], [1.0, 1.0]):
                loss = loss + sum([neuron(w, x) for w in ws])
        tape.gradient(loss, ws)
    assert len(run.scene.groups) > 3
    sums = {number(0.1 * place * (1 + a + b)) for place in range(6) for a, b in ((2.0, 3.0), (3.0, -1.0), (1.0, 1.0))}
    assert set(given_by(run, "act")) <= sums, (given_by(run, "act"), sums)


def test_a_constant_of_the_next_turn_takes_the_place_of_the_last_ones() -> None:
    """Beside the line stood "x = 1, x₂ = 2, x₃ = 3"."""
    w = tf.Variable(0.5)
    with viz.record() as run:
        for turn in (1.0, 2.0, 3.0):
            x = tf.constant(turn)
            w.assign_add(2.0 * x)
    told = [text for step in run.scene.steps for _, text in step.get("produced", [])]
    assert [text for text in told if text.startswith("x")] == ["x = 1", "x = 2", "x = 3"]


def test_a_loop_that_is_a_function_gives_its_line_something_when_it_has_ended() -> None:
    """`i` and `y` stood there from the ops of the last turn on, while the condition was still to be asked."""

    def doubled(j: Any, t: Any) -> Any:
        return j + 1, t * 2.0

    def outer(k: Any, s: Any) -> Any:
        n, inner = tf.while_loop(lambda j, t: j < 2, doubled, [tf.constant(0), s])
        return k + 1, inner + 0.5

    def counted() -> Any:
        return tf.while_loop(lambda k, s: k < 2, outer, [tf.constant(0), tf.constant(1.0)])

    with viz.record() as run:
        i, x = tf.while_loop(lambda i, x: i < 3, lambda i, x: (i + 1, x * 2.0), [tf.constant(0), tf.constant(1.0)])
        m, y = counted()
        y * x
    scene = run.scene
    when = [(text, step["say"]) for step in scene.steps for _, text in step.get("produced", [])]
    assert [text for text, _ in when] == ["i = 3, x = 8", "n = 2, inner = 4", "n = 2, inner = 18", "m = 2, y = 18.5"]
    assert all(say.partition(" is ")[2].startswith("False") for _, say in when), when


def test_what_only_a_function_calls_by_a_name_is_no_name_of_the_line_that_hands_it_over() -> None:
    """ "j = 0" stood beside a loop for ever, whose j was 2 in the end."""

    def twice(j: Any) -> Any:
        return j * 2.0

    with viz.record() as run:
        x = twice(tf.constant(3.0))
        held = {"rate": tf.constant(0.5), "start": tf.constant(1.0)}
        x * held["rate"] + held["start"]
    told = [text for step in run.scene.steps for _, text in step.get("produced", [])]
    assert not [text for text in told if text.startswith("j")], told
    assert "x = 6" in told


def test_a_line_that_gets_several_values_from_a_call_gets_them_together() -> None:
    """The cell of this turn stood beside the hidden state of the turn before."""

    def cell(x: Any, h: Any, c: Any) -> Any:
        c = c * 0.5 + x
        h = tf.tanh(c + h)
        return h, c

    with viz.record() as run:
        h = c = tf.constant(0.0)
        for turn in (1.0, 2.0):
            h, c = cell(turn, h, c)
        h * c
    told = [text for step in run.scene.steps for place, text in step.get("produced", []) if "h" in text and "c" in text]
    assert [sorted(text.split(", ")) for text in told] == [["c = 1", "h = 0.7616"], ["c = 2.5", "h = 0.9971"]], told
