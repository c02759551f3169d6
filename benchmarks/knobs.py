"""From knob to picture: `python -m benchmarks.knobs [LESSON ...]` turns the knobs of each lesson fifty times, in a JupyterLab.

With `--kernel` it measures the kernel's part alone, in milliseconds of CPU: the program
traced anew, told, and compared with what the page knows.  Without it, playwright and a Chromium are needed; beside the time
on the wall, which neighbours lengthen, stands what the browser's main thread took of CPU.
"""

from __future__ import annotations

import asyncio
import json
import linecache
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import minitape as tf
import viz

LESSONS = Path(__file__).resolve().parent.parent / "notebooks"
MOVES, PAUSE = 50, 0.35  # how many, and s between two: a gesture each
REACH = 1.0  # s from the end of Run All until a hand is at the first knob
MEDIAN, WORST = 60.0, 100.0  # ms from the knob to the picture: the goals
NONE = 3000  # ms without a change: the move changes nothing that is seen

# Turns a knob, waits for the picture (or for another one in its place) to change, and then for the frame that shows it.
TURN = """([name, kind, value]) => new Promise(done => {
  const away = ".mt-shelf.away", root = document.querySelector(`.mt:not(${away} *)`), start = performance.now();
  const knob = root.querySelector(`.mt-live [data-knob="${name}"]`), at = one => one.nodeType === 1 ? one : one.parentElement;
  const shelf = node => node.nodeType === 1 && node.matches(".mt-shelf") && !node.matches(away);
  const changed = one => at(one.target).closest(".mt-picture, .mt-out, .mt-say > span") && !at(one.target).closest(away);
  const drawn = one => changed(one) || shelf(one.target) || [...one.addedNodes].some(shelf);
  const tell = time => { watch.disconnect(); clearTimeout(late); done(time); };
  const watch = new MutationObserver(all => {
    if (all.some(drawn)) requestAnimationFrame(() => setTimeout(() => tell(performance.now() - start)));
  });
  const late = setTimeout(() => tell(null), NONE);
  const all = root.closest(".mt-shelf").parentElement;
  watch.observe(all, { subtree: true, childList: true, attributes: true, characterData: true });
  if (kind === "switch") knob.checked = value; else knob.value = value;
  knob.dispatchEvent(new Event("input", { bubbles: true }));
})""".replace("NONE", str(NONE))


def cell(path: Path) -> str:
    """The cell of a lesson with its knobs; "" if it has none."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return next(
        (s for cell in cells if "viz.live(" in (s := "".join(cell["source"])) and cell["cell_type"] == "code"), ""
    )


def live_of(path: Path) -> Any:
    """What that cell shows."""
    source, shown, file = cell(path), [], f"{path.stem}.py"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    noted = SimpleNamespace(live=lambda *given, **knobs: shown.append(viz.live(*given, **knobs)))
    exec(compile(source, file, "exec"), {"tf": tf, "viz": noted})
    return shown[0]


def moves(live: Any) -> Iterator[tuple[str, str, Any]]:
    """Five moves of a knob, then five of the next: along numbers in small steps, through switches and choices one by one."""
    values = dict(live.values)
    for at in range(MOVES):
        knob = live.knobs[at // 5 % len(live.knobs)]
        stops = knob.stops(26)
        now = min(range(len(stops)), key=lambda i: abs(float(stops[i]) - float(values[knob.name])))
        values[knob.name] = stops[(now + 1) % len(stops)]
        yield knob.name, knob.kind, values[knob.name]


async def in_kernel(path: Path) -> list[float]:
    """Milliseconds of CPU for each turn, with the pauses in which a kernel does what is not to be waited for."""
    live, found = live_of(path), []
    shown = live.widget
    for name, _, value in moves(live):
        await asyncio.sleep(PAUSE)
        start = time.process_time()
        shown.values = {**shown.values, name: value}
        json.dumps(shown.turn)
        found.append(1e3 * (time.process_time() - start))
        shown.settled += 1
    return found


def in_lab(lab: Any, path: Path) -> tuple[list[float], list[float]]:
    """Milliseconds on the wall for each turn that changes what is seen, and of CPU in the browser's main thread."""
    sources = ["import minitape as tf, viz", cell(path)]
    cells = [
        {"cell_type": "code", "id": f"c{at}", "metadata": {}, "outputs": [], "execution_count": None, "source": source}
        for at, source in enumerate(sources)
    ]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    whole = {"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    (lab.root / path.name).write_text(json.dumps(whole), encoding="utf-8")
    found, browser = [], []
    with lab.open(path.name, size=(1366, 768), fresh=True) as opened:
        inside = opened.page.context.new_cdp_session(opened.page)
        inside.send("Performance.enable", {"timeDomain": "threadTicks"})

        def cpu() -> float:
            told = inside.send("Performance.getMetrics")["metrics"]
            return 1e3 * next(metric["value"] for metric in told if metric["name"] == "TaskDuration")

        opened.run_all()
        opened.page.locator(".mt-live").first.wait_for()
        opened.page.locator(".mt-shelf:not(.away) .mt-next").press("End")
        opened.page.wait_for_timeout(1e3 * REACH)
        for move in moves(live_of(path)):
            opened.page.wait_for_timeout(1e3 * PAUSE)
            before, took = cpu(), opened.page.evaluate(TURN, list(move))
            if took is not None:
                found.append(took)
                browser.append(cpu() - before)
    return found, browser


def told(path: Path, times: list[float], browser: list[float] | None = None) -> bool:
    """Print a line; whether the goals are met."""
    middle, worst = statistics.median(times), sorted(times)[-3:]
    own = f"{statistics.median(browser):8.0f}{max(browser):6.0f}" if browser else ""
    longest = ", ".join(f"{slow:.0f}" for slow in reversed(worst))
    print(f"{path.stem:28}{len(times):6}{middle:8.0f}   {longest:20}{own}", flush=True)
    return middle <= MEDIAN and worst[-1] <= WORST


def main(arguments: list[str]) -> int:
    """Print a line a lesson; 0 where the goals are met."""
    names = [argument for argument in arguments if not argument.startswith("-")]
    paths = [path for path in sorted(LESSONS.glob("*.ipynb")) if cell(path)]
    paths = [path for path in paths if not names or any(path.name.startswith(name) for name in names)]
    more = "" if "--kernel" in arguments else "; browser, CPU: median, longest"
    print(f"{'lesson':28}{'turns':>6}{'median':>8}   the three longest, ms{more}")
    if "--kernel" in arguments:
        return 1 - min(told(path, asyncio.run(in_kernel(path))) for path in paths)
    from playwright.sync_api import sync_playwright

    from tests.browser.conftest import FLAGS, chromium
    from tests.browser.lab import Lab

    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=chromium(), args=[*FLAGS, "--no-sandbox"])
        root = Path(folder, "notebooks")
        root.mkdir()
        with Lab(browser, root, Path(folder)) as lab:
            met = [told(path, *in_lab(lab, path)) for path in paths]
        browser.close()
    return 1 - min(met)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
