"""TensorFlow's own results, case by case: the programs of tools/facts/programs, and what TensorFlow 2.21 gave for each."""

from __future__ import annotations

import functools
import math
import pathlib
import re
from typing import Any

import pytest

import minitape as tf
from tools.facts import GOLDEN, golden

CASES = GOLDEN.read()

# Parts of a result in which minitape differs on purpose, as "case/key": each is a row of docs/differences.md.
_SHAPES = "tangents that do not fit their primal are refused where they are given, not where they hurt"
_TEACHING = "a plain Python number gets an exception that says what to do, not an AttributeError from inside"
_ARRAYS = "a tape keeps arrays of its own, never the learner's tensor objects: test_ledger.py asks the ledger instead"
_KERNEL = "the documented text runs: a layer's weights are tf.Variables, where Keras 3 has a class of its own"
_OPS = (
    "abs add_const const_div cos div_const exp log1p_abs matmul_const maximum0 mul_const mul_self pow3 reduce_max reduce_mean "
    "reduce_sum relu reshape sigmoid sin softmax softplus square sub_const tanh"
)
_ORDERS = "a region has every derivative that its function has, in any order and either mode"
_NAMED = "the class of a tensor is called Tensor, so the case's note of its type differs"
_TAKEN = "whatever a region takes in gets its gradient: tensors and variables from outside, and methods' arguments"
_AS_IS = "Python values go into a region and come out of it as they are, None too"
_SAME_DRAWS = "random numbers inside a region come out the same when it runs again"
_COMPARED = "a rerun that does something else is refused, where TensorFlow answers wrongly or obscurely"
_KIND = "the object that recompute_grad returns is of a class of ours, with an error that names __wrapped__"
_UNUSED = "an input that a region does not use has no gradient, as without the region"
_OWN_RULE = "forward mode goes through the transpose of the custom rule, probed twice to see that it is linear"
_KEYWORDS = "tensors that are passed by keyword are inputs of a region like all others"
_PLAIN_CALL = "a function is a plain call that runs each time, so nothing is traced, and nothing that tracing refuses"
_TAPES_INSIDE = "a tape opened inside a region records in every run, the first too"
DIFFERENT: dict[str, str] = {
    "fa_misc/mismatch_shape": _SHAPES,
    "fa_misc/mismatch_scalar_vs_vector": _SHAPES,
    "fa_mismatch_on_use/scalar_vs_vec_construct": _SHAPES,
    "fa_mismatch_on_use/scalar_primal_vec_tangent_jvp": _SHAPES,
    "fa_mismatch_on_use/vec_primal_scalar_tangent_jvp": _SHAPES,
    "fa_mismatch_on_use/vec_primal_scalar_tangent_sum": _SHAPES,
    "fa_misc/python_float_primal": _TEACHING,
    "fa_misc/jvp_of_python_float": _TEACHING,
    "tape_errors/source_python_float": _TEACHING,
    "tape_errors/target_python_float": _TEACHING,
    "tape_errors/batch_jacobian_bad_rank": "a ValueError that names the rank, also for rank 0, where TensorFlow trips over it",
    **{f"tape_saved_tensors_per_op/{op}": _ARRAYS for op in _OPS.split()},
    "fa_linear_regression/keras3_dense_kernel_as_primal": _KERNEL,
    "fa_doc_regression_exact/jvp": _KERNEL,
    "fa_keras3_doc_example/kernel": _KERNEL,
    "fa_keras3_doc_example/type_of_kernel": _KERNEL,
    "tape_persistent_frees/persistent": _ARRAYS,
    "tape_persistent_frees/non_persistent": _ARRAYS,
    **dict.fromkeys(
        [
            "recompute_keras_second_order/second_order",
            "recompute_second_order_var/second_order",
            "recompute_forward_mode/jvp",
            "recompute_forward_mode/calls",
            "recompute_forward_mode_variable/jvp",
            "recompute_forward_mode_variable/calls",
            "recompute_forward_mode_variable/jvp_x",
            "recompute_forward_mode_vector/jvp",
            "recompute_forward_over_backward/hvp",
            "recompute_forward_nested/nested_jvp",
            "recompute_backward_over_forward/bof",
            "recompute_second_order_x3/chain_of_two",
            "recompute_second_order_x3/nonlinear_after",
            "recompute_second_order_x3/captured_variable_second_order_wrt_x",
        ],
        _ORDERS,
    ),
    **dict.fromkeys(
        [
            "recompute_structures/list_in",
            "recompute_structures/dict_in",
            "recompute_structures/python_float_in",
            "recompute_structures/python_str_in",
            "recompute_structures/python_bool_in",
            "recompute_structures/numpy_in",
            "recompute_structures/int_tensor_in",
        ],
        _NAMED,
    ),
    **dict.fromkeys(
        [
            "recompute_structures/closure_tensor",
            "recompute_structures/no_args",
            "recompute_trainable_false_and_stop_watch/nontrainable_watched",
            "recompute_wrapper_metadata/method_gradient",
        ],
        _TAKEN,
    ),
    **dict.fromkeys(
        [
            "recompute_structures/python_int_in",
            "recompute_structures/python_none_in",
            "recompute_structures/returns_none",
            "recompute_int_arg_forward_then_grad/gradient",
        ],
        _AS_IS,
    ),
    **dict.fromkeys(["recompute_random/gradient_equals_forward_mask"], _SAME_DRAWS),
    **dict.fromkeys(
        [
            "recompute_exceptions/shape_change",
            "recompute_exceptions/different_function_silent",
            "recompute_exceptions/fewer_outputs",
        ],
        _COMPARED,
    ),
    **dict.fromkeys(["recompute_wrapper_metadata/type"], _KIND),
    **dict.fromkeys(["recompute_unconnected/recompute"], _UNUSED),
    **dict.fromkeys(
        [
            "custom_gradient_second_order/forward_mode_uses_custom_grad_transpose",
            "custom_gradient_second_order/nonlinear_grad_fn_in_forward_mode",
            "custom_gradient_forward_mode/differentiable_body_x*x",
            "custom_gradient_forward_mode/numpy_body",
            "custom_gradient_forward_mode/stop_gradient_body",
            "custom_gradient_forward_mode/numpy_body_tangent_5",
            "custom_gradient_forward_mode/numpy_body_nonlinear_grad",
            "custom_gradient_forward_mode/log1pexp_at_100",
            "custom_gradient_forward_mode/doc_log1pexp_100_jvp",
        ],
        _OWN_RULE,
    ),
    **dict.fromkeys(["recompute_inner_gradient_tape/inner_gradient_seen_in_forward"], _TAPES_INSIDE),
    **dict.fromkeys(["recompute_kwargs/eager", "recompute_kwargs/variable_kwarg"], _KEYWORDS),
    **dict.fromkeys(
        [
            "recompute_kwargs/in_tf_function",
            "recompute_while_loop/in_tf_function",
            "recompute_while_loop/trace_calls_in_tf_function",
            "recompute_in_tf_function/trace_calls",
            "recompute_while_function_error/captured_variable",
            "recompute_while_function_error/in_cond",
        ],
        _PLAIN_CALL,
    ),
    "recompute_outer_tape_liveness/plain": _ARRAYS,
}


PROGRAMS = golden.load(tf)


@functools.cache
def run(name: str) -> golden.Case:
    """Run a golden program under minitape."""
    return golden.run(tf, PROGRAMS[name])


def same(ours: Any, theirs: Any) -> bool:
    """Equal to about 1e-6 relative; exceptions by their type."""
    if isinstance(theirs, dict) and "exception" in theirs:
        return isinstance(ours, dict) and ours.get("exception") == theirs["exception"]
    if isinstance(theirs, dict):
        return isinstance(ours, dict) and ours.keys() == theirs.keys() and all(same(ours[k], theirs[k]) for k in theirs)
    if isinstance(theirs, list):
        return isinstance(ours, list) and len(ours) == len(theirs) and all(map(same, ours, theirs))
    if isinstance(theirs, float) and isinstance(ours, float | int):
        return math.isclose(ours, theirs, rel_tol=1e-6, abs_tol=1e-7) or (math.isnan(ours) and math.isnan(theirs))
    if isinstance(theirs, str) and isinstance(ours, str):
        # "sequential_2/dense_2/kernel": how many there were before is no matter.
        ours, theirs = (re.sub(r"_\d+(?=/)", "", one) for one in (ours, theirs))
    return bool(ours == theirs)


@pytest.mark.parametrize("name", CASES)
def test_as_tensorflow(name: str) -> None:
    case = run(name)
    for key, theirs in CASES[name]["outputs"].items():
        if f"{name}/{key}" not in DIFFERENT:
            assert same(case.out.get(key), theirs), f"{key}\n  ours:   {case.out.get(key)}\n  theirs: {theirs}"
    for phase, theirs in CASES[name].get("printed", {}).items():
        if f"{name}/{phase}" not in DIFFERENT:
            assert case.printed.get(phase, []) == theirs, phase


@pytest.mark.parametrize("key", DIFFERENT)
def test_a_difference_is_one(key: str) -> None:
    """No row stays when minitape has come to agree; and each says why, also in the document."""
    name, part = key.split("/")
    assert not same(run(name).out.get(part), CASES[name]["outputs"][part])
    assert len(DIFFERENT[key]) > 20
    assert f"`{key}`" in (pathlib.Path(__file__).parents[2] / "docs" / "differences.md").read_text(encoding="utf-8")


def test_every_program_has_its_facts() -> None:
    assert set(PROGRAMS) == set(CASES) and len(CASES) == 69
    assert {key.split("/")[0] for key in DIFFERENT} <= set(CASES)
