"""What editors and type checkers know of a learner's program: every type of a right one, and where a wrong one slips."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from tests.support import ROOT, mypy_cache

PROGRAMS = Path("tests/data/types")
CHECKERS = {
    "mypy": [
        sys.executable, "-m", "mypy", "--config-file=", "--strict", "--follow-imports=silent",
        "--cache-dir", mypy_cache("programs"),
    ],
    "pyright": ["pyright", "--pythonpath", sys.executable],  # where it is installed: it brings a Node of its own
}  # fmt: skip


@cache
def checked(checker: str) -> list[tuple[str, int]]:
    """Where in both programs the checker finds an error: most of its time it reads what they import."""
    both = [str(PROGRAMS / name) for name in ("program.py", "slips.py")]
    run = subprocess.run([*CHECKERS[checker], *both], cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode in (0, 1), run.stdout + run.stderr
    errors = [line for line in run.stdout.splitlines() if " error: " in line]
    found = [re.search(r"(program\.py|slips\.py):(\d+)(?::\d+)?(?: -)?:? error: ", line) for line in errors]
    assert all(found) and bool(found) == bool(run.returncode), run.stdout  # none is anywhere else
    return [(one[1], int(one[2])) for one in found if one]


def complaints(checker: str, program: str) -> set[int]:
    """The lines of a program in which the checker finds an error."""
    return {line for name, line in checked(checker) if name == program}


@pytest.fixture(params=CHECKERS)
def checker(request: pytest.FixtureRequest) -> str:
    if request.param == "pyright" and not shutil.which("pyright"):
        pytest.skip("pyright is not installed; pip install pyright brings it")
    return str(request.param)


@pytest.mark.slow
def test_nothing_is_found_in_a_right_program(checker: str) -> None:
    """Its `assert_type` lines also say that no type in it is unknown."""
    assert complaints(checker, "program.py") == set()


@pytest.mark.slow
def test_every_slip_is_found_and_nothing_else(checker: str) -> None:
    lines = (ROOT / PROGRAMS / "slips.py").read_text(encoding="utf-8").splitlines()
    slips = {number for number, line in enumerate(lines, 1) if "# slip:" in line}
    assert len(slips) >= 15
    assert complaints(checker, "slips.py") == slips
