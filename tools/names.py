"""Writes TensorFlow's namespaces, minitape/names/*.py, from the names that rows and functions have: `python -m tools.names`.

It reads the rows' files without what it is about to write, so that a name may come, go, or have been written wrong.
"""

from __future__ import annotations

import importlib
import pathlib
import pkgutil
import sys
import types
from collections.abc import Iterator
from typing import Any

PACKAGE = pathlib.Path(__file__).parents[1] / "minitape"
if __name__ == "__main__":  # in place of minitape/__init__.py, which imports what is about to be written
    sys.modules["minitape"] = types.ModuleType("minitape")
    sys.modules["minitape"].__path__ = [str(PACKAGE)]

from minitape import notes, ops  # noqa: E402
from minitape.primitive import Primitive  # noqa: E402
from tools.stubs import stub  # noqa: E402

# TensorFlow's namespaces: the file, and what its first line says.
SPACES = {
    "": ("top", "What stands in `tf` itself, of the table and of the functions made of it."),
    "math": ("math", "`tf.math`: the rows of the table under TensorFlow's names."),
    "nn": ("nn", "`tf.nn`."),
    "linalg": ("linalg", "`tf.linalg`."),
    "random": ("random", "`tf.random`."),
    "bitwise": ("bitwise", "`tf.bitwise`."),
    "signal": ("signal", "`tf.signal`: Fourier transforms."),
    "raw_ops": ("raw_ops", "`tf.raw_ops`, as far as the documents on gradients go."),
    "compat.v1.nn": ("version1/nn", "`tf.compat.v1.nn`, as far as programs on gradients still use it."),
}
WIDTH = 120


def modules() -> Iterator[types.ModuleType]:
    """The files of the table."""
    for found in pkgutil.iter_modules(ops.__path__):
        yield importlib.import_module(f"{ops.__name__}.{found.name}")


def home(what: Any) -> tuple[str, str]:
    """The file in which a row or function stands, and its name there."""
    if not isinstance(what, Primitive):
        return what.__module__, what.__name__
    for name, found in vars(sys.modules[what.module]).items():
        if found is what:
            return what.module, name
    raise ValueError(f"row {what.name!r} has names ({what.notes.tf}) and no variable: write {what.name} = ...")


def files() -> dict[str, str]:
    """The text of each file, by its name.  Raises ValueError for a namespace that TensorFlow does not have."""
    for _ in modules():
        pass
    spaces: dict[str, dict[str, Any]] = {space: {} for space in SPACES}
    for path, what in notes.NAMES.items():
        space, _, name = path.rpartition(".")
        if space not in spaces:
            raise ValueError(f"tf.{path}: there is no tf.{space} here; there are {', '.join(filter(None, SPACES))}")
        spaces[space][name] = what
    written = {}
    for space, names in spaces.items():
        file, says = SPACES[space]
        written |= {f"{file}.py": text(space, names), f"{file}.pyi": stub(says, file, names)}
    return written


def text(space: str, names: dict[str, Any]) -> str:
    """One file."""
    file, says = SPACES[space]
    origins: dict[str, list[str]] = {}
    for name, what in sorted(names.items()):
        module, own = home(what)
        origins.setdefault(module, []).append(name if name == own else f"{own} as {name}")
    up = "." * (2 + file.count("/"))
    lines = [
        f'"""{says}"""',
        "",
        "# Written by python -m tools.names; the names stand at their rows.",
        "",
    ]
    for module, imported in sorted(origins.items()):
        start = f"from {up}{module.removeprefix('minitape.')} import "
        line = start + ", ".join(imported)
        lines += [line] if len(line) <= WIDTH else [f"{start}(", *wrapped(imported), ")  # fmt: skip"]
    lines += ["", *listed([f'"{name}"' for name in sorted(names)]), ""]
    return "\n".join(lines)


def listed(names: list[str]) -> list[str]:
    """The list of public names."""
    line = f"__all__ = [{', '.join(names)}]"
    return [line] if len(line) <= WIDTH else ["__all__ = [", *wrapped(names), "]  # fmt: skip"]


def wrapped(words: list[str]) -> list[str]:
    """Words in lines."""
    lines = ["   "]
    for word in words:
        if len(lines[-1]) + len(word) + 2 > WIDTH:
            lines.append("   ")
        lines[-1] += f" {word},"
    return lines


def main() -> None:
    """Write what is not fresh."""
    for file, found in files().items():
        path = PACKAGE / "names" / file
        if not path.exists() or path.read_text(encoding="utf-8") != found:
            path.write_text(found, encoding="utf-8")
            print(f"written: minitape/names/{file}")


if __name__ == "__main__":
    main()
