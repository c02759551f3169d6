"""Writes docs/guides.md: which cells of TensorFlow's guides run, from the cells under tests/data/guides/.

Run `python -m tests.guides_page` after a change of the guides; a test compares.
"""

from __future__ import annotations

import itertools
import json
import re
from collections import Counter
from types import ModuleType, SimpleNamespace
from typing import Any

import minitape as tf
from tests import guides
from tests.support import ROOT

PAGE = ROOT / "docs" / "guides.md"
HEAD = """\
# TensorFlow's guides, cell by cell

Of these public guides and tutorials, with one changed line, `import minitape as tf`, all cells of code run but those that the
last column counts: a guide whose last column is empty runs from top to bottom, in any other those cells must be left out.
Each cell that runs has a cell under `tests/data/guides/`, with the same calls, and its test compares what is printed with
what TensorFlow 2.21 prints: the words, and every number to float32's last digits. Random numbers are injected. *As Keras 2*
is what Keras 3 refuses or leaves out, and Keras 2, for which the guides were written, prints. What differs does so on
purpose, and is a row of [differences.md](differences.md). What is left out needs something that is out of scope.

This page is written by `python -m tests.guides_page`, and a test keeps it fresh.

| guide | cells | the same | as Keras 2 | differ | left out |
|---|---|---|---|---|---|
"""


def title(name: str) -> str:
    """The guide's own title, from the first line of its file."""
    first = (guides.FOLDER / f"{name}.py").read_text(encoding="utf-8").splitlines()[0]
    return re.findall(r'"(.*)"', first)[0]


def row(name: str) -> str:
    """A guide's line of the table."""
    cells = guides.cells(name)
    count = Counter(cell.state for cell in cells)
    why = Counter(cell.about for cell in cells if cell.state == "left out")
    left_out = ", ".join(f"{number} {reason}" for reason, number in why.items())
    numbers = (str(count[state] or "") for state in ("", "Keras 2", "differs"))
    return f"| {title(name)} | {len(cells)} | {' | '.join(numbers)} | {left_out} |"


def page() -> str:
    """The whole page."""
    names = sorted(path.stem for path in guides.FOLDER.glob("*.py"))
    different = [
        f"- {title(name)}, cell {cell.number}: {cell.about}"
        for name in names
        for cell in guides.cells(name)
        if cell.state == "differs"
    ]
    cells = "\n".join(map(row, names)) + "\n\nThe cells that differ:\n\n" + "\n".join(different) + "\n"
    return (
        HEAD + cells + NOTEBOOKS + "\n".join(itertools.starmap(notebook_row, notebooks().items())) + "\n" + refusals()
    )


# ---- the notebooks that use GradientTape: not run, but asked for every name that they use ------------------------------------

NOTEBOOKS = """
## The notebooks that use GradientTape

TensorFlow's documentation has these 45 notebooks that use `GradientTape`. This table is about names: how many of TensorFlow's
names, Keras's among them, a notebook uses, how many of these minitape has, and which it refuses, with a sentence that says why
(below). A name that is there does not make a notebook run: data that is downloaded, and packages beside TensorFlow, are not
counted. The names are read out of the notebooks by `tools/notebook_names.py`.

| notebook | names | there | refused |
|---|---|---|---|
"""


def notebooks() -> dict[str, Any]:
    """Title of each, and the names that it uses."""
    found: dict[str, Any] = json.loads((ROOT / "tests" / "data" / "notebook-names.json").read_text(encoding="utf-8"))
    return found


def refused(name: str) -> tuple[str, str] | None:
    """What of a name is refused, and the sentence; None where it is there.  Raises AttributeError for a name without a sentence."""
    found: Any = tf
    for count, part in enumerate(name.split("."), 1):
        try:
            found = getattr(found, part)
        except AttributeError as problem:
            said = re.search(r"out of scope \((.*)\)", str(problem))
            if not said:
                raise
            return ".".join(name.split(".")[:count]), said[1]
        if not isinstance(found, ModuleType | SimpleNamespace) and not _holds_names(found):
            return None  # a method of an object is that object's business
    return None


def _holds_names(found: Any) -> bool:
    return found in (tf.data.Dataset, tf.compat)


def notebook_row(path: str, facts: dict[str, Any]) -> str:
    """A notebook's line of the table."""
    found = [refused(name) for name in facts["names"]]
    gone = sorted({one[0] for one in found if one})
    there = sum(one is None for one in found)
    return f"| {facts['title']} (`{path}`) | {len(found)} | {there} | {', '.join(f'`{one}`' for one in gone)} |"


def refusals() -> str:
    """The sentences, each with the names that it is said of."""
    said: dict[str, set[str]] = {}
    for facts in notebooks().values():
        for one in filter(None, map(refused, facts["names"])):
            said.setdefault(one[1], set()).add(one[0])
    lines = [f"- {', '.join(f'`tf.{name}`' for name in sorted(names))}: {why}" for why, names in sorted(said.items())]
    return "\nWhat is refused, and what is said of it:\n\n" + "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
