"""What a step costs in the browser, and a key in the microscope: `python -m benchmarks.browser` steps through a page of 300
marks, moves over a gradient of 128 × 64 numbers, and prints the times.

Script is what the player itself does between the key and the frame; style and layout are the browser's own share.  It needs
playwright and a Chromium (on PATH, or named in MINITAPE_CHROMIUM), and no network.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
from pathlib import Path
from typing import Any

import minitape as tf
import viz

OPS = 120  # a value each, and two edges; the backward pass adds a number to each
GOAL = 16.0  # ms of script: one frame
VIEWS = ("graph", "score")
PASSES = 5  # of each step the quickest is what its script costs: the others waited for something else

STEPS = """last => {
  const scrub = document.querySelector(".mt-scrub"), times = [];
  for (const way of [1, -1]) for (let i = 0; i <= last; i++) {
    scrub.value = way > 0 ? i : last - i;
    const start = performance.now();
    scrub.dispatchEvent(new Event("input"));
    times.push(performance.now() - start);
    document.body.offsetHeight;  // the layout that the browser owes, outside of the script's time
  }
  return times;
}"""


KEYS = """count => {
  const grid = document.querySelector("[data-grid='result ']"), times = [];
  for (let i = 0; i < count; i++) {
    const start = performance.now();
    grid.dispatchEvent(new KeyboardEvent("keydown", { key: i % 2 ? "ArrowUp" : "ArrowLeft", bubbles: true }));
    document.body.offsetHeight;
    times.push(performance.now() - start);
  }
  return times;
}"""


def program() -> viz.Run:
    """A chain of ops, each of which uses the variable again, and its backward pass."""
    with viz.record("a page of 300 marks") as run:
        x = tf.Variable(1.01)
        with tf.GradientTape() as tape:
            y = x
            for _ in range(OPS // 2):
                y = tf.sin(y) * x
        tape.gradient(y, x)
    return run


def layer() -> viz.Run:
    """A dense layer of 128 × 64 weights, and its backward pass."""
    with viz.record("a layer") as run:
        w = tf.Variable(tf.random.normal((128, 64), seed=0))
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.tanh(tf.random.normal((16, 128), seed=1) @ w))
        tape.gradient(loss, w)
    return run


def pressed(page: Any, url: str) -> float:
    """Milliseconds of script, style and layout for a key in the microscope: the median."""
    page.goto("about:blank")
    page.goto(url)
    page.wait_for_selector("[data-ready]", state="attached")
    page.keyboard.press("m")
    page.wait_for_selector(".mt-microscope > *", state="attached")
    page.keyboard.press("End")
    while page.locator("[data-grid='result ']").count() == 0:
        page.keyboard.press("ArrowLeft")
    page.evaluate(KEYS, 40)  # the first time through, code is still being compiled
    return statistics.median(page.evaluate(KEYS, 40))


def measured(page: Any, url: str, view: str) -> dict[str, float]:
    """Milliseconds per step, over all steps there and back."""
    page.goto("about:blank")
    page.goto(f"{url}#view={view}")
    page.wait_for_selector("[data-ready]", state="attached")
    last = int(page.text_content(".mt-count").split("/")[1])
    page.evaluate(STEPS, last)  # the first time through, code is still being compiled
    devtools = page.context.new_cdp_session(page)
    devtools.send("Performance.enable")
    before = _metrics(devtools)
    passes = [page.evaluate(STEPS, last) for _ in range(PASSES)]
    after = _metrics(devtools)
    ordered = sorted(map(min, zip(*passes, strict=True)))
    count = PASSES * len(ordered)
    own = {name: 1e3 * (after[name] - before[name]) / count for name in ("RecalcStyleDuration", "LayoutDuration")}
    return {
        "median": statistics.median(ordered), "95 %": ordered[int(0.95 * len(ordered))], "most": ordered[-1],
        "style": own["RecalcStyleDuration"], "layout": own["LayoutDuration"],
    }  # fmt: skip


def _metrics(devtools: Any) -> dict[str, float]:
    return {metric["name"]: metric["value"] for metric in devtools.send("Performance.getMetrics")["metrics"]}


def main() -> int:
    """Print the table and return 0 where the goal is met, 1 where it is not, 2 where there is nothing to measure with."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        print("nothing to measure with: pip install playwright", file=sys.stderr)
        return 2
    from tests.browser.conftest import FLAGS, chromium

    path = chromium()
    if path is None:
        print("nothing to measure with: no Chromium on PATH; name one in MINITAPE_CHROMIUM", file=sys.stderr)
        return 2
    run = program()
    scene = run.scene  # type: ignore[attr-defined]
    worst = 0.0
    print(f"{len(scene.values)} cards, {len(scene.edges)} edges, {len(scene.steps)} steps; milliseconds a step")
    print(f"{'view':8}{'script: median':>16}{'95 %':>8}{'most':>8}{'style':>8}{'layout':>8}")
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        file = Path(viz.export(run, Path(folder) / "page.html"))
        root = ["--no-sandbox"] if sys.platform == "linux" and os.geteuid() == 0 else []
        browser = playwright.chromium.launch(executable_path=path, args=[*FLAGS, *root])
        page = browser.new_page(viewport={"width": 1280, "height": 900}, reduced_motion="reduce")
        for view in VIEWS:
            spent = measured(page, file.as_uri(), view)
            worst = max(worst, spent["95 %"])
            figures = "".join(f"{spent[name]:8.2f}" for name in ("95 %", "most", "style", "layout"))
            print(f"{view:8}{spent['median']:16.2f}{figures}")
        key = pressed(page, Path(viz.export(layer(), Path(folder) / "layer.html")).as_uri())
        worst = max(worst, key)
        browser.close()
    print(f"a key in the microscope: {key:.2f} ms with style and layout")
    print(
        f"goal: at most {GOAL:g} ms of script in 95 of 100 steps, and for a key: {'met' if worst <= GOAL else 'not met'}"
    )
    return 0 if worst <= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
