"""Values and gradients are JAX's own to the last bit, and errors are JAX's own words."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import viz

jax = pytest.importorskip("jax", reason="JAX is not installed: .ci/jax runs these tests where it is")
import jax.numpy as jnp  # noqa: E402

from . import programs  # noqa: E402


def assert_same_bits(one: Any, other: Any) -> None:
    ones, others = jax.tree_util.tree_leaves(one), jax.tree_util.tree_leaves(other)
    assert jax.tree_util.tree_structure(one) == jax.tree_util.tree_structure(other) and ones
    for a, b in zip(ones, others, strict=True):
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        assert np.asarray(a).tobytes() == np.asarray(b).tobytes()


@pytest.mark.parametrize("name", programs.PROGRAMS)
def test_same_bits_where_the_same_primitives_run(name: str) -> None:
    f, args = programs.PROGRAMS[name]
    run = viz.record_jax(f, *args)
    with jax.disable_jit():  # so that JAX runs primitive by primitive too
        value, gradient = jax.value_and_grad(f)(*args)
    assert_same_bits(run.value, value)
    assert_same_bits(run.gradient, gradient)


@pytest.mark.parametrize("name", programs.BOXES)
def test_boxes_give_what_jax_gives(name: str) -> None:
    f, args = programs.BOXES[name]
    run = viz.record_jax(f, *args)
    value, gradient = jax.value_and_grad(f)(*args)
    assert_same_bits(run.value, value)
    assert_same_bits(run.gradient, gradient)


@pytest.mark.parametrize("name", ["jit_inside", "cross_entropy", "mlp"])
def test_jitted_functions_as_boxes_run_as_jax_runs_them(name: str) -> None:
    f, args = programs.PROGRAMS[name]
    run = viz.record_jax(f, *args, boxes=True)
    value, gradient = jax.value_and_grad(f)(*args)
    assert_same_bits(run.value, value)
    assert_same_bits(run.gradient, gradient)


@pytest.mark.parametrize(
    ("f", "x"),
    [(programs.cube, 2.0), (lambda x: jnp.sin(x) * x / (1 + x * x), 0.7), (lambda x: programs.safe(x) ** 2, 0.3),
     (lambda x: programs.clipped(x, x), 0.3), (lambda x: programs.block(x) * x, 0.3)],
)  # fmt: skip
def test_third_order(f: Callable[..., Any], x: float) -> None:
    run = viz.record_jax(f, x, order=3)
    nested = f
    with jax.disable_jit():
        for gradient in run.gradients:
            nested = jax.grad(nested)
            np.testing.assert_allclose(gradient, nested(x), rtol=1e-6)
    assert len(run.gradients) == 3


def test_third_order_by_nested_grad_is_equal_to_the_bit() -> None:
    once, twice = jax.grad(programs.cube), jax.grad(jax.grad(programs.cube))
    assert viz.record_jax(twice, 2.0).gradient == jax.grad(twice)(2.0) == 6.0
    assert viz.record_jax(once, 2.0, order=2).gradients == [jax.grad(once)(2.0), jax.grad(twice)(2.0)]
    assert viz.record_jax(programs.cube, 2.0, order=3).gradients == [once(2.0), twice(2.0), jax.grad(twice)(2.0)]


def test_gradients_by_several_arguments() -> None:
    f, args = programs.custom_vjp, programs.PROGRAMS["custom_vjp"][1]
    with jax.disable_jit():
        both = jax.grad(f, (0, 1))(*args)
        second = jax.grad(f, -1)(*args)
    assert_same_bits(viz.record_jax(f, *args, argnums=(0, 1)).gradient, both)
    assert_same_bits(viz.record_jax(f, *args, argnums=-1).gradient, second)


def test_what_nothing_reaches_gets_zeros_as_in_jax() -> None:
    run = viz.record_jax(lambda x, y: y * 2.0, 1.0, 3.0)
    assert run.gradient == 0.0 and run.value == 6.0
    assert "is 0" in run.scene.steps[-1]["say"]


def shapes_that_do_not_fit(x: Any) -> Any:
    return jnp.sum(x @ jnp.ones((2, 5)))


def a_branch_on_a_tracer(x: Any) -> Any:
    return x.sum() if x.sum() > 0 else -x.sum()


def by_an_integer(x: Any) -> Any:
    return x.sum()


def to_an_integer(x: Any) -> Any:
    return jnp.argmax(x)


def two_results(x: Any) -> Any:
    return x.sum(), x.max()


def a_loop_of_unknown_length(x: Any) -> Any:
    return jax.lax.while_loop(lambda c: c[0] < 3, lambda c: c * 2, x).sum()


@pytest.mark.parametrize(
    ("f", "x"),
    [(shapes_that_do_not_fit, jnp.ones(3)), (by_an_integer, jnp.arange(3)),
     (to_an_integer, jnp.ones(3)), (two_results, jnp.ones(3)), (by_an_integer, jnp.ones(3, complex)),
     (a_loop_of_unknown_length, jnp.ones(3)), (lambda x: 1 / 0, jnp.ones(3))],
)  # fmt: skip
def test_errors_are_jaxs_own(f: Callable[..., Any], x: Any) -> None:
    with pytest.raises(Exception) as own:
        jax.value_and_grad(f)(x)
    with pytest.raises(type(own.value)) as ours:
        viz.record_jax(f, x)
    first = str(own.value).splitlines()[0] if str(own.value) else ""
    assert str(ours.value).startswith(first[:60])
    assert viz.record_jax(programs.cube, 2.0).gradient == 12.0  # nothing is left behind


def test_a_python_branch_on_a_number_is_refused_with_what_to_type() -> None:
    """jax.grad alone runs it, since it traces with numbers; a jaxpr has no branches of Python's."""
    with pytest.raises(jax.errors.TracerBoolConversionError) as refused:
        viz.record_jax(a_branch_on_a_tracer, jnp.ones(3))
    assert "jax.lax.cond" in "".join(refused.value.__notes__)


def test_a_result_of_many_numbers_is_refused_with_what_to_type() -> None:
    with pytest.raises(TypeError, match=r"shape: \(3,\)\. To see .*: viz\.record_jax\(lambda \*args: tanh"):
        viz.record_jax(jnp.tanh, jnp.ones(3))
    with pytest.raises(ValueError, match="order is how often"):
        viz.record_jax(programs.cube, 2.0, order=0)
    with pytest.raises(TypeError, match=r"order=2 .* one argument that is a single number"):
        viz.record_jax(programs.mlp, *programs.PROGRAMS["mlp"][1], order=2)


def test_inside_of_a_transformation_it_is_refused() -> None:
    with pytest.raises(ValueError, match=r"call it outside, not inside of jax\.jit"):
        jax.jit(lambda x: viz.record_jax(programs.cube, x).gradient)(2.0)
