"""Positions: nothing overlaps, regions nest, and no name can break them."""

from __future__ import annotations

import itertools
import json
import math
import os
import shlex
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import minitape as tf
import viz
from tests.viz import programs
from tests.viz.test_layers_fold import recorded
from viz.layout import MOST, LayoutError, place, simplex
from viz.layout import engine as engines
from viz.layout.curve import meets, parsed, sampled
from viz.layout.dotfile import Plan
from viz.layout.graphviz import FAR, effort
from viz.layout.layers import Layers, cost, ordered
from viz.layout.simplex import solve
from viz.layout.sizes import (
    LABEL_LINE,
    card,
    card_rows,
    columns,
    disc,
    face,
    grid,
    label_lines,
    label_width,
    region_texts,
    short,
)
from viz.scene import Scene
from viz.style import CHAR, DISC, PAD, ROW
from viz.tell.scenes import scene_of as scene_of_run


def value(key: str, name: str = "", region: str = "", op: str = "", texts: tuple[str, ...] = ("1",)) -> dict[str, Any]:
    states = [{"t": at, "text": text} for at, text in enumerate(texts)]
    made = {"op": op, "sign": op} if op else {}
    home = {"region": region} if region else {}
    cells = [
        {"id": "v", "label": name or key, "kind": "value", "states": states},
        {"id": "g", "label": f"∂y/∂{name or key}", "kind": "gradient", "states": []},
    ]
    return {"id": key, "name": name or key, "kind": "value", "born": 0, "cells": cells, **made, **home}


def scene_of(
    values: list[dict[str, Any]], edges: list[tuple[str, str]], regions: list[dict[str, Any]] | None = None
) -> Scene:
    slots: dict[str, int] = {}
    made = []
    for at, (a, b) in enumerate(edges):
        made.append({"id": f"edge {at}", "a": a, "b": b, "slot": slots.setdefault(b, 0), "carried": [], "kept": []})
        slots[b] += 1
    return Scene(title="test", values=values, edges=made, regions=regions or [])


def square() -> Scene:
    tape = {"id": "tape", "label": "tape", "kind": "tape", "states": []}
    return scene_of([value("x", region="tape"), value("y", region="tape", op="×")], [("x", "y"), ("x", "y")], [tape])


def nested() -> Scene:
    """A tape in a tape, and its backward pass."""
    regions = [
        {"id": "outer", "label": "outer tape", "kind": "tape", "states": []},
        {"id": "inner", "label": "inner tape", "kind": "tape", "parent": "outer", "states": []},
        {"id": "back", "label": "backward pass", "kind": "gradient", "parent": "outer", "states": []},
    ]
    values = [value(key, region="inner", op="×" if key != "x" else "") for key in "xay"]
    values += [value(key, region="back", op="×" if key != "p" else "") for key in "pqr"]
    edges = [("x", "a"), ("x", "a"), ("a", "y"), ("x", "y"), ("p", "q"), ("x", "q"), ("p", "r"), ("a", "r")]
    return scene_of(values, edges, regions)


def overlaps(a: list[float], b: list[float]) -> bool:
    return a[0] < b[0] + b[2] and b[0] < a[0] + a[2] and a[1] < b[1] + b[3] and b[1] < a[1] + a[3]


def inside(a: list[float], b: list[float], slack: float = 0.2) -> bool:
    low = a[0] >= b[0] - slack and a[1] >= b[1] - slack
    return low and a[0] + a[2] <= b[0] + b[2] + slack and a[1] + a[3] <= b[1] + b[3] + slack


def placed(scene: Scene, engine: str = "pygraphviz") -> dict[str, Any]:
    if engine == "pygraphviz":
        pytest.importorskip("pygraphviz")
    layout = place(scene, engine)
    assert layout is not None
    return layout


both = pytest.mark.parametrize("engine", ["pygraphviz", "layered"])


@pytest.mark.parametrize("shape", [[], [4], [3, 2], [1, 6], [8, 3], [8, 8]], ids=str)
def test_no_card_is_taller_or_wider_than_a_low_narrow_window(shape: list[int]) -> None:
    """A weight of eight rows with three gradients was higher than the picture's box, and one row of six numbers wider."""
    data = {"data": {"shape": shape, "numbers": np.full(shape, -0.1234).tolist()}} if shape else {}
    for count in range(1, 30):
        cells = [
            {
                "id": f"g{at}" if at else "v",
                "label": "∂loss₂/∂w",
                "kind": "gradient",
                "states": [{"t": at, "text": "1", **data}],
            }
            for at in range(count)
        ]
        told = {"id": "w", "name": "w", "kind": "variable", "born": 0, "cells": cells}
        wide, high = card(told)
        assert high <= 180 and wide <= 330, count
        assert len(card_rows(told)) == count and sum(card_rows(told)) + 6 == high
        assert card_rows({**told, "cells": cells[:1]})[0] == card_rows(told)[0] or count > 3, "its own array goes last"


NAMES = st.text(max_size=12) | st.sampled_from(
    ['"', "\\", "<b>", "a\nb", "\0", "权重", "🙂🙂", "]]>", "%s", "\\N", "cluster"]
)


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    regions: list[dict[str, Any]] = []
    for at in range(draw(st.integers(0, 4))):
        parent = draw(st.sampled_from(["", *[one["id"] for one in regions]]))
        inner = {"parent": parent} if parent else {}
        regions.append({"id": f"r{at}", "label": draw(NAMES), "kind": "tape", "states": [], **inner})
    homes = st.sampled_from(["", *[one["id"] for one in regions]])
    count = draw(st.integers(1, 14))
    ops = st.sampled_from(["×", "+", "matmul", "reduce_mean"])
    values, edges = [], []
    for at in range(count):
        uses = draw(st.lists(st.integers(0, at - 1), max_size=4)) if at else []
        edges += [(f"v{use}", f"v{at}") for use in uses]
        text = draw(st.text(max_size=8))
        values.append(value(f"v{at}", draw(NAMES), draw(homes), draw(ops) if uses else "", (text,)))
    return scene_of(values, edges, regions)


@both
@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(scenes())
def test_cards_never_overlap_regions_nest_and_edges_go_forward(engine: str, scene: Scene) -> None:
    layout = placed(scene, engine)
    for direction in ("LR", "TB"):
        block = layout[direction]
        nodes, regions = block["nodes"], block["regions"]
        assert list(nodes) == [one["id"] for one in scene.values]
        assert list(block["edges"]) == [one["id"] for one in scene.edges]
        for one, other in itertools.combinations(nodes, 2):
            assert not overlaps(nodes[one], nodes[other]), (direction, one, other)
        for one in scene.values:
            if one.get("region"):
                assert inside(nodes[one["id"]], regions[one["region"]]), (direction, one["id"])
        for region in scene.regions:
            if region["id"] in regions and region.get("parent") in regions:
                assert inside(regions[region["id"]], regions[region["parent"]]), (direction, region["id"])
        for box in [*nodes.values(), *[one[:4] for one in regions.values()]]:
            assert inside(box, [0, 0, block["w"], block["h"]]), direction
    edges_go_forward_from_the_card_to_the_disc_in_slot_order(scene, layout)


def edges_go_forward_from_the_card_to_the_disc_in_slot_order(scene: Scene, layout: dict[str, Any]) -> None:
    values = {one["id"]: one for one in scene.values}
    for direction, axis in (("LR", 0), ("TB", 1)):
        block = layout[direction]
        ends: dict[str, list[float]] = {}
        for edge in scene.edges:
            line = parsed(block["edges"][edge["id"]])
            a, b = block["nodes"][edge["a"]], block["nodes"][edge["b"]]
            assert line[0][axis] == pytest.approx(a[axis] + a[axis + 2], abs=3), "leaves the card's far side"
            beneath = direction == "LR" and b[1] > a[1] + a[3]
            assert line[-1][axis] > line[0][axis] or beneath, "goes forward, or on to the next row"
            middle = disc(values[edge["b"]], b, direction)
            assert line[-1][axis] <= float(middle[axis]), "arrives on the near side of the disc"
            ends.setdefault(edge["b"], []).append(line[-1][1 - axis])
        for places in ends.values():
            assert places == sorted(set(places)), "one point per slot, in slot order"


def struck(scene: Scene, engine: str) -> list[str]:
    """The words of regions that are not all there, stand outside of their region, or have an edge running through them."""
    layout, written = placed(scene, engine), {region["id"]: region for region in scene.regions}
    faults = []
    for direction in ("LR", "TB"):
        block = layout[direction]
        for key, (x, y, w, h, left, base, room, lines) in block["regions"].items():
            told = [label_lines(written[key]["label"], text, room) for text in region_texts(scene, written[key])]
            box = [left, base - 9, min(room, label_width(scene, written[key])), 11 + LABEL_LINE * (lines - 1)]
            whole = max([1, *map(len, told)]) <= lines and inside([box[0], box[1], box[2], box[3]], [x, y, w, h])
            through = [edge for edge, d in block["edges"].items() if meets(parsed(d), box)]
            if through or not whole:
                faults.append(f"{direction}: {written[key]['label']}: {through}")
    return faults


@both
@pytest.mark.parametrize("name", programs.NAMES)
def test_no_edge_runs_through_the_words_of_a_region(engine: str, name: str) -> None:
    """They stand beside what leads into the region, if need be in several lines."""
    assert struck(programs.kept(name).scene, engine) == []


@pytest.mark.filterwarnings("ignore")
def test_nor_where_many_edges_lead_into_a_narrow_region() -> None:
    """Every weight leads into the backward passes of MAML: words are set a little narrower there, and where that does not do,
    edges are led around them."""
    assert struck(scene_of_run(recorded("maml"), placed=False), "auto") == []


@both
def test_the_same_scene_is_placed_the_same_way_twice(engine: str) -> None:
    assert json.dumps(placed(square(), engine)) == json.dumps(placed(square(), engine))


def test_our_own_engine_gives_the_same_positions_in_another_process() -> None:
    program = (
        "import json\nfrom tests.viz.test_layout import nested, place\nprint(json.dumps(place(nested(), 'layered')))"
    )
    root = Path(__file__).parents[2]
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, cwd=root, env=environment, check=True
        )
        assert json.loads(done.stdout) == place(nested(), "layered")


def test_values_in_a_circle_are_not_placed() -> None:
    scene = scene_of([value("a"), value("b", op="+"), value("c", op="+")], [("a", "b"), ("b", "c"), ("c", "b")])
    with pytest.raises(LayoutError, match="circle"):
        place(scene, "layered")


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_the_network_simplex_finds_the_least_sum(data: st.DataObject) -> None:
    """Against every assignment of small numbers: on these programs there is always a best one below the longest way."""
    count = data.draw(st.integers(1, 4))
    pairs = [(a, b) for b in range(count) for a in range(b)]
    distances = [
        (a, b, data.draw(st.integers(0, 2)), data.draw(st.integers(0, 3)))
        for a, b in data.draw(st.lists(st.sampled_from(pairs), max_size=6) if pairs else st.just([]))
    ]
    x = solve(count, distances)
    assert all(x[b] - x[a] >= least for a, b, least, _ in distances)

    def total(numbers: Any) -> int:
        return sum(cost * (numbers[b] - numbers[a]) for a, b, _, cost in distances)

    def held(numbers: Any) -> bool:
        return all(numbers[b] - numbers[a] >= least for a, b, least, _ in distances)

    assert total(x) == min(total(one) for one in itertools.product(range(7), repeat=count) if held(one))


def test_what_hangs_below_is_known_after_every_exchange(monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the way between two edges is worked out anew: the sums are those of a tree that is hung up afresh."""
    rng, exchange, seen = np.random.default_rng(3), simplex._Tree.exchange, []
    pairs = [sorted(rng.choice(40, 2, replace=False).tolist()) for _ in range(120)]
    distances = [(a, b, int(rng.integers(3)), int(rng.integers(5))) for a, b in pairs]

    def checked(tree: simplex._Tree, at: int, entering: int, inside: Any) -> None:
        supply = tree.below.copy()
        for node in range(tree.root):
            supply[tree.parent(node)] -= tree.below[node]
        exchange(tree, at, entering, inside)
        anew = simplex._Tree(tree.beside, tree.tails, tree.heads)
        anew.hang(supply)
        seen.append((anew.up.tolist(), anew.below.tolist()) == (tree.up.tolist(), tree.below.tolist()))

    monkeypatch.setattr(simplex._Tree, "exchange", checked)
    solve(40, distances)
    assert len(seen) > 5 and all(seen)


def test_what_an_order_costs_is_what_one_counts() -> None:
    """Crossings, edges that change sides of a region that they have no part in, values after a region beside them: one by one."""
    layers = ordered(Layers.of(Plan.of(programs.kept("forward_over_backward").scene)), after=2.0)
    rng = np.random.default_rng(5)
    for rank, row in enumerate(layers.ranks):
        layers.put(rank, [row[at] for at in rng.permutation(len(row))])
    total = 0.0
    for rank, row in enumerate(layers.ranks):
        place = {id(one): at for at, one in enumerate(row)}
        marks, parents, around = [one for one in row if one.of], layers.plan.parents, layers.plan.around
        total += 2.0 * sum(
            place[id(mark)] < place[id(one)] and parents.get(mark.of, "") == one.home
            for one in row
            for mark in marks
            if one.value
        )
        if rank == len(layers.ranks) - 1:
            continue
        next_ = {id(one): at for at, one in enumerate(layers.ranks[rank + 1])}
        ends = [(place[id(one.a)], next_[id(one.b)] + one.slot, one) for one in layers.between[rank]]
        total += sum(a < c and b > d for a, b, _ in ends for c, d, _ in ends)
        total += 0.05 * sum(abs(a / len(place) - b / len(next_)) for a, b, _ in ends)
        for mark in marks:
            for other in [one for one in layers.ranks[rank + 1] if one.of == mark.of]:
                total += 4.0 * sum(
                    (a < place[id(mark)]) != (next_[id(one.b)] < next_[id(other)])
                    for a, _, one in ends
                    if mark.of not in {*around.get(one.a.home, []), *around.get(one.b.home, [])}
                )
    assert cost(layers) == pytest.approx(total)


@both
def test_coordinates_have_one_digit_after_the_point(engine: str) -> None:
    block = placed(square(), engine)["LR"]
    numbers = [one for box in [*block["nodes"].values(), *block["regions"].values()] for one in box]
    assert all(round(one, 1) == one for one in [*numbers, block["w"], block["h"]])


@both
def test_the_box_holds_disc_and_card(engine: str) -> None:
    scene = square()
    layout = placed(scene, engine)
    w, h = card(scene.values[1])
    assert layout["rows"]["y"] == [ROW, ROW]
    assert h == sum(layout["rows"]["y"]) + 6
    assert layout["LR"]["nodes"]["y"][2:] == [w + DISC, h]
    assert layout["TB"]["nodes"]["y"][2:] == [w, h + DISC]
    assert layout["LR"]["nodes"]["x"][2:] == list(card(scene.values[0]))


@both
def test_both_uses_of_a_square_can_be_told_apart(engine: str) -> None:
    layout = placed(square(), engine)
    for direction, axis in (("LR", 1), ("TB", 0)):
        lines = [sampled(parsed(path)) for path in layout[direction]["edges"].values()]
        middles = [line[len(line) // 2][axis] for line in lines]
        assert middles[1] - middles[0] >= 18


@both
def test_arguments_meet_the_rim_of_their_disc(engine: str) -> None:
    scene = scene_of([value("x"), value("y", op="×"), value("z", op="+")], [("x", "y"), ("x", "y"), ("y", "z")])
    layout = placed(scene, engine)
    for direction in ("LR", "TB"):
        block = layout[direction]
        for edge in scene.edges:
            x, y, wide, _ = disc(scene.values["xyz".index(edge["b"])], block["nodes"][edge["b"]], direction)
            assert math.dist(parsed(block["edges"][edge["id"]])[-1], (x, y)) == pytest.approx(wide / 2, abs=0.2)


@both
def test_what_a_tape_answered_stands_behind_what_it_was_asked_for(engine: str) -> None:
    """No edge leads to a gradient that nobody wrote down; the updates of a training loop stand after their loss all the same."""
    with viz.record("three steps") as run:
        w, x = tf.Variable([0.5, 2.0]), tf.constant([1.0, 3.0])
        for _ in range(3):
            with tf.GradientTape() as tape:
                loss = tf.reduce_sum(w * x) ** 2
            slope = tape.gradient(loss, w)
            w.assign_sub(0.1 * slope)
    scene = run.scene
    layout = placed(scene, engine)
    named = {each["name"]: each["id"] for each in scene.values}
    for direction, axis in (("LR", 0), ("TB", 1)):
        nodes, edges = layout[direction]["nodes"], layout[direction]["edges"]
        for count in ("", "₂", "₃"):
            asked, answer = nodes[named[f"loss{count}"]], nodes[named[f"slope{count}"]]
            assert answer[axis] >= asked[axis] + asked[axis + 2]
        assert set(edges) == {edge["id"] for edge in scene.edges}  # and no line says that an op led there


@both
def test_forward_comes_before_the_backward_pass(engine: str) -> None:
    layout = placed(nested(), engine)
    assert layout["LR"]["regions"]["inner"][1] < layout["LR"]["regions"]["back"][1]
    assert layout["TB"]["regions"]["inner"][0] < layout["TB"]["regions"]["back"][0]


def test_an_array_gets_room_for_its_picture() -> None:
    small = {"t": 0, "text": "", "data": {"shape": [3, 4], "numbers": [[1, 2, 3, 4]] * 3}}
    one = value("w")
    one["cells"][0]["states"] = [small]
    assert grid(small) == [[1, 2, 3, 4]] * 3
    assert card_rows(one) == [36, ROW]
    assert card(one)[0] >= CHAR + 4 * 9 + 2 * PAD
    assert grid({"text": "", "data": {"shape": [9], "numbers": [1] * 9}}) is None
    assert face({"text": "", "data": {"shape": [9], "numbers": [1, 2, 3, 4, 5, 6, 7, 8, -9]}}) == "−9…8"


def test_a_card_is_as_wide_as_the_widest_text_it_ever_shows() -> None:
    assert card(value("x", texts=("1", "123.456", "2")))[0] > card(value("x", texts=("1", "2")))[0]
    assert [columns(text) for text in ("权重", "e\u0301", "🙂")] == [4, 1, 2]
    assert columns(short("权重矩阵", 5)) <= 5


def test_too_many_values_are_not_placed() -> None:
    assert place(scene_of([value(f"v{at}") for at in range(MOST + 1)], [])) is None
    assert place(Scene()) is None


def test_a_graph_that_would_keep_graphviz_busy_is_not_sent() -> None:
    many = 110
    values = [value(f"a{at}") for at in range(many)] + [value(f"g{at}") for at in range(many)]
    edges = [(f"{kind}{at}", f"{kind}{at + 1}") for kind in "ag" for at in range(many - 1)]
    edges += [(f"a{many - 1 - at}", f"g{at}") for at in range(many)]
    scene = scene_of(values, edges)
    assert effort(Plan.of(scene)) > FAR
    assert place(scene) is None


@both
def test_an_edge_without_its_ends_is_left_out(engine: str) -> None:
    scene = square()
    scene.edges.append({"id": "lost", "a": "x", "b": "nowhere", "slot": 0})
    assert "lost" not in placed(scene, engine)["LR"]["edges"]


def test_nothing_reaches_the_learners_stderr() -> None:
    pytest.importorskip("pygraphviz")
    program = (
        "from tests.viz.test_layout import square\nfrom viz.layout import place, LayoutError, engine\nplace(square())\n"
        "try: engine.drawn('pygraphviz', 'digraph { a [label=<<b>] }')\nexcept LayoutError as fault: print(fault)\n"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=root, check=True)
    assert done.stderr == ""
    assert "could not place" in done.stdout


def test_the_first_drawing_of_a_process_is_like_the_second() -> None:
    pytest.importorskip("pygraphviz")
    program = "import json\nfrom tests.viz.test_layout import square\nfrom viz.layout import place\n" + (
        "a, b = place(square()), place(square())\nassert a == b, (a, b)\nprint(a['LR']['w'] > 100)"
    )
    root = Path(__file__).parents[2]
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=root, check=True)
    assert done.stdout == "True\n"


def test_an_engine_asked_for_by_name_says_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(LayoutError, match="install Graphviz"):
        place(square(), "dot")
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    with pytest.raises(LayoutError, match="pip install"):
        place(square(), "pygraphviz")
    layout = place(square())
    assert layout is not None
    assert layout["engine"] == "layered"
    with pytest.raises(ValueError, match="neato"):
        place(square(), "neato")


@pytest.mark.skipif(os.name == "nt", reason="the stand-in is a script with a shebang")
def test_dot_on_path_stands_in_for_pygraphviz(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pygraphviz")
    stand_in, program = tmp_path / "dot", tmp_path / "program.py"
    program.write_text(
        "import sys, pygraphviz\nassert sys.argv[1:] == ['-Tjson']\n"
        "graph = pygraphviz.AGraph(string=sys.stdin.read())\nsys.stdout.buffer.write(graph.draw(format='json', prog='dot'))\n"
    )
    # A path with a space in it cannot stand behind #!, where an environment may well lie.
    stand_in.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {shlex.quote(str(program))} "$@"\n')
    stand_in.chmod(stand_in.stat().st_mode | stat.S_IEXEC)
    inside_process = placed(square())
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "pygraphviz", None)
    layout = place(square())
    assert layout is not None
    assert layout["engine"] == "dot"
    assert layout["LR"] == inside_process["LR"]

    stand_in.write_text("#!/bin/sh\n/bin/sleep 5\n")
    monkeypatch.setattr(engines, "PATIENCE", 0.2)
    with pytest.raises(LayoutError, match="longer"):
        place(square(), "dot")
    layout = place(square())
    assert layout is not None
    assert layout["engine"] == "layered", "our own stands in for an engine that fails"
