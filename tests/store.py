"""Run notebooks in fresh kernels and store them as they are committed: `python -m tests.store [notebooks/NAME.ipynb ...]`.

With no names, all of them.  Outputs and tags stay; widget state, timings and the Python version do not.  A widget's
identity dies with its kernel, so it becomes a plain number; a traceback names files from the project's folder on, or from
that of the packages; and storing twice changes nothing that is the same.
"""

from __future__ import annotations

import itertools
import os
import sys
import sysconfig
from pathlib import Path

import nbformat
from nbclient import NotebookClient

from tests.support import NOTEBOOKS, ROOT, environment
from viz import files

PACKAGES = sysconfig.get_path("purelib")


def store(path: Path) -> None:
    """Run one notebook from top to bottom and write it back; an error that no tag announces is raised."""
    notebook = nbformat.read(path, as_version=4)
    client = NotebookClient(
        notebook,
        kernel_name="python3",
        timeout=300,
        store_widget_state=False,
        record_timing=False,
        coalesce_streams=True,
        resources={"metadata": {"path": str(path.parent)}},
    )
    client.execute(env=environment())
    notebook.metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    views = itertools.count(1)
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if view := output.get("data", {}).get("application/vnd.jupyter.widget-view+json"):
                view["model_id"] = f"{next(views):032x}"
            if "traceback" in output:
                output["traceback"] = [
                    line.replace(f"{ROOT}{os.sep}", "").replace(f"{PACKAGES}{os.sep}", "")
                    for line in output["traceback"]
                ]
        tags = cell.metadata.get("tags")
        cell.metadata = {"tags": tags} if tags else {}
    files.write(path, nbformat.writes(notebook) + "\n")


if __name__ == "__main__":
    for path in [Path(name).resolve() for name in sys.argv[1:]] or NOTEBOOKS:
        store(path)
        print(f"{path.name}: stored")
