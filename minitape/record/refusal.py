"""A refusal says what happened, on which of the learner's lines, and what to type next."""

from __future__ import annotations

import functools
import inspect
import opcode
import os
import re
import reprlib
import sys
from collections.abc import Iterable
from types import FrameType, FunctionType, TracebackType
from typing import Any, TypeVar

import numpy as np

from ..absent import refuses
from ..errors import InvalidArgumentError, OpError, ResourceExhaustedError
from .events import here, refused
from .provenance import Site, hide_library, is_library

Problem = TypeVar("Problem", bound=Exception)


def refusal(kind: type[Problem], text: str, advice: str = "") -> Problem:
    """An exception of this kind: the text, the learner's line (also as `.site`), and the advice under it.

    >>> x = refusal(ValueError, "3 pairs for 2 axes", "Write one pair per axis.")
    >>> print(str(x).replace(str(x.site), "the line"))
    3 pairs for 2 axes
      at the line
      Write one pair per axis.
    """
    site = here()
    problem: Any = kind(
        f"{printable(text)}\n  at {printable(str(site))}" + (f"\n  {printable(advice)}" if advice else "")
    )
    problem.site = site
    hide_library()
    return refused(problem)


# What nearly all refusals are: `raise value_error("3 pairs for 2 axes", "Write one pair per axis.")`.
value_error = functools.partial(refusal, ValueError)
type_error = functools.partial(refusal, TypeError)
invalid_argument = functools.partial(refusal, InvalidArgumentError)


# Halves of characters, controls (but for line ends and tabs), and what turns a line around or breaks it.
_STEERS = re.compile("[\ud800-\udfff\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def printable(text: str, most: int = 1_000) -> str:
    """A text as it may stand in a message: of a megabyte the beginning and the end, and signs that steer a terminal written out.

    >>> printable("x" * 5_000, 20), printable("half a letter: \\ud800")
    ('xxxxxxxxxx … xxxxxxxxxx', 'half a letter: \\\\ud800')
    """
    text = text if len(text) <= most else f"{text[: most // 2]} … {text[-most // 2 :]}"
    return _STEERS.sub(lambda found: ascii(found[0])[1:-1], text)


def needs_function(value: Any, what: str, write: str) -> None:
    """Raise TypeError where something that will be called is no function.

    >>> needs_function(5, "tf.map_fn: fn", "tf.map_fn(lambda x: x * x, xs)")
    Traceback (most recent call last):
    TypeError: tf.map_fn: fn must be a function, got 5...
    """
    if not callable(value):
        raise refusal(TypeError, f"{what} must be a function, got {value!r}", f"Write {write}.")


# ---- doors before public names ----
#
# Every public function answers bad input: what was refused, on which of the learner's lines, and how the call is written.
#
# Most refusals are written where the mistake is understood (`refusal`, above).  What nobody thought of comes out of Python or
# NumPy as a bare error in the middle of the library.  So public names stand behind a door: an error that passes it on its way to
# the learner is given the line, the arguments and the signature, unless it has them or comes from a function of the learner's.

# What such errors are for the caller: where several fit, the first.  Errors that are no mistake of an argument's pass.
_KINDS: tuple[tuple[type[Exception], type[Exception]], ...] = (
    (MemoryError, ResourceExhaustedError),
    (LookupError, InvalidArgumentError),
    (ArithmeticError, InvalidArgumentError),
    (ValueError, ValueError),
    (TypeError, TypeError),
    (AttributeError, TypeError),
    (RecursionError, ValueError),
    (AssertionError, ValueError),
)
# Errors that say themselves what is wrong; only the line and the call are missing.
_SPEAKING = OSError, RuntimeError, OpError
_PASSING = Warning, ImportError
_PYTHON = os.path.dirname(os.__file__) + os.sep


@functools.cache
def _ours() -> tuple[str, ...]:
    """The folders of both packages."""
    return tuple(
        [
            os.path.dirname(os.path.abspath(str(sys.modules[name].__file__))) + os.sep
            for name in _PACKAGES
            if name in sys.modules
        ]
    )


_paths: dict[type, str] = {}  # by class: the first of its names
_doors: dict[Any, Any] = {}  # by what stands behind: a function has one door, under however many names


def answering(space: dict[str, Any], path: str, names: Iterable[str] | None = None) -> None:
    """Put a door before each function of a namespace, and before the public methods and `__init__` of its classes.

    `path` is the namespace as the learner writes it, "tf.math"; `names` are the public ones, by default all without an
    underscore.  They are what Tab offers there.  A name that is missing says what was meant, or why it is missing.
    """
    public = sorted([name for name in space if not name.startswith("_")] if names is None else names)
    space["__dir__"] = lambda: public
    space.setdefault("__getattr__", refuses(path, public))
    for name in public:
        found = space.get(name)
        if (
            name in {*_BUSY, *_PASSES_ON}
            or name.startswith("_")
            or not str(getattr(found, "__module__", "")).startswith(_PACKAGES)
        ):
            continue
        if isinstance(found, FunctionType):
            space[name] = door(found, f"{path}.{name}")
        elif isinstance(found, type) and not issubclass(found, BaseException) and found.__name__ not in _WITHOUT:
            _paths.setdefault(found, f"{path}.{name}")
            for kind in found.__mro__:  # what it has from a base that is no public name answers too
                if kind not in _doors and kind.__module__.startswith(_PACKAGES) and kind.__name__ not in _WITHOUT:
                    _doors[kind] = kind
                    _methods(kind)


_PACKAGES = "minitape", "viz"
# They answer for themselves, and are called so often that a door would be felt: in each step of a training loop.
_WITHOUT = {"Block", "Shared", "Tensor"}
_BUSY = {"reduce_max", "reduce_mean", "reduce_sum"}
_PASSES_ON = {"record_jax"}  # what it raises is said in JAX's own words
_HOT = {
    "ForwardAccumulator.__init__", "GradientTape.gradient", "GradientTape.pull", "Layer.__call__", "Operand.numpy", "Operand.ref",
    "Optimizer.apply_gradients", "Recording.__init__", "Recording.watch", "Variable.assign_add", "Variable.assign_sub",
    "Variable.read_value", "Variable.value", "accessed", "call", "fold", "forget", "leave", "put_back", "record", "tangent",
    "update_step", "hear", "observe",  # these two at every event
}  # fmt: skip


def _methods(kind: type) -> None:
    for name, found in list(vars(kind).items()):
        hot = name in _HOT or f"{kind.__name__}.{name}" in _HOT
        if hot or name.startswith("_") and name not in ("__init__", "__call__"):
            continue
        if isinstance(found, FunctionType):
            setattr(kind, name, door(found, name, kind))
        elif isinstance(found, staticmethod | classmethod) and isinstance(found.__func__, FunctionType):
            setattr(kind, name, type(found)(door(found.__func__, name, kind)))


def door(function: Any, name: str, kind: type | None = None) -> Any:
    """The function behind a door, which answers errors that nobody thought of: by its path, or as a method of `kind`."""
    if function in _doors:
        return _doors[function]

    @functools.wraps(function)
    def answers(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except Exception as problem:
            caller = sys._getframe(1)
            if not _is_bare(problem, caller):
                raise
            if kind and not (args and isinstance(args[0], kind)) and _is_of_an_object(function):
                raise of_a_class(name, _paths.get(kind, kind.__name__), args[0] if args else None) from None
            called = _method(name, kind, args) if kind else name
            raise _with_line_and_call(
                problem, Site(caller.f_code, caller.f_lasti), function, called, args, kwargs
            ) from None

    _doors[answers] = answers
    return _doors.setdefault(function, answers)


def _is_of_an_object(method: Any) -> bool:
    return next(iter(inspect.signature(method).parameters), "") == "self"


def of_a_class(name: str, path: str, first: Any) -> Exception:
    """What to raise where a method was called on a class, so that its first argument was taken for the object."""
    return refusal(
        TypeError,
        f"{name} was called on a class, and not on what it makes"
        + (f": {described(first)}" if first is not None else ""),
        f"With brackets a class makes an object: made = {path}(...), and made.{name}(...).",
    )


def _never_began(problem: Exception) -> bool:
    """Whether a door's function did not take the arguments at all: Python says which are missing or too many."""
    trace = problem.__traceback__
    return trace is not None and trace.tb_next is None and trace.tb_frame.f_code.co_name == "answers"


def answered(problem: Exception, name: str, function: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Exception:
    """What to raise for an error out of a call that has no door: the error itself, if it names the learner's line already."""
    if isinstance(problem, _PASSING) or not unexplained(problem):
        return problem
    return _with_line_and_call(problem, here(), behind(function), name, args, kwargs)


def _method(name: str, kind: type, args: tuple[Any, ...]) -> str:
    """What a learner writes to call it: by the first public name of what it belongs to."""
    of = args[0] if args and isinstance(args[0], type) else type(args[0]) if args else kind
    path = next((_paths[base] for base in (*of.__mro__, kind) if base in _paths), kind.__name__)
    return path if name == "__init__" else f"{path}.{name}"


def behind(function: Any) -> Any:
    """The function behind a door; anything else is itself."""
    return getattr(function, "__wrapped__", function) if _doors.get(function) is function else function


def _is_bare(problem: Exception, caller: FrameType) -> bool:
    """Whether an error names no line yet, and was raised in the library itself, called by the learner."""
    return not isinstance(problem, _PASSING) and not is_library[caller.f_code.co_filename] and unexplained(problem)


def unexplained(problem: Exception) -> bool:
    """Whether an error comes out of the library, and is not yet a refusal that says what happened and where."""
    said = hasattr(problem, "site") and not isinstance(problem, AttributeError)  # a tensor's, asked for what it has not
    own = type(problem).__module__.startswith(_PACKAGES) and not isinstance(problem, OpError)  # they say all there is
    return not (said or own) and _is_ours(problem.__traceback__)


def _is_ours(trace: TracebackType | None) -> bool:
    """Whether no function of the learner's is on the way; the first frame is the one that caught it."""
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if not is_library[name] and not name.startswith((_PYTHON, "<frozen")) and not name.endswith((".pyx", ".pxd")):
            return False
        trace = trace.tb_next
    return True


def in_our_words(problem: Exception) -> bool:
    """Whether a `raise` of the library's own made it, and not Python or NumPy, whose words are about their insides."""
    trace = problem.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    inside = trace is None or not trace.tb_frame.f_code.co_filename.startswith(_ours())
    if trace is None or inside or isinstance(problem, AttributeError):
        return False
    return opcode.opname[trace.tb_frame.f_code.co_code[trace.tb_lasti]] == "RAISE_VARARGS"


def did_you_mean(unknown: Iterable[str], known: Iterable[str], both: bool = False) -> str:
    """The end of a sentence about keyword arguments that a call does not take; with `both` names where none is told yet.

    >>> did_you_mean(["persistant"], ["persistent"]), did_you_mean(["zebra"], ["persistent"])
    (". Did you mean 'persistent'?", '')
    """
    from ..misspelt import argument  # only a misspelt name needs it

    known = list(known)
    meant = [(name, near) for name in unknown if (near := argument(name, known))]
    return "".join([f". Did you mean {near!r}{f' by {name!r}' * both}?" for name, near in meant[:1]])


def _meant(problem: Exception, words: str, signature: inspect.Signature, given: Iterable[str]) -> str:
    """What was meant where Python says that an argument is unexpected or missing: one that was not given."""
    if not isinstance(problem, TypeError) or "Did you mean" in words:  # newer Pythons say it themselves
        return ""
    left = [item for item in signature.parameters.values() if item.name not in given]
    # A call that takes any keyword has taken the misspelt one, too, and misses the argument that was meant.
    absorbed = "unexpected keyword" not in words
    names = [
        item.name
        for item in left
        if item.kind not in (item.VAR_KEYWORD, item.VAR_POSITIONAL) and (not absorbed or repr(item.name) in words)
    ]
    return did_you_mean([name for name in given if name not in signature.parameters], names, absorbed)


def _with_line_and_call(
    problem: Exception,
    site: Site,
    function: FunctionType,
    name: str,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Exception:
    speaks = isinstance(problem, _SPEAKING) and not isinstance(problem, RecursionError)
    kind: Any = type(problem) if speaks else next((what for of, what in _KINDS if isinstance(problem, of)), ValueError)
    if isinstance(problem, IndexError) and name.startswith("viz."):  # a step that is not there
        kind = IndexError  # ops speak TensorFlow's kinds
    own = function.__name__ == "__init__" and args and getattr(type(args[0]), "__signature__", None)
    signature = own or inspect.signature(function)
    names = [
        parameter.name for parameter in signature.parameters.values() if parameter.kind is not parameter.KEYWORD_ONLY
    ]
    if own:
        args = args[1:]
    elif names[:1] in (["self"], ["cls"]):
        signature = signature.replace(parameters=list(signature.parameters.values())[1:])
        names, args = names[1:], args[1:]
    given, name = [*zip(names, args, strict=False), *kwargs.items()], _as_written(name, site)
    what = ", ".join(f"{each}={described(value)}" for each, value in given) or "nothing"
    plain = ", ".join(
        [str(parameter.replace(annotation=parameter.empty)) for parameter in signature.parameters.values()]
    )
    words, written = _words(problem), f"It is written {name}({plain})."
    if "<" in function.__qualname__ or function.__qualname__.startswith("_"):  # a name that only the house knows
        words = words.replace(f"{function.__qualname__}()", f"{name.rpartition('.')[2]}()")
    words += _meant(problem, words, signature, [each for each, _ in given])
    if _never_began(problem):
        written = getattr(function, "instead", written)  # of what the library calls itself
    if speaks or in_our_words(problem) or _never_began(problem) or problem.__traceback__ is None:
        first, more = words, f"{name} was given {what}."
    else:
        first, more = f"{name} cannot take {what}", f"Python says of it: {type(problem).__name__}: {words}"
    answer: Any = kind(f"{printable(first)}\n  at {printable(str(site))}\n  {printable(more)}\n  {printable(written)}")
    answer.site = site
    hide_library()
    return refused(answer)


def _as_written(name: str, site: Site) -> str:
    """The name by which a line calls a function that has several, tf.nn.softmax and tf.math.softmax."""
    called = set(re.findall(rf"\btf(?:\.\w+)*\.{re.escape(name.rpartition('.')[2])}(?=\()", site.text))
    return called.pop() if len(called) == 1 else name


def _words(problem: Exception) -> str:
    try:
        return str(problem)
    except Exception:  # Python does not write out a number of thousands of digits
        return type(problem).__name__


class _Short(reprlib.Repr):
    """Arguments in a few words, whatever they are: plain values as they are written, anything else by what it is."""

    def repr1(self, x: Any, level: int) -> str:
        if isinstance(x, np.generic):
            return f"{type(x).__name__} {x}"
        if hasattr(x, "shape") and hasattr(x, "dtype") and not isinstance(x, type):
            return f"{type(x).__name__} {x.dtype} {list(x.shape)}"
        if isinstance(x, int) and abs(x) >= 10**30:
            return "a huge number"
        return super().repr1(x, level)

    def repr_instance(self, x: Any, level: int) -> str:
        if x is None or isinstance(x, bool | float | complex | bytes):
            return repr(x)[:40]
        return x.__qualname__ if isinstance(x, type | FunctionType) else f"a {type(x).__name__}"


_short = _Short().repr


def described(value: Any) -> str:
    """An argument in a few words; one that has no words of its own by its kind.

    >>> described([1.0, [2.0]]), described(10**5000), described(print)
    ('[1.0, [2.0]]', 'a huge number', 'a builtin_function_or_method')
    """
    try:
        return printable(_short(value), 120)
    except Exception:  # a text of somebody's own that fails
        return f"a {type(value).__name__}"
