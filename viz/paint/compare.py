"""Several runs on one axis: a stair of bytes for each, named where it stands, and the same as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..layout.sizes import sans_width, short
from ..style import PALETTE, amount
from .ink import Ink, document, group, tag
from .text import in_columns
from .time import gap_for

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NAME = 40  # columns of a run's name: beside it there must be room for the picture

# each run has a dash of its own: grey paper shows no hues
LOOKS = [
    ("ink", None),
    ("gradient", "9 3"),
    ("value", "3 3"),
    ("tangent", "12 3 2 3"),
    ("gradient2", "6 2"),
    ("replay", "1 3"),
]
WIDTH, HEIGHT, LEFT, TOP, LINE = 860.0, 260.0, 64.0, 20.0, 34.0

Curves = list[dict[str, Any]]


def look(place: int) -> tuple[str, str | None]:
    """The colour and dash of a run by its place; after the last they begin again."""
    return LOOKS[place % len(LOOKS)]


def table(curves: Curves) -> str:
    """The comparison in words: peak, where, what is left, and how each compares with the first.

    >>> one = {"name": "plain", "events": 10, "points": [], "peak": 40, "at": 6, "end": 4}
    >>> print(table([one, {**one, "name": "again", "peak": 30}]))
    run    events  peak  at event  end  peak against plain
    plain  10      40 B  6         4 B
    again  10      30 B  6         4 B  −25 %
    """
    rows = [("run", "events", "peak", "at event", "end", f"peak against {short(curves[0]['name'], NAME)}")]
    for curve in curves:
        peak, end = amount(curve["peak"], "B"), amount(curve["end"], "B")
        rows.append(
            (short(curve["name"], NAME), str(curve["events"]), peak, str(curve["at"]), end, _against(curves, curve))
        )
    return "\n".join(in_columns(rows))


def _against(curves: Curves, curve: dict[str, Any]) -> str:
    first = curves[0]["peak"]
    if curve is curves[0] or not first:
        return ""
    share = round(100 * (curve["peak"] - first) / first)
    return f"{'+' if share > 0 else '−' if share < 0 else '±'}{abs(share)} %"


def described(curves: Curves) -> str:
    """The comparison as alternative text."""
    said = [
        f"{curve['name']}: peak {amount(curve['peak'], 'B')} at event {curve['at']} of {curve['events']}"
        for curve in curves
    ]
    return f"Memory of {len(curves)} runs on one axis. " + "; ".join(said) + "."


def picture(curves: Curves, theme: str = "", wide: float = WIDTH) -> str:
    """The comparison as an SVG document: time to the right, bytes up, each run labelled at the height of its peak."""
    ink = Ink(theme, "mtc" if wide == WIDTH else "mtcn")
    gutter = max([150.0, *[sans_width(_label(curves, curve), 12.5) * 1.1 + 48 for curve in curves]])
    right = max(wide - gutter, LEFT + 160.0)
    wide = right + gutter
    most, last = max([curve["peak"] for curve in curves] or [1]) or 1, max([curve["events"] for curve in curves] or [1])
    across, up = (right - LEFT) / max(1, last), (HEIGHT - TOP) / most

    def y(level: float) -> float:
        return HEIGHT - level * up

    parts = [_axes(ink, last, most, across, right, y)]
    for place, curve in enumerate(curves):
        role, dash = look(place)
        parts.append(ink.curve(_stair(curve, across, y), role, 2.0, stroke_dasharray=dash, stroke_linejoin="round"))
        x = LEFT + (curve["at"] + 0.5) * across
        parts.append(tag("path", d=f"M{x:.1f} {y(curve['peak']) - 1:.1f}l-4-7h8Z", **ink.fill(role)))
        parts.append(ink.line(x, y(curve["peak"]), right + 4, y(curve["peak"]), role, 0.8, stroke_dasharray="1 3"))
    for place, at in spread([y(curve["peak"]) for curve in curves]):
        role, dash = look(place)
        curve = curves[place]
        d = f"M{right + 4:.1f} {y(curve['peak']):.1f}L{right + 14:.1f} {at:.1f}H{right + 32:.1f}"
        parts.append(ink.curve(d, role, 2.0, stroke_dasharray=dash))
        parts.append(ink.text(right + 37, at + 4.3, _label(curves, curve), 12.5, role, sans=True, weight=600))
    body = group(*parts, transform="translate(0 14)")
    return document(ink, described(curves), (wide, HEIGHT + LINE + 24), ink.ground(), body)


def _label(curves: Curves, curve: dict[str, Any]) -> str:
    against = _against(curves, curve)
    return f"{short(curve['name'], NAME)}, peak {amount(curve['peak'], 'B')}" + (f" ({against})" if against else "")


def _stair(curve: dict[str, Any], across: float, y: Any) -> str:
    """A step function: the most within each point, and after the last what is left."""
    d = f"M{LEFT:.1f} {y(0):.1f}"
    for start, _, high in curve["points"]:
        d += f"H{LEFT + start * across:.1f}V{y(high):.1f}"
    return d + f"H{LEFT + curve['events'] * across:.1f}V{y(curve['end']):.1f}"


def _axes(ink: Ink, last: int, most: float, across: float, right: float, y: Any) -> str:
    parts = [ink.line(LEFT, HEIGHT, right, HEIGHT, "line")]
    for event in range(0, last + 1, gap_for(across, 44)):
        parts.append(ink.text(LEFT + event * across, HEIGHT + 16, str(event), 11, "mute", anchor="middle", sans=True))
    for level in (0.0, most / 2, most):
        parts.append(ink.line(LEFT - 4, y(level), right, y(level), "line", 0.8))
        parts.append(ink.text(LEFT - 9, y(level) + 4, amount(level, "B"), 11, "mute", anchor="end", sans=True))
    parts.append(ink.text(right, HEIGHT + LINE, "event", 11.5, "mute", anchor="end", sans=True))
    return "".join(parts)


def spread(heights: list[float]) -> list[tuple[int, float]]:
    """Where labels stand: at their heights, from the top, never closer than a line.

    >>> spread([50.0, 20.0, 52.0])
    [(1, 20.0), (0, 50.0), (2, 68.0)]
    """
    out: list[tuple[int, float]] = []
    for place in sorted(range(len(heights)), key=lambda index: heights[index]):
        out.append((place, max(heights[place], out[-1][1] + 18) if out else heights[place]))
    return out


def figure(curves: Curves) -> Figure:
    """The comparison as a matplotlib figure; raises ImportError without matplotlib."""
    from .plot import canvas

    made, axes = canvas()
    palette = PALETTE["light"]
    for place, curve in enumerate(curves):
        role, dash = look(place)
        style: Any = "-" if dash is None else (0, tuple(float(part) for part in dash.split()))
        edges = [*[start for start, _, _ in curve["points"]], curve["events"]]
        axes.stairs(
            [high for _, _, high in curve["points"]], edges, color=palette[role], linestyle=style, linewidth=1.6
        )
        axes.annotate(
            _label(curves, curve), (curve["at"] + 0.5, curve["peak"]), xytext=(4, 4), textcoords="offset points", fontsize=8,
            color=palette[role], parse_math=False,
        )  # fmt: skip
    axes.set(xlabel="event", ylabel="memory (B)", ylim=(0, None), xlim=(0, None))
    axes.margins(y=0.12)
    axes.spines[["top", "right"]].set_visible(False)
    return made
