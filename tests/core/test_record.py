"""What is written down: entries, where they come from, what is dropped, and events."""

from __future__ import annotations

import json
import pathlib
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

import minitape as tf
import viz
from minitape.record.events import Event, listening
from minitape.record.naming import called
from minitape.record.warning import quiet
from minitape.tape import REMEMBERED
from minitape.tensor import Tensor
from tests.support import python


def cubed(x: Any) -> Any:
    square = x * x  # the first line of cubed
    return square * x


# ---- provenance -----------------------------------------------------------------------------------------------------------------


def test_an_entry_names_file_line_function_and_text() -> None:
    x = tf.Variable(2.0, name="x")
    with tf.GradientTape() as tape:
        y = cubed(x)
    first, second = tape.entries
    assert pathlib.Path(first.site.label).resolve() == pathlib.Path(__file__).resolve()
    lines = pathlib.Path(__file__).read_text(encoding="utf-8").splitlines()
    assert lines[first.site.line - 1].strip() == first.site.text == "square = x * x  # the first line of cubed"
    assert second.site.line == first.site.line + 1
    assert first.site.function == "cubed"
    assert first.op == "multiply" and first.formula and first.id < second.id
    assert [one.name for one in first.outputs] == ["square"]
    assert first.inputs[0].id == first.inputs[1].id and first.inputs[0].shape == () and first.inputs[0].nbytes == 4
    assert first.outputs[0].dtype == "float32"
    assert float(tape.gradient(y, x)) == 12.0


def test_the_names_of_values() -> None:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        doubled = x + x
        left, right = doubled * 2.0, doubled * 3.0
        total = right
        total += left
        (walrus := total * 2.0)
        tf.reduce_sum(walrus)
    names = [entry.outputs[0].name for entry in tape.entries]
    assert names == ["doubled", "left", "right", "total", "walrus", ""]
    assert tape.label.name == "tape"


def test_ops_inside_the_library_name_the_learners_line() -> None:
    x = tf.constant([3.0, 4.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        tf.norm(x)  # here
    assert len(tape.entries) == 3
    assert {entry.site.text for entry in tape.entries} == {"tf.norm(x)  # here"}


NOTEBOOK = """
import json
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
cells = [
    "import minitape as tf",
    "x = tf.constant(3.0)\\nwith tf.GradientTape() as tape:\\n    tape.watch(x)\\n    y = x * x  # in a cell\\n",
    "with tf.GradientTape() as tape2:\\n    tape2.watch(x)\\n    z = tf.sin(x)",
]
for cell in cells:
    shell.run_cell(cell, store_history=True).raise_error()
shell.run_cell(cells[1], store_history=True).raise_error()
found = []
for name in ("tape", "tape2"):
    entry = shell.user_ns[name].entries[0]
    found.append([entry.site.label, entry.site.line, entry.site.text, entry.site.function, entry.outputs[0].name])
print("FOUND", json.dumps(found))
"""


def test_an_entry_of_a_notebook_names_cell_line_and_text() -> None:
    pytest.importorskip("IPython")
    root = pathlib.Path(tf.__file__).parents[1]
    done = subprocess.run([sys.executable, "-c", NOTEBOOK], capture_output=True, text=True, cwd=root, check=False)
    line = next((one for one in done.stdout.splitlines() if one.startswith("FOUND")), None)
    assert line is not None, done.stdout + done.stderr
    # The second cell ran twice: it is one cell, and what stands beside it is the number of its last run.
    assert json.loads(line[6:]) == [
        ["cell 4", 4, "y = x * x  # in a cell", "<module>", "y"],
        ["cell 3", 3, "z = tf.sin(x)", "<module>", "z"],
    ]


TIMED = """
import json
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
cells = [
    "import minitape as tf\\nx = tf.constant(3.0)",
    "%%time\\nwith tf.GradientTape() as first:\\n    first.watch(x)\\n    y = x * x  # timed\\nfirst.gradient(y, x)",
    "%%time\\n# another\\ndef half(v):\\n    return v / 2.0\\nwith tf.GradientTape() as second:\\n    second.watch(x)\\n    z = half(x)",
    "third = tf.GradientTape(persistent=True)\\n%time with third: third.watch(x); w = tf.sin(x)",
    "%time third.gradient(w, x)",
]
for cell in cells:
    shell.run_cell(cell, store_history=True).raise_error()
found = []
for name in ("first", "second", "third"):
    entry = shell.user_ns[name].entries[0]
    site = entry.site
    found.append([site.label, site.line, site.text, site.function, site.begins, entry.outputs[0].name])
asked = shell.user_ns["third"].diary.questions[0].moment.site
found.append([asked.label, asked.line, asked.text])
print("FOUND", json.dumps(found))
"""


def test_what_is_timed_has_the_lines_of_its_cell() -> None:
    """IPython compiles all that it times under one name, and counts the lines from the magic on."""
    pytest.importorskip("IPython")
    done = python("-c", TIMED)
    line = next((one for one in done.stdout.splitlines() if one.startswith("FOUND")), None)
    assert line is not None, done.stdout + done.stderr
    assert json.loads(line[6:]) == [
        ["cell 2", 4, "y = x * x  # timed", "<module>", 2, "y"],
        ["cell 3", 4, "return v / 2.0", "half", 3, ""],
        ["cell 4", 2, "with third: third.watch(x); w = tf.sin(x)", "<module>", 2, "w"],
        ["cell 5", 1, "third.gradient(w, x)"],
    ]


# ---- entries live on, what they hold does not -------------------------------------------------------------------------------------


def test_entries_stay_when_the_tape_is_used() -> None:
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.sin(x) * tf.exp(x)
    before = [(e.op, e.site, e.inputs, e.outputs, e.saved, e.params) for e in tape.entries]
    assert [e.held for e in tape.entries] == [True] * 3
    tape.gradient(y, x)
    assert [e.held for e in tape.entries] == [False] * 3
    assert [(e.op, e.site, e.inputs, e.outputs, e.saved, e.params) for e in tape.entries] == before


def test_a_persistent_tape_keeps_holding() -> None:
    x = tf.constant(2.0)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        y = tf.sin(x)
    tape.gradient(y, x)
    assert [e.held for e in tape.entries] == [True]


def test_what_the_gradient_does_not_need_is_let_go_too() -> None:
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y, aside = tf.sin(x), tf.cos(x)
    tape.gradient(y, x)
    assert [e.held for e in tape.entries] == [False, False]
    del aside


@pytest.mark.parametrize("persistent", [False, True])
def test_entries_that_cannot_be_reached_are_dropped_while_recording(persistent: bool) -> None:
    x = tf.zeros([1000])
    with tf.GradientTape(persistent=persistent) as tape:
        tape.watch(x)
        before = tf.ledger.held_for_backward
        y = tf.exp(tf.exp(x))
        assert tf.ledger.held_for_backward - before == 8000
        del y
        assert tf.ledger.held_for_backward == before
        assert [e.held for e in tape.entries] == [False, False]
        z = tf.exp(x)
    del z
    assert tape.entries[-1].held  # no longer recording: what is there may still be asked for


def test_a_value_that_something_reachable_needs_is_not_dropped() -> None:
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        a = tf.sin(x)
        b = tf.exp(a)
        del a
        parts = tf.unstack(tf.stack([b, b * 2.0]))
        kept = parts[1]
        del parts
    assert float(tape.gradient(kept, x)) == pytest.approx(2 * np.exp(np.sin(2.0)) * np.cos(2.0), rel=1e-6)


def test_a_long_loop_does_not_grow() -> None:
    x = tf.constant(0.5)
    with tf.GradientTape(persistent=True) as tape:
        tape.watch(x)
        kept = x * 3.0
        for _ in range(REMEMBERED * 5):
            tf.sin(x)

        assert len([place for place in tape.followed.values() if place >= 0]) == 1
        assert REMEMBERED <= len(tape.entries) <= 2 * REMEMBERED + 1
    assert tape.entries[0].op == "multiply" and tape.entries[0].held  # what is held is never forgotten
    assert float(tape.gradient(kept, x)) == 3.0


def test_a_long_life_of_a_variable_does_not_grow() -> None:
    v = tf.Variable(0.5)
    for _ in range(50):
        with tf.autodiff.ForwardAccumulator(v, tf.constant(1.0)), tf.GradientTape() as tape:
            y = v * v
        tape.gradient(y, v)
    assert len(v.tag.followers) <= 2


# ---- who wrote it down, and why not -------------------------------------------------------------------------------------------------


def test_recorded_by_and_why_not() -> None:
    x, other = tf.constant(2.0), tf.constant(3.0)
    with tf.GradientTape() as sees, tf.GradientTape() as blind:
        sees.watch(x)
        blind.watch(other)
        with tf.autodiff.ForwardAccumulator(other, tf.constant(1.0)) as forward:  # noqa: F841  its name is what counts
            y = x * x
    (entry,) = sees.entries
    assert entry.recorded_by == ("sees",)
    assert entry.not_recorded_by == {"blind": "unwatched", "forward": "no tangent"}
    assert blind.entries == ()
    del y


def test_a_step_is_not_recorded_for_want_of_a_derivative() -> None:
    x = tf.constant(2.5)
    reasons = []
    with (
        listening(lambda event, _: event.kind == "op" and reasons.append(event.facts["application"])),
        tf.GradientTape() as tape,
    ):
        tape.watch(x)
        tf.round(x)
        tf.cast(x, tf.int32)
    assert [application.verdicts[0][1] for application in reasons] == ["no derivative", "no derivative"]
    assert tape.entries == ()


def test_an_outer_tape_tells_backward_and_tangent_ops_apart() -> None:
    x = tf.constant(2.0)
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.sin(x)
        inner.gradient(y, x)
        with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)):
            tf.cos(x)
    phases = [(entry.op, entry.phase) for entry in outer.entries]
    assert phases[0] == ("sin", "forward")
    assert ("cos", "gradient") in phases and ("sin", "jvp") in phases
    backward = next(entry for entry in outer.entries if entry.phase == "gradient")
    assert backward.cause is inner.entries[0].application
    assert all(entry.cause is None for entry in outer.entries if entry.phase == "forward")


# ---- records hold no numbers --------------------------------------------------------------------------------------------------------


def holds_numbers(thing: Any, seen: set[int]) -> Any:
    """The first array or tensor that can be reached from a record, through slots, attributes and containers."""
    if isinstance(thing, np.ndarray | Tensor | tf.Variable):
        return thing
    if id(thing) in seen or isinstance(thing, type | str | bytes | int | float) or callable(thing):
        return None
    seen.add(id(thing))
    inside: list[Any] = []
    if isinstance(thing, dict):
        inside += [*thing.keys(), *thing.values()]
    elif isinstance(thing, list | tuple | set | frozenset):
        inside += list(thing)
    for kind in type(thing).__mro__:
        slots = getattr(kind, "__slots__", ())
        inside += [
            getattr(thing, name) for name in ([slots] if isinstance(slots, str) else slots) if hasattr(thing, name)
        ]
    inside += vars(thing).values() if hasattr(thing, "__dict__") else []
    return next((found for one in inside if (found := holds_numbers(one, seen)) is not None), None)


def a_bit_of_everything() -> None:
    x, v = tf.constant([[1.0, 2.0], [3.0, 4.0]]), tf.Variable([1.0, 2.0])
    with tf.autodiff.ForwardAccumulator(v, tf.ones([2])) as acc:
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = tf.reduce_sum(tf.gather(x, [1, 0])[:, ::-1] * v) + tf.reduce_sum(tf.pad(x, [[1, 0], [0, 1]]))
            z = tf.one_hot([0, 1], 2) @ tf.concat(tf.split(x, 2), 0)
            with tape.stop_recording():
                v.assign_add([1.0, 1.0])
        tape.gradient([y, z], [x, v])
        tape.jacobian(z, x)
    acc.jvp(y)
    float(y)


def test_the_walk_finds_numbers() -> None:
    event = Event("x", 1, None, None, {"deep": [({"a": np.ones(1)},)]})  # type: ignore[arg-type]
    assert holds_numbers(event, set()) is not None


def test_events_and_applications_hold_no_numbers() -> None:
    events: list[Event] = []
    with listening(lambda event, tensors: events.append(event)):
        a_bit_of_everything()
    assert len(events) > 100 and {event.kind for event in events} >= {
        "op",
        "made",
        "enter",
        "exit",
        "tangent",
        "contribution",
    }
    for event in events:
        assert holds_numbers(event, set()) is None, event


def test_ticks_only_grow() -> None:
    events: list[Event] = []
    with listening(lambda event, tensors: events.append(event)):
        a_bit_of_everything()
    ticks = [event.tick for event in events]
    assert ticks == sorted(set(ticks))


def test_entries_stand_in_the_order_of_their_ticks() -> None:
    """Also those of regions, of custom gradients and of a tape inside a tape: by its tick an entry is found again."""
    sine = tf.recompute_grad(lambda x: tf.sin(tf.sin(x)))
    own = tf.custom_gradient(lambda x: (x * x, lambda change: change * 2.0 * x))
    x = tf.Variable(0.5)
    with tf.GradientTape(persistent=True) as outer:
        with tf.GradientTape() as inner:
            y = own(sine(x)) + sine(own(x) * x)
        slope = inner.gradient(y, x)
        entries = outer.entries
        # It records its own backward pass.
        assert outer.gradient(slope, x) is not None and len(outer.entries) > len(entries)
    for one in (outer.entries, inner.entries):
        ticks = [entry.id for entry in one]
        assert len(ticks) > 5 and ticks == sorted(set(ticks))
    held = [entry.held for entry in outer.entries]  # some of them nobody can reach any more
    assert held == list(map(outer.written.holds, outer.written.places)) and set(held) == {True, False}
    assert {entry.held for entry in inner.entries} == {False}


def test_an_entry_is_itself_whenever_it_is_asked_for() -> None:
    x = tf.Variable(2.0)
    with tf.GradientTape() as one, tf.GradientTape() as other:
        x * x + x
    assert one.entries == one.entries and len({*one.entries, *one.entries}) == 2
    assert one.entries[0] != one.entries[1] and one.entries[0] != other.entries[0] and one.entries[0] != "multiply"


def test_an_entry_that_was_folded_away_can_still_be_read() -> None:
    x = tf.Variable(2.0)
    with tf.GradientTape(persistent=True) as tape:
        kept = x * x
        x * 3.0
        first, gone = tape.entries
        for _ in range(2 * REMEMBERED + 2):
            x * 2.0
    assert (gone.op, gone.held, gone.values()) == ("multiply", False, [None] * 3)
    assert gone not in tape.entries and first in tape.entries
    assert first.held and [one is not None for one in first.values()] == [True, True, False]
    assert float(tape.gradient(kept, x)) == 4.0


def kinds(program: Any) -> list[str]:
    told: list[str] = []

    def listener(event: Event, tensors: Any) -> None:
        application = event.facts.get("application") if event.kind == "op" else None
        told.append(f"{event.context.phase} {application.op}" if application else event.kind)

    with listening(listener):
        program()
    return told


def test_the_order_of_events_of_a_tape() -> None:
    def program() -> None:
        x = tf.constant(3.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.sin(x)
        tape.gradient(y, x)

    assert kinds(program) == [
        "made", "enter", "watch", "forward sin", "exit",
        "gradient", "seed", "gradient cos", "gradient multiply", "contribution", "gradients", "release",
    ]  # fmt: skip


def test_the_order_of_events_of_an_accumulator() -> None:
    def program() -> None:
        x = tf.constant(3.0)
        with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
            y = tf.sin(x)
        acc.jvp(y)

    assert kinds(program) == [
        "made", "made", "tangent", "enter", "forward sin", "jvp cos", "jvp multiply", "tangent", "exit", "look-up",
    ]  # fmt: skip


def test_the_order_of_events_of_a_variable() -> None:
    def program() -> None:
        v = tf.Variable(1.0)
        with tf.GradientTape() as tape:
            y = tf.exp(v)
            with tape.stop_recording():
                v.assign(2.0)
            tape.reset()
        float(y)

    assert kinds(program) == [
        "made",
        "enter",
        "watch",
        "forward exp",
        "pause",
        "assign",
        "resume",
        "reset",
        "exit",
        "export",
    ]


def test_with_no_listener_nothing_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("minitape.record.events.Event", None)
    a_bit_of_everything()


def test_an_instruction_is_one_place_however_often_it_ran() -> None:
    """After a while Python specializes `rows[0]`, whose frames then stand at another offset of the same instruction."""
    rows = tf.constant([[1.0, 2.0], [3.0, 4.0]])
    seen = set()
    for _ in range(60):
        with tf.GradientTape() as tape:
            tape.watch(rows)
            first = rows[0]
        seen.add(tape.entries[0].site.settled())
        assert tape.entries[0].site.settled().line == tape.entries[0].site.line
    assert len(seen) == 1, first

    def total() -> Any:
        return sum(
            (rows * x for x in (2.0, 3.0)), 0.0
        )  # a call: two instructions in Python 3.11, later on the first alone

    with tf.GradientTape() as tape:
        tape.watch(rows)
        for _ in range(60):
            total()
    assert len({entry.site.settled() for entry in tape.entries if entry.op == "add"}) == 1


# ---- little is kept -------------------------------------------------------------------------------------------------------------


def test_a_value_that_an_op_takes_twice_is_kept_once() -> None:
    x = tf.constant([3.0, 4.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
        z = x * tf.identity(x)
    first, _, last = map(tape.written.handles, tape.written.places)
    assert first[0] is first[1] and last[0] is not last[1]
    assert [one.nbytes for one in tape.entries[0].saved] == [8, 8]
    assert tape.gradient([y, z], x).numpy().tolist() == [12.0, 16.0]


def test_a_tape_remembers_only_the_last_of_a_long_life() -> None:
    x = tf.Variable(3.0)
    tape = tf.GradientTape(persistent=True)
    for _ in range(200):
        with tape:
            y = x * x
            with tape.stop_recording():
                tape.gradient(y, x)
    assert len(tape.diary.spans) < 70 and len(tape.diary.questions) < 20
    last, listened = tape.diary.last("exit"), tape.diary.last("resume")
    assert last is not None and listened is not None and last.site == listened.site and last.tick > listened.tick
    assert "6" in str(tape.why(y, x))


# ---- NumPy's warnings -------------------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("error")
def test_a_quiet_function_says_nothing_and_leaves_the_settings_as_they_were() -> None:
    told: list[dict[str, str]] = []

    @quiet
    def divide(x: float, *, by: float) -> Any:
        told.append(np.geterr())
        if by < 0:
            raise ValueError
        return np.float64(x) / np.float64(by)

    before = np.geterr()
    with np.errstate(all="raise"):
        assert divide(1.0, by=0.0) == np.inf
        with pytest.raises(ValueError):
            divide(1.0, by=-1.0)
        assert set(np.geterr().values()) == {"raise"}
    assert np.geterr() == before and all(set(each.values()) == {"ignore"} for each in told)


def test_dividing_single_numbers_warns_no_more_than_dividing_arrays() -> None:
    with np.errstate(all="raise"):
        assert float(tf.constant(1.0) * 1.0 / 0.0) == np.inf
        assert np.isnan(float((tf.constant(0.0) * 1.0) / (tf.constant(0.0) * 1.0)))


def test_a_function_without_a_name_is_called_by_what_it_is_bound_to() -> None:
    class Holder:
        pass

    def given(activation: object) -> object:
        return activation

    held = Holder()
    held.act = lambda h: h  # type: ignore[attr-defined]
    f = lambda x: lambda y: x  # noqa: E731
    g = tf.recompute_grad(lambda
        h: tf.sin(h))  # fmt: skip
    rules = {"square": tf.custom_gradient(lambda x: (x * x, lambda dy: 2.0 * x * dy)), "plain": abs}
    one, two = (lambda x: x), (lambda x: x + 1)
    functions: list[Any] = [held.act, f, f(1), g.__wrapped__, given(lambda t: t), given(activation=lambda t: t)]  # type: ignore[attr-defined]
    said = [called(function) for function in functions]
    assert said == ["act", "f", "lambda", "g", "lambda", "activation"]
    x = tf.Variable(3.0)
    with viz.record() as run, tf.GradientTape() as tape:
        y = rules["square"](g(x))
    tape.gradient(y, x)
    told = " ".join(step["say"] for step in run.scene.steps)
    assert "Into g:" in told and "the rule of square" in told and "<lambda>" not in told
    assert [called(one), called(two)] == ["one", "two"]
