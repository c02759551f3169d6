"""Bad input is answered: every public function of both packages, every position, every kind of argument that has no place there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.support import deep, python

from .arguments import BAD, SPELLINGS

pytestmark = pytest.mark.deep

CHUNKS = 40 if deep() else 10


@pytest.mark.parametrize("chunk", range(CHUNKS if deep() else 1))
def test_bad_arguments_are_answered(chunk: int, tmp_path: Path, record_property: Any) -> None:
    """At the caller's line, in our words, within a second, and leaving nothing behind; another spelling gives the same answer."""
    results = tmp_path / "results"
    where = tmp_path / "room"  # what is written is written there
    where.mkdir()
    done = python("-W", "ignore", "-m", "tests.deep.inputs", str(chunk), str(CHUNKS), str(results), cwd=where)
    rows = [json.loads(line) for line in results.read_text(encoding="utf-8").splitlines()]
    begun, spelled = [[row for row in rows if row.get(what)] for what in ("begun", "spelled")]
    record_property(
        f"tried: bad arguments, of {len(BAD)} kinds, at each position of each public function and method", len(begun)
    )
    record_property(
        f"tried: the same numbers in arrays of {len(SPELLINGS)} other makes, as arguments of these functions",
        len(spelled),
    )
    assert done.returncode == 0, f"the interpreter ended at {rows[-1]}: {done.stderr[-500:]}"
    wrong = [row for row in rows if "wrong" in row]
    assert wrong == [], f"{len(wrong)} of {len(begun)} calls"
    assert len(begun) > 1_000 and spelled
