"""The learner's program as the code panel shows it: only what ran, with its own line numbers."""

from __future__ import annotations

import ast
import os
from typing import Any

from minitape.record.provenance import Site


class Program:
    """Collects the places that steps name, and gives back the pieces of source around them."""

    def __init__(self, block: Site | None) -> None:
        self.block = block
        self._ids: dict[str, str] = {}
        self._labels: dict[str, str] = {}
        self._lines: dict[str, list[str]] = {}
        self._used: dict[str, set[int]] = {}
        self._known: dict[tuple[Any, int], list[Any] | None] = {}  # asked for at every step; a line is looked up once

    def place(self, site: Site) -> list[Any] | None:
        """[source id, line] of a site, or None where there is no source to show."""
        key = (site.code, site.lasti)
        if key not in self._known:
            self._known[key] = self._placed(site)
        place = self._known[key]
        return None if place is None else list(place)

    def _placed(self, site: Site) -> list[Any] | None:
        lines = site.lines
        if not lines or not 0 < site.line <= len(lines):
            return None
        name = site.filename
        if name not in self._ids:
            self._ids[name] = f"s{len(self._ids)}"
            self._lines[name] = [line.rstrip("\n") for line in lines]
            self._labels[name] = site.label if site.label.startswith("cell ") else os.path.basename(site.filename)
            self._used[name] = set()
        self._used[name].add(site.line)
        return [self._ids[name], site.line]

    def sources(self) -> list[dict[str, Any]]:
        """The shown lines of every source, dedented piece by piece."""
        shown = []
        for name, identity in self._ids.items():
            lines = self._lines[name]
            pieces = self._pieces(name, lines)
            numbered = [[n, text] for first, last in pieces for n, text in _dedented(lines, first, last)]
            shown.append({"id": identity, "label": self._labels[name], "lines": numbered})
        return shown

    def _pieces(self, name: str, lines: list[str]) -> list[tuple[int, int]]:
        try:
            body = ast.parse("\n".join(lines)).body
        except SyntaxError:
            return [(min(self._used[name]), max(self._used[name]))]
        block = self._recorded_block(name, body)
        ranges: list[tuple[int, int]] = []
        if block is not None:
            ranges.append((_first_line(block.body[0]), block.body[-1].end_lineno or 0))
        for line in sorted(self._used[name]):
            if any(first <= line <= last for first, last in ranges):
                continue
            statement = next((one for one in body if _first_line(one) <= line <= (one.end_lineno or 0)), None)
            ranges.append((line, line) if statement is None or statement is block else _span(statement, line))
        return _merged(sorted(ranges))

    def _recorded_block(self, name: str, body: list[ast.stmt]) -> ast.With | None:
        if self.block is None or self.block.filename != name:
            return None
        line = self.block.line
        blocks = [one for top in body for one in ast.walk(top) if isinstance(one, ast.With)]
        return next((one for one in blocks if any(item.context_expr.lineno == line for item in one.items)), None)


def _first_line(statement: ast.stmt) -> int:
    decorators = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(one.lineno for one in decorators)])


def _span(statement: ast.stmt, line: int) -> tuple[int, int]:
    """The statement around a line; of a long one that is no function, only the line."""
    whole = (_first_line(statement), statement.end_lineno or statement.lineno)
    small = whole[1] - whole[0] < 30
    return whole if small or isinstance(statement, ast.FunctionDef | ast.ClassDef) else (line, line)


def _merged(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for first, last in ranges:
        if merged and first <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(last, merged[-1][1]))
        else:
            merged.append((first, last))
    return merged


def _dedented(lines: list[str], first: int, last: int) -> list[tuple[int, str]]:
    piece = lines[first - 1 : last]
    indents = [len(line) - len(line.lstrip()) for line in piece if line.strip()]
    cut = min(indents, default=0)
    return [(first + i, line[cut:]) for i, line in enumerate(piece)]
