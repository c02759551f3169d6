"""The answer: an explanation to print, to read as data, and to draw."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..record.cells import cell_number
from ..record.diary import Many
from ..record.provenance import Site
from ..record.refusal import printable
from .fixes import Fix


@dataclass(frozen=True)
class Path:
    """One recorded path from the source to the target, and the product of the slopes along it, where they are numbers."""

    ops: tuple[str, ...]
    sites: tuple[Site, ...]
    slopes: tuple[float, ...]
    brought: Any = None  # where they are arrays: the cotangent that came back along this path alone, if that is known

    @property
    def product(self) -> float | None:
        """What this path contributes."""
        if len(self.slopes) != len(self.ops) and 0.0 not in self.slopes:
            return None
        total = 1.0
        for slope in self.slopes:
            total *= slope
        return total


@dataclass(frozen=True)
class Use:
    """A use of the source on the way to the target that was not recorded."""

    kind: str
    how: str
    site: Site


@dataclass(frozen=True)
class Note:
    """Something else worth knowing, with the code of its cause."""

    code: str
    text: str


@dataclass(frozen=True)
class Explanation:
    """The answer to `tape.why(target, source)` or `acc.why(tensor)`: print it, or read its parts.

    `code` is stable: M01 to M27 for tapes, F01 to F14 for accumulators, R and C for regions and custom gradients, "OK" for
    a number with nothing to say against it.  `steps` is the path from the source to the target, as [(name, op, state)].
    """

    code: str
    asked: str
    answer: str
    what: str
    site: Site | None = None
    fix: Fix = field(default_factory=lambda: Fix(""))
    paths: tuple[Path, ...] = ()
    more_paths: bool = False
    unrecorded: tuple[Use, ...] = ()
    notes: tuple[Note, ...] = ()
    steps: tuple[tuple[str, str, str], ...] = ()
    cut: str = ""  # the kind of cut: ghost, eye, wall, scissors, stop, pause, released, none, number
    recorder: str = "tape"
    forward: bool = False  # whether an accumulator was asked

    @property
    def codes(self) -> tuple[str, ...]:
        """The code, and those of the notes."""
        return (self.code, *[note.code for note in self.notes])

    def __str__(self) -> str:
        lines = [f"{self.asked} is {self.answer}: {self.what}" if self.what else f"{self.asked} is {self.answer}."]
        for path in dict.fromkeys(self.paths):
            count = self.paths.count(path)
            lines.append(f"  path      {_path(self, path)}{f',  {count} times' if count > 1 else ''}")
        if self.more_paths:
            lines.append("  path      … and more")
        for use in dict.fromkeys(self.unrecorded):
            count = self.unrecorded.count(use)
            lines.append(f"  missing   {use.how}   {use.site}{f',  {count} times' if count > 1 else ''}")
        if self.site is not None and self.code != "OK":
            lines.append(f"  {'here' if self.unrecorded else 'stops at':<9} {self.site}")
        if self.fix.text:
            lines.append(f"  fix       {self.fix.text}")
        if self.fix.code:
            lines.extend(f"            {line}" for line in self.fix.code.splitlines())
        for note in self.notes:
            lines.append(f"  note      {note.text}{f' [{note.code}]' if note.code else ''}")
        if self.code not in ("", "OK"):
            lines.append(f"  cause     {self.code}")
        return printable("\n".join(lines), 100_000)

    __repr__ = __str__


LONG = 8  # steps of a path beyond which its middle is left out


def _path(whole: Explanation, path: Path) -> str:
    names = " → ".join([whole.steps[0][0] if whole.steps else "source", *short(path.ops)])
    text = f"{names}   ({lines_of(path.sites)})" if path.sites else names
    if path.product is None:
        return text if path.brought is None else f"{text}   {number(path.brought)}"
    factors = " · ".join(short([number(slope) for slope in path.slopes]))
    return (
        f"{text}   {factors} = {number(path.product)}" if len(path.slopes) > 1 else f"{text}   {number(path.product)}"
    )


def short(steps: Sequence[str]) -> list[str]:
    """The beginning and the end of a long path.

    >>> short(["a"] * 12)
    ['a', 'a', 'a', 'a', '… 6 more …', 'a', 'a']
    """
    if len(steps) <= LONG:
        return list(steps)
    return [*steps[:4], f"… {len(steps) - 6} more …", *steps[-2:]]


def lines_of(sites: Sequence[Site]) -> str:
    """The lines of a path, each once for neighbouring steps on it; cells and files are named where there are several."""
    many = len({site.filename for site in sites}) > 1
    parts = []
    for filename, group in itertools.groupby(sites, key=lambda site: site.filename):
        lines = [str(line) for line, _ in itertools.groupby(group, key=lambda site: site.line)]
        named = many or cell_number(filename)
        label = sites[[site.filename for site in sites].index(filename)].label.rpartition("/")[2] if named else ""
        parts.append(f"{label}{', ' if label else ''}line{'' if len(lines) == 1 else 's'} {', '.join(short(lines))}")
    return "; ".join(short(parts))


def number(value: Any) -> str:
    """A remembered number, short.

    >>> number(6.0), number([2.5, 1.0]), number(Many((3, 4)))
    ('6', '[2.5, 1]', 'an array of shape [3, 4]')
    """
    if isinstance(value, Many):  # a tuple too
        return f"an array of shape {list(value.shape)}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(number(part) for part in value) + "]"
    return f"{value:.6g}" if isinstance(value, float) else str(value)
