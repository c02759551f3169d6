"""Puts a Scene together: names, steps, grounds, the program, the memory.  Whatever happens, a run has a scene.

A record that cannot be told becomes a step of bare facts, and the rest is told as if it were not there; where even names and
folding fail, all steps are bare.  With VIZ_STRICT in the environment (our tests set it) a fault is an error instead.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from ..capture.stream import Stream, without_collecting
from ..scene import Scene
from ..style import amount
from .grounds import Grounds
from .loops import Loops
from .names import Names
from .program import Program
from .rounds import ALL
from .steps import CannotTell, Steps, plain_facts
from .words import Words

TRIES = 8  # after so many faults of one kind of record, all of that kind are bare


@without_collecting()
def scene_of(
    stream: Stream, open_: Iterable[str] = (), *, quick: bool = False, placed: bool = True, words: Words | None = None
) -> Scene:
    """The stream as a scene, positions included where an engine can place it; of a long run, folded, what is named is open.

    `quick` takes the first positions that come, `placed=False` none; `words` tells it in another language.
    """
    spoken = words or Words(stream.vocabulary)
    strict = faults_are_errors()
    bare: dict[Any, str] = {}
    while True:
        try:
            scene = _told(stream, open_, spoken, bare)
            break
        except CannotTell as fault:
            if strict:
                raise fault.problem from fault
            bare[fault.place if len(bare) < TRIES else fault.kind] = _said(fault.problem)
        except Exception as problem:
            if strict:
                raise
            scene, bare = _all_bare(stream, spoken, _said(problem)), {}
            break
    if stream.read and not strict:
        scene = _fitting(scene, stream, spoken)
    if bare:
        key = "bare.note.one" if len(bare) == 1 else "bare.note.many"
        scene.notes.insert(0, spoken(key, count=len(bare), problem=next(iter(bare.values()))))
    if placed:
        _place(scene, quick, spoken, strict)
    return scene


def faults_are_errors() -> bool:
    """Whether a record that cannot be told raises an error, as in our tests, instead of a step of bare facts."""
    return bool(os.environ.get("VIZ_STRICT"))


def _fitting(scene: Scene, stream: Stream, words: Words) -> Scene:
    """The scene, if a picture can be drawn of it; all steps bare where a stranger's stream says what no program does."""
    try:
        Scene.from_json(scene.to_json())
    except Exception as problem:
        return _all_bare(stream, words, _said(problem))
    return scene


def _said(problem: Exception) -> str:
    return f"{type(problem).__name__}: {problem}"[:200]


def _told(stream: Stream, open_: Iterable[str], words: Words, bare: dict[Any, str]) -> Scene:
    names = Names(stream, open_)
    program = Program(stream.block)
    told = Steps(names, program, words, bare)
    scene = Scene(title=stream.title, lead=stream.lead, vocabulary=stream.vocabulary or None, notes=list(stream.notes))
    scene.recorders = [
        {
            "id": names.recorder_ids[recorder], "name": names.recorder_names[recorder], "kind": recorder.kind,
            "order": names.order[recorder], "states": told.recorder_states.get(recorder, []),
        }
        for recorder in names.recorders
    ]  # fmt: skip
    scene.regions = Grounds(names, told).regions
    scene.values = [told.cards[value] for value in {**names.cards, **dict.fromkeys(told.cards)} if value in told.cards]
    again = [region for region in told.regions if region.kind == "recompute"]
    useful = {region.name for region in again if region.kept < region.plain}  # some calls keep less
    scene.notes += [
        words("region.no_saving", region=region.name, kept=amount(region.kept))
        for region in again
        if 0 < region.plain <= region.kept and region.name not in useful
    ]
    scene.names, scene.groups = told.stretches, told.groups
    if scene.groups:
        scene.notes.append(_folded("note", scene, words))
    scene.alarms = told.alarms
    scene.edges = list(told.edges.values())
    scene.steps, scene.looks = told.steps, told.looks
    scene.loops = _loops(stream, names, told)
    faces = {group["id"]: group["face"] for group in told.groups if "face" in group}
    folded = {block.id: block.ops for block in names.folding.blocks if block.id in faces}
    scene.cards = {value.id: faces[block] for block, ops in folded.items() for op in ops for value in op.gives}
    behind = names.folding.behind.items()
    scene.cards |= {value.id: told.cards[last]["id"] for value, last in behind if last in told.cards}
    scene.cards |= {value.id: card["id"] for value, card in told.cards.items()}
    _finish(scene, stream, program, words)
    used = {holder["id"] for holder in scene.holders}
    columns = [0, *[at for at, name in enumerate(stream.holders, 1) if name in used]]
    for loop in scene.loops:  # beside each other as the scene's holders are
        loop["memory"] = [[point[at] for at in columns] for point in loop["memory"]]
    # Its parts know it: all of the run would stay until Python's collector looks for such circles.
    vars(told).clear()
    return scene


def _folded(where: str, scene: Scene, words: Words) -> str:
    facts = {"count": sum(group["values"] for group in scene.groups), "groups": len(scene.groups)}
    key = f"fold.{where}.{'many' if len(scene.groups) > 1 else 'one'}"
    return words(key, **facts, **({"first": repr(scene.groups[0]["id"])} if where == "note" else {}))


def closed(scene: Scene) -> Scene:
    """The scene of a long run for a page that cannot open its folds, and says how one is made that can."""
    words = Words(scene.vocabulary)
    note, instead = _folded("note", scene, words), _folded("closed", scene, words)
    return replace(scene, notes=[instead if sentence == note else sentence for sentence in scene.notes])


def _loops(stream: Stream, names: Names, told: Steps) -> list[dict[str, Any]]:
    """The learner's loops, and at which step of this scene each of their turns begins."""
    loops = Loops(stream.records)
    folded = {op.id: block.id for block in names.folding.blocks for op in block.ops}
    begins = {group["id"]: group["from"] for group in told.groups}
    rounds = [begin for name, begin in begins.items() if name.split()[0] == ALL]
    out = loops.told(names.names) if loops.turns else []
    for at, loop in enumerate(out):
        step, loop["steps"] = 0, []
        for op in loops.first_ops(at):
            card = told.cards.get(op.gives[0])
            unseen = next((begin for begin in rounds if begin >= step), step)
            step = card["born"] if card is not None else begins.get(folded.get(op.id, ""), unseen)
            loop["steps"].append(step)
    return out


def _finish(scene: Scene, stream: Stream, program: Program, words: Words) -> None:
    used = {name for step in scene.steps for name in step["memory"]}
    labels = {name: words.vocabulary[f"{name}s"] if f"{name}s" in words.vocabulary else words.vocabulary.get(name, name)
              for name in stream.holders}  # fmt: skip
    scene.holders = [{"id": name, "label": labels[name]} for name in stream.holders if name in used]
    scene.sources = program.sources()


def _all_bare(stream: Stream, words: Words, problem: str) -> Scene:
    """Every record as a step of its own, and nothing more."""
    scene, program = Scene(title=stream.title, lead=stream.lead, notes=list(stream.notes)), Program(stream.block)
    memory: dict[str, int] = {}
    scene.steps = [{"kind": "start", "say": words("start"), "memory": memory}]
    for record in stream.records:
        if record.memory:
            memory = stream.by_holder(record.memory)
        if record.kind:
            step: dict[str, Any] = {"kind": "bare", "say": f"{record.kind}: {plain_facts(record)}.", "memory": memory}
            place = program.place(record.site)
            scene.steps.append(step if place is None else {**step, "place": place})
    scene.notes.append(words("bare.all", problem=problem))
    _finish(scene, stream, program, words)
    return scene


def _place(scene: Scene, quick: bool, words: Words, strict: bool) -> None:
    from ..layout import MOST, place

    try:
        scene.layout = place(scene, quick=quick)
    except Exception as problem:
        if strict:
            raise
        scene.notes.append(words("graph.failed", problem=_said(problem)))
        return
    if scene.layout is None and len(scene.values) > MOST:
        scene.notes.append(words("graph.too_many", count=len(scene.values), most=MOST))
    elif scene.layout is None:
        scene.notes.append(words("graph.no_engine"))
