"""docs/ops.md says what the table says."""

from __future__ import annotations

from minitape.primitive import TABLE
from tests import ops_page


def test_the_page_is_fresh() -> None:
    assert ops_page.PAGE.read_text(encoding="utf-8") == ops_page.page(), "run python -m tests.ops_page"


def test_every_row_is_on_it() -> None:
    page = ops_page.page()
    assert [name for name in TABLE if f"| `{name}` |" not in page] == []


def test_a_row_says_what_it_saves() -> None:
    assert ops_page.saves(TABLE["multiply"]) == "x: `y`; y: `x`"
    assert ops_page.saves(TABLE["exp"]) == "`out`"
    assert ops_page.saves(TABLE["add"]) == "–"


def test_a_rule_for_matrices_cites_its_source() -> None:
    for name in ("matmul", "inverse", "solve", "triangular_solve", "det", "slogdet", "cholesky", "qr"):
        assert any(year in TABLE[name].source for year in ("2008", "2010", "2016")), name


def test_every_row_with_a_slope_has_a_formula_and_a_derivative() -> None:
    sloped = [
        row
        for row in TABLE.values()
        if row.kind not in ("flat", "refused") and ops_page.subject(row) in ops_page.SUBJECTS
    ]
    assert [row.name for row in sloped if not any(row.derivatives)] == []
