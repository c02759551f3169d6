"""The score as a still: strings, stems, arcs and roads by the plan of `render/plan.py`, in the player's marks and places."""

from __future__ import annotations

from typing import Any

from ...layout.sizes import columns, short
from ...scene import Scene
from ...style import CUT, NEVER
from .. import state as at
from ..plan import MOST, STAFF, Plan, heights, plan_of
from .gutter import Gutter, told
from .ink import Ink, group, mono, number, tag
from .labels import Label, Space
from .marks import DASHES, LINE_MARKS, SHAPES, mark
from .time import Axis
from .words import paragraph

HEAD, NOTE, SIZE, ROAD_LANES, ROAD_APART = 16.0, 9.0, 11.0, 3, 3.5
WIDE = 6.6  # pixels for a column of a band's name
LEAST = 6  # columns of a band's name that are worth showing
EDGES = {"first": "replay", "replay": "replay", "name": "mute"}  # bands with an outline: its colour
BANDS = {"gradient": "gradient-tint", "gradient2": "second-tint", "first": "", "replay": "replay-tint", "name": ""}
NOTES = {"op": "bg", "ghost": "mute", "replay": "replay", "rebuild": "replay"}  # marks with a sign in them: its colour
SILENT = {"enter", "exit", "pause", "resume", "free"}  # marks without a stem: nothing is read or written
# A backward step colours its stem before an op does: the same step may be one recorder's entry and another one's way back.
STEMS = (
    ("back2", "gradient2"), ("seed2", "gradient2"), ("back", "gradient"), ("seed", "gradient"), ("tangent2", "tangent2"),
    ("tangent", "tangent"), ("replay", "replay"), ("rebuild", "replay"), ("ghost", "ghost"),
)  # fmt: skip


def score(ink: Ink, scene: Scene, step: int, gutter: float, width: float) -> tuple[str, float]:
    """The score at a step, names `gutter` px wide at its left; and the height of it all."""
    if len(scene.values) > MOST:
        said = f"{len(scene.values)} values are too many for one score: it shows up to {MOST}."
        return paragraph(ink, said, width, 13, "mute")
    return _Score(ink, scene, step, gutter, width).draw()


class _Score:
    """One score being drawn: staves above, strings below, one axis."""

    def __init__(self, ink: Ink, scene: Scene, step: int, gutter: float, width: float) -> None:
        self.ink, self.scene, self.step, self.gutter, self.width = ink, scene, step, gutter, width
        self.axis = Axis(scene, gutter + 18, width - gutter - 18)
        self.plan: Plan = plan_of(scene)
        self.values = {one["id"]: one for one in scene.values}
        self.edges = {one["id"]: one for one in scene.edges}
        self.made = {one["born"]: one for one in reversed(scene.values) if one.get("sign") or one.get("op")}
        self.strings = {one["id"]: one for one in self.plan.strings}
        self.staves: dict[
            str, tuple[float, float, int]
        ] = {}  # recorder: middle of its staff, room for arcs, the longest
        y = 4 + HEAD * (1 + max([-1, *[one["row"] for one in self.plan.bands]]))  # first the names of the bands
        for k in range(1 + max([-1, *[one["staff"] for one in self.plan.staves]])):
            here = [one for one in self.plan.staves if one["staff"] == k]
            arch = max(one["arch"] for one in here)
            for one in here:
                self.staves[one["id"]] = (y + arch + STAFF / 2, max(arch, 14), one["far"])
            y += arch + STAFF
        self.top = y  # of the strings
        self.rows, self.height = heights(self.plan.levels)
        self.space = Space(self.axis.start, width)

    def draw(self) -> tuple[str, float]:
        whole = self.top + self.height
        x, pitch = self.axis(self.step), self.axis.pitch
        cursor = self.ink.box((x - pitch / 2, 0, pitch, whole), **self.ink.fill("soft"))
        marks = group(*[self._line_marks(stem) for stem in self.plan.stems])
        roads = group(*[self._road(one) for one in self.plan.roads if one["t"] <= self.step])
        self._shared()
        middles = {identity: y for identity, (y, _, _) in self.staves.items()}
        tops = [self.top + row for row in self.rows]
        names = Gutter(self.ink, self.scene, self.plan, self.step, self.gutter, middles, tops)
        parts = [
            *[self._band(one, whole) for one in self.plan.bands if one["from"] <= self.step],
            cursor,
            *self._band_names(),
            group(*[self._guide(row, level) for row, level in zip(self.rows, self.plan.levels, strict=True)]),
            group(*[self._arc(one) for one in self.plan.arcs if one["from"] <= self.step]),
            group(*[self._string(one) for one in self.plan.strings]),
            roads,
            *[self._stem(stem) for stem in self.plan.stems],
            group(*[self._staff(recorder) for recorder in self.scene.recorders]),
            marks,
            self._numbers(),
            names.draw(),
        ]
        return group(*parts), whole

    # ---- places -----------------------------------------------------------------------------------------------------

    def _y(self, one: list[str]) -> float:
        string = self.strings[one[0]]
        return (
            self.top + self.rows[string["row"] + next(line["sub"] for line in string["lines"] if line["id"] == one[1])]
        )

    def _shown(self, lines: list[list[str]]) -> list[list[str]]:
        return [one for one in lines if any(line["id"] == one[1] for line in self.strings[one[0]]["lines"])]

    def _cell(self, value: str, cell: str) -> dict[str, Any]:
        return next(one for one in self.values[value]["cells"] if one["id"] == cell)

    def _x(self, t: int) -> float:
        """Where a step stands; the end of the run is the right edge."""
        return self.width if t >= len(self.scene.steps) else self.axis(t)

    def _lived(self, t: int) -> float:
        """The same, but not beyond the step that is shown."""
        now = self.step
        edge = self.width if now == len(self.scene.steps) - 1 else self.axis(now) + min(8.0, self.axis.pitch / 2)
        return min(self._x(t), edge)

    def _fade(self, t: int, past: float, later: float) -> float | None:
        return later if t > self.step else None if t == self.step else past

    # ---- staves -----------------------------------------------------------------------------------------------------

    def _staff(self, recorder: dict[str, Any]) -> str:
        y, axis, out = self.staves[recorder["id"]][0], self.axis, []
        out.append(self.ink.line(axis.start, y, axis(axis.last), y, "line"))
        for start, end, word in at.listening(recorder, len(self.scene.steps)):
            box = (axis(start), y - STAFF / 2 + 3, axis(end) - axis(start), STAFF - 6.0)
            paint = {
                "listening": self.ink.fill("tint"),
                "paused": {**self.ink.stroke("faint"), "stroke_dasharray": "3 3"},
            }
            if word in paint:
                out.append(self.ink.box(box, 2.0, **paint[word]))
        here: dict[int, list[str]] = {}
        for k, kind in at.marks_until(self.scene, recorder["id"], range(len(self.scene.steps))):
            here.setdefault(k, []).append(kind)
        for k, kinds in here.items():
            out += [self._note(k, kind, y + (i - (len(kinds) - 1) / 2) * 9) for i, kind in enumerate(kinds)]
        return group(*out)

    def _note(self, k: int, kind: str, y: float) -> str:
        """A mark of the lanes; an op's grows to a note that carries its sign, where the column is wide enough."""
        fade = self._fade(k, 1.0, 0.3)
        made = self.made.get(self.scene.steps[k].get("twin", k))
        sign = short(made.get("sign") or made["op"], 6) if made else ""
        wide = max(2 * NOTE, columns(sign) * 6.4 + 8)
        if not sign or kind not in NOTES or wide > self.axis.pitch - 2:
            return mark(self.ink, kind, self.axis(k), y, min(1.0, max(0.5, self.axis.pitch / 12)), fade)
        tone = NOTES[kind]
        dash = "3 2" if kind == "ghost" else None
        hollow = {**self.ink.fill("bg"), **self.ink.stroke(tone, 1.5), "stroke_dasharray": dash}
        paint = self.ink.fill("value") if kind == "op" else hollow
        box = self.ink.box((self.axis(k) - wide / 2, y - NOTE, wide, 2 * NOTE), NOTE, **paint)
        return group(
            box, self.ink.text(self.axis(k), y + 4, sign, SIZE, tone, weight=600, anchor="middle"), opacity=fade
        )

    def _arc(self, one: dict[str, Any]) -> str:
        y, arch, far = self.staves[one["by"]]
        x1, x2, base = self.axis(one["from"]), self.axis(one["to"]), y - 10
        high = base - (12 + (arch - 14) * (one["from"] - one["to"]) / max(1, far)) * 1.33
        from_, to, over = number(x1), number(x2), number(high)
        d = f"M{from_} {number(base)}C{from_} {over} {to} {over} {to} {number(base - 1)}"
        here = one["from"] == self.step
        dash = {"gradient2": "6 2", "replay": "2 3"}.get(one["kind"])
        line = self.ink.curve(d, one["kind"], 2.4 if here else 1.3, stroke_dasharray=dash)
        tip = tag("path", d=f"M{number(x2)} {number(base)}l-3-6h6z", **self.ink.fill(one["kind"]))
        return group(line, tip, opacity=None if here else 0.5)

    # ---- strings ----------------------------------------------------------------------------------------------------

    def _guide(self, row: int, level: int) -> str:
        y = self.top + row
        dash = "1 5" if level else None
        return self.ink.line(self.axis.start, y, self.axis(self.axis.last), y, "line", stroke_dasharray=dash)

    def _band(self, one: dict[str, Any], whole: float) -> str:
        left, wide = self._stretch(one)
        ground = BANDS[one["kind"]]
        paint = self.ink.fill(ground) if ground else {}
        if one["kind"] in EDGES:
            dash = {"first": "6 4", "name": "1 3"}.get(one["kind"])
            paint |= {**self.ink.stroke(EDGES[one["kind"]]), "stroke_opacity": 0.6, "stroke_dasharray": dash}
        return self.ink.box((left, 0, wide, whole), **paint)

    def _band_names(self) -> list[str]:
        """A name begins where its band does; at the right edge, where it would be cut, it ends where the band does."""
        names, ended = [], dict.fromkeys((one["row"] for one in self.plan.bands), 0.0)
        for one in self.plan.bands:
            left, wide = self._stretch(one)
            label, x, anchor = short(one["label"], max(1, int((wide - 12) / WIDE))), left + 5, None
            if label != one["label"] and left + wide >= self.axis(self.axis.last):
                before = self.width - 5 - columns(one["label"]) * WIDE
                if before > ended[one["row"]] + 8:
                    label, x, anchor = one["label"], self.width - 5, "end"
            if columns(label) < min(columns(one["label"]), LEAST):
                continue
            ended[one["row"]] = x if anchor == "end" else x + columns(label) * WIDE
            if one["from"] <= self.step:
                role, y = EDGES.get(one["kind"], one["kind"]), 12 + HEAD * one["row"]
                names.append(self.ink.text(x, y, label, 11.5, role, weight=600, sans=True, anchor=anchor))
        return names

    def _stretch(self, one: dict[str, Any]) -> tuple[float, float]:
        half = self.axis.pitch / 2
        left = max(self.axis.start - 9, self.axis(one["from"]) - half)
        return left, min(self.width, self.axis(one["to"]) + half) - left

    def _stem(self, stem: dict[str, Any]) -> str:
        step = stem["step"]
        marked = [one for one in self.scene.steps[step].get("marks", []) if one[1] not in SILENT]
        kinds = {kind for _, kind in marked}
        tops = [self.staves[one][0] for one, _ in marked if one in self.staves]
        low = [self._y(one) for one in self._shown([*stem["reads"], *stem["writes"]])]
        if not low or (not tops and len(low) < 2):
            return ""
        kind = next((role for name, role in STEMS if name in kinds), "op")
        dash = {"stroke_dasharray": "2 3"} if kind == "ghost" else {}
        role = "mute" if kind in ("op", "ghost") else kind
        x, here = self.axis(step), step == self.step
        return self.ink.line(
            x, min(tops or low), x, max(low), role, 2 if here else 1.2, opacity=self._fade(step, 0.42, 0.16), **dash
        )

    def _string(self, one: dict[str, Any]) -> str:
        value, y, out = self.values[one["id"]], self.top + self.rows[one["row"]], []
        ghost = value.get("ghost")
        role = "mute" if ghost else value["kind"] if value["kind"] in ("gradient", "tangent") else "value"
        role = "replay" if "twin" in value else role
        for start, end in one["kept"]:
            out.append(self._stroke(start, end, y, role, 7, opacity=0.32))
        for start, end in one["alive"]:
            out.append(self._stroke(start, end, y, role, 1.5, stroke_dasharray="5 4" if ghost else None))
        for start, end in one["again"]:
            out.append(self._stroke(start, end, y, "replay", 2.6))
        for _, end in [*one["alive"], *one["again"]]:
            if end <= self.step:
                out.append(self.ink.line(self._x(end), y - 4, self._x(end), y + 4, role, 1.5))
        for line in one["lines"][1:]:
            kind, y = line["kind"], self.top + self.rows[one["row"] + line["sub"]]
            out.append(self._stroke(line["from"], line["to"], y, kind, 1.4, stroke_dasharray=DASHES.get(kind)))
        return group(*out)

    def _stroke(self, start: int, end: int, y: float, role: str, width: float, **more: Any) -> str:
        if start > self.step or start >= end:
            return ""
        return self.ink.line(self._x(start), y, self._lived(end), y, role, width, **more)

    def _line_marks(self, stem: dict[str, Any]) -> str:
        step, out = stem["step"], []
        for lines, read in ((stem["reads"], True), (stem["writes"], False)):
            for value, cell in self._shown(lines):
                out.append(self._line_mark(step, value, cell, read))
        return group(*out, opacity=0.22 if step > self.step else None)

    def _line_mark(self, step: int, value: str, cell: str, read: bool) -> str:
        row = self._cell(value, cell)
        kind, found, x, y = row["kind"], at.latest(row.get("states", []), step), self.axis(step), self._y([value, cell])
        sign = {CUT: "✂", NEVER: NEVER}.get((found or {}).get("text", "")) if not read else None
        if sign:
            return self.ink.text(x, y + 4, sign, 12, weight=700, anchor="middle") if step <= self.step else ""
        if not read and found:
            self._say(told(found), x, y - 3.5, step, kind)
        scale = min(1.0, max(0.55, self.axis.pitch / 12)) * (0.72 if read else 1)
        hollow = read or step > self.step
        paint = self.ink.fill("bg") if hollow else self.ink.fill(kind)
        place = f"translate({number(x)} {number(y)}) scale({scale:.2g})"
        return tag("path", d=SHAPES[LINE_MARKS[kind]], transform=place, **paint, **self.ink.stroke(kind, 1.4))

    def _road(self, one: dict[str, Any]) -> str:
        """The way that a number took back: up the result's stem, then along the argument's string to where that was made."""
        edge = self.edges[one["edge"]]
        a, b = (self.top + self.rows[self.strings[edge[end]]["row"]] for end in ("a", "b"))
        off = (one["nth"] % ROAD_LANES) * ROAD_APART
        x = self.axis(one["at"]) - min(4.5 + off, self.axis.pitch / 2)
        y, end, here = a + 5 + off, min(self.axis(one["back"]) + 7, x), one["t"] == self.step
        dash = {"stroke_dasharray": "6 2"} if one["kind"] == "gradient2" else {}
        d = f"M{number(self.axis(one['at']))} {number(b + 4)}H{number(x)}V{number(y)}H{number(end)}"
        tip = tag("path", d=f"M{number(end - 6)} {number(y)}l7-3.6v7.2z", **self.ink.fill(one["kind"]))
        self._say(one["text"], x + 2, a + 17, one["t"], one["kind"], before=True)
        return group(self.ink.curve(d, one["kind"], 2.6 if here else 1.6, **dash), tip, opacity=None if here else 0.34)

    # ---- words ------------------------------------------------------------------------------------------------------

    def _say(self, said: str, x: float, y: float, t: int, role: str, before: bool = False) -> None:
        w = mono(SIZE, said)
        left = max(self.axis.start - 9, x - 6 - w if before or x + 6 + w > self.width else x + 6)
        self.space.add(Label(left, y - 9, w, 11, t, said, role))

    def _shared(self) -> None:
        """Where several strings share a row, each says its name where it begins."""
        first: dict[int, str] = {}
        for one in self.plan.strings:
            value = self.values[one["id"]]
            states = value["cells"][0].get("states") or [{}]
            if first.setdefault(one["row"], one["id"]) != one["id"] and value["name"] != states[0].get("text"):
                w, y = mono(SIZE, value["name"]), self.top + self.rows[one["row"]]
                self.space.add(Label(self._x(one["from"]) - w - 8, y - 5.5, w, 11, one["from"], value["name"], "ink"))

    def _numbers(self) -> str:
        again = {one["to"] for one in self.plan.arcs if one["from"] == self.step}
        halo = {**self.ink.stroke("bg", 3), "paint-order": "stroke", "stroke-linejoin": "round"}
        return group(
            *[
                self.ink.text(
                    one.x, one.y + 9, one.said, SIZE, one.role, weight=800 if one.t == self.step else 600, **halo
                )
                for one in self.space.shown(self.step, again)
            ]
        )
