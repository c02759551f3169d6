"""The records of a run as it goes on: one note for each thing that happens, and its bytes once it has settled."""

from __future__ import annotations

from typing import Any

import torch

from ..notes import RunNotes
from ..records import FORWARD, Context, Entered, Made, Op, Paused, Record, Recorder, Resumed, Value, Watched
from ..run import OfFramework
from .names import Names
from .private import found
from .rows import Rows
from .tensors import HOLDERS, Tensors

WORDS = {
    "tape": "graph", "tapes": "saved tensors", "a_tape": "autograd", "plain_tape": "plain autograd", "keeps": "saves",
    "keep": "save", "kept": "saved", "lets_go": "frees the tensors that it saved", "variables": "leaves",
    "listens": "begins a graph", "carries": "begins: what comes from a dual tensor carries a tangent",
    "tangents_after": "is over, and its tangents with it",
    "look_away": "what its ops would save is dropped, to be computed again", "does_not_watch": "does not follow",
    "a_variable": "a leaf tensor that requires grad,", "a_constant": "a tensor,",
    "one_entry": "keeps its ops without their values", "goes_on": "goes on: grad mode is on again",
    "pauses": "does not look: grad mode is off",
}  # fmt: skip
ORDERS = ("", "autograd", "autograd of gradients")


class Run(OfFramework):
    """A program of PyTorch's that was recorded, as a stream; `why` says why a parameter has no gradient."""

    def __init__(self, title: str = "", lead: str = "") -> None:
        super().__init__(title, lead, framework="PyTorch", vocabulary=WORDS, holders=HOLDERS)

    def why(self, tensor: Any) -> str:
        """Why a leaf has the `.grad` that it has, or none, with the line where the way to it is cut.

        Args: tensor, a parameter or another tensor of the program.  Raises TypeError for what is no tensor.
        """
        from .why import why

        if not isinstance(tensor, torch.Tensor):
            raise TypeError(f"a gradient belongs to a tensor, not to {type(tensor).__name__}: run.why(net.weight)")
        value = self.notes.tensors.find(tensor)
        name = (value.name or value.label if value is not None else "") or self.notes.names.tensor(tensor) or "it"
        return why(self.stream, tensor, value, name)


class Graph:
    """What autograd wrote down at one order: a recorder, and how much it still keeps."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.kept = 0
        self.begun = False
        self.paused = False


class Notes(RunNotes):
    """What is known of a run so far; the other modules here record in it what they see."""

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        # What was there before: at which record it was met, its holder and bytes.
        self.met: list[tuple[int, str, int]] = []
        self.rows, self.names, self.tensors = Rows(), Names(), Tensors()
        self.graphs: dict[int, Graph] = {}
        self.ops: dict[int, Op] = {}  # by autograd's sequence number
        self.orders: dict[int, int] = {}  # of a node that a backward pass made: the order of that pass
        self.layers: list[str] = []
        self.regions: list[Any] = []
        self.passes: list[Any] = []  # backward passes that are going on, outermost first
        self.cells: dict[Value, Value] = {}  # by leaf: what stands in its `.grad`
        self.untaken: set[Value] = set()  # made by ops that autograd did not write down
        self.duals: Any = None  # forward mode: see `duals`
        # Inside of torch.func's transforms tensors have levels of their own, which are not recorded.
        self.transformed = found("_C._are_functorch_transforms_active") or (lambda: False)
        self.before: Any = None  # tells the nodes that nobody saw being made: see `before`
        self.let_go: list[Op] = []  # whose saved tensors are gone since the last record
        self._waiting: Record | None = None
        self._high = 0
        self._graph_count = 0
        self._forward: dict[Any, Context] = {}

    # ---- one note --------------------------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Add to the last record what was freed or changed hands since."""
        moved, gone = self.tensors.settled()
        last = self._waiting
        totals = tuple(self.tensors.totals.values())
        if last is None:
            return
        last.moved += tuple(moved)
        last.gone += tuple(gone)
        last.let_go += tuple(self.let_go)
        self.let_go.clear()
        last.memory, last.high = totals, max(last.high, self._high, sum(totals))
        self._high = 0

    def finish(self) -> None:
        """Count the bytes of earlier tensors from the beginning on, not from where they were first met."""
        self.settle()
        more, at = [0] * len(HOLDERS), len(self.met)
        for number in range(len(self.stream.records) - 1, -1, -1):
            while at and self.met[at - 1][0] > number:
                at -= 1
                more[HOLDERS.index(self.met[at][1])] += self.met[at][2]
            record = self.stream.records[number]
            record.memory = tuple([known + other for known, other in zip(record.memory, more, strict=True)])
            record.high += sum(more)
        for _, holder, nbytes in self.met[:at]:
            more[HOLDERS.index(holder)] += nbytes
        self.stream.before = tuple(more)

    def add(self, record: Record) -> Record:
        """Add a record, with the bytes that changed hands for it."""
        moved, gone = self.tensors.settled()
        record.moved, record.gone = tuple(moved), tuple(gone)
        record.memory = tuple(self.tensors.totals.values())
        record.high = sum(record.memory)
        if record.site is None:
            record.site = self.site()
        self.stream.records.append(record)
        self._waiting = record
        return record

    def context(self) -> Context:
        """What is going on."""
        if self.duals is not None and self.duals.op is not None:
            return self.duals.context()  # type: ignore[no-any-return]
        path = tuple([region.name for region in self.regions])
        if not self.passes:
            key = path, self.layers[-1] if self.layers else ""
            known = self._forward.get(key)
            if known is None:
                known = self._forward[key] = FORWARD if key == ((), "") else Context(region=path, layer=key[1])
            return known
        work = self.passes[-1]
        if self.regions:
            return Context(phase="recompute", cause=self.regions[-1].entry, actor=work.recorder, region=path)
        return Context(phase="gradient", cause=work.cause(), actor=work.recorder)

    # ---- who and what takes part -----------------------------------------------------------------------------------------

    def graph(self, order: int = 1) -> Graph:
        """The graph of that order; it begins with the first op that is written into it."""
        known = self.graphs.get(order)
        if known is None:
            self._graph_count += 1
            name = ORDERS[order] if order < len(ORDERS) else f"autograd, order {order}"
            known = self.graphs[order] = Graph(Recorder(f"g{self._graph_count}", "tape", name))
        if not known.begun:
            known.begun = True
            self.add(Entered(recorder=known.recorder))
        return known

    def value(self, tensor: Any) -> Value:
        """The value that a tensor is; one that was there before is introduced."""
        known = self.tensors.find(tensor)
        if known is None:
            return self.meet(tensor)
        if tensor.requires_grad and tensor.is_leaf and not known.variable and not self.passes:
            self._follow(tensor, known)
        elif known in self.untaken and tensor.requires_grad and not tensor.is_leaf:
            self.untaken.discard(known)
            self.before(tensor, known)
        return known

    def meet(self, tensor: Any) -> Value:
        """A tensor that nobody saw being made."""
        variable = bool(tensor.is_leaf and tensor.requires_grad)
        value = self.tensors.new(tensor, self.names.tensor(tensor))
        if tensor.requires_grad and not variable:
            self.before(tensor, value)
            return value
        store = self.tensors.store_of(tensor)
        if store.live == 1 and not store.saved:
            self.met.append((len(self.stream.records), "variable" if variable else "python", store.nbytes))
        value.early = self.tensors.see(tensor)
        value.held = "variable" if variable else "python"
        if variable:
            self._follow(tensor, value)
        return value

    def _follow(self, tensor: Any, value: Value) -> None:
        """A leaf that requires grad is what gradients are for: autograd follows it, and its content may change."""
        value.variable = True
        self.tensors.put(tensor, value)
        self.add(Watched(recorder=self.graph().recorder, value=value, explicit=False))

    def graph_at_work(self) -> Graph:
        """Where what is recorded now is written down."""
        if not self.passes:
            return self.graph()
        work = self.passes[-1]
        return work.rerun if self.regions and work.rerun is not None else self.graph(work.order + 1)

    def number(self, number: Any) -> Value:
        """A plain number that stands in a formula."""
        value = self.tensors.plain(number)
        self.add(Made(value=value, implicit=True, numbers={value: self.tensors.see(torch.tensor(number))}))
        return value

    def grad_mode(self, on: bool) -> None:
        """Say so where grad mode has changed since the last op of the program's."""
        graph = self.graphs.get(1)
        if graph is None or not graph.begun or graph.paused is not on:
            return
        graph.paused = not on
        self.add((Resumed if on else Paused)(recorder=graph.recorder))
