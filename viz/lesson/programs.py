"""Properties of whole programs: what they train, hold, keep, draw again or rebuild."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

import minitape as tf
from minitape.record.events import listening

from .judge import Fault, Property, Trouble, array, blank, called, differs
from .overhear import overhearing, reason


def cubed(at: float = 3.0) -> Property:
    """Of a pair (tape, y): y is x * x * x at this x, written down in two entries, with the slope to show for it."""

    def fault(answer: Any) -> Fault:
        if blank(answer):
            return ...
        if not isinstance(answer, tuple) or len(answer) != 2 or not isinstance(answer[0], tf.GradientTape):
            return "The tape and y were expected here, as they stand in the cell."
        tape, y = answer
        if said := differs("y", y, at**3, "is", by="x * x * x is", known=lambda: {"x * x": at * at, "3 * x": 3 * at}):
            return said
        if not tape.entries:
            return "y is 27, but the tape heard nothing of it: write it with x."
        if len(tape.entries) != 2:
            return f"y is 27, but the tape has {len(tape.entries)} entries."
        sources = [one for entry in tape.entries for one in entry.inputs]
        uses = sum(one == sources[0] for one in sources)
        return "" if uses == 3 else f"y is 27 here, but x goes into it {uses} times: at another x it is no cube."

    return Property("Right: two entries, and three uses of x.", fault)


def three() -> Property:
    """Of a value: it is 3, and a tape can say how fast its square changes with it."""

    def fault(answer: Any) -> Fault:
        if answer is ...:
            return ...
        if isinstance(answer, bool | int | float):
            return f"{answer!r} is Python's own number, and a tape watches tensors: put it into tf.constant."
        if not isinstance(answer, tf.Tensor | tf.Variable):
            return f"A tensor was expected here, not {type(answer).__name__}."
        with overhearing() as heard, tf.strict(False):
            slope = called(_slope_of_square, answer)
        if isinstance(slope, Trouble):
            return str(slope)
        if said := differs("It", answer, 3.0, "is", by="wanted is"):
            return said
        return f"x * x has no slope at your 3: {reason(heard)}" if slope is None else ""

    return Property("Right: a 3 between 2.9 and 3.1, with the slope 6.", fault)


def _slope_of_square(x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return tape.gradient(y, x)


def reports() -> Property:
    """Of a function (suspects): the code of `tape.why` for each of these functions, at 1.5, as a list."""
    suspects: list[tuple[Callable[[Any], Any], str]] = [
        (lambda x: x * x, "OK"),
        (lambda x: tf.round(x) * 2.0, "M11"),
        (lambda x: tf.stop_gradient(x) + 1.0, "M21"),
        (lambda x: tf.constant(np.sin(x)), "M04"),
    ]

    def fault(answer: Any) -> Fault:
        for order in ([0, 1, 2, 3], [3, 0, 2], [1]):
            with tf.strict(False):
                got = called(answer, [suspects[one][0] for one in order])
            if got is ... or isinstance(got, Trouble):
                return got if got is ... else str(got)
            if got is None:
                return "It gives None, not a list of codes: is a return missing?"
            if not isinstance(got, list | tuple) or len(got) != len(order):
                return f"For {len(order)} suspects it should give a list of {len(order)} codes."
            for number, (one, found) in enumerate(zip(order, got), start=1):
                if found != suspects[one][1]:
                    told = "the watch is missing" if found == "M01" else "look at that suspect once more"
                    return f"For suspect {number} of {len(order)} it says {found!r:.20}: {told}."
        return ""

    return Property("Right: every suspect on a tape of its own.", fault)


def descends(steps: Sequence[int] = (3, 5)) -> Property:
    """Of a function (weight, steps): steps of 0.1 down the slope of sin(3 · weight), and no tape holds anything afterwards."""

    def fault(answer: Any) -> Fault:
        for count in steps:
            weight, entered = tf.Variable(0.5), []
            before = tf.ledger.held_for_backward
            with listening(lambda event, _: entered.append(1) if event.kind == "enter" else None):
                got = called(answer, weight, count)
            if got is ... or isinstance(got, Trouble):
                return got if got is ... else str(got)
            held = tf.ledger.held_for_backward - before
            right = 0.5
            for _ in range(count):
                right -= 0.1 * 3.0 * float(np.cos(3.0 * right))
            if array(weight) == 0.5:
                return f"After {count} steps the weight is where it was."
            if said := differs(f"After {count} steps the weight", weight, right, "is", by="right is"):
                return said
            if held:
                return f"The steps are right, but afterwards tapes still hold {held} bytes: who has a hand on them?"
            if len(entered) != count:
                return f"It made {len(entered)} tapes for {count} steps."
        return ""

    return Property("Right: the same steps, and nothing is held.", fault)


def chooses_row(row: int = 1) -> Property:
    """Of a seed: with it, one gradient of y = p² · sum(p) at p = [1, 2] is this row of the Jacobian."""

    def fault(answer: Any) -> Fault:
        if blank(answer):
            return ...
        p = tf.Variable([1.0, 2.0])
        with tf.GradientTape(persistent=True) as tape:
            y = p * p * tf.reduce_sum(p)
        rows, seed = array(tape.jacobian(y, p)), array(answer)
        if seed is None or seed.shape != (2,):
            return "A seed has one number for each output: here a list of two."
        found = seed @ rows
        known = partial(dict, {"the first row": rows[0], "the sum of both rows": rows.sum(axis=0)})
        return differs("With it the gradient", found, rows[row], "is", by="that row is", known=known)

    return Property("Right: the first output does not count, the second counts once.", fault)


def keeps(inside: Callable[[Any], Any], most: int, size: int = 1000) -> Property:
    """Of a function (x): it computes this, and wrapped by recompute_grad it leaves a tape with so many bytes."""

    def fault(answer: Any) -> Fault:
        for at in (1.0, 0.3):
            x = tf.fill([size], at)
            got = called(answer, x)
            if got is ... or isinstance(got, Trouble):
                return got if got is ... else str(got)
            if np.shape(got) != (size,) or not np.allclose(array(got), array(inside(x)), atol=1e-5):
                return f"At {at:g} it does not give what the four steps give, one after the other."
        before = tf.ledger.held_for_backward
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = called(tf.recompute_grad(answer), x)
        held = tf.ledger.held_for_backward - before
        if isinstance(y, Trouble) or tape.gradient(y, x) is None:
            return "The numbers are right, but no way leads back through it: stay with tensors."
        return "" if held <= most else f"A tape keeps {held} bytes of it, and {most} are enough."

    return Property(f"Right: {most} bytes, whatever happens inside.", fault)


def fits(steps: int, most: int, step_bytes: int = 8000) -> Property:
    """Of a number of segments: a chain of so many steps keeps at most so many bytes at its worst moment."""

    def fault(answer: Any) -> Fault:
        if answer is ...:
            return ...
        count = _whole(answer)
        if count is None or not 1 <= count <= steps:
            return f"A whole number from 1 to {steps} was expected here."
        plan = tf.plan(steps, "uniform", segments=count, step_bytes=step_bytes)
        way = "fewer doors would help" if count * count > steps else "shorter segments would help"
        return "" if plan.peak_bytes <= most else f"With {count} it keeps {plan.peak_bytes} bytes at the worst moment: {way}."

    return Property("Right: it fits.", fault)


def _whole(answer: Any) -> int | None:
    number = array(answer.strip() if isinstance(answer, str) else answer)
    return int(number) if number is not None and number.ndim == 0 and float(number) == round(float(number)) else None


def thrifty(lengths: Sequence[int] = (16, 50, 64, 100)) -> Property:
    """Of a function (n): a number of segments with which a chain of n steps keeps as little as it can."""

    def fault(answer: Any) -> Fault:
        for n in lengths:
            got = called(answer, n)
            if got is ... or isinstance(got, Trouble):
                return got if got is ... else str(got)
            count = _whole(got)
            if count is None or not 1 <= count <= n:
                return f"For {n} steps it gives {got!r:.20}: segments are counted in whole numbers, from 1 to {n}."
            kept = tf.plan(n, "uniform", segments=count).peak_states
            least = min(tf.plan(n, "uniform", segments=k).peak_states for k in range(1, n + 1))
            if kept > least:
                return f"For {n} steps it gives {count}: {kept} values are kept at the worst moment, and fewer can be."
        return ""

    return Property("Right: 7, 15 and 19 values for 16, 64 and 100 steps, about 2 · √n − 1.", fault)


def draws_again() -> Property:
    """Of a function (x) that drops numbers by chance: when TensorFlow's recompute_grad runs it again, it drops the same."""

    def fault(answer: Any) -> Fault:
        ones = tf.ones([8])
        for _ in range(4):
            with tf.compat("tf"), tf.GradientTape() as tape:
                tape.watch(ones)
                y = called(lambda: tf.recompute_grad(answer)(ones))
            if y is ... or isinstance(y, Trouble):
                return y if y is ... else str(y)
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

    return Property("Right: a draw without memory gives the same numbers whenever it runs.", fault)


def _bits(numbers: Any) -> str:
    return "[" + " ".join(f"{one:g}" for one in array(numbers)) + "]"


def undoes(factor: float) -> Property:
    """Of a recompute wrapper's class: it multiplies by this, and its `_gradient` rebuilds the input."""

    def fault(answer: Any) -> Fault:
        if answer is ... or not isinstance(answer, type):
            return ... if answer is ... else "The class itself was expected here."
        for came, out in ((1.0, 6.0), (2.0, -1.5), (-0.5, 12.0)):
            got = called(lambda: answer()._gradient((tf.constant(came),), (tf.constant(out),)))
            if got is ... or isinstance(got, Trouble):
                return got if got is ... else str(got)
            what = f"With {came:g} coming back and {out:g} come out, it"
            if not isinstance(got, tuple | list) or len(got) != 2 or not all(isinstance(one, tuple | list) for one in got):
                return f"{what} should return two tuples: what comes back to the inputs, and the inputs."
            if [len(one) for one in got] != [1, 1]:
                return f"{what} should return one number in each of the two tuples."
            back, before = got[0][0], got[1][0]
            if not differs("", back, out / factor) and not differs("", before, factor * came) and came * factor != out / factor:
                return f"{what} returns the two in the other order: first what comes back, then what went in."
            known = partial(dict, {"what came back, not multiplied": came, "the way through a division": came / factor})
            if said := differs(f"{what} sends back", back, factor * came, "is it:", by="right is", known=known):
                return said.replace("sends back is it:", "sends back")
            known = partial(dict, {"what came out": out, "what came out, multiplied once more": out * factor})
            if said := differs(f"{what} rebuilds", before, out / factor, "is it:", by="right is", known=known):
                return said.replace("rebuilds is it:", "rebuilds")
        x = tf.constant(2.0)
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = called(lambda: answer()(answer()(x)))
        slope = str(y) if isinstance(y, Trouble) else called(tape.gradient, y, x)
        return "" if not differs("", slope, factor * factor) else f"Two of them, one after the other, give the slope {slope}."

    return Property("Right: 3 times as much comes back, and a third went in.", fault)


def rebuilds() -> Property:
    """Of options for a reversible layer: with a dropout inside, what it rebuilds is what went in."""

    def fault(answer: Any) -> Fault:
        if answer is ...:
            return ...
        if not isinstance(answer, dict) or not all(isinstance(one, str) for one in answer):
            return "A dict of options was expected here, for example {\"exact\": True}."

        def error() -> float:
            noisy = tf.ReversibleLayer(lambda x: tf.nn.dropout(x, 0.5), tf.tanh, **answer)
            net = tf.ReversibleSequential([noisy], tol=10.0)
            x = tf.linspace(0.1, 1.0, 64)
            with tf.strict(False), tf.GradientTape() as tape:
                tape.watch(x)
                y = tf.reduce_sum(net(x, x)[0])
            tape.gradient(y, x)
            return float(net.errors[0])

        found = called(error)
        if found is ... or isinstance(found, Trouble):
            return "It is not written yet." if found is ... else str(found)
        return "" if found < 1e-6 else "What it rebuilds is not what went in: a block still draws other numbers."

    return Property("Right: each block draws the same numbers again, as it does unless somebody turns that off.", fault)


def lighter() -> Property:
    """Of a function (layers): one function that runs all of them, gives the same gradient, and keeps less than half."""

    def fault(answer: Any) -> Fault:
        layers = [lambda x, k=k: tf.tanh(tf.sin(x) * (1.0 + 0.1 * k)) for k in range(8)]
        x = tf.linspace(0.1, 1.0, 1000)

        def plain(x: Any) -> Any:
            for layer in layers:
                x = layer(x)
            return x

        net = called(answer, list(layers))
        if net is ... or isinstance(net, Trouble):
            return net if net is ... else str(net)
        if not callable(net):
            return f"It should give a function (x); it gives {type(net).__name__}: is a return missing?"
        held, slopes = [], []
        for f in (plain, net):
            before = tf.ledger.held_for_backward
            with tf.GradientTape() as tape:
                tape.watch(x)
                y = called(f, x)
            if y is ... or isinstance(y, Trouble):
                return y if y is ... else str(y)
            if np.shape(y) != (1000,) or not np.allclose(array(y), array(plain(x)), atol=1e-6):
                return "What it computes is not what the layers compute, one after the other."
            held.append(tf.ledger.held_for_backward - before)
            slopes.append(array(tape.gradient(y, x)))
        if slopes[1] is None or slopes[1].shape != (1000,) or not np.allclose(*slopes, atol=1e-5):
            return "The value is right, and the gradient is not."
        if 2 * held[1] > held[0]:
            return f"A tape keeps {held[1]} bytes of it and {held[0]} of the plain one. Less than half, please."
        return ""

    return Property("Right: the same value, the same gradient, less than half of the memory.", fault)


def moves(momentum: float = 0.0) -> Property:
    """Of a function (loss_of, weight, rate, steps): gradient descent with this momentum; gives the losses before each step."""

    def fault(answer: Any) -> Fault:
        for loss_of, slope, start, rate, steps in (
            (lambda w: w * w, lambda w: 2.0 * w, 3.0, 0.1, 3),
            (lambda w: tf.sin(w), lambda w: float(np.cos(w)), 0.4, 0.3, 5),
        ):
            weight, w, speed, losses = tf.Variable(start), start, 0.0, []
            for _ in range(steps):
                losses.append(float(array(loss_of(tf.constant(w)))))
                speed = momentum * speed - rate * slope(w)
                w += speed
            plain = _descended(slope, start, rate, steps)
            with overhearing() as heard:
                got = called(answer, loss_of, weight, rate, steps)
            if got is ... or isinstance(got, Trouble):
                return got if got is ... else str(got)
            if got is None:
                return f"It gives None, not the list of losses: {reason(heard)}"
            known = partial(dict, {"where no momentum would have brought it": plain, "where it started": start})
            if said := differs(f"After {steps} steps the weight", weight, w, "is", by="right is", known=known):
                return said
            found = array(got)
            if found is None or found.shape != (steps,):
                return f"It should give a list of {steps} losses, one number each."
            if said := differs("The losses", found, losses, "are", by="right are"):
                return said
        return ""

    return Property("Right: every step is where it should be, and the losses are the real ones.", fault)


def _descended(slope: Callable[[float], float], w: float, rate: float, steps: int) -> float:
    for _ in range(steps):
        w -= rate * slope(w)
    return w
