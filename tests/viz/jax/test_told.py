"""What is told of a function of JAX's, held against counts of the tests' own."""

from __future__ import annotations

import contextlib
from collections import Counter
from typing import Any

import numpy as np
import pytest

import viz
from tests.support import ROOT
from viz.capture.tried import Name

jax = pytest.importorskip("jax", reason="JAX is not installed: .ci/jax runs these tests where it is")
import jax.numpy as jnp  # noqa: E402
from jax._src.ad_checkpoint import saved_residuals  # noqa: E402

from . import programs  # noqa: E402
from .test_same_numbers import assert_same_bits  # noqa: E402

ALL = {**programs.PROGRAMS, **programs.BOXES}
BODIES = {
    "jit": "jaxpr", "closed_call": "call_jaxpr", "custom_jvp_call": "call_jaxpr", "custom_vjp_call": "call_jaxpr",
    "remat2": "jaxpr",
}  # fmt: skip


def as_told(name: str) -> Any:
    """JAX as the interpreter runs it: primitive by primitive, but for loops and branches, which stay boxes."""
    return jax.disable_jit() if name in programs.PROGRAMS else contextlib.nullcontext()


def counted(jaxpr: Any) -> Counter[str]:
    found: Counter[str] = Counter()
    for eqn in jaxpr.eqns:
        body = eqn.params.get(BODIES.get(str(eqn.primitive), ""))
        found += Counter([str(eqn.primitive)]) if body is None else counted(getattr(body, "jaxpr", body))
    return found


def told(run: Any) -> Counter[str]:
    ops = [one.op for one in run.stream.records if one.kind == "op"]
    return Counter(op.row.id.rpartition(" ")[0] for op in ops if not op.own_rule and not op.region)


def says(run: Any) -> list[str]:
    return [step["say"] for step in run.scene.steps]


@pytest.mark.parametrize("name", ALL)
def test_every_equation_of_value_and_gradient_is_told(name: str) -> None:
    f, args = ALL[name]
    with as_told(name):
        own = counted(jax.make_jaxpr(jax.value_and_grad(f))(*args).jaxpr)
    # What changes a kind of number under a rule of the function's own, or a policy, rounds to what it is already.
    ours = told(viz.record_jax(f, *args))
    differ = {key for key in own | ours if own[key] != ours[key]}
    assert differ <= {"custom_vjp": {"convert_element_type"}, "bfloat16": {"convert_element_type"},
                      "checkpoint_with_policy": {"reduce_precision"}}.get(name, set())  # fmt: skip
    assert sum(ours.values()) >= 3


@pytest.mark.parametrize("name", ALL)
def test_residuals_are_those_that_jax_saves(name: str) -> None:
    f, args = ALL[name]
    with as_told(name):
        rest = jax.tree_util.tree_map(jnp.asarray, args[1:])
        saved = saved_residuals(lambda x: f(x, *rest), args[0])
    run = viz.record_jax(f, *args)
    theirs = sorted((aval.shape, str(aval.dtype)) for aval, where in saved if where != "from a literal")
    assert sorted((one.shape, one.dtype) for one in run.kept()) == theirs
    assert all(one.bytes == np.prod(one.shape) * jnp.dtype(one.dtype).itemsize for one in run.kept())
    ops = [one.op for one in run.stream.records if one.kind == "op"]
    grad = next(one.recorder for one in run.stream.records if one.kind == "enter")
    pinned = {value for op in ops for value in op.saves(grad)}
    regions = any(op.region for op in ops)
    assert regions or pinned == {one for one in run.kept() if any(one in (*op.takes, *op.gives) for op in ops)}


@pytest.mark.parametrize("name", ALL)
def test_it_can_be_told_and_drawn(name: str, tmp_path: Any) -> None:
    f, args = ALL[name]
    run = viz.record_jax(f, *args, title=name)
    scene = run.scene
    assert run.stream.framework == "JAX" and run.stream.holders == () and scene.holders == []
    assert not any("could not be told" in note for note in scene.notes)
    assert not any("unknown" in said or "(a value)" in said for said in says(run))
    assert all(record.memory == () for record in run.stream.records)
    assert any("Memory is not shown" in note for note in scene.notes)
    again = viz.Stream.from_json(run.stream.to_json())
    assert [step["say"] for step in again.scene.steps] == says(run)
    assert (
        viz.export(run, tmp_path / "page.html").endswith(".html")
        and "memory" not in str(viz.table(run)).splitlines()[0]
    )


@pytest.mark.parametrize("name", [name for name in ALL if name != "custom_vjp"])
def test_tangents_are_those_of_jvp(name: str) -> None:
    f, args = ALL[name]

    def direction(x: Any) -> Any:
        kind = jnp.result_type(x)
        return np.ones(np.shape(x), kind if jnp.issubdtype(kind, jnp.inexact) else jax.dtypes.float0)

    tangents = jax.tree_util.tree_map(direction, args)
    run = viz.record_jax(f, *args, tangents=tangents)
    with as_told(name):
        value, moved = jax.jvp(f, args, tangents)
    assert_same_bits(run.value, value)
    assert_same_bits(run.tangent, moved)
    assert name == "fori" or any("carries the tangent along" in said for said in says(run))
    assert "looks up its tangent" in says(run)[-1]


def test_the_line_of_every_equation_is_the_learners() -> None:
    run = viz.record_jax(*_of("mlp"))
    ops = [one.op for one in run.stream.records if one.kind == "op"]
    lines = {op.row.name: op.site.source.lines[op.site.line - 1] for op in ops if op.context.phase == "forward"}
    assert 'x @ params["w"]' in lines["dot_general"] or 'h @ params["v"]' in lines["dot_general"]
    assert "jnp.tanh" in lines["tanh"] and "relu" in lines["max"] and "jnp.mean" in lines["reduce_sum"]
    assert {op.site.source.label for op in ops} == {"programs.py"}


def test_a_function_of_jaxs_that_was_traced_before_has_the_line_of_this_call() -> None:
    def twice(x: Any) -> Any:
        a = jnp.where(x > 0, x, 2.0)
        b = jnp.where(x > 1, x, 3.0)
        return jnp.sum(a * b)

    run = viz.record_jax(twice, jnp.ones(2))
    ops = [one.op for one in run.stream.records if one.kind == "op" and one.op.context.phase == "forward"]
    assert [op.site.names for op in ops if op.row.name == "select_n"] == ["a", "b"]


def _of(name: str) -> tuple[Any, ...]:
    f, args = ALL[name]
    return (f, *args)


def test_arguments_have_the_names_of_their_tree() -> None:
    run = viz.record_jax(*_of("mlp"))
    assert {"params.w", "params.b", "params.v", "x", "y"} <= {value["name"] for value in run.scene.values}
    run = viz.record_jax(*_of("pytree"))
    assert {"params.0", "params.1.0", "params.1.1.deep"} <= {value["name"] for value in run.scene.values}


def test_words_are_jaxs() -> None:
    said = says(viz.record_jax(*_of("mlp")))
    assert said[1] == "grad begins to differentiate." and said[2] == "grad differentiates by params.b from here on."
    assert any(one.endswith("for the backward pass, as a residual.") for one in said)
    assert any(one.startswith("The function has returned: grad stops listening") for one in said)
    assert "grad lets go of its residuals." in said


def _stored(name: str) -> viz.Stream:
    return viz.Stream.from_json((ROOT / "notebooks" / "same" / f"{name}.json").read_text(encoding="utf-8"))


def test_a_checkpoint_runs_again_for_what_the_backward_pass_needs() -> None:
    run = viz.record_jax(*_of("checkpoint"))
    steps = run.scene.steps
    again = [step["say"] for step in steps if step["kind"] == "replay"]
    assert [one.partition(" runs again")[0] for one in again] == [
        "cos(x)",
        "cos(x) × 2",
    ]  # and not the sine, which nobody needs
    # Nor is the cosine that is a sine's slope taken for the cosine of the first run.
    told_again = [step["say"] for step in _stored("again_jax").scene.steps if step["kind"] == "replay"]
    assert [one.partition(" is ")[0] for one in told_again] == [
        "sin(x·2) runs again: sin(a)", "cos(sin(a)) runs again: cos(sin(a))", "exp(cos(sin(a))) runs again: v₁"
    ]  # fmt: skip
    assert "Into block: what its equations would keep as residuals is dropped." in says(run)
    assert any("keeps x. A plain grad would keep 24 B; this keeps 12 B." in one for one in says(run))
    region = next(one for one in run.scene.regions if one["kind"] == "recompute")
    assert (region["kept"], region["plain"], region["runs"]) == (12, 24, 2)


def test_a_checkpoint_in_a_checkpoint_runs_three_times() -> None:
    run = viz.record_jax(*_of("checkpoint_in_checkpoint"))
    runs = Counter(one.path[-1] for one in run.stream.records if one.kind == "region-close")
    assert runs["outer_block"] == 2 and runs["block"] == 3  # forward, in the outer rerun, and for itself
    cosines = [one.op for one in run.stream.records if one.kind == "op" and one.op.row.name == "cos"]
    assert len(cosines) == 4  # three runs of its cosine, and that of the sine's slope


def test_a_policy_saves_what_it_names() -> None:
    run = viz.record_jax(*_of("checkpoint_with_policy"))
    names = [one.op.row.name for one in run.stream.records if one.kind == "op" and not one.op.region]
    assert names.count("dot_general") == 3  # once forward, twice on the way back: and not once more in between
    plain = viz.record_jax(
        lambda x: jnp.sum(jax.checkpoint(programs._policy_block)(x) ** 2), *_of("checkpoint_with_policy")[1:]
    )
    again = [one.op.row.name for one in plain.stream.records if one.kind == "op" and not one.op.region]
    assert again.count("dot_general") == 4


def test_rules_of_the_programs_own_are_named() -> None:
    said = says(viz.record_jax(*_of("custom_vjp")))
    assert "Back through v₁ to x, by its own rule: [0.5, 0.5, 0.5]." in said
    assert any("No grad writes this down: it runs inside clipped, which has a rule of its own." in one for one in said)
    said = says(viz.record_jax(*_of("custom_jvp")))
    assert any("Back through" in one and "by its own rule" in one for one in said)


def test_a_box_says_that_it_is_one() -> None:
    run = viz.record_jax(*_of("scan"))
    assert "loop of 5 turns" in {one.op.row.name for one in run.stream.records if one.kind == "op"}
    assert any("is one box" in note for note in run.scene.notes)
    assert not any("is one box" in note for note in viz.record_jax(*_of("mlp")).scene.notes)
    boxed = viz.record_jax(*_of("jit_inside"), boxes=True)
    assert "jit layer" in {one.op.row.name for one in boxed.stream.records if one.kind == "op"}
    opened = viz.record_jax(*_of("jit_inside"))
    layers = {one.op.context.layer for one in opened.stream.records if one.kind == "op"}
    assert {"first/layer", "layer"} <= layers


def test_orders_lie_in_each_other() -> None:
    run = viz.record_jax(programs.cube, 2.0, order=3)
    assert [one.recorder.name for one in run.stream.records if one.kind == "enter"] == ["grad₃", "grad₂", "grad₁"]
    said = says(run)
    assert "Back through cube = x ^ 3 to x: 12. It is a new entry of grad₃ and grad₂: g₂." in said
    assert said[-1] == "∂g₃/∂x is 6."
    inner = viz.record_jax(*_of("gradient_inside"))
    assert any("jax.grad inside" in note for note in inner.scene.notes)


def test_it_is_compared_with_a_run_of_minitape() -> None:
    import minitape as tf

    with viz.record() as ours:
        x = tf.constant(2.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.sin(x) * x
        tape.gradient(y, x)
    theirs = viz.record_jax(lambda x: jnp.sin(x) * x, 2.0)
    text = str(viz.compare(ours, theirs))
    assert "JAX" in text and "minitape" in text


def test_versions_and_private_names(monkeypatch: pytest.MonkeyPatch) -> None:
    from viz.capture.jax import private

    assert private.probe() == ()
    names = (*private.NAMES, Name("nowhere.at_all", "something is not told"))
    assert private.probe(names) == ("something is not told",)
    with pytest.raises(RuntimeError, match=r"has no jax\.nowhere, and without it nothing works"):
        private.probe((Name("nowhere", "nothing works", needed=True),))
    monkeypatch.setattr(jax, "__version__", "0.99.0")
    with pytest.raises(RuntimeError, match=r"JAX 0\.99\.0 was never tried .* viz\.record_jax\(…, untested=True\)"):
        viz.record_jax(programs.cube, 2.0)
    assert viz.record_jax(programs.cube, 2.0, untested=True).gradient == 12.0
    with pytest.raises(ValueError, match=r"viz\.record_jax\(f, \*args\)"):
        viz.record(jax)
