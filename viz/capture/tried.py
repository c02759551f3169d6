"""What is asked before another framework is recorded: was its version tried, and has it the names that watching needs?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

Versions = tuple[tuple[int, int], tuple[int, int]]  # from this one on, up to that one


class Name(NamedTuple):
    """A name that a framework does not promise to keep."""

    path: str  # where it stands
    without: str  # what is lost where it is missing
    needed: bool = False  # whether recording is refused without it


def refuse_untried(framework: str, module: Any, tested: Versions, untested: bool, call: str = "") -> None:
    """Raise RuntimeError for a version that was never tried, unless that is asked for; `call` is how, if not as usual."""
    numbers = module.__version__.replace("+", "-").split("-")[0].split(".")
    version, (first, last) = tuple([int(part) for part in numbers[:2]]), tested
    if not first <= version < last and not untested:
        raise RuntimeError(
            f"{framework} {module.__version__} was never tried here: recording is tested from {first[0]}.{first[1]} up to "
            f"{last[0]}.{last[1]}; {call or f'viz.record({module.__name__}, untested=True)'} tries all the same"
        )


def lost(framework: str, names: Sequence[Name], found: Callable[[str], Any], below: str = "") -> tuple[str, ...]:
    """What cannot be told without the names that are not `found`, as sentences: none where all is supported.

    Args: framework, with its version; below, what the paths are below.  Raises RuntimeError where recording is refused.
    """
    missing = [name for name in names if found(name.path) is None]
    refused = [name for name in missing if name.needed]
    if refused:
        raise RuntimeError(
            f"{framework} has no {below}{refused[0].path}, and without it {refused[0].without}: "
            "record with a version that was tried"
        )
    return tuple(dict.fromkeys(name.without for name in missing))


def reach(thing: Any, path: str) -> Any:
    """What stands under a path below a module; None where there is nothing.

    >>> import math
    >>> reach(math, "pi.real"), reach(math, "tau.of.nothing")
    (3.141592653589793, None)
    """
    for part in path.split("."):
        thing = getattr(thing, part, None)
    return thing
