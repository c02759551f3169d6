"""binder/ as mybinder.org would read it: through repo2docker's own build packs, in this process, with no Docker."""

from __future__ import annotations

import os
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

from tests.support import ROOT, environment, not_here


@pytest.fixture
def pack(monkeypatch: pytest.MonkeyPatch):
    """The build pack that repo2docker chooses for this project."""
    try:
        from repo2docker.app import Repo2Docker
    except ImportError:
        not_here("repo2docker is not installed")
    monkeypatch.chdir(ROOT)
    app = Repo2Docker()
    packs = (kind(base_image=app.base_image) for kind in app.buildpacks)
    chosen = next((pack for pack in packs if pack.detect()), None)
    assert chosen is not None
    chosen.platform = "linux/amd64"
    return chosen


def test_it_is_a_python_project_described_in_binder(pack):
    from packaging.specifiers import SpecifierSet

    assert type(pack).__name__ == "PythonBuildPack"
    assert pack.binder_dir == "binder"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert pack.python_version in SpecifierSet(project["requires-python"])


def test_it_installs_the_project_with_the_lab(pack):
    scripts = "\n".join(script for _, script in pack.get_assemble_scripts())
    assert "binder/requirements.txt" in scripts
    wanted = (ROOT / "binder/requirements.txt").read_text(encoding="utf-8").split()
    assert wanted == [".[lab]"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert "lab" in project["optional-dependencies"]


def test_it_installs_the_system_packages(pack):
    wanted = (ROOT / "binder/apt.txt").read_text(encoding="utf-8").split()
    dockerfile = pack.render({"NB_UID": "1000", "NB_USER": "jovyan"})
    assert wanted
    for package in wanted:
        assert package in dockerfile


def test_it_draws_a_picture_after_building(pack):
    assert pack.get_post_build_scripts() == ["binder/postBuild"]
    assert os.access(ROOT / "binder/postBuild", os.X_OK)
    assert "binder/postBuild" in pack.render({"NB_UID": "1000", "NB_USER": "jovyan"})


def test_the_picture_can_be_drawn(tmp_path: Path):
    bash = shutil.which("bash")
    if bash is None:
        not_here("no bash")
    run = subprocess.run(
        [bash, str(ROOT / "binder/postBuild")],
        cwd=tmp_path,
        env=environment(),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert "minitape draws" in run.stdout
