"""What was tried and what failed, counted over all workers, and the page that says so."""

from __future__ import annotations

import platform
from collections import Counter
from typing import Any

import numpy as np

from tests.support import ROOT, deep

PAGE = ROOT / "docs" / "reliability.md"

HEAD = """# What was tried

Random programs, faults, texts and long runs, all from one command, which writes this page:

    pytest -m deep

Every number of a program follows from its seed, and the seeds are 0, 1, 2 and so on, so that a failure can be had again. A tenth of it
runs with the other tests.

| what | tried | failed |
|---|---|---|
"""


def told(reports: list[Any]) -> Counter[tuple[str, str]]:
    """How often each thing was tried, and failed, from the reports of the tests."""
    counts: Counter[tuple[str, str]] = Counter()
    for report in reports:
        for name, value in report.user_properties:
            if name.startswith("tried: "):
                counts[name.removeprefix("tried: "), "tried"] += value
                counts[name.removeprefix("tried: "), "failed"] += report.failed
    return counts


def page(counts: Counter[tuple[str, str]], seconds: float, processes: int) -> str:
    """The page, from the counts."""
    things = sorted({thing for thing, _ in counts})
    rows = [f"| {thing} | {counts[thing, 'tried']:,} | {counts[thing, 'failed']} |" for thing in things]
    many = "one process" if processes < 2 else f"{processes} processes"
    where = f"Python {platform.python_version()}, NumPy {np.__version__}"
    return f"{HEAD}{chr(10).join(rows)}\n\nLast run: {where}, {seconds / 60:.0f} minutes, {many}.\n"


def written(reports: list[Any], seconds: float, processes: int) -> None:
    """After a deep run: the page."""
    counts = told(reports)
    if deep() and counts:
        PAGE.write_text(page(counts, seconds, processes), encoding="utf-8")
