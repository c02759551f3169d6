"""The notebooks' questions, with their answers sealed: enough to recognise an answer, not enough to read it.

`answers.json` holds for every question its words and salted digests (scrypt) of the right answer, of other right ones, and
of the wrong ones that have a story.  Solutions are packed, for a similar reason.  That keeps an answer from spoiling the fun
by accident; it is no lock for an exam.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import json
import zlib
from pathlib import Path
from typing import Any

from .spelling import canonical

SALT = "minitape lessons "


def digest(name: str, answer: Any, kind: str = "") -> str:
    """The sealed form of an answer to the question of this name.

    >>> digest("00.0", 6) == digest("00.0", "6.0"), digest("00.0", 6) == digest("00.1", 6)
    (True, False)
    """
    return _scrypt(name, canonical(answer, kind))


@functools.lru_cache(maxsize=4096)
def _scrypt(name: str, text: str) -> str:
    """Slow on purpose, and asked again whenever a question is shown."""
    salt = (SALT + name).encode()
    return hashlib.scrypt(text.encode(errors="replace"), salt=salt, n=2**12, r=8, p=1, dklen=12).hex()


def unpacked(text: str) -> str:
    """A text that nobody reads by accident: `tests/seal.py` packs it."""
    return zlib.decompress(base64.b85decode(text)).decode()


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


def judged(name: str, answer: Any) -> tuple[bool, str | None]:
    """Whether an answer is right; and what is said to whoever gave it, if it is wrong and has a story.

    >>> judged("02.3", 3), judged("02.3", 7)
    ((True, None), (False, None))
    """
    item = find(name)
    given = digest(name, answer, item.get("as", ""))
    return given == item["right"] or given in item.get("also", ()), item["wrong"].get(given)
