"""The backward pass: seeds, contributions along the edges, sums, answers."""

from __future__ import annotations

from typing import Any

from ..capture.claims import shaped
from ..capture.numbers import Snapshot, added, flat, near, spelled
from ..capture.records import Accumulated, Answered, Asked, Contributed, Op, Recorder, Seeded, Summed, Value
from ..layout.sizes import short
from .claim import back_words, settled
from .facts import ANSWERED, Facts, most_of
from .formula import Operand, brief, equation, operator, signed, told_parts
from .left import left_out
from .spelling import enclosed, subscript
from .told import HandedOn
from .words import listed

LABEL = 10  # letters of a and b in a label ∂a/∂b on a card
TARGET, TARGETS = 12, 6  # letters of what a tape is asked for: of one name, of several in a sum
SPOKEN = 8  # shares that one sentence adds up one by one
GRAD = "grad"  # the cell of a place beside a value where gradients are gathered
USES = ("first", "second", "third", "fourth")


class Backward(Facts):
    """Tells of gradients."""

    def _on_gradient(self, record: Asked) -> None:
        recorder, targets = record.recorder, record.targets
        self._rows[recorder] = record.row
        self._targets[recorder] = targets
        cell = self._questions.setdefault((recorder, targets), f"g{len(self._questions)}")
        self._asked[recorder] = (cell, self._target(targets), self._kind("gradient", recorder))
        # The same question once more: its cells are empty again, and so are edges.
        for found in self._of_cell.get(cell, []):
            found["states"].append({"t": self.now + 1, "text": ""})
        for share in self._shares.pop(cell, []):
            share["to"] = self.now + 1

    def _target(self, targets: tuple[Value, ...]) -> str:
        """What a tape is asked for, in a few letters; what takes more is numbered, so that no two are called the same."""
        names = [self.name(value) for value in targets]
        said = "+".join(names)
        if len(said) <= (TARGET if len(names) == 1 else TARGETS):
            return said
        number = self._long_targets.setdefault(targets, len(self._long_targets) + 1)
        return self.words("target") + (subscript(number) if number > 1 else "")

    def _cell_label(self, recorder: Recorder, value: Value) -> str:
        """What stands on the card of a value: as much of ∂a/∂b as has room, and as its card says what b is, all of ∂a."""
        target, name = enclosed(self._asked[recorder][1]), enclosed(self.name(value))
        if len(name) + len(target) <= LABEL:
            return f"∂{target}/∂{name}"
        room = LABEL - len(target)
        return f"∂{target}/∂{short(name, room) if room > 2 and name[0] != '(' else '…'}"  # half a bracket says nothing

    def _put_gradient(self, recorder: Recorder, value: Value, snap: Snapshot | str | None, why: str = "") -> None:
        cell, _, kind = self._asked[recorder]
        self._set(value, cell, self._cell_label(recorder, value), kind, snap, by=recorder, why=why)

    def _on_seed(self, record: Seeded) -> None:
        recorder, value, part = record.recorder, record.into, record.part
        if recorder not in self._asked or value not in self.names.cards:
            return  # its question came before the run, or the first run of its region did
        name, seed = self.name(value), self._spelled(part)
        row = self._rows.get(recorder)
        if row is not None:
            why = self.words("seed.row", seed=seed, row=row)
        else:
            plain = self.snap(part).value == 1.0
            why = self.words("seed.one", name=name) if plain else self.words("seed.many", seed=seed)
        say = self.words("seed", who=self._who(recorder), name=name, why=why)
        first = self.names.replays.repeated(value)
        if first is not value and first in self.cards and self._holds(first, self._asked[recorder][0]) is not None:
            say = self.words("seed.again", who=self._who(recorder), name=name, first=self.name(first), seed=seed)
        step = self._step("seed", say, record.site)
        self._card(value, born=0)
        self._put_gradient(recorder, value, self.snap(part))
        self._focus(step, value, self._asked[recorder][0])
        self._mark(step, recorder, self._kind("seed", recorder))
        step["say"] += self._called(step, part)
        left = self.gradient(recorder, value, self.snap(part))
        if left.text != left.symbol:
            step["formula"] = [[left.symbol, left.text, left.kind, ""], operator("="), operator(left.text)]

    def _on_contribution(self, record: Contributed) -> None:
        recorder, value, part, position = record.recorder, record.into, record.part, record.position
        op = record.context.cause
        if op is None or recorder not in self._asked or value not in self.names.cards or op.gives[0] not in self.cards:
            return
        if isinstance(record, HandedOn):
            self._handed_on(record, op)
            return
        made = part in self.cards and self._made_by.get(part) == self.now and self.steps[-1]["kind"] == "op"
        merged = made and self._explained != self.now  # what is handed on as it came has a step of its own
        self.told = True
        step = self.steps[-1] if merged else self._step("contribution", "", record.site)
        self._caused(step, op)
        cell = self._asked[recorder][0]
        self._carry(self._edge(value, op.gives[0], position), recorder, self.snap(part), step)
        self._focus(step, value)
        self._focus(step, value, cell)
        self._mark(step, recorder, self._kind("back", recorder))
        way, called = self._through(op, position, cell), self._called(step, part)
        if record.first:
            self._put_gradient(recorder, value, self.snap(part))
            say = self.words("back", way=way, part=self._spelled(part))
        else:
            self._waits(record, way, step).update(share=record, called=called)
            say = self.words("back.another", way=way, part=self._spelled(part))
        step["say"] = say + called
        if merged:
            self._explained = self.now
            step["say"] += " " + self.words("back.entry", who=self._recorders_of(part), name=self.name(part))
        # An op's formula is that of its first result.
        made_by = self.names.ops.get(part)
        if not merged or made_by is not None and made_by.gives[0] is not part:
            self._claim(step, record)

    def _called(self, step: dict[str, Any], part: Value) -> str:
        """What a gradient is called that somebody outside uses, but did not see being made: no other step says so."""
        if part not in self.names.cards or part in self.cards or part in self.names.answered:
            return ""
        self._focus(step, part)
        return " " + self.words("back.called", name=self.name(part))

    def _handed_on(self, record: HandedOn, op: Op) -> None:
        """What a region found for one of its inputs."""
        recorder, value, part, region = record.recorder, record.into, record.part, record.of
        now = self._holds(value, self._asked[recorder][0])
        held = self._before_door.pop((recorder, value), now)
        whole = self.snap(part) if held is None else added(held, self.snap(part))
        own = record.in_parts and now is not None and whole is not None and not near(now, whole)
        way = self.words("out_of.own" if own else "out_of", region=region.name, to=self.name(value))
        step = self._step("contribution", self.words("back", way=way, part=self._spelled(part)), record.site)
        self._over(region)
        self._caused(step, op)
        self._focus(step, value)
        self._focus(step, value, self._asked[recorder][0])
        self._mark(step, recorder, self._kind("back", recorder))
        if record.first:
            self._put_gradient(recorder, value, self.snap(part))
        else:
            waiting = self._waits(record, way, step)
            waiting.setdefault("before", held)
            if (recorder, value) in self._added_at_door and not own:
                waiting["added"] = True
                step["say"] = self.words("back.added", way=way, part=self._spelled(part))
        self._added_at_door.discard((recorder, value))

    def _waits(self, record: Any, way: str, step: dict[str, Any]) -> dict[str, Any]:
        """Add a share to what is there: at once, or together with others when all have come."""
        waiting = self._pending.setdefault((record.recorder, record.into), {"parts": []})
        waiting["parts"].append(record.part)
        waiting |= {"way": way, "step": step}
        return waiting

    def _through(self, op: Op, position: int, cell: str = "") -> str:
        value = op.takes[position]
        uses = [place for place, taken in enumerate(op.takes) if taken is value]
        which = self.words(f"use.{USES[uses.index(position)]}") if 1 < len(uses) <= len(USES) else ""
        name = self.name(op.gives[0])
        whole = f"{name} = {self._written(op)}" if name.isidentifier() else name
        if len(op.gives) > 1 and not op.own_rule:  # those that something came back to
            came = [self.name(out) for out in op.gives if self._holds(out, cell) is not None]
            whole = (listed(came) or name) if len(came) <= len(USES) else f"{came[0]} to {came[-1]}"
        to = self.name(self.names.replays.first(value))
        return self.words("through.own" if op.own_rule else "through", whole=whole, to=to, which=which)

    def _claim(
        self, step: dict[str, Any], record: Any, before: Snapshot | None = None, total: Snapshot | None = None
    ) -> None:
        """Give a share its formula; one of several is added to those before it."""
        recorder, value, op, position = record.recorder, record.into, record.context.cause, record.position
        operands = self._shared(op, recorder)
        text = settled(back_words(op, position), operands["d"].snap, operands)
        left = self.gradient(recorder, value, total or self.snap(record.part))
        sign = None
        if self.names.several(record):
            so_far = "=" if before is None else f"= {brief(before)} +" if brief(before) else "+="
            sign = operator("+=", so_far if left.text != left.symbol else "+=")
        made = equation([left.symbol, left.text, left.kind, left.value], text, operands, sign)
        if made:
            step["formula"] = made

    def _shared(self, op: Op, recorder: Recorder) -> dict[str, Operand]:
        """What stands for the names of a rule on its way back."""
        cell, _, kind = self._asked[recorder]
        words = {**self._operands(op), "out": self.operand(op.gives[0])}
        for place, given in enumerate(op.gives):
            snap = self._holds(given, cell)
            nothing = Operand(f"zeros({shaped(given.shape)})" if given.shape else "0", Snapshot("", None, 0.0), kind)
            d = nothing if snap is None else self.gradient(recorder, given, snap)
            words |= {f"d{place}": d, f"out{place}": self.operand(given)}
        words["d"] = words["d0"] if self._holds(op.gives[0], cell) else words["d0"]._replace(snap=Snapshot("?"))
        return words

    def _on_total(self, record: Summed) -> None:
        recorder, value, total = record.recorder, record.into, record.total
        pending = self._pending.pop((recorder, value), None)
        if recorder not in self._asked or value not in self.names.cards or value not in self.cards:
            return
        cell = self._asked[recorder][0]
        before = pending["before"] if pending and "before" in pending else self._holds(value, cell)
        made = self._made_by.get(total) == self.now and self.steps[-1]["kind"] == "op"
        if pending is not None and "added" in pending and len(pending["parts"]) == 1 and not made:
            pending = None  # it was told share by share, as they reached the region's door
        late = pending is not None and before is not None and pending["step"] is not self.steps[-1] and not made
        if late or self.steps[-1]["kind"] == "bare":
            self._step("contribution", "", record.site)
        self._put_gradient(recorder, value, self.snap(total))
        self.told = True
        step = self.steps[-1]
        self._focus(step, value, cell)
        if made:
            self._explained = self.now
        if pending is None or before is None:
            return
        summed, parts = self.snap(total), [before, *map(self.snap, pending["parts"])]
        if brief(summed) and all(map(brief, parts)) and len(parts) <= SPOKEN:
            first, *others = told_parts(parts)
            added = f"{' + '.join([first, *map(signed, others)])} = {spelled(summed)}"
        else:  # ranges would say nothing here
            added = self.words("sum.now", total=spelled(summed))
        if late:
            step["say"] = self.words("sum.alone", name=self.name(value), added=added)
            return
        if step is not pending["step"]:
            who = self._recorders_of(total)
            if "added" in pending:
                step["say"] = self.words("sum.recorded.only", added=added, who=who)
            else:
                step["say"] = self.words("sum.recorded", name=self.name(value), added=added, who=who)
            return
        said = self.words("sum", way=pending["way"], part=self._spelled(pending["parts"][-1]), added=added)
        step["say"] = said + pending.get("called", "")
        if "share" in pending and "formula" in step and len(parts) == 2:
            self._claim(step, pending["share"], before, summed)

    def _on_accumulate(self, record: Accumulated) -> None:
        """A place of the program's own beside a value takes in a gradient, or is changed, or emptied."""
        recorder, value = record.recorder, record.into
        if value not in self.names.cards:
            return
        self._card(value, born=0)
        name, before = self.name(value), self._holds(value, GRAD)
        after = None if record.held is None else self.snap(record.held)
        whole = "" if after is None else spelled(after)
        if after is None:
            say = self.words("grad.emptied", name=name)
        elif record.part is None:
            say = self.words("grad.changed", name=name, total=whole)
        elif before is None:
            say = self.words("grad.first", name=name, part=whole)
        elif after.data is not None and "low" in after.data:
            say = self.words("grad.now", name=name, total=whole)
        else:
            held, part = spelled(before), signed(self._spelled(record.part))
            say = self.words("grad.added", name=name, before=held, part=part, total=whole)
        step = self._step("accumulate", say, record.site)
        label, kind = self.words.vocabulary["grad"], self._kind("gradient", recorder)
        self._set(value, GRAD, label, kind, "" if after is None else after, by=recorder)
        self._focus(step, value, GRAD)
        self._mark(step, recorder, "write")

    def _on_gradients(self, record: Answered) -> None:
        recorder, row = record.recorder, record.row
        if recorder not in self._asked:
            return
        cell, target, _ = self._asked[recorder]
        pairs = list(zip(record.sources, record.answers, strict=True))
        typed = flat(record.site.names) if record.site is not None else []
        parts = []
        for place, (value, answer) in enumerate(pairs):
            self._card(value, born=0)
            if answer is None:
                why = self._why_no_gradient(record, value)
                self._put_gradient(recorder, value, "None", why)
                parts.append(self.words("answer.none", name=self.name(value), why=why))
            else:
                given = self.names.given.get(answer, "")
                if len(typed) == len(pairs) and given in typed and typed[place] not in ("", given):
                    head = typed[place]  # one value under two names
                elif given:
                    head = self.names.names.get(answer, given)  # a card of that name may be the second or third
                else:
                    head = f"∂{enclosed(target)}/∂{enclosed(self.name(value))}"
                    if answer in self.names.cards and row is None:  # what uses it calls it by a name
                        head = f"{self.name(answer)} = {head}"
                head = head if row is None else self.words("answer.row", row=row, of=head)
                said = self.words("result", name=head, what=self._spelled(answer))
                if row is not None and answer in self.names.cards:  # of rows the Jacobian is made
                    said += ". " + self.words("back.called", name=self.name(answer)).removesuffix(".")
                parts.append(said)
        left_out = getattr(record, "more", 0)
        spoken = parts[: most_of(len(parts), ANSWERED)]
        more = left_out + len(parts) - len(spoken)
        said = ". ".join(spoken) + (f". {self.words('answer.more', count=more)}" if more else ".")
        step = self._step("gradients", said, record.site)
        for value, answer in pairs:
            if answer is None:
                self._cells[value, cell]["states"][-1]["t"] = self.now
                continue
            if answer in self.names.cards:
                self._card(answer, site=record.site)
            if self._holds(value, cell) is None:  # it came by ways that were not recorded
                self._put_gradient(recorder, value, self.snap(answer))
        for value in record.sources[: len(spoken)]:
            self._focus(step, value, cell)
        if row is not None or left_out or record.site is None:
            return
        names = record.site.names
        if isinstance(names, str):
            self.beside.gave(step, names, *record.answers)
        else:
            for name, answer in zip(flat(names), record.answers, strict=False):
                self.beside.gave(step, name, answer)

    def _stopped_by_a_rule(self, recorder: Recorder, source: Value) -> tuple[Op, Value] | None:
        """The rule of the program's own that was asked on the way back to a source and gave nothing, and for which value."""
        cell, reached = self._asked[recorder][0], {source}
        for record in self.names.records:
            op: Any = getattr(record, "op", None)
            if op is None or recorder not in op.taken or not reached & set(op.takes):
                continue
            reached.update(op.gives)
            if op.own_rule and any(self._holds(given, cell) is not None for given in op.gives):
                return op, next(value for value in op.takes if value in reached)
        return None

    def _why_no_gradient(self, record: Answered, source: Value) -> str:
        """The nearest reason why no gradient came back: the source, the target, or the way between them."""
        recorder = record.recorder
        records = self.names.records
        if (left := left_out(records, records.index(record)).get(source)) is not None:
            return self.words("none.left", what=left.what, line=left.line.line if left.line is not None else 0)
        who, target = self._who(recorder), self._targets[recorder][0]
        if recorder not in self.known_by.get(source, ()):
            return self.words("none.unwatched", who=who, name=self.name(source))
        if recorder not in self.known_by.get(target, ()) and target is not source:
            maker = self.names.gradients.get(target)
            if maker is not None and maker is not recorder:
                return self.words("none.other", who=who, maker=self._who(maker), name=self.name(target))
            return self.words("none.unwritten", who=who, name=self.name(target))
        ruled = self._stopped_by_a_rule(recorder, source)
        if ruled is not None:
            return self.words("none.rule", rule=ruled[0].row.name, at=self.name(ruled[1]))
        return self.words("none.no_path", who=who, target=self._asked[recorder][1], name=self.name(source))
