"""Programs on arrays made by chance: products, sums, moves, choices, loops, tapes in tapes, accumulators, regions.

`text(seed)` is a program's source, always the same for a seed; `python -m tests.viz.array_programs 0 1000` works out what is said
of a range of them, and prints what is not so.
"""

from __future__ import annotations

import linecache
import random
import signal
import sys
import warnings
from collections.abc import Callable

import numpy as np

import minitape as tf
import viz

Shape = tuple[int, ...]
PATIENCE = 60  # seconds for one program
SHAPES: tuple[Shape, ...] = ((), (3,), (2, 3), (3, 2), (3, 3), (2, 1), (1, 3), (2, 3, 2))
UNARY = ("tf.sin({})", "tf.tanh({})", "tf.exp({} * 0.3)", "-{}", "{} ** 2", "{} * {}", "tf.abs({})", "tf.nn.relu({})", "tf.sigmoid({})",
         "tf.sqrt({} * {} + 1.0)", "tf.nn.leaky_relu({})", "tf.math.softplus({})", "1.0 / ({} * {} + 1.0)", "tf.nn.elu({})",
         "tf.math.log({} * {} + 0.5)", "tf.identity({})", "tf.cos({})", "tf.clip_by_value({}, -0.5, 0.5)", "{} ** 3.0", "0.5 - {}",
         "tf.nn.selu({})", "tf.math.rsqrt({} * {} + 1.0)", "tf.math.erf({})", "tf.math.xlogy({}, {} * {} + 1.0)",
         "tf.math.lgamma({} * {} + 1.5)", "tf.stop_gradient({})", "tf.nn.gelu({})", "tf.math.cumsum({}, 0)")  # fmt: skip
BINARY = ("{} * {}", "{} + {}", "{} - {}", "{} / ({} * {} + 1.0)", "tf.maximum({}, {})", "tf.minimum({}, {})",
          "tf.where({} > 0.0, {}, {})", "tf.math.squared_difference({}, {})")  # fmt: skip


class Program:
    """Writes one program; it keeps the shape of every name."""

    def __init__(self, seed: int) -> None:
        self.seed, self.chance = seed, random.Random(seed)
        self.lines: list[str] = []
        self.depth = self.numbers = 0
        self.shapes: dict[str, Shape] = {}

    def begin(self) -> None:
        """The constants and variables that the program begins with."""
        chance = np.random.default_rng(self.seed)
        for stem, shape in [("x", (2, 3)), ("W", (3, 3)), ("b", (3,)), ("c", ()), ("v", self.chance.choice(SHAPES))]:
            kind = self.chance.choice(("tf.constant", "tf.Variable"))
            self.put(f"{stem} = {kind}({np.round(chance.normal(size=shape), 2).tolist()})")
            self.shapes[stem] = shape

    def put(self, *lines: str) -> None:
        self.lines += ["    " * self.depth + line for line in lines]

    def new(self, stem: str, shape: Shape) -> str:
        self.numbers += 1
        name = f"{stem}{self.numbers}"
        self.shapes[name] = shape
        return name

    def pick(self, *shapes: Shape) -> str:
        """A name with one of these shapes; any name if there is none."""
        names = [name for name, shape in self.shapes.items() if not shapes or shape in shapes]
        return self.chance.choice(names or list(self.shapes))

    def expression(self) -> tuple[str, Shape] | None:
        """One op or a short one of several, and its shape; None where the choice did not fit."""
        kinds = "unary unary binary binary reduce move matmul matmul join piece soft surprise"
        kind = self.chance.choice(kinds.split())
        name = self.pick()
        shape = self.shapes[name]
        made: tuple[str, Shape] | None = getattr(self, f"_{kind}")(name, shape)
        return made

    def _unary(self, name: str, shape: Shape) -> tuple[str, Shape] | None:
        form = self.chance.choice(UNARY)
        if "cumsum" in form and not shape:
            return None
        return form.replace("{}", name), shape

    def _binary(self, name: str, shape: Shape) -> tuple[str, Shape] | None:
        other = self.pick()
        try:
            both = np.broadcast_shapes(shape, self.shapes[other])
        except ValueError:
            return None
        form = self.chance.choice(BINARY)
        return form.format(*[self.chance.choice((name, other)) if place > 1 else (name, other)[place] for place in range(form.count("{}"))]
                           ), both if "where" not in form else _of(form, both)  # fmt: skip

    def _reduce(self, name: str, shape: Shape) -> tuple[str, Shape] | None:
        axis = self.chance.choice([None, *range(len(shape)), *([-1] if shape else [])])
        keep = self.chance.random() < 0.3 and bool(shape)
        what = self.chance.choice(("sum", "sum", "mean", "mean", "max", "min", "prod", "logsumexp"))
        settings = (f", axis={axis}" if axis is not None else "") + (", keepdims=True" if keep else "")
        return f"tf.reduce_{what}({name}{settings})", np.sum(np.zeros(shape), axis=axis, keepdims=keep).shape

    def _soft(self, name: str, shape: Shape) -> tuple[str, Shape] | None:
        if not shape:
            return None
        axis = self.chance.choice(range(-1, len(shape)))
        form = self.chance.choice(("tf.nn.softmax({}, axis={})", "tf.nn.log_softmax({}, axis={})", "tf.cumsum({}, {}, reverse=True)",
                                   "tf.cumsum({}, {}, exclusive=True)", "tf.reverse({}, [{}])", "tf.roll({}, 1, {})"))  # fmt: skip
        return form.format(name, axis), shape

    def _surprise(self, name: str, shape: Shape) -> tuple[str, Shape] | None:
        """A cross-entropy of scores, with chances, with what is none, or with class numbers."""
        other, axis = self.pick(shape), self.chance.randrange(max(1, len(shape)))
        if not shape or self.shapes[other] != shape:
            return None
        classes = np.arange(int(np.prod(shape[:-1]))).reshape(shape[:-1]) % shape[-1]
        forms = {
            f"tf.nn.sigmoid_cross_entropy_with_logits(tf.sigmoid({other}), {name})": shape,
            f"tf.nn.softmax_cross_entropy_with_logits(tf.nn.softmax({other}, {axis}), {name}, axis={axis})": shape[:axis] + shape[axis + 1 :],
            f"tf.nn.softmax_cross_entropy_with_logits({other}, {name})": shape[:-1],
            f"tf.nn.sparse_softmax_cross_entropy_with_logits({classes.tolist()}, {name})": shape[:-1],
        }  # fmt: skip
        return self.chance.choice([*forms.items()])

    def _move(self, name: str, shape: Shape) -> tuple[str, Shape] | None:
        kind = self.chance.choice(("reshape", "transpose", "tile", "pad", "expand", "broadcast"))
        if kind == "reshape":
            fits = [one for one in SHAPES if np.prod(one) == np.prod(shape)]
            other = self.chance.choice(fits or [(int(np.prod(shape)),)])
            return f"tf.reshape({name}, {list(other)})", other
        if kind == "transpose" and len(shape) > 1:
            order = self.chance.sample(range(len(shape)), len(shape))
            return f"tf.transpose({name}, {order})", tuple(shape[axis] for axis in order)
        if kind == "tile" and len(shape) == 1:
            return f"tf.tile({name}, [2])", (shape[0] * 2,)
        if kind == "pad" and len(shape) == 2:
            return f"tf.pad({name}, [[0, 1], [1, 0]])", (shape[0] + 1, shape[1] + 1)
        if kind == "expand" and len(shape) < 3:
            return f"{name}[..., None]", (*shape, 1)
        if kind == "broadcast" and len(shape) < 3:
            return f"tf.broadcast_to({name}, {[2, *shape]})", (2, *shape)
        return None

    def _matmul(self, name: str, shape: Shape) -> tuple[str, Shape] | None:
        if len(shape) < 2:
            return None
        turned, other = self.chance.random() < 0.4, self.pick((3, 2), (2, 3), (3, 3), (2, 3, 2))
        there, back = self.shapes[other], self.chance.random() < 0.4
        if len(there) < 2:
            return None
        one, two = np.zeros(shape), np.zeros(there)
        try:
            made = (one.swapaxes(-1, -2) if turned else one) @ (two.swapaxes(-1, -2) if back else two)
        except ValueError:
            return None
        settings = (", transpose_a=True" if turned else "") + (", transpose_b=True" if back else "")
        return (f"tf.matmul({name}, {other}{settings})" if settings else f"{name} @ {other}"), made.shape

    def _join(self, name: str, shape: Shape) -> tuple[str, Shape] | None:
        other = self.pick(shape)
        if not shape or self.shapes[other] != shape:
            return None
        axis = self.chance.randrange(len(shape))
        if self.chance.random() < 0.5 and len(shape) < 3:
            return f"tf.stack([{name}, {other}], axis={axis})", np.stack([np.zeros(shape)] * 2, axis).shape
        if self.chance.random() < 0.3:
            return f"tf.add_n([{name}, {other}, {name}])", shape
        return f"tf.concat([{name}, {other}], axis={axis})", np.concatenate([np.zeros(shape)] * 2, axis).shape

    def _piece(self, name: str, shape: Shape) -> tuple[str, Shape] | None:
        if not shape:
            return None
        if shape[0] < 3:
            return f"{name}[0]", shape[1:]
        form = self.chance.choice(("{}[1]", "{}[1:]", "{}[::-2]", "tf.gather({}, [0, 2, 0])"))
        return form.format(name), (shape[1:] if form == "{}[1]" else (3 if "gather" in form else 2, *shape[1:]))

    def statements(self, count: int) -> None:
        for _ in range(count):
            made = self.expression()
            if made is None or np.prod(made[1]) > 30 or len(made[1]) > 3:
                continue
            name = self.new("y", made[1])
            self.put(f"{name} = {made[0]}")

    def target(self) -> str:
        """A loss made of the last few names."""
        last = list(self.shapes)[-3:]
        loss = self.new("loss", ())
        self.put(f"{loss} = " + " + ".join([f"tf.reduce_sum({one} * 0.5)" for one in last]))
        return loss

    def tape(self, deeper: int) -> None:
        sources = [self.pick() for _ in range(2)]
        tape, before = self.new("tape", ()), dict(self.shapes)
        del self.shapes[tape], before[tape]
        self.put(f"with tf.GradientTape() as {tape}:")
        self.depth += 1
        self.put(*[f"{tape}.watch({one})" for one in dict.fromkeys(sources)])
        self.statements(self.chance.randint(1, 4))
        if self.chance.random() < 0.4:
            self.loop()
        if deeper:
            self.tape(deeper - 1)
        loss = self.target()
        self.depth -= 1
        self.shapes = before
        answers = [self.new("d", self.shapes[one]) for one in sources]
        self.put(
            f"{', '.join(answers)} = {tape}.gradient({loss}, [{', '.join(sources)}], unconnected_gradients='zero')"
        )

    def accumulator(self) -> None:
        source = self.pick()
        acc = f"acc{self.numbers}"
        self.put(f"with tf.autodiff.ForwardAccumulator({source}, tf.ones_like({source}) * 0.5) as {acc}:")
        self.depth += 1
        self.put("pass")  # no statement may be found that fits
        self.statements(self.chance.randint(2, 5))
        if self.chance.random() < 0.4:
            self.tape(0)
        self.depth -= 1
        self.put(f"{acc}.jvp({list(self.shapes)[-1]})")

    def region(self) -> None:
        source, name = self.pick(), f"f{self.numbers}"
        outer, before = self.shapes, self.lines
        self.lines, self.shapes = [], {"a": outer[source]}
        self.statements(4)
        out = list(self.shapes)[-1]
        shape, body = self.shapes[out], [line.strip() for line in self.lines]
        self.lines, self.shapes = before, outer
        self.put(f"def {name}(a):", *[f"    {line}" for line in body], f"    return {out}")
        wrapped = self.chance.choice((name, name, f"tf.recompute_grad({name})"))
        made = self.new("r", shape)
        self.put(f"{made} = {wrapped}({source})")

    def loop(self) -> None:
        name = self.pick((3, 3), (2, 3), (3,))
        shape = self.shapes[name]
        form = "tf.tanh({0} @ W)" if shape[-1:] == (3,) and len(shape) == 2 else "tf.tanh({0}) * 0.9"
        self.put(f"for _ in range({self.chance.choice((2, 3))}):", f"    {name} = {form.format(name)}")


def _of(form: str, shape: Shape) -> Shape:
    return shape


def text(seed: int) -> str:
    """The source of a program."""
    program = Program(seed)
    program.begin()
    chance = program.chance
    for _ in range(3):
        what = chance.choice(("tape", "tape", "nested", "accumulator", "region", "statements"))
        if what == "tape":
            program.tape(0)
        elif what == "nested":
            program.tape(1)
        elif what == "statements":
            program.statements(3)
        else:
            getattr(program, what)()
        program.shapes = {name: shape for name, shape in program.shapes.items() if np.prod(shape) <= 24}
    program.tape(0)
    return "\n".join(program.lines)


def recorded(source: str, title: str) -> viz.Run:
    """Run a program while it is recorded; a program with an error in it is one as well."""
    name = f"<{title}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    with warnings.catch_warnings(action="ignore"), np.errstate(all="ignore"), viz.record(title) as run:
        exec(compile(source, name, "exec"), {"tf": tf, "viz": viz})
    return run


def main(first: int, last: int, source_of: Callable[[int], str] = text) -> None:
    """Work out what is said of a range of programs, and print what is not so."""
    from .test_claims import untrue

    def late(*_: object) -> None:
        raise TimeoutError(f"took more than {PATIENCE} s of this process's own time")

    signal.signal(signal.SIGVTALRM, late)
    wrong = said = 0
    for seed in range(first, last):
        signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)  # a busy machine is no reason to give up
        try:
            count, found = untrue(recorded(source_of(seed), f"program {seed}"))
        except Exception as problem:
            print(f"---- {seed}: {type(problem).__name__}: {problem}", flush=True)
            wrong += 1
            continue
        said += count
        wrong += len(found)
        for one in found[:2]:
            print(f"---- {seed}: {one}", flush=True)
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    print(f"{last - first} programs, {said} formulas and sums, {wrong} not so")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
