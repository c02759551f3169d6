"""The score, the player's second view: where it stands, what it says, how it is reached."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from tests.browser.pages import WIDTHS, embedded, player, scene
from viz.paint import plan


def test_one_key_away_and_back(browser: Any, tmp_path: Any) -> None:
    with player(browser, tmp_path, scene("diamond")) as it:
        it.key("ArrowRight", "ArrowRight", "ArrowRight")
        assert it.page.is_visible(".mt-graph") and not it.page.is_visible(".mt-score")
        it.key("g")
        assert it.page.is_visible(".mt-score") and not it.page.is_visible(".mt-graph")
        assert it.step == 3  # the same scene at the same step
        assert it.page.get_attribute(".mt-to-score", "aria-pressed") == "true"
        assert it.page.locator(".mt-sheetmusic").count() == 2
        score = it.html()
        it.key("g")
        graph = it.html()
        assert it.page.is_visible(".mt-graph") and not it.page.is_visible(".mt-score")
        it.key("g")
        assert it.html() == score
        it.key("g")
        assert it.html() == graph
        it.click("to-score")
        assert it.page.is_visible(".mt-score")
        it.key("ArrowRight")
        assert it.step == 4
        it.click("to-graph")
        assert it.page.is_visible(".mt-graph") and it.step == 4


def test_the_address_knows_the_view(browser: Any, tmp_path: Any) -> None:
    with player(browser, tmp_path, scene("diamond")) as it:
        it.key("g", "ArrowRight")
        assert it.fragment() == "#step=1&view=score"
        it.open("#step=5&view=score&theme=dark")
        assert it.step == 5 and it.page.is_visible(".mt-score")
        assert it.page.get_attribute(".mt", "data-theme") == "dark"
        it.key("ArrowRight")
        assert it.fragment() == "#step=6&view=score&theme=dark"
        it.open(it.fragment())
        assert it.step == 6 and it.page.is_visible(".mt-score")
        it.page.evaluate("location.hash = '#step=2&view=graph'")
        it.page.wait_for_selector(".mt-graph:visible")
        assert it.step == 2
        it.open("#view=nonsense")
        assert it.page.is_visible(".mt-graph")
    with player(browser, tmp_path, scene("diamond"), view="score", step=4) as it:
        assert it.page.is_visible(".mt-score") and it.step == 4


def test_the_widget_keeps_its_view_in_the_model(browser: Any, tmp_path: Any) -> None:
    script = """const data = {sheet: scenes.one, step: 0, view: "score", theme: "", predict: false};
    window.data = data; window.heard = {};
    const model = {get: name => data[name], set: (name, value) => { data[name] = value; }, save_changes() {},
      on: (name, act) => { heard[name] = act; }, off() {}};
    widget.render({model, el: document.getElementById("a")});"""
    with embedded(browser, tmp_path, script, {"one": scene("slope")}) as it:
        assert it.page.is_visible(".mt-score")
        it.page.click(".mt-to-graph")
        assert it.page.evaluate("data.view") == "graph"
        it.page.evaluate("data.view = 'score', heard['change:view']()")
        assert it.page.is_visible(".mt-score")


@pytest.mark.parametrize("width", WIDTHS)
def test_one_axis(browser: Any, tmp_path: Any, width: int) -> None:
    """The thumb of the scrub bar, the marks of a step, its stem and memory's cursor stand one above the other."""
    middle = """selector => { const b = document.querySelector(selector).getBoundingClientRect(); return b.x + b.width / 2; }"""
    with player(browser, tmp_path, scene("diamond"), width=width, view="score", step=8) as it:
        bar = it.page.locator(".mt-scrub").bounding_box()
        thumb = bar["x"] + 9 + 8 * (bar["width"] - 18) / it.last
        there = [
            ".mt-staves [data-step='8'] :is(.mt-mark:not(.off), .mt-notebox)",
            ".mt-strings .mt-stem.here",
            ".mt-strings [data-step='8'] .mt-touch",
            ".memory .mt-cursor",
        ]
        for selector in there:
            assert abs(it.page.evaluate(middle, selector) - thumb) < 2, selector


def test_press_and_drag(browser: Any, tmp_path: Any) -> None:
    with player(browser, tmp_path, scene("diamond"), view="score") as it:
        for picture in (".mt-staves .mt-sheetmusic", ".mt-strings .mt-sheetmusic"):
            box = it.page.locator(picture).bounding_box()
            x, y = (
                lambda step, box=box: box["x"] + step * box["width"] / it.last,
                box["y"] + box["height"] / 2,
            )
            for step in (3, it.last, 0):
                it.page.mouse.click(x(step), y)
                assert it.step == step
            it.page.mouse.move(x(1), y)
            it.page.mouse.down()
            it.page.mouse.move(x(7), y, steps=5)
            assert it.step == 7
            it.page.mouse.up()
        it.page.click(".mt-linerow >> nth=0")  # a name leads to the step that made it
        assert it.step == scene("diamond").values[0]["born"]


def test_nothing_of_the_future_is_told(browser: Any, tmp_path: Any) -> None:
    """A question stops the way on, and neither a number nor a path beyond the step can be read."""
    with player(browser, tmp_path, scene("slope"), view="score", asks=True) as it:
        asked = next(at for at, step in enumerate(scene("slope").steps) if step.get("ask"))
        it.page.locator(".mt-scrub").fill(str(asked))
        it.key("ArrowRight")
        assert it.step == asked
        seen = it.page.eval_on_selector_all(
            ".mt-figure, .mt-linenumber",
            "all => all.filter(one => one.getClientRects().length).map(one => one.textContent)",
        )
        assert seen and "6" not in seen
        assert it.page.locator(".mt-strings .mt-backpath:visible, .mt-staves .mt-arc:visible").count() == 0
        it.page.click(f".mt-ask.now .mt-option >> text='{scene('slope').steps[asked]['ask']['answer']}'")
        it.key("End")
        assert it.page.locator(".mt-strings .mt-backpath:visible").count() == 2
        assert it.page.locator(".mt-staves .mt-arc:visible").count() == 2


def test_strings_say_who_holds_and_who_keeps(browser: Any, tmp_path: Any) -> None:
    one = scene("slope")
    with player(browser, tmp_path, one, view="score", step=len(one.steps) - 1) as it:
        assert it.page.locator(".mt-strings .mt-string:not(.end)").count() == len(one.values)
        kept = [
            value["id"]
            for value in one.values
            if any(edge["a"] == value["id"] and edge.get("kept") for edge in one.edges)
        ]
        assert it.page.eval_on_selector_all(".mt-strings .mt-kept", "all => all.map(one => one.dataset.value)") == kept
        thick, thin = (
            it.page.eval_on_selector(name, "one => parseFloat(getComputedStyle(one).strokeWidth)") for name in (".mt-strings .mt-kept", ".mt-strings .mt-string")
        )  # fmt: skip
        assert thick > 3 * thin


def test_numbers_drop_out_but_not_at_the_cursor(browser: Any, tmp_path: Any) -> None:
    """In narrow columns a number gives way, except at the step itself and at the step that it goes back to."""
    with player(browser, tmp_path, scene("nested"), width=640, view="score") as it:
        where = """n => [...document.querySelectorAll(".mt-figure.here")].map(one => one.textContent)"""
        dropped = False
        for step in range(1, it.last + 1):
            it.key("ArrowRight")
            written = [
                state["text"]
                for value in scene("nested").values
                for cell in value["cells"]
                for state in cell["states"]
                if state["t"] == step
            ]
            shown = it.page.evaluate(where, step)
            assert set(written) <= set(shown), step
            dropped |= it.page.eval_on_selector_all(".mt-strings text.off", "all => all.length") > 0
        assert dropped


LOOP = """
w = tf.Variable(0.5)
for _ in range({count}):
    with tf.GradientTape() as tape:
        loss = (tf.sin(w) * w - 1.0) ** 2
    w.assign_sub(0.1 * tape.gradient(loss, w))
    del loss, tape
"""


def test_a_long_run_is_not_a_high_one(browser: Any, tmp_path: Any) -> None:
    """What has ended gives its rows and its staff to what comes: the score of eight steps is as high as that of five."""
    import minitape as tf
    import viz

    def height(count: int) -> tuple[int, int]:
        space = {"tf": tf}
        with viz.record() as run:
            exec(compile(LOOP.format(count=count), "loop.py", "exec"), space)
        made = plan.plan_of(run.scene)
        return len(made.levels), 1 + max(one["staff"] for one in made.staves)

    few, many = height(5), height(8)  # of more, the rounds between are folded
    assert few[1] == many[1] == 1
    assert few[0] == many[0] < plan.ROOMY


def test_too_many_values_say_so(browser: Any, tmp_path: Any) -> None:
    one = scene("slope")
    value = one.values[0]
    crowd = dataclasses.replace(
        one, values=[*one.values, *[{**value, "id": f"n{at}"} for at in range(plan.MOST)]], layout=None
    )
    with player(browser, tmp_path, crowd, view="score") as it:
        assert "too many" in it.page.text_content(".mt-score")
        it.key("ArrowRight")
        assert it.step == 1


def test_folds_are_opened_where_the_run_is(browser: Any, tmp_path: Any) -> None:
    """A page has only its scene; a widget can ask for one with a fold open, and for the folded one again."""
    folded = scene("slope")
    folded.groups = [
        {"id": "g", "label": "3 ops", "kind": "ops", "parent": None, "face": "y", "values": 3, "from": 3, "to": 4}
    ]
    script = """const data = {sheet: scenes.one, step: 3, view: "score", theme: "", predict: false, opened: []};
    window.data = data; window.heard = {}; window.scenes = scenes;
    const model = {get: name => data[name], set: (name, value) => { data[name] = value; }, save_changes() {},
      on: (name, act) => { heard[name] = act; }, off() {}};
    widget.render({model, el: document.getElementById("a")});"""
    with embedded(browser, tmp_path, script, {"one": folded, "two": scene("slope")}) as it:
        assert it.page.inner_text(".mt-fold.mt-word") == "unfold"
        it.page.click(".mt-word.mt-fold")
        assert it.page.evaluate("data.opened") == ["g"]
        it.page.evaluate("data.sheet = scenes.two, heard['change:sheet']()")  # what the kernel answers
        assert it.step == 3 and it.page.is_visible(".mt-score")
        assert it.page.inner_text(".mt-word.mt-fold") == "fold"
        it.page.click(".mt-say")
        it.key("f")
        assert it.page.evaluate("data.opened") == []
    with player(browser, tmp_path, folded) as it:
        assert it.page.is_hidden(".mt-word.mt-fold")
        it.key("f")
        assert it.step == 0


def test_the_widget_tells_more_when_a_fold_opens() -> None:
    widget = pytest.importorskip("viz.paint.widget", exc_type=ImportError)
    asked = []

    def unfold(names: list[str]) -> Any:
        asked.append(names)
        return scene("diamond")

    one = widget.Stepper(scene("slope"), unfold=unfold)
    one.opened = ["g"]
    assert asked == [["g"]] and one.scene.title == scene("diamond").title
    widget.Stepper(scene("slope")).opened = ["g"]  # nobody there who could tell more: nothing changes
