"""Texts that are nearly the same, each written as what it takes of one that is known and what is new in it.

gzip looks back 32 kB, and the sheets of one run's folds are alike over hundreds.  `static/page.js` puts them together again.
"""

from __future__ import annotations

LEAST = 24  # letters that are worth being taken from elsewhere
EVERY = 12  # a place of the known text is remembered each so many letters

Parts = list[int | str]  # where in the known text, how many letters, what is new behind them, and so on


def places_in(known: str) -> dict[str, int]:
    """Where a few letters stand in a text that is known, to be looked up by them."""
    return {
        known[at : at + EVERY]: at for at in range((len(known) - EVERY) // EVERY * EVERY, -1, -EVERY)
    }  # the first of each


def parts(text: str, known: str) -> Parts:
    """A text as what it takes of a known one.

    >>> known = "one two three four five six seven eight nine ten"
    >>> parts("zero " + known + " eleven", known)
    [0, 0, 'zero ', 0, 48, ' eleven']
    """
    look = places_in(known).get
    out: Parts = []
    new, at, here, length, last = 0, 0, 0, 0, len(text) - EVERY  # what is new begins at `new`; the last that was taken
    while at <= last:
        found = look(text[at : at + EVERY])
        if found is None:
            at += 1
            continue
        begin, start = at, found
        while begin > new and start and text[begin - 1] == known[start - 1]:
            begin, start = begin - 1, start - 1
        least = LEAST - (at - begin)  # letters that must follow: most do not, which one look tells
        if len(text) - at < least or not known.startswith(text[at : at + least], found):
            at += 1
            continue
        end = at + _same(text, at, known, found)
        out += [here, length, text[new:begin]]
        here, length = start, end - begin
        new = at = end
    return [*out, here, length, text[new:]]


def _same(text: str, at: int, known: str, found: int) -> int:
    """How many letters a text and a known one go on alike."""
    most = min(len(text) - at, len(known) - found)
    alike, step = 0, 256
    while alike < most and text[at + alike : at + alike + step] == known[found + alike : found + alike + step]:
        alike, step = alike + step, step * 4
    if alike >= most:
        return most
    while step > 1:  # they part within these
        step //= 2
        if text[at + alike : at + alike + step] == known[found + alike : found + alike + step]:
            alike += step
    return min(alike, most)


def together(told: Parts, known: str) -> str:
    """The text again.

    >>> together([0, 3, "ly", 4, 4, ""], "one two")
    'onelytwo'
    """
    out = []
    for where, count, new in zip(told[::3], told[1::3], told[2::3], strict=True):
        assert isinstance(where, int) and isinstance(count, int)
        out += [known[where : where + count], str(new)]
    return "".join(out)
