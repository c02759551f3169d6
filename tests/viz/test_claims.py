"""What is shown is true: every formula of every step, read from the screen and worked out, is the recorded number."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest

import minitape as tf
import viz
from tests.support import times
from viz.scene import Scene
from viz.tell.formula import Operand
from viz.tell.looks import Look
from viz.tell.scenes import scene_of

from . import array_programs, rerun_programs
from .claims import NUMBER, Unread, read, within

CLOSE = 2e-4  # of the largest number in sight: single precision, and digits that a name of a number does not show


def recorded_numbers(look: Look) -> dict[str, Any]:
    """The recorded arrays of a step by the names that the screen has for them."""
    known: dict[str, Any] = {}
    for seen in (*look.reads.values(), look.total or look.result):
        found = numbers(seen)
        if found is not None and not NUMBER.fullmatch(seen.symbol.lstrip("−")):
            known[seen.symbol] = found
    return known


def numbers(seen: Operand | None) -> Any:
    """The numbers of an array, in double precision."""
    if seen is None:
        return None
    whole = seen.snap.whole
    if whole is not None:
        return whole.array.astype(float)
    return None if seen.snap.value is None else np.float64(seen.snap.value)


def apart(row: str) -> list[str]:
    """The sides of a row, cut at the = that stand in no bracket."""
    depth, sides = 0, [""]
    for place, sign in enumerate(row):
        depth += (sign in "([") - (sign in ")]")
        if depth == 0 and row[place - 1 : place + 2] == " = ":
            sides.append("")
        else:
            sides[-1] += sign
    return [one.strip() for one in sides]


def same(one: Any, other: Any, slack: Any = 0.0) -> bool:
    """Equal as far as single precision goes; a number stands for an array of it."""
    with np.errstate(all="ignore"):
        one, other = [np.asarray(side, np.float32).astype(float) for side in (one, other)]
        top = np.max([np.max(np.abs(side[np.isfinite(side)]), initial=0.0) for side in (one, other)])
        off = np.abs(one - other) <= CLOSE * max(top, 0.01) + slack
        return bool(np.all(off | (one == other) | (np.isnan(one) & np.isnan(other))))


def claims(scene: Scene) -> Iterator[tuple[int, str, str]]:
    """(step, what is wrong or "", the claim) for each formula and each sum that a scene tells."""
    made: dict[str, dict[str, Any]] = {}  # what was known when a value was made
    for at, step in enumerate(scene.steps):
        look = scene.looks.at.get(at)
        known = {} if look is None else recorded_numbers(look)
        if look is not None and look.way == "value":
            made[look.result.symbol] = known
        formula = step.get("formula", [])
        above, below = [" ".join([term[place] for term in formula if term[place]]) for place in (0, 1)]
        if formula:
            yield at, _above(above, below, look, known), above
        if below and look is not None and look.op.own_rule:
            shown = next(side for side in apart(below) if not side.startswith(f"{look.op.row.name}("))
            yield at, _tried(lambda: _shows(shown, known, numbers(look.result))), below
        elif below:
            yield at, _below(below, known), below
        for said in re.findall(r"(?:What arrives is added|is added): (.+? \+ .+? = .+?)\.(?: |$)", step["say"]):
            yield at, _below(said, {}), said
        through = re.match(r"Back through (.+?) = (.+?) to \S+(?:, its \w+ use)?: ", step["say"])
        if through and look is not None and through[1] in known:
            then = {**known, **made.get(through[1], {})}
            yield at, _tried(lambda: same(read(through[2], then), known[through[1]])), through[0]


def _tried(claim: Any) -> str:
    try:
        return "" if claim() else "not so"
    except (Unread, KeyError, ValueError, IndexError, TypeError) as problem:
        return f"cannot be read: {type(problem).__name__}: {problem}"


def _above(row: str, below: str, look: Look | None, known: dict[str, Any]) -> str:
    if look is None:  # the seed: its number stands below
        return _tried(lambda: same(read(apart(row)[-1], {}), read(apart(below)[0], {})))
    left, _, right = row.partition(" += ")
    if right:
        whole, before = numbers(look.total or look.result), numbers(look.before)
        share = whole if look.total is None or before is None else whole - before
        return _tried(
            lambda: left in known and same(read(right, known), share, CLOSE * np.max(np.abs(whole), initial=0))
        )
    left, *rest = apart(row)
    if look.op.own_rule:  # the formula names the function, and what it is called with
        called = f"{look.op.row.name}({', '.join([seen.symbol for seen in look.reads.values()])})"
        return "" if [*rest, left][0] == called else "another call"
    if not rest:  # called by what it is: the number stands below
        return _tried(lambda: same(read(left, _without(known, left)), numbers(look.result)))
    return _tried(lambda: left in known and same(read(" = ".join(rest), known), known[left]))


def _shows(said: str, known: dict[str, Any], recorded: Any) -> bool:
    value, off = within(said, known)
    return same(value, recorded, 1.1 * off)


def _without(known: dict[str, Any], name: str) -> dict[str, Any]:
    return {
        key: one
        for key, one in known.items()
        if re.sub(r"[ ()]", "", key).replace("·", "×") != re.sub(r"[ ()]", "", name)
    }


def _below(row: str, known: dict[str, Any]) -> str:
    def claim() -> bool:
        if " += " in row:
            return True
        found = [within(side, known) for side in apart(row)]
        return all(same(value, found[0][0], 1.1 * (off + found[0][1])) for value, off in found[1:])

    return _tried(claim)


def untrue(run: Any) -> tuple[int, list[str]]:
    """How many claims a run's pictures make, and those that are not so; a long run is told with folds, and without."""
    scene = scene_of(run.stream, placed=False)
    found = list(claims(scene))
    if scene.groups:
        with patch("viz.tell.folding._many", lambda *_: False):
            found += claims(scene_of(run.stream, placed=False))
    return len(found), [f"step {at}: {claim}: {wrong}" for at, wrong, claim in found if wrong]


@pytest.mark.deep
@pytest.mark.parametrize("start", range(0, times(1_000), 10))
def test_every_formula_of_programs_on_arrays_is_true(start: int, record_property: Any) -> None:
    record_property("tried: random programs on arrays: every formula and sum of every step, worked out", 10)
    for seed in range(start, start + 10):
        count, wrong = untrue(array_programs.recorded(array_programs.text(seed), f"program {seed}"))
        assert not wrong, (seed, wrong)
        assert count > 5, seed


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("tf.reduce_prod(x)", 4),
        ("tf.reduce_prod(x, axis=1, keepdims=True)", 4),
        ("tf.reduce_max(x, axis=0)", 0),
        ("tf.reduce_min(x, axis=[0, 1])", 0),
        ("tf.math.cumprod(x, 1, exclusive=True)", 3),
        ("tf.math.cumprod(x, 0, reverse=True)", 3),
        ("tf.math.cumulative_logsumexp(x, 1)", 9),
        ("tf.reduce_logsumexp(x, axis=1)", 3),
        ("tf.reduce_logsumexp(x, keepdims=True)", 3),
        ("sum(map(tf.reduce_sum, tf.linalg.eigh(x[:, :2])))", 12),
        ("tf.reduce_sum(tf.linalg.svd(x[:, :2])[1])", 24),
        ("tf.reduce_sum(tf.linalg.qr(x[:, :2])[0])", 14),
        ("tf.reduce_sum(tf.linalg.cholesky(x @ tf.transpose(x)))", 8),
        ("tf.reduce_sum(tf.linalg.inv(x[:, :2]))", 4),
    ],
)
def test_who_follows_the_way_back_of_one_op_meets_few(text: str, most: int) -> None:
    """A product of three numbers came back in 24 ops of running products, each with a card."""
    source = f"""
with tf.GradientTape() as outer:
    with tf.GradientTape() as tape:
        y = {text}
    g = tape.gradient(y, x)
    n = tf.reduce_sum(g * g)
outer.gradient(n, x)
with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as acc:
    with tf.GradientTape() as tape:
        y = {text}
    tape.gradient(y, x)
"""
    run = array_programs.recorded(f"x = tf.Variable([[1.0, 3.0, 3.0], [0.5, 2.0, 1.5]])\n{source}", text)
    count, wrong = untrue(run)
    assert count > 5 and not [one for one in wrong if ")[0]" not in one], wrong  # the first of several results
    works = [step for step in run.scene.steps if " works out " in step["say"]]
    assert len(works) <= 2 * most, [step["say"] for step in works]


def test_triangles_say_how_they_come_back_and_move() -> None:
    """Three steps of a Gaussian process had no formula."""
    source = """
x = tf.Variable([[2.0, 0.3], [0.3, 1.0]])
y = tf.Variable([[1.0], [0.5]])
with tf.autodiff.ForwardAccumulator([x, y], [tf.ones_like(x), y]), tf.GradientTape() as tape:
    L = tf.linalg.cholesky(x)
    a = tf.linalg.cholesky_solve(L, y)
    u = tf.linalg.triangular_solve(x, y, lower=False) + tf.linalg.triangular_solve(x, y, adjoint=True)
    n = tf.reduce_sum(a * a) + tf.reduce_sum(u * u)
tape.gradient(n, [x, y])
"""
    run = array_programs.recorded(source, "triangles")
    count, wrong = untrue(run)
    assert count > 40 and not wrong, wrong
    bare = [
        step["say"] for step in run.scene.steps if step["kind"] in ("contribution", "tangent") and "formula" not in step
    ]
    assert all(" gives " in said or said.startswith("What arrives at") for said in bare), bare


@pytest.mark.deep
@pytest.mark.parametrize("start", range(0, times(600), 10))
def test_every_formula_of_programs_that_run_again_is_true(start: int, record_property: Any) -> None:
    record_property(
        "tried: random programs with regions, rules and reversible layers: every formula and sum, worked out", 10
    )
    for seed in range(start, start + 10):
        count, wrong = untrue(array_programs.recorded(rerun_programs.text(seed), f"program {seed}"))
        assert not wrong, (seed, wrong)
        assert count > 5, seed


@pytest.mark.parametrize("seed", [10, 15, 26, 31, 34, 73, 92, 133, 287, 417])  # each was once told wrongly
def test_formulas_in_reruns_are_true(seed: int) -> None:
    count, wrong = untrue(array_programs.recorded(rerun_programs.text(seed), f"program {seed}"))
    assert count > 50 and not wrong, wrong


def test_a_formula_that_is_not_so_is_seen_in_a_rerun_too(monkeypatch: pytest.MonkeyPatch) -> None:
    from viz.capture import claims as rows

    def told(**wrong: Any) -> set[str]:
        right = rows.ROWS["matmul"]
        with monkeypatch.context() as patched:
            patched.setitem(rows.ROWS, "matmul", lambda use: right(use)._replace(**wrong))
            scene = _regions().scene
        again = next(at for at, step in enumerate(scene.steps) if step["kind"] == "replay")
        return {scene.steps[at]["kind"] for at, wrong, _ in claims(scene) if wrong and at >= again}

    assert told() == set()
    assert told(formula="y @ x") >= {"replay", "op"}
    assert told(back=("d @ yᵀ", "x @ d")) == {"contribution"}
    assert told(push=("d @ y", "xᵀ @ d")) >= {"tangent"}


def _regions() -> viz.Run:
    """A tape over an accumulator over a region in a region: forward again, tangents, and back through both."""
    w = tf.constant([[1.0, 2.0, 3.0], [0.0, 1.0, 4.0], [5.0, 6.0, 0.0]])
    inner = tf.recompute_grad(lambda h: h @ (h @ w))
    outer = tf.recompute_grad(lambda h: inner(h) @ h)
    x = tf.constant([[1.0, 0.2, 0.5], [0.5, -1.0, 0.3], [0.2, 0.1, 0.2]])
    with viz.record() as run:
        with tf.GradientTape() as tape:
            tape.watch(x)
            with tf.autodiff.ForwardAccumulator(x, w) as acc:
                y = outer(x)
            slope = tf.reduce_sum(acc.jvp(y))
        tape.gradient(slope, x)
    return run


def test_a_formula_that_is_not_so_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The transposition dropped, a sum left out, the VJP's words used for the JVP: each is found."""
    from viz.capture import claims as rows

    def told(**wrong: Any) -> list[str]:
        right = rows.ROWS["matmul"]
        with monkeypatch.context() as patched:
            patched.setitem(rows.ROWS, "matmul", lambda use: right(use)._replace(**wrong))
            return untrue(_products())[1]

    assert told() == []
    assert told(formula="y @ x")
    assert told(back=("d @ yᵀ", "x @ d"))
    assert told(push=("d @ y", "xᵀ @ d"))


def _products() -> viz.Run:
    x = tf.constant([[1.0, 2.0, 0.5], [0.5, -1.0, 3.0], [2.0, 0.1, 0.2]])
    w = tf.Variable([[1.0, 2.0, 3.0], [0.0, 1.0, 4.0], [5.0, 6.0, 0.0]])
    with viz.record() as run:
        with tf.GradientTape() as tape:
            y = x @ w
        tape.gradient(y, w, output_gradients=x)
        with tf.autodiff.ForwardAccumulator(w, x @ x):
            y = x @ w
    return run


def test_who_asks_names_what_a_function_made() -> None:
    def loss(w: Any, b: Any) -> Any:
        err = w * 3.0 + b
        return err * err

    with viz.record() as run:
        w, b = tf.Variable(2.0), tf.Variable(1.0)
        with tf.GradientTape() as tape:
            L = loss(w, b)
        tape.gradient(L, [w, b])
    names = [one["name"] for one in run.scene.values]
    assert "L" in names and "err·err" not in names
    assert any("∂L/∂w" in term[0] for step in run.scene.steps for term in step.get("formula", []))


def test_a_rule_of_the_learners_own_is_told_with_its_line() -> None:
    @tf.custom_gradient
    def clip(x: Any) -> Any:
        def grad(up: Any) -> Any:
            return tf.clip_by_value(up, -1.0, 1.0)

        return tf.identity(x), grad

    with viz.record() as run:
        x = tf.Variable(2.0)
        with tf.GradientTape() as tape:
            loss = clip(x) * 5.0
        tape.gradient(loss, x)
    (own,) = [step for step in run.scene.steps if "is at work" in step["say"]]
    lines = {number: text for source in run.scene.sources for number, text in source["lines"]}
    assert "clip_by_value(up" in own["say"] and own["say"].endswith("is 1.")
    assert "return tf.clip_by_value" in lines[own["place"][1]]
    told = [" ".join(term[0] for term in step.get("formula", [])) for step in run.scene.steps]
    assert not any("∂loss/∂x =" in one for one in told)  # its formula is the learner's: ours would be a guess


def test_a_call_of_several_ops_in_a_rule_is_told_when_it_has_its_result() -> None:
    @tf.custom_gradient
    def clip(x: Any) -> Any:
        def grad(up: Any) -> Any:
            return tf.clip_by_norm(up, 1.0)

        return tf.identity(x), grad

    with viz.record() as run:
        x = tf.Variable([3.0, 4.0])
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum(clip(x) * x)
        tape.gradient(loss, x)
    own = [step["say"] for step in run.scene.steps if "is at work" in step["say"]]
    assert [said.partition(" at work: ")[2] for said in own] == ["tf.clip_by_norm(up, 1.0) is [0.6, 0.8]."]


def test_one_accumulator_writes_one_dot_whatever_it_stands_around() -> None:
    with viz.record() as run, tf.autodiff.ForwardAccumulator(w := tf.Variable(2.0), tf.constant(1.0)) as acc:
        with tf.GradientTape() as tape:
            y = w * w
        g = tape.gradient(y, w)
        acc.jvp(g)
    said = " ".join(term[0] for step in run.scene.steps for term in step.get("formula", []))
    assert "ẏ" in said and "ẇ" in said and "ẅ" not in said
    with viz.record() as run, tf.autodiff.ForwardAccumulator(w, tf.constant(1.0)):
        with tf.autodiff.ForwardAccumulator(w, tf.constant(1.0)) as inner:
            y = w * w
        inner.jvp(y)
    said = " ".join(term[0] for step in run.scene.steps for term in step.get("formula", []))
    assert "y′" in said and "ẏ′" in said  # the outer one's tangents bear a mark of their own


@pytest.mark.parametrize(("below", "above"), [(-1, 0), (0, 1), (1, -1)])
def test_a_band_says_what_is_kept_of_it(below: int, above: int) -> None:
    scores = tf.Variable([[0.5, 2.0, 1.5], [3.0, -1.0, 2.5], [1.0, 4.0, 0.2]])
    with viz.record() as run:
        with tf.GradientTape() as tape:
            near = tf.linalg.band_part(scores, below, above)
            loss = tf.reduce_sum(near * near)
        tape.gradient(loss, scores)
    told = list(claims(run.scene))
    assert not [wrong for wrong in told if wrong[1]], told
    assert sum("band_part" in claim for _, _, claim in told) > 1


def test_numbers_that_nearly_cancel_are_told_apart() -> None:
    with viz.record() as run:
        x = tf.constant(1.4142157)
        error = x * x - 2.0
    told = [(wrong, claim) for at, wrong, claim in claims(run.scene) if run.scene.steps[at]["say"].startswith("error")]
    assert told and not [wrong for wrong, _ in told if wrong], told
    assert 0 < float(error) < 1e-5 and any(claim.count("2.00000") == 1 for _, claim in told), told


def test_a_variable_that_has_changed_since_counts_as_it_was() -> None:
    with viz.record() as run:
        x, w = tf.Variable(3.0), tf.Variable([1.0, 2.0])
        with tf.GradientTape(persistent=True) as tape:
            x.assign(5.0)
            z = x * x * tf.reduce_sum(w**2)
            x.assign(7.0)
            w.assign_add([1.0, 1.0])
            z = z + tf.reduce_sum(tf.sin(w) * w)
        w.assign([0.0, 0.0])
        tape.gradient(z, [x, w])
    told = list(claims(run.scene))
    assert len(told) > 30 and not [wrong for wrong in told if wrong[1]], [wrong for wrong in told if wrong[1]]
    below = ["".join(term[1] for term in step.get("formula", [])) for step in run.scene.steps]
    assert any("×5" in text for text in below) and not any("×7" in text for text in below), below


def test_a_share_with_a_sign_is_taken_away_from_an_array_too() -> None:
    with viz.record() as run:
        x = tf.Variable([0.5, -1.0])
        with tf.GradientTape() as tape:
            y = tf.exp(-x) + x
        tape.gradient(y, x)
    below = [" ".join(term[1] for term in step.get("formula", ())) for step in run.scene.steps]
    assert "[0.3935, −1.7183] = [1, 1] − [0.6065, 2.7183]" in below


def test_a_rule_gives_all_of_its_results_and_none_where_it_gives_none() -> None:
    with viz.record() as run:

        @tf.custom_gradient
        def both(a: Any, b: Any) -> Any:
            return (a * b, a + b), lambda da, db: (da + db, None)

        a, b = tf.constant(2.0), tf.constant(3.0)
        with tf.GradientTape() as tape:
            tape.watch([a, b])
            product, total = both(a, b)
            y = product * total
        tape.gradient(y, [a, b])
    above = [" ".join(term[0] for term in step.get("formula", ())).strip() for step in run.scene.steps]
    assert "product, total = both(a, b)" in above
    assert "b gets None: the rule of both gives none for b" in run.scene.steps[-1]["say"]


def test_a_value_called_by_its_formula_is_not_said_to_be_itself() -> None:
    with viz.record() as run:
        x = tf.constant([[0.1] * 3] * 3)
        tf.reduce_sum(tf.tanh(x))
    assert [" ".join(term[0] for term in step.get("formula", ())) for step in run.scene.steps][2] == "tanh(x)"


def test_targets_that_are_added_stand_in_brackets_once() -> None:
    with viz.record() as run:
        x = tf.Variable(2.0, name="x")
        with tf.GradientTape() as tape:
            y, z = x * x, 3.0 * x
        tape.gradient([y, z], x)
    assert run.scene.steps[-1]["say"].startswith("∂(y+z)/∂x is 7.")


def test_a_tangent_is_called_after_the_card_of_its_primal() -> None:
    with viz.record() as run:
        x = tf.constant([1.0, 2.0])
        with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as outer:
            with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as inner:
                y = tf.reduce_sum(tf.reduce_sum(tf.sin(tf.cos(tf.exp(x) * x)) * x) * x)
            slope = inner.jvp(y)
        outer.jvp(slope)
    names = {value["name"] for value in run.scene.values}
    tangents = {value["name"] for value in run.scene.values if value["kind"] == "tangent"}
    assert "d()" not in names and "dv₁" in tangents


def test_zeros_that_an_accumulator_is_asked_for_are_no_tangent() -> None:
    with viz.record() as run:
        x, z = tf.constant([1.0, 2.0]), tf.constant(3.0)
        with tf.autodiff.ForwardAccumulator(x, tf.ones_like(x)) as acc:
            y = z * 2.0
        acc.jvp(y)
        zeros = acc.jvp(y, unconnected_gradients="zero")
        assert zeros is not None
    asked = [step["say"] for step in run.scene.steps[-2:]]
    assert (
        asked[0].endswith("has none: None.")
        and asked[1] == "acc has no tangent of y, and gives zeros for it, as it is asked to: 0."
    )


def test_a_solved_system_says_which_matrix_it_was() -> None:
    """cholesky_solve was told to solve twice with L, where it solves with L and then with Lᵀ; of stacks nothing was said."""
    matrix = tf.constant([[4.0, 1.0], [1.0, 3.0]])
    stack = tf.stack([matrix, 2.0 * matrix])
    with viz.record() as run:
        side = tf.Variable([[1.0], [2.0]])
        with tf.GradientTape(persistent=True) as tape:
            factor = tf.linalg.cholesky(matrix + side * tf.transpose(side))
            solved = tf.linalg.cholesky_solve(factor, side)
            above = tf.linalg.triangular_solve(tf.transpose(factor), solved, lower=False)
            several = tf.linalg.solve(stack + side * tf.transpose(side), tf.stack([side, side]))
            turned = tf.linalg.solve(stack + side * tf.transpose(side), tf.stack([side, side]), adjoint=True)
        for target in (solved, above, several, turned):
            tape.gradient(target, side)
    told = [" ".join(term[0] for term in step.get("formula", [])) for step in run.scene.steps]
    ways = [r"solved = triangular_solve\(factorᵀ, .*, upper\)", r"above = triangular_solve\(.*, solved, upper\)",
            r"several = solve\(v.*, .*\)", r"turned = solve\(v.*ᵀ, .*\)"]  # fmt: skip
    assert all(any(re.fullmatch(way, text) for text in told) for way in ways), told
    count, wrong = untrue(run)
    assert count > 60 and [text for text in wrong if "cholesky" not in text] == []


def test_a_cross_entropy_of_a_large_score_is_no_infinity() -> None:
    """log(1 + exp(800)) − 800 was told as ∞ − 800; the formula is the one that does not overflow."""
    score, label = tf.Variable(800.0), tf.constant(1.0)
    with viz.record() as run:
        with tf.GradientTape() as tape:
            loss = tf.nn.sigmoid_cross_entropy_with_logits(labels=label, logits=score)
        tape.gradient(loss, score)
    told = " ".join(term[1] for step in run.scene.steps for term in step.get("formula", []))
    assert "800" in told and "∞" not in told, told
    assert untrue(run)[1] == []
