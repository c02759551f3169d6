"""The memory figure: the numbers of the scene, drawn without touching pyplot."""

from __future__ import annotations

import sys

import pytest

from tests.viz import programs
from tests.viz.scenes import squared
from viz.paint.plot import memory
from viz.scene import Scene

matplotlib = pytest.importorskip("matplotlib")


def test_the_stack_is_the_memory_of_the_scene() -> None:
    axes = memory(squared()).figure.axes[0]
    bands = {one.get_label(): one for one in axes.patches if not str(one.get_label()).startswith("_")}
    assert list(bands) == ["variables", "Python names", "in flight"]
    values, _, baseline = bands["in flight"].get_data()  # type: ignore[attr-defined]
    assert list(values) == [0, 4, 4, 8, 8, 12, 16, 16, 12]
    assert list(baseline) == [0, 4, 4, 8, 8, 8, 8, 8, 12]
    assert bands["in flight"].get_hatch()
    assert not bands["variables"].get_hatch()


def test_peak_units_and_legend_are_said() -> None:
    figure = memory(squared()).figure
    (axes,) = figure.axes
    title = axes.get_title(loc="left").replace("\n", " ").replace("\u00a0", " ")
    assert title == "peak 24 B at step 6: variables 4 B, Python names 4 B, in flight 8 B, inside the step 8 B more"
    assert axes.get_ylabel() == "memory (B)"
    assert axes.get_xlabel() == "step"
    assert [one.get_text() for one in figure.legends[0].get_texts()][:2] == ["inside the step", "in flight"]
    assert any(str(line.get_ydata()) == "[24.0, 24.0]" for line in axes.lines), "a line marks the peak"


def test_large_amounts_are_scaled() -> None:
    scene = squared()
    for step in scene.steps:
        step["memory"] = {key: number * 1_000_000 for key, number in step["memory"].items()}
        step.pop("high", None)
    plot = memory(scene)
    assert plot.figure.axes[0].get_ylabel() == "memory (MB)"
    assert "peak 16 MB at step 6" in repr(plot)


def test_the_repr_is_the_same_every_time_and_the_picture_is_a_png() -> None:
    one, other = memory(squared()), memory(squared())
    assert repr(one) == repr(other)
    assert "0x" not in repr(one)
    assert one._repr_png_().startswith(b"\x89PNG")
    assert one._repr_png_() == other._repr_png_()


def test_pyplot_is_left_alone() -> None:
    loaded = "matplotlib.pyplot" in sys.modules
    before = sys.modules["matplotlib.pyplot"].get_fignums() if loaded else None
    memory(squared())._repr_png_()
    assert ("matplotlib.pyplot" in sys.modules) == loaded
    assert (sys.modules["matplotlib.pyplot"].get_fignums() if loaded else None) == before


def test_what_is_missing_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="nothing about memory"):
        memory(Scene(steps=[{"kind": "start", "say": "All is still.", "memory": {}}]))
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(ImportError, match="pip install"):
        memory(squared())


def test_the_words_over_the_plot_end_before_the_legend() -> None:
    figure = memory(programs.kept("recompute").scene).figure
    figure.canvas.draw()
    words = figure.axes[0].title, figure.axes[0]._left_title
    ends = max(one.get_window_extent().x1 for one in words if one.get_text())
    assert ends <= figure.legends[0].get_window_extent().x0
