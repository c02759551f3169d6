"""Small scenes made by hand for the tests of layout and pictures: what happened is told here, not computed."""

from __future__ import annotations

from typing import Any

from viz.scene import Scene

Facts = list[tuple[int, str]]


def cell(key: str, label: str, kind: str, facts: Facts) -> dict[str, Any]:
    """A cell whose states are the given (step, text)."""
    return {
        "id": key,
        "label": label,
        "kind": kind,
        "by": "t",
        "states": [{"t": at, "text": text} for at, text in facts],
    }


def carried(text: str, at: int) -> list[dict[str, Any]]:
    """The facts of an edge along which one gradient came back."""
    return [{"t": at, "by": "t", "kind": "gradient", "text": text}]


def squared() -> Scene:
    """y = x · x at 3, recorded by one tape, and its slope: nine steps of everything that one tape does."""
    steps: list[dict[str, Any]] = [
        {"kind": "start", "say": "All is still."},
        {
            "kind": "variable",
            "say": "x begins as 3.",
            "place": ["c", 1],
            "produced": [[["c", 1], "x = 3"]],
            "focus": ["x"],
        },
        {"kind": "enter", "say": "A tape listens.", "place": ["c", 2], "marks": [["t", "enter"]]},
        {
            "kind": "op",
            "say": "x times x makes 9; both uses of x are kept.",
            "place": ["c", 3],
            "produced": [[["c", 3], "y = 9"]],
            "focus": ["y"],
            "flow": [["x>y:0", "forward"], ["x>y:1", "forward"]],
            "marks": [["t", "op"]],
            "formula": [["y", "9", "value", "y"], ["=", "=", "op", ""], ["x", "3", "value", "x"], ["·", "·", "op", ""]]
            + [["x", "3", "value", "x"]],
        },
        {"kind": "exit", "say": "The tape stops.", "place": ["c", 3], "marks": [["t", "exit"]]},
        {
            "kind": "seed",
            "say": "The backward pass begins.",
            "place": ["c", 4],
            "marks": [["t", "seed"]],
            "focus": [["y", "g"]],
            "ask": {"question": "How steep?", "options": ["3", "6"], "answer": "6", "note": "Twice.", "after": 2},
        },
        {
            "kind": "back",
            "say": "3 comes back through the first use.",
            "place": ["c", 4],
            "cause": ["c", 3],
            "marks": [["t", "back"]],
            "flow": [["x>y:0", "back"]],
            "focus": ["x"],
            "high": 24,
        },
        {
            "kind": "back",
            "say": "3 more through the second use: 6.",
            "place": ["c", 4],
            "cause": ["c", 3],
            "marks": [["t", "back"]],
            "flow": [["x>y:1", "back"]],
            "focus": ["x"],
        },
        {"kind": "free", "say": "The tape lets go.", "place": ["c", 4], "marks": [["t", "free"]]},
    ]
    held = [{}, {"variable": 4}, {"variable": 4}, *[{"variable": 4, "python": 4}] * 2]
    held += [{"variable": 4, "python": 4, "flight": 4}, *[{"variable": 4, "python": 4, "flight": 8}] * 2]
    held.append({"variable": 4, "python": 8})
    for step, memory in zip(steps, held, strict=True):
        step["memory"] = memory
    kept = [{"by": "t", "from": 3, "to": 8}]
    return Scene(
        title="A square",
        lead="How steep is x · x?",
        sources=[
            {
                "id": "c",
                "label": "cell 1",
                "lines": [
                    [1, "x = tf.Variable(3.0)"],
                    [2, "with tf.GradientTape() as tape:"],
                    [3, "    y = x * x"],
                    [4, "slope = tape.gradient(y, x)"],
                ],
            }
        ],
        recorders=[
            {
                "id": "t",
                "name": "tape",
                "kind": "tape",
                "order": 1,
                "states": [{"t": 2, "state": "listening"}, {"t": 4, "state": "stopped"}, {"t": 8, "state": "spent"}],
            }
        ],
        holders=[
            {"id": "variable", "label": "variables"},
            {"id": "python", "label": "Python names"},
            {"id": "flight", "label": "in flight"},
        ],
        values=[
            {
                "id": "x",
                "name": "x",
                "kind": "variable",
                "order": 0,
                "born": 1,
                "region": "r",
                "cells": [cell("v", "x", "value", [(1, "3")]), cell("g", "∂y/∂x", "gradient", [(6, "3"), (7, "6")])],
            },
            {
                "id": "y",
                "name": "y",
                "kind": "value",
                "order": 0,
                "born": 3,
                "region": "r",
                "op": "multiply",
                "sign": "×",
                "cells": [cell("v", "y", "value", [(3, "9")]), cell("g", "∂y/∂y", "gradient", [(5, "1")])],
            },
        ],
        edges=[
            {"id": "x>y:0", "a": "x", "b": "y", "slot": 0, "kept": kept, "carried": carried("3", 6)},
            {"id": "x>y:1", "a": "x", "b": "y", "slot": 1, "kept": kept, "carried": carried("3", 7)},
        ],
        regions=[{"id": "r", "label": "tape", "kind": "tape", "recorder": "t", "states": []}],
        steps=steps,
    )


def cut() -> Scene:
    """loss = y + 1, made after the tape had stopped: a ghost, and a None with its reason."""
    scene = squared()
    y = scene.values[1]
    y["cells"][1]["states"] = [{"t": 8, "text": "None", "why": "loss came after the tape had stopped"}]
    loss = {**y, "id": "loss", "name": "loss", "op": "add", "sign": "+", "born": 5, "ghost": "the tape had stopped"}
    loss["cells"] = [cell("v", "loss", "value", [(5, "10")]), cell("g", "∂loss/∂loss", "gradient", [])]
    del loss["region"]
    scene.values.append(loss)
    scene.edges.append({"id": "y>loss:0", "a": "y", "b": "loss", "slot": 0, "kept": [], "carried": []})
    return scene


def weights() -> Scene:
    """One step that shows a matrix, an array too big for a picture, and a number that is not one."""
    small = {"t": 1, "text": "", "data": {"shape": [2, 3], "numbers": [[1, -2, 0], [0.5, 4, "nan"]]}}
    big = {"t": 1, "text": "", "data": {"shape": [64, 3], "low": -1.5, "high": 2.25}}
    base = {"kind": "variable", "order": 0, "born": 1}
    return Scene(
        title="Weights",
        values=[
            {"id": "w", "name": "权重", **base, "cells": [{**cell("v", "w", "value", []), "states": [small]}]},
            {"id": "h", "name": "h", **base, "cells": [{**cell("v", "h", "value", []), "states": [big]}]},
        ],
        steps=[
            {"kind": "start", "say": "All is still.", "memory": {}},
            {"kind": "op", "say": "两个矩阵。", "memory": {}},
        ],
    )
