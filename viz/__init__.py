"""viz: what minitape wrote down, as pictures.

    import minitape as tf, viz
    with viz.record() as run:          # everything that happens inside, of any depth
        ...
    run                                # in a notebook the stepper, anywhere else a text table
    viz.export(run, "lesson.html")     # one file that steps by itself, offline
    viz.compare(plain=run, again=other)     # where they first differ, graph against graph, memory; two frameworks, entry by entry
    viz.flow(run)                      # forward mode: every value beside its tangents
    viz.schedule(tf.plan(16, "sqrt"))  # a plan as steps × time; a plan in a notebook shows this by itself

Every function takes a run, or a tape where a tape has enough to say.  A long run is shown folded; `unfold=["fold 2"]` opens
what `run.scene.groups` names, and `unfold=["turn 12"]` all that this turn of a loop lies in.
"""

from __future__ import annotations

import os as _os
import sys as _sys
from collections.abc import Callable as _Callable
from collections.abc import Sequence as _Sequence
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

from . import capture as _capture
from . import faces as _faces
from .capture import Run, Stream, record, record_jax, region
from .figure import Figure
from .picture import Comparison, Drawing, Picture, Text
from .scene import Scene
from .tell import scene_from as _scene_from

if _TYPE_CHECKING:
    from .knobs import Live
    from .paint.plot import MemoryPlot
    from .paint.widget import Stepper

_capture.adopt(_os.path.dirname(_os.path.abspath(__file__)))


def step(
    run: _Any, start: int = 0, *, view: str = "graph", theme: str = "", ask: _Any = None, unfold: _Sequence[str] = ()
) -> Stepper | Picture | Comparison:
    """The stepper: a widget in which a learner walks through the run, forwards and backwards; or through what `compare` made.

    Args: start, the step to open at (-1: the last); view, "graph" or "score", the one to open (G changes it); theme,
    "light", "dark" or "" for the notebook's; ask, a question (see `viz.lesson.question`), the name of a stored one
    ("02.2"), or a list of them, put before the step that answers it; unfold, of a long run, which is shown folded, the
    groups to open, by id (`run.scene.groups` lists them).
    Without anywidget it is a static picture.

    >>> with viz.record("a square") as run:
    ...     x = tf.Variable(3.0)
    ...     with tf.GradientTape() as tape:
    ...         y = x * x
    >>> viz.step(run)
    <Stepper: a square, 5 steps>
    """
    from . import opening

    if isinstance(run, Comparison) and run.facts.kind == "runs":
        if ask is not None or unfold:
            raise ValueError("ask and unfold are of one run; a comparison is stepped through without them")
        return opening.compared(run, start, view, theme)
    return opening.stepper(run, start, view, theme, ask, unfold)


def live(program: _Callable[..., _Any], plot: tuple[str, str] | None = None, /, **knobs: _Any) -> Live:
    """A program of yours with knobs: it is traced anew whenever one is turned, and the step, the view and the focus stay.

    Args: program, a function; plot, the names of the values that are drawn as height and slope, where no tape or accumulator
    says them; knobs, by argument, in ipywidgets' abbreviations: (low, high) or (low, high, step), a number, a list or dict of
    choices, True or False, text; `bool` is a switch that begins as the program says.  Arguments with a default need none.
    What the program refuses is its last step.  `viz.export(live, "page.html")` keeps the knobs turning without a kernel.  In a
    plain script it is one run, at the defaults.  Raises TypeError for an argument that the program does not take.

    >>> def wave(x=1.7):
    ...     x = tf.Variable(x)
    ...     with tf.GradientTape() as tape:
    ...         y = tf.sin(x) * x
    ...     return tape.gradient(y, x)
    >>> turned = viz.live(wave, x=(-3.0, 3.0))
    >>> turned.values, len(turned.scene.steps)
    ({'x': 1.7}, 11)
    """
    from .knobs import Live

    return Live(program, plot, knobs)


def graph(run: _Any, step: int | None = None, *, theme: str = "", unfold: _Sequence[str] = ()) -> Picture:
    """The graph at a step (by default the last): cards for values, discs for ops, gradients back along the same edges.

    Its `.svg` is the picture as text, its `.dot` the same graph as a `graphviz.Source`, for whoever wants Graphviz itself.

    >>> with viz.record() as run:
    ...     y = tf.constant(3.0) * 2.0
    >>> viz.graph(run)
    <picture: graph of 3 values, step 1 of 1>
    """
    return Picture(_scene_from(run, unfold), ("graph",), step=step, theme=theme)


def score(run: _Any, step: int | None = None, *, theme: str = "", unfold: _Sequence[str] = ()) -> Picture:
    """The score at a step (by default the last): a string per value, a staff per recorder, time to the right.

    A string is there while somebody holds the value and thick while a tape keeps it; each step is a stem from those who heard
    it down to what it read and wrote; each backward step points at the entry that it reads.  `step(run, view="score")` is
    the same to walk through.

    >>> with viz.record("a product") as run:
    ...     y = tf.constant(3.0) * 2.0
    >>> viz.score(run)
    <picture: score and memory of 3 values, step 1 of 1>
    """
    return Picture(_scene_from(run, unfold), ("score", "memory"), step=step, theme=theme)


def lanes(run: _Any, step: int | None = None, *, theme: str = "", unfold: _Sequence[str] = ()) -> Picture:
    """Who listened when, and who held how many bytes: a lane per recorder over time, memory by holder beneath.

    >>> x = tf.Variable([1.0, 2.0])
    >>> with viz.record() as run, tf.GradientTape() as tape:
    ...     y = x * x
    >>> viz.lanes(run)
    <picture: lanes and memory of 2 values, step 3 of 3>
    """
    return Picture(_scene_from(run, unfold), ("lanes", "memory"), step=step, theme=theme)


def flow(run: _Any, *, theme: str = "") -> Drawing:
    """Forward mode: every value beside its tangents, a column per accumulator, seeds marked.

    Raises ValueError for a run in which no tangent was carried.

    >>> x = tf.constant(3.0)
    >>> with viz.record() as run, tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)) as acc:
    ...     y = x * x
    >>> viz.flow(run)
    value  is  tangent (acc)
    x      3   1 seed
    y      9   6
    """
    from .tell.flow import flow_of

    return draw(Figure("flow", **flow_of(_scene_from(run))), theme=theme)


def schedule(plan: _Any, *, theme: str = "") -> Drawing:
    """A plan as steps × time: what is kept meanwhile, what runs, runs again, is reversed; a plan in a notebook shows this.

    >>> viz.schedule(tf.plan(4, "sqrt"))
    sqrt: 4 steps, 8 runs
    4 runs again, at most 3 states = 3 bytes
    step 0  ○───────↻──◀
    step 1   ○       ↻◀
    step 2    ○─↻──◀
    step 3     ○ ↻◀
    """
    return draw(Figure("schedule", **_capture.grid_of(plan)), theme=theme)


def memory(run: _Any) -> MemoryPlot:
    """Bytes by holder over time as a matplotlib figure (`.figure`), with the peak marked.

    Raises ImportError without matplotlib.

    >>> x = tf.Variable([1.0, 2.0])
    >>> with viz.record() as run, tf.GradientTape() as tape:
    ...     y = tf.sin(x * x)
    >>> viz.memory(run)
    <memory of a run: peak 24 B at step 3: variables 8 B, Python names 8 B, tapes 8 B>
    """
    from .paint.plot import memory as plot

    return plot(_scene_from(run))


def compare(*runs: _Any, view: str = "", theme: str = "", **named: _Any) -> Drawing:
    """Two runs side by side: where they first differ, numbers beside numbers, graph against graph, and their memory on one axis.

    Rounding (float32 against float64) is told apart from what is really another number, and so is what runs again.  Of more than
    two runs it is the memory, and where each first differs from the first.  Two runs of one program in two frameworks are held
    against each other entry by entry: what each keeps, what each runs again.

    Args: runs, named by their titles; or as keywords, which name them.  The first is what the others are compared with.  view,
    "memory" for the memory alone.  `.figure` is the memory for matplotlib.  Raises TypeError for what is no run, ValueError for
    none and for another view.

    >>> def program(factor):
    ...     x = tf.Variable(3.0)
    ...     with viz.record() as run, tf.GradientTape() as tape:
    ...         y = x * factor
    ...     return run
    >>> print(viz.compare(two=program(2.0), four=program(4.0)))
    They first differ at line 4 (x * factor): the constant is 2 in two and 4 in four.
    Of 4 steps that both have: 2 the same to the bit, 2 really apart.
    <BLANKLINE>
                  line  two  four
    constant      4     2    4     2 apart (50 %)
    y = multiply  4     6    12    6 apart (50 %)
    <BLANKLINE>
    run   events  peak  at event  end   peak against two
    two   5       12 B  3         12 B
    four  5       12 B  3         12 B  ±0 %
    """
    from .tell.comparison import comparison_of

    return draw(comparison_of(runs, named, view), theme=theme)


def table(run: _Any, *, unfold: _Sequence[str] = ()) -> Text:
    """The run as a text table, for a terminal and for a screen reader.

    >>> with viz.record() as run:
    ...     x = tf.Variable(3.0)
    >>> len(viz.table(run).splitlines()) >= 2
    True
    """
    from .paint.text import table as lines

    return Text(lines(_scene_from(run, unfold)))


def cut(why: _Any, *, theme: str = "") -> Drawing:
    """The picture of an explanation: the path from the source to the target, and where it stops.

    `theme` is light or dark; without one it follows the reader.

    >>> x = tf.constant(3.0)
    >>> with tf.GradientTape() as tape:
    ...     y = x * x
    >>> viz.cut(tape.why(y, x)).svg.startswith("<svg")
    True
    """
    from .paint.cut import described, picture
    from .tell.cut import cut_of

    facts = Figure("cut", **cut_of(_capture.answered(why)))
    return Drawing(lambda: picture(facts, theme), described(facts), str(why), facts, theme)


def draw(figure: Figure, *, theme: str = "") -> Drawing:
    """The picture of a figure's facts: those of a flow, a schedule, a cut or a comparison, saved as JSON and read again.

    >>> saved = viz.schedule(tf.plan(4, "sqrt")).facts.to_json()
    >>> print(viz.draw(viz.Figure.from_json(saved)).text.splitlines()[0])
    sqrt: 4 steps, 8 runs
    """
    from importlib import import_module

    if figure.kind in ("curves", "runs"):
        return Comparison(figure, theme)
    room = import_module(f".paint.{figure.kind}", __name__)
    table_of = getattr(room, "table", room.described)
    return Drawing(lambda: room.picture(figure, theme), room.described(figure), table_of(figure), figure, theme)


def export(
    run: _Any, path: _Any, start: int = 0, *, view: str = "graph", theme: str = "", frames: _Any = None,
    unfold: _Sequence[str] | str = (), embed: bool = False,
) -> str:  # fmt: skip
    """Write the run to a file, in the form that the suffix names, and return the path.

    `.html` steps by itself from the disk, with no request to anywhere; `.svg` is the picture of one step (or a strip:
    frames="all", or a list of steps); `.png` is the memory plot; `.json` is the scene; `.dot` the graph for Graphviz;
    `.txt` the table.  `view` is the one that a page opens and a picture shows, "graph" or "score".

    A page of a long run is folded, and opens its folds level by level (F); of a very long one, with thousands of ops, only if
    unfold="all", which takes its time.  `unfold` may also name the folds that are open.

    What `compare` makes is written too: `.html` goes from difference to difference, through both graphs, and through the turns
    of a loop that both have (view="loop"); `.svg`, `.json`, `.txt` and `.png` are the picture, its facts, its words and the
    memory.  So are the pictures of `flow`, `schedule` and `cut`, whose page stands still.

    `embed=True` makes a page for a frame inside of another one, an article or a slide: picture, buttons, sentence and formula
    stand first, and the page tells its host how high it would be (docs/howto/embed_in_slides.md).  Raises ValueError for another
    suffix or view, and for what is embedded and no page.

    >>> import tempfile, os
    >>> with viz.record() as run:
    ...     x = tf.Variable(3.0)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     os.path.basename(viz.export(run, os.path.join(folder, "run.json")))
    'run.json'
    """
    if not isinstance(run, Drawing):
        from . import opening

        return opening.write(run, path, start, view, theme, frames, unfold, embed)
    from .paint import drawn

    if frames is not None or unfold:
        raise ValueError("frames and unfold are of one run; a comparison is written as it is drawn, without them")
    if theme and theme != run.theme and run.facts is not None:
        run = draw(run.facts, theme=theme)
    return drawn.write(run, path, start, theme or run.theme, view, embed)


def load_ipython_extension(shell: _Any) -> None:
    """`%load_ext viz`: gives notebooks the cell magic `%%tape`, which records and shows the cell under it."""
    from .magic import load

    load(shell, record, step)
    _capture.tell_nothing(print)


_faces.give(step, graph, cut, schedule)

__all__ = [
    "Comparison", "Figure", "Picture", "Run", "Scene", "Stream", "Text", "compare", "cut", "draw", "export", "flow",
    "graph", "lanes", "live", "memory", "record", "record_jax", "region", "schedule", "score", "step", "table",
]  # fmt: skip
if hasattr(_shell := getattr(_sys.modules.get("IPython"), "get_ipython", lambda: None)(), "kernel"):
    load_ipython_extension(_shell)  # a notebook has %%tape as soon as it has viz
_capture.answering(globals(), "viz", __all__)
