"""The notebooks' page says where each documented example is: in a notebook, and in a cell of it, that are there."""

from __future__ import annotations

import json
import re

import pytest

from tests.support import ROOT

PAGE = (ROOT / "notebooks" / "README.md").read_text(encoding="utf-8")
TABLE = PAGE.split("## Where the documented examples are")[1].split("\n## ")[0]
ROWS = [line.strip("|").split("|") for line in TABLE.splitlines() if ".ipynb)" in line]


@pytest.mark.parametrize("row", ROWS, ids=[re.sub(r"\W+", "-", row[0]).strip("-") for row in ROWS])
def test_it_is_where_the_page_says(row: list[str]) -> None:
    [notebook] = re.findall(r"\(([\w.]+\.ipynb)\)", row[2])
    cells = {one["id"]: one for one in json.loads((ROOT / "notebooks" / notebook).read_text(encoding="utf-8"))["cells"]}
    named = re.findall(r"`([^`]+)`", row[3])
    assert named
    for name in named:
        assert cells[name]["cell_type"] == "code", f"{notebook}, cell {name}"


def test_every_documented_function_has_examples() -> None:
    told = " ".join(row[0] for row in ROWS)
    for function in (
        "GradientTape",
        "ForwardAccumulator",
        "recompute_grad",
        "custom_gradient",
        "recompute wrappers",
        "while",
    ):
        assert function in told
