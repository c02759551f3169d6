"""The command `minitape`, and the cell magic `%%tape`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support import python
from viz.command import main

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
    assert "steps" in capsys.readouterr().out


@pytest.mark.parametrize("own", [["5.0"], ["5.0", "--epochs", "3"], ["--", "5.0", "-o", "its own"]])
def test_the_output_may_stand_before_and_behind_the_script(tmp_path: Path, own: list[str]) -> None:
    script, page = tmp_path / "slope.py", tmp_path / "slope.json"
    script.write_text(PROGRAM + "print(sys.argv[1:])\n", encoding="utf-8")
    for arguments in (["-o", str(page), str(script), *own], [str(script), "-o", str(page), *own]):
        said = python("-m", "viz", "record", *arguments)
        assert said.stdout.splitlines()[0] == str([one for one in own if one != "--"]), said.stderr
        assert "slope is 10" in page.read_text(encoding="utf-8")
        page.unlink()


def test_a_program_that_fails_still_gives_its_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    script, page = tmp_path / "broken.py", tmp_path / "broken.html"
    script.write_text(PROGRAM + "tape.gradient(y, x)\n", encoding="utf-8")
    assert main(["record", "-o", str(page), str(script)]) == 1
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert "non-persistent" in capsys.readouterr().err


def test_a_missing_file_is_said_plainly(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["record", "nowhere.py"]) == 2
    assert "no file nowhere.py" in capsys.readouterr().err


def test_about(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["about"]) == 0
    assert capsys.readouterr().out.startswith("minitape")


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
    from tests.support import python

    outcome = python("-c", program)
    assert outcome.stdout.split() == ["True", "True"], outcome.stdout + outcome.stderr


def test_a_cell_that_fails_is_shown_up_to_there_and_its_error_once() -> None:
    program = """
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance(colors="NoColor")
shown, errors = [], []
shell.display_pub.publish = lambda data, metadata=None, **rest: shown.append(data)
shell._showtraceback = lambda kind, value, traceback: errors.append(len(traceback))
shell.run_cell("%load_ext viz")
shell.run_cell("import minitape as tf")
outcome = shell.run_cell("%%tape\\nx = tf.Variable(3.0)\\nraise ValueError('stop')", store_history=True)
assert not outcome.success
print(type(outcome.error_in_exec).__name__, len(shown), sorted(map(bool, errors)))
"""
    from tests.support import python

    outcome = python("-c", program)
    assert outcome.stdout.split() == ["ValueError", "1", "[False,", "True]"], outcome.stdout + outcome.stderr
