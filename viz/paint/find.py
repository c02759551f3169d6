"""What can be found in a run by its words, and what belongs together: lists that a player does not understand."""

from __future__ import annotations

from typing import Any

from ..layout.sizes import label
from ..scene import Scene
from ..style import CUT, words
from . import state


def findable(scene: Scene) -> list[list[Any]]:
    """[name, what the list says of it, other words that find it, the step to go to, what lights up there], but for the steps
    themselves, whose sentences a page has anyway.

    >>> findable(Scene(values=[{"id": "x", "name": "x", "kind": "variable", "born": 1, "cells": []}]))
    [['x', 'variable', '', 1, 'value:x']]
    """
    out: list[list[Any]] = []
    first: dict[Any, int] = {}
    heard: dict[str, int] = {}
    for step, told in enumerate(scene.steps):
        if told.get("place"):
            first.setdefault(tuple(told["place"]), step)
        for who, _ in told.get("marks", []):
            heard.setdefault(who, step)
    for value in scene.values:
        ghost = words("find.ghost", why=value["ghost"]) if value.get("ghost") else ""
        made = words("find.made", op=value["op"]) if value.get("op") else value["kind"]
        also = [value["kind"] if value["kind"] not in made else "", *(cell["label"] for cell in value["cells"][1:])]
        lit = f"value:{value['id']}"
        out.append([value["name"], made + ghost, " ".join(word for word in also if word), value.get("born", 0), lit])
        for cell in value["cells"][1:]:
            for told in state.written(cell)[:1]:
                why = told.get("why", "")
                name = value["name"]
                said = words("find.of_none", name=name, why=why) if why else words("find.of", name=name)
                out.append([label(value, cell), said, said_of(cell["kind"], told), told["t"], lit])
    for source in scene.sources:
        for number, text in source["lines"]:
            if (source["id"], number) in first:
                step, lit = first[source["id"], number], f"place:{source['id']}|{number}"
                out.append([words("find.line", number=number), text.strip(), source["label"], step, lit])
    for recorder in scene.recorders:
        if recorder["id"] in heard:
            out.append([recorder["name"], words("find.begins"), recorder["kind"], heard[recorder["id"]], ""])
    return out


def said_of(kind: str, state: dict[str, Any]) -> str:
    """What finds a derivative beside its name: its kind, and None where it was cut."""
    return f"{kind} {CUT}" if state.get("text") == CUT else kind


def together(scene: Scene) -> dict[str, Any]:
    """What lights up with what: of each value its steps, its line and who holds its bytes when; of each step its line."""
    steps: dict[str, list[int]] = {value["id"]: [value.get("born", 0)] for value in scene.values}
    for at, step in enumerate(scene.steps):
        for identity in map(state.card_of, step.get("focus", [])):
            if identity in steps and at not in steps[identity]:
                steps[identity].append(at)
    kept, values = state.pins(scene), []
    for value in scene.values:
        spans = value.get("held")
        if not spans:  # as far as the scene says
            spans = [{**span, "by": "tape"} for span in [*kept.get(value["id"], []), *value.get("kept", [])]]
            if value["kind"] == "variable":
                spans.append({"by": "variable", "from": value.get("born", 0)})
        place = "|".join(map(str, value["place"])) if value.get("place") else ""
        values.append(
            [value["id"], steps[value["id"]], place, [[span["by"], span["from"], span.get("to")] for span in spans]]
        )
    places = ["|".join(map(str, step["place"])) if step.get("place") else "" for step in scene.steps]
    return {"values": columns(values), "places": places}


def columns(rows: list[list[Any]]) -> list[list[Any]]:
    """A table by columns, which packs better than by rows.

    >>> columns([["x", 1], ["y", 2]])
    [['x', 'y'], [1, 2]]
    """
    return [list(column) for column in zip(*rows, strict=True)]
