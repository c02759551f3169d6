"""The learner's program as the code panel shows it: only what ran, with its own line numbers."""

from __future__ import annotations

import ast
import functools
from collections.abc import Sequence
from typing import Any

from ..capture.records import Site, Source
from ..scene import joined


class Program:
    """Collects the places that steps name, and gives back the pieces of source around them."""

    def __init__(self, block: Site | None) -> None:
        self.block = block
        self._ids: dict[Source, str] = {}
        self._used: dict[Source, set[int]] = {}

    def place(self, site: Site | None) -> list[Any] | None:
        """[source id, line] of a site, or None where there is no source to show."""
        source = None if site is None else site.source
        if site is None or source is None or not 0 < site.line <= len(source.lines):
            return None
        self._used.setdefault(source, set()).add(site.line)
        return [self._ids.setdefault(source, f"s{len(self._ids)}"), site.line]

    def sources(self) -> list[dict[str, Any]]:
        """The shown lines of every source, dedented piece by piece."""
        shown = []
        for source, identity in self._ids.items():
            pieces = self._pieces(source)
            numbered = [[n, text] for first, last in pieces for n, text in _dedented(source.lines, first, last)]
            shown.append({"id": identity, "label": source.label, "lines": numbered})
        return shown

    def _pieces(self, source: Source) -> list[list[int]]:
        used = sorted(self._used[source])
        body = _parsed("\n".join(source.lines))
        if body is None:
            return [[used[0], used[-1]]]
        block = self._recorded_block(source, body)
        ranges: list[tuple[int, int]] = []
        if block is not None:
            ranges.append((_first_line(block.body[0]), block.body[-1].end_lineno or 0))
        for line in used:
            if any(first <= line <= last for first, last in ranges):
                continue
            statement = next(
                (statement for statement in body if _first_line(statement) <= line <= (statement.end_lineno or 0)), None
            )
            ranges.append((line, line) if statement is None or statement is block else _span(statement, line))
        return joined(ranges)

    def _recorded_block(self, source: Source, body: list[ast.stmt]) -> ast.With | None:
        if self.block is None or self.block.source is not source:
            return None
        line = self.block.line
        around = [top for top in body if _first_line(top) <= line <= (top.end_lineno or 0)]
        blocks = (node for top in around for node in ast.walk(top) if isinstance(node, ast.With))
        return next((block for block in blocks if any(item.context_expr.lineno == line for item in block.items)), None)


@functools.lru_cache(maxsize=8)
def _parsed(text: str) -> list[ast.stmt] | None:
    """The statements of a source; None for what is no Python.  A program that is traced again and again is parsed once."""
    try:
        return ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _first_line(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(decorator.lineno for decorator in decorators)])


def _span(statement: ast.stmt, line: int) -> tuple[int, int]:
    """The statement around a line; of a long one that is no function, only the line."""
    whole = (_first_line(statement), statement.end_lineno or statement.lineno)
    small = whole[1] - whole[0] < 30
    return whole if small or isinstance(statement, ast.FunctionDef | ast.ClassDef) else (line, line)


def _dedented(lines: Sequence[str], first: int, last: int) -> list[tuple[int, str]]:
    piece = lines[first - 1 : last]
    indents = [len(line) - len(line.lstrip()) for line in piece if line.strip()]
    cut = min(indents, default=0)
    return [(first + i, line[cut:]) for i, line in enumerate(piece)]
