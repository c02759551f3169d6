"""Long lines of cards, broken into rows: larger in the room of a page, and still the same graph."""

from __future__ import annotations

from typing import Any

import pytest

from tests.viz.programs import run
from tests.viz.test_layout import scene_of, value
from viz.layout.curve import parsed
from viz.layout.graphviz import place
from viz.layout.read import overlap
from viz.layout.wrap import ROOM
from viz.scene import Scene


def rows_of(block: dict[str, Any]) -> list[list[str]]:
    """The cards that stand beside each other, row by row from the top."""
    rows: list[list[str]] = []
    for key, (_, y, _, _height) in sorted(block["nodes"].items(), key=lambda one: one[1][1] + one[1][3] / 2):
        if rows and y < sum(block["nodes"][rows[-1][0]][1::2]):
            rows[-1].append(key)
        else:
            rows.append([key])
    return rows


def chain(length: int) -> Scene:
    names = [f"v{at}" for at in range(length)]
    return scene_of([value(one, op="sin") for one in names], list(zip(names, names[1:], strict=False)))


def placed(scene: Scene) -> dict[str, Any]:
    layout = place(scene)
    if layout is None:
        pytest.skip("no Graphviz here")
    return layout


def test_a_short_line_stays_one() -> None:
    assert len(rows_of(placed(chain(4))["LR"])) == 1


@pytest.mark.parametrize("length", [12, 24])
def test_a_long_line_is_read_like_text(length: int) -> None:
    """Row after row, each from left to right; an edge leads from a row's end to the next one's beginning, around them."""
    block = placed(chain(length))["LR"]
    rows = rows_of(block)
    assert len(rows) > 1
    read = [key for row in rows for key in sorted(row, key=lambda one: block["nodes"][one][0])]
    assert read == [f"v{at}" for at in range(length)]
    assert block["w"] < ROOM[0] * len(read) / 8, "a line of so many would be wider than the page"
    for row, under in zip(rows, rows[1:], strict=False):
        last = max(int(one[1:]) for one in row)
        line = parsed(block["edges"][f"edge {last}"])
        assert max(x for x, _ in line) > max(sum(block["nodes"][one][::2]) for one in row)
        assert min(x for x, _ in line) < min(block["nodes"][one][0] for one in under)
        assert line[-1][1] > line[0][1]


@pytest.mark.parametrize("name", ["recompute", "nested_regions", "schedule"])
def test_regions_keep_what_is_theirs(name: str) -> None:
    """A region's ground holds its own cards and no other's, also where it goes on in the next row."""
    scene = run(name).scene
    block = placed(scene)["LR"]
    assert len(rows_of(block)) > 1
    assert block["w"] < 1.2 * ROOM[0] and block["h"] < ROOM[1]
    parents = {region["id"]: region.get("parent", "") for region in scene.regions}
    for one in scene.values:
        around, at = set(), one.get("region", "")
        while at:
            around.add(at)
            at = parents.get(at, "")
        for key, (x, y, w, h, *_) in block["regions"].items():
            assert overlap(block["nodes"][one["id"]], [x, y, w, h]) == (key in around), (one["name"], key)
