"""The benchmarks run, and measure the same thing in every framework; how fast it is, is no test's business."""

from __future__ import annotations

import doctest
import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks import goals, processes, rounds, table
from benchmarks.__main__ import conditions, main
from benchmarks.goals import GOALS, against, verdict
from benchmarks.measure import digest, disagreement
from benchmarks.report import measured
from benchmarks.rounds import Plan, bundles
from benchmarks.workloads import all_of_them

WORKLOADS = all_of_them()


@pytest.mark.parametrize("name", WORKLOADS)
def test_minitape_and_the_floor_agree(name: str) -> None:
    workload = WORKLOADS[name]
    truth = digest(workload.makers["floor"](**workload.small)())
    ours = digest(workload.makers["minitape"](**workload.small)())
    assert disagreement(truth, ours) <= workload.tolerance
    assert all(size > 0 for _, _, size in ours)


def test_a_disagreement_is_seen() -> None:
    some = digest([[1.0, 2.0], 3.0])
    assert disagreement(some, digest([[1.0, 2.0], 3.0])) == 0
    assert disagreement(some, digest([[2.0, 1.0], 3.0])) > 0.1
    assert disagreement(some, digest([[1.0, 2.0]])) == float("inf")


def test_every_goal_is_measured() -> None:
    told_by_two = {name for name, _, _ in table.PAIRS}
    measured = {name for part in rounds.PARTS for names in bundles(part) for name in names}
    assert set(GOALS) <= measured | told_by_two


def test_a_verdict_needs_every_round() -> None:
    goal = GOALS["MLP, float64"]
    assert [verdict(goal, [value]) for value in (1.0, 1.2, 1.5)] == ["aim", "met", "missed"]
    assert verdict(goal, [1.2, 1.5]) == "within noise"
    assert verdict(None, [9.0]) == ""
    assert [against([2.0, 3.0], theirs) for theirs in ([4.0, 4.0], [1.0, 1.0], [2.5, 2.5])] == [
        "quicker",
        "slower",
        "level",
    ]


def test_a_quick_run_prints_a_table_and_writes_what_it_found(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "found.json"
    found = main(["times", "--quick", "--only", "derivative 1", "--among", "floor,minitape", "--json", str(path)])
    assert json.loads(path.read_text(encoding="utf-8")) == found
    assert set(found["times"]["derivative 1 of x**10"]["rounds"]) == {"floor", "minitape"}
    assert "| derivative 1 of x**10 |" in capsys.readouterr().out
    assert "| derivative 1 of x**10 |" in table.tables(found)


def test_a_page_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    main(["pages", "--quick", "--only", "chain of 30 "])
    said = capsys.readouterr().out
    assert "| chain of 30 entries |" in said and "broke" not in said


def test_a_broken_peer_is_a_line_of_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """What fails in the process of one framework leaves the others' rows alone."""

    def ask(what: str, name: str, *, framework: str, **more: Any) -> dict[str, Any]:
        if framework == "torch":
            raise processes.Broke("no such library")
        return {"seconds": 2.0 if framework == "minitape" else 1.0, "digest": [], "spent": 1.0}

    monkeypatch.setattr(rounds, "ask", ask)
    monkeypatch.setattr(rounds, "present", lambda framework: framework in ("floor", "minitape", "torch"))
    found: dict[str, Any] = {"times": {}}
    rounds.times(found["times"], ["MLP, float64"], Plan(3, True, frozenset(), lambda: None))
    (row,) = table.times(found)
    assert "2.00 (2.00 to 2.00)" in row
    assert "broke: no such library" in row


def test_a_result_that_disagrees_is_not_timed() -> None:
    wrong = [[1.0, 1.0, 1.0]]
    with pytest.raises(processes.Broke, match="away from that by hand"):
        processes.ask("time", "derivative 1 of x**10", framework="minitape", small=True, truth=wrong)


@pytest.mark.parametrize("module", [goals, table], ids=["goals", "table"])
def test_the_examples_run(module: Any) -> None:
    """They lie outside of the packages whose examples pytest looks for."""
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0


def test_the_readme_takes_the_tables_of_a_run() -> None:
    found: dict[str, Any] = {
        "conditions": conditions(1, False, frozenset()),
        "times": {"MLP, float64": {"rounds": {"floor": [1.0], "minitape": [1.25]}, "broke": {}}},
        "costs": {"import beyond NumPy, ms": {"rounds": [{"value": 120.0}], "broke": ""}},
    }
    seconds = dict.fromkeys(("value", "record", "build", "layout", "render", "export", "megabytes"), 0.25)
    counts = dict.fromkeys(("events", "cards", "edges", "steps"), 100)
    found["pages"] = {"page, chain of 300 entries": {"rounds": [seconds | counts], "broke": ""}}
    peaks = {"floor": {"resident": 2**21, "allocated": 2**20}, "minitape": {"resident": 2**22, "allocated": 2**20}}
    found["memory"] = {"MLP, float64": {"peaks": peaks, "broke": {"torch": "no such library"}}}
    pair = {who: {"peak": 8.0, "count": 200, "seconds": 2.0} for who in ("floor", "minitape")}
    found["schedules"] = {"none": {"rounds": [pair], "broke": ""}}
    text = measured("# Title\n\nProse.\n\n## Measured\n\nold", found)
    assert text.startswith("# Title\n\nProse.\n\n## Measured\n\nOn 20")
    assert "| MLP, float64 | 1.00 s | 1.25 | 1.3 | 1.1 | met |" in text
    assert "| import beyond NumPy, ms | 120 | 100 | 50 | missed |" in text
    assert (
        "| chain of 300 entries | 0.25 | 0.25 | 0.25 | 0.25 | 0.25 | 0.25 | aim | 0.25 | aim | 100 | 200 | 100 |"
        in text
    )
    assert "| MLP, float64 | 2.00 (1.00) | 4.00 (1.00) | 2.00 (1.00) | broke: no such library |" in text
    assert "| none | 200 | 8.00 | 8.00 | 1.00 | 1.00 |" in text
    assert "old" not in text
    for block in text.split("\n\n")[4:]:
        assert len({row.count(" | ") for row in block.splitlines() if not row.startswith("|---")}) == 1


def test_a_process_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(processes, "LIMIT", 1)
    with pytest.raises(processes.Broke, match="more than 1 s"):
        processes.ask("time", "chain of 100,000", framework="minitape")
