"""Properties of whole programs: what they train, hold, keep, draw again or rebuild."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .judge import Fault, array, blank, called, differs, judging
from .overhear import entered, overhearing, reason
from .subject import tf


@judging("Right: two entries, and three uses of x.")
def cubed(answer: Any) -> Fault:
    """Of a pair (tape, y): y is x * x * x at x = 3, written down in two entries, with the slope to show for it."""
    if blank(answer):
        return ...
    if not isinstance(answer, tuple) or len(answer) != 2 or not isinstance(answer[0], tf.GradientTape):
        return "The tape and y were expected here, as they stand in the cell."
    tape, y = answer
    if said := differs("y", y, 27.0, "is", by="x * x * x is", known={"x * x": 9.0, "3 * x": 9.0}):
        return said
    if not tape.entries:
        return "y is 27, but the tape heard nothing of it: write it with x."
    if len(tape.entries) != 2:
        return f"y is 27, but the tape has {len(tape.entries)} entries."
    sources = [tag for entry in tape.entries for tag in entry.inputs]
    uses = sum(tag == sources[0] for tag in sources)
    return "" if uses == 3 else f"y is 27 here, but x goes into it {uses} times: at another x it is no cube."


@judging("Right: a 3 between 2.9 and 3.1, with the slope 6.")
def three(answer: Any) -> Fault:
    """Of a value: it is 3, and a tape can say how fast its square changes with it."""
    if isinstance(answer, bool | int | float):
        return f"{answer!r} is Python's own number, and a tape watches tensors: put it into tf.constant."
    if not isinstance(answer, tf.Tensor | tf.Variable):
        return f"A tensor was expected here, not {type(answer).__name__}."
    with overhearing() as heard, tf.strict(False):
        slope = called(_slope_of_square, answer)
    if said := differs("It", answer, 3.0, "is", by="wanted is"):
        return said
    return f"x * x has no slope at your 3: {reason(heard)}" if slope is None else ""


def _slope_of_square(x: Any) -> Any:
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = x * x
    return tape.gradient(y, x)


@judging("Right: every suspect on a tape of its own.")
def reports(answer: Any) -> Fault:
    """Of a function (suspects): the code of `tape.why` for each of these functions, at 1.5, as a list."""
    for order in ([0, 1, 2, 3], [3, 0, 2], [1]):
        with tf.strict(False):
            got = called(answer, [_SUSPECTS[suspect][0] for suspect in order])
        if got is None:
            return "It gives None, not a list of codes: is a return missing?"
        if not isinstance(got, list | tuple) or len(got) != len(order):
            return f"For {len(order)} suspects it should give a list of {len(order)} codes."
        for number, (suspect, found) in enumerate(zip(order, got), start=1):
            if found != _SUSPECTS[suspect][1]:
                told = "the watch is missing" if found == "M01" else "look at that suspect once more"
                return f"For suspect {number} of {len(order)} it says {found!r:.20}: {told}."
    return ""


_SUSPECTS: list[tuple[Callable[[Any], Any], str]] = [
    (lambda x: x * x, "OK"),
    (lambda x: tf.round(x) * 2.0, "M11"),
    (lambda x: tf.stop_gradient(x) + 1.0, "M21"),
    (lambda x: tf.constant(np.sin(x)), "M04"),
]


@judging("Right: the same steps, and nothing is held.")
def descends(answer: Any) -> Fault:
    """Of a function (weight, steps): steps of 0.1 down the slope of sin(3 · weight), and no tape holds anything afterwards."""
    for count in (3, 5):
        weight, before = tf.Variable(0.5), tf.ledger.held_for_backward
        with entered() as tapes:
            called(answer, weight, count)
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
        if len(tapes) != count:
            return f"It made {len(tapes)} tapes for {count} steps."
    return ""


@judging("Right: the first output does not count, the second counts once.")
def chooses_row(answer: Any) -> Fault:
    """Of a seed: with it, one gradient of y = p² · sum(p) at p = [1, 2] is the second row of the Jacobian."""
    if blank(answer):
        return ...
    p = tf.Variable([1.0, 2.0])
    with tf.GradientTape(persistent=True) as tape:
        y = p * p * tf.reduce_sum(p)
    rows, seed = array(tape.jacobian(y, p)), array(answer)
    if seed is None or seed.shape != (2,):
        return "A seed has one number for each output: here a list of two."
    found = seed @ rows
    known: dict[str, Any] = {"the first row": rows[0], "the sum of both rows": rows.sum(axis=0)}
    return differs("With it the gradient", found, rows[1], "is", by="that row is", known=known)


@judging("Right: every step is where it should be, and the losses are the real ones.")
def moves(answer: Any, momentum: float) -> Fault:
    """Of a function (loss_of, weight, rate, steps): gradient descent with this momentum; gives the losses before each step."""
    valleys: list[tuple[Any, Any, float, float, int]] = [
        (lambda w: w * w, lambda w: 2.0 * w, 3.0, 0.1, 3),
        (lambda w: tf.sin(w), lambda w: float(np.cos(w)), 0.4, 0.3, 5),
    ]
    for loss_of, slope, start, rate, steps in valleys:
        weight, w, speed, losses = tf.Variable(start), start, 0.0, []
        for _ in range(steps):
            losses.append(float(array(loss_of(tf.constant(w)))))
            speed = momentum * speed - rate * slope(w)
            w += speed
        plain = _descended(slope, start, rate, steps)
        with overhearing() as heard:
            got = called(answer, loss_of, weight, rate, steps)
        if got is None:
            return f"It gives None, not the list of losses: {reason(heard)}"
        known: dict[str, Any] = {"where no momentum would have brought it": plain, "where it started": start}
        if said := differs(f"After {steps} steps the weight", weight, w, "is", by="right is", known=known):
            return said
        found = array(got)
        if found is None or found.shape != (steps,):
            return f"It should give a list of {steps} losses, one number each."
        if said := differs("The losses", found, losses, "are", by="right are"):
            return said
    return ""


def _descended(slope: Callable[[float], float], w: float, rate: float, steps: int) -> float:
    for _ in range(steps):
        w -= rate * slope(w)
    return w
