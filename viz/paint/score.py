"""The score as marks, by the plan of `plan.py`: strings, stems, arcs and backpaths, and the names at their left.

Two pictures on one axis, staves above and strings below: a page scrolls the lower one in its own box.  What follows from the room
alone, which names and numbers fit, is planned anew for each room; where things are in time never changes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import partial
from typing import Any, NamedTuple

from ..layout.sizes import columns, digits, face, grid, short
from ..scene import ORDERS, Scene, of_order
from ..style import CUT, LINE_MARKS, NEVER, SHAPES
from . import state as at
from .cards import in_words, moved, path
from .ink import mono, number
from .plan import STAFF, Plan, heights, plan_of
from .sheet import Known, Line, Mark, Share, around, over, said
from .space import Label, Labels
from .time import BESIDE, Axis, listened, marks_of, shape, veil

HEAD, NOTE, SIZE, BACK_LANES, BACK_APART = 16.0, 9.0, 11.0, 3, 3.5
SMALL = 0.55  # of its full size that a mark on a string is drawn in at least
WIDE = 6.6  # px for a column of a band's name
LEAST = 6  # columns of a band's name that are worth showing
SHORT = 13  # columns of a number told one by one
OPEN = 1.012  # of the axis: where a string ends that is there to the end
NOTES = {"op", "ghost", "replay", "rebuild"}  # marks with a sign in them
SIGNS = {CUT: "✂", NEVER: NEVER}  # what stands in place of a number
SILENT = {"enter", "exit", "pause", "resume", "free"}  # marks without a stem: nothing is read or written
# A backward step colours its stem before an op does: the same step may be one recorder's entry and another one's backward pass.
STEMS = (
    *((of_order(mark, order), of_order("gradient", order)) for order in range(ORDERS, 0, -1) for mark in ("back", "seed")),
    *((of_order("tangent", order), of_order("tangent", order)) for order in range(ORDERS, 0, -1)),
    ("replay", "replay"), ("rebuild", "replay"), ("ghost", "ghost"),
)  # fmt: skip


def brief(state: dict[str, Any] | None) -> str:
    """What a state says in a narrow place: an array's numbers one by one, where that is as short as a number or two."""
    rows = grid(state) if state else None
    shown = "[" + ", ".join(map(digits, rows[0])) + "]" if rows else ""
    return shown if state and 0 < len(shown) <= SHORT and len(state["data"]["shape"]) == 1 else face(state)


def _begun(part: str, band: dict[str, Any], fits: bool, step: int) -> str:
    return said(part, band["kind"], (step < band["from"] or not fits) and "off")


class Figure(NamedTuple):
    """A name or number in the score: where it stands (px beside its step), since when, its look, on which side of its place."""

    shown: str
    step: int
    px: float
    y: float
    since: int
    kind: str
    before: bool = False


class Score:
    """A scene's score: its plan, and the places that do not depend on the room."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.plan = scene, plan_of(scene)
        plan: Plan = self.plan
        self.values = {value["id"]: value for value in scene.values}
        self.edges = {edge["id"]: edge for edge in scene.edges}
        self.made = {value["born"]: value for value in reversed(scene.values) if value.get("sign") or value.get("op")}
        self.strings = {string["id"]: string for string in plan.strings}
        self.marks = marks_of(scene)
        # by recorder: the middle of its staff, the room for arcs, the longest
        self.staves: dict[str, tuple[float, float, int]] = {}
        y = 4 + HEAD * (1 + max([-1, *[band["row"] for band in plan.bands]]))  # first the names of the bands
        for place in range(1 + max([-1, *[staff["staff"] for staff in plan.staves]])):
            here = [staff for staff in plan.staves if staff["staff"] == place]
            arch = max(staff["arch"] for staff in here)
            for staff in here:
                self.staves[staff["id"]] = (y + arch + STAFF / 2, max(arch, 14), staff["far"])
            y += arch + STAFF
        self.high = y  # of the staves
        self.rows, self.all = heights(plan.levels)
        self._known = Known()  # what is the same in every room
        self._places = {
            (string["id"], line["id"]): self.rows[string["row"] + line["sub"]]
            for string in plan.strings
            for line in string["lines"]
        }
        self._cells = {(value["id"], cell["id"]): cell for value in scene.values for cell in value["cells"]}

    def y(self, value: str, cell: str) -> float:
        """Where a value's row or a derivative's stands among the strings."""
        return self._places[value, cell]

    def shown(self, lines: list[list[str]]) -> list[list[str]]:
        """Those of these (value, cell) that have a row."""
        return [line for line in lines if (line[0], line[1]) in self._places]

    def brief(self, state: dict[str, Any] | None) -> str:
        """What a state says in a narrow place, worked out once."""
        return str(self._known.once(f"brief:{id(state)}", lambda: brief(state)))  # the scene keeps its states

    def staves_in(self, axis: Axis) -> list[Mark]:
        """Who heard which step: bands, arcs, a staff per recorder; at each step the upper half of its stem, and its marks."""
        arcs = [self._arc(place, arc, axis) for place, arc in enumerate(self.plan.arcs)]
        notes: dict[int, list[Mark]] = {}
        for recorder in self.scene.recorders:
            for step, note in self._notes(recorder, axis):
                notes.setdefault(step, []).append(note)
        stems = {stem["step"]: self._stem(stem, "staves") for stem in self.plan.stems}
        return [
            *self._bands(axis, "staves", self.high),
            self._column(axis, self.high),
            *[
                mark
                for recorder in self.scene.recorders
                for mark in listened(self.scene, recorder, axis, self.staves[recorder["id"]][0], STAFF / 2 - 3)
            ],
            axis.plane(*arcs, y=0, h=self.high),
            *[
                axis.here(step, 0, *stems.get(step, []), *notes.get(step, []), data_step=step)
                for step in range(len(self.scene.steps))
                if step in notes
            ],
            veil(self.scene, axis, 0, self.high),
            *self._band_names(axis),
        ]

    def strings_in(self, axis: Axis) -> list[Mark]:
        """What every value was, and when: bands, strings up to the cursor, backpaths; at each step its stem, marks, numbers."""
        edge = axis.now(self.scene, -1.1 * axis.last, Share(-0.07))
        stub = f"translate({number(min(8.0, axis.pitch / 2))} 0)"  # what begins at a step shows at it
        clip = Mark("rect", **edge, y=-9, width=Share(1.1), height=self.all + 18, transform=stub)
        touched = [
            (stem["step"], [*self._stem(stem, "strings"), *self._touches(stem, axis)]) for stem in self.plan.stems
        ]
        guides = [self._guides(axis, level) for level in sorted(set(self.plan.levels))]
        lines = [line for string in self.plan.strings for line in self._string(string, axis)]
        backpaths = [self._backpath(place, backpath, axis) for place, backpath in enumerate(self.plan.backpaths)]
        return [
            Mark("defs", Mark("clipPath", clip, id="lived")),
            *self._bands(axis, "strings", self.all),
            self._column(axis, self.all),
            axis.plane(*guides, y=0, h=self.all),
            Mark("g", axis.plane(*lines, y=0, h=self.all), clip_path="url(#lived)"),
            axis.plane(*backpaths, y=0, h=self.all),
            *[axis.here(step, 0, *marks, data_step=step) for step, marks in touched if marks],
            veil(self.scene, axis, 0, self.all),
            *self._figures(axis),
        ]

    # ---- staves -----------------------------------------------------------------------------------------------------

    def _column(self, axis: Axis, h: float) -> Mark:
        return Mark("rect", **axis.now(self.scene, -0.5), width=axis.share(1), y=0, height=h, cls="column")

    def _notes(self, recorder: dict[str, Any], axis: Axis) -> Iterator[tuple[int, Mark]]:
        y = self.staves[recorder["id"]][0]
        for step, marks in self.marks.get(recorder["id"], {}).items():
            for place, mark in enumerate(marks):
                note = self._note(step, mark, f"{recorder['id']}:{step}:{place}", axis)
                yield step, Mark("g", *note, transform=moved(0, y + (place - (len(marks) - 1) / 2) * 9))

    def _note(self, step: int, mark: str, key: str, axis: Axis) -> list[Mark]:
        """A mark of the lanes; an op's grows to a note that carries its sign, where the column is wide enough."""
        made = self.made.get(self.scene.steps[step].get("twin", step))
        sign = short(made.get("sign") or made["op"], 6) if made and mark in NOTES else ""
        wide = max(2 * NOTE, columns(sign) * 6.4 + 8) if sign else float("inf")
        parts = []
        if wide <= axis.pitches[1] - 2:  # in the widest room at least
            fits = wide <= axis.pitch - 2
            look = over(around([step]), lambda now: said("note", mark, now == step > 0 and "here", not fits and "off"))
            box = Mark("rect", x=-wide / 2, y=-NOTE, width=float(wide), height=2 * NOTE, cls="notebox")
            word = Mark("text", x=0, y=4, text=sign, cls="notesign")
            parts.append(Mark("g", box, word, cls=look, key=f"note:{key}"))
        if wide > axis.pitches[0] - 2:  # in the narrowest room at least
            drawn = shape(mark, axis, 0)
            drawn.attrs["cls"] += "" if wide > axis.pitch - 2 else " off"
            parts.append(drawn)
        return parts

    def _arc(self, place: int, arc: dict[str, Any], axis: Axis) -> Mark:
        y, arch, far = self.staves[arc["by"]]
        base, (x1, x2) = y - 10, (axis.x(arc["from"]), axis.x(arc["to"]))
        top = number(base - (12 + (arch - 14) * (arc["from"] - arc["to"]) / max(1, far)) * 1.33)
        line = path(f"M{x1} {number(base)}C{x1} {top} {x2} {top} {x2} {number(base - 1)}", "arcline")
        tip = axis.tip(arc["to"], base, "M0 0l-3-6h6Z", f"tip {arc['kind']}")
        return Mark(
            "g", line, tip, cls=self._since("arc", arc["kind"], arc["from"]), key=f"arc:{place}", data_step=arc["from"]
        )

    def _since(self, part: str, kind: str, begin: int) -> Any:
        """A thing of one step: hidden before, strong at it, and weaker afterwards."""

        def look(step: int) -> str:
            return said(part, kind, "off" if step < begin else step == begin and "here")

        return self._known.once(f"{part} {kind} {begin}", lambda: over(around([begin]), look))

    def _bands(self, axis: Axis, name: str, h: float) -> list[Mark]:
        out = []
        for place, band in enumerate(self.plan.bands):
            left, right = self._stretch(band, axis)
            look = over([band["from"]], partial(_begun, "phase", band, True))
            box: dict[str, Any] = {"x": left, "width": Share(right - left), "y": -5, "height": float(h + 10)}
            out.append(Mark("rect", **box, cls=look, key=f"band:{name}:{place}"))
        return out

    def _stretch(self, band: dict[str, Any], axis: Axis) -> tuple[Share, Share]:
        half, edge = 0.5 / axis.last, min(0.5 / axis.last, 0.012)
        return Share(max(-edge, band["from"] / axis.last - half)), Share(min(1 + edge, band["to"] / axis.last + half))

    def _band_names(self, axis: Axis) -> list[Mark]:
        """A name begins where its band does, and may go on beyond it where no other follows; at the right edge, where it would be
        cut, it ends where the band does.  A name that has no room is shortened, and at last cut."""
        out, taken = list[Mark](), list[tuple[int, float, float]]()
        spans = [tuple(share * axis.room for share in self._stretch(band, axis)) for band in self.plan.bands]
        for place, (band, (left, right)) in enumerate(zip(self.plan.bands, spans, strict=True)):
            end = axis.room + BESIDE - 5
            others = [a for other, (a, _) in zip(self.plan.bands, spans, strict=True) if other["row"] == band["row"]]
            until = min([begin for begin in others if begin >= right - 1] + [end])

            def free(begins: float, ends: float, row: int = band["row"]) -> bool:
                apart = all(row != other or ends + 4 <= a or b + 4 <= begins for other, a, b in taken)
                return begins >= 0 and apart

            cut = short(band["brief"], max(1, int((until - left - 12) / WIDE)))
            options = [(shown, anchor) for shown in (band["label"], band["brief"], cut) for anchor in (None, "end")]
            for shown, anchor in options:
                wide = columns(shown) * WIDE
                x = left + 5 if anchor is None else end
                begins = x - wide * (anchor is not None)
                inside = begins + wide <= until if anchor is None else right >= axis.room
                fits = inside and columns(shown) >= min(columns(band["brief"]), LEAST) and free(begins, begins + wide)
                if fits:
                    taken.append((band["row"], begins, begins + wide))
                    break
            look = over([band["from"]], partial(_begun, "phasename", band, fits))
            x, how = x - band["from"] * axis.pitch, {"text_anchor": anchor, "cls": look, "key": f"bandname:{place}"}
            word = Mark("text", x=x, y=12 + HEAD * band["row"], text=shown, **how)
            out.append(axis.here(band["from"], 0, word))
        return out

    # ---- strings ----------------------------------------------------------------------------------------------------

    def _stem(self, stem: dict[str, Any], part: str) -> list[Mark]:
        """Who heard a step joined with what it read and wrote: the part of the line among the staves, or among the strings."""
        made: list[Mark] = self._known.once(f"{part} {stem['step']}", lambda: self._joined(stem, part))
        return made

    def _joined(self, stem: dict[str, Any], part: str) -> list[Mark]:
        step = stem["step"]
        marked = [mark for mark in self.scene.steps[step].get("marks", []) if mark[1] not in SILENT]
        tops = [self.staves[who][0] for who, _ in marked if who in self.staves]
        low = [self.y(*line) for line in self.shown([*stem["reads"], *stem["writes"]])]
        if not low or (not tops and (len(low) < 2 or part == "staves")):
            return []
        kinds = {mark for _, mark in marked}
        kind = next((role for mark, role in STEMS if mark in kinds), "")
        look = over(around([step]), lambda now: said("stem", kind, now == step and "here"))
        ends = (min(tops), self.high) if part == "staves" else (0 if tops else min(low), max(low))
        return [path(f"M0 {number(float(ends[0]))}V{number(float(ends[1]))}", look, key=f"stem:{part}:{step}")]

    def _guides(self, axis: Axis, level: int) -> Mark:
        rows = [row for row, own in zip(self.rows, self.plan.levels, strict=True) if own == level]
        return path("".join(f"M0 {row}H{axis.x(axis.last)}" for row in rows), "guide sub" if level else "guide")

    def _string(self, string: dict[str, Any], axis: Axis) -> Iterator[Mark]:
        """Thick while a tape keeps it, thin while anybody has it, ochre while a rerun brought it back; derivatives dashed."""
        value, y = self.values[string["id"]], self.rows[string["row"]]
        kind = value["kind"] if value["kind"] in ("gradient", "tangent") else ""
        kind = "ghost" if value.get("ghost") else "twin" if "twin" in value else kind

        def lines(part: str, spans: list[list[int]], y: int = y) -> Iterator[Mark]:
            stops = [axis.x(OPEN * axis.last if end >= len(self.scene.steps) else end) for _, end in spans]
            d = "".join(f"M{axis.x(span[0])} {y}H{stop}" for span, stop in zip(spans, stops, strict=True))
            if d:
                yield path(d, part, data_value=string["id"])

        yield from lines(said("kept", kind), string["kept"])
        yield from lines(said("string", kind), string["alive"])
        yield from lines("string again", string["again"])
        ends = [end for _, end in [*string["alive"], *string["again"]] if end < len(self.scene.steps)]
        if ends:
            yield path("".join(f"M{axis.x(end)} {y - 4}v8" for end in ends), said("string", kind, "end"))
        for line in string["lines"][1:]:
            if line["from"] < line["to"]:
                row = self.rows[string["row"] + line["sub"]]
                yield from lines(f"derivative {line['kind']}", [[line["from"], line["to"]]], row)

    def _touches(self, stem: dict[str, Any], axis: Axis) -> Iterator[Mark]:
        step = stem["step"]
        for lines, is_read in ((stem["reads"], True), (stem["writes"], False)):
            for value, cell in self.shown(lines):
                row, state = self._row(value, cell, step)
                y, kind = self.y(value, cell), row["kind"]
                sign = SIGNS.get((state or {}).get("text", "")) if not is_read else None
                if sign:
                    look = over([step], lambda now: "signmark" if now >= step else "signmark off")
                    how = {"key": f"sign:{value}|{cell}:{step}", "data_value": value}
                    yield Mark("text", x=0, y=y + 4, text=sign, cls=look, **how)
                else:
                    is_array = not is_read and (state or {}).get("data")
                    told_ = [Mark("title", text=in_words(state))] if is_array else []
                    cls, size = said("touch", kind, is_read and "read"), axis.sized(y, SMALL, 0.72 if is_read else 1)
                    yield Mark("path", *told_, d=SHAPES[LINE_MARKS[kind]], cls=cls, data_value=value, **size)

    def _backpath(self, place: int, backpath: dict[str, Any], axis: Axis) -> Mark:
        """The way that a number took back: up the result's stem, then along the argument's string to where that was made."""
        (a, b), (off, left) = self._ends(backpath), self._lane(backpath, axis)
        at_, back = backpath["at"], backpath["back"]
        y, end = a + 5 + off, min(back * axis.pitch + 7, at_ * axis.pitch - left) / axis.pitch
        d = f"M{axis.x(at_)} {number(b + 4)}H{axis.x(at_, -left)}V{number(y)}H{axis.x(end)}"
        head = f"M{number((end - back) * axis.pitch - 6)} 0l7-3.6v7.2Z"
        tip = axis.tip(back, y, head, f"tip {backpath['kind']}")
        look = self._since("backpath", backpath["kind"], backpath["t"])
        how = {"key": f"backpath:{place}", "data_step": backpath["t"]}
        return Mark("g", path(d, "backpathline"), tip, cls=look, **how)

    def _lane(self, backpath: dict[str, Any], axis: Axis) -> tuple[float, float]:
        """How far beside its string a backpath runs, and how far left of its stem: one of a few lanes."""
        off = (backpath["nth"] % BACK_LANES) * BACK_APART
        return off, min(4.5 + off, axis.pitch / 2)

    def _ends(self, backpath: dict[str, Any]) -> tuple[float, float]:
        edge = self.edges[backpath["edge"]]
        a, b = (float(self.rows[self.strings[edge[end]]["row"]]) for end in ("a", "b"))
        return a, b

    # ---- numbers ----------------------------------------------------------------------------------------------------

    def _told(self, axis: Axis) -> Iterator[Figure]:
        """Everything that is said in the picture."""
        for stem in self.plan.stems:
            for value, cell in self.shown(stem["writes"]):
                row, state = self._row(value, cell, stem["step"])
                if state and state.get("text") not in SIGNS:
                    step, y = stem["step"], self.y(value, cell) - 3.5
                    yield Figure(self.brief(state), step, 0, y, step, row["kind"])
        for backpath in self.plan.backpaths:
            px, y = 2 - self._lane(backpath, axis)[1], self._ends(backpath)[0] + 17
            yield Figure(backpath["text"], backpath["at"], px, y, backpath["t"], backpath["kind"], before=True)
        shared: dict[int, list[dict[str, Any]]] = {}
        for string in self.plan.strings:
            shared.setdefault(string["row"], []).append(string)
        # Where several strings share a row, each says its name where it begins; the first when the next one takes over, since
        # until then its name stands at the left.
        for place, string in [
            (place, string) for users in shared.values() if users[1:] for place, string in enumerate(users)
        ]:
            named = self.values[string["id"]]
            states = named["cells"][0].get("states") or [{}]
            begin, y = string["from"], self.rows[string["row"]] + 4
            since = begin if place else shared[string["row"]][1]["from"]
            room = max(1, int((begin * axis.pitch + BESIDE - 8) / mono(SIZE, "0")))  # left of where it begins
            name = named["name"] if place else short(named["name"], room)
            if name != states[0].get("text"):
                yield Figure(name, begin, -2, y, since, "name", before=True)

    def _row(self, value: str, cell: str, step: int) -> tuple[dict[str, Any], dict[str, Any] | None]:
        """A value's cell, and what stands in it at a step."""
        row = self._cells[value, cell]
        return row, at.latest(row.get("states", []), step)

    def _signs(self, axis: Axis) -> list[Label]:
        """Where ✂ and ∅ stand: they never drop out, so no number may lie on them."""
        written = [(stem["step"], *line) for stem in self.plan.stems for line in self.shown(stem["writes"])]
        return [
            Label(step * axis.pitch - 1, self.y(value, cell) - 5, 2, 11, step)
            for step, value, cell in written
            if ((self._row(value, cell, step)[1] or {}).get("text")) in SIGNS
        ]

    def _figures(self, axis: Axis) -> list[Mark]:
        labels = Labels(-BESIDE - 9, axis.room + BESIDE, self._signs(axis))
        drawn: dict[float, list[Mark]] = {}
        again: dict[int, Collection[int]] = {}
        for arc in self.plan.arcs:
            again[arc["from"]] = {*again.get(arc["from"], ()), arc["to"]}
        figures, lefts = list(self._told(axis)), []
        for figure in figures:
            w, at_step = mono(SIZE, figure.shown), figure.step * axis.pitch
            x = at_step + figure.px
            left = max(-BESIDE, x - 6 - w if figure.before or x + 6 + w > axis.room + BESIDE else x + 6)
            labels.add(Label(left, figure.y - 9, w, 11, figure.since))
            lefts.append(left - at_step)
        for place, (figure, x, looks) in enumerate(zip(figures, lefts, labels.looks(again), strict=True)):
            line = Line(
                (step, said("figure", figure.kind, word != "on" and word)) for step, word in sorted(looks.items())
            )
            cls = over(looks, line.at)
            word = Mark("text", x=float(x), y=float(figure.y), text=figure.shown, cls=cls, key=f"figure:{place}")
            drawn.setdefault(figure.step, []).append(word)
        return [axis.here(step, 0, *marks) for step, marks in drawn.items()]
