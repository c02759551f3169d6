"""Lessons performed, so that their pages step with no kernel:  python -m docs.site.course NOTEBOOK... writes them anew.

What a notebook stores is pictures. Here its cells run once more, and of every stepper, every program with knobs and every
question stays what a browser needs to play it: the sheet of the player, the positions of the knobs, the words for each guess.
`viz/static/course.js` begins each where its still stands.
"""

from __future__ import annotations

import gc
import json
import multiprocessing
import os
import sys
from collections.abc import Callable
from functools import partial
from html import escape
from pathlib import Path
from typing import Any

from IPython.core.displayhook import DisplayHook
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output

import viz
from viz.lesson import after
from viz.lesson.guesses import comparisons, waiting
from viz.paint import cells
from viz.paint.page import packed

VIEW = "application/vnd.jupyter.widget-view+json"
Bundle = dict[str, Any]


class Answers(DisplayHook):  # type: ignore[misc,unused-ignore]
    """A cell's last value is shown as `display` shows one."""

    def write_output_prompt(self) -> None:
        """There is no terminal."""

    def write_format_data(self, format_dict: Bundle, md_dict: Bundle | None = None) -> None:
        """Where everything goes that a cell shows."""
        self.shell.display_pub.publish(format_dict, md_dict)


class Shell(InteractiveShell):  # type: ignore[misc,unused-ignore]
    """IPython without a kernel's process; lessons ask with buttons where there is a kernel."""

    displayhook_class = Answers
    kernel = None


def perform(path: Path) -> None:
    """Write a notebook anew: in the place of each picture that a kernel would bring to life stands what a page can play.

    Raises RuntimeError where its cells show other things than are stored.
    """
    gc.freeze()  # what was loaded for all lessons stays, and to look through it again and again takes a sixth of the time
    gc.set_threshold(10_000)
    path = path.resolve()
    notebook = json.loads(path.read_text(encoding="utf-8"))
    os.chdir(path.parent)
    shell = Shell.instance(colors="nocolor")
    viz.load_ipython_extension(shell)  # both do it themselves where a kernel is there before they are imported
    after.load(shell)
    cells.keep()
    places: dict[str, Any] = {}
    for number, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] != "code":
            continue
        ran = shown(partial(shell.run_cell, "".join(cell["source"]), store_history=True))
        stored = [one for one in cell["outputs"] if one["output_type"] in ("display_data", "execute_result")]
        if len(stored) != len(ran):
            raise RuntimeError(f"cell {number} of {path.name} stores {len(stored)} pictures and shows {len(ran)}")
        for output, (data, name) in zip(stored, ran, strict=True):
            places[name] = output
            if VIEW in data:
                del output["data"][VIEW]
                put(output, cells.showing(data[VIEW]["model_id"]).carried())
    for key, needed, act in waiting():
        names = [one.name for one in needed]
        for data, name in shown(act):
            if key == ("check", names[0]):
                put(places[name], {"kind": "compares", "name": names[0], "words": comparisons(names[0])})
            else:
                put(places[name], {"kind": "shows", "after": names, "html": _html(data)})
    path.write_text(json.dumps(notebook, ensure_ascii=False), encoding="utf-8")


def shown(act: Callable[[], Any]) -> list[tuple[Bundle, str]]:
    """What something shows, each with the name by which it may be shown anew."""
    with capture_output() as caught:
        act()
    return [(one.data, one.transient.get("display_id", "")) for one in caught.outputs]


def put(output: dict[str, Any], told: dict[str, Any]) -> None:
    """What plays goes around what is there to be seen until then."""
    output["data"]["text/html"] = _around(_face(output["data"]), told)


def _html(data: Bundle) -> str:
    """One output as a page shows it, and what plays in its place if there is something."""
    face = _face(data)
    return _around(face, cells.showing(data[VIEW]["model_id"]).carried()) if VIEW in data else face


def _around(face: str, told: dict[str, Any]) -> str:
    return f'<div class="mt-course" data-told="{packed(told)}">{face}</div>'


def _face(data: Bundle) -> str:
    """What of an output a page can show by itself."""
    if "text/html" in data:
        return "".join(data["text/html"])
    return f"<pre>{escape(''.join(data.get('text/plain', '')))}</pre>"


if __name__ == "__main__":
    # Each lesson has a process of its own, and where it can be forked, one that has imported already.
    how = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
    processes = multiprocessing.get_context(how)
    processes.set_forkserver_preload(["viz.lesson.guesses", "viz.knobs.page", "IPython.core.interactiveshell"])
    with processes.Pool(maxtasksperchild=1) as pool:
        pool.map(perform, map(Path, sys.argv[1:]), chunksize=1)
