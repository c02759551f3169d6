"""The command `minitape`, and the cell magic `%%tape`."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from functools import partial
from pathlib import Path

import pytest

import minitape as tf
import viz
from tests.support import ROOT, environment, python
from viz import course, files, program
from viz.command import main
from viz.files import ours
from viz.paint.file import SUFFIXES

PROGRAM = """import sys
import minitape as tf

x = tf.Variable(float(sys.argv[1]) if len(sys.argv) > 1 else 3.0)
with tf.GradientTape() as tape:
    y = x * x
slope = tape.gradient(y, x)
"""


def test_a_program_becomes_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script, page = tmp_path / "slope.py", tmp_path / "slope.json"
    script.write_text(PROGRAM, encoding="utf-8")
    assert main(["record", "-o", str(page), str(script), "5.0"]) == 0
    scene = json.loads(page.read_text(encoding="utf-8"))
    assert scene["sources"][0]["label"] == "slope.py"
    assert "slope is 10" in scene["steps"][-1]["say"]
    said = capsys.readouterr()
    assert "steps" in said.err
    assert said.out == "", "stdout is the program's"


@pytest.mark.parametrize("own", [["5.0"], ["5.0", "--epochs", "3"], ["--", "5.0", "-o", "its own"]])
def test_the_output_may_stand_before_and_behind_the_script(tmp_path: Path, own: list[str]) -> None:
    script, page = tmp_path / "slope.py", tmp_path / "slope.json"
    script.write_text(PROGRAM + "print(sys.argv[1:])\n", encoding="utf-8")
    for arguments in (["-o", str(page), str(script), *own], [str(script), "-o", str(page), *own]):
        said = python("-m", "viz", "record", *arguments)
        assert said.stdout.splitlines()[0] == str([one for one in own if one != "--"]), said.stderr
        assert "slope is 10" in page.read_text(encoding="utf-8")
        page.unlink()


def test_a_program_that_fails_still_gives_its_page(tmp_path: Path) -> None:
    script, page = tmp_path / "broken.py", tmp_path / "broken.html"
    script.write_text(PROGRAM + "tape.gradient(y, x)\n", encoding="utf-8")
    said = python("-m", "minitape", "record", "-o", str(page), str(script))
    assert said.returncode == 1
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    first, second = said.stderr.splitlines()[:2]
    assert first.startswith("Traceback")
    assert "broken.py" in second, "the traceback is the program's, without our frames"
    assert "non-persistent" in said.stderr


def test_a_module_of_a_package_runs_as_python_m_runs_it(tmp_path: Path) -> None:
    package = tmp_path / "own"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "ops.py").write_text("def square(x): return x * x\n", encoding="utf-8")
    text = PROGRAM.replace("import sys", "import sys\nfrom .ops import square").replace("x * x", "square(x)")
    (package / "__main__.py").write_text(text + "print(sys.argv[1:], __name__)\n", encoding="utf-8")
    said = python("-m", "minitape", "record", "-m", "own", "-o", "page.json", "5.0", cwd=tmp_path)
    assert said.stdout == "['5.0'] __main__\n", said.stderr
    assert "slope is 10" in (tmp_path / "page.json").read_text(encoding="utf-8")
    said = python("-m", "minitape", "record", "-m", "other", cwd=tmp_path)
    assert (said.returncode, said.stderr) == (2, "minitape: there is no module other to run here\n")


def test_ops_of_another_thread_are_told_without_a_line_of_ours(tmp_path: Path) -> None:
    script = script_of(
        tmp_path,
        "import threading, minitape as tf\n"
        + "t = threading.Thread(target=lambda: tf.sin(1.0))\nt.start()\nt.join()\n",
    )
    said = python("-m", "minitape", "record", str(script), cwd=tmp_path).stderr
    assert said.startswith("minitape: ops ran in another thread") and "runpy" not in said


def test_a_missing_file_is_said_plainly(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["record", "nowhere.py"]) == 2
    assert "no file nowhere.py" in capsys.readouterr().err


def script_of(folder: Path, text: str, name: str = "notes.py") -> Path:
    script = folder / name
    script.write_text(text, encoding="utf-8")
    return script


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_every_form_can_be_recorded_and_recorded_again(tmp_path: Path, suffix: str) -> None:
    if suffix == ".png":
        pytest.importorskip("matplotlib")
    script, page = script_of(tmp_path, PROGRAM), tmp_path / f"page{suffix}"
    for number in ("5.0", "7.0"):
        assert main(["record", str(script), "-o", str(page), number]) == 0
        assert ours(page), "or the second time would be refused"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["notes.py", f"page{suffix}"]


@pytest.mark.parametrize(
    ("output", "says"),
    [
        ("page.pdf", "one of .html"),
        ("page", "one of .html"),
        ("nowhere/page.html", "no such folder"),
        ("folder.html", "name a file"),
        ("theirs.html", "--force"),
        ("kept.html", "may not be written"),
        ("page.png", "pip install"),
    ],
)
def test_a_bad_target_is_refused_by_name_before_the_program_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], output: str, says: str
) -> None:
    script = script_of(tmp_path, "print('it runs')\n")
    (tmp_path / "folder.html").mkdir()
    for name in ("theirs.html", "kept.html"):
        (tmp_path / name).write_text("<p>my own page</p>")
    monkeypatch.setattr(os, "access", lambda path, mode: "kept" not in str(path))  # root may write everywhere
    monkeypatch.setattr(program.importlib.util, "find_spec", lambda name: None)
    assert main(["record", "-o", str(tmp_path / output), str(script)]) == 2
    said = capsys.readouterr()
    assert says in said.err
    assert output.split("/")[0] in said.err
    assert said.out == ""
    assert (tmp_path / "theirs.html").read_text() == "<p>my own page</p>"


def test_a_strangers_page_is_overwritten_only_when_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = script_of(tmp_path, PROGRAM)
    page = tmp_path / "notes.html"
    page.write_text("<p>my notes</p>")
    monkeypatch.chdir(tmp_path)
    assert main(["record", "notes.py"]) == 2
    assert page.read_text() == "<p>my notes</p>"
    assert main(["record", "--force", str(script)]) == 0
    assert ours(page)
    assert main(["record", str(script)]) == 0, "its own page it writes again unasked"


def test_behind_the_script_force_is_the_programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script_of(tmp_path, "import sys\nassert sys.argv[1:] == ['--force', '-h'], sys.argv\n")
    monkeypatch.chdir(tmp_path)
    assert main(["record", "notes.py", "--force", "-h"]) == 0


@pytest.mark.parametrize(
    ("end", "code"),
    [
        ("sys.exit(3)", 3),
        ("sys.exit()", 0),
        ("sys.exit('no data')", 1),
        ("raise ValueError('no data')", 1),
        ("raise KeyboardInterrupt", 130),
    ],
)
def test_the_exit_code_is_the_programs(tmp_path: Path, end: str, code: int) -> None:
    script, page = script_of(tmp_path, PROGRAM + end + "\n"), tmp_path / "page.json"
    said = python("-m", "minitape", "record", str(script), "-o", str(page), "5")
    assert said.returncode == code, said.stderr
    assert ("no data" in said.stderr) == ("no data" in end)
    assert "slope is 10" in page.read_text(encoding="utf-8")


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX's")
def test_ctrl_c_keeps_the_page_so_far(tmp_path: Path) -> None:
    script = script_of(
        tmp_path, PROGRAM + "import time\nprint('running', flush=True)\nfor _ in range(600): time.sleep(0.1)\n"
    )
    page = tmp_path / "page.json"  # it sleeps in short pieces: a signal just before a long one is heard at its end only
    heard = partial(
        signal.signal, signal.SIGINT, signal.SIG_DFL
    )  # what runs behind a shell's `&` hears none, nor its children
    command = [sys.executable, "-m", "minitape", "record", str(script), "-o", str(page), "5"]
    with subprocess.Popen(
        command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=heard
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"running\n"
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert "slope is 10" in page.read_text(encoding="utf-8")
    assert b"Traceback" not in said


def test_a_program_that_goes_elsewhere_does_not_take_its_page_along(tmp_path: Path) -> None:
    (tmp_path / "away").mkdir()
    script_of(tmp_path, PROGRAM + "import os\nos.chdir('away')\n")
    assert python("-m", "minitape", "record", "notes.py", cwd=tmp_path).returncode == 0
    assert (tmp_path / "notes.html").is_file()
    assert not list((tmp_path / "away").iterdir())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_process_that_the_program_forks_writes_no_page(tmp_path: Path) -> None:
    fork = "import os\nchild = os.fork()\nif not child:\n    print('child ends', flush=True)\n    sys.exit(7)\n"
    script_of(tmp_path, PROGRAM + fork + "print('child gave', os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n")
    said = python("-m", "minitape", "record", "notes.py", cwd=tmp_path)
    assert said.returncode == 0, said.stderr
    assert said.stdout.split() == ["child", "ends", "child", "gave", "7"]
    assert said.stderr.count("notes.html: ") == 1


def test_an_interrupted_export_leaves_the_good_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with viz.record() as run:
        tf.constant(3.0) * 2.0
    page = tmp_path / "page.html"
    viz.export(run, page)
    good = page.read_bytes()

    def stop(*arguments: object) -> None:
        raise KeyboardInterrupt

    for place in ("fsync", "replace"):
        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
            patch.setattr(os, place, stop)
            viz.export(run, page)
        assert page.read_bytes() == good
        assert [path.name for path in tmp_path.iterdir()] == ["page.html"], "nothing is left beside it"


@pytest.mark.skipif(os.name == "nt", reason="links and modes are POSIX's")
def test_a_link_stays_a_link_and_a_mode_a_mode(tmp_path: Path) -> None:
    page, link = tmp_path / "page.txt", tmp_path / "link.txt"
    page.write_text("old")
    page.chmod(0o640)
    link.symlink_to(page)
    files.write(link, "new")
    assert link.is_symlink()
    assert page.read_text() == "new"
    assert page.stat().st_mode & 0o777 == 0o640
    pipe = tmp_path / "pipe.txt"
    os.mkfifo(pipe)
    reader = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    try:
        files.write(pipe, "through")
        assert os.read(reader, 100) == b"through"
    finally:
        os.close(reader)
    assert pipe.is_fifo()


def test_long_work_says_what_it_does(capsys: pytest.CaptureFixture[str]) -> None:
    with program._patience("drawing", after=0.01):
        time.sleep(0.2)
    assert capsys.readouterr().err == "minitape: drawing …\n"
    with program._patience("drawing"):
        pass
    assert capsys.readouterr().err == ""


def test_about(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["about"]) == 0
    assert capsys.readouterr().out.startswith("minitape")


@pytest.mark.parametrize("module", ["minitape", "viz"])
def test_the_version(module: str) -> None:
    assert python("-m", module, "--version").stdout == f"minitape {tf.__version__}\n"


def test_no_command_is_answered_with_the_commands(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert "record" in capsys.readouterr().err


def test_the_course_is_found_from_anywhere_in_the_checkout(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT / "docs")
    assert course.root() == ROOT
    assert course.lesson(ROOT, "") == "notebooks/01_tape_by_hand.ipynb"
    assert course.lesson(ROOT, "06") == "notebooks/06_nested_tapes.ipynb"
    with pytest.raises(course.NoCourse, match="there are 00, 01"):
        course.lesson(ROOT, "nested")


def test_an_installed_course_is_copied_once_and_never_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped = tmp_path / "share"
    (shipped / "notebooks").mkdir(parents=True)
    (shipped / "notebooks" / course.FIRST).write_text("stored")
    (shipped / "README.md").write_text("read me")
    monkeypatch.setattr(course, "checkout", lambda: None)
    monkeypatch.setattr(course, "installed", lambda: shipped)
    monkeypatch.chdir(tmp_path)
    mine = course.root() / "notebooks" / course.FIRST
    assert mine.read_text() == "stored"
    mine.write_text("my answers")
    assert course.root() == tmp_path / course.COPY
    assert mine.read_text() == "my answers"
    monkeypatch.setattr(course, "installed", lambda: None)
    with pytest.raises(course.NoCourse, match="clone"):
        course.root()


def test_lab_without_jupyterlab_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(course.importlib.util, "find_spec", lambda name: None)
    assert main(["lab"]) == 2
    assert "minitape[lab]" in capsys.readouterr().err


@pytest.mark.slow
def test_lab_opens_the_lesson_with_the_readme_in_reach(tmp_path: Path) -> None:
    pytest.importorskip("jupyterlab")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    own = {f"JUPYTER_{one}_DIR": str(tmp_path / one) for one in ("CONFIG", "DATA", "RUNTIME")}
    command = [sys.executable, "-m", "minitape", "lab", "06", "--no-browser", "--allow-root"]
    command += [f"--ServerApp.port={port}", "--IdentityProvider.token=t", "--ServerApp.ip=127.0.0.1"]
    log = (tmp_path / "log").open("wb")
    with log, subprocess.Popen(command, env=environment(**own), cwd=ROOT, stdout=log, stderr=log) as process:
        try:
            front, deadline = "", time.monotonic() + 60
            while not front:
                try:
                    with urllib.request.urlopen(f"http://127.0.0.1:{port}/?token=t", timeout=5) as answer:
                        front = answer.url
                except OSError:
                    assert time.monotonic() < deadline, (tmp_path / "log").read_text()
                    assert process.poll() is None, (tmp_path / "log").read_text()
                    time.sleep(0.2)
            assert front.split("?")[0].endswith("/lab/tree/notebooks/06_nested_tapes.ipynb")
            for page in ("README.md", "docs/causes.md", "notebooks/06_nested_tapes.ipynb"):
                address = f"http://127.0.0.1:{port}/api/contents/{page}?content=0&token=t"
                with urllib.request.urlopen(address, timeout=5) as answer:
                    assert answer.status == 200
        finally:
            process.terminate()


def test_the_cell_magic_records_and_shows_the_cell(capsys: pytest.CaptureFixture[str]) -> None:
    program = """
import sys
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shown = []
shell.display_pub.publish = lambda data, metadata=None, **rest: shown.append(data)
def run(cell):
    outcome = shell.run_cell(cell, store_history=True)
    assert outcome.success, outcome
run("import minitape as tf")
run("%load_ext viz")
run("%%tape the slope\\nx = tf.Variable(3.0)\\nwith tf.GradientTape() as tape:\\n    y = x * x\\ng = tape.gradient(y, x)")
run("assert g.numpy() == 6.0")
print(any("text/html" in data and "data:image/svg" in data["text/html"] for data in shown))
print(any("the slope" in str(data.get("text/plain")) for data in shown))
"""
    outcome = python("-c", program)
    assert outcome.stdout.split() == ["True", "True"], outcome.stdout + outcome.stderr


def test_a_cell_that_fails_is_shown_up_to_there_and_its_error_once() -> None:
    program = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance(colors="NoColor")
shown, errors = [], []
shell.display_pub.publish = lambda data, metadata=None, **rest: shown.append(data)
shell._showtraceback = lambda kind, value, traceback: errors.append(len(traceback) > 1)
shell.run_cell("%load_ext viz")
shell.run_cell("import minitape as tf")
outcome = shell.run_cell("%%tape\\nx = tf.Variable(3.0)\\nraise ValueError('stop')", store_history=True)
assert not outcome.success
print(type(outcome.error_in_exec).__name__, len(shown), *errors)
"""
    outcome = python("-c", program)
    assert outcome.stdout.split() == ["ValueError", "1", "True"], outcome.stdout + outcome.stderr


def test_a_framework_that_is_not_here_is_refused_with_what_brings_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "jax", None)
    with pytest.raises(ImportError, match=r'pip install "minitape\[jax\]"'):
        viz.record_jax(lambda x: x, 2.0)


def test_a_framework_that_was_never_tried_is_refused_before_the_program_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def refuse(*what: object, untested: bool) -> object:
        if not untested:
            raise RuntimeError("torch 9.9 was never tried here; viz.record(torch, untested=True) tries all the same")
        return viz.record()

    monkeypatch.setattr(program, "record", refuse)
    script, page = script_of(tmp_path, PROGRAM + "print('it runs')\n"), str(tmp_path / "page.json")
    assert main(["record", "-o", page, str(script)]) == 2
    said = capsys.readouterr()
    assert said.out == "" and said.err.endswith("all the same; here it is record --untested\n")
    assert main(["record", "--untested", "-o", page, str(script)]) == 0
    assert capsys.readouterr().out == "it runs\n"
