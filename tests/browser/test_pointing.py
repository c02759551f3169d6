"""Finding a thing by its name, and pointing at one to see it everywhere."""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.pages import VIEWS, player, scene

LIT = """() => [...document.querySelectorAll("[data-lit]")].map(one =>
    one.dataset.value || one.dataset.place || one.dataset.holder || `step ${one.dataset.step}`)"""


@pytest.mark.parametrize("view", VIEWS)
def test_where_is_it(browser: Any, tmp_path: Any, view: str) -> None:
    with player(browser, tmp_path, scene("diamond"), view=view) as it:
        it.key("/")
        assert it.page.evaluate("document.activeElement.className") == "mt-query"
        it.page.keyboard.type("where is z?")
        names = it.page.eval_on_selector_all(".mt-hit b", "all => all.map(one => one.textContent)")
        assert names[0] == "z"
        born = next(value["born"] for value in scene("diamond").values if value["name"] == "z")
        assert it.page.text_content(".mt-hit i") == f"step {born}"
        assert it.page.get_attribute(".mt-hit >> nth=0", "aria-selected") == "true"
        it.key("Enter")
        assert it.step == born and it.page.is_hidden(".mt-search")
        z = next(value["id"] for value in scene("diamond").values if value["name"] == "z")
        assert z in it.page.evaluate(LIT)


def test_the_box_has_its_own_keys(browser: Any, tmp_path: Any) -> None:
    with player(browser, tmp_path, scene("diamond")) as it:
        it.click("find")
        it.page.keyboard.type("x")
        it.key("ArrowDown", "ArrowDown", "ArrowUp")
        assert it.page.eval_on_selector_all(".mt-hit", "all => all.findIndex(one => one.ariaSelected === 'true')") == 1
        it.key("t", "g", "Space", "ArrowRight", "End")  # typed, not obeyed
        assert it.step == 0 and it.page.is_visible(".mt-graph")
        assert it.page.get_attribute(".mt", "data-theme") == "light"
        assert it.page.inner_text(".mt-none") == "nothing of that name"
        it.key("Enter", "Escape")
        assert it.page.is_hidden(".mt-search") and it.step == 0
        assert it.page.evaluate("document.activeElement.className").endswith("mt-find")
        it.click("find")
        it.page.fill(".mt-query", "s")
        it.page.click(".mt-hit >> nth=0")
        assert it.step == next(value["born"] for value in scene("diamond").values if value["name"] == "s")


@pytest.mark.parametrize("view", VIEWS)
def test_pointing_lights_the_same_thing_everywhere(browser: Any, tmp_path: Any, view: str) -> None:
    one = scene("diamond")
    by_name = {value["name"]: value for value in one.values}
    with player(browser, tmp_path, one, view=view) as it:
        it.key("End")
        value, place = by_name["s"]["id"], "|".join(map(str, by_name["s"]["place"]))
        line = it.page.locator(f'.mt-line[data-place="{place}"]')
        line.hover()
        seen = set(it.page.evaluate(LIT))
        assert {value, place, f"step {by_name['s']['born']}"} <= seen
        thing = f'.mt-card[data-value="{value}"]' if view == "graph" else f'.mt-linerow[data-value="{value}"] >> nth=0'
        it.page.locator(thing).hover()
        assert {value, place, f"step {by_name['s']['born']}"} <= set(it.page.evaluate(LIT))
        lane = it.page.locator(f'[data-step="{by_name["s"]["born"]}"] :is(.mt-mark, .mt-notesign):visible').first
        lane.hover()
        assert {value, place} <= set(it.page.evaluate(LIT))
        it.page.mouse.move(2, 2)
        assert it.page.evaluate(LIT) == []


def test_memory_and_values_point_at_each_other(browser: Any, tmp_path: Any) -> None:
    one = scene("diamond")
    variables = {value["id"] for value in one.values if value["kind"] == "variable"}
    with player(browser, tmp_path, one) as it:
        it.page.locator(".mt-scrub").fill("6")
        it.page.locator('.mt-hold[data-holder="variable"]').hover()
        lit = set(it.page.evaluate(LIT))
        assert variables <= lit and "variable" in lit
        it.page.locator(f'.mt-card[data-value="{sorted(variables)[0]}"]').hover()
        assert "variable" in it.page.evaluate(LIT)
