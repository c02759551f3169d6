"""Why this number: the paths that it came along with their products, and the uses that were not recorded."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..record.diary import Many, plain
from ..record.provenance import Site
from . import filled, fixes
from . import finite as advice
from .explanation import Explanation, Note, Path, Use, number
from .fixes import Fix
from .history import Edge
from .own_rule import deaf_rule, held_by_rule, of_one, takes_no_notice, times_upstream
from .question import Asked, word
from .rules import slope_known
from .sums import summed
from .zeros import finite, held, not_finite, zero

_CLIPS = ("clip_by_value", "minimum", "maximum", "relu6")
# Many right programs compare and choose on the way; only these ops take away a slope that was probably meant.
_STEPS = ("round", "floor", "ceil", "stop_gradient", "cast", "sign")


def a_number(asked: Asked) -> Explanation | None:
    """The derivative is a number: how it came about, and what it misses."""
    path = asked.history.path(asked.tags, asked.is_source)
    if asked.forward:
        return _tangent(asked, path) if asked.tangent is not None else None
    if path is None or not _recorded(asked, path):
        return None
    question = asked.question()
    if question is not None and question[0] is None:
        return held_by_rule(asked, path)
    return _Number(asked, path, question).explained()


def _recorded(asked: Asked, path: list[Edge]) -> bool:
    """Whether the tape wrote down every step of a path, from a source that it knew by then."""
    if any(edge.kind != "recorded" for edge in path):
        return False
    return not path or asked.history.knows(asked.source.tag, path[-1].application.tick)


class _Number:
    """The explanation of a number: the paths that it came along, and what may be wrong with it."""

    def __init__(self, asked: Asked, path: list[Edge], question: tuple[Any, bool] | None) -> None:
        self.asked, self.path, self.question = asked, path, question
        self.found, self.count = asked.history.recorded_paths(asked.tags, asked.source.tag)
        self.more = self.count > len(self.found)
        self.brought = self._brought()
        self.deaf = deaf_rule(asked, self.found)
        self.missing = _once(e for e in asked.history.unrecorded(asked.tags, asked.source.tag) if e.kind != "flat")

    def explained(self) -> Explanation:
        """The first thing that is wrong with the number, or how it came about."""
        asked = self.asked
        seeded = self.question is not None and self.question[1]
        if self.missing:
            return self._incomplete()
        clipped = held(asked.diary, self.path, _CLIPS) if self.question is not None and zero(self.question[0]) else None
        if clipped is not None:
            what = (
                f"{fixes.op_name(clipped.application)} at {asked.at(clipped.site)} held the value, and outside its bounds the "
                "slope is 0."
            )
            return self._say("M23", what, clipped.site, fixes.clip())
        odd = self.question is not None and not finite(self.question[0])
        broken = not_finite(asked.diary, self.found) if odd else None
        if broken is not None:
            before, after = map(plain, asked.diary.slopes[broken.application.tick, broken.position])
            fix = advice.finite(broken, before, after, self._chosen(broken))
            return self._say("M27", self._without_end(broken), broken.site, fix)
        if self.deaf is not None and not of_one(asked, self.deaf[0]):
            edge, read = self.deaf
            return self._say("C09", takes_no_notice(asked, edge, read), edge.site, times_upstream(edge, read))
        if (mixed := summed(asked)) and not seeded:
            return self._say("M19", mixed, None, fixes.jacobian(asked))
        along = f"it comes along {_many(self.count)}."
        return self._say("OK", along if self.path else "the target is the source.")

    def _say(self, code: str, what: str, site: Site | None = None, fix: Fix | None = None, **more: Any) -> Explanation:
        asked = self.asked
        answer = number(self.question[0]) if self.question is not None else "a number"
        return Explanation(
            code, asked.title, answer, what, site, fix or Fix(""), paths=tuple(self._path(edges) for edges in self.found),
            more_paths=self.more, notes=self._notes(code), steps=asked.steps(self.path),
            recorder=asked.who, **{"cut": "number", **more},
        )  # fmt: skip

    def _notes(self, code: str) -> tuple[Note, ...]:
        notes = _notes(self.asked, self.path, self.question)
        if self.deaf is None or code == "C09":
            return notes
        return (*notes, Note("C09", takes_no_notice(self.asked, *self.deaf)))

    def _without_end(self, broken: Edge) -> str:
        """How a number that is not finite came about."""
        application = broken.application
        before, after = map(plain, self.asked.diary.slopes[application.tick, broken.position])
        arrived = "" if before is None else f"{number(before)} arrived, and "
        why = (
            ", for its slope is infinite there, and 0 × ∞ is no number"
            if zero(before) and np.isnan(after).any()
            else ""
        )
        where = f"{application.op}, {self.asked.at(broken.site)}"
        return f"it ceased to be finite at {where}: {arrived}{number(after)} went on{why}."

    def _chosen(self, broken: Edge) -> bool:
        """Whether what an op gave was one of two that `tf.where` chose between."""
        return any(edge.application.op == "where" for path in self.found if broken in path for edge in path)

    def _path(self, edges: list[Edge]) -> Path:
        ops = tuple(_result(self.asked, edge) for edge in edges)
        slopes = self._slopes(edges)
        brought = None if slopes or not edges else self.brought.get((edges[0].application.tick, edges[0].position))
        if slopes and not all(slope_known(edge.application) for edge in edges):
            # Quotients of the numbers of this backward pass, and no slopes: their product alone says something.
            slopes, brought = (), math.prod(slopes)
        return Path(ops, tuple(edge.site for edge in edges), slopes, _frozen(brought))

    def _slopes(self, edges: list[Edge]) -> tuple[float, ...]:
        """The slopes of a path, if all are known.  Beyond a slope of 0 none is known, and none is needed."""
        slopes: list[float] = []
        for edge in reversed(edges):
            slope = self.asked.diary.factors.get((edge.application.tick, edge.position))
            if slope is None:
                return ()
            slopes.insert(0, slope)
            if slope == 0 and (self.question is None or finite(self.question[0])):
                break
        return tuple(slopes)

    def _brought(self) -> dict[tuple[int, int], Any]:
        """The cotangent of each use of the source with which one path alone begins; empty unless they sum to the answer."""
        first = Counter((path[0].application.tick, path[0].position) for path in self.found if path)
        answer = self.question[0] if self.question is not None else None
        if self.more or isinstance(answer, Many | None):
            return {}
        if first.total() == 1:
            return dict.fromkeys(first, answer)
        parts = {use: self.asked.diary.parts.get(use) for use in first}
        if None in parts.values():
            return {}
        total = sum(np.asarray(part) for part in parts.values())
        fits = np.shape(total) == np.shape(answer) and np.allclose(total, answer, 1e-4, 1e-6)
        return {use: parts[use] for use, count in first.items() if count == 1} if fits else {}

    def _incomplete(self) -> Explanation:
        """Some uses of the source are missing from the number."""
        asked, first = self.asked, self.missing[0]
        recorded = len({(edge.application.tick, edge.position) for path in self.found for edge in path[:1]})
        code, happened, fix, cut = lost(asked, first)
        what = (
            f"only {recorded} of {recorded + len(self.missing)} uses of {asked.source_name} "
            f"{'was' if recorded == 1 else 'were'} recorded; {word(first)} at {asked.at(first.site)} {happened}."
        )
        return self._say(code, what, first.site, fix, unrecorded=_uses(asked, self.missing), cut=cut)


def _once(uses: Iterable[Edge]) -> list[Edge]:
    """The uses, of numbers that left once and came back at several places only one."""
    found = {id(use) if use.record is None else (use.of, use.record.tick): use for use in uses}
    return list(found.values())


def lost(asked: Asked, use: Edge) -> tuple[str, str, Fix, str]:
    """For a use that is missing from a number: the code of its cause, what happened, the fix, and the kind of cut."""
    if use.kind == "export":
        return "M12", fixes.left(use, asked.the), fixes.stay(use), "scissors"
    if use.kind == "assign":
        fix = fixes.instead_of_state(asked.name(use.of), use.record.how)
        return "M10", "carries the value over, and no derivative", fix, "wall"
    if use.kind == "unwatched":
        fix = fixes.watch_earlier(asked, asked.diary.watched_since(asked.source.tag).site, use.site)
        return "M02", f"came before {asked.who}.watch({asked.source_name})", fix, "ghost"
    if use.kind == "paused":
        return "M21", "ran while stop_recording was on", Fix("compute it outside the stop_recording block"), "pause"
    fix = fixes.into_start(asked, use.site) if use.kind == "before" else fixes.into_block(asked, use.site)
    return ("F01" if asked.forward else "M07" if use.kind == "before" else "M06"), "was not recorded", fix, "ghost"


def _many(count: int) -> str:
    """A number of paths, in words.

    >>> _many(1), _many(3), _many(3**40)
    ('1 path', '3 paths', 'more than a million paths')
    """
    return "more than a million paths" if count > 1_000_000 else f"{count} path{'' if count == 1 else 's'}"


def _uses(asked: Asked, missing: list[Edge]) -> tuple[Use, ...]:
    names = [filled.assigned(edge.site) or asked.name(edge.of) for edge in missing]
    return tuple(
        Use(edge.kind, f"{name} through {word(edge)}", edge.site) for name, edge in zip(names, missing, strict=True)
    )


def _notes(asked: Asked, path: list[Edge], question: Any) -> tuple[Note, ...]:
    """What else is worth knowing about a number."""
    notes = []
    tag = asked.source.tag
    if question is not None and zero(question[0]):
        notes.append(Note("M08", "this is a zero, not a None: there is a path, and its slope is 0."))
    for changed in asked.history.assigned.get(tag, ()):
        if path and changed.tick > path[-1].application.tick:
            text = (
                f"{asked.source_name} has changed since, at {asked.at(changed.site)}; the gradient belongs to the value that "
                f"{asked.the} read at {asked.at(path[-1].site)}."
            )
            if asked.times() > 1:
                text += (
                    " It was asked for again after that, and is the same: each turn of a loop needs a tape of its own."
                )
            notes.append(Note("M20", text))
            break
    own = [
        application
        for application in asked.history.applications
        if application.tick in asked.history.wanted and application.context.actor is asked.label
    ]
    if own:
        text = f"{asked.the} also wrote down {len(own)} ops of its own backward pass, because it was asked inside its block."
        notes.append(Note("M15", text))
    flat = [e for e in asked.history.unrecorded(asked.tags, tag) if e.kind == "flat" and _counts(e)]
    if flat:
        which = flat[0]
        code = "M21" if which.application.op == "stop_gradient" else "M11"
        does = "stops one branch of the backward pass" if code == "M21" else "moves in steps and adds no slope"
        notes.append(Note(code, f"{fixes.op_name(which.application)} at {asked.at(which.site)} {does}."))
    return tuple(notes)


def _tangent(asked: Asked, path: list[Edge] | None) -> Explanation:
    """The explanation of a tangent, which may also miss a use of what the accumulator was seeded with."""
    value, history = asked.tangent.array, asked.history
    seeds = list(asked.diary.watched)
    from_ = ", ".join(asked.own_name(tag) for tag in seeds)
    found = [path for tag in seeds for path in history.recorded_paths(asked.tags, tag)[0]]
    missing = _once(use for tag in seeds for use in history.unrecorded(asked.tags, tag) if use.kind != "flat")
    paths = tuple(
        Path(tuple(_result(asked, edge) for edge in path), tuple(edge.site for edge in path), ())
        for path in found
        if path
    )
    code, site, fix, cut = "OK", None, Fix(""), "number"
    what = f"the tangent of {from_} came along {_many(len(paths))}."
    if not paths:
        what = f"it is the tangent that {from_} was given."
    if missing:
        code, happened, fix, cut = lost(asked, missing[0])
        site = missing[0].site
        what = f"one use of {from_} is missing: {word(missing[0])} at {asked.at(site)} {happened}."
    note = f"one number per element, for one direction: the tangent that {from_} was given. Another direction is another run."
    return Explanation(
        code, asked.title, number(value.tolist() if value.size <= 8 else Many(value.shape)), what, site, fix, paths=paths,
        unrecorded=_uses(asked, missing), notes=(Note("F09", note),), steps=asked.steps(path), cut=cut, recorder=asked.who,
        forward=True,
    )  # fmt: skip


def _counts(edge: Edge) -> bool:
    return edge.application.op in _STEPS and edge.of.dtype.kind in "fc"


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def _result(asked: Asked, edge: Edge) -> str:
    """A step as "op = name", or the op alone where its result has no name of the learner's."""
    name, op = asked.name(edge.into), edge.application.op
    own = edge.application.context.phase == "forward" or edge.into in asked.tags
    return f"{op} = {name}" if own and name.isidentifier() else op
