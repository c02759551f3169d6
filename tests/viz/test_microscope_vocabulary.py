"""The table of terms and the whole vocabulary: every row of the derivative table is told, or is listed as telling no sum, and what is
told adds up, for every row's own cases and for random programs that nobody tuned to.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import minitape as tf
import viz
from minitape.primitive import TABLE
from tests.core.test_heart import drawn
from tests.core.test_heart import run as run_steps
from tests.core.test_table import cases
from tests.viz.test_microscope_terms import CHECK, told
from tests.viz.test_player import node, run  # noqa: F401  (a fixture)
from viz.microscope.specimen import specimen

pytestmark = pytest.mark.slow

Made = dict[str, Any]
MOST = 400  # numbers of a case's array: larger ones take no other way
RANDOM = 150
# Of these no sum is told: matrices that are taken apart, functions without a closed form, and a few whose terms are no sum.
NO_SUM = (
    "cholesky", "det", "eigh", "inverse", "qr", "singular_values", "slogdet", "solve", "svd", "triangular_solve",
    "both_triangles", "skew", "lower_half", "below_diagonal", "one_over_gaps",
    "bessel_i0", "bessel_i0e", "bessel_i1", "bessel_i1e", "digamma", "erf", "erfc", "erfinv", "lgamma", "ndtri", "polygamma",
    "cumprod", "cumulative_logsumexp", "mirror_pad", "unmirror", "product_of_others", "reduce_prod", "resize", "roll",
    "floormod", "truncatemod",
)  # fmt: skip


@np.errstate(all="ignore")
def of_a_row(name: str) -> Iterable[Made]:
    """A row's cases: value, tangents of all its inputs, and what comes back from every number of its results."""
    row = TABLE[name]
    for case in cases(name):
        real = all(one.dtype.kind in "fiub" and 0 < one.size <= MOST for one in case.inputs)
        if not real or row.kind == "refused":
            continue
        chance = np.random.default_rng(3)
        given = [tf.constant(np.asarray(one, "f") if one.dtype.kind == "f" else one) for one in case.inputs]
        moving = [one for one in given if one.dtype.is_floating]
        with viz.record() as seen:
            with tf.GradientTape(persistent=True) as tape:
                tape.watch(moving)
                made = row(*given, **case.params)
            for out in made if isinstance(made, tuple) else (made,):
                if out.dtype.is_floating and moving:
                    tape.gradient(
                        out,
                        moving,
                        output_gradients=tf.constant(chance.normal(size=out.shape).astype(out.dtype.as_numpy_dtype)),
                    )
        yield specimen(told(seen))
        if moving and row.kind != "flat":
            moves = [tf.constant(chance.normal(size=one.shape).astype("f")) for one in moving]
            with viz.record() as seen, tf.autodiff.ForwardAccumulator(moving, moves):
                row(*given, **case.params)
            yield specimen(told(seen))


@np.errstate(all="ignore")
def by_chance(seed: int) -> Made:
    draw, chance = random.Random(seed), np.random.default_rng(seed)
    x, other = [
        tf.Variable(chance.normal(size=draw.choice([(3,), (2, 2), (2, 1), (3, 4)])).astype("f")) for _ in range(2)
    ]
    with viz.record() as seen:
        with tf.GradientTape() as tape:
            y = run_steps(drawn(draw), x, other)
        tape.gradient(y, [x, other])
    return specimen(told(seen))


@pytest.fixture(scope="module")
def rows() -> dict[str, list[Made]]:
    return {name: list(of_a_row(name)) for name in TABLE}


def test_every_row_is_told_or_listed(rows: dict[str, list[Made]]) -> None:
    met, summed = set(), set()
    for name, many in rows.items():
        for made in many:
            for step in made["steps"].values():
                if step["op"] == name:
                    met.add(name)
                    summed |= {name} if "rule" in step else set()
    assert met - summed == set(NO_SUM) & met
    assert set(NO_SUM) & summed == set() and set(NO_SUM) <= TABLE.keys()


def test_what_is_told_of_every_row_adds_up(rows: dict[str, list[Made]], node: str, tmp_path: Path) -> None:  # noqa: F811
    programs = {f"{name} {place}": made for name, many in rows.items() for place, made in enumerate(many)}
    found = run(node, tmp_path, CHECK, {"programs": programs})
    assert found["wrong"] == []
    assert len(found["met"]) > 240


def test_what_is_told_of_random_programs_adds_up(node: str, tmp_path: Path) -> None:  # noqa: F811
    found = run(node, tmp_path, CHECK, {"programs": {str(seed): by_chance(seed) for seed in range(RANDOM)}})
    assert found["wrong"] == []
    assert len(found["met"]) > 100
