"""Every public function and method with every kind of bad argument: what is called, with what, and what a good answer is.

`python -m tests.deep.inputs 0 40 results` calls each fortieth function, in a process of its own: what ends the interpreter
or takes all memory is a result too.
"""

from __future__ import annotations

import contextlib
import inspect
import io
import itertools
import json
import os
import re
import resource
import signal
import sys
import time
import types
import warnings
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

import minitape as tf
import viz
from minitape.primitive import Primitive
from minitape.record.events import state

MEMORY = 3_000_000_000  # of addresses; NumPy and its threads take a part
LONGEST = 1.0  # seconds
OURS = "minitape", "viz"


# ---- what is called -----------------------------------------------------------------------------------------------------------


class Called(NamedTuple):
    """A function or method, under the first of its public names."""

    path: str
    function: Any
    owner: type | None  # of a method


def spaces() -> Iterator[tuple[str, Any]]:
    """Every public name of both packages, with its path as a learner writes it."""
    done: set[int] = set()

    def walk(space: types.ModuleType, path: str) -> Iterator[tuple[str, Any]]:
        if id(space) in done:
            return
        done.add(id(space))
        listed = getattr(space, "__all__", None)
        for name in [name for name in vars(space) if not name.startswith("_")] if listed is None else listed:
            found = getattr(space, name)
            if listed is None and (
                isinstance(found, types.ModuleType)
                or not str(getattr(found, "__module__", "")).startswith(space.__name__)
            ):
                continue  # what a module without a list imports for itself
            yield f"{path}.{name}", found
            if isinstance(found, types.ModuleType) and found.__name__.startswith(OURS):
                yield from walk(found, f"{path}.{name}")

    yield from walk(tf, "tf")
    yield from walk(viz, "viz")


# What is called by the library itself, or by what a program has made for it; nobody calls these with arguments of their own.
HOUSE = {
    # of recorders, handles and runs: what the library asks them
    "accessed", "beginning_with", "fold", "forget", "handle", "hear", "leave", "observe", "pull", "put_back", "record", "tangent",
    # of layers, initializers and the like: what their author writes; learners call the thing, which answers
    "call", "draw", "merged", "rate",
}  # fmt: skip
NOT_CALLED = {
    "tf.Tensor": "tf.constant makes it; this is the handle that the library makes",
    "tf.TensorShape.__getitem__": "as of a tuple, in Python's words",
    "tf.TensorShape.__add__": "as of a tuple",
    "tf.VariableAggregation": "an enum, whose words are Python's",
    "tf.VariableSynchronization": "an enum",
    "tf.UnconnectedGradients": "an enum",
    "tf.image.ResizeMethod": "names of methods",
}  # fmt: skip

OPERATORS = [
    "__call__",
    "__getitem__",
    "__add__",
    "__radd__",
    "__sub__",
    "__rsub__",
    "__mul__",
    "__rmul__",
    "__truediv__",
    "__rtruediv__",
    "__floordiv__",
    "__mod__",
    "__pow__",
    "__rpow__",
    "__matmul__",
    "__rmatmul__",
    "__eq__",
    "__ne__",
    "__lt__",
    "__le__",
    "__gt__",
    "__ge__",
    "__and__",
    "__or__",
    "__xor__",
    "__contains__",
    "__setitem__",
]


def everything() -> list[Called]:
    """All functions, rows, classes and their methods, each once."""
    found: dict[int, Called] = {}
    for path, what in spaces():
        if isinstance(what, type) and issubclass(what, BaseException):
            continue
        if isinstance(what, type) and what.__module__.startswith(OURS):
            found.setdefault(id(what), Called(path, what, None))
            for name in dir(what):
                method = inspect.getattr_static(what, name)
                plain = method.__func__ if isinstance(method, staticmethod | classmethod) else method
                public = not name.startswith("_") or name in OPERATORS
                if public and isinstance(plain, types.FunctionType) and plain.__module__.startswith(OURS):
                    found.setdefault(id(plain), Called(f"{path}.{name}", plain, what))
        elif isinstance(what, types.FunctionType | Primitive):
            found.setdefault(id(what), Called(path, what, None))
    called = [one for one in found.values() if one.path not in NOT_CALLED]
    return sorted(
        [one for one in called if one.owner is None or one.path.rpartition(".")[2] not in HOUSE],
        key=lambda one: one.path,
    )


# ---- with what ------------------------------------------------------------------------------------------------------------------


def _cycle() -> Any:
    ring: list[Any] = [1.0]
    ring.append(ring)
    return ring


def _deep(depth: int = 5_000) -> Any:
    nest: Any = 1.0
    for _ in range(depth):
        nest = [nest]
    return nest


def _dict_in_itself() -> Any:
    ring: dict[str, Any] = {"a": 1.0}
    ring["b"] = ring
    return ring


class Odd:
    """An object that is nothing in particular."""


class Refusing:
    """Compares with nothing, has no truth, no length and no text."""

    def _no(self, *given: Any) -> Any:
        raise ValueError("not asked")

    __bool__ = __len__ = __eq__ = __hash__ = __index__ = _no  # type: ignore[assignment]


GRID = np.arange(6.0, dtype=np.float32).reshape(2, 3) / 7 + 0.1

BAD: dict[str, Callable[[], Any]] = {
    "None": lambda: None,
    "a text": lambda: "text",
    "an empty text": lambda: "",
    "bytes": lambda: b"bytes",
    "half a letter": lambda: "a\ud800",
    "a long text": lambda: "x{}" * 70_000,
    "True": lambda: True,
    "nan": lambda: float("nan"),
    "inf": lambda: float("inf"),
    "a fraction": lambda: 1.5,
    "a complex number": lambda: 1.0 + 2.0j,
    "-1": lambda: -1,
    "-7": lambda: -7,
    "0": lambda: 0,
    "a billion": lambda: 10**9,
    "beyond int64": lambda: 2**70,
    "ten to the 5000": lambda: 10**5000,
    "an empty list": list,
    "no rows": lambda: np.zeros((0, 3), np.float32),
    "0-d": lambda: np.array(0.5, np.float32),
    "a shape of billions": lambda: [10**9, 10**9],
    "a billion elements": lambda: np.broadcast_to(np.float64(1), (10**9,)),
    "many axes": lambda: np.zeros((1,) * 40, np.float32),
    "objects": lambda: np.array([Odd(), None], object),
    "a structured array": lambda: np.zeros(2, [("a", "f4"), ("b", "i4")]),
    "a masked array": lambda: np.ma.array([1.0, 2.0], mask=[True, False]),
    "byte-swapped": lambda: GRID.astype(">f4"),
    "dates": lambda: np.array(["2026-01-01"], "datetime64[D]"),
    "durations": lambda: np.array([5], "timedelta64[s]"),
    "a matrix": lambda: np.asmatrix(GRID),
    "texts": lambda: np.array(["a", "b"]),
    "a list in itself": _cycle,
    "a deep list": _deep,
    "a dict": lambda: {"a": 1.0},
    "a dict in itself": _dict_in_itself,
    "a set": lambda: {1.0, 2.0},
    "a generator": lambda: (x for x in (1.0, 2.0)),
    "a class": lambda: Odd,
    "an object": Odd,
    "a refusing object": Refusing,
    "a function": lambda: lambda *given: None,
    "a function of nothing": lambda: lambda: 1.0,
    "a slice": lambda: slice(None, None, 0),
    "...": lambda: ...,
    "a module": lambda: types,
    "ragged": lambda: [[1.0], [2.0, 3.0]],
    "None inside": lambda: [1.0, None],
    "an int tensor": lambda: tf.constant([5, 6]),
    "a bool tensor": lambda: tf.constant([[True], [False]]),
    "a complex tensor": lambda: tf.constant([1.0 + 2.0j]),
    "a text tensor": lambda: tf.constant(["a"]),
    "a half tensor": lambda: tf.constant([1.0, 2.0], tf.float16),
    "a variable": lambda: tf.Variable([1.0, 2.0]),
    "a dtype": lambda: tf.float32,
    "a used generator": lambda: iter(()),
}  # fmt: skip

# The same numbers, spelled otherwise: the answer is the same.
SPELLINGS: dict[str, Callable[[np.ndarray], Any]] = {
    "non-contiguous": lambda x: np.repeat(x, 2, -1)[..., ::2],
    "column by column": np.asfortranarray,
    "backwards": lambda x: np.ascontiguousarray(x[..., ::-1])[..., ::-1],
    "read-only": lambda x: _read_only(x),
    "byte-swapped": lambda x: x.astype(x.dtype.newbyteorder(">")),
    "a subclass": lambda x: np.ma.array(x),
    "a tensor": tf.constant,
    "a variable": tf.Variable,
}


def _read_only(x: np.ndarray) -> np.ndarray:
    x = x.copy()
    x.flags.writeable = False
    return x


# ---- good arguments, so that one bad one is alone ---------------------------------------------------------------------------------


def _recorded() -> Any:
    x = tf.Variable([0.5, 0.25])
    with viz.record() as run, tf.GradientTape() as tape:
        y = tf.reduce_sum(x * x)
        tape.gradient(y, x)
    return run


def _tape() -> Any:
    with tf.GradientTape(persistent=True) as tape:
        X = tf.Variable(GRID)
        tape.watch(X)
        X * X
    return tape


def _model() -> Any:
    model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
    return model


SQUARE = np.array([[2.0, 0.5], [0.5, 3.0]], np.float32)
IMAGE = np.linspace(0.1, 0.9, 48, dtype=np.float32).reshape(1, 4, 4, 3)

GOOD: dict[str, list[Any]] = {
    "shape": [[2, 3]], "axis": [0, -1, [0]], "axes": [[0], 1, (0, 1)], "dtype": [tf.float32], "fn": [lambda *x: x[0]],
    "func": [lambda *x: x[0]], "function": [lambda *x: x[0]], "f": [lambda x: x * x], "num_classes": [3], "units": [2],
    "filters": [2, SQUARE.reshape(2, 2, 1, 1)], "kernel_size": [2], "rate": [0.5], "equation": ["ij->i"], "perm": [[1, 0]],
    "indices": [np.array([0, 1]), np.array([[0], [1]])], "run": ["run"], "figure": ["figure"], "why": ["why"],
    "plan": ["plan"], "path": ["out.json"], "name": ["x"], "steps": [4], "n": [4, 2], "policy": ["sqrt", None],
    "model": ["model"], "seed": [[1, 2], 3], "count": [2], "buffer_size": [2], "batch_size": [2], "size": [[4, 4], 2],
    "ksize": [2], "strides": [1], "padding": ["VALID"], "depth": [3], "num": [2], "k": [1], "images": [IMAGE], "image": [IMAGE[0]],
    "pred": [True], "true_fn": [lambda: 1.0], "false_fn": [lambda: 2.0], "cond": [lambda i: i < 3], "body": [lambda i: i + 1],
    "loop_vars": [[tf.constant(0)]], "elems": [GRID], "condition": [True], "text": ["{}"], "data": [{}], "tensors": [[GRID]],
    "values": [[GRID], GRID], "num_segments": [2], "segment_ids": [np.array([0, 1])], "mode": ["CONSTANT", 1],
    "paddings": [[[0, 0], [1, 1]]], "multiples": [[1, 2]], "repeats": [2], "shift": [1], "begin": [[0, 0]],
    "num_or_size_splits": [1], "mask": [np.array([True, False])], "y_true": [GRID], "y_pred": [GRID], "labels": [GRID],
    "logits": [GRID], "identifier": ["relu", "sgd", "mse"], "config": [{}], "program": [lambda x=1.0: tf.constant(x) * 2.0],
    "layer": ["layer"], "layers": [[]], "cell": ["cell"], "cells": [["cell"]], "dataset": ["dataset"], "datasets": [("dataset",)],
}  # fmt: skip
PLAIN = [GRID, SQUARE, 1, 0.5, [0], np.array([0, 1]), "x", IMAGE, [GRID], None, np.array([True, False]), "dataset"]
LIVE: dict[str, Callable[[], Any]] = {
    "run": _recorded,
    "figure": lambda: viz.schedule(tf.plan(4, "sqrt")).facts,
    "plan": lambda: tf.plan(4, "sqrt"),
    "model": _model,
    "layer": lambda: tf.keras.layers.Dense(2),
    "cell": lambda: tf.keras.layers.SimpleRNNCell(2),
    "dataset": lambda: tf.data.Dataset.from_tensor_slices(GRID),
}
# How an instance is made where good arguments by name are not enough.
MADE: dict[str, Callable[[], Any]] = {
    "Tensor": lambda: tf.constant(GRID),
    "Variable": lambda: tf.Variable(GRID),
    "GradientTape": lambda: _tape(),
    "TensorShape": lambda: tf.TensorShape([2, 3]),
    "DType": lambda: tf.float32,
    "Sequential": _model,
    "Model": _model,
    "Functional": _model,
    "Run": _recorded,
    "Dataset": lambda: LIVE["dataset"](),
    "Iterator": lambda: iter(LIVE["dataset"]()),
    "NumpyIterator": lambda: LIVE["dataset"]().as_numpy_iterator(),
    "DatasetSpec": lambda: LIVE["dataset"]().element_spec,
    "Figure": LIVE["figure"],
    "Scene": lambda: _recorded().scene,
    "Stream": lambda: _recorded().stream,
    "Picture": lambda: viz.graph(_recorded()),
    "Text": lambda: viz.table(_recorded()),
    "Comparison": lambda: viz.compare(_recorded()),
    "TensorArray": lambda: tf.TensorArray(tf.float32, 2),
    "Generator": lambda: tf.random.Generator.from_seed(1),
    "Layer": lambda: tf.keras.layers.Dense(2),
    "Optimizer": lambda: tf.keras.optimizers.SGD(),
    "Metric": lambda: tf.keras.metrics.Mean(),
    "Loss": lambda: tf.keras.losses.MeanSquaredError(),
    "Callback": tf.keras.callbacks.Callback,
    "Checkpoint": lambda: tf.train.Checkpoint(v=tf.Variable(1.0)),
    "ForwardAccumulator": lambda: tf.autodiff.ForwardAccumulator(tf.constant(1.0), tf.constant(1.0)),
}


def live(value: Any) -> Any:
    """A good value, those that are asked for by name made."""
    if isinstance(value, str) and value in LIVE:
        return LIVE[value]()
    nested = isinstance(value, list | tuple) and value and isinstance(value[0], str)
    return type(value)(live(each) for each in value) if nested else value


class Way(NamedTuple):
    """How a function is called: its parameters by place and by name, and good values for those it needs."""

    positions: list[str]  # any that can be given
    placed: list[str]  # those that can be given by place only
    needed: dict[str, Any]
    works: bool


def parameters(called: Called) -> list[inspect.Parameter]:
    function = called.function
    if isinstance(function, Primitive):
        kind = inspect.Parameter.VAR_POSITIONAL if function.variadic else inspect.Parameter.POSITIONAL_ONLY
        settings = (
            []
            if not hasattr(function.forward, "__code__")
            else [
                one
                for one in inspect.signature(function.forward).parameters.values()
                if one.kind is one.KEYWORD_ONLY or one.name not in function.arguments and one.default is not one.empty
            ]
        )
        operands = [
            inspect.Parameter(name, kind)
            for name in (function.arguments[:1] if function.variadic else function.arguments)
        ]
        return [*operands, *settings]
    found = list(inspect.signature(function).parameters.values())
    if called.owner is not None and not isinstance(
        inspect.getattr_static(called.owner, called.path.rpartition(".")[2]), staticmethod
    ):
        found = found[1:]
    if called.path.endswith("__"):
        return [
            one.replace(kind=one.POSITIONAL_ONLY) if one.kind is one.POSITIONAL_OR_KEYWORD else one for one in found
        ]
    return found


def target(called: Called) -> Any:
    """What is called: the function, or a method of an instance."""
    if called.owner is None:
        return called.function
    name = called.path.rpartition(".")[2]
    if isinstance(inspect.getattr_static(called.owner, name), staticmethod | classmethod):
        return getattr(called.owner, name)
    return getattr(instance(called.owner), name)


def instance(kind: type) -> Any:
    if kind.__name__ in MADE:
        return MADE[kind.__name__]()
    way = way_of(Called(kind.__name__, kind, None))
    if way.works:
        return given(kind, way, {})
    for parent in kind.__mro__[1:]:
        if parent.__name__ in MADE:
            return MADE[parent.__name__]()
    raise LookupError(kind)


def given(function: Any, way: Way, changed: dict[str, Any]) -> Any:
    """Call the function with good values, but for those that are changed."""
    values = {name: live(value) for name, value in way.needed.items()} | changed
    first = [values.pop(name) for name in way.placed if name in values]
    return function(*first, **values)


def way_of(called: Called) -> Way:
    """Good values for what the function needs: those that its names suggest, and then others, until a call goes through."""
    found = [one for one in parameters(called) if one.kind is not one.VAR_KEYWORD]
    placed = [one.name for one in found if one.kind in (one.POSITIONAL_ONLY, one.VAR_POSITIONAL)]
    needed = [one.name for one in found if one.default is one.empty]
    choices = [[*GOOD.get(name, []), *PLAIN] for name in needed]
    names = [one.name for one in found]
    target_ = target(called) if called.owner is not None else called.function
    # The first choices of all before the later ones of any.
    for places in sorted(itertools.product(*[range(len(each)) for each in choices[:4]]), key=sum)[:150]:
        values = {name: choices[at][place] for at, (name, place) in enumerate(zip(needed, places, strict=False))}
        way = Way(names, placed, values, True)
        with contextlib.suppress(Exception), limited():
            given(target_, way, {})
            return way
    return Way(names, placed, {name: choices[at][0] for at, name in enumerate(needed)}, False)


# ---- what a good answer is -------------------------------------------------------------------------------------------------------


# What is asked for is a list of values, a shape or a word, and Python goes through what it was given instead.
ONE_BY_ONE = {
    *[
        (name, "a billion elements")
        for name in ("compute_output_shape", "from_list", "set_floatx", "switch_case", "take")
    ],
    ("build", "bytes"),  # a shape of billions
}


class TooLong(BaseException):
    """It was not back in time."""


@contextlib.contextmanager
def limited(seconds: float = 2 * LONGEST) -> Iterator[None]:
    """Quiet, and for so long at most."""

    def late(*given: Any) -> None:
        raise TooLong

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        with (
            warnings.catch_warnings(),
            contextlib.redirect_stdout(io.StringIO()),
            contextlib.redirect_stderr(io.StringIO()),
        ):
            warnings.simplefilter("ignore")
            yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


KINDS = (
    tf.errors.MinitapeWarning,
    TypeError,
    ValueError,
    LookupError,
    RuntimeError,
    OSError,
    AttributeError,
    tf.errors.OpError,
)
# What Python and NumPy say of their own insides.
INSIDE = re.compile(
    r"object has no attribute|unhashable type|not subscriptable|object is not iterable|not callable|values to unpack|"
    r"object cannot be interpreted|recursion depth|cannot reshape|setting an array element|ufunc|unsupported operand|"
    r"must be real number|invalid literal|could not convert|"
    r"index out of range|list indices must|string indices|codec can't|Exceeds the limit|"
    r"no len\(\)|math domain|cannot convert float|too large to convert|operands could not|dimension is not"
)


def problem_with(error: BaseException) -> str:
    """What is wrong with an error that was raised; "" if it is as it should be."""
    text = str(error)
    if isinstance(error, TooLong):
        return "too long"
    if not isinstance(error, KINDS):
        return f"kind {type(error).__name__}"
    first = text.partition("\n")[0]
    if in_the_programs_own(error):
        return ""
    if INSIDE.search(first) and " cannot " not in first and "[Op:" not in first:
        return f"bare: {type(error).__name__}: {INSIDE.search(first)[0]}"  # type: ignore[index]
    if len(text) > 3_000:
        return f"long message: {len(text) // 1000} thousand letters"
    with contextlib.suppress(UnicodeEncodeError):
        text.encode()
        site = getattr(error, "site", None)
        if site is None:
            return f"no line: {type(error).__name__}"
        if site.filename != __file__ or f"  at {site}" not in text:
            return f"another line: {type(error).__name__}"
        return ""
    return "half a letter in the message"


def in_the_programs_own(error: BaseException) -> bool:
    """Whether a function or an object of the program's itself raised it."""
    trace = error.__traceback__
    while trace is not None:
        code = trace.tb_frame.f_code
        if code.co_filename == __file__ and code.co_name in ("<lambda>", "_no"):
            return True
        trace = trace.tb_next
    return False


def quiet() -> tuple[Any, ...]:
    """What a call leaves as it was."""
    return (
        state.recorders, state.listeners, state.context, state.holder, state.site, state.instead, os.getcwd(),
        np.random.get_state()[2], sys.getrecursionlimit(),
    )  # fmt: skip


def plain(result: Any) -> Any:
    """The numbers of an answer, to be compared; None where it has none."""
    try:
        return [
            each.numpy() if tf.is_tensor(each) else np.array(each, dtype="=f4" if _swapped(each) else None)
            for each in tf.nest.flatten(result)
        ]
    except Exception:
        return None


# By chance another answer, or one about the argument's own type.
ABOUT_THE_MAKE = re.compile(r"random|shuffle|is_tensor|is_numeric_tensor|compute_output_shape")


def _swapped(value: Any) -> bool:
    return isinstance(value, np.ndarray) and not value.dtype.isnative  # handed through, as it came


def same(one: Any, other: Any) -> bool:
    """Whether two answers have the same numbers, to the bit or nearly: another order in memory may add up in another order."""
    if one is None or other is None or len(one) != len(other):
        return one is other
    return all(
        a.shape == b.shape
        and a.dtype == b.dtype
        and (a.dtype.kind not in "biufc" or np.allclose(a, b, 1e-5, 1e-6, equal_nan=True))
        for a, b in zip(one, other, strict=True)
    )


Log = Callable[[dict[str, Any]], None]


def tried(called: Called, log: Log) -> None:
    """All kinds of bad argument at all positions of one function, and other spellings of good ones."""
    try:
        way = way_of(called)
    except Exception as error:
        log({"path": called.path, "unmade": f"{type(error).__name__}: {error}"[:200]})
        return
    log({"path": called.path, "works": way.works, "positions": len(way.positions)})
    for position in way.positions:
        data = isinstance(way.needed.get(position), np.ndarray)
        for kind, make in BAD.items():
            if kind == "a billion elements" and not data or (called.path.rpartition(".")[2], kind) in ONE_BY_ONE:
                continue  # where a word or a number goes: Python compares it with that, element by element, and only that takes long
            log({"path": called.path, "position": position, "kind": kind, "begun": True})
            bad(called, way, position, kind, make(), log)
        if way.works and isinstance(way.needed.get(position), np.ndarray):
            spelled(called, way, position, log)


def bad(called: Called, way: Way, position: str, kind: str, value: Any, log: Log) -> None:
    """One call, and what was wrong with it."""
    function, before, wrong, text = target(called), quiet(), "", ""
    start = time.process_time()
    try:
        with limited():
            given(function, way, {position: value})
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt | SystemExit):
            wrong = type(error).__name__
        else:
            wrong, text = problem_with(error), f"{type(error).__name__}: {error}"
    taken = time.process_time() - start
    if taken > LONGEST and not wrong:
        wrong = "slow"
    if called.path.endswith("timeseries_dataset_from_array"):  # its seed is NumPy's next number, as Keras has it
        before = quiet()
    if quiet() != before:
        wrong = "left something: " + str([a for a, b in zip(before, quiet(), strict=True) if a != b])[:100]
        tf.recorders(leave=True)
    tf.strict(None)
    if wrong:
        where = {"path": called.path, "position": position, "kind": kind}
        log({**where, "wrong": wrong, "text": ascii(text[:600]), "seconds": taken})


def spelled(called: Called, way: Way, position: str, log: Log) -> None:
    """The same numbers in other arrays: the same answer, wherever a second call gives that of the first."""
    function, good = target(called), way.needed[position]

    def answer(value: Any) -> Any:
        with limited():
            return plain(given(function, way, {position: value}))

    first, second = answer(good), answer(good)
    if first is None or not same(first, second) or ABOUT_THE_MAKE.search(called.path):
        return
    for kind, spell in SPELLINGS.items():
        where = {"path": called.path, "position": position, "kind": kind}
        log({**where, "spelled": True})
        try:
            found = answer(spell(good))
        except Exception as error:
            own = kind in ("a tensor", "a variable") and isinstance(error, tf.errors.InvalidArgumentError)
            if not own:  # an array takes the op's dtype, a tensor has its own
                text = ascii(f"{type(error).__name__}: {error}"[:600])
                log({**where, "wrong": "another spelling is refused", "text": text})
        else:
            if not same(first, found):
                log({**where, "wrong": "another spelling, another answer", "text": f"{first} {found}"[:600]})


def main(first: int, step: int, results: str) -> None:
    """Try each `step`-th function, from `first` on, and write down what was wrong."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with open(results, "a", encoding="utf-8", errors="backslashreplace") as file:

        def log(row: dict[str, Any]) -> None:
            file.write(json.dumps(row) + "\n")
            file.flush()

        for called in everything()[first::step]:
            resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.RLIM_INFINITY))
            tried(called, log)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
