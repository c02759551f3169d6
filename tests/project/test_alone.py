"""The project stands alone: nothing in it points at the machine or the folder where it happened to be written."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from tests.support import ROOT, project_files

# The brackets keep these patterns from finding themselves.  A path in base64 is an accident, not a path.  Each begins with
# what it must have, and looks back from there: so it is found at once in a text that has none.
BEFORE = r"(?<![\w+/=.~-]/)"
ELSEWHERE = [
    r"\.\./share[d]",
    rf"/{BEFORE}(?:root|home|tmp|Users)[/]\w",
    r":\\+(?<=\b[A-Z]:\\)User[s]",
    r":\\\\(?<=\b[A-Z]:\\\\)User[s]",
]


def found_in(text: str, patterns: list[str]) -> list[str]:
    """The lines of a text that a pattern is found in, each with its number."""
    return [
        f"{text.count(chr(10), 0, match.start()) + 1}: {text[max(0, match.start() - 20) : match.end() + 40]}"
        for pattern in patterns
        for match in re.finditer(pattern, text)
    ]


@pytest.mark.parametrize(
    "text",
    ["see ../share" + "d/x", "open('/ro" + "ot/a')", "x\n/tm" + "p/a", r"C:\User" + r"s\me", r"C:\\User" + r"s\\me"],
)
def test_a_place_is_found(text: str) -> None:
    assert found_in(text, ELSEWHERE)


@pytest.mark.parametrize("text", ["a/ro" + "ot/b", "~/tm" + "p/a", "https://host.org/home/" + "x", "the root/home"])
def test_what_only_looks_like_one_is_none(text: str) -> None:
    assert not found_in(text, ELSEWHERE)


def test_no_file_names_a_place_outside_the_project() -> None:
    here = {str(path) for path in (ROOT, ROOT.parent, Path.home(), Path(sys.prefix)) if len(path.parts) > 1}
    patterns = [*ELSEWHERE, *(rf"/{BEFORE}{re.escape(place[1:])}/" for place in sorted(here))]
    found = []
    for path in project_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture
        found += [f"{path.relative_to(ROOT)}:{one}" for one in found_in(text, patterns)]
    assert not found, "\n".join(found)
