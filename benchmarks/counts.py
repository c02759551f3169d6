"""Exact counts: how many bytecodes and Python calls a piece of work takes, with no clock and on any machine.

    python -m benchmarks.counts
    python -m benchmarks.counts "step on two moons"  # and function by function, to see where they are spent

What NumPy does inside its functions does not count, so this measures what minitape adds, to the last instruction.  The numbers
are those of one version of Python: another compiles the same text to other bytecodes.  `tests/core/test_counts.py` holds them.
"""

from __future__ import annotations

import gc
import sys
from collections import Counter
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any, NamedTuple

import numpy as np

import minitape as tf
from minitape.record.events import here
from viz.capture.minitape.recording import Recording, Run
from viz.capture.minitape.streaming import stream_of
from viz.paint.lens import sheets
from viz.tell.scenes import scene_of

from .workloads import moons


class Count(NamedTuple):
    """What a piece of work took."""

    bytecodes: float
    calls: float


Functions = dict[CodeType, Count]


def by_function(step: Callable[[], Any]) -> Functions:
    """What one call of `step` takes, its own line included, in each function."""
    bytecodes: Counter[CodeType] = Counter()
    calls: Counter[CodeType] = Counter()

    def called(frame: FrameType, event: str, argument: Any) -> Any:
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        bytecodes[frame.f_code] += 0
        calls[frame.f_code] += 1
        return within

    def within(frame: FrameType, event: str, argument: Any) -> Any:
        if event == "opcode":  # else it returns, or raises
            bytecodes[frame.f_code] += 1
        return within

    before, collecting = sys.gettrace(), gc.isenabled()
    gc.disable()  # what others do whenever the collector runs is no part of the step
    sys.settrace(called)
    try:
        step()
    finally:
        sys.settrace(before)
        if collecting:
            gc.enable()
    return {code: Count(bytecodes[code], calls[code]) for code in bytecodes}


def total(functions: Functions) -> Count:
    """What all of them took."""
    return Count(sum(each.bytecodes for each in functions.values()), sum(each.calls for each in functions.values()))


def counted(step: Callable[[], Any]) -> Count:
    """What one call of `step` takes, its own line included."""
    return total(by_function(step))


def each(make: Callable[[int], Callable[[], Any]], short: int = 70, long: int = 80) -> Functions:
    """What one more round takes, of a step that is made for a number of rounds."""
    steps = make(short), make(long)
    for step in (*steps, *steps):  # what is made at the first use is made here
        step()
    some, many = [by_function(step) for step in steps]
    rounds, nothing = long - short, Count(0, 0)
    return {
        code: Count(*[(more - less) / rounds for more, less in zip(count, some.get(code, nothing), strict=True)])
        for code, count in many.items()
    }


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


def recorded_op(length: int) -> Callable[[], None]:
    """The products under a tape once more, inside `viz.record`; without the count of all bytes at its beginning."""
    step = chain_op(length)

    def recorded() -> None:
        with Recording(Run(here()), sure=False):
            step()

    return recorded


def shown_op(length: int) -> Callable[[], None]:
    """The recorded products on their way into their first picture: read into records, told, and painted turn by turn.

    What is drawn of a long run beside its loop is as much for any length, and is not painted here.
    """
    with Recording(Run(here()), sure=False) as run:
        chain_op(length)()

    def shown() -> None:
        sheets(scene_of(stream_of(run), placed=False), "")

    return shown


def moons_step(steps: int) -> Callable[[], Any]:
    """A training step on two moons: the workload of `benchmarks.workloads.moons`."""
    return moons.taped("minitape", steps, "float64")


def one_entry() -> Functions:
    """One tape, one entry, one gradient."""
    x = tf.constant(3.0)

    def step() -> None:
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = x * x
        tape.gradient(y, x)

    step()
    return by_function(step)


# Name: how it is counted, and the most that it may take on Python 3.11.
# Where asyncio is loaded, as by pytest, a tape takes 7 more.
COUNTS: dict[str, tuple[Callable[[], Functions], Count]] = {
    "chain op, forward and backward": (lambda: each(chain_op), Count(530, 4)),
    "op that nobody records": (lambda: each(unrecorded_op), Count(216, 2)),
    "chain op that viz.record watches": (lambda: each(recorded_op), Count(1_488, 16)),
    "chain op, until its first picture": (lambda: each(shown_op, 200, 300), Count(7_500, 136)),
    "step on two moons": (lambda: each(moons_step, 2, 12), Count(10_627, 180)),
    "one tape, one entry, one gradient": (one_entry, Count(1_607, 39)),
}


def main() -> None:
    """Print every count."""
    print(f"Python {sys.version_info.major}.{sys.version_info.minor}, NumPy {np.__version__}")
    for name, (count, most) in COUNTS.items():
        functions = count()
        found = total(functions)
        print(f"{name:36} {found.bytecodes:9.1f} bytecodes  {found.calls:6.1f} calls   (at most {most})")
        if name in sys.argv[1:]:
            for code, spent in sorted(functions.items(), key=lambda item: -item[1].bytecodes):
                where = code.co_filename.rpartition("/")[2]
                if spent.bytecodes:
                    print(f"{spent.bytecodes:12.1f} {spent.calls:7.1f}  {where}: {code.co_name}")


if __name__ == "__main__":
    main()
