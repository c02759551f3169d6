"""What TensorFlow itself gives, for minitape to be compared with: the programs, and how their answers are stored.

`python -m tools.facts` runs them all against an installed TensorFlow and writes tests/data/*-facts.json and
tests/data/tensorflow-golden.json; with `--check` it only says what has changed.  With each file lies a digest of the
programs that made it, so that a test can tell when they have been changed since.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

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


DATA = ROOT / "tests" / "data"
EXPRESSIONS = Stored(DATA / "tensorflow-facts.json", (HERE / "expressions.py", HERE / "expressions.txt"))
GOLDEN = Stored(DATA / "tensorflow-golden.json", (HERE / "golden.py", *sorted((HERE / "programs").glob("*.py"))))
KERAS = Stored(DATA / "keras-facts.json", (ROOT / "tests" / "core" / "keras" / "programs.py",))
ALL = {"expressions": EXPRESSIONS, "golden": GOLDEN, "keras": KERAS}
