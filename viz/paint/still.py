"""Marks as they are at one step, for any viewer of SVG: looks written out as attributes, shares of the width as px."""

from __future__ import annotations

import re
from typing import Any

from ..style import SHAPES
from .ink import Ink, clean, number
from .looks import resolve
from .sheet import Mark, Share, attribute, quoted


def event(ink: Ink, kind: str, x: float, y: float, size: float = 1.0) -> str:
    """The mark of an event at a place."""
    place = f"translate({number(x)} {number(y)})" + (f" scale({size:.2g})" if size != 1 else "")
    return Still(ink, 0).write(Mark("path", d=SHAPES[kind], transform=place, cls=f"mark {kind}"))


class Still:
    """Writes marks at a step, in a theme; `room` is the width of which shares are taken."""

    def __init__(self, ink: Ink, step: int, room: float = 0.0) -> None:
        self.ink, self.step, self.room = ink, step, room
        self.theme = ink.theme or "light"

    def marks(self, marks: list[Mark]) -> str:
        """Some marks, one after the other."""
        return "".join(map(self.write, marks))

    def write(self, mark: Mark, above: tuple[str, ...] = ()) -> str:
        """A mark with all that is in it, and nothing of what is not seen."""
        now = {name: mark.now(name, self.step) for name in mark.attrs}
        cls, tag = str(now.pop("cls", None) or ""), mark.tag
        paint = resolve(cls, above, self.theme, self.ink.prefix, tag == "text")
        if paint.pop("display", "") == "none" or paint.pop("visibility", "") == "hidden":
            return ""
        inner = clean(str(now.pop("text", None) or ""))
        attrs: dict[str, Any] = {
            name: self._px(name, value) for name, value in now.items() if not name.startswith(("data", "aria"))
        }
        if tag == "svg" and "viewbox" not in attrs:  # a place in time
            x, y = attrs.pop("x", 0) or 0, attrs.pop("y", 0) or 0
            tag, attrs = "g", {"transform": f"translate({quoted(float(x))} {quoted(float(y))})"}
        shown = "".join(
            f' {attribute(name)}="{quoted(value)}"' for name, value in {**paint, **attrs}.items() if value is not None
        )
        inside = (*above, cls) if cls and tag == "g" else above
        inner += "".join(self.write(kid, inside) for kid in mark.kids)
        if tag in ("g", "defs", "text") and not inner or tag == "path" and not attrs.get("d"):
            return ""
        return f"<{tag}{shown}>{inner}</{tag}>" if inner else f"<{tag}{shown}/>"

    def _px(self, name: str, value: Any) -> Any:
        if isinstance(value, Share):
            return float(value) * self.room
        if name == "id":
            return f"{self.ink.prefix}-{value}"
        return re.sub(r"^url\(#", f"url(#{self.ink.prefix}-", value) if isinstance(value, str) else value
