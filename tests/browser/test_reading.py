"""Every program's picture can be read: no label is cut or lies on another, and each stands out from its ground."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import minitape as tf
import viz
from tests.browser.pages import CONTRAST_FAULTS, HANGING, TEXT_FAULTS, VIEWS, WIDTHS, Player, player
from tests.viz import programs, small_nets
from viz.style import PALETTE

# Names of the code panel that stand on two lines, and whether any line of code does.
BROKEN = """() => {
  const texts = [...document.querySelectorAll(".mt-text")], broken = [];
  for (const text of texts) {
    const walker = document.createTreeWalker(text, NodeFilter.SHOW_TEXT);
    for (let node; (node = walker.nextNode());) for (const found of node.data.matchAll(/[\\p{L}_][\\p{L}\\d_]*/gu)) {
      const range = document.createRange();
      range.setStart(node, found.index);
      range.setEnd(node, found.index + found[0].length);
      if (new Set([...range.getClientRects()].map(one => Math.round(one.top))).size > 1) broken.push(found[0]);
    }
  }
  return [broken, texts.some(one => one.getBoundingClientRect().height > 30)];
}"""
LONG = "a_name_that_is_longer_than_any_line_of_code_has_room_for_in_a_window_of_that_width"


@pytest.fixture(scope="module", params=programs.NAMES)
def told(
    request: pytest.FixtureRequest, browser: Any, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Any, Player]]:
    """The scene and the page of one program, opened once for all that is asked of it."""
    scene = programs.run(request.param).scene
    with player(browser, tmp_path_factory.mktemp("page"), scene, width=900) as opened:
        yield scene, opened


@pytest.mark.parametrize("width", WIDTHS)
def test_no_label_is_cut_or_lies_on_another(told: tuple[Any, Player], width: int) -> None:
    """At each step of the narrowest page; of the wider ones at each third, and at the end, where most is written."""
    (_, page), faults, stride = told, [], 1 if width == min(WIDTHS) else 3
    page.widen(width)
    for view in VIEWS:
        page.turn(f"#view={view}&theme=light")
        found = page.faults(TEXT_FAULTS, {*range(0, page.last + 1, stride), page.last})
        faults += [f"{view}, {one}" for one in found]
    assert not faults


def test_all_text_stands_out_from_its_ground(told: tuple[Any, Player]) -> None:
    """At the last step of each kind, and at the start and the end: by then all that a kind can show has been shown.

    At one width: colours are the same at all.
    """
    (scene, page), faults = told, []
    last_of_kind = sorted({one["kind"]: at for at, one in enumerate(scene.steps)}.values())
    page.widen(900)
    for view in VIEWS:
        for theme in PALETTE:
            page.turn(f"#view={view}&theme={theme}")
            found = page.faults(CONTRAST_FAULTS, {0, *last_of_kind, page.last})
            faults += [f"{view}, {theme}, {one}" for one in found]
    assert not faults


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("net", small_nets.NETS, ids=lambda one: one.__name__)
def test_programs_on_arrays_can_be_read(browser: Any, tmp_path: Any, net: Any) -> None:
    """At a dozen steps from the first to the last, narrow and wide, in both themes, and the page is never wider than its window."""
    scene, faults = small_nets.recorded(net).scene, []
    with player(browser, tmp_path, scene) as it:
        some = sorted({*range(0, it.last + 1, max(1, it.last // 12)), it.last})
        for width in (640, 1280):
            it.widen(width)
            for where in (*(f"view=graph&theme={theme}" for theme in PALETTE), "view=score&theme=light"):
                it.turn(f"#{where}")
                faults += [f"{width}, {where}, {one}" for one in it.faults(TEXT_FAULTS, some)]
                faults += [f"{width}, {where}: {one}" for one in it.page.evaluate(CONTRAST_FAULTS)]
            assert it.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    assert not faults


@pytest.mark.parametrize("width", [1040, 520])
def test_code_is_broken_between_names(browser: Any, tmp_path: Any, width: int) -> None:
    """In a narrow panel too, but for a name that is longer than a line; a still breaks the same text at the same places."""
    scene = programs.run("nested").scene
    lines = [
        "with tf.GradientTape(persistent=persistent, watch_accessed_variables=watch_what_is_read) as inner_tape:",
        "    y = tf.reduce_mean(tf.math.softplus(x_squared*tf.constant(2.0)) ** 2.0)",
        "    slope = inner_tape.gradient(y,x,unconnected_gradients=tf.UnconnectedGradients.ZERO)['the first']",
        f"    {LONG} = slope",
    ]
    scene.sources[0]["lines"] = list(enumerate(lines, 1))
    with player(browser, tmp_path, scene, width=width) as it:
        it.open()
        assert it.page.evaluate(BROKEN) == [[LONG], True]
        assert it.page.locator(".mt-text").all_text_contents() == lines


WIDER = """() => [...document.querySelectorAll(".mt-formula")].flatMap(box => [...box.querySelectorAll(".mt-term *")]
  .filter(one => one.getBoundingClientRect().right > box.getBoundingClientRect().right + 1).map(one => one.textContent))"""


BROKEN_NUMBERS = """() => [...document.querySelectorAll(".mt-terms:not([aria-hidden]) .mt-term i")]
  .filter(one => one.getClientRects().length && one.offsetHeight > 60).map(one => one.textContent)"""


def test_what_is_added_to_a_row_of_numbers_has_room(browser: Any, tmp_path: Any) -> None:
    """Beside `= [3.3531, −2.847] +` a row of numbers was as narrow as its widest word, and broken at each comma."""
    x = tf.Variable([[1.2913, -1.1974]])
    with viz.record() as run:
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.tanh(x @ [[0.5, 0.1], [0.2, 0.3]]) + x * 3.3531)
        tape.gradient(y, x)
    with player(browser, tmp_path, run.scene, width=900) as it:
        it.open()
        for _ in range(it.last):
            it.key("ArrowRight")
            assert it.page.evaluate(BROKEN_NUMBERS) == []
            assert it.page.evaluate(HANGING) == []


@pytest.mark.parametrize("width", [900, 640])
def test_a_formula_stays_in_its_panel(browser: Any, tmp_path: Any, width: int) -> None:
    """With two rows of numbers in a function too, which are longer than its lines."""
    x, b = tf.constant([[0.1257, -0.1321], [0.1049, -0.5357]]), tf.Variable([0.5123, -0.2517])
    with viz.record() as run, tf.GradientTape() as tape:
        loss = tf.reduce_sum((x + b) ** 3)
        tape.gradient(loss, b)
    with player(browser, tmp_path, run.scene, width=width) as it:
        it.open()
        for _ in range(it.last):
            it.key("ArrowRight")
            assert it.page.evaluate(WIDER) == []
