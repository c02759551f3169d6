"""The cells of a notebook: which number stands beside each, and whose lines a piece of code has."""

from __future__ import annotations

import ast
import contextlib
import linecache
import re
import sys
from collections.abc import Iterator
from types import CodeType
from typing import Any

_cells: dict[str, int] = {}  # by source text: cells are numbered in the order in which distinct sources first ran

# What `%%time` and `%time` run; they compile it under one of these names, whichever the cell, and count its lines from 1.
_TIMED = "<timed exec>", "<timed eval>"
_TIMED_CELL = re.compile(r"\A%%time\b[^\n]*\n(.+)", re.DOTALL)
_TIMED_LINE = re.compile(r"^[ \t]*%time[ \t]+(.+)$", re.MULTILINE)
_timed: dict[CodeType, tuple[str, int]] = {}  # whose lines such code has, and how many of the cell stand above them


def cell_number(filename: str) -> int | None:
    """The number of a notebook cell, or None for a file."""
    if "ipykernel" not in filename and not filename.startswith("<ipython-input"):
        return None
    return number_cell("".join(linecache.getlines(filename)))


def number_cell(source: str, run: int | None = None) -> int:
    """Number this cell source: by the `run` that a notebook shows beside it, else anew only if it was never seen."""
    source = source.rstrip("\n")
    if run is not None:
        _cells[source] = run
    return _cells.setdefault(source, len(_cells) + 1)


def alias_cell(source: str, whole: str) -> None:
    """Give a piece of a cell that is run by itself the number of the whole cell."""
    _cells.setdefault(source.rstrip("\n"), number_cell(whole))


def place_of(code: CodeType) -> tuple[str, int]:
    """Under which file name `linecache` has a piece of code, and how many lines stand there above its line 1."""
    name = code.co_filename
    return _timed.get(code, (name, 0)) if name in _TIMED else (name, 0)


def watch_cells() -> None:
    """In a notebook, number cells as they run, by the number that stands beside them: the 5 of In [5]."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    if shell is None:
        return
    texts = _run_so_far(shell)
    if len(texts) > 1:  # the cell that imports this has begun already
        _begins(shell, texts[-1], len(texts) - 1)
    shell.events.register("pre_run_cell", _before_cell)


def _before_cell(info: Any) -> None:
    ipython = sys.modules["IPython"]
    shell = ipython.get_ipython()
    if info.raw_cell and not getattr(info, "silent", False):
        _begins(shell, info.raw_cell, len(_run_so_far(shell)) if getattr(info, "store_history", True) else None)


def _begins(shell: Any, raw: str, run: int | None) -> None:
    # What Python will compile is the transformed text: the one that linecache will show.
    whole = shell.transform_cell(raw)
    number_cell(whole, run)
    for timed in [*_TIMED_CELL.finditer(raw)] or _TIMED_LINE.finditer(raw):
        above = raw.count("\n", 0, timed.start(1))
        text = shell.transform_cell(timed[1])
        name = f"<ipython-input timed {len(_timed)}>"
        with contextlib.suppress(SyntaxError, ValueError):  # IPython will say what is wrong with it
            _timed.update(dict.fromkeys(_codes(shell, text), (name, above)))
            text = "\n" * above + text
            linecache.cache[name] = len(text), None, text.splitlines(True), name  # without a time it is never dropped
            alias_cell(text, whole)


def _codes(shell: Any, text: str) -> Iterator[CodeType]:
    """The code of a piece that is timed, as IPython compiles it (the last expression by itself), and of its functions."""
    exec_name, eval_name = _TIMED
    body = shell.compile.ast_parse(text).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    made = [shell.compile(ast.Module(body, []), exec_name, "exec")] if body else []
    if isinstance(last, ast.Expr):
        made.append(shell.compile(ast.Expression(last.value), exec_name if body else eval_name, "eval"))
    while made:
        code = made.pop()
        yield code
        made += [constant for constant in code.co_consts if isinstance(constant, CodeType)]


def _run_so_far(shell: Any) -> list[str]:
    """The texts of the cells so far, behind an empty one: a cell that begins has their count for its number.

    `shell.execution_count` is already that of the cell after it where IPython is new, and not yet where it is old.
    """
    return getattr(getattr(shell, "history_manager", None), "input_hist_raw", None) or [""]
