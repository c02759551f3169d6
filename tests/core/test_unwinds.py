"""Ctrl-C at any instruction: nobody listens any more, nothing is at work, and the next program's numbers and bytes are right.

A fault is raised before a bytecode of the library that is chosen by chance.  Real interrupts arrive at fewer places: Python
looks for them at the beginning of a function, after a call, and at the end of a loop's turn.
"""

from __future__ import annotations

import bisect
import contextlib
import gc
import io
import itertools
import json
import random
import sys
from collections import defaultdict
from collections.abc import Callable
from time import perf_counter
from types import CodeType, FrameType
from typing import Any

import numpy as np
import pytest

import minitape as tf
import viz
from minitape.compatible import tensorflow
from minitape.recompute import is_recomputing
from minitape.record.events import listening, state
from minitape.record.ledger import ledger
from minitape.record.provenance import GENERATED
from tests.support import python, times
from viz.capture.minitape import recording

# ---- programs ------------------------------------------------------------------------------------------------------------------


def plain() -> Any:
    x = tf.constant([1.0, 2.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.reduce_sum(tf.sin(x) * x)
    return tape.gradient(y, x)


def nested() -> Any:
    x = tf.Variable(2.0)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            y = x * x * x
        slope = inner.gradient(y, x)
    return outer.gradient(slope, x)


def paused() -> Any:
    x = tf.Variable(2.0)
    with tf.GradientTape(persistent=True) as tape:
        y = x * x
        with tape.stop_recording():
            slope = tape.gradient(y, x)
        z = y * x
    return tape.gradient(z, x), slope


def forward() -> Any:
    x = tf.constant(3.0)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as outer:
        with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as inner:
            y = x * x * tf.exp(x)
        moved = inner.jvp(y)
    return outer.jvp(moved)


def forward_over_reverse() -> Any:
    x = tf.Variable([1.0, 2.0])
    with tf.autodiff.ForwardAccumulator(x, tf.constant([1.0, 0.0])) as accumulator:
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(x**3.0)
        slope = tape.gradient(y, x)
    return accumulator.jvp(slope)


def region() -> Any:
    weight = tf.Variable(0.5)

    @tf.recompute_grad
    def body(x: Any) -> Any:
        return tf.nn.dropout(tf.tanh(weight * x), 0.5)

    x = tf.constant([1.0, 2.0, 3.0])
    with tf.GradientTape() as tape, tf.name_scope("scope"):
        tape.watch(x)
        y = tf.reduce_sum(body(body(x)))
    return tape.gradient(y, [x, weight])


def wrapped() -> Any:
    half = tf.keras.Sequential([tf.keras.layers.Dense(1, name="half")])
    other = tf.keras.Sequential([tf.keras.layers.Dense(1, name="other")])
    layer = tf.ReversibleLayer(half, other)
    x1, x2 = tf.constant([[1.0]]), tf.constant([[2.0]])
    with tf.GradientTape() as tape:
        tape.watch([x1, x2])
        y1, y2 = layer(x1, x2)
        y = tf.reduce_sum(y1 * y2)
    return tape.gradient(y, [x1, x2])


def custom() -> Any:
    @tf.custom_gradient
    def clipped(x: Any) -> Any:
        return tf.exp(x), lambda up: tf.minimum(up * tf.exp(x), 1.0)

    x = tf.constant([0.5, 1.0])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = clipped(x)
    return tape.gradient(y, x)


def loop() -> Any:
    x = tf.Variable(1.1)
    with tf.GradientTape() as tape:
        _, y = tf.while_loop(lambda i, y: i < 3, lambda i, y: (i + 1, y * x), [tf.constant(0), x])
        y = tf.cond(y > 0.0, lambda: y * 2.0, lambda: y)
    return tape.gradient(y, x)


def training() -> Any:
    model = tf.keras.Sequential([tf.keras.layers.Dense(2, activation="tanh"), tf.keras.layers.Dense(1)])
    model.compile(optimizer="adam", loss="mse")
    model.fit(np.ones((4, 2), "float32"), np.ones((4, 1), "float32"), epochs=1, batch_size=2, verbose=0)
    return model.predict(np.ones((1, 2), "float32"), verbose=0)


def jacobian() -> Any:
    x = tf.Variable([1.0, 2.0])
    with tf.compat("tf"), tf.GradientTape(persistent=True) as tape:
        y = tf.gather(x, [0, 1, 1]) * tf.reduce_sum(x)
    return tape.jacobian(y, x), tape.why(y, x)


def recorded() -> Any:
    with viz.record() as run:
        with viz.region("all"), tf.device("GPU:0"):
            x = tf.Variable(3.0)
            with tf.GradientTape() as tape:
                y = x * x
            slope = tape.gradient(y, x)
    return slope, len(run.scene.steps)


PROGRAMS: tuple[Callable[[], Any], ...] = (
    plain, nested, paused, forward, forward_over_reverse, region, wrapped, custom, loop, training, jacobian, recorded,
)  # fmt: skip

# ---- faults ----------------------------------------------------------------------------------------------------------------------


class Stop(KeyboardInterrupt):
    """The learner has had enough."""


def ours(code: CodeType) -> bool:
    """Whether a function is the library's own, or one that its engine wrote."""
    name = code.co_filename
    return "/minitape/" in name or "/viz/" in name and "/tests/" not in name or name.startswith(GENERATED)


@contextlib.contextmanager
def traced(call: Callable[[FrameType], Any]) -> Any:
    """Ask about each call of a function of the library's; the answer follows the bytecodes of that call, or is None."""

    def begins(frame: FrameType, event: str, argument: Any) -> Any:
        follows = call(frame) if ours(frame.f_code) else None
        if follows is not None:
            frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return follows

    before = sys.gettrace()
    sys.settrace(begins)
    try:
        yield
    finally:
        sys.settrace(before)


Place = tuple[CodeType, int, int]  # a function of the library's, which of its calls, and which bytecode of that call


def lengths(program: Callable[[], Any]) -> dict[CodeType, list[int]]:
    """How many bytecodes each call took, by function."""
    seen: defaultdict[CodeType, list[int]] = defaultdict(list)

    def call(frame: FrameType) -> Any:
        counts = seen[frame.f_code]
        place = len(counts)
        counts.append(0)

        def opcode(frame: FrameType, event: str, argument: Any) -> Any:
            counts[place] += event == "opcode"
            return opcode

        return opcode

    with traced(call):
        run(program)
    return seen


@contextlib.contextmanager
def fault_at(place: Place) -> Any:
    """Raise before that bytecode, or where the call ends before it.  No other call is followed, so this takes no time."""
    code, calls, left = place

    def call(frame: FrameType) -> Any:
        nonlocal calls
        calls -= frame.f_code is code
        return opcode if calls == -1 and frame.f_code is code else None

    def opcode(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal left
        left -= event == "opcode"
        if left < 0 or event == "return":
            raise Stop
        return opcode

    with traced(call):
        yield


def places(program: Callable[[], Any], count: int, seed: str) -> list[Place]:
    """Bytecodes of a program by chance, each as likely as any other."""
    lengths(program)  # after a run that nobody followed, Python 3.13 tells of few bytecodes, and of all the next time
    calls = [(code, which, length) for code, each in lengths(program).items() for which, length in enumerate(each)]
    ends = list(itertools.accumulate(length for *_, length in calls))
    found = []
    for number in sorted(random.Random(seed).sample(range(ends[-1]), min(count, ends[-1]))):
        code, which, length = calls[at := bisect.bisect_right(ends, number)]
        found.append((code, which, number - (ends[at] - length)))
    return found


def at_work() -> Any:
    """Whatever a block of the library might leave behind."""
    now = dict(vars(state))
    return now | {
        "observers": ledger.observers,
        "modes": repr(tf.strict(None)),
        "compat": tensorflow(),
        "again": is_recomputing(),
    }


def told(value: Any) -> str:
    return repr([np.asarray(one).tolist() if isinstance(one, tf.Tensor) else one for one in tf.nest.flatten(value)])


def run(program: Callable[[], Any]) -> str:
    tf.random.set_seed(7)
    tf.keras.utils.set_random_seed(7)
    with contextlib.redirect_stdout(io.StringIO()):
        return told(program())


def interrupted(program: Callable[[], Any], place: tuple[int, int]) -> bool:
    """Run with a fault; whether it came out as one."""
    try:
        with fault_at(place):
            run(program)
    except Stop:
        return True
    return False


@pytest.fixture
def everything_can_be_counted() -> Any:
    gc.unfreeze()  # the ledger asks the collector for all tensors
    yield
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="module", autouse=True)
def the_ledger_is_right_again() -> Any:
    yield
    gc.unfreeze()
    gc.collect()
    ledger.recount()
    gc.freeze()


@pytest.fixture(autouse=True)
def nothing_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pytest's hook would keep the frames of what `__del__` swallows."""
    monkeypatch.setattr(sys, "unraisablehook", lambda _: None)


FAULTS = times(4_800, 40) // len(PROGRAMS)


@pytest.mark.deep
@pytest.mark.filterwarnings("ignore::minitape.errors.MinitapeWarning")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda one: one.__name__)
def test_an_interrupt_anywhere_leaves_nothing_behind(program: Callable[[], Any], record_property: Any) -> None:
    record_property(
        "tried: Ctrl-C at a bytecode of 12 programs: recorders, scopes, generators, the next numbers", FAULTS
    )
    answer, before = run(program), at_work()  # the first run has built what is built once
    stopped = 0
    for place in places(program, FAULTS, program.__name__):
        stopped += interrupted(program, place)
        assert at_work() == before, f"after {place}"
        assert tf.recorders() == ()
    assert stopped >= 0.6 * FAULTS, "the faults did not come out: something swallows an interrupt"
    assert run(program) == answer


BYTES = times(1_200, 50) // len(PROGRAMS)


def kept(program: Callable[[], Any], count: int) -> str:
    """Where an interrupt made the ledger count wrong: nowhere, and this is empty."""
    run(program)
    gc.collect()
    ledger.recount()
    before = ledger.reading()
    for place in places(program, count, program.__name__ + " bytes"):
        interrupted(program, place)
        gc.collect()
        ledger.recount()
        if ledger.reading() != before:
            return f"after {place}: {ledger.reading()}, and before it {before}"
    return ""


@pytest.fixture(scope="module")
def kept_by_program() -> dict[str, str]:
    """Of each program, in one Python that does nothing else: the ledger asks for every object there is, and tests have very many."""
    done = python("-W", "ignore", "-m", "tests.core.test_unwinds", str(BYTES))
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.deep
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda one: one.__name__)
def test_an_interrupt_keeps_no_bytes(
    program: Callable[[], Any], kept_by_program: dict[str, str], record_property: Any
) -> None:
    record_property("tried: Ctrl-C at a bytecode of 12 programs: the ledger, recounted", BYTES)
    assert not kept_by_program[program.__name__]


@pytest.mark.filterwarnings("ignore::minitape.errors.MinitapeWarning")
@pytest.mark.parametrize("program", PROGRAMS, ids=lambda one: one.__name__)
def test_an_error_at_any_event_leaves_nothing_behind(program: Callable[[], Any]) -> None:
    """Whoever listens may fail, also where a recorder is entered and left."""
    run(program)
    before, count = at_work(), 0

    def counts(event: Any, tensors: Any) -> None:
        nonlocal count
        count += 1

    with listening(counts):
        run(program)
    for number in sorted(
        {*range(1, min(count, 12)), *random.Random(count).sample(range(1, count + 1), min(count, 12))}
    ):
        left = [number]

        def fails(event: Any, tensors: Any, left: list[int] = left) -> None:
            left[0] -= 1
            if not left[0]:
                raise Stop

        with contextlib.suppress(Stop), listening(fails):
            run(program)
        assert at_work() == before, f"at event {number} of {count}"


# ---- what is left over all the same ------------------------------------------------------------------------------------------------


def test_a_block_that_is_entered_by_hand_is_shown_and_can_be_ended() -> None:
    x = tf.Variable(3.0)
    lost = tf.GradientTape()
    lost.__enter__()
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as accumulator:
        assert tf.recorders() == (lost, accumulator)
    assert tf.recorders(leave=True) == (lost,)
    assert tf.recorders() == ()
    assert lost.gradient(x * x, x) is None  # it did not hear that


def test_an_end_that_is_let_go_before_its_block_begins_does_nothing() -> None:
    x = tf.Variable(3.0)
    tape = tf.GradientTape(persistent=True)
    assert callable(tape.__exit__)
    with tape:
        assert callable(tape.__exit__)
        with pytest.raises(ValueError, match="still recording"), tape:
            pass
        assert tf.recorders() == (tape,)
        y = x * x
    assert float(tape.gradient(y, x)) == 6.0
    assert tf.recorders() == ()


def test_a_block_works_on_an_exit_stack() -> None:
    x = tf.Variable(3.0)
    with contextlib.ExitStack() as stack:
        tape = stack.enter_context(tf.GradientTape())
        stack.enter_context(tf.name_scope("a"))
        y = x * x
    assert float(tape.gradient(y, x)) == 6.0
    assert tf.recorders() == () and state.context.scope == ""


@pytest.mark.parametrize(
    "recorder",
    [tf.GradientTape, lambda: tf.autodiff.ForwardAccumulator(tf.constant(1.0), tf.constant(1.0))],
    ids=["tape", "accumulator"],
)
def test_a_generator_that_is_dropped_in_the_middle_of_a_backward_pass_changes_nothing_there(recorder: Any) -> None:
    def waits() -> Any:
        with recorder():
            yield

    waiting = [waits()]
    next(waiting[0])

    @tf.custom_gradient
    def f(x: Any) -> Any:
        def grad(up: Any) -> Any:
            at_work = state.context, state.holder
            waiting.clear()  # its recorder is left here, by GeneratorExit
            assert (state.context, state.holder) == at_work
            return 5.0 * up

        return tf.identity(x), grad

    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = f(x)
    assert float(tape.gradient(y, x)) == 5.0
    assert tf.recorders() == ()


def test_the_ledger_finds_its_sums_again(everything_can_be_counted: None) -> None:
    x = tf.zeros([1000])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.sin(x)
    gc.collect()
    ledger.recount()
    right = ledger.reading()
    ledger.live += 12
    ledger.charges[2] -= 4
    ledger.held_for_backward -= 4
    assert ledger.recount() == {"python": -16, "tape": 4, "live": -12, "held_for_backward": 4}
    assert ledger.reading() == right
    assert ledger.recount() == {}
    gc.freeze()  # the collector hides what there is: a count would find nothing
    assert ledger.recount() == {} and ledger.reading() == right
    gc.unfreeze()
    del y, tape


def test_a_run_begins_with_right_sums_and_says_when_they_were_not(
    everything_can_be_counted: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    gc.collect()
    ledger.recount()
    ledger.live += 12
    monkeypatch.setattr(recording, "next_count", [0.0])
    with pytest.warns(tf.errors.CountedAnew, match=r"python -12 bytes, live -12 bytes") as heard, viz.record():
        x = tf.zeros([10])
    assert heard[0].filename == __file__
    assert recording.next_count[0] > perf_counter() - 10.0  # a loop of short runs need not count again and again
    monkeypatch.setattr(recording, "next_count", [perf_counter() + 60.0])
    monkeypatch.setattr(ledger, "recount", lambda: pytest.fail("it was counted a moment ago"))
    with viz.record():
        pass
    del x


if __name__ == "__main__":
    sys.unraisablehook = lambda _: None
    print(json.dumps({program.__name__: kept(program, int(sys.argv[1])) for program in PROGRAMS}))
