"""The ledger of bytes: against tracemalloc, and against itself."""

from __future__ import annotations

import contextlib
import gc
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import minitape as tf
from minitape.record.events import listening
from minitape.record.ledger import FLIGHT, HOLDERS, PYTHON, TAPE, ledger

NUMPY = tracemalloc.DomainFilter(True, np.lib.tracemalloc_domain)


@pytest.fixture(autouse=True)
def _by_counting_alone() -> Iterator[None]:
    """No garbage collector: what counting references does not free stays, and shows."""
    gc.collect()
    gc.disable()
    before = tf.ledger.live, tf.ledger.held_for_backward
    yield
    assert (tf.ledger.live, tf.ledger.held_for_backward) == before
    gc.enable()


@contextlib.contextmanager
def traced() -> Iterator[Callable[[], int]]:
    """The bytes that NumPy has allocated since the start of the block."""
    tracemalloc.start()
    try:

        def now() -> int:
            return sum(one.size for one in tracemalloc.take_snapshot().filter_traces([NUMPY]).traces)

        yield now
    finally:
        tracemalloc.stop()


def charged(holder: str) -> int:
    return tf.ledger.totals[HOLDERS.index(holder)]


# ---- against tracemalloc ----------------------------------------------------------------------------------------------------

LAYERS, BATCH, WIDTH = 24, 64, 32


def scratch_of_tanh() -> int:
    """What one op of the program allocates besides its result while it runs, by tracemalloc's own peak."""
    x = tf.constant(np.ones((BATCH, WIDTH), np.float32))
    tracemalloc.start()
    try:
        worst = 0
        for op in (tf.tanh, lambda x: tf.matmul(x, x, transpose_b=True), lambda x: 1.0 - x * x, lambda x: x + x):
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            result = op(x)
            peak = tracemalloc.get_traced_memory()[1] - before
            worst = max(worst, peak - np.asarray(result).nbytes)
            del result
        return worst
    finally:
        tracemalloc.stop()


def test_a_program_of_24_layers_against_tracemalloc() -> None:
    draw = np.random.default_rng(0)
    start = draw.standard_normal((BATCH, WIDTH)).astype(np.float32)
    weights = [(draw.standard_normal((WIDTH, WIDTH)) / WIDTH**0.5).astype(np.float32) for _ in range(LAYERS)]
    allowed = scratch_of_tanh() + 16 * 1024  # and Python's own objects, which tracemalloc's peak counts too
    with tf.GradientTape() as tape:  # what the engine writes at the first use is there before anything is counted
        some = [tf.Variable(one) for one in weights[:2]]
        loss = tf.reduce_sum(tf.tanh(tf.tanh(tf.constant(start) @ some[0]) @ some[1]))
    tape.gradient(loss, some)
    del tape, some, loss

    with traced() as allocated:
        zero = tf.ledger.live
        x = tf.constant(start)
        variables = [tf.Variable(one) for one in weights]
        zero_dim = 1
        assert abs(allocated() - (tf.ledger.live - zero)) <= zero_dim
        with tf.GradientTape() as tape:
            y = x
            for one in variables:
                y = tf.tanh(y @ one)
            loss = tf.reduce_sum(y)
        assert tf.ledger.held_for_backward > LAYERS * BATCH * WIDTH * 4
        # The loss is a single number: Python allocates it, not NumPy.
        assert abs(allocated() - (tf.ledger.live - zero)) <= 4

        tf.ledger.restart_peak()
        tracemalloc.reset_peak()
        python_before = tracemalloc.get_traced_memory()[0] - allocated()
        gradients = tape.gradient(loss, variables)
        by_tracemalloc = tracemalloc.get_traced_memory()[1] - python_before
        by_ledger = tf.ledger.peak - zero
        assert abs(allocated() - (tf.ledger.live - zero)) <= 4
        assert by_ledger > LAYERS * BATCH * WIDTH * 4
        python_after = tracemalloc.get_traced_memory()[0] - allocated()
        grown = max(0, python_after - python_before)
        assert -grown - allowed <= by_tracemalloc - by_ledger <= allowed + grown
        assert tf.ledger.held_for_backward == 0

        del gradients, tape, loss, y, one, x, variables
        assert tf.ledger.live == zero and allocated() == 0


# ---- what a tape keeps, op by op --------------------------------------------------------------------------------------------

MATRIX = [[1.0, 2.0], [3.0, 4.0]]
# For each op TensorFlow's own list (golden case tape_saved_tensors_per_op): its input, its output; then ours.
SAVED: dict[str, tuple[Callable[[Any], Any], str, str]] = {
    "add_const": (lambda a: a + 1.0, "input", ""),
    "sub_const": (lambda a: a - 1.0, "input", ""),
    "mul_const": (lambda a: a * 2.0, "input", ""),
    "square": (tf.square, "input", "input"),
    "mul_self": (lambda a: a * a, "input", "input"),
    "exp": (tf.exp, "output", "output"),
    "log1p_abs": (lambda a: tf.math.log1p(a * a), "input", "input"),
    "sin": (tf.sin, "input", "input"),
    "cos": (tf.cos, "input", "input"),
    "tanh": (tf.tanh, "output", "output"),
    "sigmoid": (tf.sigmoid, "output", "output"),
    "relu": (tf.nn.relu, "output", "output"),
    "neg": (lambda a: -a, "", ""),
    "matmul_const": (lambda a: tf.matmul(a, MATRIX), "input", ""),
    "reduce_sum": (tf.reduce_sum, "input", ""),
    "softmax": (tf.nn.softmax, "output", "output"),
    "pow3": (lambda a: a**3.0, "input output", "input"),
    "div_const": (lambda a: a / 2.0, "input", ""),
    "const_div": (lambda a: 2.0 / a, "input", "input"),
    "reshape": (lambda a: tf.reshape(a, [-1]), "input", ""),
    "transpose": (tf.transpose, "", ""),
    "identity": (tf.identity, "", ""),
    "maximum0": (lambda a: tf.maximum(a, 0.0), "input", "input"),
    "reduce_max": (tf.reduce_max, "input output", "input output"),
    "reduce_mean": (tf.reduce_mean, "input output", ""),
    "softplus": (tf.math.softplus, "input", "input"),
    "abs": (tf.abs, "input", "input"),
}


@pytest.mark.parametrize("name", SAVED)
def test_a_tape_keeps_the_input_or_the_output_and_never_more_than_tensorflow(name: str) -> None:
    op, theirs, ours = SAVED[name]
    x = tf.constant(MATRIX)
    with tf.GradientTape() as tape:
        tape.watch(x)
        a = -x
        y = op(a)
    buffers = {"input": a.buffer, "output": y.buffer}
    del a, y
    kept = {which for which, buffer in buffers.items() if buffer.holds}
    if buffers["input"] is buffers["output"]:  # a view: one buffer under two names, and neither is kept
        assert not kept
    assert kept == set(ours.split())
    assert kept <= set(theirs.split())
    del tape, x
    assert not any(buffer.holds for buffer in buffers.values())


@pytest.mark.parametrize("persistent", [False, True])
def test_what_a_tape_keeps_goes_when_it_has_answered_or_is_deleted(persistent: bool) -> None:
    x = tf.constant(2.0)
    with tf.GradientTape(persistent=persistent) as tape:
        tape.watch(x)
        a = x + 1.0
        r = tf.sin(a)
    buffer = a.buffer
    del a
    assert buffer.holds
    tape.gradient(r, x)
    assert bool(buffer.holds) == persistent
    del tape
    assert not buffer.holds


# ---- who is charged -----------------------------------------------------------------------------------------------------------


def test_each_holder_is_seen() -> None:
    start = tf.ledger.reading()
    v = tf.Variable(np.zeros(100, np.float32))
    assert charged("variable") - start["variable"] == 400
    x = tf.zeros([200])
    assert charged("python") - start["python"] == 800
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.exp(tf.exp(x))
    assert charged("python") - start["python"] == 1600  # x and y: Python comes before the tape
    assert charged("tape") - start["tape"] == 800  # the inner exp: nobody else has it
    assert tf.ledger.held_for_backward - start["held_for_backward"] == 1600
    with tf.autodiff.ForwardAccumulator(x, tf.ones([200])) as accumulator:
        z = x * 2.0
    assert charged("accumulator") - start["accumulator"] == 1600  # the tangents of x and z
    del tape, accumulator, x, y, z, v
    assert tf.ledger.reading() == start


def test_cotangents_in_flight_are_seen() -> None:
    flight: list[int] = []

    def listener(event: Any, tensors: Any) -> None:
        flight.append(charged("flight"))

    from minitape.record.events import listening

    x = tf.zeros([1000])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.sin(tf.sin(x))
    with listening(listener):
        gradient = tape.gradient(y, x)
    assert max(flight) >= 4000
    assert charged("flight") == 0
    assert gradient.holder == PYTHON


def test_each_buffer_counts_once_for_the_backward_pass() -> None:
    x = tf.zeros([1000])
    with tf.GradientTape() as one, tf.GradientTape() as two:
        one.watch(x)
        two.watch(x)
        y = tf.sin(x)
        z = tf.cos(x)
    assert tf.ledger.held_for_backward == 4000  # x, kept four times
    del one, two, y, z


def test_a_view_is_charged_to_its_root() -> None:
    start = tf.ledger.live
    x = tf.zeros([10, 10])
    views = [x[0], tf.transpose(x), tf.reshape(x, [100]), tf.identity(x), tf.broadcast_to(x, [5, 10, 10])]
    assert tf.ledger.live - start == 400
    del x
    assert tf.ledger.live - start == 400  # any view keeps the whole
    del views
    assert tf.ledger.live == start


def test_empty_arrays_count_nothing() -> None:
    start = tf.ledger.live
    x = tf.zeros([0, 5])
    y = x + 1.0
    assert tf.ledger.live == start
    del x, y


def test_memory_of_somebody_else_is_listed_apart() -> None:
    before = ledger.foreign
    array = np.frombuffer(bytearray(80), np.float64)
    buffer = ledger.buffer_for(array)
    assert buffer.nbytes == 0 and ledger.foreign - before == 80


def test_a_new_value_of_a_variable_replaces_the_old_one() -> None:
    start = charged("variable")
    v = tf.Variable(np.zeros(100, np.float32))
    for _ in range(5):
        v.assign_add(np.ones(100, np.float32))
    assert charged("variable") - start == 400
    with tf.GradientTape() as tape:
        y = v * v
        v.assign(np.ones(100, np.float32))
        assert tf.ledger.held_for_backward == 400  # the value of the moment of the op
    del tape, y, v


def test_peak_and_restart() -> None:
    tf.ledger.restart_peak()
    x = tf.zeros([1000])
    del x
    x = tf.zeros([10])
    assert tf.ledger.restart_peak() - tf.ledger.live == 4000 - 40
    assert tf.ledger.peak == tf.ledger.live
    del x


# ---- nothing stays behind, by counting references alone -----------------------------------------------------------------------


def used(persistent: bool = False) -> None:
    x = tf.Variable(np.zeros(100, np.float32))
    with tf.GradientTape(persistent=persistent) as tape:
        y = tf.reduce_sum(tf.sin(x) * x)
    tape.gradient(y, x)


def abandoned() -> None:
    x = tf.zeros([100])
    with tf.GradientTape() as tape:
        tape.watch(x)
        tf.sin(tf.exp(x))


def nested() -> None:
    x = tf.zeros([100])
    with tf.GradientTape(persistent=True) as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = tf.sin(x) * tf.exp(x)
        g = inner.gradient(y, x)
    outer.gradient(g, x)
    outer.jacobian(g[:2], x)


def accumulated() -> None:
    x = tf.zeros([100])
    with (
        tf.autodiff.ForwardAccumulator(x, tf.ones([100])) as outer,
        tf.autodiff.ForwardAccumulator(x, tf.ones([100])) as inner,
    ):
        y = tf.sin(x) * x
    outer.jvp(inner.jvp(y))


def checked() -> None:
    from minitape.testing import check_gradients

    check_gradients(lambda x, y: [tf.sin(x) * y, {"k": x}], [tf.zeros([3]), tf.ones([3])], directions=1)


def structures() -> None:
    x = tf.zeros([100])
    with tf.GradientTape() as tape:
        tape.watch({"a": [x]})
        y = tf.concat([x, x], 0)
        parts = tf.split(y, 2)
    tape.gradient(parts, {"a": (x,)})
    tf.nest.map_structure(lambda one: one + 1.0, {"a": [x]})


@pytest.mark.parametrize("program", [used, lambda: used(True), abandoned, nested, accumulated, checked, structures])
def test_no_residue(program: Callable[[], None]) -> None:
    before = tf.ledger.reading()
    program()
    assert tf.ledger.reading() == before


def refused_shapes() -> None:
    x = tf.zeros([100])
    with tf.GradientTape() as tape:
        tape.watch(x)
        tf.exp(x) + tf.zeros([3])


def refused_dtype() -> None:
    x = tf.zeros([100])
    with tf.autodiff.ForwardAccumulator(x, tf.ones([100])):
        tf.exp(x) + tf.zeros([100], tf.float64)


def raised_inside() -> None:
    x = tf.zeros([100])
    with tf.GradientTape() as tape:
        tape.watch(x)
        tf.exp(x)
        raise KeyError("the learner's own")


def spent() -> None:
    x = tf.zeros([100])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.exp(x)
    tape.gradient(y, x)
    tape.gradient(y, x)


def bad_seed() -> None:
    x = tf.zeros([100])
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.exp(x)
    tape.gradient(y, x, output_gradients=tf.zeros([7]))


def bad_tangent() -> None:
    tf.autodiff.ForwardAccumulator(tf.zeros([100]), tf.zeros([7]))


def bad_reduction() -> None:
    tf.reduce_sum(tf.zeros([100]), axis=3)


def ragged() -> None:
    tf.constant([tf.zeros([100]), [1.0]])


@pytest.mark.parametrize(
    "program", [refused_shapes, refused_dtype, raised_inside, spent, bad_seed, bad_tangent, bad_reduction, ragged]
)
def test_no_residue_after_an_exception(program: Callable[[], None]) -> None:
    before = tf.ledger.reading()
    try:
        program()
    except Exception:
        pass
    else:
        pytest.fail("nothing was raised")
    assert tf.ledger.reading() == before


# ---- against itself -------------------------------------------------------------------------------------------------------------

steps = st.lists(
    st.tuples(
        st.sampled_from(["exp", "add", "mul", "view", "drop", "tape", "drop tape", "gradient", "jvp"]),
        st.integers(0, 50),
    ),
    max_size=30,
)


@settings(max_examples=100, deadline=None)
@given(steps)
def test_the_totals_sum_to_what_lives(program: list[tuple[str, int]]) -> None:
    before = tf.ledger.reading()
    values = [tf.zeros([7])]
    tapes: list[Any] = []
    x = values[0]
    with contextlib.ExitStack() as stack:
        accumulator = stack.enter_context(tf.autodiff.ForwardAccumulator(x, tf.ones([7])))
        for what, number in program:
            one = values[number % len(values)]
            if what == "exp":
                values.append(tf.exp(one))
            elif what == "add":
                values.append(one + values[-1])
            elif what == "mul":
                values.append(one * values[-1])
            elif what == "view":
                values.append(tf.reshape(one[::-1], [7]))
            elif what == "drop" and len(values) > 1:
                values.pop(number % (len(values) - 1) + 1)
            elif what == "tape":
                tapes.append(stack.enter_context(tf.GradientTape(persistent=bool(number % 2))))
                tapes[-1].watch(one)
            elif what == "drop tape" and tapes:
                tapes.pop(number % len(tapes))
            elif what == "gradient" and tapes and tapes[-1]._state == "open":
                tapes[-1].gradient(one, x)
            elif what == "jvp":
                accumulator.jvp(one)
            assert sum(tf.ledger.totals) == tf.ledger.live
            assert min(tf.ledger.totals) >= 0
            assert tf.ledger.totals[TAPE] <= tf.ledger.held_for_backward <= tf.ledger.live
            assert tf.ledger.live <= tf.ledger.peak
    one = None
    del values, tapes, x, accumulator, stack
    assert tf.ledger.reading() == before


ways: dict[str, Callable[[Any, Any], Any]] = {
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "twice": lambda a, b: a + a,
    "tanh": lambda a, b: tf.tanh(a),
    "turned": lambda a, b: tf.transpose(tf.transpose(a)),
    "same shape": lambda a, b: tf.reshape(a, a.shape),
    "broadcast": lambda a, b: a + tf.reduce_sum(b, 0),
}
walks = st.lists(
    st.tuples(st.sampled_from(sorted(ways)), st.integers(0, 20), st.integers(0, 20)), min_size=1, max_size=9
)


def walked(program: list[tuple[str, int, int]], asked: int, heard: bool) -> list[Any]:
    values: list[Any] = [tf.Variable(np.ones([2, 3])), tf.Variable(np.full([2, 3], 2.0))]
    with tf.GradientTape() as tape:
        for what, one, other in program:
            values.append(ways[what](values[one % len(values)], values[other % len(values)]))
        target = values[-1] + values[-2]
    sources = [*values[:2], values[asked % len(values)]]
    with contextlib.ExitStack() as stack, tf.strict(False):
        if heard:
            stack.enter_context(listening(lambda event, tensors: None))
        return list(tape.gradient(target, sources))


@settings(max_examples=150, deadline=None)
@given(walks, st.integers(0, 20))
def test_bare_cotangents_are_counted_like_tensors(program: list[tuple[str, int, int]], asked: int) -> None:
    """Where nobody listens cotangents are arrays without a tag: the numbers and the bytes are those of a way that is heard."""
    bare, tensors = walked(program, asked, False), walked(program, asked, True)
    assert tf.ledger.totals[FLIGHT] == 0
    assert sum(tf.ledger.totals) == tf.ledger.live
    for one, other in zip(bare, tensors, strict=True):
        assert (one is None) == (other is None)
        if one is not None:
            np.testing.assert_array_equal(one.numpy(), other.numpy())
    held = [{one.buffer: one.buffer.nbytes for one in side if one is not None} for side in (bare, tensors)]
    assert sum(held[0].values()) == sum(held[1].values())


def test_of_the_contributions_to_one_value_two_are_alive_at_a_time() -> None:
    """TensorFlow holds all thirty, to add them once: docs/differences.md."""
    uses, size = 30, 1000
    x, most = tf.Variable(np.ones(size, np.float32)), 0

    def hear(event: Any, tensors: Any) -> None:
        nonlocal most
        most = max(most, tf.ledger.totals[FLIGHT])

    with tf.GradientTape() as outer:
        with tf.GradientTape() as tape:
            y = tf.reduce_sum(tf.add_n([x * float(number) for number in range(uses)]))
        with listening(hear):
            slope = tape.gradient(y, x)
    assert float(slope[0]) == sum(range(uses)) and outer.persistent is False
    # The sum so far, what arrives at it, and the one that all of the uses are given; a few single numbers beside them.
    assert 3 * 4 * size <= most <= 3 * 4 * size + 100
