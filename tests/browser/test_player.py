"""The player as a reader meets it: an exported page opened from a disk, and players embedded in somebody else's page."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import pytest

from tests.browser.pages import (
    GO,
    NAMES,
    PRESS,
    REST,
    TEXT_FAULTS,
    VIEWS,
    WIDTHS,
    WITHOUT_CAMERA,
    embedded,
    player,
    scene,
)
from viz.layout import place
from viz.paint.page import page
from viz.scene import Scene

ROOT_ATTRIBUTES = "node => [...node.attributes].map(one => `${one.name}=${one.value}`).join(' ')"


# ---- one step, one picture -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize(("name", "still"), [*((name, True) for name in NAMES), ("diamond", False)])
def test_back_is_exact(browser: Any, tmp_path: Any, name: str, still: bool, view: str) -> None:
    walk = f"""async last => {{
        const press = {PRESS}, html = () => ({WITHOUT_CAMERA})(document.querySelector(".mt")), rest = () => new Promise(done => setTimeout(done));
        const there = [html()], other = [];
        for (let n = 1; n <= last; n++) {{ press("ArrowRight"); await rest(); there.push(html()); }}
        for (let n = last - 1; n >= 0; n--) {{ press("ArrowLeft"); await rest(); if (html() !== there[n]) other.push(n); }}
        return [new Set(there).size, other];
    }}"""
    with player(browser, tmp_path, scene(name), still=still, view=view) as it:
        first, last = it.html(), it.last
        assert it.page.evaluate(walk, last) == [last + 1, []]  # and every step shows something of its own
        it.key("End", "Home")
        assert it.html() == first


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("width", WIDTHS[:1])
@pytest.mark.parametrize("name", NAMES)
def test_all_text_can_be_read_at_every_step(browser: Any, tmp_path: Any, name: str, width: int, view: str) -> None:
    with player(browser, tmp_path, scene(name), width=width, view=view) as it:
        assert it.faults(TEXT_FAULTS, range(it.last + 1)) == []


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("name", NAMES)
def test_nothing_moves_while_stepping(browser: Any, tmp_path: Any, name: str, view: str) -> None:
    moved = """() => {
        const all = [...document.querySelectorAll(".mt-face, .mt-line, .mt-graph, .mt-next, .mt-strip, .mt-legend, tr, .mt-linerow, .mt-sheetmusic, .mt-touch")];
        const boxes = all.map(node => { const b = node.getBoundingClientRect(); return [b.x, b.y, b.width, b.height].map(Math.round).join(" "); });
        const before = window.before ??= boxes;
        return [...(boxes.length === before.length ? [] : [`${boxes.length} boxes`]), ...boxes.filter((box, at) => box !== before[at])];
    }"""
    for width in WIDTHS:
        with player(browser, tmp_path, scene(name), width=width, view=view) as it:
            # questions stay on; a big graph moves in its own box, so all of it is shown here
            it.key("0")
            it.page.add_style_tag(
                content=".mt .mt-graph, .mt .mt-strings, .mt .mt-code { max-height: none !important; overflow: visible !important }"
            )
            it.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
            assert it.page.evaluate(moved) == []
            assert it.faults(moved, range(it.last + 1)) == [], f"at {width} px"


NUMBER = """([value, cell]) => {
  const card = document.querySelector(`.mt-card[data-value="${value}"]`), labels = [...card.querySelectorAll(".mt-name, .mt-label")];
  const at = [...labels[cell].parentNode.children].indexOf(labels[cell]), after = [...labels[cell].parentNode.children].slice(at + 1);
  const number = after.slice(0, after.findIndex(one => one.matches(".mt-label")) >>> 0).find(one => one.matches(".mt-number"));
  return [number.textContent, number.getAttribute("class"), getComputedStyle(number).visibility];
}"""


def number(it: Any, value: str, cell: int = 0) -> list[str]:
    """What a row of a card shows (0: the value itself), its class, and whether it is seen."""
    return it.page.evaluate(NUMBER, [value, cell])


def test_the_four_marks_differ(browser: Any, tmp_path: Any) -> None:
    """Not yet, zero, None and "does not see it"."""
    one = scene("signs")
    rows = {value["id"]: [cell["id"] for cell in value["cells"]] for value in one.values}
    with player(browser, tmp_path, one) as it:
        it.key("End")
        cells = {"log|g": "·", "e|g": "0", "x|g": "✂ None", "h|t": "∅", "e|v": "−0.0312…33.1", "loss|v": "0.7311"}
        told = {cell: number(it, value, rows[value].index(row)) for cell in cells for value, row in [cell.split("|")]}
        assert {cell: shown for cell, (shown, _, _) in told.items()} == cells
        assert len({told[cell][1] for cell in ("log|g", "e|g", "x|g", "h|t")}) == 4
        assert "no tape watched it" in it.page.text_content('[data-value="x"] title')
        assert "paused by" in " ".join(it.page.locator('[data-value="log"] .mt-tag').all_text_contents())


def test_arrays_are_squares_and_their_numbers_are_told(browser: Any, tmp_path: Any) -> None:
    squares = """value => Object.fromEntries(["pos", "neg", "zero", "odd"].map(kind => [kind,
        [...document.querySelectorAll(`.mt-card[data-value="${value}"] .mt-${kind}`)].reduce((sum, one) => sum + (one.getAttribute("d").match(/M/g) || []).length, 0)]))"""
    told = scene("signs")
    for state in [state for value in told.values for cell in value["cells"] for state in cell["states"]]:
        data = state.get("data") or {}
        if data.get("shape") == [2, 3]:
            data |= {"shape": [2, 4], "numbers": [[*row, 1] for row in data["numbers"]]}
        elif data.get("shape") == [3]:
            data |= {"shape": [7], "numbers": [*data["numbers"], 0, 0, 0, 0]}
    told.layout = place(told)
    with player(browser, tmp_path, told) as it:
        it.key("ArrowRight")
        assert it.page.evaluate(squares, "W") == {"pos": 5, "neg": 2, "zero": 1, "odd": 0}
        assert "0.5, −1.25, 2, 1, 0, 0.125, −0.75, 1" in it.page.text_content('[data-value="W"] title')
        assert it.page.text_content('[data-value="W"] .mt-shape') == "2×4"
        it.key("End")
        assert it.page.evaluate(squares, "h")["odd"] == 1  # a NaN has no size: a cross
        assert "0.4, −1.3, 1.9" in it.page.text_content('[data-value="W"] title')  # the variable has changed


def test_a_small_array_stands_as_its_numbers_row_by_row(browser: Any, tmp_path: Any) -> None:
    seen = """value => [...document.querySelectorAll(`.mt-card[data-value="${value}"] .mt-number`)]
      .filter(one => one.textContent).map(one => one.textContent.replaceAll("\xa0", ""))"""
    with player(browser, tmp_path, scene("signs")) as it:
        it.key("Home", "ArrowRight")
        assert it.page.evaluate(seen, "W")[:2] == ["[0.5, −1.25, 2]", "[0, 0.125, −0.75]"]
        it.key("End")
        assert it.page.evaluate(seen, "W")[:2] == ["[0.4, −1.3, 1.9]", "[0, 0.1, −0.7]"]
        assert "[1, nan, 0]" in it.page.evaluate(seen, "h")


def test_values_are_a_sketch_before_they_are_born(browser: Any, tmp_path: Any) -> None:
    with player(browser, tmp_path, scene("slope")) as it:
        assert "future" in it.page.get_attribute('[data-value="y"]', "class")
        assert number(it, "y")[2] == "hidden"
        it.page.click('[data-value="y"]')  # a card leads to the step that made it
        assert it.step == 3
        assert "future" not in it.page.get_attribute('[data-value="y"]', "class")
        assert number(it, "y")[::2] == ["9", "visible"]


def test_pins_open_and_states_are_said(browser: Any, tmp_path: Any) -> None:
    with player(browser, tmp_path, scene("slope")) as it:
        it.page.click('[data-value="y"]')
        assert it.page.locator(".mt-pin.kept:visible").count() == 2 + 1  # and the legend's
        assert it.page.text_content(".mt-state") == "listening" and "listening" in it.page.text_content(".mt-rlabel")
        it.key("End")
        assert (
            it.page.locator(".mt-picture .mt-pin:visible").count() == 2
            and it.page.locator(".mt-picture .mt-pin.kept").count() == 0
        )
        assert it.page.text_content(".mt-state") == "spent" and "spent" in it.page.text_content(".mt-rlabel")


def test_the_cut_is_shown_where_the_way_is_cut(browser: Any, tmp_path: Any) -> None:
    with player(browser, tmp_path, scene("why")) as it:
        it.key("End")
        assert it.page.locator(".mt-cutline:not(.off)").count() == it.page.locator(".mt-edge.beneath").count() == 1
        assert it.page.locator(".mt-scissors:visible").count() == 1


def test_without_positions_values_stand_in_a_table(browser: Any, tmp_path: Any) -> None:
    with player(browser, tmp_path, scene("table")) as it:
        assert "Graphviz is not installed" in it.page.text_content(".mt-graph")
        it.key("End")
        assert it.page.text_content('tr[data-value="loss"]') == "lossreduce_mean0.7311∂loss/∂loss 1"
        assert "✂ None" in it.page.text_content('tr[data-value="x"]')
        assert (
            it.page.locator(".mt-lanes .mt-mark, .lanes .mt-mark").count() > 10
            and it.page.locator(".mt-mem").count() == 1
        )
        it.page.click('tr[data-value="h"]')
        assert it.step == 4


# ---- hands -----------------------------------------------------------------------------------------------------------


def test_every_control(browser: Any, tmp_path: Any) -> None:
    with player(browser, tmp_path, scene("diamond")) as it:
        for name, expected in [
            ("next", 1),
            ("next", 2),
            ("back", 1),
            ("last", it.last),
            ("next", it.last),
            ("first", 0),
            ("back", 0),
        ]:
            it.page.click(f".mt-{name}", force=True)  # at an end, too, where the button says that it is of no use
            assert it.step == expected, name
        assert it.page.get_attribute(".mt-first", "aria-disabled") == "true"
        before = it.html()
        it.click("theme")
        it.click("theme")
        assert it.html() == before


def test_every_key(browser: Any, tmp_path: Any) -> None:
    with player(browser, tmp_path, scene("diamond")) as it:
        for key, expected in [
            ("ArrowRight", 1),
            ("ArrowRight", 2),
            ("ArrowLeft", 1),
            ("End", it.last),
            ("ArrowRight", it.last),
            ("Home", 0),
            ("ArrowLeft", 0),
        ]:
            it.key(key)
            assert it.step == expected, key
        for key in ("p", "P"):
            pressed = it.page.get_attribute(".mt-predict", "aria-pressed")
            it.key(key)
            assert it.page.get_attribute(".mt-predict", "aria-pressed") != pressed
        for key, speed in (("]", "2"), ("]", "4"), ("]", "4"), ("[", "2"), ("[", "1"), ("[", "0.5"), ("[", "0.5")):
            it.key(key)
            assert it.page.input_value(".mt-speed") == speed
        for key in ("g", "G"):
            shown = it.page.is_visible(".mt-score")
            it.key(key)
            assert it.page.is_visible(".mt-score") is not shown
        it.key("/")
        assert it.page.is_visible(".mt-search")
        it.key("Escape")
        assert it.page.is_hidden(".mt-search")
        it.key("t")
        assert it.page.get_attribute(".mt", "data-theme") == "dark"
        it.key("?")
        assert it.page.is_visible(".mt-help")
        it.key("Escape")
        assert it.page.is_hidden(".mt-help")
        told = set("".join(it.page.eval_on_selector_all(".mt-key kbd", "all => all.map(one => one.textContent)")))
        assert set("PTG/?[]→←") <= told
        it.key("x", "Control+ArrowRight", "Enter")  # not ours (Enter: the focus came back to the ? button)
        assert it.step == 0


def test_keys_work_wherever_the_focus_is(browser: Any, tmp_path: Any) -> None:
    with player(browser, tmp_path, scene("slope")) as it:
        for place in (".mt-scrub", ".mt-next", ".mt-theme"):
            it.page.focus(place)
            it.key("Home", "ArrowRight", "ArrowRight", "ArrowLeft")
            assert it.step == 1, place
        it.page.focus(".mt-speed")
        it.key("ArrowRight")
        assert it.step == 1  # a menu keeps its own keys


def test_playing(browser: Any, tmp_path: Any) -> None:
    with player(browser, tmp_path, scene("slope"), own=True) as it:
        it.page.clock.install()
        it.open()
        it.page.mouse.click(5, 5)
        it.page.clock.run_for(5000)
        assert it.step == 0  # nothing plays by itself
        before = it.html()
        it.page.evaluate("() => { window.heard = []; addEventListener('keydown', ({ key }) => heard.push(key)); }")
        it.key("Space")
        assert it.page.get_attribute(".mt-play", "title") == "Pause (Space)"
        it.page.clock.run_for(1750)
        assert it.step == 1
        it.page.select_option(".mt-speed", "4")
        it.page.clock.run_for(900)
        assert it.step == 3
        it.page.evaluate("document.activeElement.blur()")
        it.key("Space")
        assert it.page.evaluate("heard") == [], "a key that is used up scrolls no page"
        it.page.clock.run_for(5000)
        assert it.step == 3
        it.click("play")
        it.page.clock.run_for(9000)
        assert it.step == it.last
        assert it.page.get_attribute(".mt-play", "title") == "Play (Space)"
        it.key("Home")
        assert it.html() == before


def test_scrubbing(browser: Any, tmp_path: Any) -> None:
    with player(browser, tmp_path, scene("diamond")) as it:
        it.page.locator(".mt-scrub").fill("5")
        assert it.step == 5
        strip = it.page.locator(".mt-strip.memory").bounding_box()

        def x(step: int) -> float:
            return strip["x"] + step * strip["width"] / it.last

        y = strip["y"] + strip["height"] / 2
        for step in (0, 3, it.last):
            it.page.mouse.click(x(step), y)
            assert it.step == step
        it.page.mouse.move(x(2), y)
        it.page.mouse.down()
        it.page.mouse.move(x(9), y, steps=7)
        assert it.step == 9
        it.page.mouse.move(x(40), y)
        assert it.step == it.last
        it.page.mouse.up()
        it.page.mouse.move(x(4), y)
        assert it.step == it.last
        mark = it.page.locator('.lanes [data-step="4"] .mt-mark').bounding_box()
        it.page.mouse.click(mark["x"] + mark["width"] / 2, mark["y"] + mark["height"] / 2)
        assert it.step == 4


def test_one_axis(browser: Any, tmp_path: Any) -> None:
    """The thumb of the scrub bar, the cursor and a step's mark stand one above the other."""
    for width in WIDTHS:
        with player(browser, tmp_path, scene("diamond"), width=width) as it:
            it.page.locator(".mt-scrub").fill("5")
            bar, mark, cursor = (
                it.page.locator(one).first.bounding_box()
                for one in (".mt-scrub", '.lanes [data-step="5"] .mt-mark', ".lanes .mt-cursor")
            )
            thumb = bar["x"] + 9 + 5 * (bar["width"] - 18) / it.last
            assert abs(thumb - cursor["x"]) < 1.5
            assert abs(mark["x"] + mark["width"] / 2 - cursor["x"]) < 1.5


def test_pointing_lights_the_same_thing_everywhere(browser: Any, tmp_path: Any) -> None:
    with player(browser, tmp_path, scene("diamond")) as it:
        it.key("ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight")
        names = "all => all.map(one => one.dataset.value || one.dataset.place || one.dataset.step)"

        def lit() -> list[str]:
            return it.page.eval_on_selector_all("[data-lit]", names)

        it.page.hover('.mt-card[data-value="s"]')
        assert {"s", "cell1|4", "4"} <= set(lit())
        assert it.page.get_attribute('.mt-term[data-value="s"]', "data-lit") == ""
        it.page.hover('.mt-terms:not([aria-hidden]) .mt-term[data-value="x"] >> nth=0')
        assert it.page.get_attribute('.mt-card[data-value="x"]', "data-lit") == ""
        it.page.hover('.mt-line[data-place="cell1|5"]')
        assert it.page.get_attribute('.mt-card[data-value="z"]', "data-lit") == ""
        it.page.mouse.move(2, 2)
        it.page.hover(".mt-title")
        assert lit() == []


def test_the_help_sheet(browser: Any, tmp_path: Any) -> None:
    with player(browser, tmp_path, scene("slope")) as it:
        before = it.html()
        it.click("helper")
        assert it.page.is_visible(".mt-help")
        for word in ("Home, End", "Space", "Esc"):
            assert word in it.page.text_content(".mt-help")
        it.click("close")
        assert it.page.is_hidden(".mt-help")
        assert it.page.evaluate("document.activeElement.className") == "mt-word mt-helper"
        assert it.html() == before


# ---- questions -------------------------------------------------------------------------------------------------------


def test_a_question_locks_the_next_step(browser: Any, tmp_path: Any) -> None:
    with player(browser, tmp_path, scene("diamond"), asks=True) as it:
        asked = next(n for n, one in enumerate(scene("diamond").steps) if "ask" in one)
        it.page.locator(".mt-scrub").fill(str(asked))
        question = scene("diamond").steps[asked]["ask"]
        assert question["question"] in it.page.text_content(".mt-ask.now")
        it.key("ArrowRight")
        it.click("next")
        assert it.step == asked
        it.key("ArrowLeft", "ArrowRight")  # back is always open
        assert it.step == asked
        it.page.click(f'.mt-ask.now .mt-option:text-is("{question["options"][0]}")')
        it.key("ArrowRight")
        assert it.step == asked + 1
        it.page.locator(".mt-scrub").fill(str(asked + question["after"]))
        told = it.page.text_content(".mt-truth.now")
        assert f"You said {question['options'][0]}; it is {question['answer']}" in told
        assert "✗" in told


def test_a_question_can_be_skipped_or_switched_off(browser: Any, tmp_path: Any) -> None:
    with player(browser, tmp_path, scene("diamond"), asks=True) as it:
        asked = next(n for n, one in enumerate(scene("diamond").steps) if "ask" in one)
        it.page.locator(".mt-scrub").fill(str(asked))
        before = it.html()
        assert " data-wall" in before
        it.page.click(".mt-ask.now .mt-skip")
        assert it.step == asked + 1
        it.key("ArrowLeft")
        assert it.html() == before.replace(' data-wall=""', "")  # the way on is open now, and nothing else is new
        it.open(f"#step={asked}")
        it.key("p", "ArrowRight")
        assert it.step == asked + 1
        assert it.fragment() == f"#step={asked + 1}&predict=off"
        it.key("p", "Home", "End")
        assert it.step == asked
        it.key("p", "End")
        assert it.step == it.last


def test_what_is_not_made_yet_is_hidden_before_a_question(browser: Any, tmp_path: Any) -> None:
    """Cards and the edges between them: no line hangs between two places where nothing is."""
    with player(browser, tmp_path, scene("diamond"), asks=True) as it:
        unborn = ".mt-picture :is(.mt-card.future, .mt-edge:not(.live))"
        seen = "all => all.filter(one => getComputedStyle(one).visibility !== 'hidden').length"
        assert it.page.locator(unborn).count() > 4 and it.page.eval_on_selector_all(unborn, seen) == 0
        it.key("p")  # no question, nothing to hide
        assert it.page.eval_on_selector_all(unborn, seen) == it.page.locator(unborn).count()


def test_a_link_leads_to_its_step_past_no_question_that_waits(browser: Any, tmp_path: Any) -> None:
    """Unless the link itself switches the questions off."""
    with player(browser, tmp_path, scene("diamond"), asks=True) as it:
        asked = next(n for n, one in enumerate(scene("diamond").steps) if "ask" in one)
        it.open(f"#step={asked + 2}")
        assert it.step == asked
        it.open(f"#step={asked + 2}&predict=off")
        assert it.step == asked + 2 and it.page.get_attribute(".mt-predict", "aria-pressed") == "false"
        it.page.reload()
        assert it.step == asked + 2


def test_playing_stops_at_a_question(browser: Any, tmp_path: Any) -> None:
    with player(browser, tmp_path, scene("slope"), asks=True, own=True) as it:
        it.page.clock.install()
        it.open("#step=3")
        it.key("Space")
        it.page.clock.run_for(20_000)
        assert it.step == next(n for n, one in enumerate(scene("slope").steps) if "ask" in one)
        assert it.page.get_attribute(".mt-play", "title") == "Play (Space)"


# ---- the address -----------------------------------------------------------------------------------------------------


def test_deep_links(browser: Any, tmp_path: Any) -> None:
    with player(browser, tmp_path, scene("nested")) as it:
        assert it.fragment() == ""  # nothing is written before something is done
        it.open("#step=9&theme=dark")
        assert it.step == 9 and it.page.get_attribute(".mt", "data-theme") == "dark"
        picture = it.html()
        it.page.reload()
        assert it.step == 9 and it.html() == picture
        it.key("ArrowRight")
        assert it.fragment() == "#step=10&theme=dark"
        it.page.evaluate("location.hash = '#step=4'")
        it.page.wait_for_function("document.querySelector('.mt-count').textContent.startsWith('4')")
        it.key("ArrowRight")
        it.page.goto(it.url + it.fragment())
        it.page.reload()
        assert it.step == 5


@pytest.mark.parametrize(
    "nonsense", ["#step=", "#step=-3", "#step=abc", "#step=1e9", "#theme=pink", "#&&=;%", "#step=%zz", "#hello"]
)
def test_nonsense_in_the_address_is_nothing(browser: Any, tmp_path: Any, nonsense: str) -> None:
    with player(browser, tmp_path, scene("slope")) as it:
        it.open(nonsense)
        assert it.step == 0 and it.page.get_attribute(".mt", "data-theme") == "light"


def test_a_step_beyond_the_end_is_the_end(browser: Any, tmp_path: Any) -> None:
    with player(browser, tmp_path, scene("slope"), step=99) as it:
        assert it.step == it.last
        it.open("#step=4711")
        assert it.step == it.last and it.fragment() == f"#step={it.last}"


# ---- looks -----------------------------------------------------------------------------------------------------------


def test_themes(browser: Any, tmp_path: Any) -> None:
    ground = "getComputedStyle(document.querySelector('.mt')).backgroundColor"
    with player(browser, tmp_path, scene("slope")) as it:
        it.becomes("rgb(255, 255, 255)", ground)
        it.page.emulate_media(color_scheme="dark")
        it.becomes("rgb(19, 22, 27)", ground)  # the system's preference, as it changes
        it.key("t")
        it.becomes("rgb(255, 255, 255)", ground)
        assert it.fragment() == "#step=0&theme=light"
    with player(browser, tmp_path, scene("slope"), theme="dark") as it:
        it.becomes("rgb(19, 22, 27)", "getComputedStyle(document.documentElement).backgroundColor")
        it.page.emulate_media(media="print")
        it.becomes("rgb(255, 255, 255)", ground)
        assert (
            it.page.is_hidden(".mt-controls") and it.page.is_hidden(".mt-scrub") and it.page.is_visible(".mt-picture")
        )


def test_motion(browser: Any, tmp_path: Any) -> None:
    moving = "document.getAnimations().filter(one => one.playState === 'running').length"
    with player(browser, tmp_path, scene("diamond"), still=False) as it:
        it.key("ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight")
        assert it.page.evaluate(moving) > 0
        it.key("ArrowLeft")
        it.becomes(0, moving)
    with player(browser, tmp_path, scene("diamond"), still=True) as it:
        it.key("ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight")
        assert it.page.evaluate("document.getAnimations().length") == 0


def test_a_wide_graph_follows_in_its_own_box(browser: Any, tmp_path: Any) -> None:
    with player(browser, tmp_path, chain(30), width=640) as it:
        for _ in range(25):
            it.key("ArrowRight")
        it.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        card, box = it.page.locator(".mt-card.on").bounding_box(), it.page.locator(".mt-graph").bounding_box()
        assert box["x"] <= card["x"] and card["x"] + card["width"] <= box["x"] + box["width"]
        assert it.page.evaluate("scrollX") == 0 and it.page.evaluate("scrollY") == 0


def test_it_draws_again_for_another_width(browser: Any, tmp_path: Any) -> None:
    with player(browser, tmp_path, scene("nested")) as it:
        it.key("ArrowRight", "ArrowRight")
        wide = it.html()
        it.page.set_viewport_size({"width": 640, "height": 860})
        it.becomes(True, "document.querySelector('.mt-strip').getBoundingClientRect().width < 500")
        it.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert it.html() != wide
        assert it.step == 2
        it.page.set_viewport_size({"width": 1280, "height": 860})
        it.becomes(True, "document.querySelector('.mt-strip').getBoundingClientRect().width > 500")
        it.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert it.html() == wide


@pytest.mark.parametrize("view", VIEWS)
def test_a_step_of_a_long_run_touches_little(browser: Any, tmp_path: Any, view: str) -> None:
    """Time is measured in benchmarks/; what makes a step quick is that it changes a handful of nodes, however long the run.

    At the start, where it turns back, and at the end: in between, one step is as the next.
    """
    touched = f"""async ([go, steps]) => {{
        const press = {PRESS}, counts = [];
        ({GO})(go);
        await ({REST})();
        for (let n = 0; n < steps; n++) {{
            const nodes = new Set(), watch = new MutationObserver(all => all.forEach(one => nodes.add(one.target)));
            watch.observe(document.querySelector(".mt"), {{subtree: true, childList: true, attributes: true, characterData: true}});
            press("ArrowRight");
            await new Promise(done => setTimeout(done));
            watch.disconnect();
            counts.push(nodes.size);
        }}
        return counts;
    }}"""
    most = {}
    for length in (15, 150):
        with player(browser, tmp_path, chain(length), view=view) as it:
            assert it.page.locator(".lanes .mt-mark").count() == 2 * length
            starts = (0, length - 7, 2 * length - 15)
            most[length] = max(count for start in starts for count in it.page.evaluate(touched, [start, 14]))
            assert it.step == it.last
    # A busy machine ends a glide in the next step; ten times as many cards would be ten times as much.
    assert most[150] <= 2 * most[15]


# ---- the file --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("opened", [{}, {"fold": scene("nested")}])
def test_without_scripts_the_page_is_its_last_step(browser: Any, tmp_path: Any, opened: dict[str, Scene]) -> None:
    from viz.paint.page import page

    path = tmp_path / "page.html"
    path.write_text(page(scene("slope"), opened=opened), encoding="utf-8")
    context = browser.new_context(java_script_enabled=False)
    bare = context.new_page()
    bare.goto(path.as_uri())
    assert scene("slope").steps[-1]["say"] in bare.text_content(".mt-say > span").replace("\u00a0", " ")
    assert (
        bare.is_visible(".mt-picture .mt-card") and bare.is_hidden(".mt-score") and bare.is_visible(".mt-strip.memory")
    )
    assert bare.is_hidden(".mt-next"), "what needs a script is not offered"
    context.close()


def test_no_text_of_a_scene_is_markup(browser: Any, tmp_path: Any) -> None:
    evil = "</noscript></script><script>window.broken = 1</script><img src=x onerror='window.broken = 2'><!--"
    one = scene("slope")
    changed = dataclasses.replace(
        one, title=evil, lead=evil, notes=[evil], steps=[{**step, "say": evil} for step in one.steps]
    )
    with player(browser, tmp_path, changed) as it:
        it.key("ArrowRight")
        assert it.page.evaluate("window.broken") is None
        assert it.page.text_content(".mt-say > span").replace("\u00a0", " ") == evil and it.page.title() == evil


def test_scenes_with_next_to_nothing_in_them(browser: Any, tmp_path: Any) -> None:
    with player(browser, tmp_path, Scene()) as it:
        it.key("ArrowRight", "Space", "End", "Home", "?", "Escape", "t")
        assert it.step == it.last == 0
    with player(browser, tmp_path, Scene(title="one", steps=[{"kind": "start", "say": "One.", "memory": {}}])) as it:
        assert it.page.text_content(".mt-say > span") == "One."


# ---- embedded --------------------------------------------------------------------------------------------------------

TWO = """window.a = mount(document.getElementById("a"), scenes.one, {onstep: n => window.told = n});
window.b = mount(document.getElementById("b"), scenes.two, {step: 2, theme: "dark"});
window.outer = []; document.addEventListener("keydown", event => window.outer.push(event.key));"""


def test_two_players_on_one_page(browser: Any, tmp_path: Any) -> None:
    with embedded(browser, tmp_path, TWO, {"one": scene("slope"), "two": scene("nested")}) as it:
        ids = it.page.eval_on_selector_all("#a [id], #b [id]", "all => all.map(one => one.id)")
        assert len(ids) == len(set(ids)) > 2
        used = it.page.evaluate(
            "[...document.querySelectorAll('#b *')].flatMap(one => [...one.attributes]).flatMap(one => [...one.value.matchAll(/url\\(#([^)]*)\\)/g)]).map(one => one[1])"
        )
        assert used and all(it.page.locator(f"#b [id='{one}']").count() == 1 for one in used)
        it.page.click("#a .mt-next")
        assert it.page.evaluate("[a.step(), b.step(), told]") == [1, 2, 1]
        assert (
            it.page.get_attribute("#a", "data-theme") == "light" and it.page.get_attribute("#b", "data-theme") == "dark"
        )
        it.page.click("#b .mt-theme")
        assert (
            it.page.get_attribute("#a", "data-theme") == "light"
            and it.page.get_attribute("#b", "data-theme") == "light"
        )


def test_ids_differ_between_copies_of_the_module(browser: Any, tmp_path: Any) -> None:
    """A notebook loads the module anew for every widget."""
    script = """for (const id of ["a", "b"]) {
      const copy = await import(URL.createObjectURL(new Blob([source], {type: "text/javascript"})));
      copy.mount(document.getElementById(id), scenes.one, {step: id === "a" ? 1 : 6});
    }"""
    with embedded(browser, tmp_path, script, {"one": scene("slope")}) as it:
        it.page.wait_for_selector("#b[data-ready]")
        ids = it.page.eval_on_selector_all(".mt [id]", "all => all.map(one => one.id)")
        assert len(ids) == len(set(ids)) > 2


def test_embedded_keys_stay_inside(browser: Any, tmp_path: Any) -> None:
    with embedded(browser, tmp_path, TWO, {"one": scene("slope"), "two": scene("nested")}) as it:
        before = it.page.url
        it.page.click("#outside")
        it.key("ArrowRight", "End", "t", "?")
        assert it.page.evaluate("[a.step(), b.step()]") == [0, 2]
        it.page.evaluate("document.activeElement.blur(), window.outer = []")
        it.key("ArrowRight", "Space")
        assert it.page.evaluate("[a.step(), b.step()]") == [0, 2]
        it.page.evaluate("window.outer = []")
        it.page.click("#a .mt-say")
        it.key("ArrowRight", "ArrowRight", "t")
        assert it.page.evaluate("[a.step(), b.step()]") == [2, 2]
        assert it.page.evaluate("outer") == []  # a key that was ours goes no further
        it.key("x")
        assert it.page.evaluate("outer") == ["x"]
        assert it.page.get_attribute("#a", "data-lm-suppress-shortcuts") == "true"
        assert it.page.url == before


def test_hosts_and_their_themes(browser: Any, tmp_path: Any) -> None:
    one = {"one": scene("slope")}
    with embedded(browser, tmp_path, 'mount(document.getElementById("a"), scenes.one);', one) as it:

        def theme() -> str:
            return it.page.get_attribute("#a", "data-theme")

        assert theme() == "light"
        it.page.evaluate("document.body.dataset.jpThemeLight = 'false'")
        it.page.wait_for_selector("#a[data-theme=dark]")
        it.page.evaluate("document.body.dataset.jpThemeLight = 'true'")
        it.page.wait_for_selector("#a[data-theme=light]")
        it.page.evaluate("delete document.body.dataset.jpThemeLight; document.body.className = 'vscode-dark'")
        it.page.wait_for_selector("#a[data-theme=dark]")


def test_destroy_leaves_nothing(browser: Any, tmp_path: Any) -> None:
    script = """const listeners = new Set();
    for (const target of [window, document, document.body]) {
      const add = target.addEventListener.bind(target), remove = target.removeEventListener.bind(target);
      target.addEventListener = (type, handler, how) => {
        listeners.add(handler);
        add(type, handler, how);
        how?.signal?.addEventListener("abort", () => listeners.delete(handler));
      };
      target.removeEventListener = (type, handler, how) => { listeners.delete(handler); remove(type, handler, how); };
    }
    for (const page of [false, true]) {
      const player = mount(document.getElementById("a"), scenes.one, {page});
      player.go(3);
      document.querySelector(".mt-play").click();
      player.destroy();
    }
    window.left = listeners.size;
    document.getElementById("b").innerHTML = "<p class=mt-remark>done</p>";"""
    with embedded(browser, tmp_path, script, {"one": scene("slope")}) as it:
        assert it.page.evaluate("left") == 0
        assert it.page.inner_html("#a") == ""
        it.key("ArrowRight")
        assert it.page.inner_html("#a") == ""


def test_it_finds_its_places_when_it_is_shown(browser: Any, tmp_path: Any) -> None:
    script = """const a = document.getElementById("a"); a.style.display = "none"; mount(a, scenes.one, {step: 4}); a.style.width = "500px";
    mount(document.getElementById("b"), scenes.one, {step: 4}); document.getElementById("b").style.width = "500px";"""
    marks = "id => [...document.querySelectorAll(`#${id} .mt-tick`)].map(one => one.getAttribute('class')).join()"
    with embedded(browser, tmp_path, script, {"one": scene("nested")}) as it:
        it.page.evaluate("document.getElementById('a').style.display = ''")
        it.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        assert it.page.evaluate(marks, "a") == it.page.evaluate(marks, "b") != ""


MODEL = """const data = {sheet: scenes.one, step: 2, theme: "", predict: false}, heard = {};
window.saved = [];
window.model = {get: name => data[name], set: (name, value) => { data[name] = value; }, save_changes: () => saved.push(data.step),
  on: (name, act) => { heard[name] = act; }, off: name => { delete heard[name]; }};
window.say = (name, value) => { data[name] = value; heard["change:" + name](); };
window.heard = heard; window.scenes = scenes;
window.end = widget.render({model, el: document.getElementById("a")});"""


def test_the_widget_follows_its_model(browser: Any, tmp_path: Any) -> None:
    with embedded(browser, tmp_path, MODEL, {"one": scene("slope"), "two": scene("diamond")}) as it:
        assert it.step == 2
        it.page.evaluate("say('step', 4)")
        assert it.step == 4 and it.page.evaluate("saved") == []  # what came from the kernel is not sent back
        it.page.eval_on_selector(".mt-next", "next => { next.click(); next.click(); next.click(); }")
        assert it.page.evaluate("saved") == [5, 6, 7]  # each at once: see test_slow_kernel.py
        it.page.evaluate("say('theme', 'dark')")
        assert it.page.get_attribute(".mt", "data-theme") == "dark"
        it.page.evaluate("say('predict', true)")
        assert it.page.get_attribute(".mt-predict", "aria-pressed") == "true"
        it.page.evaluate("say('sheet', scenes.two)")
        assert it.last == len(scene("diamond").steps) - 1
        it.page.evaluate("end()")
        assert it.page.inner_html("#a") == "" and it.page.evaluate("Object.keys(heard)") == []


# ---- the style sheet -------------------------------------------------------------------------------------------------


def test_the_style_sheet_uses_only_known_colours_and_stays_inside() -> None:
    from viz.paint.page import stylesheet
    from viz.style import CELLS, PALETTE

    css = stylesheet(without=("pairs.css", "embed.css"))
    known = set(PALETTE["light"]) | {
        "sans",
        "mono",
        "left",
        "gap",
        "width",
        "columns",
        "map",
        "hue",
        "m",
        "px",
        "w",
        "h",
        "work",
        "now",
        "high",
        "scale",
        "size",
        "small",
        "y",
    }
    known |= {f"url-{name}" for name in [*CELLS, "lid", "hatch"]}
    assert set(re.findall(r"var\(--([\w-]+)", css)) <= known
    rules = re.sub(r"@keyframes[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", css)
    rules = re.sub(r"\([^()]*\)", "", rules)  # :is(.a, .b) is one selector
    selectors = [
        one for chunk in re.findall(r"([^{}]+)\{", rules) for one in chunk.split(",") if not one.strip().startswith("@")
    ]
    outside = [one for one in selectors if one.strip() and not one.strip().startswith(".mt")]
    assert not outside


# ---- the widget's Python half ----------------------------------------------------------------------------------------


def test_the_widget_shows_something_without_a_kernel() -> None:
    widget = pytest.importorskip("viz.paint.widget", exc_type=ImportError)
    one = widget.Stepper(scene("slope"), picture="<svg xmlns='http://www.w3.org/2000/svg'/>", words="a table", step=99)
    data, _ = one._repr_mimebundle_()
    assert "application/vnd.jupyter.widget-view+json" in data
    assert data["text/plain"] == "a table"
    assert re.fullmatch(
        r'<img alt="A square" src="data:image/svg\+xml;base64,[\w+/=]+" style="max-width: 100%">', data["text/html"]
    )
    assert repr(one) == f"<Stepper: A square, {len(scene('slope').steps)} steps>"
    assert one.step == len(scene("slope").steps) - 1
    assert "text/html" not in widget.Stepper(scene("slope"))._repr_mimebundle_()[0]
    with pytest.raises(ValueError, match="pink"):
        widget.Stepper(scene("slope"), theme="pink")


# ---- made up ---------------------------------------------------------------------------------------------------------


def chain(count: int) -> Scene:
    """A chain of `count` values, forward and back, with plain positions."""
    last = 2 * count
    values, edges, steps = [], [], []
    for n in range(count):
        cells = [
            {"id": "v", "label": f"h{n}", "kind": "value", "states": [{"t": n, "text": str(n)}]},
            {"id": "g", "label": "∂y", "kind": "gradient", "by": "tape", "states": [{"t": last - n - 1, "text": "1"}]},
        ]
        values.append({"id": f"v{n}", "name": f"h{n}", "kind": "value", "order": 0, "dtype": "float32", "shape": [], "bytes": 4, "op": "square", "sign": "²", "born": n, "cells": cells, "held": []})  # fmt: skip
        if n:
            edges.append({"id": f"e{n}", "a": f"v{n - 1}", "b": f"v{n}", "slot": 0, "carried": [{"t": last - n, "by": "tape", "kind": "gradient", "text": "1"}], "kept": [{"by": "tape", "from": n}]})  # fmt: skip
        steps.append({"kind": "op", "say": f"h{n}.", "focus": [f"v{n}"], "flow": [[f"e{n}", "forward"]] if n else [], "marks": [["tape", "op"]], "memory": {"python": 4 * n}})  # fmt: skip
    for n in reversed(range(count)):
        steps.append({"kind": "back", "say": f"Back to h{n}.", "focus": [[f"v{n}", "g"]], "flow": [[f"e{n + 1}", "back"]] if n + 1 < count else [], "marks": [["tape", "back"]], "memory": {"python": 4 * count}})  # fmt: skip
    one = {
        "w": 120 * count,
        "h": 60,
        "nodes": {f"v{n}": [120 * n, 6, 90, 48] for n in range(count)},
        "edges": {
            f"e{n}": f"M{120 * n - 30} 30C{120 * n - 20} 30 {120 * n - 10} 30 {120 * n} 30" for n in range(1, count)
        },
        "regions": {},
    }
    return Scene(
        title="a chain",
        recorders=[{"id": "tape", "name": "tape", "kind": "tape", "order": 1, "states": [{"t": 0, "state": "listening"}]}],
        holders=[{"id": "python", "label": "Python names"}],
        values=values, edges=edges, steps=steps, layout={"engine": "none", "rows": {}, "LR": one},
    )  # fmt: skip


def test_nothing_that_was_slipped_into_a_page_runs_or_leaves_it(browser: Any, tmp_path: Any) -> None:
    text = page(scene("slope"))
    planted = (
        '<script>window.ran = 1</script><img src="data:," onerror="window.ran = 1"><script src="data:text/javascript,ran=1">'
        '</script><img src="https://example.org/a.png"><form action="https://example.org" id="out"></form>'
    )
    path = tmp_path / "page.html"
    path.write_text(text.replace("</body>", planted + "</body>"), encoding="utf-8")
    context = browser.new_context()
    try:
        opened = context.new_page()
        left: list[str] = []
        context.route("**/*", lambda route: (left.append(route.request.url), route.continue_()))
        opened.goto(path.as_uri())
        opened.wait_for_selector("[data-ready]", state="attached")
        opened.evaluate("document.getElementById('out').submit()")
        assert opened.evaluate("typeof window.ran") == "undefined"
        assert [url for url in left if not url.startswith(("file:", "data:"))] == []
    finally:
        context.close()
