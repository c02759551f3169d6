"""What a page carries of the player's style: the rules for what it shows, or can come to show, and the colours that these name.

A class stands in the page's elements, in its table, or among the words of its script; a rule that needs another one is left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache, lru_cache

CLASSES = re.compile(r'(?:class=\\?|[\[,])"([a-z][\w-]*(?: [\w-]+)*)\\?"')  # of elements, and in the columns of tables
MADE = re.compile(r'classList\.(?:add|toggle)\("([\w-]+)|class="([\w -]+)"')  # what a script gives to elements
NAME = re.compile(r"\.([a-zA-Z][\w-]*)")
AMONG = re.compile(r":(?:is|where|has)\(")
Names = frozenset[str]
Can = Callable[
    [Names, str], bool
]  # whether one element can have all of these classes, and the attributes of a selector


def fitted(style: str, texts: Iterable[str], code: str) -> str:
    """A style sheet without the rules that no element of these texts can match, whatever the code makes of them.

    >>> fitted(".mt-a{--x:1;--y:2;top:var(--x)}.mt-b.c{top:1px}.d,.mt-a.b:hover{left:0}", ['<p class="mt-a b">'], "")
    '.mt-a{--x:1;top:var(--x)}.mt-a.b:hover{left:0}'
    """
    texts = list(texts)
    found = {classes for text in texts for classes in CLASSES.findall(text)}
    seen = {frozenset(f"{classes} mt-{classes}".split()) for classes in found}  # a table says a part without its prefix
    made = frozenset(name for pair in MADE.findall(code) for classes in pair for name in classes.split())
    known = made.union(*seen)

    @cache
    def has(attribute: str) -> bool:
        told = "dataset." + re.sub("-(.)", lambda found: found[1].upper(), attribute[5:])
        return any(name in text for text in [*texts, code] for name in (attribute, told))

    @cache
    def can(names: Names, selector: str) -> bool:
        given = names - made
        held = names <= known and (not given or any(given <= together for together in seen))
        return held and all(map(has, re.findall(r"\[(data-[\w-]+)", selector)))

    kept = "".join(_kept(style, can))
    named = known.union(*(re.findall(r"var\(--([\w-]+)", text) for text in [kept, *texts]))
    return re.sub(r"(?<=[{;])--([\w-]+):[^;}]*;?", lambda found: found[0] if found[1] in named else "", kept)


@cache
def _rules(style: str) -> list[tuple[str, str]]:
    """Of each rule what stands before its braces, and in them."""
    out, at = [], 0
    while (opening := style.find("{", at)) >= 0:
        end = _end(style, opening + 1, "{}")
        out.append((style[at:opening].strip(), style[opening + 1 : end]))
        at = end + 1
    return out


def _kept(style: str, can: Can) -> Iterator[str]:
    for before, body in _rules(style):
        if before.startswith(("@media", "@container", "@supports")):
            body = "".join(_kept(body, can))
        elif not before.startswith("@"):
            before = ",".join(_possible(before, can))
        if before and body:
            yield f"{before}{{{body}}}"


def _possible(selectors: str, can: Can) -> list[str]:
    """Those of several selectors that something can match."""
    return [fitting for selector in _split(selectors) if (fitting := _fit(selector, can))]


def _fit(selector: str, can: Can) -> str:
    """A selector, with only those of its alternatives that something can match; "" if nothing can."""
    out, at = "", 0
    while found := AMONG.search(selector, at):
        end = _end(selector, found.end())
        inner = _possible(selector[found.end() : end], can)
        if not inner:
            return ""
        out += selector[at : found.end()] + ",".join(inner) + ")"
        at = end + 1
    out += selector[at:]
    return out if all(can(names, part) for names, part in _elements(out)) else ""


@lru_cache(maxsize=1 << 13)  # every page is asked of the same few thousand
def _elements(selector: str) -> list[tuple[Names, str]]:
    """The classes that a selector names of each element, and what it says of that one."""
    plain = re.sub(r":(?:is|where|has|not)\((?:[^()]|\([^()]*\))*\)", "", selector)
    return [(frozenset(NAME.findall(part)), part) for part in re.split(r"[\s>+~]+", plain)]


def _end(text: str, at: int, brackets: str = "()") -> int:
    """Where the bracket closes that was opened before this place."""
    depth = 1
    while depth:
        depth += (text[at] == brackets[0]) - (text[at] == brackets[1])
        at += 1
    return at - 1


@cache  # pages have one style sheet
def _split(text: str) -> list[str]:
    """The parts between commas that stand in no brackets."""
    parts, depth = [""], 0
    for sign in text:
        depth += {"(": 1, ")": -1}.get(sign, 0)
        if sign == "," and not depth:
            parts.append("")
        else:
            parts[-1] += sign
    return parts
