"""A scene at one step as one self-contained SVG: what is shown without a kernel, untrusted, in print, and as an `<img>`."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Sequence

from ..scene import Scene
from ..style import PALETTE
from . import state as at
from .paper import words
from .paper.graph import graph
from .paper.ink import FONTS, Ink, clean, following, group, tag
from .paper.legend import legend
from .paper.score import score
from .paper.time import hatch
from .paper.time import strip as time_strip
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
    body, height = _page(ink, scene, now, max(320.0, float(width)) - 2 * MARGIN, chosen)
    named = f"{scene.title or 'A run'}: step {now} of {len(scene.steps) - 1}"
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
    unknown = [one for one in parts if one not in known]
    if isinstance(parts, str) or unknown:
        raise ValueError(f"parts are some of {', '.join(known)}, not {parts!r}")
    return tuple(parts)


def _prefix(scene: Scene, *about: object) -> str:
    """Ids that differ between different pictures, and are the same for the same picture."""
    return f"mt{zlib.crc32(f'{about} {scene.to_json()}'.encode('utf-8', 'replace')):08x}"


def _document(ink: Ink, title: str, desc: str, body: str, width: float, height: float) -> str:
    named = f"{ink.prefix}-t {ink.prefix}-d"
    head = [
        tag("title", clean(title), id=f"{ink.prefix}-t"),
        tag("desc", clean(desc), id=f"{ink.prefix}-d"),
        tag("defs", hatch(ink)),
        tag("rect", width="100%", height="100%", **ink.fill("bg")),
        group(body, transform=f"translate({MARGIN:g} {MARGIN:g})", **FONTS),
    ]
    size = {"viewBox": f"0 0 {width:.0f} {height:.0f}", "width": f"{width:.0f}", "height": f"{height:.0f}"}
    return tag(
        "svg",
        *head,
        following(ink, "".join(head)),
        id=ink.prefix,
        xmlns="http://www.w3.org/2000/svg",
        role="img",
        aria_labelledby=named,
        **size,
    )


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


def _page(ink: Ink, scene: Scene, step: int, width: float, parts: tuple[str, ...]) -> tuple[str, float]:
    wide = width + 2 * MARGIN >= NARROW
    side = (336.0 if width > 1040 else 300.0) if wide else width
    left = side
    with_code = "code" in parts and bool(scene.sources)
    beside = wide and with_code
    right = width - left - GAP if beside else width
    drawing = _Graph(ink, scene, step) if "graph" in parts else None
    aside = beside and (drawing is None or drawing.fits_beside(right, width, words.code_height(scene)))
    if beside and not aside:  # then the sentence alone stands beside the code, which may be wider
        left = max(left, min(words.code_width(scene, width * 0.58), width * 0.58))
        right = width - left - GAP

    page = _Column()
    first, second = _Column(), _Column(x=left + GAP if beside else 0.0)
    if "say" in parts:
        first.add(words.paragraph(ink, scene.title, left, 21, weight=650))
        first.add(words.paragraph(ink, scene.lead, left, 14, "mute"), before=2)
    main = second if beside else first
    if "say" in parts:
        main.add(words.sentence(ink, scene, step, right), before=0 if beside else 14)
    if with_code:
        first.add(words.code(ink, scene, step, left), before=16)
        target, room = (first, left - 32) if (aside and drawing) or not beside else (second, right)
        target.add(words.formula(ink, scene, step, room), before=16, x=32 if target is first else 0)
    elif "code" in parts:
        main.add(words.formula(ink, scene, step, right), before=14)
    if aside and drawing:
        second.add(drawing.draw(right, first.y - second.y - 16), before=16)
    page.parts = first.parts + second.parts
    page.y = max(first.y, second.y)
    if drawing and not aside:
        page.add(drawing.draw(width, 0), before=18 if page.parts else 0)
    if {"lanes", "score", "memory"} & set(parts):
        if page.parts:
            page.add((ink.line(0, 0, width, 0, "line"), 0.0), before=18)
        gutter = min(side if with_code and wide else 240.0, max(150.0, width * 0.36))
        if "score" in parts:
            page.add(score(ink, scene, step, gutter, width), before=10)
    if "lanes" in parts or "memory" in parts:
        page.add(time_strip(ink, scene, step, gutter, width, parts), before=6)
    shown = drawing is not None and drawing.placed
    page.add(legend(ink, scene, width, parts, shown), before=14)
    return "".join(page.parts), page.y


class _Graph:
    """The graph, or what stands in for it; it knows how large it can be in a given room."""

    def __init__(self, ink: Ink, scene: Scene, step: int) -> None:
        self.ink, self.scene, self.step, self.placed = ink, scene, step, bool(scene.layout)
        self.drawn: dict[str, tuple[str, float, float]] = {}

    def cost(self, way: str, width: float, least: float = 0.0) -> float:
        """How much page a direction takes in a room, more where the type would get small.  Only the layout counts, so that
        all steps of a scene are arranged alike."""
        block = (self.scene.layout or {})[way]
        scale = _scale(width, block["w"] + 20, block["h"] + 20)
        small = max(1.0, READABLE / scale)
        return max(least, (block["h"] + 20) * scale) * (small**2 if scale >= LEGIBLE else small**8)

    def pick(self, width: float) -> str:
        """The direction that reads better in a room of this width."""
        return min(("LR", "TB"), key=lambda way: self.cost(way, width))

    def fits_beside(self, right: float, whole: float, code: float) -> bool:
        """Whether the graph stands better beside the code than under it with the whole width."""
        if not self.placed:
            return True
        beside = self.cost(self.pick(right), right, code)
        return beside <= 1.15 * (code + self.cost(self.pick(whole), whole))

    def of(self, way: str) -> tuple[str, float, float]:
        """The drawing in one direction, made when it is first asked for."""
        if way not in self.drawn:
            self.drawn[way] = graph(self.ink, self.scene, self.step, way)
        return self.drawn[way]

    def scale(self, width: float) -> float:
        """How large it would be drawn: within the width, and not much taller than a page while it can be read."""
        if not self.placed:
            return 1.0
        _, w, h = self.of(self.pick(width))
        return _scale(width, w, h)

    def draw(self, width: float, at_least: float) -> tuple[str, float]:
        """The graph in the middle of its room, and its height."""
        if not self.placed:
            return words.values(self.ink, self.scene, self.step, width)
        body, w, h = self.of(self.pick(width))
        scale = self.scale(width)
        x, y = (width - w * scale) / 2, max(0.0, (at_least - h * scale) / 2)
        return group(body, transform=f"translate({x:.1f} {y:.1f}) scale({scale:.4g})"), max(at_least, h * scale)


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
    chosen = range(len(scene.steps)) if steps == "all" else [at.step_of(scene, int(one)) for one in steps]
    if not chosen:
        raise ValueError("a strip needs at least one step")
    ink = Ink(theme, _prefix(scene, "strip", theme, width, list(chosen)))
    room = max(320.0, float(width)) - 2 * MARGIN
    title = _Column()
    title.add(words.paragraph(ink, scene.title, room, 21, weight=650))
    title.add(words.paragraph(ink, scene.lead, room, 14, "mute"), before=2)
    graphs = [_Graph(ink, scene, one) for one in chosen]
    across = _across(graphs[0], room, len(chosen))
    each = (room - GAP * (across - 1)) / across
    y = title.y + 14
    for row in range(0, len(chosen), across):
        frames = [
            _frame(ink, scene, chosen[at_], graphs[at_], each) for at_ in range(row, min(row + across, len(chosen)))
        ]
        tall = max(said + drawn for _, said, _, drawn in frames)
        said = max(one for _, one, _, _ in frames)
        for column, (head, _, body, _) in enumerate(frames):
            x = column * (each + GAP)
            title.parts.append(group(head, transform=f"translate({x:.1f} {y:.1f})"))
            title.parts.append(group(body, transform=f"translate({x:.1f} {y + said:.1f})"))
        y += max(tall, said + max(drawn for _, _, _, drawn in frames)) + 22
    body, high = legend(ink, scene, room, (), graphs[0].placed)
    title.parts.append(group(body, transform=f"translate(0 {y:.1f})"))
    named = f"{scene.title or 'A run'}: {len(chosen)} frames"
    story = " ".join(f"{one}. {scene.steps[one]['say']}" for one in chosen)
    return _document(ink, named, story, "".join(title.parts), room + 2 * MARGIN, y + high + 2 * MARGIN)


def _across(drawing: _Graph, room: float, count: int) -> int:
    """As many frames beside each other as stay readable."""
    most = min(count, 4)
    for across in range(most, 1, -1):
        each = (room - GAP * (across - 1)) / across
        if each >= 220 and drawing.scale(each) >= 0.62:
            return across
    return 1


def _frame(ink: Ink, scene: Scene, step: int, drawing: _Graph, width: float) -> tuple[str, float, str, float]:
    number = ink.text(0, 14, str(step), 13, weight=700, sans=True)
    said, high = words.paragraph(ink, scene.steps[step]["say"], width - 26, 13)
    body, tall = drawing.draw(width, 0)
    return number + group(said, transform="translate(26 0)"), high + 10, body, tall
