"""The microscope's words, which its page and its formulas take from one place."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path


@cache
def spoken() -> dict[str, str]:
    """Every word of the microscope, by its key in `words.toml`."""
    return tomllib.loads((Path(__file__).parent / "words.toml").read_text(encoding="utf-8"))
