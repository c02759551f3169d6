"""Texts that are nearly the same, each told as what it takes of one that is known and what is new in it.

gzip looks back 32 kB, and the sheets of one run's folds are alike over hundreds.  They are held against each other word by word:
where a number differs all of it is new, so pieces are cut alike from fold to fold.  `static/page.js` puts them together again.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Mapping
from functools import lru_cache

QUOTE = '"'  # a word by itself
WORD = re.compile(r"[\d.]+|[A-Za-z]+|[₀-₉]+|.", re.ASCII | re.DOTALL)  # as in `static/page.js`

SOON = 12  # words that must be alike where the known text goes on
BESIDE = 20  # how near to where it would go on by itself it is looked for first
AWAY = 50  # words after which the known text is not expected to go on there
EVERY = 4  # of the known text a place is remembered each so many words
LEAST = 24  # words that are worth being taken from there
TRIED = 1  # place with the same few words that is looked at on either side of where the text would go on
MOST_LONGER = 4  # times as long as what is known: of a longer text most is new, and to look for the rest takes seconds

# How far from piece to piece in the known text, beyond what is new between them; how long each is; what is new behind it.
Changes = tuple[list[int], list[int], list[str]]


def alike(texts: Mapping[str, str], known: str) -> str:
    """Texts of one line by their ways, each as what it takes of the one around it, else of the one before, which is nearest in
    the run; the first takes of a known one.  As lines: numbers, by columns, since one change is like the next, then what is new.

    >>> alike({"a": "<p>one two three</p>", "a/b": "<p>one, two three</p>"}, "<p>one").splitlines()
    ['[["a","a/b"],[[],[]],[[4],[4]]]', ' two three</p>', ', two three</p>']
    """
    letters = Letters()
    own = {way: letters.spelled(text) for way, text in texts.items()}
    before, told = letters.spelled(known), list[Changes]()
    words = {letter: word for word, letter in letters.items()}
    for way, text in own.items():
        around = own[way.rpartition("/")[0]] if "/" in way else before
        told.append(changes(text, around if len(text) < MOST_LONGER * len(around) else ""))
        before = before if "/" in way else text
    numbers = [list(texts), [skips for skips, _, _ in told], [lengths for _, lengths, _ in told]]
    pieces = ["".join(map(words.__getitem__, new)) for *_, news in told for new in news]
    return "\n".join([json.dumps(numbers, separators=(",", ":")), *pieces])


class Letters(dict[str, str]):
    """A letter for each word, by words."""

    def __init__(self) -> None:
        super().__init__()
        self._between = _Spelled(self)

    def __missing__(self, word: str) -> str:
        letter = self[word] = chr(len(self))
        return letter

    def spelled(self, text: str) -> str:
        """A text with a letter for each of its words.  What stands between quotation marks is mostly known: nearly all of it
        comes again from sheet to sheet."""
        return self[QUOTE].join(map(self._between.__getitem__, text.split(QUOTE)))


class _Spelled(dict[str, str]):
    """Pieces of text with a letter for each of their words, by pieces."""

    def __init__(self, letters: Letters) -> None:
        super().__init__()
        self.letters = letters

    def __missing__(self, piece: str) -> str:
        spelled = self[piece] = "".join(map(self.letters.__getitem__, WORD.findall(piece)))
        return spelled


def changes(text: str, known: str) -> Changes:
    """A text as what it takes of a known one.

    >>> known = "one two three four five six seven eight nine ten"
    >>> changes("zero " + known + " eleven", known)
    ([-5], [0, 48], ['zero ', ' eleven'])
    """
    look = _places(known)
    length = _same(text, 0, known, 0)
    skips, lengths, news = list[int](), [length], list[str]()
    at = end = here = length  # `end` is where the last piece ended, `here` where it did in the known text
    while at < len(text):
        if at - end > AWAY and text[at : at + EVERY] not in look:
            at += 1
            continue
        found = _found(text, at, known, here + at - end, look)
        if found is None:
            at += 1
            continue
        start, length, least = found
        new = at
        while new > end and start and text[new - 1] == known[start - 1]:
            new, start = new - 1, start - 1
        if at - new + length < least:
            at += 1
            continue
        news.append(text[end:new])
        skips.append(start - here - (new - end))
        lengths.append(at - new + length)
        end = at = at + length
        here = start + lengths[-1]
    return skips, lengths, [*news, text[end:]]


@lru_cache(maxsize=4)  # the sheets of all the folds in a fold are told by what that fold's sheet has
def _places(known: str) -> dict[str, list[int]]:
    """Where a few words stand in a text that is known, to be looked up by them."""
    places = defaultdict[str, list[int]](list)
    for at in range(0, len(known) - EVERY, EVERY):
        places[known[at : at + EVERY]].append(at)
    return places


def _found(text: str, at: int, known: str, near: int, look: dict[str, list[int]]) -> tuple[int, int, int] | None:
    """Where a known text goes on as a text does from here, how long, and how long it must be to be taken: beside `near`, or
    where that is longest."""
    soon = text[at : at + SOON]
    beside = known.find(soon, max(0, near - BESIDE), near + BESIDE + SOON)
    if beside >= 0 and at + SOON <= len(text):
        return beside, _same(text, at, known, beside), SOON
    places = look.get(text[at : at + EVERY], ())
    middle = bisect_left(places, near)
    likely = [start for start in places[max(0, middle - TRIED) : middle + TRIED] if known.startswith(soon, start)]
    tried = [(_same(text, at, known, start), -start) for start in likely]
    if not tried:
        return None
    length, start = max(tried)
    return -start, length, LEAST


def _same(text: str, at: int, known: str, found: int) -> int:
    """How many words a text and a known one go on alike."""
    most = min(len(text) - at, len(known) - found)
    alike, step = 0, 16
    while alike < most and text[at + alike : at + alike + step] == known[found + alike : found + alike + step]:
        alike, step = alike + step, step * 4
    if alike >= most:
        return most
    while step > 1:  # they part within these
        step //= 2
        if text[at + alike : at + alike + step] == known[found + alike : found + alike + step]:
            alike += step
    return min(alike, most)
