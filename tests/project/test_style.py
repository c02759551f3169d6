"""The checkers, with the settings of pyproject.toml."""

from __future__ import annotations

import re
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests.support import ROOT, mypy_cache, python

SETTINGS = (ROOT / "pyproject.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("command", ["ruff check", "ruff format --check"])
def test_ruff_is_content(command: str) -> None:
    run = python("-m", *command.split())
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.slow
def test_mypy_is_content_and_its_list_of_exceptions_only_grows_shorter(tmp_path: Path) -> None:
    """mypy runs as if nothing were excepted: it may complain of nothing else, and must complain of every exception."""
    excepted = "warn_return_any = false"
    (section,) = [
        some for some in tomllib.loads(SETTINGS)["tool"]["mypy"]["overrides"] if some.get("warn_return_any") is False
    ]
    everything = tmp_path / "pyproject.toml"
    everything.write_text(SETTINGS.replace(excepted, "warn_return_any = true"), encoding="utf-8")
    run = python("-m", "mypy", "--config-file", str(everything), "--cache-dir", mypy_cache("without_exceptions"))
    assert run.returncode in (0, 1), run.stdout + run.stderr
    complaints = [line for line in run.stdout.splitlines() if ": error: " in line]
    returns = {module(line.split(":")[0]) for line in complaints if line.endswith("[no-any-return]")}
    assert [line for line in complaints if not line.endswith("[no-any-return]")] == []
    listed = section["module"]
    unlisted = sorted(name for name in returns if not any(fnmatch(name, pattern) for pattern in listed))
    assert unlisted == [], (
        "these return values of which mypy does not know the type: give them one, with cast or a name"
    )
    stale = [pattern for pattern in listed if not any(fnmatch(name, pattern) for name in returns)]
    # Newer Pythons have a newer NumPy, which tells mypy more: what the oldest one needs stays on the list.
    assert stale == [] or sys.version_info[:2] > (3, 11), (
        "these need no exception any more: take them off the list in pyproject.toml"
    )


def module(path: str) -> str:
    """The name of the module in a file."""
    return re.sub(r"[\\/]", ".", path.removesuffix(".py")).removesuffix(".__init__")
