"""Programs on arrays made by chance, in which functions run again: regions in regions, rules of one's own, reversible layers.

They are called in loops, under tapes in tapes and accumulators, and asked twice, with an assignment between the questions.
`python -m tests.viz.rerun_programs 0 300` works out what is said of a range of them, and prints what is not so.
"""

from __future__ import annotations

import sys

from .array_programs import Program, Shape, main

REGIONS = ("tf.recompute_grad({})", "tf.recompute_grad({})", "tf.recompute_grad({}, early_stop=True)",
           "tf.recompute_grad({}, higher_order='recompute')", "tf.recompute_grad({}, policy=tf.policies.ops('matmul', 'sum'))",
           "tf.RecomputeWrapper({})")  # fmt: skip
KEEPS = (
    "tf.sin({})", "tf.tanh({})", "{} * 0.7", "tf.nn.relu({}) + 0.1", "{} * tf.tanh({})", "tf.tanh({} + b)", "{} + c",
    "tf.nn.softplus({})",
)  # fmt: skip
RULES = (
    "up * 2.0",
    "up * tf.cos(a)",
    "-up",
    "tf.reverse(up, [0])",
    "up * a * a",
)  # linear: accumulators go through them


class Rerunning(Program):
    """Writes one program with functions that run again."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.functions: dict[str, tuple[Shape, Shape]] = {}

    def begin(self) -> None:
        """Some functions, after the values."""
        super().begin()
        for _ in range(self.chance.randint(2, 4)):
            getattr(self, self.chance.choice(("region", "region", "region", "rule", "chain", "reversible")))()

    def expression(self) -> tuple[str, Shape] | None:
        """A call of a function, or anything else."""
        fits = [
            (name, gives, argument)
            for name, (takes, gives) in self.functions.items()
            for argument, shape in self.shapes.items()
            if shape == takes
        ]
        if not fits or self.chance.random() < 0.5:
            return super().expression()
        name, gives, argument = self.chance.choice(fits)
        return f"{name}({argument})", gives

    def function(self, shape: Shape, outside: int) -> tuple[str, str, Shape]:
        """A function of one array, and of so many values from outside; its name, that of its result within, the result's shape."""
        name = f"f{self.numbers}"
        self.numbers += 1
        outer, before, depth = self.shapes, self.lines, self.depth
        taken = {one: outer[one] for one in self.chance.sample(["W", "b", "c"], outside)}
        self.lines, self.shapes, self.depth = [], {"a": shape, **taken}, 0
        self.statements(self.chance.randint(2, 4))
        for one in taken:
            del self.shapes[one]
        if self.functions and self.chance.random() < 0.3:
            self.loop()
        out = list(self.shapes)[-1]
        body, gives = self.lines, self.shapes[out]
        self.lines, self.shapes, self.depth = before, outer, depth
        self.put(f"def {name}(a):", *[f"    {line}" for line in body])
        return name, out, gives

    def region(self) -> None:
        """A function that runs again."""
        shape = self.chance.choice(((2, 3), (2, 3), (3, 3), (3,), ()))
        name, out, gives = self.function(shape, self.chance.randint(0, 2))
        wrapped = self.chance.choice(REGIONS).format(name)
        self.put(f"    return {out}", f"{name} = {wrapped}")
        self.functions[name] = shape, gives

    def rule(self) -> None:
        """A function with a rule of its own."""
        shape = self.chance.choice(((2, 3), (3,)))
        others, self.functions = self.functions, {}  # which may read variables, and the rule says nothing of those
        name, out, gives = self.function(shape, 0)
        self.functions = others
        result = out if gives == shape else f"a * tf.reduce_sum({out})"
        self.put(f"    return {result}, lambda up: {self.chance.choice(RULES)}", f"{name} = tf.custom_gradient({name})")
        self.functions[name] = shape, shape

    def keeping(self) -> str:
        """A function that keeps the shape."""
        return f"lambda h: {self.chance.choice(KEEPS).replace('{}', 'h')}"

    def chain(self) -> None:
        """A chain of functions by a schedule."""
        shape, name = self.chance.choice(((2, 3), (3,))), f"f{self.numbers}"
        self.numbers += 1
        count = self.chance.randint(2, 4)
        how = self.chance.choice(("schedule='sqrt'", "schedule='halving'", "segments=2", "schedule='revolve', slots=1"))
        self.put(f"{name} = tf.checkpoint_sequential([{', '.join([self.keeping() for _ in range(count)])}], {how})")
        self.functions[name] = shape, shape

    def reversible(self) -> None:
        """One or two reversible layers on halves that are alike."""
        shape, name = self.chance.choice(((2, 3), (3,))), f"f{self.numbers}"
        self.numbers += 1
        layers = [f"tf.ReversibleLayer({self.keeping()}, {self.keeping()})" for _ in range(self.chance.randint(1, 2))]
        whole = layers[0] if len(layers) == 1 else f"tf.ReversibleSequential([{', '.join(layers)}], drift='off')"
        self.put(f"net{name} = {whole}", f"def {name}(a):", f"    y1, y2 = net{name}(a, a * 0.5)", "    return y1 - y2")
        self.functions[name] = shape, shape

    def around(self, deeper: int) -> None:
        """A tape or an accumulator, with another inside, or none."""
        if self.chance.random() < 0.6:
            self.taped(deeper)
        else:
            self.carried(deeper)

    def taped(self, deeper: int) -> None:
        """A tape, which may be asked twice."""
        sources, before, tape = [self.pick() for _ in range(2)], dict(self.shapes), f"tape{self.numbers}"
        self.numbers += 1
        twice = self.chance.random() < 0.2
        self.put(f"with tf.GradientTape({'persistent=True' if twice else ''}) as {tape}:")
        self.depth += 1
        self.put(*[f"{tape}.watch({one})" for one in dict.fromkeys(sources)])
        self.inside(deeper)
        loss = self.target()
        self.depth -= 1
        self.shapes = before
        for time in range(1 + twice):
            if time and self.chance.random() < 0.5:
                self.put("if isinstance(W, tf.Variable):", "    W.assign(W * 0.5)")
            answers = [self.new("d", self.shapes[one]) for one in sources]
            self.put(
                f"{', '.join(answers)} = {tape}.gradient({loss}, [{', '.join(sources)}], unconnected_gradients='zero')"
            )

    def carried(self, deeper: int) -> None:
        """An accumulator."""
        source, acc = self.pick(), f"acc{self.numbers}"
        self.numbers += 1
        self.put(f"with tf.autodiff.ForwardAccumulator({source}, tf.ones_like({source}) * 0.5) as {acc}:")
        self.depth += 1
        self.inside(deeper)
        self.depth -= 1
        out = list(self.shapes)[-1]
        made = self.new("t", self.shapes[out])
        self.put(f"{made} = {acc}.jvp({out}, unconnected_gradients='zero')")

    def inside(self, deeper: int) -> None:
        """What runs within a recorder."""
        self.put("pass")  # no statement may be found that fits
        self.statements(self.chance.randint(2, 4))
        if self.chance.random() < 0.2:
            self.loop()
        if deeper:
            self.around(deeper - 1)
            self.statements(1)

    def loop(self) -> None:
        """Turns of a loop, which calls a function where one fits."""
        fits = [
            (name, argument)
            for name, (takes, gives) in self.functions.items()
            for argument, shape in self.shapes.items()
            if shape == takes == gives and len(argument) > 1
        ]
        if not fits:
            super().loop()
            return
        name, argument = self.chance.choice(fits)
        self.put(f"for _ in range({self.chance.choice((2, 3))}):", f"    {argument} = {name}({argument})")


def text(seed: int) -> str:
    """The source of a program."""
    program = Rerunning(seed)
    program.begin()
    for _ in range(2):
        program.around(program.chance.choice((0, 1, 1, 2)))
        program.shapes = {name: shape for name, shape in program.shapes.items() if len(shape) < 3}
    return "\n".join(program.lines)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]), text)
