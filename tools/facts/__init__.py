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

from tests import guides

ROOT = Path(__file__).resolve().parents[2]
HERE = ROOT / "tools" / "facts"


@dataclass(frozen=True)
class Stored:
    """A file of answers, and the files that they come from."""

    path: Path
    sources: tuple[Path, ...]

    def digest(self) -> str:
        """A digest of the programs as they are now."""
        found = hashlib.sha256()
        for path in self.sources:
            found.update(path.name.encode() + b"\0" + path.read_text(encoding="utf-8").encode() + b"\0")
        return found.hexdigest()[:16]

    def read(self) -> dict[str, Any]:
        """The answers."""
        return json.loads(self.path.read_text(encoding="utf-8"))["facts"]

    def made_by(self) -> dict[str, str]:
        """The versions and the programs that gave the answers."""
        return json.loads(self.path.read_text(encoding="utf-8"))["_meta"]

    def write(self, versions: dict[str, str], facts: dict[str, Any]) -> None:
        """Store answers, one to a line."""
        meta = json.dumps({**versions, "programs": self.digest()})
        lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(fact)}" for name, fact in facts.items())
        self.path.write_text(f'{{\n "_meta": {meta},\n "facts": {{\n{lines}\n }}\n}}\n', encoding="utf-8")


class Printed(Stored):
    """What the guides print: beside each lies a file with a line on who made it, and the text of each of its cells."""

    def read(self) -> dict[str, Any]:
        """The texts, by the guide and the number of the cell."""
        return {
            f"{file.stem} {number}": text
            for file in sorted(self.path.glob("*.out"))
            for number, text in guides.printed(file.stem).items()
        }

    def made_by(self) -> dict[str, str]:
        """The versions and the programs that printed them."""
        (line,) = {file.read_text(encoding="utf-8").splitlines()[0] for file in self.path.glob("*.out")}
        return dict(part.split(" ") for part in line.removeprefix("# ").split(", "))

    def write(self, versions: dict[str, str], facts: dict[str, Any]) -> None:
        """Store texts."""
        made = ", ".join(f"{name} {value}" for name, value in {**versions, "programs": self.digest()}.items())
        texts: dict[str, str] = {}
        for cell, text in facts.items():
            name, number = cell.split(" ")
            texts[name] = texts.get(name, f"# {made}\n") + f"# %% {number}\n{text}"
        for name, text in texts.items():
            (self.path / f"{name}.out").write_text(text, encoding="utf-8")


DATA = ROOT / "tests" / "data"
EXPRESSIONS = Stored(DATA / "tensorflow-facts.json", (HERE / "expressions.py", HERE / "expressions.txt"))
GOLDEN = Stored(DATA / "tensorflow-golden.json", (HERE / "golden.py", *sorted((HERE / "programs").glob("*.py"))))
KERAS = Stored(DATA / "keras-facts.json", (ROOT / "tests" / "core" / "keras" / "programs.py",))
GUIDES = Printed(guides.FOLDER, (ROOT / "tests" / "guides.py", *sorted(guides.FOLDER.glob("*.py"))))
ALL = {"expressions": EXPRESSIONS, "golden": GOLDEN, "keras": KERAS, "guides": GUIDES}
