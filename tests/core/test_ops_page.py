"""docs/ops.md says what the table says."""

from __future__ import annotations

from minitape.primitive import TABLE
from tools import ops_page


def test_the_page_is_fresh() -> None:
    assert ops_page.PAGE.read_text(encoding="utf-8") == ops_page.page(), "run python -m tools.ops_page"


def test_every_row_is_on_it() -> None:
    page = ops_page.page()
    assert [name for name in TABLE if f"| `{name}` |" not in page] == []


def test_a_row_says_what_it_saves() -> None:
    assert ops_page.saves(TABLE["multiply"]) == "x: `y`; y: `x`"
    assert ops_page.saves(TABLE["exp"]) == "`out`"
    assert ops_page.saves(TABLE["add"]) == "–"


def test_a_rule_for_matrices_cites_its_source() -> None:
    for name in ("matmul", "inverse", "solve", "triangular_solve", "det", "slogdet", "cholesky", "qr"):
        assert any(year in TABLE[name].notes.source for year in ("2008", "2010", "2016")), name


def test_every_row_with_a_slope_has_a_derivative() -> None:
    assert [
        name for name, row in TABLE.items() if row.kind not in ("flat", "refused") and not ops_page.derivatives(row)
    ] == []


def test_a_phrase_is_marked_as_one() -> None:
    assert ops_page.derivatives(TABLE["divide"]) == ["`d ÷ y`", "`−d × x ÷ y²`"]
    assert ops_page.derivatives(TABLE["reduce_sum"]) == ["“d, for each”"]
