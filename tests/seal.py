"""Seal the questions of tests/data/lessons.json and tasks.toml into viz/lesson/answers.json: `python -m tests.seal`.

Learners have the sealed file, where answers are digests; the plain one is for whoever writes lessons, and for the tests.
"""

from __future__ import annotations

import base64
import json
import tomllib
import zlib
from functools import cache
from typing import Any

from tests.support import ROOT
from viz.lesson.bank import digest

PLAIN, SEALED = ROOT / "tests/data/lessons.json", ROOT / "viz/lesson/answers.json"
TASKS = ROOT / "tests/data/tasks.toml"


@cache
def plain() -> dict[str, Any]:
    """The questions with their answers."""
    return json.loads(PLAIN.read_text(encoding="utf-8"))


@cache
def tasks() -> dict[str, Any]:
    """The exercises in which code is written, with solutions, other right programs and wrong ones."""
    return tomllib.loads(TASKS.read_text(encoding="utf-8"))


def hints(one: dict[str, Any]) -> list[str]:
    """Two hints for a question: where to look, and one wrong answer less, unless another is written down."""
    first = one["hints"]
    answer, story = one["wrong"][0] if one["wrong"] else ("", "")
    told = f"[{', '.join(map(str, answer))}]" if isinstance(answer, list) else answer
    return first if len(first) > 1 else [*first, f"Not {told}. {story}"]


def seal(name: str, plain: dict[str, Any]) -> dict[str, Any]:
    """A question as it is stored, from one with `right`, an answer, and `wrong`, a list of [answer, sentence].

    `also` lists other right answers, `as` says how answers are read (see `canonical`), `solution` is what to show at last.
    """
    kind = plain.get("as", "")
    sealed = {key: value for key, value in plain.items() if key not in ("note", "tells")}
    if "right" in plain:
        sealed["right"] = digest(name, plain["right"], kind)
        sealed["wrong"] = {digest(name, answer, kind): sentence for answer, sentence in plain.get("wrong", [])}
        if "also" in plain:
            sealed["also"] = [digest(name, answer, kind) for answer in plain["also"]]
    sealed["solution"] = packed(plain.get("solution") or f"{plain['right']}")
    return sealed


def packed(text: str) -> str:
    """A text that nobody reads by accident."""
    return base64.b85encode(zlib.compress(text.encode(), 9)).decode()


def sealed() -> str:
    """What the sealed file should hold."""
    questions = {name: seal(name, {**one, "hints": hints(one)}) for name, one in plain().items()}
    for name, one in tasks().items():
        questions[name] = seal(name, {"hints": one["hints"], "solution": one["solution"]})
    questions = dict(sorted(questions.items(), key=lambda item: [int(part) for part in item[0].split(".")]))
    return json.dumps(questions, ensure_ascii=False, indent=1) + "\n"


if __name__ == "__main__":
    SEALED.write_text(sealed(), encoding="utf-8")
    print(f"{len(plain())} questions and {len(tasks())} exercises sealed")
