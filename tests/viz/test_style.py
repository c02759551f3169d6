"""The palette: text can be read on its ground, and roles stay apart for eyes that see colours otherwise."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
import pytest

import minitape as tf
import viz
from viz.paint import looks
from viz.paint.legend import _arrow
from viz.paint.svg import HEADS
from viz.style import CELLS, DASHES, LINE_MARKS, MARKS, PALETTE, SHAPES

THEMES = list(PALETTE)
TEXT = (
    "ink",
    "mute",
    "value",
    "gradient",
    "gradient2",
    "tangent",
    "tangent2",
    "gradient3",
    "tangent3",
    "replay",
    "tape",
)
GROUNDS = ("bg", "soft", "tint", "gradient-tint", "tangent-tint", "second-tint", "replay-tint")
LINES = (
    "value",
    "gradient",
    "gradient2",
    "tangent",
    "replay",
    "mute",
    "m-python",
    "m-tape",
    "m-accumulator",
    "m-flight",
)

# Machado, Oliveira and Fernandes (2009), severity 1, on linear RGB.
DEFICIENCIES = {
    "protan": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deutan": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritan": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}


def linear(colour: str, ground: str = "#ffffff") -> np.ndarray:
    """A colour as linear RGB; one that lets the ground through lies on it."""
    if colour.startswith("#"):
        srgb = np.array([int(colour[at : at + 2], 16) for at in (1, 3, 5)]) / 255
    else:
        *parts, alpha = (float(one) for one in re.findall(r"[\d.]+", colour))
        below = np.array([int(ground[at : at + 2], 16) for at in (1, 3, 5)])
        srgb = (np.array(parts) * alpha + below * (1 - alpha)) / 255
    return np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)


def luminance(rgb: np.ndarray) -> float:
    return float(rgb @ [0.2126, 0.7152, 0.0722])


def contrast(one: np.ndarray, other: np.ndarray) -> float:
    """The contrast ratio of WCAG 2."""
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def lab(rgb: np.ndarray) -> np.ndarray:
    """CIE L*a*b* under D65."""
    xyz = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]) @ np.clip(rgb, 0, 1)
    t = xyz / [0.9505, 1.0, 1.089]
    f = np.where(t > 0.008856, np.cbrt(t), 7.787 * t + 16 / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("role", TEXT)
def test_text_reads_on_every_ground(theme: str, ground: str, role: str) -> None:
    palette = PALETTE[theme]
    below = linear(palette[ground], palette["bg"])
    assert contrast(linear(palette[role]), below) >= 4.5


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("role", LINES)
def test_lines_and_areas_stand_out_from_the_ground(theme: str, role: str) -> None:
    palette = PALETTE[theme]
    assert contrast(linear(palette[role]), linear(palette["bg"])) >= 3


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("eyes", DEFICIENCIES)
def test_colours_stay_apart_for_other_eyes(theme: str, eyes: str) -> None:
    """Colour only repeats what mark and line say (the next test), and even so no two roles come near each other."""
    seen = {
        role: lab(np.array(DEFICIENCIES[eyes]) @ linear(PALETTE[theme][role]))
        for role in ("value", "gradient", "gradient2", "tangent")
    }
    for one, other in combinations(seen, 2):
        assert np.linalg.norm(seen[one] - seen[other]) >= 10, (one, other)


def test_no_two_roles_share_both_mark_and_line() -> None:
    """In grey every kind of number still has a mark of its own, and every event another outline."""
    drawn = [(SHAPES[LINE_MARKS[kind]], DASHES.get(kind)) for kind in CELLS]
    assert len(set(drawn)) == len(CELLS)
    assert len({SHAPES[LINE_MARKS[kind]] for kind in CELLS}) == len(CELLS)
    hollow = {"ghost", "seed", "seed2", "seed3"}  # the outline of op, back, back2, back3, but empty
    outlines = [SHAPES[kind] for kind in MARKS if kind not in hollow]
    assert len(set(outlines)) == len(outlines)
    assert all(
        SHAPES[kind] == SHAPES[full]
        for kind, full in (("ghost", "op"), ("seed", "back"), ("seed2", "back2"), ("seed3", "back3"))
    )


def test_no_two_kinds_of_edge_look_alike_without_colour() -> None:
    """In the graph, where something flows, and in the legend: dashes, head and the end that it is at, third orders too."""
    flows, arrows = set(), set()
    for kind in CELLS:
        paint = looks.resolve(f"flow {kind}", (), "light", "")
        end = "start" if "marker-start" in paint else "end"
        assert kind in paint[f"marker-{end}"]
        flows.add((paint.get("stroke-dasharray"), HEADS[kind.rstrip("23")], end))
        line, tip = _arrow(kind).kids
        arrows.add(
            (looks.resolve(f"dash {kind}", (), "light", "").get("stroke-dasharray"), line.attrs["d"], tip.attrs["d"])
        )
    assert len(flows) == len(arrows) == len(CELLS) == 7


def test_a_third_order_is_drawn_as_one() -> None:
    with viz.record() as run:
        x = tf.Variable(2.0)
        with tf.GradientTape() as outer, tf.GradientTape() as middle:
            with tf.GradientTape() as inner:
                y = x * x * x
            first = inner.gradient(y, x)
            second = middle.gradient(first, x)
        outer.gradient(second, x)
    marks = {mark for step in run.scene.steps for _, mark in step.get("marks", [])}
    assert {"back", "back2", "back3", "seed3"} <= marks
    assert {cell["kind"] for cell in run.scene.values[0]["cells"]} == {"value", "gradient", "gradient2", "gradient3"}
    page = run.scene.to_json()
    assert viz.Scene.from_json(page).to_json() == page
    assert {"back2", "back3"} <= {way for step in run.scene.steps for _, way in step.get("flow", [])}


@pytest.mark.parametrize("theme", THEMES)
def test_holders_lie_apart_in_grey_or_are_hatched(theme: str) -> None:
    """Neighbours in the memory stack differ in lightness, or one of them carries the hatch (bytes in flight)."""
    order = ["m-variable", "m-python", "m-tape", "m-accumulator", "m-flight"]
    light = {role: lab(linear(PALETTE[theme][role]))[0] for role in order}
    for below, above in zip(order, order[1:], strict=False):
        assert abs(light[below] - light[above]) >= 3 or above == "m-flight", (below, above, light)
