"""Which cards the sentence of a step names besides those that the step looks at: an operand, what it goes back from."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from ..scene import Scene
from .sheet import over
from .state import card_of

PART = r"[\w₀-₉·@/′]"  # what goes on with a name: in front of another or behind it the letters of a name are no name
DIGITS = re.compile(r"[\d.−]+")
# Steps whose sentences name values that nothing moves to or from.
OF_VALUES = ("gradients", "entry", "replay", "rebuild")
CALLED = re.compile(r"\w\(([^()]*)\)")  # what a call is given: of a constant, `tf.ones_like(x)`, no edge says it


def named(scene: Scene) -> Any:
    """By step their ids, with a blank between them.  Of cards with one name those at the ends of what moves are meant; a card
    may be called as a layer is, or `step`, and so others are looked for only where a sentence can mean them."""
    cards, edges = {value["id"]: value for value in scene.values}, {edge["id"]: edge for edge in scene.edges}
    takes: dict[str, set[str]] = {}
    beside: dict[Any, set[str]] = {}  # by what is taken, and when, the results of one op: `mean, logvar = tf.split(…)`
    for edge in scene.edges:
        takes.setdefault(edge["b"], set()).add(edge["a"])
        beside.setdefault((edge["a"], cards[edge["b"]].get("born")), set()).add(edge["b"])

    def at(step: int) -> str:
        told = scene.steps[step]
        if told["kind"] == "fold":  # its sentence has results alone, which are looked at
            return ""
        looked = set(map(card_of, told.get("focus", [])))
        moved = [edges[identity] for identity, _ in told.get("flow", []) if identity in edges]
        near = looked | {edge[end] for edge in moved for end in ("a", "b")}
        results = [beside[edge["a"], cards[edge["b"]].get("born")] for edge in moved]
        possible = cards if told["kind"] in OF_VALUES else near.union(*(takes[edge["b"]] for edge in moved), *results)
        names = {identity: cards[identity]["name"] for identity in possible if cards[identity].get("born", 0) <= step}
        for arguments in () if moved else CALLED.findall(told["say"]):
            there = {each: card["name"] for each, card in cards.items() if card.get("born", 0) <= step}
            names |= {each: there[each] for each in spoken(arguments, there)}
        count, close = Counter(names.values()), {names[identity] for identity in near if identity in names}
        meant = {
            identity: name
            for identity, name in names.items()
            if (identity in near if name in close else count[name] == 1 and not DIGITS.fullmatch(name))
        }
        found = spoken(told["say"], meant)
        return " ".join(identity for identity in cards if identity in found and identity not in looked)

    return over(range(len(scene.steps)), at)


def spoken(sentence: str, names: dict[str, str]) -> set[str]:
    """Those whose names stand in a sentence; the longest are found first, and what is part of one is no other.

    >>> sorted(spoken("y·x is 6.5 now. tape keeps x.", {"v0": "x", "v1": "y", "v2": "y·x", "v3": "6"}))
    ['v0', 'v2']
    >>> spoken("tape works out Xᵀ @ g₇.", {"v0": "X"})
    {'v0'}
    """
    found = set()
    for name in sorted({name for name in names.values() if name and name in sentence}, key=len, reverse=True):
        whole = rf"(?<!{PART})(?<!\d\.){re.escape(name)}(?=ᵀ|(?!{PART}|\.\d))"
        sentence, count = re.subn(whole, "\0", sentence)
        if count:
            found |= {identity for identity, other in names.items() if other == name}
    return found
