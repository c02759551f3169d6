"""The ledger of bytes beside tracemalloc, on programs by chance: while they are held, after the gradient, and after all is let go."""

from __future__ import annotations

import gc
import tracemalloc
from typing import Any

import numpy as np
import pytest

import minitape as tf
from tests.deep.test_numbers import Program, summed
from tests.support import times

pytestmark = pytest.mark.deep

NUMPY = tracemalloc.DomainFilter(True, np.lib.tracemalloc_domain)
CHUNK = 20
# What a region keeps of NumPy's random state, to put it back: no value, so the ledger does not count it.
GENERATOR = 2_600


def allocated() -> int:
    """The bytes that NumPy has, of all that it asked for since tracemalloc listens."""
    if not tracemalloc.is_tracing():
        return 0
    return sum(one.size for one in tracemalloc.take_snapshot().filter_traces([NUMPY]).traces)


def readings(program: Program, regions: bool) -> list[tuple[int, int]]:
    """By the ledger and by tracemalloc, since the beginning: with the program held, with its gradient, with nothing."""
    zero, none = tf.ledger.live, allocated()
    told = []

    def note() -> None:
        told.append((tf.ledger.live - zero, allocated() - none))

    inputs: Any = [tf.constant(one) for one in program.point]
    with tf.GradientTape() as tape:
        tape.watch(inputs)
        values: Any = (program.in_regions if regions else program.plain)(*inputs)
        target: Any = summed(values)
    note()
    gradients: Any = tape.gradient(target, inputs)
    note()
    del inputs, tape, values, target, gradients
    gc.collect()
    note()
    return told


@pytest.mark.parametrize("first", range(0, times(400), CHUNK))
@pytest.mark.parametrize("regions", [False, True])
def test_the_ledger_says_what_tracemalloc_says(first: int, regions: bool, record_property: Any) -> None:
    # The weights of a resize are settings and no value: they go when nobody remembers the op.
    programs = {seed: Program(seed) for seed in range(first, first + CHUNK)}
    programs = {seed: one for seed, one in programs.items() if "resize" not in [name for name, *_ in one.steps]}
    record_property("tried: the ledger of bytes beside tracemalloc, with recompute regions and without", len(programs))
    for seed, program in programs.items():
        with tf.strict(False):
            readings(program, regions)  # what is built once is built
            tracemalloc.start()
            try:
                found = readings(program, regions)
            finally:
                tracemalloc.stop()
        # A single number is Python's own, and not NumPy's: up to two words each.
        numbers = 16 * (len(program.steps) + 10)
        held, answered, gone = [ledger - allocated for ledger, allocated in found]
        assert found[0][0] > 0 and gone == found[2][0] == 0, f"seed {seed}: {found}"
        assert 0 <= held + GENERATOR * regions <= numbers + GENERATOR * regions, f"seed {seed}: {found}"
        assert 0 <= answered <= numbers, f"seed {seed}: {found}"
