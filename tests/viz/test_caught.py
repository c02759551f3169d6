"""Errors that the program catches are steps of the run; those that the library catches itself are none."""

from __future__ import annotations

from typing import Any

import minitape as tf
import viz
from viz.capture.minitape.caught import told_as_caught
from viz.capture.records import Failed, Record, Site, Watched
from viz.tell.scenes import scene_of


def told(run: Any) -> list[str]:
    return [step["say"].split("\n")[0] for step in scene_of(run.stream, placed=False).steps if step["kind"] == "error"]


def test_a_tape_that_is_asked_again_refuses_in_a_step() -> None:
    x = tf.Variable(3.0)
    with viz.record() as run:
        with tf.GradientTape() as tape:
            y = x * x
        tape.gradient(y, x)
        try:
            tape.gradient(y, x)
        except RuntimeError:
            z = y + 1.0
    assert [said[:64] for said in told(run)] == ["An error, which the program catches: RuntimeError: A non-persist"]
    scene = scene_of(run.stream, placed=False)
    assert scene.steps[-1]["say"].startswith("z is 10") and float(z) == 10.0
    assert [record.site and record.site.text for record in run.stream.records if record.kind == "error"] == [
        "tape.gradient(y, x)"
    ]


def test_errors_of_ops_of_doors_and_of_strict_warnings_are_steps() -> None:
    with viz.record() as run:
        for problem in (
            lambda: tf.ones([2]) + tf.ones([3]),  # an op's own
            lambda: tf.one_hot(1, -3),  # a door's
            lambda: tf.Variable([1.0]).assign([1.0, 2.0]),
        ):
            try:
                problem()
            except (ValueError, tf.errors.InvalidArgumentError):
                tf.constant(1.0) * 2.0
        with tf.strict(), tf.GradientTape() as tape:
            try:
                tape.watch(tf.constant(1))
            except tf.errors.NoSlope:
                pass
    assert [said.split(": ")[1] for said in told(run)][-1] == "NoSlope" and len(told(run)) >= 3, told(run)


def test_one_that_ends_a_block_and_is_caught_outside_of_it() -> None:
    try:
        with viz.record() as run:
            try:
                with tf.GradientTape():
                    tf.ones([2, 2]) @ tf.ones([3, 2])
            except tf.errors.InvalidArgumentError:
                pass
            tf.reshape([1.0], [2])
    except tf.errors.InvalidArgumentError:
        pass
    first, last = told(run)
    assert first.startswith("An error, which the program catches: InvalidArgumentError: Matrix size-incompatible")
    assert last.startswith("An error ends the run: InvalidArgumentError: Input to reshape")


def test_one_that_the_library_catches_is_no_step() -> None:
    here, there = map(Site, ("s1", "s2"))

    def after(next_: Site | None) -> list[Any]:
        records: list[Record] = [Failed(site=here, error="ValueError", message="no"), Record(site=here)]
        if next_ is not None:
            records.append(Watched(site=next_, recorder=None, value=None, explicit=False))  # type: ignore[arg-type]
        told_as_caught(records, "")
        return [(record.kind, getattr(record, "caught", None)) for record in records[:1]]

    assert after(here) == [("", None)]  # the same call goes on
    assert after(there) == [("error", True)]
    assert after(None) == [("error", True)]  # nothing happened after it


def test_to_ask_whether_a_value_has_something_is_no_error() -> None:
    with viz.record() as run:
        x = tf.constant(1.0) * 2.0
        assert not hasattr(x, "path")
        assert len(list(tf.data.Dataset.range(3).filter(lambda n: n > 0))) == 2
        x + 1.0
    assert not told(run)


def test_many_at_one_line_are_one_step() -> None:
    two, three = tf.ones([2]), tf.ones([3])
    with viz.record() as run:
        for _ in range(5):
            try:
                two + three
            except tf.errors.InvalidArgumentError:
                pass
    assert len(told(run)) == 1


def test_errors_of_pythons_own_are_steps_where_the_program_deals_with_them() -> None:
    """`y` was computed in an `except` with no word of why."""
    table: dict[str, float] = {}

    def rate(name: str) -> float:
        return table[name]

    with viz.record() as run:
        x = tf.constant(1.0)
        try:
            y = x * rate("fast")
        except KeyError:
            y = x * 0.1
        for text in ("3", "x", "y"):
            try:
                n = tf.constant(float(text))
            except ValueError:
                n = tf.constant(0.0)
            z = y + n
        try:
            tf.ones([2]) + tf.ones([3])
        except tf.errors.InvalidArgumentError:
            z = z * 2.0  # a refusal is told once
    said = [text.removeprefix("An error, which the program catches: ") for text in told(run)]
    assert said[:3] == ["KeyError: 'fast'", *[f"ValueError: could not convert string to float: '{s}'" for s in "xy"]]
    assert len(said) == 4 and said[3].startswith("InvalidArgumentError")
    assert [record.site and record.site.text for record in run.stream.records if record.kind == "error"][:2] == [
        "table[name]", "float(text)"
    ]  # fmt: skip


def test_errors_on_their_way_out_or_from_before_are_no_caught_ones() -> None:
    x = tf.constant(1.0)
    try:
        float("x")
    except ValueError:
        with viz.record() as before:
            x * 2.0
    assert not told(before)
    try:
        with viz.record() as run:
            try:
                with tf.GradientTape():
                    1 / 0
            finally:
                x * 3.0  # runs while the error is on its way
    except ZeroDivisionError:
        pass
    assert told(run) == ["An error ends the run: ZeroDivisionError: division by zero"]
