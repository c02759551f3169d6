"""binder/ as mybinder.org would read it: through repo2docker's own build packs, in this process, with no Docker."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.support import ROOT, interpreter, not_here, project_files

MOST = 385_000_000  # bytes of an environment with the extra `lab`, and without pip


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
    assert wanted == ["-c", "constraints.txt", ".[lab]"]
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


def test_the_dockerfile_is_made_of_the_same_files() -> None:
    recipe = (ROOT / "Dockerfile").read_text(encoding="utf-8")
    version = (ROOT / "binder/runtime.txt").read_text(encoding="utf-8").strip().removeprefix("python-")
    assert f"FROM python:{version}-slim\n" in recipe
    for file in ("binder/apt.txt", "binder/requirements.txt", "binder/postBuild"):
        assert file in recipe
        assert (ROOT / file).is_file()
    container = json.loads((ROOT / ".devcontainer/devcontainer.json").read_text(encoding="utf-8"))
    assert (ROOT / ".devcontainer" / container["build"]["dockerfile"]).resolve() == ROOT / "Dockerfile"
    command = re.search(r"^CMD (\[.*\])$", recipe, re.MULTILINE)
    assert command is not None
    assert json.loads(command[1])[:2] == ["minitape", "lab"]


@pytest.mark.slow
def test_the_steps_work_in_a_clean_environment(tmp_path: Path) -> None:
    """What the image does, in an environment of its own: install with the constraints, compile, draw, run a lesson."""
    version = (ROOT / "binder/runtime.txt").read_text(encoding="utf-8").strip().removeprefix("python-")
    found = interpreter(version)
    source = tmp_path / "the course"
    for path in project_files():
        (source / path.relative_to(ROOT)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, source / path.relative_to(ROOT))
    folder = tmp_path / "venv"
    subprocess.run([found, "-m", "venv", "--without-pip", str(folder)], check=True)
    pip = (sys.executable, "-m", "pip", "--python", str(folder / "bin/python"))  # its own would take seconds to make
    ours = ("PYTHONPATH", "PYTHONPYCACHEPREFIX", "VIRTUAL_ENV")
    inside = {key: value for key, value in os.environ.items() if key not in ours}
    inside["PATH"] = os.pathsep.join([str(folder / "bin"), inside["PATH"]])

    def step(*command: str) -> str:
        said = subprocess.run(command, cwd=source, env=inside, capture_output=True, text=True, check=False)
        if "pip" in command and re.search(r"Failed to establish|ConnectionError|timed out", said.stderr):
            not_here("nothing can be installed here")
        assert said.returncode == 0, f"{' '.join(command)}\n{said.stdout}{said.stderr}"
        return said.stdout

    step(*pip, "install", "--quiet", "--no-cache-dir", "-r", "binder/requirements.txt")
    step(*pip, "check")
    assert sum(file.lstat().st_size for file in folder.rglob("*")) < MOST, "what the README's first command installs"
    assert "minitape draws" in step("bash", "binder/postBuild")
    site = Path(step("python", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    assert list((site / "viz" / "__pycache__").glob("program.*.pyc")), "compiled, though nobody has imported it"
    lesson = "notebooks/02_gradient_tape.ipynb"
    step("jupyter", "nbconvert", "--to", "notebook", "--execute", "--output", "run.ipynb", lesson)
    cells = json.loads((source / "notebooks/run.ipynb").read_text(encoding="utf-8"))["cells"]
    shown = [one for cell in cells for one in cell.get("outputs", [])]
    assert any("application/vnd.jupyter.widget-view+json" in one.get("data", {}) for one in shown)
    assert not any(one["output_type"] == "error" for one in shown)
