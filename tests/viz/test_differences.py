"""Two runs held against each other: a planted edit is the first difference, and rounding is told apart from what is real."""

from __future__ import annotations

import contextlib
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minitape as tf
import viz
from tests.viz import any_program
from tests.viz.edited import EDITS, edited, run_of
from viz.tell.differences import Differences, differences
from viz.tell.distance import Known, distance
from viz.tell.moments import Moment


def line(moment: Any) -> int:
    return moment.site.line if moment is not None else 0


def before(found: Differences) -> list[str]:
    assert found.first is not None
    return [pair.verdict for pair in found.pairs[: found.pairs.index(found.first)]]


@pytest.mark.parametrize("edit", EDITS)
@settings(max_examples=12)
@given(seed=st.integers(0, 10**6))
def test_a_planted_edit_is_the_first_difference(edit: str, seed: int) -> None:
    program = edited(seed, edit)
    one, other = program.runs()
    found = differences(one.stream, other.stream)
    first = found.first
    assert first is not None and set(before(found)) <= {"same"}
    where = (line(first.one), line(first.other))
    match edit:
        case "constant":
            assert (first.moment.kind, first.verdict, where) == ("made", "apart", program.lines)
            assert found.real is first
        case "op":
            assert (first.verdict, first.one.word, first.other.word, where) == (
                "another",
                program.word,
                "softplus",
                program.lines,
            )
        case "extra" | "dropped":
            assert (first.verdict, first.moment.word, where) == ("only", program.word, program.lines)
            assert found.real is first
        case "recompute":
            assert (first.moment.kind, first.one) == ("region", None)
            assert found.real is None  # the same numbers, to the bit
            assert {pair.verdict for pair in found.pairs if not pair.quiet} == {"same"}
        case "dtype":
            assert (first.moment.kind, first.verdict, first.moment.name) == ("made", "dtype", "x")


@pytest.mark.parametrize("seed", range(50))
def test_another_dtype_alone_is_no_real_difference(seed: int) -> None:
    """Of any program it may be one: exp overflows sooner, and nothing is left of 1 − out² where out is almost 1.  Of these it is none."""
    one, other = edited(seed, "dtype").runs()
    assert differences(one.stream, other.stream).real is None


@settings(max_examples=12)
@given(seed=st.integers(0, 10**6), edit=st.sampled_from(EDITS))
def test_two_runs_of_one_program_do_not_differ(seed: int, edit: str) -> None:
    lines = edited(seed, edit).one
    found = differences(run_of(lines).stream, run_of(lines).stream)
    assert found.pairs and found.first is None
    assert all(pair.one is not None and pair.other is not None for pair in found.pairs)


@pytest.mark.parametrize("seed", range(8))
def test_any_program_with_one_seed_does_not_differ_and_without_it_does_by_chance_alone(seed: int) -> None:
    runs = []
    for drawn in (3, 3, 4):
        tf.random.set_seed(drawn)
        runs.append(any_program.recorded(seed)[0].stream)
    assert differences(runs[0], runs[1]).first is None
    first = differences(runs[0], runs[2]).first
    assert first is None or (first.moment.kind, first.verdict) == ("made", "apart")  # the weights of a layer


@settings(max_examples=12)
@given(seed=st.integers(0, 10**6), edit=st.sampled_from(EDITS))
def test_every_moment_is_in_one_pair_and_in_order(seed: int, edit: str) -> None:
    found = differences(*[run.stream for run in edited(seed, edit).runs()])
    for side, moments in zip(("one", "other"), found.moments, strict=True):
        assert [moment for pair in found.pairs if (moment := getattr(pair, side)) is not None] == moments.all


@settings(max_examples=12)
@given(seed=st.integers(0, 10**6), edit=st.sampled_from(EDITS))
def test_the_other_way_round_is_the_same_difference(seed: int, edit: str) -> None:
    one, other = edited(seed, edit).runs()
    there, back = differences(one.stream, other.stream).first, differences(other.stream, one.stream).first
    assert there is not None and back is not None
    assert (there.verdict, line(there.one), line(there.other)) == (back.verdict, line(back.other), line(back.one))


def test_one_of_several_like_ops_that_is_dropped_is_found_by_its_constant() -> None:
    lines = ["h = tf.constant([0.5, 2.0])", "h = h * 0.2", "h = h * 0.3", "h = h * 0.4", "h = h * 0.5"]
    found = differences(run_of(lines).stream, run_of([*lines[:2], *lines[3:]]).stream)
    alone = [(pair.one.name, pair.other) for pair in found.pairs if pair.one is not None and pair.verdict == "only"]
    assert alone[0] == ("0.3", None) and len(alone) == 2  # the constant, and the product


def test_a_run_from_json_has_no_settings_and_differs_by_rounding_alone() -> None:
    run = train(2, 0.1)
    found = differences(run.stream, viz.Stream.from_json(run.stream.to_json()))
    assert found.real is None and {pair.verdict for pair in found.pairs} <= {"same", "rounding", "unknown"}


def train(steps: int, rate: float, act: Any = tf.tanh) -> Any:
    x, y = tf.constant([[0.5, -1.0], [2.0, 0.25]]), tf.constant([[1.0], [-1.0]])
    w = tf.Variable([[0.3, -0.2, 0.1], [0.2, 0.1, -0.4]])
    v = tf.Variable([[0.1], [0.2], [0.3]])
    with viz.record() as run:
        for _ in range(steps):
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean((act(x @ w) @ v - y) ** 2)
            dw, dv = tape.gradient(loss, [w, v])
            w.assign_sub(rate * dw)
            v.assign_sub(rate * dv)
    return run


def test_two_learning_rates_differ_first_in_the_rate_of_the_first_turn() -> None:
    found = differences(train(20, 0.1).stream, train(20, 0.2).stream)
    assert found.real is found.first and found.first is not None
    assert (found.first.moment.kind, found.first.one.name, found.first.other.name) == ("made", "0.1", "0.2")
    assert not [pair for pair in found.pairs if pair.one is None or pair.other is None]


def test_an_op_that_differs_in_every_turn_is_laid_beside_its_like_in_every_turn() -> None:
    found = differences(train(30, 0.1).stream, train(30, 0.1, tf.sin).stream)
    others = [pair for pair in found.pairs if pair.verdict == "another"]
    assert [(pair.one.word, pair.other.word) for pair in others] == [("tanh", "sin")] * 30
    assert not [pair for pair in found.pairs if pair.one is None or pair.other is None]


def test_more_turns_are_told_as_what_only_one_run_has() -> None:
    found = differences(train(5, 0.1).stream, train(7, 0.1).stream)
    first = found.pairs.index(found.first)
    assert {pair.verdict for pair in found.pairs[:first]} == {"same"}
    assert all(pair.one is None for pair in found.pairs[first:])


def ended(number: float, shape: list[int]) -> Any:
    """A program that may end with an error."""
    with contextlib.suppress(Exception), viz.record() as run:
        tf.reshape(tf.math.log(tf.constant([1.0, number])), shape)
    return run


def test_an_error_and_a_nan_are_differences() -> None:
    found = differences(ended(2.0, [2, 1]).stream, ended(-2.0, [2, 1]).stream)
    log = next(pair for pair in found.pairs if pair.moment.word == "log")
    assert (log.verdict, log.far.nan, log.far.infinite, log.far.at) == ("apart", 1, 0, (1,))
    found = differences(ended(2.0, [2, 1]).stream, ended(0.0, [2, 1]).stream)
    log = next(pair for pair in found.pairs if pair.moment.word == "log")
    assert (log.far.nan, log.far.infinite) == (0, 1)
    found = differences(ended(2.0, [2, 1]).stream, ended(2.0, [3, 1]).stream)
    assert found.first is not None and "error" in [one.kind for one in (found.first.one, found.first.other) if one]


def test_a_setting_is_a_difference_even_where_the_numbers_agree() -> None:
    def program(axis: int) -> Any:
        x = tf.ones((2, 2))
        with viz.record() as run:
            tf.reduce_sum(x, axis)
        return run

    found = differences(program(0).stream, program(1).stream)
    assert found.real is not None and found.real.verdict == "setting"


@given(st.lists(st.floats(-1e3, 1e3), min_size=1, max_size=6), st.integers(1, 12))
def test_rounding_is_what_a_coarser_dtype_cannot_hold(numbers: list[float], ops: int) -> None:
    fine, coarse = np.array(numbers), np.array(numbers, "f4")
    fine_first, coarse_first = known(fine), known(coarse)
    assert distance(fine_first, coarse_first, computed=False).verdict in ("same", "rounding")
    far = distance(known(fine), known((fine * (1 + 1e-3)).astype("f4")), computed=False)
    assert far.verdict == ("apart" if np.abs(fine).max() > 1e-30 else far.verdict)
    for _ in range(ops):
        fine, coarse = np.sin(fine) * 1.5, np.sin(coarse) * np.float32(1.5)
    largest = max(1.5, *map(abs, numbers))  # the sine of a large number knows few digits
    assert distance(known(fine), known(coarse), calm=largest).verdict in ("same", "rounding")


def known(array: np.ndarray) -> Known:
    return Known({"f4": "float32", "f8": "float64"}[array.dtype.str[1:]], array.shape, array)


def test_what_was_not_kept_is_neither_the_same_nor_apart() -> None:
    def program(number: float) -> Any:
        array = np.zeros(20_000)
        array[[0, 1, 5]] = 9.0, -9.0, number
        with viz.record() as run:
            tf.constant(array) * 2.0
        return run

    found = differences(program(1.0).stream, program(2.0).stream)
    assert [pair.verdict for pair in found.pairs] == ["unknown", "same", "unknown"]
    assert (found.first, found.unsure) == (None, 2)
    saved = viz.Stream.from_json(train(2, 0.1).stream.to_json())  # of an array, six digits of each number
    assert differences(saved, saved).unsure > 0


def test_all_moments_of_a_long_run_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    def long(last: str) -> Any:
        return SimpleNamespace(all=[*[Moment("enter", "tape") for _ in range(60_000)], Moment("error", last)], limit=0)

    monkeypatch.setattr("viz.tell.differences.Moments", long)
    found = differences("TypeError", "ValueError")  # type: ignore[arg-type]
    assert len(found.pairs) == 60_001 and found.first is found.pairs[-1]


def test_behind_a_full_recording_nothing_is_called_missing() -> None:
    def program(limit: int | None) -> Any:
        with viz.record(limit=limit) as run:
            y = tf.constant(0.5)
            for _ in range(20):
                y = -y
        return run

    short, long = program(8).stream, program(None).stream
    for pairs in (differences(short, long).pairs, differences(long, short).pairs):
        assert len(pairs) == 8 and {pair.verdict for pair in pairs} == {"same"}


def test_a_distance_counts_in_units_in_the_last_place() -> None:
    one = np.array([1.0, 2.0], "f4")
    other = np.array([1.0, np.nextafter(np.float32(2.0), np.float32(3.0))], "f4")
    far = distance(known(one), known(other))
    assert (far.verdict, far.differing, far.size, far.at) == ("rounding", 1, 2, (1,))
    assert far.units == pytest.approx(1.0, rel=1e-3) or far.units == pytest.approx(2.0, rel=1e-3)
    assert distance(known(one), known(other), computed=False).verdict == "apart"  # nobody computed it: it was typed
