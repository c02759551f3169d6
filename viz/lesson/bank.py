"""The notebooks' questions, with their answers sealed: enough to recognise an answer, not enough to read it.

`answers.json` holds for every question its words and salted digests (scrypt) of the right answer and of the wrong ones
that have a story.  That keeps an answer from spoiling the fun by accident; it is no lock for an exam.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import json
from pathlib import Path
from typing import Any

SALT = "minitape lessons "


def canonical(answer: Any) -> str:
    """One spelling for all ways to write the same answer; numbers count to four digits.

    >>> canonical(6), canonical("6.0"), canonical(" None "), canonical(4.4417057), canonical("(10, None)"), canonical("Outer")
    ('6', '6', 'none', '4.442', '(10, none)', 'outer')
    """
    if hasattr(answer, "numpy"):
        answer = answer.numpy()
    if hasattr(answer, "tolist"):
        answer = answer.tolist()
    if isinstance(answer, str):
        text = " ".join(answer.split())
        try:
            answer = ast.literal_eval(text)
        except (SyntaxError, ValueError):
            return text.lower()
        return text.lower() if isinstance(answer, str) else canonical(answer)
    if isinstance(answer, list | tuple):
        return "(" + ", ".join(canonical(one) for one in answer) + ")"
    if isinstance(answer, int | float) and not isinstance(answer, bool):
        return f"{float(answer) + 0.0:.4g}"
    return str(answer).lower()


def digest(name: str, answer: Any) -> str:
    """The sealed form of an answer to the question of this name.

    >>> digest("00.0", 6) == digest("00.0", "6.0"), digest("00.0", 6) == digest("00.1", 6)
    (True, False)
    """
    salt = (SALT + name).encode()
    return hashlib.scrypt(canonical(answer).encode(), salt=salt, n=2**12, r=8, p=1, dklen=12).hex()


def seal(name: str, plain: dict[str, Any]) -> dict[str, Any]:
    """A question as it is stored, from one with `right`, an answer, and `wrong`, a list of [answer, sentence].

    >>> sorted(seal("00.0", {"ask": "2 + 2?", "right": 4, "why": "Count.", "wrong": [[22, "Add, do not write side by side."]]}))
    ['ask', 'right', 'why', 'wrong']
    """
    wrong = {digest(name, answer): sentence for answer, sentence in plain.get("wrong", [])}
    return {**plain, "right": digest(name, plain["right"]), "wrong": wrong}


@functools.cache
def questions() -> dict[str, dict[str, Any]]:
    """All questions by name."""
    return json.loads(Path(__file__).with_name("answers.json").read_text(encoding="utf-8"))


def find(name: str) -> dict[str, Any]:
    """One question; raises ValueError for a name that no notebook uses."""
    known = questions()
    if name not in known:
        raise ValueError(f"there is no question {name!r}: the names are {', '.join(known)}")
    return known[name]
