"""Random programs with one planted mistake: `why` names it, and it never blames a program that is right.

A program is a chain of steps from x to the last value.  It comes in several dresses (in one piece, in a function, in a
training loop, under an accumulator), with harmless lines among the steps that look like mistakes: numbers that are logged,
compared, shown, or held and not used.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import minitape as tf
from tests.core.test_why import run

STEPS = [
    "{a} * {b}", "{a} + {b}", "{a} - 0.5 * {b}", "tf.sin({a})", "tf.exp(0.1 * {a})", "tf.tanh({a} + {b})", "{a} ** 2.0",
    "tf.reduce_sum(tf.stack([{a}, {b}]))", "tf.maximum({a}, {b}) + {a}", "{a} / ({b} * {b} + 1.0)",
    "tf.where({a} > 0.3, {a} * 2.0, {b})", "tf.stack([{b}, {a} * 1.5])[1]", "tf.matmul([[{a}]], [[{b} + 1.0]])[0, 0]",
]  # fmt: skip
HARMLESS = [
    "log.append(float({a}))", "log.append(f'{{float({a}):.3f}}')", "seen = {a}.numpy()", "shown = np.round(np.asarray({a}), 2)",
    "large = bool({a} > 100.0)", "held = tf.stop_gradient({a})", "rounded = tf.round({a})", "whole = int({a} * 0.0)",
    "memory.assign({a})", "assert not np.isnan({a}.numpy())", "nearest = tf.cast({a}, tf.int32)",
]  # fmt: skip

# mistake: what `why` must say under a tape, and under an accumulator where the mistake can be made there
MISTAKES: dict[str, tuple[str, str | None]] = {
    "watch removed": ("M01", None), "watched too late": ("M02", None), "whole numbers": ("M03", "F03"),
    "NumPy detour": ("M04", "M04"), "numpy() and back": ("M04", "M04"), "float() and back": ("M04", "M04"),
    "replaced": ("M05", None), "dedented": ("M06", "F01"), "before the block": ("M07", "F01"),
    "another source": ("M08", "M08"), "not trainable": ("M09", None), "assigned": ("M10", "M10"), "rounded": ("M11", "M11"),
    "cast to whole numbers": ("M11", "M11"), "compared": ("M11", "M11"), "stop_gradient": ("M21", "M21"),
    "stop_recording": ("M21", None), "dedented inner": ("M16", None), "inner not watching": ("M17", None),
    "half a detour": ("M12", None), "several elements": ("M19", None), "clipped": ("M23", None),
}  # fmt: skip
SILENT = {"half a detour": "LeftTheTape", "several elements": "SummedTarget", "clipped": "ClippedToZero"}
WALLS = {
    "NumPy detour": ["n = np.sin({a})", "w = tf.constant(n)"],
    "numpy() and back": ["w = tf.constant({a}.numpy())"],
    "float() and back": ["n = float({a}) + 1.0", "w = tf.constant(n) * 2.0"],
    "assigned": ["place.assign({a})", "w = place * 2.0"],
    "rounded": ["w = tf.round({a})"],
    "cast to whole numbers": ["w = tf.cast(tf.cast({a}, tf.int32), tf.float32)"],
    "compared": ["w = tf.cast({a} > 0.1, tf.float32)"],
    "stop_gradient": ["w = tf.stop_gradient({a})"],
    "stop_recording": ["with recorder.stop_recording():", "    w = {a} * 1.5"],
}
# Where the numbers of half a detour wait until they come back.
KEPT = {"{n}": [], "box.n": ["box.n = {n}"], "kept['n']": ["kept['n'] = {n}"], "found[-1]": ["found.append({n})"]}
DRESSES = ["plain", "function", "loop", "accumulator"]


@dataclass
class Case:
    """A program and what was done to it."""

    mistake: str
    dress: str
    text: str = ""
    expected: str = "OK"


@dataclass
class Draft:
    """The parts of a program on the way to its text."""

    x: str = "tf.Variable(0.7)"
    early: list[str] = field(default_factory=list)
    first: list[str] = field(default_factory=list)
    body: list[str] = field(default_factory=list)
    late: list[str] = field(default_factory=list)
    last: str = "v0"
    source: str = "x"


@st.composite
def cases(draw: Any, mistakes: Sequence[str]) -> Case:
    """A random program with one of these mistakes ("none": with none)."""
    mistake = draw(st.sampled_from(mistakes))
    dress = draw(st.sampled_from(DRESSES if mistake == "none" or MISTAKES[mistake][1] else DRESSES[:-1]))
    if mistake in ("replaced", "dedented inner", "inner not watching", "dedented", "before the block"):
        dress = "accumulator" if dress == "accumulator" else "plain"
    made = _draft(draw, mistake, dress)
    expected = "OK" if mistake == "none" else MISTAKES[mistake][dress == "accumulator"] or ""
    return Case(mistake, dress, _text(made, mistake, dress), expected)


def _chain(draw: Any, first: str, others: list[str], start: int, end: int) -> list[str]:
    """Steps from `first` to the value v{end − 1}, each using the one before; between them a few lines that do no harm."""
    lines, names = [], [*others, first]
    for index in range(start, end):
        step = draw(st.sampled_from(STEPS)).format(a=names[-1], b=draw(st.sampled_from(names)))
        lines.append(f"v{index} = {step}")
        names.append(f"v{index}")
        if draw(st.integers(0, 3)) == 0:
            lines.append(draw(st.sampled_from(HARMLESS)).format(a=names[-1]))
    return lines


def _draft(draw: Any, mistake: str, dress: str) -> Draft:
    count = draw(st.integers(2, 6))
    made = Draft(last=f"v{count - 1}")
    watched = mistake in ("watch removed", "watched too late", "inner not watching") or draw(st.booleans())
    if dress == "accumulator":
        made.x = "tf.constant(0.7)"
    elif mistake == "whole numbers":
        made.x = draw(st.sampled_from(["tf.Variable(2)", "tf.constant(2)"]))
    elif mistake == "not trainable":
        made.x = "tf.Variable(0.7, trainable=False)"
    elif watched and mistake != "replaced":
        made.x = "tf.constant(0.7)"
        made.first = [] if mistake in ("watch removed", "watched too late") else ["recorder.watch(x)"]
    made.body = _chain(draw, "x", [], 0, count)
    if mistake == "whole numbers":
        made.x = made.x.replace("0.7", "2")
        made.body = ["v0 = x * x", *[f"v{i} = v{i - 1} + x" for i in range(1, count)]]
    elif mistake in WALLS:
        at = draw(st.integers(0, count - 1))
        before = "x" if at == 0 else f"v{at - 1}"
        wall = [line.format(a=before) for line in WALLS[mistake]]
        made.body = [*_chain(draw, "x", [], 0, at), *wall, *_chain(draw, "w", [], at, count)]
    elif mistake == "half a detour":
        how = draw(st.sampled_from(["float({a})", "{a}.numpy()", "np.exp({a})"]))
        number = how.format(a=draw(st.sampled_from(["x", "v0", made.last])))
        kept = draw(st.sampled_from([*KEPT]))
        made.body += [line.format(n=number) for line in (*KEPT[kept], f"w = {kept} * {made.last}")]
        made.last = "w"
    elif mistake == "several elements":
        made.body += [f"w = {made.last} * tf.constant([3.0, 4.0])"]
        made.last = "w"
    elif mistake == "clipped":
        made.body += [f"w = tf.clip_by_value({made.last} * 0.0 + {made.last}, 1000.0, 2000.0) * 2.0"]
        made.last = "w"
    elif mistake == "another source":
        made.source = "other"
    elif mistake == "dedented":
        cut = next(i for i, line in enumerate(made.body) if line.startswith(f"{made.last} ="))
        made.body, made.late = made.body[:cut], made.body[cut:]
    elif mistake == "before the block":
        made.early, made.body = _chain(draw, "x", [], 0, 1), _chain(draw, "v0", [], 1, count)
    elif mistake == "watched too late":
        made.body.append("recorder.watch(x)")
    return made


def _indented(lines: list[str], by: int = 1) -> list[str]:
    return [textwrap.indent(line, "    " * by) for line in lines]


def _text(made: Draft, mistake: str, dress: str) -> str:
    head = [f"x = {made.x}", "other, place, memory = tf.Variable(1.0), tf.Variable(1.0), tf.Variable(1.0)", "log = []"]
    head += ["class Box: pass", "box, kept, found = Box(), {}, []"]
    last, body = made.last, made.body
    if mistake in ("dedented inner", "inner not watching"):
        return "\n".join([*head, *_nested(made, mistake)])
    if dress == "accumulator":
        primal = "other" if mistake == "another source" else "x"
        seed = f"tf.ones_like({primal})"
        block = [f"with tf.autodiff.ForwardAccumulator({primal}, {seed}) as recorder:", *_indented(body)]
        ask = [f"g = recorder.jvp({last})", f"e = recorder.why({last})"]
        return "\n".join([*head, *made.early, *block, *made.late, *ask])
    ask = [f"g = recorder.gradient({last}, {made.source})", f"e = recorder.why({last}, {made.source})"]
    if dress == "function" and not any("recorder" in line for line in body):
        head += ["def model(x):", *_indented([*body, f"return {last}"])]
        body = [f"{last} = model(x)"]
    elif dress == "function":
        head += ["def model(x, recorder):", *_indented([*body, f"return {last}"])]
        body = [f"{last} = model(x, recorder)"]
    block = ["with tf.GradientTape() as recorder:", *_indented([*made.first, *body] or ["pass"])]
    if mistake == "replaced":
        return "\n".join([*head, *block, "x = x + 1.0", *block, *ask])
    program = [*made.early, *block, *made.late, *ask]
    if dress == "loop":
        program = ["for step in range(3):", *_indented([*program, "other.assign_sub(0.1 * place)"])]
    return "\n".join([*head, *program])


def _nested(made: Draft, mistake: str) -> list[str]:
    last = made.last
    body = [*made.body, f"{last} = {last} * x * x"]
    if mistake == "inner not watching":
        inner = ["recorder.watch(x)", "with tf.GradientTape() as inner:", *_indented(body)]
        ask = [f"g = inner.gradient({last}, x)", f"e = inner.why({last}, x)"]
        return ["with tf.GradientTape() as recorder:", *_indented([*inner, *ask])]
    inner = ["with tf.GradientTape() as inner:", *_indented([line.replace("recorder", "inner") for line in made.first])]
    block = ["with tf.GradientTape() as recorder:", *_indented([*made.first, *inner, *_indented(body)])]
    return [*block, f"d = inner.gradient({last}, x)", "g = recorder.gradient(d, x)", "e = recorder.why(d, x)"]


def judged(case: Case) -> str:
    """What is wrong with the explanation of a case; "" where nothing is."""
    space = run(case.text)
    e, heard = space["e"], [one.category.__name__ for one in space["heard"]]
    about = f"{case.mistake} ({case.dress})\n{case.text}\n{e}\nheard: {heard}"
    assert (space["g"] is not None) == (case.mistake in ("none", *SILENT)), about  # the mistake was planted well
    due = [SILENT[case.mistake]] if case.mistake in SILENT else ["NoSlope"] if case.mistake == "whole numbers" else []
    named = e.code == case.expected and (case.mistake not in SILENT or set(heard) == set(due))
    return "" if named and set(heard) <= set(due) else about


@pytest.mark.slow
def test_a_planted_mistake_is_found() -> None:
    """In 98 of 100 programs over all kinds of mistake, each of which is planted a dozen times."""
    found: list[str] = []

    @settings(max_examples=12, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(st.data())
    def check(mistake: str, data: st.DataObject) -> None:
        found.append(judged(data.draw(cases([mistake]))))

    for mistake in MISTAKES:
        check(mistake)
    missed = [said for said in found if said]
    assert len(found) >= 200
    assert len(missed) <= 0.02 * len(found), f"{len(missed)} of {len(found)}\n" + "\n\n".join(missed[:4])


@pytest.mark.slow
@settings(max_examples=80, deadline=None, database=None, suppress_health_check=list(HealthCheck))
@given(cases(["none"]))
def test_a_correct_program_is_not_blamed(case: Case) -> None:
    said = judged(case)
    assert not said, said


def test_every_mistake_has_a_warning_or_gives_none() -> None:
    assert set(SILENT) <= set(MISTAKES) and set(WALLS) <= set(MISTAKES)
    for name in SILENT.values():
        assert issubclass(getattr(tf.errors, name), tf.errors.MinitapeWarning)
