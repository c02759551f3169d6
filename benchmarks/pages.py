"""From a finished run to its page on disk: build the scene, lay it out, draw it, write the page; seconds and bytes."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from unittest import mock

import minitape as tf
import viz
from viz import layout
from viz.tell.scenes import scene_of

from .workloads import chain as chains
from .workloads import moons

LENGTHS = (30, 300, 3_000, 10_000, 100_000)


def chain(entries: int) -> None:
    """One long loop over single numbers, and the backward pass."""
    chains.taped("minitape", entries)()


def training(entries: int) -> None:
    """Many short tapes: a training loop with nine entries a step."""
    moons.taped("minitape", max(1, entries // 9), "float64")()


def layers(entries: int) -> None:
    """A net as deep as it takes, of dense layers with three entries each: nothing in it repeats."""
    model = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="tanh") for _ in range(max(1, entries // 3))])
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(model(tf.ones([2, 4])) ** 2)
    tape.gradient(loss, model.trainable_variables)


def processor() -> float:
    """CPU seconds of this process and of the programs that it ran, where `dot` does the layout."""
    children = os.times()
    return time.process_time() + children.children_user + children.children_system


@contextmanager
def clock(taken: dict[str, float], name: str) -> Iterator[None]:
    """Add what the block takes."""
    start = processor()
    yield
    taken[name] = taken.get(name, 0.0) + processor() - start


def page(program: Callable[[int], None], entries: int) -> dict[str, float]:
    """The seconds of the recorded run and of each floor, the page's size, and how much of the run is drawn."""
    taken: dict[str, float] = {}
    with clock(taken, "record"), viz.record() as run:
        program(entries)
    place = layout.place

    def placed(scene: viz.Scene, **how: Any) -> Any:
        with clock(taken, "layout"):
            return place(scene, **how)

    with clock(taken, "build"), mock.patch.object(layout, "place", placed):  # the scene asks for its positions itself
        scene = scene_of(run.stream)
    taken["build"] -= taken["layout"]
    with clock(taken, "render"):
        viz.graph(scene).svg  # noqa: B018 - drawn when it is looked at
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "page.html"
        with clock(taken, "export"):
            viz.export(scene, path)
        size = os.path.getsize(path) / 1e6
    return {
        "value": taken["build"] + taken["layout"] + taken["export"], **taken, "megabytes": size,
        "events": len(run), "cards": len(scene.values), "edges": len(scene.edges), "steps": len(scene.steps),
    }  # fmt: skip


def _measured(program: Callable[[int], None], entries: int) -> Callable[[bool], dict[str, float]]:
    def measured(small: bool) -> dict[str, Any]:
        page(program, 30)  # Graphviz and the renderers are loaded by the first
        return page(program, min(entries, 60) if small else entries)

    return measured


FIGURES = {
    f"page, {program.__name__} of {entries:,} entries": _measured(program, entries)
    for program in (chain, training, layers)
    for entries in LENGTHS
}
