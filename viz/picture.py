"""A still picture or a text that shows itself wherever it is the last line of a cell."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from functools import cached_property
from html import escape
from typing import Any

from .figure import Figure
from .scene import Scene


class Text(str):
    """A string that shows itself line by line instead of as one quoted line.

    >>> viz.Text("x  3").upper(), viz.Text("x  3")
    ('X  3', x  3)
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class Drawing:
    """A picture as SVG, drawn when somebody looks, with its words and the text that stands for it where none can be shown."""

    def __init__(
        self, draw: Callable[[], str], words: str, text: str, facts: Figure | None = None, theme: str = ""
    ) -> None:
        self._draw, self.words, self.text, self.facts, self.theme = draw, words, text, facts, theme

    @cached_property
    def svg(self) -> str:
        """The picture as SVG text."""
        return self._draw()

    def __repr__(self) -> str:
        return self.text

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        return {"text/plain": self.text, "text/html": _image(self.svg, self.words)}


class Comparison(Drawing):
    """Several runs on one axis, and two runs side by side as well: what `viz.compare` gives.

    It shows itself; `.words` say what is in it, `.svg` is the picture, and `.figure` the memory for matplotlib, to be changed
    or saved.

    >>> def run(power):
    ...     x = tf.Variable([1.0, 2.0])
    ...     with viz.record() as run, tf.GradientTape() as tape:
    ...         y = x**power
    ...     return run
    >>> comparison = viz.compare(run(2), run(3))
    >>> type(comparison).__name__, comparison.svg.startswith("<svg")
    ('Comparison', True)
    """

    facts: Figure

    def __init__(self, facts: Figure, theme: str = "") -> None:
        from .paint import compare, runs

        self.curves = facts["curves"]
        if facts.kind == "runs":
            super().__init__(lambda: runs.picture(facts, theme), runs.described(facts), runs.table(facts), facts, theme)
        else:
            said = facts.get("said", [])
            words = " ".join([*said, compare.described(self.curves)])
            text = "\n".join([*said, *[""][: len(said)], compare.table(self.curves)])
            super().__init__(lambda: compare.picture(self.curves, theme), words, text, facts, theme)

    @cached_property
    def parts(self) -> list[list[Any]]:
        """What a notebook shows, row by row: pictures of their own, so that each finds its place in a narrow window."""
        from .paint import runs

        if self.facts.kind == "runs":
            return runs.parts(self.facts, self.theme)
        return [[runs.memory_of(self.curves, self.theme)]]

    @property
    def figure(self) -> Any:
        """The memory as a matplotlib figure; raises ImportError without matplotlib."""
        from .paint.compare import figure

        return figure(self.curves)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        said = [] if self.facts.kind == "runs" else self.facts.get("said", [])
        rows = ["".join(_image(*part) for part in row) for row in self.parts if row]
        shown = rows[0] if len(rows) == 1 else "".join(f"<div>{row}</div>" for row in rows)
        return {"text/plain": self.text, "text/html": "".join(f"<p>{escape(line)}</p>" for line in said) + shown}


def _image(svg: str, words: str, narrow: str = "", whole: bool = False) -> str:
    """A picture that shows without a kernel and without trust; in a narrow window `narrow` stands for it.  What is `whole` is
    never made smaller than it is: it scrolls instead, and its letters can be read."""
    coded = [b64encode(drawn.encode()).decode() for drawn in (svg, narrow)]
    most = "none" if whole else "100%"
    shown = (
        f'<img alt="{escape(words, quote=True)}" src="data:image/svg+xml;base64,{coded[0]}" style="max-width: {most}">'
    )
    if narrow:
        source = f'<source media="(max-width: 760px)" srcset="data:image/svg+xml;base64,{coded[1]}">'
        shown = f"<picture>{source}{shown}</picture>"
    return f'<div style="display: inline-block; max-width: 100%; overflow-x: auto">{shown}</div>' if whole else shown


class Picture:
    """A picture of a scene at one step: what `viz.graph` and `viz.lanes` give; raises IndexError for a step that is not there.

    It shows itself, without a kernel and without trust; `.svg` is its text, and `.dot` the graph for Graphviz.

    >>> x = tf.Variable([1.0, 2.0])
    >>> with viz.record() as run, tf.GradientTape() as tape:
    ...     y = x * x
    >>> picture = viz.graph(run)
    >>> picture, picture.svg.startswith("<svg")
    (<picture: graph of 2 values, step 3 of 3>, True)
    """

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
