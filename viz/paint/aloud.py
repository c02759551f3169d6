"""What a page says to somebody who hears it: signs as words, a formula as one sentence, the graph as a list to walk through."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from functools import lru_cache
from typing import Any

from ..layout.sizes import label
from ..scene import Scene
from ..style import ALOUD, words
from . import state as at
from .cards import in_words, told
from .graph import Drawing, Shared, graph
from .sheet import Mark, over


def _nested(depth: int) -> str:
    """A pattern for what stands in brackets, with brackets in it."""
    return rf"\((?:[^()]|{_nested(depth - 1)})*\)" if depth else r"\([^()]*\)"


_NAME = rf"(?:[\w./]*\w|{_nested(4)})"
_SLOPE = re.compile(rf"∂(?P<of>\w+|{_nested(4)})(?:/∂(?:\w*…|(?P<by>{_NAME})))?")
_SIGNS = re.compile("|".join(map(re.escape, sorted(ALOUD, key=len, reverse=True))))


@lru_cache(maxsize=4096)
def aloud(shown: str) -> str:
    """A symbol, a formula, a number, as words.

    >>> aloud("∂y/∂(x·x)"), aloud("g₄ − 2 × ẋ"), aloud("−0.4648"), aloud("3×3")
    ('gradient of y with respect to x times x', 'g 4 minus 2 times x dot', 'minus 0.4648', '3 by 3')

    What has no room on a card is said by the card.

    >>> aloud("∂loss/∂embed…"), aloud("∂loss/∂…")
    ('gradient of loss', 'gradient of loss')
    """

    def slope(found: re.Match[str]) -> str:
        of, by = ((found[name] or "").removeprefix("(").removesuffix(")") for name in ("of", "by"))
        return words("aloud.slope", of=of, by=by) if by else words("aloud.change", of=of)

    said = re.sub(r"(?<=\d)×(?=\d)", f" {ALOUD['3×3']} ", _SLOPE.sub(slope, shown))
    said = _SIGNS.sub(lambda found: f" {ALOUD[found[0]]} ", unicodedata.normalize("NFD", said))
    said = re.sub(r"[₀-₉]+", lambda found: " " + unicodedata.normalize("NFKC", found[0]) + " ", said)
    return re.sub(r" (?=[,;:)\]])|(?<=[(\[]) ", "", re.sub(r"\s+", " ", unicodedata.normalize("NFC", said)).strip())


def formula(terms: list[list[Any]]) -> str:
    """The formula of a step as one sentence: what is worked out, and its numbers; "" where there is none.

    >>> formula([["∂y/∂x", "0.3", "gradient"], ["=", "=", "op"], ["∂y/∂y", "1", "gradient"], ["×", "×", ""], ["h", "0.3", ""]])
    'gradient of y with respect to x: 0.3 equals 1 times 0.3'
    >>> formula([["x", "3", ""], ["×", "×", ""], ["x", "3", ""], ["", "=", "op"], ["", "9", "value"]])
    'x times x: 3 times 3 equals 9'
    """
    symbols, figures = ([str(term[at_]) for term in terms if str(term[at_])] for at_ in (0, 1))
    if not any(re.search(r"\w", figure) for figure in figures):
        return aloud(" ".join(symbols))
    result = len(symbols) > 1 and symbols[1] in ("=", "+=")
    head = symbols[0] if result else " ".join(symbols)
    return f"{aloud(head)}: {aloud(' '.join(figures))}"


class _Links:
    """Who is made of whom, by value."""

    def __init__(self, scene: Scene) -> None:
        self.names = {value["id"]: value["name"] for value in scene.values}
        self.into: dict[str, list[str]] = {}
        self.out: dict[str, list[dict[str, Any]]] = {}
        for edge in scene.edges:
            if edge["a"] in self.names and edge["b"] in self.names:
                self.into.setdefault(edge["b"], []).append(self.names[edge["a"]])
                self.out.setdefault(edge["a"], []).append(edge)


def card(value: dict[str, Any], step: int, links: _Links) -> str:
    """A card at a step: its name and number, the op and what went into it, each derivative, and through what that came."""
    if not at.born(value, step):
        return words("card.unborn", name=aloud(value["name"]))
    first, *rest = at.shown_at(value, step)
    out = [words("aloud.is", name=aloud(value["name"]), what=aloud(in_words(first)))]
    if value.get("op"):
        made = words("aloud.made", op=aloud(value["op"]))
        inputs = links.into.get(value["id"], [])
        out.append(made + (words("aloud.of", names=", ".join(map(aloud, inputs))) if inputs else ""))
    for cell, now in zip(value["cells"][1:], rest, strict=True):
        if now is not None:
            out.append(words("aloud.is", name=aloud(label(value, cell)), what=aloud(in_words(now))))
    for edge in links.out.get(value["id"], []):
        carried = at.carried_at(edge, step)
        if carried:
            out.append(words("aloud.through", number=aloud(carried["text"]), name=aloud(links.names[edge["b"]])))
    again = at.again_at(value, step)
    if again:
        out.append(words(f"card.{again}"))
    if value.get("ghost"):
        out.append(words("card.ghost", why=value["ghost"]))
    return "; ".join(out)


def walked(scene: Scene, way: str, shared: Shared | None = None) -> Drawing:
    """The graph in one direction as a list of values, each of which is said once, with the numbers on its lines; `shared` is what
    the other direction has as well."""
    shared = shared or Shared(scene)
    drawing, links = graph(scene, way, shared), _Links(scene)
    values = {f"card:{value['id']}": value for value in scene.values}
    kids = [
        _item(mark, values[mark.key], links, shared) if mark.key in values else _unsaid(mark)
        for mark in drawing.mark.kids
    ]
    return replace(drawing, mark=Mark("g", *kids, role="list", aria_label=words("graph.label"), **drawing.mark.attrs))


def _item(mark: Mark, value: dict[str, Any], links: _Links, shared: Shared) -> Mark:
    """A card as it is drawn, with its tooltip, for those who see it; in its place a screen reader has one sentence."""

    def heard() -> Any:
        dates = [date for edge in links.out.get(value["id"], []) for date in at.dates_carried(edge)]
        return over([*told(value), *dates], lambda step: card(value, step, links))

    mark.kids = [Mark("g", *mark.kids, aria_hidden="true")]
    mark.attrs |= {"role": "img", "aria_label": shared.known.once(f"heard:{value['id']}", heard)}
    return Mark("g", mark, role="listitem")


def _unsaid(mark: Mark) -> Mark:
    mark.attrs["aria_hidden"] = "true"
    return mark
