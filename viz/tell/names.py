"""Who appears in the picture: which values get a card, what they are called, which recorders there are.

An op of the program's gets a card for its result.  A backward or tangent op gets one only when another recorder wrote it
down: then it is part of that recorder's program.  Otherwise it is seen as numbers on the edges it runs along.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import zip_longest
from typing import Any

from ..capture.numbers import Snapshot
from ..capture.records import Applied, Made, Op, Recorder, Site, Value
from ..capture.stream import Stream
from .also import second_names
from .answered import answered
from .calls import Returns, calls_of
from .folding import Folding, seen
from .into import opened
from .orders import orders_of
from .pieces import path_of, with_layers
from .replays import Replays
from .spelling import (
    all_alike,
    dotted,
    number_as_name,
    numbered,
    operands_of,
    source_text,
    written_operands,
)
from .taken import Taken

# Without a name of their own values are numbered: v₁, v₂ ..., cotangents g₁, g₂ ..., tangents t₁, t₂ ...
VALUE, GRADIENT, TANGENT = "v̄", "ḡ", "ṫ"
_NUMBERED = re.compile(r"[^\W\d_][₀-₉]+")
ROLE = 4  # letters of an argument's name that say something: not x, y
LETTERS = {VALUE: "vuzyxqnm", GRADIENT: "gchkdbfe", TANGENT: "tsrpjoil"}


class Names:
    """The recorders and values of a run, and its records as they are told: reruns named after first runs, long runs folded."""

    def __init__(self, stream: Stream, open_: Iterable[str] = ()) -> None:
        self.stream = stream
        self.replays = Replays(stream.records)
        self.folding = Folding(self.replays.records, opened(stream.records, self.replays.records, open_))
        self.records = self.folding.records
        self.recorders: list[Recorder] = []  # outermost first
        self.spans: dict[Recorder, list[int]] = {}  # first and last record of listening
        self.ops: dict[Value, Op] = {}  # of every value with a card that an op made
        self.entries: dict[Value, Op] = {}  # of what a region made: the region as one op
        self.hidden: dict[Value, Op] = {}  # of values that a recorder made unseen, but that seen work uses
        self.results: dict[Value, Snapshot] = {}
        self.cards: dict[Value, None] = {}  # in the order in which they appear
        self.made: dict[Value, Made] = {}
        self.gradients: dict[Value, Recorder] = {}  # cotangents: whose backward pass made them
        self.tangents: dict[Value, tuple[Recorder, Value]] = {}  # tangents: whose, and of what
        self._question: dict[Recorder, Any] = {}  # the backward pass that a tape is at
        self._shares: dict[tuple[Any, Value], list[Any]] = {}  # of each backward pass, what comes to each value
        self._one_of: dict[Any, list[Any]] = {}
        self.answered: set[Value] = set()  # cotangents that were handed to the program
        self._users: dict[Value, list[Op]] = {}
        self._ops: list[Op] = []  # all that are told, those in folds too
        self._works: set[Site | None] = set()  # where ops run
        self._used: dict[Value, None] = {}
        self._before: dict[Value, tuple[float, int]] = {}  # how many were used and made before a value was made
        self._assigned: dict[Value, None] = {}
        self._unseen: dict[Value, Op] = {}
        self._first_use: dict[Value, Op] = {}
        self._untold: dict[Value, str] | None = None
        self._left: dict[Value, str] = {}  # results of a layer, which ops outside of it take, and its name
        for place, record in enumerate(self.records):
            self._read(place, record)
        self._choose_cards()
        self.order, self.rank = orders_of(self.recorders, self.records)
        self.recorders.sort(key=lambda recorder: self.spans[recorder][0])
        self.recorder_ids = {recorder: f"r{i}" for i, recorder in enumerate(self.recorders)}
        self.recorder_names = dict(
            zip(self.recorders, numbered([recorder.name or recorder.kind for recorder in self.recorders]), strict=True)
        )
        self.given = answered(self.records, self.folding.inside, self.entries, self.maker)
        self._taken = Taken()
        self._asking = set[Value]()
        said = {value: self.given.get(value) or self._name(value) for value in self._in_their_order()}
        self._leave_names_to_their_owners(said)
        often = Counter(said.values())
        # A program that calls several values v has a v₂ of its own.
        self._letters = {
            kind: next((letter for letter in letters if often[letter] < 2), letters[0])
            for kind, letters in LETTERS.items()
        }
        self.names: dict[Value, str] = {}
        # By value the further names that its line gives it, and how they are told.
        self.also: dict[Value, dict[str, str]] = {}
        named, others = said | self._of_layers(said), second_names(self._works, self.made, self.ops)
        for value, name in self._before_others(named, others) if others else named.items():
            self.names[value] = self._unique(self._after_its_primal(value, name), value)

    # ---- one pass over the records -------------------------------------------------------------------------------------------

    def _read(self, place: int, record: Any) -> None:
        self.results.update(record.numbers)
        recorder: Any = getattr(record, "recorder", None)
        if recorder is not None and recorder not in self.spans:
            if record.kind == "deleted":
                return  # a tape from before the run
            self.recorders.append(recorder)
            self.spans[recorder] = [place, place]
        used = self._used
        match record.kind:
            case "made":
                self.made[record.value] = record
                self._before[record.value] = (len(used), len(self.made))
            case "enter" | "exit" | "pause" | "resume":
                self.spans[recorder][1] = place
            case "op":
                self._read_op(record.op)
            case "gradient":
                self._question[recorder] = record
                used.update(dict.fromkeys([*record.targets, *record.sources]))
            case "seed" | "contribution" | "at-door":
                if record.kind != "at-door":
                    self.gradients[record.part] = recorder
                    if record.part not in used:  # nobody outside saw it being made: this is where it is met
                        self._before.setdefault(record.part, (len(used), len(self.made)))
                if not getattr(record, "in_parts", False):
                    shares = self._shares.setdefault((self._question.get(recorder), record.into), [])
                    shares.append(record)
                    self._one_of[record] = shares
            case "gradients":
                self.answered.update(answer for answer in record.answers if answer is not None)
                for answer in self.answered.intersection(record.answers) - self.made.keys():
                    self._before.pop(answer, None)  # the program meets it here, or where it is used
            case "total":
                self.gradients[record.total] = recorder
            case "again":
                used.update(dict.fromkeys(record.op.gives))
            case "entry":
                self.entries.update(dict.fromkeys(record.op.gives, record.op))
                self._ops.append(record.op)
                used.update(dict.fromkeys([*record.op.takes, *record.op.gives]))
            case "watch":
                used[record.value] = None
            case "assign":
                self._assigned[record.value] = None
            case "look-up":
                if record.of in self.tangents or record.of in self.gradients:
                    used[record.of] = None
            case "tangent":
                self.tangents[record.tangent] = (recorder, record.of)
                if record.seed:
                    used[record.of] = None

    def _read_op(self, op: Op) -> None:
        if not seen(op):
            self._unseen.update(dict.fromkeys(op.gives, op))
            return
        self._used.update(dict.fromkeys((*op.takes, *op.gives)))
        for inner in self.folding.inside(op):
            self._works.add(inner.site)
            self._ops.append(inner)
            for value in inner.takes:
                self._users.setdefault(value, []).append(inner)
                if inner.context.phase == "forward" and operands_of(inner):
                    self._first_use.setdefault(value, inner)
                maker = self.maker(value)
                if maker is not None and maker.context is not inner.context and inner.context.phase == "forward":
                    layer = path_of(maker)
                    if layer and path_of(inner)[: len(layer)] != layer:
                        self._left[value] = layer[-1]
        self.ops.update(dict.fromkeys(op.gives, op))

    def maker(self, value: Value) -> Op | None:
        """The op of the program's that made a value, also where it is told as one with others, whose lines are not its own."""
        op = self.ops.get(value)
        return None if op is None else self.folding.maker(op, value)

    def _role(self, value: Value) -> str:
        """What the first op that takes a value calls it."""
        first = next((op for op in self._users.get(value, ()) if not op.row.variadic), None)
        place = 0 if first is None else first.takes.index(value)
        return "" if first is None or place >= len(first.row.arguments) else first.row.arguments[place]

    def _choose_cards(self) -> None:
        # What an optimizer keeps for itself goes into no op: its bytes are in the memory, and it has no card.
        kept = [value for value in self._assigned if value in self._used or self._by_the_program(value)]
        self.cards = self._used | dict.fromkeys(kept)
        special = self.answered | self.gradients.keys() | self.tangents.keys()
        self.hidden = {value: op for value, op in self._unseen.items() if value in self.cards and value not in special}

    def _in_their_order(self) -> list[Value]:
        """The values with cards as they came to be: of two with one name the later has a number, whichever was used first."""
        places = {value: self._before.get(value) or (place + 0.5, 0) for place, value in enumerate(self.cards)}
        return sorted(places, key=places.__getitem__)

    def _by_the_program(self, value: Value) -> bool:
        """Whether a variable is from before the run, or was given a name on the line that made it."""
        made = self.made.get(value)
        return made is None or bool(made.site and made.site.names)

    # ---- names -------------------------------------------------------------------------------------------------------------

    def question(self, recorder: Recorder | None) -> Any:
        """The last question of a tape."""
        return None if recorder is None else self._question.get(recorder)

    @cached_property
    def carried(self) -> set[tuple[Recorder, Value]]:
        """Who has a tangent of what at any time, told or folded."""
        records: list[Any] = [record for record in self.replays.records if record.kind == "tangent"]
        return {(record.recorder, record.of) for record in records}

    def several(self, share: Any) -> bool:
        """Whether a share is one of several that a backward pass adds up."""
        return len(self._one_of.get(share, ())) > 1

    def introduced(self, value: Value) -> bool:
        """Whether the making of a value is a step: of a variable, a constant that the program named, an array of nobody's."""
        made = self.made[value]
        named = self._assigned_to(made) or value.name or self.nobodys(value)
        return value.variable or bool(named and not made.implicit)

    def nobodys(self, value: Value) -> bool:
        """Whether a call within a line made this array, of numbers that the line does not show, so that it is only numbered."""
        made = self.made[value]
        named = value.variable or self._assigned_to(made) or value.name
        if named or not value.shape or made.site is None or "constant(" in made.site.text or self._within(made):
            return False
        return _NUMBERED.fullmatch(self.names[value]) is not None

    def _assigned_to(self, made: Made) -> str:
        """What the line calls a value that it made; "" for a constant on the way to the result of a call, which has that name."""
        site = made.site
        return "" if site is None or self._within(made) else site.name

    def _within(self, made: Made) -> bool:
        """Whether it is made on the way to the result of a call, which runs ops too."""
        site = made.site
        return site is not None and site.form == "call" and site in self._works and not made.value.variable

    def _name(self, value: Value) -> str:
        made = self.made.get(value)
        if made is not None:
            own = made.name or self._assigned_to(made) or value.name
            tangent, number = self._tangent_name(value), number_as_name(made.numbers.get(value))
            if made.implicit:  # an array without a name is called by what it is to the op: indices, labels
                role = self._role(value)
                called = role if len(role) >= ROLE else all_alike(self.results.get(value))
                return tangent or number or value.name or self._written_name(value) or called
            text = "" if made.site is None or self._within(made) else source_text(made.site)  # ones_like(x)
            return own or tangent or self._written_name(value) or number or text
        if value in self.hidden:
            return number_as_name(self.results.get(value))
        entry = self.entries.get(value)
        if entry is not None and entry.site is not None and self.is_result(value, entry):
            called = value.name if entry.site.form == "call" else ""
            named = called or (entry.site.name if value is entry.gives[0] else "")
            if named:
                return named
        op = self.maker(value)
        if op is None:
            if value in self.gradients:
                return value.name or GRADIENT
            known = value.name or self._tangent_name(value) or value.label
            nothing = "" if value.variable else all_alike(value.early)  # what a rule puts where nothing came back
            return known or self._untold_name(value) or self._written_name(value) or nothing
        twin = self.replays.twin(op)
        if twin is not None:
            return self._name(twin.gives[op.gives.index(value)])
        if op.context.phase == "forward":
            if op.site is None or not self.is_result(value, op):
                return value.name or self.folding.layer_of(self.ops[value]) or self._left.get(value, "")
            first, second = (value.name, op.site.name) if op.site.form == "call" else (op.site.name, value.name)
            named = first or second or self.text_of(op) or self.folding.layer_of(self.ops[value])
            return named or self._left.get(value, "")
        if op.context.phase == "gradient" and value not in self.tangents:
            answers = value in self.answered and op.context.role != "residual"  # whose name is only its formula
            return (value.name if answers else "") or GRADIENT
        return self._tangent_name(value, carded=True) or TANGENT

    def text_of(self, op: Op) -> str:
        """The piece of source that made a value, where it is short enough to be its name."""
        made = [self.made.get(value) for value in op.takes]
        of_numbers = all(each is not None and each.implicit for each in made)  # these are no values with methods
        of_answers = any(value in self.answered for value in op.takes)  # grads["w"] is not w
        return "" if op.site is None else source_text(op.site, None if of_numbers else op, of_answers)

    def _leave_names_to_their_owners(self, said: dict[Value, str]) -> None:
        """An array of NumPy's that a function takes under a name which a tensor has, too, is another thing: it is numbered."""
        arrays = {value for value in said if value.shape and self._in_passing(value)}
        taken = {name for value, name in said.items() if value not in arrays}
        said.update({value: "" for value in arrays if said[value] in taken and not value.name})

    def _in_passing(self, value: Value) -> bool:
        """Whether this was made of an array that a function took."""
        made = self.made.get(value)
        return made is not None and made.implicit

    def _of_layers(self, said: dict[Value, str]) -> dict[Value, str]:
        """Weights that share a name, "kernel", or that no op takes, a metric's "total", with their layers: "loss/total".

        Those that a loop calls `w`, one after the other, have the names that they were made with.
        """
        weights = [value for value in said if value.variable and said[value]]
        alike: dict[str, list[Value]] = {}
        for value in weights:
            alike.setdefault(said[value], []).append(value)
        several = {name for name, values in alike.items() if len(values) > 1}
        own = Counter(value.label for value in weights)
        for name in [name for name in several if all(own[value.label] == 1 and value.label for value in alike[name])]:
            several.remove(name)
            said.update({value: value.label for value in alike[name]})
        shared = {value: said[value] for value in weights if said[value] in several or value not in self._users}
        return with_layers(shared, self.stream.records)

    def _tangent_name(self, value: Value, carded: bool = False) -> str:
        recorder, of = self.tangents.get(value, (None, None))
        if recorder is None or of is None or (carded and of not in self.cards) or value in self._asking:
            return ""
        if value.variable and (value.name or value.label):
            return ""  # a place of the program's own
        self._asking.add(value)  # one may be its own tangent, or two each other's
        name = self._name(of)  # of a value that is numbered itself the tangent is numbered, too
        self._asking.discard(value)
        return dotted(name, self.rank[recorder]) if name not in ("", GRADIENT, TANGENT) else ""

    def _after_its_primal(self, value: Value, name: str) -> str:
        """The tangent of x₂ is called after x₂, as formulas call it, unless it has a name of its own."""
        recorder, of = self.tangents.get(value, (None, None))
        if recorder is None or of is value or of not in self.names or name not in (TANGENT, self._tangent_name(value)):
            return name
        return dotted(self.names[of], self.rank[recorder])

    def _untold_name(self, value: Value) -> str:
        """The name that its line gave to a value which comes out of rounds that are not told; of a call to what it returned."""
        if self._untold is None:
            middle = self.records is not self.replays.records
            ops = [record.op for record in self.replays.records if isinstance(record, Applied)] if middle else []
            self._untold = {}
            for op, after in zip_longest(ops, ops[1:]):
                on_the_way = op.site is not None and op.site.form == "call" and after and after.site is op.site
                name = "" if op.site is None or on_the_way else op.site.name
                self._untold |= dict.fromkeys(op.gives, name or GRADIENT * (op.context.phase == "gradient"))
        return self._untold.get(value, "")

    def _written_name(self, value: Value) -> str:
        """The name of a value in the line of the first op that uses it."""
        op = self._first_use.get(value)
        return written_operands(op)[op.takes.index(value)] if op is not None else ""

    def is_result(self, value: Value, op: Op) -> bool:
        """Of several ops made by one call of the program's, only the last makes what it returns; of a training none does."""
        if op.site is None or op.site.form != "call":
            return op.site is None or op.site.form != "training"
        maker = self.folding.maker(op, value)
        last = self._ends.get(self._calls.get(maker, maker))
        users = self._users.get(value, ()) if last is not maker else ()  # also those in functions that the call calls
        return last is None or not any(self._order_of[user] <= self._order_of[last] for user in users)

    @cached_property
    def _calls(self) -> dict[Op, Op]:
        return calls_of(self._ops)

    @cached_property
    def _ends(self) -> dict[Op, Op]:
        """By the first op of a call its last one."""
        return {first: op for op, first in self._calls.items()}

    @cached_property
    def _returns(self) -> Returns:
        told: list[Any] = [record for record in self.records if isinstance(record, Applied)]
        ops = [record.op for record in told if seen(record.op) and record.op.gives and record.op.gives[0] in self.cards]
        return Returns([(op, self.folding.inside(op)) for op in ops if op.context.phase == "forward"])

    def returns(self, op: Op, value: Value, site: Site) -> Op:
        """After which op that is told a call at this place has returned, which gives what this op made."""
        return self._returns.returns(op, self.folding.inside(op)[-1], value, site)

    @cached_property
    def _order_of(self) -> dict[Op, int]:
        return {op: place for place, op in enumerate(self._ops)}

    def _before_others(self, named: dict[Value, str], others: dict[Value, list[str]]) -> Iterator[tuple[Value, str]]:
        """Each value with its name; when it has that, its other names are taken, too."""
        for value, name in named.items():
            yield value, name
            if value in others:
                self.also[value] = {other: self._unique(other, value) for other in others[value]}

    def _unique(self, name: str, value: Value) -> str:
        if not name or name in (GRADIENT, TANGENT):
            return self._taken.numbered(self._letters[name or VALUE])
        if name == number_as_name(self.results.get(value)):
            return name  # a number is no name: several may be alike
        if value.shape and self._in_passing(value):
            snap = self.made[value].numbers.get(value)
            numbers = snap.data.get("numbers") if snap is not None and snap.data is not None else None
            return self._taken.by_array(name, (value.dtype, value.shape), numbers)
        return self._taken.by(name)
