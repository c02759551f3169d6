"""Small programs made by chance, and the same with one edit planted: arrays, a loop, a block that may run again, a gradient."""

from __future__ import annotations

import linecache
import random
import warnings
from typing import Any, NamedTuple

import minitape as tf
import viz

EDITS = ("constant", "op", "extra", "dropped", "recompute", "dtype")
UNARY = ("tanh", "sin", "cos", "exp", "sigmoid", "abs")
HEAD = [
    "x = tf.constant([[0.5, -1.25, 2.0], [0.75, 1.5, -0.5]], DTYPE)",
    "w = tf.Variable([[0.3, -0.2, 0.1]] * 3, dtype=DTYPE)",
]


class Edited(NamedTuple):
    """A program twice, and where the edit is: its line in each, 0 where it has none."""

    one: list[str]
    other: list[str]
    lines: tuple[int, int]
    edit: str
    word: str  # the op that is there in one alone, or first

    def runs(self) -> tuple[Any, Any]:
        return run_of(self.one), run_of(self.other)


def run_of(lines: list[str]) -> Any:
    """The program, recorded."""
    text = "\n".join(lines) + "\n"
    name = f"<edited {hash(text)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    names: dict[str, Any] = {"tf": tf}
    with warnings.catch_warnings(action="ignore"), viz.record() as run:  # a number may grow beyond all numbers
        exec(compile(text, name, "exec"), names)
    return run


def edited(seed: int, edit: str) -> Edited:
    """A program with an edit of a kind."""
    chance = random.Random(f"{seed} {edit}")
    numbers = iter(chance.sample(range(11, 97), 40))
    body: list[tuple[str, str, str]] = []  # expression with a place for the edit, what stands there, the op

    def statement() -> tuple[str, str, str]:
        kind = chance.choice(("unary", "constant", "matmul", "sum"))
        if kind == "unary":
            word = chance.choice(UNARY)
            return "h = tf.{}(h)", word, word
        if kind == "constant":
            return "h = h {}", f"{chance.choice('*+-')} 0.{next(numbers)}", ""
        if kind == "sum":
            return "h = h + tf.{}(h, 1, keepdims=True)", "reduce_mean", "reduce_mean"
        return "h = {} @ w", "h", "matmul"

    body = [statement() for _ in range(chance.randint(3, 7))]
    place = chance.randrange(len(body))
    if edit == "constant":
        body[place] = ("h = h {}", f"* 0.{next(numbers)}", "")
    elif edit in ("op", "dropped", "extra"):
        body[place] = ("h = tf.{}(h)", "tanh", "tanh")
    loop, block = chance.random() < 0.5, edit == "recompute" or chance.random() < 0.4
    turns = chance.randint(3, 5)

    def program(now: list[str], dtype: str, again: bool) -> tuple[list[str], int]:
        lines = [line.replace("DTYPE", dtype) for line in HEAD]
        lines += ["def block(h):"] if block else []
        steps = [f"    {line}" for line in now]
        steps = [f"    for turn in range({turns}):", *[f"    {line}" for line in steps]] if loop else steps
        if not block:
            lines += ["with tf.GradientTape() as tape:", "    h = x @ w"]
            begins = len(lines) + loop
            lines += [*steps, "    loss = tf.reduce_sum(h * h)"]
        else:
            begins = len(lines) + loop
            lines += [*steps, "    return h", "again = tf.recompute_grad(block)" if again else "again = block"]
            lines += ["with tf.GradientTape() as tape:", "    h = again(x @ w)", "    loss = tf.reduce_sum(h * h)"]
        return [*lines, "g = tape.gradient(loss, w)", "w.assign_sub(0.01 * g)"], begins

    plain = [form.format(what) for form, what, _ in body]
    then, dtypes, agains, word = list(plain), ["tf.float32"] * 2, [False] * 2, body[place][2]
    here = there = place + 1
    if edit == "constant":
        then[place] = body[place][0].format(f"* 0.{next(numbers)}")
    elif edit == "op":
        then[place] = "h = tf.math.softplus(h)"
    elif edit == "extra":
        word, then[place + 1 : place + 1], here, there = "erf", ["h = tf.math.erf(h)"], 0, place + 2
    elif edit == "dropped":
        plain[place], word = "h = tf.math.erf(h)", "erf"
        del then[place]
        there = 0
    elif edit == "recompute":
        agains[1] = True
    elif edit == "dtype":
        dtypes[1] = "tf.float64"
    one, begins = program(plain, dtypes[0], agains[0])
    other, _ = program(then, dtypes[1], agains[1])
    if edit in ("recompute", "dtype"):
        return Edited(one, other, (0, 0), edit, "")
    return Edited(one, other, (here and begins + here, there and begins + there), edit, word)
