"""Each part of the measurement, in rounds: every framework in turn, each time in a fresh process, then all of them again.

What is found goes into a dict as it comes, raw, and `keep` writes it down after every measurement: whoever stops the run
loses nothing.  A framework that cannot do it gets a line that says why, and the others go on.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from . import checkpointing, costs, pages
from .processes import LONG, Broke, ask
from .workloads import Workload, all_of_them, groups
from .workloads.frameworks import ALWAYS, PEERS, present

Found = dict[str, Any]
ALLOCATED = ("floor", "minitape", "autograd", "mygrad", "micrograd")  # whose arrays Python's tracemalloc sees


class Plan(NamedTuple):
    """How a run is measured."""

    repeats: int
    quick: bool
    among: frozenset[str]  # frameworks; none named: all that are installed
    keep: Callable[[], None]

    def frameworks(self, workload: Workload) -> list[str]:
        """Who is asked, the floor first: the others must agree with it; minitape near it, for the sake of the ratio."""
        chosen: Iterable[str] = self.among or workload.makers.keys()
        chosen = {*chosen, "floor", workload.against}
        asked = [name for name in workload.makers if name in chosen and present(name)]
        return [name for name in ALWAYS if name in asked] + [name for name in asked if name not in ALWAYS]


def times(found: Found, names: Iterable[str], plan: Plan) -> None:
    """CPU seconds of a step, by framework and round; the workloads of a file take turns as the frameworks do."""
    workloads = {name: all_of_them()[name] for name in names}
    truths: dict[str, Any] = {}
    tired: set[tuple[str, str]] = set()
    for name in workloads:
        found[name] = {"rounds": {}, "broke": {}}
    for _ in range(plan.repeats):
        for name, workload in workloads.items():
            rounds, broke = found[name]["rounds"], found[name]["broke"]
            for who in plan.frameworks(workload):
                if who in broke or (name, who) in tired:
                    continue
                truth = None if who == "primal" else truths.get(name)  # the value alone has nothing to agree with
                try:
                    answer = ask("time", name, framework=who, small=plan.quick, truth=truth)
                except Broke as reason:
                    broke[who] = str(reason)
                    continue
                if who == "floor":
                    truths[name] = answer["digest"]
                if answer["spent"] > LONG and who in PEERS:
                    tired.add((name, who))
                rounds.setdefault(who, []).append(answer["seconds"])
                plan.keep()


def memory(found: Found, names: Iterable[str], plan: Plan) -> None:
    """Peak bytes of a step, once: the same program takes the same memory."""
    for name in names:
        workload = all_of_them()[name]
        peaks, broke = found.setdefault(name, {"peaks": {}, "broke": {}}).values()
        for who in plan.frameworks(workload):
            for how in ("resident", "allocated") if who in ALLOCATED else ("resident",):
                try:
                    answer = ask(how, name, framework=who, small=plan.quick)
                except Broke as reason:
                    broke[who] = str(reason)
                    continue
                peaks.setdefault(who, {})[how] = answer["bytes"]
                plan.keep()


def schedules(found: Found, names: Iterable[str], plan: Plan) -> None:
    """Peak memory, layer evaluations and seconds of each schedule, by hand and by minitape."""
    for name in names:
        found[name] = {"rounds": [], "broke": ""}
        for _ in range(plan.repeats):
            try:
                pair = {ours: checkpointing.in_a_process(name, theirs, "RSS") for ours, theirs in WHO.items()}
            except Exception as reason:
                found[name]["broke"] = str(reason)
                break
            apart = abs(pair["floor"]["check"] - pair["minitape"]["check"])
            if apart > 1e-9 * abs(pair["floor"]["check"]):
                found[name]["broke"] = f"the gradients differ by {apart:.1e}"
                break
            found[name]["rounds"].append(pair)
            plan.keep()


def figures(found: Found, names: Iterable[str], plan: Plan) -> None:
    """The figures of `costs` and `pages`, round by round."""
    for name in names:
        found[name] = {"rounds": [], "broke": ""}
        for _ in range(plan.repeats):
            try:
                found[name]["rounds"].append(ask("figure", name, small=plan.quick))
            except Broke as reason:
                found[name]["broke"] = str(reason)
                break
            plan.keep()
            if found[name]["rounds"][-1]["spent"] > LONG:
                break


WHO = {"floor": "NumPy", "minitape": "minitape"}
PARTS: dict[str, Callable[[Found, Iterable[str], Plan], None]] = {
    "times": times, "memory": memory, "schedules": schedules, "costs": figures, "pages": figures,
}  # fmt: skip


def bundles(part: str) -> list[list[str]]:
    """What a part measures, by name; what stands in one list is measured in turn."""
    if part == "times":
        return [list(group) for group in groups()]
    names: dict[str, Iterable[str]] = {
        "memory": all_of_them(),
        "schedules": (*checkpointing.PLANS, checkpointing.REVERSIBLE),
        "costs": costs.FIGURES,
        "pages": pages.FIGURES,
    }
    return [[name] for name in names[part]]
