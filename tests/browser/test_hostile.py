"""A stranger's notebook, opened, trusted or run, in a real JupyterLab: nothing of it runs that should not."""

from __future__ import annotations

import json
from typing import Any

from tests.browser.lab import RUN, Lab
from viz.paint.widget import Stepper

WORSE = "<img src=data:,x onerror=\"window.pwned='{place}'\"><script>window.pwned='{place}'</script>"
BIDI = "\u202e{{0}}\u2066\x1b[31m\ud800$(alert)"

PROGRAM = f"""
import minitape as tf, viz
bad, worse = {BIDI!r}, {WORSE.format(place="name")!r}  # </script><script>window.pwned='source'</script>
with viz.record(worse + bad, lead=worse) as run:
    x = tf.Variable(3.0, name=worse + bad.replace("\\ud800", ""))
    layer = tf.keras.layers.Dense(1, name="a")
    with tf.GradientTape() as tape:
        y = x * x
        z = layer(tf.reshape(y, [1, 1]))
    tape.gradient(z, x)
    try:
        raise ValueError(worse)
    except ValueError:
        pass
"""
SHOWN = [
    "viz.step(run)",
    "viz.graph(run)",
    "viz.table(run)",
    "run",
    "x",
    "tape",
    "viz.live(lambda text=worse, x=2.0: tf.sin(x))",
]


KIND = [f"_{what}_{part}" for what in ("model", "view") for part in ("module", "module_version", "name")]


def view(model: str, **data: Any) -> dict[str, Any]:
    data["application/vnd.jupyter.widget-view+json"] = {"model_id": model, "version_major": 2, "version_minor": 0}
    return data


def stored(model: str, esm: str) -> dict[str, Any]:
    sheet = {"html": WORSE.format(place=model), "steps": 1, "back": {}, "rooms": {}, "find": [], "folds": [], "say": 0}
    kind = {name: getattr(Stepper, name).default_value for name in KIND}
    names = {name.strip("_"): kind[name] for name in KIND if name.startswith("_model")}
    return {**names, "state": {**kind, "_esm": esm, "sheet": sheet}}


def notebook() -> dict[str, Any]:
    """Outputs and the states of widgets as a stranger may have written them, and a program whose names are theirs."""
    html = WORSE.format(place="output")
    svg = f"<svg xmlns='http://www.w3.org/2000/svg' onload=\"window.pwned='svg'\">{WORSE.format(place='svg')}</svg>"
    bundles = [
        {"text/html": html}, {"image/svg+xml": svg}, {"application/javascript": "window.pwned = 'javascript'"},
        view("ours", **{"text/html": html}), view("theirs", **{"text/html": html}),
    ]  # fmt: skip
    outputs = [{"output_type": "display_data", "metadata": {}, "data": data} for data in bundles]
    sources = ["1", PROGRAM, *SHOWN]
    cells = [
        {"cell_type": "code", "id": f"c{at}", "metadata": {}, "execution_count": None, "outputs": [], "source": source}
        for at, source in enumerate(sources)
    ]
    cells[0]["outputs"] = outputs
    cells.insert(0, {"cell_type": "markdown", "id": "words", "metadata": {}, "source": WORSE.format(place="markdown")})
    theirs = "export default {render() { window.pwned = 'module' }}"
    states = {"ours": stored("ours", Stepper._esm), "theirs": stored("theirs", theirs)}
    widgets = {"application/vnd.jupyter.widget-state+json": {"version_major": 2, "version_minor": 0, "state": states}}
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    return {"nbformat": 4, "nbformat_minor": 5, "cells": cells, "metadata": {"kernelspec": kernel, "widgets": widgets}}


def test_nothing_of_a_strangers_notebook_runs(lab: Lab) -> None:
    (lab.root / "stranger.ipynb").write_text(json.dumps(notebook()), encoding="utf-8")
    with lab.open("stranger.ipynb", kernel=False) as opened:
        opened.wait('() => document.querySelector(".jp-OutputArea-output")')
        opened.page.wait_for_timeout(1_000)
        assert opened.page.evaluate("() => window.pwned") is None
        assert not opened.outside
    with lab.open("stranger.ipynb") as opened:
        opened.run_all()
        opened.wait('() => document.querySelectorAll(".mt .scrub, .mt-scrub").length', RUN)
        for player in opened.page.locator(".mt-first").all():
            player.click(force=True)
        for player in opened.page.locator(".mt-next").all():
            for _ in range(6):
                player.click(force=True)
        opened.page.keyboard.press("i")
        opened.page.wait_for_timeout(500)
        opened.screenshot("stranger")
        assert opened.page.evaluate("() => window.pwned") is None
        assert opened.complaints() == {}
        opened.page.evaluate("html => document.body.insertAdjacentHTML('beforeend', html)", WORSE.format(place="trap"))
        opened.wait('() => window.pwned === "trap"')  # it would have been seen
        opened.page.evaluate(
            "() => { document.body.lastChild.previousSibling.remove(); document.body.lastChild.remove(); }"
        )
        assert opened.page.evaluate("() => delete window.pwned")  # the next notebook opens here
