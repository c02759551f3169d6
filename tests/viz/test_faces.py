"""What shows itself at the end of a cell: a tape, an accumulator, a recording, each in one sentence that is true."""

from __future__ import annotations

import gc

import minitape as tf
import viz
from tests.support import python


def test_a_tape_says_what_it_keeps_and_when_it_lets_go() -> None:
    gc.collect()  # the ledger still counts what other tests left for the collector
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


def test_a_variable_shows_its_card_and_says_who_follows_it() -> None:
    held = tf.Variable([3.0, -4.0])
    bundle = held._repr_mimebundle_()
    assert bundle["text/plain"] == repr(held) and "data:image/svg+xml" in bundle["text/html"]
    assert "each tape that listens watches it. float32 (2,), 8 B." in bundle["text/html"]
    assert "only after tape.watch(" in tf.Variable(1.0, trainable=False)._repr_mimebundle_()["text/html"]
    assert "whole numbers have no slope" in tf.Variable(3)._repr_mimebundle_()["text/html"]


CELL = """
import minitape as tf
from viz.capture import tell_nothing
said = []
tell_nothing(said.append)
tell_nothing(print)
x, y, z = tf.Variable(3.0), tf.Variable(4.0), tf.Variable(5.0)
with tf.GradientTape(persistent=True) as tape:
    s = x * 2.0
for _ in range(3):
    none = tape.gradient(s, y)
assert none is None
some = tape.gradient(s, [x, y, z])
def asked():
    return tape.gradient(s, y)
asked()
tape.gradient(s, y, unconnected_gradients="zero")
tape.gradient(s, x)
tape.jacobian(tf.sin(s), [y])
print(said)
"""


def test_a_gradient_that_is_none_says_so_once_at_its_line(tmp_path) -> None:
    """Not for each turn of a loop, not within a function, not where zero was asked for; and the answer stays None."""
    (tmp_path / "cell.py").write_text(CELL, encoding="utf-8")
    run = python(str(tmp_path / "cell.py"))
    assert run.returncode == 0, run.stderr
    assert run.stdout.splitlines() == [
        str(
            [
                "○ ds/dy is None here: tape.why(s, y) knows the reason",
                "○ ds/dy and ds/dz are None here: tape.why(s, [x, y, z]) knows the reason",
                "○ d(tf.sin(s))/dy is None here: tape.why(target, source) knows the reason",
            ]
        )
    ]
