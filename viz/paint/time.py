"""Time, left to right: a lane per recorder and memory by holder under it, over the same step numbers, one cursor through all.

A place in time is a share of the width, so that a page needs to know no width: marks stand in nested pictures at a
percentage, stairs in a stretched one.  What is to come lies under a veil whose edge is the cursor's: few changes a step.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import count
from typing import Any

from ..layout.sizes import columns, sans_width, short
from ..scene import Scene
from ..style import HOLDERS, SHAPES, amount, words
from . import state as at
from .ink import number
from .sheet import Mark, Share, around, over, said
from .strips import stairs

LANE, LOW_LANE, HOLD, MEMORY, NAME, TICKS = 26, 19, 16, 66, 19, 17  # px: heights
BESIDE, ABOVE = 9.0, 10  # px: half a thumb of the scrub bar beside the axis; what is free over memory
WORD, SMALL_TYPE = 6.4, 11  # px: a column in small type; how large that is
ALARM = "M0-7L7.5 6H-7.5ZM-.9-2.8h1.8l-.4 4.8h-1ZM-.9 3h1.8v1.6h-1.8Z"  # a triangle with ! in it
FULL, SMALL = 12, 0.5  # px from step to step at which a mark is drawn in full size; the least of that it is drawn in
CAP = 1.2  # px: how thick the end of a whisker is


class Axis:
    """Step numbers as places: step 0 at the left end, the last step at the right one.

    `room` is the width that things are planned for.  A fluid axis may be stretched afterwards, a still's may not; `pitches`
    are the least and the most px from step to step of all rooms for which the same marks are planned.
    """

    def __init__(self, scene: Scene, room: float, rooms: Iterable[float] = (), fluid: bool = False) -> None:
        self.last, self.room, self.fluid = max(1, len(scene.steps) - 1), room, fluid
        self.pitch = room / self.last
        self.pitches = (min([room, *rooms]) / self.last, max([room, *rooms]) / self.last)

    def share(self, step: float) -> Share:
        """Where a step is, as a part of the width."""
        place = step / self.last
        return Share(round(place, 3 if self.last < 80 else 4) if self.fluid else place)  # half a px is near enough

    def x(self, step: float, px: float = 0.0) -> str:
        """Where a step is inside of a `plane`, and `px` beside it."""
        place = step + px / self.pitch if self.fluid else step * self.pitch + px
        return f"{place:.3f}".rstrip("0").rstrip(".")

    def plane(self, *kids: Mark, y: float, h: float, **more: Any) -> Mark:
        """A picture as wide as the axis, in which `x` says where steps are."""
        if not self.fluid:
            return Mark("g", *kids, transform=f"translate(0 {number(float(y))})" if y else None, **more)
        # a px is a part of a step: what is no line, such as an arrowhead, is drawn in px all the same
        box = {"viewbox": f"0 0 {self.last} {number(float(h))}", "fixed": "none", "style": f"--px:{1 / self.pitch:.4g}"}
        return Mark("svg", *kids, y=float(y) or None, width="100%", height=float(h), **box, **more)

    def tip(self, step: float, y: float, d: str, cls: str) -> Mark:
        """An outline in px at a place inside of a `plane`."""
        x, top = self.x(step), number(float(y))
        if self.fluid:
            return Mark("path", d=d, cls=cls, style=f"transform:translate({x}px,{top}px)scaleX(var(--px))")
        return Mark("path", d=d, cls=cls, transform=f"translate({x} {top})")

    def here(self, step: float, y: float, *kids: Mark, **more: Any) -> Mark:
        """What stands at a step, drawn around 0 0."""
        return Mark("svg", *kids, x=self.share(step), y=float(y) or None, **more)

    def now(self, scene: Scene, after: float = 0.0, end: Share | None = None) -> dict[str, Any]:
        """Where the step is that is shown, or so many steps after it; at the last one perhaps `end`.  A page's player says it."""
        last = every(scene)[-1]
        end_ = self.share(last + after) if end is None else end
        if self.fluid:
            return {"x": end_, "data_at": number(after), "data_end": end}
        return {"x": over(every(scene), lambda step: self.share(step + after) if step < last else end_)}

    def size(self, least: float = SMALL) -> float:
        """How large an outline is drawn, of its full size."""
        return min(1.0, max(least, self.pitch / FULL))

    def sized(self, y: float, least: float = SMALL, small: float = 1.0) -> dict[str, Any]:
        """What puts an outline at a height, so large; on a fluid axis each room has the size (`--size`)."""
        if self.fluid and self.pitches[0] < FULL:
            return {"style": f"--y:{number(float(y))}px" + (f";--small:{small:g}" if small < 1 else "")}
        size = self.size(least) * small
        place = [*([f"translate(0 {number(float(y))})"] if y else []), *([f"scale({size:.2g})"] if size < 1 else [])]
        return {"transform": " ".join(place) or None}


def every(scene: Scene) -> range:
    """All steps: the dates of the cursor."""
    return range(max(1, len(scene.steps)))


def veil(scene: Scene, axis: Axis, y: float, h: float) -> Mark:
    """What lies over the steps that are still to come."""
    if axis.fluid:  # a page cuts off what lies beyond the axis
        place: dict[str, Any] = {**axis.now(scene, 0.5), "width": Share(1.1)}
    else:
        end = Share(1 + BESIDE / axis.room)
        edge = [min(end, axis.share(step + 0.5)) for step in every(scene)]
        width = over(every(scene), lambda step: Share(end - edge[step]))
        place = {"x": over(every(scene), edge.__getitem__), "width": width}
    return Mark("rect", y=float(y), height=float(h), cls="veil", **place)


def shape(mark: str, axis: Axis, y: float, small: float = 1.0) -> Mark:
    """The outline of an event; an unknown one is drawn as a square, so that nothing is lost."""
    return Mark("path", d=SHAPES.get(mark, SHAPES["write"]), cls=f"mark {mark}", **axis.sized(y, small=small))


def marks_of(scene: Scene) -> dict[str, dict[int, list[str]]]:
    """The marks of each recorder, by step."""
    found: dict[str, dict[int, list[str]]] = {}
    for step, told in enumerate(scene.steps):
        for recorder, mark in told.get("marks", []):
            found.setdefault(recorder, {}).setdefault(step, []).append(mark)
    return found


def listened(scene: Scene, recorder: dict[str, Any], axis: Axis, y: float, half: float) -> list[Mark]:
    """A recorder's line through time, and the stretches in which it listened or paused."""
    out = [Mark("line", x1=axis.share(0), x2=Share(1), y1=float(y), y2=float(y), cls="track")]
    for start, end, word in at.stretches(recorder, len(scene.steps)):
        if word in ("listening", "paused"):
            x, width = axis.share(start), axis.share(end - start)
            out.append(Mark("rect", x=x, width=width, y=float(y - half), height=float(2 * half), cls=f"band {word}"))
    return out


def lane_height(scene: Scene) -> int:
    """How high a lane is: many are drawn closer."""
    return LOW_LANE if len(at.rows_of(scene)) > 8 else LANE


def lanes(scene: Scene, axis: Axis) -> tuple[list[Mark], float]:
    """The lanes, outermost on top, and the height of all."""
    out, tall, rows = list[Mark](), lane_height(scene), at.rows_of(scene)
    drawn: dict[int, list[Mark]] = {}
    all_marks = marks_of(scene)
    for row, recorder in [(row, recorder) for row, users in enumerate(rows) for recorder in users]:
        y = row * tall + tall / 2
        out += listened(scene, recorder, axis, y, tall * 0.38)
        for step, marks in all_marks.get(recorder["id"], {}).items():
            for place, mark in enumerate(marks):
                away = (place - (len(marks) - 1) / 2) * 8
                drawn.setdefault(step, []).append(shape(mark, axis, y + away, 1 if tall == LANE else 0.85))
    out += [axis.here(step, 0, *marks, data_step=step) for step, marks in sorted(drawn.items())]
    return out, len(rows) * tall


def brackets(scene: Scene, axis: Axis) -> tuple[list[Mark], float]:
    """The learner's names for stretches of time, a bracket each, inner ones under outer ones; and their height."""
    out: list[Mark] = []
    until: list[float] = []
    lines: list[Mark] = []
    for name in scene.names:
        end = name.get("to", len(scene.steps))
        row = next((place for place, last in enumerate(until) if last <= name["from"]), len(until))
        until[row : row + 1] = [end]
        left, right = name["from"] - 0.4, end - 0.6
        y, most = row * NAME, int((right - left) * axis.pitch / WORD)
        bar = f"M{axis.x(left)} {y + NAME - 3}v-4H{axis.x(right)}v4"
        lines.append(Mark("path", Mark("title", text=name["label"]), d=bar, cls="bracket"))
        label = short(name["label"], max(1, most))
        shown = "bracketword" if label == name["label"] or columns(label) > 2 else "bracketword off"
        out.append(axis.here((left + right) / 2, y + 9, Mark("text", text=label, cls=shown)))
    high = len(until) * NAME
    wrong = alarms(scene, axis, high)
    return [*([axis.plane(*lines, y=0, h=high), *out] if lines else []), *wrong], high + (NAME if wrong else 0)


def alarms(scene: Scene, axis: Axis, y: float) -> list[Mark]:
    """A mark at each step at which something is wrong, with the cause in words."""
    at_step: dict[int, list[str]] = {}
    for alarm in scene.alarms:
        at_step.setdefault(alarm["t"], []).append(alarm["say"])
    out = []
    for step, causes in sorted(at_step.items()):
        mark = Mark("path", d=ALARM, cls=_alarm(step), key=f"alarm:{step}")
        out.append(axis.here(step, y + NAME / 2, Mark("title", text=" ".join(causes)), mark, data_step=step))
    return out


def _alarm(step: int) -> Any:
    """Faint while its step is still to come, as everything on the axis is."""
    return over(around([step]), lambda now: said("alarm", now < step and "ahead"))


def scale(scene: Scene) -> tuple[float, Callable[[float], float]]:
    """How high memory is drawn, and where a number of bytes stands in it."""
    most, _ = at.peak(scene)
    tall = float(max(MEMORY, (len(scene.holders) + 1) * HOLD)) if scene.holders else 0.0
    return tall, lambda held: tall - held / max(1, most) * (tall - 6)


def memory(scene: Scene, axis: Axis) -> tuple[list[Mark], float]:
    """Bytes by holder, stacked, as stairs; what a step needed more inside of it as a whisker; the peak; and the height."""
    tall, place = scale(scene)
    if not scene.holders:
        return [], 0.0
    below = [0.0] * len(scene.steps)
    bands: list[list[Mark]] = []

    def upright(lines: list[tuple[int, float, float]]) -> str:
        """Lines, each from a height to another, told from where the last one ended: one is like the next."""
        d, x, y = "", 0, 0.0
        for step, begin, end in lines:
            d += f"{'m' if d else 'M'}{axis.x(step - x)} {number(begin - y)}v{number(end - begin)}"
            x, y = step, end
        return d

    for holder in scene.holders:
        level = [low + scene.steps[step].get("memory", {}).get(holder["id"], 0) for step, low in enumerate(below)]
        if level != below:
            # from the middle of one step to the middle of another, never sloped, down to the ground at both ends
            steps = [(max(0.0, step - 0.5), place(held)) for step, held in enumerate(level)]
            d = f"{stairs(steps, tall, axis.x)}H{axis.x(axis.last)}V{number(tall)}Z"
            name = holder["id"] if holder["id"] in HOLDERS else "other"
            band = Mark("path", Mark("title", text=holder["label"]), d=d, cls=f"held {name}", data_holder=holder["id"])
            bands.append([band, Mark("path", d=d, cls="hatch")] if name == "flight" else [band])
        below = level
    # the highest first: each lies on what it stands on
    drawn = [mark for band in reversed(bands) for mark in band]
    whiskers, caps = list[tuple[int, float, float]](), list[tuple[int, float, float]]()
    for step, total in enumerate(below):
        if (high := at.high_at(scene, step)) > total:
            base, top = round(place(total), 1), round(place(high), 1)
            whiskers.append((step, base, top))
            caps.append((step, top - CAP / 2, top + CAP / 2))  # a line that is wide and short: the same in every room
    if whiskers:
        drawn += [Mark("path", d=upright(lines), cls=cls) for lines, cls in ((whiskers, "high"), (caps, "highcap"))]
    out = [axis.plane(*drawn, y=0, h=tall, cls="mem")]
    most, when = at.peak(scene)
    told = Mark("title", text=at.peak_words(scene))
    out.append(axis.here(when, place(most), Mark("path", told, d="M0-.5l-3.6-5.5h7.2Z", cls="peak")))
    out.append(Mark("line", x1=axis.share(0), x2=Share(1), y1=tall, y2=tall, cls="base"))
    return out, tall


def gap_for(pitch: float, room: float) -> int:
    """From number to number of an axis on which each is `pitch` px from the next: the first round one that leaves so much room.

    >>> gap_for(30, 34), gap_for(0.7, 34)
    (2, 50)
    """
    gaps: Iterator[int] = (size * 10**power for power in count() for size in (1, 2, 5))
    return next(gap for gap in gaps if gap * pitch >= room)


def ticks(scene: Scene, axis: Axis, y: float) -> list[Mark]:
    """Step numbers under the axis, as many as fit."""
    gap, least = (gap_for(pitch, 34) for pitch in (axis.pitch, axis.pitches[1]))
    places = range(0, len(scene.steps), least)
    looks = ["tick" if step % gap == 0 else "tick off" for step in places]

    def tick(step: int, look: str) -> Mark:
        room = BESIDE + (axis.last - step) * axis.pitch  # a long number at the end stands a little before its step
        over = sans_width(str(step), SMALL_TYPE) / 2 - room
        return axis.here(step, y, Mark("text", text=step, x=round(-over, 1) if over > 0 else None, cls=look))

    return [tick(step, look) for step, look in zip(places, looks, strict=True)]


def cursor(scene: Scene, axis: Axis, top: float, foot: float, thumb: bool = False) -> Mark:
    """The line at the step that is shown; the thumb is a still's scrub bar."""
    parts = [Mark("line", x1=0, x2=0, y1=float(top), y2=float(foot), cls="cursor")]
    if thumb:
        parts.append(Mark("circle", r=3.5, cy=float(top), cls="thumb"))
    return Mark("svg", *parts, **axis.now(scene))


def held(scene: Scene, axis: Axis, **more: Any) -> Mark:
    """The dot on the cursor that says how much is held at its step."""
    _, place = scale(scene)
    height = over(every(scene), lambda step: place(at.total_at(scene, step)))
    dot = [Mark("circle", r=3.5, cy=height, cls="cursordot", key="dot")] if scene.holders else []
    return Mark("svg", *dot, **axis.now(scene), **more)


def hatch(axis: Axis | None = None) -> Mark:
    """What lies over bytes in flight, so that grey paper tells them apart; upright in a stretched picture too."""
    turn = f"scale({axis.last / axis.room:.4g} 1) rotate(45)" if axis is not None and axis.fluid else "rotate(45)"
    units = {"patternUnits": "userSpaceOnUse", "patternTransform": turn}
    return Mark("pattern", Mark("path", d="M0 0V6", cls="hatchline"), id="hatch", width=6, height=6, **units)


# ---- what stands at the left of it: rows of text, HTML in a page and lines in a still -------------------------------------


def who(users: list[dict[str, Any]], key: str) -> list[Mark]:
    """The name and the state of whoever is in a row at a step."""
    dates = [state["t"] for user in users for state in user.get("states", [])]
    name = over(dates, lambda step: str(at.user_at(users, step)["name"])) if len(users) > 1 else users[0]["name"]
    state = over(dates, lambda step: at.state_at(at.user_at(users, step), step))
    return [Mark("span", cls="lanename", text=name, key=f"{key}:name"), Mark("span", cls="state", text=state, key=key)]


def lane_rows(scene: Scene) -> list[Mark]:
    """Who is in each lane at a step."""
    high, rows = f"height:{lane_height(scene)}px", []
    for users in at.rows_of(scene):
        names = ", ".join([user["name"] for user in users])
        rows.append(Mark("div", *who(users, f"lane:{users[0]['id']}"), cls="lane", title=names, style=high))
    return rows


def hold_rows(scene: Scene) -> list[Mark]:
    """Each holder's bytes at a step, top of the stack first, and the sum with its peak."""
    if not scene.holders:
        return []
    out, unit = [], scene.unit

    def held_by(holder: str, step: int) -> str:
        return amount(scene.steps[step].get("memory", {}).get(holder, 0), unit)

    for holder in reversed(scene.holders):
        held = over(every(scene), partial(held_by, holder["id"]))
        number_ = Mark("b", text=held, key=f"held:{holder['id']}")
        swatch = Mark("i", cls="swatch", style=f"--m:var(--m-{holder['id']})")
        out.append(
            Mark("div", Mark("span", text=holder["label"]), number_, swatch, cls="hold", data_holder=holder["id"])
        )
    most, _ = at.peak(scene)
    total = over(every(scene), lambda step: amount(at.total_at(scene, step), unit))

    def inside(step: int) -> str | None:
        high = at.high_at(scene, step)
        is_more = high > at.total_at(scene, step)
        return words("time.inside_step", step=step, amount=amount(high, unit)) if is_more else None

    named = Mark(
        "span",
        Mark("span", text=words("time.memory"), cls="wide"),
        Mark("span", text=words("time.and"), cls="peakword wide"),  # a question that hides the peak hides the comma too
        Mark("span", text=words("time.peak", amount=amount(most, unit)), cls="peakword"),
    )
    title, all_ = over(every(scene), inside), Mark("b", text=total, key="total")
    return [*out, Mark("div", named, all_, Mark("i"), cls="hold sum", title=title, key="inside")]
