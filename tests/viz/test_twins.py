"""One program on TensorFlow and on minitape: what minitape does today is held against TensorFlow's accounts, which are stored."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import pytest

import minitape as tf
import viz
from tools import twins
from tools.twins import reasons
from viz.tell.account import ASPECTS, Fact, Teller
from viz.tell.twins import compared

ROOT = Path(__file__).parents[2]
DATA = twins.stored()


@functools.cache
def programs() -> dict[str, Any]:
    return twins.programs(tf)


def test_the_programs_are_those_that_tensorflow_was_asked() -> None:
    assert DATA["_meta"]["programs"] == twins.digest(), "python -m tools.twins, where TensorFlow is installed"
    assert set(DATA["facts"]) == set(programs())


@pytest.mark.parametrize("name", DATA["facts"])
def test_minitape_is_as_near_as_it_was(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    stored = DATA["facts"][name]
    today = twins.verdicts(twins.told(programs()[name]), twins.read(stored["account"]))
    assert {aspect: list(one) for aspect, one in today.items()} == stored["verdicts"], "python -m tools.twins --again"


@pytest.mark.parametrize("name", twins.PROGRAMS)
def test_every_difference_of_a_documented_program_is_meant(name: str) -> None:
    assert twins.explained(DATA["facts"][name]["verdicts"])


def test_every_difference_of_all_others_is_meant_or_leads_to_an_answer_with_its_own_row() -> None:
    left = [
        name for name, one in DATA["facts"].items() if not twins.explained(one["verdicts"]) and not twins.rows(name)
    ]
    assert not left


@pytest.mark.parametrize("row", reasons.REASONS)
def test_every_reason_is_a_row(row: str) -> None:
    assert f"| {row}" in (ROOT / "docs" / "differences.md").read_text(encoding="utf-8")
    assert any(
        row in used for one in DATA["facts"].values() for verdict in one["verdicts"].values() for used in verdict[4:]
    )


def test_the_page_is_made_from_what_is_stored() -> None:
    assert twins.PAGE.read_text(encoding="utf-8") == twins.page(DATA), "python -m tools.twins --again"


def test_an_account_is_that_of_its_stream() -> None:
    with viz.record() as run:
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = x * x
        tape.gradient(y, x)
    told = Teller(run.stream).facts
    assert told == Teller(viz.Stream.from_json(run.stream.to_json())).facts
    assert told == twins.read(twins.plain(told))
    assert list(map(str, told["ops"])) == ["multiply by tape: 9"]
    assert list(map(str, told["kept"])) == ["multiply tape keeps argument 1 argument 2"]
    assert list(map(str, told["back"])) == [
        "tape begins: 1", "tape through multiply argument 1: 3", "tape through multiply argument 2: 3",
    ]  # fmt: skip
    assert list(map(str, told["sums"])) == ["tape of 2: 6"] and list(map(str, told["answers"])) == ["tape: 6"]


def test_what_differs_is_found() -> None:
    one = {aspect: [] for aspect in ASPECTS} | {"back": [Fact(("a",), (1.0,)), Fact(("b",), (2.0,))]}
    turned, near = {**one, "back": one["back"][::-1]}, {**one, "back": [Fact(("a",), (1.00001,)), Fact(("b",), (2.0,))]}
    other, less = {**one, "back": [Fact(("a",), (1.0,)), Fact(("b",), (2.5,))]}, {**one, "back": one["back"][:1]}
    assert compared(one, one)["back"][:3] == compared(one, near)["back"][:3] == ("the same", 2, (2, 2))
    assert compared(one, turned)["back"].verdict == "in another order"
    (difference,) = compared(one, other)["back"].differences
    assert difference == (1, Fact(("b",), (2.0,)), Fact(("b",), (2.5,)))
    (difference,) = compared(one, less)["back"].differences
    assert difference == (1, Fact(("b",), (2.0,)), None) and compared(one, less)["back"].shared == 1
    assert set(compared(one, one)) == {"back"}


# ---- two frameworks side by side ----------------------------------------------------------------------------------------------

SAME = ROOT / "notebooks" / "same"


def stored(name: str) -> viz.Stream:
    return viz.Stream.from_json((SAME / f"{name}.json").read_text(encoding="utf-8"))


def rows(one: Any, other: Any) -> dict[str, tuple[str, str, str]]:
    facts = viz.compare(one, other).facts
    assert facts is not None and facts.kind == "twins"
    return {row["what"]: (row["one"], row["other"], row["verdict"]) for row in facts["aspects"]}


@pytest.mark.parametrize("path", sorted(SAME.glob("*.json")), ids=lambda path: path.stem)
def test_a_stored_run_of_another_framework_is_told(path: Path) -> None:
    stream = stored(path.stem)
    frameworks = {"torch": "PyTorch", "tensorflow": "TensorFlow", "jax": "JAX"}
    assert stream.framework == frameworks[path.stem.rpartition("_")[2]]
    assert not [step for step in stream.scene.steps if step["kind"] == "bare"]
    source = next(
        record.site.source for record in stream.records if record.site is not None and record.site.source is not None
    )
    assert "\n".join(source.lines) == path.with_suffix(".py").read_text(encoding="utf-8").rstrip("\n"), (
        "python -m tools.same"
    )


def test_two_frameworks_are_held_against_each_other() -> None:
    told = viz.compare(stored("again_torch"), stored("again_tensorflow"))
    assert str(told.text).startswith("They first differ at line 6 (a.sin())")
    found = rows(stored("again_torch"), stored("again_tensorflow"))
    assert found["what runs again"] == ("wave: 3 of 4 ops", "wave: 4 of 4 ops", "different")
    kept = rows(stored("layer_torch"), stored("layer_tensorflow"))["what is kept for the backward pass"]
    assert kept == ("3 values, 32 B", "7 values, 60 B", "different")
    assert "TensorFlow side by side" in told.words and told.svg.startswith("<svg")


def test_minitape_beside_tensorflow() -> None:
    with viz.record() as run:
        x = tf.Variable(3.0)
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = x * x * x
            slope = inner.gradient(y, x)
        outer.gradient(slope, x)
    told = viz.compare(ours=run, theirs=stored("second_tensorflow"))
    assert "ours has “outer through add argument 1: 1”, theirs has “outer through AddN argument 1: 1”" in str(told.text)
    found = rows(run, stored("second_tensorflow"))
    assert found["answers"] == ("2", "2", "the same") == found["ops, and who writes them down"]
    facts = told.facts
    assert facts is not None and viz.draw(viz.Figure.from_json(facts.to_json())).text == told.text


def test_runs_of_one_framework_are_compared_by_value_and_memory() -> None:
    with viz.record() as run:
        tf.Variable(3.0)
    told = viz.compare(run, run)
    assert isinstance(told, viz.Comparison) and told.facts is not None and told.facts.kind == "runs"


def test_the_legend_speaks_in_the_words_of_the_framework() -> None:
    torch, tensorflow = (viz.graph(stored(f"second_{name}")).svg for name in ("torch", "tensorflow"))
    assert "what a graph knows" in torch and "saved for the backward pass" in torch and "what a tape knows" not in torch
    assert "what a tape knows" in tensorflow and "kept for the backward pass" in tensorflow
