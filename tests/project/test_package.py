"""The package that pip installs, and the two commands that README.md gives."""

from __future__ import annotations

import importlib.metadata
import json
import re
import tomllib
from pathlib import Path

import pytest

from tests.support import NOTEBOOKS, ROOT, not_here, python

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
    import minitape

    assert getattr(minitape, "__version__", PROJECT["version"]) == PROJECT["version"]
    assert PROJECT["version"] in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_the_two_commands():
    commands = re.findall(r"^    (python3 -m venv .*)$", README, re.MULTILINE)
    install = 'python3 -m venv .venv && .venv/bin/python -m pip install ".[{}]" && '
    lab, test = commands
    opened = lab.removeprefix(install.format("lab") + ".venv/bin/jupyter lab ")
    assert (ROOT / opened).is_file()
    assert opened.startswith("notebooks/")
    assert test == install.format("test") + ".venv/bin/python -m pytest"
    ci = (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert '/bin/python" -m pip install --quiet ".[test]"\n' in ci
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
