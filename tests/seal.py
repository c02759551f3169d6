"""Seal the questions of tests/data/lessons.json into viz/lesson/answers.json: `python -m tests.seal`.

Learners have the sealed file, where answers are digests; the plain one is for whoever writes lessons, and for the tests.
"""

from __future__ import annotations

import json
from typing import Any

from tests.support import ROOT
from viz.lesson.bank import seal

PLAIN, SEALED = ROOT / "tests/data/lessons.json", ROOT / "viz/lesson/answers.json"


def plain() -> dict[str, Any]:
    """The questions with their answers."""
    return json.loads(PLAIN.read_text(encoding="utf-8"))


def sealed() -> str:
    """What the sealed file should hold."""
    questions = {name: seal(name, one) for name, one in plain().items()}
    return json.dumps(questions, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    SEALED.write_text(sealed(), encoding="utf-8")
    print(f"{len(plain())} questions sealed")
