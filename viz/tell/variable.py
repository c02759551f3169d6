"""The face of a variable: a card with what it holds, and one sentence."""

from __future__ import annotations

from typing import Any

from ..capture.numbers import shape_text
from ..layout import place
from ..scene import Scene
from ..style import amount, words


def variable_scene(facts: dict[str, Any]) -> Scene:
    """A scene of one step and one value, from what `capture.variable_facts` says of a variable."""
    state = {"t": 0, "text": facts["text"], **({"data": facts["data"]} if facts["data"] else {})}
    value = {
        "id": "v0", "name": facts["name"], "kind": "variable", "order": 0, "dtype": facts["dtype"], "shape": facts["shape"],
        "bytes": facts["bytes"], "born": 0, "cells": [{"id": "v", "label": facts["name"], "kind": "value", "states": [state]}],
    }  # fmt: skip
    key = "watched" if facts["watched"] else "unwatched" if facts["slope"] else "whole"
    what = f"{facts['dtype']} {shape_text(facts['shape'])}".strip()
    say = words(f"variable.{key}", name=facts["name"], what=what, bytes=amount(facts["bytes"]))
    scene = Scene(title=facts["name"], steps=[{"kind": "start", "say": say, "memory": {}}], values=[value])
    scene.layout = place(scene, quick=True)
    return scene
