"""The camera over the graph: sizes by wheel, pinch and keys, moved by hand, always with what a step looks at in view."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minitape as tf
import viz
from tests.browser.pages import GO, PRESS, WIDTHS, Player, exported, player, scene
from tests.viz import programs
from tests.viz.test_layers_fold import recorded
from tests.viz.test_reached import training
from viz.scene import Scene
from viz.tell.scenes import scene_of

SETTLED = (
    "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))))"
)
SCALE = "Number(document.querySelector('.mt-graph').style.getPropertyValue('--scale'))"
AT = "() => { const b = document.querySelector('.mt-graph'); return [b.scrollLeft, b.scrollTop]; }"

# What a step looks at and is not seen in the graph's box, in px beyond its edge or the window's: all of it where it is no larger than the box;
# else one card at least, or one row where no card has the room.
OUTSIDE = """() => {
  const b = document.querySelector(".mt-graph").getBoundingClientRect(), bottom = Math.min(b.bottom, innerHeight);
  const box = { left: b.left, right: b.right, top: b.top, width: b.width, bottom, height: bottom - b.top };
  const all = [...document.querySelectorAll(".mt-card.on .mt-face, .mt-ring:not(.off)")];
  const places = all.map(node => node.getBoundingClientRect()), ends = (side, of) => of(...places.map(one => one[side]));
  const fits = (wide, high) => wide <= box.width - 60 && high <= box.height - 60;
  const together = fits(ends("right", Math.max) - ends("left", Math.min), ends("bottom", Math.max) - ends("top", Math.min));
  const outside = a => Math.round(Math.max(box.left - a.left, a.right - box.right, box.top - a.top, a.bottom - box.bottom, 0));
  const beyond = places.map(outside), cards = [...new Set(all.map(node => node.closest(".mt-card").querySelector(".mt-face")))].map(node => node.getBoundingClientRect());
  const whole = cards.some(a => outside(a) <= 1) || !cards.some(a => fits(a.width, a.height)) && beyond.some(one => one <= 1);
  return together ? beyond.filter(one => one > 1) : whole ? [] : beyond;
}"""

# The cards whose names stand in the sentence of the step, and the line that it speaks of, as far as they are neither in view nor told by a sign at an
# edge.  What is named is read from the page alone: of a name within a name only the longer counts, one that two cards have says nothing, and what a
# fold is called names lines or a layer.
LOST = r"""() => {
  const box = document.querySelector(".mt-graph").getBoundingClientRect(), code = document.querySelector(".mt-code").getBoundingClientRect();
  const signs = [...document.querySelectorAll(".mt-sign")].filter(node => !node.hidden && node.checkVisibility());
  const told = signs.map(node => `, ${node.ariaLabel.slice(node.title.length + 2)}, `).join("");
  let say = document.querySelector(".mt-say > span").textContent.replaceAll("\u00a0", " ").replace(/^.*?, \d+ ops?( as one step)?: /, "");
  const lost = [], cards = [...document.querySelectorAll(".mt-card:not(.future)")], named = card => card.querySelector(".mt-name").textContent;
  const names = cards.map(named).sort((a, b) => b.length - a.length), part = "[\\w₀-₉·@/′]", free = text => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  for (const name of new Set(names)) {
    const there = new RegExp(`(?<!${part}|\\d\\.)${free(name)}(?!${part}|\\.\\d)`, "g");
    if (!there.test(say) || /^[\d.−]+$/.test(name)) continue;
    say = say.replace(there, "\0");
    if (names.filter(other => other === name).length > 1) continue;
    const a = cards.find(card => named(card) === name).querySelector(".mt-face").getBoundingClientRect();
    const seen = a.left >= box.left - 2 && a.right <= box.right + 2 && a.top >= box.top - 2 && a.bottom <= box.bottom + 2;
    if (!seen && !told.includes(`, ${name}, `)) lost.push(`${name} is not in view`);
  }
  for (const sign of signs) {
    const a = sign.getBoundingClientRect(), on = [...document.querySelectorAll(".mt-card.on .mt-face")].map(node => node.getBoundingClientRect());
    if (a.left < box.left || a.right > box.right || a.top < box.top || a.bottom > box.bottom) lost.push(`the sign ${sign.textContent} leaves the picture`);
    const lies = b => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    if (on.some(lies)) lost.push(`the sign ${sign.textContent} lies on a card`);
    if (signs.some(other => other !== sign && lies(other.getBoundingClientRect()))) lost.push(`the sign ${sign.textContent} lies on another`);
  }
  const line = document.querySelector(".mt-line.cause") || document.querySelector(".mt-line.now"), at = line?.getBoundingClientRect();
  if (line && (at.top < code.top - 1 || at.bottom > code.bottom + 1) && at.height < code.height - 32) lost.push("the line is not in view");
  return lost;
}"""

# The smallest words of the graph, in px of the screen.
SMALLEST = """() => Math.min(...[...document.querySelectorAll(".mt-picture text, .mt-strip text")]
  .filter(node => node.textContent.trim() && node.getClientRects().length)
  .map(node => parseFloat(getComputedStyle(node).fontSize) * node.getScreenCTM().a))"""

NOBODY_TUNED_TO = ("mixture_density", "gaussian_process", "wavenet")  # programs that people have


def chain(count: int) -> Scene:
    with viz.record("a chain") as run, tf.GradientTape() as tape:
        x = y = tf.Variable(1.0, name="x")
        for _ in range(count):
            y = tf.sin(y) * 1.5
        tape.gradient(y, x)
    return run.scene


@pytest.fixture(scope="module")
def long_chain() -> Scene:
    return chain(14)


def settle(it: Player) -> None:
    it.page.evaluate(SETTLED)


def found_at_each(it: Player, script: str, go: str, steps: Iterable[int]) -> list[str]:
    """What a script finds wrong at each of these steps when all has come to rest, and words that are too small."""
    return it.page.evaluate(
        f"""async steps => {{
            const find = {script}, go = {go}, settle = {SETTLED}, smallest = {SMALLEST}, found = [];
            for (const step of steps) {{
                go(step);
                await settle();
                found.push(...[...find(), ...(smallest() < 11 - 0.05 ? ["words are too small"] : [])].map(one => `step ${{step}}: ${{one}}`));
            }}
            return found;
        }}""",
        [*steps],
    )


def scale(it: Player) -> float:
    return float(it.page.evaluate(SCALE))


def middle(it: Player) -> tuple[float, float]:
    box = it.page.locator(".mt-graph").bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", ["nested", "recompute", "keras_step"])
def test_what_a_step_looks_at_is_always_in_view(browser: Any, tmp_path: Any, name: str, width: int) -> None:
    with player(browser, tmp_path, programs.run(name).scene, width=width) as it:
        it.key("Home")
        assert found_at_each(it, OUTSIDE, f"() => ({PRESS})('ArrowRight')", range(1, it.last + 1)) == []
        assert it.step == it.last


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", NOBODY_TUNED_TO)
def test_what_a_sentence_names_is_in_view_or_a_sign_says_where(browser: Any, tmp_path: Any, name: str) -> None:
    """At each step of the narrowest page, where least is in view, and at each third of the wider ones."""
    scene = scene_of(recorded(name))
    lost = []
    with player(browser, tmp_path, scene) as it:
        for width in WIDTHS:
            it.widen(width)
            stride = 1 if width == min(WIDTHS) else 3
            lost += [f"{width} px, {one}" for one in found_at_each(it, LOST, GO, range(0, it.last + 1, stride))]
    assert lost == []


@pytest.fixture(scope="module")
def far_apart() -> Scene:
    """Three variables far from each other, whose gradients come in one step."""
    with viz.record("far apart") as run, tf.GradientTape() as tape:
        first = y = tf.Variable(1.0, name="first")
        middle, last = tf.Variable(2.0, name="middle"), tf.Variable(3.0, name="last")
        for weight in (middle, last):
            for _ in range(7):
                y = tf.sin(y) * 1.5
            y = y * weight
        tape.gradient(y, [first, middle, last])
    return run.scene


def signs(it: Player) -> list[str]:
    return it.page.locator(".mt-sign:not([hidden])").all_text_contents()


def in_view(it: Player, name: str) -> bool:
    return bool(
        it.page.evaluate(
            """name => { const b = document.querySelector(".mt-graph").getBoundingClientRect();
              const card = [...document.querySelectorAll(".mt-card")].find(one => one.querySelector(".mt-name").textContent === name);
              const a = card.querySelector(".mt-face").getBoundingClientRect();
              return a.left >= b.left - 1 && a.right <= b.right + 1 && a.top >= b.top - 1 && a.bottom <= b.bottom + 1; }""",
            name,
        )
    )


def test_a_sign_at_the_edge_leads_to_a_card_and_so_do_keys(browser: Any, tmp_path: Any, far_apart: Scene) -> None:
    with player(browser, tmp_path, far_apart, width=640) as it:
        it.key("End")
        settle(it)
        assert in_view(it, "first") and not in_view(it, "last")
        assert sorted(name for sign in signs(it) for name in sign[2:].split(", ")) == ["last", "middle"]
        before, step = signs(it), it.step
        it.page.locator(".mt-sign:not([hidden])").last.click()
        settle(it)
        assert not in_view(it, "first") and (in_view(it, "middle") or in_view(it, "last"))
        assert signs(it) != before and "first" in " ".join(signs(it))
        assert it.step == step  # it leads to no other step
        it.page.locator(".mt-sign:not([hidden])").filter(has_text="first").focus()
        it.key("Enter")
        settle(it)
        assert in_view(it, "first") and signs(it) == before
        assert it.page.evaluate("document.activeElement.className").startswith("mt-graph")  # keys go on from there
        seen = []
        for _ in range(3):
            it.key("v")
            settle(it)
            seen.append(tuple(name for name in ("first", "middle", "last") if in_view(it, name)))
        assert sorted(seen) == [("first",), ("last",), ("middle",)]
        it.key("0")
        settle(it)
        assert signs(it) == []  # all of it is in view


def test_signs_that_point_the_same_way_stand_beside_each_other(browser: Any, tmp_path: Any) -> None:
    """Two of cards far below stood on each other at the lower edge."""
    with viz.record("weights") as run, tf.GradientTape() as tape:
        x = y = tf.ones([4, 4])
        weights = [tf.Variable(tf.ones([4, 4]), name=f"layer_number_{at}/kernel") for at in range(4)]
        for weight in weights:
            for _ in range(3):
                y = tf.tanh(y + x)
            y = y @ weight
        tape.gradient(y, weights)
    with player(browser, tmp_path, run.scene) as it:
        for size in ((640, 700), (700, 560), (900, 640), (460, 700)):
            it.page.set_viewport_size({"width": size[0], "height": size[1]})
            it.key("Home", "End")
            settle(it)
            assert it.page.evaluate(LOST) == [], size


def test_signs_are_of_their_step(browser: Any, tmp_path: Any, far_apart: Scene) -> None:
    with player(browser, tmp_path, far_apart, width=640, still=False) as it:
        it.key("End")
        it.becomes(True, "document.querySelectorAll('.mt-sign:not([hidden])').length > 0")
        it.key("Home")
        it.becomes(0, "document.querySelectorAll('.mt-sign:not([hidden])').length")


def test_the_small_picture_marks_each_card_for_itself(browser: Any, tmp_path: Any, far_apart: Scene) -> None:
    """One box around all of them covered nearly everything."""
    with player(browser, tmp_path, far_apart, width=640) as it:
        it.key("End")
        settle(it)
        share = """() => { const map = document.querySelector("svg.mt-map").viewBox.baseVal;
          const boxes = [...document.querySelector(".mt-here").getAttribute("d").matchAll(/h(\\d+)v(\\d+)/g)];
          return [boxes.length, boxes.reduce((all, [, w, h]) => all + w * h, 0) / map.width / map.height]; }"""
        count, covered = it.page.evaluate(share)
        assert count == 3 and 0 < covered < 0.2


@pytest.mark.parametrize("width", WIDTHS)
def test_words_are_never_small_by_themselves(browser: Any, tmp_path: Any, long_chain: Scene, width: int) -> None:
    for told in (scene("nested"), long_chain):
        with player(browser, tmp_path, told, width=width) as it:
            settle(it)
            assert it.page.evaluate(SMALLEST) >= 11 - 0.05


def test_a_page_opens_where_its_step_happened(browser: Any, tmp_path: Any) -> None:
    """Also at steps that look at no card: before anything ran the first card is seen, after a block its last op."""
    told = training(5).scene
    ends = next(at for at, step in enumerate(told.steps) if step["kind"] == "exit" and at > 30)
    before = max((each for each in told.values if each["born"] < ends), key=lambda each: each["born"])["id"]
    first = min(told.values, key=lambda each: each["born"])["id"]
    for step, card in ((0, first), (ends, before)):
        with player(browser, tmp_path, told, step=step) as it:
            settle(it)
            assert it.page.evaluate(
                """card => { const a = document.querySelector(`.mt-card[data-value=${card}] .mt-face`).getBoundingClientRect(),
                  b = document.querySelector(".mt-graph").getBoundingClientRect();
                  return a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom; }""",
                card,
            ), f"step {it.step}"


def test_a_picture_begins_with_what_is_there(browser: Any, tmp_path: Any) -> None:
    """Values from before the run are seen before it, though the first op, which is far on, is still to come."""
    x = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    with viz.record("from before") as run, tf.GradientTape() as tape:
        tape.watch(x)
        y = x
        for _ in range(8):
            y = tf.sin(y) @ x
        tape.gradient(y, x)
    there = next(each["id"] for each in run.scene.values if not each["born"])
    with player(browser, tmp_path, run.scene, width=640, step=0) as it:
        settle(it)
        assert it.page.evaluate(
            """card => { const a = document.querySelector(`.mt-card[data-value=${card}] .mt-face`).getBoundingClientRect(),
              b = document.querySelector(".mt-graph").getBoundingClientRect();
              return a.left >= b.left && a.right <= b.right && a.top >= b.top && a.bottom <= b.bottom; }""",
            there,
        )


def test_the_longest_formula_leaves_the_code_its_room(browser: Any, tmp_path: Any) -> None:
    """A step with a long formula may take room from the code; the other steps do not wait for it with a blank."""
    with viz.record("a wide formula") as run:
        x = tf.constant([[0.123], [1.456], [2.789], [3.012]])
        ys = tf.constant([[1.0], [3.0], [5.0], [7.0]])
        w = tf.Variable([[0.5]])
        b = tf.Variable([0.25])
        with tf.GradientTape() as tape:
            guess = x @ w + b
            off = guess - ys
            loss = tf.reduce_mean(off**2)
        tape.gradient(loss, [w, b])
    with player(browser, tmp_path, run.scene) as it:
        it.page.set_viewport_size({"width": 1280, "height": 700})
        settle(it)
        it.key("Home")
        high = """() => [".mt-code", ".mt-left"].map(part => document.querySelector(part).getBoundingClientRect().height)"""
        shares = []
        for _ in range(it.last):
            it.key("ArrowRight")
            settle(it)
            code, left = it.page.evaluate(high)
            shares.append(code / left)
            cut = "() => { const t = document.querySelector('.mt-formula'), l = t.querySelector('[data-k] .mt-term:last-child'); return l ? l.getBoundingClientRect().bottom - t.getBoundingClientRect().bottom : 0; }"
            assert it.page.evaluate(cut) <= 1, f"step {it.step}"
        assert sorted(shares)[len(shares) // 2] >= 0.5


def test_code_fades_where_it_goes_on_and_the_line_of_a_step_does_not(browser: Any, tmp_path: Any) -> None:
    """Half of a line stood above the formula as if cut off."""
    faded = """() => { const code = document.querySelector(".mt-code"), box = code.getBoundingClientRect(), fade = 8;
      const line = code.querySelector(".mt-line[aria-current=step]")?.getBoundingClientRect();
      return [getComputedStyle(code).maskImage.includes(`${fade}px`), code.scrollHeight > code.clientHeight,
        line ? line.top >= box.top + fade - 1 && line.bottom <= box.bottom - fade + 1 : null]; }"""
    with player(browser, tmp_path, programs.kept("keras_step").scene, width=900) as it:
        it.page.set_viewport_size({"width": 900, "height": 560})
        it.key("Home")
        told = []
        for _ in range(it.last):
            it.key("ArrowRight")
            settle(it)
            told.append(it.page.evaluate(faded))
    assert all(fades for fades, *_ in told)
    assert {clear for *_, clear in told} - {None} == {True}, told
    assert any(longer for _, longer, _ in told), "the program is longer than its panel"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_before_anything_ran_the_code_stands_at_its_beginning(browser: Any, tmp_path: Any, theme: str) -> None:
    """Also after a way there and back, and where the program is a pixel longer than its panel."""
    with player(browser, tmp_path, programs.kept("keras_step").scene, theme=theme) as it:
        for size in ((900, 560), (1280, 700), (640, 860), *((1280, high) for high in range(760, 800, 3))):
            it.page.set_viewport_size({"width": size[0], "height": size[1]})
            for key in ("Home", "End", "Home"):
                it.key(key)
                settle(it)
                if key == "Home":
                    assert it.page.evaluate("document.querySelector('.mt-code').scrollTop") == 0, size


def test_the_keys_of_the_camera(browser: Any, tmp_path: Any, long_chain: Scene) -> None:
    with player(browser, tmp_path, long_chain) as it:
        it.key("Home", "ArrowRight", "ArrowRight")
        settle(it)
        before = scale(it)
        it.key("+")
        assert scale(it) == pytest.approx(1.25 * before, rel=1e-3)
        it.key("-")
        assert scale(it) == pytest.approx(before, rel=1e-3)
        it.key("0")
        settle(it)
        box = "(b => b.scrollWidth <= b.clientWidth + 2 && b.scrollHeight <= b.clientHeight + 2)(document.querySelector('.mt-graph'))"
        it.becomes(True, box)
        assert scale(it) < before and it.page.get_attribute(".mt-fit", "aria-pressed") == "true"
        assert it.page.is_hidden(".mt-map")  # all of it is in view: a small picture of it would say nothing
        it.key("0")
        settle(it)
        assert scale(it) == pytest.approx(before, rel=1e-3)
        assert it.step == 2  # none of these keys is a step


def test_the_wheel_is_the_pages_until_it_is_asked_for(browser: Any, tmp_path: Any, long_chain: Scene) -> None:
    with player(browser, tmp_path, long_chain) as it:
        settle(it)
        before, at = scale(it), middle(it)
        it.page.mouse.move(*at)
        it.page.mouse.wheel(0, -200)
        settle(it)
        assert scale(it) == before
        spot = "([x, y]) => { const p = document.querySelector('.mt-picture').getBoundingClientRect(); return [(x - p.left) / p.width, (y - p.top) / p.height]; }"
        under = it.page.evaluate(spot, at)
        it.page.keyboard.down("Control")
        it.page.mouse.wheel(0, -60)
        it.page.keyboard.up("Control")
        it.becomes(True, f"{SCALE} > {before * 1.2}")
        assert it.page.evaluate(spot, at) == pytest.approx(under, abs=0.02)  # what is under the pointer stays there
        larger = scale(it)
        it.page.mouse.click(*at)  # with the focus in it, the wheel alone is enough
        it.page.mouse.wheel(0, 100)
        it.becomes(True, f"{SCALE} < {larger * 0.95}")


def test_it_is_moved_by_hand_and_by_keys(browser: Any, tmp_path: Any, long_chain: Scene) -> None:
    with player(browser, tmp_path, long_chain, width=900) as it:
        it.key("Home", "ArrowRight")
        settle(it)
        step, begun, (x, y) = it.step, it.page.evaluate(AT), middle(it)
        it.page.mouse.move(x, y)
        it.page.mouse.down()
        it.page.mouse.move(x - 120, y - 120, steps=4)
        it.page.mouse.up()
        moved = it.page.evaluate(AT)
        assert 120 in [round(after - before) for before, after in zip(begun, moved, strict=True)]
        assert it.step == step  # a drag that ends on a card does not lead to its step
        it.key("Shift+ArrowRight", "Shift+ArrowDown")
        settle(it)
        assert sum(it.page.evaluate(AT)) > sum(moved)
        assert it.step == step
        it.key("+", "+")
        kept = scale(it)
        it.key("ArrowRight", "ArrowRight", "ArrowRight")
        settle(it)
        assert scale(it) == kept  # the size that was chosen stays
        assert it.page.evaluate(OUTSIDE) == []


def test_a_click_on_the_small_picture_goes_there(browser: Any, tmp_path: Any, long_chain: Scene) -> None:
    with player(browser, tmp_path, long_chain, width=900) as it:
        it.key("Home", "ArrowRight")
        settle(it)
        box = it.page.locator(".mt-map").bounding_box()
        step = it.step
        it.page.mouse.click(box["x"] + box["width"] - 2, box["y"] + box["height"] - 2)
        left, wide, all_ = it.page.evaluate(
            "(b => [b.scrollLeft + b.scrollTop, b.clientWidth + b.clientHeight, b.scrollWidth + b.scrollHeight])(document.querySelector('.mt-graph'))"
        )
        assert left + wide >= all_ - 3 and it.step == step
        sight = it.page.evaluate("(s => s.getBBox().x + s.getBBox().y)(document.querySelector('.mt-sight'))")
        assert sight * scale(it) == pytest.approx(left, abs=4)


def test_two_fingers(browser: Any, tmp_path: Any, long_chain: Scene) -> None:
    with player(browser, tmp_path, long_chain, width=900) as it:
        settle(it)
        before, (x, y) = scale(it), middle(it)
        touch = """([kind, points]) => {
          const box = document.querySelector(".mt-graph");
          const touches = points.map(([x, y], i) => new Touch({identifier: i, target: box, clientX: x, clientY: y}));
          const event = new TouchEvent(kind, {touches, targetTouches: touches, changedTouches: touches, bubbles: true, cancelable: true});
          box.dispatchEvent(event);
          return event.defaultPrevented;
        }"""
        it.page.evaluate(touch, ["touchstart", [[x - 40, y], [x + 40, y]]])
        assert it.page.evaluate(touch, ["touchmove", [[x - 60, y], [x + 60, y]]])  # not the page's pinch
        assert scale(it) == pytest.approx(1.5 * before, rel=1e-2)


def test_it_glides_and_ends_where_it_would_jump(browser: Any, tmp_path: Any, long_chain: Scene) -> None:
    ends = []
    for still in (True, False):
        with player(browser, tmp_path, long_chain, width=900, still=still) as it:
            it.key("Home", "ArrowRight")
            it.page.wait_for_timeout(400)
            track = "() => { window.track = []; const box = document.querySelector('.mt-graph'); box.addEventListener('scroll', () => track.push(box.scrollLeft + box.scrollTop)); }"
            it.page.evaluate(track)
            it.page.evaluate(GO, it.last // 2)
            it.page.wait_for_timeout(600)
            ends.append(it.page.evaluate(AT))
            frames = it.page.evaluate("track.length")
            assert frames > 3 if not still else frames <= 1
    assert ends[0] == pytest.approx(ends[1], abs=2)


def test_all_of_a_player_is_seen_in_a_low_window(browser: Any, tmp_path: Any) -> None:
    for name in ("nested", "recompute", "keras_step"):
        with player(browser, tmp_path, programs.run(name).scene, width=1366) as it:
            it.page.set_viewport_size({"width": 1366, "height": 647})
            settle(it)
            settle(it)
            assert it.page.evaluate("document.documentElement.scrollHeight") <= 648, name
            assert it.page.evaluate("document.querySelector('.mt-graph').clientHeight") >= 210


@pytest.mark.parametrize("size", [(1366, 647), (1000, 647), (700, 560), (360, 640)], ids=str)
def test_no_word_of_the_legend_is_cut(browser: Any, tmp_path: Any, size: tuple[int, int]) -> None:
    with player(browser, tmp_path, programs.run("forward_over_backward").scene, width=size[0]) as it:
        it.page.set_viewport_size({"width": size[0], "height": size[1]})
        for view in ("graph", "score"):
            it.page.locator(f".mt-to-{view}").click()
            cut = it.page.evaluate(
                """() => { const box = document.querySelector(".mt-legend").getBoundingClientRect();
                  return [...document.querySelectorAll(".mt-legend span")].filter(one => one.getClientRects().length).filter(one => {
                    const { left, right, bottom } = one.getBoundingClientRect();
                    return left < box.left - 1 || right > box.right + 1 || bottom > box.bottom + 1;
                  }).map(one => one.textContent); }"""
            )
            assert cut == []


def test_a_line_of_code_that_fits_stands_on_one_line(browser: Any, tmp_path: Any) -> None:
    lines = [
        "def watched(x, and_one_more_word):",
        "            tape.watch(x)",
        "    @tf.custom_gradient",
        "    " * 4 + "a.apply(x)",
    ]
    sources = [{"id": "s0", "label": "", "lines": [[at + 1, line] for at, line in enumerate(lines)]}]
    one = Scene(title="one", steps=[{"kind": "start", "say": "Nothing.", "memory": {}}], sources=sources)
    with player(browser, tmp_path, one, width=1100) as it:
        high = it.page.evaluate("() => [...document.querySelectorAll('code.mt-text')].map(one => one.offsetHeight)")
        assert len(high) == len(lines) and max(high) < 30, high


def test_what_a_host_hides_for_a_moment_is_as_it_was(browser: Any, tmp_path: Any) -> None:
    """JupyterLab hides all between two themes: what was measured meanwhile had no room, and the formula lay on the buttons then."""
    seen = """() => [document.querySelector(".mt-formula").style.getPropertyValue("--now"), document.querySelector(".mt-here").getAttribute("d"),
      [...document.querySelectorAll(".mt-sign")].map(one => one.textContent), document.querySelector(".mt-signs").hidden]"""
    # shown again before the browser draws: no box has another size than before
    hide = """() => new Promise(done => {
      const frame = document.querySelector(".mt-frame");
      frame.style.display = "none";
      document.querySelector("input.mt-scrub").dispatchEvent(new Event("input", { bubbles: true }));   // it looks in the next frame
      requestAnimationFrame(() => {
        document.querySelector(".mt-graph").dispatchEvent(new Event("scroll"));
        frame.style.display = "";
        requestAnimationFrame(() => setTimeout(done, 100));
      });
    })"""
    with player(browser, tmp_path, programs.run("keras_step").scene, width=1000) as it:
        for step in (9, 20, 27):
            it.page.evaluate(GO, step)
            settle(it)
            before = it.page.evaluate(seen)
            it.page.evaluate(hide)
            assert before[0] and before[1] and it.page.evaluate(seen) == before, step


@pytest.mark.parametrize("apart", [False, True], ids=["in one cell", "in two"])
def test_the_line_that_asked_is_seen_beside_the_line_that_is_gone_back_through(
    browser: Any, tmp_path: Any, apart: bool
) -> None:
    """However far from each other they stand: the one that asked sticks to an edge of the code, and cuts none beside it."""
    lines = [[number, f"y{number} = f(x)"] for number in range(1, 81)]
    sources = (
        [{"id": "s0", "label": "In[1]", "lines": lines[:40]}, {"id": "s1", "label": "In[2]", "lines": lines[40:]}]
        if apart
        else [{"id": "s0", "label": "", "lines": lines}]
    )
    asked = ["s1" if apart else "s0", 80]
    steps: list[Any] = [{"kind": "start", "say": "Nothing.", "memory": {}}]
    for cause in (78, 41, 39, 2):
        place = ["s1" if apart and cause > 40 else "s0", cause]
        steps.append({"kind": "contribution", "say": "Back.", "memory": {}, "place": asked, "cause": place})
    out = """() => {
      const b = document.querySelector(".mt-code").getBoundingClientRect();
      return [...document.querySelectorAll(".mt-line:is(.now, .cause)")].filter(one => {
        const a = one.getBoundingClientRect();
        return a.top < b.top || a.bottom > b.bottom || document.elementFromPoint(a.left + 40, (a.top + a.bottom) / 2).closest("li") !== one;
      }).map(one => one.textContent);
    }"""
    cut = """() => {
      const now = document.querySelector(".mt-line.now").getBoundingClientRect(), lines = [...document.querySelectorAll("li.mt-line:not(.now)")].filter(one => one.checkVisibility({ visibilityProperty: true }));
      return lines.filter(one => { const a = one.getBoundingClientRect(); return Math.min(a.bottom, now.bottom) - Math.max(a.top, now.top) > 1 && a.top < now.top - 1; }).map(one => one.textContent);
    }"""
    with player(browser, tmp_path, Scene(title="far", steps=steps, sources=sources), width=1280) as it:
        for width in (1280, 640):
            it.widen(width)
            for step in (1, 2, 3, 4, 2):
                it.page.evaluate(GO, step)
                settle(it)
                assert it.page.locator(".mt-line:is(.now, .cause)").count() == 2
                assert it.page.evaluate(out) == it.page.evaluate(cut) == [], (width, step)


def beside_each_other() -> None:
    """Two results that nobody watches: that is said beside each of them, and is not what the step looks at."""
    w = tf.Variable([0.5])
    with tf.GradientTape() as tape:
        first, second = tf.split(tf.sin(tf.constant([0.5, -2.5])), 2)
        y = w
        for _ in range(3):
            y = tf.sin(y * second)
        loss = tf.reduce_sum(y * first)
    tape.gradient(loss, w)


def above_each_other() -> None:
    """Two answers: with the air that is around them otherwise, one of the two was cut by 18 px."""
    numbers = np.random.default_rng(0)
    w, v = tf.Variable(numbers.normal(size=(2, 3))), tf.Variable(numbers.normal(size=(3, 1)))
    x = tf.constant(numbers.normal(size=(4, 2)))
    with tf.GradientTape() as tape:
        with tf.GradientTape() as inner:
            inner.watch(x)
            score = tf.nn.softplus(x @ w) @ v
        slopes = inner.gradient(score, x)
        loss = tf.reduce_mean((tf.sqrt(tf.reduce_sum(slopes**2, axis=1)) - 1.0) ** 2)
    tape.gradient(loss, [w, v])


@pytest.mark.parametrize(
    ("program", "said", "sizes", "sides"),
    [
        (above_each_other, "∂loss/∂w is", [(1280, high) for high in range(700, 900, 8)], ("top", "bottom")),
        (beside_each_other, "second is", [(wide, 800) for wide in range(860, 1140, 6)], ("left", "right")),
    ],
)
def test_what_a_step_looks_at_is_in_view_where_it_fits_edge_to_edge(
    browser: Any, tmp_path: Any, program: Any, said: str, sizes: list[tuple[int, int]], sides: tuple[str, str]
) -> None:
    with viz.record("close") as run:
        program()
    places = """([start, end]) => {
      const bounds = document.querySelector(".mt-graph").getBoundingClientRect();
      const box = { left: bounds.left, right: bounds.right, top: bounds.top, bottom: Math.min(bounds.bottom, innerHeight) };
      const marks = [...document.querySelectorAll(".mt-card.on, .mt-ring:not(.off)")];
      const faces = marks.map(one => one.closest(".mt-card").querySelector(".mt-face").getBoundingClientRect());
      const from = Math.min(...faces.map(a => a[start])), to = Math.max(...faces.map(a => a[end]));
      return [(to - from) / SCALE * 0.92 - (bounds[end] - bounds[start]), Math.max(box[start] - from, to - box[end])];
    }""".replace("SCALE", SCALE)
    tight = 0
    step = next(at for at, one in enumerate(run.scene.steps) if said in f"{one}".replace("\u00a0", " "))
    with player(browser, tmp_path, run.scene, width=1280) as it:
        for wide, high in sizes:
            it.page.set_viewport_size({"width": wide, "height": high})
            it.page.evaluate(GO, 0)
            settle(it)
            it.page.evaluate(GO, step)
            settle(it)
            over, outside = it.page.evaluate(places, sides)
            tight += -26 < over < -8
            assert over > -8 or outside <= 1, (wide, high, over, outside)
    assert tight > 2, "none of them was hard to fit"


def test_a_line_of_several_rows_is_seen_from_its_first_row_on(browser: Any, tmp_path: Any) -> None:
    """The line that asked stands at the edge of the code, which has no room for all three: the one between is not shown by half."""
    row = "value = some_function(of_this, and_that, with_more); "
    lines = [[number, f"y{number} = 1"] for number in range(1, 20)] + [[20, row * 2], [21, row * 4], [22, "ask(y)"]]
    step: dict[str, Any] = {"kind": "contribution", "say": "Back.", "memory": {}, "place": ["s0", 22]}
    steps: list[Any] = [
        {"kind": "start", "say": "Nothing.", "memory": {}},
        *({**step, "cause": ["s0", at]} for at in (20, 21, 3)),
    ]
    seen = """() => {
      const b = document.querySelector(".mt-code").getBoundingClientRect(), all = [...document.querySelectorAll(".mt-line")];
      const place = one => one.getBoundingClientRect(), [cause] = all.filter(one => one.matches(".cause")), [now] = all.filter(one => one.matches(".now"));
      const top = place(cause).top - b.top, over = all.filter(one => one !== now && one.checkVisibility({ visibilityProperty: true }) && place(one).bottom - place(now).top > 1 && place(one).top < place(now).top - 1);
      return [top >= -1, place(cause).top < place(now).top, over.map(one => one.textContent)];
    }"""
    with player(
        browser, tmp_path, Scene(title="rows", steps=steps, sources=[{"id": "s0", "label": "", "lines": lines}])
    ) as it:
        for high in range(200, 261, 12):
            it.page.add_style_tag(content=f".mt .mt-code {{ max-height: {high}px !important; }}")
            for at in (1, 2, 3, 1):
                it.page.evaluate(GO, at)
                settle(it)
                assert it.page.evaluate(seen) == [True, True, []], (high, at)


def test_a_sign_covers_no_word_where_there_is_room_beside(browser: Any, tmp_path: Any) -> None:
    """It stood in one of five places along its edge, and on the cards that are there."""
    x = tf.Variable(1.5, name="x")
    with viz.record("sums") as run:
        with tf.GradientTape() as tape:
            y = tf.sin(x)
            terms = [y * float(i) for i in range(30)]
            total = sum(terms[1:], terms[0])
        tape.gradient(total, x)
    covered = """() => {
      const lies = (a, b) => a.left < b.right - 2 && b.left < a.right - 2 && a.top < b.bottom - 3 && b.top < a.bottom - 3;
      const words = [...document.querySelectorAll(".mt-picture text")].filter(one => one.textContent.trim() && one.getClientRects().length);
      const signs = [...document.querySelectorAll(".mt-sign")].filter(one => !one.hidden && one.checkVisibility());
      window.met = (window.met || 0) + signs.length;
      return signs.flatMap(sign => words.filter(word => lies(sign.getBoundingClientRect(), word.getBoundingClientRect())).map(word => `${sign.textContent} on ${word.textContent}`));
    }"""
    with player(browser, tmp_path, run.scene, width=900) as it:
        faults = []
        it.page.set_viewport_size({"width": 900, "height": 800})
        for step in range(it.last - 40, it.last):
            it.page.evaluate(GO, step)
            settle(it)
            faults += [f"{step}: {fault}" for fault in it.page.evaluate(covered)]
        assert it.page.evaluate("window.met") > 0 and faults == []


def test_a_new_number_on_an_edge_is_in_view(browser: Any, tmp_path: Path) -> None:
    """On edges longer than the window it was not: the camera looked at cards alone."""
    draw = np.random.default_rng(0)
    w, b, v, c = (tf.Variable(draw.normal(size=shape).astype("f")) for shape in ((3, 4), (4,), (4, 2), (2,)))
    x = tf.constant(draw.normal(size=(5, 3)).astype("f"))
    with viz.record() as run:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(tf.tanh(x @ w + b) @ v + c - 1.0)) + 0.01 * tf.reduce_sum(w * w)
        tape.gradient(loss, [w, b, v, c])
    beyond = """() => { const box = document.querySelector(".mt-graph").getBoundingClientRect();
      return [...document.querySelectorAll(".mt-chip.fresh")].map(one => one.getBoundingClientRect()).filter(one =>
        one.width && (one.left < box.left - 1 || one.right > box.right + 1 || one.top < box.top - 1 || one.bottom > box.bottom + 1)).length; }"""
    with exported(browser, Path(viz.export(run, tmp_path / "page.html"))) as it:
        it.page.set_viewport_size({"width": 1280, "height": 720})
        it.key("Home", *["ArrowRight"] * 14)
        while it.step < 22:
            it.key("ArrowRight")
            it.becomes(0, f"({beyond})()")
