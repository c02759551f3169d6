"""Peak memory of checkpointing schedules, against hand-written NumPy that follows the same schedule.

    python benchmarks/checkpointing.py

100 dense layers of width 256, batch 256, float64: one activation is 0.5 MiB.  The weights are frozen, so that gradients of
weights do not hide what is saved; the biases train.  Each cell is a process of its own: the high-water mark of its resident set,
and tracemalloc's peak, above the level before the step.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import json
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

sys.path.insert(0, str(Path(__file__).parents[1]))

import minitape as tf
from minitape.recompute.tree import Segment, first, size

LAYERS, WIDTH, BATCH = 100, 256, 256
PLANS: dict[str, dict[str, Any]] = {
    "none": {"schedule": "none"},
    "10 segments (square root)": {"schedule": "uniform", "segments": 10},
    "halving": {"schedule": "halving"},
    "revolve, 8 snapshots": {"schedule": "revolve", "slots": 8},
}
REVERSIBLE = "reversible, inverted"
MIB = 2**20

Step = Callable[[], list[np.ndarray]]


def numbers(width: int, count: int, batch: int) -> tuple[list[np.ndarray], list[np.ndarray], np.ndarray]:
    """Weights, biases and an input."""
    draw = np.random.default_rng(0)
    weights = [draw.standard_normal((width, width)) / width**0.5 for _ in range(count)]
    return weights, [draw.standard_normal(width) * 0.1 for _ in range(count)], draw.standard_normal((batch, width))


# ---- by hand --------------------------------------------------------------------------------------------------------------


def by_hand(name: str, count: list[int], layers: int = LAYERS, batch: int = BATCH) -> Step:
    """One training step in plain NumPy, along the plan's tree."""
    weights, biases, x = numbers(WIDTH, layers, batch)
    shape = tf.plan(layers, **PLANS[name]).shape
    gradients: list[np.ndarray] = [np.empty(0)] * layers

    def layer(step: int, x: np.ndarray) -> np.ndarray:
        count[0] += 1
        y = x @ weights[step]
        y += biases[step]
        return np.tanh(y, out=y)

    def forward(nodes: list[Any], x: np.ndarray, tape: list[Any]) -> np.ndarray:
        for node in nodes:
            if isinstance(node, Segment):
                tape.append((node, x))
                for step in range(first(node), first(node) + size(node)):
                    x = layer(step, x)
            else:
                x = layer(node, x)
                tape.append((node, x))
        return x

    def backward(tape: list[Any], g: np.ndarray) -> np.ndarray:
        while tape:
            node, kept = tape.pop()
            if isinstance(node, Segment):
                inner: list[Any] = []
                forward(node.inner, kept, inner)
                del kept
                g = backward(inner, g)
            else:
                g = g * (1.0 - kept * kept)
                del kept
                gradients[node] = g.sum(0)
                g = g @ weights[node].T
        return g

    def step() -> list[np.ndarray]:
        tape: list[Any] = []
        y = forward(shape, x, tape)
        g = np.full(y.shape, 1.0 / y.size)
        del y
        backward(tape, g)
        return gradients

    return step


def reversible_by_hand(count: list[int], layers: int = LAYERS, batch: int = BATCH) -> Step:
    """Additive coupling of two halves, undone layer by layer."""
    weights, biases, x = numbers(WIDTH // 2, 2 * layers, batch)
    other = x[::-1].copy()
    gradients: list[np.ndarray] = [np.empty(0)] * (2 * layers)

    def move(step: int, x: np.ndarray) -> np.ndarray:
        count[0] += 1
        y = x @ weights[step]
        y += biases[step]
        return np.tanh(y, out=y)

    def pull(step: int, moved: np.ndarray, g: np.ndarray) -> np.ndarray:
        g = g * (1.0 - moved * moved)
        gradients[step] = g.sum(0)
        return g @ weights[step].T

    def step() -> list[np.ndarray]:
        a, b = x, other
        for n in range(layers):
            a = a + move(2 * n, b)
            b = b + move(2 * n + 1, a)
        da, db = np.full(a.shape, 1.0 / a.size), np.full(b.shape, 1.0 / b.size)
        for n in reversed(range(layers)):
            moved = move(2 * n + 1, a)
            b = b - moved
            da = da + pull(2 * n + 1, moved, db)
            moved = move(2 * n, b)
            a = a - moved
            db = db + pull(2 * n, moved, da)
        return gradients

    return step


# ---- by minitape ------------------------------------------------------------------------------------------------------------


def by_tape(name: str, count: list[int], layers: int = LAYERS, batch: int = BATCH) -> Step:
    """The same step on a tape."""
    halves = name == REVERSIBLE
    weights, biases, x = numbers(WIDTH // 2 if halves else WIDTH, 2 * layers if halves else layers, batch)
    fixed = [tf.constant(weight) for weight in weights]
    trained = [tf.Variable(bias) for bias in biases]
    start, other = tf.constant(x), tf.constant(x[::-1])
    del weights, biases, x

    def layer(number: int) -> Callable[[Any], Any]:
        def run(x: Any) -> Any:
            count[0] += 1
            return tf.tanh(x @ fixed[number] + trained[number])

        return run

    steps = [layer(number) for number in range(len(fixed))]
    net: Any
    if halves:
        net = tf.ReversibleSequential(
            [tf.ReversibleLayer(steps[2 * n], steps[2 * n + 1]) for n in range(layers)], drift="off"
        )
    else:
        net = tf.checkpoint_sequential(steps, **PLANS[name])

    def step() -> list[np.ndarray]:
        with tf.GradientTape() as tape:
            loss = loss_of(net(start, other) if halves else [net(start)])
        return [gradient.numpy() for gradient in tape.gradient(loss, trained)]

    return step


def loss_of(outputs: Any) -> Any:
    """The sum of the means."""
    return sum(tf.reduce_mean(output) for output in outputs)


# ---- measuring --------------------------------------------------------------------------------------------------------------


def high_water() -> int:
    """The most memory that this process ever had, in bytes."""
    status = Path("/proc/self/status").read_text(encoding="utf-8")
    return 1024 * int(next(line for line in status.splitlines() if line.startswith("VmHWM")).split()[1])


def built(who: str, name: str, count: list[int], layers: int = LAYERS, batch: int = BATCH) -> Step:
    """The step of a plan, by hand or on a tape."""
    if who != "NumPy":
        return by_tape(name, count, layers, batch)
    if name == REVERSIBLE:
        return reversible_by_hand(count, layers, batch)
    return by_hand(name, count, layers, batch)


def give_back() -> None:
    """Give freed pages back to the system: a step that finds some free would grow by less than it uses."""
    with contextlib.suppress(OSError, AttributeError):  # another C library
        ctypes.CDLL(None).malloc_trim(0)


def fill_log(name: str) -> None:
    """Let the library's log of the last ops grow to its full size, with what such a step leaves in it."""
    step = by_tape(name, [0], batch=1)
    for _ in range(20):  # a hundred layers of three ops: more than 4,096
        step()


def measure(name: str, who: str, how: str) -> dict[str, float]:
    """One step, measured in this process."""
    count = [0]
    if how == "tracemalloc":
        tracemalloc.start()  # before anything is made: what is freed later counts only if it was counted
    built(who, name, [0], 3, 1)()  # what a process loads once: code, and the libraries of the first product
    if who != "NumPy":
        fill_log(name)
    step = built(who, name, count)
    gc.collect()
    give_back()
    if how == "tracemalloc":
        tracemalloc.reset_peak()
        before = tracemalloc.get_traced_memory()[0]
        gradients = step()
        peak = tracemalloc.get_traced_memory()[1] - before
        seconds = 0.0
    else:
        Path("/proc/self/clear_refs").write_text("5", encoding="utf-8")  # the high-water mark starts anew
        before = high_water()
        start = time.perf_counter()
        gradients = step()
        seconds = time.perf_counter() - start
        peak = high_water() - before
    return {
        "peak": peak / MIB,
        "count": count[0],
        "seconds": seconds,
        "check": float(sum(gradient.sum() for gradient in gradients)),
    }


def in_a_process(name: str, who: str, how: str) -> dict[str, float]:
    """The same in a fresh process, on one core."""
    command = [sys.executable, __file__, name, who, how]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env={"OPENBLAS_NUM_THREADS": "1"})
    found: dict[str, float] = json.loads(done.stdout)
    return found


def table() -> list[str]:
    """The table, row by row."""
    lines = [
        f"{'plan':<26} {'evaluations':>11} {'NumPy MiB':>15} {'minitape MiB':>15} {'ratio':>13} {'time':>6}",
        f"{'':<26} {'':>11} {'RSS (tracem.)':>15} {'RSS (tracem.)':>15} {'RSS (tracem.)':>13} {'ratio':>6}",
    ]
    for name in (*PLANS, REVERSIBLE):
        cells = {
            (who, how): in_a_process(name, who, how) for who in ("NumPy", "minitape") for how in ("RSS", "tracemalloc")
        }
        checks = [cell["check"] for cell in cells.values()]
        assert np.allclose(checks, checks[0], rtol=1e-9), f"{name}: the gradients differ, {checks}"
        counts = {cell["count"] for cell in cells.values()}
        peaks = {place: cell["peak"] for place, cell in cells.items()}
        shown = [f"{peaks[who, 'RSS']:.1f} ({peaks[who, 'tracemalloc']:.1f})" for who in ("NumPy", "minitape")]
        ratios = [peaks["minitape", how] / peaks["NumPy", how] for how in ("RSS", "tracemalloc")]
        slower = cells["minitape", "RSS"]["seconds"] / cells["NumPy", "RSS"]["seconds"]
        lines.append(
            f"{name:<26} {'/'.join(f'{count:.0f}' for count in sorted(counts)):>11} {shown[0]:>15} {shown[1]:>15} "
            f"{f'{ratios[0]:.2f} ({ratios[1]:.2f})':>13} {slower:>6.2f}"
        )
    return lines


if __name__ == "__main__":
    if len(sys.argv) == 4:
        print(json.dumps(measure(*sys.argv[1:])))
    else:
        print("\n".join(table()))
