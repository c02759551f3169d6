"""The palette: text can be read on its ground, and roles stay apart for eyes that see colours otherwise."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any

import numpy as np
import pytest

import minitape as tf
import viz
from viz.paint import looks
from viz.paint.legend import _arrow, legend
from viz.paint.svg import HEADS
from viz.scene import DERIVED, ORDERS, of_order, without_order
from viz.style import CELLS, DASHES, LINE_MARKS, MARKS, NTH, PALETTE, SHAPES

THEMES = list(PALETTE)
TEXT = (
    "ink",
    "mute",
    "value",
    *DERIVED,
    "replay",
    "tape",
)
GROUNDS = ("bg", "soft", "tint", "gradient-tint", "tangent-tint", *(f"{nth}-tint" for nth in NTH[1:]), "replay-tint")
LINES = (
    "value", "gradient", "gradient2", "tangent", "replay", "mute", "m-python", "m-tape", "m-accumulator", "m-flight",
)  # fmt: skip

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
    seeds = [of_order("seed", order) for order in range(1, ORDERS + 1)]
    hollow = {"ghost", *seeds}  # the outline of op, back, back2 …, but empty
    outlines = [SHAPES[kind] for kind in MARKS if kind not in hollow]
    assert len(set(outlines)) == len(outlines)
    assert all(
        SHAPES[kind] == SHAPES[full] for kind, full in (("ghost", "op"), *((one, f"back{one[4:]}") for one in seeds))
    )


def test_no_two_kinds_of_edge_look_alike_without_colour() -> None:
    """In the graph, where something flows, and in the legend: dashes, head and the end that it is at, of every order."""
    flows, arrows = set(), set()
    for kind in CELLS:
        paint = looks.resolve(f"flow {kind}", (), "light", "")
        end = "start" if "marker-start" in paint else "end"
        assert kind in paint[f"marker-{end}"]
        flows.add((paint.get("stroke-dasharray"), HEADS[without_order(kind)], end))
        line, tip = _arrow(kind).kids
        arrows.add(
            (looks.resolve(f"dash {kind}", (), "light", "").get("stroke-dasharray"), line.attrs["d"], tip.attrs["d"])
        )
    assert len(flows) == len(arrows) == len(CELLS) == 1 + 2 * ORDERS
    assert {*CELLS} == {"value", *DERIVED}


@pytest.mark.parametrize("base", ["gradient", "tangent"])
def test_a_line_has_a_dot_more_for_each_order_and_the_legend_room_for_all(base: str) -> None:
    for order in range(2, ORDERS + 1):
        kind = of_order(base, order)
        dashes = [float(one) for one in looks.resolve(f"flow {kind}", (), "light", "")["stroke-dasharray"].split()]
        assert len([one for one in dashes[::2] if one == 2]) == order - 1 and dashes[0] > 6
        assert looks.resolve(f"dash {kind}", (), "light", "")["stroke-dasharray"].split() == [
            *map("{:g}".format, dashes)
        ]
        (x, end), tip = (
            [float(one) for one in re.findall(r"[\d.]+", part.attrs["d"])][::2] for part in _arrow(kind).kids
        )
        seen = end - x if base == "gradient" else min(end, *tip) - x
        assert seen >= sum(dashes[:-1])


def slope(x: tf.Variable, order: int) -> Any:
    """A derivative of so high an order, by a tape in a tape for each."""
    if order == 0:
        return x**7.0
    with tf.GradientTape() as tape:
        y = slope(x, order - 1)
    return tape.gradient(y, x)


@pytest.mark.parametrize("order", [3, ORDERS])
def test_a_high_order_is_drawn_as_one(order: int) -> None:
    x = tf.Variable(2.0, name="x")
    with viz.record() as run:
        slope(x, order)
    orders = range(1, order + 1)
    marks = {mark for step in run.scene.steps for _, mark in step.get("marks", [])}
    assert {of_order(base, one) for base in ("seed", "back") for one in orders} <= marks
    assert {cell["kind"] for cell in run.scene.values[0]["cells"]} == {
        "value",
        *(of_order("gradient", n) for n in orders),
    }
    page = run.scene.to_json()
    assert viz.Scene.from_json(page).to_json() == page
    flows = {way for step in run.scene.steps for _, way in step.get("flow", [])}
    assert {of_order("back", one) for one in orders} <= flows
    told = {item.said for item in legend(run.scene, ("graph", "lanes"))}
    assert {CELLS[of_order("gradient", one)] for one in orders} | {
        MARKS[of_order("back", one)][0] for one in orders
    } <= told


@pytest.mark.parametrize("theme", THEMES)
def test_holders_lie_apart_in_grey_or_are_hatched(theme: str) -> None:
    """Neighbours in the memory stack differ in lightness, or one of them carries the hatch (bytes in flight)."""
    order = ["m-variable", "m-python", "m-tape", "m-accumulator", "m-flight"]
    light = {role: lab(linear(PALETTE[theme][role]))[0] for role in order}
    for below, above in zip(order, order[1:], strict=False):
        assert abs(light[below] - light[above]) >= 3 or above == "m-flight", (below, above, light)
