"""Long runs, folded: so that what is drawn stays small enough to be read, whatever ran.

Folding happens before the story is told, on the moments themselves.  First rounds: of many recorders that come one after
the other on the same line (a training loop) the first and the last are told, and those between are one step.  Then blocks: ops
that follow each other in one layer, region or line, or that repeat (iterations of a loop), become one op with the inputs that
come from outside and the results that are used outside; the shares that come back through them become one share.
What is opened by name is cut more finely.  Bytes are not folded: a step keeps the most that was held within it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from minitape.notes import Notes
from minitape.primitive import Primitive
from minitape.record.events import Event
from minitape.tensor import Tag
from minitape.trace import Application

from .numbers import Snapshot
from .run import Moment

VALUES, BLOCKS, RECORDERS, LEAVES = 200, 16, 8, 60


class Block(NamedTuple):
    """Ops that are told as one."""

    id: str
    label: str
    kind: str  # layer | region | repeat | ops
    parent: str
    ops: list[Application]

    @property
    def sign(self) -> str:
        """What its disc shows: how often, or that there is more."""
        return "×" + self.label.rpartition(" ×")[2] if " ×" in self.label else "⋯"


class Folded(Primitive):
    """Several ops as one: it has their name and no rule."""

    kind = "folded"
    listed = False

    def __init__(self, block: Block, arguments: list[str], outputs: int) -> None:
        super().__init__(
            block.label,
            _never,
            arguments=arguments,
            outputs=outputs,
            notes=Notes(phrase=", ".join(arguments) or "·", sign=block.sign, title=f"{len(block.ops)} ops"),
        )
        self.block = block
        self.kept: tuple[int, ...] = ()

    def saves(self, wanted: tuple[bool, ...]) -> tuple[int, ...]:
        """The inputs from outside that one of its ops keeps."""
        return self.kept


def _never(*arrays: Any, **params: Any) -> Any:
    raise NotImplementedError("a folded op is a picture's, and never computed")


class Fold:
    """The moments of a run as they are told, and the groups that stand for what is not."""

    def __init__(self, moments: list[Moment], open_: Iterable[str] = ()) -> None:
        self.moments = moments
        self.blocks: list[Block] = []
        self.rounds: list[dict[str, Any]] = []
        self.open = set(open_)
        if _told(moments) > VALUES:
            self.moments = self._without_middle_rounds(self.moments)
        if _told(self.moments) > VALUES:
            self.moments = self._in_blocks(self.moments)

    # ---- rounds -------------------------------------------------------------------------------------------------------

    def _without_middle_rounds(self, moments: list[Moment]) -> list[Moment]:
        begins: dict[Any, list[int]] = {}
        for at, moment in enumerate(moments):
            if moment.event.kind == "enter":
                begins.setdefault((moment.event.site.code, moment.event.site.lasti), []).append(at)
        starts = max(begins.values(), key=len, default=[])
        if len(starts) <= RECORDERS or "rounds" in self.open:
            return moments
        first, last, count = starts[1], starts[-1], len(starts) - 2
        assigned = {
            moment.event.facts["tag"]: moment for moment in moments[first:last] if moment.event.kind == "assign"
        }
        self.rounds.append({"id": "rounds", "label": f"rounds 2 to {count + 1}", "count": count})
        event = moments[first].event
        numbers = {tag: one.numbers[tag] for tag, one in assigned.items() if tag in one.numbers}
        facts = {
            "count": count,
            "entries": sum(one.event.kind == "op" for one in moments[first:last]),
            "tags": list(numbers),
        }
        told = _merged(moments[first:last], Event("rounds", event.tick, event.site, event.context, facts))
        told.numbers = numbers
        return [*moments[:first], told, *moments[last:]]

    # ---- blocks -------------------------------------------------------------------------------------------------------

    def _in_blocks(self, moments: list[Moment]) -> list[Moment]:
        ops = [one.event.facts["application"] for one in moments if _shown(one)]
        self.blocks = self._cut(ops)
        self._home = {tag: block for block in self.blocks for one in block.ops for tag in one.outputs}
        self._of = {one.tick: block for block in self.blocks for one in block.ops}
        self._of |= {
            call.tick: self._home[call.outputs[0]] for call in _calls(moments) if call.outputs[0] in self._home
        }
        self._uses = self._used(ops)
        self._apps = {block.id: self._as_one(block) for block in self.blocks}
        self._drawn = {tag for one in self._apps.values() for tag in (*one.inputs, *one.outputs)}
        self._drawn.update(_without_gradient(moments)[:LEAVES])  # None is news
        last = {block.id: block.ops[-1].tick for block in self.blocks}
        out: list[Moment] = []
        waiting: list[Moment] = []
        shares: dict[str, Any] = {}
        for moment in moments:
            told = self._fold(moment, last, shares)
            if told and told[0].kind == "back-through":  # the shares of a block: they came before this moment
                out.append(_merged(waiting, told.pop(0), out[-1]))
                waiting = []
            waiting.append(moment)
            if told:
                out.append(_merged(waiting, told[0]))
                waiting = []
        rest = Event("ignored", 0, moments[-1].event.site, moments[-1].event.context, {})
        return [*out, _merged(waiting, rest)] if waiting else out

    def _cut(self, ops: list[Application], parent: str = "") -> list[Block]:
        most = max(1, -(-len(ops) // BLOCKS))
        for depth in (9, 3, 2, 1, 0):  # as fine a division into layers and regions as stays small
            pieces = _pieces(ops, depth, most)
            if len(pieces) <= 2 * BLOCKS:
                break
        blocks: list[Block] = []
        for number, one in enumerate(pieces):
            flat = [op for piece in one for op in piece]
            identity = f"{parent}.{number + 1}" if parent else f"fold {number + 1}"
            block = Block(identity, *_named(one, depth), parent, flat)
            if (identity in self.open or block.label in self.open) and len(flat) > 1:
                blocks += self._cut(flat, identity)
            else:
                blocks.append(block)
        return blocks

    def _used(self, ops: list[Application]) -> dict[Tag, set[str]]:
        uses: dict[Tag, set[str]] = {}
        for one in ops:
            for tag in one.inputs:
                home = self._home.get(tag)
                if home is None or home.ops[0].context.phase == one.context.phase:
                    uses.setdefault(tag, set()).add(self._of[one.tick].id)
        return uses

    def _outside(self, tag: Tag, block: Block) -> bool:
        """Whether another block of the same kind of work uses a value: the way back uses them all, and would unfold all."""
        return bool(self._uses.get(tag, set()) - {block.id}) or tag in block.ops[-1].outputs

    def _seen(self, tag: Tag) -> Tag:
        """A value itself, or the face of the block that it is folded into."""
        block = self._home.get(tag)
        return tag if block is None or self._outside(tag, block) else block.ops[-1].outputs[-1]

    def _as_one(self, block: Block) -> Application:
        inside = {tag for one in block.ops for tag in one.outputs}
        taken = list(dict.fromkeys(tag for one in block.ops for tag in one.inputs if tag not in inside))
        leaves = [tag for tag in taken if tag not in self._home]
        named = [tag for tag in leaves if tag.variable or len(self._uses[tag]) > 1][
            : max(2, LEAVES // max(1, len(self.blocks)))
        ]
        drawn = [self._seen(tag) for tag in taken if tag in self._home or tag in named]
        inputs = tuple(dict.fromkeys(drawn))
        outputs = tuple([tag for one in block.ops for tag in one.outputs if self._outside(tag, block)])
        if len(block.ops) == 1 and inputs == block.ops[0].inputs:
            return block.ops[0]
        primitive = Folded(block, [f"x{i}" for i in range(len(inputs))], len(outputs))
        kept = {one.inputs[place] for one in block.ops for place in _saved(one) if place >= 0}
        primitive.kept = tuple([place for place, tag in enumerate(inputs) if tag in kept])
        last = block.ops[-1]
        folded = Application(primitive, inputs, outputs, {}, last.context, last.site)
        folded.tick, folded.verdicts = last.tick, last.verdicts
        return folded

    # ---- one moment ---------------------------------------------------------------------------------------------------

    def _fold(self, moment: Moment, last: dict[str, int], shares: dict[str, Any]) -> list[Event]:
        """What is told of a moment: nothing, itself, or a block that it ends."""
        event, facts = moment.event, moment.event.facts
        kind = event.kind
        if kind == "op":
            block = self._of.get(facts["application"].tick)
            if block is None or last[block.id] != facts["application"].tick:
                return []
            return [_with(event, application=self._apps[block.id])]
        if kind in ("contribution", "total", "carried"):
            return self._share(event, moment, shares)
        if kind in ("again", "region-open", "region-replay", "region-close", "region-done", "call", "watch"):
            return [event] if kind == "watch" and (facts["explicit"] or facts["tag"] in self._drawn) else []
        if kind in ("made", "assign") and facts["tag"] not in self._drawn:
            return []
        if kind in ("gradient", "gradients"):
            event = self._for_what_is_drawn(event)
        if kind == "tangent":
            application = facts.get("application")
            block = self._of.get(application.tick) if application is not None else None
            if block is not None:
                return [_with(event, application=self._apps[block.id])] if self._outside(facts["of"], block) else []
        return [*self._flushed(shares), event] if kind in ("gradients", "seed") else [event]

    def _for_what_is_drawn(self, event: Event) -> Event:
        """A question, or its answer, without the sources that are not drawn."""
        sources, answers = event.facts["sources"], event.facts.get("answers")
        kept = [place for place, tag in enumerate(sources) if tag in self._drawn]
        if len(kept) == len(sources) or not kept:
            return event
        told = {"sources": tuple([sources[place] for place in kept]), "more": len(sources) - len(kept)}
        return _with(event, **told, **({"answers": tuple([answers[place] for place in kept])} if answers else {}))

    def _share(self, event: Event, moment: Moment, shares: dict[str, Any]) -> list[Event]:
        """Shares through the same block are gathered until another block's turn comes."""
        facts, cause = event.facts, event.context.cause
        block = self._of.get(cause.tick) if cause is not None else None
        if block is None:
            return []
        out = self._flushed(shares) if shares and shares["block"] is not block else []
        if not shares:
            shares.update(block=block, event=event, arrived={}, counts={})
        if event.kind == "total":
            shares["arrived"][facts["into"]] = facts["total"]
        elif event.kind == "contribution":
            shares["counts"][facts["into"]] = shares["counts"].get(facts["into"], 0) + 1
            shares["arrived"][facts["into"]] = facts["part"]
        return out

    def _flushed(self, shares: dict[str, Any]) -> list[Event]:
        if not shares:
            return []
        application = self._apps[shares["block"].id]
        event: Event = shares["event"]
        arrived = {tag: part for tag, part in shares["arrived"].items() if tag in application.inputs}
        facts = {
            "label": event.facts["label"],
            "application": application,
            "arrived": arrived,
            "counts": shares["counts"],
        }
        shares.clear()
        return [Event("back-through", event.tick, event.site, event.context, facts)] if arrived else []


def _without_gradient(moments: list[Moment]) -> list[Tag]:
    asked = [one.event.facts for one in moments if one.event.kind == "gradients"]
    pairs = [pair for facts in asked for pair in zip(facts["sources"], facts["answers"], strict=True)]
    return list(dict.fromkeys(tag for tag, answer in pairs if answer is None))


def _told(moments: list[Moment]) -> int:
    return sum(_shown(one) or _kept_by_name(one) for one in moments)


def _kept_by_name(moment: Moment) -> bool:
    return moment.event.kind == "made" and not moment.event.facts["implicit"]


def _calls(moments: list[Moment]) -> list[Application]:
    return [one.event.facts["application"] for one in moments if one.event.kind == "call"]


def _shown(moment: Moment) -> bool:
    if moment.event.kind != "op":
        return False
    application = moment.event.facts["application"]
    if application.context.phase == "forward":
        return True
    actor = application.context.actor
    return any(not reason and label is not actor for label, reason in application.verdicts)


def _merged(moments: list[Moment], event: Event, last: Moment | None = None) -> Moment:
    """Several moments as one that is told: the most and the last of their bytes, all of their numbers."""
    end = moments[-1] if moments else last
    numbers: dict[Tag, Snapshot] = {}
    for one in moments:
        numbers.update(one.numbers)
    memory = end.memory if end is not None else ()
    told = Moment(event, numbers, memory, max([one.high for one in moments], default=sum(memory)))
    told.gone = [tag for one in moments for tag in one.gone]
    told.moved = [change for one in moments for change in one.moved]
    return told


def _with(event: Event, **facts: Any) -> Event:
    return Event(event.kind, event.tick, event.site, event.context, {**event.facts, **facts})


def _key(application: Application, depth: int) -> tuple[Any, ...]:
    """The layer, region and scope of an op, as far as `depth` goes; 0 tells only kinds of work apart."""
    context = application.context
    return (context.phase, context.region[:depth], *([context.layer, context.scope] if depth else []), context.actor)


def _pieces(ops: list[Application], depth: int, most: int) -> list[list[list[Application]]]:
    pieces: list[list[list[Application]]] = []
    for piece in _rounds_of_lines(ops, depth):
        same = pieces and _key(pieces[-1][0][0], depth) == _key(piece[0], depth)
        if same and sum(map(len, pieces[-1])) + len(piece) <= most:
            pieces[-1].append(piece)
        elif len(piece) > most:
            pieces += [[piece[at : at + most]] for at in range(0, len(piece), most)]
        else:
            pieces.append([piece])
    return pieces


def _rounds_of_lines(ops: list[Application], depth: int) -> list[list[Application]]:
    """Ops cut where an instruction comes again, or where another layer or region begins: what one iteration of a loop runs."""
    pieces: list[list[Application]] = []
    met: set[Any] = set()
    for one in ops:
        place = (one.code, one.lasti, one.op)
        if not pieces or place in met or _key(pieces[-1][0], depth) != _key(one, depth):
            pieces.append([])
            met = set()
        met.add(place)
        pieces[-1].append(one)
    return pieces


def _named(pieces: list[list[Application]], depth: int) -> tuple[str, str]:
    """What a block is called, and its kind."""
    context, times = pieces[0][0].context, len(pieces)
    lines = sorted({one.site.line for one in pieces[0]})
    where = f"line {lines[0]}" if len(lines) == 1 else f"lines {lines[0]}–{lines[-1]}"
    region = context.region[:depth]
    name = (depth and (context.layer or (region[-1] if region else "") or context.scope)) or where
    kind = "repeat" if times > 1 or not depth else "layer" if context.layer else "region" if region else "ops"
    return (f"{name} ×{times}" if times > 1 else name), kind


def _saved(application: Application) -> tuple[int, ...]:
    """What one op keeps if everything that can be differentiated is wanted."""
    if not any(not reason for _, reason in application.verdicts):
        return ()
    primitive = application.primitive
    return primitive.saves(tuple([primitive.differentiable(i) for i in range(len(application.inputs))]))
