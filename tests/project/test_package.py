"""The package that pip installs, and the two commands that README.md gives."""

from __future__ import annotations

import importlib.metadata
import itertools
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from docs.site import address
from tests.support import NOTEBOOKS, ROOT, interpreter, not_here, project_files, python

README = (ROOT / "README.md").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_what_is_installed_is_this_checkout():
    """Every file of both packages is installed, static files too, and nothing is stale."""
    try:
        installed = importlib.metadata.distribution("minitape")
    except importlib.metadata.PackageNotFoundError:
        not_here("minitape is not installed")
    if json.loads(installed.read_text("direct_url.json") or "{}").get("dir_info", {}).get("editable"):
        pytest.skip("an editable install is the checkout")
    there = {
        file.as_posix(): Path(installed.locate_file(file)).read_bytes()
        for file in installed.files or ()
        if file.parts[0] in ("minitape", "viz") and file.suffix != ".pyc"
    }
    here = {
        path.relative_to(ROOT).as_posix(): path.read_bytes()
        for package in ("minitape", "viz")
        for path in (ROOT / package).rglob("*")
        if path.is_file() and path.suffix != ".pyc" and ".ipynb_checkpoints" not in path.parts
    }
    assert sorted(there) == sorted(here), "install again"
    assert [name for name in here if here[name] != there[name]] == [], "install again"
    assert {"minitape/py.typed", "viz/py.typed"} <= set(here)


def test_it_needs_numpy_and_nothing_else():
    assert [re.match(r"[\w-]+", line)[0] for line in PROJECT["dependencies"]] == ["numpy"]


def test_the_version_is_one():
    from minitape.about import VERSION

    assert "version" in PROJECT["dynamic"]  # said once, in that file
    assert VERSION in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_two_commands():
    commands = re.findall(r"^    (python3 -m venv .*)$", README, re.MULTILINE)
    install = 'python3 -m venv .venv && .venv/bin/python -m pip install ".[{}]" && '
    lab, test = commands
    assert lab == install.format("lab") + ".venv/bin/minitape lab"
    assert test == install.format("test") + ".venv/bin/python -m pytest"
    ci = (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert '/bin/python" -m pip install --quiet --no-compile -c .ci/constraints.txt ".[test]"\n' in ci
    assert '/bin/python" -m pytest >' in ci  # with no arguments, as in the second command


@pytest.mark.parametrize("page", sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]), ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path):
    targets = re.findall(r"\]\(([^)#\s]+)[^)]*\)", page.read_text(encoding="utf-8"))
    missing = [target for target in targets if "://" not in target and not (page.parent / target).exists()]
    assert not missing


def test_the_readme_lists_every_notebook():
    missing = [path.name for path in NOTEBOOKS if f"(notebooks/{path.name})" not in README]
    assert not missing


def test_about_notices_a_stranger_called_viz(tmp_path: Path) -> None:
    (tmp_path / "viz").mkdir()
    (tmp_path / "viz" / "__init__.py").touch()
    program = "import sys; sys.path.insert(0, sys.argv[1]); import minitape; print(minitape.about())"
    assert "another package of that name" in python("-c", program, str(tmp_path)).stdout
    assert "another package" not in python("-c", "import minitape; print(minitape.about())").stdout


def test_files_that_name_the_address_or_the_version_are_as_they_should_be() -> None:
    stale = [path.name for path, text in address.written().items() if path.read_text(encoding="utf-8") != text]
    assert not stale, "python -m docs.site.address"


def test_badge_and_links_come_with_an_address_and_go_without() -> None:
    there = address.written("https://github.com/someone/minitape")
    page = there[ROOT / "README.md"]
    assert page.count("mybinder.org/v2/gh/someone/minitape/HEAD?urlpath=lab%2Ftree%2Fnotebooks%2F01_") == 1
    assert address.readme(page, "") == address.written("")[ROOT / "README.md"]
    assert "repository-code: https://github.com/someone/minitape\n" in there[ROOT / "CITATION.cff"]
    for path in NOTEBOOKS:
        first = "".join(json.loads(there[path])["cells"][0]["source"])
        assert first.endswith(f"HEAD?urlpath=lab%2Ftree%2Fnotebooks%2F{path.name})")
        assert json.loads(address.notebook(there[path], "", "")) == json.loads(path.read_text(encoding="utf-8"))


def test_the_readme_of_the_package_has_no_link_that_an_index_cannot_follow() -> None:
    pytest.importorskip("hatchling")
    space = runpy.run_path(str(ROOT / "hatch_build.py"))
    for where in ("", "https://github.com/someone/minitape"):
        text = space["portable"](README, where)
        assert all(target.startswith("https://") for target in re.findall(r"\]\(([^)]+)\)", text))
        assert ("someone/minitape/raw/HEAD/docs/pictures/stepper.png" in text) == bool(where)
        assert "ARCHITECTURE.md" in text


def test_the_project_files_are_whole() -> None:
    yaml = pytest.importorskip("yaml")
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert {"cff-version", "message", "title", "authors", "version", "license"} <= set(citation)
    for path in sorted((ROOT / ".github/ISSUE_TEMPLATE").glob("*.yml")):
        form = yaml.safe_load(path.read_text(encoding="utf-8"))
        if path.name != "config.yml":
            assert {"name", "description", "body"} <= set(form), path.name
            assert len({one["id"] for one in form["body"] if "id" in one}) == sum("id" in one for one in form["body"])
    flows = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / ".github/workflows").glob("*.yml")}
    assert all({"jobs", "permissions"} <= set(yaml.safe_load(text)) for text in flows.values())
    assert "- run: .ci/run\n" in flows["ci"]
    assert "tags: [" in flows["release"]
    assert "python -m docs.site.build" in flows["site"]
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"][0]["hooks"]
    assert {one["id"] for one in hooks} == {"ruff", "ruff-format", "mypy"}, "the checkers of test_style.py"


FRAMEWORKS = {"torch", "tensorflow", "jax"}  # extras that ask for a tested range, each in an environment of its own


def test_the_constraints_fit_the_extras() -> None:
    """Whatever an extra asks for is written down, in a version that pyproject.toml allows: else `.ci/renew`."""
    from packaging.requirements import Requirement
    from packaging.utils import canonicalize_name

    extras = {name: lines for name, lines in PROJECT["optional-dependencies"].items() if name not in FRAMEWORKS}
    for file, chosen in ((".ci/constraints.txt", extras), ("binder/constraints.txt", {"lab": extras["lab"]})):
        lines = [Requirement(line) for line in (ROOT / file).read_text(encoding="utf-8").splitlines() if line[0] != "#"]
        known = {canonicalize_name(one.name): str(one.specifier).removeprefix("==") for one in lines}
        for line in [*PROJECT["dependencies"], *itertools.chain.from_iterable(chosen.values())]:
            wanted = Requirement(line)
            name = canonicalize_name(wanted.name)
            if name == "minitape" or (file.startswith("binder") and name.startswith("jupyter")):
                continue
            assert name in known, f"{file} does not know {name}"
            assert wanted.specifier.contains(known[name]), f"{file}: {name}"


PROGRAM = """
import minitape as tf, viz
with viz.record() as run:
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x
    slope = tape.gradient(y, x)
assert slope.numpy() == 6.0
assert run.scene.layout["engine"] == "layered"
for suffix in "html", "svg", "json", "dot", "txt":
    viz.export(run, f"run.{suffix}")
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel and the source archive, built from what git would archive."""
    pytest.importorskip("build")
    pytest.importorskip("hatchling")
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("dist")
    for path in project_files():
        (source / path.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, source / path.relative_to(ROOT))
    said = python("-m", "build", "--no-isolation", "--outdir", str(out), str(source))
    assert said.returncode == 0, said.stdout + said.stderr
    return out


def clean(folder: Path, *wanted: str, interpreter: str = sys.executable) -> tuple[Path, dict[str, str]]:
    """A clean environment with these things installed, and what a program in it sees of the surroundings."""
    subprocess.run([interpreter, "-m", "venv", "--without-pip", str(folder / "venv")], check=True)
    inside = {key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV")}
    program = folder / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
    into = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(program),
    ]  # an environment's own pip would take seconds to make
    command = [*into, "install", "--quiet", "--disable-pip-version-check", "--no-compile", *wanted]
    said = subprocess.run(command, env=inside, capture_output=True, text=True, check=False)
    if said.returncode and re.search(
        r"No matching distribution|Failed to establish|ConnectionError|timed out", said.stderr
    ):
        not_here(f"nothing can be installed here: {said.stderr.splitlines()[-1]}")
    assert said.returncode == 0, said.stderr
    return program, inside


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "version", "wanted"),
    [
        ("whl", "3.11", ["numpy==2.0.0"]),
        ("tar.gz", "3.11", []),
        ("whl", "3.13", ["numpy==2.1.0"]),
        ("whl", "3.14", []),
    ],
)
def test_wheel_and_archive_work_alone(built: Path, tmp_path: Path, what: str, version: str, wanted: list[str]) -> None:
    """With NumPy and nothing else, the lowest and the newest; Binder's clean environment is that of Python 3.12."""
    found = interpreter(version)
    (package,) = built.glob(f"*.{what}")
    program, inside = clean(tmp_path, str(package), *wanted, interpreter=found)
    pages = ("README.md", "docs/howto/record_a_script.md", "docs/howto/compare_two_runs.md")
    said = subprocess.run(
        [program, "-m", "doctest", "-o", "ELLIPSIS", *(str(ROOT / page) for page in pages)],
        cwd=tmp_path, env=inside, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert said.returncode == 0, said.stdout + said.stderr
    (tmp_path / "square.py").write_text(PROGRAM, encoding="utf-8")
    for arguments in (["square.py"], ["-m", "minitape", "record", "square.py"], ["-m", "minitape", "about"]):
        command = [program, "-W", "error", *arguments]
        said = subprocess.run(command, cwd=tmp_path, env=inside, capture_output=True, text=True, check=False)
        assert said.returncode == 0, said.stderr
    assert "without anywidget, runs show as still pictures" in said.stdout
    assert (tmp_path / "square.html").is_file()
    command = [program, "-m", "minitape", "lab"]
    said = subprocess.run(command, cwd=tmp_path, env=inside, capture_output=True, text=True, check=False)
    assert (said.returncode, "minitape[lab]" in said.stderr) == (2, True)


@pytest.mark.slow
def test_the_wheel_brings_the_course(built: Path, tmp_path: Path) -> None:
    (wheel,) = built.glob("*.whl")
    program, inside = clean(tmp_path, "--no-deps", str(wheel))
    find = (
        "from importlib.metadata import distribution as d; print(*[f.locate() for f in d('minitape').files], sep='\\n')"
    )
    said = subprocess.run([program, "-c", find], cwd=tmp_path, env=inside, capture_output=True, text=True, check=True)
    files = [Path(line) for line in said.stdout.splitlines()]
    assert all(path.exists() for path in files if path.suffix != ".pyc")
    names = {path.name for path in files if "share" in path.parts}
    assert {path.name for path in NOTEBOOKS} | {"causes.md", "stepper.png", "README.md"} <= names
    assert wheel.stat().st_size < 4_000_000
