"""docs/pictures.md says what the pictures show: its numbers are those of the scenes."""

from __future__ import annotations

import re
from typing import Any

from tests import gallery
from tests.support import ROOT
from tests.viz import programs
from viz.paint.plan import plan_of
from viz.scene import Scene

PAGE = (gallery.FOLDER.parent / "pictures.md").read_text(encoding="utf-8")


def strings(scene: Scene) -> dict[str, dict[str, Any]]:
    names = {one["id"]: one["name"] for one in scene.values}
    return {names[one["id"]]: one for one in plan_of(scene).strings}


def steps_of(scene: Scene, recorder: str, mark: str) -> list[int]:
    identity = next(one["id"] for one in scene.recorders if one["name"] == recorder)
    return [at for at, step in enumerate(scene.steps) if [identity, mark] in step.get("marks", [])]


def test_every_picture_of_the_page_is_in_the_gallery() -> None:
    shown = re.findall(r"\(gallery/([^)]+\.svg)\)", PAGE)
    assert len(shown) == 5
    assert all((gallery.FOLDER / one).is_file() for one in shown)


def test_every_test_that_the_page_names_is_there() -> None:
    """`a file`, `a file::a test`, or `a test` alone, which stands in a file that its own row or a row before it names."""
    named = re.findall(r"`((?:tests/[\w/]+\.py)?(?:::)?(?:test_\w+)?)`", PAGE)
    wanted = {one for one in named if one.startswith(("tests/", "test_"))}
    assert len(wanted) > 50 and len(re.findall(r"^\| \d+\. .*`tests/", PAGE, re.MULTILINE)) == 28
    texts = {one.partition("::")[0]: (ROOT / one.partition("::")[0]) for one in wanted if one.startswith("tests/")}
    assert [one for one, path in texts.items() if not path.is_file()] == []
    defined = {
        name: re.findall(r"^def (test_\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)
        for name, path in texts.items()
    }
    for one in wanted:
        file, _, test = one.partition("::") if one.startswith("tests/") else ("", "", one)
        assert not test or test in (defined[file] if file else [name for some in defined.values() for name in some]), (
            one
        )


def test_which_tape_holds_what() -> None:
    scene = programs.kept("nested").scene
    inner, outer, back = (
        steps_of(scene, "inner", "op"),
        steps_of(scene, "outer", "op"),
        steps_of(scene, "inner", "back"),
    )
    assert len(inner) == 2
    assert outer[:2] == inner
    assert len(outer) == 8
    assert len(set(back) & set(outer)) == 4
    x = next(one for one in scene.values if one["name"] == "x")
    sums = [state["text"] for state in x["cells"][2]["states"]]
    assert sums == ["5", "10", "20", "25", "30"]
    assert "5, 10, 20, 25, 30" in PAGE


def test_why_this_is_none() -> None:
    scene = programs.kept("dedented").scene
    assert steps_of(scene, "outer", "exit") == [8]
    assert steps_of(scene, "inner", "back") == [10, 11]
    assert next(one["born"] for one in scene.values if one["name"] == "d") == 12


def test_what_is_freed_and_when() -> None:
    scene = programs.kept("persistent").scene
    kept = {name: one["kept"] for name, one in strings(scene).items()}
    assert kept == {"x": [[4, 17]], "y": [[5, 17]], "z": []}
    assert steps_of(scene, "g", "free") == [17]
    assert len(scene.steps) == 18


def test_what_runs_twice() -> None:
    one = strings(programs.kept("recompute").scene)
    assert {name: value["alive"][-1][1] for name, value in one.items() if name in ["a", "b", "a₂", "b₂"]} == {
        "a": 7, "b": 7, "a₂": 12, "b₂": 12,
    }  # fmt: skip
    assert {name for name, value in one.items() if value["kept"]} == {"x", "y"}
    assert all(one[name]["again"] for name in ["a", "b", "a₂", "b₂"])


def test_who_keeps_what_a_reversible_layer_needs() -> None:
    one = strings(programs.kept("reversible").scene)
    assert {name for name, value in one.items() if value["kept"]} == {"y1", "y2", "v₂", "v₄"}
    handed = one["v₂"]["kept"][0][1]
    assert one["y1"]["kept"][0][0] == one["y2"]["kept"][0][0] == one["v₄"]["kept"][0][1] == handed
    assert all(one[name]["again"] for name in ("v₂", "v₄", "x1", "x2"))
