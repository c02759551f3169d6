"""viz: what minitape wrote down, as pictures.

    import minitape as tf, viz
    with viz.record() as run:          # everything that happens inside, of any depth
        ...
    run                                # in a notebook the stepper, anywhere else a text table
    viz.export(run, "lesson.html")     # one file that steps by itself, offline

Every function takes a run, or a tape where a tape has enough to say.
"""

from __future__ import annotations

import os as _os
from typing import Any as _Any

from minitape.record.provenance import adopt as _adopt
from minitape.record.why import Explanation as _Explanation

from .build.run import Run, record
from .build.source import scene_from as _scene_from
from .picture import Drawing, Picture, Text
from .scene import Scene

_adopt(_os.path.dirname(_os.path.abspath(__file__)))


def step(run: _Any, start: int = 0, *, theme: str = "", ask: _Any = None) -> _Any:
    """The stepper: a widget in which a learner walks through the run, forwards and backwards.

    Args: start, the step to open at (-1: the last); theme, "light", "dark" or "" for the notebook's; ask, a question (see
    `viz.lesson.question`), the name of a stored one ("02.2"), or a list of them, put before the step that answers it.
    Without anywidget it is a static picture.

    >>> import minitape as tf
    >>> with record("a square") as run:
    ...     x = tf.Variable(3.0)
    ...     with tf.GradientTape() as tape:
    ...         y = x * x
    >>> step(run)
    <Stepper: a square, 5 steps>
    """
    from .lesson.question import put
    from .render.svg import picture
    from .render.text import story

    scene = _scene_from(run)
    scene = scene if ask is None else put(scene, ask)
    at = start if start >= 0 else len(scene.steps) + start
    try:
        from .render.widget import Stepper
    except ImportError:  # no anywidget here
        return Picture(scene, ("say", "code", "graph", "lanes", "memory"), step=at, theme=theme or "light")
    still = len(scene.steps) - 1 if at == 0 else at
    return Stepper(
        scene, picture=picture(scene, still, theme=theme or "light"), words=story(scene), step=at, theme=theme
    )


def graph(run: _Any, step: int | None = None, *, theme: str = "light") -> Picture:
    """The graph at a step (by default the last): cards for values, discs for ops, gradients back along the same edges.

    >>> import minitape as tf
    >>> with record() as run:
    ...     y = tf.constant(3.0) * 2.0
    >>> graph(run)
    <picture: graph of 3 values, step 1 of 1>
    """
    return Picture(_scene_from(run), ("graph",), step=step, theme=theme)


def lanes(run: _Any, step: int | None = None, *, theme: str = "light") -> Picture:
    """Who listened when, and who held how many bytes: a lane per recorder over time, memory by holder beneath."""
    return Picture(_scene_from(run), ("lanes", "memory"), step=step, theme=theme)


def memory(run: _Any) -> _Any:
    """Bytes by holder over time as a matplotlib figure (`.figure`), with the peak marked."""
    from .render.plot import memory as plot

    return plot(_scene_from(run))


def table(run: _Any) -> Text:
    """The run as a text table, for a terminal and for a screen reader.

    >>> import minitape as tf
    >>> with record() as run:
    ...     x = tf.Variable(3.0)
    >>> len(table(run).splitlines()) >= 2
    True
    """
    from .render.text import table as lines

    return Text(lines(_scene_from(run)))


def cut(why: _Explanation, *, theme: str = "light") -> Drawing:
    """The picture of an explanation: the path from the source to the target, and where it stops.

    >>> import minitape as tf
    >>> x = tf.constant(3.0)
    >>> with tf.GradientTape() as tape:
    ...     y = x * x
    >>> cut(tape.why(y, x)).svg.startswith("<svg")
    True
    """
    from .build.cut import cut_of
    from .render.cut import described, picture

    facts = cut_of(why)
    return Drawing(picture(facts, theme), described(facts), str(why))


def export(run: _Any, path: _Any, start: int = 0, *, theme: str = "", frames: _Any = None) -> str:
    """Write the run to a file, in the form that the suffix names, and return the path.

    `.html` steps by itself from the disk, with no request to anywhere; `.svg` is the picture of one step (or a strip:
    frames="all", or a list of steps); `.png` is the memory plot; `.json` is the scene; `.dot` the graph for Graphviz;
    `.txt` the table.  Raises ValueError for another suffix.

    >>> import minitape as tf, tempfile, os
    >>> with record() as run:
    ...     x = tf.Variable(3.0)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     os.path.basename(export(run, os.path.join(folder, "run.json")))
    'run.json'
    """
    from .render.file import write

    return write(_scene_from(run), path, start, theme, frames)


def load_ipython_extension(shell: _Any) -> None:
    """`%load_ext viz`: gives notebooks the cell magic `%%tape`, which records and shows the cell under it."""
    from .magic import load

    load(shell, record, step)


def _bundle(run: Run, include: _Any = None, exclude: _Any = None) -> _Any:
    return step(run)._repr_mimebundle_(include=include, exclude=exclude)


def _explained(why: _Explanation, include: _Any = None, exclude: _Any = None) -> _Any:
    return cut(why)._repr_mimebundle_(include=include, exclude=exclude)


_Explanation._repr_mimebundle_ = _explained  # type: ignore[attr-defined]

# A run shows itself: in a notebook as the stepper, anywhere else as the table.
Run.__repr__ = lambda run: table(run)  # type: ignore[method-assign]
Run._repr_mimebundle_ = _bundle  # type: ignore[attr-defined]
Run.scene = property(_scene_from)  # type: ignore[attr-defined]

__all__ = ["Picture", "Run", "Scene", "Text", "cut", "export", "graph", "lanes", "memory", "record", "step", "table"]
