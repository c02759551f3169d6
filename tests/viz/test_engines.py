"""With one engine, the other, or none: the same facts, and everything but the graph works and says why that is missing."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

import viz
from viz.layout import graphviz as placing

from . import programs


@pytest.fixture
def no_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(placing, "missing", lambda engine: f"{engine} is not here")


def test_a_scene_has_the_same_facts_with_and_without_an_engine(no_engine: None) -> None:
    """The golden was written where an engine is: only positions may depend on one, and what is said of their absence."""
    without = programs.run("nested").scene
    (note,) = without.notes
    assert without.layout is None
    assert "needs Graphviz" in note
    kept = (programs.DATA / "goldens" / "nested.txt").read_text(encoding="utf-8")
    without.notes = []
    assert programs.golden(without) == kept


def test_everything_else_works_without_an_engine(no_engine: None, tmp_path: Path) -> None:
    run = programs.run("nested")
    graph = viz.graph(run).svg
    assert "No graph" in graph
    assert "∂d/∂x 30" in graph, "a list of values stands in for it"
    for picture in (viz.lanes(run), viz.score(run)):
        assert "No graph" not in picture.svg
        assert picture.svg.startswith("<svg")
    assert str(viz.table(run)).splitlines()[-1].split()[1] == "gradients"
    for suffix in ("html", "svg", "json", "dot", "txt"):
        written = Path(viz.export(run, tmp_path / f"run.{suffix}")).read_text(encoding="utf-8")
        assert "30" in written
    assert "needs Graphviz" in (tmp_path / "run.html").read_text(encoding="utf-8")


# A `dot` program for machines that have none: what matters here is that the answer comes from another process.
DOT = """#!{python}
import sys, pygraphviz
sys.stdout.buffer.write(pygraphviz.AGraph(string=sys.stdin.read()).draw(format="json", prog="dot"))
"""


def test_either_engine_gives_the_same_bytes_but_for_positions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pygraphviz")
    program = tmp_path / "dot"
    program.write_text(DOT.format(python=sys.executable))
    program.chmod(program.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("PATH", os.pathsep.join([os.environ["PATH"], str(tmp_path)]))  # a real one comes first
    scenes: list[dict[str, Any]] = []
    for engine in placing.ENGINES:
        monkeypatch.setattr(placing, "ENGINES", (engine,))
        scene = programs.run("nested").scene
        assert scene.layout is not None
        assert scene.layout["engine"] == engine
        scenes.append({**scene.to_dict(), "layout": None})
    assert scenes[0] == scenes[1]
