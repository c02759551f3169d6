"""A whole run as a stream of records, and the stream as JSON, both ways.

In JSON whatever is named more than once stands in a table under its id (`sources`, `sites`, `recorders`, `values`, `rows`,
`ops`), and records name it by that.  Fields with their usual content are left out.  How a field is written follows from its
type in `records.py`, so that nothing is listed here again.
"""

from __future__ import annotations

import ast
import functools
import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import MISSING, dataclass, field, fields
from typing import Any

from ..schema import bounded, check, clean, cleaned, dumps, loads, wrong
from .numbers import checked, plain
from .records import FORWARD, KINDS, Context, Op, Record, Recorder, Row, Site, Source, Value

SCHEMA = "viz-stream/1"
_THINGS: tuple[type[Any], ...] = (Source, Site, Recorder, Value, Row, Op)
TABLES = {kind.__name__: (f"{kind.__name__.lower()}s", kind) for kind in _THINGS}


@functools.cache
def _nobody_freezes() -> bool:
    """Whether the program keeps no objects from the collector, which are to stay so; Python counts them, so it is asked once."""
    return not gc.get_freeze_count()


@contextmanager
def without_collecting() -> Iterator[None]:
    """A block that makes very many objects and frees none: Python's collector would visit all of them again and again."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            # What was made is old at once, instead of being visited now to find that out.
            if gc.get_count()[0] > 10_000 and _nobody_freezes():
                gc.freeze()
                gc.unfreeze()
            gc.enable()


@dataclass(eq=False)
class Stream:
    """A whole run: who and what took part, and the records in order.

    >>> stream = viz.Stream.from_json('{"schema": "viz-stream/1", "title": "nothing", "records": []}')
    >>> stream.title, len(stream)
    ('nothing', 0)
    """

    title: str = ""
    lead: str = ""  # a sentence that stands above the pictures
    framework: str = ""  # whose program it was; none is said for minitape's own
    notes: tuple[str, ...] = ()  # sentences that stand below the pictures: what could not be watched, and why
    vocabulary: dict[str, str] = field(default_factory=dict)  # words of the source's own: see viz/tell/words.toml
    holders: tuple[str, ...] = ()  # who may hold bytes, bottom of the stack first; none where memory was not measured
    before: tuple[int, ...] = ()  # bytes that they held when the run began
    block: Site | None = None  # the `with` line of the recorded block
    records: list[Record] = field(default_factory=list)
    read: bool = False  # from data that anybody may have written

    def __len__(self) -> int:
        return len(self.records)

    def by_holder(self, memory: tuple[int, ...]) -> dict[str, int]:
        """Bytes as a record has them, by the names of those who have any."""
        return {holder: total for holder, total in zip(self.holders, memory, strict=False) if total}

    def to_dict(self) -> dict[str, Any]:
        """The stream as plain data; the same run gives the same data."""
        return _Writer(self).data

    def to_json(self) -> str:
        """The stream as one line of JSON."""
        return dumps(self.to_dict())

    @classmethod
    def from_dict(cls, data: Any) -> Stream:
        """The stream that `to_dict` described; raises ValueError with the path to what is wrong."""
        stream = _Reader(data).stream
        stream.read = True
        return stream

    @classmethod
    def from_json(cls, text: str) -> Stream:
        """The stream that `to_json` wrote, or somebody by hand; raises ValueError with the path to what is wrong."""
        return cls.from_dict(loads(text, "stream"))


# ---- types ----------------------------------------------------------------------------------------------------------------


@functools.cache
def parsed(kind: str) -> tuple[str, tuple[Any, ...]]:
    """A field's type as (head, parts): ("Value", ()), ("optional", (part,)), ("tuple", (part,)), ("pair", parts), ("map", …).

    >>> parsed("tuple[Value | None, ...]")
    ('tuple', (('optional', (('Value', ()),)),))
    """
    return _parse(ast.parse(kind, mode="eval").body)


def _parse(node: ast.expr) -> tuple[str, tuple[Any, ...]]:
    match node:
        case ast.BinOp(left=left):  # X | None is the only sum
            return "optional", (_parse(left),)
        case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=[item, ast.Constant()])):
            return "tuple", (_parse(item),)
        case ast.Subscript(value=ast.Name(id="tuple"), slice=ast.Tuple(elts=items)):
            return "pair", tuple([_parse(item) for item in items])
        case ast.Subscript(slice=ast.Tuple(elts=items)):
            return "map", tuple([_parse(item) for item in items])
        case ast.Name(id=name):
            return name, ()
    raise TypeError(ast.dump(node))


@functools.cache
def described(kind: type[Any]) -> dict[str, tuple[tuple[str, tuple[Any, ...]], Any]]:
    """By name, the type and the usual content of each field; `MISSING` where it has to be said."""
    return {
        about.name: (
            parsed(str(about.type)),
            about.default_factory() if about.default_factory is not MISSING else about.default,
        )
        for about in fields(kind)
        if about.name != "id" and not about.metadata.get("here")  # what is known only where the program ran
    }


# ---- writing --------------------------------------------------------------------------------------------------------------


class _Writer:
    def __init__(self, stream: Stream) -> None:
        self.tables: dict[str, dict[str, Any]] = {table: {} for table, _ in TABLES.values()}
        self._met: dict[Any, str] = {}
        self._bytes = stream.by_holder
        self._memory: tuple[int, ...] = stream.before
        head: dict[str, Any] = {
            "schema": SCHEMA, "title": stream.title, "lead": stream.lead, "framework": stream.framework,
            "notes": list(stream.notes), "vocabulary": stream.vocabulary,
        }  # fmt: skip
        head |= {"holders": list(stream.holders), "before": self._bytes(stream.before)}
        block = None if stream.block is None else self._reference(stream.block, "Site")
        records = [self._record(record) for record in stream.records]
        whole = {**head, "block": block, **self.tables, "records": records}
        self.data = {key: value for key, value in whole.items() if value or key == "records"}

    def _record(self, record: Record) -> dict[str, Any]:
        told = {"kind": record.kind, **self._facts(record)} if record.kind else self._facts(record)
        op = getattr(record, "op", None)
        if record.kind == "op" and op is not None:
            for name in ("site", "context"):
                if getattr(record, name) is getattr(op, name):
                    told.pop(name, None)
        told.pop("memory", None)
        if record.memory and record.memory != self._memory:
            told["memory"], self._memory = self._bytes(record.memory), record.memory
        if record.high <= sum(record.memory):
            told.pop("high", None)
        return told

    def _facts(self, thing: Any) -> dict[str, Any]:
        facts = {}
        for name, (kind, usual) in described(thing.__class__).items():
            fact = getattr(thing, name)
            if fact is not usual and fact != usual:
                facts[name] = self._written(fact, kind)
                if facts[name] == {}:  # an ordinary context
                    del facts[name]
        return facts

    def _written(self, fact: Any, kind: tuple[str, tuple[Any, ...]]) -> Any:
        head, parts = kind
        if head in TABLES:
            return self._reference(fact, head)
        match head:
            case "optional":
                return None if fact is None else self._written(fact, parts[0])
            case "tuple":
                return [self._written(inner, parts[0]) for inner in fact]
            case "pair":
                return [self._written(inner, part) for inner, part in zip(fact, parts, strict=True)]
            case "map":
                return {self._written(key, parts[0]): self._written(inner, parts[1]) for key, inner in fact.items()}
            case "Snapshot":
                return plain(fact)
            case "Context":
                return self._facts(fact)
        return fact

    def _reference(self, thing: Any, head: str) -> str:
        if thing not in self._met:
            self._met[thing] = thing.id
            table = self.tables[TABLES[head][0]]
            table[thing.id] = None  # keeps its place: the things that it names come after it
            table[thing.id] = self._facts(thing)
        return str(thing.id)


# ---- reading --------------------------------------------------------------------------------------------------------------

_PLAIN = {"str": str, "int": int, "bool": bool}


class _Reader:
    def __init__(self, data: Any) -> None:
        if not isinstance(data, dict):
            raise wrong("stream", "an object", data)
        if data.get("schema") != SCHEMA:
            raise ValueError(f"stream.schema: this reads {SCHEMA!r}, not {data.get('schema')!r}")
        head = {
            "schema": str, "title?": str, "lead?": str, "framework?": str, "notes?": [str], "vocabulary?": {str: str},
            "holders?": [str], "before?": {str: int},
        }  # fmt: skip
        tables = {f"{table}?": Any for table, _ in TABLES.values()}
        check(data, {**head, "block?": str, **tables, "records": Any}, "stream")
        self.holders = tuple([clean(holder) for holder in data.get("holders", [])])
        self.tables: dict[str, dict[str, Any]] = {}
        self._waiting: list[Callable[[], None]] = []  # filled in once all of them exist, since they name each other
        for head_, (table, kind) in TABLES.items():
            self.tables[head_] = self._things(data.get(table, {}), kind, f"stream.{table}")
        while self._waiting:
            self._waiting.pop(0)()
        self._memory = self._bytes(data.get("before", {}), "stream.before")
        block = self._read(data["block"], ("Site", ()), "stream.block") if "block" in data else None
        self.stream = Stream(
            clean(data.get("title", "")), clean(data.get("lead", "")), clean(data.get("framework", "")),
            tuple(map(clean, data.get("notes", []))), cleaned(data.get("vocabulary", {})), self.holders, self._memory, block,
        )  # fmt: skip
        bounded(data["records"], list, "a list", "stream.records")
        self.stream.records = [
            self._record(record, f"stream.records[{at}]") for at, record in enumerate(data["records"])
        ]

    def _things(self, data: Any, kind: type[Any], path: str) -> dict[str, Any]:
        bounded(data, dict, "an object", path)
        things = {}
        for identity, facts in data.items():
            thing: Any = object.__new__(kind)
            things[identity] = thing
            thing.id = clean(identity)
            for about in fields(kind):
                if about.metadata.get("here"):
                    setattr(thing, about.name, about.default)
            self._waiting.append(functools.partial(self._fill, thing, facts, f"{path}[{identity!r}]"))
        return things

    def _fill(self, thing: Any, facts: Any, path: str, known: tuple[str, ...] = ()) -> None:
        """Give a thing its facts."""
        if not isinstance(facts, dict):
            raise wrong(path, "an object", facts)
        expected = described(thing.__class__)
        for name in facts:
            if name not in expected and name not in known:
                raise ValueError(f"{path}.{name}: unknown here; known are {', '.join(sorted([*expected, *known]))}")
        for name, (kind, usual) in expected.items():
            if name in known:
                continue
            if name not in facts and usual is MISSING:
                raise ValueError(f"{path}.{name}: it is missing")
            setattr(thing, name, self._read(facts[name], kind, f"{path}.{name}") if name in facts else usual)
        if isinstance(thing, Row):
            thing.__post_init__()
        if isinstance(thing, Op):
            for by, places in thing.saved:
                for place in places:
                    if not -len(thing.gives) <= place < len(thing.takes):
                        raise ValueError(f"{path}.saved: {by.id!r} keeps place {place}, which this op does not have")

    def _record(self, data: Any, path: str) -> Record:
        if not isinstance(data, dict):
            raise wrong(path, "an object", data)
        kind = data.get("kind", "")
        if not isinstance(kind, str) or (kind and kind not in KINDS):
            raise wrong(f"{path}.kind", "one of " + ", ".join(sorted(KINDS)), kind)
        made = KINDS.get(kind, Record)
        record: Any = object.__new__(made)
        self._fill(record, data, path, ("kind", "memory", "high"))
        if "memory" in data:
            self._memory = self._bytes(data["memory"], f"{path}.memory")
        record.memory = self._memory if self.holders else ()
        record.high = max(self._read(data.get("high", 0), ("int", ()), f"{path}.high"), sum(record.memory))
        if kind == "op":
            record.site = record.op.site if "site" not in data else record.site
            record.context = record.op.context if "context" not in data else record.context
        self._sensible(record, path)
        told: Record = record
        return told

    def _sensible(self, record: Any, path: str) -> None:
        """Check facts that can only be wrong together."""
        if record.kind == "gradient" and not record.targets:
            raise ValueError(f"{path}.targets: expected one at least")
        if record.kind == "gradients" and len(record.answers) != len(record.sources):
            raise ValueError(f"{path}.answers: {len(record.answers)} for {len(record.sources)} sources")
        if record.kind == "contribution":
            cause = record.context.cause
            if cause is None:
                raise ValueError(f"{path}.context.cause: it is missing: a share comes back through an op")
            if not 0 <= record.position < len(cause.takes):
                raise ValueError(f"{path}.position: {record.position}, but the op takes {len(cause.takes)}")

    def _bytes(self, data: Any, path: str) -> tuple[int, ...]:
        check(data, {str: int}, path)
        for holder in data:
            if holder not in self.holders:
                raise ValueError(
                    f"{path}[{holder!r}]: no holder of this stream, which are {', '.join(self.holders) or 'none'}"
                )
        return tuple([data.get(holder, 0) for holder in self.holders])

    def _read(self, data: Any, kind: tuple[str, tuple[Any, ...]], path: str) -> Any:
        head, parts = kind
        if head in _PLAIN:
            check(data, _PLAIN[head], path)
            return clean(data) if head == "str" else data
        if head in TABLES:
            if not isinstance(data, str) or data not in self.tables[head]:
                raise wrong(path, f"the id of one of stream.{TABLES[head][0]}", data)
            return self.tables[head][data]
        match head:
            case "optional":
                return None if data is None else self._read(data, parts[0], path)
            case "tuple":
                bounded(data, list, "a list", path)
                return tuple([self._read(inner, parts[0], f"{path}[{at}]") for at, inner in enumerate(data)])
            case "pair":
                if not isinstance(data, list) or len(data) != len(parts):
                    raise wrong(path, f"a list of {len(parts)}", data)
                read = [
                    self._read(inner, part, f"{path}[{at}]")
                    for at, (inner, part) in enumerate(zip(data, parts, strict=True))
                ]
                return tuple(read)
            case "map":
                bounded(data, dict, "an object", path)
                return {
                    self._read(key, parts[0], path): self._read(inner, parts[1], f"{path}[{key!r}]")
                    for key, inner in data.items()
                }
            case "Snapshot":
                return checked(data, path)
            case "Context":
                if data == {}:
                    return FORWARD
                context = Context()
                self._fill(context, data, path)
                return context
        return _names(data, path)


def _names(data: Any, path: str, depth: int = 8) -> Any:
    """What an assignment names: a name, or a nested list of names."""
    if isinstance(data, list) and depth:
        return [_names(inner, f"{path}[{at}]", depth - 1) for at, inner in enumerate(data)]
    check(data, str, path)
    return clean(data)
