"""A whole program, run as Python would run it, and recorded: what `minitape record` does."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import os
import runpy
import sys
import threading
import time
import warnings
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from . import export, record
from .capture import SOURCES
from .files import check, ours
from .paint.file import SUFFIXES

STOPPED = 130  # the exit code of a program that Ctrl-C ended, as shells count
WRONG = 2  # and of a command line that asks for what cannot be


def say(words: str) -> None:
    """A line of ours on stderr: stdout is the program's."""
    print(f"minitape: {words}", file=sys.stderr, flush=True)


def refused(script: str, output: str, force: bool) -> str:
    """What is in the way of recording this script to this file, with what to do about it; empty where nothing is.

    >>> refused("nowhere.py", "page.html", False)
    'there is no file nowhere.py'
    """
    if not os.path.isfile(script):
        return f"there is no file {script}"
    suffix = os.path.splitext(output)[1].lower()
    if suffix not in SUFFIXES:
        return f"{output}: the suffix says what to write, one of {', '.join(SUFFIXES)}"
    if suffix == ".png" and importlib.util.find_spec("matplotlib") is None:
        return f"{output}: the memory plot needs matplotlib; pip install 'minitape[viz]' brings it"
    try:
        check(output)
    except OSError as fault:
        return f"{fault.filename}: {fault.strerror}"
    if os.path.isfile(output) and not force and not ours(output):
        return f"{output} is there already, and I cannot tell that I wrote it: record --force overwrites it"
    return ""


def framework_of(script: str) -> list[Any]:
    """The framework whose program a script is, as `record` takes it: none for minitape's own, which is asked first."""
    try:
        with open(script, "rb") as file:
            tree = ast.parse(file.read())
    except (OSError, SyntaxError, ValueError):
        return []  # running it will say what is wrong
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level and node.module:
            found.add(node.module.partition(".")[0])
    name = next((name for name in ("minitape", *SOURCES) if name in found), "minitape")
    there = name != "minitape" and importlib.util.find_spec(name) is not None
    return [importlib.import_module(name)] if there else []


def file_of(module: str) -> str:
    """The file that `python -m module` would run from this folder; "" where there is none.

    >>> os.path.basename(file_of("json.tool")), file_of("nowhere.at_all")
    ('tool.py', '')
    """
    if sys.path[:1] != [os.getcwd()]:
        sys.path.insert(0, os.getcwd())  # where python -m looks first
    try:
        found = importlib.util.find_spec(module)
        if found is not None and found.submodule_search_locations is not None:
            found = importlib.util.find_spec(f"{module}.__main__")
    except ImportError:
        return ""
    return (found.origin or "") if found is not None else ""


def recorded(
    script: str, output: str, arguments: Sequence[str] = (), *, module: str = "", untested: bool = False
) -> int:
    """Run the script, write its page, and return the script's own exit code.

    Args: module, its name where it runs as with `python -m`; untested, whether a version of its framework that was never tried
    may be recorded.  However the program ends (a fault, `sys.exit`, Ctrl-C), the page shows what happened up to there.  Where the
    program goes to (`os.chdir`) does not move the page, and a process that it forks writes none.
    """
    output, script, process = os.path.abspath(output), os.path.abspath(script), os.getpid()
    before, path = sys.argv, list(sys.path)
    sys.argv = [script, *arguments]
    if not module:
        sys.path.insert(0, os.path.dirname(script))
    code = 0
    # What the program holds outlives the recording, so that it does not look as if everything were let go at the end.
    space: dict[str, Any] = {}
    watching = ExitStack()
    try:
        try:
            run = watching.enter_context(record(*framework_of(script), os.path.basename(script), untested=untested))
        except RuntimeError as why:  # nothing has run yet
            how = "; here it is record --untested" if "untested=True" in str(why) else ""
            say(f"{why}{how}")
            return WRONG
        try:
            if module:
                space.update(runpy.run_module(module, run_name="__main__", alter_sys=True))
            else:
                space.update(runpy.run_path(script, run_name="__main__"))
        except BaseException as end:
            code = _code(end, script)
        with warnings.catch_warnings(record=True) as heard:
            watching.close()
        for warning in heard:  # of no line of the program's
            say(str(warning.message).partition("\n")[0])
    finally:
        sys.argv, sys.path[:] = before, path
    if os.getpid() != process:
        return code
    with _patience(f"{len(run):,} events recorded; drawing {os.path.basename(output)}"):
        export(run, output)
        steps = len(run.scene.steps) - 1
    said = (
        "" if not code else f"; the program ended with exit code {code}, and the page shows what happened up to there"
    )
    say(f"{_short(output)}: {steps} steps{said}")
    return code


def _code(end: BaseException, script: str) -> int:
    """The exit code that Python gives to a program that ends so; what Python would print is printed."""
    if isinstance(end, SystemExit):
        if end.code is None or isinstance(end.code, int):
            return int(end.code or 0)
        print(end.code, file=sys.stderr)
        return 1
    if isinstance(end, KeyboardInterrupt):
        say("stopped by Ctrl-C")
        return STOPPED
    trace = end.__traceback__
    while trace is not None and trace.tb_frame.f_code.co_filename != script:
        trace = trace.tb_next  # the lines of runpy and of this file are not the program's
    sys.excepthook(type(end), end.with_traceback(trace), trace)
    return 1


def _short(path: str) -> str:
    near = os.path.relpath(path) if os.path.splitdrive(path)[0] == os.path.splitdrive(os.getcwd())[0] else path
    return path if near.startswith(os.pardir) else near


@contextmanager
def _patience(words: str, after: float = 1.0) -> Iterator[None]:
    """Say what takes so long, once it does; on a terminal the seconds are counted."""
    done, began = threading.Event(), time.monotonic()
    live = sys.stderr.isatty()

    def tell() -> None:
        if done.wait(after):
            return
        print(f"minitape: {words} …", file=sys.stderr, end="" if live else "\n", flush=True)
        while live and not done.wait(1):
            print(f"\rminitape: {words} … {time.monotonic() - began:.0f} s", file=sys.stderr, end="", flush=True)
        if live:
            print(file=sys.stderr, flush=True)

    thread = threading.Thread(target=tell, daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join(2)
