"""With Graphviz in process, as a program, or not at all: the same facts, and a graph that reads as well."""

from __future__ import annotations

import os
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

import viz
from viz.layout import graphviz as placing
from viz.layout.dotfile import Plan
from viz.layout.judge import faults, sound, through_cards
from viz.layout.layered import drawings

from . import programs


@pytest.fixture
def no_graphviz(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(placing, "missing", lambda engine: "" if engine == "layered" else f"{engine} is not here")


@pytest.mark.parametrize("name", programs.NAMES)
def test_without_graphviz_every_program_has_its_graph(no_graphviz: None, name: str) -> None:
    """The golden was written with Graphviz: only positions depend on the engine.  And they are no worse than Graphviz's."""
    run = programs.run(name)
    scene = run.scene
    kept = (programs.DATA / "goldens" / f"{name}.txt").read_text(encoding="utf-8")
    assert programs.golden(programs.told(run.stream)) == kept
    assert scene.layout is not None
    assert scene.layout["engine"] == "layered"
    plan = Plan.of(scene)
    for drawing in drawings(plan).values():
        assert sound(plan, drawing)
        assert through_cards(plan, drawing) == 0


@pytest.mark.slow
@pytest.mark.parametrize("direction", ["LR", "TB"])
def test_our_own_drawings_cross_no_more_than_graphviz(direction: str) -> None:
    """Over all programs: what is out of order, runs through cards, or crosses."""
    pytest.importorskip("pygraphviz")
    ours = theirs = 0.0
    for name in programs.NAMES:
        plan = Plan.of(programs.run(name).scene)
        ours += sum(faults(plan, drawings(plan)[direction])[:2])
        theirs += sum(faults(plan, placing._best(plan, "pygraphviz", direction, False))[:2])
    assert ours <= theirs


def test_everything_works_without_graphviz(no_graphviz: None, tmp_path: Path) -> None:
    run = programs.run("nested")
    for picture in (viz.graph(run), viz.lanes(run), viz.score(run)):
        assert "No graph" not in picture.svg
        assert picture.svg.startswith("<svg")
    assert str(viz.table(run)).splitlines()[-1].split()[1] == "gradients"
    for suffix in ("html", "svg", "json", "dot", "txt"):
        written = Path(viz.export(run, tmp_path / f"run.{suffix}")).read_text(encoding="utf-8")
        assert "30" in written


def test_a_graph_that_cannot_be_placed_says_why_and_all_else_works(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(placing, "FAR", 3)
    run = programs.run("nested")
    assert run.scene.layout is None
    graph = viz.graph(run).svg
    assert "No graph" in graph
    assert "∂d/∂x 30" in graph, "a list of values stands in for it"
    viz.export(run, tmp_path / "run.html")
    assert "Too many edges" in (tmp_path / "run.html").read_text(encoding="utf-8")


# A `dot` program for machines that have none: what matters here is that the answer comes from another process.
DOT = """#!/bin/sh
exec "{python}" -c '
import sys, pygraphviz
sys.stdout.buffer.write(pygraphviz.AGraph(string=sys.stdin.read()).draw(format="json", prog="dot"))
'
"""


def test_either_engine_gives_the_same_bytes_but_for_positions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pygraphviz")
    program = tmp_path / "dot"
    program.write_text(DOT.format(python=sys.executable))
    program.chmod(program.stat().st_mode | stat.S_IEXEC)
    monkeypatch.setenv("PATH", os.pathsep.join([os.environ["PATH"], str(tmp_path)]))  # a real one comes first
    scenes: list[dict[str, Any]] = []
    for engine in ("pygraphviz", "dot"):
        monkeypatch.setattr(placing, "ENGINES", (engine,))
        scene = programs.run("nested").scene
        assert scene.layout is not None
        assert scene.layout["engine"] == engine
        scenes.append({**scene.to_dict(), "layout": None})
    assert scenes[0] == scenes[1]
