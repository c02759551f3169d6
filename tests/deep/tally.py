"""What was tried and what failed, counted over all workers, and the page that says so."""

from __future__ import annotations

import platform
import re
from collections import Counter
from typing import Any

import numpy as np

from tests.support import ROOT, deep

PAGE = ROOT / "docs" / "reliability.md"

HEAD = """# What was tried

Random programs, faults, texts and long runs, all from one command, which writes this page:

    pytest -m deep

Every number of a program follows from its seed, and the seeds are 0, 1, 2 and so on, so that a failure can be had again. A twentieth of it,
or less, runs with the other tests.

| what | tried | failed |
|---|---|---|
"""


LATER = "  Some rows are of a later run, of their files alone."
_ROW = re.compile(r"^\| (.+) \| [\d,]+ \| \d+ \|$", re.MULTILINE)


def told(reports: list[Any]) -> Counter[tuple[str, str]]:
    """How often each thing was tried, and failed, from the reports of the tests."""
    counts: Counter[tuple[str, str]] = Counter()
    for report in reports:
        for name, value in report.user_properties:
            if name.startswith("tried: "):
                counts[name.removeprefix("tried: "), "tried"] += value
                counts[name.removeprefix("tried: "), "failed"] += report.failed
    return counts


def page(counts: Counter[tuple[str, str]], seconds: float, processes: int, before: str = "") -> str:
    """The page, from the counts; what was not tried this time stands as it did before, and so does the word on the last run of all."""
    things = {thing for thing, _ in counts}
    rows = {thing: f"| {thing} | {counts[thing, 'tried']:,} | {counts[thing, 'failed']} |" for thing in things}
    kept = {found[1]: found[0] for found in _ROW.finditer(before) if found[1] not in rows}
    many = "one process" if processes < 2 else f"{processes} processes"
    where = f"Python {platform.python_version()}, NumPy {np.__version__}"
    last = f"Last run: {where}, {seconds / 60:.0f} minutes, {many}."
    if kept:
        last = (
            next((line for line in before.splitlines() if line.startswith("Last run")), last).removesuffix(LATER)
            + LATER
        )
    table = "\n".join(row for _, row in sorted({**kept, **rows}.items()))
    return f"{HEAD}{table}\n\n{last}\n"


def written(reports: list[Any], seconds: float, processes: int, whole: bool) -> None:
    """After a deep run: the page.  One of some files only (`pytest -m deep tests/deep/test_texts.py`) writes their rows anew."""
    counts = told(reports)
    if deep() and counts:
        before = "" if whole or not PAGE.exists() else PAGE.read_text(encoding="utf-8")
        PAGE.write_text(page(counts, seconds, processes, before), encoding="utf-8")
