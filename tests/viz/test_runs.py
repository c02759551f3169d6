"""Two runs side by side: what is said of them is so, and what is said is drawn, with a shape for every difference."""

from __future__ import annotations

import contextlib
import json
import re
import warnings
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minitape as tf
import viz
from viz.capture.numbers import spelled
from viz.files import ours
from viz.paint.svg import READABLE
from viz.paint.twoloops import level


def step(
    act: Any = tf.tanh,
    dtype: Any = tf.float32,
    again: bool = False,
    mean: bool = True,
    bad: float = 0.5,
    width: int = 4,
) -> Any:
    """A training step of a small net."""
    x = tf.constant([[bad, -1.0], [2.0, 0.25]], dtype)
    w = tf.Variable([[0.3, -0.2], [0.2, 0.1]], dtype=dtype, name="w")
    layer = tf.recompute_grad(lambda h: act(h @ w)) if again else lambda h: act(h @ w)
    with contextlib.suppress(tf.errors.InvalidArgumentError), viz.record("a step") as run:
        with tf.GradientTape() as tape:
            out = layer(x)
            loss = tf.reshape(out, [width])
            if mean:
                loss = tf.reduce_mean(loss)
        g = tape.gradient(loss, w)
        w.assign_sub(0.1 * g)
    return run


def said(one: Any, other: Any) -> list[str]:
    facts = viz.compare(one=one, other=other).facts
    assert facts is not None and facts.kind == "runs"
    return list(facts["said"])


def texts(svg: str) -> str:
    return " ".join("".join(one.itertext()) for one in ET.fromstring(svg).iter() if one.tag.endswith("text"))


def test_the_first_difference_is_a_sentence_with_line_name_and_both_numbers() -> None:
    first, counted = said(step(), step(tf.nn.relu))
    assert first.startswith("They first differ at line ") and "(act(h @ w))" in first
    assert "one computes tanh, which gives [[-0.".replace("-", "−") in first and "other computes relu" in first
    assert counted.startswith("Of ") and "really apart" in counted


def test_rounding_recompute_and_nothing_at_all_are_no_real_differences() -> None:
    assert said(step(), step()) == ["one and other do the same, step by step, to the bit."]
    first, then = said(step(), step(dtype=tf.float64))
    assert "float32 in one and float64 in other" in first
    assert then.startswith("After that they differ by rounding alone: by ") and "last place of float32" in then
    first, then = said(step(), step(again=True))
    assert "only other keeps layer as one entry there, and runs it again" in first
    assert then == "Nothing else differs: all numbers that both have are the same to the bit."


def test_what_nobody_can_know_is_said() -> None:
    saved = viz.Stream.from_json(step().stream.to_json())
    same, kept = said(saved, saved)
    assert same.endswith("as far as their numbers were kept.") and "their numbers may still differ" in kept
    with viz.record(limit=3) as run:
        tf.sin(tf.cos(tf.tanh(tf.constant(1.0))))
    assert (
        said(run, run)[1] == "The recording of one ends at its limit of 3 events: what came after that is not compared."
    )


def test_a_real_difference_behind_another_dtype_is_named_too() -> None:
    first, then, counted, *_ = said(step(), step(tf.nn.relu, tf.float64))
    assert "float64 in other" in first
    assert then.startswith("More than that differs first at ") and "relu" in then
    assert counted == (
        "Of 16 steps that both have: 1 the same to the bit, 7 apart by rounding or in their dtype alone, 8 really apart."
    )


def test_what_is_missing_broken_or_no_number_is_said() -> None:
    assert "only one computes reduce_mean there" in said(step(), step(mean=False))[0]
    stopped = said(step(), step(width=3))[0]
    assert "other ends there with InvalidArgumentError" in stopped and "(tf.reshape(out, [width]))" in stopped
    assert stopped.endswith("and one goes on with reshape.")
    assert said(step(width=3), step())[0].endswith("and other goes on with reshape.")
    assert "nan" in said(step(), step(bad=float("nan")))[0]
    with warnings.catch_warnings(action="ignore"):
        rows = [{row["far"] for row in viz.compare(step(), step(bad=bad)).facts["rows"]} for bad in (np.nan, np.inf)]
    assert "1 of 4 NaN in one alone" in rows[0] and not [far for far in rows[0] if "∞" in far]
    assert "1 of 4 ∞ in one alone" in rows[1]


def test_strangers_are_met_kindly() -> None:
    with viz.record("a root") as run:
        tf.sqrt(tf.constant(4.0)) + 1.0
    told = viz.compare(step(), run)
    assert "a step and a root are two different programs" in told.text and "peak against a step" in told.text
    assert told.facts is not None and told.facts["rows"] == []


def test_the_table_has_the_numbers_of_both_runs() -> None:
    one, other = step(), step(tf.nn.relu)
    facts = viz.compare(one=one, other=other).facts
    assert facts is not None
    row = next(row for row in facts["rows"] if row["name"].endswith("= reduce_mean"))
    losses = [next(r.numbers[r.op.gives[0]].text for r in run.stream.records if r.kind == "op" and r.op.row.name == "reduce_mean")
              for run in (one, other)]  # fmt: skip
    assert [row["one"], row["other"]] == losses
    assert all(row["brief"] for row in facts["rows"])
    assert [row["first"] for row in facts["rows"]] == [True] + [False] * (len(facts["rows"]) - 1)
    for row in facts["rows"]:
        assert row["one"] in str(viz.compare(one=one, other=other))


@pytest.mark.parametrize("theme", ["light", "dark", ""])
def test_each_difference_has_a_shape_on_the_cards_and_the_first_a_frame(theme: str) -> None:
    told = viz.compare(one=step(), other=step(mean=False), theme=theme)
    assert told.facts is not None
    shown = texts(told.svg)
    assert "≠ differs" in shown and "+ only in this run" in shown and "the first difference" in shown
    for graph in told.facts["graphs"]:
        cards = {value["id"] for value in graph["scene"]["values"]}
        assert graph["marks"] and set(graph["marks"]) <= cards
    firsts = [[mark["first"] for mark in graph["marks"].values()].count(True) for graph in told.facts["graphs"]]
    assert firsts == [1, 0]  # the reduce_mean that only one of them has
    named = {value["id"]: value["name"] for value in told.facts["graphs"][0]["scene"]["values"]}
    assert [named[card] for card, mark in told.facts["graphs"][0]["marks"].items() if mark["first"]] == ["loss₂"]
    assert told.words.startswith("They first differ") and "Memory of 2 runs on one axis" in told.words


def test_a_notebook_shows_it_all_without_a_kernel() -> None:
    shown = viz.compare(one=step(), other=step(tf.nn.relu))._repr_mimebundle_()["text/html"]
    # The sentence and the numbers, two graphs, the memory.
    assert shown.count("<img alt=") == 4 and "<script" not in shown


def test_of_more_runs_each_is_held_against_the_first() -> None:
    told = viz.compare(a=step(), b=step(), c=step(tf.nn.relu))
    lines = told.text.splitlines()
    assert lines[0] == "b: a and b do the same, step by step, to the bit."
    assert lines[1].startswith("c: They first differ at line ")
    assert "c: They first differ" in told._repr_mimebundle_()["text/html"]


def test_the_memory_alone_is_there_too() -> None:
    told = viz.compare(one=step(), other=step(tf.nn.relu), view="memory")
    assert told.text.startswith("run ") and told.facts is not None and told.facts.kind == "curves"
    with pytest.raises(ValueError, match="view is"):
        viz.compare(step(), view="gold")


def test_a_long_run_is_compared_whole_though_it_is_drawn_folded() -> None:
    def train(rate: float) -> Any:
        w = tf.Variable([[0.3, -0.2]] * 2)
        with viz.record() as run:
            for _ in range(40):
                with tf.GradientTape() as tape:
                    loss = tf.reduce_mean((tf.tanh(tf.ones((3, 2)) @ w) - 1.0) ** 2)
                w.assign_sub(rate * tape.gradient(loss, w))
        return run

    told = viz.compare(slow=train(0.1), fast=train(0.2))
    assert (
        told.text.startswith("They first differ at line ")
        and "the constant is 0.1 in slow and 0.2 in fast" in told.text
    )
    assert told.facts is not None and told.facts["more"] > 200
    assert any(mark["first"] for mark in told.facts["graphs"][0]["marks"].values())


def train(rate: float, turns: int = 12, act: Any = tf.tanh) -> Any:
    w = tf.Variable([[0.3, -0.2], [0.1, 0.4]], name="w")
    x = tf.constant([[0.5, -1.0], [2.0, 0.25]])
    with viz.record("training") as run:
        for step in range(turns):  # noqa: B007
            with tf.GradientTape() as tape:
                h = act(x @ w)
                loss = tf.reduce_mean((h - 1.0) ** 2)
            dw = tape.gradient(loss, w)
            w.assign_sub(rate * dw)
    return run


def test_a_loop_of_both_is_drawn_once_with_both_runs_over_each_other() -> None:
    slow, fast = train(0.1), train(0.5)
    told = viz.compare(slow=slow, fast=fast)
    assert told.facts is not None
    ((one, other),) = told.facts["loops"]
    assert [one["turns"], other["turns"]] == [12, 12]
    for loop, run in ((one, slow), (other, fast)):  # every turn's number is the recorded one
        card = next(card for card in loop["body"] if card["name"] == "loss")
        losses = [record.numbers[record.op.gives[0]].value for record in run.stream.records
                  if record.kind == "op" and record.op.row.name == "reduce_mean"]  # fmt: skip
        assert card["values"] == pytest.approx(losses, rel=1e-3)
    (drawn,) = told.parts[1]
    assert drawn.svg.count('stroke-dasharray="3 2"') >= 6  # the other run, in the strips, the memory and the curve
    assert "slow" in texts(drawn.svg) and "fast" in texts(drawn.svg) and "logarithmic" in texts(drawn.svg)
    assert "for step in range(turns), 12 turns: |loss| in slow and in fast is" in told.text
    assert "for step in range(turns)" in told.words and 'media="(max-width' in told._repr_mimebundle_()["text/html"]


def test_loops_of_another_length_or_op_are_laid_over_each_other_too_and_others_are_not() -> None:
    facts = viz.compare(train(0.1), train(0.1, 7, tf.sin)).facts
    assert facts is not None and [loop["turns"] for loop in facts["loops"][0]] == [12, 7]
    assert "(in training 2 7)" in viz.compare(train(0.1), train(0.1, 7)).text
    for other in (train(0.1, 2), step()):
        facts = viz.compare(train(0.1), other).facts
        assert facts is not None and facts["loops"] == []


def test_each_turn_of_a_loop_of_both_opens_its_first_difference() -> None:
    slow, fast = train(0.1), train(0.5, 7)
    made = viz.compare(slow=slow, fast=fast)
    facts = made.facts
    assert facts is not None
    first: dict[int, Any] = {}
    for row in facts["rows"]:
        (turn,) = row["turns"]
        first.setdefault(turn, row)
    assert (
        sorted(first) == list(range(-1, 12)) and first[0]["name"] == "constant"
    )  # the rate: all before it is the same
    products = [[spelled(one.numbers[one.op.gives[0]]) for one in run.stream.records
                 if one.kind == "op" and one.op.row.name == "matmul" and one.op.context.phase == "forward"]
                for run in (slow, fast)]  # fmt: skip
    for turn in range(1, 7):
        assert (first[turn]["one"], first[turn]["other"]) == tuple(side[turn] for side in products)
    assert first[9]["other"] == "—" and first[9]["one"] == products[0][9]  # the other had no such turn
    (lens,) = viz.step(made).sheet["loops"]
    assert lens["at"] == [facts["rows"].index(first[turn]) + 1 for turn in range(12)] and lens["begins"] == 6
    same = viz.compare(one=train(0.1), other=train(0.1))
    (lens,) = viz.step(same).sheet["loops"]
    assert (lens["at"], lens["label"]) == ([0] * 12, "") and "what differs in turn" not in lens["html"]


def test_of_a_long_loop_some_turns_are_listed_and_every_turn_opens_the_nearest() -> None:
    made = viz.compare(slow=train(0.01, 350), fast=train(0.02, 350))
    (lens,) = viz.step(made).sheet["loops"]
    listed = {row["turns"][0] for row in made.facts["rows"]} - {-1}  # type: ignore[index]
    assert 90 <= len(listed) <= 160 and {0, 349} <= listed and len(made.facts["rows"]) < 240  # type: ignore[index]
    for turn, at in enumerate(lens["at"]):
        there = made.facts["rows"][at - 1]["turns"][0]  # type: ignore[index]
        assert abs(there - turn) == min(abs(one - turn) for one in listed)


def test_a_comparison_with_a_loop_goes_through_json_and_wrong_loops_are_refused() -> None:
    told = viz.compare(slow=train(0.1), fast=train(0.5, 5))
    assert told.facts is not None
    again = viz.draw(viz.Figure.from_json(told.facts.to_json()))
    assert (again.svg, again.text) == (told.svg, told.text)
    data = json.loads(told.facts.to_json())
    data["loops"][0][0]["body"][0]["takes"] = ["gold"]
    with pytest.raises(ValueError, match=r"figure\.loops\[0\]\[0\]\.body: there is no card 'gold'"):
        viz.Figure.from_json(json.dumps(data))
    data["loops"][0][0]["body"][0]["takes"] = []
    data["loops"][0][1]["body"][0]["values"].pop()
    with pytest.raises(ValueError, match=r"figure\.loops\[0\]\[1\]\.body: values of 'b0' are not 5"):
        viz.Figure.from_json(json.dumps(data))


def test_a_comparison_is_written_in_every_form_that_it_has(tmp_path: Path) -> None:
    told = viz.compare(before=step(), after=step(tf.nn.relu))
    assert told.facts is not None

    def written(name: str, **how: Any) -> str:
        return Path(viz.export(told, tmp_path / name, **how)).read_text(encoding="utf-8")

    assert written("a.json") == told.facts.to_json() + "\n" and written("a.txt") == f"{told.text}\n"
    assert told.svg in written("a.svg") and told.svg not in written("b.svg", theme="dark")
    page = written("a.html")
    assert "They first differ at line" in page and "before against after" in page
    assert 'data-theme="dark"' in written("b.html", theme="dark") and "data-embed" in written("c.html", embed=True)
    assert Path(viz.export(told, tmp_path / "a.png")).read_bytes().startswith(b"\x89PNG")
    assert all(ours(tmp_path / f"a.{form}") for form in ("html", "svg", "json", "png"))
    for name, how, says in [
        ("a.dot", {}, r"as \.html, .* name it a\.html, or export one of its runs"), ("a.html", {"frames": "all"}, "without them"),
        ("a.svg", {"embed": True}, r"a page that steps.* a\.html"), ("a.html", {"view": "score"}, "graph and loop, not 'score'"),
    ]:  # fmt: skip
        with pytest.raises(ValueError, match=says):
            viz.export(told, tmp_path / name, **how)


def test_pictures_without_steps_are_written_as_pages_that_stand_still(tmp_path: Path) -> None:
    three = viz.compare(a=step(), b=step(), c=step(tf.nn.relu))
    for made, says in ((three, "c: They first differ"), (viz.schedule(tf.plan(4, "sqrt")), "sqrt: 4 steps")):
        page = Path(viz.export(made, tmp_path / "a.html")).read_text(encoding="utf-8")
        assert says in page and made.svg in page and "<script" not in page
        saved = viz.Figure.from_json(Path(viz.export(made, tmp_path / "a.json")).read_text())
        assert viz.draw(saved).svg == made.svg
    with pytest.raises(ValueError, match=r"name it a\.svg"):
        viz.export(viz.schedule(tf.plan(4, "sqrt")), tmp_path / "a.png")


def test_a_notebook_steps_through_a_comparison() -> None:
    told = viz.compare(slow=train(0.1, 4), fast=train(0.5, 4))
    stepper = viz.step(told, 2, view="loop")
    assert (
        told.facts is not None
        and repr(stepper) == f"<Compared: slow against fast, {len(told.facts['rows']) + 1} steps>"
    )
    assert (stepper.step, stepper.view, len(stepper.sheet["loops"])) == (2, "loop", 1)
    assert stepper.sheet["steps"] == len(told.facts["rows"]) + 1
    data, _ = stepper._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data and data["text/plain"] == told.text
    with pytest.raises(ValueError, match="of one run"):
        viz.step(told, unfold=["fold 1"])


def test_the_letters_of_both_graphs_can_be_read_however_narrow_the_window_is() -> None:
    told = viz.compare(one=step(), other=step(tf.nn.relu))
    graphs = told.parts[2]
    assert len(graphs) == 2 and all(part.whole for part in graphs)
    for part in graphs:
        for svg in (part.svg, part.narrow or part.svg):
            sizes = [float(size) for size in re.findall(r"translate\([^)]*\) scale\(([\d.]+)\)", svg)]
            assert max(sizes) >= READABLE - 1e-3  # of 13 px
    assert told._repr_mimebundle_()["text/html"].count("max-width: none") == 2  # shrunk, they could not be
    (memory,) = told.parts[3]
    assert 'viewBox="0 0 616 ' in memory.narrow


def test_a_page_goes_through_more_pairs_than_the_table_has() -> None:
    told = viz.compare(slow=train(0.1, 30), fast=train(0.5, 30))
    rows = told.facts["rows"]
    brief = [row for row in rows if row["brief"]]
    assert (len(brief), len(rows)) == (13, 65 + 24) and brief[:8] == rows[:8]
    ends = [row for row in rows if row["turns"] == [-1]]  # the first of a turn stands between them
    assert brief[-5:] == ends[-5:] and ends[-1] is rows[-1]
    assert f"… and {told.facts['more']} more pairs" in told.text and told.text.count(" apart") < 20
    sheet = viz.step(told).sheet
    assert sheet["steps"] == 90 and f"… and {told.facts['more'] - 76} more pairs" in sheet["html"]


def rnn(turns: int) -> Any:
    w = tf.Variable(0.5, name="w")
    with viz.record("a recurrent net") as run, tf.GradientTape() as tape:
        h = tf.constant(1.0)
        for _ in range(turns):
            h = tf.tanh(h * w)
        tape.gradient(h, w)
    return run


def test_the_longer_of_two_loops_is_there_whole_and_each_turn_in_its_place() -> None:
    facts = viz.compare(rnn(4), rnn(9)).facts
    assert facts is not None
    short, long = level(facts["loops"][0])
    assert (short["turns"], short["own"], long["turns"], short["order"]) == (9, 4, 9, "mirrored")
    assert [len(card["values"]) for card in short["body"] if "values" in card] == [9] * 2
    own = facts["loops"][0][0]["memory"]
    assert [point[0] for point in short["memory"] if point[0] < 4] == [point[0] for point in own if point[0] < 4]
    backs = [8 - point[0] for point in own if point[0] >= 5]  # the turn that a moment of the way back is about
    assert backs and [18 - point[0] for point in short["memory"] if point[0] >= 10] == pytest.approx(backs)
    (lens,) = viz.step(viz.compare(rnn(4), rnn(9))).sheet["loops"]
    assert lens["steps"] == 9 and "4 turns (in a recurrent net 2 9), drawn once" in lens["html"]
    nested = level(viz.compare(train(0.1, 4), train(0.1, 9)).facts["loops"][0])[0]  # type: ignore[index]
    assert nested["memory"][-1][0] == 4 and not any(nested["memory"][-1][1:])
