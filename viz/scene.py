"""The contract between what happened and what is drawn.

A Scene is plain data: facts about one run, in the order in which a learner steps through them.  `build/` writes it,
`render/` and the player read it, and neither knows the other.  It turns into JSON and back without loss, and the same
run gives the same bytes.  Positions are the one derived part (`layout`): a scene without them is still whole.

Spans run from `from` up to, not including, `to`; without `to` they are open.

The only clock is the step number: step 0 is "nothing has run yet", and a fact dated `t` holds from step `t` on, until
the next fact of the same thing.  So the picture at any step is a function of the scene, and back is as exact as forward.
Lists keep their order; what is absent is left out of the JSON.

    Scene      schema, title, lead, unit, sources, recorders, holders, values, edges, regions, groups, names, steps, layout,
               notes (sentences to show with the picture: what it leaves out, and why)
    source     id, label ("cell 1", "lesson.py"), lines [[line number, text], ...] (gaps in the numbers are folds)
    recorder   id, name, kind (tape | accumulator), order (1: first derivatives, 2: derivatives of derivatives ...),
               states [{t, state}] with state listening | paused | stopped | spent; outermost recorder first
    holder     id (variable | python | tape | accumulator | flight), label; bottom of the memory stack first
    value      id, name, kind (variable | constant | value | gradient | tangent), order (0 for values), dtype, shape, bytes,
               op (its name) and sign (what the disc shows) unless it was made from nothing, custom (true where the op goes back
               by a rule of the learner's: its disc has eight corners), place, born (the step that
               made it; 0: it was there before), gone (the step from which nobody has its bytes), region, ghost (why no tape
               wrote it down), again [{from, to, kind: replay | rebuild}] (a value of a region: the spans in which it is there
               once more; an empty list while it never is), twin (the value of the first run that it repeats, where somebody
               wrote the rerun down, so that it has a card of its own), cells, kept [{by, from,
               to}] (a tape keeps it as its own op's output: a pin between disc and card), held
    cell       id ("v" for the value itself), label, kind (value | gradient | gradient2 | tangent | tangent2), by (a recorder),
               states [{t, text, data}]: text is at most a few characters, data {shape, numbers (nested, at most 64) | low, high}
               only for arrays.  Three texts are signs, not numbers: "None" (cut; state carries `why`), "∅" (this recorder
               does not see it).  No state yet, or the text "", means "not yet", drawn "·"; a zero is the number "0".
    held       {by (a holder: of several the one whom the ledger charges), from, to}: somebody held the value's bytes in these
               steps, or those of a rerun that gave it again
    edge       id, a (value), b (value), slot (which argument of b's op), carried [{t, by, kind, text}] (what came back, or
               what tangent went along it, through this one use), kept [{by, from, to}] (a tape keeps this input for the way back)
    region     id, label, kind (tape | gradient | gradient2 | tangent | tangent2 | recompute | rebuild | custom | name), recorder,
               parent, states [{t, state, text (what stands beside the label instead of the state's word)}]; of recompute and
               rebuild (a reversible layer) the states are open | closed | replaying | rebuilding | done, and they have runs
               (how often it ran, if more than once), kept and plain (bytes: what is kept of it, what a plain tape would keep)
    group      id, label ("line 11 ×25"), kind (layer | region | repeat | ops), parent (the opened group that it is a part of),
               face (the value that stands for it; it and others carry `group`), values (how many it folds), from, to: what of a
               long run is told as one step of kind "fold", until it is opened by its id
    name       id, label, from, to: a name of the learner's on the time axis (`with viz.region("encoder")`)
    step       kind, say (one sentence), place and cause ([source id, line]: the line that runs, and the line whose entry is
               being reversed), formula [[symbol, number, kind, value id or ""], ...], focus [value id | [value id, cell id]],
               flow [[edge id, way]] with way forward | back | back2 | tangent | tangent2, marks [[recorder id, mark]],
               memory {holder: bytes}, high (the most bytes inside this step, where above its end), produced [[place, text]],
               ask {question, options, answer, note, after} (asked at this step, before the next is shown; the guess is
               set against the answer `after` steps later), twin (of a replayed or rebuilt op: the step of its first run)
    mark       enter | exit | pause | resume | watch | op | ghost | seed | back | seed2 | back2 | tangent | tangent2 |
               replay | rebuild | look | miss | free | write
    layout     engine, rows {value id: [cell height, ...]}, LR and TB: each w, h, nodes {value id: [x, y, w, h]},
               edges {edge id: SVG path}, regions {region id: [x, y, w, h, label baseline]}.  A node's box holds the op's
               disc (DISC px, left of the card in LR and above it in TB) and the card.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, fields
from typing import Any

SCHEMA = "minitape-scene/1"


@dataclass(slots=True)
class Scene:
    """One run as facts, ready to be drawn, exported, compared and read aloud.

    >>> scene = Scene(title="nothing", steps=[{"kind": "start", "say": "Nothing has run yet.", "memory": {}}])
    >>> Scene.from_json(scene.to_json()) == scene
    True
    """

    title: str = ""
    lead: str = ""
    unit: str = "B"
    sources: list[dict[str, Any]] = field(default_factory=list)
    recorders: list[dict[str, Any]] = field(default_factory=list)
    holders: list[dict[str, Any]] = field(default_factory=list)
    values: list[dict[str, Any]] = field(default_factory=list)
    edges: list[dict[str, Any]] = field(default_factory=list)
    regions: list[dict[str, Any]] = field(default_factory=list)
    groups: list[dict[str, Any]] = field(default_factory=list)
    names: list[dict[str, Any]] = field(default_factory=list)
    steps: list[dict[str, Any]] = field(default_factory=list)
    layout: dict[str, Any] | None = None
    notes: list[str] = field(default_factory=list)
    schema: str = SCHEMA

    def to_dict(self) -> dict[str, Any]:
        """The scene as plain data, `schema` first and what is absent left out."""
        whole = {one.name: getattr(self, one.name) for one in fields(self)}
        return {"schema": whole.pop("schema"), **{key: value for key, value in whole.items() if value is not None}}

    def to_json(self) -> str:
        """The scene as one line of JSON; the same scene gives the same bytes."""
        return json.dumps(self.to_dict(), ensure_ascii=False, separators=(",", ":"), allow_nan=False)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Scene:
        """The scene that `to_dict` described; raises ValueError on another schema or an unknown part."""
        if data.get("schema") != SCHEMA:
            raise ValueError(f"this reads scenes of {SCHEMA!r}, not of {data.get('schema')!r}: export the run again")
        unknown = set(data) - {one.name for one in fields(cls)}
        if unknown:
            raise ValueError(f"not a part of a scene: {', '.join(sorted(unknown))}")
        return cls(**data)

    @classmethod
    def from_json(cls, text: str) -> Scene:
        """The scene that `to_json` wrote."""
        return cls.from_dict(json.loads(text))
