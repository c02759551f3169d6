"""What several tests need: where things lie, and how to start another Python on this checkout."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NoReturn

import pytest

ROOT = Path(__file__).resolve().parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
READINGS = {"18_the_same_elsewhere"}  # notebooks in which nothing is to be answered
UNDER_CI = os.environ.get("CI", "").lower() not in ("", "0", "false")


def mypy_cache(name: str) -> str:
    """Where mypy keeps what it knows until the next run; under CI there is none, and to write it down takes a tenth of the time."""
    return os.devnull if UNDER_CI else f".mypy_cache/{name}"


def times(count: int, share: int = 20) -> int:
    """How often something is tried: `count` in a deep run, a twentieth of that, or whatever share, otherwise."""
    return count if deep() else count // share


def deep() -> bool:
    """Whether this is `pytest -m deep`: tests/conftest.py says so to all workers."""
    return bool(os.environ.get("MINITAPE_DEEP"))


def environment(**more: str) -> dict[str, str]:
    """This process's environment, with the checkout first on the import path and this Python first on PATH."""
    path = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")]))
    programs = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    return {**os.environ, "PYTHONPATH": path, "PATH": programs, **more}


def python(*arguments: str, cwd: Path = ROOT, timeout: float = 600) -> subprocess.CompletedProcess[str]:
    """Run `python arguments...` on this checkout; its output is text, its return code is for the caller to judge."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=cwd,
        env=environment(PYTHONIOENCODING="utf-8"),
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=timeout,
        check=False,
    )


def interpreter(version: str) -> str:
    """This version of Python where the machine has it: on PATH, or in pyenv's folder; the test is skipped where it has not."""
    pyenv = sorted((Path.home() / ".pyenv" / "versions").glob(f"{version}.*/bin/python"))
    for found in filter(None, [shutil.which(f"python{version}"), *map(str, pyenv)]):
        # Otherwise it is a shim of pyenv's.
        if subprocess.run([found, "-c", ""], capture_output=True, check=False).returncode == 0:
            return found
    pytest.skip(f"there is no Python {version} on this machine")


def project_files() -> list[Path]:
    """The files that belong to the project: those git knows, or would know after `git add`."""
    try:
        listing = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT,
            capture_output=True,
            encoding="utf-8",
            check=True,
        ).stdout
    except (OSError, subprocess.CalledProcessError):  # an unpacked archive, or no git
        hidden = (".git", ".venv", "venv", "dist", "__pycache__", ".ipynb_checkpoints")
        caches = tuple(f".{tool}_cache" for tool in ("pytest", "mypy", "ruff"))
        paths = (path.relative_to(ROOT) for path in ROOT.rglob("*"))
        return [ROOT / path for path in paths if not set(path.parts) & {*hidden, *caches}]
    return [ROOT / name for name in listing.split("\0") if name and (ROOT / name).is_file()]


def not_here(reason: str) -> NoReturn:
    """Skip, because this machine lacks something; under CI nothing may be lacking, so fail."""
    if UNDER_CI:
        pytest.fail(f"{reason} (a failure, because CI is set)", pytrace=False)
    pytest.skip(reason)


def as_python(cell: str) -> str:
    """A notebook cell as plain Python: a magic on its first line becomes a comment, so that lines keep their numbers."""
    return f"# {cell}" if cell.startswith("%%") else cell


def said(problem: BaseException) -> str:
    """What an error says, without the program's own line: that may hold the words that a test looks for."""
    return re.sub(r"\n  at .*", "", str(problem))
