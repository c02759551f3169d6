"""Layer: some weights, and a function that uses them.

The first call makes the weights.  Each call runs `call` in the layer's own context, so that every op inside is recorded with
its layer; otherwise the ops are recorded like any others.
"""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable
from typing import Any, Self

import numpy as np

from .. import nest
from ..dtypes import as_dtype
from ..module import grown
from ..ops.elementwise import cast
from ..record.events import changed, state, within
from ..record.refusal import answered, described, did_you_mean, refusal, value_error
from ..scope import written
from ..tensor import Operand, convert
from . import constraints, initializers, masks, regularizers
from .allowed import takes_inputs
from .calls import calling, calls
from .config import arguments
from .input_spec import InputSpec
from .inspectable import Inspectable
from .names import defaults, floatx, parameters, snake, unique
from .shapes import dry_run, mask_rank, note, now
from .symbol import KerasTensor, SymbolCall, symbols_in
from .weight import Weight


def _name_first(add_weight: Callable[..., Weight]) -> Callable[..., Weight]:
    @functools.wraps(add_weight)
    def named(self: Layer, *args: Any, **kwargs: Any) -> Weight:
        if args and isinstance(args[0], str):
            args, kwargs = args[1:], {**kwargs, "name": args[0]}
        return add_weight(self, *args, **kwargs)

    return named


class _Unmade:
    """What stands for an attribute until `Layer.__init__` has run, for subclasses that forget it."""

    def __get__(self, layer: Any, cls: type) -> Any:
        if layer is None:
            return self
        raise refusal(
            RuntimeError,
            f"In layer {cls.__name__!r}, you forgot to call `super().__init__()` as the first statement in the `__init__()` "
            "method.",
            "Write it there: super().__init__().",
        )


def unrecognized(kind: type, unknown: dict[str, Any], *more: str) -> Exception:
    """What a layer raises for arguments that it does not know; it knows those of its constructors, and more that are given."""
    known = [*arguments(kind), *getattr(kind, "_also", ()), *more]
    return value_error(
        f"Unrecognized keyword arguments passed to {kind.__name__}: {unknown}{did_you_mean(unknown, known)}",
        f"help({kind.__name__}) shows what it takes.",
    )


class Layer(Inspectable):
    """Weights and a function that uses them; subclass it, make the weights in `build` (or `__init__`), and write `call`.

    Variables and layers that are attributes, also inside lists and dicts, are found by themselves.  Raises ValueError for
    arguments that it does not know.

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
    supports_masking = False  # whether the mask of an input is also one of the output
    # The weights that a layer makes, with their usual initializers.  For each name the constructor takes the arguments
    # name_initializer, name_regularizer and name_constraint.
    starts: dict[str, Any] = {}
    _also: tuple[str, ...] = ("input_shape",)  # arguments that it takes and does not tell in a config
    _dtype: Any = _Unmade()
    _name: Any = _dtype
    _trainable: Any = _dtype
    _given_shape: Any = _dtype
    _home: Any = _dtype
    built: Any = _dtype

    def __init__(
        self,
        *,
        trainable: bool = True,
        dtype: Any = None,
        name: str | None = None,
        activity_regularizer: Any = None,
        **unknown: Any,
    ) -> None:
        width = unknown.pop("input_dim", None)
        input_shape = unknown.pop("input_shape", None if width is None else (width,))
        for weight, start in self.starts.items():
            for what, room, usual in (
                ("initializer", initializers, start), ("regularizer", regularizers, None), ("constraint", constraints, None)
            ):  # fmt: skip
                setattr(self, f"{weight}_{what}", room.get(unknown.pop(f"{weight}_{what}", usual)))
        if unknown:
            raise unrecognized(type(self), unknown)
        self._name = unique(snake(type(self).__name__)) if name is None else written(name)
        self._dtype = as_dtype(dtype or floatx())
        self._trainable = bool(trainable)
        self.activity_regularizer = regularizers.get(activity_regularizer)
        self.symbol_calls: list[SymbolCall] = []
        self._home: Any = None  # a weak reference to the Sequential that it lies in
        self._losses: list[Any] = []
        self._shapes: tuple[Any, Any] | None = None  # of the input and the output, once they are known
        self._given_shape = None if input_shape is None else (None, *input_shape)
        self.built = False

    def __new__(cls, *args: Any, **options: Any) -> Self:
        given = args[0] if args else None
        ours = cls.__module__.startswith("minitape.")
        if ours and any(name in options for name in cls._fixed):
            raise unrecognized(cls, {name: value for name, value in options.items() if name in cls._fixed})
        if isinstance(given, list | tuple) and given:  # Add, Concatenate
            given = given[0]
        if ours and isinstance(given, Operand | KerasTensor) and len(given.shape) > 1:
            raise value_error(
                f"{cls.__name__} makes a layer, and was given a tensor of shape {given.shape}",
                f"Make it, then call it on the tensor: layer = tf.keras.layers.{cls.__name__}(...), and layer(x).",
            )
        return super().__new__(cls)

    def __getattr__(self, name: str) -> Any:
        if name in type(self).starts and not vars(self).get("built", True):
            raise refusal(
                AttributeError,
                f"{type(self).__name__!r} object has no attribute {name!r}",
                "A layer makes its weights when it is first called, or built: layer.build((None, 3)).",
            )
        if not name.startswith("_"):
            from ..misspelt import of_layer  # only a name that is not there needs it

            if advice := of_layer(name, "model" if hasattr(type(self), "fit") else "layer"):
                said = f"{type(self).__name__!r} object has no attribute {name!r}"
                raise refusal(AttributeError, said, f"Write {advice}.".replace("Write nothing:", "Leave it out:"))
        return super().__getattribute__(name)  # says what is wrong, in a property's own words

    def __init_subclass__(cls, **options: Any) -> None:
        # A layer is built by its first call or by hand: in both cases in its own context, and it is marked as built.
        super().__init_subclass__(**options)
        if "starts" in vars(cls):
            kinds = ("initializer", "regularizer", "constraint")
            cls._taken = tuple(f"{weight}_{what}" for weight in cls.starts for what in kinds)
        if "build" in cls.__dict__:
            cls.build = _built(cls.build)  # type: ignore[method-assign]

    _taken: tuple[str, ...] = ()  # the arguments that `starts` stands for

    # ---- for subclasses ------------------------------------------------------------------------------------------------

    def build(self, input_shape: Any) -> None:
        """Make the weights, now that the shape of the input is known; a layer without weights needs no `build`."""
        self.built = True

    def _waits(self) -> bool:
        if self.built or self.variables:
            return False
        return bool(self.starts) or type(self).build is not Layer.build or super()._waits()

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """The layer's function."""
        raise refusal(
            NotImplementedError,
            f"Layer {type(self).__name__} does not have a `call()` method implemented: write def call(self, inputs): ...",
        )

    @_name_first
    def add_weight(
        self, shape: Any = (), initializer: Any = None, dtype: Any = None, trainable: bool = True,
        constraint: Any = None, name: str | None = None, regularizer: Any = None,
    ) -> Weight:  # fmt: skip
        """Make a weight, by default drawn by "glorot_uniform", or filled with zeros if it has fewer than two axes.

        The name may come first, as programs for Keras 2 have it: `add_weight("kernel", shape=[3, 2])`.
        """
        lengths = (shape,) if isinstance(shape, int) else tuple(shape)
        initializer = initializers.get(initializer or ("glorot_uniform" if len(lengths) > 1 else "zeros"))
        with self._inside():
            path = f"{state.context.scope}/{name or unique('variable')}"
            value = initializer(lengths, dtype=as_dtype(dtype or self._dtype))
            weight = Weight(value, path, trainable, constraints.get(constraint))
        weight.regularizer = regularizers.get(regularizer)
        weight.trainable = trainable and self._trainable
        return weight

    def weight(self, name: str, shape: Any, called: str | None = None, **options: Any) -> Weight:
        """Make a weight that `starts` lists, as its arguments say; `called` is the weight's name where it has another."""
        settings = {what: getattr(self, f"{name}_{what}") for what in ("initializer", "regularizer", "constraint")}
        return self.add_weight(shape, name=called or name, **{**settings, **options})

    def add_loss(self, loss: Any) -> None:
        """Add a term to the loss that training minimizes; it stands in `losses` until the next call.

        >>> class Sparse(tf.keras.layers.Layer):
        ...     def call(self, x):
        ...         self.add_loss(0.5 * tf.reduce_sum(tf.abs(x)))
        ...         return x
        >>> layer = Sparse()
        >>> layer(tf.constant([1.0, -3.0])).numpy(), [float(loss) for loss in layer.losses]
        (array([ 1., -3.], dtype=float32), [2.0])
        """
        self._losses += [penalty for penalty in nest.flatten(loss) if penalty is not None]

    def compute_mask(self, inputs: Any, mask: Any = None) -> Any:
        """The mask of the output, for a layer that `supports_masking`: by default the mask of the inputs."""
        return mask

    def compute_output_shape(self, input_shape: Any) -> Any:
        """The shape of the output, found by running the layer unobserved on zeros; None stays None."""
        answer = dry_run(self, (_symbols(input_shape, self._dtype),), {})
        self._forget_losses()
        return nest.map_structure(lambda symbol: symbol.shape, answer)

    # ---- a call -------------------------------------------------------------------------------------------------------

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        args = tuple(self._take(argument) for argument in args)
        kwargs = {name: self._take(argument) for name, argument in kwargs.items()}
        inputs = args[0] if args else next(iter(kwargs.values()), None)
        if not isinstance(inputs, Operand) and symbols_in((args, kwargs)):
            return self._on_symbols(inputs, args, kwargs)
        number = inputs is None or isinstance(inputs, int | float | complex | str)
        # `2.0 * x` is a layer of both.
        if args and number and not any(isinstance(argument, Operand) for argument in args):
            raise value_error(
                f"Only input tensors may be passed as positional arguments. {self.name} was given {described(inputs)} "
                f"(of type {type(inputs)}).",
                "Give it a batch: layer(tf.constant([[5.0]])); what is no tensor goes by its name, layer(x, name=value).",
            )
        if not state.context.layer:
            self._forget_losses()
        with calling(self._training(args, kwargs), exactly=True), self._inside():
            try:
                if self.input_spec is not None and isinstance(inputs, Operand):
                    self.input_spec.check(self.name, tuple(inputs.shape))
                if not self.built:
                    self._first_call(args, kwargs)
                mask = masks.given(type(self).call, args, kwargs)
                answer = self.call(*args, **kwargs)
                if self.supports_masking or type(self).compute_mask is not Layer.compute_mask:
                    masks.hand_on(answer, self.compute_mask(inputs, mask))
                elif masks.known(mask):
                    masks.warn_of_loss(self)
                if self.activity_regularizer is not None:
                    for output in nest.flatten(answer):  # per example, so that a larger batch costs no more
                        self.add_loss(self.activity_regularizer(output) / float(output.shape[0] if output.ndim else 1))
            except Exception as error:
                problem = answered(error, self.name, type(self).call, (self, *args), kwargs)
                if not hasattr(problem, "__notes__"):  # the innermost layer says it, once
                    problem.add_note(f"in layer {self.name!r} ({type(self).__name__})")
                if problem is error:
                    raise
                raise problem from None
        if (self._shapes is None or now.unsure) and isinstance(inputs, Operand):
            note(self, inputs, answer)
        return answer

    def _on_symbols(self, inputs: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call on symbols: builds the layer, and returns symbols that remember the call."""
        call = SymbolCall(self, args, kwargs)
        alone = isinstance(inputs, KerasTensor)
        if alone and self.input_spec is not None:
            self.input_spec.check(self.name, inputs.shape)
        if not self.built:  # where all can see it, not in the dry run
            self.build(inputs.shape) if alone and not kwargs and len(args) == 1 else self._first_call(args, kwargs)
        if len(args) == 1 and not kwargs and type(self).compute_output_shape is not Layer.compute_output_shape:
            answer = _symbols(self.compute_output_shape(_shape_of(inputs)), self._dtype)
            if isinstance(answer, KerasTensor):
                answer.masked = mask_rank(self, args, type(self).compute_mask is Layer.compute_mask)
        else:
            answer = dry_run(self, args, kwargs)
            self._forget_losses()
        if self._shapes is None or not self.symbol_calls[1:]:
            self._shapes = _shape_of(inputs), nest.map_structure(lambda symbol: symbol.shape, answer)
        call.outputs = nest.flatten(answer)
        for output in call.outputs:
            output.call = call
        return answer

    def _first_call(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        """Build for the shape of the first argument, or for several shapes where `build` has parameters for them."""
        if args or kwargs:
            takes_inputs(type(self))
        if self.input_spec is not None and args and isinstance(args[0], list | tuple) and len(args[0]) > 1:
            raise value_error(
                f"Layer {self.name!r} expects 1 input(s), but it received {len(args[0])} input tensors.",
                "Give it one, layer(x); and fit takes inputs and truths one after the other, model.fit(x, y).",
            )
        asked = [name for name in parameters(type(self).build)[1:] if name.endswith("_shape")]
        if len(asked) < 2:
            self.build(_shape_of(args[0] if args else next(iter(kwargs.values()), None)))
        else:
            given = {**dict(zip(parameters(type(self).call)[1:], args, strict=False)), **kwargs}
            shapes = {name: _shape_of(given.get(name.removesuffix("_shape"))) for name in asked}
            self.build(**{name: shape for name, shape in shapes.items() if shape is not None})
        self.built = True

    def _training(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """Whether this call is for training, as it, the call around it or the signature says; `call` is told, if it takes it."""
        names, around = parameters(type(self).call), calls.training
        if "training" not in names:
            return (kwargs.get if "**" in names else kwargs.pop)("training", around)
        position = names.index("training") - 1
        if position < len(args):
            return args[position]
        if "training" in kwargs:  # None, too: what is called inside is then not for training, as in Keras
            return kwargs["training"]
        own = defaults(type(self).call).get("training", False)
        kwargs["training"] = own if around is None else around
        return kwargs["training"]

    def _take(self, value: Any) -> Any:
        """Arrays and plain numbers as tensors; floats in the layer's dtype."""
        if isinstance(value, Operand):
            kind = value.tag.dtype
            if kind.kind != "f" or kind == self._dtype.numpy_dtype:
                return value
            answer, mask = cast(value, self._dtype), masks.of(value)
            if mask is not None:
                masks.put(answer, mask)
            return answer
        if isinstance(value, np.ndarray | np.generic):
            return convert(value, self._dtype if value.dtype.kind == "f" else None)
        if isinstance(value, list | tuple | dict) and value:
            if isinstance(value, list) and all(isinstance(number, int | float) for number in nest.flatten(value)):
                return convert(value)
            return nest.map_structure(self._take, value)
        return value

    def _inside(self) -> changed:
        """A block that is this layer's, if it is not so already."""
        context = state.context
        if context.layer == self.name and context.scope.endswith(self.name):
            return changed()
        return within(layer=self.name, scope=f"{context.scope}/{self.name}".lstrip("/"))

    # ---- copies and pickles -----------------------------------------------------------------------------------------------

    def __copy__(self) -> Any:
        return copy.deepcopy(self)  # as in Keras: no two layers share weights by themselves

    def __getstate__(self) -> dict[str, Any]:
        # Its calls on symbols and the model around it are no part of it.
        return {**vars(self), "symbol_calls": [], "_home": None, "_losses": []}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        vars(self).update(kept)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} name={self.name}, built={self.built}>"


def _symbols(shape: Any, dtype: Any) -> Any:
    """A symbol for each shape of a structure."""
    if all(length is None or isinstance(length, int) for length in shape):
        return KerasTensor(shape, dtype)
    return tuple(_symbols(part, dtype) for part in shape)


def _shape_of(inputs: Any) -> Any:
    """The shapes of tensors and symbols, in their structure; None for everything else."""
    return nest.map_structure(lambda leaf: leaf.shape if isinstance(leaf, Operand | KerasTensor) else None, inputs)


def _built(build: Callable[..., None]) -> Callable[..., None]:
    @functools.wraps(build)
    def built(self: Layer, *args: Any, **kwargs: Any) -> None:
        with self._inside():
            build(self, *args, **kwargs)
        self.built = True
        grown()

    return built
