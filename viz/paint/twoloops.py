"""A loop of two runs over each other: one as bars, the other as a dashed line, on one scale; their last value as two curves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..layout.lines import wrap
from ..layout.sizes import sans_width
from ..style import words
from .cards import path, rect, text
from .ink import Ink, fitting, group
from .loop import CELL, LEFT, ROWS, at_turn, cells_of, finals, loop, other_turns, padded, pointed
from .sheet import Mark
from .still import Still
from .strips import curve, scale_of, shown, spelled

TALL = 92.0  # px of the two curves
SIZE = 13.0

Told = dict[str, Any]


def described(pair: list[Told], names: tuple[str, str]) -> str:
    """Both runs of a loop in a sentence: how large its last value is at the beginning, in the middle, and in the end."""
    first, second = pair
    card, theirs = finals(first, second)
    last = min(first["turns"], second["turns"]) - 1  # that both have
    turns = sorted({0, last // 2, last})
    told = [
        words("differ.loop_turn", turn=turn, one=shown(card, "values", turn), other=shown(theirs, "values", turn))
        for turn in turns
    ]
    return words(
        "differ.loop", label=first["label"].rstrip(":"), count=first["turns"],
        several=other_turns(first, second, names), name=card["name"], one=names[0], other=names[1], turns="; ".join(told),
    )  # fmt: skip


def level(pair: Sequence[Told]) -> list[Told]:
    """Both loops on one axis, as long as the longer of them."""
    turns = max(told["turns"] for told in pair)
    return [_on_axis(told, turns) for told in pair]


def _on_axis(told: Told, turns: int) -> Told:
    """A loop with turns that it never had, in which nothing is known; its way back still meets each turn where that stands."""
    own, mirrored = told["turns"], told["order"] == "mirrored"
    if own == turns:
        return told
    body = [{**card, **{row: padded(card[row], turns) for row, _ in ROWS if row in card}} for card in told["body"]]
    # of the turns, of their end, of the way back
    shifts = (0, turns - own, 2 * (turns - own)) if mirrored else (0, 0, 0)
    memory = [[at + shifts[(at >= own) + (at >= own + 1)], *held] for at, *held in told["memory"]]
    if memory and not mirrored:
        memory.append([own, *[0] * len(memory[-1][1:])])
    return {**told, "turns": turns, "own": own, "body": body, "memory": memory}


def drawn(
    pair: list[Told], names: tuple[str, str], holders: list[Told], ink: Ink, wide: float
) -> tuple[str, float, float]:
    """The loop of two runs at the last turn that both have, and how wide and high it is."""
    still, y, out = Still(ink, min(told["turns"] for told in pair) - 1), 0.0, []
    for line in wrap(described(pair, names), wide / 1.04, SIZE + 1):
        y += SIZE + 7
        out.append(ink.text(0, y, line, SIZE + 1, "ink", sans=True, weight=600))
    y += 22
    x = 0.0
    for icon, name in (
        (path("M0 4V-4H6V4ZM8 4V-7H14V4ZM16 4V-1H22V4Z", "bars value"), names[0]),
        (path("M0 0H22", "against"), names[1]),
    ):
        said = fitting(name, 200, SIZE)
        out += [
            group(still.write(icon), transform=f"translate({x:.0f} {y - 4:.0f})"),
            ink.text(x + 30, y, said, SIZE, sans=True),
        ]
        x += 30 + sans_width(said, SIZE) * 1.06 + 26
    y += 12
    first, second = both = level(pair)
    marks, high = loop(first, holders, second, moves=False, wide=wide, names=names)
    out.append(group(still.write(marks), transform=f"translate(0 {y:.0f})"))
    y += high + 4
    curves, tall = curves_of(both, wide, moves=False)
    out.append(group(still.write(curves), transform=f"translate(0 {y:.0f})"))
    return "".join(out), wide, y + tall


def curves_of(pair: Sequence[Told], wide: float, moves: bool) -> tuple[Mark, float]:
    """How large the last value is in each turn, of both runs, beneath the axis of turns."""
    first, second = finals(*pair)
    if "values" not in first or "values" not in second:
        return Mark("g"), 0.0
    turns = pair[0]["turns"]
    span = (wide - LEFT) / cells_of(pair[0]) * turns
    rows = [first["values"], second["values"]]
    scale = scale_of(rows, log=True)
    body = [rect(0, 0, span, TALL, cls="track turns"), path(curve(rows[0], span, TALL, scale), "curve value"),
            path(curve(rows[1], span, TALL, scale), "against")]  # fmt: skip
    here = rect(0, -2, max(4.0, span / turns), TALL + 4, cls="sightturn", key="curves")
    body.append(at_turn(here, turns, span, moves))
    marks = [text(14, 14, f"|{first['name']}|"[:16], "loophead")]
    marks.append(text(14, 30, words("differ.loop_log") if scale.log else words("differ.loop_size"), "loopword"))
    if scale.high:
        lowest = scale.low if scale.log else 0.0
        marks += [
            text(LEFT - 6, 10, spelled(scale.high), "loopword end"),
            text(LEFT - 6, TALL, spelled(lowest), "loopword end"),
        ]
    return Mark("g", *marks, pointed(body, LEFT, 0, turns, span)), TALL + CELL
