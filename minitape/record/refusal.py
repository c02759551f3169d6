"""A refusal says what happened, on which of the learner's lines, and what to type next."""

from __future__ import annotations

import functools
import inspect
import os
import reprlib
import sys
from collections.abc import Iterable
from types import FrameType, FunctionType, TracebackType
from typing import Any, TypeVar

from ..errors import InvalidArgumentError, ResourceExhaustedError
from .events import here
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
    problem: Any = kind(f"{text}\n  at {site}" + (f"\n  {advice}" if advice else ""))
    problem.site = site
    hide_library()
    return problem


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
_PYTHON = os.path.dirname(os.__file__) + os.sep
_doors: dict[Any, Any] = {}  # by what stands behind: a function has one door, under however many names


def answering(space: dict[str, Any], path: str, names: Iterable[str] | None = None) -> None:
    """Put doors before the functions of a namespace, and before what its classes are made with and asked for.

    `path` is the namespace as the learner writes it, "tf.math"; `names` are the public ones, by default all without an
    underscore.
    """
    for name in list(space) if names is None else names:
        found = space.get(name)
        if name in _HOT or name.startswith("_") or not str(getattr(found, "__module__", "")).startswith(_PACKAGES):
            continue
        if isinstance(found, FunctionType):
            space[name] = door(found, f"{path}.{name}")
        elif isinstance(found, type) and not issubclass(found, BaseException) and found not in _doors:
            _doors[found] = found
            _methods(found, f"{path}.{name}")


_PACKAGES = "minitape", "viz"
# They answer for themselves, and are called so often that a door would be felt: in each step of a training loop.
_WITHOUT = {"ForwardAccumulator", "GradientTape", "Tensor"}
_HOT = {
    "apply", "apply_gradients", "assign_add", "assign_sub", "call", "read_value", "reduce_max", "reduce_mean", "reduce_sum",
    "update_step", "value",
    "forget", "hear", "observe",  # what the core itself calls, at every event
}  # fmt: skip


def _methods(kind: type, path: str) -> None:
    for name, found in list(vars(kind).items()) if kind.__name__ not in _WITHOUT else ():
        if name in _HOT or name.startswith("_") and name != "__init__":
            continue
        called = path if name == "__init__" else f"{path}.{name}"
        if isinstance(found, FunctionType):
            setattr(kind, name, door(found, called))
        elif isinstance(found, staticmethod | classmethod) and isinstance(found.__func__, FunctionType):
            setattr(kind, name, type(found)(door(found.__func__, called)))
    made: Any = kind.__init__  # type: ignore[misc]
    if "__init__" not in vars(kind) and isinstance(made, FunctionType) and kind.__name__ not in _WITHOUT:
        again = door(behind(made), path, again=True)  # one that says the name of this class
        kind.__init__ = again  # type: ignore[misc]


def door(function: Any, name: str, again: bool = False) -> Any:
    """The function, which answers for itself; `again`: under another name than before."""
    if function in _doors and not again:
        return _doors[function]

    @functools.wraps(function)
    def answers(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except Exception as problem:
            caller = sys._getframe(1)
            if not _is_bare(problem, caller):
                raise
            raise _answered(problem, Site(caller.f_code, caller.f_lasti), function, name, args, kwargs) from None

    _doors[answers] = answers
    return answers if again else _doors.setdefault(function, answers)


def behind(function: Any) -> Any:
    """The function behind a door; anything else is itself."""
    return getattr(function, "__wrapped__", function) if _doors.get(function) is function else function


def _is_bare(problem: Exception, caller: FrameType) -> bool:
    """Whether nobody has said the line, and the library itself ran into it, called by the learner."""
    return (
        not hasattr(problem, "site")
        and not isinstance(problem, Warning)
        and isinstance(problem, tuple([kind for kind, _ in _KINDS]))
        and not is_library[caller.f_code.co_filename]
        and _is_ours(problem.__traceback__)
    )


def _is_ours(trace: TracebackType | None) -> bool:
    """Whether no function of the learner's is on the way; the first frame is the door's."""
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if not is_library[name] and not name.startswith((_PYTHON, "<frozen")) and not name.endswith(".pyx"):
            return False
        trace = trace.tb_next
    return True


def _answered(
    problem: Exception,
    site: Site,
    function: FunctionType,
    name: str,
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
) -> Exception:
    kind = next(as_what for of, as_what in _KINDS if isinstance(problem, of))
    if isinstance(problem, IndexError) and name.startswith(
        "viz."
    ):  # a step that is not there; ops speak TensorFlow's kinds
        kind = IndexError
    signature = inspect.signature(function)
    names = [one.name for one in signature.parameters.values() if one.kind is not one.KEYWORD_ONLY]
    if names[:1] in (["self"], ["cls"]):
        signature = signature.replace(parameters=list(signature.parameters.values())[1:])
        names, args = names[1:], args[1:]
    given = [*zip(names, args, strict=False), *kwargs.items()]
    told = ", ".join(f"{each}={_described(value)}" for each, value in given) or "nothing"
    words = str(problem) if kind in (TypeError, ValueError, IndexError) else f"{type(problem).__name__}: {problem}"
    plain = ", ".join([str(one.replace(annotation=one.empty)) for one in signature.parameters.values()])
    answer: Any = kind(f"{words}\n  at {site}\n  {name} was given {told}.\n  It is written {name}({plain}).")
    answer.site = site
    hide_library()
    return answer


class _Short(reprlib.Repr):
    """Arguments in a few words, whatever they are: plain values as they are written, anything else by what it is."""

    def repr1(self, x: Any, level: int) -> str:
        if hasattr(x, "shape") and hasattr(x, "dtype") and not isinstance(x, type):
            return f"{type(x).__name__} {x.dtype} {list(x.shape)}"
        if isinstance(x, int) and abs(x) >= 10**30:
            return "a huge number"
        return super().repr1(x, level)

    def repr_instance(self, x: Any, level: int) -> str:
        if x is None or isinstance(x, bool | float | complex | bytes):
            return repr(x)[:40]
        return x.__qualname__ if isinstance(x, type | FunctionType) else f"a {type(x).__name__}"


_described = _Short().repr
