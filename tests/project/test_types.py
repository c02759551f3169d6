"""What editors and type checkers know of a learner's program: every type of a right one, and where a wrong one slips."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ROOT

PROGRAMS = Path("tests/data/types")
CHECKERS = {
    "mypy": [
        sys.executable, "-m", "mypy", "--config-file=", "--strict", "--follow-imports=silent",
        "--cache-dir", ".mypy_cache/programs",
    ],
    "pyright": ["pyright", "--pythonpath", sys.executable],  # where it is installed: it brings a Node of its own
}  # fmt: skip


def complaints(checker: str, program: str) -> set[int]:
    """The lines of a program in which the checker finds an error."""
    run = subprocess.run(
        [*CHECKERS[checker], str(PROGRAMS / program)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert run.returncode in (0, 1), run.stdout + run.stderr
    found = re.findall(rf"{re.escape(program)}:(\d+)(?::\d+)?(?: -)?:? error", run.stdout)
    assert bool(found) == bool(run.returncode), run.stdout
    return {int(line) for line in found}


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
