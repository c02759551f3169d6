"""What somebody meant who wrote a name that is not there; loaded when it happens."""

from __future__ import annotations

import difflib
import importlib
import inspect
from collections.abc import Iterable

import numpy as np

SPACES = (
    "", "nn", "math", "linalg", "random", "keras.layers", "keras.losses", "keras.metrics", "keras.optimizers",
    "keras.activations", "keras.initializers", "keras.regularizers", "keras.callbacks", "keras.utils", "keras", "signal",
    "image", "data", "train", "autodiff", "bitwise", "debugging", "keras.ops", "keras.backend", "experimental.numpy",
)  # fmt: skip
# Methods that arrays of other libraries have, and what to write here.
ELSEWHERE = {
    "mean": "tf.reduce_mean(x)", "sum": "tf.reduce_sum(x)", "max": "tf.reduce_max(x)", "min": "tf.reduce_min(x)",
    "prod": "tf.reduce_prod(x)", "std": "tf.math.reduce_std(x)", "var": "tf.math.reduce_variance(x)",
    "any": "tf.reduce_any(x)", "all": "tf.reduce_all(x)", "argmax": "tf.argmax(x)", "argmin": "tf.argmin(x)",
    "T": "tf.transpose(x)", "t": "tf.transpose(x)", "transpose": "tf.transpose(x)", "reshape": "tf.reshape(x, shape)",
    "view": "tf.reshape(x, shape)", "flatten": "tf.reshape(x, [-1])", "ravel": "tf.reshape(x, [-1])",
    "squeeze": "tf.squeeze(x)", "unsqueeze": "tf.expand_dims(x, axis)", "astype": "tf.cast(x, dtype)",
    "item": "float(x)", "tolist": "x.numpy().tolist()", "size": "tf.size(x)", "copy": "tf.identity(x)",
    "clone": "tf.identity(x)", "clip": "tf.clip_by_value(x, low, high)", "dot": "tf.tensordot(x, y, 1)",
    "exp": "tf.exp(x)", "log": "tf.math.log(x)", "sqrt": "tf.sqrt(x)", "abs": "tf.abs(x)", "round": "tf.round(x)",
    "tanh": "tf.tanh(x)", "relu": "tf.nn.relu(x)", "sigmoid": "tf.sigmoid(x)", "pow": "tf.pow(x, y)",
    "cumsum": "tf.cumsum(x)", "sort": "tf.sort(x)", "detach": "tf.stop_gradient(x)", "backward": "tape.gradient(loss, x)",
    **dict.fromkeys(("grad", "gradient", "jacobian"), "tape.gradient(loss, x)"),
    "requires_grad": "tape.watch(x)", "requires_grad_": "tape.watch(x)",
    **dict.fromkeys(("append", "extend"), "parts.append(x), to a Python list parts, and tf.stack(parts) in the end"),
    "zero_grad": "nothing: a tape adds to no gradient of before",
    **dict.fromkeys(("assign", "assign_add", "assign_sub"), "v.assign(value), or v.assign_sub(step), for a tf.Variable: "
        "v = v - step makes a tensor, which takes the variable's name"),
}  # fmt: skip
# The same, where a function of tf has such a name, or none would be looked for.
_DEVICE = "nothing: there is one device, the CPU"
_OF_TENSORS = {
    **dict.fromkeys(("to", "cuda", "cpu"), f"{_DEVICE}; tf.cast(x, dtype) gives another dtype"),
    **dict.fromkeys(("type", "float", "double", "half", "int", "long", "bool"), "tf.cast(x, dtype)"),
    "permute": "tf.transpose(x, axes)", "dim": "x.ndim", "numel": "tf.size(x)", "expand": "tf.broadcast_to(x, shape)",
    "data": "x itself, or tf.stop_gradient(x)", "eval": "x.numpy(): every line runs when it is reached",
    "masked_fill": "tf.where(mask, value, x)", "nonzero": "tf.where(x)", "chunk": "tf.split(x, parts, axis)",
    **dict.fromkeys(("mm", "bmm"), "tf.matmul(x, y)"), "mul": "x * y", "sub": "x - y", "div": "x / y", "neg": "-x",
}  # fmt: skip
# Methods that models and layers of PyTorch have, and those of Keras that have no counterpart.
_OF_LAYERS = {
    **dict.fromkeys(("parameters", "named_parameters"), "{}.trainable_variables, a list of variables with names"),
    "train": "{}(x, training=True) in a loop of your own; model.fit trains", "eval": "{}(x, training=False)",
    "forward": "{}(x), which runs the method call", **dict.fromkeys(("to", "cuda", "cpu"), _DEVICE),
    "state_dict": "{}.get_weights()", "load_state_dict": "{}.set_weights(weights)",
    "zero_grad": "nothing: a tape adds to no gradient of before", "requires_grad_": "{}.trainable = False",
    **dict.fromkeys(("modules", "children"), "model.layers"),
    "register_buffer": "{}.add_weight(shape=shape, initializer=values, trainable=False)",
    "register_parameter": "{}.add_weight(shape=shape, initializer=values)",
    **dict.fromkeys(("to_json", "get_compile_config", "compile_from_config"), "{}.get_config(), a dict, and from_config"),
    "add_variable": "{}.add_weight(shape=shape, initializer=values)",
    "add_metric": "self.mean = tf.keras.metrics.Mean() in __init__, and self.mean.update_state(value) in call",
    **dict.fromkeys(("stateless_call", "symbolic_call"), "{}(x): a variable keeps its value by itself"),
    "compute_output_spec": "{}.compute_output_shape(shape)", "path": "{}.name; its weights have a path",
    **dict.fromkeys(("dtype_policy", "input_dtype"), "{}.dtype"), "rematerialized_call": "tf.recompute_grad(layer)(x)",
    **dict.fromkeys(("train_function", "make_train_function"), "{}.train_step(batch): every line runs when it is reached"),
    **dict.fromkeys(("test_function", "make_test_function"), "{}.test_step(batch): every line runs when it is reached"),
    **dict.fromkeys(("predict_function", "make_predict_function"), "{}(x): every line runs when it is reached"),
    **dict.fromkeys(("save_own_variables", "load_own_variables"), "{}.get_weights() and {}.set_weights(weights)"),
    "export": "{}.save_weights(path)", "quantize": "a tf.custom_gradient that rounds, with the slope of what it rounds",
}  # fmt: skip
# Functions that NumPy, PyTorch, JAX and TensorFlow 1 have under names of their own, and what to write here.
_HABITS = {
    **dict.fromkeys(("array", "asarray", "tensor", "from_numpy", "Tensor"), "tf.constant(values)"),
    "arange": "tf.range(start, limit, step)", "power": "tf.pow(x, y)",
    **dict.fromkeys(("concatenate", "cat", "vstack", "hstack"), "tf.concat([a, b], axis)"),
    **dict.fromkeys(("mm", "bmm"), "tf.matmul(a, b)"), "mv": "tf.linalg.matvec(a, x)",
    **dict.fromkeys(("float", "to_float"), "tf.float32, or tf.cast(x, tf.float32)"),
    **dict.fromkeys(("int", "to_int32"), "tf.int32, or tf.cast(x, tf.int32)"),
    **dict.fromkeys(("long", "to_int64"), "tf.int64, or tf.cast(x, tf.int64)"),
    "random_normal": "tf.random.normal([2, 3])", "random_uniform": "tf.random.uniform([2, 3])",
    "rand": "tf.random.uniform([2, 3])", "randn": "tf.random.normal([2, 3])",
    "randint": "tf.random.uniform([2, 3], 0, 10, tf.int32)", "choice": "tf.random.shuffle(x)[:count]",
    **dict.fromkeys(("seed", "manual_seed", "set_random_seed"), "tf.random.set_seed(0)"),
    "no_grad": "with tape.stop_recording(): ..., or nothing outside of a tape",
    **dict.fromkeys(("autograd", "value_and_grad"), "with tf.GradientTape() as tape: ..."),
    "gradient": "tape.gradient(y, x), of a tf.GradientTape", "DataLoader": "tf.data.Dataset.from_tensor_slices(x).batch(32)",
    **dict.fromkeys(("pi", "e", "inf", "nan"), "it with Python's math: import math"),
    **dict.fromkeys(("average", "reduce_avg"), "tf.reduce_mean(x)"),
    "cross_entropy": "tf.nn.softmax_cross_entropy_with_logits(labels, logits)", "jit": "tf.function",
    "vmap": "tf.vectorized_map(fn, xs)", "jvp": "tf.autodiff.ForwardAccumulator",
    **dict.fromkeys(("hessian", "hessians"), "tape.jacobian of a gradient, in a second tape"), "jacobian": "tape.jacobian(y, x)",
    "Linear": "tf.keras.layers.Dense(units)", "Parameter": "tf.Variable(value)", "optim": "tf.keras.optimizers",
    **dict.fromkeys(("CrossEntropy", "CrossEntropyLoss"), "tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)"),
    "logsumexp": "tf.reduce_logsumexp(x)",
    "MSELoss": "tf.keras.losses.MeanSquaredError()", "BatchNorm1d": "tf.keras.layers.BatchNormalization()",
    "BatchNorm2d": "tf.keras.layers.BatchNormalization()", "MaxPool2d": "tf.keras.layers.MaxPool2D()",
    "CuDNNLSTM": "tf.keras.layers.LSTM(units)", "CuDNNGRU": "tf.keras.layers.GRU(units)",
    "mul": "tf.multiply(x, y)", "sub": "tf.subtract(x, y)", "div": "tf.divide(x, y)", "neg": "tf.negative(x)",
    "assign": "v.assign(value)", "assign_add": "v.assign_add(value)", "get_variable": "tf.Variable(value)",
    "global_variables_initializer": "nothing: variables have their values from the beginning",
    "enable_eager_execution": "nothing: every line runs when it is reached",
    "contrib": "tf.keras, where most of it went", "eig": "tf.linalg.eigh(x), of a symmetric matrix",
    **{
        f"{name}Optimizer": f"tf.keras.optimizers.{kind}(rate)"
        for name, kind in {
            "GradientDescent": "SGD", "Momentum": "SGD", "Adam": "Adam", "Adagrad": "Adagrad", "Adadelta": "Adadelta",
            "RMSProp": "RMSprop", "Ftrl": "Ftrl",
        }.items()
    },
}  # fmt: skip

# Arguments that other libraries, and TensorFlow itself elsewhere, call by another name.
_ARGUMENTS = {
    **dict.fromkeys(("dim", "dims", "axes"), ("axis",)), "lr": ("learning_rate",), "decay": ("weight_decay",),
    "p": ("rate",), "requires_grad": ("trainable",), "bias": ("use_bias",), "std": ("stddev",), "scale": ("stddev",),
    "loc": ("mean",), "low": ("minval",), "high": ("maxval",), "size": ("shape",), "num_epochs": ("epochs",),
    "out_features": ("units",), "A": ("a", "matrix"), "b": ("rhs",), "x": ("inputs", "input_tensor"),
    "source": ("sources",), "retain_graph": ("persistent",),
    **dict.fromkeys(("xavier", "xavier_uniform"), ("glorot_uniform",)), "xavier_normal": ("glorot_normal",),
    **dict.fromkeys(("kaiming", "kaiming_uniform"), ("he_uniform",)), "kaiming_normal": ("he_normal",),
}  # fmt: skip


def argument(name: str, known: Iterable[str]) -> str:
    """The argument that was meant by a name that a call does not take; "" where none of those it takes is near.

    >>> argument("persistant", ["persistent"]), argument("dim", ["x", "axis"]), argument("max", ["clip_value_max", "x"])
    ('persistent', 'axis', 'clip_value_max')
    """
    names = list(known)
    habit = [other for other in _ARGUMENTS.get(name, ()) if other in names]
    near = habit or difflib.get_close_matches(name, names, 1, 0.75) or [o for o in names if sorted(o) == sorted(name)]
    parts = [other for other in names if other.endswith(f"_{name}")]
    return near[0] if near else parts[0] if len(parts) == 1 else ""


def meant(name: str, known: Iterable[str], space: str = "") -> str:
    """The end of the message for a name that `tf.space` does not have: what to write, or nothing.

    >>> meant("optimizerz", ["optimizers"]), meant("gradientTape", ["GradientTape"])
    (": did you mean 'optimizers'?", ": did you mean 'GradientTape'?")
    >>> meant("matvec", []), meant("randn", ["normal"]), meant("mean", [])
    (': write tf.linalg.matvec', ': write tf.random.normal([2, 3])', ': write tf.reduce_mean(x)')
    """
    if name in _HABITS:
        return f": write {_HABITS[name]}"
    names = [other for other in known if other != name]
    near = [other for other in names if other == f"{name}s"] or [
        other for other in names if other.lower() == name.lower()
    ]
    near = near or difflib.get_close_matches(name, names, 1, 0.9)
    advice = "" if near else ELSEWHERE.get(name) or _in_another_space(name, space) or _of_numpy(name)
    if advice:
        return f": write {advice}"
    near = near or difflib.get_close_matches(name, names, 1, 0.75)
    near = near or [other for other in names if len(other) > 3 and name.startswith(other)]  # stepper: step
    return f": did you mean {near[0]!r}?" if near else ""


def method(name: str) -> str:
    """What to write for a method that a tensor does not have; "" where nobody knows.

    >>> method("permute"), method("matmul"), method("add_"), method("wxyz")
    ('tf.transpose(x, axes)', 'tf.matmul(x, ...)', 'x = x + y: a tensor never changes', '')
    """
    if advice := ELSEWHERE.get(name) or _OF_TENSORS.get(name):
        return advice
    if name in ("add_", "sub_", "mul_", "div_"):
        return f"x = x {dict(add='+', sub='-', mul='*', div='/')[name[:-1]]} y: a tensor never changes"
    for space in ("", "nn.", "math.", "linalg."):
        room = importlib.import_module(f"minitape.{space}".rstrip("."))
        found = getattr(room, name) if name in room.__all__ else None
        if callable(found) and not isinstance(found, type):
            return f"tf.{space}{name}(x, ...)"
    return ""


def of_layer(name: str, called: str) -> str:
    """What to write for a method that PyTorch's layers have and those of Keras have not; "" for other names.

    >>> of_layer("eval", "model"), of_layer("call", "model")
    ('model(x, training=False)', '')
    """
    return _OF_LAYERS.get(name, "").replace("{}", called)


def _of_numpy(name: str) -> str:
    """What to write for one of NumPy's functions of arrays that TensorFlow's names do not have.

    >>> _of_numpy("median"), _of_numpy("load")
    ('np.median, of x.numpy(), for its numbers; tf.custom_gradient gives it a slope', '')
    """
    function = getattr(np, name, None)
    if not callable(function) or isinstance(function, type) or name.startswith("_"):
        return ""
    try:
        takes = "x" if isinstance(function, np.ufunc) else next(iter(inspect.signature(function).parameters), "")
    except ValueError:  # some of those that are written in C do not say
        return ""
    arrays = ("a", "ar", "arr", "ary", "element", "m", "v", "x", "x1", "y")
    return f"np.{name}, of x.numpy(), for its numbers; tf.custom_gradient gives it a slope" if takes in arrays else ""


def _in_another_space(name: str, here: str) -> str:
    """Where TensorFlow has this name; one that differs in its capitals only where none is the same."""
    alike = ""
    for space in SPACES:
        if space == here:
            continue
        full = f"tf.{space}.".replace("..", ".")
        for held in importlib.import_module(f"minitape.{space}".rstrip(".")).__all__:
            if held == name:
                return full + name
            if held.lower() == name.lower():
                alike = alike or full + str(held)
    return alike
