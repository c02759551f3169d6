"""Writes docs/ops.md, a line for each row of the derivative table: `python -m tests.ops_page`."""

from __future__ import annotations

import importlib
import pathlib

import minitape  # noqa: F401  which fills the table
from minitape.primitive import TABLE, Primitive

PAGE = pathlib.Path(__file__).parents[1] / "docs" / "ops.md"

SUBJECTS = {
    "elementwise": "Number by number",
    "special": "Less frequent functions",
    "bits": "Bits",
    "reductions": "Many numbers into few",
    "running": "Running results",
    "shapes": "Shapes",
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
}

HEAD = """\
# The derivative table

Every operation that a tape or an accumulator can meet, as the table under `minitape/ops/` holds it. `d` is a small change
on its way through: a tangent going forward, a cotangent going back. What a tape *saves* is what the rules name, input by
input: an op saves only what the watched inputs' rules need, so of `x × y` with `x` alone watched it saves `y`. `out` is the
op's own result. Shapes and dtypes are always at hand and cost nothing.

An *elementwise* row has one rule per input, which serves both directions. A *linear* row is its own derivative, and its
rule is the transpose. A *bilinear* row is linear in each of two inputs. A *general* row has a rule per input and direction.
A *flat* row has no slope, and is not recorded.

This page is written by `python -m tests.ops_page`, and a test keeps it fresh.
"""


def rows() -> dict[str, list[Primitive]]:
    """The table by subject."""
    found: dict[str, list[Primitive]] = {}
    importlib.import_module("minitape.image")  # which loads on first use
    for row in TABLE.values():
        found.setdefault(subject(row), []).append(row)
    return found


def subject(row: Primitive) -> str:
    """The file in which the row stands: of those under ops/ that know it, the one that all the others import it from."""
    for name in ["elementwise", "shapes", "reductions", "linalg", *SUBJECTS]:
        if any(one is row for one in vars(importlib.import_module(f"minitape.ops.{name}")).values()):
            return name
    return str(row.forward.__module__).rsplit(".", 1)[-1]


def saves(row: Primitive) -> str:
    """What is saved for each input that is watched."""
    if row.kind in ("flat", "refused"):
        return ""
    parts = []
    for position in range(len(row.arguments)):
        if position in row.inert:
            continue
        names = sorted({one for rule in row.rules_back(position) for one in rule.saved})
        parts.append(", ".join(f"`{one}`" for one in names) or "–")
    return (
        parts[0]
        if len(set(parts)) == 1
        else "; ".join(f"{name}: {part}" for name, part in zip(row.arguments, parts, strict=False))
    )


def cell(text: str) -> str:
    """A text as a cell of a table."""
    return text.replace("|", "\\|")


def page() -> str:
    """The whole page."""
    lines = [HEAD]
    by_subject = rows()
    for name in [*SUBJECTS, *[one for one in by_subject if one not in SUBJECTS]]:
        if name not in by_subject:
            continue
        lines += [
            f"## {SUBJECTS.get(name, name)}",
            "",
            "| op | kind | formula | derivative | saves | reference |",
            "|---|---|---|---|---|---|",
        ]
        for row in by_subject[name]:
            derivative = "; ".join(f"`{one}`" for one in row.derivatives if one)
            lines.append(
                f"| `{row.name}` | {row.kind} | `{cell(row.formula)}` | {cell(derivative)} | {cell(saves(row))} | {row.source} |"
            )
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
