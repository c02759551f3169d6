"""What `.ci/run` does with what pytest says, and that nothing outlives a run that is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import THOROUGH
from tests.support import ROOT, environment, not_here

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason=".ci/run is for Debian, and reads /proc here")

# Stands for Python in `.ci/run`: makes an environment of itself, installs nothing, and runs pytest on another folder, with what is
# compiled already and without plugins of others, which take seconds to load.
STUB = """#!/bin/sh
module="$2"
shift 2
case "$module" in
    venv) mkdir -p "$1/bin" && cp "$0" "$1/bin/python" ;;
    pip) echo "$@" >>"{folder}/installed" ;;
    pytest)
        cd "{folder}" && unset PYTHONPYCACHEPREFIX {kept}
        PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 exec "{python}" -m pytest -p no:cacheprovider -p xdist.plugin "$@" ;;
esac
"""

# `.ci/run` has a folder of its own for what it compiles.
KEPT = f'&& export PYTHONPYCACHEPREFIX="{sys.pycache_prefix}"' if sys.pycache_prefix else ""

# A test that starts a server through its keeper, says its number, and would take a minute.
WITH_A_SERVER = """
import subprocess, sys, time

def test_it():
    server = [sys.executable, "-c", "import os, time; print(os.getpid(), flush=True); time.sleep(60)"]
    with open("started", "w") as told:
        kept = subprocess.Popen([sys.executable, "-m", "tests.keeper", *server], stdin=subprocess.PIPE, stdout=told,
                                start_new_session=True)
    time.sleep(60)
"""


def until(condition: Callable[[], bool], seconds: float = 60) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "it never came to be"
        time.sleep(0.05)


def runs(number: int) -> bool:
    """Whether that process runs: one that has ended and that nobody waited for does not."""
    try:
        return Path(f"/proc/{number}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture
def ci(tmp_path: Path) -> Callable[..., subprocess.Popen[str]]:
    """`ci(program)` starts `.ci/run` on a folder that holds this program as its only test file.

    With `torch`, that is the program of what needs PyTorch, and `.ci/run` runs that too.
    """
    bash = "/bin/bash"
    if not os.path.exists(bash):
        not_here("no bash")
    programs = tmp_path / "bin"
    programs.mkdir()
    for name, text in (
        ("python3", STUB.format(folder=tmp_path, python=sys.executable, kept=KEPT)),
        ("dpkg", "#!/bin/sh\n"),
        ("chromium-headless-shell", "#!/bin/sh\n"),
    ):
        (programs / name).write_text(text)
        (programs / name).chmod(0o755)

    def start(program: str, torch: str = "") -> subprocess.Popen[str]:
        (tmp_path / "pytest.ini").write_text("[pytest]\ntestpaths = test_it.py\n")
        (tmp_path / "test_it.py").write_text(program)
        for folder in ("tests/viz/torch", "viz/capture/torch"):
            (tmp_path / folder).mkdir(parents=True)
        (tmp_path / "tests/viz/torch/test_torch.py").write_text(torch)
        variables = environment(MINITAPE_WITHOUT_TORCH="" if torch else "1")
        variables.pop("PYTHON", None)
        path = os.pathsep.join([str(programs), variables["PATH"]])
        return subprocess.Popen(
            [bash, str(ROOT / ".ci" / "run")],
            env={**variables, "PATH": path},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )

    return start


@pytest.mark.slow
@pytest.mark.parametrize(
    ("program", "code", "summary"),
    [
        ("def test_it(): assert 0\ndef test_more(): pass", 1, "1 failed, 1 passed in "),
        ("def test_it(): print('said at the end')\nimport atexit; atexit.register(print, '\\n\\n')", 0, "1 passed in "),
    ],
    ids=["a test that fails", "a test that passes"],
)
def test_its_code_is_that_of_pytest_and_its_last_line_too(
    ci: Callable[..., subprocess.Popen[str]], tmp_path: Path, program: str, code: int, summary: str
) -> None:
    run = ci(program)
    said, _ = run.communicate(timeout=120)
    last = [line for line in said.splitlines() if line.strip()][-1]
    assert run.returncode == code, said
    assert summary in last and last.startswith("====")
    assert said.count(last) == 2  # as it came, and once more at the end
    assert (tmp_path / "installed").read_text().split() == [
        "install",
        "--quiet",
        "--no-compile",
        "-c",
        ".ci/constraints.txt",
        ".[test]",
    ]


@pytest.mark.slow
@pytest.mark.parametrize("code", [0, 1])
def test_what_needs_pytorch_is_tried_beside_the_rest(
    ci: Callable[..., subprocess.Popen[str]], tmp_path: Path, code: int
) -> None:
    run = ci("def test_it(): pass", f"def test_torch(): assert {code} == 0")
    said, _ = run.communicate(timeout=120)
    assert run.returncode == code, said
    last = [line for line in said.splitlines() if line.strip()][-1]
    assert (last == "and the tests that need PyTorch ended with exit code 1") == bool(code)
    assert "1 failed in " in said if code else said.count("1 passed in ") == 3  # the rest twice
    assert ".[torch]" in (tmp_path / "installed").read_text()


@pytest.mark.slow
@pytest.mark.parametrize(
    "programs", [(WITH_A_SERVER,), ("import time\n\ndef test_it(): time.sleep(60)", WITH_A_SERVER)]
)
def test_nothing_outlives_a_run_that_is_ended(
    ci: Callable[..., subprocess.Popen[str]], tmp_path: Path, programs: tuple[str, ...]
) -> None:
    run, started = ci(*programs), tmp_path / "started"
    until(lambda: started.exists() and started.read_text().endswith("\n"))
    server = int(started.read_text())
    assert runs(server)
    run.terminate()
    run.communicate(timeout=60)
    assert run.returncode == 143
    until(lambda: not runs(server))


@pytest.mark.slow
def test_nothing_outlives_tests_that_are_killed(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    (tmp_path / "test_it.py").write_text(WITH_A_SERVER)
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "xdist.plugin", "-n", "2"]
    quick = environment(PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
    run = subprocess.Popen(command, cwd=tmp_path, env=quick, stdout=subprocess.DEVNULL)
    started = tmp_path / "started"
    until(lambda: started.exists() and started.read_text().endswith("\n"))
    server = int(started.read_text())
    assert runs(server)
    os.kill(run.pid, signal.SIGKILL)
    run.wait(10)
    until(lambda: not runs(server), 120)  # the workers see first that nobody is there any more


def test_what_is_thorough_is_there() -> None:
    for name in THOROUGH:
        path, _, test = name.partition("::")
        assert f"def {test}" in (ROOT / path).read_text(encoding="utf-8"), name
