"""The final graph as DOT, for those who want Graphviz itself: boxes for values, circles for ops, clusters for regions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..layout.sizes import face, label, op_sign
from ..scene import Scene
from ..style import PALETTE
from . import state as at

if TYPE_CHECKING:
    import graphviz


def text(scene: Scene) -> str:
    """DOT source of the graph as it stands after the last step; any Graphviz draws it, offline or pasted into a page.

    >>> print(text(Scene(values=[{"id": "x", "name": "x", "kind": "variable", "cells": []}])))
    digraph "" {
      graph [rankdir=LR, fontname="sans-serif"]
      node [shape=box, style=rounded, fontname="monospace"]
      edge [fontname="monospace", fontsize=11]
      v0 [label="x", style=""]
    }
    """
    last = max(0, len(scene.steps) - 1)
    names = {value["id"]: f"v{number}" for number, value in enumerate(scene.values)}
    regions = {region["id"] for region in scene.regions}
    out = [
        f"digraph {quoted(scene.title)} {{",
        '  graph [rankdir=LR, fontname="sans-serif"]',
        '  node [shape=box, style=rounded, fontname="monospace"]',
        '  edge [fontname="monospace", fontsize=11]',
    ]

    def write(region: str, indent: str, above: tuple[str, ...]) -> None:
        for value in scene.values:
            home = value.get("region", "")
            if (home if home in regions else "") == region:
                out.extend(indent + line for line in _value(value, names[value["id"]], last))
        for number, child in enumerate(scene.regions):
            parent = child.get("parent", "")
            if (parent if parent in regions else "") == region and child["id"] not in above:
                out.append(f"{indent}subgraph cluster_{number} {{")
                # one line: Graphviz crashes where the label of a cluster begins with an empty one
                name = quoted(child["label"].replace("\n", " "))
                out.append(f"{indent}  graph [label={name}, labeljust=l, {_ground(child)}]")
                write(child["id"], indent + "  ", (*above, child["id"]))
                out.append(indent + "}")

    write("", "  ", ())
    made = {value["id"] for value in scene.values if op_sign(value)}
    for edge in sorted(scene.edges, key=lambda edge: edge.get("slot", 0)):
        if edge["a"] in names and edge["b"] in names:
            head = f"{'o' if edge['b'] in made else ''}{names[edge['b']]}"
            out.append(f"  {names[edge['a']]} -> {head}{_edge(edge, last)}")
    return "\n".join([*out, "}"])


def source(scene: Scene) -> graphviz.Source:
    """The same as an object of the `graphviz` package, which a notebook draws; raises ImportError without that package."""
    try:
        import graphviz
    except ImportError as fault:
        raise ImportError('this needs the graphviz package: pip install "minitape[viz]"') from fault
    return graphviz.Source(text(scene))


def quoted(said: str) -> str:
    r"""A DOT string that shows exactly `said`, whatever is in it.

    >>> print(quoted('say "hi"'))
    "say \"hi\""
    """
    shown = "".join(char if char.isprintable() or char == "\n" else "�" for char in said)
    return '"' + shown.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("&", "&amp;") + '"'


def _value(value: dict[str, Any], name: str, step: int) -> list[str]:
    rows = [value["name"] if not value["cells"] else ""]
    for cell, now in zip(value["cells"], at.shown_at(value, step), strict=True):
        rows.append(label(value, cell) + (f" = {face(now)}" if now else ""))
    square = (
        ', style=""' if value.get("kind") == "variable" else ', style="rounded,dashed"' if value.get("ghost") else ""
    )
    lines = [f"{name} [label={quoted(chr(10).join(row for row in rows if row))}{square}]"]
    if sign := op_sign(value):
        disc = "octagon" if value.get("custom") else "circle"
        lines += [f"o{name} [label={quoted(sign)}, shape={disc}, style=solid, margin=0.03]", f"o{name} -> {name}"]
    return lines


def _edge(edge: dict[str, Any], step: int) -> str:
    now = at.carried_at(edge, step)
    if now is None:
        return ""
    colour = PALETTE["light"].get(now["kind"], PALETTE["light"]["mute"])
    return f' [label={quoted(now["text"])}, fontcolor="{colour}"]'


def _ground(region: dict[str, Any]) -> str:
    fill = {
        "gradient": "#fbf1ea",
        "tangent": "#ecf6f2",
        "gradient2": "#f6eef4",
        "gradient3": "#f0eef6",
        "gradient4": "#f7edf1",
        "gradient5": "#f3f4ea",
        "gradient6": "#f5f1ee",
        "name": "#f5f6f8",
    }
    # Of higher orders they look alike.
    kind = region["kind"] if region["kind"] == "tangent" else region["kind"].replace("tangent", "gradient")
    return f'style="rounded,filled", color="{PALETTE["light"]["faint"]}", fillcolor="{fill.get(kind, "#edf4f9")}"'
