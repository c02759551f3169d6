"""The knobs as marks: the program's first line, in which every knob stands in its place, and a row for each under the graph."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable
from typing import Any

from ..paint.ink import clean
from ..paint.sheet import Mark, Page
from ..scene import Scene
from ..style import words
from .abbreviations import Knob


def signature(scene: Scene, program: Callable[..., Any], knobs: list[Knob]) -> tuple[str, str]:
    """The line that says `def`, by its key in the code panel, and its HTML with a place for each knob.

    Empty where that line is not shown, or is not one line.
    """
    try:
        lines, first = inspect.getsourcelines(inspect.unwrap(program))
        [function] = ast.parse(textwrap.dedent("".join(lines))).body
    except (OSError, TypeError, ValueError, SyntaxError):
        return "", ""
    if not isinstance(function, ast.FunctionDef) or not scene.sources:
        return "", ""
    at, text = first + function.lineno - 1, lines[function.lineno - 1].strip()
    if not any(number == at for number, _ in scene.sources[0]["lines"]) or not text.endswith(":"):
        return "", ""
    known = {knob.name: knob for knob in knobs}
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    shown = ", ".join(
        _place(known[argument.arg]) if argument.arg in known else clean(argument.arg) for argument in arguments
    )
    return f"line:{scene.sources[0]['id']}|{at}", f"def {clean(function.name)}({shown}):"


def _place(knob: Knob) -> str:
    """A knob in the program's first line: a number is dragged, anything else goes on to what comes next."""
    said = words("live.turn", name=knob.name)
    if knob.kind == "number":
        bounds = f'aria-valuemin="{knob.low}" aria-valuemax="{knob.high}"'
        role = f'<b class="mt-knob" role="spinbutton" tabindex="0" {bounds}'
    elif knob.kind == "text":
        return f'{knob.name}=<b data-shows="{knob.name}"></b>'
    else:
        role = '<b class="mt-knob" role="button" tabindex="0"'
    return f'{knob.name}={role} aria-label="{clean(said)}" title="{clean(said)}" data-knob="{knob.name}"></b>'


def panel(knobs: list[Knob], axis: Knob | None) -> Mark:
    """The knob of the plot's axis stands right under the plot, as wide as it is; the others beside each other."""
    under = [_row(knob, True) for knob in knobs if knob is axis]
    others = Mark("div", *(_row(knob, False) for knob in knobs if knob is not axis), cls="knobs")
    curve = {"viewbox": "0 0 100 100", "fixed": "none", "width": "100%", "height": "100%"}
    lines = [Mark("path", cls=f"line {name}", data_line=name) for name in ("zero", "curve", "ghost", "tangent")]
    dots = [Mark("i", cls=f"spot {name}", data_spot=name, hidden="") for name in ("ghost", "here")]
    drawn = Mark("svg", *lines, **curve)
    plot = Mark("div", drawn, *dots, cls="plot", hidden="", role="img", aria_label=words("live.plot"))
    facts = [
        Mark("span", Mark("span", text=words(f"live.{name}")), Mark("b"), Mark("i"), cls=f"fact {name}", data_fact=name)
        for name in ("height", "slope")
    ]
    told = Mark("p", *facts, cls="facts", role="status")
    if not under:
        others.kids.append(told)
    rows = (*under, told, others) if under else (others,)
    notes = [Mark("p", text=words(f"live.{name}"), cls=f"remark {name}", hidden="") for name in ("alone", "waiting")]
    how = {"role": "group", "aria_label": words("live.knobs")}
    return Mark("div", Mark("p", cls="refused", hidden="", role="note"), plot, *rows, *notes, cls="live", **how)


def refused(cause: int | None, step: int, label: str) -> str:
    """What a run that failed leads to, as HTML: the step that is the cause, the step that was refused, and the knob that would
    mend it."""

    def link(name: str, cls: str, *kids: Mark, **attrs: Any) -> Mark:
        return Mark("button", *kids, type="button", cls=f"word {cls}", data_refused=name, **attrs)

    def there(name: str, step: int, said: str) -> Mark:
        return link(name, "chain", Mark("b", text=str(step)), Mark("span", text=words(f"live.{said}")), data_go=step)

    links = [there("step", step, "failed" if cause is None else "asked")]
    if cause is not None:
        links = [there("cause", cause, "answered"), Mark("span", text="→", aria_hidden="true"), *links]
    if label:
        links.append(link("mends", "mends", Mark("span", text=words("live.mend")), Mark("b", text=label)))
    return "".join(map(Page(1).write, links))


def _row(knob: Knob, axis: bool) -> Mark:
    more: dict[str, Any] = {"data_knob": knob.name, "aria_label": knob.name}
    if knob.kind == "number":
        # as texts, since numbers in attributes are rounded to a tenth
        low, high, step, value = map(str, (knob.low, knob.high, knob.step, knob.value))
        given = Mark("input", type="range", min=low, max=high, step=step, value=value, cls="dial", **more)
    elif knob.kind == "switch":
        given = Mark("input", type="checkbox", cls="switch", **more)
    elif knob.kind == "choice":
        options = [Mark("option", value=at, text=label) for at, (label, _) in enumerate(knob.options)]
        given = Mark("select", *options, cls="choice", **more)
    else:
        how = {"autocomplete": "off", "spellcheck": "false", **more}
        given = Mark("input", type="text", value=knob.value, cls="text field", **how)
    name = Mark("span", text=knob.name, cls="knobname")
    shown = [Mark("output", data_shows=knob.name)] if knob.kind == "number" else []
    return Mark("label", name, given, *shown, cls="knobrow axis" if axis else f"knobrow {knob.kind}")
