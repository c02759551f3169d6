"""From gradients to new weights: what all optimizers have in common.

An update is arithmetic on arrays and one `assign` per weight: nobody differentiates it, so it needs no ops.  A tape that still
listens sees a new value of the weight, as after any assignment.
"""

from __future__ import annotations

import copy
import re
import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from ...module import grown
from ...record.events import unobserved
from ...record.refusal import answered, described, did_you_mean, of_a_class, refusal, type_error, value_error
from ...tensor import Operand, Tensor, constant, convert
from ...variable import Variable
from ..allowed import called_with, unwritten
from ..config import Configured, arguments, revived
from ..names import floatx, snake, unique
from .average import Averages
from .memory import Memory
from .schedules import LearningRateSchedule
from .slope import clipped, slope_of

# What Keras's optimizers have beside these, and how a program does it itself.
_BY_HAND = {
    "gradient_accumulation_steps": "Add the gradients of several batches, and call apply_gradients once with their mean.",
    "loss_scale_factor": "float32 needs none: multiply the loss, and divide the gradients by as much before apply_gradients.",
}


class Optimizer(Memory, Configured):
    """Changes weights by their gradients: subclass it and write `step`, a function on arrays; or, as for Keras, `build` and
    `update_step(gradient, variable, learning_rate)`, which assigns.

    What an optimizer remembers of each weight is in *slots*: variables, whose bytes are counted like all others.

    Args: learning_rate, a number, a schedule, or a function without arguments; weight_decay, the share of each weight that a
    step with rate 1 takes away; one of clipnorm (the largest length of a gradient), global_clipnorm (of all gradients together)
    and clipvalue (the largest number in a gradient); use_ema, to keep a moving average of each weight with `ema_momentum`, which
    is assigned to the weight every `ema_overwrite_frequency` steps and when `fit` ends.  Raises ValueError for more than one
    of the three clips.

    >>> class Signs(tf.keras.optimizers.Optimizer):
    ...     slots = ("turns",)
    ...     def step(self, weight, gradient, rate, turns):
    ...         return weight - rate * np.sign(gradient), turns + 1
    >>> w, signs = tf.Variable(1.0), Signs(0.25)
    >>> steps = signs.apply_gradients([(tf.constant(8.0), w)])
    >>> float(w), [variable.name for variable in signs.variables]
    (0.75, ['learning_rate:0', 'turns:0'])
    """

    slots: tuple[str, ...] = ()
    starts: float = 0.0  # the first value of all slots

    def __init__(
        self, learning_rate: Any = 0.01, name: str | None = None, weight_decay: float | None = None,
        clipnorm: float | None = None, clipvalue: float | None = None, global_clipnorm: float | None = None,
        use_ema: bool = False, ema_momentum: float = 0.99, ema_overwrite_frequency: int | None = None, **unknown: Any,
    ) -> None:  # fmt: skip
        self.name = name or unique(snake(type(self).__name__))
        if unknown.pop("decay", None) is not None:  # of the learning rate, in programs for Keras 1 and 2
            warnings.warn(
                "Argument `decay` is no longer supported and will be ignored. A schedule does it: "
                "learning_rate=tf.keras.optimizers.schedules.InverseTimeDecay(rate, 1, decay)",
                stacklevel=3,
            )
        if unknown:
            raise value_error(
                f"Argument(s) not recognized: {unknown}{did_you_mean(unknown, arguments(type(self)))}",
                next(filter(None, map(_BY_HAND.get, unknown)), None)
                or f"help(tf.keras.optimizers.{type(self).__name__}) shows what it takes.",
            )
        clips = {"clipnorm": clipnorm, "clipvalue": clipvalue, "global_clipnorm": global_clipnorm}
        if sum(limit is not None for limit in clips.values()) > 1:
            raise value_error(
                f"Only one of `clipnorm`, `clipvalue` and `global_clipnorm` can be set. Received: {clips}",
                "global_clipnorm=1.0 keeps the directions of all gradients together.",
            )
        self.weight_decay = weight_decay
        self.clipnorm, self.clipvalue, self.global_clipnorm = clipnorm, clipvalue, global_clipnorm
        self.use_ema, self.ema_momentum, self.ema_overwrite_frequency = use_ema, ema_momentum, ema_overwrite_frequency
        self._averages = Averages(ema_momentum, ema_overwrite_frequency) if use_ema else None
        self._undecayed: tuple[set[Any], str | None] = (set(), None)
        self._iterations = 0
        self._own: list[Variable] = []  # what it remembers of no single weight
        self._slots: dict[Any, dict[str, Variable]] = {}  # of each variable, by its reference
        self._rate: Any = self._taken_rate(learning_rate)

    # ---- the learning rate --------------------------------------------------------------------------------------------------

    def _taken_rate(self, rate: Any) -> Any:
        rate = revived(LearningRateSchedule, rate)
        if isinstance(rate, LearningRateSchedule):
            called_with(rate, ("step",), "a schedule", "def __call__(self, step): ...")
        if callable(rate) and not isinstance(rate, Operand):
            return rate
        if not isinstance(rate, float):
            whole = isinstance(rate, int) and not isinstance(rate, bool)
            raise value_error(
                "Argument `learning_rate` should be float, or an instance of LearningRateSchedule, or a callable. Received "
                f"instead: learning_rate={described(rate)}",
                f"Write {'it with a point' if whole else 'a Python number'}: "
                f"tf.keras.optimizers.{type(self).__name__}({f'{rate}.0' if whole else 0.01})."
                + " Weights come with their gradients, apply_gradients(zip(gradients, weights))."
                * isinstance(rate, list),
            )
        return Variable(np.asarray(rate, floatx()), trainable=False, name="learning_rate")

    @property
    def learning_rate(self) -> Any:
        """The step size: a variable, which can be assigned to, or simply set; with a schedule, its rate for this step."""
        if isinstance(self._rate, Variable):
            return self._rate
        with unobserved():
            return self._rate(self.iterations) if isinstance(self._rate, LearningRateSchedule) else self._rate()

    @learning_rate.setter
    def learning_rate(self, value: Any) -> None:
        if isinstance(self._rate, Variable) and (isinstance(value, Operand) or not callable(value)):
            self._rate.assign(value)
        elif isinstance(self._rate, LearningRateSchedule) and not callable(value):
            raise type_error(
                "This optimizer was created with a `LearningRateSchedule` object as its `learning_rate` constructor argument, "
                "hence its learning rate is not settable.",
                "Make it with a number, and set that.",
            )
        else:
            self._rate = self._taken_rate(value)

    @property
    def iterations(self) -> Tensor:
        """How many steps were made."""
        return constant(self._iterations, "int64")

    # ---- what it remembers ----------------------------------------------------------------------------------------------------

    @property
    def variables(self) -> list[Variable]:
        """The learning rate if it is a number, what it remembers of no single weight, the slots and the moving averages."""
        rate = [self._rate] if isinstance(self._rate, Variable) else []
        averages = self._averages.table.values() if self._averages is not None else ()
        return [*rate, *self._own, *(slot for table in self._slots.values() for slot in table.values()), *averages]

    @property
    def built(self) -> bool:
        """Whether it knows its weights."""
        return bool(self._slots)

    def build(self, variables: Sequence[Any]) -> None:
        """Make the slots of these weights; from then on the optimizer takes no others."""
        for variable in variables:
            weight = variable.array_now
            starts = {name: self.begins(name, weight) for name in self.slots_of(weight)}
            table = {name: Variable(start, trainable=False, name=name) for name, start in starts.items()}
            self._slots.setdefault(variable.ref(), table)
        grown()

    def slots_of(self, weight: np.ndarray) -> Sequence[str]:
        """What it remembers of this weight."""
        return self.slots

    def begins(self, slot: str, weight: np.ndarray) -> np.ndarray:
        """What a slot of this weight is before the first step."""
        return np.full(weight.shape, self.starts, weight.dtype)

    def exclude_from_weight_decay(
        self, var_list: Iterable[Any] | None = None, var_names: Iterable[str] | None = None
    ) -> None:
        """Exclude these weights, and those whose names contain one of these texts, from decay."""
        pattern = "|".join(var_names or ())
        self._undecayed = {variable.ref() for variable in var_list or ()}, pattern or None

    # ---- a step --------------------------------------------------------------------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        said = f"{type(self).__name__!r} object has no attribute {name!r}"
        if name in _OLDER:
            raise refusal(
                AttributeError,
                said,
                "Take the gradients yourself: optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables)).",
            )
        if name in _HINTS:
            raise refusal(AttributeError, said, _HINTS[name])
        raise AttributeError(said)

    def apply_gradients(self, grads_and_vars: Iterable[tuple[Any, Any]] = (), *surplus: Any) -> Tensor:
        """One step: change each weight by its gradient; returns how many steps were made.

        Raises ValueError where every gradient is None, and for a variable that was not in the first step.  Weights whose
        gradient is None stay as they are, with a warning.

        >>> w = tf.Variable(1.0)
        >>> step = tf.keras.optimizers.SGD(0.5).apply_gradients([(tf.constant(4.0), w)])
        >>> w.numpy()
        np.float32(-1.0)
        """
        if surplus:
            raise type_error(
                f"apply_gradients takes one list of pairs, got {1 + len(surplus)} arguments",
                "Write optimizer.apply_gradients(zip(gradients, variables)), or optimizer.apply(gradients, variables).",
            )
        try:
            pairs = list(grads_and_vars)
        except Exception as problem:
            raise answered(problem, "apply_gradients", type(self).apply_gradients, (self, grads_and_vars), {}) from None
        _check_pairs(pairs)
        used = [(gradient, variable) for gradient, variable in pairs if gradient is not None]
        if not used:
            raise _nothing_to_apply(self, pairs)
        self._know([variable for _, variable in pairs])
        if len(used) < len(pairs):
            missing = [_name(variable) for gradient, variable in pairs if gradient is None]
            warnings.warn(
                f"Gradients do not exist for variables {missing} when minimizing the loss: they stay as they are. "
                "Ask tape.why(loss, variable).",
                stacklevel=2,
            )
        slopes = clipped([_slope(gradient, variable) for gradient, variable in used], self)
        rate = float(self.learning_rate)
        self._iterations += 1
        self.begin(used[0][1].tag.dtype.type)
        for slope, (_, variable) in zip(slopes, used, strict=True):
            self._change(variable, slope, variable.tag.dtype.type(rate))
        if self._averages is not None:
            self._averages.follow([ref.deref() for ref in self._slots], self._iterations)
        return self.iterations

    def finalize_variable_values(self, var_list: Iterable[Any]) -> None:
        """Assign the moving averages to these weights, where there are any: what `fit` does in the end."""
        if self._averages is not None:
            self._averages.put(var_list)

    def apply(self, grads: Sequence[Any], trainable_variables: Sequence[Any] | None = None) -> Tensor:
        """`apply_gradients` from two lists; without the second, for the variables that it was built with."""
        if trainable_variables is None:
            trainable_variables = [ref.deref() for ref in self._slots]
        return self.apply_gradients(zip(grads, trainable_variables, strict=True))

    def _know(self, variables: Sequence[Any]) -> None:
        if not self.built:
            self.build(variables)
        for variable in variables:
            if variable.ref() not in self._slots:
                raise value_error(
                    f"Unknown variable: {_name(variable)}. This optimizer can only be called for the variables it was originally "
                    f"built with: {[_name(ref.deref()) for ref in self._slots]}.",
                    "Make another optimizer for other variables, or first call optimizer.build(all_of_them).",
                )

    def _change(self, variable: Any, slope: np.ndarray, rate: Any) -> None:
        weight, table = variable.array_now, self._slots[variable.ref()]
        if self.weight_decay is not None and self._decays(variable):
            weight = weight - weight * rate.dtype.type(self.weight_decay) * rate
        own = getattr(self, "update_step", None)
        if own is not None:
            if weight is not variable.array_now:
                variable.assign(weight)
            with unobserved():
                own(convert(slope), variable, convert(rate))
            if variable.constraint is not None:
                variable.assign(variable.constraint(convert(variable.array_now)))
            return
        answer = self.step(weight, slope, rate, *(slot.array_now for slot in table.values()))
        new, *kept = answer if isinstance(answer, tuple) else (answer,)
        for slot, value in zip(table.values(), kept, strict=True):
            slot.assign(value)
        variable.assign(new if variable.constraint is None else variable.constraint(convert(new)))

    def _decays(self, variable: Any) -> bool:
        refs, pattern = self._undecayed
        return variable.ref() not in refs and not (pattern and re.search(pattern, _name(variable)))

    def begin(self, kind: Callable[[Any], Any]) -> None:
        """What a step does once, before it changes weights; `kind` makes a number of the weights' dtype."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "step" in vars(cls):
            cls.step.instead = _INSTEAD  # type: ignore[attr-defined]

    def step(self, weight: np.ndarray, gradient: np.ndarray, rate: Any, *slots: np.ndarray) -> Any:
        """The new weight, followed by the new value of each slot: a function on arrays."""
        raise unwritten(self, "step", "def step(self, weight, gradient, rate): return weight - rate * gradient")

    # ---- copies and pickles -------------------------------------------------------------------------------------------------

    def __copy__(self) -> Any:
        return copy.deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        # As in Keras a copy begins anew, for other weights; the copy of a model takes the memory along (`memory`).
        return {**vars(self), "_slots": {}, "_iterations": 0, "_undecayed": (set(), self._undecayed[1])}

    def memory(self) -> Any:
        """What it remembers: how many steps, the slots of each weight, the weights without decay."""
        slots = [(ref.deref(), table) for ref, table in self._slots.items()]
        return self._iterations, slots, [ref.deref() for ref in self._undecayed[0]]

    def remember(self, memory: Any) -> None:
        """Restore what `memory` gave."""
        self._iterations, slots, undecayed = memory
        self._slots = {variable.ref(): table for variable, table in slots}
        self._undecayed = {variable.ref() for variable in undecayed}, self._undecayed[1]

    def get_config(self) -> dict[str, Any]:
        """The arguments of its constructor; the learning rate is the present one, or the schedule."""
        config = super().get_config()
        if isinstance(self._rate, Variable):
            config["learning_rate"] = float(self._rate)
        elif isinstance(self._rate, LearningRateSchedule):
            config["learning_rate"] = {"class_name": type(self._rate).__name__, "config": self._rate.get_config()}
        return config


_INSTEAD = (
    "The library calls step itself: write optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))."
)
_HINTS = {
    "zero_grad": "Leave it out: a tape adds to no gradient of before.",
    "set_weights": "Write for variable, value in zip(optimizer.variables, values): variable.assign(value).",
    "stateless_apply": "Write optimizer.apply_gradients(zip(gradients, variables)): a variable keeps its value by itself.",
}
_OLDER = "minimize", "compute_gradients", "get_gradients", "get_updates"  # of optimizers before Keras 3


def _check_pairs(pairs: Sequence[Any]) -> None:
    """Raise ValueError for what is no pair of a gradient and its variable."""
    if not all(isinstance(pair, tuple | list) and len(pair) == 2 and isinstance(pair[1], Variable) for pair in pairs):
        raise value_error(
            f"apply_gradients takes pairs of a gradient and its variable, got {[_kind(pair) for pair in pairs]}",
            "Write optimizer.apply_gradients(zip(gradients, variables)).",
        )
    for gradient, variable in pairs:
        if isinstance(gradient, list | tuple):
            raise value_error(
                f"apply_gradients takes pairs of a gradient and its variable, got {described(gradient)} for "
                f"{_name(variable)}",
                "Gradients and variables are lists alike. tf.clip_by_global_norm gives two things: "
                "gradients, norm = tf.clip_by_global_norm(gradients, 1.0).",
            )


def _nothing_to_apply(optimizer: Any, pairs: Sequence[Any]) -> Exception:
    if not isinstance(optimizer, Optimizer):
        return of_a_class("apply_gradients", "tf.keras.optimizers.SGD", optimizer)
    return value_error(
        "No gradients provided for any variable. Was the loss computed inside the tape's `with` block, from these "
        "variables?",
        "Ask tape.why(loss, variable)."
        if pairs
        else "There are no pairs at all: apply_gradients(zip(gradients, variables)) takes one for each weight. Layers "
        "that are made in __init__, not in call, belong to the model, and have weights after their first call.",
    )


def _kind(value: Any) -> str:
    if isinstance(value, tuple | list):
        return f"({', '.join(type(part).__name__ for part in value)})"
    return type(value).__name__


def _name(variable: Any) -> str:
    return str(getattr(variable, "path", variable.name))


def _slope(gradient: Any, variable: Any) -> np.ndarray:
    """A gradient as an array of its variable's dtype; raises ValueError where the shapes differ."""
    slope = slope_of(gradient, variable.tag.dtype.type)
    if slope.shape != variable.tag.shape:
        raise value_error(
            f"a gradient of shape {slope.shape} does not fit {_name(variable)} of shape {variable.tag.shape}",
            "A gradient has its variable's shape: are gradients and variables in the same order?",
        )
    return slope
