"""Layer: some weights, and a function that uses them.

A call builds the weights if it is the first, and then runs `call` in the layer's own context, so that every op written down
inside knows its layer.  That is all: the ops themselves are recorded like any others.
"""

from __future__ import annotations

import functools
import inspect
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from .. import nest
from ..dtypes import as_dtype
from ..ops.elementwise import cast
from ..record.events import state, within
from ..tensor import Operand, TensorShape, convert, make
from ..trace import no_recording
from ..variable import Variable
from . import initializers
from .names import snake, unique
from .weight import Weight


class _Calls(threading.local):
    training: Any = None  # what the outermost call said, for all layers inside it


_calls = _Calls()


class InputSpec(NamedTuple):
    """What a layer asks of its input: `ndim` axes, or at least `min_ndim`, and lengths of some `axes`."""

    ndim: int | None = None
    min_ndim: int | None = None
    axes: dict[int, int] = {}

    def check(self, name: str, shape: tuple[Any, ...]) -> None:
        """Raise ValueError where a shape is not of this kind.

        >>> InputSpec(min_ndim=2).check("dense", (3,))
        Traceback (most recent call last):
            ...
        ValueError: Input 0 of layer 'dense' is incompatible with the layer: expected min_ndim=2, found ndim=1. Full shape ...
        """
        what = f"Input 0 of layer {name!r} is incompatible with the layer: expected"
        if self.ndim is not None and len(shape) != self.ndim:
            raise ValueError(f"{what} ndim={self.ndim}, found ndim={len(shape)}. Full shape received: {shape}")
        if self.min_ndim is not None and len(shape) < self.min_ndim:
            raise ValueError(
                f"{what} min_ndim={self.min_ndim}, found ndim={len(shape)}. Full shape received: {shape}. "
                "The first axis is the batch: one example alone is x[tf.newaxis, :]."
            )
        for axis, length in self.axes.items():
            if shape[axis] not in (length, None):
                raise ValueError(
                    f"{what} axis {axis} of input shape to have value {length}, but received input with shape {shape}"
                )


class Layer:
    """Weights and a function that uses them; subclass it, make the weights in `build` (or `__init__`), and write `call`.

    Variables and layers that are attributes, also inside lists and dicts, are found by themselves.

    >>> import minitape as tf
    >>> class Scale(tf.keras.layers.Layer):
    ...     def build(self, input_shape):
    ...         self.factor = self.add_weight(shape=(), initializer="ones", name="factor")
    ...     def call(self, x):
    ...         return x * self.factor
    >>> scale = Scale(name="scale")
    >>> scale(tf.constant([2.0])).numpy(), scale.trainable_variables[0].path
    (array([2.], dtype=float32), 'scale/factor')
    """

    input_spec: InputSpec | None = None
    _name: str = ""

    def __init__(
        self,
        *,
        trainable: bool = True,
        dtype: Any = None,
        name: str | None = None,
        input_shape: Any = None,
        **unknown: Any,
    ) -> None:
        if unknown:
            raise ValueError(f"Unrecognized keyword arguments passed to {type(self).__name__}: {unknown}")
        self._name = name or unique(snake(type(self).__name__))
        self._dtype = as_dtype(dtype or "float32")
        self._trainable = bool(trainable)
        self._losses: list[Any] = []
        self._shapes: tuple[Any, Any] | None = None  # of the input and the output, once they are known
        self._given_shape = None if input_shape is None else (None, *input_shape)
        self.built = False

    def __init_subclass__(cls, **options: Any) -> None:
        # Layers are built by their first call or by hand; both ways shall know the layer, and leave it built.
        super().__init_subclass__(**options)
        if "build" in cls.__dict__:
            cls.build = _built(cls.build)  # type: ignore[method-assign]

    # ---- for subclasses ------------------------------------------------------------------------------------------------

    def build(self, input_shape: Any) -> None:
        """Make the weights, now that the shape of the input is known; there is nothing to make unless a subclass says so."""
        self.built = True

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """The layer's function."""
        raise NotImplementedError(
            f"Layer {type(self).__name__} does not have a `call()` method implemented: write def call(self, inputs): ..."
        )

    def add_weight(
        self,
        shape: Any = (),
        initializer: Any = None,
        dtype: Any = None,
        trainable: bool = True,
        constraint: Callable[[Any], Any] | None = None,
        name: str | None = None,
    ) -> Weight:
        """Make a weight.  By default it is drawn by "glorot_uniform", and filled with zeros where it has fewer than two axes."""
        lengths = (shape,) if isinstance(shape, int) else tuple(shape)
        initializer = initializers.get(initializer or ("glorot_uniform" if len(lengths) > 1 else "zeros"))
        with self._inside():
            path = f"{state.context.scope}/{name or unique('variable')}"
            value = initializer(lengths, as_dtype(dtype or self._dtype))
            weight = Weight(value, path, trainable, constraint)
        weight.trainable = trainable and self._trainable
        return weight

    def add_loss(self, loss: Any) -> None:
        """Add something to what training makes small; `losses` gives it back until the next call."""
        self._losses += [one for one in nest.flatten(loss) if one is not None]

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The shape of the output, found by running the layer on zeros that nobody sees; None stays None."""
        batch = [None if one is None else int(one) for one in input_shape]
        with unseen():
            answer = self(make(np.zeros([1 if one is None else one for one in batch], self._dtype.numpy_dtype)))
        return nest.map_structure(lambda one: _batched(one.shape, batch[:1] == [None]), answer)

    # ---- a call -------------------------------------------------------------------------------------------------------

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        args = tuple(self._take(one) for one in args)
        kwargs = {name: self._take(one) for name, one in kwargs.items()}
        inputs = args[0] if args else next(iter(kwargs.values()), None)
        if not state.context.layer:
            self._forget_losses()
        before, training = _calls.training, self._training(args, kwargs)
        with self._inside():
            try:
                _calls.training = training
                if not self.built:
                    self._first_call(inputs)
                if self.input_spec is not None and isinstance(inputs, Operand):
                    self.input_spec.check(self.name, tuple(inputs.shape))
                answer = self.call(*args, **kwargs)
            except Exception as problem:
                if not hasattr(problem, "__notes__"):  # the innermost layer says it, once
                    problem.add_note(f"in layer {self.name!r} ({type(self).__name__})")
                raise
            finally:
                _calls.training = before
        if self._shapes is None and isinstance(inputs, Operand) and isinstance(answer, Operand):
            self._shapes = _batched(inputs.shape), _batched(answer.shape)
        return answer

    def _first_call(self, inputs: Any) -> None:
        self.build(nest.map_structure(lambda one: one.shape if isinstance(one, Operand) else None, inputs))
        self.built = True

    def _training(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Whether this call is for training: as it says, else as the call around it said; `call` hears it if it wants to."""
        names = _parameters(type(self).call)
        if "training" not in names:
            said = kwargs.pop("training", None) if "**" not in names else kwargs.get("training")
            return _calls.training if said is None else said
        position = names.index("training") - 1
        said = args[position] if position < len(args) else kwargs.get("training")
        if said is None and position >= len(args) and _calls.training is not None:
            said = kwargs["training"] = _calls.training
        return said

    def _take(self, value: Any) -> Any:
        """Arrays and plain numbers as tensors, with floats in the layer's own dtype."""
        if isinstance(value, Operand):
            kind = value._tag.dtype
            return cast(value, self._dtype) if kind.kind == "f" and kind != self._dtype.numpy_dtype else value
        if isinstance(value, np.ndarray | np.generic):
            return convert(value, self._dtype if value.dtype.kind == "f" else None)
        if isinstance(value, list | tuple | dict) and value:
            if isinstance(value, list) and all(isinstance(one, int | float) for one in nest.flatten(value)):
                return convert(value)
            return nest.map_structure(self._take, value)
        return value

    @contextmanager
    def _inside(self) -> Iterator[None]:
        context = state.context
        if context.layer == self.name and context.scope.endswith(self.name):
            yield  # already
        else:
            with within(layer=self.name, scope=f"{context.scope}/{self.name}".lstrip("/")):
                yield

    # ---- what it consists of ---------------------------------------------------------------------------------------------

    @property
    def name(self) -> str:
        """Its name, unique unless it was given."""
        if not self._name:
            raise RuntimeError(
                f"In layer {type(self).__name__!r}, you forgot to call `super().__init__()` as the first statement "
                "in the `__init__()` method."
            )
        return self._name

    @property
    def dtype(self) -> str:
        """The dtype of its weights and floating inputs."""
        return self._dtype.name

    compute_dtype = variable_dtype = dtype

    def _own(self) -> list[Any]:
        """The variables that are attributes of this layer itself, those to be trained first."""
        return sorted(_unique(_found(vars(self), Variable)), key=lambda one: not getattr(one, "learns", one.trainable))

    def _sublayers(self) -> list[Layer]:
        return _unique(_found(vars(self), Layer))

    @property
    def variables(self) -> list[Any]:
        """All variables: its own, then those of the layers inside."""
        return _unique([*self._own(), *(one for layer in self._sublayers() for one in layer.variables)])

    weights = variables

    @property
    def trainable_variables(self) -> list[Any]:
        """The variables that training may change: none where the layer is frozen (`trainable = False`)."""
        if not self._trainable:
            return []
        inner = (one for layer in self._sublayers() for one in layer.trainable_variables)
        return _unique([*(one for one in self._own() if one.trainable), *inner])

    trainable_weights = trainable_variables

    @property
    def non_trainable_variables(self) -> list[Any]:
        """All other variables."""
        trained = {id(one) for one in self.trainable_variables}
        return [one for one in self.variables if id(one) not in trained]

    non_trainable_weights = non_trainable_variables

    @property
    def trainable(self) -> bool:
        """Whether training may change it; freezing a layer freezes the layers inside it, and tapes stop watching."""
        return self._trainable

    @trainable.setter
    def trainable(self, value: bool) -> None:
        self._trainable = bool(value)
        for one in self._own():
            if isinstance(one, Weight) and one.learns:
                one.trainable = value
        for layer in self._sublayers():
            layer.trainable = value

    @property
    def submodules(self) -> tuple[Layer, ...]:
        """All layers inside, of any depth."""
        return tuple(_unique([one for layer in self._sublayers() for one in (layer, *layer.submodules)]))

    @property
    def losses(self) -> list[Any]:
        """What the last call added with `add_loss`, here and in the layers inside."""
        return [*self._losses, *(one for layer in self._sublayers() for one in layer.losses)]

    def _forget_losses(self) -> None:
        self._losses = []
        for layer in self._sublayers():
            layer._forget_losses()

    @property
    def output_shape(self) -> Any:
        """The shape of its output; raises AttributeError before it was built or called."""
        if self._shapes is None:
            raise AttributeError(f"The layer {self.name!r} has never been called and thus has no defined output shape.")
        return self._shapes[1]

    def count_params(self) -> int:
        """How many numbers its weights hold."""
        return sum(int(np.prod(one.shape, dtype=int)) for one in self.variables)

    def get_weights(self) -> list[np.ndarray]:
        """The numbers of all weights, as arrays."""
        return [np.array(one._array_now) for one in self.variables]

    def set_weights(self, weights: Sequence[Any]) -> None:
        """Put these numbers into the weights; raises ValueError where counts or shapes differ."""
        places = self.variables
        if len(places) != len(weights):
            raise ValueError(
                f"You called `set_weights(weights)` on layer {self.name!r} with a weight list of length {len(weights)}, "
                f"but the layer was expecting {len(places)} weights."
                + ("" if self.built else " It is not built yet: call it once, or its build.")
            )
        for place, value in zip(places, weights, strict=True):
            if tuple(place.shape) != np.shape(value):
                raise ValueError(
                    f"Layer {self.name} weight shape {tuple(place.shape)} is not compatible with provided weight shape "
                    f"{np.shape(value)}."
                )
            place.assign(value)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} name={self.name}, built={self.built}>"


@contextmanager
def unseen() -> Iterator[None]:
    """Run a block that no recorder sees and no listener hears: to find out a shape, say."""
    listeners, state.listeners = state.listeners, ()
    try:
        with no_recording():
            yield
    finally:
        state.listeners = listeners


def _built(build: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(build)
    def built(self: Layer, *args: Any, **kwargs: Any) -> None:
        with self._inside():
            build(self, *args, **kwargs)
        self.built = True

    return built


@functools.cache
def _parameters(call: Callable[..., Any]) -> tuple[str, ...]:
    """The names of a function's parameters, `self` included; "**" where it takes any."""
    parameters = inspect.signature(call).parameters.values()
    return tuple("**" if one.kind is one.VAR_KEYWORD else one.name for one in parameters)


def _batched(shape: Sequence[Any], unknown: bool = True) -> TensorShape:
    """A shape with its first length, that of the batch, left open."""
    return TensorShape((None, *shape[1:]) if unknown and len(shape) else shape)


def _found(value: Any, kind: type) -> Iterator[Any]:
    """What of this kind lies in lists, tuples and dicts."""
    if isinstance(value, kind):
        yield value
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _found(one, kind)
    elif isinstance(value, dict):
        for one in value.values():
            yield from _found(one, kind)


def _unique(values: Any) -> list[Any]:
    """Each once, in the order of its first appearance; by identity, because `==` compares numbers."""
    return list({id(one): one for one in values}.values())


__all__ = ["InputSpec", "Layer", "unseen"]
