"""What holds at a step: every picture is a fold of the scene's dated facts up to there, and this is where they are folded.

Pure functions over plain data.  A fact dated `t` holds from step `t` on; a span holds from its `from` up to, not including,
its `to`, and for good where it has none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..scene import Scene
from ..style import CUT, HOLDERS, NEVER, amount, words

Facts = list[dict[str, Any]]

SIGNS = {CUT: "none", NEVER: "never"}  # what stands in place of a number, by its name


def sign(state: dict[str, Any] | None) -> str:
    """Which of the three signs a cell shows instead of a number: "notyet", "none" or "never"; empty for a number."""
    return SIGNS.get(state.get("text", ""), "") if state else "notyet"


def fresh(state: dict[str, Any] | None, step: int) -> bool:
    """Whether this very step wrote it."""
    return state is not None and state["t"] == step > 0


def step_of(scene: Scene, step: int | None) -> int:
    """A step number of this scene: None is the last, −1 too; raises IndexError beyond the ends.

    >>> step_of(Scene(steps=[{"kind": "start", "say": "."}] * 3), None)
    2
    """
    count = len(scene.steps)
    if count == 0:
        raise IndexError("this scene has no steps")
    at = count - 1 if step is None else step + count if step < 0 else step
    if not 0 <= at < count:
        raise IndexError(f"step {step} is not one of this scene's 0 to {count - 1}")
    return at


def latest(facts: Facts, step: int) -> dict[str, Any] | None:
    """The last of these facts that holds at a step.

    >>> latest([{"t": 1, "text": "3"}, {"t": 4, "text": "5"}], 3)
    {'t': 1, 'text': '3'}
    """
    found = None
    for fact in facts:
        if fact["t"] <= step:
            found = fact
    return found


def holds(span: dict[str, Any], step: int) -> bool:
    """Whether a span covers a step.

    >>> [holds({"from": 2, "to": 4}, step) for step in range(5)]
    [False, False, True, True, False]
    """
    end = span.get("to")
    return bool(span["from"] <= step and (end is None or step < end))


def span_at(spans: Facts, step: int) -> str:
    """How a step stands to these spans: "kept" in one, "free" after all that began, "" before them."""
    begun = [span for span in spans if span["from"] <= step]
    return "" if not begun else "kept" if any(holds(span, step) for span in begun) else "free"


def states_of(*values: dict[str, Any]) -> Facts:
    """All that the cells of some cards ever show."""
    return [state for value in values for cell in value["cells"] for state in cell.get("states", [])]


def written(cell: dict[str, Any]) -> Facts:
    """The states of a cell in which something stands."""
    return [state for state in cell.get("states", []) if state.get("text") or state.get("data")]


def shown_at(value: dict[str, Any], step: int) -> list[dict[str, Any] | None]:
    """What stands in each row of a value's card at a step."""
    return [latest(cell.get("states", []), step) for cell in value["cells"]]


def born(value: dict[str, Any], step: int) -> bool:
    """Whether a value is there at a step."""
    return bool(value.get("born", 0) <= step)


def carried_at(edge: dict[str, Any], step: int) -> dict[str, Any] | None:
    """What last went along an edge: what came back through this one use, or the tangent that went along it."""
    last = latest(edge.get("carried", []), step)
    return None if last is None or step >= last.get("to", step + 1) else last


def dates_carried(edge: dict[str, Any]) -> list[int]:
    """When that changes."""
    return [date for fact in edge.get("carried", []) for date in (fact["t"], fact.get("to")) if date is not None]


def is_cut(a: dict[str, Any], b: dict[str, Any], step: int) -> bool:
    """Whether the backward pass is cut between a value and the result `b` of an op on it: `a` shows None, although `b` has a
    number there, or was never written down."""
    if not born(b, step):
        return False
    for cell, state in zip(a["cells"], shown_at(a, step), strict=True):
        if cell["kind"] == "value" or sign(state) != "none":
            continue
        twins = [counterpart for counterpart in b["cells"] if counterpart["kind"] == cell["kind"]]
        same = [counterpart for counterpart in twins if counterpart["id"] == cell["id"]]
        if b.get("ghost") or any(sign(latest(twin.get("states", []), step)) == "" for twin in (same or twins)[:1]):
            return True
    return False


def state_at(thing: dict[str, Any], step: int) -> str:
    """The state word of a recorder or a region at a step; empty before the first."""
    found = latest(thing.get("states", []), step)
    return str(found["state"]) if found else ""


def card_of(thing: Any) -> str:
    """The card of what a step looks at: a card, or a cell of one."""
    return str(thing if isinstance(thing, str) else thing[0])


def focus(scene: Scene) -> dict[Any, set[int]]:
    """The steps that look at a card, or at a cell, (card, cell)."""
    found: dict[Any, set[int]] = {}
    for at, step in enumerate(scene.steps):
        for thing in step.get("focus", []):
            found.setdefault(thing if isinstance(thing, str) else tuple(thing), set()).add(at)
    return found


def pins(scene: Scene) -> dict[str, Facts]:
    """By value how long tapes keep it for the uses that edges lead to."""
    found: dict[str, Facts] = {}
    for edge in scene.edges:
        found.setdefault(edge["a"], []).extend(edge.get("kept", []))
    return found


ROWS = 3  # recorders that have a row of their own, whenever they listen


def rows_of(scene: Scene) -> list[list[dict[str, Any]]]:
    """The recorders by their row, outermost first: of more than `ROWS` those that come after each other share one."""
    share, until, rows = len(scene.recorders) > ROWS, list[int](), list[list[dict[str, Any]]]()
    heard: dict[str, list[int]] = {}
    for at, step in enumerate(scene.steps):
        for mark in step.get("marks", []):
            heard.setdefault(mark[0], []).append(at)
    for recorder in scene.recorders:
        steps = heard.get(recorder["id"], [len(scene.steps)])
        row = next((at for at, last in enumerate(until) if share and last < steps[0]), len(until))
        until[row : row + 1] = [steps[-1]]
        rows[row : row + 1] = [[*(rows[row] if row < len(rows) else []), recorder]]
    return rows


def user_at(users: list[dict[str, Any]], step: int) -> dict[str, Any]:
    """Who is in a row at a step: of those that share it the last that has begun."""
    begun = (user for user in reversed(users) if any(state["t"] <= step for state in user.get("states", [])))
    return next(begun, users[0])


def region_state(scene: Scene, region: dict[str, Any], step: int) -> str:
    """The state word of a region: its own, or its recorder's where it has none; a name scope listens to nobody."""
    if region["kind"] == "name" and not region.get("states"):
        return ""
    owner = next((recorder for recorder in scene.recorders if recorder["id"] == region.get("recorder")), None)
    return state_at(region if region.get("states") or owner is None else owner, step)


def region_words(scene: Scene, region: dict[str, Any], step: int) -> str:
    """What stands beside a region's label: its own words at this step, else its state."""
    found = latest(region.get("states", []), step)
    return str(found.get("text") or found["state"]) if found else region_state(scene, region, step)


def again_at(value: dict[str, Any], step: int) -> str:
    """Whether a value of a region is "away" (its bytes are gone, until it runs again) or back: "replay" or "rebuild"."""
    for span in value.get("again", []):
        if holds(span, step):
            return str(span["kind"])
    return "away" if "again" in value and value.get("gone", step + 1) <= step else ""


def stretches(thing: dict[str, Any], steps: int) -> Iterator[tuple[int, int, str]]:
    """The states of a recorder or a region, each with its time: (from, to, state), up to the last step."""
    states = thing.get("states") or []
    for at, state in enumerate(states):
        end = states[at + 1]["t"] if at + 1 < len(states) else steps - 1
        yield state["t"], end, state["state"]


def memory_at(scene: Scene, step: int) -> dict[str, float]:
    """Bytes by holder after a step, bottom of the stack first."""
    held: dict[str, float] = scene.steps[step].get("memory", {})
    return dict.fromkeys((holder["id"] for holder in scene.holders), 0.0) | held


def total_at(scene: Scene, step: int) -> float:
    """All bytes held after a step."""
    return sum(memory_at(scene, step).values())


def high_at(scene: Scene, step: int) -> float:
    """The most bytes at any moment of a step."""
    return max(total_at(scene, step), float(scene.steps[step].get("high", 0)))


def peak(scene: Scene, until: int | None = None) -> tuple[float, int]:
    """The most bytes of a run and the first step that reaches them."""
    steps = range(len(scene.steps) if until is None else until + 1)
    best = max(steps, key=lambda at: (high_at(scene, at), -at), default=0)
    return (high_at(scene, best) if scene.steps else 0), best


def holders(scene: Scene) -> dict[str, str]:
    """The words of every holder that is used, bottom of the stack first."""
    known = {holder["id"]: holder["label"] for holder in scene.holders}
    used = dict.fromkeys(key for told in scene.steps for key in told.get("memory", {}))
    return {key: known.get(key) or HOLDERS.get(key, key) for key in {**known, **used}}


def peak_words(scene: Scene) -> str:
    """How high memory went, where, and who held it."""
    (most, step), names = peak(scene), holders(scene)
    held = [f"{names[key]} {amount(total, scene.unit)}" for key, total in memory_at(scene, step).items() if total]
    inside = most - total_at(scene, step)
    held += [words("time.inside", amount=amount(inside, scene.unit))] if inside else []
    return words("time.peak_at", amount=amount(most, scene.unit), step=step, held=", ".join(held))
