"""Which names the notebooks of TensorFlow's documentation use that use GradientTape: writes tests/data/notebook-names.json.

Run with a clone of github.com/tensorflow/docs: `python tools/notebook_names.py path/to/docs`.  It reads the code of the newest
commit, follows `import ... as` and plain assignments of names, and keeps TensorFlow's names, without `tf.`
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FACTS = Path(__file__).parents[1] / "tests" / "data" / "notebook-names.json"


def cells(notebook: dict[str, Any], kind: str) -> list[str]:
    """The texts of the cells of a kind."""
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == kind]


def trees(notebook: dict[str, Any]) -> Iterator[ast.Module]:
    """The code, cell by cell, without what is for the notebook itself."""
    for code in cells(notebook, "code"):
        plain = "\n".join("" if re.match(r"\s*[%!]", line) else line for line in code.split("\n"))
        try:
            yield ast.parse(plain)
        except SyntaxError:
            continue


def tensorflows(module: str) -> str | None:
    """A module's name as `tf` has it."""
    top, _, rest = module.partition(".")
    return (
        {"tensorflow": "tf", "keras": "tf.keras"}[top] + (f".{rest}" if rest else "")
        if top in ("tensorflow", "keras")
        else None
    )


class Names(ast.NodeVisitor):
    """Collects the names; an attribute counts with all that leads to it."""

    def __init__(self) -> None:
        self.found: set[str] = set()
        self._called: dict[str, str] = {}

    def visit_Import(self, node: ast.Import) -> None:
        for one in node.names:
            name = tensorflows(one.name)
            if name:
                self._called[one.asname or one.name.partition(".")[0]] = name if one.asname else name.partition(".")[0]

    def visit_ImportFrom(self, node: ast.ImportFrom) -> None:
        base = tensorflows(node.module or "")
        for one in node.names if base else ():
            self._called[one.asname or one.name] = f"{base}.{one.name}"
            self.found.add(f"{base}.{one.name}")

    def visit_Assign(self, node: ast.Assign) -> None:
        name = self._name(node.value)
        if name and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            self._called[node.targets[0].id] = name
        self.generic_visit(node)

    def visit_Attribute(self, node: ast.Attribute) -> None:
        name = self._name(node)
        if name:
            self.found.add(name)
        else:
            self.generic_visit(node)

    def _name(self, node: ast.AST) -> str | None:
        if isinstance(node, ast.Name):
            return self._called.get(node.id)
        before = self._name(node.value) if isinstance(node, ast.Attribute) else None
        return before and f"{before}.{node.attr}"  # type: ignore[attr-defined]


def names(notebook: dict[str, Any]) -> list[str]:
    """TensorFlow's names in a notebook."""
    visitor = Names()
    for tree in trees(notebook):
        visitor.visit(tree)
    return sorted(name.removeprefix("tf.") for name in visitor.found if name.startswith("tf."))


def title(notebook: dict[str, Any]) -> str:
    """Its first heading."""
    headings = [re.search(r"^# (.+)", text, re.MULTILINE) for text in cells(notebook, "markdown")]
    return next((found[1].strip() for found in headings if found), "")


def main(folder: str) -> None:
    git = ["git", "-C", folder]
    listing = subprocess.run([*git, "ls-tree", "-r", "HEAD", "--name-only"], capture_output=True, text=True, check=True)
    found = {}
    for path in listing.stdout.splitlines():
        if not path.endswith(".ipynb"):
            continue
        text = subprocess.run([*git, "show", f"HEAD:{path}"], capture_output=True, text=True, check=True).stdout
        notebook = json.loads(text)
        if any("GradientTape" in code for code in cells(notebook, "code")):
            found[path.removeprefix("site/en/").removesuffix(".ipynb")] = {
                "title": title(notebook),
                "names": names(notebook),
            }
    lines = ",\n".join(f"{json.dumps(path)}: {json.dumps(facts)}" for path, facts in found.items())
    FACTS.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    print(f"{len(found)} notebooks, {len({name for facts in found.values() for name in facts['names']})} names")


if __name__ == "__main__":
    main(sys.argv[1])
