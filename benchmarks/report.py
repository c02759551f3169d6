"""Write what a run found into the README: `python -m benchmarks.report found.json`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from . import table

README = Path(__file__).with_name("README.md")
HEADING = "## Measured\n"


def told(conditions: dict[str, Any]) -> str:
    """When and where, in a sentence."""
    versions = ", ".join(f"{name} {number}" for name, number in conditions["versions"].items())
    rounds = conditions["rounds"]
    return (
        f"On {conditions['date']}; {conditions['system']} on {conditions['machine']} with {conditions['processors']} processors, "
        f"Python {conditions['python']}; {versions}. {rounds} round{'' if rounds == 1 else 's'}."
    )


def measured(readme: str, found: dict[str, Any]) -> str:
    """The README with the run's tables in place of those that were there."""
    before, heading, _ = readme.partition(HEADING)
    return f"{before}{heading or HEADING}\n{told(found['conditions'])}\n\n{table.tables(found)}\n"


if __name__ == "__main__":
    found = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    README.write_text(measured(README.read_text(encoding="utf-8"), found), encoding="utf-8")
