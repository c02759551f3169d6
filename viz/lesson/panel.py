"""A question as a widget: buttons, or a field where there is nothing to choose from.  This module needs ipywidgets."""

from __future__ import annotations

from html import escape
from typing import Any

import anywidget
import ipywidgets as widgets

from ..paint import cells
from ..paint.page import QUESTION, module
from .bank import find
from .guesses import Guess


class Quiet(anywidget.AnyWidget):  # type: ignore[misc,unused-ignore]
    """Nothing to see: keys that are pressed in the question around it are the question's, and no shortcuts of the notebook."""

    _esm = module(files=QUESTION)


class Panel(widgets.VBox):  # type: ignore[misc,unused-ignore]
    """Asks one question and commits the guess.  With `hands` it counts those of a class, and reveals when it is told to."""

    def __init__(self, guess: Guess, hands: bool = False) -> None:
        item = find(guess.name)
        self.guess, self.counts = guess, dict.fromkeys(item.get("options", []), 0)
        self.hands = hands and bool(self.counts)
        self._said = widgets.HTML()
        self._buttons = [self._button(option, self._choose) for option in self.counts]
        self._field = widgets.Text(placeholder="your guess", continuous_update=False)
        last = ["Reveal"] if self.hands else [] if self.counts else ["This is my guess"]
        self._last = [self._button(label, self._finish) for label in last]
        row = [*self._buttons, *([] if self.counts else [self._field]), *self._last]
        super().__init__(
            [widgets.HTML(f"<b>{escape(item['ask'])}</b>"), widgets.Box(row, layout=_ROW), self._said, Quiet()]
        )
        self.add_class("mt-question")
        self._tell()

    def _button(self, label: str, act: Any) -> Any:
        button = widgets.Button(description=label, layout=widgets.Layout(width="auto"))
        button.on_click(act)
        return button

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
        self._said.value = escape(_words(self))
        for one in [*self._buttons, *self._last, self._field]:
            one.disabled = self.guess.committed
        for option, button in zip(self.counts, self._buttons, strict=True):
            button.button_style = "info" if option == self.guess.value else ""

    def carried(self) -> dict[str, Any]:
        """All that a page needs to ask this without a kernel."""
        name = self.guess.name
        options = "".join(
            f'<button type="button" data-option="{escape(one, quote=True)}">{escape(one)}</button>'
            for one in self.counts
        )
        field = '<input type="text" placeholder="your guess"> <button type="button">This is my guess</button>'
        said = f'<p role="status">{escape(_words(self))}</p>'
        html = f"<p><b>{escape(find(name)['ask'])}</b></p><p>{options or field}</p>{said}"
        return {"kind": "asks", "name": name, "html": html, "words": {"": _committed("● your guess: %s")}}

    def __repr__(self) -> str:
        item = find(self.guess.name)
        return "\n".join([item["ask"], *(["  " + " | ".join(self.counts)] if self.counts else []), _words(self)])

    def _repr_mimebundle_(self, **options: Any) -> Any:
        """The widget's view, and beside it the question in words, for a notebook with no kernel."""
        cells.shows(self)
        bundle = super()._repr_mimebundle_(**options)
        if bundle is None:
            return None
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        lines = escape(repr(self))
        return {**data, "text/plain": repr(self), "text/html": f'<pre class="mt-question">{lines}</pre>'}, metadata


_ROW = widgets.Layout(flex_flow="row wrap")


def _words(panel: Panel) -> str:
    if panel.guess.committed:
        return _committed(f"{panel.guess!r}")
    if panel.hands:
        return "○ hands up: one click for each hand, then reveal"
    return "○ no guess yet: what follows waits for it"


def _committed(guess: str) -> str:
    return f"{guess}. What waited for it is shown below."
