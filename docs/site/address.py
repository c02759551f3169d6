"""Where the project can be found, written wherever it belongs:  python -m docs.site.address

`[tool.minitape] address` in pyproject.toml is the one place that says it.  From there come the badge in README.md, a link in
the first cell of each notebook, and CITATION.cff; the site and the package's metadata read it as they are built.  While it is
empty there are no such links.  The version in CITATION.cff is minitape's.
"""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path
from urllib.parse import quote

ROOT = Path(__file__).resolve().parents[2]
FIRST = "notebooks/01_tape_by_hand.ipynb"
BADGE = re.compile(r"\[!\[Open the course on Binder\].*\n\n")
LINK = re.compile(r"\n\n\[Open this lesson on Binder\]\([^)]*\)$")


def launch(address: str, page: str = FIRST) -> str:
    """The link that opens a page of the project on a Binder service.

    >>> launch("https://github.com/someone/minitape", "notebooks/06_nested_tapes.ipynb")
    'https://mybinder.org/v2/gh/someone/minitape/HEAD?urlpath=lab%2Ftree%2Fnotebooks%2F06_nested_tapes.ipynb'
    """
    found = re.fullmatch(r"https://github\.com/([\w.-]+/[\w.-]+?)(?:\.git)?/?", address)
    source = f"gh/{found[1]}" if found else f"git/{quote(address, safe='')}"
    return f"https://mybinder.org/v2/{source}/HEAD?urlpath={quote(f'lab/tree/{page}', safe='')}"


def readme(text: str, address: str) -> str:
    """README.md with its badge under the title, or without one."""
    text = BADGE.sub("", text)
    badge = (
        f"[![Open the course on Binder](https://mybinder.org/badge_logo.svg)]({launch(address)})\n\n" if address else ""
    )
    return text.replace("# minitape\n\n", f"# minitape\n\n{badge}", 1)


def notebook(text: str, address: str, page: str) -> str:
    """A notebook with a link at the end of its first cell, or without one."""
    data = json.loads(text)
    first = data["cells"][0]
    words = LINK.sub("", "".join(first["source"]))
    if address:
        words += f"\n\n[Open this lesson on Binder]({launch(address, page)})"
    if words == "".join(first["source"]):
        return text
    first["source"] = words.splitlines(keepends=True)
    return json.dumps(data, ensure_ascii=False, indent=1) + "\n"


def citation(text: str, address: str, version: str) -> str:
    """CITATION.cff with the version of now, and where the source is."""
    text = re.sub(r"^repository-code:.*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"^version:.*$", f"version: {version}", text, flags=re.MULTILINE)
    return text.replace("keywords:\n", f"repository-code: {address}\nkeywords:\n") if address else text


def written(address: str | None = None) -> dict[Path, str]:
    """Every file that says where the project is, as it should be."""
    if address is None:
        project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
        address = str(project["tool"]["minitape"]["address"])
    found = re.search(r'^VERSION = "(.*)"$', (ROOT / "minitape/about.py").read_text(encoding="utf-8"), re.MULTILINE)
    assert found is not None
    files = {}
    for path in (ROOT / "README.md", ROOT / "CITATION.cff", *sorted((ROOT / "notebooks").glob("*.ipynb"))):
        text = path.read_text(encoding="utf-8")
        if path.suffix == ".ipynb":
            files[path] = notebook(text, address, f"notebooks/{path.name}")
        else:
            files[path] = readme(text, address) if path.suffix == ".md" else citation(text, address, found[1])
    return files


if __name__ == "__main__":
    for path, text in written().items():
        path.write_text(text, encoding="utf-8")
