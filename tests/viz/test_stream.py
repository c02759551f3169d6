"""The stream: JSON both ways, what is refused, a run that is never lost, words in one place, and one stream written by hand."""

from __future__ import annotations

import ast
import json
import linecache
import os
import re
import warnings
import xml.etree.ElementTree as ET
from concurrent import futures
from pathlib import Path
from typing import Any

import pytest

import minitape as tf
import viz
from tests import stream_page
from tests.support import ROOT, deep
from viz.capture.numbers import Snapshot
from viz.scene import Scene
from viz.tell import scenes, words
from viz.tell.formula import Operand, terms, worked_out
from viz.tell.steps import Steps

from . import any_program, programs
from . import scenes as scenes_by_hand

EXAMPLE = stream_page.PAGE.read_text(encoding="utf-8").split("```json")[1].split("```")[0]


# ---- JSON -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", programs.NAMES)
def test_a_run_read_from_json_is_told_as_the_run(name: str) -> None:
    run = programs.run(name)
    text = run.stream.to_json()
    again = viz.Stream.from_json(text)
    assert again.to_json() == text
    assert programs.golden(programs.told(again)) == programs.golden(programs.told(run.stream))


def test_each_op_of_a_tape_from_before_the_run_has_an_id_of_its_own() -> None:
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        y = tf.sin(x * x) * x
    with viz.record() as run:
        tape.gradient(y, x)
    ops = {op for record in run.stream.records for op in (getattr(record, "op", None), record.context.cause) if op}
    assert len(ops) == len({op.id for op in ops}) > 3
    text = run.stream.to_json()
    assert viz.Stream.from_json(text).to_json() == text


def test_the_page_lists_the_records_as_they_are() -> None:
    assert stream_page.PAGE.read_text(encoding="utf-8") == stream_page.page(), "run python -m tests.stream_page"


def test_a_stream_written_by_hand_is_told_drawn_and_stepped() -> None:
    stream = viz.Stream.from_json(EXAMPLE)
    scene = stream.scene  # type: ignore[attr-defined]
    x, y = scene.values
    assert [state["text"] for state in x["cells"][1]["states"]] == ["3", "6"]
    assert (y["op"], y["sign"], x["cells"][1]["label"]) == ("mul", "×", "∂y/∂x")
    assert scene.steps[-1]["memory"] == {"python": 12}
    assert scene.holders[0] == {"id": "python", "label": "Python names"}
    said = " ".join(step["say"] for step in scene.steps)
    assert "graph notes this down" in said and "frees its saved tensors" in said and "tape" not in said
    for step in range(len(scene.steps)):
        for view in (viz.graph, viz.score):
            ET.fromstring(view(stream, step).svg)
    assert repr(viz.step(stream)) == "<Stepper: a square, 10 steps>"
    assert str(viz.table(stream)).count("\n") > len(scene.steps)


def test_what_was_not_measured_is_not_zero() -> None:
    data = json.loads(EXAMPLE)
    for record in data["records"]:
        record.pop("memory", None), record.pop("moved", None)
    del data["holders"]
    scene = viz.Stream.from_dict(data).scene  # type: ignore[attr-defined]
    assert scene.holders == [] and {json.dumps(step["memory"]) for step in scene.steps} == {"{}"}
    assert not any(value.get("held") for value in scene.values)


def changed(path: str, content: Any) -> dict[str, Any]:
    """The example with one thing changed; `path` as a refusal writes it."""
    data = json.loads(EXAMPLE)
    keys = [key.strip("'") if not key.isdigit() else int(key) for key in re.findall(r"'[^']*'|\w+", path)]
    inside = data
    for key in keys[:-1]:
        inside = inside[key]
    if content is ...:
        del inside[keys[-1]]
    else:
        inside[keys[-1]] = content
    return data


REFUSED = {
    "schema": ("viz-stream/99", "stream.schema: this reads 'viz-stream/1', not 'viz-stream/99'"),
    "records": (5, "stream.records: expected a list, got 5"),
    "title": (["a"], "stream.title: expected a text, got a list"),
    "tables": ({}, "stream.tables: unknown here"),
    "vocabulary['tape']": (5, "stream.vocabulary['tape']: expected a text, got 5"),
    "records[3].op": ("none", 'stream.records[3].op: expected the id of one of stream.ops, got "none"'),
    "records[3].kind": ("ops", "stream.records[3].kind: expected one of "),
    "records[3].numbers['y']": ("nine", "stream.records[3].numbers['y']: expected a number or one of -inf, inf, nan, got"),
    "records[3].memory": ({"disk": 5}, "stream.records[3].memory['disk']: no holder of this stream"),
    "records[6].into": (..., "stream.records[6].into: it is missing"),
    "records[7].position": (2, "stream.records[7].position: 2, but the op takes 2"),
    "records[7].context": ({}, "stream.records[7].context.cause: it is missing"),
    "records[7].context.cause": (["square"], "stream.records[7].context.cause: expected the id of one of stream.ops, got a list"),
    "records[11].answers": ([], "stream.records[11].answers: 0 for 1 sources"),
    "ops['square'].saved[0][1][0]": (9, "stream.ops['square'].saved: 'g' keeps place 9, which this op does not have"),
    "ops['square'].takes[1]": ("q", "stream.ops['square'].takes[1]: expected the id of one of stream.values, got \"q\""),
    "values['x'].shape": ([2.5], "stream.values['x'].shape[0]: expected a whole number, got 2.5"),
    "sites['two'].names": ([["y", 5]], "stream.sites['two'].names[0][1]: expected a text, got 5"),
}  # fmt: skip


@pytest.mark.parametrize("path", REFUSED)
def test_a_wrong_stream_is_refused_with_the_path(path: str) -> None:
    content, words_ = REFUSED[path]
    with pytest.raises(ValueError, match="^" + re.escape(words_)):
        viz.Stream.from_dict(changed(path, content))


@pytest.mark.parametrize("what", [viz.Stream, Scene, viz.Figure])
@pytest.mark.parametrize(
    "text", ["5", "[" * 100_000, '{"schema": ' + "[" * 100_000, "{", "null", '{"schema": NaN}', '{"a": 1}']
)
def test_nonsense_is_refused_in_a_sentence(what: Any, text: str) -> None:
    with pytest.raises(ValueError, match=r"stream|scene|figure|JSON"):
        what.from_json(text)


WRONG_SCENES = {
    "steps": (5, "scene.steps: expected a list, got 5"),
    "steps[3].focus": (5, "scene.steps[3].focus: expected a list, got 5"),
    "steps[3].focus[0]": (["v0", "g9"], "scene.steps[3].focus[0]: 'v0' has no cell 'g9'"),
    "steps[3].place": (["s7", 1], "scene.steps[3].place: there is no 's7' among scene.sources"),
    "steps[3].saying": ("x", "scene.steps[3].saying: unknown here; known are "),
    "edges[0].a": ("v77", "scene.edges[0].a: there is no 'v77' among scene.values"),
    "values[0].cells[0].states[0].t": ("1", 'scene.values[0].cells[0].states[0].t: expected a whole number, got "1"'),
    "values[0].cells": ([], "scene.values[0].cells: expected one at least"),
    "recorders[0].kind": ("graph", "scene.recorders[0].kind: expected one of accumulator, tape, got \"graph\""),
}  # fmt: skip


@pytest.mark.parametrize("path", WRONG_SCENES)
def test_a_wrong_scene_is_refused_with_the_path(path: str) -> None:
    content, words_ = WRONG_SCENES[path]
    data = json.loads(programs.kept("slope").scene.to_json())
    inside = data
    keys = [int(key) if key.isdigit() else key for key in re.findall(r"\w+", path)]
    for key in keys[:-1]:
        inside = inside[key]
    inside[keys[-1]] = content
    with pytest.raises(ValueError, match="^" + re.escape(words_)):
        Scene.from_dict(data)


def test_figures_go_through_json_and_are_drawn_from_it() -> None:
    x = tf.constant(3.0)
    with viz.record() as run, tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)), tf.GradientTape() as tape:
        y = x * x
    drawn = [viz.flow(run), viz.schedule(tf.plan(5, "sqrt")), viz.cut(tape.why(y, x)), viz.compare(run)]
    drawn += [viz.compare(run, run), viz.compare(run, run, run)]
    for one in drawn:
        again = viz.Figure.from_json(one.facts.to_json())
        assert again.to_json() == one.facts.to_json()
        assert viz.draw(again).svg == one.svg
    data = json.loads(drawn[1].facts.to_json())
    data["columns"][2]["what"] = "leap"
    with pytest.raises(ValueError, match=r"^figure\.columns\[2\]\.what: expected one of advance, reverse, tape"):
        viz.Figure.from_json(json.dumps(data))


@pytest.mark.parametrize("made", [scenes_by_hand.squared, scenes_by_hand.cut])
def test_scenes_made_by_hand_have_the_shape_too(made: Any) -> None:
    assert Scene.from_json(made().to_json()) == made()


def test_a_title_is_a_text() -> None:
    with pytest.raises(TypeError, match="title of a run is a text, not int"):
        viz.record(5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="lead of a run is a text, not int"):
        viz.record("a step", 5)
    with pytest.raises(TypeError, match="what happens in a block"):
        viz.record("a title", "a lead", "and more")
    with pytest.raises(TypeError, match="call it"):
        viz.record(inner_tape)


# ---- a run is never lost --------------------------------------------------------------------------------------------------


def inner_tape(x: tf.Tensor) -> tf.Tensor:
    with tf.GradientTape() as inner:
        inner.watch(x)
        y = x * x
    return inner.gradient(y, x)


def test_a_tape_inside_of_a_region_is_told_as_what_it_is() -> None:
    x = tf.constant(3.0)
    with viz.record() as run:
        with tf.GradientTape() as tape:
            tape.watch(x)
            z = tf.recompute_grad(inner_tape)(x)
        slope = tape.gradient(z, x)
    assert float(slope) == 2.0
    scene = run.scene
    assert [one["name"] for one in scene.recorders] == ["tape", "inner₁", "inner₂"]
    kinds = [step["kind"] for step in scene.steps]
    assert kinds.count("seed") == 3 and kinds.count("region") == 2 and "replay" in kinds and "bare" not in kinds
    assert scene.steps[-1]["say"] == "slope is 2. tape lets go of everything that it kept."
    assert "a value" not in {value["name"] for value in scene.values}


def broken(monkeypatch: pytest.MonkeyPatch, kind: str, once: bool) -> None:
    """Let the telling of a kind of record fail, half-way through, the second time it is told or each time."""
    method = "_on_" + kind.replace("-", "_")
    told = getattr(Steps, method)
    seen: list[Any] = []

    def fails(self: Steps, record: Any) -> None:
        if not once or (seen and seen[0] is not record):
            self._step(record.kind, "half", record.site)
            raise KeyError("not there {x}")
        seen.append(record)
        told(self, record)

    monkeypatch.setattr(Steps, method, fails)


@pytest.mark.parametrize(
    ("kind", "once"),
    [("op", True), ("op", False), ("seed", False), ("contribution", True), ("contribution", False), ("gradients", False),
     ("enter", False), ("made", False)],
)  # fmt: skip
def test_what_cannot_be_told_shows_its_bare_facts(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, kind: str, once: bool
) -> None:
    run = programs.run("nested")
    broken(monkeypatch, kind, once)
    with pytest.raises(KeyError):
        scenes.scene_of(run.stream)
    monkeypatch.delenv("VIZ_STRICT")
    scene = run.scene
    bare = [step for step in scene.steps if step["kind"] == "bare"]
    assert bare and all(step["say"].startswith(f"{kind}: ") and "KeyError" in step["say"] for step in bare)
    assert "half" not in {step["say"] for step in scene.steps}
    assert "could not be told" in scene.notes[0]
    assert {"start", "exit", "gradient"} & {step["kind"] for step in scene.steps}
    assert Scene.from_json(scene.to_json()) == scene
    assert repr(run)
    for suffix in ("html", "svg", "json", "txt"):
        viz.export(run, str(tmp_path / f"run.{suffix}"))


def test_where_nothing_can_be_told_all_steps_are_bare(monkeypatch: pytest.MonkeyPatch) -> None:
    run = programs.run("slope")
    monkeypatch.setattr(scenes, "Names", lambda *given: 1 / 0)
    monkeypatch.delenv("VIZ_STRICT")
    scene = run.scene
    assert [step["kind"] for step in scene.steps] == ["start"] + ["bare"] * sum(
        bool(one.kind) for one in run.stream.records
    )
    assert "ZeroDivisionError" in scene.notes[0]
    assert scene.steps[-1]["memory"] and scene.sources
    assert Scene.from_json(scene.to_json()) == scene and repr(run)


def test_an_error_that_ends_the_run_is_its_last_step() -> None:
    with pytest.raises(KeyError), viz.record() as run:
        tf.constant(1.0) * 2.0
        raise KeyError("{name}")
    assert run.scene.steps[-1]["say"] == "An error ends the run: KeyError: '{name}'"


def test_what_other_threads_do_meanwhile_is_not_in_a_run_and_is_told() -> None:
    def square() -> int:
        with viz.record() as run:
            tf.constant(3.0) ** 2.0
        return len(run)

    with futures.ThreadPoolExecutor(1) as pool:
        with pytest.warns(tf.errors.Elsewhere, match="not in the run") as told, viz.record() as run:
            alone = pool.submit(square).result()
        assert alone and not len(run) and told[0].filename == __file__
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            assert square() == alone


def test_a_run_within_a_limit_hears_so_much_and_says_so() -> None:
    def squared(limit: int | None) -> Any:
        x = tf.Variable(3.0)
        with viz.record(limit=limit) as run, tf.GradientTape() as tape:
            y = x * x
            tape.gradient(tf.sin(y), x)
        return run

    whole = squared(None)
    for limit in range(1, len(whole)):
        run = squared(limit)
        assert len(run) == limit and run.full and not run.listening
        scene = run.scene
        assert scene.steps[-1]["say"].endswith(f"it has the {limit} events that it was to keep.")
        assert viz.Stream.from_json(run.stream.to_json()).scene == scene  # type: ignore[attr-defined]
    assert tf.ledger.observers == ()
    for wrong in (0, -1, 2.5, True, "5"):
        with pytest.raises(ValueError, match="limit is how many events"):
            viz.record(limit=wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", range(30))
def test_any_program_is_told(seed: int) -> None:
    run, _ = any_program.recorded(seed)
    scene = scenes.scene_of(run.stream, placed=False)
    assert "bare" not in {step["kind"] for step in scene.steps}
    assert Scene.from_json(scene.to_json()) == scene
    again = viz.Stream.from_json(run.stream.to_json())
    assert scenes.scene_of(again, placed=False) == scene


# Small programs that run through more lines of viz than a few large ones do, in half of their time.
SMALL = (1, 2, 4, 7, 9, 19, 20, 21, 23, 28, 31)


@pytest.mark.deep
@pytest.mark.slow
@pytest.mark.parametrize("seed", range(300) if deep() else SMALL)
def test_any_program_goes_through_every_view(seed: int, record_property: Any) -> None:
    record_property("tried: random programs with errors, layers, loops and regions, through every view", 1)
    any_program.through_every_view(any_program.recorded(seed)[0])


# ---- names and texts of the program's -------------------------------------------------------------------------------------

HOSTILE = ["{x}", "{}", "{0.__class__}", "%s", "a\ud800b", "a\u202eb", "<b>&\"'", "\x00\x1b[31m", "</script>"]


@pytest.mark.parametrize("text", HOSTILE)
def test_no_text_of_the_programs_loses_the_run(text: str, tmp_path: Path) -> None:
    class Odd(Exception):
        pass

    if text.isascii() and text.isprintable():
        Odd.__name__ = text
    source = "with tf.GradientTape() as tape:\n    y = x * x\n    raise Odd(text)\n"
    name = f"<{text}>.py".replace("\0", "")  # Python itself takes no such file
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    space = {"tf": tf, "x": tf.Variable(3.0, name=text.replace("\ud800", "")), "Odd": Odd, "text": text}
    with pytest.raises(Odd), viz.record(text, lead=text) as run, viz.region(text):
        exec(compile(source, name, "exec"), space)
    scene = run.scene
    for suffix in ("html", "svg", "json", "txt", "dot"):
        viz.export(run, str(tmp_path / f"run.{suffix}"))
    assert Scene.from_json((tmp_path / "run.json").read_text(encoding="utf-8")) == scene
    assert not re.search("[\ud800-\udfff\u202e\x00\x1b]", scene.to_json())
    assert any(f"({Odd.__name__})" in step["say"] for step in scene.steps)


def test_a_formula_of_a_foreign_stream_is_no_program() -> None:
    x = {"x": Operand("x", Snapshot(None, None, 3.0), "value")}
    for word in (
        "__import__('os').system('x')",
        "x.__class__",
        "(lambda:x)()",
        "[x]*9",
        "x**x**x**x**x**x",
        "((((" * 200 + "x",
    ):
        assert terms(word, x)[0][1] != "", word
        assert worked_out(f"x × {word}", x) == []
    assert worked_out("x × exp(x)**2", x)[-1][1] == "403.429"
    assert worked_out("x × (x>2)", x)[-1][1] == "True"


# ---- words ----------------------------------------------------------------------------------------------------------------


def calls() -> list[tuple[str, str, set[str]]]:
    """(place, key, the facts given) of each sentence that is told with a key in plain sight."""
    found = []
    for path in sorted((ROOT / "viz" / "tell").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            said = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
            if said in ("self.words", "words", "spoken", "self.told.words", "self._of_both"):
                given = {keyword.arg or "" for keyword in node.keywords}
                given |= {"one", "other"} if said == "self._of_both" else set()
                for key in [
                    one.value
                    for one in ast.walk(node.args[0])
                    if isinstance(one, ast.Constant) and "=" not in str(one.value)
                ]:
                    found.append((f"{path.name}:{node.lineno}", str(key), given))
    return found


def test_every_sentence_has_its_places_filled() -> None:
    vocabulary, sentences = words.table()
    used: set[str] = set()
    for place, key, given in calls():
        keys = [key] if key in sentences else [one for one in sentences if one.startswith(key) and key.endswith(".")]
        used.update(keys)
        for one in keys:
            wanted = set(sentences[one][1::2]) - set(vocabulary)
            assert wanted <= given or "" in given, f"{place}: {one} wants {wanted - given}"  # "": some are in a dict
            assert given <= set(sentences[one][1::2]) or len(keys) > 1 or key != one, (
                f"{place}: {one} has no place for {given}"
            )
    indirect = {
        key for key in sentences if key.split(".")[0] in ("use", "reason", "keep", "keeps", "a_value", "a_gradient")
    }
    plural = {key for key in sentences if key.endswith((".one", ".many", ".both", ".tape", ".accumulator"))}
    assert sorted(set(sentences) - used - indirect - plural) == []


def test_a_vocabulary_has_known_words_only() -> None:
    with pytest.raises(ValueError, match=r"stream\.vocabulary\['tap'\]: unknown here; known are"):
        words.Words({"tap": "graph"})


def test_what_is_told_is_said_nowhere_else() -> None:
    """No sentence stands in the rooms that tell: a text with a blank and a full stop is in words.toml."""
    rooms = [
        path
        for path in (ROOT / "viz" / "tell").glob("*.py")
        if path.name not in ("curves.py", "__init__.py", "flow.py")
    ]
    for path in rooms:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        docs = {ast.get_docstring(node, clean=False) for node in ast.walk(tree)
                if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef)}  # fmt: skip
        raised = {id(inner) for node in ast.walk(tree) if isinstance(node, ast.Raise) for inner in ast.walk(node)}
        for node in ast.walk(tree):
            if (
                isinstance(node, ast.Constant)
                and isinstance(node.value, str)
                and node.value not in docs
                and id(node) not in raised
            ):
                assert not re.search(r"[a-z]{3} [a-z]{2,}.*[.:]$", node.value.strip()), (
                    f"{path.name}:{node.lineno} {node.value!r}"
                )


assert os.environ.get("VIZ_STRICT"), "tests/conftest.py makes a fault in telling an error"
