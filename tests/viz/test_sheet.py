"""One painter: a page and a still are two ways to write the same marks, and whatever a look depends on is among its dates."""

from __future__ import annotations

import ast
import gzip
import json
import re
import string
import xml.etree.ElementTree as ET
from collections import Counter
from html.parser import HTMLParser
from itertools import accumulate
from pathlib import Path
from typing import Any

import pytest

import minitape as tf
import viz
from tests.viz import programs
from tests.viz.scenes import cut, squared, weights
from tests.viz.test_loops import rnn
from viz import style
from viz.layout import place
from viz.layout.chips import chip_lines, chip_short
from viz.paint import cards, graph, gutter, panels, score, sheet, state, time
from viz.paint.frame import ROOMS
from viz.paint.frame import sheet as sheet_of
from viz.paint.ink import Ink
from viz.paint.page import AROUND, COURSE, EMBED, KEPT, LIVE, MICROSCOPE, WIDGET, page
from viz.paint.sheet import Line, Mark, Page, Share, over
from viz.paint.spots import cramped
from viz.paint.still import Still
from viz.scene import Scene

VIZ = Path(style.__file__).parent
ROOMS_OF_LOOKS = (cards, graph, gutter, panels, score, time)  # the modules that ask looks

pytest.importorskip("pygraphviz")


def placed(scene: Scene) -> Scene:
    scene.layout = place(scene)
    return scene


SCENES = {
    "squared": lambda: placed(squared()),
    "cut": lambda: placed(cut()),
    "weights": lambda: placed(weights()),
    "no layout": squared,
}
SCENES |= {name: lambda name=name: programs.kept(name).scene for name in programs.NAMES}


# ---- dates -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", SCENES)
def test_a_look_asked_at_every_step_says_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A look is asked at the dates of its own facts alone: none is missing, or these pages would differ."""
    scene = SCENES[name]()
    dated = json.dumps(sheet_of(scene))
    for module in ROOMS_OF_LOOKS:
        monkeypatch.setattr(module, "over", lambda dates, look: sheet.over(range(len(scene.steps)), look))
    assert json.dumps(sheet_of(scene)) == dated


def test_a_missing_date_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test above can fail: without the step after, what is new stays new."""
    scene = SCENES["squared"]()
    before = json.dumps(sheet_of(scene))
    monkeypatch.setattr(cards, "around", lambda dates: list(dates))
    assert json.dumps(sheet_of(scene)) != before


# ---- words and numbers --------------------------------------------------------------------------------------------------


def texts(scene: Scene, way: str, step: int) -> Counter[str]:
    """Every text that a still of the graph shows."""
    drawn = Still(Ink("light", "p"), step).write(graph.graph(scene, way).mark)
    return Counter("".join(one.itertext()) for one in ET.fromstring(drawn).iter("text"))


@pytest.mark.parametrize("name", [name for name in SCENES if name != "no layout"])
def test_the_graph_shows_the_facts_of_its_step(name: str) -> None:
    """Names from the start; a number, and nothing else, from its date on."""
    scene = SCENES[name]()
    short = cramped(scene)
    for step in range(0, len(scene.steps), max(1, len(scene.steps) // 8)):
        shown = texts(scene, "LR", step)
        wanted: Counter[str] = Counter()
        for value in scene.values:
            assert shown[value["name"]] >= 1
            away = state.again_at(value, step) == "away"
            for cell, now in zip(value["cells"], state.shown_at(value, step), strict=True):
                hidden = not state.born(value, step) or (away and cell["id"] == "v")
                if not hidden and not (now and cards.grid(now)):
                    wanted[cards.face(now)] += 1
        for link in scene.edges:
            if now := state.carried_at(link, step):
                said = now["text"]
                wanted.update([chip_short(said)] if link["id"] in short else chip_lines(said))
        assert all(shown[text] >= count for text, count in wanted.items()), (step, wanted - shown)
        numbers = {text for text in shown if re.fullmatch(r"−?\d[\d.e+−]*", text)}
        named = {value["name"] for value in scene.values} | {str(value.get("sign")) for value in scene.values}
        assert numbers <= set(wanted) | named, (step, numbers - set(wanted))


# ---- the page and its table ----------------------------------------------------------------------------------------------


class Document(HTMLParser):
    """A page's elements: those that say data-k by their number, each with its attributes and what stands in it."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.marks: list[dict[str, str | None]] = []
        self.open: list[dict[str, str | None] | None] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        mark = None
        if "data-k" in told and told["data-k"] == "":
            mark = {**told, "text": ""}
            self.marks.append(mark)
        if tag not in ("input",):
            self.open.append(mark)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in ("input",):
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        self.open.pop()

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] is not None:
            self.open[-1]["text"] = str(self.open[-1]["text"]) + data


def rows(columns: dict[str, Any], steps: int) -> list[list[tuple[int, str, Any]]]:
    """The table as the player reads it."""
    out: list[list[tuple[int, str, Any]]] = [[] for _ in range(steps)]
    for what, (numbers, values, dates) in columns.items():
        number = first = step = 0
        told = accumulate(values) if isinstance(values[0], (int, float)) else values
        for at, (apart, value, after) in enumerate(zip(numbers, told, dates, strict=True)):
            if apart or not at:
                first = step = first + after
            else:
                step += after
            number += apart
            out[step].append((number, what, f"{round(value, 3):g}" if told is not values else value))
    return out


@pytest.mark.parametrize("name", ["squared", "nested", "recompute", "matrices", "loop_folded"])
def test_the_table_leads_back_to_what_the_marks_are(name: str) -> None:
    """From the last step, which the document shows, back to every step: each attribute is what its line says there."""
    scene = SCENES[name]()
    told = sheet_of(scene)
    marks, back = Document(told["html"]).marks, rows(told["back"], told["steps"])
    last = len(scene.steps) - 1
    card = {
        value["id"]: cards.card(
            value,
            scene.layout["LR"]["nodes"][value["id"]],
            scene.layout["rows"][value["id"]],
            "LR",
            state.focus(scene),
            graph.Space([]),
            sheet.Known(),
        )
        for value in scene.values
    }  # type: ignore[index]
    found = {mark["data-value"]: at for at, mark in enumerate(marks) if str(mark.get("class")).startswith("mt-card")}
    assert set(found) == set(card)
    for step in range(last, -1, -1):
        for value, number in found.items():
            assert marks[number]["class"] == f"mt-{card[str(value)].now('cls', step)}", (step, value)
        for number, what, value in back[step]:
            marks[number][what.lower()] = f"mt-{value}" if what == "class" else value


def test_rooms_differ_in_places_and_steps_in_looks() -> None:
    """A room moves what no step moves; only which numbers fit follows from both, and then the room has a table of its own."""
    told = sheet_of(programs.kept("nested").scene)
    moved = {
        "transform", "d", "x", "y", "x1", "x2", "width", "height", "viewBox", "style", "text", "text-anchor",
        "patternTransform", "class", "textLength", "lengthAdjust",
    }  # fmt: skip
    for name, rooms in told["rooms"].items():
        least = [room["least"] for room in rooms]
        sized = all(isinstance(one, tuple) for one in least)  # the window takes the one that comes out largest
        assert sized or least == sorted(least, reverse=True) and least[-1] == 0, name
        assert rooms[0]["place"] == {}, "the document has the first"
        for room in rooms[1:]:
            assert set(room["place"]) <= moved, name
        assert all(set(room.get("back", {})) <= {"class"} for room in rooms), name
    assert {"graph", "staves", "strings", "memory"} <= set(told["rooms"])
    assert len(ROOMS) == 3


def test_a_mark_that_changes_has_a_name_of_its_own() -> None:
    line = Line([(0, "a"), (2, "b")])
    with pytest.raises(ValueError, match="needs a key"):
        Page(3).write(Mark("g", cls=line))
    out = Page(3)
    assert (
        out.write(Mark("g", Mark("i", text=line, key="same"), Mark("i", text=line, key="same")))
        == '<g><i data-k>b</i><i data-k="0">b</i></g>'
    )
    assert out.table()["back"] == {"text": [[0], ["a"], [2]]}
    with pytest.raises(ValueError, match="two marks are called same"):
        out.write(Mark("i", text=Line([(0, "a"), (1, "b")]), key="same"))


def test_lines_are_asked_once_and_kept_short() -> None:
    asked: list[int] = []
    assert over([3, 1, 3, None, -2], lambda step: asked.append(step) or step > 2) == [(0, False), (3, True)]
    assert asked == [0, 1, 3]
    assert over([1, 2], lambda step: "same") == "same"
    assert str(Share(1 / 3)) == "33.33%" and str(Share(0.5)) == "50%"


def test_the_same_scene_gives_the_same_bytes() -> None:
    scene = programs.kept("order_rule").scene
    assert page(scene) == page(Scene.from_json(scene.to_json()))


@pytest.mark.parametrize(
    ("name", "most"), [("slope", 26.3), ("nested", 35.7), ("recompute", 34.1), ("keras_step", 46.5), ("loop", 40.5)]
)
def test_pages_stay_small(name: str, most: float) -> None:
    assert len(gzip.compress(page(programs.kept(name).scene).encode(), 9)) < 1000 * most


NESTED = """x = tf.Variable(3.0)
with tf.GradientTape() as outer:
    with tf.GradientTape() as inner:
        y = x * x
    dy = inner.gradient(y, x)
d2 = outer.gradient(dy, x)
"""
MARKS = """x = tf.Variable(1.01)
with tf.GradientTape() as tape:
    y = x
    for _ in range(60):
        y = tf.sin(y) * x
tape.gradient(y, x)
"""


@pytest.mark.parametrize(("name", "program", "most"), [("nested", NESTED, 30.6), ("marks", MARKS, 99.4)])
def test_what_is_exported_stays_small(tmp_path: Path, name: str, program: str, most: float) -> None:
    """A tape in a tape; and 300 marks, with every fold that the page opens and what the inspector says in each: kB, gzipped."""
    path = tmp_path / f"{name}.py"
    path.write_text(program, encoding="utf-8")
    with viz.record(name) as run:
        exec(compile(program, str(path), "exec"), {"tf": tf})
    viz.export(run, tmp_path / "page.html")
    assert len(gzip.compress((tmp_path / "page.html").read_bytes(), 9, mtime=0)) <= 1000 * most


@pytest.mark.slow
@pytest.mark.parametrize(("turns", "most"), [(20, 405), (50, 475)])
def test_a_recurrent_net_is_half_a_megabyte_at_most(tmp_path: Path, turns: int, most: float) -> None:
    """With the score and each turn opened: kB as they lie on a disk."""
    viz.export(rnn(turns)[0], tmp_path / "page.html")
    assert (tmp_path / "page.html").stat().st_size <= 1000 * most


def test_of_many_derivatives_the_newest_are_read_out_with_a_card() -> None:
    """A weight has one more in each turn: told with all of them at each, a page of 1,000 turns had 8 MB."""
    w = tf.Variable([1.0, 2.0], name="w")
    with viz.record() as run:
        for _ in range(cards.NEWEST + 4):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(w * w)
            w.assign_sub(0.1 * tape.gradient(loss, w))
    scene = run.scene
    weight = next(value for value in scene.values if value["name"] == "w")
    first, last = (cards.about(weight, step) for step in (len(scene.steps) // 3, len(scene.steps) - 1))
    assert first.count("; ∂") == 4 and last.count("; ∂") == cards.NEWEST
    assert "before these" not in first and "before these" in last
    assert last.index("∂loss₁₁") < last.index("∂loss₁₂") and "∂loss₄" not in last


# ---- said once -----------------------------------------------------------------------------------------------------------

LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"|\'((?:[^\'\\\n]|\\.)*)\'|`((?:[^`\\]|\\.)*)`')
OUTLINE = re.compile(r"^[Mm][-\d. ]+[\d.MmLlHhVvCcAaZzQqSs, -]{4,}$")
SENTENCE = re.compile(r"[A-Za-z]{2,}[ ,:]+[a-z]{2,}")
NOT_A_PLAYERS = {
    "an outline": r'"[Mm]-?\d[^"]{6,}"',
    "a number format": r"\.to(?:Fixed|Precision|Exponential)\(",
    "a picture": r"createElementNS",
    "East Asian widths": r"⺀|\\u2e80|East|1100",
}


def javascript() -> dict[str, str]:
    files = {path.name: path.read_text(encoding="utf-8") for path in (VIZ / "static").glob("*.js")}
    return {name: re.sub(r"/\*\*.*?\*/|//.*$", "", text, flags=re.S | re.M) for name, text in files.items()}


def test_nothing_is_said_in_two_languages() -> None:
    """No outline and no sentence stands in Python (or its words) and in JavaScript."""
    python: set[str] = (
        {one for room in style.WORDS.values() for one in room.values()}
        | set(style.SHAPES.values())
        | set(style.ICONS.values())
    )
    for path in VIZ.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                python.add(node.value.strip())
    found = []
    for name, code in javascript().items():
        for match in LITERAL.finditer(code):
            for part in re.split(r"\$\{[^}]*\}", next((group for group in match.groups() if group), "")):
                said = part.strip()
                if said in python and (OUTLINE.match(said) or SENTENCE.search(said)):
                    found.append((name, said))
    assert found == []


@pytest.mark.parametrize("what", NOT_A_PLAYERS)
def test_the_player_draws_nothing(what: str) -> None:
    drawing = [name for name, code in javascript().items() if re.search(NOT_A_PLAYERS[what], code)]
    assert [name for name in drawing if name not in CAPABILITIES] == []


# What the player can do besides applying rows: a file each, of which some are loaded when somebody asks for them.
CAPABILITIES = {
    *MICROSCOPE,
    *COURSE,
    *LIVE,
    *KEPT,
    *WIDGET,
    *AROUND,
    *EMBED,
    "camera.js",
    "stage.js",
    "room.js",
    "aim.js",
    "follow.js",
    "map.js",
    "hands.js",
    "dots.js",
    "view.js",
    "score.js",
    "signs.js",
    "mount.js",
    "page.js",
    "address.js",
    "clock.js",
    "folds.js",
    "touch.js",
    "lens.js",
    "predict.js",
    "instrument.js",
    "packed.js",
    "scope.js",
}


def test_the_player_is_small() -> None:
    lines = {path.name: path.read_text(encoding="utf-8").count("\n") for path in (VIZ / "static").glob("*.js")}
    assert sum(count for name, count in lines.items() if name not in CAPABILITIES) <= 650
    assert lines.keys() >= CAPABILITIES


def test_every_word_is_used_with_its_placeholders() -> None:
    """Each key of the file of words is asked for somewhere, with just the facts that its text names."""
    asked: dict[str, set[str]] = {}
    rooms = [path for room in ("paint", "knobs", "lesson", "tell") for path in (VIZ / room).glob("*.py")]
    for path in rooms:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "words" and node.args:
                key = ast.unparse(node.args[0]).strip("'\"").removeprefix("f'").removeprefix('f"')
                asked.setdefault(key, set()).update(word.arg for word in node.keywords if word.arg)
    for room, told in style.WORDS.items():
        for name, text in told.items():
            wanted = {field for _, field, _, _ in string.Formatter().parse(text) if field}
            exact = asked.get(f"{room}.{name}")
            made = [
                key
                for key in asked
                if "{" in key and re.fullmatch(re.sub(r"\\\{.*?\\\}", ".*", re.escape(key)), f"{room}.{name}")
            ]
            elsewhere = any(f'"{name}"' in path.read_text(encoding="utf-8") for path in rooms)
            assert exact is not None or made or elsewhere, f"nobody says {room}.{name}"
            if exact is not None:
                assert wanted == exact, (room, name)
