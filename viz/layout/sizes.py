"""How big a card is: wide enough for the widest text that each of its cells ever shows, so that nothing moves later.

Widths are counted in columns of a monospace font, as a terminal counts them; the browser is never asked.
"""

from __future__ import annotations

import math
import re
import unicodedata
from functools import lru_cache
from typing import Any

from ..capture.numbers import flat, shape_text
from ..capture.numbers import number as spelled
from ..scene import Scene
from ..style import CHAR, CUT, DISC, LABEL_CHAR, NOT_YET, PAD, PIXEL, ROW, words

FRAME = 3  # px between the card's edge and its rows, above and below
LABEL, LABEL_LINE = 12, 14  # px: the name of a region, and from one of its lines to the next
GAP = 14  # px at least between a cell's label and its number
TALL = 170  # px: the rows of a card, so that it fits into a low window
ROWS = TALL // ROW
SIDE = 8  # an array of at most SIDE × SIDE numbers is drawn as a picture
# Numbers that stand one by one; lines at most; numbers of a vector in a line; px of a line.
FEW, DEEP, ACROSS, LINE = 6, 3, 3, 15
CAPSULE, SIGN_CHAR = 88, 7.2  # px: the widest disc beside a card, and the advance of its letters
SHAPE_CHAR = 7.2  # px: the advance of the small type of a shape
LIKELY = 0.92  # of a width in the proportional font, which is estimated on the wide side
CUT_FACE = "✂ None"


def columns(text: str) -> int:
    """How many columns `text` takes in a monospace font.

    >>> columns("x"), columns("梯度"), columns("ẋ"), columns("q" + chr(0x307))
    (1, 4, 1, 1)
    """
    return len(text) if text.isascii() else _counted(text)


@lru_cache(maxsize=8192)  # the same few names and numbers are measured at every step
def _counted(text: str) -> int:
    return sum(map(_columns, text))


def _columns(char: str) -> int:
    if unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def short(text: str, most: int) -> str:
    """`text` in at most `most` columns, cut with an ellipsis.

    >>> short("reduce_mean", 6)
    'reduc…'
    """
    if columns(text) <= most:
        return text
    room, kept = most - 1, ""
    for char in text:
        room -= _columns(char)
        if room < 0:
            break
        kept += char
    return kept + "…"


def number(value: Any) -> float:
    """A number of the scene as a float; what JSON cannot say (NaN, infinity) comes as text.

    >>> number(2), number("-inf"), number("nan")
    (2.0, -inf, nan)
    """
    return float(value) if isinstance(value, int | float) or value in ("inf", "-inf") else math.nan


def digits(value: float) -> str:
    """A number in at most three significant digits, with a real minus sign.

    >>> digits(-0.12345), digits(2.0), digits(12345), digits(-math.inf)
    ('−0.123', '2', '1.23e+04', '−∞')
    """
    return f"{value:.3g}".replace("-", "−").replace("inf", "∞")


def grid(state: dict[str, Any]) -> list[list[float]] | None:
    """The rows of an array small enough for a picture (leading axes under each other), or None.

    >>> grid({"text": "", "data": {"shape": [3], "numbers": [1, 2, -3]}})
    [[1.0, 2.0, -3.0]]
    """
    data = state.get("data") or {}
    if "numbers" not in data or not data.get("shape"):
        return None
    *lead, across = data["shape"]
    numbers = [number(value) for value in flat(data["numbers"])]
    down = math.prod(lead)
    if not (0 < down <= SIDE and 0 < across <= SIDE) or len(numbers) != down * across:
        return None
    return [numbers[row * across : (row + 1) * across] for row in range(down)]


def lines(state: dict[str, Any] | None) -> list[str]:
    """The numbers of an array that is small enough to be read: a row of a matrix is a line.  Empty for any other.

    >>> matrix = {"data": {"shape": [2, 2], "numbers": [[0.5, -1], [10, 2]]}}
    >>> [line.replace(chr(160), "_") for line in lines(matrix)]
    ['[0.5, −1]', '[_10, _2]']
    >>> lines({"data": {"shape": [4], "numbers": [1, 2, 3, "inf"]}}), lines({"data": {"shape": [7], "numbers": [0] * 7}})
    (['[1, 2,', ' 3, ∞]'], [])
    >>> lines({"data": {"shape": [1, 4], "numbers": [[1, 2, 3, 4]]}}), lines({"data": {"shape": [1, 2], "numbers": [[1, 2]]}})
    (['[[1, 2,', '  3, 4]]'], ['[[1, 2]]'])
    >>> lines({"data": {"shape": [1], "numbers": [0.50001]}, "text": "[0.50001]"})  # what a text says in more digits
    ['[0.50001]']
    """
    data = (state or {}).get("data") or {}
    sides = data.get("shape") or []
    if "numbers" not in data or not 0 < len(sides) < 3 or not 0 < math.prod(sides) <= FEW:
        return []
    text = (state or {}).get("text", "")
    finer = re.findall(r"[^[\], ]+", text) if text.startswith("[") else []
    told = finer or [spelled(float(value)) for value in flat(data["numbers"])]
    if 1 in (len(sides), sides[0]):  # one row: of a vector, or of a matrix
        across = math.ceil(len(told) / math.ceil(len(told) / ACROSS))  # so that no line is left with a single number
        parts = [", ".join(told[at : at + across]) for at in range(0, len(told), across)]
        around, before = ("[" * len(sides), " " * len(sides))
        return f"{around}{f',␊{before}'.join(parts)}{around.replace('[', ']')}".split("␊")
    rows = [told[at : at + sides[1]] for at in range(0, len(told), sides[1])]
    wide = [max(map(columns, column)) for column in zip(*rows, strict=True)]
    shown = [[f"{text:>{most}}".replace(" ", "\xa0") for text, most in zip(row, wide, strict=True)] for row in rows]
    return [f"[{', '.join(row)}]" for row in shown] if len(rows) <= DEEP else []


def shape(state: dict[str, Any] | None) -> str:
    """The shape of an array, as it stands beside its picture.

    >>> shape({"text": "", "data": {"shape": [2, 3]}})
    '2×3'
    >>> shape({"text": "", "data": {"shape": [2]}})
    '(2,)'
    """
    return shape_text(((state or {}).get("data") or {}).get("shape", []))


def face(state: dict[str, Any] | None) -> str:
    """What a cell shows as text: its number, its range where it is too big for a picture, or one of the signs.

    >>> face(None), face({"text": "None"}), face({"text": "", "data": {"shape": [9, 9], "low": -1.5, "high": "inf"}})
    ('·', '✂ None', '−1.5…∞')
    >>> face({"text": "", "data": {"shape": [9, 9], "low": 0.0, "high": 0.0}})
    'all 0'
    """
    if state is None:
        return NOT_YET
    if state.get("text") == CUT:
        return CUT_FACE
    data = state.get("data") or {}
    if "numbers" in data:
        numbers = list(map(number, flat(data["numbers"])))
        known = [real for real in numbers if not math.isnan(real)]
        if len(known) == 1:
            return digits(known[0])  # the shape would be read as the number
        return _range(min(known), max(known)) if known else "nan" if numbers else state.get("text") or "[ ]"
    if "low" in data and "high" in data:
        low, high = number(data["low"]), number(data["high"])
        return "some nan" if math.isnan(low) else _range(low, high)  # NumPy's minimum is NaN if any number is
    return state.get("text") or NOT_YET


def _range(low: float, high: float) -> str:
    return f"{digits(low)}…{digits(high)}" if low < high else words("card.all", number=digits(low))


def disc(value: dict[str, Any], box: list[float], direction: str) -> tuple[float, float, float, str]:
    """The disc of an op in its result's box: its middle, its width (a circle for one sign, a capsule for a word), its sign.

    >>> disc({"op": "×"}, [0, 0, 90, 48], "LR"), disc({"op": "reduce_mean"}, [0, 0, 90, 78], "TB")
    ((11.0, 24.0, 22.0, '×'), (45.0, 11.0, 86.2, 'reduce_mean'))
    """
    x, y, w, h = box
    wide, text = _capsule(op_sign(value), float(CAPSULE) if direction == "LR" else w)
    return (x + wide / 2, y + h / 2, wide, text) if direction == "LR" else (x + w / 2, y + 11.0, wide, text)


def frame(value: dict[str, Any], box: list[float], way: str) -> tuple[float, float, float, float]:
    """The card's own box inside a node's box: what the disc leaves."""
    room = beside(value, way)
    left, above = (room, 0.0) if way == "LR" else (0.0, room)
    return (box[0] + left, box[1] + above, box[2] - left, box[3] - above)


def beside(value: dict[str, Any], direction: str) -> float:
    """The room of a value's disc: left of its card, or above it.

    >>> [beside({"op": op}, "LR") for op in ("×", "tanh", "reshape")], beside({"op": "tanh"}, "TB"), beside({}, "LR")
    ([30.0, 44.0, 66.0], 30.0, 0.0)
    """
    if not (text := op_sign(value)):
        return 0.0
    return float(DISC) if direction == "TB" else math.ceil(_capsule(text, CAPSULE)[0]) + DISC - 22.0


def _capsule(text: str, most: float) -> tuple[float, str]:
    """How wide a disc is for this sign, of which as much stands on it as there is room."""
    wanted = columns(text) * SIGN_CHAR + 7
    if wanted > most * 1.35:
        text = short(text, int(most / SIGN_CHAR) - 1)
    return min(max(22.0, wanted), most), text


def op_sign(value: dict[str, Any]) -> str:
    """What stands on a value's disc; empty when no op made it."""
    return value.get("sign") or value.get("op") or ""


def label(value: dict[str, Any], cell: dict[str, Any]) -> str:
    """What stands on the left of a cell: the value's own cell bears its name."""
    return str(value["name"] if cell["id"] == "v" else cell["label"])


def card_rows(value: dict[str, Any]) -> list[int]:
    """The heights of a card's rows: several lines or rows of squares need more than a number, and a ghost asks for `room`.

    Where all of them make a card taller than windows are, an array's derivatives stand as a range, and then it does so itself;
    and of very many derivatives those that have no height stand in the place of earlier ones (`place_of`).

    >>> eight = {"states": [{"t": 0, "text": "", "data": {"shape": [8, 1], "numbers": [1.0] * 8}}]}
    >>> [card_rows({"cells": [eight] * count}) for count in (2, 3, 7)]
    [[81, 81], [81, 21, 21], [21, 21, 21, 21, 21, 21, 21]]
    >>> card_rows({"cells": [eight] * 10})[6:]
    [21, 21, 0, 0]
    """
    needed = [max([ROW, *map(_high, cell.get("states", []))]) for cell in value["cells"]]
    for drawn in (1, 0):
        if sum(needed) > TALL:
            needed[drawn:] = [ROW] * len(needed[drawn:])
    needed[ROWS:] = [0] * len(needed[ROWS:])
    return [high + cell.get("room", 0) for high, cell in zip(needed, value["cells"], strict=True)]


def place_of(cell: int) -> int:
    """In which row of a card a cell stands, by its number: of more than there are rows the newer take the places of the older.

    >>> list(map(place_of, range(10)))
    [0, 1, 2, 3, 4, 5, 6, 7, 1, 2]
    """
    return cell if cell < ROWS else 1 + (cell - 1) % (ROWS - 1)


def fits(state: dict[str, Any], high: float) -> bool:
    """Whether a row of a card is high enough to show an array as more than a range."""
    return _high(state) <= high


def _high(state: dict[str, Any]) -> int:
    return len(told) * LINE + LINE - PIXEL if (told := lines(state)) else (len(grid(state) or []) + 1) * PIXEL


def card(value: dict[str, Any]) -> tuple[int, int]:
    """Width and height of a value's card.

    >>> card({"id": "x", "name": "x", "cells": [{"id": "v", "label": "x", "kind": "value", "states": []}]})
    (47, 27)
    """
    wide, rows = 0.0, card_rows(value)
    for high, cell in zip(rows, value["cells"], strict=True):
        said = columns(label(value, cell)) * (CHAR if cell["id"] == "v" else LABEL_CHAR)
        shown = CHAR
        for state in cell.get("states", []):
            drawn = fits(state, high)
            if drawn and (told := lines(state)):
                shown = max(shown, *(columns(line) * CHAR for line in told))
                continue
            array = drawn and grid(state)
            squares = len(array[0]) * PIXEL + columns(shape(state)) * SHAPE_CHAR + 3 if array else 0
            shown = max(shown, squares, columns(face(state)) * CHAR)
        wide = max(wide, said + GAP + shown)
    return math.ceil(wide + 2 * PAD), sum(rows) + 2 * FRAME


def node(value: dict[str, Any], direction: str) -> tuple[int, int]:
    """Width and height of a value's whole box: the card, and the room of the disc where an op made it."""
    w, h = card(value)
    room = int(beside(value, direction))
    return (w + room, h) if direction == "LR" else (w, h + room)


def region_texts(scene: Scene, region: dict[str, Any]) -> list[str]:
    """What is ever said beside a region's label: what its states, or its recorder's, say of themselves."""
    owner = region.get("recorder") if region["kind"] != "name" else None
    owners = [recorder for recorder in scene.recorders if recorder["id"] == owner]
    states = region.get("states") or [state for recorder in owners for state in recorder.get("states", [])]
    return list(dict.fromkeys(str(state.get("text") or state["state"]) for state in states))


def label_lines(label: str, said: str, room: float) -> list[str]:
    """What stands in the lines of a region's label: as much of it as has room behind the label itself, and the rest beneath it.

    >>> label_lines("inner", "closed · kept 8 B of 32 B", 300), label_lines("inner", "closed · kept 8 B of 32 B", 110)
    ([' · closed · kept 8 B of 32 B'], [' · closed', 'kept 8 B of 32 B'])
    """
    lines, wide = [""], sans_width(label, LABEL)
    for part in said.split(" · ") if said else []:
        more = f" · {part}" if lines[-1] or len(lines) == 1 else part
        if wide + sans_width(lines[-1] + more, LABEL) > room:
            lines.append("")
            wide, more = 0.0, part
        lines[-1] += more
    return lines


def label_rooms(scene: Scene, region: dict[str, Any]) -> list[tuple[float, int]]:
    """The rooms in which all that is ever said of a region can stand beside its label, the widest first: px, and lines."""
    label, texts = region["label"], region_texts(scene, region) or [""]
    parts = [text.split(" · ") for text in texts]
    runs = {" · ".join(one[at:end]) for one in parts for at in range(len(one)) for end in range(at + 1, len(one) + 1)}
    rooms = {sans_width(label, LABEL), *(sans_width(run, LABEL) for run in runs), label_width(scene, region)}
    rooms |= {sans_width(label, LABEL) + sans_width(f" · {run}", LABEL) for run in runs}
    narrowest = max(sans_width(text, LABEL) for text in [label, *(part for one in parts for part in one)])
    found: dict[int, float] = {}
    for room in sorted((room for room in rooms if room >= narrowest), reverse=True):
        found[max(len(label_lines(label, text, room)) for text in texts)] = room
    return [(room, lines) for lines, room in sorted(found.items())]


def label_width(scene: Scene, region: dict[str, Any]) -> float:
    """Room for a region's label in one line with the longest words that are ever said beside it."""
    more = max((sans_width(f" · {text}", LABEL) for text in region_texts(scene, region)), default=0.0)
    return sans_width(region["label"], LABEL) + more


@lru_cache(maxsize=4096)
def sans_width(text: str, size: float) -> float:
    """How wide `text` is in a proportional font of `size` px, at most: estimated on the wide side."""
    return sum(_share(char) for char in text) * size


def _share(char: str) -> float:
    if _columns(char) != 1:
        return _columns(char) * 0.52
    if char in "iljtfrI.,:;'|!()[]{} ·’‘-":
        return 0.4
    return 0.95 if char in "mwMW@%—…→←∂×" else 0.7 if char.isupper() else 0.63
