"""The kinds of row in the derivative table.

A row holds an op's forward computation and its derivative.  A rule names what it needs, and *those names are the list of
what a tape keeps*: `lambda dx, y: dx * y` keeps `y`.

    dx              the first argument of every rule: a small change on its way through, either a tangent going forward
                    or a cotangent going back
    x, y, ..., out  the op's inputs by their names in the row, and its output (out0, out1 ... where there are several);
                    naming one makes the tape keep it
    x_shape, x_dtype, out_shape ...   always at hand, and free; so are all the inputs' `shapes`
    axis, ...       the op's own settings, free too

Rules are written in the library's own ops, so a derivative is a computation like any other, and derivatives of derivatives
need nothing new.  The kinds differ in how much one rule says:

    elementwise   one rule per input: the change of the output per change of this input, number by number.  It serves
                  both directions, and broadcasting is undone for it.
    linear        the op is its own derivative; the rule is its transpose.
    bilinear      linear in each of two inputs; one transpose per input.
    general       a rule per input and direction.
    flat          no derivative: the output moves in steps or is no number.  Tapes write nothing down.

A whole call can stand as one application too (`call.py`): a custom gradient, a recompute region.  It is no row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import compress, repeat
from typing import Any

from . import definition
from .notes import PLAIN, Notes
from .primitive import Primitive
from .rule import Bound, Rule
from .spaces import TENSORS, Space
from .tensor import Tensor
from .trace import Application


class PerInput(Primitive):
    """Rules for each input, in both directions: `vjp` and `jvp`.  The kinds differ in what a backward rule is given."""

    def _bind(self, vjp: Sequence[Rule | None], jvp: Sequence[Rule | None] | None = None) -> None:
        """Keep the rules; without `jvp` those of the backward direction serve both."""
        self.vjp = tuple(None if rule is None else Bound(self, rule) for rule in vjp)
        self.jvp = self.vjp if jvp is None else tuple(None if rule is None else Bound(self, rule) for rule in jvp)
        self.inert |= frozenset(i for i, rule in enumerate(vjp) if rule is None)

    def vjp_rules(self, position: int) -> tuple[Bound, ...]:
        """The backward rule of this input."""
        rule = self.vjp[position]
        return () if rule is None else (rule,)

    def pushes_arrays(self, moving: tuple[bool, ...]) -> bool:
        """Whether the rules of the inputs that move run on arrays."""
        chosen = [rule for rule, moves in zip(self.jvp, moving) if moves and rule is not None]
        return bool(chosen) and all([rule.reads_arrays() for rule in chosen])

    def pushforward(
        self, application: Application, values: Any, tangents: Any, space: Space = TENSORS
    ) -> tuple[Any, ...]:
        """The sum of the forward rules over the inputs that move."""
        pairs = zip(self.jvp, tangents, strict=True)
        parts = [rule(t, values, application, space.arrays) for rule, t in pairs if t is not None and rule is not None]
        if self.outputs == 1:
            return (space.spread_to(space.total(parts), application.outputs[0]),)
        return tuple([space.total([part[i] for part in parts]) for i in range(len(application.outputs))])


class Elementwise(PerInput):
    """Number by number: one rule per input serves both directions.

    `jvp` has the rules of the forward direction, where a corner makes them differ from those of the backward pass.
    """

    kind = "elementwise"
    takes_batches = True

    def __init__(
        self,
        name: str,
        forward: Callable[..., Any],
        *rules: Rule | None,
        jvp: Sequence[Rule] | None = None,
        arguments: Sequence[str] = (),
        notes: Notes = PLAIN,
    ) -> None:
        super().__init__(name, forward, arguments=arguments or definition.XYZ[: len(rules)], notes=notes)
        definition.check(self, rules)
        if jvp is not None:
            definition.check(self, jvp, "jvp rule")
        self._bind(rules, jvp)

    def pullback(self, application: Application, values: Any, cotangents: Any, position: int) -> Tensor | None:
        """The rule, with the axes summed along which the input was broadcast."""
        rule = self.vjp[position]
        assert rule is not None
        return TENSORS.back_to(TENSORS.through(rule, cotangents[0], values, application), application.inputs[position])


class Linear(Primitive):
    """Its own derivative: tangents go through the op itself, cotangents through its transpose.

    A variadic row (`concat`) has one transpose that answers with one cotangent per input.
    """

    kind = "linear"

    def __init__(
        self,
        name: str,
        forward: Callable[..., Any],
        transpose: Rule,
        *,
        arguments: Sequence[str] = ("x",),
        outputs: int = 1,
        inert: Sequence[str] = (),
        notes: Notes = PLAIN,
    ) -> None:
        super().__init__(name, forward, arguments=arguments, outputs=outputs, inert=inert, notes=notes)
        definition.check(self, [transpose], several=False)
        self.transpose = Bound(self, transpose)

    def vjp_rules(self, position: int) -> tuple[Bound, ...]:
        """The transpose."""
        return (self.transpose,)

    def pull(
        self, application: Application, values: Any, cotangents: Any, wanted: tuple[bool, ...]
    ) -> Iterator[tuple[int, Tensor | None]]:
        """The transpose of what arrived, run once for all inputs."""
        change = cotangents[0] if self.outputs == 1 else list(TENSORS.filled(cotangents, application.outputs))
        answer = self.transpose(change, values, application)
        return compress(enumerate(answer if self.variadic else repeat(answer)), wanted)

    def pullback(self, application: Application, values: Any, cotangents: Any, position: int) -> Tensor | None:
        """What the transpose answers for one input."""
        wanted = tuple([other == position for other in range(len(application.inputs))])
        return next(iter(self.pull(application, values, cotangents, wanted)))[1]

    def pushes_arrays(self, moving: tuple[bool, ...]) -> bool:
        """Yes: the op itself is the rule."""
        return True

    def pushforward(
        self, application: Application, values: Any, tangents: Any, space: Space = TENSORS
    ) -> tuple[Any, ...]:
        """The op of the tangents; inputs that do not move count as zeros, inputs without a derivative as they are."""
        moved = [values[i] if i in self.inert else tangent for i, tangent in enumerate(tangents)]
        answer = space.row(self)(*space.filled(moved, application.inputs), **application.params)
        return answer if type(answer) is tuple else (answer,)


class Bilinear(Primitive):
    """Linear in each of two inputs: d B(x, y) = B(dx, y) + B(x, dy)."""

    kind = "bilinear"

    def __init__(self, name: str, forward: Callable[..., Any], *transposes: Rule, notes: Notes = PLAIN) -> None:
        super().__init__(name, forward, arguments=("x", "y"), notes=notes)
        definition.check(self, transposes)
        self.transposes = tuple(Bound(self, transpose) for transpose in transposes)

    def vjp_rules(self, position: int) -> tuple[Bound, ...]:
        """The transpose towards this input."""
        return (self.transposes[position],)

    def pullback(self, application: Application, values: Any, cotangents: Any, position: int) -> Tensor | None:
        """The transpose towards one input, with broadcast batch axes summed."""
        change = TENSORS.through(self.transposes[position], cotangents[0], values, application)
        return TENSORS.back_to(change, application.inputs[position])

    def pushes_arrays(self, moving: tuple[bool, ...]) -> bool:
        """Yes: the op itself is the rule, twice."""
        return True

    def pushforward(
        self, application: Application, values: Any, tangents: Any, space: Space = TENSORS
    ) -> tuple[Any, ...]:
        """The product rule."""
        (dx, dy), op, params = tangents, space.row(self), application.params
        if dx is None or dy is None:
            return (op(values[0], dy, **params) if dx is None else op(dx, values[1], **params),)
        return (op(dx, values[1], **params) + op(values[0], dy, **params),)


class General(PerInput):
    """A rule per input and direction.

    `vjp[i](g, ...)` is the cotangent of input i; `jvp[i](t, ...)` is what a tangent of input i adds to the output.
    With several outputs `g` is the tuple of their cotangents, and `jvp` answers with a tuple.
    """

    kind = "general"

    def __init__(
        self,
        name: str,
        forward: Callable[..., Any],
        vjp: Sequence[Rule | None],
        jvp: Sequence[Rule | None],
        *,
        arguments: Sequence[str] = (),
        outputs: int = 1,
        notes: Notes = PLAIN,
    ) -> None:
        arguments = arguments or definition.XYZ[: len(vjp)]
        super().__init__(name, forward, arguments=arguments, outputs=outputs, notes=notes)
        definition.check(self, vjp, "vjp rule")
        definition.check(self, jvp, "jvp rule")
        self._bind(vjp, jvp)

    def pullback(self, application: Application, values: Any, cotangents: Any, position: int) -> Tensor | None:
        """What the backward rule answers."""
        rule = self.vjp[position]
        assert rule is not None
        change = cotangents[0] if self.outputs == 1 else TENSORS.filled(cotangents, application.outputs)
        return rule(change, values, application)
