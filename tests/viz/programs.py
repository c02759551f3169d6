"""The programs whose scenes are compared with goldens: tests/data/programs/*.py, each run as a learner's file."""

from __future__ import annotations

import pathlib
from functools import cache
from typing import Any

import minitape as tf
import viz
from viz.tell.scenes import scene_of
from viz.tell.words import Words

DATA = pathlib.Path(__file__).parents[1] / "data"
NAMES = sorted(path.stem for path in (DATA / "programs").glob("*.py"))


def run(name: str) -> Any:
    """Record one program."""
    path = DATA / "programs" / f"{name}.py"
    code = compile(path.read_text(encoding="utf-8"), str(path), "exec")
    tf.keras.utils.clear_session()  # layers are numbered anew
    space = {
        "tf": tf,
        "viz": viz,
    }  # outlives the recording: what its functions hold is let go at a moment of the collector's choosing
    with viz.record(name.replace("_", " ")) as recorded:
        exec(code, space)
    return recorded


@cache
def kept(name: str) -> Any:
    """The same recording for all tests that only read it, made when the first of them asks."""
    return run(name)


class Keys(Words):
    """Another language: each sentence is its key and what is put into it, so that goldens hold structure and no wording."""

    def __call__(self, key: str, /, **facts: object) -> str:
        """The key, with its facts."""
        return f"{key}({', '.join(f'{name}={fact}' for name, fact in facts.items())})"


def told(stream: viz.Stream) -> viz.Scene:
    """The scene of a stream without wording and without positions."""
    return scene_of(stream, words=Keys(), placed=False)


def golden(scene: viz.Scene) -> str:
    """A scene as a golden file keeps it: facts only, one per line, so that a change can be read."""
    import json

    facts = scene.to_dict()
    facts.pop("layout", None)
    lines = []
    for key, value in facts.items():
        if isinstance(value, list):
            lines.append(f"{key}:")
            lines += ["  " + json.dumps(one, ensure_ascii=False) for one in value]
        else:
            lines.append(f"{key}: {json.dumps(value, ensure_ascii=False)}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":  # writes the goldens anew: look at the difference before committing it
    for one in NAMES:
        (DATA / "goldens" / f"{one}.txt").write_text(golden(told(run(one).stream)), encoding="utf-8")
