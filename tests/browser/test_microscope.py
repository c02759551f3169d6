"""The element microscope as a reader meets it: loaded when it is opened, a number chosen by hand, its sum added up in the page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minitape as tf
import viz
from tests.browser.pages import CONTRAST_FAULTS, Player, player
from viz.microscope.pack import packed
from viz.style import PALETTE

RESULT = "() => document.querySelector('.mt-bench:not([hidden]) figcaption')?.firstChild.textContent"
FAULTS = r"""() => {
  const box = document.querySelector(".mt-microscope"), faults = [];
  for (const node of box.querySelectorAll("*")) {
    const own = [...node.childNodes].some(one => one.nodeType === 3 && one.textContent.trim());
    if (!own || !node.getClientRects().length) continue;
    if (parseFloat(getComputedStyle(node).fontSize) < 11) faults.push(`small: ${node.textContent}`);
    const at = node.getBoundingClientRect(), frame = box.getBoundingClientRect();
    if (!node.closest(".mt-stretch, .mt-table") && (at.left < frame.left - 1 || at.right > frame.right + 1)) faults.push(`outside: ${node.textContent}`);
  }
  const numbers = colour => (colour.match(/[\d.]+/g) || []).map(Number), light = rgb => rgb.reduce((sum, c, i) => sum + [0.2126, 0.7152, 0.0722][i] *
    (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4), 0);
  const ground = numbers(getComputedStyle(box.closest(".mt")).getPropertyValue("--bg").replace(/[0-9a-f]{2}/gi, c => `${parseInt(c, 16)} `)).map(c => c / 255);
  for (const one of box.querySelectorAll("canvas")) {  // of zeros alone nothing else is seen
    const [r, g, b, a = 1] = numbers(getComputedStyle(one).outlineColor), [dark, bright] = [ground, [r, g, b].map((c, i) => a * c + (1 - a) * ground[i])].map(light).sort((a, b) => a - b);
    if (getComputedStyle(one).outlineStyle === "none" || !((bright + 0.05) / (dark + 0.05) >= 2)) faults.push(`a faint array: ${one.outerHTML}`);
  }
  if (document.documentElement.scrollWidth > innerWidth) faults.push("the page scrolls sideways");
  return faults;
}"""


def perceptron(rows: int = 6, wide: int = 4, hidden: int = 5) -> viz.Run:
    chance = np.random.default_rng(0)
    w, b, v = [tf.Variable(chance.normal(size=size).astype("f")) for size in ((wide, hidden), (hidden,), (hidden, 3))]
    x = tf.constant(chance.normal(size=(rows, wide)).astype("f"))
    labels = chance.integers(0, 3, rows).tolist()
    with viz.record("a perceptron") as run:
        with tf.GradientTape() as tape:
            a = x @ w + b
            h = tf.tanh(a)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, h @ v))
        tape.gradient(loss, [w, b, v])
    return run


def opened(browser: Any, folder: Path, run: viz.Run, **how: Any) -> Any:
    scene = run.scene
    return player(browser, folder, scene, lenses={"": packed(scene)}, **how)


def lens(it: Player) -> None:
    it.key("m")
    it.page.wait_for_selector(".mt-microscope > *", state="attached")


def to(it: Player, name: str) -> None:
    """The last step whose rule gives that; the microscope is open."""
    it.becomes(True, "document.querySelector('.mt-microscope').childElementCount > 0")
    it.key("End")
    while it.page.evaluate(RESULT) != name:
        assert it.step, name
        it.key("ArrowLeft")


def test_it_is_loaded_when_it_is_opened(browser: Any, tmp_path: Path) -> None:
    with opened(browser, tmp_path, perceptron()) as it:
        assert it.page.eval_on_selector(".mt-microscope", "node => node.hidden && !node.childElementCount")
        assert it.page.is_visible(".mt-graph")
        lens(it)
        assert not it.page.is_visible(".mt-graph")
        it.key("m")
        assert it.page.is_visible(".mt-graph") and not it.page.is_visible(".mt-microscope")


def test_a_number_stands_beside_its_term(browser: Any, tmp_path: Path) -> None:
    """In a window of 900 px it stood at the far end of the panel."""
    far = """() => Math.max(...[...document.querySelectorAll(".mt-addends > button")].map(row => {
      const range = document.createRange();
      range.selectNodeContents(row.children[1]);
      return row.querySelector("b").getBoundingClientRect().right - range.getBoundingClientRect().right;
    }))"""
    with opened(browser, tmp_path, perceptron(), width=900) as it:
        lens(it)
        to(it, "∂loss/∂w")
        assert 0 < it.page.evaluate(far) < 360


def test_a_run_of_single_numbers_has_none(browser: Any, tmp_path: Path) -> None:
    with viz.record() as run:
        tf.constant(3.0) * 2.0
    with player(browser, tmp_path, run.scene) as it:
        assert not it.page.is_visible(".mt-scope")
        it.key("m")
        assert not it.page.is_visible(".mt-microscope")


def test_the_rule_stands_in_its_own_direction(browser: Any, tmp_path: Path) -> None:
    heads = "() => [...document.querySelectorAll('.mt-rule > *')].map(one => (one.querySelector('figcaption') || one).firstChild.textContent)"
    with opened(browser, tmp_path, perceptron()) as it:
        lens(it)
        to(it, "∂loss/∂w")
        assert it.page.evaluate(heads)[:4] == ["∂loss/∂w", "=", "xᵀ", "@"]
        to(it, "∂loss/∂b")
        assert it.page.evaluate(heads)[:3] == ["∂loss/∂b", "=", "Σ"]
        assert it.page.text_content(".mt-rule .mt-sign small") == "axis 0"
        to(it, "∂loss/∂a")
        assert it.page.evaluate(heads)[-1] == "1 − h²"


def test_a_number_is_chosen_by_click_and_by_keys(browser: Any, tmp_path: Path) -> None:
    title = "() => document.querySelector('.mt-sum h2').textContent.replace(/ = .*/, '')"
    with opened(browser, tmp_path, perceptron()) as it:
        lens(it)
        to(it, "∂loss/∂w")
        it.page.click("[data-grid='result ']", position={"x": 50, "y": 30})
        assert it.page.evaluate(title) == "∂loss/∂w[1, 1]"
        it.key("ArrowRight", "ArrowDown", "ArrowDown", "ArrowDown")
        assert it.page.evaluate(title) == "∂loss/∂w[3, 2]"
        assert it.page.evaluate("document.querySelectorAll('[data-term]').length") == 6
        assert "= the recorded number" in it.page.text_content(".mt-sums")
        # a row of xᵀ and a column of what arrives are framed
        boxes = "[...document.querySelectorAll('.mt-heat rect.mt-lit')].map(one => [one.width.baseVal.value > 60, one.height.baseVal.value > 60])"
        assert it.page.evaluate(boxes) == [[True, False], [False, True]]
        step = it.step
        it.page.click("[data-term='2']")  # a term leads to where its gradient came from
        assert it.step < step and it.page.evaluate(title).endswith("[2, 2]")


def test_what_is_left_of_a_sum_is_added_up_and_no_rounding(browser: Any, tmp_path: Path) -> None:
    """Ten terms that are 0 were told to be 1e−16 together: what the others left of the whole."""
    with viz.record() as run:
        tf.constant([[0.8] * 4 + [0.0] * 12]) @ tf.constant([[-1.648], [-1.482], [-0.8108], [-0.02006]] + [[1.0]] * 12)
    with opened(browser, tmp_path, run) as it:
        lens(it)
        it.key("End")
        assert "other 100sum" in it.page.text_content(".mt-sums")


def test_at_every_step_the_terms_are_the_recorded_number(browser: Any, tmp_path: Path) -> None:
    with opened(browser, tmp_path, perceptron()) as it:
        lens(it)
        it.key("Home")
        told, faults = 0, set()
        while it.step < it.last:
            it.key("ArrowRight")
            if it.page.is_visible(".mt-bench"):
                told += 1
                assert "≠" not in it.page.text_content(".mt-sums"), it.step
            faults |= set(it.page.evaluate(FAULTS))
        assert told >= 14 and not faults


def test_the_way_of_a_number_leads_through_all_arrays(browser: Any, tmp_path: Path) -> None:
    lit = "() => [...document.querySelectorAll('button.mt-hop.mt-on')].map(one => one.getAttribute('aria-label'))"
    with opened(browser, tmp_path, perceptron()) as it:
        lens(it)
        to(it, "∂loss/∂w")
        it.page.click("[data-grid='result ']", position={"x": 50, "y": 30})
        told = it.page.evaluate(lit)
        assert any(one.startswith("h ") and "6 of 30 numbers take part" in one for one in told)  # a column of the batch
        assert any(one.startswith("h@v ") and "18 of 18" in one for one in told)
        assert not any(one.startswith(("v,", "b,")) for one in told)
        beneath = it.page.eval_on_selector_all(
            ".mt-hop.mt-after > span:first-child", "all => all.map(one => one.textContent)"
        )
        assert "∂/∂w" in beneath and all(one.startswith("∂/∂") for one in beneath), beneath  # ∂w is a change of w
        # the strongest way: column 1 all along, until the classes mix it
        assert [one.split(", 6×5")[0].split(", ")[-1] for one in told if "6×5" in one] == ["1]"] * 6
        for one in it.page.query_selector_all("button.mt-hop.mt-on:not([disabled])"):
            said = one.get_attribute("aria-label")
            one.click()
            assert f"to its step, {it.step}" in said
            assert it.page.eval_on_selector(".mt-way .mt-quiet", "node => node.textContent").startswith("The way of ")


def test_a_central_difference_stands_beside_the_sum(browser: Any, tmp_path: Path) -> None:
    """For every gradient of a run; it is computed from the rules of the values alone."""
    answer = "[...document.querySelectorAll('.mt-difference')].map(one => one.textContent)"
    with opened(browser, tmp_path, perceptron()) as it:
        lens(it)
        it.key("End")
        told = []
        while it.step:
            it.key("ArrowLeft")
            result = it.page.evaluate(RESULT) or ""
            if result.startswith("∂"):
                it.becomes(True, f"{answer}[0] !== ''")
                told.append((result, it.page.evaluate(answer)[2]))
        assert len(told) == 8 and {note for _, note in told} == {"agrees"}


@pytest.mark.parametrize(
    ("program", "note"),
    [
        (lambda x: tf.nn.relu(x - x), "a corner lies here"),
        (lambda x: tf.custom_gradient(lambda y: (y * 2.0, lambda d: d * 5.0))(x), "not told: something on the way"),
        (lambda x: x * x * x, "not told here: more comes back"),
        (lambda x: x * tf.stop_gradient(x), "agrees"),
    ],
)
def test_where_no_difference_can_be_told_the_reason_is(browser: Any, tmp_path: Path, program: Any, note: str) -> None:
    x = tf.Variable([1.0, -2.0])
    with viz.record() as run:
        with tf.GradientTape() as tape:
            y = program(x)
        tape.gradient(y, x)
    answer = "[...document.querySelectorAll('.mt-difference')].map(one => one.textContent)"
    with opened(browser, tmp_path, run) as it:
        lens(it)
        it.becomes(True, "document.querySelector('.mt-microscope').childElementCount > 0")
        notes = set()
        for _ in range(it.last):
            it.key("ArrowRight")
            if "∂" in (it.page.evaluate(RESULT) or ""):
                it.becomes(True, f"{answer}[0] !== ''")
                notes.add(it.page.evaluate(answer)[2])
        assert any(one.startswith(note) for one in notes), notes
        assert not any(one.startswith("does not agree") for one in notes)


def test_a_share_is_called_one_and_the_sum_is_what_has_come_by_then(browser: Any, tmp_path: Path) -> None:
    """The share stood there as the derivative, its norm too, and the way had the sum before it was there."""
    x = tf.Variable([1.0, 2.0])
    with viz.record() as run, tf.GradientTape() as tape:
        y = tf.reduce_sum(x * [3.0, 5.0]) + tf.reduce_sum(tf.sin(x))
        tape.gradient(y, x)
    told = """() => ["figcaption", ".mt-sum h2", ".mt-facts th[scope=row]", ".mt-facts td:nth-child(3)", ".mt-facts td:nth-child(7)",
      ".mt-hop.mt-after[aria-current] b"].map(one => document.querySelector(`.mt-bench ${one}, .mt-way ${one}`).firstChild.textContent)"""
    with opened(browser, tmp_path, run) as it:
        lens(it)
        to(it, "share of ∂y/∂x")
        assert it.page.evaluate(told)[1:] == ["adds 5 to ∂y/∂x[1]", "∂y/∂x", "5.79", "259.02 %", "4.58"]
        it.key("ArrowLeft")
        alone = ["∂y/∂(x·[3, 5])", "∂y/∂(x·[3, 5])[1] = 1", "∂y/∂(x·[3, 5])", "1.41", "13.5 %", "1"]  # of one use alone
        assert it.page.evaluate(told) == alone
        it.key("ArrowLeft")
        first = ["share of ∂y/∂x", "adds 0.5403 to ∂y/∂x[0]", "∂y/∂x so far", "0.682", "30.5 %", "0.54"]
        assert it.page.evaluate(told) == first


def forward(over: bool) -> viz.Run:
    """Tangents through the perceptron, and through its gradient too if they go over a tape."""
    chance = np.random.default_rng(1)
    w, b = [tf.Variable(chance.normal(size=size)) for size in ((4, 5), (5,))]
    x, dw = tf.constant(chance.normal(size=(3, 4))), tf.constant(chance.normal(size=(4, 5)))
    with viz.record("forward") as run, tf.autodiff.ForwardAccumulator([w, b], [dw, tf.ones(5, "float64")]) as acc:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.nn.softmax(tf.tanh(x @ w + b)) ** 2)
        acc.jvp(tape.gradient(loss, w) if over else loss)
    return run


@pytest.mark.parametrize("over", [False, True])
def test_a_central_difference_stands_beside_a_tangent(browser: Any, tmp_path: Path, over: bool) -> None:
    """The primals move along their tangents, and the program runs again: for the tangents of gradients too."""
    answer = "[...document.querySelectorAll('.mt-difference')].map(one => one.textContent)"
    with opened(browser, tmp_path, run := forward(over)) as it:
        lens(it)
        it.becomes(True, "document.querySelector('.mt-microscope').childElementCount > 0")
        notes: dict[str, str] = {}
        pushed = {at for at, look in run.scene.looks.at.items() if look.way == "push"}
        it.key("Home")
        while it.step < it.last:
            it.key("ArrowRight")
            if it.step in pushed:
                it.becomes(True, f"{answer}[0] !== ''")
                notes[it.page.evaluate(RESULT)] = it.page.evaluate(answer)[2]
        assert len(notes) > (8 if over else 5) and set(notes.values()) == {"agrees"}


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [640, 900, 1366])
def test_it_can_be_read(browser: Any, tmp_path: Path, width: int, theme: str) -> None:
    with opened(browser, tmp_path, perceptron(16, 128, 64), width=width, theme=theme) as it:
        lens(it)
        to(it, "∂loss/∂w")
        assert it.page.evaluate(FAULTS) == []
        assert it.page.evaluate(CONTRAST_FAULTS) == []


TOUCHED = """async () => {
  const grid = document.querySelector("[data-grid='result ']"), canvas = CanvasRenderingContext2D.prototype, put = canvas.putImageData;
  let changes = 0, nodes = 0, drawings = 0, pixels = 0;
  canvas.putImageData = function (image, ...where) { drawings++; pixels += image.width * image.height; return put.call(this, image, ...where); };
  const seen = new MutationObserver(all => { changes += all.length; for (const one of all) nodes += one.addedNodes.length; });
  seen.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
  for (let i = 0; i < 40; i++) {
    grid.dispatchEvent(new KeyboardEvent("keydown", { key: i % 2 ? "ArrowUp" : "ArrowLeft", bubbles: true }));
    await new Promise(requestAnimationFrame);
  }
  seen.disconnect();
  canvas.putImageData = put;
  return [changes / 40, nodes / 40, drawings / 40, pixels / 40];
}"""


@pytest.mark.parametrize("size", [(4, 8, 8), (16, 128, 64)], ids=["small", "large"])
def test_a_key_touches_little(browser: Any, tmp_path: Path, size: tuple[int, int, int]) -> None:
    """What a key changes in the page does not grow with the arrays; how long that takes is `benchmarks.browser`'s to say."""
    with opened(browser, tmp_path, perceptron(*size)) as it:
        lens(it)
        to(it, "∂loss/∂w")
        it.page.wait_for_timeout(100)
        changes, nodes, drawings, pixels = it.page.evaluate(TOUCHED)
        assert 0 < nodes <= 40 and changes <= 160 and 0 < drawings <= 30
        assert pixels <= 6000  # windows of the large arrays, and not the arrays


def odd(rows: int, wide: int) -> tuple[viz.Run, np.ndarray]:
    x = np.linspace(-2, 2, rows * wide).reshape(rows, wide).astype("f")
    x[0, 0], x[0, 1], x[1, 0], x[1, 1], x[2, 1] = 0, np.nan, np.inf, -np.inf, -np.inf
    with viz.record("a product") as run, np.errstate(all="ignore"):
        w = tf.Variable(x, name="w")
        with tf.GradientTape() as tape:
            y = w * tf.ones_like(w)
        tape.gradient(y, w)
    return run, x


@pytest.mark.parametrize(("wide", "squares"), [(4, False), (14, True), (50, False)])
def test_what_is_not_finite_has_a_mark_of_its_own(browser: Any, tmp_path: Path, wide: int, squares: bool) -> None:
    run, x = odd(6, wide)
    with opened(browser, tmp_path, run, width=900) as it:
        lens(it)
        to(it, "y")
        drawn = it.page.evaluate("""() => [...document.querySelectorAll('.mt-heat')].map(map => ({
          label: map.querySelector('.mt-grid').getAttribute('aria-label'), legend: map.querySelector('.mt-odds')?.textContent.trim(),
          texts: [...map.querySelectorAll('.mt-grid text:not(.mt-ax)')].map(one => one.textContent),
          marks: [...map.querySelectorAll('.mt-grid path.mt-sign')].map(one => one.getAttribute('d')), icons: [...map.querySelectorAll('.mt-odds path')].map(one => one.getAttribute('d')),
          edges: [...map.querySelectorAll('.mt-grid g:first-child rect')].map(one => one.style.stroke) }))""")
        (own,) = [one for one in drawn if one["label"].startswith("y,")]
        assert own["legend"] == "1 NaN  1 +∞  2 −∞" and ", 1 NaN, 1 +∞, 2 −∞" in own["label"]
        if squares:
            signs = [own["marks"][at * 14 + column] for at, column in ((0, 1), (1, 0), (1, 1), (2, 1))]
            assert len(set(signs[:3])) == 3 and signs[2] == signs[3] and own["icons"] == signs[:3]
            others = {one for at, one in enumerate(own["marks"]) if at not in (1, 14, 15, 29)}
            assert not others & set(signs) and len(others) == 2  # nothing, and the dash of what is below zero
            assert [at for at, edge in enumerate(own["edges"]) if "ink" in edge] == [1, 14, 15, 29]
        else:
            assert [one for one in own["texts"] if one in ("NaN", "∞", "−∞")] == ["NaN", "∞", "−∞", "−∞"]
        row = it.page.inner_text(".mt-facts tbody tr:first-child")
        assert "1 NaN, 1 +∞, 2 −∞" in row
        if wide == 50:  # of many numbers in small dots, those are black, and none hides behind a number
            dots = it.page.evaluate("""() => { const one = document.querySelector('.mt-over canvas');
              return [...one.getContext('2d').getImageData(0, 0, one.width, one.height).data]; }""")
            pixels = np.array(dots).reshape(6, 50, 4)
            assert (
                np.argwhere((pixels == (*bytes.fromhex(PALETTE["light"]["ink"][1:]), 255)).all(axis=2)).tolist()
                == np.argwhere(~np.isfinite(x)).tolist()
            )
