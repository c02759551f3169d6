"""One picture language: every colour, mark, word and size that any view uses, said once, in `style.toml`.

Shape and line say what a thing is; colour only repeats it, so that the pictures survive grey paper and colour-blind eyes.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

_TOLD: dict[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))

PALETTE: dict[str, dict[str, str]] = _TOLD["palette"]
SANS: str = _TOLD["fonts"]["SANS"]
MONO: str = _TOLD["fonts"]["MONO"]
ICONS: dict[str, str] = _TOLD["icons"]
KEYS: dict[str, str] = _TOLD["keys"]
WORDS: dict[str, dict[str, str]] = _TOLD["words"]

NTH: list[str] = _TOLD["orders"]["nth"]  # orders of derivatives, in words


def _every_mark() -> dict[str, dict[str, str]]:
    """The marks, those of higher orders behind those of the third."""
    out: dict[str, dict[str, str]] = {}
    for mark, told in _TOLD["marks"].items():
        out[mark] = told
        for base in {"back3": ("seed", "back"), "tangent3": ("tangent",)}.get(mark, ()):
            known = _TOLD["orders"][base]
            for order, digit in _TOLD["orders"]["digits"].items():
                said, drawn = known["words"].format(nth=NTH[int(order) - 1]), known["outline"] + digit
                out[base + order] = {**known, "words": said, "role": known["role"] + order, "outline": drawn}
    return out


def _every_cell() -> dict[str, dict[str, str]]:
    """The kinds of number, of derivatives for every order."""
    out: dict[str, dict[str, str]] = {}
    for base, told in _TOLD["cells"].items():
        for order in range(1, 1 + (len(NTH) if "dot" in told else 1)):
            suffix, words_ = str(order) if order > 1 else "", told["words"]
            said = words_[min(order, len(words_)) - 1].format(nth=NTH[order - 1])
            out[base + suffix] = {"words": said, "mark": told["mark"] + suffix}
            if "dot" in told and (order > 1 or base == "gradient"):  # the line of a first tangent is whole
                out[base + suffix]["dash"] = told["dash"] + told["dot"] * (order - 1)
    return out


_MARKS, _CELLS = _every_mark(), _every_cell()

# mark: (what it says, the role whose colour repeats it); its outline, and how it is filled
MARKS: dict[str, tuple[str, str]] = {mark: (told["words"], told["role"]) for mark, told in _MARKS.items()}
SHAPES: dict[str, str] = {mark: told["outline"] for mark, told in _MARKS.items()}
FILLS: dict[str, str] = {mark: told.get("fill", "") for mark, told in _MARKS.items()}
MARK_DASHES: dict[str, str] = {mark: told["dash"] for mark, told in _MARKS.items() if "dash" in told}

HOLDERS: dict[str, str] = _TOLD["holders"]  # holder of bytes: its words, bottom of the stack first

# kind of cell: its words in the legend; in the score the mark of its numbers and the dashes of its line
CELLS: dict[str, str] = {kind: told["words"] for kind, told in _CELLS.items()}
LINE_MARKS: dict[str, str] = {kind: told["mark"] for kind, told in _CELLS.items()}
DASHES: dict[str, str] = {kind: told["dash"] for kind, told in _CELLS.items() if "dash" in told}

# sizes of a card, in px; the layout and the painter draw with these
_SIZES: dict[str, Any] = _TOLD["sizes"]
ROW: int = _SIZES["ROW"]
PAD: int = _SIZES["PAD"]
DISC: int = _SIZES["DISC"]
CHAR: float = _SIZES["CHAR"]
LABEL_CHAR: float = _SIZES["LABEL_CHAR"]
PIXEL: int = _SIZES["PIXEL"]
GHOST: int = _SIZES["GHOST"]  # under a number that a knob moves: room for what it was

ALOUD: dict[str, str] = _TOLD["aloud"]  # signs as words, for those who hear a page

_SIGNS: dict[str, str] = _TOLD["signs"]
NOT_YET, NEVER, CUT, OWN_RULE = _SIGNS["not_yet"], _SIGNS["never"], _SIGNS["cut"], _SIGNS["own_rule"]


def words(key: str, **facts: object) -> str:
    """What a picture says, by its key in `style.toml`; raises KeyError for a key or a placeholder that is not there.

    >>> words("card.unborn", name="y")
    'y: not made yet'
    """
    room, name = key.split(".")
    return WORDS[room][name].format(**facts)


def amount(number: float, unit: str = "B") -> str:
    """Bytes as a learner reads them; any other unit as it is.

    >>> amount(48), amount(1_500_000), amount(2.5, "MB")
    ('48 B', '1.5 MB', '2.5 MB')
    >>> amount(999_500), amount(999_400)
    ('1 MB', '999 kB')
    """
    if unit == "B":
        for size, name in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
            if number >= size * (10 if name == "kB" else 0.9995):  # 999,500 B are 1 MB, not 1e+03 kB
                return f"{number / size:.3g} {name}"
    return f"{number:g} {unit}"


def css_variables() -> str:
    """The palette as CSS custom properties of `.mt`: by system preference, or by `data-theme` on it; light on paper."""

    def block(selector: str, theme: str) -> str:
        told = "".join(f"--{name}:{_in_letters(colour)};" for name, colour in PALETTE[theme].items())
        return f"{selector}{{{told}}}"

    dark = block(".mt:not([data-theme=light])", "dark"), block(".mt[data-theme=dark]", "dark")
    screens = ("screen and (prefers-color-scheme:dark)", "screen")
    rules = [f"@media {screen}{{{rule}}}" for screen, rule in zip(screens, dark, strict=True)]
    return "\n".join([f".mt{{--sans:{SANS};--mono:{MONO};}}", block(".mt", "light"), *rules])


def _in_letters(colour: str) -> str:
    """A colour as a page has it, whose transparency is two more letters.

    >>> _in_letters("rgba(255,0,16,.5)"), _in_letters("#ff0010")
    ('#ff001080', '#ff0010')
    """
    parts = re.fullmatch(r"rgba\((\d+),(\d+),(\d+),([\d.]+)\)", colour)
    if parts is None:
        return colour
    *channels, alpha = parts.groups()
    return "#" + "".join(f"{round(number):02x}" for number in (*map(int, channels), 255 * float(alpha)))
