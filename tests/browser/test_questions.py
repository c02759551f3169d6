"""A question in a real JupyterLab: its keys are its own, whatever of it was clicked."""

from __future__ import annotations

import json

import pytest

from tests.browser.lab import KEYS, RUN_CELL, Lab


def written(lab: Lab, name: str, sources: list[str]) -> str:
    """A notebook of these cells."""
    cells = [
        {"cell_type": "code", "id": f"c{at}", "metadata": {}, "outputs": [], "execution_count": None, "source": one}
        for at, one in enumerate(sources)
    ]
    whole = {"cells": cells, "metadata": {"kernelspec": {"name": "python3", "display_name": "Python 3"}}, "nbformat": 4}
    (lab.root / f"{name}.ipynb").write_text(json.dumps({**whole, "nbformat_minor": 5}), encoding="utf-8")
    return f"{name}.ipynb"


@pytest.mark.parametrize(
    "asks", ['predict("02.1")', 'predict("04.2")', 'predict("02.1", hands=True)', 'check("02.3", ...)']
)
def test_no_key_leaves_a_question(lab: Lab, asks: str) -> None:
    """After a click on its words, a button, a field, and after the guess: as many cells, of the same kinds, in the same mode."""
    sources = ["from viz.lesson import check, predict", f"guess = {asks}", "0"]
    with lab.open(written(lab, "asked", sources)) as opened:
        opened.run_all()
        box = opened.page.locator(".widget-box.mt-question")
        box.wait_for()
        leaks = []
        parts = [
            "b",
            *(["input"] if box.locator("input").count() else []),
            "button >> nth=-1",
            ".widget-html >> nth=-1",
        ]
        for part in parts:
            box.locator(part).first.click(force=True)
            opened.page.wait_for_timeout(150)
            if key := opened.leak(KEYS):
                leaks.append((part, key))
        assert leaks == []
        assert opened.in_panel("panel => panel.context.model.dirty")
        opened.page.keyboard.press("Control+s")  # with Ctrl it is the notebook's
        opened.page.wait_for_timeout(600)
        assert not opened.in_panel("panel => panel.context.model.dirty")
        assert opened.complaints() == {}


ASKS = """with viz.record() as run:
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    dy_dx = tape.gradient(y, x)
viz.step(run, ask="02.2")"""


def test_a_guess_in_a_stepper_reaches_the_learner_s_log(lab: Lab) -> None:
    """Nothing leads past the question until an option is clicked; then the answer is told beside the guess, no key leaves the player,
    and the kernel notes what was guessed."""
    sources = ["import minitape as tf, viz\nfrom viz.lesson import summary", ASKS, "summary()", "0"]
    with lab.open(written(lab, "asking", sources)) as opened:
        opened.run_all()
        player = opened.page.locator(".mt").first
        step, option = player.locator("[data-n]").first, player.locator(".mt-ask.now .mt-option")
        for key in ("Home", "End"):
            player.locator(".mt-next").press(key)
        asked = int(step.inner_text())
        for _ in range(3):
            player.locator(".mt-next").press("ArrowRight")
        assert int(step.inner_text()) == asked < 9, "the question waits"
        assert option.all_inner_texts() == ["1", "2", "3"]
        option.nth(2).click()
        assert opened.page.evaluate("() => Boolean(document.activeElement.closest('.mt'))")
        assert opened.leak(one for one in KEYS if one not in ("ArrowLeft", "ArrowRight")) is None
        player.locator(".mt-next").press("End")
        told = player.locator(".mt-truth.now")
        for at in range(int(step.inner_text()) - 1, asked - 1, -1):  # back to where it was asked
            player.locator(".mt-back").press("ArrowLeft")
            opened.wait("at => document.querySelector('.mt [data-n]').textContent === at", argument=str(at))
            if told.count():
                break
        assert told.evaluate("one => one.classList.contains('wrong')")
        assert "x stands in x * x twice; watching it is no use of it." in told.inner_text()
        opened.page.wait_for_timeout(500)  # a player sends what happened a moment later, all at once
        opened.page.evaluate(RUN_CELL, [opened.name, "c2", "summary()"])
        opened.page.locator(".jp-OutputArea-output").get_by_text("02.2 ✗ your guess: 3").wait_for()
        assert opened.complaints() == {}
