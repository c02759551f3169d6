"""What minitape's recorder heard, event by event, as records of a stream."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, NamedTuple

from minitape.call import Call
from minitape.record.events import Event, Label
from minitape.record.provenance import Site as Instruction
from minitape.symbols import texts
from minitape.tensor import Tag
from minitape.trace import Application

from ...schema import clean
from ..claims import ROWS, Claims, Use, claims
from ..places import Places
from ..records import (
    KINDS,
    Applied,
    Context,
    Contributed,
    Failed,
    Made,
    Op,
    Record,
    Recorder,
    Row,
    Site,
    Summed,
    Value,
)  # fmt: skip

# The core's facts under the names that records have for them; those that a kind of record does not have are left out.
_NAMES = {"label": "recorder", "tag": "value", "application": "op", "saved_bytes": "saved", "plain_bytes": "plain"}
_HAS = {kind: {field.name for field in fields(record)} - {"kind"} for kind, record in KINDS.items()}


class _Values(dict[Tag, Value]):
    """Values by tag: a plain dictionary, because it is asked several times for each record."""

    def __init__(self, names: dict[Tag, str]) -> None:
        super().__init__()
        self._names = names
        self._dtypes: dict[Any, str] = {}

    def __missing__(self, tag: Tag) -> Value:
        dtype = self._dtypes.get(tag.dtype)
        if dtype is None:
            dtype = self._dtypes[tag.dtype] = str(tag.dtype)
        name, label = self._names.get(tag, ""), clean(tag.name) if tag.name else ""
        known = self[tag] = Value(f"v{len(self)}", dtype, tag.shape, tag.nbytes, tag.variable, name, label)
        return known


Shapes = tuple[tuple[int, ...], ...]
Around = tuple[str, str, tuple[str, ...], str]  # the scope, layer, regions and loop that something happens in


class Judged(NamedTuple):
    """What recorders said of an op that they were shown."""

    verdicts: Any  # the core's own, kept so that its id is not given to another
    taken: tuple[Recorder, ...]  # who wrote it down
    refused: tuple[tuple[Recorder, str], ...]  # who did not, and why
    tapes: list[Label]  # those of the former that go back


class Reading(Places):
    """Makes each object of the core into one of a stream, once."""

    def __init__(self, names: dict[Tag, str]) -> None:
        super().__init__()
        self._sites_of: dict[tuple[int, int], Site] = {}  # by identity of the code, which is slow to compare
        self._recorders: dict[Label, Recorder] = {}
        self.values = _Values(names)
        self._rows: dict[Any, Row] = {}
        self._calls: dict[Any, Row] = {}  # the same by op, shapes and settings
        self._verdicts: dict[int, Judged] = {}  # by identity: a tape says the same of all that it writes down
        self._ops: dict[int, Op] = {}  # by tick
        # By identity; the core's object is kept, so that its id is not given to another.
        self._contexts: dict[int, tuple[Any, Context]] = {}
        self._arounds: dict[Around, Around] = {}  # as they may stand in a picture
        self._regions: dict[int, str] = {}
        self._places: dict[Any, tuple[int, ...]] = {}  # by op and wanted inputs: what the backward pass needs
        self._knows: dict[Label, set[Tag]] = {}  # by tape: the values that it follows

    # ---- who and what took part -------------------------------------------------------------------------------------------

    def recorder(self, label: Label) -> Recorder:
        """A tape or an accumulator."""
        known = self._recorders.get(label)
        if known is None:
            known = self._recorders[label] = Recorder(f"r{len(self._recorders)}", label.kind, clean(label.name))
        return known

    def row(self, application: Application) -> Row:
        """The words of an op with the settings and shapes of one call."""
        primitive: Any = application.primitive
        params = application.params
        takes: Shapes = ()
        gives: Shapes = ()
        if primitive.name in ROWS and primitive.listed:  # its words depend on the shapes
            takes, gives = [tuple([tag.shape for tag in tags]) for tags in (application.inputs, application.outputs)]
        elif not params and (known := self._rows.get(primitive)) is not None:
            return known
        call = primitive, takes, gives, *params.items()
        try:
            known = self._calls.get(call)
        except TypeError:  # a setting that cannot be looked up
            return self._worded(primitive, takes, gives, params)
        if known is None:
            known = self._calls[call] = self._worded(primitive, takes, gives, params)
        return known

    def _worded(self, primitive: Any, takes: Shapes, gives: Shapes, params: dict[str, Any]) -> Row:
        said = claims(Use(primitive.name, primitive.arguments, takes, gives, params)) if gives else None
        told = texts(primitive, params) if params and said is None else None
        key = primitive if told is None and said is None else (primitive, *(said or told or ()))
        known = self._rows.get(key)
        if known is None:
            words = said or Claims(*(told or texts(primitive, params)))
            inert = [place for place in range(len(primitive.arguments)) if not primitive.differentiable(place)]
            known = self._rows[key] = Row(
                f"{clean(primitive.name)} {len(self._rows) + 1}", clean(primitive.name), clean(primitive.sign),
                clean(words.formula), tuple(map(clean, words.back)), tuple(map(clean, words.push)),
                tuple([clean(name) for name in primitive.arguments]), primitive.variadic, tuple(inert),
            )  # fmt: skip
        return known

    def region(self, number: int) -> str:
        """A region, numbered within the run."""
        return self._regions.setdefault(number, f"region {len(self._regions) + 1}")

    def context(self, context: Any) -> Context:
        """What was going on."""
        known = self._contexts.get(id(context))
        if known is None:
            cause, actor = context.cause, context.actor
            known = self._contexts[id(context)] = context, Context(
                context.phase, None if cause is None else self.op(cause), None if actor is None else self.recorder(actor),
                context.role, *self._around(context[4:8]), context.iteration,
            )  # fmt: skip
        return known[1]

    def _around(self, place: Around) -> Around:
        known = self._arounds.get(place)
        if known is None:
            scope, layer, region, loop = place
            cleaned = clean(scope), clean(layer), tuple([clean(name) for name in region]), clean(loop)
            known = self._arounds[place] = cleaned
        return known

    def op(self, application: Application, wanted: tuple[bool, ...] | None = None) -> Op:
        """An op that was applied."""
        known = self._ops.get(application.tick)
        if known is None:
            primitive: Any = application.primitive
            row, value = self.row(application), self.values.__getitem__
            takes, gives = tuple(map(value, application.inputs)), tuple(map(value, application.outputs))
            context = self.context(application.context)  # which may be of an op that is met here first
            # There are none if an error came before any recorder saw it.
            judged = self._judged(getattr(application, "verdicts", ()))
            call = isinstance(primitive, Call)
            account = primitive.account if call else None
            known = self._ops[application.tick] = Op(
                f"o{len(self._ops)}", row, takes, gives, self._instruction(application.code, application.lasti), context,
                judged.taken, judged.refused, self._saved(application, judged, wanted) if judged.tapes else (),
                "" if account is None else self.region(account.id), call and account is None,
                None if call else dict(application.params),
            )  # fmt: skip
        return known

    def _judged(self, verdicts: Any) -> Judged:
        """What recorders said of an op."""
        known = self._verdicts.get(id(verdicts))
        if known is None:
            known = self._verdicts[id(verdicts)] = Judged(
                verdicts,
                tuple([self.recorder(label) for label, reason in verdicts if not reason]),
                tuple([(self.recorder(label), clean(reason)) for label, reason in verdicts if reason]),
                [label for label, reason in verdicts if not reason and label.kind == "tape"],
            )
        return known

    def _instruction(self, code: Any, lasti: int) -> Site:
        known = self._sites_of.get((id(code), lasti))  # code is alive as long as what ran it
        if known is None:
            known = self._sites_of[id(code), lasti] = self.site(Instruction(code, lasti))
        return known

    def _place(self, at: Any) -> Site:
        """The site of an event, from the instruction or the application that the event has."""
        return self._instruction(*at) if type(at) is Instruction else self._instruction(at.code, at.lasti)

    def _saved(
        self, application: Application, judged: Judged, wanted: tuple[bool, ...] | None
    ) -> tuple[tuple[Recorder, tuple[int, ...]], ...]:
        """What each tape keeps of an op: what the backward pass needs towards the inputs that the tape follows."""
        saved = []
        primitive, inputs = application.primitive, application.inputs
        for label in judged.tapes:
            knows = self._knows.setdefault(label, set())
            follows = wanted or tuple([tag in knows for tag in inputs])
            question = primitive, follows
            places = self._places.get(question)
            if places is None:
                asked = tuple([known and primitive.differentiable(place) for place, known in enumerate(follows)])
                places = self._places[question] = primitive.saves(asked)
            if places:
                saved.append((self.recorder(label), places))
            knows.update(application.outputs)
        return tuple(saved)

    # ---- records ----------------------------------------------------------------------------------------------------------

    def record(self, event: Event | Application | list[Any]) -> Record:
        """An event of the core's as a record; a bare one for a kind that is not told."""
        if isinstance(event, Application):
            op = self.op(event)
            return Applied(op=op, site=op.site, context=op.context)
        if isinstance(event, list):
            return self._often(*event)
        made = Failed if event.kind == "refused" else KINDS.get(event.kind.replace(" ", "-"))
        if made is None:
            return Record()
        if event.kind == "watch":
            self._knows.setdefault(event.facts["label"], set()).add(event.facts["tag"])
        facts = {}
        for key, fact in event.facts.items():
            name = _NAMES.get(key, key)
            if name in _HAS[made.kind]:
                facts[name] = self._fact(key, fact)
        return made(site=self._place(event.at), context=self.context(event.context), **facts)

    def _often(self, kind: str, tick: int, at: Any, context: Any, *facts: Any) -> Record:
        """An event of those that come by the thousand, as the log has it: its facts as `recording.OFTEN` lists them."""
        values, site, around = self.values, self._place(at), self.context(context)
        if kind == "contribution":
            label, into, position, first, part = facts
            return Contributed(
                site=site, context=around, recorder=self.recorder(label), into=values[into], position=position, first=first,
                part=values[part],
            )  # fmt: skip
        if kind == "total":
            label, into, total = facts
            recorder = self.recorder(label)
            return Summed(site=site, context=around, recorder=recorder, into=values[into], total=values[total])
        _, implicit, tag = facts
        return Made(site=site, context=around, value=values[tag], implicit=implicit)

    def _fact(self, key: str, fact: Any) -> Any:
        if isinstance(fact, Tag):
            return self.values[fact]
        if isinstance(fact, Instruction):
            return self._place(fact)
        if isinstance(fact, Label):
            return self.recorder(fact)
        if isinstance(fact, Application):
            return self.op(fact)
        if isinstance(fact, str):
            return clean(fact)
        if isinstance(fact, list | tuple):
            return tuple([self._fact(key, inner) for inner in fact])
        return self.region(fact) if key == "region" else fact
