"""What ran again: replays of regions and rebuilt values, told on the cards of their first run.

A rerun makes new values, but to the eye they are the old ones come back.  So before the story is told, every moment of a rerun is
rewritten in the tags of the first run: the tape that works inside a rerun speaks for the tape that asked for it, and its ops
become moments of the kind "again".  Only a rerun that somebody else writes down (a tape around it) keeps values of its own.
"""

from __future__ import annotations

from typing import Any

from minitape.call import Call
from minitape.record.events import Event, Label
from minitape.tensor import Tag
from minitape.trace import Application

from .run import Moment, Run

_COMING_AND_GOING = ("enter", "exit", "watch", "release", "deleted", "pause", "resume", "gradient")


class Region:
    """A piece of program that a tape knows as one entry: what ran in it, and what is kept of it."""

    def __init__(self, name: str, kind: str, parent: Region | None) -> None:
        self.name, self.kind, self.parent = name, kind, parent
        self.children: list[Region] = []
        self.body: list[Application] = []
        self.call: Application | None = None
        self.runs = 1
        self.kept = self.plain = 0
        if parent is not None:
            parent.children.append(self)


class _Pass:
    """One run of a region that is going on."""

    def __init__(self, region: Region, again: bool) -> None:
        self.region, self.again = region, again
        self.at = self.opened = 0  # how many of the first run's ops, and of its inner regions, have come again


class Again:
    """The regions of a run, and its moments as they are told."""

    def __init__(self, run: Run) -> None:
        self.regions: list[Region] = []
        self.home: dict[Tag, Region] = {}  # of the values made inside
        self.twins: dict[int, Application] = {}  # by tick of a replayed op: the op of the first run
        self.own_rules: set[int] = set()  # ticks of calls that go back by a rule of the learner's
        self._first: dict[Tag, Tag] = {}
        self._speaks_for: dict[Label, Label] = {}
        self._works_on: dict[Label, Region] = {}
        self._doors: dict[Label, set[Tag]] = {}  # what a rerun's gradient is asked for
        self._by_id: dict[int, Region] = {}
        self._passes: list[_Pass] = []
        self._flowing: set[Tag] = set()  # cotangents
        self._own: set[int] = set()  # ticks of replayed ops that have values of their own
        self._ways: dict[int, Region] = {}  # by moment, where a region opens, runs again or is done
        self._body_so_far: list[Application] = []
        if any(self._interesting(moment.event) for moment in run.moments):
            for index, moment in enumerate(run.moments):
                self._read(index, moment.event)
            self.moments = [self._told(index, moment) for index, moment in enumerate(run.moments)]
        else:
            self.moments = run.moments

    def first(self, tag: Tag) -> Tag:
        """The value of the first run that this one is, come back."""
        while tag in self._first:
            tag = self._first[tag]
        return tag

    def _interesting(self, event: Event) -> bool:
        application = event.facts.get("application")
        return event.kind.startswith("region") or (
            event.kind == "op" and application is not None and isinstance(application.primitive, Call)
        )

    # ---- reading ------------------------------------------------------------------------------------------------------

    def _read(self, index: int, event: Event) -> None:
        facts = event.facts
        match event.kind:
            case "region open":
                self._ways[index] = self._opened(facts)
            case "region replay":
                region = self._by_id[facts["region"]]
                self._passes.append(_Pass(region, again=True))
                self._ways[index] = region
            case "region close":
                if len(self._passes) > 1 and self._passes[-1].again and self._passes[-2].again:
                    self._ways[index] = self._passes[-1].region
                self._closed(facts)
            case "enter" if event.context.phase in ("recompute", "rebuild") and event.context.actor is not None:
                label = facts["label"]
                actor = event.context.actor
                self._speaks_for[label] = self._speaks_for.get(actor, actor)
                if self._passes:
                    self._works_on[label] = self._passes[-1].region
            case "gradient":
                self._doors[facts["label"]] = set(facts["sources"])
            case "seed" | "contribution":
                self._flowing.add(facts["part"])
            case "total":
                self._flowing.add(facts["total"])
            case "gradients":
                self._flowing.update(one for one in facts["answers"] if one is not None)
                if facts["label"] in self._works_on:
                    self._ways[index] = self._works_on[facts["label"]]
            case "op":
                self._applied(facts["application"])

    def _opened(self, facts: dict[str, Any]) -> Region:
        above = self._passes[-1] if self._passes else None
        again = above is not None and above.again
        if above is not None and above.again and above.opened < len(above.region.children):
            region = above.region.children[above.opened]
        else:
            region, again = Region(facts["path"][-1], "recompute", above.region if above else None), False
            self.regions.append(region)
        if above is not None:
            above.opened += 1
        self._by_id[facts["region"]] = region
        self._passes.append(_Pass(region, again))
        return region

    def _closed(self, facts: dict[str, Any]) -> None:
        known = self._by_id.get(facts["region"])
        if known is None:  # a wrapped layer says only that it has ended
            known = Region(facts["path"][-1], "recompute", self._passes[-1].region if self._passes else None)
            self._hold(known, [one for one in self._body_so_far if one.context.region])
            self._by_id[facts["region"]] = known
            self.regions.append(known)
        elif self._passes:
            self._passes.pop()
        known.runs = max(known.runs, facts["run"] + 1)
        known.kept, known.plain = facts["saved_bytes"], facts["plain_bytes"]

    def _applied(self, application: Application) -> None:
        phase, primitive = application.context.phase, application.primitive
        if isinstance(primitive, Call):
            if primitive.account is None:
                self._custom(application)
            elif (region := self._by_id.get(primitive.account.id)) is not None:
                if region.call is None:
                    region.call = application
                else:
                    self.twins[application.tick] = region.call
            return
        if phase == "gradient" or phase == "jvp":
            self._flowing.update(application.outputs)
        elif self._passes:
            self._inside(self._passes[-1], application)
        elif phase in ("rebuild", "recompute"):
            self._rebuilt(application)
        elif phase == "forward":
            if self._body_so_far and _place(self._body_so_far[-1]) != _place(application):
                self._body_so_far = []
            self._body_so_far.append(application)

    def _inside(self, now: _Pass, application: Application) -> None:
        if not now.again:
            now.region.body.append(application)
            self.home.update(dict.fromkeys(application.outputs, now.region))
            return
        if now.at < len(now.region.body) and now.region.body[now.at].op == application.op:
            self._pair(application, now.region.body[now.at])
            now.at += 1
        else:
            now.at = len(now.region.body)  # another road than the first time: from here on nothing is a twin

    def _rebuilt(self, application: Application) -> None:
        """An op of a reversible layer's way back, which is one of its first run where it has the same op on the same values."""
        cause = application.context.cause
        account = cause.primitive.account if cause is not None and isinstance(cause.primitive, Call) else None
        region = self._by_id.get(account.id) if account is not None else None
        if region is None or self._flowing & set(application.inputs):
            self._flowing.update(application.outputs)
            return
        region.kind, region.runs = "rebuild", max(region.runs, 2)
        for one in region.body:
            pairs = [(self.first(a), b) for a, b in zip(application.inputs, one.inputs, strict=False)]
            unknown = [(a, b) for a, b in pairs if a is not b]
            fits = all(a not in self.home and a not in cause.inputs and a.shape == b.shape for a, b in unknown)
            if one.op == application.op and fits and not any(twin is one for twin in self.twins.values()):
                self._first.update((a, b) for a, b in unknown)
                self._pair(application, one)
                return
        self._last_input(region, cause, application)

    def _last_input(self, region: Region, cause: Application, application: Application) -> None:
        """What is rebuilt and has no other place is the one input that is not back yet."""
        made = application.outputs[0]
        missing = [one for one in cause.inputs if one not in self._first.values() and one.shape == made.shape]
        used = [one for tick, one in self.twins.items() if one in region.body]
        if len(missing) == 1 and len(used) == len([one for one in region.body if one.op != "add"]):
            self._first[made] = missing[0]

    def _pair(self, application: Application, first: Application) -> None:
        self.twins[application.tick] = first
        others = [label for label, reason in application.verdicts if not reason and label not in self._speaks_for]
        if [one for one in others if one is not application.context.actor]:
            self._own.add(application.tick)
            return
        for tag, before in zip(application.outputs, first.outputs, strict=True):
            if tag is not before:
                self._first[tag] = before

    def _custom(self, call: Application) -> None:
        """The rule of a custom gradient stands for the ops that the function itself just ran."""
        self.own_rules.add(call.tick)
        body = [one for one in self._body_so_far if one.code.co_name == call.op]
        if body:
            region = Region(call.op, "custom", self._passes[-1].region if self._passes else None)
            region.call = call
            self.regions.append(region)
            self._hold(region, body)

    def _hold(self, region: Region, body: list[Application]) -> None:
        region.body, self._body_so_far = body, []
        self.home.update((tag, region) for one in body for tag in one.outputs)

    # ---- telling ------------------------------------------------------------------------------------------------------

    def _told(self, index: int, moment: Moment) -> Moment:
        event = moment.event
        label = event.facts.get("label")
        kind, facts = event.kind, {key: self._renamed(one) for key, one in event.facts.items()}
        context = event.context
        if index in self._ways:
            facts["way"] = self._ways[index]
            kind = {"gradients": "region-done"}.get(kind, kind.replace(" ", "-"))
        if isinstance(label, Label) and label in self._speaks_for:
            into = event.facts.get("into")
            at_the_door = into in self._doors.get(label, ())
            if kind in (*_COMING_AND_GOING, "gradients", "reset") or (
                kind in ("seed", "total") and self._returned(into)
            ):
                kind = "ignored"
            elif kind == "contribution" and at_the_door:
                kind = "carried"
            elif kind == "total" and at_the_door:
                kind = "ignored"
        if context.actor in self._speaks_for:
            context = context._replace(actor=self._speaks_for[context.actor])
        if context.cause is not None and context.cause.tick in self.twins and context.cause.tick not in self._own:
            context = context._replace(cause=self.twins[context.cause.tick])
        if kind == "op":
            kind, facts = self._op(facts)
        again = Moment(
            Event(kind, event.tick, event.site, context, facts), self._numbers(moment), moment.memory, moment.high
        )
        again.gone = [self.first(tag) for tag in moment.gone if tag.variable or not self.first(tag).variable]
        again.moved, again.kept = moment.moved, moment.kept
        return again

    def twin(self, application: Application) -> Application | None:
        """The op of the first run that a replayed op with values of its own repeats."""
        return self.twins[application.tick] if application.tick in self._own else None

    def region_of(self, call: Application) -> Region | None:
        """The region that an application stands for."""
        account = getattr(call.primitive, "account", None)
        return self._by_id.get(account.id) if account is not None else None

    def _returned(self, tag: Tag | None) -> bool:
        """Whether a value is one of the first run's come back, or lies at a region's door."""
        return tag is not None and (tag in self._first or any(tag in doors for doors in self._doors.values()))

    def _numbers(self, moment: Moment) -> Any:
        return {self.first(tag): snap for tag, snap in moment.numbers.items()} if self._first else moment.numbers

    def _op(self, facts: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        application: Application = facts["application"]
        primitive = application.primitive
        if isinstance(primitive, Call) and primitive.account is not None:
            region = self._by_id.get(primitive.account.id)
            if region is not None and region.call is not None and region.call.tick == application.tick:
                return "call", {**facts, "application": self._spoken(application), "way": region}
            return "ignored", facts
        cause = application.context.cause
        rebuilding = application.context.phase == "rebuild" and not self._flowing & set(application.inputs)
        if application.tick in self._own or not (application.tick in self.twins or rebuilding):
            return "op", {**facts, "application": self._spoken(application)}
        first = self.twins.get(application.tick)
        at_work = self.region_of(cause) if cause is not None and rebuilding else None
        region = at_work or self.home.get(self.first(application.outputs[0]))
        return "again", {**facts, "application": self._spoken(application), "first": first, "way": region}

    def _spoken(self, application: Application) -> Application:
        """The application in the tags of the first run."""
        inputs = tuple([self.first(tag) for tag in application.inputs])
        outputs = tuple([self.first(tag) for tag in application.outputs])
        if inputs == application.inputs and outputs == application.outputs and not self._speaks_for:
            return application
        context = application.context
        if context.actor in self._speaks_for:
            context = context._replace(actor=self._speaks_for[context.actor])
        spoken = Application(application.primitive, inputs, outputs, application.params, context, application.site)
        spoken.tick = application.tick
        spoken.verdicts = tuple([one for one in application.verdicts if one[0] not in self._speaks_for])
        return spoken

    def _renamed(self, fact: Any) -> Any:
        if isinstance(fact, Tag):
            return self.first(fact)
        if isinstance(fact, Label):
            return self._speaks_for.get(fact, fact)
        if isinstance(fact, list | tuple) and any(isinstance(one, Tag) for one in fact):
            return type(fact)(self.first(one) if isinstance(one, Tag) else one for one in fact)
        return fact


def _place(application: Application) -> tuple[Any, ...]:
    return application.context.region, application.code
