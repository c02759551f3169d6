"""Long runs on a page without a kernel: folds open in place, level by level, search looks inside, and the address knows which."""

from __future__ import annotations

import json
from typing import Any

import pytest

import viz
from tests.browser.pages import GO, Player, embedded, player
from tests.viz import programs
from viz.layout import effort
from viz.paint.page import inside
from viz.scene import Scene
from viz.tell import opened_folds, unfolded


@pytest.fixture(scope="module")
def long_run() -> Any:
    return programs.run("loop_folded")


@pytest.fixture(scope="module")
def opened(long_run: Any) -> dict[str, Scene]:
    return opened_folds(long_run, everything=True)


LAST = "Number(document.querySelector('.mt-count').textContent.split('/')[1])"
CARDS = "document.querySelectorAll('.mt-card').length"


def cards(it: Player) -> int:
    return int(it.page.locator(".mt-card").count())


def test_a_page_unfolds_in_place(browser: Any, tmp_path: Any, long_run: Any, opened: dict[str, Scene]) -> None:
    folded = long_run.scene
    third = folded.groups[2]
    with player(browser, tmp_path, folded, opened=opened) as it:
        assert (tmp_path / "page.html").stat().st_size < 1_000_000  # with all of its folds
        it.open(f"#step={third['from']}")
        before = it.html()
        assert cards(it) == len(folded.values)
        assert it.page.inner_text(".mt-word.mt-fold") == "unfold"
        it.key("f")
        assert it.step == third["from"]
        it.becomes(len(opened[third["id"]].values), CARDS)  # unpacked when it is asked for
        assert cards(it) > len(folded.values)
        assert it.page.inner_text(".mt-word.mt-fold") == "unfold"  # there is one in it
        assert it.fragment() == f"#step={third['from']}&open=fold%203"
        it.key("ArrowRight", "ArrowLeft")
        assert it.step == third["from"]
        it.key("Shift+F")
        it.becomes(len(folded.values), CARDS)
        assert it.step == third["from"]
        assert it.html() == before
        assert it.fragment() == f"#step={third['from']}"


def test_an_address_opens_a_fold(browser: Any, tmp_path: Any, long_run: Any, opened: dict[str, Scene]) -> None:
    with player(browser, tmp_path, long_run.scene, opened=opened) as it:
        it.open("#step=4&view=score&theme=dark&open=fold%202")
        assert it.step == 4 and it.page.is_visible(".mt-score")
        assert it.last == len(opened["fold 2"].steps) - 1
        it.key("g")  # the view and the theme stay when a fold is closed
        it.key("Shift+F")
        it.becomes(len(long_run.scene.steps) - 1, LAST)
        assert it.page.get_attribute(".mt", "data-theme") == "dark"
        assert it.last == len(long_run.scene.steps) - 1
        it.page.evaluate("location.hash = '#step=7&open=fold%205'")
        it.becomes(len(opened["fold 5"].steps) - 1, LAST)
        assert it.step == 7
        it.open("#open=nonsense")
        assert it.last == len(long_run.scene.steps) - 1


def test_one_fold_is_open_at_a_time(browser: Any, tmp_path: Any, long_run: Any, opened: dict[str, Scene]) -> None:
    with player(browser, tmp_path, long_run.scene, opened=opened) as it:
        it.open(f"#step={long_run.scene.groups[0]['from']}")
        it.key("f", "End")
        step = next(one["from"] for one in opened["fold 1"].groups if one["id"] == "fold 9")
        it.open(f"#step={step}&open=fold%201")
        it.click("fold")
        assert it.fragment().endswith("&open=fold%209")
        it.becomes(len(opened["fold 9"].values), CARDS)


def test_folds_open_level_by_level(browser: Any, tmp_path: Any, long_run: Any, opened: dict[str, Scene]) -> None:
    third = long_run.scene.groups[2]
    deep = opened["fold 3/fold 3.1"]
    with player(browser, tmp_path, long_run.scene, opened=opened) as it:
        it.open(f"#step={third['from']}")
        it.key("f")
        it.becomes(len(opened["fold 3"].values), CARDS)
        inner = next(one["from"] for one in opened["fold 3"].groups if one["id"] == "fold 3.1")
        it.page.evaluate(GO, inner)
        it.key("f")
        it.becomes(len(deep.values), CARDS)
        assert it.step == inner
        assert it.fragment() == f"#step={inner}&open=fold%203%2Ffold%203.1"
        assert len(deep.values) > len(opened["fold 3"].values)
        it.open(f"#step={inner}&open=fold%203%2Ffold%203.1")  # a link leads there
        assert cards(it) == len(deep.values)
        it.key("Shift+F")
        it.becomes(len(opened["fold 3"].values), CARDS)
        assert it.step == inner and it.fragment().endswith("&open=fold%203")
        it.key("Shift+F")
        it.becomes(len(long_run.scene.values), CARDS)


def test_search_looks_inside_and_opens_the_way(
    browser: Any, tmp_path: Any, long_run: Any, opened: dict[str, Scene]
) -> None:
    shown = {value["name"] for value in long_run.scene.values}
    rows = list(zip(*inside(long_run.scene, opened), strict=True))
    name, _, _, step, thing, way = next(
        row for row in rows if row[0] not in shown and row[0] in {value["name"] for value in opened[row[5]].values}
    )
    with player(browser, tmp_path, long_run.scene, opened=opened) as it:
        it.page.mouse.move(700, 300)  # where it rests, another picture comes to be
        it.key("/")
        it.page.keyboard.type(name)
        it.key("Enter")
        it.becomes(len(opened[way].values), CARDS)
        assert it.step == step
        it.becomes("", f"document.querySelector('.mt-card[data-value=\"{thing[6:]}\"]').getAttribute('data-lit')")


def test_what_is_embedded_and_what_is_not(long_run: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Folds come with a page of a run that is told quickly; of a longer one only when everything is asked for."""
    found = set(opened_folds(long_run, everything=False))
    assert {one for one in found if "/" not in one} == {one["id"] for one in long_run.scene.groups}
    few = programs.run("training_folded")  # folds that are drawn in a fifth of the time
    monkeypatch.setattr("viz.tell.TOLD", len(few) - 1)
    assert opened_folds(long_run, everything=False) == {}
    page = tmp_path / "page.html"
    viz.export(few, page)
    assert 'id="opened"' not in page.read_text(encoding="utf-8")
    viz.export(few, page, unfold="all")
    assert '<script type="application/json" id="opened">H4s' in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(("engine", "carried"), [("layered", False), ("pygraphviz", True)])
def test_without_graphviz_folds_that_take_long_to_draw_are_not_embedded(
    long_run: Any, monkeypatch: pytest.MonkeyPatch, engine: str, carried: bool
) -> None:
    monkeypatch.setattr("viz.tell.DRAWN", effort(long_run.scene))
    monkeypatch.setitem(long_run.scene.layout, "engine", engine)
    assert bool(opened_folds(long_run, everything=False)) == carried


# A kernel in the small: it answers what a stepper's `searched` and `opened` ask.
KERNEL = """const data = {sheet: scenes.closed, step: 0, theme: "", predict: false, opened: [], searched: 0, inside: [], guesses: {}}, heard = {};
const say = (name, value) => { data[name] = value; heard["change:" + name]?.(); };
const changed = new Set();
window.data = data;
const model = {get: name => data[name], set: (name, value) => { data[name] = value; changed.add(name); },
  on: (name, act) => { heard[name] = act; }, off: name => { delete heard[name]; },
  save_changes: () => setTimeout(() => {
    if (changed.delete("searched")) say("inside", INSIDE);
    if (changed.delete("opened")) { data.inside = []; say("sheet", data.opened.length ? scenes.open : scenes.closed); }
  })};
widget.render({model, el: document.getElementById("a")});"""


def test_a_notebook_looks_inside_of_folds_too(browser: Any, tmp_path: Any, long_run: Any) -> None:
    stepper = viz.step(long_run)
    stepper.searched = 1
    seen = {f"value:{value['id']}" for value in long_run.scene.values}
    hits = [hit for hit in zip(*stepper.inside, strict=True) if hit[4] not in seen and hit[1].startswith("made by")]
    name, _, _, _, thing, fold = next(hit for hit in hits[::-1] if stepper.inside[0].count(hit[0]) == 1)
    stepper.opened = [fold]
    value = next(one for one in stepper.scene.values if f"value:{one['id']}" == thing)
    assert value["name"] == name and stepper.inside == []
    told = unfolded(long_run, long_run.scene, [])
    script = KERNEL.replace("INSIDE", json.dumps(inside(long_run.scene, told)))
    with embedded(browser, tmp_path, script, {"closed": long_run.scene, "open": stepper.scene}) as it:
        before = cards(it)
        it.page.press(".mt-find", "Enter")
        it.page.keyboard.type(name)
        it.becomes(name, "document.querySelector('.mt-hits [aria-selected=true]')?.children[0].textContent")
        it.key("Enter")
        it.page.wait_for_function("data.opened.length")
        assert it.page.evaluate("data.opened") == [fold]
        it.becomes(len(stepper.scene.values), CARDS)
        assert cards(it) != before and it.step == value["born"] == it.page.evaluate("data.step")
        assert it.page.locator(f".mt-card[data-lit][data-value='{value['id']}']").count() == 1
        assert it.page.evaluate("document.activeElement.matches('.mt-find')")  # stepping goes on from here
