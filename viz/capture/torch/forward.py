"""Every op as it runs: a dispatch mode lies below autograd, so each op is one autograd node."""

from __future__ import annotations

from typing import Any, NamedTuple

import torch
from torch.utils._python_dispatch import TorchDispatchMode

from ..records import Accumulated, Assigned, Made, Op, Row, Value
from .duals import ALIKE, LIKE, Duals, is_placeholder
from .frames import asked_by_the_program, first_cotangent
from .notes import Graph, Notes
from .rows import NUMBERS, Rows, settings_are_usual
from .saving import Saving
from .tensors import place_of, tensors_in

ALIASES = frozenset({"detach", "alias", "view_as"})  # the same numbers at the same place
SILENT = frozenset(
    {"is_same_size", "_has_same_storage_numel", "_local_scalar_dense", "set_", "record_stream", "_assert_async"}
)
MADE = frozenset({"lift_fresh", "lift_fresh_copy"})  # what torch.tensor ends with


class Plan(NamedTuple):
    """What is known of an op before it runs."""

    name: str
    silent: bool
    writes: tuple[int, ...]  # arguments that it changes
    written: tuple[str, ...]  # and the names of those given by name


def plan_of(func: Any) -> Plan:
    """What an op's schema says of it."""
    schema = func._schema
    name = schema.name.rpartition("::")[2]
    silent = func.namespace in ("profiler", "prim", "inductor") or name in SILENT
    changes = [
        (at, argument.name)
        for at, argument in enumerate(schema.arguments)
        if argument.alias_info is not None and argument.alias_info.is_write
    ]
    return Plan(name, silent, tuple(at for at, _ in changes), tuple(name for _, name in changes))


class Call(NamedTuple):
    """An op that is about to run."""

    plan: Plan
    func: Any
    args: Any
    kwargs: Any
    given: list[Any]  # tensors
    changing: list[Any]  # those of them that it changes
    number: int | None  # of its autograd node, where autograd writes it down

    def run(self) -> Any:
        """What it gives."""
        return self.func(*self.args, **self.kwargs)

    def row(self, rows: Rows, count: int, usual: bool = True) -> Row:
        """The words for it, with so many operands."""
        usual = usual and settings_are_usual(self.func._schema, self.args, self.kwargs)
        return rows.row(self.plan.name, count, usual)

    def operands(self) -> list[Any]:
        """What it takes: tensors, and the plain numbers of arithmetic."""
        arithmetic, found = self.plan.name.rstrip("_") in NUMBERS, list[Any]()
        for argument in (*self.args, *self.kwargs.values()):
            number = arithmetic and len(found) < 2 and type(argument) in (int, float)
            found += [argument] if number else tensors_in([argument])
        return found


class Mode(TorchDispatchMode):  # type: ignore[misc]
    """Sees every op while it is on."""

    def __init__(self, notes: Notes, saving: Saving) -> None:
        super().__init__()
        self.notes, self.saving = notes, saving
        self.stepping: dict[Value, Any] | None = None  # in an optimizer's step: what it has changed so far
        self._plans: dict[Any, Plan] = {}
        self.duals = Duals(notes)
        self._last = torch._C._autograd._get_sequence_nr() - 1

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if self.notes.tensors.quiet or self.notes.transformed():
            return func(*args, **kwargs)
        plan = self._plans.get(func)
        if plan is None:
            plan = self._plans[func] = plan_of(func)
        dual = self.duals.recorder is not None
        if plan.silent:
            if dual and plan.name == ALIKE:
                self.duals.alike(*args)
            return func(*args, **kwargs)
        number = torch._C._autograd._get_sequence_nr() - 1
        made_node = number > self._last
        if plan.name != "detach":  # it makes no node: a new node is that of the op about to run
            self._last = max(number, self._last)
        given = tensors_in(args) + tensors_in(kwargs.values())
        written = [args[at] for at in plan.writes if at < len(args)] + [
            kwargs[name] for name in plan.written if name in kwargs
        ]
        changing = tensors_in(written)
        notes = self.notes
        notes.settle()
        recorded = made_node and torch.is_grad_enabled() and any(tensor.requires_grad for tensor in given)
        call = Call(plan, func, args, kwargs, given, changing, number if recorded else None)
        if dual and self.duals.begins():
            return self._pushed(call)
        if self.stepping is not None:
            return self._step(call)
        if notes.passes and not notes.regions and notes.passes[-1].at_a_leaf():
            return self._passed_on(call)
        if plan.name in ALIASES and not (not notes.passes and asked_by_the_program()):
            return self._passed_on(call)
        if plan.name == "clone" and (given[0].is_conj() or given[0].is_neg()):
            self._last -= made_node  # it works out a sign for the op about to run, and the new node is that op's
            out = call.run()
            notes.tensors.put(out, notes.value(given[0]))
            return out
        if plan.name in MADE or not given:
            return self._made(call)
        if plan.name == "ones_like" and first_cotangent():
            return self._passed_on(call)
        if changing:
            return self._in_place(call)
        if notes.passes and not notes.regions and not recorded and not (dual and notes.passes[-1].cause()):
            out = call.run()
            self._flying(tensors_in([out]))
            notes.passes[-1].added(out)
            return out
        return self._op(call)

    # ---- what is told as an op ------------------------------------------------------------------------------------------

    def _pushed(self, call: Call) -> Any:
        """An op that works out a tangent."""
        notes, name, changing = self.notes, call.plan.name, call.changing
        if name in ALIASES or call.func.namespace == "prims" or not call.given:
            return self._passed_on(call)
        operands = call.operands()
        takes = self._values(operands)
        out = call.run()
        if name == LIKE:
            self.duals.likens(out, call.args[1])
            return out
        outs = changing[:1] or tensors_in([out])
        if changing and self.duals.copied(changing[0]) or any(map(is_placeholder, outs)):
            return out
        if changing:
            notes.tensors.changed(changing[0])
        row = call.row(notes.rows, len(takes))
        self._tell(row, operands, takes, outs, tuple(map(notes.tensors.new, outs)), call.number)
        if changing and self.duals.is_of_changed(changing[0]):
            self.duals.done()
        return out

    def _op(self, call: Call) -> Any:
        notes = self.notes
        operands = call.operands()
        takes = self._values(operands)
        if not notes.passes:
            notes.grad_mode(torch.is_grad_enabled())
        out = call.run()
        outs = tensors_in([out])
        if not outs:
            return out
        gives = tuple(map(notes.tensors.new, outs))
        if notes.passes:
            self._flying(outs)
        self._tell(call.row(notes.rows, len(takes)), operands, takes, outs, gives, call.number)
        if notes.passes:
            notes.passes[-1].added(out)
        return out

    def _values(self, operands: list[Any]) -> tuple[Value, ...]:
        value, number = self.notes.value, self.notes.number
        return tuple([value(operand) if isinstance(operand, torch.Tensor) else number(operand) for operand in operands])

    def _tell(
        self, row: Any, operands: list[Any], takes: tuple[Value, ...], outs: list[Any], gives: tuple[Value, ...],
        number: int | None, changed: Any = None,
    ) -> Op:  # fmt: skip
        notes = self.notes
        context = notes.context()
        op = notes.op(row, takes, gives, site=notes.site(), context=context)
        work = notes.passes[-1] if notes.passes and self.duals.op is None else None
        if work is not None and not notes.regions and work.expects_sum(row.name):
            op.context = work.summing(context)
        if number is not None:
            graph = notes.graph_at_work()
            notes.ops[number] = op
            if work is not None and not notes.regions:
                notes.orders[number] = work.order
            op.taken = (graph.recorder,)
            self.saving.belong(number, op, graph)
            self.saving.current = number, op, graph
        else:
            notes.untaken.update(gives)
            self._refused(op, operands)
        notes.ran(op, dict(zip(gives, map(notes.tensors.see, outs))))
        if self.duals.recorder is not None:
            self.duals.applied(op, outs, changed)
        return op

    def _refused(self, op: Op, operands: list[Any]) -> None:
        graph: Graph | None = self.notes.graphs.get(1)
        if graph is None or not graph.begun or self.notes.passes:
            return
        cut = op.row.name in ALIASES
        follows = any(isinstance(operand, torch.Tensor) and operand.requires_grad for operand in operands)
        reason = (
            f"{op.row.name} cuts it off" if cut and follows
            else "nothing that flows into it requires grad" if not follows
            else "grad mode is off here" if not torch.is_grad_enabled()
            else "no derivative"
        )  # fmt: skip
        op.refused = ((graph.recorder, reason),)

    # ---- what is not ----------------------------------------------------------------------------------------------------

    def _made(self, call: Call) -> Any:
        """An op without operands."""
        out = call.run()
        notes, outs = self.notes, tensors_in([out])
        if notes.passes:
            self._flying(outs)
        elif len(outs) == 1 and asked_by_the_program():
            value = notes.tensors.new(outs[0])
            notes.add(Made(value=value, numbers={value: notes.tensors.see(outs[0])}))
        return out

    def _passed_on(self, call: Call) -> Any:
        """An op that gives the same value under another handle, or is work of the engine's own."""
        out = call.run()
        notes, outs = self.notes, tensors_in([out])
        value = notes.tensors.find(call.given[0]) if call.given and not call.changing else None
        if len(outs) == 1 and value is not None and place_of(outs[0]) == place_of(call.given[0]):
            notes.tensors.put(outs[0], value)
        elif notes.passes:
            self._flying(outs)
        return out

    def _flying(self, outs: list[Any]) -> None:
        for out in outs:
            self.notes.tensors.known(out)
            self.notes.tensors.flies(out)

    def _step(self, call: Call) -> Any:
        """An optimizer at work: what it changes is told when it is done."""
        out = call.run()
        for tensor in call.changing:
            value = self.notes.tensors.find(tensor)
            if value is not None and value.variable and self.stepping is not None:
                self.stepping[value] = tensor
        return out

    def stepped(self, how: str) -> None:
        """An optimizer is done."""
        changed, self.stepping = self.stepping or {}, None
        for value, tensor in changed.items():
            self.notes.tensors.put(tensor, value)
            self.notes.add(Assigned(value=value, how=how, numbers={value: self.notes.tensors.see(tensor)}))

    # ---- in place -------------------------------------------------------------------------------------------------------

    def _in_place(self, call: Call) -> Any:
        """An op that changes what it is given: the tensor is another value from here on."""
        notes, number, target = self.notes, call.number, call.changing[0]
        known = notes.tensors.find(target)
        alone = all(any(tensor is other for other in call.changing) for tensor in call.given)
        if known is None and (alone or not asked_by_the_program()) and number is None:
            return call.run()  # a new tensor is being filled, or a module counts its batches
        cell = next((leaf for leaf, held in notes.cells.items() if held is known), None)
        if known is not None and number is None and (known.variable or cell is not None):
            out = call.run()
            notes.tensors.changed(target)
            notes.tensors.put(target, known)
            numbers = {known: notes.tensors.see(target)}
            if cell is not None:  # `.grad`, cleared or clipped
                notes.add(Accumulated(recorder=notes.graph().recorder, into=cell, held=known, numbers=numbers))
            else:
                notes.add(Assigned(value=known, how=call.plan.name, numbers=numbers))
            return out
        base = target._base if target._is_view() and target._base is not None else target
        before = notes.value(base)
        operands = call.operands()
        takes = self._values(operands)
        if base is not target:
            takes = tuple(
                [before if operand is target else value for operand, value in zip(operands, takes, strict=True)]
            )
        if not notes.passes:
            notes.grad_mode(torch.is_grad_enabled())
        out = call.run()
        notes.tensors.changed(base)
        after = notes.tensors.new(base, before.name)
        row = call.row(notes.rows, len(takes), base is target)
        op = self._tell(row, operands, takes, [base], (after,), number, target)
        if number is not None and base is not target:
            notes.ops[number + 1] = op  # the node that stands for the whole tensor
        if notes.passes:
            self._flying([base])
            notes.passes[-1].added(base)
        return out
