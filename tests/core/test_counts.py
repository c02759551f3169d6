"""What an op costs, in bytecodes and Python calls: exact, so that a slow line shows on any machine."""

from __future__ import annotations

import sys

import pytest

from benchmarks.counts import COUNTS, counted, total


@pytest.mark.skipif(sys.version_info[:2] != (3, 11), reason="another Python compiles to other bytecodes")
@pytest.mark.parametrize("name", COUNTS)
def test_it_takes_no_more_than_that(name: str) -> None:
    count, most = COUNTS[name]
    found = total(count())
    assert found.bytecodes <= most.bytecodes and found.calls <= most.calls, f"{found}, and at most {most}"


def test_every_bytecode_and_every_call_counts() -> None:
    def work(rounds: int) -> None:
        for _ in range(rounds):
            sum((1, 2))  # NumPy's functions and Python's own are no Python calls

    def calling(rounds: int) -> None:
        for _ in range(rounds):
            work(0)

    some, more = counted(lambda: work(1)), counted(lambda: work(3))
    assert more.bytecodes > some.bytecodes and more.calls == some.calls == 2
    assert counted(lambda: calling(3)).calls == 5
