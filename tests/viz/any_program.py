"""Programs made by chance: tapes, accumulators, regions, custom gradients, loops, Keras and errors, nested in each other.

`text(seed)` is a program's source, always the same for a seed; `python -m tests.viz.any_program 0 300` runs a range of them through
every view and says what failed.
"""

from __future__ import annotations

import io
import linecache
import os
import random
import sys
import tempfile
import traceback
import warnings
from typing import Any

import minitape as tf
import viz
from viz.tell.scenes import scene_of

UNARY = ("tf.sin({})", "tf.exp({} * 0.1)", "tf.tanh({})", "-{}", "{} * 0.5", "{} ** 2", "tf.stop_gradient({})", "tf.identity({})",
         "tf.round({})", "tf.reduce_sum({})", "tf.abs({})", "tf.reshape({}, [-1])", "tf.stack([{}, 1.0])[0]")  # fmt: skip
BINARY = ("{} * {}", "{} + {}", "{} - {}", "tf.maximum({}, {})", "tf.add_n([{}, {}])", "tf.where({} > 0.0, {}, 2.0)")


class Program:
    """Writes one program, line by line."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.lines: list[str] = []
        self.depth = 0
        self.budget = self.chance.randint(6, 26)
        self.numbers = 0

    def put(self, *lines: str) -> None:
        self.lines += ["    " * self.depth + line for line in lines]

    def new(self, stem: str) -> str:
        self.numbers += 1
        return f"{stem}{self.numbers}"

    def expression(self, names: list[str]) -> str:
        pick = self.chance.choice
        if self.chance.random() < 0.4:
            return pick(UNARY).format(pick(names))
        form = pick(BINARY)
        return form.format(*[pick(names) for _ in range(form.count("{}"))])

    def block(self, names: list[str], size: int) -> None:
        """Some statements, which may use the names and add to them."""
        for _ in range(size):
            if self.budget <= 0:
                break
            self.budget -= 1
            kinds = (
                ["op"] * 5
                + ["tape"] * 3
                + ["accumulator", "region", "region", "custom", "loop", "assign", "error", "layer"]
            )
            kinds += ["stretch", "export", "constant", "seed", "rounds"] + (
                ["layers", "fit", "sequence"] if self.depth < 2 else []
            )
            kind = self.chance.choice(kinds if self.depth < 6 else ["op"])
            getattr(self, f"_{kind}")(names)
        self.put(f"{self.new('y')} = {self.expression(names)}")
        names.append(f"y{self.numbers}")

    def inner(self, names: list[str], size: int = 2) -> list[str]:
        """A block of its own, one deeper; what it makes can be used after it."""
        self.depth += 1
        own = list(names)
        self.block(own, self.chance.randint(1, size))
        self.depth -= 1
        return own

    def _op(self, names: list[str]) -> None:
        name = self.new("y")
        self.put(f"{name} = {self.expression(names)}")
        names.append(name)

    def _constant(self, names: list[str]) -> None:
        name = self.new("c")
        made = self.chance.choice(
            ("tf.constant({})", "tf.Variable({})", "tf.constant([{}, 2.0])", "tf.convert_to_tensor({})")
        )
        self.put(f"{name} = {made.format(self.chance.choice((0.5, 1.5, -2.0)))}")
        names.append(name)

    def _assign(self, names: list[str]) -> None:
        self.put(f"w.{self.chance.choice(('assign', 'assign_add', 'assign_sub'))}(0.25)")

    def _export(self, names: list[str]) -> None:
        self.put(f"float(tf.reduce_sum({self.chance.choice(names)}))")

    def _stretch(self, names: list[str]) -> None:
        self.put(f"with viz.region({self.chance.choice(['part', '{x}', 'a<b>'])!r}):")
        names[:] = self.inner(names, 1)

    def _tape(self, names: list[str]) -> None:
        tape, source = self.new("tape"), self.chance.choice(names)
        persistent, automatic = self.chance.random() < 0.4, self.chance.random() < 0.8
        self.put(f"with tf.GradientTape(persistent={persistent}, watch_accessed_variables={automatic}) as {tape}:")
        self.depth += 1
        if self.chance.random() < 0.8:
            self.put(f"{tape}.watch({source})")
        if self.chance.random() < 0.15:
            self.put(f"with {tape}.stop_recording():")
            self.depth += 1
            self._op(list(names))
            self.depth -= 1
        if self.chance.random() < 0.07:
            self.put(f"{tape}.reset()", f"{tape}.watch({source})")
        self.depth -= 1
        inside = self.inner(names)
        made = inside[-1]
        if persistent and self.chance.random() < 0.3:
            self.depth += 1
            self._ask(tape, made, source, inside)
            self.depth -= 1
        for _ in range(self.chance.randint(1, 2) if persistent else 1):
            self._ask(tape, made, source, inside)
        if self.chance.random() < 0.2:
            self.put(f"del {tape}")
        names[:] = inside

    def _ask(self, tape: str, made: str, source: str, names: list[str]) -> None:
        answer, other = self.new("d"), self.chance.choice(names)
        how = self.chance.choice(("", "", "", ", w]", "jacobian", "targets", "weights", "unconnected"))
        if how == "jacobian":
            self.put(f"{answer} = {tape}.jacobian({made}, {source})")
        elif how == "targets":
            self.put(f"{answer} = {tape}.gradient([{made}, {other}], {source})")
        elif how == "weights":
            self.put(f"{answer} = {tape}.gradient({made}, {source}, output_gradients=tf.ones_like({made}) * 2.0)")
        elif how == "unconnected":
            self.put(f'{answer} = {tape}.gradient({made}, {source}, unconnected_gradients="zero")')
        elif how:
            self.put(f"{answer}, also = {tape}.gradient({made}, [{source}, w])")
        else:
            self.put(f"{answer} = {tape}.gradient({made}, {source})")
        self.put(f"{answer} = {source} if {answer} is None else {answer}")
        names.append(answer)

    def _accumulator(self, names: list[str]) -> None:
        acc, source = self.new("acc"), self.chance.choice(names)
        self.put(f"with tf.autodiff.ForwardAccumulator({source}, tf.ones_like({source})) as {acc}:")
        inside = self.inner(names)
        tangent = self.new("t")
        self.put(f"{tangent} = {acc}.jvp({inside[-1]})", f"{tangent} = {source} if {tangent} is None else {tangent}")
        names[:] = [*inside, tangent]

    def _function(self, names: list[str]) -> tuple[str, str]:
        name, source = self.new("f"), self.chance.choice(names)
        self.put(f"def {name}(x):")
        inside = self.inner(["x", *(["w"] if self.chance.random() < 0.3 else [])], 3)
        self.depth += 1
        self.put(f"return {inside[-1]}")
        self.depth -= 1
        return name, source

    def _region(self, names: list[str]) -> None:
        function, source = self._function(names)
        out = self.new("r")
        self.put(f"{out} = tf.recompute_grad({function})({source})")
        names.append(out)

    def _custom(self, names: list[str]) -> None:
        function, source = self._function(names)
        self.put("@tf.custom_gradient", f"def own_{function}(x):")
        self.depth += 1
        self.put(f"y = {function}(x)", "def grad(up):")
        self.depth += 1
        fails = self.chance.random() < 0.1
        self.put(
            "raise ValueError('no rule')" if fails else f"return up * {self.chance.choice(('x', '2.0', 'tf.cos(x)'))}"
        )
        self.depth -= 1
        self.put("return y, grad")
        self.depth -= 1
        out = self.new("k")
        self.put(f"{out} = own_{function}({source})")
        names.append(out)

    def _loop(self, names: list[str]) -> None:
        self.put(f"for _ in range({self.chance.choice((2, 3, 5, 40))}):")
        self.depth += 1
        name = self.chance.choice([one for one in names if one != "w"])
        self.put(f"{name} = tf.tanh({name}) * w")
        self.depth -= 1

    def _rounds(self, names: list[str]) -> None:
        self.put(f"for _ in range({self.chance.choice((2, 12))}):")
        self.depth += 1
        self.put(
            "with tf.GradientTape() as t:",
            "    loss = tf.reduce_sum(w * w * 0.5)",
            "w.assign_sub(0.1 * t.gradient(loss, w))",
        )
        self.depth -= 1

    def _seed(self, names: list[str]) -> None:
        self.put("with tf.GradientTape() as again:", "    e = early * w", "early_slope = again.gradient(e, [early, w])")

    def _error(self, names: list[str]) -> None:
        self.put("try:")
        inside = self.inner(names, 1)
        self.depth += 1
        wrong = ("raise KeyError('{x}')", "tf.constant([1.0, 2.0]) + tf.constant([1.0, 2.0, 3.0])", "tape0.gradient(w, w)",
                 "tf.matmul(w, w)", "1 / 0")  # fmt: skip
        self.put(self.chance.choice(wrong))
        self.depth -= 1
        self.put("except Exception:", "    pass", *[f"{name} = w" for name in inside if name not in names])
        names[:] = inside

    def _layer(self, names: list[str]) -> None:
        out, source = self.new("h"), self.chance.choice(names)
        activation = self.chance.choice(("tanh", "relu", None))
        self.put(f"{out} = tf.keras.layers.Dense(2, activation={activation!r})(tf.reshape({source}, [1, -1]))")
        names.append(out)

    def _layers(self, names: list[str]) -> None:
        model, out = self.new("model"), self.new("h")
        self.put(f"{model} = tf.keras.Sequential([tf.keras.layers.Dense(2, activation='tanh') for _ in range(3)])",
                 "with tf.GradientTape() as t:", f"    {out} = tf.reduce_sum({model}(tf.ones([2, 3])) * w)",
                 f"slopes = t.gradient({out}, {model}.trainable_variables)",
                 f"tf.keras.optimizers.Adam(0.1).apply_gradients(zip(slopes, {model}.trainable_variables))")  # fmt: skip
        names.append(out)

    def _fit(self, names: list[str]) -> None:
        self.put("model = tf.keras.Sequential([tf.keras.layers.Dense(1)])", "model.compile('sgd', 'mse')",
                 "model.fit(tf.ones([4, 2]), tf.ones([4, 1]), batch_size=2, verbose=0)")  # fmt: skip

    def _sequence(self, names: list[str]) -> None:
        out, source = self.new("s"), self.chance.choice(names)
        schedule = self.chance.choice(("halving", "sqrt", "revolve"))
        self.put(f"net = tf.checkpoint_sequential([tf.sin, tf.tanh, tf.cos] * {self.chance.choice((2, 5))}, schedule={schedule!r})",
                 "with tf.GradientTape(persistent=True) as t:", f"    t.watch({source})", f"    {out} = net({source})",
                 f"slope = t.gradient({out}, {source})")  # fmt: skip
        names.append(out)


def text(seed: int) -> str:
    """The source of a program."""
    program = Program(seed)
    names = ["x", "w"]
    while program.budget > 0:
        program.put("try:")
        program.depth = 1
        program.block(names, program.chance.randint(1, 3))
        program.depth = 0
        program.put(
            "except Exception as problem:", "    failures.append(problem)", *[f"{name} = w" for name in names[2:]]
        )
        names = ["x", "w", *names[-3:]]
    if program.chance.random() < 0.1:
        program.put("raise RuntimeError('at the end {x}')")
    return "\n".join(program.lines)


def recorded(seed: int) -> tuple[viz.Run, list[Exception]]:
    """Run a program while it is recorded; returns the run, and the errors that the program met."""
    source = text(seed)
    name = f"<any program {seed}>"
    linecache.cache[name] = (len(source), None, source.splitlines(True), name)
    failures: list[Exception] = []
    early = tf.constant(1.5)
    with tf.GradientTape(persistent=True) as tape0:
        tape0.watch(early)
        before = early * early
    space: dict[str, Any] = {"tf": tf, "viz": viz, "failures": failures, "early": before, "tape0": tape0}
    space |= {"x": tf.constant(0.75), "w": tf.Variable(1.25)}
    run: Any = None
    try:
        with warnings.catch_warnings(action="ignore"), viz.record(f"program {seed}") as run:
            exec(compile(source, name, "exec"), space)
    except RuntimeError as problem:
        failures.append(problem)
    return run, failures


def through_every_view(run: viz.Run) -> None:
    """Tell and draw a run in all ways there are; an exception from any of them goes on."""
    scene = run.scene  # type: ignore[attr-defined]
    stream = viz.Stream.from_json(run.stream.to_json())
    assert stream.to_json() == run.stream.to_json()
    again = scene_of(stream)
    assert again == scene
    assert viz.Scene.from_json(scene.to_json()) == scene
    assert repr(run) and str(viz.table(run))
    last = len(scene.steps) - 1
    for step in sorted({0, last // 3, 2 * last // 3, last}):
        for view in (viz.graph, viz.score, viz.lanes):
            assert view(run, step).svg.startswith("<svg")
    viz.compare(one=run, other=stream)
    if any(cell["kind"].startswith("tangent") and cell["id"] != "v" for one in scene.values for cell in one["cells"]):
        assert viz.flow(run).svg.startswith("<svg")
    with tempfile.TemporaryDirectory() as folder:
        for suffix in ("html", "json", "txt", "svg"):
            viz.export(run, os.path.join(folder, f"run.{suffix}"))


def main(first: int, last: int) -> None:
    """Run the programs of a range of seeds and say what failed."""
    failed = events = 0
    for seed in range(first, last):
        run, _ = recorded(seed)
        events += len(run)
        try:
            through_every_view(run)
        except Exception:
            failed += 1
            trace = io.StringIO()
            traceback.print_exc(limit=-3, file=trace)
            print(f"---- {seed}\n{trace.getvalue()}", flush=True)
    print(f"{last - first} programs, {events} events, {failed} failed")


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
