"""Memory over the steps as a matplotlib figure, for papers and slides: a stack of stairs by holder, the peak marked."""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from textwrap import fill
from typing import TYPE_CHECKING, Any

from ..layout.sizes import short
from ..scene import Scene
from ..style import PALETTE
from . import state as at

if TYPE_CHECKING:
    from matplotlib.figure import Figure

LINE = 64  # characters of the peak's words on a line: what stands over the axes, beside the legend

# grey paper shows no hues: these three would be the same grey
HATCHES = {"accumulator": "xx", "flight": "///"}


@dataclass(slots=True, frozen=True, repr=False)
class MemoryPlot:
    """A drawn memory plot: `.figure` is matplotlib's, to be changed or saved; a notebook shows it as a picture."""

    figure: Figure
    summary: str

    def __repr__(self) -> str:
        return f"<{self.summary}>"

    def _repr_png_(self) -> bytes:
        sink = io.BytesIO()
        self.figure.savefig(sink, format="png", dpi=120, metadata={"Software": None})
        return sink.getvalue()


def png(figure: Figure) -> bytes:
    """A figure as a file; which version of matplotlib drew it is not said."""
    sink = io.BytesIO()
    figure.savefig(sink, format="png", metadata={"Software": "minitape"})
    return sink.getvalue()


def canvas() -> tuple[Figure, Any]:
    """An empty figure that no window and no global state knows of, and its axes; raises ImportError without matplotlib."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError as fault:
        raise ImportError('this figure needs matplotlib: pip install "minitape[viz]"') from fault
    figure = Figure(figsize=(7.2, 3.2), layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.add_subplot()


def memory(scene: Scene) -> MemoryPlot:
    """Who held how much after each step; raises ImportError without matplotlib, ValueError for a scene without memory."""
    if not any(step.get("memory") for step in scene.steps):
        raise ValueError("this scene says nothing about memory")
    figure, axes = canvas()
    from matplotlib.ticker import MaxNLocator

    palette = PALETTE["light"]
    most, _ = at.peak(scene)
    size, unit = _unit(most, scene.unit)
    edges = [-0.5, *[step + 0.5 for step in range(len(scene.steps))]]
    below = [0.0] * len(scene.steps)
    for holder, label in at.holders(scene).items():
        level = [low + at.memory_at(scene, step).get(holder, 0) / size for step, low in enumerate(below)]
        if level != below:
            colour = palette.get(f"m-{holder}", palette["mute"])
            look: dict[str, Any] = {
                "facecolor": colour,
                "edgecolor": "white",
                "linewidth": 0.0,
                "hatch": HATCHES.get(holder),
            }
            axes.stairs(level, edges, baseline=below, fill=True, label=label, **look)
            axes.stairs(level, edges, baseline=None, color=palette["ink"], linewidth=0.6, label="_outline")
        below = level
    _mark_inside(axes, scene, size, palette)
    axes.axhline(most / size, color=palette["mute"], linewidth=0.8, linestyle=(0, (4, 3)))
    said = at.peak_words(scene)
    axes.set_title(fill(re.sub(r"(\d) ", "\\1\u00a0", said), LINE), loc="left", fontsize=9, color=palette["mute"])
    if scene.title:  # a dollar sign in it is no formula
        figure.suptitle(short(scene.title, LINE), x=0.01, ha="left", fontsize=12, fontweight="bold", parse_math=False)
    axes.set(
        xlabel="step", ylabel=f"memory ({unit})", xlim=(-0.5, len(scene.steps) - 0.5), ylim=(0, most / size * 1.06 or 1)
    )
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    axes.spines[["top", "right"]].set_visible(False)
    handles, labels = axes.get_legend_handles_labels()
    # top of the stack first, as the eye meets them
    legend = figure.legend(handles[::-1], labels[::-1], loc="outside right center", frameon=False, fontsize=9)
    for text in legend.get_texts():
        text.set_parse_math(False)
    return MemoryPlot(figure, f"memory of {scene.title or 'a run'}: {said}")


def _unit(most: float, unit: str) -> tuple[float, str]:
    if unit == "B":
        for size, name in ((1e9, "GB"), (1e6, "MB"), (1e4, "kB")):
            if most >= size:
                return (1e3 if name == "kB" else size), name
    return 1.0, unit


def _mark_inside(axes: Any, scene: Scene, size: float, palette: dict[str, str]) -> None:
    """Where a step needed more than it ends with, a whisker shows how much."""
    higher = [step for step in range(len(scene.steps)) if at.high_at(scene, step) > at.total_at(scene, step)]
    if higher:
        low = [at.total_at(scene, step) / size for step in higher]
        high = [at.high_at(scene, step) / size for step in higher]
        axes.vlines(higher, low, high, color=palette["ink"], linewidth=1, label="inside the step")
        axes.plot(higher, high, "_", color=palette["ink"], markersize=5)
