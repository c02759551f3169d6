"""The player's files: modules that import only each other, joined into one that imports nothing."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.viz import programs
from tests.viz.scenes import squared
from viz.paint import looks
from viz.paint import page as paint
from viz.paint.page import (
    COURSE,
    EMBED,
    LIVE,
    MICROSCOPE,
    MICROSCOPE_STYLE,
    MODULES,
    QUESTION,
    SHORT,
    STATIC,
    STYLES,
    module,
    page,
    stylesheet,
)
from viz.scene import Scene

IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w.]+)";$', re.MULTILINE)
TOP = re.compile(r"^(export )?(?:const|let|function) (\w+)", re.MULTILINE)


def source(name: str) -> str:
    return (STATIC / name).read_text(encoding="utf-8")


def exported(name: str) -> set[str]:
    """Names after `export`; of `export const A = 1, B = 2;` both."""
    found = set()
    for line in re.findall(r"^export (?:const|(?:async )?function\*?|default) ?(.*)", source(name), re.MULTILINE):
        found |= set(re.findall(r"(?:^|, )(\w+)(?= =|\()", line))
    return found


def test_every_file_is_part_of_the_player() -> None:
    assert sorted({*MODULES, *MICROSCOPE, *LIVE, *COURSE, *QUESTION, *EMBED}) == sorted(
        one.name for one in STATIC.glob("*.js")
    )
    assert sorted((*STYLES, looks.FILE.name, MICROSCOPE_STYLE)) == sorted(one.name for one in STATIC.glob("*.css"))


@pytest.mark.parametrize(
    "files",
    [MODULES + LIVE + EMBED, MODULES + COURSE, MICROSCOPE, QUESTION],
    ids=["the player", "a lesson's page", "the microscope", "a question"],
)
def test_modules_import_only_what_an_earlier_one_exports(files: tuple[str, ...]) -> None:
    for at, name in enumerate(files):
        lines = [line for line in source(name).splitlines() if line.startswith("import ")]
        assert source(name).startswith("// @ts-check\n"), name
        found = IMPORT.findall(source(name))
        assert len(found) == len(lines), name
        for names, other in found:
            assert other in files[:at], f"{name} imports {other}, which stands behind it"
            wanted = {one.strip() for one in names.split(",") if one.strip()}
            assert wanted <= exported(other), (name, other, wanted - exported(other))
            body = IMPORT.sub("", source(name))
            unused = {one for one in wanted if not re.search(rf"\b{one}\b", body)}
            assert not unused, (name, unused)


@pytest.mark.parametrize(
    ("files", "defaults"),
    [(MODULES, 1), (MODULES[:-1] + LIVE + EMBED, 1), (MICROSCOPE, 0), (QUESTION, 1)],
    ids=["the player", "live", "the microscope", "a question"],
)
def test_joined_they_are_one_module(files: tuple[str, ...], defaults: int) -> None:
    whole = module(files=files)
    assert not re.search(r"(^|[;}\n])import\b", whole)
    assert len(re.findall(r"\bexport default\b", whole)) == defaults
    names = [name for file in files for _, name in TOP.findall(source(file))]
    assert len(names) == len(set(names)), {one for one in names if names.count(one) > 1}


def test_pages_carry_the_modules_that_people_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shortened, and made of what is written now; of one that has changed since, as it is written."""
    told = json.loads(SHORT.read_text(encoding="utf-8"))
    made = {"written": paint.written(), "short": told["short"]}
    assert told["stamp"] == paint.stamp(made), "a module of the player has changed: python -m tools.shorten"
    assert told["short"].keys() == made["written"].keys()
    assert len(paint.source(MODULES)) < 0.5 * sum(len(source(name)) for name in MODULES)

    changed = {**made["written"], "apply.js": source("apply.js") + "\nexport const added = 1;\n"}
    monkeypatch.setattr(paint, "written", lambda: changed)
    paint.carried.cache_clear()
    try:
        assert (
            paint.source(["apply.js", "camera.js"])
            == f"{paint.bare(changed['apply.js'])}\n{paint.bare(changed['camera.js'])}"
        )
    finally:
        paint.carried.cache_clear()


def test_every_property_that_the_style_sheet_reads_is_set_somewhere() -> None:
    """By a sheet, a script, or in a mark's style; where a marker is, `--url-…` says to each mark that points at one."""
    sheet = stylesheet() + (STATIC / MICROSCOPE_STYLE).read_text(encoding="utf-8")
    code = [path.read_text(encoding="utf-8") for path in [*STATIC.glob("*.js"), *STATIC.parent.glob("paint/*.py")]]
    is_set = set(re.findall(r"--([\w-]+)(?=:|\")", sheet + "".join(code)))
    read = set(re.findall(r"var\(--([\w-]+)", sheet))
    assert {name for name in read - is_set if not name.startswith("url-")} == set()


@pytest.mark.parametrize("path", sorted([*STATIC.glob("*.js"), *STATIC.glob("*.css")]), ids=lambda path: path.name)
def test_files_are_short_and_so_are_their_lines(path: Path) -> None:
    """A line is as long as one of Python is at most, and a file has 300 of them: one idea each."""
    told = tomllib.loads((STATIC.parent.parent / "pyproject.toml").read_text(encoding="utf-8"))
    lines = path.read_text(encoding="utf-8").splitlines()
    most = told["tool"]["ruff"]["line-length"]
    assert [(at, len(line)) for at, line in enumerate(lines, 1) if len(line) > most] == []
    assert len(lines) <= 300


def test_nothing_is_fetched() -> None:
    for text in (
        module(),
        module(files=MODULES + LIVE[:-1]),
        module(files=MICROSCOPE),
        module(files=QUESTION),
        stylesheet(),
        source(MICROSCOPE_STYLE),
    ):
        assert not re.search(
            r"https?://(?!www\.w3\.org/)|\bfetch\(|@import|\burl\((?!#)", text.replace("url(#${", "url(#")
        )


def test_a_page_runs_its_own_module_and_nothing_else() -> None:
    text = page(Scene(title="</title><script>1</script>", steps=[{"kind": "start", "say": "Nothing.", "memory": {}}]))
    policy = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', text)
    assert policy and policy.start() < text.index("<script") and policy.start() < text.index("<style")
    allowed = dict(part.strip().partition(" ")[::2] for part in policy[1].split(";"))
    assert allowed["default-src"] == allowed["base-uri"] == allowed["form-action"] == "'none'"
    modules = re.findall(r'<script(?! type="application/json")[^>]*>(.*?)</script>', text, re.DOTALL)
    digests = [base64.b64encode(hashlib.sha256(code.encode()).digest()).decode() for code in modules]
    assert modules and allowed["script-src"].split() == [*[f"'sha256-{digest}'" for digest in digests], "blob:"]


PLUGGED = {"lens.js", "predict.js", "folds.js", "mount.js", "page.js"}


@pytest.mark.parametrize(
    ("scene", "folds", "has"),
    [
        (lambda: programs.kept("nested").scene, False, set()),
        (lambda: programs.kept("nested").scene, True, {"folds.js", "mount.js", "page.js"}),
        (lambda: programs.kept("loop").scene, False, set()),
        (lambda: programs.kept("loop_folded").scene, False, {"lens.js", "folds.js"}),
        (squared, False, {"predict.js"}),
    ],
    ids=["plain", "opens folds", "a loop", "a loop drawn once", "asks"],
)
def test_a_page_carries_the_modules_that_something_on_it_is_for(
    scene: Callable[[], Scene], folds: bool, has: set[str]
) -> None:
    told = scene()
    text = page(told, opened={"fold 1": told} if folds else None)
    assert {name for name in PLUGGED if paint.carried()[name] in text} == has
