"""DOT for those who want Graphviz itself: it reads it, whatever the names are."""

from __future__ import annotations

import sys

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import viz
from tests.viz.scenes import cut, squared
from viz.layout import engine
from viz.paint import dot

pytest.importorskip("pygraphviz")


def test_the_final_graph_is_all_there() -> None:
    said = dot.text(squared())
    assert said.startswith('digraph "A square" {')
    assert 'v0 [label="x = 3\\n∂y/∂x = 6", style=""]' in said, "a variable has square corners"
    assert 'ov1 [label="×", shape=circle' in said
    assert said.count('v0 -> ov1 [label="3"') == 2
    assert said.count("subgraph cluster_") == 1
    assert dot.text(squared()) == said


def test_a_ghost_is_dashed_and_outside() -> None:
    lines = dot.text(cut()).splitlines()
    (ghost,) = [line for line in lines if "loss = 10" in line]
    assert "dashed" in ghost
    assert ghost.startswith("  v2"), "not in the tape's cluster"


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.text(max_size=20) | st.sampled_from(["\\", '"', "\\N", "<b>", "&amp;", "a\nb", "\0"]))
@example("\n")
def test_graphviz_reads_any_name(name: str) -> None:
    scene = squared()
    scene.values[0]["name"] = scene.regions[0]["label"] = scene.title = name
    drawn = engine.drawn("pygraphviz", dot.text(scene))
    assert len(drawn["objects"]) == 4, "two values, an op, a region"


def test_names_come_out_as_they_were() -> None:
    scene = squared()
    scene.values[0]["name"] = 'a"\\N&lt;'
    drawn = engine.drawn("pygraphviz", dot.text(scene))
    lines = [one["text"] for node in drawn["objects"] for one in node.get("_ldraw_", []) if one["op"] == "T"]
    assert 'a"\\\\N&lt; = 3' in lines, "Graphviz's JSON doubles a backslash"


def test_a_source_for_notebooks(monkeypatch: pytest.MonkeyPatch) -> None:
    graphviz = pytest.importorskip("graphviz")
    source = dot.source(squared())
    assert isinstance(source, graphviz.Source)
    assert source.source.strip() == dot.text(squared())
    assert viz.graph(squared()).dot.source == source.source
    monkeypatch.setitem(sys.modules, "graphviz", None)
    with pytest.raises(ImportError, match="pip install"):
        dot.source(squared())
