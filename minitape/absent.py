"""What is said of a name that is not there: that it is out of scope, and why, or which one was meant."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any, NoReturn


def no_method(kind: str, name: str) -> str:
    """The message for an attribute that a tensor or variable does not have.

    >>> no_method("Tensor", "mean")
    "'Tensor' object has no attribute 'mean': write tf.reduce_mean(x)"
    """
    from .misspelt import method

    advice = method(name)
    return f"{kind!r} object has no attribute {name!r}" + (f": write {advice}" if advice else "")


def refuses(path: str, known: Iterable[str] = ()) -> Callable[[str], NoReturn]:
    """A namespace's `__getattr__`: for names out of scope it says why, for misspelt ones which of the known was meant.

    >>> refuses("tf.experimental")("dtensor")
    Traceback (most recent call last):
        ...
    AttributeError: module 'minitape.experimental' has no attribute 'dtensor': out of scope (other devices than the one CPU)
    """
    space = path.removeprefix("tf.")
    module = path if space == path else f"minitape.{space}"  # viz, say

    def absent_here(name: str) -> NoReturn:
        text = f"module {module!r} has no attribute {name!r}"
        if (name.startswith("__") and name != "__version__") or _asked_by_an_import():
            raise AttributeError(text, name=name)
        from .out_of_scope import INSIDE

        refused = INSIDE.get(space, {})
        why = refused.get(name)
        said = "" if why else _meant(name, known, space)
        if not said.startswith(": did you mean"):
            why = why or refused.get("*")
        if not said:
            elsewhere = [table[name] for table in INSIDE.values() if name in table]
            why = why or next(iter(elsewhere), refused.get(""))
        # Told the name, Python does not add what it would have meant itself.
        raise AttributeError(f"{text}: out of scope ({why})" if why else text + said, name=name)

    return absent_here


def no_name(name: str, known: Iterable[str]) -> str:
    """The message for a name that the library does not have.

    >>> no_name("ragged", [])
    "module 'minitape' has no attribute 'ragged': out of scope (ragged tensors: pad the rows to one length, or loop over them)"
    >>> no_name("reduce_som", ["reduce_sum"])
    "module 'minitape' has no attribute 'reduce_som': did you mean 'reduce_sum'?"
    """
    from .out_of_scope import NAMES

    text = f"module 'minitape' has no attribute {name!r}"
    if name in NAMES:
        return f"{text}: out of scope ({NAMES[name]})"
    return text + _meant(name, known)


def _meant(name: str, known: Iterable[str], space: str = "") -> str:
    if name.startswith("_") or _asked_by_an_import():  # Python's own questions
        return ""
    from .misspelt import meant  # only a misspelt name needs it

    return meant(name, known, space)


def _asked_by_an_import() -> bool:
    """Whether Python asks on behalf of `from . import room`: nobody reads that answer, and to look for it loads every room."""
    asking = sys._getframe(2)
    for _ in range(3):  # a namespace's `__getattr__` may hand the question on
        if asking.f_code.co_name != "_handle_fromlist" and asking.f_back is not None:
            asking = asking.f_back
    return asking.f_code.co_name == "_handle_fromlist"


class Room(ModuleType):
    """A file of the library's own, which stands where a misspelt name looks for a function or a namespace: `tf.variable(1.0)`."""

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"module {self.__name__!r} has no attribute {name!r}" + _meant(name, ()))

    def __call__(self, *args: Any, **kwargs: Any) -> NoReturn:
        space, _, name = self.__name__.removeprefix("minitape.").rpartition(".")
        around = sys.modules[self.__name__.rpartition(".")[0]]
        text = f"module {around.__name__!r} has no attribute {name!r}"
        raise AttributeError(text + _meant(name, around.__all__, space))


def not_for_calls(package: str, public: Iterable[str]) -> None:
    """Let a call of a package's rooms say what was meant, but for the rooms that are TensorFlow's."""
    for name, room in list(sys.modules.items()):
        if name.rpartition(".")[0] == package and type(room) is ModuleType and name.rpartition(".")[2] not in public:
            room.__class__ = Room
