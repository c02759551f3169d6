"""The site's own tools: what performs the lessons, what checks the finished pages, and what writes the reference."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
from base64 import b64decode
from collections import Counter
from pathlib import Path

import pytest

from docs.site import build, reference
from tests.support import NOTEBOOKS


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """A site with one fault of each kind."""
    (tmp_path / "index.html").write_text(
        '<a href="nowhere.html"></a><a href="#lost"></a><a href="/rooted.html"></a><img src="gone.png">'
        '<script src="https://example.org/x.js"></script><a href="https://example.org">fine</a><a href="#here" id="here"></a>',
        encoding="utf-8",
    )
    return tmp_path


def test_what_is_wrong_with_a_page_is_found(wrong: Path) -> None:
    faults = build.check(wrong)
    assert len(faults) == 5, faults
    for word in ("nowhere.html", "#lost", "rooted", "gone.png", "example.org/x.js"):
        assert sum(word in fault for fault in faults) == 1, word


def test_a_lesson_on_the_site_plays_shows_its_stills_and_with_an_address_has_a_way_to_run_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lesson = tmp_path / NOTEBOOKS[2].name
    shutil.copyfile(NOTEBOOKS[2], lesson)
    build.perform([lesson], "https://github.com/someone/minitape")
    text = lesson.read_text(encoding="utf-8")
    stored = NOTEBOOKS[2].read_text(encoding="utf-8")
    assert "widget-view" in stored and "widget-view" not in text
    assert text.count("data:image/svg") == stored.count("data:image/svg")
    parts = [json.loads(gzip.decompress(b64decode(one))) for one in re.findall(r'data-told=\\"([^\\]+)\\"', text)]
    assert Counter(one["kind"] for one in parts) == {
        "asks": 1,
        "checks": 6,
        "steps": 2,
        "turns": 1,
        "compares": 1,
        "shows": 3,
    }
    assert sum("data-told" in one.get("html", "") for one in parts) == 1  # a stepper that waits for a guess
    (words,) = [one["words"] for one in parts if one["kind"] == "compares"]
    assert [words[one][0] for one in ("3", "6", "9", "")] == ["✗", "✓", "✗", "○"]
    assert text.count("mybinder.org") == 1
    monkeypatch.setattr(subprocess, "run", lambda *_, **__: None)  # it was performed; what is asked is what comes after
    build.perform([lesson], "")
    assert lesson.read_text(encoding="utf-8").count("mybinder.org") == 1  # no other is put there


def test_a_lesson_that_shows_other_things_than_are_stored_stops_the_site(tmp_path: Path) -> None:
    lesson = tmp_path / NOTEBOOKS[2].name
    lesson.write_text(NOTEBOOKS[2].read_text(encoding="utf-8").replace("viz.score(run)", "3; None"), encoding="utf-8")
    with pytest.raises(subprocess.CalledProcessError):
        build.perform([lesson], "")


def test_every_public_name_has_its_place(tmp_path: Path) -> None:
    import viz

    reference.write_reference(tmp_path, "")
    pages = {path.stem: path.read_text(encoding="utf-8") for path in tmp_path.glob("*.rst")}
    assert set(pages) == {"index", *(file for file, *_ in reference.PAGES)}
    for name in viz.__all__:
        assert f":: viz.{name}" in pages["viz"], name
    assert "minitape/tape/tape.py, line" in pages["tapes"]
    assert ".. py:method:: jacobian(" in pages["tapes"]
    assert pages["operations"].count("*Source:* minitape/ops/elementwise.py\n") > 40
    assert " at 0x" not in "".join(pages.values())
    reference.write_reference(tmp_path, "https://github.com/someone/minitape")
    assert "minitape/blob/HEAD/minitape/tape/tape.py#L" in (tmp_path / "tapes.rst").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("x_ and *y and a|b", r"x\_ and \*y and a\|b"),
        ("the `watch`ed, (`x`), `a`’s", r"the ``watch``\ ed, (``x``), ``a``\ ’s"),
        ("a`b`", r"a\ ``b``"),
    ],
)
def test_a_docstring_is_shown_as_it_stands(words: str, shown: str) -> None:
    assert reference.converted_line(words) == shown


def test_python_keeps_its_own_site() -> None:
    """A folder of the same name, collected as a package, must not stand in its place: Jupyter asks Python's for its paths."""
    import site

    assert hasattr(site, "ENABLE_USER_SITE")
