"""The checkers, with the settings of pyproject.toml."""

from __future__ import annotations

import pytest

from tests.support import python


@pytest.mark.parametrize("command", ["ruff check", "ruff format --check", "mypy"])
def test_the_checker_is_content(command: str):
    run = python("-m", *command.split())
    assert run.returncode == 0, run.stdout + run.stderr
