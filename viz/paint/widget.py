"""The player as a Jupyter widget.  This module alone needs anywidget, so import it only where a widget is wanted."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from html import escape
from typing import Any, NamedTuple

import anywidget
import traitlets

from ..scene import Scene
from . import against, cells
from .frame import check
from .frame import sheet as sheet_of
from .page import NOT_A_STEPPERS, module, packed, stylesheet


class Selected(NamedTuple):
    """What a reader selected: `numbers` are those of its array where the run still has them, `place` which of them it is."""

    kind: str  # value | gradient | tangent | line
    name: str
    place: tuple[int, ...] | None
    numbers: Any


class Stepper(anywidget.AnyWidget):  # type: ignore[misc,unused-ignore]
    """A scene that a learner steps through in a notebook; all stepping happens in the browser, none in the kernel.

    `step` and `view` ("graph" or "score") follow the reader and move the picture when they are set; `theme` is "", "light"
    or "dark"; `predict` says whether the scene's questions are asked before their answers are shown.  `picture` (an SVG)
    and `words` are what a reader sees who has no kernel: on a code forge, in a printed notebook, in one that is not
    trusted yet.
    Of a long run, folded, `opened` names the folds that are open, `unfold` makes the scene for them, and `look` lists what can be
    found in folds alone.  `pack` makes what the microscope is given of a scene, when it is opened;
    `guessed` hears what was guessed at its questions.
    Raises ValueError for a theme or a view that does not exist.

    >>> scene = Scene(title="one", steps=[{"kind": "start", "say": "Nothing has run yet.", "memory": {}}])
    >>> Stepper(scene)
    <Stepper: one, 1 step>
    """

    _esm = module(without=("page.js",))
    _css = stylesheet(without=NOT_A_STEPPERS)

    sheet = traitlets.Dict().tag(sync=True)
    step = traitlets.Int(0).tag(sync=True)
    view = traitlets.Unicode("graph").tag(sync=True)
    theme = traitlets.Unicode("").tag(sync=True)
    predict = traitlets.Bool(True).tag(sync=True)
    opened = traitlets.List(traitlets.Unicode()).tag(sync=True)
    guesses = traitlets.Dict().tag(sync=True)  # at its questions, by the step that asks
    chosen = traitlets.Unicode("").tag(sync=True)  # what is selected, as the page says it
    lensed = traitlets.Bool(False).tag(sync=True)  # whether there is something for a microscope
    wanted = traitlets.Int(0).tag(sync=True)  # it was opened
    lens = traitlets.Unicode("").tag(sync=True)  # and this is what it is given, packed
    searched = traitlets.Int(0).tag(sync=True)  # something was looked for
    inside: Any = traitlets.List().tag(sync=True)  # and this can be found in folds alone

    def __init__(
        self,
        scene: Scene,
        *,
        picture: str = "",
        words: str = "",
        step: int = 0,
        view: str = "graph",
        theme: str = "",
        ask: bool = True,
        unfold: Callable[[list[str]], Scene] | None = None,
        sheet: dict[str, Any] | None = None,
        pack: Callable[[Scene], str] | None = None,
        look: Callable[[Scene, list[str]], list[list[Any]]] | None = None,
        guessed: Callable[[Scene, dict[str, str]], None] | None = None,
        **more: Any,
    ) -> None:
        check(theme, view, "the notebook has")
        step = max(0, min(step, len(scene.steps) - 1))
        self._picture, self._words, self._pack = picture, words, pack
        self._unfold = None  # what is open at the start is in the scene, and traitlets tells of it as of a change
        self._guessed, self._look = guessed, look
        self.scene = scene
        super().__init__(
            sheet=sheet or sheet_of(scene, view),
            step=step,
            view=view,
            theme=theme,
            predict=ask,
            lensed=pack is not None,
            **more,
        )
        self._unfold = unfold
        cells.rests(self)

    @traitlets.observe("wanted")  # type: ignore[untyped-decorator,unused-ignore]
    def _pack_lens(self, change: Any) -> None:
        """The microscope was opened."""
        if self._pack is not None:
            self.lens = self._pack(self.scene)

    @traitlets.observe("searched")  # type: ignore[untyped-decorator,unused-ignore]
    def _look_inside(self, change: Any) -> None:
        """Something is looked for: tell what lies in folds."""
        if self._look is not None and self.scene.groups:
            self.inside = self._look(self.scene, list(self.opened))

    @traitlets.observe("opened")  # type: ignore[untyped-decorator,unused-ignore]
    def _tell_more(self, change: Any) -> None:
        """A fold was opened or closed: tell the run anew."""
        if self._unfold is not None:
            scene = self._unfold(list(self.opened))
            begin = scene.begin_of(self.opened[-1]) if self.opened else None
            with self.hold_sync():  # one message: the page begins anew when the sheet comes
                self.scene, self.lens, self.inside = scene, "", []
                if begin is not None:
                    self.view, self.step = "graph", begin
                self.sheet = sheet_of(self.scene, self.view)

    @traitlets.observe("guesses")  # type: ignore[untyped-decorator,unused-ignore]
    def _tell_guesses(self, change: Any) -> None:
        """A question of the stepper was guessed at."""
        if self._guessed is not None:
            self._guessed(self.scene, dict(self.guesses))

    def carried(self) -> dict[str, Any]:
        """All that a page needs to play this without a kernel: `static/course.js` does."""
        options = {name: getattr(self, name) for name in ("step", "view", "theme", "predict")}
        folds = [group["id"] for group in self.scene.groups] if self._unfold is not None else []
        opened = {fold: packed(sheet_of(self._unfold([fold]), self.view)) for fold in folds if self._unfold}
        lens = self._pack(self.scene) if self._pack is not None else ""
        return {"kind": "steps", "sheet": self.sheet, "options": options, "opened": opened, "lens": lens}

    @property
    def selected(self) -> Selected | None:
        """What the reader selected: a value, one number of its array or of its gradient, or a line of code; None for nothing.

        >>> with viz.record() as run:
        ...     x = tf.constant([1.0, 2.0])
        ...     y = x * x
        >>> stepper = viz.step(run)
        >>> stepper.chosen = "value:v1@1"  # what a click on y's second number sends
        >>> stepper.selected
        Selected(kind='value', name='y', place=(1,), numbers=array([1., 4.], dtype=float32))
        """
        kind, _, rest = self.chosen.partition(":")
        name, _, place = rest.partition("@")
        if kind == "place":
            source, _, line = name.partition("|")
            return Selected("line", f"{source}, line {line}", None, None)
        value = next((card for card in self.scene.values if card["id"] == name), None)
        if value is None:
            return None
        looks = [] if self.scene.looks is None else self.scene.looks.at.values()
        seen = [
            array for look in looks for array in (*look.reads.values(), look.result, look.total) if array is not None
        ]
        whole = [
            array.snap.whole
            for array in seen
            if (array.value, array.kind) == (name, kind) and array.snap.whole is not None
        ]
        at = tuple([int(number) for number in place.split(",")]) if place else None
        return Selected(kind, value["name"], at, whole[-1].array if whole else None)

    def __repr__(self) -> str:
        count = len(self.scene.steps)
        return f"<{type(self).__name__}: {self.scene.title or 'a run'}, {count} step{'' if count == 1 else 's'}>"

    def _repr_mimebundle_(self, **options: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        """The widget's view, and beside it a picture and words that need neither a kernel nor trust."""
        cells.shows(self)
        bundle = super()._repr_mimebundle_(**options)
        cells.rests(self)
        if bundle is None:
            return None
        data, metadata = bundle
        data.update(self._resting())
        return data, metadata

    def _resting(self) -> dict[str, str]:
        """What is seen where no widget is: the picture and the words, and nothing that needs trust."""
        words = self._words or repr(self)
        if not self._picture:
            return {"text/plain": words}
        # an <img> with its bytes inline is the only form that untrusted notebooks and offline exports both keep
        bytes64 = b64encode(self._picture.encode()).decode("ascii")
        said = escape(self.scene.title or "a run", quote=True)
        shown = f'<img alt="{said}" src="data:image/svg+xml;base64,{bytes64}" style="max-width: 100%">'
        return {"text/html": shown, "text/plain": words}


class Compared(Stepper):
    """A comparison of two runs in a notebook: a learner goes from difference to difference, and from turn to turn."""

    _css = stylesheet(without=tuple(name for name in NOT_A_STEPPERS if name != "pairs.css"))

    def __init__(self, facts: Any, *, step: int = 0, view: str = "graph", **more: Any) -> None:
        story = against.story(facts)
        at = step if step >= 0 else len(story.steps) + step
        super().__init__(story, sheet=against.sheet(facts, view), step=at, view=view, **more)
