"""The engines by name: Graphviz inside this process (pygraphviz brings its own), or as the `dot` program; else our own."""

from __future__ import annotations

import contextlib
import functools
import json
import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from typing import Any

ENGINES = ("pygraphviz", "dot", "layered")  # in the order in which they are tried; the last is always there
PATIENCE = 20  # seconds that `dot` may take

_lock = threading.Lock()
_warm = False


class LayoutError(RuntimeError):
    """An engine was asked for by name and is missing, or it could not draw."""


def missing(engine: str) -> str:
    """Why this engine cannot be used here, with what to do about it; empty where it can."""
    if engine == "pygraphviz":
        try:
            import pygraphviz  # noqa: F401
        except (ImportError, OSError) as fault:
            how = 'its wheel carries Graphviz: pip install "minitape[graphviz]"'
            return f"pygraphviz cannot be imported ({fault}); {how}"
    elif engine == "dot" and shutil.which("dot") is None:
        return "there is no program `dot` on PATH; install Graphviz, or use pygraphviz, which carries its own"
    return ""


def drawn(engine: str, source: str) -> dict[str, Any]:
    """What Graphviz makes of DOT source, as its JSON; raises LayoutError where it refuses or takes too long."""
    answer: dict[str, Any] = json.loads(_inside(source) if engine == "pygraphviz" else _outside(source))
    return answer


# Runs that are compared often have one graph, and a notebook that runs again has all of its graphs again: of each there are up
# to eight drawings, of some 20 kB.
@functools.lru_cache(maxsize=512)
def _inside(source: str) -> bytes:
    global _warm
    import pygraphviz

    with _lock, _silence() as heard:
        try:
            if not _warm:
                # the first drawing of a process loses labels, so an empty one goes first
                _draw(pygraphviz, 'digraph { a [label="a"] }')
                _warm = True
            return _draw(pygraphviz, source)
        except Exception as fault:
            raise LayoutError(f"Graphviz could not place this graph: {heard() or fault}") from fault


def _draw(pygraphviz: Any, source: str) -> bytes:
    graph = pygraphviz.AGraph(string=source)
    try:
        answer: bytes = graph.draw(format="json", prog="dot")
        return answer
    finally:
        graph.close()


@contextlib.contextmanager
def _silence() -> Iterator[Any]:
    """Graphviz and fontconfig write to the process's stderr, below Python: it would end up in the learner's cell."""
    with tempfile.TemporaryFile() as sink:
        try:
            kept = os.dup(2)
        except OSError:  # no stderr to save, as under pythonw
            yield lambda: ""
            return

        def heard() -> str:
            sink.seek(0)
            return sink.read().decode("utf-8", "replace").strip()

        os.dup2(sink.fileno(), 2)
        try:
            yield heard
        finally:
            os.dup2(kept, 2)
            os.close(kept)


def _outside(source: str) -> bytes:
    try:
        done = subprocess.run(
            ["dot", "-Tjson"], input=source.encode(), capture_output=True, timeout=PATIENCE, check=True
        )
    except subprocess.TimeoutExpired as fault:
        raise LayoutError(f"dot took longer than {PATIENCE} s for this graph") from fault
    except (OSError, subprocess.CalledProcessError) as fault:
        said = getattr(fault, "stderr", None) or str(fault).encode()
        raise LayoutError(f"dot could not place this graph: {said.decode('utf-8', 'replace').strip()}") from fault
    return done.stdout
