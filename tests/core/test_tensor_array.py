"""TensorArray beside what the expressions show: loops, tapes, memory, refusals."""

from __future__ import annotations

import pytest

import minitape as tf


def test_a_loop_fills_it_under_a_tape() -> None:
    x = tf.Variable(2.0)
    with tf.GradientTape() as tape:
        _, powers, _ = tf.while_loop(
            lambda i, rows, value: i < 4,
            lambda i, rows, value: (i + 1, rows.write(i, value), value * x),
            [tf.constant(0), tf.TensorArray(tf.float32, size=4), x.value()],
        )
        total = tf.reduce_sum(powers.stack())
    assert float(total) == 30.0  # 2 + 4 + 8 + 16
    assert float(tape.gradient(total, x)) == 1 + 4 + 12 + 32


def test_a_body_that_runs_again_may_not_write_to_it() -> None:
    with pytest.raises(TypeError, match="would change twice"):
        tf.while_loop(
            lambda i, rows: i < 2,
            lambda i, rows: (i + 1, rows),
            [tf.constant(0), tf.TensorArray(tf.float32, 2)],
            recompute=True,
        )


def test_what_was_read_is_let_go() -> None:
    rows = tf.TensorArray(tf.float32, size=1).write(0, tf.ones([1000]))
    before = tf.ledger.live
    rows.read(0)
    assert before - tf.ledger.live == 4000
    rows = rows.write(0, tf.ones([1000]))
    rows.close()
    assert tf.ledger.live == before - 4000


def test_refusals_say_what_to_write() -> None:
    rows = tf.TensorArray(tf.float32, size=1)
    for program, text in [
        (lambda: rows.write(1, 1.0), "dynamic_size=True"),
        (lambda: rows.write(0, tf.constant(1)), r"tf\.cast\(value, tf\.float32\)"),
        (lambda: rows.read(0), r"element_shape=\[\.\.\.\]"),
        (lambda: rows.read(3), "size - 1"),
        (lambda: tf.TensorArray(tf.float32), "size=0, dynamic_size=True"),
    ]:
        with pytest.raises((ValueError, tf.errors.OpError), match=text):
            program()
