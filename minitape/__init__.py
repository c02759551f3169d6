# ruff: noqa: I001  a name per line would bury what there is
"""minitape: automatic differentiation that can be read, recorded and watched, under TensorFlow's names.

    import minitape as tf

runs TensorFlow's documented eager autodiff programs.  `import viz` turns what was written down into pictures.
"""

from builtins import bool as _bool
from typing import TYPE_CHECKING as _TYPE_CHECKING, Any as _Any

import sys as _sys

from . import absent as _absent
from . import errors, layers, nest
from .about import VERSION as __version__
from .about import about
from .control_flow import case, cond, foldl, foldr, map_fn, scan, switch_case, vectorized_map, while_loop
from .compatible import compat
from .custom import custom_gradient, grad_pass_through
from .dtypes import (
    DType, as_dtype, bool, complex64, complex128, double, float16, float32, float64, half, int8, int16, int32, int64, string,
    uint8, uint16, uint32, uint64,
)  # fmt: skip
from .module import Module
from .names import (
    autodiff, bitwise, config, debugging, linalg, math, nn, random, raw_ops, signal, test, top as _top, version,
)  # fmt: skip
from .names import version1 as _version1
from .names.autodiff import GradientTape
from .names.debugging import assert_equal, assert_greater, assert_less, assert_rank
from .names.top import *
from .ops import operators as _operators
from .primitive import Primitive as _Primitive
from .printing import print
from .py_function import numpy_function, py_function
from .recompute import (
    AbstractRecomputeWrapper, RecomputeWrapper, ReversibleLayer, ReversibleSequential, checkpoint_name, checkpoint_sequential,
    explain_recompute, is_recomputing, plan, policies, recompute_grad,
)  # fmt: skip
from .record.refusal import answering as _answering
from .record.warning import strict
from .record.ledger import ledger
from .record.cells import watch_cells as _watch_cells
from .scope import device, name_scope
from .graphs import Assert, control_dependencies, get_logger, no_op
from .spec import TensorSpec, function
from .tape import UnconnectedGradients
from .tensor import Tensor, TensorShape, constant
from .tensor import convert as _convert
from .tensor_array import TensorArray
from .trace import recorders
from .variable import Variable, VariableAggregation, VariableSynchronization

newaxis = None
compat.v1, compat.v2 = _version1, _sys.modules[__name__]


def convert_to_tensor(value: _Any, dtype: _Any = None, dtype_hint: _Any = None, name: str | None = None) -> Tensor:
    """The value as a tensor; a tensor comes back as it is, a variable as a reading of it.

    >>> tf.convert_to_tensor([1.0, 2.0]).shape
    TensorShape([2])
    """
    if isinstance(value, Variable):
        value = value.value()
    return _convert(value, dtype, None if dtype_hint is None else as_dtype(dtype_hint).numpy_dtype)


def is_tensor(x: _Any) -> _bool:
    """True for a tensor or a variable.

    >>> tf.is_tensor(tf.constant(1.0)), tf.is_tensor(1.0)
    (True, False)
    """
    return isinstance(x, Tensor | Variable)


def get_static_value(tensor: _Any, partial: _bool = False) -> _Any:
    """The numbers of a tensor as an array: eagerly they are always known.

    >>> tf.get_static_value(tf.constant([1, 2]))
    array([1, 2], dtype=int32)
    """
    return _convert(tensor).numpy()


def executing_eagerly() -> _bool:
    """True: there is no other way here.

    >>> tf.executing_eagerly()
    True
    """
    return True


# Rooms that load when somebody enters: `import minitape` stays quick.  An alias stands with what it means.
_ROOMS = {
    "keras": "keras",
    "losses": "keras.losses",
    "metrics": "keras.metrics",
    "optimizers": "keras.optimizers",
    "initializers": "keras.initializers",
    "constant_initializer": "keras.initializers:Constant",
    "ones_initializer": "keras.initializers:Ones",
    "zeros_initializer": "keras.initializers:Zeros",
    "random_normal_initializer": "keras.initializers:RandomNormal",
    "random_uniform_initializer": "keras.initializers:RandomUniform",
    "data": "data",
    "image": "image",
    "train": "train",
    "experimental": "experimental",
}

if _TYPE_CHECKING:  # a type checker reads the rooms, and finds misspelt names by itself
    from . import data, experimental, image, keras, train
    from .keras import initializers, losses, metrics, optimizers
    from .keras.initializers import (
        Constant as constant_initializer, Ones as ones_initializer, RandomNormal as random_normal_initializer,
        RandomUniform as random_uniform_initializer, Zeros as zeros_initializer,
    )  # fmt: skip
else:

    def __getattr__(name: str) -> _Any:
        if name in _ROOMS:
            import importlib

            room, _, part = _ROOMS[name].partition(":")
            found = importlib.import_module(f".{room}", __name__)
            globals()[name] = found = getattr(found, part) if part else found
            return found
        raise AttributeError(_absent.no_name(name, __all__), name=name)


def _manual(row: _Primitive) -> str:
    from .manual import manual  # with rooms that load late

    return manual(row)


_Primitive.manual = staticmethod(_manual)
_watch_cells()
for _space in (autodiff, bitwise, config, debugging, linalg, math, nn, random, raw_ops, signal, test, version):
    _room = _space.__name__.rpartition(".")[2]
    _sys.modules[f"{__name__}.{_room}"] = _space  # `import minitape.math` finds it
    _answering(vars(_space), f"tf.{_room}", _space.__all__)

__all__ = [
    "AbstractRecomputeWrapper", "Assert", "DType", "GradientTape", "Module", "RecomputeWrapper", "ReversibleLayer",
    "ReversibleSequential", "Tensor", "TensorArray", "TensorShape", "TensorSpec", "UnconnectedGradients", "Variable",
    "VariableAggregation", "VariableSynchronization", "__version__", "about", "as_dtype", "assert_equal",
    "assert_greater", "assert_less", "assert_rank", "autodiff", "bitwise", "bool", "case", "checkpoint_name",
    "checkpoint_sequential", "compat", "complex128", "complex64", "cond", "config", "constant", "constant_initializer",
    "control_dependencies", "convert_to_tensor", "custom_gradient", "data", "debugging", "device", "double", "errors",
    "executing_eagerly", "experimental", "explain_recompute", "float16", "float32", "float64", "foldl", "foldr",
    "function", "get_logger", "get_static_value", "grad_pass_through", "half", "image", "initializers", "int16",
    "int32", "int64", "int8", "is_recomputing", "is_tensor", "keras", "layers", "ledger", "linalg", "losses", "map_fn",
    "math", "metrics", "name_scope", "nest", "newaxis", "nn", "no_op", "numpy_function", "ones_initializer",
    "optimizers", "plan", "policies", "print", "py_function", "random", "random_normal_initializer",
    "random_uniform_initializer", "raw_ops", "recompute_grad", "recorders", "scan", "signal", "strict", "string",
    "switch_case", "test", "train", "uint16", "uint32", "uint64", "uint8", "vectorized_map", "version", "while_loop",
    "zeros_initializer",
]  # fmt: skip
__all__ += _top.__all__
_answering(vars(errors), "tf.errors", errors.__all__)
_answering(vars(nest), "tf.nest", nest.__all__)
_answering(vars(policies), "tf.policies", policies.__all__)
_answering(globals(), "tf", __all__)
_absent.not_for_calls(__name__, __all__)
for _space in (layers, layers.AbstractRecomputeWrapper):
    _answering(vars(_space), f"tf.{_space.__name__.partition('.')[2]}", _space.__all__)
