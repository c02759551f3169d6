"""Texts that are nearly the same, each told as what it takes of one that is known and what is new in it.

gzip looks back 32 kB, and the sheets of one run's folds are alike over hundreds.  `static/page.js` puts them together again.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Any

SOON = 20  # letters that must be alike where the known text goes on
BESIDE = 150  # how near to where it would go on by itself it is looked for first
AWAY = 100  # letters after which the known text is not expected to go on there
EVERY = 12  # of the known text a place is remembered each so many letters
LEAST = 40  # letters that are worth being taken from there
TRIED = 1  # place with the same few letters that is looked at on either side of where the text would go on

GAP = re.compile(r' ([\w-]+)="([^"]*)"|>([^<]+)')  # what differs between tags that are alike

# How far from piece to piece in the known text, beyond what is new between them; how long each is; what is new behind it.
Changes = tuple[list[int], list[int], list[str]]


def in_columns(html: str) -> dict[str, Any]:
    """HTML as its tags and what fills them: attributes by name, and as "~" what stands between tags.  So what is alike stands
    together, and what a tag says differently does not cut it to pieces.

    >>> in_columns('<p class="a">one</p><p class="b">two</p>')
    {'class': ['a', 'b'], '~': ['one', 'two'], 'tags': '<p class="">~</p><p class="">~</p>'}
    """
    fills: dict[str, list[str]] = {}

    def taken_out(found: re.Match[str]) -> str:
        name, value, text = found.groups()
        fills.setdefault(name or "~", []).append(text or value)
        return f' {name}=""' if name else ">~"

    tags = GAP.sub(taken_out, html)
    return {**dict(sorted(fills.items())), "tags": tags}


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


def _places(known: str) -> dict[str, list[int]]:
    """Where a few letters stand in a text that is known, to be looked up by them."""
    places: dict[str, list[int]] = {}
    for at in range(0, len(known) - EVERY, EVERY):
        places.setdefault(known[at : at + EVERY], []).append(at)
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
    """How many letters a text and a known one go on alike."""
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
