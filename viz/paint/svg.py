"""A scene at one step as one self-contained SVG: what is shown without a kernel, untrusted, in print, and as an `<img>`."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any

from ..scene import Scene, without_order
from ..style import CELLS, PALETTE, words
from . import blocks, panels, time
from . import state as at
from .graph import Drawing, Shared, graph
from .gutter import line_rows, recorder_rows
from .ink import FONTS, Ink, document, group, tag
from .legend import legend
from .plan import MOST
from .score import Score
from .sheet import Mark
from .still import Still
from .text import described

PARTS = ("say", "code", "graph", "lanes", "memory")
SCORE = ("say", "code", "score", "memory")
WIDTH, MARGIN, GAP = 1000.0, 20.0, 26.0
NARROW = 740.0  # below: one column
LOW, TALL = 560.0, 1500.0  # px: a graph grows up to the one, and shrinks beyond the other
LEGIBLE = 0.7
LARGEST, READABLE = 1.35, 0.84  # a graph grows up to the one; below the other its type is small


def picture(
    scene: Scene,
    step: int | None = None,
    *,
    theme: str = "light",
    width: float = WIDTH,
    parts: Sequence[str] = PARTS,
) -> str:
    """The scene at a step (the last one unless said) as an SVG document, in the stepper's language.

    `theme` is "light", "dark", or "" for a picture that follows the reader's system or the page that it stands in.
    `parts` picks from say, code, graph, lanes, score, memory; without positions, a list of the values stands in for the graph.
    Raises IndexError for a step that is not there, ValueError for a theme or a part that does not exist.
    """
    chosen = _checked(theme, parts)
    now = at.step_of(scene, step)
    ink = Ink(theme, _prefix(scene, now, theme, width, chosen))
    body, height = _Arranged(ink, scene, now, chosen).draw(max(320.0, float(width)) - 2 * MARGIN)
    title = scene.title or words("step.run")
    named = words("step.title", title=title, step=now, last=len(scene.steps) - 1)
    return _document(ink, named, described(scene, now), body, max(320.0, float(width)), height + 2 * MARGIN)


def parts_of(view: str) -> tuple[str, ...]:
    """The parts of a still of a view, "graph" or "score"; raises ValueError for another one.

    >>> parts_of("score")
    ('say', 'code', 'score', 'memory')
    """
    views = {"graph": PARTS, "score": SCORE}
    if view not in views:
        raise ValueError(f"no view is called {view!r}: {' or '.join(views)}")
    return views[view]


def _checked(theme: str, parts: Sequence[str]) -> tuple[str, ...]:
    if theme not in ("", *PALETTE):
        raise ValueError(f"theme is one of {', '.join(PALETTE)}, or '' for what the reader prefers, not {theme!r}")
    known = dict.fromkeys([*PARTS, *SCORE])
    unknown = [part for part in parts if part not in known]
    if isinstance(parts, str) or unknown:
        raise ValueError(f"parts are some of {', '.join(known)}, not {parts!r}")
    return tuple(parts)


def _prefix(scene: Scene, *about: object) -> str:
    """Ids that differ between different pictures, and are the same for the same picture."""
    return f"mt{zlib.crc32(f'{about} {scene.to_json()}'.encode('utf-8', 'replace')):08x}"


def _document(ink: Ink, title: str, desc: str, body: str, width: float, height: float) -> str:
    drawn = group(body, transform=f"translate({MARGIN:g} {MARGIN:g})", **FONTS)
    return document(ink, title, (width, height), pointed(ink, body), ink.ground(), drawn, desc=desc)


class _Column:
    """Things under each other."""

    def __init__(self, x: float = 0.0, y: float = 0.0) -> None:
        self.x, self.y, self.parts = x, y, list[str]()

    def add(self, drawn: tuple[str, float], before: float = 0.0, x: float = 0.0) -> None:
        """Put a drawing of a known height next, `before` px under the last one."""
        body, high = drawn
        if body:
            self.y += before
            self.parts.append(group(body, transform=f"translate({self.x + x:.1f} {self.y:.1f})"))
            self.y += high


class _Arranged:
    """The parts of a still, made when they are asked for, and their places on its page."""

    def __init__(self, ink: Ink, scene: Scene, step: int, parts: tuple[str, ...]) -> None:
        self.ink, self.scene, self.step, self.parts = ink, scene, step, parts
        self.graph = GraphRoom(scene) if "graph" in parts else None

    def draw(self, width: float) -> tuple[str, float]:
        """Everything within a width, and its height."""
        ink, scene, parts = self.ink, self.scene, self.parts
        wide = width + 2 * MARGIN >= NARROW
        side = (336.0 if width > 1040 else 300.0) if wide else width
        page, drawing = self._words(width, side, wide)
        if drawing:
            page.add(drawing.draw(ink, self.step, width, 0), before=18 if page.parts else 0)
        if {"lanes", "score", "memory"} & set(parts):
            if page.parts:
                page.add((ink.line(0, 0, width, 0, "line"), 0.0), before=18)
            has_code = "code" in parts and scene.sources
            gutter = min(side if has_code and wide else 240.0, max(150.0, width * 0.36))
            axis = time.Axis(scene, width - gutter - 18 - 2 * time.BESIDE)
            if "score" in parts:
                page.add(self._score(axis, gutter, width), before=10)
            if "lanes" in parts or "memory" in parts:
                page.add(self._time(axis, gutter), before=6)
        page.add(_legend(ink, scene, width, parts, self.graph), before=14)
        return "".join(page.parts), page.y

    def _words(self, width: float, left: float, wide: bool) -> tuple[_Column, GraphRoom | None]:
        """Title, code, sentence and formula, in two columns where it is wide, the graph beside the code where it stands better
        there; else it comes back."""
        ink, scene, step, parts = self.ink, self.scene, self.step, self.parts
        program = panels.code(scene) if "code" in parts and scene.sources else None
        beside = wide and program is not None
        right = width - left - GAP if beside else width
        drawing = self.graph
        aside = beside and (
            drawing is None or drawing.fits_beside(right, width, blocks.code_height(program) if program else 0)
        )
        if beside and not aside:  # then the sentence alone stands beside the code, which may be wider
            left = max(left, min(blocks.code_width(scene.sources, scene.steps, width * 0.58), width * 0.58))
            right = width - left - GAP

        first, second = _Column(), _Column(x=left + GAP if beside else 0.0)
        now = scene.steps[step]
        if "say" in parts:
            first.add(blocks.paragraph(ink, scene.title, left, 21, weight=650))
            first.add(blocks.paragraph(ink, scene.lead, left, 14, "mute"), before=2)
        main = second if beside else first
        if "say" in parts:
            whys = panels.whys(scene, step, panels.reasons(scene))
            main.add(blocks.sentence(ink, now["say"], whys, now.get("ask"), right), before=0 if beside else 14)
        formula = now.get("formula", []) if "code" in parts else []
        if program is not None:
            first.add(blocks.code(ink, program, step, left), before=16)
            target, room = (first, left - 32) if (aside and drawing) or not beside else (second, right)
            target.add(blocks.formula(ink, formula, room), before=16, x=32 if target is first else 0)
        else:
            main.add(blocks.formula(ink, formula, right), before=14)
        if aside and drawing:
            second.add(drawing.draw(ink, step, right, first.y - second.y - 16), before=16)
        page = _Column(y=max(first.y, second.y))
        page.parts = first.parts + second.parts
        return page, None if aside else drawing

    def _score(self, axis: time.Axis, gutter: float, width: float) -> tuple[str, float]:
        ink, scene, step = self.ink, self.scene, self.step
        if len(scene.values) > MOST:
            return blocks.paragraph(ink, words("score.many", count=len(scene.values), most=MOST), width, 13, "mute")
        score, still, x = Score(scene), Still(ink, step, axis.room), gutter + 18 + time.BESIDE
        out = [group(still.marks(score.staves_in(axis)), transform=f"translate({x:g} 0)")]
        out.append(group(still.marks(score.strings_in(axis)), transform=f"translate({x:g} {score.high:g})"))
        out += [blocks.staff_row(ink, row, step, gutter, y) for row, y in recorder_rows(score)]
        out += [blocks.line_row(ink, row, step, gutter, score.high + y, level) for row, y, level in line_rows(score)]
        return "".join(out), score.high + score.all

    def _time(self, axis: time.Axis, gutter: float) -> tuple[str, float]:
        """Lanes and memory on one axis, `gutter` px wide at the left for their names; and the height of it all."""
        ink, scene, step, parts = self.ink, self.scene, self.step, self.parts
        still, x = Still(ink, step, axis.room), gutter + 18 + time.BESIDE
        marks, high = time.brackets(scene, axis)
        out, y = [(marks, 12.0)], 12.0 + high
        top, named = y, list[str]()
        if "lanes" in parts and scene.recorders:
            marks, high = time.lanes(scene, axis)
            tall = time.lane_height(scene)
            for place, row in enumerate(time.lane_rows(scene)):
                named.append(blocks.lane_row(ink, row, step, gutter, y + tall * (place + 0.5)))
            out.append((marks, y))
            y += high
        dot = "memory" in parts and bool(scene.holders)
        if dot:
            y += time.ABOVE
            marks, high = time.memory(scene, axis)
            out.append((marks, y))
            rows = blocks.hold_rows(ink, time.hold_rows(scene), step, gutter, time.HOLD)
            named.append(group(rows, transform=f"translate(0 {y:g})"))
            base, y = y, y + high
        cursor = time.cursor(scene, axis, 4, y, thumb=True)
        over = [time.veil(scene, axis, top, y - top), *time.ticks(scene, axis, y + 14), cursor]
        drawn = [group(still.marks(marks), transform=f"translate({x:g} {high:g})") for marks, high in out]
        drawn.append(group(still.marks(over), transform=f"translate({x:g} 0)"))
        if dot:
            drawn.append(group(still.write(time.held(scene, axis)), transform=f"translate({x:g} {base:g})"))
        return "".join([*drawn, *named]), y + 20


# A tangent goes the way of a value, so its head is another: two in one.
PLAIN = "M0 .5L8 4L0 7.5Z"
HEADS = {"value": PLAIN, "gradient": PLAIN, "tangent": "M0 .8L4.4 4L0 7.2ZM3.8 .8L8.2 4L3.8 7.2Z"}


def defs() -> list[Mark]:
    """What marks point at: arrowheads, the hatch of a closed region, and of bytes in flight."""
    size: dict[str, Any] = {"viewbox": "0 0 8 8", "refX": 7, "refY": 4, "markerWidth": 9, "markerHeight": 9}
    turned = {"markerUnits": "userSpaceOnUse", "orient": "auto-start-reverse"}
    heads = [
        Mark("marker", Mark("path", d=HEADS[without_order(kind)], cls=f"tip {kind}"), id=kind, **size, **turned)
        for kind in CELLS
    ]
    units = {"patternUnits": "userSpaceOnUse", "patternTransform": "rotate(45)"}
    lid = Mark("pattern", Mark("path", d="M0 0V9", cls="lidline"), id="lid", width=9, height=9, **units)
    return [*heads, lid, time.hatch()]


def pointed(ink: Ink, body: str) -> str:
    """What marks of a drawing point at."""
    return tag("defs", Still(ink, 0).marks([head for head in defs() if f"(#{ink.prefix}-{head.attrs['id']})" in body]))


def _legend(ink: Ink, scene: Scene, width: float, parts: tuple[str, ...], drawn: GraphRoom | None) -> tuple[str, float]:
    still, shared = Still(ink, 0), drawn and drawn.shared
    items = legend(scene, parts, shared.short if shared else None)
    return blocks.icons([(still.marks(icon), said, wide) for icon, said, wide in items], ink, width)


class GraphRoom:
    """The graph, or what stands in for it; it knows how large it can be in a given room."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.placed = scene, bool(scene.layout)
        self.drawn: dict[str, Drawing] = {}

    @cached_property
    def shared(self) -> Shared | None:
        """What both directions have, and the legend is asked about."""
        return Shared(self.scene) if self.placed else None

    def cost(self, way: str, width: float, least: float = 0.0) -> float:
        """How much page a direction takes in a room, more where the type would get small.  Only the layout counts, so that
        all steps of a scene are arranged alike."""
        block = (self.scene.layout or {})[way]
        scale = _scale(width, block["w"] + 20, block["h"] + 20)
        small = max(1.0, READABLE / scale)
        return max(least, (block["h"] + 20) * scale) * (small**2 if scale >= LEGIBLE else small**8)

    def pick(self, width: float) -> str:
        """The direction that reads better in a room of this width."""
        ways = [way for way in ("LR", "TB") if way in (self.scene.layout or {})]
        return min(ways, key=lambda way: self.cost(way, width))

    def fits_beside(self, right: float, whole: float, code: float) -> bool:
        """Whether the graph stands better beside the code than under it with the whole width."""
        if not self.placed:
            return True
        beside = self.cost(self.pick(right), right, code)
        return beside <= 1.15 * (code + self.cost(self.pick(whole), whole))

    def of(self, way: str) -> Drawing:
        """The drawing in one direction, made when it is first asked for."""
        if way not in self.drawn:
            self.drawn[way] = graph(self.scene, way, self.shared)
        return self.drawn[way]

    def scale(self, width: float) -> float:
        """How large it would be drawn: within the width, and not much taller than a page while it can be read."""
        if not self.placed:
            return 1.0
        drawing = self.of(self.pick(width))
        return _scale(width, drawing.w, drawing.h)

    def draw(self, ink: Ink, step: int, width: float, at_least: float) -> tuple[str, float]:
        """The graph in the middle of its room, and its height."""
        if not self.placed:
            return blocks.values(ink, panels.table(self.scene), step, width, words("graph.missing"))
        drawing, scale = self.of(self.pick(width)), self.scale(width)
        w, h = drawing.w * scale, drawing.h * scale
        body = Still(ink, step).write(drawing.mark)
        place = f"translate({(width - w) / 2:.1f} {max(0.0, (at_least - h) / 2):.1f}) scale({scale:.4g})"
        return group(body, transform=place), max(at_least, h)


def _scale(width: float, w: float, h: float) -> float:
    """Within the width; larger than life only while it stays low; smaller only as long as it can be read."""
    return min(width / w, LARGEST, max(1.0, LOW / h), max(TALL / h, 0.5))


def strip(scene: Scene, steps: str | Iterable[int] = "all", *, theme: str = "light", width: float = WIDTH) -> str:
    """A strip of frames for a handout: for each step its number, its sentence and the graph, all at one size.

    `steps` is "all" or step numbers.  Raises IndexError for a step that is not there, ValueError for none at all.
    """
    _checked(theme, PARTS)
    if isinstance(steps, str) and steps != "all":
        raise ValueError(f'steps is "all" or step numbers, not {steps!r}')
    chosen = range(len(scene.steps)) if steps == "all" else [at.step_of(scene, int(step)) for step in steps]
    if not chosen:
        raise ValueError("a strip needs at least one step")
    ink = Ink(theme, _prefix(scene, "strip", theme, width, list(chosen)))
    room = max(320.0, float(width)) - 2 * MARGIN
    title = _Column()
    title.add(blocks.paragraph(ink, scene.title, room, 21, weight=650))
    title.add(blocks.paragraph(ink, scene.lead, room, 14, "mute"), before=2)
    drawing = GraphRoom(scene)
    across = _across(drawing, room, len(chosen))
    each = (room - GAP * (across - 1)) / across
    y = title.y + 14
    for row in range(0, len(chosen), across):
        frames = [_frame(ink, scene, step, drawing, each) for step in chosen[row : row + across]]
        said, drawn = max(frame[1] for frame in frames), max(frame[3] for frame in frames)
        for column, (head, _, body, _) in enumerate(frames):
            x = column * (each + GAP)
            title.parts.append(group(head, transform=f"translate({x:.1f} {y:.1f})"))
            title.parts.append(group(body, transform=f"translate({x:.1f} {y + said:.1f})"))
        y += said + drawn + 22
    body, high = _legend(ink, scene, room, ("graph",), drawing)
    title.parts.append(group(body, transform=f"translate(0 {y:.1f})"))
    named = words("step.frames", title=scene.title or words("step.run"), count=len(chosen))
    story = " ".join(f"{step}. {scene.steps[step]['say']}" for step in chosen)
    return _document(ink, named, story, "".join(title.parts), room + 2 * MARGIN, y + high + 2 * MARGIN)


def _across(drawing: GraphRoom, room: float, count: int) -> int:
    """As many frames beside each other as stay readable."""
    most = min(count, 4)
    for across in range(most, 1, -1):
        each = (room - GAP * (across - 1)) / across
        if each >= 220 and drawing.scale(each) >= 0.62:
            return across
    return 1


def _frame(ink: Ink, scene: Scene, step: int, drawing: GraphRoom, width: float) -> tuple[str, float, str, float]:
    number = ink.text(0, 14, str(step), 13, weight=700, sans=True)
    said, high = blocks.paragraph(ink, scene.steps[step]["say"], width - 26, 13)
    body, tall = drawing.draw(ink, step, width, 0)
    return number + group(said, transform="translate(26 0)"), high + 10, body, tall
