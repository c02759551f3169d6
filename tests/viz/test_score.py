"""The score: its plan against what is known of small programs, and the still that is drawn from it."""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import minitape as tf
import viz
from tests.viz import programs
from tests.viz.scenes import cut, squared, weights
from viz.paint.plan import MOST, ROOMY, heights, plan_of
from viz.paint.score import Score
from viz.paint.space import Label, Labels
from viz.paint.svg import SCORE, picture
from viz.paint.time import Axis
from viz.scene import Scene


def test_what_a_square_looks_like_as_a_score() -> None:
    plan = plan_of(squared())
    assert plan.levels == [0, 1, 0, 1]  # x and its gradient, y and its gradient
    x, y = plan.strings
    assert (x["row"], x["alive"], x["kept"]) == (
        0,
        [[1, 9]],
        [[3, 8]],
    )  # the tape keeps x from the product to its release
    assert (y["row"], y["alive"], y["kept"]) == (2, [[3, 9]], [])
    assert [(one["from"], one["to"]) for one in plan.arcs] == [
        (6, 3),
        (7, 3),
    ]  # both contributions go back to the product
    assert [(one["at"], one["back"], one["text"], one["nth"]) for one in plan.backpaths] == [
        (3, 1, "3", 0),
        (3, 1, "3", 1),
    ]
    assert [(one["from"], one["to"], one["label"]) for one in plan.bands] == [(5, 7, "tape goes back")]
    assert plan.stems[3] == {"step": 3, "reads": [["x", "v"]], "writes": [["y", "v"]]}
    assert plan.stems[6]["writes"] == [["x", "g"]] and plan.stems[6]["reads"] == [["y", "g"]]


@pytest.mark.parametrize("name", programs.NAMES)
def test_the_plan_tells_what_the_scene_tells(name: str) -> None:
    scene = programs.kept(name).scene
    plan = plan_of(scene)
    assert [one["id"] for one in plan.strings] == [one["id"] for one in scene.values]
    # a contribution that came back is one arc and one backpath, and nothing else is
    back = [one for edge in scene.edges for one in edge.get("carried", []) if one["kind"].startswith("gradient")]
    assert len(plan.backpaths) == len(back) == sum(one["kind"] != "replay" for one in plan.arcs)
    # every state is written by the stem of its step, and only there
    states = sorted(
        (state["t"], value["id"], cell["id"])
        for value in scene.values
        for cell in value["cells"]
        for state in cell["states"]
        if state["text"] or state.get("data")
    )
    assert states == sorted((stem["step"], *one) for stem in plan.stems for one in stem["writes"])
    # two strings in one row are never there at the same time
    for one, other in combinations(plan.strings, 2):
        rows = [{each["row"] + line["sub"] for line in each["lines"]} for each in (one, other)]
        if rows[0] & rows[1]:
            assert one["to"] < other["from"] or other["to"] < one["from"]
    # two derivatives in one row come after each other
    for one in plan.strings:
        for line, later in combinations(one["lines"], 2):
            assert line["sub"] != later["sub"] or line["to"] <= later["first"]
    # a tape keeps what is there
    for one in plan.strings:
        for start, end in one["kept"]:
            assert any(a <= start and end <= b for a, b in [*one["alive"], *one["again"]])


def test_rows_are_shared_only_where_there_are_many() -> None:
    for name in programs.NAMES:
        plan = plan_of(programs.kept(name).scene)
        rows = sum(len(one["lines"]) for one in plan.strings)
        assert len(plan.levels) == rows or (rows > ROOMY and len(plan.levels) < rows)
    assert any(len(plan_of(programs.kept(name).scene).levels) < ROOMY for name in programs.NAMES)


def test_each_string_of_a_shared_row_has_its_name_where_it_begins() -> None:
    """The first had it at the left only, until the next took over: a row called by a later name began with another's number."""
    x = tf.Variable(2.0)
    with viz.record() as run:
        for _ in range(2):
            with tf.GradientTape() as outer:
                with tf.GradientTape() as inner:
                    y = x**3 - 2.0 * tf.sin(x)
                g = inner.gradient(y, x)
            h = outer.gradient(g, x)
            x.assign(x - g / h)
    scene = run.scene
    score, axis = Score(scene), Axis(scene, 1000.0)
    names = {(figure.step, figure.y): figure.since for figure in score._told(axis) if figure.kind == "name"}
    rows: dict[int, list[Any]] = {}
    for string in score.plan.strings:
        rows.setdefault(string["row"], []).append(string)
    shared = [users for users in rows.values() if len(users) > 1]
    assert shared
    for users in shared:
        for string, since in zip(users, [users[1]["from"], *(user["from"] for user in users[1:])], strict=True):
            value = score.values[string["id"]]
            if value["name"] != value["cells"][0]["states"][0]["text"]:  # a number is its own name
                assert names[string["from"], score.rows[string["row"]] + 4] == since


def test_heights_follow_the_levels() -> None:
    rows, height = heights([0, 1, 1, 0])
    assert rows == sorted(rows) and height > rows[-1]
    assert rows[3] - rows[2] > rows[1] - rows[0] == rows[2] - rows[1]


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 640, 1000])
@pytest.mark.parametrize("name", programs.NAMES)
def test_a_still_for_every_program(name: str, width: int, theme: str) -> None:
    scene = programs.kept(name).scene
    for step in (0, len(scene.steps) // 2, len(scene.steps) - 1):
        svg = picture(scene, step, theme=theme, width=width, parts=SCORE)
        assert svg == picture(scene, step, theme=theme, width=width, parts=SCORE)
        root = ElementTree.fromstring(svg)
        texts = list(root.iter("{http://www.w3.org/2000/svg}text"))
        names = {one["name"] for one in scene.values}
        assert any(
            (one.text or "").rstrip("…") and any(name.startswith(one.text.rstrip("…")) for name in names)
            for one in texts
        )
        assert scene.steps[step]["say"] in "".join(root.find("{http://www.w3.org/2000/svg}desc").itertext())


def test_the_future_has_no_numbers() -> None:
    """Before the backward pass a still holds neither the gradients nor their backpaths; at its end it holds them."""
    early, late = (picture(squared(), at, parts=("score",)) for at in (5, 8))
    assert ">6<" not in early and ">6<" in late
    assert "tape goes back" not in picture(squared(), 4, parts=("score",)) and "tape goes back" in early


def test_stills_of_odd_scenes() -> None:
    for scene in (cut(), weights(), Scene(steps=[{"kind": "start", "say": "All is still.", "memory": {}}])):
        for step in range(len(scene.steps)):
            ElementTree.fromstring(picture(scene, step, parts=SCORE))
    assert "✂" in picture(cut(), parts=("score",))
    assert "权重" in picture(weights(), parts=("score",))
    crowd = squared()
    crowd.values = [*crowd.values, *[{**crowd.values[0], "id": f"n{at}"} for at in range(MOST)]]
    assert "too many for one score" in picture(crowd, parts=("score",))


def test_labels_give_way_but_not_at_the_step_at_hand() -> None:
    labels = Labels(0, 100)
    for x, t in ((0, 1), (20, 2), (60, 3), (95, 4)):  # the first two overlap, the last is beyond the edge
        labels.add(Label(x, 0, 30, 10, t))

    def shown(step: int, again: dict[int, list[int]] | None = None) -> dict[int, str]:
        looks = [
            next(word for t, word in sorted(one.items(), reverse=True) if t <= step)
            for one in labels.looks(again or {})
        ]
        return {t + 1: word for t, word in enumerate(looks) if word != "off"}

    assert shown(0) == {}
    assert shown(1) == {1: "here"}
    assert shown(2) == {2: "here"}  # its own step: the older one gives way
    assert shown(3) == {1: "on", 3: "here"}
    assert shown(3, {3: [2]}) == {2: "on", 3: "here"}  # a step that goes back to it tells it again
    assert 4 in shown(4) and 4 not in shown(5)


def test_the_score_shows_without_a_kernel() -> None:
    run = programs.run("slope")
    shown = viz.score(run)
    assert shown.step == len(run.scene.steps) - 1
    assert shown._repr_mimebundle_()["text/html"].startswith("<img ")
    data, _ = viz.step(run, view="score")._repr_mimebundle_()
    assert data["text/html"].startswith("<img ") and "tape" in data["text/plain"]
    still = viz.step(run, view="score", start=-1)
    assert still.view == "score" and still.step == len(run.scene.steps) - 1
    with pytest.raises(ValueError, match="no view is called 'sheet'"):
        viz.step(run, view="sheet")


def test_the_score_as_a_file(tmp_path: Path) -> None:
    run = programs.run("slope")
    page = Path(viz.export(run, tmp_path / "score.html", view="score", start=3)).read_text(encoding="utf-8")
    assert re.search(r'page: ?true, ?step: ?3, ?view: ?"score"', page) and 'data-view="score"' in page
    svg = Path(viz.export(run, tmp_path / "score.svg", view="score")).read_text(encoding="utf-8")
    assert "tape goes back" in svg and svg.startswith(picture(run.scene, theme="", parts=SCORE))
