"""Words in pictures: no edge runs through them, no line of a formula ends in a sign, and the row of the score that moves is seen."""

from __future__ import annotations

from typing import Any

import pytest

import minitape as tf
import viz
from tests.browser.pages import GO, HANGING, REST, STRUCK, player
from tests.viz import programs
from tests.viz.test_layers_fold import recorded
from viz.scene import Scene
from viz.tell.scenes import scene_of

STEPS = 3  # that are looked at, from the first to the last
PEOPLES = ("hessian", "actor_critic")  # programs to which nothing was tuned
OWN = ("nested_regions", "reversible", "custom_gradient", "schedule")

# Whether the row of the score that a step writes is seen, within its box and the window.
UNSEEN = """() => {
  const row = document.querySelector(".mt-linerow.fresh"), box = document.querySelector(".mt-strings").getBoundingClientRect();
  if (!row) return [];
  const a = row.getBoundingClientRect();
  return a.top < box.top - 1 || a.bottom > Math.min(box.bottom, innerHeight) + 1 ? [`${row.textContent} at ${Math.round(a.top)} px`] : [];
}"""


def scene(name: str) -> Scene:
    return programs.kept(name).scene if name in OWN else scene_of(recorded(name))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", [*OWN, *PEOPLES])
def test_nothing_runs_through_words_and_no_line_ends_in_a_sign(browser: Any, tmp_path: Any, name: str) -> None:
    faults = []
    with player(browser, tmp_path, scene(name)) as it:
        some = sorted({*range(0, it.last + 1, max(1, it.last // STEPS)), it.last})
        for width in (640, 900, 1280):
            it.widen(width)
            it.turn("#view=graph")
            faults += [f"{width}, {fault}" for find in (STRUCK, HANGING) for fault in it.faults(find, some)]
    assert not faults


def test_what_the_parts_of_a_formula_come_to_stays_together(browser: Any, tmp_path: Any) -> None:
    x = tf.Variable(1.7)
    with viz.record() as run:
        with tf.GradientTape() as tape:
            z = tf.sin(x) * tf.exp(-x) + (x - 3.0) ** 2
        tape.gradient(z, x)
    with player(browser, tmp_path, run.scene) as it:
        for width in (640, 720, 1280):
            it.widen(width)
            assert not it.faults(HANGING, range(it.last + 1)), width


def test_a_wide_term_behind_a_sum_so_far_is_not_squeezed(browser: Any, tmp_path: Any) -> None:
    """`+= = [−1.8172, 0.6879] +` and the next two numbers have no room beside each other: these stood in a narrow column."""
    w, x = tf.Variable([0.5, -0.3]), tf.constant([1.0, 2.0])
    with viz.record() as run:
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                inner.watch(x)
                score = tf.reduce_sum(tf.tanh(w * x))
            g = inner.gradient(score, x)
            loss = score + 10.0 * tf.reduce_sum(g * g)
        outer.gradient(loss, w)
    with player(browser, tmp_path, run.scene) as it:
        for width in (640, 900, 1280):
            it.widen(width)
            assert not it.faults(HANGING, range(it.last + 1)), width


def many_tapes() -> Scene:
    """A loop with a tape in each round: many staves over the strings."""
    w, b = tf.Variable([[0.5, -0.2], [0.1, 0.3]], name="w"), tf.Variable([0.1, 0.2], name="b")
    with viz.record("many tapes") as run:
        for _ in range(3):
            with tf.GradientTape() as tape:
                h = tf.tanh(tf.constant([[1.0, 2.0]]) @ w + b)
                loss = tf.reduce_sum(h * h)
            for weight, slope in zip((w, b), tape.gradient(loss, [w, b]), strict=True):
                weight.assign_sub(0.1 * slope)
    return run.scene


@pytest.mark.parametrize("width", [640, 900, 1280])
def test_the_row_of_the_score_that_moves_is_seen_in_a_low_window(browser: Any, tmp_path: Any, width: int) -> None:
    """The rows ended far below the fold of a window of 800 px, and names of bands in dots."""
    with player(browser, tmp_path, many_tapes(), width=width) as it:
        it.page.set_viewport_size({"width": width, "height": 800})
        it.turn("#view=score")
        unseen = []
        for step in range(1, it.last + 1):
            it.page.evaluate(GO, step)
            it.page.evaluate(REST)
            unseen += [f"step {step}: {fault}" for fault in it.page.evaluate(UNSEEN)]
        assert not unseen
        names = it.page.locator(".mt-phasename:not(.off)").all_text_contents()
        assert names and not [name for name in names if "…" in name]
