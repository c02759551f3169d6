"""The benchmarks run, and measure the same thing in every framework; how fast it is, is no test's business."""

from __future__ import annotations

import pytest

from benchmarks import costs
from benchmarks.goals import GOALS, verdict
from benchmarks.measure import digest, disagreement, flat
from benchmarks.workloads import all_of_them

WORKLOADS = all_of_them()


@pytest.mark.parametrize("name", WORKLOADS)
def test_minitape_and_the_floor_agree(name: str) -> None:
    workload = WORKLOADS[name]
    truth = digest(workload.makers["floor"](**workload.small)())
    ours = workload.makers["minitape"](**workload.small)()
    assert disagreement(truth, digest(ours)) <= workload.tolerance
    assert all(one.size for one in flat(ours))


def test_every_goal_is_measured() -> None:
    ratios = {"chain, 100,000 over 1,000", "nested, 6 over 1"}
    assert set(GOALS) == {name for name in WORKLOADS if not name.startswith("derivative")} | ratios | set(
        costs.figures(quick=True)
    )


def test_a_disagreement_is_seen() -> None:
    assert disagreement([1.0, 2.0], [1.0, 2.1]) == pytest.approx(0.1 / 2.1)


def test_verdicts() -> None:
    assert [verdict("MLP, float64", value) for value in (1.0, 1.2, 1.5)] == ["aim", "met", "missed"]
    assert verdict("derivative 2 of x**10", 9.0) == ""
