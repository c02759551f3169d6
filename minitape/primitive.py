"""A row of the derivative table: an op's forward computation, and what tapes and accumulators ask it.

How a row says its derivative, and the kinds of row that there are, is in `kinds.py`; here is what they have in common, and
`flat`: rows without a derivative.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from inspect import Parameter, Signature
from sys import _getframe
from typing import Any, ClassVar

from . import definition
from .engine import straight
from .notes import EVERY_KIND, NAMES, PLAIN, Notes, WhenAsked, call, enter
from .operands import in_order
from .record.copies import Shared
from .record.warning import quiet
from .rule import Bound, Plan
from .tensor import Tensor
from .trace import Application

TABLE: dict[str, Primitive] = {}
Some = Sequence[Tensor | None]  # values as far as they were kept, cotangents as far as any arrived


def _manual(own: str | None) -> Any:
    """The docstring of a kind of row is the one in its file; that of a row is made when somebody asks."""
    return WhenAsked(lambda row, kind: own if row is None else kind.manual(row))


class _Signature:
    """Stands in the place of `__signature__`: how a row is called, by TensorFlow's names of the operands."""

    def __get__(self, row: Primitive | None, kind: type[Primitive]) -> Signature:
        if row is None:
            raise AttributeError("__signature__")  # a kind of row is made as its `__init__` says
        operand = Parameter.VAR_POSITIONAL if row.variadic else Parameter.POSITIONAL_OR_KEYWORD
        found = [Parameter(name, operand) for name in row.called]
        found.append(Parameter("name", Parameter.KEYWORD_ONLY, default=None))
        return Signature(found if row._bare else [*found, Parameter("settings", Parameter.VAR_KEYWORD)])


class Primitive(Shared):
    """One row of the table; called, it computes the op and shows it to the recorders.

    The mathematics are its arguments here: the forward computation on arrays, the `arguments` that it has a derivative by
    (one with a star takes any number of values), how many `outputs`, which inputs are `inert` for having no derivative.
    Its `notes` say all the rest.

    >>> tf.multiply(3.0, 4.0)
    <tf.Tensor: shape=(), dtype=float32, numpy=12.0>
    """

    kind = "flat"
    listed = True  # in the table
    manual: ClassVar[Callable[[Primitive], str]]  # a row's docstring: a room above sets it
    __signature__ = _Signature()
    takes_batches = False  # whether one more axis in front of all values only repeats it; see `Notes.takes_batches`

    def __init_subclass__(cls) -> None:
        cls.__doc__ = _manual(cls.__doc__)

    def __init__(
        self,
        name: str,
        forward: Callable[..., Any],
        *,
        arguments: Sequence[str] = (),
        outputs: int = 1,
        inert: Sequence[str] = (),
        notes: Notes = PLAIN,
    ) -> None:
        self.name = name
        self.notes = notes
        self.forward = quiet(forward) if notes.quiet else forward
        if notes.fractions:
            self.forward = _on_fractions(self.forward)
        self.bare = forward  # for callers that have silenced NumPy already
        self.variadic = len(arguments) == 1 and arguments[0][0] == "*"
        self.arguments = (arguments[0][1:],) if self.variadic else tuple(arguments)
        self.called = notes.called or self.arguments  # what a learner calls the operands, where TensorFlow does so too
        code = getattr(forward, "__code__", None)
        # Whether it has no settings of its own: then every name in a call must be that of an operand.
        self._bare = not self.variadic and (code is None or definition.count(code) <= len(self.arguments))
        self._count = len(self.arguments)
        self.outputs = outputs
        self.inert = frozenset([self.arguments.index(name) for name in inert] if inert else ())  # indices, conditions
        self.formula = notes.phrase or notes.formula or call(name, self.arguments)
        self.sign = notes.sign or name
        self.same_dtype = notes.same_dtype
        self.kinds = notes.kinds
        self.selective = notes.kinds != EVERY_KIND
        self.hint, self.misfit = notes.hint, notes.misfit
        if notes.takes_batches:
            self.takes_batches = True
        self.title = notes.title or "".join([part.title() for part in name.split("_")])
        self.plans: dict[tuple[bool, ...], Plan] = {}  # by the inputs that a cotangent must come back to
        self.pushes: dict[tuple[bool, ...], bool] = {}  # by the inputs that move: whether plain arrays will do
        self.__name__ = name
        if self.listed:
            # The module in which the row is written; the frame between is the constructor of its kind.
            self.module = _getframe(2).f_globals["__name__"]
            self._enter()

    def _enter(self) -> None:
        """Put the row into the table, under its name and TensorFlow's."""
        name = self.name
        if name in TABLE:
            raise ValueError(
                f"the table has a row {name!r} already\n  Give this one another name; or, where it is your own and comes "
                f"once more, take the old one out first: minitape.primitive.TABLE[{name!r}].withdraw()"
            )
        TABLE[name] = self
        try:
            enter(self.notes.tf, self)
        except ValueError:
            self.withdraw()
            raise

    def __reduce__(self) -> Any:
        return _row, (self.name,)  # a layer that was made with a row finds it again

    def withdraw(self) -> None:
        """Take the row out of the table again, so that a corrected definition finds its name free."""
        if TABLE.get(self.name) is self:
            del TABLE[self.name]
        for name in [name for name, what in NAMES.items() if what is self]:
            del NAMES[name]

    def place(self, name: str) -> int | None:
        """Where the value of this name stands: an input's position, ~position for an output, None for neither."""
        if name in self.arguments:
            return self.arguments.index(name)
        if name == "out":
            return ~0
        if name.startswith("out") and name[3:].isdigit() and int(name[3:]) < self.outputs:
            return ~int(name[3:])
        return None

    # Several outputs come as a tuple, which is taken apart as a tensor is: no caller does anything else with it.
    def __call__(self, *operands: Any, name: str | None = None, **params: Any) -> Tensor:
        if (len(operands) != self._count or params and self._bare) and not self.variadic:
            operands, params = in_order(self.called, operands, params, alone=self._bare)
        return self.run(*operands, params=params)

    @cached_property
    def run(self) -> Callable[..., Tensor]:
        """The function that computes it, which the engine writes when it is first called."""
        return straight(self)

    @cached_property
    def run_reflected(self) -> Callable[..., Any]:
        """The same with its two operands the other way round: Python's `y.__radd__(x)`."""
        return straight(self, reflected=True)

    @cached_property
    def run_heard(self) -> Callable[..., Any]:
        """The same for where somebody listens."""
        return straight(self, heard=True)

    def __repr__(self) -> str:
        return f"<op {self.name}: {self.formula}>"

    # ---- what a tape and an accumulator ask -----------------------------------------------------------------------------

    def differentiable(self, position: int) -> bool:
        """True if the output has a derivative by this input."""
        return self.kind != "flat" and position not in self.inert

    def vjp_rules(self, position: int) -> tuple[Bound, ...]:
        """The rules that the backward pass towards this input runs."""
        return ()

    def saves(self, wanted: tuple[bool, ...]) -> tuple[int, ...]:
        """Which values the backward pass towards the wanted inputs needs: positions of inputs, ~positions of outputs."""
        places = {p for i, want in enumerate(wanted) if want for rule in self.vjp_rules(i) for p in rule.saved.values()}
        return (*sorted(p for p in places if p >= 0), *sorted(p for p in places if p < 0))

    def plan(self, wanted: tuple[bool, ...]) -> Plan:
        """What going back towards the wanted inputs takes; one plan serves all entries that want the same."""
        plan = self.plans.get(wanted)
        if plan is None:
            rules = self._simple_rules(wanted)
            plan = self.plans[wanted] = Plan(self.name, wanted, self.saves(wanted), rules, self.kind == "elementwise")
        return plan

    def _simple_rules(self, wanted: tuple[bool, ...]) -> tuple[tuple[int, Bound], ...] | None:
        """The rule of each wanted input, where it alone says what comes back."""
        rules = tuple([(i, rule) for i, want in enumerate(wanted) if want for rule in self.vjp_rules(i)])
        simple = self.outputs == 1 and not self.variadic and len(rules) == sum(wanted)
        return rules if simple else None

    def save_names(self, places: Sequence[int]) -> tuple[str, ...]:
        """The names of saved places, as the rules call them."""
        return tuple(self.argument_name(p) if p >= 0 else "out" if self.outputs == 1 else f"out{~p}" for p in places)

    def argument_name(self, position: int) -> str:
        """The name of an input."""
        return f"{self.arguments[0]}[{position}]" if self.variadic else self.arguments[position]

    def derivative(self) -> Any:
        """What an entry must keep besides values for its backward pass: nothing for a row, whose rules say it all."""
        return None

    def pull(
        self, application: Application, values: Some, cotangents: Some, wanted: tuple[bool, ...]
    ) -> Iterator[tuple[int, Tensor | None]]:
        """The cotangents that come back to the wanted inputs, with their positions, one after the other."""
        for position, want in enumerate(wanted):
            if want:
                yield position, self.pullback(application, values, cotangents, position)

    def pullback(self, application: Application, values: Some, cotangents: Some, position: int) -> Tensor | None:
        """The cotangent that comes back to one input (a vector-Jacobian product)."""
        raise NotImplementedError

    def pushes_arrays(self, moving: tuple[bool, ...]) -> bool:
        """Whether tangents of these inputs can be pushed forward as plain arrays."""
        return False

    def pushforward(
        self, application: Application, values: Sequence[Any], tangents: Sequence[Any], space: Any = None
    ) -> tuple[Any, ...]:
        """The tangents of the outputs (a Jacobian-vector product), in a `spaces.Space`: tensors, if none is given."""
        raise NotImplementedError


Primitive.__doc__ = _manual(Primitive.__doc__)


def _on_fractions(forward: Callable[..., Any]) -> Callable[..., Any]:
    """The forward computation, which turns whole numbers into fractions first, of the dtype that TensorFlow chooses."""

    def computed(*arrays: Any) -> Any:
        return forward(*[x.astype("f4" if x.itemsize <= 2 else "f8") if x.dtype.kind in "iu" else x for x in arrays])

    return computed


def flat(name: str, forward: Callable[..., Any], arguments: Sequence[str] = ("x",), notes: Notes = PLAIN) -> Primitive:
    """A row without a derivative."""
    return Primitive(name, forward, arguments=arguments, notes=notes)


def _row(name: str) -> Primitive:
    """The row of this name, for a pickle."""
    return TABLE[name]
