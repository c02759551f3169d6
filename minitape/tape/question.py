"""What a tape can be asked with: targets, sources, seeds, and what to say where there is no path."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import nest
from ..errors import TakenAsSeed
from ..record.busy import NOT_GIVEN, missing
from ..record.diary import Diary
from ..record.provenance import Site, learner_frame
from ..record.refusal import described, invalid_argument, type_error, value_error
from ..record.warning import warn
from ..tensor import Operand, Tensor, convert, make


class UnconnectedGradients(enum.Enum):
    """What a gradient is where no path leads from the target to the source: None, or zeros of the source's shape.

    >>> x, other = tf.Variable([1.0, 2.0]), tf.Variable([3.0, 4.0])
    >>> with tf.GradientTape() as tape:
    ...     y = x * x
    >>> tape.gradient(y, other, unconnected_gradients=tf.UnconnectedGradients.ZERO).numpy()
    array([0., 0.], dtype=float32)
    """

    NONE = "none"
    ZERO = "zero"

    @classmethod
    def read(cls, value: Any, said: str = "Unknown value for unconnected_gradients: {}") -> UnconnectedGradients:
        """The member for a member or its value; raises ValueError for anything else."""
        if type(value) is cls:
            return value
        for member in cls:
            if isinstance(value, str) and value == member.value:
                return member
        raise value_error(said.format(described(value)) + ". Write 'none' or 'zero'.")


def leaves(structure: Any, what: str) -> list[Any]:
    """What a structure is made of, left to right; a plain list is its own leaves.  Raises TypeError for other things."""
    if isinstance(structure, Operand):
        return [structure]
    if structure is None and what == "target":
        raise type_error(
            "Argument `target` should be a list or nested structure of Tensors or Variables, but received None.",
            "Was it itself a gradient that came out as None? Then ask that tape: tape.why(target, source).",
        )
    if type(structure) is list and all(map(Operand.__instancecheck__, structure)):
        return structure
    values = nest.flatten(structure)
    for value in values:
        if not isinstance(value, Operand):
            differentiable(value, what)
    return values


NONE = UnconnectedGradients.NONE


def differentiable(value: Any, what: str) -> Any:
    if value is NOT_GIVEN:
        raise missing()
    if not isinstance(value, Operand):
        numbers = "NumPy's numbers" if isinstance(value, np.ndarray | np.generic) else "plain Python numbers"
        lines, why = "", f": {numbers} leave no trace"
        if isinstance(value, list | tuple) and any(isinstance(part, Operand) for part in value):
            lines, why = "tf.stack makes one tensor of a list of tensors.", ""
        elif isinstance(value, str):
            lines, why = f"Give the {what} itself, without quotation marks.", ""
        elif what == "source" and hasattr(value, "trainable_variables"):
            lines, why = "Give its variables: model.trainable_variables, of a model.", ""
        lines = lines or Diary.advice(what)
        got, kind = described(value), type(value).__name__
        of = "" if kind in got else f" of type {kind}"
        raise type_error(
            f"a {what} of a gradient must be a tensor or variable that the tape has seen, got {got}{of}{why}", lines
        )
    return value


def seeds_for(targets: Sequence[Any], output_gradients: Any) -> list[Any]:
    seeds = nest.flatten(output_gradients)
    if len(seeds) != len(targets):
        raise value_error(
            f"output_gradients must give one seed per target: there are {len(targets)} targets and {len(seeds)} seeds. "
            "Write None where a seed of ones will do."
        )
    if any(isinstance(seed, Operand) and seed.tag.variable for seed in seeds):
        frame = learner_frame()
        typed = Site(frame.f_code, frame.f_lasti).text
        if ".gradient(" in typed and "output_gradients" not in typed:
            warn(
                TakenAsSeed,
                "the third argument of tape.gradient is output_gradients, and a variable stands there: "
                f"the gradient is multiplied by it.\n  {_SOURCES} If it is meant, write output_gradients=...",
            )
    return seeds


_SOURCES = "The gradients by several variables are asked for with one list: tape.gradient(loss, [w, b])."


def seed_of(target: Any, seed: Any) -> Tensor:
    tag = target.tag
    seed = convert(seed, hint=tag.dtype)
    if seed.tag.dtype != tag.dtype:
        raise invalid_argument(
            f"output_gradients of dtype {seed.dtype.name} do not fit the target of dtype {target.dtype.name}",
            f"Convert them: tf.cast(seed, tf.{target.dtype.name}).",
        )
    if seed.tag.shape == tag.shape:
        return seed
    try:
        spread = np.broadcast_to(seed.array, tag.shape).copy()
    except ValueError:
        raise invalid_argument(
            f"output_gradients of shape {seed.shape} do not fit the target of shape {target.shape}: give one number per element",
            _SOURCES,
        ) from None
    return make(spread)
