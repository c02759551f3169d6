"""A guess in a notebook: what follows waits for it, is shown in its place, and is compared in words; the learner's own log."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import minitape as tf
import viz
from tests.kernel import ran
from tests.seal import plain
from viz.lesson import check, predict, question, summary
from viz.lesson.guesses import compared, forget, guess_at, when
from viz.lesson.tasks import TASKS

pytest.importorskip("ipywidgets")
from viz.lesson.panel import Panel, spelled


@pytest.fixture(autouse=True)
def begun_anew() -> Any:
    forget()
    yield
    forget()


def buttons(panel: Panel) -> dict[str, Any]:
    return {one.description: one for one in panel.children[1].children if hasattr(one, "click")}


def words(panel: Panel) -> str:
    return panel.children[2].value


# ---- in a kernel --------------------------------------------------------------------------------------------------------

LESSON = [
    "from viz.lesson import check, predict, summary\nimport minitape as tf, viz",
    'guess = predict("02.1")',
    "%%after 02.1\nwith viz.record() as run:\n    x = tf.Variable(3.0)\n    with tf.GradientTape() as tape:\n        y = x * x\n"
    "    dy_dx = tape.gradient(y, x)\nprint('it is', float(dy_dx))\nviz.step(run)",
    "%%after 02.1\nprint(tape.why(y, tf.constant(1.0)).site)",
    'check("02.1", guess)',
    "summary()",
]


def texts(cells: list[Any]) -> list[str]:
    """All that stands under each cell, as a notebook would store it."""
    return [str([{**out.get("data", {}), "text": out.get("text", "")} for out in cell.outputs]) for cell in cells]


@pytest.mark.slow
def test_what_follows_waits_for_the_guess_and_comes_in_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    again = ["check('02.1', guess)", "%%after 02.1\nprint('at once')", "summary()"]
    cells = ran([*LESSON, "click = guess.commit('9')", *again], tmp_path, monkeypatch)
    _, asked, shown, line, compared_there, log, _, *at_once = texts(cells)
    assert "What will dy_dx be" in asked and "widget-view" in asked
    assert "it is 6.0" in shown and "widget-view" in shown and "waits" not in shown, "the cells that waited were filled"
    assert "cell 3" in line or "line" in line
    assert "✗ You said 9; right is 6." in compared_there
    assert "○ nothing guessed" in log
    assert (
        "✗ You said 9; right is 6." in at_once[0] and "at once" in at_once[1] and "0 of 1 guesses right" in at_once[2]
    )


@pytest.mark.slow
def test_nothing_answers_before_the_guess(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, _, shown, line, compared_there, log = texts(ran(LESSON, tmp_path, monkeypatch))
    for text in (shown, line, compared_there):
        assert "○ this waits for your guess at 02.1, above" in text
        assert not {"6", "widget-view", "✗", "✓"} & set(text.split()) and "6.0" not in text
    assert "image/svg" not in line + compared_there
    assert "image/svg" in shown and "The block ends" in shown and "goes back from" not in shown, (
        "as far as the question"
    )


@pytest.mark.slow
def test_a_cell_that_waits_may_be_run_before_its_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    *_, waits, _, _ = texts(ran([LESSON[0], LESSON[2], LESSON[1], "guess.commit('6')"], tmp_path, monkeypatch))
    assert "not found" not in waits and "it is 6.0" in waits and "widget-view" in waits


@pytest.mark.slow
def test_an_error_in_a_cell_that_waits_is_shown_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cells = ran(
        [*LESSON[:2], "%%after 02.1\nprint('before')\n1 / 0", "%load_ext viz", "%%tape\n1 / 0"], tmp_path, monkeypatch
    )
    for cell, said in ((cells[2], ["before\n"]), (cells[4], [])):
        assert [out["text"] for out in cell.outputs if "text" in out] == said
        [error] = [out for out in cell.outputs if out.output_type == "error"]
        assert error.ename == "ZeroDivisionError" and cell.outputs[-1] == error, "once, and last"
        assert "division by zero" in error.traceback[-1] and "magic.py" not in "".join(error.traceback)


def test_what_stands_between_backticks_is_code() -> None:
    [asked, *_] = Panel(guess_at("09.1")).children
    assert "<code>clip_gradients(v * v)</code>" in asked.value and "`" not in asked.value


# ---- the panel -----------------------------------------------------------------------------------------------------------


def test_a_button_commits_once() -> None:
    panel = Panel(guess_at("02.1"))
    assert list(buttons(panel)) == plain()["02.1"]["options"]
    buttons(panel)["9"].click()
    assert panel.guess.value == "9" and "your guess: 9" in words(panel)
    assert all(one.disabled for one in buttons(panel).values())
    buttons(panel)["6"].click()
    assert panel.guess.value == "9", "committed is committed"
    assert "your guess: 9" in words(Panel(guess_at("02.1"))), "and still is where the cell runs again"


def test_a_field_stands_where_there_is_nothing_to_choose_from() -> None:
    [name] = [name for name, one in plain().items() if "ask" in one and not one.get("options")][:1]
    panel = Panel(guess_at(name))
    send = buttons(panel)["This is my guess"]
    send.click()
    assert not panel.guess.committed, "an empty field is no guess"
    panel.children[1].children[0].value = str(plain()[name]["right"])
    send.click()
    assert panel.guess.committed and compared(panel.guess)[0]


def test_a_class_holds_up_hands_and_then_reveals() -> None:
    panel, revealed = Panel(guess_at("02.1"), hands=True), []
    when([panel.guess], lambda: revealed.append(True), key="cell")
    named = buttons(panel)
    named["Reveal"].click()
    assert not revealed, "nobody has voted"
    for option in ("6", "9", "6", "3"):
        named[option].click()
    assert not revealed and "9  ·  1" in buttons(panel) and "6  ·  2" in buttons(panel)
    named["Reveal"].click()
    assert revealed == [True]
    assert compared(panel.guess)[1].startswith("2 of 4 hands for 6. ")
    assert repr(panel.guess) == "● hands: 3: 1, 6: 2, 9: 1"


def test_the_panel_in_words_holds_no_answer() -> None:
    for name, one in plain().items():
        if "ask" in one:
            said = repr(Panel(guess_at(name)))
            assert (
                one["ask"] in said
                and one["why"] not in said
                and said.endswith("○ no guess yet: what follows waits for it")
            )


@pytest.mark.parametrize(
    "name", [name for name, one in plain().items() if name not in TASKS and not one.get("options")]
)
def test_a_check_of_a_word_or_number_has_a_field(
    name: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a notebook, while the dots stand there: what is written is judged as code would be, hints end in the answer."""
    shown: list[Any] = []
    monkeypatch.setattr("IPython.display.display", shown.append)
    monkeypatch.setattr("viz.lesson.answers.notebook", lambda: True)
    check(name, ...)
    [panel], one = shown, plain()[name]
    field = panel.children[1].children[0]
    assert repr(panel) == "○ not answered yet" and capsys.readouterr().out == ""
    for wrong, story in one["wrong"]:
        field.value = str(wrong)
        assert words(panel) == spelled(f"✗ {story}"), wrong
    field.value = "nothing of the kind"
    assert words(panel).startswith("✗ ")
    told = []
    while "Show the answer" not in buttons(panel):
        buttons(panel)[next(label for label in buttons(panel) if label != "Check")].click()
        told.append(words(panel))
    assert len(told) == 2 and all(text.startswith(f"Hint {at} of 2") for at, text in enumerate(told, 1))
    buttons(panel)["Show the answer"].click()
    assert spelled(one["why"]) in words(panel)
    field.value = f" {one['right']} "
    assert repr(panel) == f"✓ {one['why']}" and words(panel) == spelled(repr(panel))
    tries = len(one["wrong"]) + 2
    buttons(panel)["Check"].click()
    summary()
    assert f"{name:6} ✓  {tries} tries" in capsys.readouterr().out


# ---- compared, and the log ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name, one in plain().items() if one.get("options")])
def test_every_option_is_compared_with_the_truth(name: str) -> None:
    one = plain()[name]
    for option in one["options"]:
        forget()
        guess = guess_at(name)
        guess.commit(option)
        right, said = compared(guess)
        assert right == (str(option) == str(one["right"])), option
        assert one["why"] in said
        assert said.startswith(
            f"You said {option}, and so it is." if right else f"You said {option}; right is {one['right']}."
        )


def test_the_log_counts_guesses_and_tries(capsys: pytest.CaptureFixture[str]) -> None:
    predict("02.1", 9)
    for answer in (..., 6, 3):
        check("02.3", answer)
    capsys.readouterr()
    summary()
    assert capsys.readouterr().out.splitlines() == [
        "02.1   ✗  your guess: 9",
        "02.3   ✓  2 tries",
        "0 of 1 guesses right: what surprised you is what you learned.",
    ]


def test_guesses_in_a_stepper_are_in_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    """A stored question goes by its name, one of a teacher's own by its words; each question's first guess stays."""
    with viz.record() as run:
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = x * x
        tape.gradient(y, x)
    own = question("Does the tape still know?", ["yes", "no"], "no", before=2)
    stepper = viz.step(run, ask=["02.2", own])
    first, at = (str(step) for step, one in enumerate(stepper.scene.steps) if "ask" in one)
    stepper.guesses = {at: "1"}  # what a click sends
    stepper.guesses = {at: "2", first: "no"}
    stepper.guesses = {at: "2", first: "no", "99": "no", "0": "no"}
    summary()
    assert capsys.readouterr().out.splitlines() == [
        "02.2   ✗  your guess: 1",
        "✓  your guess: no   Does the tape still know?",
        "1 of 2 guesses right: what surprised you is what you learned.",
    ]


def test_a_cell_that_runs_again_before_the_guess_waits_once() -> None:
    shown: list[int] = []
    guess = guess_at("02.1")
    for number in range(3):
        when([guess], lambda number=number: shown.append(number), key="the same cell")
    guess.commit("6")
    assert shown == [2]
