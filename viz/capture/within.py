"""Where a value lies in what a program holds: `params["w1"]` is w1, `net.first.w` is first.w, and `weights[0]` is itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from types import FunctionType, ModuleType
from typing import Any

DEPTH, MOST = 6, 2000  # how far it is looked for, and among how many things
ITEMS = 2000
LONG = 20  # characters that a piece of source, `x_train[:100]` or `batch.x`, may have to be a name


def paths_from(names: Iterable[tuple[str, Any]]) -> Iterator[tuple[str, Any]]:
    """What lies within what these names stand for, each with the way to it, what is near before what is deep.

    >>> from types import SimpleNamespace
    >>> net = SimpleNamespace(first=SimpleNamespace(w=[1.5, 2.5]), bias={"b": 3.5})
    >>> [path for path, held in paths_from([("net", net), ("rates", (4.5,))]) if isinstance(held, float)]
    ['rates[0]', 'bias.b', 'first.w[0]', 'first.w[1]']
    """
    level = [("", name, held) for name, held in names if not name.startswith("_")]
    met: set[int] = set()
    for _ in range(DEPTH):
        below = []
        for path, name, held in level:
            if id(held) in met or len(met) > MOST:
                continue
            met.add(id(held))
            for inner, value in _parts(path, name, held):
                yield inner, value
                below.append((inner, inner, value))
        level = below


def items_of(
    names: Iterable[tuple[str, Any]], means: Callable[[Any], bool] = lambda held: True
) -> Iterator[tuple[str, Any]]:
    """The items of a program's lists and dicts that are meant, as it writes them; of each no more than a long loop makes.

    >>> list(items_of([("slopes", [1.5, 2.5]), ("by_name", {"b": 3.5}), ("x", 4.5)]))
    [('slopes[0]', 1.5), ('slopes[1]', 2.5), ('by_name["b"]', 3.5)]
    >>> from collections import namedtuple
    >>> list(items_of([("moments", namedtuple("Moments", "mean spread")(1.5, 2.5))]))
    [('moments.mean', 1.5), ('moments.spread', 2.5)]
    """
    for name, held in names:
        if name.startswith("_"):
            continue
        if _has_fields(held):
            yield from [(f"{name}.{field}", value) for field, value in held._asdict().items() if means(value)]
        elif isinstance(held, list | tuple | dict):
            for key, value in islice(held.items() if isinstance(held, dict) else enumerate(held), ITEMS):
                if means(value):  # a key may be anything, and to write it takes long
                    yield f'{name}["{key}"]' if isinstance(key, str) else f"{name}[{key!r}]", value


def _has_fields(held: Any) -> bool:
    """Whether something is a named tuple."""
    return isinstance(held, tuple) and hasattr(held, "_asdict")


def _parts(path: str, name: str, held: Any) -> Iterator[tuple[str, Any]]:
    """What something holds, each with its way there: a list's name says what its numbers count, any other's says no more."""
    if _has_fields(held):
        held = held._asdict()
    if isinstance(held, list | tuple):
        yield from [(f"{name}[{place}]", value) for place, value in enumerate(islice(held, MOST))]
        return
    inside = held if isinstance(held, dict) else {} if isinstance(held, _WITHOUT) else getattr(held, "__dict__", {})
    for key, value in list(inside.items()):
        if isinstance(key, str) and not key.startswith("_"):
            yield f"{path}.{key}" if path else key, value


_WITHOUT = ModuleType, FunctionType, type
