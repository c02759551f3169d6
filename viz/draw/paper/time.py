"""Time, left to right: a lane per recorder and memory by holder under it, over the same step numbers, one cursor through all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...layout.sizes import sans_width
from ...scene import Scene
from .. import state as at
from .ink import Ink, fitting, group, mono, tag
from .marks import mark

EDGE, LANE, LOW_LANE, HOLD, MEMORY, NAME = 9.0, 26.0, 19.0, 16.0, 70.0, 19.0


def holder_role(holder: str) -> str:
    """The palette's role for a holder of bytes."""
    return f"m-{holder}" if holder in ("variable", "python", "tape", "accumulator", "flight") else "mute"


def hatch(ink: Ink) -> str:
    """The patterns that lie over bytes in flight and over a closed region, so that grey paper tells them apart."""
    line = tag("path", d="M0 0V6", **ink.stroke("bg", 1.6), stroke_opacity="0.55")
    units = {"patternUnits": "userSpaceOnUse", "patternTransform": "rotate(45)"}
    shade = tag("path", d="M0 0V9", **ink.stroke("replay", 1.2), stroke_opacity="0.22")
    return tag("pattern", line, id=f"{ink.prefix}-hatch", width=6, height=6, **units) + tag(
        "pattern", shade, id=f"{ink.prefix}-lid", width=9, height=9, **units
    )


class Axis:
    """Step numbers as places: step 0 at the left end, the last step at the right one."""

    def __init__(self, scene: Scene, left: float, width: float) -> None:
        self.start, self.room, self.last = left + EDGE, width - 2 * EDGE, max(1, len(scene.steps) - 1)

    def __call__(self, step: float) -> float:
        return self.start + self.room * step / self.last

    @property
    def pitch(self) -> float:
        """From one step to the next."""
        return self.room / self.last


def lanes(ink: Ink, scene: Scene, step: int, gutter: float, width: float, axis: Axis) -> tuple[str, float]:
    """A lane per recorder, outermost on top, and the height that they take."""
    out, tall = [], LOW_LANE if len(scene.recorders) > 8 else LANE
    for row, recorder in enumerate(scene.recorders):
        y = row * tall + tall / 2
        out.append(ink.line(axis.start, y, axis(axis.last), y, "line"))
        for start, end, word in at.listening(recorder, len(scene.steps)):
            box = (axis(start), y - tall * 0.38, axis(end) - axis(start), tall * 0.76)
            if word == "listening":
                out.append(ink.box(box, 2.0, **ink.fill("tint")))
            elif word == "paused":
                out.append(ink.box(box, 2.0, **ink.stroke("faint"), stroke_dasharray="3 3"))
        out.append(_marks(ink, scene, recorder, step, y, tall, axis))
        name = fitting(recorder["name"], gutter, 13)
        word = at.state_at(recorder, step)
        word = word if sans_width(f"{name}  {word}", 13) * 0.9 < gutter else ""
        name = ink.text(gutter, y + 4.5, name, 13, anchor="end", sans=True)
        said = tag("tspan", f"{word}\u2002", font_size=12, **ink.fill("mute")) if word else ""
        out.append(name.replace(">", ">" + said, 1))
    return group(*out), len(scene.recorders) * tall


def _marks(ink: Ink, scene: Scene, recorder: dict[str, Any], step: int, y: float, tall: float, axis: Axis) -> str:
    small = min(1.0, max(0.5, axis.pitch / 12)) * (0.85 if tall < LANE else 1)
    here: dict[int, list[str]] = {}
    for k, kind in at.marks_until(scene, recorder["id"], range(len(scene.steps))):
        here.setdefault(k, []).append(kind)
    now: list[str] = []
    later: list[str] = []
    for k, kinds in here.items():
        for i, kind in enumerate(kinds):
            shape = mark(ink, kind, axis(k), y + (i - (len(kinds) - 1) / 2) * 8, small)
            (later if k > step else now).append(shape)
    return group(*later, opacity=0.32) + group(*now)


def memory(ink: Ink, scene: Scene, step: int, gutter: float, axis: Axis) -> tuple[str, float, float]:
    """Bytes by holder, stacked: the picture, its height, and where the cursor's dot stands."""
    holders = scene.holders
    if not holders:
        return "", 0.0, 0.0
    most, _ = at.peak(scene)
    tall = max(MEMORY, (len(holders) + 1) * HOLD)

    def place(bytes_: float) -> float:
        return tall - bytes_ / max(1, most) * (tall - 6)

    below = [0.0] * len(scene.steps)
    past: list[str] = []
    later: list[str] = []
    for holder in holders:
        level = [b + at.memory_at(scene, k).get(holder["id"], 0) for k, b in enumerate(below)]
        for out, reach in ((past, range(step + 1)), (later, range(step, len(scene.steps)))):
            if d := _stack(axis, level, below, place, reach):
                out.append(tag("path", d=d, **ink.fill(holder_role(holder["id"]))))
                if holder["id"] == "flight":
                    out.append(tag("path", d=d, fill=f"url(#{ink.prefix}-hatch)"))
        below = level
    out = [group(*later, opacity=0.3), group(*past)]
    for k, total in enumerate(below):
        high = at.high_at(scene, k)
        if high > total:
            d = f"M{axis(k):.1f} {place(total):.1f}V{place(high):.1f}m-2.5 0h5"
            out.append(ink.curve(d, "mute", 1.2, opacity=0.4 if k > step else None))
    _, when = at.peak(scene)
    tip = f"M{axis(when):.1f} {place(most) - 0.5:.1f}l-3.6-5.5h7.2Z"
    out.append(tag("path", d=tip, **ink.fill("ink"), opacity=0.4 if when > step else None))
    out.append(ink.line(axis.start, tall, axis(axis.last), tall, "line"))
    out.append(_figures(ink, scene, step, gutter, most))
    return group(*out), tall, place(below[step])


def _stack(axis: Axis, level: list[float], below: list[float], place: Callable[[float], float], reach: range) -> str:
    """One holder's band as an outline of stairs, from the middle of one step to the middle of another."""
    if level == below or len(reach) < 2:
        return ""
    left, right, half = axis(reach[0]), axis(reach[-1]), axis.pitch / 2
    stairs = [(max(left, axis(k) - half), min(right, axis(k) + half), k) for k in reach]
    over = [f"{x1:.1f} {place(level[k]):.1f}L{x2:.1f} {place(level[k]):.1f}" for x1, x2, k in stairs]
    under = [f"{x2:.1f} {place(below[k]):.1f}L{x1:.1f} {place(below[k]):.1f}" for x1, x2, k in stairs[::-1]]
    return "M" + "L".join(over + under) + "Z"


def _figures(ink: Ink, scene: Scene, step: int, gutter: float, most: float) -> str:
    """The legend of memory at the left of it, with what each holder has at this step."""
    out, held, unit = [], at.memory_at(scene, step), scene.unit
    peak = f"peak {at.amount(most, unit)}"
    rows = [(one["label"], at.amount(held.get(one["id"], 0), unit), one["id"]) for one in reversed(scene.holders)]
    rows.append((f"memory, {peak}", at.amount(at.total_at(scene, step), unit), ""))
    names = gutter - 26 - max(mono(12, figure) for _, figure, _ in rows)
    for row, (name, figure, holder) in enumerate(rows):
        y = row * HOLD + 11
        if holder:
            box = (gutter - 10, y - 9, 10, 10)
            out.append(ink.box(box, **ink.fill(holder_role(holder))))
            out.append(ink.box(box, fill=f"url(#{ink.prefix}-hatch)") if holder == "flight" else "")
        elif sans_width(name, 12) * 0.9 > names:
            name = peak
        out.append(ink.text(gutter - 18, y, figure, 12, weight=600, anchor="end"))
        out.append(
            ink.text(names, y, fitting(name, names, 12), 12, "mute" if holder else "ink", anchor="end", sans=True)
        )
    return group(*out)


def names(ink: Ink, scene: Scene, axis: Axis) -> tuple[str, float]:
    """The learner's names for stretches of time, a bracket each, inner ones under outer ones; and their height."""
    out: list[str] = []
    until: list[float] = []
    for one in scene.names:
        end = one.get("to", len(scene.steps))
        row = next((at_ for at_, last in enumerate(until) if last <= one["from"]), len(until))
        until[row : row + 1] = [end]
        x, w, y = axis(one["from"] - 0.4), axis(end - 0.6) - axis(one["from"] - 0.4), row * NAME
        out.append(ink.curve(f"M{x:.1f} {y + NAME - 3:.1f}v-4h{w:.1f}v4", "mute", 1.2))
        said = fitting(one["label"], w, 11.5)
        if len(said) > 2 or said == one["label"]:
            out.append(ink.text(x + w / 2, y + 9, said, 11.5, "mute", anchor="middle", sans=True))
    return group(*out), len(until) * NAME


def ticks(ink: Ink, scene: Scene, y: float, axis: Axis) -> str:
    """Step numbers under the axis, as many as fit."""
    gap = next((one for one in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if one * axis.pitch >= 34), axis.last)
    shown = range(0, len(scene.steps), gap)
    return group(*[ink.text(axis(k), y, str(k), 10, "mute", anchor="middle", sans=True) for k in shown])


def strip(ink: Ink, scene: Scene, step: int, gutter: float, width: float, parts: tuple[str, ...]) -> tuple[str, float]:
    """Lanes and memory on one axis, `gutter` px wide at the left for their names; and the height of it all."""
    left = gutter + 18
    axis = Axis(scene, left, width - left)
    named, high = names(ink, scene, axis)
    out, y = [group(named, transform="translate(0 12)")], 12.0 + high
    if "lanes" in parts and scene.recorders:
        drawn, tall = lanes(ink, scene, step, gutter, width, axis)
        out.append(group(drawn, transform=f"translate(0 {y:g})"))
        y += tall
    dot = None
    if "memory" in parts and scene.holders:
        y += 10
        drawn, tall, height = memory(ink, scene, step, gutter, axis)
        out.append(group(drawn, transform=f"translate(0 {y:g})"))
        dot, y = y + height, y + tall
    x = axis(step)
    out.append(ticks(ink, scene, y + 14, axis))
    out.append(ink.line(x, 4, x, y, "ink", 1.3))
    out.append(tag("circle", cx=x, cy=4.0, r=3.5, **ink.fill("ink")))
    if dot is not None:
        out.append(tag("circle", cx=x, cy=dot, r=3.5, **ink.fill("bg"), **ink.stroke("ink", 1.6)))
    return group(*out), y + 20
