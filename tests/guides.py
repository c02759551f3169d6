"""TensorFlow's public guides and tutorials, cell by cell, in the setting in which they run here.

A guide lies under tests/data/guides/ as NAME.py: one cell for each cell of code of the original, with the same calls, in
words and names of our own.  Its cells begin with

    # %% 3 a vector                       runs, and prints what TensorFlow prints
    # %% 4 left out: ragged               needs what minitape leaves out by rule; has no code here
    # %% 5 Keras 2: a positional name     runs, and prints what Keras 2 prints, for which the guides were written: Keras 3 cannot
    # %% 6 differs: tracing prints once   runs, and prints something else on purpose: what stands behind its `#:` marks

NAME.out holds what TensorFlow printed, under the numbers of the cells: `python -m tools.facts guides` makes it.  Random numbers and fresh weights are injected, plots are thrown away, and the
value of a cell's last line is shown, as a notebook shows it.  A line that the original does not have ends with `# also`.
"""

from __future__ import annotations

import ast
import contextlib
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

FOLDER = Path(__file__).parent / "data" / "guides"
HEAD = re.compile(r"^# %% (\d+)(?: (left out|Keras 2|differs):)? ?(.*)$", re.MULTILINE)


class Cell(NamedTuple):
    """A cell of a guide: its code, the line before which it begins, and how it stands to the original."""

    number: int
    state: str  # "", "left out", "Keras 2" or "differs"
    about: str
    code: str
    line: int

    @property
    def ours(self) -> str:
        """What a cell that differs prints here."""
        return "".join(f"{line[3:]}\n" for line in self.code.splitlines() if line.startswith("#:"))


def cells(name: str) -> list[Cell]:
    """The cells of a guide."""
    text = (FOLDER / f"{name}.py").read_text(encoding="utf-8")
    heads = list(HEAD.finditer(text))
    ends = [head.start() for head in heads[1:]] + [len(text)]
    return [
        Cell(int(head[1]), head[2] or "", head[3], text[head.end() : end], text.count("\n", 0, head.end()))
        for head, end in zip(heads, ends, strict=True)
    ]


def printed(file: Path) -> dict[int, str]:
    """What TensorFlow printed, by the numbers of the cells."""
    _, *parts = re.split(r"^# %% (\d+)\n", file.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return {int(number): text for number, text in zip(parts[::2], parts[1::2], strict=True)}


class Draws:
    """The same numbers for everybody, in place of those drawn by chance; each cell starts anew."""

    def __init__(self, tf: Any) -> None:
        self._tf = tf
        self.start(0)

    def start(self, cell: int) -> None:
        self._draw = np.random.default_rng(cell)

    def normal(self, shape: Any, mean: float = 0.0, stddev: float = 1.0, dtype: Any = None, seed: Any = None) -> Any:
        return self._tf.constant((self._draw.standard_normal(tuple(shape)) * stddev + mean).astype("float32"))

    def uniform(self, shape: Any, minval: float = 0.0, maxval: float = 1.0, dtype: Any = None, seed: Any = None) -> Any:
        return self._tf.constant((self._draw.random(tuple(shape)) * (maxval - minval) + minval).astype("float32"))

    @contextlib.contextmanager
    def injected(self) -> Iterator[None]:
        random, kernels = self._tf.random, self._tf.keras.initializers.GlorotUniform
        before = random.normal, random.uniform, kernels.__dict__.get("__call__")
        random.normal, random.uniform = self.normal, self.uniform
        kernels.__call__ = lambda initializer, shape, dtype=None, **options: self.normal(shape, stddev=0.5)
        try:
            yield
        finally:
            random.normal, random.uniform = before[:2]
            if before[2] is None:
                del kernels.__call__
            else:
                kernels.__call__ = before[2]


class Nowhere:
    """Plots whatever it is given, which must at least be numbers; stands for pyplot and all that pyplot gives."""

    def __init__(self, name: str = "plt") -> None:
        self._name = name

    def __getattr__(self, name: str) -> Nowhere:
        return Nowhere(name)

    def __call__(self, *data: Any, **options: Any) -> Nowhere:
        if self._name in ("plot", "scatter", "imshow"):
            for one in data:
                if not isinstance(one, str):
                    np.asarray(one, dtype=float)
        return self

    def __iter__(self) -> Iterator[Any]:
        return iter((0.0, 1.0) if self._name == "ylim" else (self, self))

    def __getitem__(self, item: Any) -> Nowhere:
        return self

    def __setitem__(self, item: Any, value: Any) -> None:
        pass


def shown(code: str, file: str, line: int, space: dict[str, Any]) -> None:
    """Run a cell, and print the value of its last line unless it is None or hidden by a semicolon."""
    tree = ast.increment_lineno(ast.parse(code), line)
    last = tree.body[-1] if tree.body else None
    if not isinstance(last, ast.Expr) or code.rstrip().endswith(";"):
        exec(compile(tree, file, "exec"), space)
        return
    tree.body.pop()
    exec(compile(tree, file, "exec"), space)
    value = eval(compile(ast.Expression(last.value), file, "eval"), space)
    if value is not None and not isinstance(value, Nowhere):
        print(repr(value))


def run(name: str, tf: Any, forgiving: bool = False) -> dict[int, str]:
    """What each cell prints; `forgiving` notes an exception as if the cell had printed it."""
    space = {"tf": tf, "np": np, "plt": Nowhere(), "__name__": name}
    answers = {}
    tf.keras.backend.clear_session()
    draws = Draws(tf)
    with draws.injected():
        for cell in cells(name):
            draws.start(cell.number)
            stream = io.StringIO()
            with contextlib.redirect_stdout(stream):
                try:
                    shown(cell.code, f"{name}.py", cell.line, space)
                except Exception as problem:
                    if not forgiving:
                        raise
                    print(f"{type(problem).__name__}: {problem}")
            if cell.state != "left out":
                answers[cell.number] = stream.getvalue()
    return answers
