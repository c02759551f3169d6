"""Programs with knobs: what may be turned, what a turn tells, and that it is what the program does there."""

from __future__ import annotations

import asyncio
import gc
import json
import linecache
import re
from functools import partial
from itertools import pairwise
from types import SimpleNamespace

import pytest

import minitape as tf
import viz
from tests.support import NOTEBOOKS, python
from tests.viz.lives import KNOBS, chain, forward, nested, train, wave
from viz.capture import called
from viz.knobs.abbreviations import knob, knobs_of
from viz.knobs.curve import height_and_slope, number
from viz.knobs.idle import LATER
from viz.knobs.page import carried
from viz.knobs.traced import Traced, roomy
from viz.layout import place, sizes
from viz.paint.sheet import Line
from viz.paint.svg import picture
from viz.paint.turns import Turning
from viz.style import GHOST, ROW

ABBREVIATIONS = [
    (-3.0, 3.0), (0, 7), (0.0, 1.0, 0.25), (2, 10, 2), 3, 0, -2, 1.5, -0.5, True, False, "sin", ["sin", "tanh"],
    {"one": 1, "two": 2}, [("one", 1.5), ("two", 2.5)],
]  # fmt: skip


@pytest.mark.parametrize("given", ABBREVIATIONS, ids=repr)
def test_abbreviations_are_those_of_ipywidgets(given) -> None:
    widgets = pytest.importorskip("ipywidgets")
    [theirs] = widgets.interactive(lambda x: None, x=given).children[:1]
    ours = knob("x", given)
    if ours.kind == "choice":
        assert [label for label, _ in ours.options] == list(theirs._options_labels)
        assert ours.argument(ours.value) == theirs.value
    elif ours.kind == "number":
        assert (ours.low, ours.high, ours.value) == (theirs.min, theirs.max, theirs.value)
        assert ours.step == (theirs.step if isinstance(given, tuple) or ours.whole else 0.1)
        assert type(ours.argument(ours.value)) is type(theirs.value)
    else:
        assert ours.value == theirs.value and ours.kind == ("switch" if isinstance(given, bool) else "text")


def test_a_knob_begins_where_the_program_says() -> None:
    assert knob("x", (-3.0, 3.0), 1.7).value == 1.7
    assert knob("x", (-3.0, 3.0), 9.0).value == 0.0  # not one of its positions
    assert knob("f", ["sin", "tanh"], "tanh").value == 1
    assert knob("on", bool, True).value is True
    assert [one.name for one in knobs_of(train, {})] == ["rate", "steps"]


@pytest.mark.parametrize("given", [(3.0, -3.0), (0.0, 1.0, 0.0), None, [], 3j, b"x"], ids=repr)
def test_what_is_no_knob_is_refused_with_its_name(given) -> None:
    with pytest.raises(ValueError, match="x="):
        knob("x", given)


def test_arguments_that_do_not_fit() -> None:
    with pytest.raises(TypeError, match="has no argument 'y'; it takes x"):
        viz.live(wave, y=(0.0, 1.0))
    with pytest.raises(TypeError, match=r"needs x: viz.live\(f, x="):
        exec("def f(x): return x", space := {})
        viz.live(space["f"])
    turned = viz.live(wave, x=(-3.0, 3.0))
    with pytest.raises(ValueError, match=r"x goes from -3 to 3, not to 5\.0"):
        turned.turn(x=5.0)
    with pytest.raises(KeyError, match="no knob is called 'y'"):
        turned.turn(y=5.0)
    assert turned.values == {"x": 1.7}


def stops(program) -> list[dict]:
    knobs = knobs_of(program, KNOBS[program])
    start = {one.name: one.value for one in knobs}
    return [{**start, one.name: at} for one in knobs for at in one.stops(5)]


def said(page: Turning) -> dict:
    """All the words, numbers and outlines that a page remembers to have told."""
    told = {}
    for part in page._known.values():
        told.update({key: value for key, value in part.items() if key[1] in ("text", "html", "title", "d")})
    return told


@pytest.mark.parametrize("program", KNOBS, ids=lambda one: one.__name__)
def test_a_turned_page_says_what_a_fresh_one_says(program) -> None:
    """At every stop, text for text and step for step; a page made there has other capsules only where texts are as wide."""
    turned = viz.live(program, **KNOBS[program])
    turned.begin()
    for values in stops(program):
        told = turned.turned(values)
        fresh = Turning(turned.scene, turned.page._signature)
        assert said(turned.page) == said(fresh), values
        for number_, _, line in told["lines"]:
            assert isinstance(number_, int) and line[0] == 0 and list(line[::2]) == sorted(set(line[::2]))


@pytest.mark.parametrize("program", [wave, nested, forward, train], ids=lambda one: one.__name__)
def test_only_what_differs_is_told(program) -> None:
    turned = viz.live(program, **KNOBS[program])
    turned.begin()
    assert turned.turned(dict(turned.values))["lines"] == []
    sheet = json.dumps(turned.begin())
    axis = turned.axis
    lines = turned.turn(**{axis.name: axis.stops(5)[1]})["lines"]
    assert lines and len(json.dumps(lines)) < len(sheet) / 4


@pytest.mark.parametrize("program", [wave, nested, forward], ids=lambda one: one.__name__)
def test_the_tangent_is_as_steep_as_the_function(program) -> None:
    """The slope beside the plot against a central difference of the function that is drawn."""
    turned = viz.live(program, **KNOBS[program])
    for x in (-2.3, -0.4, 0.9, 1.7):
        y, slopes = height_and_slope(turned.trace({**turned.values, "x": x}), "x", None)
        up, down = (height_and_slope(turned.trace({**turned.values, "x": x + h}), "x", None)[0] for h in (1e-2, -1e-2))
        assert slopes[-1][1] == pytest.approx((up - down) / 2e-2, rel=2e-2, abs=1e-2)
        assert [whole for _, _, whole in slopes] == [False] * (len(slopes) - 1) + [True]
    drawn = [x for x, _ in turned.curve(turned.values)]
    assert drawn == sorted(drawn) and {*turned.axis.stops(41)} <= {*drawn}


def test_a_curve_has_no_corners_where_the_function_has_none() -> None:
    """Between 41 points the fast turns of a wave were a zigzag; what bends little has no more of them, nor a knob of whole numbers."""
    counts = {}
    for name, function in (("waves", lambda x: tf.sin(x * x)), ("straight", lambda x: 0.25 * x)):
        turned = viz.live(lambda x=1.0, function=function: function(tf.constant(x)), x=(-4.0, 4.0))
        points = turned.curve(turned.values)
        between = [((a + c) / 2, (b + d) / 2) for (a, b), (c, d) in pairwise(points)]
        assert max(abs(y - float(function(tf.constant(x)))) for x, y in between) < 0.05, name
        counts[name] = len(points)
    whole = viz.live(lambda n=1: tf.sin(float(n * n)), n=(-4, 4))
    assert counts["straight"] == 41 < counts["waves"] and len(whole.curve(whole.values)) == 9


def test_names_in_the_program_say_what_is_drawn() -> None:
    def by_hand(x=3.0):
        x = tf.constant(x)
        y = x * x
        dx = 2.0 * x
        return y, dx

    turned = viz.live(by_hand, ("y", "dx"), x=(-4.0, 4.0))
    assert turned.height(turned.run)["y"] == 9.0
    [[step, steep, whole]] = turned.height(turned.run)["slopes"]
    assert (steep, whole) == (6.0, True) and turned.scene.steps[step]["focus"] == ["v3"]


def test_a_program_without_slope_is_drawn_by_what_it_gives_back() -> None:
    turned = viz.live(train, **KNOBS[train])
    ys = [y for _, y in turned.curve(turned.values)]
    assert ys[0] == pytest.approx(float(train(0.001)), abs=1e-3) and turned.height(turned.run)["slopes"] == []


@pytest.mark.parametrize("program", KNOBS, ids=lambda one: one.__name__)
def test_one_layout_for_all_positions_of_a_number(program) -> None:
    """Names such as 0.003 are numbers: no structure holds one.  Every number has room in its card."""
    turned = viz.live(program, **KNOBS[program])
    axis = turned.axis
    runs = [turned.trace({**turned.values, axis.name: at}) for at in axis.stops(9)]
    assert len({run.structure for run in runs}) == 1
    first = turned.scene.layout
    for at in axis.stops(9):
        turned.turn(**{axis.name: at})
        assert turned.scene.layout is first
        for value in turned.scene.values:
            for cell in value["cells"]:
                for state in cell.get("states", []):
                    if "data" not in state and state.get("text", "")[:1].isdigit():
                        assert number(state["text"]) is not None


def waves(x):
    """Rows of four numbers, which take one line or two."""
    with tf.GradientTape() as tape:
        bend = tf.Variable([x, x, x, x])
        y = tf.sin(tf.sin(bend))
    return tape.gradient(y, bend)


def rerun(x):
    """Rows of two numbers, some of which take one line while others take two."""
    row = tf.Variable([x, x * 2])
    part = tf.recompute_grad(lambda h: tf.sin(h) * tf.exp(h))
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(part(part(row)))
    return tape.gradient(y, row)


@pytest.mark.parametrize("program", [waves, rerun], ids=lambda one: one.__name__)
def test_a_page_stays_while_rows_of_numbers_become_longer(program) -> None:
    """Numbers that no longer fit beside each other take a second line, which the page had no room for, and edges with more
    lines were drawn after those with fewer: at every fifth position the page began anew, and had to know fewer of them."""
    told, _ = carried(viz.live(program, x=(-2.0, 2.0)))
    assert len(told["positions"]) > 40 and len(told["bases"]) == 1


def test_a_structure_that_was_here_before_comes_back_as_it_is_now() -> None:
    """The page is the same one, and what is told beside it leads to where the knobs stand."""
    turned = viz.live(nested, **KNOBS[nested])
    turned.begin()
    first, page = turned.page.sheet, turned.page
    assert turned.turn(persistent=True)["sheet"] is not first
    turned.turn(x=0.4)
    told = turned.turn(persistent=False)
    assert told["sheet"] is first and turned.page is page
    assert said(page) == said(Turning(turned.scene, page._signature))
    told_now = {(number, name): line for number, name, line in told["lines"]}
    assert {(number, name) for number, name, _ in page.turn(viz.live(nested, x=(-3.0, 3.0)).scene)} <= set(told_now)


def test_a_turn_disturbs_nobody(capsys: pytest.CaptureFixture[str]) -> None:
    """The program draws the same numbers at each position, whoever draws next notices nothing, and it prints once."""

    def noisy(x=1.0):
        print("hello")
        return tf.constant(x) * tf.random.normal(())

    turned = viz.live(noisy, x=(0.0, 4.0))
    tf.random.set_seed(1)
    expected = float(tf.random.normal(()))
    tf.random.set_seed(1)
    turned.turn(x=2.0)
    two = float(turned.run.result)
    turned.turn(x=4.0)
    assert float(turned.run.result) == pytest.approx(2 * two) and two != 0.0
    assert float(tf.random.normal(())) == expected
    assert capsys.readouterr().out == "hello\n"


def test_while_nobody_turns_a_notebook_prepares_the_rest() -> None:
    """The curve, and the page behind each switch; not within a block of the learner's; and no longer once the widget is closed."""

    async def notebook() -> None:
        turned = viz.live(nested, **KNOBS[nested])
        shown = turned.widget
        assert shown.turn["curve"] == []
        with tf.GradientTape() as tape:
            await asyncio.sleep(0.3)
            assert not turned._heights and not tape.entries
        for _ in range(200):
            await asyncio.sleep(0.05)
            if len(turned._pages) == 1:
                assert shown.turn["curve"] == [], "the page that is one turn away comes first"
            elif shown.turn["curve"]:
                break
        assert len(shown.turn["curve"]) == 31 and len(turned._pages) == 2
        kept = set(map(id, turned._pages.values()))
        shown.values = {**shown.values, "persistent": True}
        assert id(turned.page) in kept
        shown.settled += 1
        shown.close()
        assert shown._idle._next is None

    asyncio.run(notebook())


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_every_knob_of_every_lesson_turns_to_both_ends(path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("viz.knobs.traced.place", partial(place, quick=True))
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    sources = ["".join(one["source"]) for one in cells if one["cell_type"] == "code"]
    [source] = [one for one in sources if "viz.live(" in one] or [""]
    if not source:
        pytest.skip("no knobs")
    file, given = f"knobs of {path.stem}", []
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(
        compile(source, file, "exec"),
        {"tf": tf, "viz": SimpleNamespace(live=lambda *a, **k: given.append(viz.live(*a, **k)))},
    )
    [turned] = given
    turned.begin()
    for one in turned.knobs:
        for at in one.stops(2 if one.kind == "number" else 9):
            told = turned.turn(**{one.name: at})
            assert turned.values[one.name] == at and turned.page.sheet["steps"] == len(turned.scene.steps)
            assert told["refused"] is None or told["refused"]["step"] == len(turned.scene.steps) - 1


def test_nothing_else_is_done_while_somebody_waits_for_a_turn() -> None:
    """Python's collector looks through a whole notebook, and files of whoever calls are parsed, for nobody: neither while a knob turns."""
    looked: list[str] = []

    def collector(phase: str, _: object) -> None:
        looked.append(phase)

    def program(x=1.0):
        gc.callbacks.append(collector)
        waste = [[] for _ in range(5000)]  # enough for the collector to look seven times
        gc.callbacks.remove(collector)
        return tf.constant(x) * float(len(waste))

    async def notebook() -> None:
        shown = viz.live(program, x=(0.0, 4.0)).widget
        looked.clear()
        shown.values = {"x": 2.0}
        assert looked == [] and not gc.isenabled()
        shown.settled += 1
        for _ in range(400):  # a busy machine may be late
            if gc.isenabled() and "stop" in looked:
                break
            await asyncio.sleep(LATER)
        assert gc.isenabled()
        shown.close()

    ours = gc.get_threshold()
    gc.set_threshold(700)  # as a notebook has it
    try:
        asyncio.run(notebook())
    finally:
        gc.set_threshold(*ours)
    assert "stop" in looked, "while nobody turned it looked"
    run, _, _ = called(nested, {"x": 1.0, "persistent": True})
    sites = [one.site for one in run.stream.records if getattr(one, "site", None) is not None]
    assert {one.source.label for one in sites} == {"lives.py", "<call>"}


def test_a_number_that_moves_has_room_for_what_it_was() -> None:
    """Under it, on its card; one that never moves, and an array, have none."""
    turned = viz.live(wave, x=(-3.0, 3.0))
    sheet, rows = turned.begin()["html"], turned.scene.layout["rows"]
    known = {value["name"]: rows[value["id"]] for value in turned.scene.values}
    assert known == {"x": [34, 34], "sin(x)": [34, 34], "y": [34, 21]} and sheet.count("data-was") == 5
    assert not any("room" in cell for value in turned.scene.values for cell in value["cells"])


def test_a_still_of_knobs_keeps_no_room_for_what_was() -> None:
    """It is as high as that of the same run without knobs: nothing turns there."""
    turned = viz.live(nested, x=(-3.0, 3.0), persistent=True)
    tall, low = (max(map(max, one.layout["rows"].values())) for one in (turned.scene, turned.still))
    assert tall >= ROW + GHOST > low
    same = turned.widget._picture == picture(turned.still, len(turned.scene.steps) - 1, theme="")
    assert same, "and it is what a notebook stores"
    turned.turn(x=-2.5)
    assert [one["say"] for one in turned.still.steps] == [one["say"] for one in turned.scene.steps]


def test_a_page_opens_where_the_knobs_stand(tmp_path) -> None:
    """Where they were left, between two stops of a number too."""
    turned = viz.live(nested, x=(-3.0, 3.0), persistent=True)
    assert turned.positions(9)[0] == turned.values
    turned.turn(x=1.234, persistent=False)
    assert turned.positions(9)[0] == turned.values == {"x": 1.234, "persistent": False}
    assert {one["x"] for one in turned.positions(9) if one["persistent"]} == {1.234, *turned.axis.stops(9)}


def test_a_refusal_is_a_step_and_names_the_knob_that_mends_it() -> None:
    turned = viz.live(nested, **KNOBS[nested])
    last = turned.scene.steps[-1]
    assert last["kind"] == "error" and "It has answered already, at " in last["say"]
    lines = dict(turned.scene.sources[0]["lines"])
    assert "again = inner.gradient(y, x)" in lines[last["place"][1]]
    refused = turned.refusal(turned.run)
    assert (refused["step"], refused["name"]) == (len(turned.scene.steps) - 1, "inner")
    assert "dy_dx = inner.gradient(y, x)" in lines[turned.scene.steps[refused["cause"]]["place"][1]]
    mends = refused["mends"]
    assert mends == {"knob": "persistent", "value": True, "label": "persistent = True"}
    told = turned.turn(persistent=True)
    assert "sheet" in told and told["refused"] is None and turned.run.error is None


def test_an_error_of_the_program_s_own_is_a_step_at_its_line() -> None:
    def halves(n=2):
        x = tf.constant(1.0)
        y = x * 2.0
        return y / tf.constant(1 // n)

    turned = viz.live(halves, n=(0, 2))
    told = turned.turn(n=0)
    assert told["refused"]["mends"] is None
    last = turned.scene.steps[-1]
    assert "ZeroDivisionError" in last["say"]
    assert dict(turned.scene.sources[0]["lines"])[last["place"][1]].strip() == "return y / tf.constant(1 // n)"


def test_memory_is_as_if_nobody_had_turned() -> None:
    """A refused run leaves no tape behind: bytes are those of the start after many turns."""
    turned = viz.live(nested, **KNOBS[nested])
    before = tf.ledger.held_for_backward
    for at in turned.axis.stops(7):
        turned.turn(x=at)
    assert tf.ledger.held_for_backward == before


@pytest.mark.parametrize("program", [nested, chain], ids=lambda one: one.__name__)
def test_a_page_without_a_kernel_has_every_stop_and_is_small(program, tmp_path) -> None:
    turned = viz.live(program, **KNOBS[program])
    path = viz.export(turned, tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert path.endswith("page.html") and len(text.encode()) <= 1_000_000
    assert "src=" not in text.replace("src=\\", "") and turned.values == viz.live(program, **KNOBS[program]).values
    assert viz.export(turned, tmp_path / "page.txt") and "start" in (tmp_path / "page.txt").read_text(encoding="utf-8")


SCRIPT = """
import minitape as tf, viz
def wave(x=2.0):
    x = tf.Variable(x)
    with tf.GradientTape() as tape:
        y = x * x
    return tape.gradient(y, x)
print(viz.live(wave, x=(-3.0, 3.0)))
"""


def test_in_a_plain_script_it_is_one_run_at_the_defaults(tmp_path) -> None:
    blocked = "import sys; sys.modules.update(dict.fromkeys(['anywidget', 'ipywidgets', 'IPython']))\n"
    (tmp_path / "script.py").write_text(blocked + SCRIPT, encoding="utf-8")
    run = python(str(tmp_path / "script.py"))
    assert run.returncode == 0, run.stderr
    assert "y = 4" in run.stdout and "∂y/∂x = 4" in run.stdout


def test_a_line_is_read_as_it_is_told() -> None:
    turned = viz.live(wave, x=(-3.0, 3.0))
    turned.begin()
    known = turned.page._known["graph LR"]
    lines = {key: value for key, value in known.items() if isinstance(value, Line)}
    assert any(key[1] == "text" for key in lines)


def test_a_dial_turns_by_the_step_that_was_given() -> None:
    """A learning rate is turned by thousandths."""
    sheet = viz.live(train, **KNOBS[train]).begin()["html"]
    dial = re.findall(r'<input[^>]*type="range"[^>]*data-knob="rate"[^>]*>', sheet)
    assert len(dial) == 1 and 'min="0.001" max="0.2" step="0.001"' in dial[0]


def test_a_small_array_has_room_for_the_numbers_that_it_may_come_to() -> None:
    """On its card and on edges: at a position of round numbers it is as wide as any other will make it."""

    def program(x):
        with tf.GradientTape() as tape:
            x = tf.constant(x)
            v = tf.Variable([1.0, 2.0]) * x
            y = tf.reduce_sum(v * v * x)
        return tape.gradient(y, v)

    few, many = (Traced(program, {"x": x}, "program").scene for x in (1.0, -1.2345))
    wide = roomy(few, [many])
    for here, there, room in zip(few.values, many.values, wide.values, strict=True):
        assert sizes.card(room)[0] >= max(sizes.card(here)[0], sizes.card(there)[0]), here["name"]
    assert any(sizes.card(here)[0] < sizes.card(room)[0] for here, room in zip(few.values, wide.values, strict=True))
    carried = [[one for edge in scene.edges for one in edge.get("carried", [])] for scene in (few, many, wide)]
    assert any("[" in one["text"] for one in carried[0])
    for here, there, room in zip(*carried, strict=True):
        assert len(room["text"]) >= max(len(here["text"]), len(there["text"]))
