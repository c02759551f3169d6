"""Scenes, streams and figures that are not ours: refused with the path to what is wrong, or drawn, and never anything else."""

from __future__ import annotations

import copy
import json
import random
import re
import signal
import time
import traceback
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

import minitape as tf
import viz
from tests.support import times
from tests.viz import programs
from viz.scene import Scene

pytestmark = pytest.mark.deep

CHUNK = 50
LONGEST = 2.0  # seconds to be refused, or read and drawn
NAMES = ("slope", "nested", "recompute", "keras_step", "loop", "custom_gradient", "forward_over_backward")


def nest(depth: int) -> Any:
    data: Any = []
    for _ in range(depth):
        data = [data]
    return data


ODD: list[Any] = [
    None, True, 0, -1, 1, 7, 10**6, 10**9, -(10**9), 2**70, 1e308, 0.5, "", "x", "v0", "v1", "tape", "None", "∅", "nan", "-inf", "x" * 5_000, "</script>",
    "\u202e\x00", "{}", [], {}, [[]], [None], {"": None}, {"x": 1}, ["v0", "v"], [0, 0], [1, 2, 3], ["a"] * 2_000, list(range(2_000)),
    {str(n): n for n in range(2_000)}, nest(5), nest(60),
]  # fmt: skip
WORDS = re.compile(r"^(scene|stream|figure)|reads (scenes|figures)|no number of JSON")


def places(data: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place of plain data, by its keys."""
    if path:
        yield path
    for key, inner in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield from places(inner, (*path, key))


def mutated(data: Any, known: list[tuple[Any, ...]], draw: random.Random) -> Any:
    """The data with one to three things in it changed: taken out, put elsewhere, come twice, or something odd."""
    data = copy.deepcopy(data)
    for _ in range(draw.choice((1, 1, 1, 2, 3))):
        path = draw.choice(known)
        try:
            inside = at(data, path[:-1])
            inside[path[-1]]
            if isinstance(inside, str):
                continue
        except (KeyError, IndexError, TypeError):  # gone with an earlier change
            continue
        how = draw.randrange(8)
        if how == 0:
            del inside[path[-1]]
        elif how == 1:
            try:
                inside[path[-1]] = copy.deepcopy(at(data, draw.choice(known)))
            except (KeyError, IndexError, TypeError):
                continue
        elif how == 2 and isinstance(inside, list):
            inside.insert(path[-1], copy.deepcopy(inside[path[-1]]))
        elif how == 3 and isinstance(inside, list):
            inside.reverse()
        elif how == 4 and isinstance(inside, dict):
            inside[draw.choice(["", "x", "id", "t", "kind", "value", "\u202e"])] = inside.pop(path[-1])
        elif how == 5 and type(inside[path[-1]]) is int:
            inside[path[-1]] += draw.choice([-1, 1, -1000, 1000, 10**12])
        elif how == 6 and isinstance(inside[path[-1]], list):
            inside[path[-1]] = (inside[path[-1]] * 400)[:2_000]
        else:
            inside[path[-1]] = copy.deepcopy(draw.choice(ODD))
    return data


def at(data: Any, path: tuple[Any, ...]) -> Any:
    for key in path:
        data = data[key]
    return data


@contextmanager
def limited() -> Iterator[None]:
    """An end to what would never come back."""

    def late(*given: Any) -> None:
        raise TimeoutError(f"more than {3 * LONGEST} s")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, 3 * LONGEST)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def drawn(what: Any) -> None:
    """Through every renderer."""
    if isinstance(what, viz.Figure):
        ET.fromstring(viz.draw(what).svg)
        return
    what = scene = what if isinstance(what, Scene) else what.scene
    for view in (viz.graph, viz.score, viz.lanes):
        ET.fromstring(view(what).svg)
    ET.fromstring(viz.graph(what, 0).svg)
    assert str(viz.table(what)) and viz.graph(what)._repr_mimebundle_()
    with pytest.MonkeyPatch.context() as patch:  # the page as text
        kept: list[str] = []
        patch.setattr("viz.files.write", lambda path, content: kept.append(str(content)) or str(path))
        for suffix in ("html", "svg", "dot", "txt", "json"):
            viz.export(what, f"x.{suffix}")
        assert len(kept) == 5
    assert Scene.from_json(scene.to_json()).to_json() == scene.to_json()


def answer(kind: Any, text: str) -> str:
    """What became of it: refused, drawn, or what went wrong."""
    start = time.process_time()
    try:
        with limited():
            try:
                what = kind.from_json(text)
            except ValueError as problem:
                said = str(problem)
                return (
                    "refused" if WORDS.search(said) and len(said) < 2_000 else f"refused without a path: {said[:200]}"
                )
            drawn(what)
    except Exception as answered:
        problem = answered.__context__ or answered  # a door's answer hides the fault itself
        last = traceback.extract_tb(problem.__traceback__)
        ours = [one for one in last if "/viz/" in one.filename and "tests" not in one.filename] or last
        return (
            f"{type(problem).__name__}: {problem}"[:160]
            + f" at {ours[-1].filename.rpartition('/')[2]}:{ours[-1].lineno}"
        )
    taken = time.process_time() - start
    return "drawn" if taken < LONGEST else f"{taken:.1f} s"


def sources() -> dict[str, tuple[Any, Any]]:
    """Stored data of all three kinds."""
    x = tf.constant(3.0)
    with viz.record() as run, tf.autodiff.ForwardAccumulator(x, tf.constant(1.0)), tf.GradientTape() as tape:
        y = x * x
    figures = [viz.flow(run), viz.schedule(tf.plan(5, "sqrt")), viz.cut(tape.why(y, x)), viz.compare(run)]
    found: dict[str, tuple[Any, Any]] = {
        one.facts.kind: (viz.Figure, json.loads(one.facts.to_json())) for one in figures
    }
    for name in [name for name in NAMES if name in programs.NAMES]:
        one = programs.run(name)
        found[f"scene {name}"] = Scene, json.loads(one.scene.to_json())
        found[f"stream {name}"] = viz.Stream, json.loads(one.stream.to_json())
    return found


@pytest.fixture(scope="module")
def stored() -> dict[str, tuple[Any, Any, list[tuple[Any, ...]]]]:
    return {name: (kind, data, list(places(data))) for name, (kind, data) in sources().items()}


@pytest.mark.parametrize("first", range(0, times(2_000), CHUNK))
def test_a_changed_one_is_refused_with_the_path_or_drawn(
    first: int, stored: Any, monkeypatch: pytest.MonkeyPatch, record_property: Any
) -> None:
    record_property("tried: strangers' scenes, streams and figures: changed at one to three places", CHUNK)
    monkeypatch.delenv("VIZ_STRICT")  # what cannot be told is a step of bare facts
    found: dict[str, int] = {}
    for seed in range(first, first + CHUNK):
        draw = random.Random(seed)
        name = draw.choice(sorted(stored))
        kind, data, known = stored[name]
        became = answer(kind, json.dumps(mutated(data, known, draw)))
        assert became in ("refused", "drawn"), f"seed {seed}, {name}: {became}"
        found[became] = found.get(became, 0) + 1
    assert len(found) == 2  # both come
