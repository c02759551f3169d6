"""Writes docs/guides.md: which cells of TensorFlow's guides run, from the cells under tests/data/guides/.

Run `python -m tests.guides_page` after a change of the guides; a test compares.
"""

from __future__ import annotations

import re
from collections import Counter

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
    return HEAD + cells


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
