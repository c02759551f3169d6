"""Every sentence that is told, from one file of words; a source brings the words of its own framework along.

`words.toml` holds the sentences by key, with places for names and numbers, and the small vocabulary that a source may replace
(`tape`, `writes`, `lets_go` …).  What is put into a place is not searched for places again, so names may have braces.
"""

from __future__ import annotations

import functools
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path

_PLACE = re.compile(r"\{(\w+)\}")


@functools.cache
def table() -> tuple[dict[str, str], dict[str, list[str]]]:
    """The vocabulary, and the sentences cut at their places: text, place, text, place … text."""
    with open(Path(__file__).with_name("words.toml"), "rb") as file:
        read = tomllib.load(file)
    return read["vocabulary"], {key: _PLACE.split(text) for key, text in read["sentences"].items()}


class Words:
    """The sentences in the words of one source; raises ValueError for a vocabulary with a word that no sentence has.

    >>> words = Words({"tape": "graph"})
    >>> words("region.open", region="f {x}")
    'Into f {x}: tapes look away from what runs inside.'
    """

    def __init__(self, own: Mapping[str, str] | None = None) -> None:
        usual, self._sentences = table()
        unknown = sorted(set(own or ()) - set(usual))
        if unknown:
            raise ValueError(f"stream.vocabulary[{unknown[0]!r}]: unknown here; known are {', '.join(sorted(usual))}")
        self.vocabulary = {**usual, **(own or {})}

    def __call__(self, key: str, /, **facts: object) -> str:
        """The sentence of this key with facts in its places."""
        pieces = self._sentences[key]
        spoken = list(pieces)
        for at in range(1, len(pieces), 2):
            place = pieces[at]
            spoken[at] = str(facts[place]) if place in facts else self.vocabulary[place]
        return "".join(spoken)


def listed(items: list[str]) -> str:
    """Several things in a sentence.

    >>> listed(["a", "b", "c"]), listed(["a", "b"]), listed([])
    ('a, b and c', 'a and b', '')
    """
    return " and ".join([", ".join(items[:-1]), *items[-1:]] if len(items) > 2 else items)
