"""What is to be said of one value: where it was made, who wrote it down, who keeps its bytes and until when, who uses it.

Written once as HTML for each value; a page shows one of them when a reader asks (`static/instrument.js`), and marks what holds
at its step.
"""

from __future__ import annotations

from typing import Any

from ..layout.sizes import shape
from ..scene import Scene
from ..style import CUT, words
from .sheet import Mark, Page

MANY = 8  # uses, or steps, that are told one by one


def has_arrays(scene: Scene) -> bool:
    """Whether a run has an array: without one there is nothing for a microscope."""
    return any(value.get("shape") for value in scene.values)


def about(scene: Scene) -> dict[str, str]:
    """By value what is said of it, as HTML.

    >>> with viz.record() as run, tf.GradientTape() as tape:
    ...     x = tf.Variable(3.0)
    ...     y = x * x
    >>> told = about(run.scene)
    >>> "tape keeps it" in told["v0"], "multiply" in told["v1"]
    (True, True)
    """
    write = Page(1).write
    return {value["id"]: write(_one(scene, value)) for value in scene.values}


def _one(scene: Scene, value: dict[str, Any]) -> Mark:
    made = words("inspect.by", op=value["op"]) if value.get("op") else words("inspect.given")
    facts = [made, value.get("dtype", ""), shape({"data": {"shape": value["shape"]}}) if value.get("shape") else "",
             words("inspect.bytes", count=value["bytes"]) if value.get("bytes") else ""]  # fmt: skip
    rows = [
        ("line", _line(scene, value)),
        ("entry", _entry(scene, value)),
        ("formula", _formula(scene, value)),
        ("kept", _kept(scene, value)),
        ("held", _held(scene, value)),
        ("used", _used(scene, value)),
        ("derived", _derived(value)),
    ]
    told = [part for name, lines in rows if lines for part in (Mark("dt", text=words(f"inspect.{name}")), *lines)]
    return Mark(
        "div", Mark("h2", text=value["name"]), Mark("p", text=" · ".join(filter(None, facts))), Mark("dl", *told)
    )


def _go(step: int) -> Mark:
    return Mark("button", cls="goto", data_go=step, text=words("step.step", step=step))


def _span(text: str, span: dict[str, Any]) -> Mark:
    """A line that holds from one step to another; a page marks it while it does."""
    end = words("inspect.until", step=span["to"]) if "to" in span else words("inspect.open")
    said = f"{text} {words('inspect.from', step=span['from'])} {end}"
    return Mark("dd", text=said, data_from=span["from"], data_to=span.get("to"))


def _line(scene: Scene, value: dict[str, Any]) -> list[Mark]:
    place = value.get("place")
    source = next((known for known in scene.sources if place and known["id"] == place[0]), None)
    if source is None or place is None:
        return []
    text = next((text for number, text in source["lines"] if number == place[1]), "")
    said = Mark("span", text=words("inspect.at", source=source["label"], line=place[1]))
    return [Mark("dd", said, Mark("code", text=text.strip()), _go(value.get("born", 0)))]


def _entry(scene: Scene, value: dict[str, Any]) -> list[Mark]:
    if value.get("ghost"):
        return [Mark("dd", text=words("card.ghost", why=value["ghost"]))]
    names = {recorder["id"]: recorder["name"] for recorder in scene.recorders}
    marks = scene.steps[value["born"]].get("marks", []) if value.get("op") else []
    wrote = [names[by] for by, mark in marks if mark in ("op", "replay", "rebuild")]
    return [Mark("dd", text=words("inspect.wrote", who=who)) for who in wrote]


def _formula(scene: Scene, value: dict[str, Any]) -> list[Mark]:
    columns = scene.steps[value["born"]].get("formula", []) if value.get("op") else []
    if not columns:
        return []
    return [Mark("dd", Mark("code", text=" ".join(str(column[place]) for column in columns))) for place in (0, 1)]


def _kept(scene: Scene, value: dict[str, Any]) -> list[Mark]:
    names = {recorder["id"]: recorder["name"] for recorder in scene.recorders}
    told = {card["id"]: card for card in scene.values}
    spans = [(span, "inspect.keeps", value["name"]) for span in value.get("kept", [])]
    spans += [
        (span, "inspect.keeps_for", told[edge["b"]]["name"])
        for edge in scene.edges
        if edge["a"] == value["id"]
        for span in edge.get("kept", [])
    ]
    said = [(words(key, who=names.get(span["by"], span["by"]), use=use), span) for span, key, use in spans]
    return [_span(text, span) for at, (text, span) in enumerate(said) if (text, span) not in said[:at]]


def _held(scene: Scene, value: dict[str, Any]) -> list[Mark]:
    labels = {holder["id"]: holder["label"] for holder in scene.holders}
    spans = [_span(labels.get(span["by"], span["by"]), span) for span in value.get("held", [])]
    gone = [Mark("dd", Mark("span", text=words("inspect.gone")), _go(value["gone"]))] if "gone" in value else []
    return spans + gone


def _used(scene: Scene, value: dict[str, Any]) -> list[Mark]:
    told = {card["id"]: card for card in scene.values}
    users = list(dict.fromkeys(edge["b"] for edge in scene.edges if edge["a"] == value["id"]))
    lines = [
        Mark(
            "dd",
            Mark("span", text=words("inspect.use", name=told[user]["name"], op=told[user].get("op", ""))),
            _go(told[user]["born"]),
        )
        for user in users[:MANY]
    ]
    more = [Mark("dd", text=words("inspect.more", count=len(users) - MANY))] if len(users) > MANY else []
    return lines + more or [Mark("dd", text=words("inspect.unused"))]


def _derived(value: dict[str, Any]) -> list[Mark]:
    lines = []
    for cell in value["cells"]:
        states = [state for state in cell.get("states", []) if cell["id"] != "v"]
        if states:
            last = states[-1]
            said = words("card.cut_why", why=last["why"]) if last["text"] == CUT and last.get("why") else last["text"]
            lines.append(Mark("dd", Mark("span", text=f"{cell['label']}: {said}"), _go(last["t"])))
    return lines
