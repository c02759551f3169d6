"""How a run is opened, as a stepper in a notebook and as a file: what `step` and `export` do.

A long run is shown folded.  In a notebook a fold is told when somebody opens it; a page carries what it can open.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any

from .capture.stream import without_collecting
from .knobs import Live
from .picture import Comparison, Picture
from .scene import Scene
from .tell import closed, opened_folds, scene_from, unfolded

if TYPE_CHECKING:
    from .paint.widget import Stepper


def stepper(run: Any, start: int, view: str, theme: str, ask: Any, unfold: Sequence[str]) -> Stepper | Picture:
    """The widget that goes through a run; without anywidget its picture."""
    from .paint.svg import parts_of, picture
    from .paint.text import story

    def told(names: Sequence[str]) -> Scene:
        scene = scene_from(run, names)
        return scene if ask is None else questions().put(scene, ask)

    def look(scene: Scene, open_: list[str]) -> list[list[Any]]:
        from .paint.page import inside

        return inside(scene, unfolded(run, scene, open_))

    with without_collecting():
        scene = told(unfold)
        at = start if start >= 0 else len(scene.steps) + start
        parts = parts_of(view)
        asked = [number for number, step in enumerate(scene.steps) if step.get("ask")]
        seen = questions().covered(scene) if asked else scene
        try:
            from .paint.widget import Stepper
        except ImportError:  # no anywidget here
            return Picture(seen, parts, step=at, theme=theme)
        if asked:  # neither a still nor its words answer what is asked
            at = min(at, asked[0])
        still = at or (asked[0] if asked else len(scene.steps) - 1)
        shown = picture(seen, still, theme=theme, parts=parts)
        return Stepper(
            scene, picture=shown, words=story(seen), step=at, view=view, theme=theme, opened=list(unfold),
            unfold=told, pack=packed, look=look, guessed=questions().noted if asked else None,
        )  # fmt: skip


def compared(made: Comparison, start: int, view: str, theme: str) -> Stepper | Comparison:
    """The widget that goes through a comparison; without anywidget the comparison itself."""
    try:
        from .paint.widget import Compared
    except ImportError:
        return made
    return Compared(made.facts, picture=made.svg, words=made.text, step=start, view=view, theme=theme or made.theme)


def write(
    run: Any, path: Any, start: int, view: str, theme: str, frames: Any, unfold: Sequence[str] | str, embed: bool
) -> str:
    """The run as a file; a page of a long one with the folds that it can open."""
    from .paint.file import write as put

    page = str(path).lower().endswith(".html")
    if isinstance(run, Live):
        if page:
            return _live(run, path, start, view, theme, embed)
        run = run.still
    named = () if isinstance(unfold, str) else unfold
    with without_collecting():
        opened = opened_folds(run, unfold == "all") if page and not named else {}
        scene = scene_from(run, named)
        if page and not named and scene.groups and not opened:
            scene = closed(scene)
        lenses = {name: packed(lens) for name, lens in {"": scene, **opened}.items()} if page else {}
        return put(scene, path, start, theme, frames, view, opened, lenses, embed)


def _live(run: Live, path: Any, start: int, view: str, theme: str, embed: bool) -> str:
    from .files import STAMPS
    from .files import write as put
    from .knobs.page import page

    return put(path, page(run, step=start, view=view, theme=theme, embed=embed) + STAMPS[".html"])


def packed(scene: Scene) -> str:
    """The numbers of a scene for the microscope, whose room is entered when somebody asks."""
    from .microscope.pack import packed

    return packed(scene)


def questions() -> Any:
    """The room of questions; in its package the same name is a function."""
    return import_module("viz.lesson.question")
