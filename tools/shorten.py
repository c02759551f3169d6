"""Writes viz/static/short.json, the player's modules as pages carry them: `python -m tools.shorten`, after a change of one.

Every page carries the player, so its code is told there in as few letters as can be.  People read, change and test
`viz/static/*.js`; until this has run again, pages have those as they are.  First the types that their comments say are
checked: where one is wrong, nothing is written.  It takes Node, which brings TypeScript and the minifier.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from viz.paint.page import COURSE, EMBED, LIVE, MICROSCOPE, MODULES, QUESTION, SHORT, STATIC, bare, stamp, written

MINIFIER = "terser@5.51.4"
TYPESCRIPT = "typescript@5.9.3"
STRICTLY = (
    *("--noEmit", "--allowJs", "--checkJs", "--strict", "--pretty", "false"),
    *("--target", "es2023", "--lib", "es2023,dom,dom.iterable"),
    *("--module", "es2022", "--moduleResolution", "bundler"),
)

# Modules that a page may put behind each other: what one of them calls something has that name in all of them.
# What is asked for from elsewhere keeps its name: by how a page begins, and by the player of the microscope's modules.
TOGETHER = (
    (
        dict.fromkeys((*MODULES, *LIVE, *COURSE, *EMBED, *QUESTION)),
        ("mount", "mountPage", "mountCarried", "mountAlone", "carried", "embedPart"),
    ),
    (MICROSCOPE, ("microscope", "whole")),
)


def check_types() -> None:
    """Stop with what TypeScript says, where it finds something."""
    names = sorted(path.name for path in STATIC.glob("*.js"))
    asked = ["npx", "--yes", "-p", TYPESCRIPT, "tsc", *STRICTLY, *names]
    told = subprocess.run(asked, cwd=STATIC, capture_output=True, text=True)
    if told.returncode:
        sys.exit(told.stdout + told.stderr)


def without_exports(code: str) -> str:
    """A module as a script; what it offers a widget's host is remembered as a call."""
    return re.sub(r"^export default (.*);\s*\Z", r"offers(\1);", bare(code), flags=re.MULTILINE | re.DOTALL)


def shortened(modules: Iterable[str], asked: Iterable[str]) -> dict[str, str]:
    """Modules that may stand behind each other, shortened as one and taken apart again; what is `asked` for keeps its name."""
    told = written()
    joined = "".join(f'begins("{name}");{without_exports(told[name])}\n' for name in modules)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "joined.js"
        path.write_text(joined, encoding="utf-8")
        how = [
            "--compress",
            "passes=4,ecma=2020,sequences=false,unsafe=true,lhs_constants=false,unsafe_arrows=true",
            "--mangle",
            f"toplevel,reserved=[{','.join(asked)}]",
            "--ecma",
            "2020",
        ]
        short = subprocess.run(
            ["npx", "--yes", MINIFIER, path, *how], capture_output=True, text=True, check=True
        ).stdout
    first, *parts = re.split(r'\bbegins\("([\w.]+)"\);', short.strip())
    names, codes = parts[::2], parts[1::2]
    if first or names != list(modules):
        raise RuntimeError("the minifier has moved one module into another")
    return {
        name: re.sub(r"\boffers\((.*)\);\Z", r"export default \1;", code, flags=re.DOTALL)
        for name, code in zip(names, codes, strict=True)
    }


def main() -> None:
    """Shorten all of them, if their types are right."""
    check_types()
    short = {name: code for modules, asked in TOGETHER for name, code in shortened(modules, asked).items()}
    told = {"stamp": stamp({"written": written(), "short": short}), "short": short}
    SHORT.write_text(json.dumps(told, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
