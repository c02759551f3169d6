"""Why a derivative is None, or this number: the question, where the path stops, and what to type next.

The checks come in the order in which a teacher would ask: is the tape used up; can this thing have a slope at all; was it
watched, and in time; did the tape hear how the target was made; does a path lead back, and where is it cut.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from . import fixes, source
from .events import here
from .fixes import Fix
from .history import Edge, History
from .log import Many
from .provenance import Site


@dataclass(frozen=True)
class Road:
    """One recorded path from the source to the target, and the product of the slopes along it, where they are numbers."""

    ops: tuple[str, ...]
    sites: tuple[Site, ...]
    slopes: tuple[float, ...]

    @property
    def product(self) -> float | None:
        """What this path contributes."""
        if len(self.slopes) != len(self.ops):
            return None
        total = 1.0
        for one in self.slopes:
            total *= one
        return total


@dataclass(frozen=True)
class Use:
    """A use of the source on the way to the target that was not recorded."""

    kind: str
    how: str
    site: Site


@dataclass(frozen=True)
class Note:
    """Something else worth knowing, with the code of its row."""

    code: str
    text: str


@dataclass(frozen=True)
class Explanation:
    """The answer to `tape.why(target, source)` or `acc.why(tensor)`: print it, or read its parts.

    `code` is stable: M01 to M26 for tapes, F01 to F14 for accumulators, R and C for regions and custom gradients, "OK" for
    a number with nothing to say against it.  `steps` is the path from the source to the target, as [(name, op, state)].
    """

    code: str
    asked: str
    answer: str
    what: str
    site: Site | None = None
    fix: Fix = field(default_factory=lambda: Fix(""))
    roads: tuple[Road, ...] = ()
    more_roads: bool = False
    unrecorded: tuple[Use, ...] = ()
    notes: tuple[Note, ...] = ()
    steps: tuple[tuple[str, str, str], ...] = ()
    cut: str = ""  # the kind of cut: ghost, eye, wall, scissors, stop, pause, released, none, number
    recorder: str = "tape"

    @property
    def codes(self) -> tuple[str, ...]:
        """The code, and those of the notes."""
        return (self.code, *[one.code for one in self.notes])

    def __str__(self) -> str:
        lines = [f"{self.asked} is {self.answer}: {self.what}" if self.what else f"{self.asked} is {self.answer}."]
        for road in dict.fromkeys(self.roads):
            count = self.roads.count(road)
            lines.append(f"  path      {_road(self, road)}{f',  {count} times' if count > 1 else ''}")
        if self.more_roads:
            lines.append("  path      … and more")
        for use in self.unrecorded:
            lines.append(f"  missing   {use.how}   {use.site}")
        if self.site is not None and self.code != "OK":
            lines.append(f"  {'here' if self.unrecorded else 'stops at':<9} {self.site}")
        if self.fix.text:
            lines.append(f"  fix       {self.fix.text}")
        if self.fix.code:
            lines.extend(f"            {line}" for line in self.fix.code.splitlines())
        for note in self.notes:
            lines.append(f"  note      {note.text}{f' [{note.code}]' if note.code else ''}")
        if self.code not in ("", "OK"):
            lines.append(f"  cause     {self.code}")
        return "\n".join(lines)

    __repr__ = __str__


def _road(whole: Explanation, road: Road) -> str:
    names = " → ".join([whole.steps[0][0] if whole.steps else "source", *road.ops])
    lines = ", ".join(str(site.line) for site in road.sites)
    said = f"{names}   (line{'' if len(road.sites) == 1 else 's'} {lines})" if road.sites else names
    if road.product is None:
        return said
    factors = " · ".join(number(one) for one in road.slopes)
    return (
        f"{said}   {factors} = {number(road.product)}" if len(road.slopes) > 1 else f"{said}   {number(road.product)}"
    )


def number(value: Any) -> str:
    """A remembered number, short.

    >>> number(6.0), number([2.5, 1.0]), number(Many((3, 4)))
    ('6', '[2.5, 1]', 'an array of shape [3, 4]')
    """
    if isinstance(value, Many):
        return f"an array of shape {list(value.shape)}"
    if isinstance(value, list):
        return "[" + ", ".join(number(one) for one in value) + "]"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def explain(recorder: Any, targets: Any, source_: Any, tangent: Any = None) -> Explanation:
    """The explanation for a tape (or, without a source, for an accumulator)."""
    return _Asked(recorder, targets, source_, tangent).answer()


class _Asked:
    """One question, on its way through the checks."""

    def __init__(self, recorder: Any, targets: Any, source_: Any, tangent: Any) -> None:
        self.recorder, self.targets, self.source, self.tangent = recorder, targets, source_, tangent
        self.forward = source_ is None
        self.history = History(recorder)
        self.diary, self.label = recorder.diary, recorder.label
        self.who = self.label.name
        self.the = f"the {self.who}" if self.who == self.label.kind else self.who
        self.here = here()
        names = self._asked_names()
        self.target_name = names[0]
        self.source_name = names[1]
        self.asked = (
            f"{self.who}.jvp({self.target_name})" if self.forward else f"d{self.target_name}/d{self.source_name}"
        )

    def _asked_names(self) -> tuple[str, str]:
        node = source.own(self.here)
        given = [source.unparse(one, 24) for one in getattr(node, "args", ())]
        first = given[0] if given else ""
        second = given[1] if len(given) > 1 else ""
        if isinstance(getattr(node, "args", [None, None])[-1], source.ast.List | source.ast.Tuple | source.ast.Dict):
            second = ""  # one of several sources: its own name is better
        tag = getattr(self.source, "_tag", None)
        one = self._name(self.targets[0]._tag) if hasattr(self.targets[0], "_tag") else "y"
        return first or one, second or (self._name(tag) if tag is not None else "x")

    def _name(self, tag: Any) -> str:
        return self.history.name(tag)

    def name(self, tag: Any) -> str:
        """The name of a value, as it was called in the question if it was."""
        if tag is getattr(self.source, "_tag", None):
            return self.source_name
        if any(tag is getattr(one, "_tag", None) for one in self.targets):
            return self.target_name
        return self._name(tag)

    def at(self, site: Site | None) -> str:
        """A place in words."""
        if site is None:
            return "a line that is not known"
        if site.filename == self.here.filename:
            return f"line {site.line}"
        label = site.label if site.label.startswith("cell ") else site.label.rpartition("/")[2]
        return f"{label}, line {site.line}"

    # ---- the checks, in order -----------------------------------------------------------------------------------------

    def answer(self) -> Explanation:
        """The first check that finds something, or the number."""
        return (
            self._released()
            or self._no_tensor()
            or self._no_slope()
            or self._number()
            or self._never_watched()
            or self._cut()
            or self._no_path()
        )

    def _none(
        self, code: str, what: str, cut: str, site: Site | None = None, fix: Fix | None = None, **more: Any
    ) -> Any:
        return Explanation(
            code,
            self.asked,
            "None",
            what,
            site,
            fix or Fix(""),
            cut=cut,
            recorder=self.who,
            **{"steps": self._steps(None), **more},
        )

    @property
    def tags(self) -> list[Any]:
        """The tags of the targets."""
        return [one._tag for one in self.targets if hasattr(one, "_tag")]

    def is_source(self, tag: Any) -> bool:
        """Whether a value is what is differentiated by: the source, or anything that an accumulator was seeded with."""
        return tag in self.diary.watched if self.forward else tag is self.source._tag

    def _released(self) -> Explanation | None:
        refused, spent = self.diary.last("refused"), self.diary.last("spent")
        if self.forward or spent is None or not all(hasattr(one, "_tag") for one in (*self.targets, self.source)):
            return None
        asked = [
            one
            for one in self.diary.questions
            if self.source._tag in one.sources and set(self.tags) <= set(one.targets)
        ]
        if refused is None and asked:
            return None
        path = self.history.path(self.tags, self.is_source)
        if path is None or any(edge.kind != "recorded" for edge in path):
            return None  # it would have been None anyway, and that is the better story
        fix = fixes.persistent(self.label, self.who)
        return Explanation(
            "M13", self.asked, "not to be had",
            f"{self.the} has answered already, at {self.at(spent.site)}, and let go of everything that it kept.",
            spent.site, fix, cut="released", recorder=self.who, steps=self._steps(path),
        )  # fmt: skip

    def _no_tensor(self) -> Explanation | None:
        for what, one in [*(("target", one) for one in self.targets), ("source", self.source)]:
            if hasattr(one, "_tag") or (what == "source" and self.forward):
                continue
            name = self.target_name if what == "target" else self.source_name
            if one is None:
                return self._none(
                    "NONE",
                    f"{name} is None itself: the recorder that was to give it did not see how. Ask that one why.",
                    "none",
                )
            return self._left(what, name, one)
        return None

    def _left(self, what: str, name: str, one: Any) -> Explanation:
        """The target or the source is a plain number or a NumPy array."""
        kind = type(one).__name__
        node = source.own(self.here)
        given = getattr(node, "args", ())
        which = given[0 if what == "target" else 1] if len(given) > (what == "source") else None
        flow = source.flow(self.here, which)
        left = [e for e in self.history.exports if flow.holds(e.site, self.here.filename)] if which is not None else []
        if left:
            edge = Edge("export", None, left[-1].tag, None, 0, left[-1])
            how, _ = fixes.how(edge)
            return self._none(
                "M04", f"{name} is a plain {kind}: it left {self.the} at {self.at(edge.site)}, through {how}.", "scissors",
                edge.site, fixes.stay(edge), steps=((self._name(edge.of), "", "known"), (name, how, "scissors")),
            )  # fmt: skip
        text = f"make it a tensor before the tape listens: {name} = {source.alias(self.here)}.constant({name})"
        return self._none("M25", f"{name} is a plain {kind}, and plain numbers leave no trace.", "eye", None, Fix(text))

    def _no_slope(self) -> Explanation | None:
        if self.forward:
            if self.diary.watched or not self.diary.refused:
                return None
            tag, code, role = self.diary.refused[0], "F03", "its primal"
        else:
            tag, code, role = self.source._tag, "M03", self.source_name
        if tag.dtype.kind in "fc":
            return None
        made = self.history.made.get(tag)
        return self._none(
            code,
            f"{role} is {tag.dtype}, and whole numbers have no slope{f' (made at {self.at(made.site)})' if made else ''}.",
            "eye", made.site if made else None, fixes.floats(made.site if made else None, self.source_name),
        )  # fmt: skip

    # ---- a number -----------------------------------------------------------------------------------------------------

    def _number(self) -> Explanation | None:
        path = self.history.path(self.tags, self.is_source)
        if self.forward:
            return self._tangent(path) if self.tangent is not None else None
        if (
            path is None
            or any(edge.kind != "recorded" for edge in path)
            or not any(self.history.knows(self.source._tag, edge.row.tick) for edge in path[-1:])
            and path
        ):
            return None
        found, more = self.history.roads(self.tags, self.source._tag)
        known = self.diary.factors
        roads = []
        for road in found:
            slopes = [known.get((edge.row.tick, edge.position)) for edge in road]
            sure = tuple(one for one in slopes if one is not None)
            ops = tuple(_result(self, edge) for edge in road)
            roads.append(Road(ops, tuple(edge.site for edge in road), sure if len(sure) == len(slopes) else ()))
        missing = [
            e for e in self.history.unrecorded(self.tags, self.source._tag) if e.kind not in ("flat",) or _counts(e)
        ]
        question = self._question()
        if question is not None and question[0] is None:
            return self._held_by_rule(path)
        answer = number(question[0]) if question is not None else "a number"
        notes = self._notes(path, question)
        base = {
            "roads": tuple(roads), "more_roads": more, "steps": self._steps(path), "cut": "number", "recorder": self.who,
        }  # fmt: skip
        left = [edge for edge in missing if edge.kind != "flat"]
        if left:
            edge = left[0]
            uses = len({(e.row.tick, e.position) for road in found for e in road[:1]})
            count = uses + len(left)
            how = fixes.how(edge)[0] if edge.kind == "export" else _word(edge)
            base["unrecorded"] = tuple(Use(e.kind, _use(self, e), e.site) for e in left)
            base["cut"] = "scissors" if edge.kind == "export" else "ghost"
            code = "M12" if edge.kind == "export" else "M06"
            verb = "was" if uses == 1 else "were"
            what = (
                f"only {uses} of {count} uses of {self.source_name} {verb} recorded; {how} at "
                f"{self.at(edge.site)} {_left_word(edge)}."
            )
            fix = fixes.stay(edge) if edge.kind == "export" else Fix(f"compute it inside the block of {self.the}")
            return Explanation(code, self.asked, answer, what, edge.site, fix, notes=notes, **base)
        clipped = self._clipped(path, question)
        if clipped is not None:
            what = (
                f"{fixes.op_name(clipped.row)} at {self.at(clipped.site)} held the value, and outside its "
                "bounds the slope is 0."
            )
            return Explanation("M23", self.asked, answer, what, clipped.site, fixes.clip(), notes=notes, **base)
        if (summed := self._summed()) and not (question and question[1]):
            return Explanation("M19", self.asked, answer, summed, None, fixes.jacobian(self), notes=notes, **base)
        words = (
            f"it comes along {len(roads)} path{'' if len(roads) == 1 else 's'}."
            if roads
            else "the target is the source."
        )
        return Explanation("OK", self.asked, answer, words, None, notes=notes, **base)

    def _held_by_rule(self, path: list[Edge]) -> Explanation:
        """Everything was recorded, and a gradient function answered None."""
        edge = next((one for one in path if one.row is not None and one.row.primitive.kind == "call"), path[0])
        name = edge.row.op
        return self._none(
            "C02", f"the gradient function of {name}, called at {self.at(edge.site)}, gave None for "
                f"{self.name(edge.of)}.", "wall",
            edge.site, Fix(f"let the gradient function of {name} return one gradient per input"), steps=self._steps(path),
        )  # fmt: skip

    def _question(self) -> tuple[Any, bool] | None:
        """What was answered when this was asked, and whether seeds were given."""
        for one in reversed(self.diary.questions):
            if set(self.tags) == set(one.targets) and self.source._tag in one.sources:
                return one.answers[one.sources.index(self.source._tag)], one.seeded
        return None

    def _notes(self, path: list[Edge], question: Any) -> tuple[Note, ...]:
        notes = []
        tag = self.source._tag
        if question is not None and _zero(question[0]):
            notes.append(Note("M08", "this is a zero, not a None: there is a path, and its slope is 0."))
        for changed in self.history.assigned.get(tag, ()):
            if path and changed.tick > path[-1].row.tick:
                notes.append(
                    Note("M20", f"{self.source_name} has changed since, at {self.at(changed.site)}; "
                    f"the gradient belongs to the value that {self.the} read at {self.at(path[-1].site)}.")
                )  # fmt: skip
                break
        own = [row for row in self.history.rows if row.tick in self.history.wanted and row.context.actor is self.label]
        if own:
            text = (
                f"{self.the} also wrote down {len(own)} ops of its own way back, because it was asked inside its block."
            )
            notes.append(Note("M15", text))
        flat = [e for e in self.history.unrecorded(self.tags, tag) if e.kind == "flat" and _counts(e)]
        if flat:
            which = flat[0]
            code = "M21" if which.row.op == "stop_gradient" else "M11"
            word = "holds one way back" if code == "M21" else "moves in steps and adds no slope"
            notes.append(Note(code, f"{fixes.op_name(which.row)} at {self.at(which.site)} {word}."))
        return tuple(notes)

    def _clipped(self, path: list[Edge], question: Any) -> Edge | None:
        if question is None or not _zero(question[0]):
            return None
        return next((edge for edge in path if edge.row is not None and edge.row.op in _CLIPS), None)

    def _summed(self) -> str:
        """What to say where a gradient is a sum over elements that share a source; "" where each has its own."""
        size = _size(self.tags[0].shape)
        if len(self.tags) > 1:
            return f"the gradient of several targets is the gradient of their sum ({len(self.tags)} targets)."
        if size == 1 or separate(self.history, self.tags[0], self.source._tag):
            return ""
        return f"{self.target_name} has {size} elements, and a gradient is that of their sum."

    def _tangent(self, path: list[Edge] | None) -> Explanation:
        value = self.tangent._array
        from_ = ", ".join(self._name(tag) for tag in self.diary.watched)
        notes = [
            Note(
                "F09",
                f"one number per element, for one direction: the tangent that {from_} was given. Another "
                "direction is another run.",
            )
        ]
        return Explanation(
            "OK", self.asked, number(value.tolist() if value.size <= 8 else Many(value.shape)),
            f"the tangent of {from_} was carried along {len(path or ())} op{'' if len(path or ()) == 1 else 's'}.", None,
            notes=tuple(notes), steps=self._steps(path), cut="number", recorder=self.who,
        )  # fmt: skip

    # ---- None: watching -------------------------------------------------------------------------------------------------

    def _never_watched(self) -> Explanation | None:
        if self.forward:
            return None
        tag = self.source._tag
        path = self.history.path(self.tags, self.is_source)
        watched = self.diary.watched.get(tag)
        first = path[-1] if path else None
        replaced = self._replaced(tag, path)
        if replaced is not None:
            return replaced
        if watched is not None:
            if path and not any(edge.cut for edge in path) and first is not None and first.row.tick < watched.tick:
                return self._none(
                    "M02",
                    f"{self.the} began to watch {self.source_name} at {self.at(watched.site)}, after it was used at "
                    f"{self.at(first.site)}.",
                    "eye", first.site, fixes.watch_earlier(self, watched.site, first.site), steps=self._steps(path),
                )  # fmt: skip
            return None
        if path is None and not self._reads_itself():
            return None  # no path at all says more
        if path is None or self._reads_itself() and any(edge.cut for edge in path):
            return None
        assert first is not None
        others = self._rest(path)
        made = self.history.made.get(tag)
        row = self.history.producer.get(tag)
        shown = first.row is not None and first.row.verdict(self.label) is not None
        if tag.variable and not getattr(self.source, "trainable", True):
            return self._none(
                "M09", f"{self.source_name} is a Variable with trainable=False, and {self.the} watches only "
                    "trainable ones by itself.",
                "eye", first.site, fixes.watch(self, first.site, "differentiate by `trainable_variables`, or watch it"),
                steps=self._steps(path), notes=others,
            )  # fmt: skip
        if row is not None and not tag.variable:
            return self._none(
                "M07", f"{self.source_name} came to {self.the} as a finished number, computed at "
                    f"{self.at(row.site)}, and was never watched.",
                "eye", first.site, fixes.watch(self, first.site), steps=self._steps(path), notes=others,
            )  # fmt: skip
        other = (
            next((one for one, reason in first.row.verdicts if reason == "" and one.kind == "tape"), None)
            if shown
            else None
        )
        if other is not None:
            return self._none(
                "M17", f"{other.name} watches {self.source_name}, but {self.the} does not: every tape has its own eyes.",
                "eye", first.site, fixes.watch(self, first.site), steps=self._steps(path), notes=others,
            )  # fmt: skip
        how = f" (made at {self.at(made.site)}{'' if tag.variable else ' as a constant'})" if made else ""
        why = "" if not tag.variable else ", and it was told not to watch variables by itself"
        return self._none(
            "M01", f"{self.the} never watched {self.source_name}{how}{why}.", "eye", first.site,
            fixes.watch(self, first.site), steps=self._steps(path), notes=others,
        )  # fmt: skip

    def _reads_itself(self) -> bool:
        """Whether the tape watches this source by itself when it is read."""
        watches = getattr(self.recorder, "_watch_accessed", True)
        return self.source._tag.variable and getattr(self.source, "trainable", True) and watches

    def _replaced(self, tag: Any, path: list[Edge] | None) -> Explanation | None:
        """The name that was asked for stands for another object by now."""
        row, made = self.history.producer.get(tag), self.history.made.get(tag)
        behind = self.history.behind(self.tags)
        if row is not None and not tag.variable and (name := row.site.assigned_name()):
            for of in row.inputs:
                trail = self.history.path([of], lambda one: one.variable)
                old = next((e.of for e in reversed(trail or ()) if e.of.variable), of if of.variable else None)
                if old is not None and name in (self._name(old), *row.site.operand_names(), *_augmented(row.site)):
                    if self.history.status(row) == "recorded" and path is not None:
                        continue
                    return self._none(
                        "M05", f"{name} is no Variable any more: at {self.at(row.site)} it became a plain tensor, "
                            f"which {self.the} does not watch.",
                        "slide", row.site, fixes.assign(self, row.site, name),
                        steps=(
                            (f"{name} (Variable)", "", "known"), (f"{name} (tensor)", row.primitive.sign, "ghost"),
                            *self._steps(path)[1:],
                        ),
                    )  # fmt: skip
        if path is None and made is not None and self.tags:
            name = made.site.assigned_name()
            twins = [one for one in behind if one is not tag and name and self._name(one) == name and one.id < tag.id]
            if twins and made.tick > max((row.tick for row in self._rows_of(behind)), default=0):
                return self._none(
                    "M05", f"{name} was made anew at {self.at(made.site)}, after {self.target_name} was computed "
                        "from another object of that name.",
                    "slide", made.site, Fix(f"make {name} once, and change it with {name}.assign(...)"),
                )  # fmt: skip
        return None

    def _rows_of(self, behind: Any) -> list[Any]:
        return [self.history.producer[tag] for tag in behind if tag in self.history.producer]

    # ---- None: a cut ----------------------------------------------------------------------------------------------------

    def _cut(self) -> Explanation | None:
        path = self.history.path(self.tags, self.is_source)
        if path is None and self.forward and self.tags[0] in self.diary.watched:
            return None
        if path is None:
            return None
        cuts = [edge for edge in path if edge.cut]
        if not cuts:
            return None
        if not cuts[0].certain and any(edge.certain for edge in cuts):
            cuts.sort(key=lambda edge: not edge.certain)
        while cuts[0].kind == "flat" and cuts[0].of.dtype.kind not in "fc" and len(cuts) > 1 and cuts[1].kind == "flat":
            cuts.pop(0)  # a mask made a number again: where it became a mask is the place
        return self._stopped(cuts[0], path, cuts[1:])

    def _rest(self, path: list[Edge]) -> tuple[Note, ...]:
        cuts = [edge for edge in path if edge.cut]
        return tuple(
            Note("", f"then the path is cut once more: {_word(one)} at {self.at(one.site)}.") for one in cuts[:2]
        )

    def _stopped(self, edge: Edge, path: list[Edge], rest: list[Edge]) -> Explanation:
        site = edge.site
        notes = tuple(
            Note("", f"then the path is cut once more: {_word(one)} at {self.at(one.site)}.")
            for one in rest[:2]
            if one.site != site and (one.kind != edge.kind or one.kind in ("flat", "export", "assign"))
        )
        more = {"steps": self._steps(path), "notes": notes}
        name = self.name(edge.into) if edge.into is not None else "a value"
        where = self.at(site)
        if edge.kind == "flat":
            return self._flat(edge, more)
        if edge.kind == "export":
            how, _ = fixes.how(edge)
            sure = "" if edge.certain else " (as far as can be told)"
            return self._none(
                "M04", f"the path from {self.target_name} reaches {how} at {where}{sure}, where "
                    f"{self.name(edge.of)} left {self.the}.",
                "scissors", site, fixes.stay(edge), **more,
            )  # fmt: skip
        if edge.kind == "assign":
            return self._none(
                "M10", f"{name} was given the value of {self.name(edge.of)} by {edge.record.how} at {where}: the "
                    "value crosses, a derivative does not.",
                "wall", site, Fix(f"compute with {self.name(edge.of)} itself, and assign afterwards"), **more,
            )  # fmt: skip
        if edge.kind == "forgotten":
            return self._none(
                "M13", f"{self.the} had written this down and was reset since.", "released", site,
                Fix("call reset() before what matters, not after it"), **more,
            )  # fmt: skip
        if edge.kind == "paused":
            return self._none(
                "M21", f"{name} was computed at {where} while {self.the} was stopped by stop_recording.", "pause", site,
                Fix(f"compute {name} outside the stop_recording block"), **more,
            )  # fmt: skip
        return self._not_heard(edge, name, where, more)

    def _not_heard(self, edge: Edge, name: str, where: str, more: dict[str, Any]) -> Explanation:
        row, site = edge.row, edge.site
        actor = row.context.actor
        block = source.block_of(self.label)
        into = fixes.into_block(self, site)
        if edge.kind == "hidden":
            who = actor.name if actor is not None else "an outer recorder"
            what = (
                f"{self.target_name} belongs to {who}, which is outside; {self.the} never sees what an outer "
                "recorder works out."
            )
            code = "F06"
            ask = f"{who}.jvp({self.who}.jvp(…))" if self.forward else f"ask {self.who} first, then {who}"
            return self._none(
                code, what, "ghost", site, Fix(f"ask {self.who} first, then {who}", ask if self.forward else ""), **more
            )
        if row.context.phase == "gradient" and actor is not None:
            own = actor is self.label
            code = "F11" if self.forward else "M18" if own else "M16"
            asked = "its own gradient" if own else f"{actor.name}.gradient"
            what = (
                f"{self.target_name} was computed by {asked} at {where}, outside the block of {self.the}, so "
                f"{self.the} has no backward ops to differentiate."
            )
            return self._none(code, what, "ghost", site, into, **more)
        last, first = self.diary.last("exit"), self.diary.last("enter")
        if edge.kind == "before" and not self.forward:
            begin = f" (at {self.at(first.site)})" if first else ""
            fix = fixes.into_start(self, site)
            return self._none(
                "M07",
                f"{name} was computed at {where}, before {self.the} began to listen{begin}.",
                "ghost",
                site,
                fix,
                **more,
            )
        code = "F01" if self.forward else "M06"
        end = f"after {self.the} stopped listening" if edge.kind == "after" else f"before {self.the} listened"
        at = f" ({self.at(last.site)})" if last is not None and edge.kind == "after" and block is None else ""
        if edge.kind == "before" and first is None:
            end = f"and {self.the} never listened: it was not entered"
        fix = fixes.into_start(self, site) if edge.kind == "before" else into
        return self._none(code, f"{name} was computed at {where}, {end}{at}.", "ghost", site, fix, **more)

    def _flat(self, edge: Edge, more: dict[str, Any]) -> Explanation:
        row, where = edge.row, self.at(edge.site)
        op = fixes.op_name(row)
        if row.op == "stop_gradient":
            return self._none(
                "M21", f"{op} at {where} holds the way back.", "stop", edge.site, fixes.unwrapped(edge.site, op), **more
            )
        if edge.position in row.primitive.inert and row.primitive.kind != "flat":
            what = f"{self.name(edge.of)} only chooses in {op} at {where}; what it chooses moves in steps, and has no slope."
        elif edge.into.dtype.kind not in "fc":
            what = f"{op} at {where} makes {edge.into.dtype} numbers, which move in steps: no useful slope."
        else:
            what = f"{op} at {where} moves in steps: flat, with jumps, and no useful slope."
        return self._none("M11", what, "wall", edge.site, fixes.surrogate(edge.site, row), **more)

    # ---- None: nothing leads there ----------------------------------------------------------------------------------------

    def _no_path(self) -> Explanation:
        behind = self.history.behind(self.tags)
        leaves = [tag for tag, edges in behind.items() if not edges and (tag.variable or tag in self.history.made)]
        from_ = ", ".join(dict.fromkeys(self._name(tag) for tag in leaves[:4]))
        known = f" {self.target_name} was made from {from_}." if from_ and leaves != self.tags else ""
        far = " (as far as the log reaches back)" if self.history.full() else ""
        row = self.history.producer.get(self.tags[0])
        if self.forward:
            if not self.diary.watched:
                return self._none("F01", f"{self.the} was given no tangent to carry.", "none")
            seeds = ", ".join(self._name(tag) for tag in self.diary.watched)
            what = f"{self.target_name} does not depend on {seeds}{far}."
            fix = Fix(
                "ask for zeros instead of None", f'{self.who}.jvp({self.target_name}, unconnected_gradients="zero")'
            )
            return self._none("M08", what + known, "none", row.site if row else None, fix)
        region = self.history.hidden_in_region(self.tags, self.source._tag)
        if region is not None:
            return self._outside_region(region)
        if (rule := self._constant_rule(behind)) is not None:
            return rule
        fix = Fix(
            "if 0 is what you want there, ask for it",
            f'{self.who}.gradient({self.target_name}, {self.source_name}, unconnected_gradients="zero")',
        )
        what = f"no path leads from {self.source_name} to {self.target_name}{far}: it was not used.{known}"
        steps = ((self.source_name, "", "source"), (self.target_name, row.primitive.sign if row else "", "apart"))
        return self._none("M08", what, "none", row.site if row else None, fix, steps=steps)

    def _outside_region(self, region: Any) -> Explanation:
        """Under compat("tf"): a region's body used a value that the region was not given as a positional argument."""
        name, node = self.source_name, source.own(region.site)
        keyword = isinstance(node, source.ast.Call) and any(
            isinstance(one.value, source.ast.Name) and one.value.id == name for one in node.keywords
        )
        how = (
            "as a keyword, which TensorFlow's regions do not follow"
            if keyword
            else "inside, but is not one of its arguments"
        )
        return self._none(
            "R06" if keyword else "R07", f"{name} is used by the region at {self.at(region.site)} {how}.", "ghost", region.site,
            Fix(f"pass {name} in as a positional argument"),
            steps=((name, "", "source"), (self.target_name, region.op, "hidden")),
        )  # fmt: skip

    def _constant_rule(self, behind: Any) -> Explanation | None:
        """A derivative of a derivative that came out of a gradient function which does not use the source."""
        for row in self._rows_of(behind):
            cause = row.context.cause
            if cause is not None and cause.primitive.kind == "call" and self.source._tag in cause.inputs:
                return self._none(
                    "C05", f"the gradient function of {cause.op} does not use {self.source_name}: to {self.the} "
                        "its answer is a constant.",
                    "none", row.site, Fix(f"compute the gradient from {self.source_name}, with tensors, not from "
                        "a fixed number"),
                )  # fmt: skip
        return None

    # ---- for the picture --------------------------------------------------------------------------------------------------

    def _steps(self, path: list[Edge] | None) -> tuple[tuple[str, str, str], ...]:
        """The path from the source to the target as (name, op's sign, state), short enough to draw."""
        if not path:
            return ((self.source_name, "", "source"), (self.target_name, "", "apart")) if not self.forward else ()
        edges = path[::-1]
        steps = [(self.name(edges[0].of), "", "source")]
        for edge in edges:
            sign = (
                edge.row.primitive.sign
                if edge.row is not None
                else fixes.how(edge)[0]
                if edge.kind == "export"
                else edge.record.how
            )
            inner = edge.row is not None and edge.row.context.phase != "forward" and edge.into not in self.tags
            steps.append((edge.row.op if inner else self.name(edge.into), sign, edge.kind))
        if len(steps) > 6:
            at = next((i for i, one in enumerate(steps) if one[2] in _DRAWN), 1)
            low = min(max(1, at - 1), len(steps) - 4)
            steps = [
                steps[0],
                *([("…", "", "fold")] if low > 1 else []),
                *steps[low : low + 3],
                *([("…", "", "fold")] if low + 3 < len(steps) - 1 else []),
                steps[-1],
            ]
        return tuple(steps)


_DRAWN = ("flat", "before", "after", "paused", "hidden", "forgotten", "assign", "export")
_CLIPS = ("clip_by_value", "minimum", "maximum", "relu6")
# Rows that choose or compare on the way are part of many right programs; only these take a slope away that was meant.
_STEPS = ("round", "floor", "ceil", "stop_gradient", "cast", "sign")


def _counts(edge: Edge) -> bool:
    return edge.row.op in _STEPS and edge.of.dtype.kind in "fc"


def _zero(value: Any) -> bool:
    if isinstance(value, list):
        return bool(value) and all(_zero(one) for one in value)
    return isinstance(value, int | float | complex) and value == 0


def _size(shape: tuple[int, ...]) -> int:
    size = 1
    for one in shape:
        size *= one
    return size


def separate(history: History, target: Any, of: Any) -> bool:
    """Whether every element of the target has an element of the source for itself, so that a sum over them mixes nothing."""
    if target.shape != of.shape:
        return False
    behind = history.behind([target])
    depends = {of}
    for tag in sorted(behind, key=lambda one: one.id):
        edges = [edge for edge in behind[tag] if edge.kind == "recorded" and edge.of in depends]
        if edges:
            depends.add(tag)
            if tag.shape != target.shape or any(
                edge.of.shape != tag.shape or not _by_number(edge.row) for edge in edges
            ):
                return False
    return True


def _by_number(row: Any) -> bool:
    return row.primitive.kind == "elementwise" or row.op in (
        "cast",
        "identity",
        "conj",
        "real",
        "negative",
        "add",
        "subtract",
    )


def _augmented(site: Site) -> tuple[str, ...]:
    one = source.statement(site)
    return (one.target.id,) if isinstance(one, source.ast.AugAssign) and isinstance(one.target, source.ast.Name) else ()


def _result(asked: _Asked, edge: Edge) -> str:
    name, op = asked.name(edge.into), edge.row.op
    own = edge.row.context.phase == "forward" or edge.into in asked.tags
    return f"{op} = {name}" if own and name.isidentifier() else op


def _word(edge: Edge) -> str:
    if edge.kind == "export":
        return fixes.how(edge)[0]
    if edge.kind == "assign":
        return edge.record.how
    return fixes.op_name(edge.row)


def _use(asked: _Asked, edge: Edge) -> str:
    return f"{asked.name(edge.of)} through {_word(edge)}"


def _left_word(edge: Edge) -> str:
    return "left the tape" if edge.kind == "export" else "was not recorded"
