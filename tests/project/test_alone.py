"""The project stands alone: nothing in it points at the machine or the folder where it happened to be written."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from tests.support import ROOT, project_files

# The brackets keep these patterns from finding themselves.  A path in base64 is an accident, not a path.
ELSEWHERE = [
    r"\.\./share[d]",
    r"(?<![\w+/=.~-])/(root|home|tmp|Users)[/]\w",
    r"\b[A-Z]:\\+User[s]",
]


def test_no_file_names_a_place_outside_the_project():
    here = {str(path) for path in (ROOT, ROOT.parent, Path.home(), Path(sys.prefix)) if len(path.parts) > 1}
    pattern = re.compile("|".join([*ELSEWHERE, *(rf"(?<![\w+/=.~-]){re.escape(place)}/" for place in sorted(here))]))
    found = []
    for path in project_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # a picture
        for number, line in enumerate(text.splitlines(), 1):
            if match := pattern.search(line):
                found.append(
                    f"{path.relative_to(ROOT)}:{number}: {line[max(0, match.start() - 20) : match.end() + 40]}"
                )
    assert not found, "\n".join(found)
