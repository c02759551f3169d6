"""Build the site:  python -m docs.site.build [folder]

Pages are gathered from where they live, so that none is written twice, and laid out as they lie in the repository, so that
their links hold. Sphinx's warnings are errors. Then every link of the finished pages is followed, and nothing may lead
outside by itself: the site works from a disk and below any path.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from viz.paint.page import COURSE, KEPT, MODULES, WIDGET, stylesheet
from viz.paint.page import script as shipped

from .address import launch
from .reference import write_reference

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("*.md", "docs/**/*.md", "benchmarks/**/*.md", "notebooks/*.md", "notebooks/*.ipynb")
TOOLS = ("docs/site/conf.py", "docs/site/static/*", "notebooks/[a-z]*/*")
MOST = 40_000_000  # bytes that the whole site may have


def main(target: str = "site") -> int:
    """Build into a folder, and return 0 when every check passed."""
    out = Path(target).resolve()
    with tempfile.TemporaryDirectory() as folder:
        stage = Path(folder)
        gather(stage)
        command = [
            sys.executable,
            "-m",
            "sphinx",
            "-b",
            "html",
            "-W",
            "--keep-going",
            "-q",
            "-c",
            str(stage / "docs/site"),
        ]
        shutil.rmtree(out, ignore_errors=True)
        if done := subprocess.call([*command, "-d", f"{folder}/.doctrees", str(stage), str(out)]):
            return done
    for left in (".buildinfo", "objects.inv"):
        (out / left).unlink(missing_ok=True)
    (out / ".nojekyll").touch()
    faults = check(out)
    print(
        "\n".join(faults)
        if faults
        else f"{out}: {size(out) / 1e6:.1f} MB, {len(list(out.rglob('*.html')))} pages, every link leads somewhere"
    )
    return 1 if faults else 0


def gather(stage: Path) -> None:
    """Everything that the site is made of, as it lies in the repository, and the pages that are made for it."""
    for pattern in (*PAGES, *TOOLS):
        for file in sorted(one for one in ROOT.glob(pattern) if one.is_file()):
            place = stage / file.relative_to(ROOT)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, place)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    address = project["tool"]["minitape"]["address"]
    for page in stage.rglob("*.md"):
        page.write_text(linked(page, stage, address), encoding="utf-8")
    perform(sorted((stage / "notebooks").glob("*.ipynb")), address)
    for name, text in (("course.js", script()), ("course.css", stylesheet(without=("pairs.css", "embed.css")))):
        (stage / "docs/site/static" / name).write_text(text, encoding="utf-8")
    write_reference(stage / "reference", address)
    front = (ROOT / "docs/site/index.md").read_text(encoding="utf-8")
    places = {
        path.relative_to(stage).with_suffix("").as_posix()
        for end in ("md", "ipynb")
        for path in stage.rglob(f"*.{end}")
    }
    places -= set(re.findall(r"^[\w/-]+$", front, re.MULTILINE)) | {"docs/site/index"}
    for word, folder in (
        ("@lessons", "notebooks/"),
        ("@howto", "docs/howto/"),
        ("@more", "docs/"),
        ("@costs", "benchmarks/"),
        ("@rest", ""),
    ):
        found = sorted(place for place in places if place.startswith(folder))
        places -= set(found)
        front = front.replace(word, "\n".join(found))
    (stage / "index.md").write_text(front, encoding="utf-8")
    (stage / "docs/site/index.md").unlink(missing_ok=True)


def linked(page: Path, stage: Path, address: str) -> str:
    """A page's text, once all that it links to is there: files that are no pages are taken along, to be shown or downloaded.

    Folders are at the project's address; without one, such a link is its words alone.
    """

    def moved(found: re.Match[str]) -> str:
        picture, words, target = found.groups()
        place = (page.parent / unquote(target.partition("#")[0])).resolve()
        home = ROOT / place.relative_to(stage.resolve()) if place.is_relative_to(stage.resolve()) else place
        if home.is_file() and not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(home, place)
        if home.is_dir() and home != ROOT:
            return f"[{words}]({address}/tree/HEAD/{home.relative_to(ROOT).as_posix()})" if address else words
        return found[0]

    return re.sub(r"(!?)\[([^\]]*)\]\((?!https?:|#)([^)\s]+)\)", moved, page.read_text(encoding="utf-8"))


def perform(notebooks: list[Path], address: str) -> None:
    """Lessons as the site shows them: what would need a kernel plays by itself (see `course`), and a link starts them live."""
    command = [sys.executable, "-m", "docs.site.course", *map(str, notebooks)]
    subprocess.run(command, check=True, cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": "0"})
    for notebook in notebooks if address else ():
        data = json.loads(notebook.read_text(encoding="utf-8"))
        words = f"[Run this lesson on Binder]({launch(address, f'notebooks/{notebook.name}')}){{.launch}}"
        data["cells"].insert(1, {"cell_type": "markdown", "id": "launch", "metadata": {}, "source": words})
        notebook.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")


def script() -> str:
    """The player and what plays a lesson, as a script that a page may load from a disk, where it may load no module."""
    files = tuple([name for name in MODULES if name not in (*KEPT, *WIDGET)])
    return f"(() => {{\n{shipped((*files, *COURSE), '')}\n}})();\n"


class Page(HTMLParser):
    """What a page is linked to, what it loads, and which places in it have a name."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.names: set[str] = set()
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.names |= {name for name in (found.get("id"), found.get("name")) if name}
        if tag == "a" and found.get("href"):
            self.links.append(found["href"] or "")
        elif tag == "link" and "stylesheet" not in (found.get("rel") or "") and "icon" not in (found.get("rel") or ""):
            return
        else:
            self.loads += [value for name in ("src", "href") if (value := found.get(name)) and tag != "a"]


def check(out: Path) -> list[str]:
    """What is wrong with the finished pages: links and pictures that lead nowhere, requests to anywhere, too many bytes."""
    pages = {path.resolve(): Page(path.read_text(encoding="utf-8")) for path in sorted(out.rglob("*.html"))}
    faults = []
    for path, page in pages.items():
        here = path.relative_to(out)
        for target in page.loads:
            parts = urlsplit(target)
            if parts.scheme in ("http", "https") or target.startswith("//"):
                faults.append(f"{here} loads {target} from outside")
            elif parts.scheme == "" and not (path.parent / unquote(parts.path)).exists():
                faults.append(f"{here} shows {target}, which is not there")
        for target in page.links:
            parts = urlsplit(target)
            if parts.scheme or target.startswith("//"):
                continue
            if parts.path.startswith("/"):
                faults.append(f"{here} links to {target}, which is lost below a sub-path")
                continue
            to = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if not to.exists():
                faults.append(f"{here} links to {target}, which is not there")
            elif parts.fragment and to in pages and unquote(parts.fragment) not in pages[to].names:
                faults.append(f"{here} links to {target}, and there is no such place")
    for path in sorted(out.rglob("*.css")):
        faults += [
            f"{path.name} loads {found}"
            for found in re.findall(r"url\([\"']?(https?:[^)\"']+)", path.read_text(encoding="utf-8"))
        ]
    if (most := size(out)) > MOST:
        faults.append(f"the site has {most / 1e6:.1f} MB; {MOST / 1e6:.0f} may be")
    return faults


def size(folder: Path) -> int:
    """The bytes of all files in a folder."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())


if __name__ == "__main__":
    raise SystemExit(main(*sys.argv[1:2]))
