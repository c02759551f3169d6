"""One line of a tape: what was applied, where, and what is kept of it for the way back."""

from __future__ import annotations

from typing import Any, NamedTuple

from .record.ledger import TAPE
from .record.provenance import Site
from .tensor import Tag, Tensor
from .trace import Application


class Value(NamedTuple):
    """A value as an entry remembers it: a description, never the numbers."""

    id: int
    shape: tuple[int, ...]
    dtype: str
    nbytes: int
    name: str

    @classmethod
    def of(cls, tag: Tag, name: str = "") -> Value:
        """The description of a tag."""
        return cls(tag.id, tag.shape, str(tag.dtype), tag.nbytes, name)


class Entry:
    """One application on one tape.

    `held` says whether the tape still keeps what the way back needs; everything else stays readable after that.

    >>> import minitape as tf
    >>> x = tf.constant(3.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = x * x
    >>> entry = tape.entries[0]
    >>> entry.op, entry.saved[0].nbytes, entry.held
    ('multiply', 4, True)
    >>> _ = tape.gradient(y, x)
    >>> tape.entries[0].held
    False
    """

    __slots__ = ("application", "kept", "plan", "users")

    def __init__(
        self,
        application: Application,
        wanted: tuple[bool, ...],
        inputs: tuple[Tensor, ...],
        outputs: tuple[Tensor, ...],
    ) -> None:
        primitive = application.primitive
        self.application = application
        self.plan = plan = primitive.plans.get(wanted) or primitive.plan(wanted)
        self.users = 0  # how often later entries of the tape use an output of this one
        # The tape's own handles, never the learner's tensor objects: so the ledger can tell the two apart.  Behind those of
        # a call stands its way back.  None: it has let go.
        self.kept: tuple[Any, ...] | None = ()
        if plan.positions:
            kept, values = [], inputs + outputs
            for position in plan.positions:
                one = values[position]
                if position >= len(inputs):
                    one._tag.own += 1
                kept.append(Tensor(one._array, one._tag, one._buffer, TAPE))
            self.kept = tuple(kept)
        if not primitive.listed:
            self.kept += (primitive.way_back(),)

    @property
    def wanted(self) -> tuple[bool, ...]:
        """For each input whether the tape follows it: whether a cotangent must come back to it."""
        return self.plan.wanted

    def values(self) -> list[Tensor | None]:
        """The inputs and then the outputs, as far as they were kept."""
        values: list[Tensor | None] = [None] * (len(self.application.inputs) + len(self.application.outputs))
        for position, kept in zip(self.plan.positions, self.kept or ()):
            values[position] = kept
        return values

    def keeps(self, tag: Tag) -> int:
        """How many of the value's handles are this entry's own."""
        return sum([kept._tag is tag for _, kept in zip(self.plan.positions, self.kept or ())])

    def reachable(self) -> bool:
        """Whether a later entry uses an output, or anybody but this entry has a handle on one."""
        if self.users > 0:
            return True
        outputs, keeps = self.application.outputs, self.plan.keeps_outputs
        return any([out.handles > (self.keeps(out) if keeps else 0) for out in outputs])

    # ---- what can be read ---------------------------------------------------------------------------------------------

    @property
    def id(self) -> int:
        """The tick of the application: later entries have larger ids."""
        return self.application.tick

    @property
    def op(self) -> str:
        """The op's name in the table."""
        return self.application.op

    @property
    def formula(self) -> str:
        """The op as mathematics, in the names of its row."""
        return self.application.primitive.formula

    @property
    def params(self) -> dict[str, Any]:
        """The op's settings, such as an axis."""
        return dict(self.application.params)

    @property
    def inputs(self) -> tuple[Value, ...]:
        """The inputs."""
        return tuple(Value.of(tag) for tag in self.application.inputs)

    @property
    def outputs(self) -> tuple[Value, ...]:
        """The outputs, with the learner's name where the source gives one."""
        name = self.application.site.assigned_name()
        return tuple(Value.of(tag, name) for tag in self.application.outputs)

    @property
    def saved(self) -> tuple[Value, ...]:
        """What the way back needs, under the names of the row's rules; none of it may be held any more."""
        application = self.application
        names = application.primitive.save_names(application.primitive.saves(self.wanted))
        tags = [(*application.inputs, *application.outputs)[position] for position in self.plan.positions]
        return tuple(Value.of(tag, name) for tag, name in zip(tags, names, strict=True))

    @property
    def held(self) -> bool:
        """Whether the tape can still go back through this entry."""
        return self.kept is not None

    @property
    def site(self) -> Site:
        """The learner's line: `.label`, `.line`, `.function`, `.text`."""
        return self.application.site

    @property
    def phase(self) -> str:
        """What the program was doing: forward, gradient or jvp."""
        return self.application.context.phase

    @property
    def cause(self) -> Application | None:
        """For a backward or a tangent op, the application that it is the derivative of."""
        return self.application.context.cause

    @property
    def scope(self) -> str:
        """The name scope."""
        return self.application.context.scope

    @property
    def layer(self) -> str:
        """The layer at work."""
        return self.application.context.layer

    @property
    def region(self) -> tuple[str, ...]:
        """The named regions around it, outermost first."""
        return self.application.context.region

    @property
    def recorded_by(self) -> tuple[str, ...]:
        """The names of the recorders that wrote this application down."""
        return tuple(label.name for label, reason in self.application.verdicts if not reason)

    @property
    def not_recorded_by(self) -> dict[str, str]:
        """The recorders that saw it and did not write it down, with the reason."""
        return {label.name: reason for label, reason in self.application.verdicts if reason}

    def __repr__(self) -> str:
        kept = ", ".join(f"{one.name} {one.nbytes} B" for one in self.saved) or "nothing"
        return f"<entry {self.op} at {self.site}; keeps {kept}{'' if self.held else ' (let go)'}>"
