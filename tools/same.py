"""Write the streams of lesson 18 and of the gallery: `python -m tools.same torch`, `… tensorflow`, `… jax`, each where that
framework is installed."""

from __future__ import annotations

import importlib
import runpy
import sys
from pathlib import Path

import viz

FOLDER = Path(__file__).parents[1] / "notebooks" / "same"
TITLES = {"second": "A slope of a slope", "again": "What runs again", "layer": "What a layer keeps"}
NAMES = {"torch": "PyTorch", "tensorflow": "TensorFlow", "jax": "JAX"}


def write(framework: str) -> None:
    """Record each program of a framework's, and store its stream beside it."""
    module = importlib.import_module(framework)
    for path in sorted(FOLDER.glob(f"*_{framework}.py")):
        title = f"{TITLES[path.stem.removesuffix(f'_{framework}')]}, in {NAMES[framework]}"
        if framework == "jax":  # a function is recorded there, which the program does by itself
            run = runpy.run_path(str(path))["run"]
            run.stream.title = title
        else:
            with viz.record(module, title=title) as run:
                space = runpy.run_path(str(path))
            del space
        text = run.stream.to_json().replace('"records":[', '"records":[\n').replace('},{"kind"', '},\n{"kind"')
        path.with_suffix(".json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    write(sys.argv[1])
