"""What a learner may turn: ipywidgets' own abbreviations, read without it, so that a page and a plain script know them too.

(low, high) and (low, high, step) are a number, a number alone is one too, a list or a dict a choice, True and False a switch,
text a field; `bool` is a switch that begins as the program says.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

ABBREVIATIONS = "(low, high), (low, high, step), a number, a list or dict of choices, True or False, bool, text"


@dataclass(slots=True)
class Knob:
    """One argument of the program, and what it may be."""

    name: str
    kind: str  # number | switch | choice | text
    value: Any  # where it begins; of a choice the number of an option
    low: float = 0
    high: float = 0
    step: float = 0
    options: list[tuple[str, Any]] = field(default_factory=list)

    def argument(self, value: Any) -> Any:
        """What the program is called with when the knob stands at `value`; raises ValueError for what it cannot be."""
        if self.kind == "choice":
            return self.options[int(value)][1]
        if self.kind == "number":
            if not self.low <= value <= self.high:
                raise ValueError(f"{self.name} goes from {self.low:g} to {self.high:g}, not to {value!r}")
            return int(value) if self.whole else float(value)
        return bool(value) if self.kind == "switch" else str(value)

    @property
    def whole(self) -> bool:
        """Whether it goes through whole numbers."""
        return self.kind == "number" and all(isinstance(number, int) for number in (self.low, self.high, self.step))

    def stops(self, most: int) -> list[Any]:
        """At most so many of its positions, both ends among them."""
        if self.kind == "switch":
            return [False, True]
        if self.kind != "number":
            return list(range(len(self.options))) or [self.value]
        count = math.floor((self.high - self.low) / self.step + 1e-9) + 1
        every = max(1, math.ceil((count - 1) / max(1, most - 1)))
        return [self.place(self.low + at * self.step) for at in sorted({*range(0, count, every), count - 1})]

    def place(self, value: float) -> float:
        """A number without the rounding errors of adding up steps."""
        return round(value) if self.whole else round(value, 10)


def knob(name: str, given: Any, default: Any = inspect.Parameter.empty) -> Knob:
    """A knob from an abbreviation, beginning at the program's own default where that is one of its positions.

    Raises ValueError for what is no abbreviation.

    >>> one = knob("x", (-3.0, 3.0), 1.7)
    >>> one.kind, one.value, one.low, one.step
    ('number', 1.7, -3.0, 0.1)
    >>> knob("n", 4).high, knob("on", bool).value, knob("rule", ["sin", "tanh"]).options
    (12, False, [('sin', 'sin'), ('tanh', 'tanh')])
    """
    found = _read(name, given)
    if default is inspect.Parameter.empty or default is None:
        return found
    if found.kind == "choice":
        known = [at for at, (_, option) in enumerate(found.options) if option is default or option == default]
        found.value = known[0] if known else found.value
    elif found.kind == "number":
        within = isinstance(default, int | float) and found.low <= default <= found.high
        found.value = default if within else found.value
    elif found.kind == "switch" or isinstance(default, str):
        found.value = default
    return found


def _read(name: str, given: Any) -> Knob:
    if given is bool or isinstance(given, bool):
        return Knob(name, "switch", given is True)
    if isinstance(given, str):
        return Knob(name, "text", given)
    if isinstance(given, int | float):
        low, high = sorted((-given, 3 * given)) if given else (0, 1)
        return Knob(name, "number", given, low, high, 1 if isinstance(given, int) else 0.1)
    if isinstance(given, tuple) and 2 <= len(given) <= 3 and all(_number(number) for number in given):
        low, high = given[0], given[1]
        whole = all(isinstance(number, int) for number in given)
        step = given[2] if len(given) == 3 else 1 if whole else 0.1
        if not low < high or step <= 0:
            raise ValueError(f"{name}={given!r}: the lower end comes first, and the step is more than 0")
        return Knob(name, "number", low + (int((high - low) / 2) if whole else (high - low) / 2), low, high, step)
    if isinstance(given, Mapping):
        return Knob(name, "choice", 0, options=[(str(label), option) for label, option in given.items()])
    if isinstance(given, list | tuple) and given:
        paired = all(isinstance(option, tuple) and len(option) == 2 and isinstance(option[0], str) for option in given)
        return Knob(name, "choice", 0, options=list(given) if paired else [(str(option), option) for option in given])
    raise ValueError(f"{name}={given!r} is no knob; a knob is {ABBREVIATIONS}")


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def knobs_of(program: Callable[..., Any], given: Mapping[str, Any]) -> list[Knob]:
    """A knob for each argument of a program: as given, else by its default.

    Raises TypeError for a name that the program does not take, or an argument without knob and default.
    """
    takes = inspect.signature(program).parameters
    strange = [name for name in given if name not in takes]
    if strange:
        raise TypeError(
            f"{program.__name__} has no argument {strange[0]!r}; it takes {', '.join(takes) or 'none'}: turn one of these"
        )
    found = []
    for name, argument in takes.items():
        if argument.kind in (argument.VAR_POSITIONAL, argument.VAR_KEYWORD):
            continue
        if name in given:
            found.append(knob(name, given[name], argument.default))
        elif argument.default is argument.empty:
            raise TypeError(f"{program.__name__} needs {name}: viz.live({program.__name__}, {name}=(-3.0, 3.0))")
        elif isinstance(argument.default, bool | int | float | str):
            found.append(knob(name, argument.default))
    return found
