"""What shows itself at the end of a cell: a tape, an accumulator, a recording, each in one sentence that is true."""

from __future__ import annotations

import minitape as tf
import viz


def test_a_tape_says_what_it_keeps_and_when_it_lets_go() -> None:
    x = tf.constant([3.0, 4.0])
    with tf.GradientTape() as tape:
        assert repr(tape) == "<GradientTape tape: 0 entries; listening, keeps 0 B so far>"
        tape.watch(x)
        y = x * x
        z = tf.exp(y)
    kept = tf.ledger.held_for_backward
    assert repr(tape) == f"<GradientTape tape: 2 entries; keeps {kept} B for the backward pass>" and kept == 16
    bundle = tape._repr_mimebundle_()
    assert bundle["text/plain"] == repr(tape) and "data:image/svg+xml" in bundle["text/html"]
    tape.gradient(z, x)
    assert repr(tape) == "<GradientTape tape: 2 entries; it answered, and let go of what it kept>"


def test_a_tape_that_watched_nothing_says_so() -> None:
    x = tf.constant(3.0)
    with tf.GradientTape() as tape:
        x * x
    assert "nothing that it watches went through an op" in repr(tape)
    assert "text/html" not in tape._repr_mimebundle_()


def test_an_accumulator_says_how_many_tangents_it_holds() -> None:
    x = tf.constant(3.0)
    with tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
        assert "holds 1 tangent;" in repr(acc)
        y = x * x
    assert (
        repr(acc) == "<ForwardAccumulator acc: holds 2 tangents; acc.jvp(y) looks one up>" and float(acc.jvp(y)) == 6.0
    )


def test_a_recording_without_a_block_says_what_is_missing() -> None:
    assert "with viz.record() as run:" in repr(viz.record())
