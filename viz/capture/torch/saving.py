"""What autograd saves: which op, which of its tensors, how many bytes, and the moment at which it lets go.

Saved-tensor hooks switch off PyTorch's own check for tensors that were changed in place after they had been saved.  So what is
kept here shares its version counter with the tensor, and handing it out makes that check again.
"""

from __future__ import annotations

import re
import weakref
from typing import Any

import torch

from ..records import Op
from .notes import Graph, Notes
from .private import found
from .tensors import place_of, version_of


class Kept:
    """A tensor that autograd saved.  It dies when the graph lets go of it."""

    __slots__ = ("__weakref__", "graph", "notes", "op", "original", "own", "store", "tensor", "value", "version")

    def __init__(self, notes: Notes, tensor: Any) -> None:
        self.notes = notes
        self.tensor = tensor.detach()  # shares bytes and version counter
        self.original = weakref.ref(tensor)
        self.version = version_of(tensor)
        self.store = notes.tensors.store_of(tensor)
        self.value = notes.tensors.find(tensor)
        self.own = False  # whether it is an output of the node that saved it
        self.op: Op | None = None
        self.graph: Graph | None = None
        notes.tensors.keep(self.store, 1)

    def belongs(self, op: Op, graph: Graph) -> None:
        """It is known which op it was saved for."""
        self.op, self.graph = op, graph
        graph.kept += 1

    def __del__(self) -> None:
        self.notes.tensors.keep(self.store, -1)
        if self.op is not None and self.graph is not None:
            self.graph.kept -= 1
            if self.op not in self.notes.let_go:
                self.notes.let_go.append(self.op)


class Saving:
    """The two hooks."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self.packed: dict[int, list[weakref.ref[Kept]]] = {}  # by sequence number: saved before its op was seen
        self.current: tuple[int, Op, Graph] | None = None  # the op that ran last

    def pack(self, tensor: Any) -> Any:
        """Autograd saves a tensor."""
        notes = self.notes
        if notes.tensors.quiet:
            return tensor.detach()
        with notes.tensors.unseen():
            number = torch._C._autograd._get_sequence_nr() - 1
            kept = Kept(notes, tensor)
        current = self.current
        if current is not None and current[0] == number:  # one of its outputs
            kept.own = True
            self._belongs(kept, current[1], current[2])
        else:
            self.packed.setdefault(number, []).append(weakref.ref(kept))
        return kept

    def unpack(self, kept: Any) -> Any:
        """Autograd needs it: refused, in PyTorch's own words, if it is no longer what was saved."""
        if not isinstance(kept, Kept):
            return kept
        tensor = kept.tensor
        if version_of(tensor) != kept.version:
            raise RuntimeError(changed_since(kept))
        if kept.value is not None:
            kept.store.places[place_of(tensor)] = kept.value
        return tensor

    def belong(self, number: int, op: Op, graph: Graph) -> None:
        """What was saved just before an op was seen was saved for it."""
        for reference in self.packed.pop(number, []):
            kept = reference()
            if kept is not None:
                self._belongs(kept, op, graph)

    def _belongs(self, kept: Kept, op: Op, graph: Graph) -> None:
        if kept.value is None:
            kept.value = self.notes.tensors.find(kept.tensor)
        if kept.value in op.gives and (kept.own or kept.value not in op.takes):
            op.save(graph.recorder, ~op.gives.index(kept.value))
        elif kept.value in op.takes:
            op.save(graph.recorder, op.takes.index(kept.value))
        kept.belongs(op, graph)


def changed_since(kept: Kept) -> str:
    """What PyTorch says of a saved tensor that was changed in place, word for word."""
    tensor, original = kept.tensor, kept.original()
    if kept.own or original is None:
        current = found("_C._current_autograd_node")
        node, number = None if current is None else current(), 0
    else:
        node, number = original.grad_fn, original.output_nr
    which = f", which is output {number} of {short(node)}," if node is not None else ""
    hint = (
        "the backtrace further above shows the operation that failed to compute its gradient. The variable in question was "
        "changed in there or anywhere later. Good luck!"
        if torch.is_anomaly_enabled()
        else "enable anomaly detection to find the operation that failed to compute its gradient, with "
        "torch.autograd.set_detect_anomaly(True, check_nan=False)."
    )
    return (
        "one of the variables needed for gradient computation has been modified by an inplace operation: "
        f"[{tensor.type()} {list(tensor.shape)}]{which} is at version {version_of(tensor)}; "
        f"expected version {kept.version} instead. Hint: {hint}"
    )


def short(node: Any) -> str:
    """A node's name as PyTorch's errors have it."""
    return re.sub(r"Backward\d*$", "", node.name())
