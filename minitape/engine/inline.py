"""A rule's own text, where it is a plain formula: the engine writes that in place of a call.

The rule is run once, on pieces of text instead of values.

>>> formula(lambda dx, y: -dx * y, ["change", "kept.array"], {}, {})
'(-change) * kept.array'
"""

from __future__ import annotations

import dis
import math
from collections.abc import Mapping, Sequence
from functools import partial
from types import FunctionType
from typing import Any

_ASKS = {*dis.hasjrel, *dis.hasjabs, dis.opmap["IS_OP"]}  # instructions by which a rule asks what its arguments are


class MoreError(Exception):
    """A rule is more than a formula: `formula` answers None for it."""


class Text:
    """The text of a value: of an argument, of a call, or of a formula."""

    __eq__ = __array_ufunc__ = None  # type: ignore[assignment]  # what has no text is an error here, and the rule is called

    def __init__(self, text: str, computed: bool = True, joined: bool = False) -> None:
        self._text = text
        self._computed = computed
        self._joined = joined
        self._used = False

    def used(self, as_operand: bool = False) -> str:
        """The text, for a larger one; a second use raises MoreError, because what a rule uses twice must be computed once."""
        if self._used and self._computed:
            raise MoreError
        self._used = True
        return f"({self._text})" if as_operand and self._joined else self._text

    def __bool__(self) -> bool:
        raise MoreError

    def __neg__(self) -> Text:
        return Text(f"-{self.used(as_operand=True)}", joined=True)


def _join(sign: str, left: Any, right: Any) -> Text:
    return Text(f"{_used(left, as_operand=True)} {sign} {_used(right, as_operand=True)}", joined=True)


_SIGNS = {"add": "+", "sub": "-", "mul": "*", "truediv": "/", "pow": "**", "matmul": "@", "and": "&"}
_COMPARED = {"gt": ">", "ge": ">=", "lt": "<", "le": "<="}
for _name, _sign in (_SIGNS | _COMPARED).items():
    setattr(Text, f"__{_name}__", lambda left, right, sign=_sign: _join(sign, left, right))
for _name, _sign in _SIGNS.items():
    setattr(Text, f"__r{_name}__", lambda right, left, sign=_sign: _join(sign, left, right))


def _call(name: str, *operands: Any, **settings: Any) -> Text:
    given = [*map(_used, operands), *[f"{setting}={_used(value)}" for setting, value in settings.items()]]
    return Text(f"{name}({', '.join(given)})")


def _used(value: Any, as_operand: bool = False) -> str:
    if isinstance(value, Text):
        return value.used(as_operand)
    if type(value) not in (int, float, bool) or not math.isfinite(value):
        raise MoreError
    return f"({value!r})" if as_operand and value < 0 else repr(value)


def formula(rule: Any, given: Sequence[str], named: Mapping[str, str], names: dict[str, Any]) -> str | None:
    """What a rule computes, as a formula of its arguments' texts; None where it is more than that.

    Args: rule; given and named, the texts of its arguments; names, which takes what the formula's names of functions mean.
    """
    code, known = rule.__code__, rule.__globals__
    if not _ASKS.isdisjoint(code.co_code[::2]):
        return None
    means = {name: known[name] for name in code.co_names if name in known}
    functions = {name: value for name, value in means.items() if callable(value)}
    space = means | {name: partial(_call, f"{name}_of") for name in functions} | {"__builtins__": {}}
    arguments = [Text(text, computed=False) for text in given]
    settings = {name: Text(text, computed=False) for name, text in named.items()}
    try:
        text = FunctionType(code, space)(*arguments, **settings).used()
    except (MoreError, AttributeError, NameError, TypeError):
        return None
    names |= {f"{name}_of": function for name, function in functions.items()}
    return str(text)
