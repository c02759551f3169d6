"""A program with its knobs: what it does at each position, told as a page that stays.

The first position of a structure makes a page (`Turning`); every other one is what is told differently there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from typing import Any

from ..capture import called, chances
from ..layout import place
from ..paint.sheet import Mark
from ..paint.text import table
from ..paint.turns import Change, Turning
from ..scene import Scene
from .abbreviations import Knob, knobs_of
from .curve import corners, height_and_slope
from .panel import panel, refused, signature
from .traced import Places, Traced

STOPS, FINER = 41, 4  # positions at which the curve is computed, and how many times as many where it bends
ASIDE = 13  # positions that a page knows of a number that is not the plot's axis: each has a curve of its own
FEW = 8  # switches and choices that are tried for one that mends a refusal; and pages that are kept ready


class Live:
    """A program under knobs: in a notebook it shows itself as a stepper that can be turned; elsewhere it is one run, at the
    defaults, as a text table.  `values` says where the knobs stand, `scene` is the run there, `turn(x=2.0)` turns them."""

    def __init__(
        self, program: Callable[..., Any], plot: tuple[str, str] | None, given: Mapping[str, Any], theme: str = ""
    ) -> None:
        self.program, self.plot, self.theme = program, plot, theme
        self.knobs = knobs_of(program, given)
        self.values: dict[str, Any] = {knob.name: knob.value for knob in self.knobs}
        self.title = program.__name__ if program.__name__ != "<lambda>" else ""
        self._places = Places()
        self._heights: dict[tuple[Any, ...], dict[float, float | None]] = {}  # by where the other knobs stand
        self._sampled: dict[tuple[Any, ...], list[Traced]] = {}
        self._pages: dict[str, Turning] = {}  # by structure
        # To which structure, by where all knobs but the flowing ones stand.
        self._leads: dict[tuple[Any, ...], str] = {}
        self._chances = chances()
        self.run = Traced(program, self._arguments(self.values), self.title)
        self.page: Turning | None = None
        self._count = 0
        self._widget: Any = None
        self._still: tuple[Traced, Scene] | None = None

    @property
    def scene(self) -> Scene:
        """The run where the knobs stand."""
        if self.run.scene.layout is None:
            self._settle(self.run, self.values)
        return self.run.scene

    @property
    def still(self) -> Scene:
        """The same for a picture of which no knob is turned: it has no room for other numbers."""
        if self._still is None or self._still[0] is not self.run:
            self._still = self.run, replace(self.run.scene, layout=place(self.run.scene))
        return self._still[1]

    def trace(self, values: Mapping[str, Any]) -> Traced:
        """The program run at these positions, with the random numbers of its first run; the picture is not touched."""
        return Traced(self.program, self._arguments(values), self.title, self._chances)

    def moved(self, values: Mapping[str, Any]) -> Traced:
        """The program run at these positions, where the knobs stand from now on, with the places of its structure."""
        self.run, self.values = self.trace(values), dict(values)
        self._settle(self.run, values)
        return self.run

    def _arguments(self, values: Mapping[str, Any]) -> dict[str, Any]:
        return {knob.name: knob.argument(values[knob.name]) for knob in self.knobs}

    # ---- what moves ---------------------------------------------------------------------------------------------------

    @property
    def axis(self) -> Knob | None:
        """The knob that is the plot's x axis: the first that is a number."""
        return next((knob for knob in self.knobs if knob.kind == "number"), None)

    def _others(self, values: Mapping[str, Any]) -> tuple[Any, ...]:
        return tuple(values[knob.name] for knob in self.knobs if knob is not self.axis)

    def sampled(self, values: Mapping[str, Any]) -> list[Traced]:
        """Runs from one end of the axis to the other, the other knobs as they stand; traced once."""
        for _ in self._sampling(values):
            pass
        return self._sampled[self._others(values)]

    def _sampling(self, values: Mapping[str, Any]) -> Iterator[None]:
        axis, known = self.axis, self._sampled.setdefault(self._others(values), [])
        if axis is None:
            return
        for at in axis.stops(3)[len(known) :]:
            known.append(self.trace({**values, axis.name: at}))
            yield

    def _settle(self, run: Traced, values: Mapping[str, Any]) -> None:
        self._places.settle(run, lambda: self.sampled(values))

    def curve(self, values: Mapping[str, Any]) -> list[list[float]]:
        """The function over the axis as [x, y] points, traced once; empty where the program has no height."""
        for _ in self.curving(values):
            pass
        return self.known_curve(values) or []

    def curving(self, values: Mapping[str, Any]) -> Iterator[None]:
        """The curve in pieces, which may be left and taken up again."""
        axis = self.axis
        if axis is None or self.height(self.run)["y"] is None:
            return
        known = self._heights.setdefault(self._others(values), {})
        while wanted := self._wanted(known):
            for at in wanted:
                known[at], _ = height_and_slope(self.trace({**values, axis.name: at}), axis.name, self.plot)
                yield

    def known_curve(self, values: Mapping[str, Any]) -> list[list[float]] | None:
        """The curve where it was traced already."""
        known = self._heights.get(self._others(values), {})
        return None if self._wanted(known) else _points(known)

    def _wanted(self, known: Mapping[float, float | None]) -> list[Any]:
        """Positions whose heights the curve still needs: evenly spread ones, then more where a line through these has corners."""
        if self.axis is None:
            return []
        even = [at for at in self.axis.stops(STOPS) if at not in known]
        if even or self.axis.whole:
            return even
        least = (self.axis.high - self.axis.low) / (STOPS - 1) / FINER
        return [at for at in map(self.axis.place, corners(_points(known), least)) if at not in known]

    def height(self, run: Traced) -> dict[str, Any]:
        """How high the function is in a run, and how steep from which step on."""
        y, slopes = height_and_slope(run, self.axis.name, self.plot) if self.axis else (None, [])
        return {"y": y, "slopes": slopes}

    # ---- turning ------------------------------------------------------------------------------------------------------

    def turn(self, **values: Any) -> dict[str, Any]:
        """Turn knobs and trace the program anew: what is told differently, or a sheet where the structure is another.

        A choice is turned by the number of its option.  Raises KeyError for no knob, ValueError for where it cannot stand.
        """
        return self.turned({**self.values, **values})

    def turned(self, values: Mapping[str, Any], view: str = "") -> dict[str, Any]:
        """The same for all knobs; `view` tells only what it shows."""
        self.checked(values)
        run = self.moved(values)
        told: dict[str, Any] = {"values": self.values, **self.height(run), "refused": self.refusal(run)}
        page = self._pages.get(run.structure)
        lines = page.turn(run.scene, view) if page else None
        if page is None or lines is None:
            told["sheet"], lines = self.begin(view or "graph"), []
        elif page is not self.page:  # the program ran there before
            self.page, told["sheet"], lines = page, page.sheet, page.since()
        return {**told, "lines": lines, "curve": self.known_curve(values)}

    def checked(self, values: Mapping[str, Any]) -> None:
        """Raises KeyError for no knob, ValueError for where a knob cannot stand."""
        strange = [name for name in values if name not in self.values]
        if strange:
            raise KeyError(f"no knob is called {strange[0]!r}: {', '.join(self.values)}")
        self._arguments(values)

    def rest(self) -> list[Change]:
        """What is told differently in the parts that the view did not show."""
        return (self.page.turn(self.scene) if self.page else None) or []

    def begin(self, view: str = "graph", **how: Any) -> dict[str, Any]:
        """A page for the structure that there is now, as a sheet (see `paint/frame.py`)."""
        self._settle(self.run, self.values)
        self.page = self._page(self.run, view, **how)
        return self.page.sheet

    def _page(self, run: Traced, view: str, **how: Any) -> Turning:
        page = self._pages[run.structure] = Turning(run.scene, *self.parts(run), view=view, **how)
        self._count += 1
        page.sheet["page"] = self._count  # the number under which a viewer may keep it
        for oldest in list(self._pages)[:-FEW]:
            del self._pages[oldest]
        return page

    def parts(self, run: Traced) -> tuple[tuple[str, str], Mark]:
        """What a page of a run has of the knobs: the program's first line, and the panel."""
        return signature(run.scene, self.program, self.knobs), panel(self.knobs, self.axis)

    def stands(self) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
        """Where else knobs may stand that leads to another structure: one turn away, and farther."""
        here = self.values
        others = [{**here, **stand} for stand in self._stands(FEW)]
        away = [(sum(stand[name] != here[name] for name in here), stand) for stand in others]
        near, far = [stand for by, stand in away if by == 1], [stand for by, stand in away if by > 1]
        near += [
            {**here, knob.name: at}
            for knob in self.knobs
            if knob.whole
            for at in (knob.place(here[knob.name] + knob.step), knob.place(here[knob.name] - knob.step))
            if knob.low <= at <= knob.high
        ]
        return near[:FEW], far[: max(0, FEW - len(near))]

    def preparing(self, stands: list[dict[str, Any]]) -> Iterator[dict[str, Any] | None]:
        """Pages for the structures that there are at these positions, in pieces; each is given as a sheet."""
        for values in stands:
            led = tuple(values[knob.name] for knob in self.knobs if knob.kind != "number" or knob.whole)
            if self._leads.get(led) not in self._pages:
                run = self.trace(values)
                yield None
                self._leads[led] = run.structure
                if run.structure not in self._pages:
                    yield from self._sampling(values)
                    self._settle(run, values)
                    yield None
                    self._page(run, "graph")
            yield self._pages[self._leads[led]].sheet

    def _stands(self, most: int) -> Iterator[dict[str, Any]]:
        """Where switches and choices may stand, all together."""
        plain = [knob for knob in self.knobs if knob.kind in ("switch", "choice")]
        for stand in product(*(knob.stops(most) for knob in plain)):
            yield {knob.name: at for knob, at in zip(plain, stand, strict=True)}

    def told(self) -> dict[str, Any]:
        """What a player must know of the knobs beside the sheet."""
        knobs = [
            {
                "name": knob.name, "kind": knob.kind, "low": knob.low, "high": knob.high, "step": knob.step,
                "options": [label for label, _ in knob.options],
            }
            for knob in self.knobs
        ]  # fmt: skip
        return {"knobs": knobs, "axis": self.axis.name if self.axis else ""}

    # ---- refusals -----------------------------------------------------------------------------------------------------

    def refusal(self, run: Traced) -> dict[str, Any] | None:
        """Where a run that failed was refused: its last step, the step that is the cause, and the knob that would mend it."""
        if run.error is None:
            return None
        last = len(run.scene.steps) - 1
        spent = [
            (state["t"], recorder["name"])
            for recorder in run.scene.recorders
            for state in recorder["states"]
            if state["state"] == "spent" and "non-persistent" in str(run.error)
        ]
        cause, name = max(spent, default=(None, ""))
        mends = self._mending()
        html = refused(cause, last, mends["label"] if mends else "")
        return {"step": last, "cause": cause, "name": name, "mends": mends, "html": html}

    def _mending(self) -> dict[str, Any] | None:
        """A switch or a choice under which the program goes through as it stands otherwise: tried, not guessed."""
        tries = [(knob, at) for knob in self.knobs if knob.kind in ("switch", "choice") for at in knob.stops(FEW)]
        for knob, at in tries[:FEW]:
            if (
                at != self.values[knob.name]
                and called(self.program, self._arguments({**self.values, knob.name: at}), "", self._chances)[2] is None
            ):
                label = str(at) if knob.kind == "switch" else knob.options[at][0]
                return {"knob": knob.name, "value": at, "label": f"{knob.name} = {label}"}
        return None

    # ---- positions for a page without a kernel ------------------------------------------------------------------------

    def positions(self, most: int) -> list[dict[str, Any]]:
        """The positions that a page knows: one number at a time, the others where they stand, for every switch and choice."""
        start = dict(self.values)
        found = {repr(sorted(start.items())): start}  # a page opens at the first of them
        for stand in self._stands(most):
            here = {**start, **stand}
            turned = [here] + [
                {**here, knob.name: at}
                for knob in self.knobs
                if knob.kind == "number"
                for at in knob.stops(most if knob is self.axis else min(most, ASIDE))
            ]
            found.update({repr(sorted(stand.items())): stand for stand in turned})
        return list(found.values())

    # ---- faces --------------------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return table(self.scene)

    @property
    def widget(self) -> Any:
        """The stepper with knobs, made when it is first shown; raises ImportError without anywidget."""
        if self._widget is None:
            from .widget import Turned

            self._widget = Turned(self)
        return self._widget

    def _repr_mimebundle_(self, **options: Any) -> Any:
        try:
            shown = self.widget
        except ImportError:
            from ..paint.svg import picture

            return {"text/plain": repr(self), "image/svg+xml": picture(self.still, len(self.still.steps) - 1)}
        return shown._repr_mimebundle_(**options)


def _points(known: Mapping[float, float | None]) -> list[list[float]]:
    """Heights that there are, from one end of the axis to the other."""
    return [[at, height] for at, height in sorted(known.items()) if height is not None]
