"""Writes docs/ops.md, a line for each row of the derivative table: `python -m tools.ops_page`."""

from __future__ import annotations

import pathlib

import minitape.image  # noqa: F401  which fills the table, with the rows that load on first use
from minitape import symbols
from minitape.primitive import TABLE, Primitive

PAGE = pathlib.Path(__file__).parents[1] / "docs" / "ops.md"

SUBJECTS = {
    "elementwise": "Number by number",
    "special": "Less frequent functions",
    "bits": "Bits",
    "reductions": "Many numbers into few",
    "running": "Running results",
    "shapes": "Shapes",
    "joins": "Joining and taking apart",
    "padding": "Borders, copies, diagonals",
    "indexing": "Picking and putting back",
    "sorting": "Order",
    "linalg": "Products of matrices",
    "einsum": "Sums of products, by letters",
    "linalg_solve": "Solving for a matrix",
    "linalg_factors": "Taking a matrix apart",
    "fourier": "Fourier transforms",
    "nn": "Neural networks",
    "nn_conv": "Convolutions and pooling",
    "images": "Pictures",
    "hsv": "Colours",
    "refused": "Never to be differentiated",
}  # other files follow in the order of the table, under their own names

HEAD = """\
# The derivative table

Every operation that a tape or an accumulator can meet, as the table under `minitape/ops/` holds it. `d` is a small change
on its way through: a tangent going forward, a cotangent going back; of an op with several outputs each has its own, `d0`,
`d1`. What a tape *saves* is what the rules name, input by input: an op saves only what the watched inputs' rules need, so of
`x × y` with `x` alone watched it saves `y`. `out` is the op's own result. Shapes and dtypes are always at hand and cost
nothing.

Nobody wrote the derivatives of this page: each is the row's own rule, run on symbols (`minitape/symbols/`). What stands in
quotation marks is a phrase and no formula; a call like `share(x, out)` is a function of the row's file.

An *elementwise* row has one rule per input, which serves both directions. A *linear* row is its own derivative, and its
rule is the transpose. A *bilinear* row is linear in each of two inputs. A *general* row has a rule per input and direction.
A *flat* row has no slope, and is not recorded.

This page is written by `python -m tools.ops_page`, and a test keeps it fresh.
"""


def rows() -> dict[str, list[Primitive]]:
    """The table by subject: the file in which a row stands."""
    found: dict[str, list[Primitive]] = {name: [] for name in SUBJECTS}
    for row in TABLE.values():
        found.setdefault(row.module.rpartition(".")[2], []).append(row)
    return found


def marked(text: str) -> str:
    """A formula as code; a phrase has its quotation marks."""
    return text if text.startswith("“") or not text else f"`{text}`"


def derivatives(row: Primitive) -> list[str]:
    """What each input's rule makes of a change, in the row's own words."""
    return [marked(one) for one in symbols.texts(row).derivatives if one]


def saves(row: Primitive) -> str:
    """What is saved for each input that is watched."""
    moving = [i for i in range(len(row.arguments)) if row.differentiable(i) and row.vjp_rules(i)]
    parts = [", ".join(f"`{one}`" for one in sorted({n for r in row.vjp_rules(i) for n in r.saved})) for i in moving]
    parts = [part or "–" for part in parts]
    if len(set(parts)) < 2:
        return parts[0] if parts else ""
    return "; ".join(f"{row.arguments[i]}: {part}" for i, part in zip(moving, parts, strict=True))


def cell(text: str) -> str:
    """A text as a cell of a table."""
    return text.replace("|", "\\|")


def page() -> str:
    """The whole page."""
    lines = [HEAD]
    for name, listed in rows().items():
        lines += [f"## {SUBJECTS.get(name, name)}", ""]
        lines += ["| op | kind | formula | derivative | saves | reference |", "|---|---|---|---|---|---|"]
        for row in listed:
            told = marked(symbols.texts(row).formula)
            cells = [f"`{row.name}`", row.kind, told, "; ".join(derivatives(row)), saves(row), row.notes.source]
            lines.append(f"| {' | '.join(map(cell, cells))} |")
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
