"""A still picture or a text that shows itself wherever it is the last line of a cell."""

from __future__ import annotations

from base64 import b64encode
from html import escape
from typing import Any

from .figure import Figure
from .scene import Scene


class Text(str):
    """A string that shows itself line by line instead of as one quoted line."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class Drawing:
    """A finished SVG with its alternative text, and the text that stands for it where no picture can be shown."""

    def __init__(self, svg: str, words: str, text: str, facts: Figure | None = None) -> None:
        self.svg, self.words, self.text, self.facts = svg, words, text, facts

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {"text/plain": self.text, "text/html": _image(self.svg, self.words)}


class Comparison(Drawing):
    """Several runs on one axis: the picture, its table, and `.figure`, matplotlib's, to be changed or saved."""

    def __init__(self, facts: Figure, theme: str = "") -> None:
        from .paint import compare

        self.curves = facts["curves"]
        super().__init__(
            compare.picture(self.curves, theme), compare.described(self.curves), compare.table(self.curves), facts
        )

    @property
    def figure(self) -> Any:
        """The same as a matplotlib figure; raises ImportError without matplotlib."""
        from .paint.compare import figure

        return figure(self.curves)


def _image(svg: str, words: str) -> str:
    coded = b64encode(svg.encode()).decode()
    return f'<img alt="{escape(words, quote=True)}" src="data:image/svg+xml;base64,{coded}" style="max-width: 100%">'


class Picture:
    """A picture of a scene at one step: an SVG that shows without a kernel and without trust."""

    def __init__(self, scene: Scene, parts: tuple[str, ...], step: int | None = None, theme: str = "") -> None:
        last = len(scene.steps) - 1
        at = last if step is None else step if step >= 0 else last + 1 + step
        if not 0 <= at <= last:
            raise IndexError(f"there is no step {step}: this run has the steps 0 to {last}")
        self.scene, self.parts, self.step, self.theme = scene, parts, at, theme

    @property
    def svg(self) -> str:
        """The picture as SVG text."""
        from .paint.svg import picture

        return picture(self.scene, self.step, theme=self.theme, parts=self.parts)

    @property
    def dot(self) -> Any:
        """The graph for Graphviz, as it stands at the end: a `graphviz.Source`; raises ImportError without that package."""
        from .paint.dot import source

        return source(self.scene)

    def __repr__(self) -> str:
        count = len(self.scene.values)
        what = " and ".join(self.parts)
        return f"<picture: {what} of {count} value{'' if count == 1 else 's'}, step {self.step} of {len(self.scene.steps) - 1}>"

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        words = self.scene.steps[self.step]["say"]
        return {"text/plain": repr(self), "text/html": _image(self.svg, words)}
