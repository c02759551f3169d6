"""Static pictures: whole without a browser, a function of scene and step alone, and safe to put into any page."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minitape as tf
import viz
from tests.viz.scenes import cut, squared, weights
from viz.layout import place
from viz.layout.lines import wrap
from viz.paint import panels, state
from viz.paint.blocks import MOST_LINES, excerpt
from viz.paint.graph import graph
from viz.paint.ink import Ink, clean, columns_wrapped, tag
from viz.paint.still import Still
from viz.paint.svg import PARTS, picture, strip
from viz.scene import Scene
from viz.style import PALETTE

pytest.importorskip("pygraphviz")

NS = "{http://www.w3.org/2000/svg}"


def placed(scene: Scene) -> Scene:
    scene.layout = place(scene)
    assert scene.layout is not None
    return scene


def words(svg: str) -> list[str]:
    return ["".join(one.itertext()) for one in ET.fromstring(svg).iter(f"{NS}text")]


def test_a_picture_is_one_self_contained_document() -> None:
    svg = picture(placed(squared()))
    root = ET.fromstring(svg)
    assert root.tag == f"{NS}svg"
    assert not re.search(r"<script|<style|<foreignObject|<image|\bon\w+=|href", svg)
    assert re.findall(r"https?://[^\"]+", svg) == ["http://www.w3.org/2000/svg"]
    assert set(re.findall(r"url\(([^)]*)\)", svg)) <= {f"#{one.get('id')}" for one in root.iter() if one.get("id")}


def test_a_picture_without_a_theme_is_light_and_repaints_itself_in_the_dark() -> None:
    """The rules turn each light colour that is drawn into the dark one of the same role, inside of this picture alone."""
    scene = placed(squared())
    plain, following = picture(scene, theme="light"), picture(scene, theme="")
    light, dark = PALETTE["light"], PALETTE["dark"]
    root = ET.fromstring(following)
    (sheet,) = root.iter(f"{NS}style")
    media, rules = (sheet.text or "").split("{", 1)
    assert media == "@media screen and (prefers-color-scheme:dark)"
    told = re.findall(r'#(\w+) \[([\w-]+)="([^"]+)"\]\{\2:([^}]+)\}', rules)
    assert {prefix for prefix, *_ in told} == {root.get("id")}
    drawn = set(re.findall(r'(?:fill|stroke)="(#\w{6})"', following))
    turned = {old: new for _, what, old, new in told if not what.endswith("opacity")}
    assert set(turned) == drawn
    assert all(turned[light[role]] == dark[role] for role in light if light[role] in drawn)
    assert "<style" not in plain
    body = re.sub(r"<style>.*?</style>", "", following).replace(str(root.get("id")), "")
    assert body == plain.replace(str(ET.fromstring(plain).get("id")), ""), "on paper they are the same"


def test_a_picture_says_in_words_what_it_shows() -> None:
    root = ET.fromstring(picture(placed(squared()), 7))
    said = {one.get("id"): one.text or "" for one in root if one.tag in (f"{NS}title", f"{NS}desc")}
    assert root.get("role") == "img"
    assert (root.get("aria-labelledby") or "").split() == list(said)
    title, desc = said.values()
    assert title == "A square: step 7 of 8"
    for part in ("3 more through the second use: 6", "x 3, ∂y/∂x 6", "y 9, ∂y/∂y 1", "Memory: 16 B"):
        assert part in desc


def test_pictures_on_one_page_have_ids_of_their_own() -> None:
    scene = placed(squared())
    svgs = [picture(scene, 3), picture(scene, 4), picture(scene, 4, theme="dark"), strip(scene, [1, 2])]
    svgs += [picture(scene, 4, width=640), picture(scene, 4, parts=("graph",)), strip(scene, [1, 3])]
    ids = [one for svg in svgs for one in re.findall(r'id="([^"]*)"', svg)]
    assert len(ids) == len(set(ids)) >= 3 * len(svgs)


def test_a_picture_is_a_function_of_scene_and_step() -> None:
    scene = placed(squared())
    before = scene.to_json()
    first = [picture(scene, at) for at in range(9)]
    assert [picture(scene, at) for at in reversed(range(9))][::-1] == first
    assert len(set(first)) == 9
    assert picture(scene) == first[8] == picture(scene, -1)
    assert picture(Scene.from_json(before), 5) == first[5]
    assert scene.to_json() == before


@pytest.mark.parametrize(
    ("step", "shown", "hidden"),
    [(0, [], ["9", "x = 3"]), (3, ["9", "y = 9", "x = 3"], ["6"]), (6, ["9"], ["6"]), (7, ["6", "9"], [])],
)
def test_numbers_appear_at_their_step(step: int, shown: list[str], hidden: list[str]) -> None:
    said = words(picture(placed(squared()), step, parts=("code", "graph")))
    assert [one for one in shown if one not in said] == []
    assert [one for one in hidden if one in said] == []


def test_pins_are_full_while_kept_and_hollow_when_let_go() -> None:
    tape, paper = PALETTE["light"]["tape"], PALETTE["light"]["bg"]

    def pins(step: int) -> list[str | None]:
        root = ET.fromstring(picture(placed(squared()), step, parts=("graph",)))
        graph = next(one for one in root.iter(f"{NS}g") if "scale" in (one.get("transform") or ""))
        diamonds = [one for one in graph.iter(f"{NS}path") if re.search(r"l5 5l-5 5l-5-5Z$", one.get("d") or "")]
        return [one.get("fill") for one in diamonds]

    assert pins(2) == []
    assert pins(3) == pins(7) == [tape, tape]
    assert pins(8) == [paper, paper]


def test_the_backward_pass_is_dashed_and_the_number_stays_on_the_edge() -> None:
    scene, gradient = placed(squared()), PALETTE["light"]["gradient"]

    def flows(step: int) -> list[ET.Element]:
        root = ET.fromstring(picture(scene, step, parts=("graph",)))
        thick = [one for one in root.iter(f"{NS}path") if one.get("stroke-width") == "2.6"]
        return [one for one in thick if "C" in (one.get("d") or "")]

    assert [one.get("stroke") for one in flows(3)] == [PALETTE["light"]["value"]] * 2
    (back,) = flows(6)
    assert back.get("stroke") == gradient
    assert back.get("stroke-dasharray") == "7 3"
    before, after = (words(picture(scene, step, parts=("graph",))).count("3") for step in (5, 8))
    assert after - before == 2, "both shares stay"


def test_a_ghost_is_dashed_and_tells_why_and_none_has_its_reason() -> None:
    said = words(picture(placed(cut()), 8))
    assert "the tape had stopped" in said
    assert "✂ None" in said
    assert "✂ None: loss came after the tape had stopped" in " ".join(said)
    assert "✂" in words(picture(placed(cut()), 8, parts=("graph",))), "the edge itself is cut"


def test_small_arrays_are_numbers_row_by_row() -> None:
    said = words(picture(placed(weights()), parts=("graph",)))
    assert {"[\xa0\xa01, −2, \xa0\xa00]", "[0.5, \xa04, nan]"} <= set(said)
    assert "2×3" not in said, "the rows say it"


def test_arrays_are_squares_and_ranges() -> None:
    scene = weights()
    rows = [[1, -2, 0, 3], [0.5, 4, "nan", 1]]
    scene.values[0]["cells"][0]["states"][0]["data"] = {"shape": [2, 4], "numbers": rows}
    svg = picture(placed(scene), parts=("graph",))
    blue = PALETTE["light"]["value"]

    def squares(paint: str) -> int:
        """How many squares there are in the outlines of this paint, but for the one in the legend."""
        return sum(d.count("Z") for d in re.findall(rf'<path [^>]*{paint} d="([^"]*)"', svg)) - 1

    assert squares(f'fill="{blue}" stroke="{blue}" stroke-width=".6"') == 5, "1, 3, 0.5, 4, 1"
    assert squares(f'fill="none" stroke="{blue}" stroke-width="1.2"') == 1, "−2"
    assert "−1.5…2.25" in words(svg)
    assert "2×4" in words(svg)


def test_without_positions_values_stand_in_a_list_and_it_says_so() -> None:
    said = words(picture(squared(), 7))
    assert any("No graph" in one for one in said)
    assert {"9", "3", "∂y/∂x 6"} <= set(said)
    assert "kept for the backward pass" not in said


def test_parts_and_theme_are_chosen_and_checked() -> None:
    scene = placed(squared())
    assert "spent\u2002tape" in words(picture(scene, parts=("lanes",)))
    assert "memory, peak 24 B" in words(picture(scene, parts=("memory",)))
    assert "memory, peak 24 B" not in " ".join(words(picture(scene, parts=("say", "code", "graph", "lanes"))))
    assert PALETTE["dark"]["bg"] in picture(scene, theme="dark")
    assert PALETTE["light"]["bg"] not in picture(scene, theme="dark")
    with pytest.raises(ValueError, match="theme"):
        picture(scene, theme="sepia")
    with pytest.raises(ValueError, match="parts"):
        picture(scene, parts=("graph", "sound"))
    with pytest.raises(IndexError, match="0 to 8"):
        picture(scene, 9)
    with pytest.raises(IndexError, match="no steps"):
        picture(Scene())


def test_the_legend_shows_what_is_used_and_nothing_else() -> None:
    said = words(picture(placed(squared())))
    used = {
        "op, written down",
        "backward step",
        "kept for the backward pass",
        "square corners: a variable",
        "value, forward",
    }
    assert used <= set(said)
    assert not {"tangent", "op, not written down", "None: the way is cut", "look-up"} & set(said)


def test_the_legend_tells_of_a_result_that_is_kept_where_nothing_else_is() -> None:
    with viz.record() as run, tf.GradientTape() as tape:
        x = tf.Variable(1.0)
        y = tf.exp(x)
    assert tape.gradient(y, x) is not None
    drawn = picture(run.scene)
    assert "pin kept" in drawn and {"kept for the backward pass", "let go"} <= set(words(drawn))


@pytest.mark.parametrize("width", [320, 500, 740, 1000, 1600])
@pytest.mark.parametrize("scene", [squared, cut, weights])
def test_nothing_leaves_the_page(width: int, scene: Any) -> None:
    root = ET.fromstring(picture(placed(scene()), width=width))
    assert root.get("width") == str(width)
    assert 150 < float(root.get("height") or 0) < 3000
    for x, y in positions(root):
        assert -1 <= x <= width + 1
        assert -1 <= y <= float(root.get("height") or 0)


def positions(root: ET.Element) -> list[tuple[float, float]]:
    """Where every text and rectangle begins, through all transforms."""
    out = []

    def walk(one: ET.Element, dx: float, dy: float, scale: float) -> None:
        for name, numbers in re.findall(r"(\w+)\(([^)]*)\)", one.get("transform") or ""):
            parts = [float(part) for part in numbers.split()]
            if name == "translate":
                dx, dy = dx + scale * parts[0], dy + scale * parts[1]
            elif name == "scale":
                scale *= parts[0]
        if one.tag in (f"{NS}text", f"{NS}rect") and one.get("x"):
            out.append((dx + scale * float(one.get("x", 0)), dy + scale * float(one.get("y", 0))))
        for child in one:
            if child.tag != f"{NS}defs":
                walk(child, dx, dy, scale)

    walk(root, 0, 0, 1)
    return out


def test_a_strip_has_a_frame_per_step() -> None:
    scene = placed(squared())
    said = words(strip(scene))
    assert [str(at) for at in range(9) if str(at) not in said] == []
    assert all(any(one["say"].split()[0] in text for text in said) for one in scene.steps)
    assert len(words(strip(scene, [6, 7]))) < len(said) / 2
    with pytest.raises(IndexError):
        strip(scene, [9])
    with pytest.raises(ValueError, match="step numbers"):
        strip(scene, "some")
    with pytest.raises(ValueError, match="at least one"):
        strip(scene, [])


def test_a_long_program_is_shown_around_the_line_that_runs() -> None:
    scene = squared()

    def numbers(step: int) -> list[str]:
        rows = excerpt([row for block in panels.code(scene).kids for row in block.kids], step)
        return [str(row.attrs["text"] if row.attrs.get("text") else row.kids[0].attrs["text"]) for row in rows]

    assert numbers(4) == ["1", "2", "3", "4"]
    scene.sources[0]["lines"] = [[at, f"line_{at} = {at}"] for at in range(1, 101)]
    scene.steps[4]["place"] = ["c", 50]
    shown = numbers(4)
    assert "50" in shown
    assert shown[0] == shown[-1] == "⋮"
    assert len(shown) <= MOST_LINES + 3


@given(st.text())
def test_any_name_fits_into_xml(name: str) -> None:
    assert ET.fromstring(tag("text", clean(name), title=name)) is not None


@settings(max_examples=20, deadline=None)
@given(st.text(max_size=30), st.text(max_size=30))
def test_any_words_make_a_picture(name: str, say: str) -> None:
    scene = squared()
    scene.title, scene.values[0]["name"], scene.steps[8]["say"] = name, name, say
    scene.sources[0]["lines"][0][1] = say
    ET.fromstring(picture(scene))
    ET.fromstring(picture(placed(scene)).encode())


@given(st.text(), st.integers(40, 400))
def test_wrapping_loses_nothing(said: str, room: int) -> None:
    assert re.sub(r"\s", "", "".join(wrap(said, room, 15))) == re.sub(r"\s", "", said)


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126)), st.integers(12, 60))
def test_code_wraps_within_its_columns_and_loses_nothing(said: str, most: int) -> None:
    lines = columns_wrapped(said, most)
    assert all(len(one) <= most for one in lines) or len(lines) == 1
    assert "".join("".join(lines).split()) == "".join(said.split())


def test_state_is_folded_from_dated_facts() -> None:
    scene = squared()
    x, edge = scene.values[0], scene.edges[0]
    texts = [[now["text"] if now else None for now in state.shown_at(x, at)] for at in (0, 1, 6, 7, 8)]
    assert texts == [[None, None], ["3", None], ["3", "3"], ["3", "6"], ["3", "6"]]
    assert [state.span_at(edge["kept"], at) for at in (2, 3, 7, 8)] == ["", "kept", "kept", "free"]
    assert [state.region_state(scene, scene.regions[0], at) for at in (1, 2, 4, 8)] == [
        "",
        "listening",
        "stopped",
        "spent",
    ]
    assert state.peak(scene) == (24, 6)
    assert state.peak(scene, 5) == (12, 5)
    assert [state.fresh(now, 7) for now in state.shown_at(x, 7)] == [False, True]
    assert PARTS == ("say", "code", "graph", "lanes", "memory")


def test_the_shape_of_a_vector_does_not_read_like_a_vector() -> None:
    x = tf.Variable(tf.range(9.0), name="x")
    with viz.record() as run:
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(x * x)
        tape.gradient(y, x)
    scene = run.scene
    carried = {fact["text"] for edge in scene.edges for fact in edge.get("carried", [])}
    assert "(9,)" in carried
    shown = words(picture(scene))
    for way in ("LR", "TB"):
        drawn = Still(Ink("light", "a"), len(scene.steps) - 1).write(graph(scene, way).mark)
        shown += words(f'<svg xmlns="{NS[1:-1]}">{drawn}</svg>')
        assert shown.count("(9,)") >= 2  # on the card and on the edge
    assert not [text for text in shown if re.fullmatch(r"\[\d+\]", text)]
    assert "shape of an array of n numbers" in shown  # the legend


def test_no_number_of_a_formula_is_squeezed() -> None:
    """Matrices under a batch Jacobian's formula stood in half their width."""
    with viz.record() as run:
        x = tf.constant([[0.5, -1.0], [1.5, 2.0], [0.1, 0.2]])
        w = tf.Variable([[0.3, -0.2], [0.1, 0.4]])
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.tanh(x @ w)
        tape.batch_jacobian(y, x)
    for width in (640.0, 900.0, 1280.0):
        for step in (10, 11):
            assert "lengthAdjust" not in picture(run.scene, step, width=width)
