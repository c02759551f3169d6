"""The player's pure functions, run in node: what follows from a table, what is found, what lights up together."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import viz
from tests.support import UNDER_CI
from tests.viz import programs
from viz.microscope.pack import kit
from viz.paint.alike import alike
from viz.paint.find import columns, findable, together
from viz.paint.frame import sheet
from viz.paint.page import LIVE, MODULES, STATIC, module, script


@pytest.fixture(scope="module")
def node() -> str:
    found = shutil.which("node")
    if found is None:
        if UNDER_CI:
            pytest.fail("CI has no node: the player's functions cannot be tested")
        pytest.skip("node is not installed")
    return found


def run(node: str, tmp_path: Path, code: str, data: Any = None) -> Any:
    """What a script with the player's modules beside it prints as JSON."""
    for path in STATIC.glob("*.js"):
        (tmp_path / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    (tmp_path / "data.json").write_text(json.dumps(data), encoding="utf-8")
    script = tmp_path / "script.js"
    script.write_text(
        f'import {{ readFileSync }} from "node:fs";\nconst data = JSON.parse(readFileSync("data.json", "utf8"));\n{code}',
        encoding="utf-8",
    )
    done = subprocess.run(
        [node, script.name],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={**os.environ, "NO_COLOR": "1"},
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_every_module_is_valid(node: str, tmp_path: Path) -> None:
    for name, text in {
        **{name: (STATIC / name).read_text(encoding="utf-8") for name in MODULES},
        "whole.js": module(),
        "short.js": script(MODULES[:-1] + LIVE[:-1], ""),
        "kit.js": kit(),
    }.items():
        path = tmp_path / name.replace(".js", ".mjs")
        path.write_text(text, encoding="utf-8")
        done = subprocess.run([node, "--check", str(path)], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, (name, done.stderr)


WALK = """
import { linesOf, named, nameOf, valueAt } from "./apply.js";
const { sheet, last } = data, lines = named(linesOf(sheet.back)), said = lines.get(nameOf({ number: sheet.say, what: "html" }));
for (const [name, line] of lines) line.values.push(last[name] ?? "at the end");
const seen = n => JSON.stringify([...lines.values()].map(line => valueAt(line, n)));
console.log(JSON.stringify({
  changes: [...lines.values()].map(({ number, what, until, values }) => [number, what, until, values]),
  different: new Set(Array.from({ length: sheet.steps }, (_, n) => seen(n))).size,
  said: Array.from({ length: sheet.steps }, (_, n) => valueAt(said, n)),
}));
"""


@pytest.mark.parametrize("name", ["slope", "nested", "recompute", "loop_folded"])
def test_the_columns_that_are_sent_come_back_as_lines(node: str, tmp_path: Path, name: str) -> None:
    """Each attribute of each element once, its dates in order, a value more than dates, and no value that is like the one before it."""
    scene = programs.kept(name).scene
    told = sheet(scene)
    last = {f"{told['say']} html": "the end"}
    found = run(node, tmp_path, WALK, {"sheet": {key: told[key] for key in ("steps", "back", "say")}, "last": last})
    lines = found["changes"]
    assert sum(len(until) for _, _, until, _ in lines) == sum(len(column[0]) for column in told["back"].values())
    assert len({(number, what) for number, what, *_ in lines}) == len(lines)
    for number, what, until, values in lines:
        assert until == sorted(set(until)) and until[0] > 0 and until[-1] < told["steps"], (number, what)
        assert len(values) == len(until) + 1, (number, what)
        assert all(before != after for before, after in pairwise(values)), (number, what)
    assert found["different"] == len(scene.steps), "every step shows something of its own"
    for step, said in zip(scene.steps[:-1], found["said"], strict=False):
        assert (
            said.replace("&lt;", "<")
            .replace("&gt;", ">")
            .replace("&amp;", "&")
            .replace("\u00a0", " ")
            .startswith(step["say"][:10])
        )


def test_what_was_told_by_what_is_known_comes_back_whole(node: str, tmp_path: Path) -> None:
    """Texts beside each other and in each other: letter by letter, whatever they hold."""
    known, other = (sheet(programs.kept(name).scene)["html"] for name in ("nested", "recompute"))
    odd = '<p>~ > " = a="" &lt;/script&gt; é₁₂ـ ٣ ǆ</p>\t<i data-k title="-1.5e-07">~</i><b></b>\r\u2028<u>🙂</u>\ud83d'
    texts = {"a": known + odd, "a/b": odd + known, "c": other, "a/b/c": known, "d": "", "e": odd * 2}
    code = """
import { chained } from "./page.js";
const { ways, textOf } = chained(data.told, data.known);
console.log(JSON.stringify(ways.map(textOf)));
"""
    told = alike(texts, known)
    assert len(told) < len(known + other) * 0.7, "much of it is alike"
    assert run(node, tmp_path, code, {"told": told, "known": known}) == list(texts.values())


def test_what_is_not_whole_is_not_shown_as_whole(node: str, tmp_path: Path) -> None:
    """Nor by the microscope: a logarithm of 1 − 1e−7 is not one of 1; nor in its ranges, its way, or beside a knob."""
    code = """
import { written } from "./arrays.js";
import { brief } from "./plot.js";
console.log(JSON.stringify([0.9999999, -1.00004, 1234.5, 3, 2.00000001, 0.12345678, 98765.4].map(one => written(one)).concat(written(0.9998, 3), written(1234.56, 3), written(0.12345, 3), brief(0.99999), brief(-3.5))));
"""
    assert run(node, tmp_path, code, {}) == [
        "0.9999999",
        "−1.00004",
        "1234.5",
        "3",
        "2",
        "0.1235",
        "98765.4",
        "0.9998",
        "1234.6",
        "0.123",
        "0.99999",
        "−3.5",
    ]


def test_a_line_has_each_value_until_its_date_and_then_the_last(node: str, tmp_path: Path) -> None:
    code = """
    import { linesOf, named, valueAt } from "./apply.js";
    const lines = named(linesOf({ x: [[3, 0, 2], [8.5, 0.5, 1], [2, 1, 1]], class: [[0], [null], [2]] }));
    lines.get("3 x").values.push("at last");
    const steps = [0, 1, 2, 3, 4, 5, 9];
    console.log(JSON.stringify([[...lines.keys()], ...["3 x", "5 x", "0 class"].map(name => steps.map(n => valueAt(lines.get(name), n)))]));"""
    assert run(node, tmp_path, code) == [
        ["3 x", "5 x", "0 class"],
        ["8.5", "8.5", "9", "at last", "at last", "at last", "at last"],
        ["10", "10", "10", "10", "10", "10", "10"],  # what stands behind its change is not told
        [None, None, None, None, None, None, None],
    ]


def test_on_which_side_of_a_window_something_lies(node: str, tmp_path: Path) -> None:
    """In view is what is wholly in it; of what is larger than the window, what covers its middle."""
    cases = [
        (10, 90),
        (-2, 60),
        (-20, 60),
        (60, 102),
        (60, 130),
        (-200, 20),
        (-30, 90),
        (20, 140),
        (80, 300),
        (-50, 150),
    ]
    code = """
    import { beyond } from "./signs.js";
    console.log(JSON.stringify(data.map(([from, to]) => beyond(from, to, 100))));"""
    assert run(node, tmp_path, code, cases) == [0, 0, -1, 0, 1, -1, 0, 0, 1, 0]


def test_the_camera_shows_what_must_be_seen_and_as_much_of_the_rest_as_it_can(node: str, tmp_path: Path) -> None:
    """Along one axis: where it is, the room, what must be seen, all that moves, how long the picture is; and where it goes."""
    cases = [
        ([0, 500, [100, 200], [100, 300], 2000], 0),  # all is in view
        ([900, 500, [100, 200], [100, 300], 2000], 0),  # all fits: in the middle, as far as the picture goes
        ([0, 500, [1000, 1100], [1000, 1300], 2000], 900),
        (
            [800, 500, [1000, 1100], [1000, 1900], 2000],
            986,
        ),  # an edge that leads on to the right: as much of it as there is room for
        ([986, 500, [1000, 1100], [1000, 1900], 2000], 986),  # and it stays there
        ([0, 500, [1000, 1100], [100, 1100], 2000], 614),  # one that comes from the left
        ([0, 500, [1000, 1900], [1000, 1900], 2000], 986),  # longer than the room: from its beginning
        ([0, 500, [1800, 1990], [1700, 1990], 2000], 1500),  # never beyond the picture
        ([0, 500, [305, 795], [200, 900], 2000], 300),  # edge to edge: as much air on either side
    ]
    code = """
    import { into } from "./view.js";
    console.log(JSON.stringify(data.map(([at, room, must, all, whole]) => into(at, room, must, all, whole))));"""
    assert run(node, tmp_path, code, [asked for asked, _ in cases]) == [answer for _, answer in cases]


def test_the_edges_of_a_view_cut_as_few_words_as_can_be(node: str, tmp_path: Path) -> None:
    """Along one axis: where it is wanted, the room, what must be seen, the words, how long the picture is; and where it goes."""
    cases = [
        ([100, 500, [200, 400], [[120, 190]], 2000], 100),  # nothing is cut
        ([100, 500, [200, 400], [[80, 190]], 2000], 68),  # a word is seen whole
        ([100, 500, [200, 400], [[580, 690]], 2000], 68),  # or not at all, if that is nearer
        ([100, 500, [200, 590], [[80, 180]], 2000], 192),  # or if there is no room for both
        ([100, 500, [110, 600], [[80, 130]], 2000], 100),  # and stays cut where neither can be
        ([100, 500, [90, 400], [[80, 130]], 2000], 68),
        ([100, 500, [90, 400], [[80, 130], [560, 590]], 2000], 48),  # of two words one is seen, and one is not
        ([0, 500, [200, 400], [[450, 520]], 510], 0),  # never beyond the picture
    ]
    code = """
    import { uncut } from "./view.js";
    console.log(JSON.stringify(data.map(asked => uncut(...asked))));"""
    assert run(node, tmp_path, code, [asked for asked, _ in cases]) == [answer for _, answer in cases]


def test_everything_can_be_found(node: str, tmp_path: Path) -> None:
    scene = programs.kept("unwatched").scene
    code = """
    import { findIn } from "./search.js";
    import { table } from "./apply.js";
    console.log(JSON.stringify(Object.fromEntries(data.asked.map(asked => [asked, findIn(table(data.hits), asked)]))));"""
    ops = {value["op"] for value in scene.values if value.get("op")}
    asked = (
        [value["name"] for value in scene.values]
        + sorted(ops)
        + ["line:1", "None", "WHERE IS x?", "no such thing", "  ", scene.recorders[0]["name"]]
    )
    found = run(node, tmp_path, code, {"hits": columns(findable(scene)), "asked": asked})
    for value in scene.values:
        assert found[value["name"]][0][0] == value["name"]
        if value.get("op"):
            assert value["name"] in [hit[0] for hit in found[value["op"]]]
    assert found["line:1"][0][0] == "line 1"
    assert any("None" in hit[1] or "None" in hit[2] for hit in found["None"])
    assert found["WHERE IS x?"][0][0] == "x"
    assert found[scene.recorders[0]["name"]][0][1] == "begins"
    assert found["no such thing"] == found["  "] == []


def test_what_lights_up_together(node: str, tmp_path: Path) -> None:
    scene = programs.kept("slope").scene
    code = """
    import { companions } from "./hover.js";
    import { table } from "./apply.js";
    const { values, places } = data.together;
    console.log(JSON.stringify(data.asked.map(([thing, n]) => [...companions(table(values), places, thing, n)])));"""
    y = next(value for value in scene.values if value["name"] == "y")
    line, last = "|".join(map(str, y["place"])), len(scene.steps) - 1
    asked = [
        [f"value:{y['id']}", last],
        [f"place:{line}", last],
        [f"step:{y['born']}", last],
        ["holder:variable", last],
        ["holder:variable", 0],
    ]
    value, place, step, holder, nobody = (
        set(one) for one in run(node, tmp_path, code, {"together": together(scene), "asked": asked})
    )
    assert {f"place:{line}", f"step:{y['born']}"} <= value
    assert {f"value:{y['id']}", f"step:{y['born']}"} <= place
    assert {f"value:{y['id']}", f"place:{line}"} <= step
    assert {f"value:{one['id']}" for one in scene.values if one["kind"] == "variable"} <= holder
    assert nobody == {"holder:variable"}


def test_nonsense_in_an_address_is_nothing(node: str, tmp_path: Path) -> None:
    code = """
    import { readAddress } from "./address.js";
    console.log(JSON.stringify(data.map(readAddress)));"""
    nothing = {"step": None, "open": "", "theme": "", "view": "", "predict": None}
    all_of_it = "#step=4&view=score&theme=dark&open=fold%202&predict=off"
    asked = ["", "#step=-3", "#step=1e9", "#theme=pink", "#predict=maybe", "#predict=constructor", "#&&=;%", all_of_it]
    *rest, whole = run(node, tmp_path, code, asked)
    assert rest == [nothing] * 7
    assert whole == {"step": 4, "open": "fold 2", "theme": "dark", "view": "score", "predict": False}


def test_a_fold_is_unpacked(node: str, tmp_path: Path) -> None:
    from viz.paint.page import packed

    code = """
    import { unpacked } from "./packed.js";
    console.log(JSON.stringify(await unpacked(data)));"""
    assert run(node, tmp_path, code, packed({"html": "∂y/∂x <b>", "steps": 3})) == {"html": "∂y/∂x <b>", "steps": 3}
    assert viz.__all__  # the package is whole
