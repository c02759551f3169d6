"""Cells of a notebook: read from its file, and run in a kernel of their own."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.support import environment


class Cell(NamedTuple):
    """What stands in a cell, and its tags."""

    source: str
    tags: list[str]


def code_cells(path: Path) -> list[Cell]:
    """The cells with code of this notebook."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [
        Cell("".join(cell["source"]), cell["metadata"].get("tags", [])) for cell in cells if cell["cell_type"] == "code"
    ]


def ran(sources: Iterable[str], folder: Path, monkeypatch: pytest.MonkeyPatch, **more: str) -> list[Any]:
    """The cells after they ran one behind the other in a fresh kernel, in this folder, with more in its environment; an error
    is an output like any other."""
    import nbformat  # takes a second, which the quick tests beside those that call this need not wait
    from nbclient import NotebookClient

    monkeypatch.setenv("IPYTHONDIR", str(folder / "ipython"))
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
    resources = {"metadata": {"path": str(folder)}}
    NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=120,
        allow_errors=True,
        shutdown_kernel="immediate",
        resources=resources,
    ).execute(env=environment(**more))
    cells: list[Any] = notebook.cells
    return cells
