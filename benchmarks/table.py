"""What was measured, as the tables of the README: every row from the raw rounds, so that it can be made again from the JSON."""

from __future__ import annotations

import statistics
from collections.abc import Iterator
from typing import Any

from .goals import GOALS, PAGE_SIZES, Goal, against, verdict
from .workloads import all_of_them
from .workloads.frameworks import PEERS

MIB = 2**20
Found = dict[str, Any]
Rounds = dict[str, list[float]]
PAIRS = (
    ("chain, 100,000 over 1,000", "chain of 100,000", "chain of 1,000"),
    ("nested, 6 over 1", "derivative 6 of x**10", "derivative 1 of x**10"),
)
HEADS = {
    "times": ("workload", "floor", "minitape", "must", "aim", "verdict", *PEERS, "not quicker than"),
    "memory": ("peak of a step, MiB", "floor", "minitape", "ratio", *PEERS),
    "schedules": ("schedule", "layer evaluations", "floor, MiB", "minitape, MiB", "ratio", "time"),
    "costs": ("figure", "measured", "must", "aim", "verdict"),
    "pages": (
        "page", "run", "build", "lay out", "draw", "export", "all, s", "verdict", "MB", "verdict", "events", "drawn", "steps",
    ),
}  # fmt: skip


def number(value: float) -> str:
    """Three digits, as a person writes them."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def spread(values: list[float]) -> str:
    """The median, and the least and the largest round.

    >>> spread([1.0, 3.0, 1.5]), spread([2.0])
    ('1.50 (1.00 to 3.00)', '2.00')
    """
    middle = number(statistics.median(values))
    return middle if len(values) == 1 else f"{middle} ({number(min(values))} to {number(max(values))})"


def duration(seconds: float) -> str:
    """Seconds in the unit that fits."""
    for unit, size in (("s", 1.0), ("ms", 1e-3)):
        if seconds >= size:
            return f"{number(seconds / size)} {unit}"
    return f"{number(seconds * 1e6)} µs"


def _each(seconds: list[float], per: int) -> str:
    """A median time, of one op or iteration where a step has many."""
    return duration(statistics.median(seconds) / per) + (" each" if per > 1 else "")


def wanted(goal: Goal | None) -> tuple[str, str]:
    """The goal's two figures."""
    return (f"{goal.must:g}", f"{goal.aim:g}") if goal else ("", "")


def ratios(rounds: Rounds, framework: str, base: str) -> list[float]:
    """A framework's time over another's, round by round."""
    return [a / b for a, b in zip(rounds.get(framework, []), rounds.get(base, []), strict=False)]


# ---- the rows --------------------------------------------------------------------------------------------------------------


def times(found: Found) -> Iterator[list[str]]:
    """A row for every workload, and for what is told by two of them."""
    known = all_of_them()
    for name, measured in found.get("times", {}).items():
        rounds, broke, workload = measured["rounds"], measured["broke"], known[name]
        base = workload.against
        here = ratios(rounds, "minitape", base)
        cells = [_or_why(who, broke, ratios(rounds, who, base)) for who in PEERS]
        told = [(who, against(rounds["minitape"], rounds[who])) for who in PEERS if here and rounds.get(who)]
        goal = GOALS.get(name)
        yield [
            name, _each(rounds[base], workload.per) if rounds.get(base) else _or_why(base, broke, []),
            spread(here) if here else _or_why("minitape", broke, []), *wanted(goal), verdict(goal, here), *cells,
            ", ".join(f"{who} ({how})" for who, how in told if how != "quicker"),
        ]  # fmt: skip
        for told_by_two, some, others in PAIRS:
            if name == some and others in found["times"]:
                longer = known[some].per / known[others].per
                yield _of_two(told_by_two, rounds, found["times"][others]["rounds"], longer)


def _or_why(who: str, broke: dict[str, str], values: list[float]) -> str:
    """The median, or why there is none; "" for who was not asked."""
    return f"broke: {broke[who]}" if who in broke else number(statistics.median(values)) if values else ""


def _of_two(name: str, some: Rounds, others: Rounds, longer: float) -> list[str]:
    def within(who: str) -> list[float]:
        return [a / b / longer for a, b in zip(some.get(who, []), others.get(who, []), strict=False)]

    here, goal = within("minitape"), GOALS.get(name)
    cells = [number(statistics.median(found)) if (found := within(who)) else "" for who in PEERS]
    return [name, "", spread(here) if here else "", *wanted(goal), verdict(goal, here), *cells, ""]


def memory(found: Found) -> Iterator[list[str]]:
    """A row for every workload: the resident set, and in brackets what Python and NumPy allocated."""

    def cell(peaks: dict[str, float]) -> str:
        parts = [number(peaks["resident"] / MIB)] if "resident" in peaks else []
        return " ".join([*parts, *([f"({number(peaks['allocated'] / MIB)})"] if "allocated" in peaks else [])])

    for name, measured in found.get("memory", {}).items():
        peaks, broke = measured["peaks"], measured["broke"]
        who = ("floor", "minitape", *PEERS)
        by_hand, ours, *cells = [cell(peaks.get(each, {})) or _or_why(each, broke, []) for each in who]
        floor, here = peaks.get("floor", {}), peaks.get("minitape", {})
        parts = {
            how: f"{here[how] / floor[how]:.2f}" for how in here if floor.get(how, 0) >= MIB / 2
        }  # below that a page more or less is the ratio
        ratio = " ".join([parts.get("resident", ""), f"({parts['allocated']})" if "allocated" in parts else ""]).strip()
        yield [name, by_hand, ours, ratio, *cells]


def schedules(found: Found) -> Iterator[list[str]]:
    """A row for every plan of recomputation, and for a reversible net."""
    for name, measured in found.get("schedules", {}).items():
        if not measured["rounds"]:
            yield [name, f"broke: {measured['broke']}", *[""] * (len(HEADS["schedules"]) - 2)]
            continue
        peaks = {who: [each[who]["peak"] for each in measured["rounds"]] for who in ("floor", "minitape")}
        slower = [each["minitape"]["seconds"] / each["floor"]["seconds"] for each in measured["rounds"]]
        counts = sorted({each[who]["count"] for each in measured["rounds"] for who in each})
        yield [
            name, " / ".join(f"{count:.0f}" for count in counts), spread(peaks["floor"]), spread(peaks["minitape"]),
            number(statistics.median(a / b for a, b in zip(peaks["minitape"], peaks["floor"], strict=True))), spread(slower),
        ]  # fmt: skip


def costs(found: Found) -> Iterator[list[str]]:
    """A row for every figure that stands alone."""
    for name, measured in found.get("costs", {}).items():
        values = [each["value"] for each in measured["rounds"]]
        goal = GOALS.get(name)
        yield [name, spread(values) if values else f"broke: {measured['broke']}", *wanted(goal), verdict(goal, values)]


def pages(found: Found) -> Iterator[list[str]]:
    """A row for every page: the medians of its rounds, the verdicts from all of them."""
    for name, measured in found.get("pages", {}).items():
        rounds = measured["rounds"]
        if not rounds:
            yield [name, f"broke: {measured['broke']}", *[""] * (len(HEADS["pages"]) - 2)]
            continue
        middle = {key: statistics.median(each[key] for each in rounds) for key in rounds[0]}
        size = PAGE_SIZES.get(int(name.split(" of ")[1].split()[0].replace(",", "")))
        yield [
            name.removeprefix("page, "), *[number(middle[part]) for part in ("record", "build", "layout", "render", "export")],
            spread([each["value"] for each in rounds]), verdict(GOALS.get(name), [each["value"] for each in rounds]),
            number(middle["megabytes"]), verdict(size, [each["megabytes"] for each in rounds]),
            f"{middle['events']:,.0f}", f"{middle['cards'] + middle['edges']:.0f}", f"{middle['steps']:.0f}",
        ]  # fmt: skip


PARTS = {"times": times, "memory": memory, "schedules": schedules, "costs": costs, "pages": pages}


def line(cells: list[str] | tuple[str, ...]) -> str:
    """One row of a Markdown table."""
    return "| " + " | ".join(cells) + " |"


def head(part: str) -> list[str]:
    """The first two lines of a part's table."""
    return [line(HEADS[part]), "|" + "---|" * len(HEADS[part])]


def tables(found: Found) -> str:
    """All that was found, as Markdown."""
    blocks = []
    for part, rows in PARTS.items():
        if found.get(part):
            blocks.append("\n".join([*head(part), *map(line, rows(found))]))
    return "\n\n".join(blocks)
