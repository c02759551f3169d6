"""A scene in words: a table for the terminal and the screen reader, and a story of one sentence per step."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from ..layout.sizes import columns, face, label, short
from ..scene import Scene
from ..style import amount
from . import state as at

WIDEST = 44  # columns of one cell of the table
HEAD = ("step", "what", "line", "value", "gradient, tangent", "memory")
RIGHT = {0, 5}


def table(scene: Scene) -> str:
    """A row per step: what happened, where, which values and derivatives it wrote, and how much memory is held after it.

    Memory has a column only where it was measured.  An error stands below, whole.

    >>> print(table(Scene(title="nothing", steps=[{"kind": "start", "say": "Nothing has run yet.", "memory": {}}])))
    step  what   line  value  gradient, tangent
    ----  -----  ----  -----  -----------------
       0  start
    """
    cells = _by_step(scene)
    rows = [HEAD, *[_row(scene, at_, cells.get(at_, ([], []))) for at_ in range(len(scene.steps))]]
    rows = rows if scene.holders else [row[: HEAD.index("memory")] for row in rows]
    rows.insert(1, tuple("-" * max(map(columns, column)) for column in zip(*rows, strict=True)))
    errors = [f"{number}: {told['say']}" for number, told in enumerate(scene.steps) if told["kind"] == "error"]
    return "\n".join([*in_columns(rows, RIGHT), *([""] if errors else []), *errors])


def _row(scene: Scene, step: int, cells_written: tuple[list[str], list[str]]) -> tuple[str, ...]:
    told = scene.steps[step]
    where = _where(scene, told.get("place"))
    if cause := _where(scene, told.get("cause")):
        where = f"{where} ← {cause}"
    plain, derived = cells_written
    held = amount(at.total_at(scene, step), scene.unit)
    cells = str(step), told["kind"], where, ", ".join(plain), ", ".join(derived), held
    return tuple(short(_flat(cell), WIDEST) for cell in cells)


def _flat(text: str) -> str:
    return " ".join("".join(char if char.isprintable() or char.isspace() else "�" for char in text).split())


def in_columns(rows: Sequence[Sequence[str]], right: Collection[int] = ()) -> list[str]:
    """The rows of a table as lines, each column as wide as its widest cell; those that are named `right` end there.

    >>> in_columns([("run", "peak"), ("plain", "40 B")], {1})
    ['run    peak', 'plain  40 B']
    """
    filled = []
    for number, column in enumerate(zip(*rows, strict=True)):
        room = max(map(columns, column))
        gaps = [" " * (room - columns(cell)) for cell in column]
        filled.append([gap + cell if number in right else cell + gap for cell, gap in zip(column, gaps, strict=True)])
    return ["  ".join(row).rstrip() for row in zip(*filled, strict=True)]


def _where(scene: Scene, place: list[Any] | None) -> str:
    if not place:
        return ""
    if len(scene.sources) == 1:
        return str(place[1])
    source = next((known["label"] for known in scene.sources if known["id"] == place[0]), place[0])
    return f"{source}:{place[1]}"


def _by_step(scene: Scene) -> dict[int, tuple[list[str], list[str]]]:
    """What each step wrote into cells, values and derivatives, as "name = number"."""
    out: dict[int, tuple[list[str], list[str]]] = {}
    for value in scene.values:
        for cell in value["cells"]:
            own = cell["id"] == "v"
            name = label(value, cell) if own else _named(value, cell)
            for state in cell.get("states", []):
                shown = face(state)
                said = shown if name == shown else f"{name} = {shown}"  # a number of the program's text is its own name
                out.setdefault(state["t"], ([], []))[0 if own else 1].append(said)
    return out


def _named(value: dict[str, Any], cell: dict[str, Any]) -> str:
    """A derivative with the value that it belongs to, where its label does not say so or has no room for all of it."""
    said, name = cell["label"], value["name"]
    if said.endswith("…"):
        whole = name if all(letter.isalnum() or letter in "._" for letter in name) else f"({name})"
        return f"{said.partition('/∂')[0]}/∂{whole}"
    return said if said.endswith(f"/∂{name}") else f"{said} of {name}"


def story(scene: Scene) -> str:
    """One numbered sentence per step, under the title.

    >>> print(story(Scene(title="nothing", steps=[{"kind": "start", "say": "Nothing has run yet.", "memory": {}}])))
    nothing
    <BLANKLINE>
    0. Nothing has run yet.
    """
    room = len(str(len(scene.steps) - 1))
    head = [line for line in (_flat(scene.title), _flat(scene.lead)) if line]
    lines = []
    for number, told in enumerate(scene.steps):
        if told["kind"] == "covered":
            break
        lines.append(f"{number:>{room}}. {_flat(told['say'])}")
        if asked := told.get("ask"):
            lines.append(
                f"{' ' * room}  {_flat(asked['question'])} {' / '.join(_flat(str(o)) for o in asked['options'])}"
            )
    return "\n".join([*head, *([""] if head else []), *lines])


def described(scene: Scene, step: int) -> str:
    """A step in words, as the alternative text of a picture: its sentence, what every value shows, what is held."""
    from .cards import in_words

    said = [_flat(scene.steps[step]["say"])]
    for value in scene.values:
        if at.born(value, step):
            cells = zip(value["cells"], at.shown_at(value, step), strict=True)
            said.append(", ".join(f"{label(value, cell)} {in_words(now)}" for cell, now in cells if now is not None))
    if scene.holders:
        held = [f"{holder['label']} {at.memory_at(scene, step).get(holder['id'], 0):g}" for holder in scene.holders]
        said.append(f"Memory: {amount(at.total_at(scene, step), scene.unit)} ({', '.join(held)})")
    return ". ".join(sentence.rstrip(".") for sentence in said if sentence) + "."
