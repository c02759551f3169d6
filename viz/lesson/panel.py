"""A question as a widget: buttons, or a field where there is nothing to choose from.  This module needs ipywidgets."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import escape
from typing import Any

import anywidget
import ipywidgets as widgets

from ..paint import cells
from ..paint.page import QUESTION, module
from .bank import find
from .guesses import Guess, comparisons


class Quiet(anywidget.AnyWidget):  # type: ignore[misc,unused-ignore]
    """An invisible widget: it keeps keys that are pressed in a question from being shortcuts of the notebook."""

    _esm = module(files=QUESTION)


class Asked(widgets.VBox):  # type: ignore[misc,unused-ignore]
    """A question with its hands and, under them, what is said; its keys stay in it."""

    def __init__(self, question: str, hands: list[Any]) -> None:
        self._said, self._told = widgets.HTML(), ""
        super().__init__(
            [widgets.HTML(f"<b>{spelled(question)}</b>"), widgets.Box(hands, layout=_ROW), self._said, Quiet()]
        )
        self.add_class("mt-question")

    def _say(self, text: str) -> None:
        self._told, self._said.value = text, spelled(text)

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """The widget's view, and beside it the question in words, for a notebook with no kernel."""
        cells.shows(self)
        bundle = super()._repr_mimebundle_(**options)
        if bundle is None:
            return None
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        lines = escape(repr(self))
        return {**data, "text/plain": repr(self), "text/html": f'<pre class="mt-question">{lines}</pre>'}, metadata


class Field(Asked):
    """A field for an answer that is a word or a number; Enter, or a click elsewhere, has it judged.

    `judge` says what an answer is worth, `hint` what helps: a word for the button, and a text, one at each call.
    """

    def __init__(self, name: str, judge: Callable[[str], str], hint: Callable[[], tuple[str, str]]) -> None:
        self.name, self._judge, self._hint, self._judged = name, judge, hint, ""
        self._field = widgets.Text(placeholder="your answer", continuous_update=False)
        self._field.observe(self._answer, "value")
        done = _button("Check", self._answer)
        self._help = _button("Hint", self._tell_hint)
        super().__init__(find(name).get("ask", ""), [self._field, done, self._help])

    def _answer(self, _: Any) -> None:
        text = self._field.value.strip()
        if text and text != self._judged:
            self._judged = text
            self._say(self._judge(text))

    def _tell_hint(self, _: Any) -> None:
        told, self._help.description = self._hint()
        self._say(told)

    def carried(self) -> dict[str, Any]:
        """All that a page needs to ask this without a kernel: the right answer, without the stories of wrong ones."""
        item = find(self.name)
        field = '<input type="text" placeholder="your answer"> <button type="button">Check</button> '
        html = _html(item.get("ask", ""), field + '<button type="button" data-hint>Hint</button>', repr(self))
        return {"kind": "checks", "html": html, "hints": item["hints"], "words": comparisons(self.name)}

    def __repr__(self) -> str:
        return self._told or "○ not answered yet"


def spelled(text: str) -> str:
    """Words as HTML; what stands between backticks is code.

    >>> spelled("What is `a < b`?")
    'What is <code>a &lt; b</code>?'
    """
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


def _button(label: str, act: Any) -> Any:
    button = widgets.Button(description=label, layout=widgets.Layout(width="auto"))
    button.on_click(act)
    return button


class Panel(Asked):
    """Asks one question and commits the guess.  With `hands` it counts those of a class, and reveals when it is told to."""

    def __init__(self, guess: Guess, hands: bool = False) -> None:
        item = find(guess.name)
        self.guess, self.counts = guess, dict.fromkeys(item.get("options", []), 0)
        self.hands = hands and bool(self.counts)
        self._buttons = [_button(option, self._choose) for option in self.counts]
        self._field = widgets.Text(placeholder="your guess", continuous_update=False)
        last = ["Reveal"] if self.hands else [] if self.counts else ["This is my guess"]
        self._last = [_button(label, self._finish) for label in last]
        row = [*self._buttons, *([] if self.counts else [self._field]), *self._last]
        super().__init__(item["ask"], row)
        self._tell()

    def _choose(self, button: Any) -> None:
        option = list(self.counts)[self._buttons.index(button)]
        if self.guess.committed:
            return
        if self.hands:
            self.counts[option] += 1
            button.description = f"{option}  ·  {self.counts[option]}"
        else:
            self._commit(option)

    def _finish(self, button: Any) -> None:
        if self.hands and any(self.counts.values()):
            self._commit(hands=self.counts)
        elif not self.counts and self._field.value.strip():
            self._commit(self._field.value.strip())

    def _commit(self, value: Any = ..., hands: dict[str, int] | None = None) -> None:
        self.guess.commit(value, hands)
        self._tell()

    def _tell(self) -> None:
        """The guess as it stands; a committed one cannot be changed."""
        self._say(_words(self))
        for control in [*self._buttons, *self._last, self._field]:
            control.disabled = self.guess.committed
        for option, button in zip(self.counts, self._buttons, strict=True):
            button.button_style = "info" if option == self.guess.value else ""

    def carried(self) -> dict[str, Any]:
        """All that a page needs to ask this without a kernel."""
        name = self.guess.name
        options = "".join(
            f'<button type="button" data-option="{escape(option, quote=True)}">{escape(option)}</button>'
            for option in self.counts
        )
        field = '<input type="text" placeholder="your guess"> <button type="button">This is my guess</button>'
        html = _html(find(name)["ask"], options or field, _words(self))
        return {"kind": "asks", "name": name, "html": html, "words": {"": _committed("● your guess: %s")}}

    def __repr__(self) -> str:
        item = find(self.guess.name)
        return "\n".join([item["ask"], *(["  " + " | ".join(self.counts)] if self.counts else []), _words(self)])


_ROW = widgets.Layout(flex_flow="row wrap")


def _html(question: str, hands: str, said: str) -> str:
    """A question as a page without a kernel has it."""
    return f'<p><b>{spelled(question)}</b></p><p>{hands}</p><p role="status">{spelled(said)}</p>'


def _words(panel: Panel) -> str:
    if panel.guess.committed:
        return _committed(f"{panel.guess!r}")
    if panel.hands:
        return "○ hands up: one click for each hand, then reveal"
    return "○ no guess yet: what follows waits for it"


def _committed(guess: str) -> str:
    return f"{guess}. What waited for it is shown below."
