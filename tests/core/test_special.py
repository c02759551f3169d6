"""The functions without a formula, to the last digits; and transforms, there and back."""

from __future__ import annotations

import math

import numpy as np
import pytest

import minitape as tf


def test_gamma_and_its_derivatives() -> None:
    x = np.array([1e-8, 0.001, 0.1, 0.5, 1.0, 2.0, 3.0, 7.5, 12.0, 50.0, 1e3, 1e8, -0.5, -2.3, -100.7])
    np.testing.assert_allclose(tf.math.lgamma(x), [math.lgamma(one) for one in x], rtol=1e-15)
    euler = 0.5772156649015329  # to 16 digits
    np.testing.assert_allclose(tf.math.digamma([np.float64(1.0), 0.5]), [-euler, -euler - 2 * math.log(2)], rtol=1e-14)
    for order, a in ((1, 0.3), (2, 5.2), (5, 20.0)):  # ψ⁽ⁿ⁾(x + 1) = ψ⁽ⁿ⁾(x) + (−1)ⁿ n! ÷ x**(n+1)
        step = (-1) ** order * math.factorial(order) / a ** (order + 1)
        here, there = (float(tf.math.polygamma(np.float64(order), np.float64(one))) for one in (a, a + 1))
        assert there == pytest.approx(here + step, rel=1e-12, abs=1e-12)
    assert float(tf.math.polygamma(np.float64(1.0), np.float64(1.0))) == pytest.approx(math.pi**2 / 6, rel=1e-15)


def test_where_gamma_and_its_derivatives_are_not() -> None:
    poles = tf.constant([0.0, -1.0, -2.0, math.nan])
    assert np.isposinf(tf.math.lgamma(poles)[:3]).all() and np.isnan(tf.math.lgamma(poles)[3])
    assert np.isnan(tf.math.digamma([-1.0, math.nan])).all()
    assert (
        np.isposinf(tf.math.polygamma(1.0, [0.0, -1.0])).all() and np.isnan(tf.math.polygamma(2.0, [0.0, -1.0])).all()
    )
    assert np.isnan(tf.math.polygamma([0.5, -1.0], 2.0)).all()
    assert float(tf.math.lgamma(np.float64(1e308))) == math.inf


def test_the_error_function_turned_round() -> None:
    x = np.array([0.0, 1e-12, 1e-5, 0.1, -0.5, 0.9, 1 - 1e-10])
    np.testing.assert_allclose(tf.math.erf(tf.math.erfinv(x)), x, rtol=1e-15, atol=1e-17)
    shares = np.array([1e-9, 0.1, 0.5, 0.975])
    y = tf.math.ndtri(shares)
    np.testing.assert_allclose(0.5 * tf.math.erfc(-y / math.sqrt(2.0)), shares, rtol=1e-12)
    assert np.array_equal(tf.math.erfinv([1.0, -1.0, 1.5]), [math.inf, -math.inf, math.nan], equal_nan=True)
    assert np.array_equal(tf.math.ndtri([0.0, 1.0, -0.1]), [-math.inf, math.inf, math.nan], equal_nan=True)


def test_the_first_three_derivatives_of_a_bessel_function_at_0() -> None:
    x = tf.constant(0.0, tf.float64)  # I₁(x) = x/2 + x³/16 + ...
    with tf.GradientTape() as third:
        third.watch(x)
        with tf.GradientTape() as second:
            second.watch(x)
            with tf.GradientTape() as first:
                first.watch(x)
                y = tf.math.bessel_i1(x)
            slope = first.gradient(y, x)
        bend = second.gradient(slope, x)
    assert [float(slope), float(bend), float(third.gradient(bend, x))] == [0.5, 0.0, 0.375]


@pytest.mark.parametrize("function", [tf.linalg.tridiagonal_solve, tf.linalg.tridiagonal_matmul])
def test_of_a_whole_matrix_three_diagonals_are_read(function) -> None:
    whole = tf.constant([[4.0, 1.0, 9.0], [3.0, 5.0, 2.0], [9.0, 1.0, 6.0]], tf.float64)
    rows = tf.constant([[1.0, 2.0, 0.0], [4.0, 5.0, 6.0], [0.0, 3.0, 1.0]], tf.float64)
    right = tf.constant([[1.0], [2.0], [3.0]], tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(whole)
        found = function(whole, right, diagonals_format="matrix")
    np.testing.assert_allclose(found, function(rows, right))
    slope = tape.gradient(found, whole).numpy()
    assert slope[0, 2] == slope[2, 0] == 0.0 and np.count_nonzero(slope) == 7


def test_a_matrix_without_an_inverse_is_refused_and_a_zero_that_leads_is_none() -> None:
    with pytest.raises(tf.errors.InvalidArgumentError, match="Singular matrix"):
        tf.linalg.tridiagonal_solve(tf.zeros([3, 2]), tf.ones([2]))
    swaps = tf.constant([[1.0, 0.0], [0.0, 1.0], [0.0, 1.0]])
    assert tf.linalg.tridiagonal_solve(swaps, tf.constant([1.0, 2.0]), partial_pivoting=False).numpy().tolist() == [
        1,
        1,
    ]


def test_three_diagonals_are_counted() -> None:
    with pytest.raises(ValueError, match="Expected 3 diagonals got 2"):
        tf.linalg.tridiagonal_solve(tf.ones([2, 3]), tf.ones([3]))
    with pytest.raises(ValueError, match="to be equal, got 3 and 2"):
        tf.linalg.tridiagonal_solve(tf.eye(3), tf.ones([2]))


@pytest.mark.parametrize("length", [1, 2, 3, 4, 7, 8])
def test_transforms_and_their_inverses(length: int) -> None:
    draw = np.random.default_rng(length)
    x = draw.normal(size=(2, length))
    real = tf.constant(x)
    np.testing.assert_allclose(tf.signal.rfft(real), np.fft.rfft(x), atol=1e-14)
    np.testing.assert_allclose(tf.signal.irfft(tf.signal.rfft(real), [length]), x, atol=1e-14)
    z = x + 1j * draw.normal(size=x.shape)
    np.testing.assert_allclose(tf.signal.ifft(tf.signal.fft(z)), z, atol=1e-14)
    np.testing.assert_allclose(tf.signal.fft2d(z), np.fft.fft2(z), atol=1e-13)
    np.testing.assert_array_equal(tf.signal.ifftshift(tf.signal.fftshift(z)), z)
    for dtype, made in (("float32", "complex64"), ("float64", "complex128")):
        assert tf.signal.rfft(tf.cast(real, dtype)).dtype == made
        assert tf.signal.irfft(tf.constant(z.astype(made)), [4]).dtype == dtype


def test_far_left_of_zero_the_derivative_of_digamma_ends() -> None:
    """There is no end of terms to add up to zero there."""
    x = tf.constant([-np.inf, -1e30, 2.0], tf.float64)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = tf.math.digamma(x)
    assert np.isnan(tape.gradient(y, x).numpy()).tolist() == [True, True, False]
