"""The looks of marks, read from `static/looks.css` and `style.toml`: as a style sheet for pages, as attributes for stills."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path

from ..scene import DERIVED, order_of, without_order
from ..style import CELLS, DASHES, FILLS, HOLDERS, MARK_DASHES, MARKS, MONO, NTH, PALETTE, SANS
from .ink import opaque

FILE = Path(__file__).parent.parent / "static" / "looks.css"
FONTS = {"MONO": MONO, "SANS": SANS}
PX = {"font-size", "stroke-width", "rx"}  # CSS wants a unit
COLOURS = {"fill", "stroke"}
DEFAULT = {"font-size": "12.3", "fill": "ink"}  # of text
HUES = tuple(CELLS)  # kinds of number: a mark that is of one has its colour

Part = tuple[str, frozenset[str]]  # what it is, and its states
Paint = dict[str, str]


@cache
def rules() -> list[tuple[list[Part], Paint]]:
    """Every rule in its order: the parts of its selector, outermost first, and what it paints."""
    text = re.sub(r"/\*.*?\*/", "", FILE.read_text(encoding="utf-8"), flags=re.S)
    found = []
    for selectors, body in re.findall(r"([^{}]+)\{([^{}]*)\}", text + _generated()):
        pairs = (pair.split(":", 1) for pair in body.split(";") if pair.strip())
        paint = {name.strip(): value.strip() for name, value in pairs}
        found += [([part(word) for word in selector.split()], paint) for selector in selectors.split(",")]
    return found


def _generated() -> str:
    """The rules that follow from the tables of marks, kinds of number and holders."""
    out = list[str]()
    for mark, (_, role) in MARKS.items():
        fill = {"role": role, "bg": "bg"}.get(FILLS[mark], "none")
        dash = f"; stroke-dasharray: {MARK_DASHES[mark]}" if mark in MARK_DASHES else ""
        out.append(f"mark.{mark} {{ stroke: {role}; fill: {fill}{dash} }}")
    for kind, dash in DASHES.items():
        out += [f"{line}.{kind} {{ stroke-dasharray: {dash} }}" for line in ("derivative", "dash")]
    for kind in DERIVED:
        base, order = without_order(kind), order_of(kind)
        end = "start" if base == "gradient" else "end"
        dash = f"; stroke-dasharray: {DASHES[kind]}" if kind in DASHES else ""
        out.append(f"flow.{kind} {{ marker-{end}: url({kind}){dash} }}")
        if order > 1:
            grounds = [f"ground.{kind}"] + [f"phase.{kind}"] * (base == "gradient")
            out.append(f"{', '.join(grounds)} {{ fill: {NTH[order - 1]}-tint }}")
        if order > 1 and base == "gradient":  # of tangents nothing goes back
            dots = f"{{ stroke-dasharray: 6 2{' 1.5 2' * (order - 2)} }}"
            out.append(f"arc.{kind} arcline, backpath.{kind} backpathline {dots}")
    out += ["held { fill: mute }", *(f"held.{holder} {{ fill: m-{holder} }}" for holder in HOLDERS)]
    return "\n".join(out)


def part(word: str) -> Part:
    """One word of a selector, or a class: `card.on` or `card on`."""
    name, *states = re.split(r"[. ]", word)
    return name, frozenset(states)


def resolve(own: str, above: tuple[str, ...], theme: str, prefix: str, is_text: bool = False) -> Paint:
    """The attributes of an element with this class inside of elements with those, as a viewer of plain SVG takes them."""
    paint = _resolved(own, above, theme, is_text)
    return {key: value.replace("url(#", f"url(#{prefix}-") for key, value in paint}


@lru_cache(maxsize=20_000)
def _resolved(own: str, above: tuple[str, ...], theme: str, is_text: bool) -> tuple[tuple[str, str], ...]:
    name, states = part(own)
    groups = [part(cls) for cls in above if cls]
    paint = dict(DEFAULT) if is_text else {}
    for selector, more in _about().get(name, ()) if own else ():
        *outer, (_, wanted) = selector
        if wanted <= states and all(any(g[0] == o[0] and o[1] <= g[1] for g in groups) for o in outer):
            paint |= more
    if "off" in states:
        paint["display"] = "none"
    hue = next((role for _, words in [(name, states), *reversed(groups)] for role in HUES if role in words), r"\1")
    out: Paint = {}
    for key, value in paint.items():
        value = re.sub(r"hue\((\w+)\)", hue, value)
        if key in COLOURS and value in PALETTE["light"]:
            out |= opaque(key, PALETTE[theme][value])
        elif key != "vector-effect" and value != "none" or key in COLOURS or key == "display":
            out[key] = re.sub(r"url\((\w+)\)", r"url(#\1)", FONTS.get(value, value))
    return tuple(out.items())


@cache
def _about() -> dict[str, list[tuple[list[Part], Paint]]]:
    """The rules by the part that they paint."""
    out: dict[str, list[tuple[list[Part], Paint]]] = {}
    for selector, paint in rules():
        out.setdefault(selector[-1][0], []).append((selector, paint))
    return out


@cache
def sheet() -> str:
    """The rules as a style sheet.  All stand in :where(), so that order alone decides, as in a still."""
    out = [f".mt :where(svg text){{{_css(DEFAULT)};font-family:var(--mono);stroke:none}}"]
    out += [f".mt :where(.{role}){{--hue:var(--{role})}}" for role in HUES]
    before, selectors = None, list[str]()
    for selector, paint in [*rules(), ([], {})]:
        if paint != before and before is not None:
            out.append(f".mt :where({','.join(selectors)}){{{_css(before)}}}")
            selectors = []
        before = paint
        selectors.append(" ".join("." + ".".join([f"mt-{name}", *sorted(states)]) for name, states in selector))
    return "\n".join(out)


def _css(paint: Paint) -> str:
    return ";".join(f"{key}:{_value(key, value)}" for key, value in paint.items())


def _value(key: str, value: str) -> str:
    if key in COLOURS and value in PALETTE["light"]:
        return f"var(--{value})"
    if hue := re.fullmatch(r"hue\((\w+)\)", value):
        return f"var(--hue,var(--{hue[1]}))"
    if value in FONTS:
        return f"var(--{value.lower()})"
    return re.sub(r"url\((\w+)\)", r"var(--url-\1)", value + ("px" if key in PX else ""))
