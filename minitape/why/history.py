"""What led to a value, whoever recorded it: the program's own graph, as far as entries and trail remember it.

Edges lead backwards, from a value to what it was made from.  Each says what one recorder did with it: recorded it, or did not
know the input, or was not listening; or that no derivative goes this way at all.
"""

from __future__ import annotations

import ast
import heapq
import itertools
import math
from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any, NamedTuple

from ..record.events import Verdict
from ..record.provenance import Site
from . import log, source
from .flow import flow, literal, operand

# The kinds of edge that stop a derivative.  "unwatched" is none of them: it only follows from another cut.
CUTS = ("flat", "before", "after", "paused", "hidden", "elsewhere", "overlooked", "forgotten", "assign", "export")
_COST = {"recorded": 0.001, "unwatched": 0.002, "flat": 1.0, "assign": 1.0, "export": 1.0}


class Edge(NamedTuple):
    """One step back: the value `into` was made from the value `of`."""

    kind: str
    into: Any
    of: Any
    application: Any  # the log.PastApplication of the op, where an op made it
    position: int
    record: Any = None  # the log.Export or log.Assigned, where numbers crossed by hand
    arrived: int = 0  # when they did
    certain: bool = True

    @property
    def site(self) -> Site:
        """Where it happened."""
        return self.record.site if self.record is not None else self.application.site

    @property
    def cut(self) -> bool:
        """Whether a derivative stops here."""
        return self.kind in CUTS


class ProgramHistory:
    """The remembered program as one recorder sees it: before the tick `since`, only what it wrote down."""

    def __init__(self, recorder: Any, since: int = 0) -> None:
        self.label, self.diary, self._since = recorder.label, recorder.diary, since
        self.began = next((moment.tick for moment in self.diary.moments if moment.kind == "enter"), 0)
        self.applications = log.applications(since)
        self.wanted: dict[int, tuple[bool, ...]] = {}
        ticks = {application.tick for application in self.applications}
        for entry in getattr(recorder, "entries", ()):
            self.wanted[entry.id] = entry.wanted
            if entry.id not in ticks:
                self.applications.append(log.as_past(entry.application))
        self.keeps_entries = hasattr(recorder, "entries")
        self.applications.sort(key=lambda application: application.tick)
        self.producer = {out: application for application in self.applications for out in application.outputs}
        # The ops of a region's body.  A tape is shown the region instead, as one application with the same results.
        self.inside = {
            out: application
            for application in self.applications
            if application.verdicts and _in_region(application)
            for out in application.outputs
        }
        self.uses: dict[Any, list[tuple[Any, int]]] = {}
        for application in self.applications:
            for position, tag in enumerate(application.inputs):
                self.uses.setdefault(tag, []).append((application, position))
        self.made = log.creations(since)
        self.exports = log.exports(since)
        # By site, because all exports of a loop stand at one, which is then looked up once.
        self._exported_at: dict[Site, list[log.Export]] = {}
        for export in self.exports:
            if export.how not in _HARMLESS:
                self._exported_at.setdefault(export.site, []).append(export)
        self.assigned: dict[Any, list[log.Assigned]] = {}
        for assignment in log.assignments(since):
            self.assigned.setdefault(assignment.tag, []).append(assignment)
        self._edges: dict[Any, list[Edge]] = {}

    def full(self) -> bool:
        """Whether the trail may have forgotten something."""
        return log.forgot(self._since)

    # ---- edges --------------------------------------------------------------------------------------------------------

    def status(self, application: Any) -> str:
        """What the recorder did with an application, as a kind of edge."""
        if application.tick in self.wanted:
            return "recorded"
        verdict = application.verdict(self.label)
        if verdict is Verdict.IN_A_RULE:
            return "overlooked"
        if verdict is not None:
            return ("forgotten" if self.keeps_entries else "recorded") if verdict == "" else "unwatched"
        doing = self.diary.at(application.tick)
        if doing == "listening" and application.context.thread != self.diary.thread:
            return "elsewhere"
        return "hidden" if doing == "listening" else doing

    def edges(self, tag: Any) -> list[Edge]:
        """The steps back from a value."""
        if tag not in self._edges:
            self._edges[tag] = list(self._from_op(tag) if tag in self.producer else self._from_hand(tag))
        return self._edges[tag]

    def _from_op(self, tag: Any) -> Iterable[Edge]:
        application = self.producer[tag]
        status = self.status(application)
        wanted = self.wanted.get(application.tick)
        for position, of in enumerate(application.inputs):
            smooth = application.primitive.differentiable(position) and tag.dtype.kind in "fc" and of.dtype.kind in "fc"
            kind = status
            if not smooth:
                kind = "flat"
            elif status == "recorded" and not (
                self.knows(of, application.tick) if wanted is None else wanted[position]
            ):
                kind = "unwatched"
            yield Edge(kind, tag, of, application, position)

    def knows(self, tag: Any, tick: float) -> bool:
        """Whether the recorder followed a value at a tick (an accumulator: whether it had a tangent)."""
        watched = self.diary.watched_since(tag)
        if watched is not None:
            return watched.tick < tick
        application = self.producer.get(tag)
        return application is not None and application.verdict(self.label) == ""

    def _from_hand(self, tag: Any) -> Iterable[Edge]:
        """Steps that no op made: an assignment, or numbers that left and came back."""
        if tag.variable:
            for assignment in self.assigned.get(tag, ()):
                if assignment.source is not None:
                    yield Edge("assign", tag, assignment.source, None, 0, assignment, assignment.tick)
                else:
                    yield from self._back_in(tag, assignment.site, None, assignment.tick)
        made = self.made.get(tag)
        if made is not None:
            yield from self._back_in(tag, made.site, None, made.tick)
        elif tag in self.uses and not tag.variable:
            application, position = self.uses[tag][0]
            if application.context.phase == "forward":  # else it is a seed, or a number in a rule
                yield from self._back_in(tag, application.site, position, application.tick)

    def _back_in(self, tag: Any, site: Site, position: int | None, tick: int) -> Iterable[Edge]:
        """The exports whose numbers a value was made from: for certain where the source shows it, else perhaps."""
        if not self.exports or self.exports[0].tick >= tick:
            return
        node = source.node_at(site) if position is None else operand(site, position)
        if literal(node):
            return
        came = flow(site, node)
        sure = [site for site in self._exported_at if came.holds(site, site.filename)]
        for export in self._last_of_each(sure, tick):
            if export.tag is not tag:
                yield Edge("export", tag, export.tag, None, 0, export, tick)
        if not sure and came.open:
            for export in self._last_of_each(self._exported_at, tick)[-32:]:
                if export.tick > self.began and export.tag is not tag:
                    yield Edge("export", tag, export.tag, None, 0, export, tick, certain=False)

    def _last_of_each(self, sites: Iterable[Site], tick: int) -> list[log.Export]:
        """For each value its last export at these sites before a tick, oldest first."""
        found = [export for site in sites for export in self._exported_at[site] if export.tick < tick]
        return list({export.tag: export for export in sorted(found, key=attrgetter("tick"))}.values())

    # ---- paths --------------------------------------------------------------------------------------------------------

    def path(self, targets: Iterable[Any], is_source: Callable[[Any], bool]) -> list[Edge] | None:
        """The path from a target back to a source with the fewest cuts, or None where nothing leads there."""
        counter = itertools.count()
        heap: list[tuple[float, int, Any, float, Any]] = [(0.0, next(counter), tag, math.inf, None) for tag in targets]
        seen: set[tuple[Any, float]] = set()
        while heap:
            cost, _, tag, until, trail = heapq.heappop(heap)
            if (tag, until) in seen:
                continue
            seen.add((tag, until))
            if is_source(tag):
                steps = []
                while trail is not None:
                    edge, trail = trail
                    steps.append(edge)
                return steps[::-1]
            for edge in self._edges_until(tag, until):
                price = _COST.get(edge.kind, 1.0) if edge.certain else 3.0
                heapq.heappush(heap, (cost + price, next(counter), edge.of, _read_at(edge), (edge, trail)))
        return None

    def _edges_until(self, tag: Any, until: float) -> list[Edge]:
        """The steps back from a value as it was at this tick: later assignments to a variable play no part."""
        return [edge for edge in self.edges(tag) if edge.arrived < until and not self._trained(edge)]

    def _trained(self, edge: Edge) -> bool:
        """Whether an edge is a training step: an assignment of what a gradient gave, before the recorder listened."""
        if edge.kind != "assign" or edge.arrived > self.began:
            return False
        waiting, seen = [edge.of], set[Any]()
        while waiting and len(seen) < 64:
            tag = waiting.pop()
            application = None if tag in seen else self.producer.get(tag)
            seen.add(tag)
            if application is not None:
                if application.context.phase == "gradient":
                    return True
                waiting += application.inputs
        return False

    def behind(self, targets: Iterable[Any], stop: Any = None, since: int = 0) -> dict[Any, list[Edge]]:
        """The values that the targets were made from, each with its steps back, as far as `stop`.

        Exports and assignments count from the tick `since` on.
        """
        found: dict[Any, list[Edge]] = {}
        last_use: dict[Any, float] = {}
        waiting = [(tag, math.inf) for tag in targets]
        while waiting:
            tag, until = waiting.pop()
            if tag is stop or until <= last_use.get(tag, -1.0):
                continue
            last_use[tag] = until
            found[tag] = [
                edge
                for edge in self._edges_until(tag, until)
                if edge.certain and (edge.record is None or edge.record.tick >= since)
            ]
            waiting += [(edge.of, _read_at(edge)) for edge in found[tag]]
        return found

    def hidden_in_region(self, targets: Iterable[Any], of: Any) -> Any:
        """The region's application whose body uses a value that the region was not given, or None."""
        for tag in self.behind(targets):
            if tag not in self.inside:
                continue
            waiting, seen = [tag], set[Any]()
            while waiting:
                inner = waiting.pop()
                if inner is of:
                    return self.producer[tag]
                if inner not in seen and (application := self.inside.get(inner)) is not None:
                    waiting += application.inputs
                seen.add(inner)
        return None

    def unrecorded(self, targets: Iterable[Any], of: Any) -> list[Edge]:
        """The uses of a value on its way to the targets that the recorder has no derivative for."""
        # An assignment before the recorder listened explains a variable's value, and is no use of the source.
        entered = self.diary.last("enter")
        behind = self.behind(targets, stop=of, since=entered.tick if entered is not None else 0)
        made_from: dict[Any, list[Any]] = {}
        for tag, edges in behind.items():
            for edge in edges:
                made_from.setdefault(edge.of, []).append(tag)
        depends, waiting = {of}, [of]
        while waiting:
            new = [tag for tag in made_from.get(waiting.pop(), ()) if tag not in depends]
            depends.update(new)
            waiting += new
        watched = self.diary.watched_since(of)
        found = [
            edge
            for edges in behind.values()
            for edge in edges
            if (edge.cut and edge.of in depends)
            or (
                edge.kind == "unwatched"
                and edge.of is of
                and watched is not None
                and edge.application.tick < watched.tick
            )
        ]
        return sorted(found, key=lambda edge: (edge.application or edge.record).tick)

    def recorded_paths(self, targets: Iterable[Any], of: Any, most: int = 12) -> tuple[list[list[Edge]], int]:
        """The shortest recorded paths from a value to the targets, at most so many, and how many there are in all."""
        targets = list(targets)
        distance, ways = self._ways(of, targets)
        counter = itertools.count()
        heap: list[tuple[int, int, Any, Any]] = [
            (distance[tag], next(counter), tag, None) for tag in targets if tag in distance
        ]
        found: list[list[Edge]] = []
        while heap and len(found) < most:
            _, _, tag, trail = heapq.heappop(heap)
            steps = 0 if trail is None else trail[2]
            if tag is of:
                path = []
                while trail is not None:
                    edge, trail, _ = trail
                    path.append(edge)
                found.append(path)
                continue
            for edge in self.edges(tag):
                if edge.kind == "recorded" and edge.of in distance:
                    length = steps + 1 + distance[edge.of]
                    heapq.heappush(heap, (length, next(counter), edge.of, (edge, trail, steps + 1)))
        return found, sum(ways.get(tag, 0) for tag in targets)

    def _ways(self, of: Any, targets: Iterable[Any]) -> tuple[dict[Any, int], dict[Any, int]]:
        """From each value on a recorded path, how far it is back to `of`, and along how many paths."""
        distance, ways = {of: 0}, {of: 1}
        behind = self.behind(targets)
        for tag in sorted(behind, key=lambda tag: tag.id):
            steps = [edge.of for edge in behind[tag] if edge.kind == "recorded" and edge.of in distance]
            if steps and tag is not of:
                distance[tag] = 1 + min(distance[step] for step in steps)
                ways[tag] = sum(ways[step] for step in steps)
        return distance, ways

    # ---- names --------------------------------------------------------------------------------------------------------

    def name(self, tag: Any) -> str:
        """What the learner calls a value, or a piece of source, or a few plain words."""
        application = self.producer.get(tag)
        # It may be older than `since`.
        made = None if application is not None else self.made.get(tag) or log.creations().get(tag)
        site = application.site if application is not None else made.site if made is not None else None
        if site is not None and not (made is not None and _made_by_library(made, tag)):
            if application is not None and self._on_the_way(application, tag):
                return f"{application.op}(…)"
            name = site.assigned_name()
            node = source.node_at(site)
            if isinstance(node, _COMPREHENSIONS):  # the value is one of its elements
                name, node = "", None
            if name:
                return name
            if application is not None and application.context.phase == "forward" and node is not None:
                return source.unparse(node, 30)
        for user, position in self.uses.get(tag, ()):
            names = user.site.operand_names()
            if position < len(names) and names[position]:
                return names[position]
        if application is not None:
            return "an element" if application.op == "getitem" else f"{application.op}(…)"
        return tag.name or ("a variable" if tag.variable else "a number")

    def _on_the_way(self, application: Any, tag: Any) -> bool:
        """Whether a value is a step of a call that computes by several ops: a name for the result is none for the steps.

        The same op again is another turn of a loop, whose value had the name before.
        """
        if not isinstance(source.node_at(application.site), ast.Call):
            return False
        uses = (user for user, _ in self.uses.get(tag, ()))
        return any(
            user.site == application.site and user.op != application.op and user.context.phase == "forward"
            for user in uses
        )


_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _made_by_library(made: log.Made, tag: Any) -> bool:
    """Whether a layer made this variable: the learner's line then gives its name to something else."""
    call = source.node_at(made.site)
    return bool(tag.name) and isinstance(call, ast.Call) and "Variable" not in ast.unparse(call.func)


def _read_at(edge: Edge) -> float:
    """When the value that an edge leads back to was read: that matters for a variable alone."""
    return (edge.record or edge.application).tick if edge.of.variable else math.inf


def _in_region(application: Any) -> bool:
    return any(verdict is Verdict.IN_A_REGION for _, verdict in application.verdicts)


_HARMLESS = ("bool()", "index", "int()")  # they steer the program; an int moves in steps and has no slope to lose
