"""The course: where its notebooks are, and JupyterLab opened in the middle of them, with README and docs in reach."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

FIRST = "01_tape_by_hand.ipynb"
COPY = "minitape-course"  # the folder that an installed course is copied to, so that a learner's work is the learner's


class NoCourse(Exception):
    """There is no course to open, or nothing to open it with; the message says what to do."""


def checkout() -> Path | None:
    """The checkout that the learner stands in, or else the one that this package runs from; None where neither is one."""
    here = Path.cwd()
    for folder in (here, *here.parents, Path(__file__).resolve().parents[1]):
        if (folder / "notebooks" / FIRST).is_file():
            return folder
    return None


def installed() -> Path | None:
    """Where the wheel put its copy of the course, or None."""
    try:
        files = importlib.metadata.distribution("minitape").files or []
    except importlib.metadata.PackageNotFoundError:
        return None
    for file in files:
        if file.parts[-3:] == ("minitape", "notebooks", FIRST):
            return Path(str(file.locate())).resolve().parents[1]
    return None


def root() -> Path:
    """The folder of the course; an installed one is copied beside the learner first, and no file there is overwritten.

    Raises NoCourse where there is none.
    """
    found = checkout()
    if found is not None:
        return found
    source, target = installed(), Path.cwd() / COPY
    if source is None:
        raise NoCourse("the course is not here: run this in a clone of the project, or install minitape from a wheel")
    for file in sorted(source.rglob("*")):
        mine = target / file.relative_to(source)
        if file.is_file() and not mine.exists():
            mine.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, mine)
    return target


def lesson(folder: Path, wanted: str) -> str:
    """The path of a lesson below the course's folder, by its number or the beginning of its name.

    Raises NoCourse, with the lessons that there are.
    """
    names = sorted(file.name for file in (folder / "notebooks").glob("*.ipynb"))
    chosen = [name for name in names if name.startswith(wanted)] if wanted else [FIRST]
    if not chosen:
        raise NoCourse(f"there is no lesson {wanted}; there are {', '.join(name.split('_')[0] for name in names)}")
    return f"notebooks/{chosen[0]}"


def opened(wanted: str, arguments: Sequence[str] = ()) -> int:
    """Start JupyterLab on a lesson, in this process where that can be; further arguments are JupyterLab's own.

    Raises NoCourse where there is no JupyterLab or no course.
    """
    if importlib.util.find_spec("jupyterlab") is None:
        raise NoCourse("JupyterLab is not installed here: pip install 'minitape[lab]' brings it")
    folder = root()
    page = lesson(folder, wanted)
    print(f"minitape: the course is in {folder}", flush=True)
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={folder}"]
    command.append(f"--LabApp.default_url=/lab/tree/{page}")
    command += arguments
    if os.name != "nt":
        os.execv(sys.executable, command)  # Ctrl-C and signals are Jupyter's own from here on
    return subprocess.call(command)
