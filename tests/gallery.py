"""Writes docs/gallery, a picture or two of each program whose scene has a golden: `python -m tests.gallery`."""

from __future__ import annotations

import pathlib
from dataclasses import dataclass

from tests.viz import programs
from viz.capture import Stream
from viz.paint.svg import parts_of, picture
from viz.scene import Scene

FOLDER = pathlib.Path(__file__).parents[1] / "docs" / "gallery"
PROGRAMS = "../../tests/data/programs"
STORED = pathlib.Path(__file__).parents[1] / "notebooks" / "same"


@dataclass(frozen=True, slots=True)
class Plate:
    """What the gallery says of a program, and what it shows: the last step of a kind (or of all), in one view or in both."""

    say: str
    kind: str = ""
    views: tuple[str, ...] = ("graph",)

    def step(self, scene: Scene) -> int:
        """The step that is shown."""
        found = [at for at, step in enumerate(scene.steps) if self.kind in ("", step["kind"])]
        return found[-1]


BOTH = ("graph", "score")

PLATES = {
    "slope": Plate("One op, both of its inputs kept, and two shares of the gradient that become one sum."),
    "diamond": Plate(
        "Two ways lead from `y` to `z`; what comes back along each stays on its edge, and `y` has the sum."
    ),
    "matrices": Plate("Arrays are squares: area is size, full is positive, hollow is negative."),
    "unwatched": Plate("A constant that nobody watches: a ghost with its reason, and a gradient that is `None`."),
    "paused": Plate("What ran while the tape was paused was not written down, and nothing comes back that way."),
    "persistent": Plate("One tape asked twice: it keeps until it is deleted.", views=BOTH),
    "error": Plate("A program that fails shows what happened up to there."),
    "loop": Plate("Two turns of a loop, with a function called in each: every value has its own card.", views=BOTH),
    "loop_folded": Plate("Two hundred turns of a loop: stacks stand for what is alike, first and last are shown."),
    "training_folded": Plate("Sixty steps of training, folded by the line that they come from."),
    "named_stretches": Plate("Stretches of time with names of the learner's (`viz.region`).", views=("score",)),
    "keras_step": Plate("A model of two layers and one step of training; only the second call is on the tape."),
    "nested": Plate(
        "A tape in a tape: the outer one hears the inner one's backward pass, and so has a second derivative.",
        views=BOTH,
    ),
    "dedented": Plate(
        "The same with the inner gradient taken outside of both: the outer tape heard nothing of it.", views=BOTH
    ),
    "jacobian": Plate("A Jacobian is a backward pass per output: each fills its row."),
    "batch_jacobian": Plate("A Jacobian per example, for all examples at once."),
    "order_rule": Plate("Accumulator in accumulator: only the outer one sees what the inner one made.", views=BOTH),
    "forward_over_backward": Plate(
        "Forward over backward: tangents run along the backward pass. A Hessian times a vector."
    ),
    "backward_over_forward": Plate("Backward over forward: the tape wrote the tangents down, and differentiates them."),
    "custom_gradient": Plate(
        "A gradient of the learner's: the body is inside an octagon, the rule is what comes back."
    ),
    "recompute": Plate(
        "Two regions that keep only their inputs; the backward pass runs one of them again.", "replay", BOTH
    ),
    "recompute_saves_nothing": Plate(
        "A region that saves nothing, and says so: `tanh` keeps only its output.", "entry"
    ),
    "recompute_second_order": Plate("The outer tape hears the region run again, and differentiates that.", "replay"),
    "nested_regions": Plate("A region in a region: what is inside runs up to three times.", "replay"),
    "schedule": Plate("Four steps in two segments of two: the square-root schedule.", "replay", BOTH),
    "reversible": Plate("Layers that keep only their outputs, and rebuild their inputs backwards.", "rebuild", BOTH),
}

# Runs of other frameworks, whose streams lie in notebooks/same.
ELSEWHERE = {
    "again_torch": Plate(
        "A checkpoint in PyTorch: three of the four ops run again, and then it stops, because all that was saved is there.",
        "replay",
    ),
    "second_tensorflow": Plate(
        "A tape in a tape in TensorFlow: what arrives is added once all of it is there, and the outer tape has one sum of three."
    ),
    "again_jax": Plate(
        "A checkpoint in JAX: the equations whose values the backward pass needs run again, and the last one does not.",
        "replay",
    ),
}

HEAD = """\
# The gallery

A picture of each program whose scene is compared with a golden ([tests/data/programs](../../tests/data/programs)). Every
picture is what `viz.export(run, "name.svg", start=…)` writes; in a notebook the same scene steps. The pictures follow the
reader: on a dark page or a dark system they are dark. Where the eye finds what: [docs/pictures.md](../pictures.md).

This page and its pictures are written by `python -m tests.gallery`, and a test keeps them fresh.
"""


def drawn(name: str, scene: Scene, view: str) -> str:
    """One picture of the gallery."""
    plate = PLATES.get(name) or ELSEWHERE[name]
    return picture(scene, plate.step(scene), theme="", parts=parts_of(view)) + "\n"


def scene_of(name: str) -> Scene:
    """What it is a picture of."""
    if name in PLATES:
        return programs.run(name).scene
    scene: Scene = Stream.from_json((STORED / f"{name}.json").read_text(encoding="utf-8")).scene
    return scene


def file(name: str, view: str) -> str:
    """The file in which it stands."""
    return f"{name}.svg" if view == "graph" else f"{name}-{view}.svg"


def page() -> str:
    """The page that shows them all."""
    parts = [HEAD]
    for name, plate in (PLATES | ELSEWHERE).items():
        folder = PROGRAMS if name in PLATES else "../../notebooks/same"
        parts.append(f"## {name.replace('_', ' ')}\n\n{plate.say} ([program]({folder}/{name}.py))\n")
        parts += [f"![{name.replace('_', ' ')}, the {view}]({file(name, view)})\n" for view in plate.views]
    return "\n".join(parts)


if __name__ == "__main__":  # look at what has changed before committing it
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.glob("*.svg"):
        old.unlink()
    for name, plate in (PLATES | ELSEWHERE).items():
        scene = scene_of(name)
        for view in plate.views:
            (FOLDER / file(name, view)).write_text(drawn(name, scene, view), encoding="utf-8")
    (FOLDER / "README.md").write_text(page(), encoding="utf-8")
