"""The pictures of a training loop: what is drawn is where the numbers say, and the words say the same."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import Any

import numpy as np
import pytest

import minitape as tf
from viz.lesson import charts, plane, plot

POINTS = tf.constant([[0.0, 0.0], [4.0, 0.0], [4.0, 2.0], [0.0, 2.0]])
LABELS = tf.constant([1.0, -1.0, 1.0, -1.0])


def paths(svg: str) -> list[tuple[str, np.ndarray]]:
    """The outline of every path, and the places on it."""
    outlines = [one.attrib["d"] for one in ET.fromstring(svg).iter() if one.tag.endswith("path")]
    return [(d, np.array(re.findall(r"(-?[\d.]+) (-?[\d.]+)", d), float)) for d in outlines]


def area(d: str) -> float:
    """Of all the polygons of an outline together."""
    total = 0.0
    for part in d.split("M")[1:]:
        x, y = np.array([one.split(" ") for one in part.split("L")], float).T
        total += abs(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1))) / 2
    return total


def test_a_curve_goes_through_its_numbers() -> None:
    svg = plot("loss", [1.0, 0.5, 0.0, 0.25]).svg
    (curve,) = [places for d, places in paths(svg) if "L" in d and len(places) == 4]
    assert np.allclose(np.diff(curve[:, 0]), (curve[-1, 0] - curve[0, 0]) / 3, atol=0.1)
    heights = (charts.HEIGHT - curve[:, 1]) / (charts.HEIGHT - charts.TOP)
    assert np.allclose(heights, [1.0, 0.5, 0.0, 0.25], atol=1e-3)


def test_curves_have_names_dashes_and_words_and_nothing_else_is_cut_off() -> None:
    drawn = plot("loss", {"slow": [0.5, 0.4], "wild": [0.5, 9.0]}, most=1.0)
    assert ">slow</text>" in drawn.svg and ">wild</text>" in drawn.svg and "stroke-dasharray" in drawn.svg
    assert drawn.words == "loss over 2 steps. slow goes from 0.5 to 0.4; wild goes from 0.5 to 9."
    (window,) = [one for one in ET.fromstring(drawn.svg).iter() if one.tag.endswith("svg") and "x" in one.attrib]
    assert len(window) == 2, "both curves are in the box that cuts them off"
    assert float(window.attrib["y"]) + float(window.attrib["height"]) >= charts.HEIGHT + 2


def test_a_plane_is_parted_where_the_score_is_zero() -> None:
    drawn = plane(POINTS, LABELS, {"a quarter": lambda p: 1.0 - p[:, 0] + 0.0 * p[:, 1]})
    (blue, _), (orange, _), (_, border), (dots, _), (squares, _) = paths(drawn.svg)
    left, wide = -0.08 * 4.0, 4.0 * 1.16
    assert np.allclose(border[:, 0], (1.0 - left) / wide * charts.PANEL, atol=0.1)
    whole = charts.PANEL * charts.PANEL * (2.0 * 1.16) / wide
    assert area(blue) == pytest.approx(whole * (1.0 - left) / wide, rel=1e-2)
    assert area(blue) + area(orange) == pytest.approx(whole, rel=1e-2)
    assert dots.count("M") == squares.count("M") == 2
    assert drawn.words.endswith("2 of them dots and 2 squares. a quarter: 2 of 4 on their side")


def test_up_is_up() -> None:
    (blue, upper), *_ = paths(plane(POINTS, LABELS, {"upper": lambda p: p[:, 1] - 1.0}).svg)
    (other, lower), *_ = paths(plane(POINTS, LABELS, {"lower": lambda p: 1.0 - p[:, 1]}).svg)
    assert upper[:, 1].min() == 0.0 < lower[:, 1].min() and upper[:, 1].max() < lower[:, 1].max()


def test_both_follow_a_dark_page() -> None:
    for drawn in (plot("loss", [1.0, 0.5]), plane(POINTS, LABELS)):
        assert "prefers-color-scheme:dark" in drawn.svg
        assert drawn._repr_mimebundle_()["text/html"].startswith('<img alt="')


NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("curve", "places", "says"),
    [
        ([0.0, 0.0], 2, None),
        ([2.0], 1, None),
        ([-1.0, -2.0], 2, "−2"),
        ([1e-30, 2e-30], 2, None),
        ([3.0, 2.0, NAN, NAN], 2, "nan from here on"),
        ([3.0, INF, 1.0], 2, "inf"),
        ([NAN, NAN], 0, "nan from here on"),
    ],
)
def test_a_curve_of_any_numbers_is_drawn_as_far_as_it_can_be(curve: list[float], places: int, says: str | None) -> None:
    drawing = plot("loss", curve)
    inner = ET.tostring([one for one in ET.fromstring(drawing.svg).iter() if one.tag.endswith("svg")][1], "unicode")
    found = np.concatenate([on for d, on in paths(inner) if len(on)] or [np.empty((0, 2))])
    assert len(found) == places and np.isfinite(found).all() and (found[:, 1] <= charts.HEIGHT).all()
    assert says is None or f">{says}<" in drawing.svg or says in drawing.words


@pytest.mark.parametrize("curves", [[], {}, {"a": [1.0], "b": []}])
def test_nothing_to_plot_says_what_to_give(curves: Any) -> None:
    with pytest.raises(ValueError, match=r"no number of loss to plot yet: give plot a list with one for each step"):
        plot("loss", curves)


def test_a_model_that_has_lost_its_numbers_is_on_no_side() -> None:
    points, labels = tf.constant([[0.0, 1.0], [1.0, 0.0]]), tf.constant([1.0, -1.0])
    lost = plane(points, labels, {"lost": lambda places: places[:, 0] * NAN})
    assert "nan" not in lost.svg and "lost: 0 of 2" in lost.words
    assert "plane of 2" in str(plane(points * 0.0, labels))
    with pytest.raises(ValueError, match=r"points of shape \[n, 2\] and a label for each, not \[2, 2\] and \[1\]"):
        plane(points, labels[:1])
