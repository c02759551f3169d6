"""The backward pass: the engine's calls, each node's shares, their sums, and what comes to `.grad`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import torch

from ..numbers import Snapshot
from ..records import Accumulated, Answered, Asked, Context, Contributed, Op, Recorder, Released, Seeded, Summed, Value
from .notes import Graph, Notes
from .private import found
from .regions import leave


class Share(NamedTuple):
    """What a node gives to one of its inputs."""

    into: Value
    part: Value
    seen: Snapshot
    position: int
    cause: Op


class Pass:
    """A backward pass that is on its way."""

    def __init__(self, notes: Notes, graph: Graph, order: int) -> None:
        self.notes, self.graph, self.order = notes, graph, order
        self.recorder: Recorder = graph.recorder
        self.got: dict[Value, Value] = {}  # what has arrived so far
        self.waiting: list[Share] = []  # shares of the node that ran last, which are not recorded yet
        self.rerun: Graph | None = None  # where a checkpoint that runs again is written down
        self.reruns: list[Any] = []  # those that have run again, until the pass has left them
        self._node = found("_C._current_autograd_node") or (lambda: None)

    def cause(self) -> Op | None:
        """The op that is being reversed."""
        node = self._node()
        return None if node is None else self.notes.ops.get(node._sequence_nr())

    def at_a_leaf(self) -> bool:
        """Whether a gradient is being put into `.grad`."""
        node = self._node()
        return node is not None and hasattr(node, "variable")

    # ---- sums -----------------------------------------------------------------------------------------------------------

    def expects_sum(self, name: str) -> bool:
        """Whether an addition joins what arrives."""
        return bool(self.waiting) and name in ("add", "add_")

    def summing(self, context: Context) -> Context:
        """The context of such an addition."""
        return Context(phase="gradient", cause=context.cause, actor=self.recorder, role="accumulate")

    def added(self, out: Any) -> None:
        """An op has run: it may be the sum of what had arrived and what arrives."""
        if not self.waiting or not isinstance(out, torch.Tensor):
            return
        share = self.waiting[0]
        total = self.notes.tensors.find(out)
        if total is None or tuple(out.shape) != share.into.shape:
            return
        self.waiting.pop(0)
        records = self.notes.stream.records
        sums = records.pop() if records and records[-1].kind == "op" and total in records[-1].numbers else None
        self.tell(share, first=False)
        if sums is not None:  # the addition was recorded already: it comes after what it adds
            records.append(sums)
        self.got[share.into] = total
        self.notes.add(
            Summed(recorder=self.recorder, into=share.into, total=total, numbers={total: self.notes.tensors.see(out)})
        )
        self.go_on()

    def go_on(self) -> None:
        """Record shares, up to one that the engine is about to add to an earlier one."""
        while self.waiting and self.waiting[0].into not in self.got:
            share = self.waiting.pop(0)
            self.got[share.into] = share.part
            self.tell(share, first=True)

    def flush(self) -> None:
        """Another node begins, or the pass is over: record the shares that no sum took."""
        while self.waiting:
            share = self.waiting.pop(0)
            first = share.into not in self.got
            self.got.setdefault(share.into, share.part)
            self.tell(share, first)

    def tell(self, share: Share, first: bool) -> None:
        """Note one share."""
        context = Context(phase="gradient", cause=share.cause, actor=self.recorder)
        self.notes.add(Contributed(
            recorder=self.recorder, into=share.into, part=share.part, position=share.position, first=first, context=context,
            numbers={share.part: share.seen},
        ))  # fmt: skip


class Backward:
    """Stands around the engine."""

    def __init__(self, notes: Notes, engine: Callable[..., Any]) -> None:
        self.notes, self.engine = notes, engine

    def __call__(self, targets: Any, *args: Any, **kwargs: Any) -> Any:
        """What torch.autograd calls instead of the engine."""
        notes = self.notes
        if notes.tensors.quiet or not all(isinstance(target, torch.Tensor) for target in targets):
            return self.engine(targets, *args, **kwargs)
        notes.settle()
        seeds, keep, wanted = args[0], args[1], args[3] if len(args) > 3 else kwargs.get("inputs", ())
        nodes = reached(targets)
        order = 1 + max([notes.orders.get(node._sequence_nr(), 0) for node in nodes], default=0)
        outer = notes.passes[-1] if notes.passes else None  # a reentrant checkpoint's backward pass lies in another's
        graph = notes.graph(order) if outer is None or outer.rerun is None else outer.rerun
        work = Pass(notes, graph, order)
        leaves = [node.variable for node in nodes if hasattr(node, "variable")]
        sources = tuple([notes.value(leaf) for leaf in wanted or leaves if isinstance(leaf, torch.Tensor)])
        self._begins(work, targets, seeds, sources, leaves)
        handles = self._hooks(work, nodes)
        notes.passes.append(work)
        notes.tensors.working = True
        try:
            answers = self.engine(targets, *args, **kwargs)
        except BaseException as error:
            self._ends(work, handles)
            notes.failed(error, work.recorder)
            raise
        self._ends(work, handles)
        self._answered(work, sources, wanted, answers)
        if not keep and not notes.passes:
            self._released(work)
        return answers

    def _begins(self, work: Pass, targets: Any, seeds: Any, sources: tuple[Value, ...], leaves: list[Any]) -> None:
        notes, recorder = self.notes, work.recorder
        for leaf in leaves:
            value = notes.value(leaf)
            if leaf.grad is None and notes.cells.pop(value, None) is not None:
                notes.add(Accumulated(recorder=recorder, into=value))
        named = tuple([notes.value(target) for target in targets])
        notes.add(Asked(recorder=recorder, targets=named, sources=sources))
        for target, seed in zip(named, seeds, strict=True):
            if seed is not None:
                part = notes.tensors.known(seed)
                notes.add(Seeded(recorder=recorder, into=target, part=part, numbers={part: notes.tensors.see(seed)}))
                work.got[target] = part

    def _hooks(self, work: Pass, nodes: list[Any]) -> list[Any]:
        handles = []
        for node in nodes:
            passed = self._arrived if hasattr(node, "variable") else self._passed
            handles.append(node.register_hook(lambda gives, takes, node=node, passed=passed: passed(work, node, gives)))
        return handles

    def _ends(self, work: Pass, handles: list[Any]) -> None:
        for handle in handles:
            handle.remove()
        self.notes.settle()
        work.flush()
        leave(self.notes, work, None)
        self.notes.passes.remove(work)
        if not self.notes.passes:
            self.notes.tensors.landed()

    def _answered(self, work: Pass, sources: tuple[Value, ...], wanted: Any, answers: Any) -> None:
        notes = self.notes
        found_ = [work.got.get(source) for source in sources]
        if wanted and isinstance(answers, tuple):
            for at, tensor in enumerate(answers[: len(sources)]):
                if tensor is None:
                    found_[at] = None
                elif found_[at] is None:
                    found_[at] = notes.tensors.known(tensor)
                else:
                    notes.tensors.put(tensor, found_[at])  # type: ignore[arg-type]
        notes.add(Answered(recorder=work.recorder, sources=sources, answers=tuple(found_)))

    def _released(self, work: Pass) -> None:
        """A graph that keeps nothing any more is released: the next op begins another."""
        notes = self.notes
        for order, graph in [*notes.graphs.items()]:
            if graph.begun and not graph.kept:
                notes.add(Released(recorder=graph.recorder))
                del notes.graphs[order]

    # ---- one node -------------------------------------------------------------------------------------------------------

    def _target(self, node: Any, number: int) -> Value | None:
        if hasattr(node, "variable"):
            return self.notes.value(node.variable)
        op = self.notes.ops.get(node._sequence_nr())
        return op.gives[number] if op is not None and number < len(op.gives) else None

    def _passed(self, work: Pass, node: Any, parts: Any) -> None:
        """A node has run."""
        notes = self.notes
        notes.settle()
        work.flush()
        cause = notes.ops.get(node._sequence_nr())
        if cause is None:
            return
        if work.reruns:
            leave(notes, work, cause.context.region)
        used: list[int] = []
        for (further, number), part in zip(node.next_functions, parts, strict=False):
            into = None if part is None or further is None else self._target(further, number)
            position = None if into is None else next(
                (at for at, taken in enumerate(cause.takes) if taken is into and at not in used), None
            )  # fmt: skip
            if into is None or position is None:
                continue
            used.append(position)
            value = notes.tensors.find(part)
            if value is None or value.shape != tuple(part.shape):
                value = notes.tensors.new(part)
                notes.tensors.flies(part)
            work.waiting.append(Share(into, value, notes.tensors.see(part), position, cause))
        work.go_on()

    def _arrived(self, work: Pass, node: Any, parts: Any) -> None:
        """A gradient was put into `.grad`."""
        notes, leaf = self.notes, node.variable
        notes.settle()
        work.flush()
        value = notes.value(leaf)
        if leaf.grad is None or not value.variable:
            return
        part = work.got.get(value)
        held = notes.cells.get(value)
        if held is None:  # one value for the place, whatever it holds
            held = notes.cells[value] = notes.tensors.new(leaf.grad, f"{value.name}.grad" if value.name else "")
        notes.tensors.put(leaf.grad, held)
        notes.tensors.store_of(leaf.grad).flying = False
        numbers = {held: notes.tensors.see(leaf.grad)}
        notes.add(Accumulated(recorder=work.recorder, into=value, part=part, held=held, numbers=numbers))


def reached(targets: Any) -> list[Any]:
    """Every node from which a gradient can come back, from the targets on."""
    nodes: dict[Any, None] = {}
    todo = [target.grad_fn for target in targets if target.grad_fn is not None]
    while todo:
        node = todo.pop()
        if node is None or node in nodes:
            continue
        nodes[node] = None
        todo += [further for further, _ in node.next_functions]
    return list(nodes)
