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

from collections.abc import Callable, Sequence
from typing import Any

from . import definition
from .notes import PLAIN, Notes
from .primitive import Primitive
from .rule import Bound, Rule
from .tensor import Tag, Tensor
from .trace import Application

_helpers: dict[str, Any] = {}  # ops/ fills in: the few ops that the kinds themselves are written with


def provide(**ops: Any) -> None:
    """Give the kinds of row the ops they need: add, conj, reduce_to, broadcast_to, zeros."""
    _helpers.update(ops)


def _summed(parts: Sequence[Tensor | None]) -> Tensor | None:
    total: Tensor | None = None
    for part in parts:
        if part is not None:
            total = part if total is None else _helpers["add"](total, part)
    return total


def _is_complex(tag: Tag) -> bool:
    return tag.dtype.kind == "c"


class Elementwise(Primitive):
    """Number by number: one rule per input serves both directions.

    `push` has the rules of the way forward, where a corner makes them differ from those of the way back.
    """

    kind = "elementwise"

    def __init__(
        self,
        name: str,
        forward: Callable[..., Any],
        *rules: Rule | None,
        push: Sequence[Rule] | None = None,
        arguments: Sequence[str] = (),
        notes: Notes = PLAIN,
    ) -> None:
        super().__init__(name, forward, arguments=arguments or definition.XYZ[: len(rules)], notes=notes)
        definition.check(self, rules)
        if push is not None:
            definition.check(self, push, "push")
        self.rules = tuple(None if rule is None else Bound(self, rule) for rule in rules)
        self.push = self.rules if push is None else tuple(Bound(self, rule) for rule in push)
        self.inert |= frozenset(i for i, rule in enumerate(rules) if rule is None)

    def rules_back(self, position: int) -> tuple[Bound, ...]:
        """The one rule of this input."""
        rule = self.rules[position]
        return () if rule is None else (rule,)

    def pullback(self, application: Application, values: Any, cotangents: Any, position: int) -> Tensor | None:
        """The rule, with the axes summed along which the input was broadcast."""
        rule, change, into = self.rules[position], cotangents[0], application.inputs[position]
        assert rule is not None
        if _is_complex(application.outputs[0]):
            # TensorFlow's convention for a holomorphic f is g * conj(f'): conjugating around a linear rule gives just that.
            conj = _helpers["conj"]
            change = conj(rule(conj(change), values, application))
        else:
            change = rule(change, values, application)
        return change if change._tag.shape == into.shape else _helpers["reduce_to"](change, into.shape)

    def pushforward(self, application: Application, values: Any, tangents: Any) -> tuple[Tensor | None, ...]:
        """The sum of the rules over the inputs that move."""
        pairs = zip(self.push, tangents, strict=True)
        parts = [rule(t, values, application) for rule, t in pairs if t is not None and rule is not None]
        total, shape = _summed(parts), application.outputs[0].shape
        if total is not None and total._tag.shape != shape:
            total = _helpers["broadcast_to"](total, shape=shape)
        return (total,)


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

    def rules_back(self, position: int) -> tuple[Bound, ...]:
        """The transpose."""
        return (self.transpose,)

    def pullback(self, application: Application, values: Any, cotangents: Any, position: int) -> Tensor | None:
        """The transpose of what came back."""
        change = cotangents[0]
        if self.outputs != 1:
            zeros = _helpers["zeros_like_tag"]
            pairs = zip(cotangents, application.outputs, strict=True)
            change = [zeros(tag) if one is None else one for one, tag in pairs]
        answer = self.transpose(change, values, application)
        return answer[position] if self.variadic else answer

    def pushforward(self, application: Application, values: Any, tangents: Any) -> tuple[Tensor | None, ...]:
        """The op of the tangents; inputs that do not move count as zeros, inputs without a derivative as they are."""
        zeros, moved = _helpers["zeros_like_tag"], []
        for position, (tangent, tag) in enumerate(zip(tangents, application.inputs, strict=True)):
            still = values[position] if position in self.inert else None
            moved.append(still if still is not None else zeros(tag) if tangent is None else tangent)
        answer = self(*moved, **application.params)
        return answer if type(answer) is tuple else (answer,)


class Bilinear(Primitive):
    """Linear in each of two inputs: d B(x, y) = B(dx, y) + B(x, dy)."""

    kind = "bilinear"

    def __init__(self, name: str, forward: Callable[..., Any], *transposes: Rule, notes: Notes = PLAIN) -> None:
        super().__init__(name, forward, arguments=("x", "y"), notes=notes)
        definition.check(self, transposes)
        self.transposes = tuple(Bound(self, one) for one in transposes)

    def rules_back(self, position: int) -> tuple[Bound, ...]:
        """The transpose towards this input."""
        return (self.transposes[position],)

    def pullback(self, application: Application, values: Any, cotangents: Any, position: int) -> Tensor | None:
        """The transpose towards one input, with broadcast batch axes summed."""
        into, change = application.inputs[position], cotangents[0]
        if _is_complex(application.outputs[0]):
            conj = _helpers["conj"]
            change = conj(self.transposes[position](conj(change), values, application))
        else:
            change = self.transposes[position](change, values, application)
        return change if change._tag.shape == into.shape else _helpers["reduce_to"](change, into.shape)

    def pushforward(self, application: Application, values: Any, tangents: Any) -> tuple[Tensor | None, ...]:
        """The product rule."""
        dx, dy = tangents
        left = None if dx is None else self(dx, values[1], **application.params)
        right = None if dy is None else self(values[0], dy, **application.params)
        return (_summed([left, right]),)


class General(Primitive):
    """A rule per input and direction.

    `back[i](g, ...)` is the cotangent of input i; `push[i](t, ...)` is what a tangent of input i adds to the output.
    With several outputs `g` is the tuple of their cotangents, and `push` answers with a tuple.
    """

    kind = "general"

    def __init__(
        self,
        name: str,
        forward: Callable[..., Any],
        back: Sequence[Rule | None],
        push: Sequence[Rule | None],
        *,
        arguments: Sequence[str] = (),
        outputs: int = 1,
        notes: Notes = PLAIN,
    ) -> None:
        arguments = arguments or definition.XYZ[: len(back)]
        super().__init__(name, forward, arguments=arguments, outputs=outputs, notes=notes)
        definition.check(self, back, "back")
        definition.check(self, push, "push")
        self.back = tuple(None if one is None else Bound(self, one) for one in back)
        self.push = tuple(None if one is None else Bound(self, one) for one in push)
        self.inert |= frozenset(i for i, one in enumerate(back) if one is None)

    def rules_back(self, position: int) -> tuple[Bound, ...]:
        """The rule back towards this input."""
        rule = self.back[position]
        return () if rule is None else (rule,)

    def pullback(self, application: Application, values: Any, cotangents: Any, position: int) -> Tensor | None:
        """The rule back."""
        rule = self.back[position]
        assert rule is not None
        if self.outputs == 1:
            return rule(cotangents[0], values, application)
        zeros = _helpers["zeros_like_tag"]
        pairs = zip(cotangents, application.outputs, strict=True)
        return rule(tuple([zeros(tag) if one is None else one for one, tag in pairs]), values, application)

    def pushforward(self, application: Application, values: Any, tangents: Any) -> tuple[Tensor | None, ...]:
        """The sum of the rules forward over the inputs that move."""
        pairs = zip(self.push, tangents, strict=True)
        parts = [rule(t, values, application) for rule, t in pairs if t is not None and rule is not None]
        if self.outputs == 1:
            return (_summed(parts),)
        return tuple([_summed([part[i] for part in parts]) for i in range(len(application.outputs))])
