"""Programs with knobs in a real JupyterLab and as a page: the step stays, the numbers are the program's, no key leaks out."""

from __future__ import annotations

import functools
import inspect
import json
from base64 import b64decode
from collections.abc import Callable
from typing import Any

import pytest

import minitape as tf
import viz
from tests.browser.lab import KEYS, Lab
from tests.viz import lives
from viz.paint.page import page

HERE = ":not(.mt-shelf.away *)"  # in the player that is seen: those of other structures are kept beside it
DIAL, COUNT = f".mt-dial{HERE}", f"[data-n]{HERE}"
# What stands on a page at a step: cards, sentence, what lines produced, the formula.
SHOWN = """() => [".mt-picture text:not(.mt-figure, .mt-was)", ".mt-say > span", ".mt-out > span", ".mt-terms:not([aria-hidden])"].map(
  what => [...document.querySelectorAll(what)].filter(one => !one.closest(".mt-shelf.away") && getComputedStyle(one).visibility !== "hidden").map(one => one.textContent).join("|"))"""
PARTS = [
    ".mt-title", ".mt-say", ".mt-card .mt-face", ".mt-code .mt-line", ".mt-strip.memory", ".mt-strip.lanes", ".mt-legend", ".mt-next",
    ".mt-scrub", ".mt-dial", "b.mt-knob", ".mt-plot", ".mt-facts", ".mt-hold", ".mt-speed", ".mt-find", "input.mt-query",
]  # fmt: skip


def notebook(lab: Lab, name: str, *programs) -> str:
    """A notebook in which these programs have knobs."""
    sources = ["import minitape as tf, viz"]
    for program in programs:
        given = ", ".join(f"{key}={'bool' if one is bool else repr(one)}" for key, one in lives.KNOBS[program].items())
        sources.append(f"{inspect.getsource(program)}\nlive = viz.live({program.__name__}, {given})\nlive")
    return lab.write(name, *sources, "0")


@pytest.fixture(scope="module")
def live_page(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """Where the page of a program with its knobs lies: all stops of two knobs take seconds, so each is written once.

    Of the training only its places are asked here, and few rates are enough for them."""
    knobs = {**lives.KNOBS, lives.train: {**lives.KNOBS[lives.train], "rate": (0.001, 0.2, 0.04)}}
    folder = tmp_path_factory.mktemp("live")

    @functools.cache
    def of(program: Callable[..., Any]) -> str:
        path = folder / f"{program.__name__}.html"
        viz.export(viz.live(program, **knobs[program]), path)
        return path.as_uri()

    return of


def test_no_key_leaves_the_player(lab: Lab) -> None:
    """After a click on any part of it the notebook has as many cells, of the same kinds, in the same mode."""
    with lab.open(notebook(lab, "keys", lives.wave)) as opened:
        opened.run_all()
        opened.page.locator(DIAL).wait_for()
        leaks = []
        for part in PARTS:
            if part == "input.mt-query":
                opened.page.locator(f".mt-find{HERE}").first.click()
            place = opened.page.locator(f"{part}{HERE}").first
            place.scroll_into_view_if_needed()
            place.click(force=True)
            opened.page.wait_for_timeout(60)
            if key := opened.leak(KEYS):
                leaks.append((part, key))
            inside = opened.page.evaluate("() => Boolean(document.activeElement.closest('.mt'))")
            if not inside:
                leaks.append((part, "focus left the player"))
        assert leaks == []
        assert opened.complaints() == {}


def test_turning_keeps_step_view_and_focus(lab: Lab) -> None:
    with lab.open(notebook(lab, "turning", lives.nested)) as opened:
        opened.run_all()
        screen, dial = opened.page, opened.page.locator(DIAL)
        dial.wait_for()
        screen.locator(f".mt-next{HERE}").press("End")
        for _ in range(4):
            screen.keyboard.press("ArrowLeft")
        step = screen.locator(COUNT).first.inner_text()
        text = screen.locator(f".mt-out > span{HERE}").first.inner_text()
        dial.focus()
        for _ in range(5):
            screen.keyboard.press("ArrowUp")
        screen.wait_for_function(
            "old => document.querySelector('.mt-out > span:not(.mt-shelf.away *)').textContent !== old", arg=text
        )
        assert screen.locator(COUNT).first.inner_text() == step
        assert screen.evaluate("() => document.activeElement.className") == "mt-dial"
        screen.keyboard.press("ArrowLeft")  # time goes on under the same focus
        assert int(screen.locator(COUNT).first.inner_text()) == int(step) - 1
        screen.locator(f".mt-to-score{HERE}").click()
        screen.locator(f"b.mt-knob{HERE}").nth(1).focus()
        screen.keyboard.press("Enter")  # persistent: another structure
        screen.wait_for_function("() => document.querySelector('.mt-refused:not(.mt-shelf.away *)').hidden")
        assert screen.evaluate("() => document.activeElement.dataset.knob") == "persistent"
        assert (
            screen.evaluate("() => document.querySelector('.mt-frame:not(.mt-shelf.away *)').dataset.view") == "score"
        )
        assert int(screen.locator(COUNT).first.inner_text()) == int(step) - 1
        screen.locator(f"b.mt-knob{HERE}").nth(1).click()
        screen.wait_for_function("() => !document.querySelector('.mt-refused:not(.mt-shelf.away *)').hidden")
        screen.locator(f"[data-refused=cause]{HERE}").click()
        assert "14" in screen.locator(COUNT).first.inner_text()
        assert opened.complaints() == {}


SET = """(knob, to) => {
  if (knob.type === "checkbox") knob.checked = to; else knob.value = to;
  knob.dispatchEvent(new Event("input", { bubbles: true }));
}"""
STANDS = '() => [...document.querySelectorAll(".mt-live input:not(.mt-shelf.away *)")].map(one => one.type === "checkbox" ? one.checked : one.value)'
REST = 1200  # ms until a gesture has ended and is told whole


def test_a_structure_comes_back_in_its_own_player_as_it_is_now(lab: Lab) -> None:
    """Numbers, view and step are those of a player that is made anew; and so it is saved, and opened again before anything runs."""
    name = notebook(lab, "back", lives.nested)
    with lab.open(name) as opened:
        opened.run_all()
        screen, dial, switch = opened.page, opened.page.locator(DIAL), opened.page.locator(f"input.mt-switch{HERE}")
        dial.wait_for()
        screen.evaluate("() => { document.querySelector('.mt:not(.mt-shelf.away *)').first = true; }")
        for step in ("Home", *["ArrowRight"] * 9):
            screen.locator(f".mt-next{HERE}").press(step)
        screen.wait_for_timeout(REST)
        for step, on, x in ((8, True, "-2.1"), (7, False, "0.4"), (6, True, "1.1")):
            screen.locator(f".mt-next{HERE}").press("ArrowLeft")
            switch.evaluate(SET, on)
            screen.wait_for_function(
                "on => Boolean(document.querySelector('.mt:not(.mt-shelf.away *)').first) !== on", arg=on
            )
            dial.evaluate(SET, x)
            screen.wait_for_timeout(REST)
            assert screen.locator(f".waiting{HERE}").is_hidden()
            assert screen.locator(f".mt{HERE}").count() == 1 and screen.evaluate(STANDS) == [x, on]
            assert int(screen.locator(COUNT).first.inner_text()) == step
        shown = screen.evaluate(SHOWN)
        assert "x = 1.1" in shown[2]
        for _ in range(40):  # what a saved notebook shows follows when the kernel has nothing else to do
            opened.in_panel("panel => panel.context.save().then(() => null)")
            view, still = json.loads((lab.root / name).read_text(encoding="utf-8"))["cells"][1]["outputs"]
            words, image = ("".join(still["data"][kind]) for kind in ("text/plain", "text/html"))
            if "a variable that holds 1.1." in words:
                break
            screen.wait_for_timeout(250)
        assert screen.evaluate(SHOWN) == shown and screen.locator(f".mt{HERE}").count() == 1, (
            "saving touches nothing that is seen"
        )
        assert opened.in_panel("panel => panel.content.widgets[1].model.sharedModel.getOutputs().length") == 1
        assert not opened.in_panel("panel => panel.context.model.dirty")
        assert opened.complaints() == {}
    saved = json.loads((lab.root / name).read_text(encoding="utf-8"))
    assert (
        set(view["data"]) == {"application/vnd.jupyter.widget-view+json", "text/plain"}
        and not view["data"]["text/plain"]
    )
    assert "a variable that holds 1.1." in words, "where no widget is, it is as it was left too"
    assert ">1.1<" in b64decode(image.partition("base64,")[2].partition('"')[0]).decode()
    [states] = saved["metadata"]["widgets"].values()
    assert not any(one["state"].get("still") or one["state"].get("ahead") for one in states["state"].values()), "once"
    with lab.open(name, fresh=True) as again:
        again.page.locator(DIAL).wait_for()
        again.page.wait_for_timeout(REST)
        assert again.page.evaluate(STANDS) == ["1.1", True]
        assert again.page.evaluate(SHOWN) == shown and again.page.locator(f".mt-live .waiting{HERE}").is_hidden()
        again.page.locator(DIAL).evaluate(SET, "2")
        again.page.locator(f".mt-live .waiting{HERE}").wait_for()  # nothing has run: nobody turns it, and that is said
        assert again.console_errors == []


@pytest.mark.parametrize("program", [lives.wave, lives.nested, lives.train], ids=lambda one: one.__name__)
def test_every_turn_of_a_knob_reaches_the_picture(lab: Lab, program) -> None:
    """Numbers in the texts, and arrays in the sizes of their squares."""
    with lab.open(notebook(lab, f"turns-{program.__name__}", program)) as opened:
        opened.run_all()
        dial = opened.page.locator(DIAL)
        dial.wait_for()
        opened.page.locator(f".mt-next{HERE}").press("End")
        drawn = "() => document.querySelector('.mt-picture:not(.mt-shelf.away *)').outerHTML"
        for place in (2, 9, 5):
            before = opened.page.evaluate(drawn)
            dial.evaluate(
                """(dial, place) => {
                  dial.value = Number(dial.min) + place * Number(dial.step);
                  dial.dispatchEvent(new Event("input", { bubbles: true }));
                }""",
                place,
            )
            opened.page.wait_for_function(f"before => ({drawn})() !== before", arg=before, timeout=20_000)
        assert opened.complaints() == {}


@pytest.mark.parametrize("program", [lives.wave, lives.nested], ids=lambda one: one.__name__)
def test_a_page_without_a_kernel_shows_what_the_program_does(browser, tmp_path, live_page, program) -> None:
    """At several stops, every step of the page with knobs says what a page of the run itself says there."""
    live = viz.live(program, **lives.KNOBS[program])
    window = browser.new_context(reduced_motion="reduce").new_page()
    errors: list[str] = []
    window.on("pageerror", lambda error: errors.append(str(error)))
    window.goto(live_page(program))
    window.locator(DIAL).wait_for()
    other = browser.new_context(reduced_motion="reduce").new_page()
    for x in (1.7, -2.1, 0.3, 1.7):
        window.locator(DIAL).evaluate(
            "(dial, x) => { dial.value = x; dial.dispatchEvent(new Event('input', {bubbles: true})); }", x
        )
        live.turn(x=x)
        (tmp_path / "run.html").write_text(page(live.scene), encoding="utf-8")
        other.goto((tmp_path / "run.html").as_uri())
        other.wait_for_selector("[data-ready]")
        for step in (0, 1, 5, 8, 9, len(live.scene.steps) - 1, 3):
            for one in (window, other):
                one.locator(".mt-scrub").evaluate(
                    "(bar, n) => { bar.value = n; bar.dispatchEvent(new Event('input', {bubbles: true})); }", step
                )
            here, there = window.evaluate(SHOWN), other.evaluate(SHOWN)
            assert here == there, (x, step)
    assert errors == []


def test_the_tangent_waits_for_its_number(browser, tmp_path) -> None:
    """None before the backward pass, dashed with the first contribution, solid with the last one; a ghost where a gesture began."""
    viz.export(viz.live(lives.wave, x=(-3.0, 3.0)), tmp_path / "live.html", start=4)
    window = browser.new_context(reduced_motion="reduce").new_page()
    window.goto((tmp_path / "live.html").as_uri())
    window.locator(DIAL).wait_for()
    look = "() => { const line = document.querySelector('[data-line=tangent]'); return [Boolean(line.getAttribute('d')), line.classList.contains('sofar')]; }"
    seen = {}
    for step in (4, 8, 9, 10):
        window.locator(".mt-scrub").evaluate(
            "(bar, n) => { bar.value = n; bar.dispatchEvent(new Event('input', {bubbles: true})); }", step
        )
        seen[step] = window.evaluate(look)
    assert seen[4][0] is False and seen[8] == [True, True] and seen[9] == [True, False] == seen[10]
    assert window.locator("[data-spot=ghost]").is_hidden()
    window.locator(DIAL).focus()
    window.keyboard.press("ArrowUp")
    assert window.locator("[data-spot=ghost]").is_visible()
    was = "() => [...document.querySelectorAll('[data-was]')].map(one => one.textContent)"
    assert window.evaluate(was)[:2] == ["▲ 1.7", "▼ 0.7726"], "on the cards too: x rose, and the slope fell"
    window.keyboard.press("ArrowLeft")  # at a step before, what it was at that step
    assert window.evaluate(was)[:2] == ["▲ 1.7", "▼ 0.7726"]
    window.keyboard.press("ArrowLeft")
    assert window.evaluate(was)[1] == "▼ 0.9917"
    assert "was" in window.locator(".mt-facts").inner_text()


def test_code_is_not_cut_beside_empty_room(browser, live_page) -> None:
    """In a low window the knobs make the picture's side tall, and the code may be as tall."""
    window = browser.new_context(viewport={"width": 1040, "height": 560}).new_page()
    window.goto(live_page(lives.train))
    window.locator(DIAL).wait_for()
    look = """() => { const [code, left, right, knobs] = [".mt-code", ".mt-left", ".mt-right", ".mt-live"].map(what => document.querySelector(what));
      return [code.scrollHeight - code.clientHeight, left.offsetHeight, knobs.getBoundingClientRect().bottom - right.getBoundingClientRect().top]; }"""
    hidden, left, right = window.evaluate(look)
    assert left <= right + 1 and (hidden <= 1 or left > right - 20)


@pytest.mark.parametrize(
    ("steps", "twice", "said"),
    [(2, False, "ends with an error"), (1, True, "is asked once more: refused")],
    ids=["wrong shapes", "asked twice"],
)
def test_what_a_run_that_failed_says_and_a_knob_without_a_curve_stands_as_the_others(
    browser, tmp_path, steps: int, twice: bool, said: str
) -> None:
    """Every error was said to be of a tape that is asked once more, and the first name stood under its slider."""

    def failing(first=1.0, second=1.0):
        x = tf.Variable([first, second])
        with tf.GradientTape() as tape:
            y = x * x
        if twice:
            tape.gradient(y, x)
        return tape.gradient(y, x, output_gradients=tf.ones([steps + 1]))

    viz.export(viz.live(failing, first=(-2.0, 2.0), second=(-2.0, 2.0)), tmp_path / "live.html")
    window = browser.new_context(viewport={"width": 950, "height": 640}).new_page()
    window.goto((tmp_path / "live.html").as_uri())
    assert said in window.locator("[data-refused=step]").inner_text()
    assert len(window.locator("[data-refused=step]").inner_text().split()) == 1 + len(said.split())
    tops = window.locator(".mt-knobname, input.mt-dial").evaluate_all(
        "all => all.map(one => { const box = one.getBoundingClientRect(); return box.top + box.height / 2; })"
    )
    assert abs(tops[0] - tops[1]) < 3 and abs(tops[2] - tops[3]) < 3


def test_many_knobs_have_a_place_in_a_window_of_any_height(browser, tmp_path) -> None:
    """Under the graph they lie beside each other, under the code one below the other: each place spoke for the other, for ever."""

    def weighed(a=0.5, b=0.5, c=0.5, d=0.5, e=0.5, f=0.5):
        x = tf.Variable(a)
        with tf.GradientTape() as tape:
            y = tf.exp(tf.sin(x * b) + c * x * x + d * x) * e + f
        return tape.gradient(y, x)

    viz.export(viz.live(weighed, **dict.fromkeys("abcdef", (0.0, 1.0, 0.5))), tmp_path / "live.html")
    window, faults = browser.new_context().new_page(), []
    window.on("pageerror", lambda fault: faults.append(str(fault)))
    for high in range(500, 900, 40):
        window.set_viewport_size({"width": 1280, "height": high})
        window.goto((tmp_path / "live.html").as_uri())
        window.locator(DIAL).first.wait_for()
        assert not faults, high
        assert window.evaluate("document.querySelector('.mt-code').clientHeight") >= 90


def test_knobs_go_under_the_code_where_the_graph_has_no_room_else(browser, live_page) -> None:
    """All of a player is seen at once in a low window, the legend too, and the code keeps some room; in a higher one the knobs
    stand under the graph, as wide as the lanes."""
    window = browser.new_context(viewport={"width": 1040, "height": 660}).new_page()
    window.goto(live_page(lives.train))
    window.locator(DIAL).wait_for()
    left, of = """one => document.querySelector(one).getBoundingClientRect().left""", window.evaluate
    assert of(left, ".mt-live") == of(left, ".mt-left")
    assert of("document.documentElement.scrollHeight <= innerHeight + 1")
    assert of("document.querySelector('.mt-code').clientHeight") >= 90
    window.set_viewport_size({"width": 1040, "height": 1000})
    window.wait_for_function("() => !document.querySelector('[data-aside]')")
    assert of(left, ".mt-live") == of(left, ".mt-right")


def test_steps_move_nothing_where_the_knobs_stand_under_the_code(browser, live_page) -> None:
    """A slope that is not there yet has its room: what stands under the knobs stays where it is."""
    window = browser.new_context(viewport={"width": 960, "height": 690}).new_page()
    window.goto(live_page(lives.nested))
    window.locator(DIAL).wait_for()
    window.wait_for_selector("[data-aside]")
    at_each = """() => {
      const bar = document.querySelector(".mt-scrub"), slope = document.querySelector("[data-fact=slope]");
      return Array.from({ length: Number(bar.max) + 1 }, (_, n) => {
        bar.value = n;
        bar.dispatchEvent(new Event("input", { bubbles: true }));
        return [slope.hidden, document.querySelector(".mt-live").offsetHeight];
      });
    }"""
    seen = window.evaluate(at_each)
    assert {hidden for hidden, _ in seen} == {False, True}
    assert len({high for _, high in seen}) == 1
