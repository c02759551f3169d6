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
    write, teller = Page(1).write, _Teller(scene)
    return {value["id"]: write(teller.told(value)) for value in scene.values}


def _go(step: int) -> Mark:
    return Mark("button", cls="goto", data_go=step, text=words("step.step", step=step))


def _span(text: str, span: dict[str, Any]) -> Mark:
    """A line that holds from one step to another; a page marks it while it does."""
    end = words("inspect.until", step=span["to"]) if "to" in span else words("inspect.open")
    said = f"{text} {words('inspect.from', step=span['from'])} {end}"
    return Mark("dd", text=said, data_from=span["from"], data_to=span.get("to"))


class _Teller:
    """A scene, in which is looked up what belongs to a value."""

    def __init__(self, scene: Scene) -> None:
        self.scene, self.cards = scene, {card["id"]: card for card in scene.values}
        self.names = {recorder["id"]: recorder["name"] for recorder in scene.recorders}
        self.holders = {holder["id"]: holder["label"] for holder in scene.holders}
        self.uses: dict[str, list[dict[str, Any]]] = {}
        for edge in scene.edges:
            self.uses.setdefault(edge["a"], []).append(edge)

    def told(self, value: dict[str, Any]) -> Mark:
        """All that is said of a value."""
        made = words("inspect.by", op=value["op"]) if value.get("op") else words("inspect.given")
        facts = [made, value.get("dtype", ""), shape({"data": {"shape": value["shape"]}}) if value.get("shape") else "",
                 words("inspect.bytes", count=value["bytes"]) if value.get("bytes") else ""]  # fmt: skip
        rows = {
            "line": self.line, "entry": self.entry, "formula": self.formula, "kept": self.kept, "held": self.held,
            "used": self.used, "derived": self.derived,
        }  # fmt: skip
        told = []
        for name, lines_of in rows.items():
            if lines := lines_of(value):
                told += [Mark("dt", text=words(f"inspect.{name}")), *lines]
        head = Mark("h2", text=value["name"]), Mark("p", text=" · ".join(filter(None, facts)))
        return Mark("div", *head, Mark("dl", *told))

    def line(self, value: dict[str, Any]) -> list[Mark]:
        """Where it was made."""
        place = value.get("place")
        source = next((known for known in self.scene.sources if place and known["id"] == place[0]), None)
        if source is None or place is None:
            return []
        text = next((text for number, text in source["lines"] if number == place[1]), "")
        said = Mark("span", text=words("inspect.at", source=source["label"], line=place[1]))
        return [Mark("dd", said, Mark("code", text=text.strip()), _go(value.get("born", 0)))]

    def entry(self, value: dict[str, Any]) -> list[Mark]:
        """Who wrote it down, or why nobody did."""
        if value.get("ghost"):
            return [Mark("dd", text=words("card.ghost", why=value["ghost"]))]
        marks = self.scene.steps[value["born"]].get("marks", []) if value.get("op") else []
        wrote = [self.names[by] for by, mark in marks if mark in ("op", "replay", "rebuild")]
        return [Mark("dd", text=words("inspect.wrote", who=who)) for who in wrote]

    def formula(self, value: dict[str, Any]) -> list[Mark]:
        """Its op in symbols, and in numbers."""
        columns = self.scene.steps[value["born"]].get("formula", []) if value.get("op") else []
        if not columns:
            return []
        return [Mark("dd", Mark("code", text=" ".join(str(column[place]) for column in columns))) for place in (0, 1)]

    def kept(self, value: dict[str, Any]) -> list[Mark]:
        """Which tapes keep it, for itself and for its uses."""
        spans = [(span, "inspect.keeps", value["name"]) for span in value.get("kept", [])]
        spans += [
            (span, "inspect.keeps_for", self.cards[edge["b"]]["name"])
            for edge in self.uses.get(value["id"], [])
            for span in edge.get("kept", [])
        ]
        said = [(words(key, who=self.names.get(span["by"], span["by"]), use=use), span) for span, key, use in spans]
        return [_span(text, span) for at, (text, span) in enumerate(said) if (text, span) not in said[:at]]

    def held(self, value: dict[str, Any]) -> list[Mark]:
        """Who holds its bytes, and when they are gone."""
        spans = [_span(self.holders.get(span["by"], span["by"]), span) for span in value.get("held", [])]
        gone = [Mark("dd", Mark("span", text=words("inspect.gone")), _go(value["gone"]))] if "gone" in value else []
        return spans + gone

    def used(self, value: dict[str, Any]) -> list[Mark]:
        """What it goes into."""
        users = [self.cards[user] for user in dict.fromkeys(edge["b"] for edge in self.uses.get(value["id"], []))]
        lines = []
        for user in users[:MANY]:
            said = words("inspect.use", name=user["name"], op=user.get("op", ""))
            lines.append(Mark("dd", Mark("span", text=said), _go(user["born"])))
        more = [Mark("dd", text=words("inspect.more", count=len(users) - MANY))] if len(users) > MANY else []
        return lines + more or [Mark("dd", text=words("inspect.unused"))]

    def derived(self, value: dict[str, Any]) -> list[Mark]:
        """Its derivatives."""
        lines = []
        for cell in value["cells"]:
            states = cell.get("states", []) if cell["id"] != "v" else []
            for last in states[-1:]:
                cut = last["text"] == CUT and last.get("why")
                said = words("card.cut_why", why=last["why"]) if cut else last["text"]
                lines.append(Mark("dd", Mark("span", text=f"{cell['label']}: {said}"), _go(last["t"])))
        return lines
