"""Exact counts: how many bytecodes and Python calls a piece of work takes, with no clock and on any machine.

    python -m benchmarks.counts

What NumPy does inside its functions does not count, so this measures what minitape adds, to the last instruction.  The numbers
are those of one version of Python: another compiles the same text to other bytecodes.  `tests/core/test_counts.py` holds them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any, NamedTuple

import numpy as np

import minitape as tf

from .workloads import moons


class Count(NamedTuple):
    """What a piece of work took."""

    bytecodes: float
    calls: float


def counted(step: Callable[[], Any]) -> Count:
    """What one call of `step` takes, its own line included."""
    bytecodes = calls = 0

    def trace(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal bytecodes, calls
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        bytecodes += event == "opcode"
        calls += event == "call"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        step()
    finally:
        sys.settrace(before)
    return Count(bytecodes, calls)


def each(make: Callable[[int], Callable[[], Any]], short: int = 100, long: int = 300) -> Count:
    """What one more round takes, of a step that is made for a number of rounds."""
    steps = make(short), make(long)
    for step in (*steps, *steps):  # what is made at the first use is made here
        step()
    some, many = [counted(step) for step in steps]
    rounds = long - short
    return Count((many.bytecodes - some.bytecodes) / rounds, (many.calls - some.calls) / rounds)


def chain_op(length: int) -> Callable[[], None]:
    """Products of single numbers under a tape, forward and backward."""
    x, factor = tf.constant(0.5, tf.float64), tf.constant(1.0000001, tf.float64)

    def step() -> None:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x
            for _ in range(length):
                y = y * factor
        tape.gradient(y, x)

    return step


def unrecorded_op(length: int) -> Callable[[], None]:
    """The same products with nobody recording."""
    x, factor = tf.constant(0.5, tf.float64), tf.constant(1.0000001, tf.float64)

    def step() -> None:
        y = x
        for _ in range(length):
            y = y * factor

    return step


def moons_step(steps: int) -> Callable[[], Any]:
    """A training step on two moons: the workload of `benchmarks.workloads.moons`."""
    return moons.taped("minitape", steps, "float64")


def one_entry() -> Count:
    """One tape, one entry, one gradient."""
    x = tf.constant(3.0)

    def step() -> None:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        tape.gradient(y, x)

    step()
    return counted(step)


# Name: how it is counted, and the most that it may take on Python 3.11.
COUNTS: dict[str, tuple[Callable[[], Count], Count]] = {
    "chain op, forward and backward": (lambda: each(chain_op), Count(650, 5)),
    "op that nobody records": (lambda: each(unrecorded_op), Count(250, 2)),
    "step on two moons": (lambda: each(moons_step, 2, 12), Count(15_200, 320)),
    "one tape, one entry, one gradient": (one_entry, Count(2_560, 80)),
}


def main() -> None:
    """Print every count."""
    print(f"Python {sys.version_info.major}.{sys.version_info.minor}, NumPy {np.__version__}")
    for name, (count, most) in COUNTS.items():
        found = count()
        print(f"{name:36} {found.bytecodes:9.1f} bytecodes  {found.calls:6.1f} calls   (at most {most})")


if __name__ == "__main__":
    main()
