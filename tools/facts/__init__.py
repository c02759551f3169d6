"""What TensorFlow itself gives, for minitape to be compared with: the programs, and how their answers are stored.

`python -m tools.facts` runs them all against an installed TensorFlow and writes the answers below tests/data/; with
`--check` it only says what has changed.  With the answers lies a digest of the programs that gave them, so that a test can
tell when these have been changed since.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests import expressions as subjects
from tests import guides, people

ROOT = Path(__file__).resolve().parents[2]
HERE = ROOT / "tools" / "facts"


@dataclass(frozen=True)
class Stored:
    """A file of answers, and the files that they come from."""

    path: Path
    sources: tuple[Path, ...]

    def digest(self, name: str = "") -> str:
        """A digest of the programs that a file of answers comes from, as they are now."""
        found = hashlib.sha256()
        for path in self._programs(name):
            found.update(path.name.encode() + b"\0" + path.read_text(encoding="utf-8").encode() + b"\0")
        return found.hexdigest()[:16]

    def _programs(self, name: str) -> tuple[Path, ...]:
        return self.sources

    def stale(self) -> list[str]:
        """The files of answers whose programs have been changed since."""
        return [name for name, made in self.made_by().items() if made["programs"] != self.digest(name)]

    def read(self) -> dict[str, Any]:
        """The answers."""
        return json.loads(self.path.read_text(encoding="utf-8"))["facts"]

    def made_by(self) -> dict[str, dict[str, str]]:
        """The versions and the programs that gave the answers, for each file of them."""
        return {self.path.name: json.loads(self.path.read_text(encoding="utf-8"))["_meta"]}

    def write(self, versions: dict[str, str], facts: dict[str, Any]) -> None:
        """Store answers, one to a line."""
        meta = json.dumps({**versions, "programs": self.digest()})
        lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(fact)}" for name, fact in facts.items())
        self.path.write_text(f'{{\n "_meta": {meta},\n "facts": {{\n{lines}\n }}\n}}\n', encoding="utf-8")


class Printed(Stored):
    """What the programs of a folder print: a file beside each, with a line on who made it and the text of each of its cells."""

    def _programs(self, name: str) -> tuple[Path, ...]:
        return (*self.sources, (self.path / name).with_suffix(".py"))

    def read(self) -> dict[str, Any]:
        """The texts, by the program and the number of the cell."""
        return {
            f"{file.stem} {number}": text
            for file in sorted(self.path.glob("*.out"))
            for number, text in guides.printed(file).items()
        }

    def made_by(self) -> dict[str, dict[str, str]]:
        """The versions and the program that printed each file."""
        return {file.name: _parts(file) for file in sorted(self.path.glob("*.out"))}

    def write(self, versions: dict[str, str], facts: dict[str, Any]) -> None:
        """Store texts."""
        texts: dict[str, str] = {}
        for cell, text in facts.items():
            name, number = cell.split(" ")
            texts[name] = texts.get(name, "") + f"# %% {number}\n{text}"
        for name, text in texts.items():
            made = {**versions, "programs": self.digest(f"{name}.out")}
            first = ", ".join(f"{what} {value}" for what, value in made.items())
            (self.path / f"{name}.out").write_text(f"# {first}\n{text}", encoding="utf-8")


def _parts(file: Path) -> dict[str, str]:
    line = file.read_text(encoding="utf-8").splitlines()[0]
    return dict(part.split(" ") for part in line.removeprefix("# ").split(", "))


TESTS = ROOT / "tests"
DATA = TESTS / "data"
KERAS_PROGRAMS = TESTS / "core" / "keras"
EXPRESSIONS = Stored(DATA / "tensorflow-facts.json", (HERE / "expressions.py", HERE / "expressions.txt"))
SUBJECTS = Stored(DATA / "subjects.json", (TESTS / "expressions.py", *sorted(subjects.FOLDER.glob("*.txt"))))
GOLDEN = Stored(DATA / "tensorflow-golden.json", (HERE / "golden.py", *sorted((HERE / "programs").glob("*.py"))))
KERAS = Stored(DATA / "keras-facts.json", (KERAS_PROGRAMS / "programs.py",))
PARTS = Stored(
    DATA / "keras-parts.json", tuple(KERAS_PROGRAMS / f"{name}.py" for name in ("programs", "parts", "whole"))
)
GUIDES = Printed(guides.FOLDER, (TESTS / "guides.py",))
PEOPLE = Printed(people.FOLDER, (TESTS / "people.py",))
ALL = {
    "expressions": EXPRESSIONS,
    "subjects": SUBJECTS,
    "golden": GOLDEN,
    "keras": KERAS,
    "parts": PARTS,
    "guides": GUIDES,
    "people": PEOPLE,
}
