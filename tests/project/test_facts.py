"""What TensorFlow gave, as it is stored: made by the programs as they are now."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support import ROOT
from tools.facts import ALL, Stored


@pytest.mark.parametrize("what", ALL)
def test_stored_facts_are_as_new_as_their_programs(what: str) -> None:
    made = ALL[what].made_by()
    assert made["programs"] == ALL[what].digest(), (
        f"the programs of {ALL[what].path.name} were changed since it was made: "
        f"run `python -m tools.facts {what}` where TensorFlow {made['tensorflow']} is installed"
    )
    assert all(made[name][0].isdigit() for name in ("tensorflow", "keras", "numpy"))


def test_a_changed_program_is_seen(tmp_path: Path) -> None:
    source = tmp_path / "programs.py"
    source.write_text("x = 1\n")
    stored = Stored(tmp_path / "facts.json", (source,))
    stored.write({"tensorflow": "2"}, {"x": [1.0], "ü": "y"})
    assert stored.read() == {"x": [1.0], "ü": "y"}
    assert stored.made_by() == {"tensorflow": "2", "programs": stored.digest()}
    source.write_text("x = 2\n")
    assert stored.made_by()["programs"] != stored.digest()


def test_every_program_counts() -> None:
    """No file of programs is left out of the digests."""
    here = ROOT / "tools" / "facts"
    counted = {path for stored in ALL.values() for path in stored.sources}
    assert {path for path in here.rglob("*") if path.suffix in (".py", ".txt") and path.name[0] != "_"} <= counted
