"""Comparison, forward mode side by side, schedules, names on the time axis."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest

import minitape as tf
import viz

from . import programs


def recorded(program: Any) -> Any:
    x = tf.constant([0.5] * 64)
    with viz.record() as run:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = program(x)
        tape.gradient(y, x)
    return run


def wave(h: Any) -> Any:
    return tf.sin(tf.cos(tf.sin(h)))


def words(svg: str) -> str:
    return " ".join("".join(one.itertext()) for one in ET.fromstring(svg).iter() if one.tag.endswith("text"))


def test_runs_are_compared_by_their_own_peaks() -> None:
    plain = recorded(tf.checkpoint_sequential([wave] * 16, schedule="none"))
    again = recorded(tf.checkpoint_sequential([wave] * 16, schedule="sqrt"))
    made = viz.compare(plain=plain, by_square_root=again)
    peaks = [max(max(one.high, sum(one.memory)) for one in run.stream.records) for run in (plain, again)]
    assert [one["peak"] for one in made.curves] == peaks
    assert peaks[1] < peaks[0] / 2
    assert made.text.splitlines()[-1].startswith("by square root")
    assert f"−{round(100 * (1 - peaks[1] / peaks[0]))} %" in made.text
    shown = words(made.svg)
    assert "plain, peak" in shown
    assert "by square root, peak" in shown
    assert len(set(re.findall(r'stroke-width="2" [^>]*stroke-dasharray="([^"]+)"', made.svg))) >= 1, (
        "told apart without colour"
    )


def test_a_thinned_curve_keeps_its_peak() -> None:
    from viz.tell.curves import thinned

    levels = [(float(at % 7), float(at % 7) + (900 if at == 4321 else 0)) for at in range(10_000)]
    points = thinned(levels)
    assert len(points) <= 600
    assert max(high for _, _, high in points) == max(high for _, high in levels)


def test_a_comparison_is_a_figure_too() -> None:
    pytest.importorskip("matplotlib")
    axes = viz.compare(recorded(wave), recorded(tf.recompute_grad(wave))).figure.axes[0]
    assert axes.get_xlabel() == "event"
    assert len(axes.patches) == 2


def test_wrong_things_are_not_compared() -> None:
    with pytest.raises(TypeError, match=r"viz\.compare\(plain=run"):
        viz.compare(3.0)
    with pytest.raises(ValueError, match="nothing to compare"):
        viz.compare()


def test_values_and_tangents_stand_side_by_side() -> None:
    flow = viz.flow(programs.run("order_rule"))
    rows = {line.split()[0]: line for line in flow.text.splitlines()}
    assert rows["x"].count("seed") == 2
    assert rows["dy"].split() == ["dy", "4.4417", "10.0948", "∅"]
    assert "does not see it" in words(flow.svg)
    assert "tangent, outer" in words(flow.svg)


def test_flow_tells_a_formula_whole() -> None:
    """Also that of a value that is named by it, which has no `=`."""
    with viz.record() as run:
        x = tf.constant([1.0, 2.0])
        with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)):
            y = tf.reduce_sum(tf.sin(x) * x)
            y - x**3
    said = re.findall(r">([^<>]+)</text>", viz.flow(run).svg)
    assert {"sin(x)", "sin(x) × x", "sum(sin(x)·x)", "x ^ 3", "y − (x^3)"} <= set(said), said
    assert said.count("sin(x)") == 2, "the name and the formula"


def test_flow_needs_tangents() -> None:
    with pytest.raises(ValueError, match="ForwardAccumulator"):
        viz.flow(programs.run("slope"))


@pytest.mark.parametrize("schedule", ["none", "sqrt", "halving", "revolve"])
def test_a_schedule_is_drawn_as_it_runs(schedule: str) -> None:
    plan = tf.plan(9, schedule, slots=3)
    drawn = viz.schedule(plan)
    rows = drawn.text.splitlines()[2:]
    assert len(rows) == 9
    marks = "".join(rows)
    assert sum(marks.count(one) for one in "○●↻") == plan.runs
    assert marks.count("↻") == plan.extra_runs
    assert marks.count("◀") == 9
    ET.fromstring(drawn.svg)


def test_a_schedule_needs_a_plan() -> None:
    with pytest.raises(TypeError, match=r'tf.plan\(16, "sqrt"\)'):
        viz.schedule(16)


def test_a_plan_shows_itself_in_a_notebook() -> None:
    bundle = tf.plan(4, "sqrt")._repr_mimebundle_()
    assert bundle["text/plain"] == str(tf.plan(4, "sqrt"))
    assert bundle["text/html"].startswith("<img alt=")


def test_names_stand_on_the_time_axis() -> None:
    scene = programs.kept("named_stretches").scene
    spans = {one["label"]: (one["from"], one["to"]) for one in scene.names}
    assert [scene.steps[at]["say"] for at, _ in spans.values()] == ["Here begins encoder.", "Here begins loss."]
    made = {value["name"]: value["born"] for value in scene.values}
    assert spans["encoder"][0] < made["h"] < spans["encoder"][1] <= spans["loss"][0] < made["loss"] < spans["loss"][1]
    shown = words(viz.lanes(scene).svg)
    assert "encoder" in shown
    assert "loss" in shown


def test_a_name_costs_nothing_where_nobody_records() -> None:
    with viz.region("unheard"):
        y = tf.constant(1.0) * 2.0
    assert float(y) == 2.0


def test_a_stretch_that_fails_ends_all_the_same() -> None:
    with pytest.raises(ZeroDivisionError), viz.record() as run, viz.region("broken"):
        tf.Variable(1.0)
        raise ZeroDivisionError
    assert "to" in run.scene.names[0]
