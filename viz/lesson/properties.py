"""Properties of tapes, programs and training steps: what they hold afterwards, record or print."""

from __future__ import annotations

import contextlib
import io
import textwrap
from typing import Any

import numpy as np

from .judge import Fault, Property, array, called, differs
from .overhear import entered, overhearing, reason
from .subject import tf


def entries(count: int) -> Property:
    """Of a tape: it wrote down so many entries.

    >>> x = tf.Variable(3.0)
    >>> with tf.GradientTape() as tape:
    ...     y = x * x
    >>> entries(2).fault(tape)
    'The tape has 1 entry.'
    """

    def fault(tape: Any) -> Fault:
        if not isinstance(tape, tf.GradientTape):
            return f"A tape was expected here, not {type(tape).__name__}."
        found = len(tape.entries)
        if not found:
            return ...
        return "" if found == count else f"The tape has {found} entr{'y' if found == 1 else 'ies'}."

    return Property(f"Right: the tape wrote down {count}.", fault)


def lets_go(*arguments: Any, tapes: int = 0) -> Property:
    """Of a function: when it has returned from a call with these arguments, no tape holds anything because of it.

    With `tapes`, it made just so many.

    >>> kept = []
    >>> def leak(x):
    ...     with tf.GradientTape(persistent=True) as tape:
    ...         tape.watch(x)
    ...         y = x * x
    ...     kept.append(tape)
    ...     return tape.gradient(y, x)
    >>> lets_go(tf.constant(3.0)).fault(leak)
    'After the call, tapes still hold 4 bytes more than before.'
    """

    def fault(answer: Any) -> Fault:
        before = tf.ledger.held_for_backward
        with entered() as made:
            called(answer, *arguments)
        if tapes and len(made) != tapes:
            return f"It made {len(made)} tapes, and {tapes} is enough."
        more = tf.ledger.held_for_backward - before
        return f"After the call, tapes still hold {more} bytes more than before." if more else ""

    return Property("Right: after the call no tape holds anything.", fault)


def prints(*lines: str) -> Property:
    """Of a function without arguments: it prints these lines, in this order.

    >>> prints("one", "two").fault(lambda: print("two"))
    "It prints ['two']."
    """

    def fault(answer: Any) -> Fault:
        said = io.StringIO()
        with contextlib.redirect_stdout(said):
            called(answer)
        found = said.getvalue().splitlines()
        return "" if found == list(lines) else f"It prints {found}."

    return Property(f"Right: {len(lines)} lines in the right order.", fault)


def program(template: str = "", **wanted: float) -> Property:
    """Of a program as text: run with `tf`, it leaves these numbers in these names.  Text with no indentation is no answer.

    With a `template`, only the indentation of its lines may change: what is to be found is where each line stands.

    >>> program(y=9.0).fault("x = 3.0"), program(y=9.0).fault("if True:\\n  y = 9.0")
    (Ellipsis, '')
    >>> program(y=9.0).fault("if True:\\n  y = None")
    'y is None: the recorder you asked did not see how it was computed.'
    >>> program("if True:\\ny = 3.0 * 3.0", y=9.0).fault("if True:\\n  y = 9.0")
    'Only the indentation is to change: y = 9.0 is no line of the program.'
    """

    def fault(text: Any) -> Fault:
        if not isinstance(text, str):
            return f"The program is a text, not {type(text).__name__}."
        lines = textwrap.dedent(text).strip().splitlines()
        if not any(line[:1].isspace() for line in lines):
            return ...
        if template:
            given, found = [[line.strip() for line in of if line.strip()] for of in (template.splitlines(), lines)]
            strange = [line for line in found if line not in given and not line.startswith("#")]
            if strange or [line for line in found if line in given] != given:
                said = f"{strange[0]} is no line of the program" if strange else "all its lines stay, in their order"
                return f"Only the indentation is to change: {said}."
        space: dict[str, Any] = {"tf": tf}
        try:
            exec(compile("\n".join(lines), "<your program>", "exec"), space)
        except SyntaxError as error:
            return f"Python stops at line {error.lineno}: {error.msg}."
        except (Exception, SystemExit) as error:
            return f"It raises {type(error).__name__}: {error}"
        for name, number in wanted.items():
            if name not in space:
                return f"Nothing is called {name} when it has run."
            if space[name] is None:
                return f"{name} is None: the recorder you asked did not see how it was computed."
            if said := differs(name, space[name], number, "is"):
                return said.partition(";")[0].rstrip(".") + "."
        return ""

    return Property("Right: " + ", ".join(f"{name} is {number:g}" for name, number in wanted.items()) + ".", fault)


def watches() -> Property:
    """Of a function (tape): it lists the names of the variables that the tape watches; asked of three tapes.

    >>> watches().fault(lambda tape: ["w:0"])
    "Of a tape that read w and b it says ['w:0']."
    """

    def fault(answer: Any) -> Fault:
        w, b = tf.Variable(1.0, name="w"), tf.Variable(2.0, name="b")
        frozen = tf.Variable(3.0, trainable=False, name="frozen")
        for what, accessed, by_hand, wanted in (
            ("that read w and b", True, (), ["w:0", "b:0"]),
            ("that was told to watch b alone", False, (b,), ["b:0"]),
            ("that was told to watch frozen too", True, (frozen,), ["w:0", "b:0", "frozen:0"]),
        ):
            with tf.GradientTape(watch_accessed_variables=accessed) as tape:
                for variable in by_hand:
                    tape.watch(variable)
                _ = w * b * frozen
            got = called(answer, tape)
            if not isinstance(got, list | tuple) or sorted(map(str, got)) != sorted(wanted):
                return f"Of a tape {what} it says {got!r:.60}."
        return ""

    return Property("Right: it knows what three different tapes watch.", fault)


def trains(steps: int) -> Property:
    """Of a function (model, x, y): it makes so many training steps, each on a tape of its own, and gives the list of losses.

    >>> trains(2).fault(lambda model, x, y: [1.0, 0.5])
    'It made 0 tapes for 2 steps: every step needs one of its own.'
    """

    def fault(answer: Any) -> Fault:
        model = tf.keras.Sequential([tf.keras.layers.Dense(1)])
        model.build((None, 2))
        model.set_weights([[[0.5], [-1.0]], [0.25]])
        x, y = tf.constant([[1.0, 2.0], [3.0, -1.0]]), tf.constant([[1.0], [0.0]])
        started = model.get_weights()
        with overhearing() as heard, entered() as made:
            first = float(tf.reduce_mean((model(x) - y) ** 2.0))
            got = called(answer, model, x, y)
        if got is None:
            return f"It gives None, not the list of losses: {reason(heard)}"
        losses = array(got)
        if losses is None or not isinstance(got, list | tuple) or losses.shape != (steps,):
            return f"It should give a list of {steps} losses, one number each; it gives {type(got).__name__}."
        if len(made) != steps:
            return f"It made {len(made)} tapes for {steps} steps: every step needs one of its own."
        if all(np.array_equal(before, after) for before, after in zip(started, model.get_weights(), strict=True)):
            return "The weights are where they were: who applies the gradients?"
        if said := differs("The first loss", losses[0], first, "is", by="before any step it was"):
            return said
        numbers = [*losses.tolist(), float(tf.reduce_mean((model(x) - y) ** 2.0))]
        for before, after in zip(numbers, numbers[1:]):
            if not after < before:
                return f"The loss does not fall: {before:.4g}, and then {after:.4g}."
        return ""

    once = "one step" if steps == 1 else f"{steps} steps on {steps} tapes"
    return Property(f"Right: {once}, and the loss falls.", fault)
