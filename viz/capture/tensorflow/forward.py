"""Every eager op, once it has run: an op callback is given its type, its attributes, what it took and what it gave."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import tensorflow as tf

from ..borrowed import library_frames
from ..records import Applied, Assigned, Carried, Context, Op, Recorder, Value
from .kept import Kept, asked
from .notes import NO_INSIDE, NO_TANGENT_OPS, Notes
from .private import found
from .rows import is_function, is_tangent
from .values import eager, is_handle, trainable

SILENT = frozenset({
    "VarHandleOp", "NoOp", "VarIsInitializedOp", "DestroyResourceOp", "VariableShape", "Shape", "ShapeN", "Size", "Rank",
    "BroadcastGradientArgs", "Assert", "PrintV2", "StringFormat", "EagerPyFunc", "EnsureShape", "CheckNumerics",
})  # fmt: skip
FROM_NOTHING = frozenset({"Fill", "Range", "LinSpace", "OneHot", "MatrixDiagV3", "ZerosLike", "OnesLike"})
ASSIGNS = {"AssignVariableOp": "assign", "AssignAddVariableOp": "assign_add", "AssignSubVariableOp": "assign_sub"}
COPYING = ("custom_gradient.py", "resource_variable_ops.py", "forwardprop.py")  # what copies tensors for itself
# Library code whose ops are not recorded: what it makes is recorded when the program uses it.
BEHIND = ("/random/", "/initializers/", "/optimizers/", "random_ops.py", "init_ops_v2.py", "linalg_ops_impl.py")


class Entry(NamedTuple):
    """An op as tapes have it."""

    op: Op
    positions: dict[int, int]  # from the inputs of TensorFlow's op to those that are told
    wanted: dict[Recorder, frozenset[int]]  # which of them each tape follows


class Forward:
    """Is shown every op."""

    def __init__(self, notes: Notes) -> None:
        self.notes = notes
        self._kept: dict[tuple[str, int, int], Kept] = {}  # by type of op and its numbers of inputs and outputs
        self.entries: dict[int, Entry] = {}  # by identity of an op's attributes, which tapes keep and give back
        self.functions: dict[Value, Entry] = {}  # calls of traced functions, by what they gave first
        self.inside_jvp = 0  # while TensorFlow works out a tangent
        self._waiting: list[tuple[Op, list[Any]]] = []  # ops whose tangents may come after them
        self._later: list[tuple[Any, ...]] = []  # ops of tangents that came before their op
        self._derivative = getattr(found("framework.ops:_gradient_registry"), "lookup", None)
        self._tangent = found("pywrap_tfe:TFE_Py_ForwardAccumulatorJVP")

    def __call__(self, kind: Any, inputs: Any, attrs: Any, outputs: Any, op_name: Any = None, graph: Any = None) -> Any:
        """What TensorFlow calls when an op has run; nothing is changed."""
        if graph is None and not self.notes.values.quiet and tf.executing_eagerly():
            name = kind.decode() if isinstance(kind, bytes) else str(kind)
            self.seen(name, list(inputs), attrs, [output for output in outputs or () if eager(output)])
        return outputs

    def seen(self, kind: str, inputs: list[Any], attrs: Any, outputs: list[Any]) -> None:
        """An op has run."""
        notes = self.notes
        self.entries.pop(id(attrs), None)
        if kind in ASSIGNS or (kind.startswith("Resource") and inputs and is_handle(inputs[0])):
            self._assigned(kind, inputs[0])
        elif self.inside_jvp or is_tangent(kind):
            notes.say(NO_TANGENT_OPS)
            self._later.append((kind, inputs, attrs, outputs))
        elif kind == "ReadVariableOp":
            value = notes.value(inputs[0])
            notes.access(value)
            notes.values.put(outputs[0], value)
        elif kind == "Identity" and not self._asked_for():
            known = notes.values.find(inputs[0])
            if known is not None:
                notes.values.put(outputs[0], known)
        else:
            self.settle()
            if outputs and not self._hidden(kind, inputs, outputs):
                self.told(kind, inputs, attrs, outputs)
                self._tangents_after()
            else:
                self._unseen(outputs)

    # ---- what is told ---------------------------------------------------------------------------------------------------

    def told(self, kind: str, inputs: list[Any], attrs: Any, outputs: list[Any], context: Context | None = None) -> Op:
        """Note an op."""
        notes = self.notes
        takes, positions = notes.operands(inputs)
        for value in takes:
            if value.variable:
                notes.access(value)
        if is_function(kind) and context is None:
            notes.say(NO_INSIDE)
        shown = [tensor for at, tensor in enumerate(inputs) if at in positions]
        settings = [tensor for at, tensor in enumerate(inputs) if at not in positions and eager(tensor)]
        gives = tuple([notes.values.new(tensor) for tensor in outputs])
        row = notes.rows.row(kind, attrs, shown, outputs, settings)
        op = notes.op(row, takes, gives, site=notes.site(), context=context or notes.context())
        wanted = {} if is_function(kind) else self._written(op, kind, outputs)  # a call is written down when it is over
        if wanted:
            form = kind, len(inputs), len(outputs)
            kept = self._kept[form] = self._kept.get(form) or asked(kind, inputs, attrs, outputs)
            places = (
                *(positions[at] for at in kept.inputs if at in positions),
                *(~at for at in kept.outputs if at < len(gives)),
            )
            op.saved = tuple([(recorder, places) for recorder in wanted if places])
        if is_function(kind):
            self.functions[gives[0]] = Entry(op, positions, {})
        elif attrs:
            self.entries[id(attrs)] = Entry(op, positions, wanted)
        numbers = {value: notes.values.see(tensor) for value, tensor in zip(gives, outputs, strict=True)}
        notes.ran(op, numbers)
        if notes.carriers:
            self._waiting.append((op, outputs))
            self._carried(final=False)
        return op

    def _written(self, op: Op, kind: str, outputs: list[Any]) -> dict[Recorder, frozenset[int]]:
        """Which tapes write an op down, and which of its inputs each follows."""
        notes = self.notes
        stopped = found("pywrap_tfe:TFE_Py_TapeSetIsStopped")()
        differentiable = any(map(trainable, outputs)) and self._has_derivative(kind)
        wanted, refused = {}, []
        for tape in notes.tapes:
            follows = frozenset([at for at, value in enumerate(op.takes) if value in tape.follows])
            if follows and differentiable and not stopped:
                wanted[tape.recorder] = follows
                tape.follows.update(op.gives)
            elif not stopped or not differentiable:
                refused.append((tape.recorder, "no derivative" if follows else "unwatched"))
        op.taken, op.refused = tuple(wanted), tuple(refused)
        return wanted

    def _has_derivative(self, kind: str) -> bool:
        try:
            return self._derivative is None or self._derivative(kind) is not None
        except LookupError:
            return True  # reversing it raises an error, and gives no None

    # ---- what is not ----------------------------------------------------------------------------------------------------

    def _hidden(self, kind: str, inputs: list[Any], outputs: list[Any]) -> bool:
        notes = self.notes
        if kind in SILENT:
            return True
        known = [notes.values.find(tensor) for tensor in inputs]
        if notes.jacobian is not None and notes.work is None:  # an element of the target is picked
            given = [value for tensor, value in zip(inputs, known, strict=True) if trainable(tensor)]
            if not given or None in given or notes.jacobian.target in given:
                return True
        numbers = any(map(trainable, outputs))
        if notes.work is not None and not numbers:
            return True
        anything = any(known) or any(is_handle(tensor) or bool(notes.name(tensor)) for tensor in inputs)
        if not anything and (
            kind in FROM_NOTHING or not numbers or not inputs or kind.startswith(("Random", "Stateless"))
        ):
            return True
        return _behind()

    def _unseen(self, outputs: list[Any]) -> None:
        if self.notes.work is None:
            site = self.notes.site()
            for tensor in outputs:
                self.notes.values.unseen_at(tensor, site)

    @staticmethod
    def _asked_for() -> bool:
        """Whether an identity is one of the program's own, and not a copy that TensorFlow makes for itself."""
        files = [frame.f_code.co_filename for frame in library_frames(sys._getframe(3))]
        return not any(file.endswith(COPYING) for file in files)

    def _assigned(self, kind: str, handle: Any) -> None:
        notes = self.notes
        self.settle()
        value = notes.values.find(handle)
        if value is not None:
            how = ASSIGNS.get(kind, kind)
            notes.add(Assigned(value=value, how=how, numbers={value: notes.values.see(handle)}))

    # ---- tangents -------------------------------------------------------------------------------------------------------

    def settle(self) -> None:
        """Record the tangents of the ops before this one."""
        if self._waiting:
            self._carried(final=True)
            self._tangents_after()

    def _carried(self, final: bool) -> None:
        """Record the tangents that accumulators have carried through the ops that wait."""
        waiting, self._waiting = self._waiting, []
        for op, outputs in waiting:
            found_ = False
            for carrier in self.notes.carriers:
                for value, tensor in zip(op.gives, outputs, strict=True):
                    tangent = self._tangent(carrier.accumulator, tensor)
                    if tangent is not None:
                        found_ = True
                        self.carry(carrier.recorder, value, tangent, op)
                if final and carrier.recorder not in op.taken:
                    op.refused += ((carrier.recorder, "no tangent"),)
            if not found_ and not final:
                self._waiting.append((op, outputs))

    def carry(self, recorder: Recorder, of: Value, tangent: Any, op: Op | None) -> None:
        """A tangent has come to a value."""
        notes = self.notes
        part = notes.values.known(tangent)
        if op is not None and recorder not in op.taken:
            op.taken += (recorder,)
        numbers = {part: notes.values.see(tangent)}
        notes.add(Carried(recorder=recorder, of=of, tangent=part, seed=op is None, op=op, numbers=numbers))

    def _tangents_after(self) -> None:
        """Record the ops that computed tangents, if a tape follows them; their arithmetic is inside traced functions."""
        later, self._later = self._later, []
        last = next((record.op for record in reversed(self.notes.stream.records) if isinstance(record, Applied)), None)
        for kind, inputs, attrs, outputs in later:
            if kind != "Identity" and any(self.notes.values.find(tensor) for tensor in inputs):
                self._later_told(kind, inputs, attrs, outputs, last)

    def _later_told(self, kind: str, inputs: list[Any], attrs: Any, outputs: list[Any], cause: Op | None) -> None:
        followed = any(self.notes.values.find(tensor) in tape.follows for tape in self.notes.tapes for tensor in inputs)
        if followed:
            self.told(kind, inputs, attrs, outputs, Context(phase="jvp", cause=cause))


def _behind() -> bool:
    """Whether library code asked for an op that is not recorded."""
    files = [frame.f_code.co_filename for frame in library_frames(sys._getframe(3))]
    return any(part in file for file in files for part in BEHIND)
