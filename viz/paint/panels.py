"""The panels of a page beside its pictures, as marks: sentence, question, code, formula, the table where there is no graph.

A text that changes keeps the room of its longest form from the start, because that one stands unseen in the same place:
nothing is measured, and what stands below never moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from ..layout.lines import is_long, is_sum, stretches
from ..layout.sizes import columns, digits, face, grid, label, op_sign, sans_width, shape
from ..scene import Scene
from ..style import CUT, words
from . import aloud
from . import state as at
from .cards import about, in_words, told
from .ink import clean, code_words, printable
from .sheet import Line, Mark, around, over, said

ALWAYS_FIT = 20  # columns of code that have room in every window
FEW = 4  # numbers of an array that are told one by one in the table
MUCH = 190  # letters of a sentence that is set smaller, so that it moves nothing under it


def reasons(scene: Scene) -> dict[int, list[str]]:
    """Why cells became None, by the step at which they did, each reason once."""
    found: dict[int, dict[str, None]] = {}
    for state in at.states_of(*scene.values):
        if state.get("text") == CUT and state.get("why"):
            found.setdefault(state["t"], {})[state["why"]] = None
    return {step: list(whys) for step, whys in found.items()}


def whys(scene: Scene, step: int, known: dict[int, list[str]]) -> list[str]:
    """What is said under the sentence of a step: the reasons that it does not give itself."""
    return [words("step.none", why=why) for why in known.get(step, []) if why not in scene.steps[step]["say"]]


def longest(line: Any, width: Any) -> str:
    """What a thing says where it says most."""
    return str(max([value for _, value in line] if isinstance(line, Line) else [line], key=width))


def link(step: int, shown: str) -> str:
    """A button that leads to a step."""
    return f'<button type="button" class="mt-goto" data-go="{step}">{clean(shown)}</button>'


def spoken(scene: Scene) -> list[str]:
    """The sentence of each step as HTML; it leads to the first run that it speaks of, and to those that come again later."""
    again: dict[int, list[int]] = {}
    for step, told_ in enumerate(scene.steps):
        if "twin" in told_:
            again.setdefault(told_["twin"], []).append(step)
    out = []
    for step, told_ in enumerate(scene.steps):
        say = re.sub(r" ([=+×−]) ", "\u00a0\\1\u00a0", told_["say"])
        named = words("step.step", step=told_.get("twin", -1))
        before, found, after = say.rpartition(named) if "twin" in told_ else ("", "", say)
        shown = clean(before) + (link(told_["twin"], found) if found else "") + clean(after)
        if step in again:
            links = ", ".join(link(later, words("step.step", step=later)) for later in again[step])
            shown += f' <span class="mt-later">{clean(words("step.again"))}{links}</span>'
        out.append(shown)
    return out


def sentence(scene: Scene) -> Mark:
    """What happens at a step, why anything became None there, and the question that it asks."""
    every, known, html = range(len(scene.steps)), reasons(scene), spoken(scene)
    say = over(every, lambda step: html[step])
    plain = max((told["say"] for told in scene.steps), key=lambda text: sans_width(text, 20), default="")
    why = over(every, lambda step: "\n".join(whys(scene, step, known)))
    if not isinstance(say, Line):  # its number is asked for, by search
        say = Line([(0, say)])
    last = len(scene.steps) - 1  # who hears a page is told the step with its sentence, both at once
    told = slotted("aloud.step", "step", last=str(last)).lstrip().replace("data-slot>", f"data-nth>{last}")
    count = Mark("i", html=told, cls="aloud")
    spoken_ = {"aria_live": "polite", "aria_atomic": "true"}
    much = over(every, lambda step: "much" if len(scene.steps[step]["say"]) > MUCH else None)
    held = Mark("p", count, Mark("span", html=say, cls=much, key="say"), cls="say", data_longest=plain, **spoken_)
    out = [held]
    if why:
        out.append(Mark("div", Mark("span", text=why, key="why"), cls="why", data_longest=longest(why, len)))
    return Mark("div", *out, *questions(scene), cls="words")


def questions(scene: Scene) -> list[Mark]:
    """Every question with its options, and both ways in which its answer can be told; a player shows what is due.

    `data-slot` stands where the guess goes, `data-story` beside what is said of that guess alone.
    """
    asked: list[Mark] = []
    for step, event in enumerate(scene.steps):
        if ask := event.get("ask"):
            options = [
                Mark("button", type="button", cls="option", text=said, data_option=said, aria_pressed="false")
                for said in map(str, ask["options"])
            ]
            skip = Mark("button", type="button", cls="skip", text=words("ask.skip"), data_act="skip")
            noted = Mark("span", cls="noted", html=slotted("ask.noted"), hidden="")
            line = Mark("span", cls="question", text=ask["question"])
            asked.append(Mark("div", line, *options, skip, noted, cls="ask", data_at=step))
            shown = min(step + (ask.get("after") or 1), len(scene.steps) - 1)
            facts = {"answer": str(ask["answer"]), "note": ask.get("note") or ""}
            for word, sign in (("right", "✓"), ("wrong", "✗")):
                told = Mark("span", html=slotted(f"ask.{word}", **facts))
                more: dict[str, Any] = {"data_at": shown, "data_of": step, "data_answer": facts["answer"]}
                stories = [
                    Mark("span", text=f" {story}", data_story=option, hidden="")
                    for option, story in ask.get("stories", {}).items()
                    if word == "wrong"
                ]
                asked.append(Mark("div", Mark("b", text=sign), told, *stories, cls=f"truth {word}", **more))
    return [Mark("div", *asked, cls="asks", hidden="")] if asked else []


def slotted(key: str, gap: str = "slot", **facts: str) -> str:
    """Words with a gap that a player fills in."""
    return " " + clean(words(key, **{gap: "\0"}, **facts)).replace("␀", "<q data-slot></q>")


def code(scene: Scene) -> Mark:
    """The program with the line that runs, the line whose entry is reversed, and what each line produced so far."""
    now: dict[Any, set[int]] = {}
    cause: dict[Any, set[int]] = {}
    made: dict[Any, list[tuple[int, str]]] = {}
    for at_, step in enumerate(scene.steps):
        for name, found in (("place", now), ("cause", cause)):
            if step.get(name):
                found.setdefault(tuple(step[name]), set()).add(at_)
        for place, text in step.get("produced", []):
            made.setdefault(tuple(place), []).append((at_, text))
    out: list[Mark] = []
    for source in scene.sources:
        rows, previous = [], None
        if len(scene.sources) > 1:
            out.append(Mark("div", cls="source", text=source["label"]))
        for number, content in source["lines"]:
            if previous is not None and number > previous + 1:
                left_out = words("step.left_out", first=previous + 1, last=number - 1)
                rows.append(Mark("li", cls="fold", text="⋮", aria_label=left_out))
            previous, place = number, (source["id"], number)
            told = now.get(place, set()), cause.get(place, set()), made.get(place, [])
            rows.append(_line(source["id"], number, content, *told))
        out.append(Mark("ol", *rows, cls="lines", aria_label=source["label"]))
    # of the way back it is the line of the op that changes from step to step
    how = {
        "role": "region",
        "aria_label": words("step.program"),
        "tabindex": "-1",
        "data_follow": ".mt-line.cause, .mt-line.now",
    }
    return Mark("div", *out, cls="code", **how)


def _line(source: str, number: int, content: str, now: set[int], cause: set[int], made: list[tuple[int, str]]) -> Mark:
    key = f"{source}|{number}"
    look = over(
        around({*now, *cause}),
        lambda step: said("line", step in now and "now", step in cause and step not in now and "cause"),
    )
    current = over(around(now), lambda step: "step" if step in now else None) if now else None
    kids = [Mark("span", cls="lineno", text=number, aria_hidden="true"), _hanging(content)]
    if made:

        def latest(step: int) -> tuple[int, str]:
            return ([change for change in made if change[0] <= step] or [(0, "")])[-1]

        def new(step: int) -> bool:
            """Whether the line gives something at a step; one that only loses what is no longer so gives nothing."""
            at_, text = latest(step)
            return at_ == step and bool(text) and not set(text.split(", ")) < set(latest(step - 1)[1].split(", "))

        dates, texts = zip(*made, strict=True)
        shown = Mark("span", text=over(dates, lambda step: latest(step)[1]), key=f"made:{key}")
        fresh = over(around(dates), lambda step: said("out mt-steady", new(step) and "fresh"))
        kids.append(Mark("span", shown, cls=fresh, key=f"out:{key}", data_widest=max(texts, key=columns)))
    return Mark("li", *kids, cls=look, aria_current=current, key=f"line:{key}", data_place=key)


def _hanging(content: str) -> Mark:
    """A line of code; where it has to be broken it goes on a little to the right, and words stay whole where they can."""
    hang = len(content) - len(content.lstrip(" ")) + 3
    style = f"padding-left:{hang}ch;text-indent:-{hang}ch"
    words_ = code_words(content) if columns(content) > ALWAYS_FIT else []
    if len(words_) < 2:
        return Mark("code", cls="text", text=content or " ", style=style)
    html = "<wbr>".join(_whole(word, 0 if at else hang) for at, word in enumerate(words_))
    return Mark("code", cls="text", text=content, html=html, style=style)


def _whole(word: list[str], begins: int) -> str:
    """A word of code that stays on one line where a line has room for it; a space after it stays outside.  The first
    word `begins` so many columns before the lines under it."""
    last = word[-1].rstrip()
    after = word[-1][len(last) :]
    if len(word) == 1:
        return clean(word[0])
    room = f' style="max-width:calc(100% + {begins}ch)"' if begins else ""
    return f'<span class="mt-whole"{room}>{"<wbr>".join(map(clean, [*word[:-1], last]))}</span>{after}'


def needed(scene: Scene) -> int:
    """How many columns the code takes where no line of it has to be broken."""
    made: dict[Any, int] = {}
    for step in scene.steps:
        for place, text in step.get("produced", []):
            made[tuple(place)] = max(made.get(tuple(place), 0), columns(text) + 2)
    lengths = [
        columns(text or "") + made.get((source["id"], number), 0)
        for source in scene.sources
        for number, text in source["lines"]
    ]
    return max(lengths, default=0)


def formula(scene: Scene) -> Mark:
    """The formula of a step: each symbol with its number under it, in the colour of what it is."""

    def term(symbol: str, figure: Any, kind: str, value: str = "", *_: Any) -> str:
        lit = f' data-value="{clean(value).replace(chr(34), "&quot;")}"' if value else ""
        look = (kind or "op") + " long" * is_long([symbol, figure])
        both = "".join(
            f"<{tag}>{clean(str(said))}</{tag}>" for tag, said in (("b", symbol), ("i", figure)) if said != ""
        )
        return f'<span class="mt-term {clean(look)}"{lit}>{both}</span>'

    def bound(piece: list[list[Any]]) -> str:
        sum_ = ' class="mt-sum"' if is_sum(piece[0]) else ""
        written = "".join(term(*column) for column in piece)
        return f"<p{sum_}>{written}</p>" if len(piece) > 1 else written

    def line(step: int) -> str:
        parts = ["".join(map(bound, pieces)) for pieces in stretches(scene.steps[step].get("formula", []))]
        return "".join([*parts[:1], *[f"<div>{part}</div>" for part in parts[1:]]])

    html = over(range(len(scene.steps)), line)
    deepest = longest(html, lambda text: len(re.sub(r"<[^>]*>", "", text)))
    ghost = Mark("div", html=re.sub(' data-value="[^"]*"', "", deepest), cls="terms", aria_hidden="true")
    now = Mark("div", html=html, cls="terms", key="formula")
    said_ = [aloud.formula(told.get("formula", [])) for told in scene.steps]
    heard = Mark("p", text=over(range(len(said_)), lambda step: said_[step]), cls="aloud", key="spoken")
    seen = Mark("div", now, ghost, aria_hidden="true", style="display:contents")
    return Mark("div", *([heard, seen] if html else []), cls="formula")


def wide_face(state: dict[str, Any] | None) -> str:
    """What a cell shows where there is room for words: a few numbers one by one, more of them as shape and range."""
    rows = grid(state) if state else None
    if rows and sum(map(len, rows)) <= FEW:
        lists = ["[" + ", ".join(map(digits, row)) + "]" for row in rows]
        return lists[0] if len(lists) == 1 else f"[{', '.join(lists)}]"
    return f"{shape(state)}: {face(state)}" if state and state.get("data") else face(state)


def table(scene: Scene) -> Mark:
    """The values in words, where there are no positions for a graph."""
    focus = at.focus(scene)
    heads = [Mark("th", scope="col", text=words(f"graph.{key}")) for key in ("name", "made", "value", "derivatives")]
    rows = [_row(value, focus) for value in scene.values]
    notes = [Mark("p", cls="remark", text=note) for note in scene.notes or [words("graph.missing")]]
    body = Mark("table", Mark("thead", Mark("tr", *heads)), Mark("tbody", *rows), cls="values")
    how = {"tabindex": "-1", "role": "group", "aria_label": words("graph.values"), "data_follow": ".mt-row.on"}
    return Mark("div", *notes, body, cls="graph mt-flat", **how)


def _row(value: dict[str, Any], focus: dict[Any, set[int]]) -> Mark:
    seen, born = focus.get(value["id"], set()), value.get("born", 0)
    look = over(
        [born, *around(seen)],
        lambda step: said("row", step < born and "future", value.get("ghost") and "ghost", step in seen and "on"),
    )
    cells = [_cell(value, cell, focus.get((value["id"], cell["id"]), set())) for cell in value["cells"]]
    why = value.get("ghost")
    ghost = [Mark("span", cls="tag", title=why, text=" " + words("card.ghost_short"))] if why else []
    made = Mark("td", Mark("span", text=op_sign(value)), *ghost, cls="made")
    title = over(told(value), lambda step: about(value, step))
    name = Mark("th", scope="row", text=value["name"], title=title, key=f"name:{value['id']}")
    numbers, more = [Mark("td", *cells[:1]), Mark("td", *cells[1:])], {"data_value": value["id"], "data_go": born}
    return Mark("tr", name, made, *numbers, cls=look, key=f"row:{value['id']}", **more)


def _cell(value: dict[str, Any], cell: dict[str, Any], seen: Iterable[int]) -> Mark:
    states, key = cell.get("states", []), f"{value['id']}|{cell['id']}"
    when, looked = [state["t"] for state in states], set(seen)

    def shown(step: int) -> str:
        told_ = wide_face(at.latest(states, step))
        return told_ if cell["id"] == "v" else f"{label(value, cell)} {told_}"

    def look(step: int) -> str:
        state = at.latest(states, step)
        fresh = at.fresh(state, step)
        return said("number mt-steady", cell["kind"], at.sign(state), fresh and "fresh", step in looked and "on")

    line = over(when, shown)
    title = over(when, lambda step: in_words(at.latest(states, step)))
    words_ = Mark("span", text=line, key=f"cell:{key}")
    steady = {"data_widest": printable(longest(line, columns)), "data_cell": key}
    return Mark(
        "span", words_, cls=over([*around(when), *around(looked)], look), key=f"look:{key}", title=title, **steady
    )
