"""The learner's grad function: asked, and its answers checked, one for each input, before a backward pass goes on with them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from typing import Any

from . import nest
from .record.refusal import type_error, value_error
from .tensor import Operand, Tag, Tensor, convert
from .trace import Application


def takes_variables(grad: Any) -> bool:
    """Whether the function has a place for `variables=`."""
    parameters = inspect.signature(grad).parameters.values()
    return any(parameter.name == "variables" or parameter.kind is parameter.VAR_KEYWORD for parameter in parameters)


def argument_names(function: Any, args: Sequence[Any]) -> list[str]:
    """For each leaf of the positional arguments the name of its parameter.

    >>> argument_names(lambda x, *rest: None, [1.0, (2.0, 3.0)])
    ['x', 'rest', 'rest']
    """
    try:
        names = list(inspect.signature(function).parameters) or ["x"]
    except (TypeError, ValueError):  # a builtin tells nothing
        names = ["x"]
    counts = [len(nest.flatten(argument)) for argument in args]
    return [names[min(position, len(names) - 1)] for position, count in enumerate(counts) for _ in range(count)]


class GradFunction:
    """A grad function, with the names and places of the inputs that it answers for."""

    __slots__ = ("_named", "_names", "_positional", "_positions", "_variables", "function", "name")

    def __init__(
        self, name: str, function: Callable[..., Any], names: list[str], positions: list[int], positional: int, named: int,
        variables: list[Any],
    ) -> None:  # fmt: skip
        self.name, self.function, self._names, self._variables = name, function, names, variables
        self._positions = positions  # of the tensors among the positional arguments, of which there are `positional`
        self._positional, self._named = positional, named

    def __call__(self, upstream: Sequence[Any], application: Application) -> list[Tensor | None]:
        """One answer per input of the application, checked."""
        self._takes(upstream)
        if self._variables:
            answer = self.function(*upstream, variables=list(self._variables))
            by_input, by_variable = answer if isinstance(answer, tuple | list) and len(answer) == 2 else (answer, [])
            by_variable = list(nest.flatten(by_variable))
        else:
            by_input, by_variable = self.function(*upstream), []
        answers = nest.flatten(by_input)
        inputs = self._positional + self._named
        if len(answers) not in (self._positional, inputs):
            raise value_error(
                f"custom_gradient function expected to return {inputs} gradients, but returned {len(answers)} instead."
                + self._aligned(answers, self._names[:inputs])
            )
        if len(by_variable) != len(self._variables):
            raise value_error(
                "Must return gradient for each variable from @custom_gradient grad_fn."
                + self._aligned(by_variable, self._names[inputs:])
            )
        # TensorFlow's programs answer for the positional arguments only: what was passed by name then has no gradient.
        answers += [None] * (inputs - len(answers)) + by_variable
        answers = [answers[position] for position in (*self._positions, *range(self._positional, len(answers)))]
        return [self._fitting(*pair, answers) for pair in zip(answers, application.inputs, strict=True)]

    def _takes(self, upstream: Sequence[Any]) -> None:
        """Raises TypeError where the grad function has not one place per output."""
        try:
            parameters = inspect.signature(self.function).parameters.values()
        except (TypeError, ValueError):  # a builtin tells nothing
            return
        taken = [
            parameter
            for parameter in parameters
            if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
        ]
        taken = [position for position in taken if position.name != "variables"]
        needed = sum([position.default is position.empty for position in taken])
        open_ended = any([parameter.kind is parameter.VAR_POSITIONAL for parameter in parameters])
        if needed <= len(upstream) and (open_ended or len(upstream) <= len(taken)):
            return
        names = ", ".join(["upstream"] if len(upstream) == 1 else [f"dy{i + 1}" for i in range(len(upstream))])
        raise type_error(
            f"{self.name} has {len(upstream)} output{'s' * (len(upstream) != 1)}, and its grad function takes {needed} "
            f"positional argument{'s' * (needed != 1)}: it is given one upstream gradient per output.",
            f"def grad({names}):",
        )

    def _fitting(self, answer: Any, tag: Tag, answers: list[Any]) -> Tensor | None:
        if answer is None:
            return None
        tensor = convert(answer, hint=tag.dtype)
        if tensor.tag.shape == tag.shape and (tensor.tag.dtype == tag.dtype or tag.dtype.kind not in "fc"):
            return tensor
        raise value_error(
            f"the grad function of {self.name} returned a gradient of shape {tensor.shape} and dtype {tensor.dtype.name} "
            f"for an input of shape {list(tag.shape)} and dtype {tag.dtype}: a gradient has its input's shape and dtype."
            + self._aligned(
                answers,
                [self._names[position] for position in (*self._positions, *range(self._positional, len(self._names)))],
            )
        )

    def _aligned(self, answers: Sequence[Any], names: Sequence[str]) -> str:
        """Inputs and answers side by side."""
        rows = []
        places = [f"{name}[{names[:position].count(name)}]" for position, name in enumerate(names)]
        names = [place if names.count(name) > 1 else name for name, place in zip(names, places)]
        width = max([len(name) for name in names], default=0)
        for position in range(max(len(names), len(answers))):
            name = names[position] if position < len(names) else "(no input)"
            answer = answers[position] if position < len(answers) else "(missing)"
            shown = f"shape {answer.shape}" if isinstance(answer, Operand) else str(answer)
            rows.append(f"\n  {name:<{width}}  <-  {shown}")
        return "".join(rows)
