"""A question that is asked: which recorder is asked for what, what the values are called, and what every check needs."""

from __future__ import annotations

from typing import Any

from ..record.diary import plain
from ..record.events import here
from ..record.provenance import Site
from . import fixes, source
from .explanation import Explanation
from .fixes import Fix
from .history import Edge, ProgramHistory

_DRAWN = ("flat", "held", "before", "after", "paused", "hidden", "forgotten", "assign", "export")


class Asked:
    """One question, as the checks see it."""

    def __init__(self, recorder: Any, targets: Any, source_: Any, tangent: Any, place: str) -> None:
        self.recorder, self.targets, self.source, self.tangent = recorder, targets, source_, tangent
        self.forward = source_ is None
        self.history = ProgramHistory(recorder)
        self.diary, self.label = recorder.diary, recorder.label
        self.who = self.label.name
        self.the = f"the {self.who}" if self.who == self.label.kind else self.who
        self.here = here()
        self.target_name, self.source_name = target, source = self._asked_names(place)
        self.title = f"{self.who}.jvp({target})" if self.forward else f"{_differential(target)}/{_differential(source)}"

    def _asked_names(self, place: str) -> tuple[str, str]:
        given = list(getattr(source.node_at(self.here), "args", ()))
        first, second = (source.unparse(argument, 24) for argument in [*given, None, None][:2])
        tag = getattr(self.source, "tag", None)
        if place or isinstance(given[-1] if given else None, source.ast.List | source.ast.Tuple | source.ast.Dict):
            second = self._one_of(given[1] if len(given) > 1 else None, place)
        called = self.own_name(self.targets[0].tag) if hasattr(self.targets[0], "tag") else "y"
        return first or called, second or (self.own_name(tag) if tag is not None else "x")

    def _one_of(self, whole: Any, place: str) -> str:
        """What one source of several goes by: its path in a model, the name that was given to it alone, or its place."""
        path = getattr(self.source, "path", "")
        tag = getattr(self.source, "tag", None)
        if path or tag is None or not isinstance(whole, source.ast.Name | source.ast.Attribute | source.ast.Subscript):
            return path
        application, made = self.history.producer.get(tag), self.history.made.get(tag)
        born = application or made
        alone, text = born.site.assigned_name() if born is not None else "", source.unparse(whole, 24)
        if application is not None and alone == text:  # of all that `xs = tf.unstack(x)` gave
            alone = ""
        return "" if alone.isidentifier() else f"{text}{place}"

    def own_name(self, tag: Any) -> str:
        """The name of a value in the program."""
        return self.history.name(tag)

    def name(self, tag: Any) -> str:
        """The name of a value, as it was called in the question if it was."""
        if tag is getattr(self.source, "tag", None):
            return self.source_name
        if any(tag is getattr(target, "tag", None) for target in self.targets):
            return self.target_name
        return self.own_name(tag)

    def at(self, site: Site | None) -> str:
        """A place in words."""
        if site is None:
            return "a line that is not known"
        if site.filename == self.here.filename:
            return f"line {site.line}"
        label = site.label if site.label.startswith("cell ") else site.label.rpartition("/")[2]
        return f"{label}, line {site.line}"

    # ---- answers ------------------------------------------------------------------------------------------------------

    def none(
        self, code: str, what: str, cut: str, site: Site | None = None, fix: Fix | None = None, **more: Any
    ) -> Explanation:
        """The explanation of a None; `more` says what else it shows."""
        return Explanation(
            code,
            self.title,
            "None",
            what,
            site,
            fix or Fix(""),
            cut=cut,
            recorder=self.who,
            forward=self.forward,
            **{"steps": self.steps(None), **more},
        )

    @property
    def tags(self) -> list[Any]:
        """The tags of the targets."""
        return [target.tag for target in self.targets if hasattr(target, "tag")]

    def is_source(self, tag: Any) -> bool:
        """Whether a value is what is differentiated by: the source, or anything that an accumulator was seeded with."""
        return tag in self.diary.watched if self.forward else tag is self.source.tag

    # ---- what every check needs -------------------------------------------------------------------------------------------

    def question(self) -> tuple[Any, bool] | None:
        """The recorder's last answer to this question, and whether it was asked with seeds."""
        for question in reversed(self.diary.questions):
            if set(self.tags) == set(question.targets) and self.source.tag in question.sources:
                _, numbers = question.answers[question.sources.index(self.source.tag)]
                return plain(numbers), question.seeded
        return None

    def times(self) -> int:
        """How often the program has asked the recorder this, as far as it remembers."""
        asked = [question for question in self.diary.questions if question.moment.kind == "asked"]
        return sum(
            set(self.tags) == set(question.targets) and self.source.tag in question.sources for question in asked
        )

    def _name_of_first(self) -> str:
        """What the question begins with: the source, or what an accumulator was given a tangent for."""
        if not self.forward:
            return self.source_name
        seeds = [*self.diary.watched, *self.diary.refused]
        return self.name(seeds[0]) if seeds else ""

    def applications_of(self, behind: Any) -> list[Any]:
        """The ops that made these values."""
        return [self.history.producer[tag] for tag in behind if tag in self.history.producer]

    def steps(self, path: list[Edge] | None, cut: Edge | None = None) -> tuple[tuple[str, str, str], ...]:
        """The path from the source to the target as (name, op's sign, state), short enough to draw.

        Given the cut that is explained, further cuts between it and the target are shown as consequences of it.
        """
        if not path:
            first = self._name_of_first()
            return ((first, "", "source"), (self.target_name, "", "apart")) if first else ()
        edges = path[::-1]
        steps = [(self.name(edges[0].of), "", "source")]
        for edge in edges:
            sign = (
                edge.application.primitive.sign
                if edge.application is not None
                else fixes.how(edge)
                if edge.kind == "export"
                else edge.record.how
            )
            inner = (
                edge.application is not None
                and edge.application.context.phase != "forward"
                and edge.into not in self.tags
            )
            follows = cut is not None and cut in path and path.index(edge) < path.index(cut) and edge.kind == "flat"
            state = "unwatched" if follows else "held" if edge is cut and not edge.cut else edge.kind
            steps.append((edge.application.op if inner else self.name(edge.into), sign, state))
        if len(steps) > 6:
            at = next((i for i, step in enumerate(steps) if step[2] in _DRAWN), 1)
            low = min(max(1, at - 1), len(steps) - 4)
            steps = [
                steps[0],
                *([("…", "", "fold")] if low > 1 else []),
                *steps[low : low + 3],
                *([("…", "", "fold")] if low + 3 < len(steps) - 1 else []),
                steps[-1],
            ]
        return tuple(steps)


def _differential(name: str) -> str:
    """The name of a differential: loss gives dloss, dy_dx gives d(dy_dx)."""
    return f"d{name}" if name.isalnum() else f"d({name})"


def word(edge: Edge) -> str:
    """What happens at a step, as the learner wrote it."""
    if edge.kind == "export":
        return fixes.how(edge)
    if edge.kind == "assign":
        return edge.record.how
    return fixes.op_name(edge.application)
