"""What TensorFlow gave, as it is stored: made by the programs as they are now."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import ROOT
from tools.facts import ALL, Printed, Stored


@pytest.mark.parametrize("what", ALL)
def test_stored_facts_are_as_new_as_their_programs(what: str) -> None:
    made = ALL[what].made_by()
    (versions,) = {made["tensorflow"] for made in ALL[what].made_by().values()}
    stale = ALL[what].stale()
    assert not stale, (
        f"the programs of {', '.join(stale)} were changed since: "
        f"run `python -m tools.facts {what}` where TensorFlow {versions} is installed"
    )
    assert all(one[name][0].isdigit() for one in made.values() for name in ("tensorflow", "keras", "numpy"))


def test_a_changed_program_is_seen(tmp_path: Path) -> None:
    source = tmp_path / "programs.py"
    source.write_text("x = 1\n")
    stored = Stored(tmp_path / "facts.json", (source,))
    stored.write({"tensorflow": "2"}, {"x": [1.0], "ü": "y"})
    assert stored.read() == {"x": [1.0], "ü": "y"}
    assert stored.made_by() == {"facts.json": {"tensorflow": "2", "programs": stored.digest()}} and not stored.stale()
    source.write_text("x = 2\n")
    assert stored.stale() == ["facts.json"]


def test_a_changed_program_is_seen_and_the_others_are_not(tmp_path: Path) -> None:
    common = tmp_path / "common.txt"
    for path in (common, tmp_path / "a.py", tmp_path / "b.py"):
        path.write_text("x = 1\n")
    stored = Printed(tmp_path, (common,))
    stored.write({"tensorflow": "2"}, {"a 1": "1\n", "a 2": "", "b 1": "ü\n"})
    assert stored.read() == {"a 1": "1\n", "a 2": "", "b 1": "ü\n"} and not stored.stale()
    (tmp_path / "b.py").write_text("x = 2\n")
    assert stored.stale() == ["b.out"]
    common.write_text("x = 2\n")
    assert stored.stale() == ["a.out", "b.out"]


def test_every_program_counts() -> None:
    """No file of programs is left out of the digests."""
    here = ROOT / "tools" / "facts"
    counted = {path for stored in ALL.values() for path in stored.sources}
    assert {path for path in here.rglob("*") if path.suffix in (".py", ".txt") and path.name[0] != "_"} <= counted
