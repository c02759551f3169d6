"""A question that the stepper asks before it shows the answer."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

from ..picture import Drawing
from ..scene import Scene
from .bank import digest, find
from .guesses import guess_at, guessed_at


class Question:
    """What will happen next?  `before` says at which step: its number, or a piece of the sentence of the step that answers."""

    def __init__(
        self, text: str, options: Sequence[str], answer: str, note: str = "", before: int | str = -1,
        stories: Mapping[str, str] | None = None, name: str = "",
    ) -> None:  # fmt: skip
        strange = [option for option in (answer, *(stories or {})) if option not in options]
        if strange:
            raise ValueError(f"the answer {strange[0]!r} is not among the options {list(options)}")
        self.text, self.options, self.answer, self.note, self.before = text, list(options), answer, note, before
        self.stories, self.name = dict(stories or {}), name


def question(
    text: str, options: Sequence[str], answer: str, note: str = "", before: int | str = -1,
    stories: Mapping[str, str] | None = None,
) -> Question:  # fmt: skip
    """A question for `viz.step(run, ask=...)`.

    Args: text; options, what a learner may choose; answer, the right one; note, a sentence that explains it; before, the
    step whose showing answers it, as a number (negative: from the end) or as words of its sentence; stories, for wrong
    options what to say to whoever chose them.

    >>> question("What will dy_dx be?", ["3", "6", "9"], "6").answer
    '6'
    """
    return Question(text, options, answer, note, before, stories)


def stored(name: str) -> Question:
    """A question of the notebooks, by its name: the answer is the option that fits the seal, so no cell has to show it."""
    item = find(name)
    options = item.get("options", [])
    right = [option for option in options if digest(name, option) == item["right"]]
    if not right or "before" not in item:
        raise ValueError(
            f"the question {name!r} is not one for a stepper: it has no options, or no step that answers it"
        )
    stories = {
        option: item["wrong"][digest(name, option)] for option in options if digest(name, option) in item["wrong"]
    }
    return Question(item["ask"], options, right[0], item["why"], item["before"], stories, name)


def put(scene: Scene, ask: Any) -> Scene:
    """The scene with the questions in it (a question, the name of a stored one, or a list of them).

    Raises ValueError where no step answers one, and for two at one step.
    """
    asked = copy.copy(scene)
    asked.steps = [dict(step) for step in scene.steps]
    for given in [ask] if isinstance(ask, Question | str) else list(ask):
        asking = stored(given) if isinstance(given, str) else given
        answering = _step(asked, asking.before)
        start = _start(asked, answering)
        if asked.steps[start].get("ask"):
            other = asked.steps[start]["ask"]["question"]
            raise ValueError(
                f"two questions wait at step {start}: {other!r} and {asking.text!r}\n"
                "  Let one of them wait for another step (before=), or give it a stepper of its own."
            )
        asked.steps[start]["ask"] = {
            "question": asking.text, "options": asking.options, "answer": asking.answer, "note": asking.note,
            "after": answering - start,
            **({"stories": asking.stories} if asking.stories else {}), **({"name": asking.name} if asking.name else {}),
        }  # fmt: skip
    return asked


def noted(scene: Scene, guesses: Mapping[str, str]) -> None:
    """What was guessed in a stepper, by the step that asks, goes to the learner's log: each question's first guess stays."""
    for step, option in guesses.items():
        ask = scene.steps[int(step)].get("ask") if step.isdigit() and int(step) < len(scene.steps) else None
        if ask and option and ask.get("name"):
            guess_at(ask["name"]).commit(option)
        elif ask and option:
            guessed_at(ask["question"], option, option == ask["answer"])


def waiting(scene: Scene, names: Sequence[str], view: str = "graph", theme: str = "") -> Drawing | None:
    """The picture of a run as far as neither these questions nor its own are answered; None where that is not known."""
    asked = [number for number, step in enumerate(scene.steps) if step.get("ask")]
    for name in names:
        item = find(name)
        if "until" in item:
            try:
                asked.append(_step(scene, item["until"]) - 1)
            except ValueError:  # another run than the one that answers
                return None
        elif not asked:
            return None
    from ..paint.svg import parts_of, picture
    from ..paint.text import story

    shown = covered(scene, min(asked))
    parts = parts_of(view)
    return Drawing(lambda: picture(shown, min(asked), theme=theme, parts=parts), scene.title or "a run", story(shown))


def covered(scene: Scene, asked: int | None = None) -> Scene:
    """The scene as far as a step, or its first question, on the same axis: nothing that happens later is in it.

    Without either, itself.
    """
    if asked is None:
        asked = next((number for number, step in enumerate(scene.steps) if step.get("ask")), None)
    if asked is None:
        return scene
    out = copy.deepcopy(scene)
    out.steps[asked + 1 :] = [{"kind": "covered", "say": "", "memory": {}} for _ in out.steps[asked + 1 :]]
    changing = [*out.recorders, *out.regions, *[cell for value in out.values for cell in value["cells"]]]
    for thing, states in [*[(thing, "states") for thing in changing], *[(edge, "carried") for edge in out.edges]]:
        thing[states] = [state for state in thing.get(states, []) if state["t"] <= asked]
    for value in out.values:
        if value.get("gone", 0) > asked:
            del value["gone"]
    for thing in [*out.values, *out.edges]:
        for name in ("kept", "held", "again"):
            if name in thing:
                spans = [span for span in thing[name] if span["from"] <= asked]
                thing[name] = [{key: at for key, at in span.items() if key != "to" or at <= asked} for span in spans]
    return out


def _step(scene: Scene, before: int | str) -> int:
    count = len(scene.steps)
    if isinstance(before, int):
        found = before if before >= 0 else count + before
        if not 0 < found < count:
            raise ValueError(f"a question before step {before}: this run has the steps 1 to {count - 1}")
        return found
    for number, step in enumerate(scene.steps):
        if number and before in step["say"]:
            return number
    raise ValueError(f"no step says {before!r}: see viz.table(run) for what they say")


def _start(scene: Scene, answering: int) -> int:
    """Where to ask: before the backward pass that ends in the answer begins, else one step earlier."""
    for number in range(answering, 0, -1):
        if scene.steps[number]["kind"] == "seed" and scene.steps[answering]["kind"] in ("gradients", "contribution"):
            return number - 1
    return answering - 1
