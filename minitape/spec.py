"""`TensorSpec`, which describes a tensor, and `tf.function`, which checks its arguments by specs."""

from __future__ import annotations

import functools
import inspect
import types
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from . import nest
from .decorated import Arguments, Decorated, Value
from .dtypes import as_dtype
from .record.refusal import type_error
from .tensor import Operand, Tensor, TensorShape, convert


class TensorSpec:
    """A shape and a dtype; None stands for any length, `shape=None` for any shape.

    >>> tf.TensorSpec([None, 2], "int32")
    TensorSpec(shape=(None, 2), dtype=tf.int32, name=None)
    """

    __slots__ = ("dtype", "name", "shape")

    def __init__(self, shape: Any, dtype: Any = "float32", name: str | None = None) -> None:
        self.shape = shape if isinstance(shape, TensorShape) else TensorShape(shape)
        self.dtype = as_dtype(dtype)
        self.name = name

    @classmethod
    def from_tensor(cls, tensor: Any, name: str | None = None) -> TensorSpec:
        """The spec of a tensor.

        >>> tf.TensorSpec.from_tensor(tf.constant([1.0, 2.0]))
        TensorSpec(shape=(2,), dtype=tf.float32, name=None)
        """
        return cls(tensor.shape, tensor.dtype, name)

    @classmethod
    def from_spec(cls, spec: TensorSpec, name: str | None = None) -> TensorSpec:
        """The same spec with another name."""
        return cls(spec.shape, spec.dtype, name or spec.name)

    def is_compatible_with(self, spec_or_tensor: Any) -> bool:
        """Whether a tensor (or what another spec describes) may stand here.

        >>> floats = tf.TensorSpec([None])
        >>> floats.is_compatible_with(tf.constant([1.0])), floats.is_compatible_with(tf.constant([1]))
        (True, False)
        """
        other = spec_or_tensor if hasattr(spec_or_tensor, "shape") else convert(spec_or_tensor)
        return self.dtype == other.dtype and self.shape.is_compatible_with(other.shape)

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, TensorSpec) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def __repr__(self) -> str:
        return f"TensorSpec(shape={self.shape}, dtype={self.dtype!r}, name={self.name!r})"


_OPTIONS = (
    "autograph", "jit_compile", "reduce_retracing", "experimental_implements", "experimental_autograph_options",
    "experimental_attributes", "experimental_relax_shapes", "experimental_compile", "experimental_follow_type_hints",
)  # fmt: skip


_TRACED = {
    "graph", "inference_fn", "function_type", "structured_input_signature", "structured_outputs", "captured_inputs",
    "pretty_printed_concrete_signatures", "experimental_get_tracing_count", "experimental_get_compiler_ir",
}  # fmt: skip


class Function(Decorated[Arguments, Value]):
    """A plain call that checks its input signature: nothing is compiled, so tapes see every op inside."""

    def __init__(self, func: Callable[Arguments, Value], input_signature: Sequence[Any] | None = None) -> None:
        self.python_function: Callable[..., Value] = func
        self.input_signature = None if input_signature is None else tuple(input_signature)
        functools.update_wrapper(self, func)

    def __call__(self, *args: Arguments.args, **kwargs: Arguments.kwargs) -> Value:
        given: tuple[Any, ...]
        named: dict[str, Any]
        if self.input_signature is None:
            given, named = tuple([_taken(arg) for arg in args]), {name: _taken(arg) for name, arg in kwargs.items()}
        else:
            given, named = self._bound(args, kwargs)
        value: Value = nest.map_structure(_given, self.python_function(*given, **named))
        return value

    if not TYPE_CHECKING:  # to a type checker it is `Decorated`'s, which keeps the method's signature

        def __get__(self, instance: Any, owner: Any = None) -> Any:
            if instance is None:
                return self
            return Function(types.MethodType(self.python_function, instance), self.input_signature)

    def get_concrete_function(self, *args: Any, **kwargs: Any) -> Function[..., Value]:
        """The function for inputs like these (tensors, or TensorSpecs); arguments without tensors are fixed to these values.

        >>> square = function(lambda a, b: a**b).get_concrete_function(TensorSpec([]), b=2)
        >>> square(tf.constant(10.0)).numpy()
        np.float32(100.0)
        """
        if not args and not kwargs:
            return Function(self.python_function, self.input_signature)
        bound = inspect.signature(self.python_function).bind(*args, **kwargs)
        fixed = {name: value for name, value in bound.arguments.items() if not _holds_tensors(value)}
        asked = {name: value for name, value in bound.arguments.items() if name not in fixed}

        def concrete(*tensors: Any, **named: Any) -> Value:
            given = {**dict(zip(asked, tensors, strict=False)), **named}
            for name, value in fixed.items():
                if given.get(name, value) is not value and given[name] != value:
                    raise type_error(
                        f"Binding inputs to tf.function failed due to `Can not cast {given[name]!r} to Literal[{value!r}]`.",
                        f"The concrete function was asked for with {name}={value!r}: ask for another one.",
                    )
            bound.arguments.update(given)
            return self.python_function(*bound.args, **bound.kwargs)

        concrete.__signature__ = inspect.Signature(  # type: ignore[attr-defined]
            [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in asked]
            + [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=value) for name, value in fixed.items()]
        )
        return Function(concrete, [nest.map_structure(_like, value) for value in asked.values()])

    def __getattr__(self, name: str) -> Any:
        why = ": nothing is traced here, every line runs when it is reached" if name in _TRACED else ""
        raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}{why}")

    def _bound(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[tuple[Any, ...], dict[str, Any]]:
        assert self.input_signature is not None
        signature = inspect.signature(self.python_function)
        names = [name for name in signature.parameters if name != "self"]
        specs = dict(zip(names, self.input_signature, strict=False))
        try:
            bound = signature.bind(*args, **kwargs)
            for name, spec in specs.items():
                if name in bound.arguments:
                    bound.arguments[name] = _fitted(spec, bound.arguments[name])
        except (TypeError, ValueError) as problem:
            described = ", ".join(f"{name}: {spec}" for name, spec in specs.items())
            raise type_error(
                f"Binding inputs to tf.function failed due to `{problem}`. "
                f"Received args: {args} and kwargs: {kwargs} for signature: ({described}).",
                "The input_signature asks for that structure, those shapes and dtypes: tf.reshape or tf.cast before the call.",
            ) from None
        return bound.args, bound.kwargs

    def __repr__(self) -> str:
        return f"<tf.function {getattr(self, '__name__', self.python_function)!s}>"


def _fitted(spec: Any, value: Any) -> Any:
    """A value converted to fit its spec; raises TypeError where that is not possible."""
    if isinstance(spec, dict) and isinstance(value, dict) and spec.keys() == value.keys():
        return {name: _fitted(part, value[name]) for name, part in spec.items()}
    if isinstance(spec, list | tuple) and isinstance(value, list | tuple) and len(spec) == len(value):
        return type(value)(_fitted(part, other) for part, other in zip(spec, value, strict=True))
    if nest.is_nested(spec):
        raise TypeError(f"{value!r} has not the structure of {spec}")
    if not isinstance(spec, TensorSpec):
        return value
    # Python's and NumPy's numbers are converted to the spec's dtype, tensors are not.
    tensor = value.tensor_now if isinstance(value, Operand) else convert(np.asarray(value), hint=spec.dtype.numpy_dtype)
    if not isinstance(value, Operand) and tensor.dtype != spec.dtype:
        tensor = convert(value, dtype=spec.dtype)
    if not spec.is_compatible_with(tensor):
        raise TypeError(f"Can not cast {TensorSpec.from_tensor(tensor)} to {spec}")
    return value if isinstance(value, Operand) else tensor


def _holds_tensors(value: Any) -> bool:
    return any(isinstance(leaf, Operand | TensorSpec | np.ndarray) for leaf in nest.flatten(value))


def _like(value: Any) -> Any:
    """The spec of a tensor; any other value is its own."""
    return TensorSpec.from_tensor(convert(value)) if isinstance(value, Operand | np.ndarray) else value


def _taken(value: Any) -> Any:
    return convert(value) if isinstance(value, np.ndarray | np.generic) else value


def _given(value: Any) -> Any:
    """A result of a function: numbers become tensors, and a variable the value that it has now, as in TensorFlow."""
    variable = isinstance(value, Operand) and value.tag.variable and not _eagerly
    plain = isinstance(value, int | float | complex | np.ndarray | np.generic) and not isinstance(value, Tensor)
    return convert(value) if plain or variable else value


@overload
def function(
    func: Callable[Arguments, Value], input_signature: Sequence[Any] | None = None, **options: Any
) -> Function[Arguments, Value]: ...
@overload
def function(
    func: None = None, input_signature: Sequence[Any] | None = None, **options: Any
) -> Callable[[Callable[Arguments, Value]], Function[Arguments, Value]]: ...
def function(func: Any = None, input_signature: Any = None, **options: Any) -> Any:
    """A plain call: nothing is compiled, so tapes see every op inside, and `print` prints each time.

    The function keeps its attributes, and `python_function` is itself.  An `input_signature` of TensorSpecs is honoured:
    TypeError for an argument that does not fit.  The other options of TensorFlow's decorator are accepted.

    >>> @tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
    ... def double(x):
    ...     return x * 2.0
    >>> double([1.0, 2.0]).numpy()
    array([2., 4.], dtype=float32)
    >>> double(tf.constant([1, 2]))
    Traceback (most recent call last):
        ...
    TypeError: Binding inputs to tf.function failed due to `Can not cast TensorSpec(shape=(2,), dtype=tf.int32, ...
    """
    unknown = [name for name in options if name not in _OPTIONS]
    if unknown:
        raise type_error(
            f"function() got an unexpected keyword argument {unknown[0]!r}",
            "Leave it out: here tf.function is a plain call.",
        )
    if func is None:
        return functools.partial(function, input_signature=input_signature, **options)
    if not callable(func):
        raise type_error(
            f"{func!r} is not a callable object", "Write @tf.function above a def, or tf.function(f) of a function."
        )
    return Function(func, input_signature)


_eagerly = False


def run_functions_eagerly(run_eagerly: bool) -> None:
    """Accepted and remembered: functions always run eagerly here.

    >>> tf.config.run_functions_eagerly(True)
    >>> tf.config.functions_run_eagerly()
    True
    >>> tf.config.run_functions_eagerly(False)
    """
    global _eagerly
    _eagerly = bool(run_eagerly)


def functions_run_eagerly() -> bool:
    """What `run_functions_eagerly` was last told.

    >>> tf.config.functions_run_eagerly()
    False
    """
    return _eagerly
