"""Forward mode as pairs: every value beside its tangents, in the order in which they arise together."""

from __future__ import annotations

from typing import Any

from ..scene import Scene, of_order


def flow_of(scene: Scene) -> dict[str, Any]:
    """Rows of a value and its tangents, a column per accumulator (the outermost first).

    Raises ValueError for a scene in which no tangent was carried.
    """
    columns = [recorder for recorder in scene.recorders if recorder["kind"] == "accumulator"]
    written: dict[tuple[str, str], dict[str, Any]] = {}
    for step in scene.steps:
        for focus in step.get("focus", []):
            if not isinstance(focus, str):
                written.setdefault((focus[0], focus[1]), step)
    rows = []
    for value in scene.values:
        cells = {
            cell["by"]: cell for cell in value["cells"] if cell["kind"].startswith("tangent") and cell["id"] != "v"
        }
        if not cells:
            continue
        made = next((step for step in scene.steps if value["id"] in step.get("focus", []) and step["kind"] == "op"), {})
        tangents = []
        for column in columns:
            cell = cells.get(column["id"], {"id": "", "states": []})
            states, step = cell["states"], written.get((value["id"], cell["id"]), {})
            seed = step.get("kind") == "tangent" and not step.get("flow")
            formula = [] if seed else step.get("formula", [])
            tangents.append({"state": states[-1] if states else None, "seed": seed, "formula": formula})
        first = value["cells"][0]["states"]
        own = value["kind"] if value["kind"] in ("gradient", "tangent") else ""
        rows.append({
            "name": value["name"], "sign": value.get("sign") or value.get("op") or "", "order": value["order"],
            "kind": of_order(own, value["order"] if own else 1), "state": first[-1] if first else None,
            "formula": made.get("formula", []), "tangents": tangents,
        })  # fmt: skip
    if not rows:
        raise ValueError(
            "no tangent was carried in this run: forward mode needs `with tf.autodiff.ForwardAccumulator(x, direction) as acc: …`"
        )
    heads = [{"name": column["name"], "kind": of_order("tangent", column["order"])} for column in columns]
    return {"title": scene.title, "columns": heads, "rows": rows}
