"""Sources: what watches a program, and gives a stream of records that knows no framework.

Each framework is one room here, and nothing else in viz imports it: `minitape/`, and `torch/`, `tensorflow/` and `jax/`, which
load theirs only when somebody records it.  What they watch is told by everything above from records alone.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any

from . import minitape
from .minitape import (
    Run,
    about,
    adopt,
    alias_cell,
    answered,
    answering,
    busy,
    called,
    chances,
    give_faces,
    grid_of,
    region,
    tape_stream,
    tell_nothing,
    variable_facts,
    version,
)
from .run import Recorded
from .stream import Stream

SOURCES = ("torch", "tensorflow")  # frameworks that have a room here, by the name that Python imports them by


def stream_of(thing: Any) -> Stream | None:
    """The stream of a run, a tape or a stream; None for anything else."""
    return thing if isinstance(thing, Stream) else thing.stream if isinstance(thing, Recorded) else tape_stream(thing)


def record(*what: Any, title: str = "", lead: str = "", limit: int | None = None, untested: bool = False) -> Any:
    """Watch everything that happens inside the block, of any depth; the run can be stepped through afterwards.

    Args: what, title and lead, words that stand above the pictures, and before them, for a program of another framework, that
    framework: `viz.record(torch)`; limit, after how many events to stop listening, so that a long program costs no more time
    and memory than its beginning; untested, whether a version of it that was never tested may be recorded.
    Raises TypeError for a title that is not a text, ValueError for an unknown framework or a limit below 1, RuntimeError for a
    version that is refused.

    >>> with viz.record() as run:
    ...     x = tf.Variable(3.0)
    ...     with tf.GradientTape() as tape:
    ...         y = x * x
    ...     slope = tape.gradient(y, x)
    >>> run.scene.steps[-1]["say"]
    'slope is 6. tape lets go of everything that it kept.'
    """
    framework = what[0] if what and isinstance(what[0], ModuleType) else None
    if len(texts := what[framework is not None :]) > 2 or any(map(callable, texts)):
        raise TypeError('a run is what happens in a block: with viz.record("a title", "a lead") as run: call it')
    words = dict(zip(("title", "lead"), texts, strict=False))
    words = {"title": title, "lead": lead} | words
    name = "minitape" if framework is None else framework.__name__
    if framework is None or name == "minitape":
        return minitape.record(**words, limit=limit)
    if name == "jax":
        raise ValueError(
            "JAX has no eager tape to listen to: viz.record_jax(f, *args) records a function and its gradient"
        )
    if name not in SOURCES:
        raise ValueError(f"{name} cannot be recorded: these can be: minitape, {', '.join(SOURCES)}")
    if limit is not None:
        raise ValueError(f"limit is known to runs of minitape, not of {name}: record fewer steps")
    return import_module(f".{name}", __name__).record(framework, **words, untested=untested)


def record_jax(
    f: Callable[..., Any], *args: Any, title: str = "", lead: str = "", argnums: int | Sequence[int] = 0, order: int = 1,
    boxes: bool = False, tangents: Sequence[Any] | None = None, untested: bool = False,
) -> Any:  # fmt: skip
    """The run of a function of JAX's and of its gradient: its jaxpr, interpreted equation by equation.

    Args: f, a function of arrays to a single number; args, what to call it with; title and lead, words that stand above the
    pictures; argnums, by which arguments to differentiate, as in jax.grad; order, how often; boxes, whether a function under
    jit stays one box; tangents, a direction for each argument: then forward mode is recorded, as jax.jvp, instead; untested,
    whether a version that was never tried may be used.  The run has `value`, and `gradient` and `gradients`, or `tangent`.
      Raises what JAX raises for the function, TypeError for a result of many numbers, RuntimeError for a refused
    version, ImportError where there is no JAX.

    >>> import jax  # doctest: +SKIP
    >>> run = viz.record_jax(lambda x: x ** 3, 2.0, order=2)  # doctest: +SKIP
    >>> run.gradients  # doctest: +SKIP
    [Array(12., dtype=float32), Array(12., dtype=float32)]
    """
    try:
        jax = import_module("jax")
    except ImportError as fault:
        raise ImportError('viz.record_jax needs JAX: pip install "minitape[jax]" brings it') from fault
    return import_module(".jax", __name__).record(
        jax, f, args, title, lead, argnums=argnums, order=order, boxes=boxes, tangents=tangents, untested=untested
    )


__all__ = [
    "Recorded", "SOURCES", "Run", "Stream", "about", "adopt", "alias_cell", "answered", "answering", "busy", "called",
    "chances", "give_faces", "grid_of", "record", "record_jax", "region", "stream_of", "version",
]  # fmt: skip
