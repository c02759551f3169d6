"""Names and texts that are anybody's, in every slot of every renderer: shown, and never more than text."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from tests.support import times

from . import texts

pytestmark = pytest.mark.deep

CHUNK = 10
LONGEST = 2.0  # seconds, for all renderers together: about a quarter of one is usual


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """All outputs of the program with plain names."""
    return texts.rendered("plain", tmp_path_factory.mktemp("plain"))


def wrong(text: str, plain: dict[str, str], folder: Path, most: int) -> list[str]:
    start = time.process_time()
    outputs = texts.rendered(text, folder)
    taken = time.process_time() - start
    found = [(name, texts.problem(name, output, plain[name], most)) for name, output in outputs.items()]
    slow = [f"{taken:.1f} s"] if taken > LONGEST else []
    return [f"{name}: {what}" for name, what in found if what] + slow


@pytest.mark.parametrize("first", range(0, times(300), CHUNK))
@pytest.mark.filterwarnings("ignore")
def test_a_text_is_text_in_every_output(
    first: int, plain: dict[str, str], tmp_path: Path, record_property: Any
) -> None:
    """Valid UTF-8, XML and JSON; no element, attribute, address or program that plain names do not make; no bare control."""
    record_property(f"tried: hostile texts in 12 slots of a program, through {len(plain)} outputs", CHUNK)
    for seed in range(first, first + CHUNK):
        text = texts.text_of(seed)
        assert wrong(text, plain, tmp_path, 40 * len(text) + 3_000) == [], f"seed {seed}: {text!a}"


@pytest.mark.parametrize("piece", ["x", "数\u202e<", "a b", "\ud800{}", "👩\u200d👩\u0308"])
@pytest.mark.filterwarnings("ignore")
def test_a_megabyte_is_no_more_than_a_few_lines(
    piece: str, plain: dict[str, str], tmp_path: Path, record_property: Any
) -> None:
    record_property("tried: texts of a megabyte in the same slots", 1)
    assert wrong(piece * (1_000_000 // len(piece)), plain, tmp_path, 300_000) == []
