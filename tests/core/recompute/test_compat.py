"""compat("tf"): the programs in which TensorFlow does worse, with TensorFlow's own results."""

from __future__ import annotations

import warnings

import pytest

import minitape as tf
from minitape.recompute import CaptureWarning
from tests.core import test_golden as golden

FA = tf.autodiff.ForwardAccumulator

AS_TENSORFLOW = [
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
    "recompute_trainable_false_and_stop_watch/nontrainable_watched",
    "recompute_random/gradient_equals_forward_mask",
    "recompute_exceptions/different_function_silent",
    "recompute_exceptions/fewer_outputs",
    "recompute_unconnected/recompute",
    "custom_gradient_second_order/forward_mode_uses_custom_grad_transpose",
    "custom_gradient_second_order/nonlinear_grad_fn_in_forward_mode",
    "custom_gradient_forward_mode/differentiable_body_x*x",
    "custom_gradient_forward_mode/numpy_body",
    "custom_gradient_forward_mode/stop_gradient_body",
    "custom_gradient_forward_mode/numpy_body_tangent_5",
    "custom_gradient_forward_mode/numpy_body_nonlinear_grad",
    "custom_gradient_forward_mode/log1pexp_at_100",
    "custom_gradient_forward_mode/doc_log1pexp_100_jvp",
]


@pytest.mark.parametrize("place", AS_TENSORFLOW)
def test_what_differs_is_the_same_under_compat(place):
    """Each is in the table of differences, so without compat the result is another."""
    assert place in golden.DIFFERENT
    case, key = place.split("/", 1)
    with tf.compat("tf"):
        ours = golden.run.__wrapped__(case).out[key]
    assert golden.same(ours, golden.CASES[case]["outputs"][key]), ours


def test_what_works_in_tensorflow_works_under_compat():
    cases = [
        "recompute_second_order_x3",
        "recompute_doc_four_calls",
        "recompute_nested",
        "custom_gradient_second_order",
    ]
    with tf.compat("tf"):
        for case in [one for one in cases if one in golden.CASES]:
            for key, theirs in golden.CASES[case]["outputs"].items():
                assert golden.same(golden.run.__wrapped__(case).out[key], theirs), f"{case}/{key}"


@pytest.mark.parametrize("mode", ["record", "recompute"])
def test_a_second_tape_is_refused_in_both_modes(mode):
    x = tf.constant(3.0)
    region = tf.recompute_grad(lambda x: x * x * x, higher_order=mode)
    with tf.compat("tf"), tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.sin(region(x))
        slope = tape.gradient(y, x)
    with pytest.raises(NotImplementedError, match="a second tape"):
        outer.gradient(slope, x)


def test_an_accumulator_of_something_else_may_listen():
    x, other = tf.constant(2.0), tf.constant(1.0)
    with tf.compat("tf"), FA(other, tf.constant(1.0)) as acc:
        y = tf.recompute_grad(lambda x: x * x)(x)
        assert acc.jvp(y) is None
    with tf.compat("tf"), pytest.raises(NotImplementedError, match=r"'square'.*outside of `with tf\.compat"):
        with FA(x, tf.constant(1.0)):
            tf.recompute_grad(lambda x: x * x, name="square")(x)


def test_it_ends_with_its_block():
    x, k = tf.constant(2.0), tf.constant(5.0)
    region = tf.recompute_grad(lambda x: x * k)

    def gradient():
        with tf.GradientTape() as tape:
            tape.watch(k)
            y = region(x)
        return tape.gradient(y, k)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert float(gradient()) == 2.0
        with pytest.raises(CaptureWarning, match="pass it in"), tf.compat("tf"):
            gradient()
        assert float(gradient()) == 2.0
    with pytest.raises(ValueError, match="'torch'"):
        tf.compat("torch")
