"""Every public function and method of both packages, and how each is called."""

from __future__ import annotations

import contextlib
import inspect
import io
import itertools
import signal
import types
import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import minitape as tf
import viz
from minitape.primitive import Primitive

from .arguments import GOOD, MADE, PLAIN, live

LONGEST = 1.0  # seconds
OURS = "minitape", "viz"


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
    # of layers, initializers, optimizers and the like: what their author writes; learners call the thing, which answers
    "call", "draw", "merged", "rate", "step",
}  # fmt: skip
NOT_CALLED = {
    "tf.Tensor": "tf.constant makes it; this is the handle that the library makes",
    "tf.TensorShape.__getitem__": "as of a tuple, in Python's words",
    "tf.TensorShape.__add__": "as of a tuple",
    "tf.VariableAggregation": "an enum, whose words are Python's",
    "tf.VariableSynchronization": "an enum",
    "tf.UnconnectedGradients": "an enum",
    "tf.image.ResizeMethod": "names of methods",
    "tf.experimental.numpy.issubdtype": "NumPy's own function of dtypes, in NumPy's words",
}  # fmt: skip

OPERATORS = [
    "__call__", "__getitem__", "__add__", "__radd__", "__sub__", "__rsub__", "__mul__", "__rmul__", "__truediv__",
    "__rtruediv__", "__floordiv__", "__mod__", "__pow__", "__rpow__", "__matmul__", "__rmatmul__", "__eq__", "__ne__",
    "__lt__", "__le__", "__gt__", "__ge__", "__and__", "__or__", "__xor__", "__contains__", "__setitem__",
]  # fmt: skip


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


# ---- how ------------------------------------------------------------------------------------------------------------------


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
    # What stands before `*args` cannot be given by its name.
    many = [one.kind for one in found if one.kind is one.VAR_POSITIONAL]
    kinds = {inspect.Parameter.POSITIONAL_ONLY, *many, *([inspect.Parameter.POSITIONAL_OR_KEYWORD] if many else [])}
    placed = [one.name for one in found if one.kind in kinds]
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
