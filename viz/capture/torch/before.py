"""Nodes that were made unseen: those of a graph from before the run, of custom functions, of views that autograd made anew."""

from __future__ import annotations

from typing import Any

import torch

from ..records import Value
from .notes import Notes
from .saving import Saving, short


class Before:
    """Records such nodes as ops when they are first met; only their operands and names are known."""

    def __init__(self, notes: Notes, saving: Saving) -> None:
        self.notes, self.saving = notes, saving

    def __call__(self, tensor: Any, value: Value) -> None:
        """The graph that leads to a tensor, of which the value is known."""
        node = tensor.grad_fn
        if node is None or self._known(node):
            return
        unknown, most = self._walk(node, tensor.output_nr)
        for unseen in unknown:
            last = unseen is node
            gives = [
                value if last and at == tensor.output_nr else self.notes.tensors.plain(0.0)
                for at in range(most[unseen] + 1)
            ]
            self._tell(unseen, tuple(gives), {value: self.notes.tensors.see(tensor)} if last else {})

    def _known(self, node: Any) -> bool:
        return hasattr(node, "variable") or node._sequence_nr() in self.notes.ops

    def _walk(self, root: Any, number: int) -> tuple[list[Any], dict[Any, int]]:
        """The unknown nodes, each after those that it takes from; and of each the last output that is used."""
        most: dict[Any, int] = {root: number}
        order: dict[Any, None] = {}
        todo = [(root, False)]
        while todo:
            node, done = todo.pop()
            if done:
                order[node] = None
                continue
            if node in order:
                continue
            todo.append((node, True))
            for further, at in node.next_functions:
                if further is not None and not self._known(further):
                    most[further] = max(most.get(further, 0), at)
                    todo.append((further, False))
        return list(order), most

    def _tell(self, node: Any, gives: tuple[Value, ...], numbers: dict[Value, Any]) -> None:
        notes, takes = self.notes, []
        for further, at in node.next_functions:
            if further is not None:
                known = notes.ops.get(further._sequence_nr())
                takes.append(notes.value(further.variable) if known is None else known.gives[at])
        own = isinstance(node, torch.autograd.function.BackwardCFunction)
        region = getattr(getattr(node, "run_function", None), "region", None) if own else None
        name = (
            region.name if region is not None else type(node).__name__.removesuffix("Backward") if own else short(node)
        )
        graph = notes.graph_at_work()
        op = notes.op(
            notes.rows.own(name, len(takes)), tuple(takes), gives, site=notes.site(), context=notes.context(),
            taken=(graph.recorder,), own_rule=own and region is None, region="" if region is None else region.id,
        )  # fmt: skip
        if region is not None:
            region.entry = op
        number = node._sequence_nr()
        notes.ops[number] = op
        if notes.passes:
            notes.orders[number] = notes.passes[-1].order
        self.saving.belong(number, op, graph)
        notes.ran(op, numbers)
