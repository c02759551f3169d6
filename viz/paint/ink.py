"""Pen and paper: SVG elements as strings, with the colours of a theme written out, so that any viewer shows them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from typing import Any

from ..layout.curve import tidy
from ..layout.sizes import LIKELY, columns, sans_width
from ..style import MONO, PALETTE, SANS

number = tidy  # as short as SVG takes it, to a tenth
MONO_SHARE = 0.602  # the advance of a monospace font, per px of its size

XMLNS = "http://www.w3.org/2000/svg"

Box = tuple[float, float, float, float]

_STRANGE = re.compile("[\x00-\x1f\ud800-\udfff\ufffe\uffff]")
# Words of scripts that run to the left (in isolation, or not yet): numbers beside them would change places.
_LEFTWARD = re.compile("\u2068?([\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\U00010800-\U00010fff]+)\u2069?")
_UNUSUAL = re.compile(f"{_STRANGE.pattern}|{_LEFTWARD.pattern}")


def printable(text: str) -> str:
    """Text that XML can hold: control characters as their pictures, lone surrogates as a question mark, and words of scripts that
    run to the left each by itself, between two signs that nobody sees.

    >>> printable("a" + chr(0) + "b"), printable("\u05d0 = 3"), printable(printable("\u05d0 = 3"))
    ('a␀b', '\u2068א\u2069 = 3', '\u2068א\u2069 = 3')
    """
    if text.isascii():
        return text if text.isprintable() else _STRANGE.sub(_picture, text)
    return _shown(text)


@lru_cache(maxsize=8192)
def _shown(text: str) -> str:
    if not _UNUSUAL.search(text):
        return text
    return _LEFTWARD.sub("\u2068\\1\u2069", _STRANGE.sub(_picture, text))


def _picture(found: re.Match[str]) -> str:
    return chr(0x2400 + ord(found[0])) if ord(found[0]) < 32 else "\ufffd"


def clean(text: str) -> str:
    """Printable text as it stands in a document.

    >>> clean("a" + chr(0) + "b<c")
    'a␀b&lt;c'
    """
    return escape(printable(text), quote=False)


def tag(name: str, *children: str, **attributes: object) -> str:
    """One element; in an attribute's name `_` is written `-` and `__` is written `:`, and what is None is left out.

    >>> tag("rect", x=1.25, rx=None, stroke_width=2)
    '<rect x="1.2" stroke-width="2"/>'
    """
    said = "".join(
        f' {key.replace("__", ":").replace("_", "-")}="{_quoted(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(children)
    return f"<{name}{said}>{inside}</{name}>" if inside else f"<{name}{said}/>"


def _quoted(value: object) -> str:
    return number(value) if isinstance(value, float) else clean(str(value)).replace('"', "&quot;")


def group(*children: str, **attributes: object) -> str:
    """A `<g>`; empty where nothing is in it."""
    return tag("g", *children, **attributes) if any(children) else ""


def opaque(what: str, colour: str) -> dict[str, str]:
    """A colour as attributes: old viewers do not know rgba(), so opacity stands apart.

    >>> opaque("fill", "rgba(255,0,16,.5)")
    {'fill': '#ff0010', 'fill-opacity': '.5'}
    """
    parts = re.fullmatch(r"rgba\((\d+),(\d+),(\d+),([\d.]+)\)", colour)
    if parts is None:
        return {what: colour}
    return {what: "#{:02x}{:02x}{:02x}".format(*map(int, parts.groups()[:3])), f"{what}-opacity": parts[4]}


@dataclass(slots=True, frozen=True)
class Ink:
    """The colours of a theme, and a prefix that keeps this picture's ids apart from any other's on the same page.

    The theme "" is light on paper and follows the reader on a screen: see `following`.  "page" takes the colours of the page that
    it stands in.
    """

    theme: str
    prefix: str

    def hue(self, role: str) -> str:
        """The colour of a role, as the palette has it."""
        return f"var(--{role})" if self.theme == "page" else PALETTE[self.theme or "light"][role]

    def fill(self, role: str) -> dict[str, Any]:
        """Attributes that fill with a role's colour."""
        return self._paint("fill", role)

    def stroke(self, role: str, width: float = 1.0) -> dict[str, Any]:
        """Attributes that draw a line in a role's colour."""
        return {**self._paint("stroke", role), "stroke-width": width}

    def _paint(self, what: str, role: str) -> dict[str, Any]:
        return opaque(what, self.hue(role))

    def ground(self) -> str:
        """What a document stands on."""
        return tag("rect", width="100%", height="100%", **self.fill("bg"))

    def box(self, box: Box, rx: float | None = None, **paint: Any) -> str:
        """A rectangle."""
        x, y, w, h = box
        paint.setdefault("fill", "none")
        return tag("rect", x=x, y=y, width=max(w, 0.0), height=max(h, 0.0), rx=rx, **paint)

    def line(self, x1: float, y1: float, x2: float, y2: float, role: str, width: float = 1.0, **more: Any) -> str:
        """A straight line."""
        return tag(
            "path", d=f"M{number(x1)} {number(y1)}L{number(x2)} {number(y2)}", **self.stroke(role, width), **more
        )

    def curve(self, d: str, role: str, width: float = 1.0, **more: Any) -> str:
        """A path that is not filled."""
        return tag("path", d=d, fill="none", **self.stroke(role, width), **more)

    def text(
        self,
        x: float,
        y: float,
        said: str,
        size: float,
        role: str = "ink",
        *,
        weight: int | None = None,
        anchor: str | None = None,
        sans: bool = False,
        most: float | None = None,
        **more: Any,
    ) -> str:
        """One line of text; squeezed into `most` px where its font runs wider than a monospace font should."""
        wide = sans_width(said, size) if sans else mono(size, said)
        squeeze = {"textLength": most, "lengthAdjust": "spacingAndGlyphs"} if most and wide > most else {}
        return tag(
            "text", clean(said), x=x, y=y, font_size=size, font_weight=weight, text_anchor=anchor,
            font_family=SANS if sans else None, **self.fill(role), **squeeze, **more,
        )  # fmt: skip


def following(ink: Ink, drawn: str) -> str:
    """A style sheet that turns what was drawn dark where the reader's system or page is dark; empty for a theme by name.

    It repaints by colour, inside of the element whose id is the prefix: whoever cannot read it still has the light picture.
    """
    if ink.theme:
        return ""
    light, dark = Ink("light", ""), Ink("dark", "")
    rules = {}
    for role in PALETTE["light"]:
        for what in ("fill", "stroke"):
            before, after = light._paint(what, role), dark._paint(what, role)
            rules.update({(key, before[key]): after[key] for key in before})
    used = {pair: new for pair, new in rules.items() if f'{pair[0]}="{pair[1]}"' in drawn}
    said = "".join(f'#{ink.prefix} [{key}="{old}"]{{{key}:{new}}}' for (key, old), new in used.items())
    return tag("style", f"@media screen and (prefers-color-scheme:dark){{{said}}}")


def document(ink: Ink, said: str, size: tuple[float, float], *parts: str, desc: str = "") -> str:
    """A picture as an SVG document, called `said`; with a description beside that, its name is read from both."""
    drawn, w, h = "".join(parts), *(f"{side:.0f}" for side in size)
    room = {"viewBox": f"0 0 {w} {h}", "width": w, "height": h}
    if not desc:
        inside = tag("title", clean(said)) + drawn
        named = {"xmlns": XMLNS, "id": ink.prefix, "role": "img", "aria_label": said}
    else:
        title, about = f"{ink.prefix}-t", f"{ink.prefix}-d"
        inside = tag("title", clean(said), id=title) + tag("desc", clean(desc), id=about) + drawn
        named = {"id": ink.prefix, "xmlns": XMLNS, "role": "img", "aria_labelledby": f"{title} {about}"}
    return tag("svg", inside, following(ink, inside), **named, **room)


def mono(size: float, said: str) -> float:
    """How wide `said` is in the monospace font."""
    return columns(said) * size * MONO_SHARE


def fitting(said: str, room: float, size: float) -> str:
    """`said`, cut with an ellipsis where the proportional font has no room for it."""
    if sans_width(said, size) * LIKELY <= room:
        return said
    while said and sans_width(said + "…", size) * LIKELY > room:
        said = said[:-1]
    return said + "…"


FONTS: dict[str, Any] = {"font_family": MONO}


# Code is broken at a space, after a bracket or a comma; if that is not enough, after another sign, or before an attribute's dot.
_WORD = re.compile(r"(?<=[(\[{,])(?=[^\s)\]},])|(?<=\s)(?=\S)")
_PIECE = re.compile(r"(?<=[=*/+@])(?=[^\s=*/+@])|(?<=[\w)\]])(?=\.[^\W\d])")


def code_words(said: str) -> list[list[str]]:
    """Code in words, and each in the pieces between which it may be broken where it is longer than a line.

    >>> code_words("a = tape.gradient(y, [x])")
    [['a '], ['= '], ['tape', '.gradient('], ['y, '], ['['], ['x])']]
    """
    return [_PIECE.split(word) for word in _WORD.split(said)]


def columns_wrapped(said: str, most: int) -> list[str]:
    """Code in lines of at most `most` columns, continued under its own indentation and three columns more.

    >>> columns_wrapped("  d = inner.gradient(y, x)", 16)
    ['  d =', '     inner', '     .gradient(', '     y, x)']
    """
    if columns(said) <= most:
        return [said]
    pad = " " * min(len(said) - len(said.lstrip()) + 3, most // 2)
    lines, line = [], ""

    def put(text: str) -> bool:
        """On this line, or else on the next; whether it fits there."""
        nonlocal line
        if columns(line + text.rstrip()) > most and line.strip():
            lines.append(line.rstrip())
            line = pad
        if fits := columns(line + text.rstrip()) <= most:
            line += text
        return fits

    for word in code_words(said):
        if put("".join(word)):
            continue
        for piece in word:
            if put(piece):
                continue
            for char in piece:  # a name that is longer than a line
                if columns(line + char) > most:
                    lines.append(line.rstrip())
                    line = pad
                line += char
    return [*lines, line.rstrip()] if line.strip() else lines
