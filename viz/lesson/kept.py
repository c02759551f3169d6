"""Properties of what is kept, run again and rebuilt: recompute regions, schedules, reversible layers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .judge import Fault, Property, Unjudged, array, called, differs, judging
from .subject import tf

NO_WAY_BACK = "The numbers are right, but no way leads back through it: stay with tensors."


def keeps(inside: Callable[[Any], Any], most: int) -> Property:
    """Of a function (x): it computes this, and wrapped by recompute_grad it leaves a tape with so many bytes."""

    def fault(answer: Any) -> Fault:
        for at in (1.0, 0.3):
            x = tf.fill([1000], at)
            got = called(answer, x)
            if np.shape(got) != (1000,) or not np.allclose(array(got), array(inside(x)), atol=1e-5):
                return f"At {at:g} it does not give what the four steps give, one after the other."
        try:
            _, slope, held = _kept(tf.recompute_grad(answer), x)
        except Unjudged:
            return NO_WAY_BACK
        if slope is None:
            return NO_WAY_BACK
        return "" if held <= most else f"A tape keeps {held} bytes of it, and {most} are enough."

    return Property(f"Right: {most} bytes, whatever happens inside.", fault)


def _kept(f: Callable[[Any], Any], x: Any) -> tuple[Any, Any, int]:
    """What a function answers, its gradient, and the bytes with which it leaves a tape."""
    before = tf.ledger.held_for_backward
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = called(f, x)
    held = tf.ledger.held_for_backward - before
    return y, tape.gradient(y, x), held


@judging("Right: it fits.")
def fits(answer: Any, steps: int, most: int, step_bytes: int = 8000) -> Fault:
    """Of a number of segments: a chain of so many steps keeps at most so many bytes at its worst moment."""
    count = _whole(answer)
    if count is None or not 1 <= count <= steps:
        return f"A whole number from 1 to {steps} was expected here."
    plan = tf.plan(steps, "uniform", segments=count, step_bytes=step_bytes)
    way = "fewer doors would help" if count * count > steps else "shorter segments would help"
    said = f"With {count} it keeps {plan.peak_bytes} bytes at the worst moment: {way}."
    return said if plan.peak_bytes > most else ""


def _whole(answer: Any) -> int | None:
    number = array(answer.strip() if isinstance(answer, str) else answer)
    return int(number) if number is not None and number.ndim == 0 and float(number) == round(float(number)) else None


@judging("Right: 7, 15 and 19 values for 16, 64 and 100 steps, about 2 · √n − 1.")
def thrifty(answer: Any) -> Fault:
    """Of a function (n): a number of segments with which a chain of n steps keeps as little as it can."""
    for n in (16, 50, 64, 100):
        got = called(answer, n)
        count = _whole(got)
        if count is None or not 1 <= count <= n:
            return f"For {n} steps it gives {got!r:.20}: segments are counted in whole numbers, from 1 to {n}."
        kept = tf.plan(n, "uniform", segments=count).peak_states
        least = min(tf.plan(n, "uniform", segments=k).peak_states for k in range(1, n + 1))
        if kept > least:
            return f"For {n} steps it gives {count}: {kept} values are kept at the worst moment, and fewer can be."
    return ""


@judging("Right: a draw without memory gives the same numbers whenever it runs.")
def draws_again(answer: Any) -> Fault:
    """Of a function (x) that drops numbers by chance: when TensorFlow's recompute_grad runs it again, it drops the same."""
    ones = tf.ones([8])
    for _ in range(4):
        with tf.compat("tf"), tf.GradientTape() as tape:
            tape.watch(ones)
            y = called(lambda: tf.recompute_grad(answer)(ones))
        if np.shape(y) != (8,):
            return "It should give eight numbers, some of them dropped."
        with tf.compat("tf"):
            g = tape.gradient(y, ones)
        if g is None:
            return "No way leads back through it: multiply x by the mask."
        if not 0.0 < array(tf.reduce_mean(y)) < 1.0:
            return "All numbers are kept, or none: compare random numbers with 0.5."
        if not np.array_equal(array(y), array(g)):
            return f"The value is {_bits(y)}, the gradient {_bits(g)}: it still draws anew when it runs again."
    return ""


def _bits(numbers: Any) -> str:
    return "[" + " ".join(f"{number:g}" for number in array(numbers)) + "]"


@judging("Right: 3 times as much comes back, and a third went in.")
def undoes(answer: Any, factor: float) -> Fault:
    """Of a recompute wrapper's class: it multiplies by this, and its `_gradient` rebuilds the input."""
    if not isinstance(answer, type):
        return "The class itself was expected here."
    for came, out in ((1.0, 6.0), (2.0, -1.5), (-0.5, 12.0)):
        got = called(_back_through, answer, came, out)
        what = f"With {came:g} coming back and {out:g} come out, it"
        if not _is_pair(got) or not all(isinstance(part, tuple | list) for part in got):
            return f"{what} should return two tuples: what comes back to the inputs, and the inputs."
        if [len(part) for part in got] != [1, 1]:
            return f"{what} should return one number in each of the two tuples."
        back, before = got[0][0], got[1][0]
        is_turned = not differs("", back, out / factor) and not differs("", before, factor * came)
        if is_turned and came * factor != out / factor:
            return f"{what} returns the two in the other order: first what comes back, then what went in."
        known = {"what came back, not multiplied": came, "the way through a division": came / factor}
        if said := differs(f"{what} sends back", back, factor * came, "is it:", by="right is", known=known):
            return said.replace("sends back is it:", "sends back")
        known = {"what came out": out, "what came out, multiplied once more": out * factor}
        if said := differs(f"{what} rebuilds", before, out / factor, "is it:", by="right is", known=known):
            return said.replace("rebuilds is it:", "rebuilds")
    x = tf.constant(2.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = called(lambda: answer()(answer()(x)))
    slope = called(tape.gradient, y, x)
    said = f"Two of them, one after the other, give the slope {slope}."
    return said if differs("", slope, factor * factor) else ""


def _is_pair(got: Any) -> bool:
    return isinstance(got, tuple | list) and len(got) == 2


@judging("Right: each block draws the same numbers again, as it does unless somebody turns that off.")
def rebuilds(answer: Any) -> Fault:
    """Of options for a reversible layer: with a dropout inside, what it rebuilds is what went in."""
    if not isinstance(answer, dict) or not all(isinstance(name, str) for name in answer):
        return 'A dict of options was expected here, for example {"exact": True}.'

    def error() -> float:
        noisy = tf.ReversibleLayer(lambda x: tf.nn.dropout(x, 0.5), tf.tanh, **answer)
        net = tf.ReversibleSequential([noisy], tol=10.0)
        x = tf.linspace(0.1, 1.0, 64)
        with tf.strict(False), tf.GradientTape() as tape:
            tape.watch(x)
            y = tf.reduce_sum(net(x, x)[0])
        tape.gradient(y, x)
        return float(net.errors[0])

    said = "What it rebuilds is not what went in: a block still draws other numbers."
    return said if called(error) >= 1e-6 else ""


@judging("Right: the same value, the same gradient, less than half of the memory.")
def lighter(answer: Any) -> Fault:
    """Of a function (layers): one function that runs all of them, gives the same gradient, and keeps less than half."""
    layers: list[Any] = [lambda x, k=k: tf.tanh(tf.sin(x) * (1.0 + 0.1 * k)) for k in range(8)]
    x = tf.linspace(0.1, 1.0, 1000)

    def plain(x: Any) -> Any:
        for layer in layers:
            x = layer(x)
        return x

    net = called(answer, list(layers))
    if not callable(net):
        return f"It should give a function (x); it gives {type(net).__name__}: is a return missing?"
    held, slopes = [], []
    for f in (plain, net):
        y, slope, bytes_ = _kept(f, x)
        if np.shape(y) != (1000,) or not np.allclose(array(y), array(plain(x)), atol=1e-6):
            return "What it computes is not what the layers compute, one after the other."
        held.append(bytes_)
        slopes.append(array(slope))
    if slopes[1] is None or slopes[1].shape != (1000,) or not np.allclose(slopes[0], slopes[1], atol=1e-5):
        return "The value is right, and the gradient is not."
    if 2 * held[1] > held[0]:
        return f"A tape keeps {held[1]} bytes of it and {held[0]} of the plain one. Less than half, please."
    return ""


def _back_through(wrapper: Any, came: float, out: float) -> Any:
    return wrapper()._gradient((tf.constant(came),), (tf.constant(out),))
