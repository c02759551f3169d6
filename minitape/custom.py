"""Derivatives of the learner's own: `custom_gradient`.

The body runs as usual, seen by all recorders, so that the values which the grad function borrows from it are differentiable.
Then its outputs become new values, made by one application whose pullback is the grad function.  Nothing leads to the body's
own outputs any more, so tapes drop what was kept for them alone.

A single plain tape never differentiates the grad function itself.  It does not see the body, and keeps of it only what the grad
function holds.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator, Sequence
from typing import Any, overload

import numpy as np

from . import nest
from .call import Call, Derivative, distinct
from .compatible import tensorflow
from .decorated import Arguments, Decorated, Value
from .grad_function import GradFunction, argument_names, takes_variables
from .ops.shapes import identity_, zeros_like_tag
from .record.events import Label, Verdict, changed, here, state, unobserved, within
from .record.ledger import FLIGHT, TAPE
from .record.naming import called
from .record.refusal import needs_function, refusal, type_error
from .record.trail import overlook
from .tape import GradientTape, UnconnectedGradients
from .tensor import Operand, Tag, Tensor, convert, make
from .trace import Application, Sees, Verdicts, announce

_TEACH = "return the value and a function of the upstream gradient:  return y, grad"


class NonLinearGradientError(ValueError):
    """A grad function whose answer does not scale with its upstream gradient, so that it has no transpose."""


@overload
def custom_gradient(f: Callable[Arguments, tuple[Value, Any]]) -> Decorated[Arguments, Value]: ...
@overload
def custom_gradient(
    f: None = None,
) -> Callable[[Callable[Arguments, tuple[Value, Any]]], Decorated[Arguments, Value]]: ...
def custom_gradient(f: Callable[..., Any] | None = None) -> Any:
    """Decorator: `f` returns its value and a grad function, which maps upstream gradients to gradients of the inputs.

    The grad function is given one upstream gradient per output and returns one gradient per input.  If `f` reads trainable
    variables it is given `variables=` too, and returns a pair: gradients of the inputs, and a list of those of the variables.
    The rule holds in every mode: a tape calls it, an accumulator pushes tangents through its transpose.  (TensorFlow:
    `tf.custom_gradient`.)

    Raises TypeError where `f` returns no pair, or reads variables that the grad function does not take; ValueError, at the
    gradient, for a wrong number of answers or answers of another shape than their inputs; NonLinearGradientError under an
    accumulator if the answers do not scale with the upstream gradient.

    >>> @tf.custom_gradient
    ... def log1pexp(x):
    ...     e = tf.exp(x)
    ...     def grad(upstream):
    ...         return upstream * (1 - 1 / (1 + e))
    ...     return tf.math.log(1 + e), grad
    >>> x = tf.constant(100.0)
    >>> with tf.GradientTape() as tape:
    ...     tape.watch(x)
    ...     y = log1pexp(x)
    >>> float(tape.gradient(y, x))
    1.0
    """
    if f is None:
        return custom_gradient
    needs_function(f, "custom_gradient: what it decorates", "@tf.custom_gradient above def f(x): ... return y, grad")
    return _Custom(f)


class _Custom(Decorated[..., Any]):
    """A function with a rule of its own.  As a method it is bound first, so that `self` needs no gradient."""

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)
        self._function = function

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return _call(self._function, args, kwargs)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self if instance is None else _Custom(self._function.__get__(instance, owner))


def grad_pass_through(f: Callable[Arguments, Value]) -> Callable[Arguments, Value]:
    """The function, with the derivative of the identity: gradients pass through it unchanged.

    >>> x = tf.Variable(1.0)
    >>> with tf.GradientTape() as tape:
    ...     y = tf.grad_pass_through(tf.round)(x * 1.4)
    >>> round(float(tape.gradient(y, x)), 6)
    1.4
    """

    needs_function(f, "grad_pass_through: what it takes", "tf.grad_pass_through(tf.round)(x)")

    @custom_gradient
    def pass_through(*args: Any, **kwargs: Any) -> Any:
        def grad(*upstream: Any, variables: Any = None) -> Any:
            answer = upstream[0] if len(upstream) == 1 else upstream
            return answer if variables is None else (answer, [None] * len(variables))

        return f(*args, **kwargs), grad

    return functools.wraps(f)(pass_through)


# ---- one call -------------------------------------------------------------------------------------------------------------


class _Reads:
    """A recorder that notes which variables are read, and nothing else."""

    straight = False
    sees = Sees.CALL

    def __init__(self, hidden: GradientTape | None) -> None:
        # It stands in for a tape that does not see the body, so that `why` finds a verdict under that tape's label.
        self.label = Label("custom_gradient", here()) if hidden is None else hidden.label
        self.took: Verdicts = ((self.label, Verdict.RECORDED),)
        self.variables: dict[Tag, Any] = {}
        self._verdict = Verdict.VARIABLES if hidden is None else Verdict.IN_A_RULE

    def record(self, application: Application, inputs: Any, outputs: Any) -> Verdict:
        if self._verdict is Verdict.IN_A_RULE:
            overlook(application)
        return self._verdict

    def accessed(self, variable: Any) -> None:
        if variable.trainable:
            self.variables[variable.tag] = variable

    def forget(self, tag: Tag) -> None:
        pass


def _tape_that_overlooks(recorders: tuple[Any, ...]) -> GradientTape | None:
    """The tape that need not see the body, if there is one: it is plain, no other tape listens, no accumulator runs inside of it.

    It has stopped recording when it asks the rule, so to it the borrowed values are constants.  Another tape might record the
    rule's ops, and would need to know how the borrowed values were computed.
    """
    tapes = [recorder for recorder in recorders if isinstance(recorder, GradientTape)]
    if len(tapes) != 1 or tapes[0].persistent:
        return None
    inside = recorders[recorders.index(tapes[0]) + 1 :]
    return None if any([recorder.sees is Sees.TANGENTS for recorder in inside]) else tapes[0]


def _call(function: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    leaves = nest.flatten(args)  # the grad function answers for every leaf, also for those that are no tensors
    given = [leaf for leaf in leaves if isinstance(leaf, Operand)]
    named = _named(function, kwargs)
    given_tags = {tensor.tag for tensor in (*given, *named.values())}
    hidden = _tape_that_overlooks(state.recorders)
    reads = _Reads(hidden)
    with changed(recorders=(*[recorder for recorder in state.recorders if recorder is not hidden], reads)):
        value, grad = _pair(function(*args, **kwargs))
    variables = [
        variable
        for _, variable in sorted(reads.variables.items(), key=lambda item: item[0].id)
        if variable.tag not in given_tags
    ]
    if variables and not takes_variables(grad):
        raise type_error(
            "@tf.custom_gradient grad_fn must accept keyword argument 'variables', since function uses variables: "
            f"{variables}",
            "def grad(*upstream, variables=None):\n      return input_gradients, variable_gradients",
        )
    raw = [convert(leaf) for leaf in nest.flatten(value)]
    # New tags on the same bytes: nothing needs the body's outputs any more, and tapes drop what leads to them.
    outputs = tuple([Tensor(output.array, Tag(*_facts(output)), output.buffer, state.holder) for output in raw])
    answer = nest.pack_sequence_as(value, outputs)
    body = raw if tensorflow() else []
    del raw, value
    if state.recorders or state.listeners:
        inputs = tuple([variable.tensor_now for variable in (*given, *named.values(), *variables)])
        name = called(function, "custom_gradient")
        of_leaves = argument_names(function, args)
        rest = [*named, *[variable.name.split(":")[0] for variable in variables]]
        tensors = [position for position, leaf in enumerate(leaves) if isinstance(leaf, Operand)]
        asked = GradFunction(name, grad, [*of_leaves, *rest], tensors, len(leaves), len(named), variables)
        derivative = _Rule(asked)  # kept by entries, and not by the call
        names = distinct([*[of_leaves[position] for position in tensors], *rest])
        code = getattr(grad, "__code__", None)
        announce(Call(name, derivative, names, len(outputs), grad_code=code), inputs, outputs, {})
        if body:
            _follow_the_body(body, outputs)
    return answer


def _follow_the_body(raw: Sequence[Tensor], outputs: Sequence[Tensor]) -> None:
    """As in TensorFlow, let accumulators take the derivative of the body; the rule then counts only where it has none."""
    for output, out in zip(raw, outputs, strict=True):
        announce(identity_, (output,), (out,), {}, to=(Sees.TANGENTS,))


def _facts(tensor: Tensor) -> tuple[Any, Any, int]:
    return tensor.tag.shape, tensor.tag.dtype, tensor.tag.nbytes


def _pair(result: Any) -> tuple[Any, Any]:
    if not isinstance(result, tuple | list) or len(result) != 2 or not callable(result[1]):
        raise type_error(
            f"a function under @tf.custom_gradient must {_TEACH}; this one returned {type(result).__name__}"
        )
    return result[0], result[1]


def _named(function: Any, kwargs: dict[str, Any]) -> dict[str, Any]:
    """The tensors among the keyword arguments, in the order of the signature."""
    try:
        order = [name for name in inspect.signature(function).parameters if name in kwargs]
    except (TypeError, ValueError):
        order = []
    found: dict[str, Any] = {}
    for name in (*order, *[name for name in kwargs if name not in order]):
        leaves = [leaf for leaf in nest.flatten(kwargs[name]) if isinstance(leaf, Operand)]
        for position, leaf in enumerate(leaves):
            found[f"{name}[{position}]" if nest.is_nested(kwargs[name]) else name] = leaf
    return found


class _Rule(Derivative):
    """The learner's grad function, and the tensors that it borrowed from the body."""

    __slots__ = ("_borrowed", "_grad")

    def __init__(self, grad: GradFunction) -> None:
        self._grad = grad
        # What the closure holds is held for the backward pass: handles of the tape say so to the ledger.
        cells = [cell.cell_contents for cell in getattr(grad.function, "__closure__", None) or () if _filled(cell)]
        self._borrowed = [leaf.handle(TAPE) for leaf in nest.flatten(cells) if isinstance(leaf, Tensor)]

    def pull(
        self, application: Application, values: Any, cotangents: Any, wanted: tuple[bool, ...]
    ) -> Iterator[tuple[int, Tensor | None]]:
        """Ask the grad function once; it answers for all inputs."""
        upstream = [
            zeros_like_tag(tag) if cotangent is None else cotangent
            for cotangent, tag in zip(cotangents, application.outputs, strict=True)
        ]
        with within(cause=application):
            answers = self._grad(upstream, application)
        for position, want in enumerate(wanted):
            if want:
                yield position, answers[position]

    def pushforward(self, application: Application, values: Any, tangents: Any) -> tuple[Tensor | None, ...]:
        """Tangents through the transpose of the rule: a rule linear in u has one, and a tape over u finds it.

        Two probes at different u must give the same transpose, and answers in proportion.
        """
        first, moved = self._transpose(application, tangents, 1.0)
        if tensorflow():
            return tuple(moved)
        with unobserved():
            second, again = self._transpose(application, tangents, -2.0)
            for answer, other in zip(first, second, strict=True):
                self._in_proportion(answer, other, -2.0)
            for tangent, other in zip(moved, again, strict=True):
                self._in_proportion(tangent, other, 1.0)
        return tuple(moved)

    def _transpose(
        self, application: Application, tangents: Sequence[Tensor | None], probe: float
    ) -> tuple[list[Tensor | None], list[Tensor | None]]:
        upstream = [make(np.full(tag.shape, probe).astype(tag.dtype), FLIGHT) for tag in application.outputs]
        slopes = [cotangent for cotangent in upstream if cotangent.dtype.is_floating or cotangent.dtype.is_complex]
        with GradientTape(watch_accessed_variables=False) as tape:
            tape.watch(slopes)
            answers = self._grad(upstream, application)
        pairs = [(a, t) for a, t in zip(answers, tangents, strict=True) if a is not None and t is not None]
        if not pairs:
            return answers, [None] * len(upstream)
        moved = iter(tape.gradient([a for a, _ in pairs], slopes, [t for _, t in pairs], UnconnectedGradients.ZERO))
        return answers, [
            next(moved) if cotangent.dtype.is_floating or cotangent.dtype.is_complex else None for cotangent in upstream
        ]

    def _in_proportion(self, first: Tensor | None, other: Tensor | None, factor: float) -> None:
        if first is None or other is None or np.allclose(first.array * factor, other.array, 1e-3, 1e-6, equal_nan=True):
            return
        raise refusal(
            NonLinearGradientError,
            f"the grad function of {self._grad.name} is not linear in its upstream gradient: for 1 and {factor:g} times 1 its "
            "answers, or their slopes, are not in proportion. A tape takes what it returns; a tangent has no way through it.",
        )


def _filled(cell: Any) -> bool:
    try:
        _ = cell.cell_contents
    except ValueError:
        return False
    return True
