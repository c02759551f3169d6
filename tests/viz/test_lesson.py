"""predict, check and the properties: what a learner reads, and that no answer is given away."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

import minitape as tf
import viz
from tests.seal import SEALED, plain, sealed
from viz.lesson import (
    NotRight,
    Property,
    check,
    derivative,
    entries,
    lets_go,
    predict,
    prints,
    program,
    question,
    slopes,
)
from viz.lesson.bank import canonical, digest, questions
from viz.lesson.derivatives import difference
from viz.lesson.question import put, stored

each_question = pytest.mark.parametrize("name", list(plain()))


def said(capsys: pytest.CaptureFixture[str], *call: Any) -> str:
    check(*call)
    return capsys.readouterr().out


# ---- the stored questions ---------------------------------------------------------------------------------------------------


def test_the_sealed_file_is_up_to_date():
    assert SEALED.read_text(encoding="utf-8") == sealed(), "run `python -m tests.seal`"


@each_question
def test_each_question_accepts_its_answer_and_knows_its_wrong_ones(name: str, capsys):
    one = plain()[name]
    assert said(capsys, name, one["right"]) == f"✓ {one['why']}\n"
    for answer, sentence in one["wrong"]:
        assert said(capsys, name, answer) == f"✗ {sentence}\n"


@each_question
def test_the_sealed_form_names_no_answer(name: str):
    one = questions()[name]
    assert json.dumps(one["solution"]).count(" ") == 0, "packed"
    assert len(one["right"]) == 24 and int(one["right"], 16) >= 0
    assert all(len(key) == 24 for key in one["wrong"])
    assert one["right"] not in one["wrong"]


@each_question
def test_a_reply_to_a_wrong_answer_does_not_say_the_right_one(name: str):
    one = plain()[name]
    right = canonical(one["right"])
    if right in ("none", "outer", "list") or len(right) == 1:
        pytest.skip("a plain word or digit, which a hint may use for something else")
    for _, sentence in one["wrong"]:
        assert right not in sentence.lower()


def test_options_hold_the_right_answer_and_tempting_ones():
    for name, one in plain().items():
        if options := one.get("options"):
            assert len(one["wrong"]) >= len(options) - 1, f"{name}: every wrong option has a story"
            spelled = [canonical(option) for option in options]
            assert canonical(one["right"]) in spelled, name
            assert len(set(spelled)) == len(spelled) >= 3, name
            wrong = [canonical(answer) for answer, _ in one["wrong"]]
            assert set(wrong) <= set(spelled), name


# ---- check ------------------------------------------------------------------------------------------------------------------


def test_dots_are_no_answer_yet(capsys, monkeypatch):
    monkeypatch.setenv("MINITAPE_STRICT", "1")
    assert said(capsys, "02.1", ...) == "○ not answered yet\n"
    assert said(capsys, slopes(), ...) == "○ not answered yet\n"
    assert said(capsys, slopes(), lambda f, x: ...) == "○ not answered yet\n"


def test_a_wrong_answer_is_a_line_and_with_strict_an_error(capsys, monkeypatch):
    monkeypatch.delenv("MINITAPE_STRICT", raising=False)
    assert said(capsys, "02.1", 12345) == "✗ Not this. Go back to the picture and look once more.\n"
    monkeypatch.setenv("MINITAPE_STRICT", "1")
    with pytest.raises(NotRight, match="✗ 9 is y"):
        check("02.1", 9)


@pytest.mark.parametrize("answer", [6, 6.0, "6", tf.constant(6.0), tf.constant([6.0])[0], 6.0004])
def test_the_same_number_may_be_written_in_many_ways(answer: Any, capsys):
    assert said(capsys, "02.1", answer).startswith("✓")


def test_another_question_with_the_same_answer_has_another_seal():
    assert digest("02.1", 6) != digest("05.7", 6)


def test_an_unknown_question_is_an_error():
    with pytest.raises(ValueError, match=r"no question '99\.9'"):
        check("99.9", 1)


# ---- predict ----------------------------------------------------------------------------------------------------------------


def test_predict_asks_notes_and_does_not_tell(capsys):
    assert predict("02.1", ...) is ...
    assert "no guess yet" in capsys.readouterr().out
    assert predict("02.1", 9) == 9
    right = capsys.readouterr().out
    assert predict("02.1", 6) == 6
    wrong = capsys.readouterr().out
    assert right.replace("guess: 9", "guess: 6") == wrong, "both guesses get the same words"


def test_predict_takes_only_what_it_offers(capsys):
    assert predict("02.1", 7) is ...
    assert "7 is not among these" in capsys.readouterr().out


# ---- questions in the stepper --------------------------------------------------------------------------------------------


def run_of_square() -> viz.Run:
    with viz.record() as run:
        x = tf.Variable(3.0)
        with tf.GradientTape() as tape:
            y = x * x
        tape.gradient(y, x)
    return run


def test_a_stored_question_is_put_before_the_step_that_answers_it():
    scene = put(run_of_square().scene, "02.2")
    [(start, ask)] = [(number, step["ask"]) for number, step in enumerate(scene.steps) if "ask" in step]
    assert ask["answer"] == "2"
    assert "its second use" in scene.steps[start + ask["after"]]["say"]
    assert all("its second use" not in step["say"] for step in scene.steps[: start + 1])


def test_every_wrong_option_brings_its_story_to_the_stepper():
    [ask] = [step["ask"] for step in put(run_of_square().scene, "02.2").steps if "ask" in step]
    assert set(ask["stories"]) == set(ask["options"]) - {ask["answer"]}
    for name, one in plain().items():
        if "before" in one:
            assert set(stored(name).stories) == set(one["options"]) - {one["right"]} - {str(one["right"])}, name
    with pytest.raises(ValueError, match="not among the options"):
        question("?", ["a", "b"], "a", stories={"c": "?"})


def test_the_sentence_that_reveals_a_question_reads_well():
    """The player says `You said <option>; it is <answer>.`"""
    for name, one in plain().items():
        if "before" in one:
            for option in one["options"]:
                assert not re.match(r"(it|they|he|she|this) ", option), f"{name}: it is {option}"
                assert " kept them" not in option or option.startswith("from"), name


def test_putting_a_question_leaves_the_run_as_it_was():
    run = run_of_square()
    before = run.scene.to_json()
    put(run.scene, "02.2")
    assert run.scene.to_json() == before


def test_what_is_no_question_for_a_stepper_is_refused():
    with pytest.raises(ValueError, match="not one for a stepper"):
        stored("02.3")
    with pytest.raises(ValueError, match="not among the options"):
        question("?", ["a", "b"], "c")
    with pytest.raises(ValueError, match="no step says"):
        put(run_of_square().scene, question("?", ["a", "b"], "a", before="never said"))


# ---- properties -------------------------------------------------------------------------------------------------------------


def fault(wanted: Property, answer: Any) -> Any:
    return wanted.fault(answer)


def right_slope(f, x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = f(x)
    return tape.gradient(y, x)


def test_slopes_accepts_a_tape_and_a_difference():
    assert fault(slopes(), right_slope) == ""
    assert fault(slopes(), lambda f, x: difference(f, float(x))) == ""


def test_slopes_names_the_misconception():
    def unwatched(f, x):
        with tf.GradientTape() as tape:
            y = f(x)
        return tape.gradient(y, x)

    assert "gives None: the tape never watched x" in fault(slopes(), unwatched)
    assert "it gives 1.2; a central difference gives" in fault(slopes(), lambda f, x: 2.0 * x)
    assert "raises ZeroDivisionError" in fault(slopes(), lambda f, x: 1 / 0)
    assert "not one number" in fault(slopes(), lambda f, x: tf.constant([1.0, 2.0]))
    assert "A function was expected" in fault(slopes(), 3.0)


def test_slopes_of_higher_order_needs_that_order():
    def nth(f, x, n):
        return f(x) if n == 0 else right_slope(lambda at: nth(f, at, n - 1), x)

    assert fault(slopes(orders=(1, 2, 3)), nth) == ""
    assert "order 2" in fault(slopes(orders=(1, 2, 3)), lambda f, x, n: right_slope(f, x))


def test_slopes_of_several_wants_one_each():
    assert fault(slopes(several=True), lambda fs, x: [right_slope(f, x) for f in fs]) == ""
    assert "gives 1 answers" in fault(slopes(several=True), lambda fs, x: [right_slope(fs[0], x)])
    assert fault(slopes(several=True), lambda fs, x: ...) is ...


def test_derivative_compares_with_the_difference():
    wanted = derivative(lambda x: x * x * x, order=2)
    assert fault(wanted, lambda x: 6.0 * x) == ""
    assert "central difference gives 3.6" in fault(wanted, lambda x: 3.0 * x * x)
    assert fault(wanted, lambda x: ...) is ...


def test_entries_counts():
    x = tf.Variable(3.0)
    with tf.GradientTape() as tape:
        y = x * x * x
    assert fault(entries(2), tape) == ""
    assert fault(entries(3), tape) == "The tape has 2 entries."
    tape.gradient(y, x)
    assert fault(entries(2), tape) == "", "a used tape still tells"


def test_lets_go_sees_what_is_held_afterwards():
    kept = []

    def leak(x):
        with tf.GradientTape(persistent=True) as tape:
            tape.watch(x)
            y = tf.sin(x)
        kept.append(tape)
        return tape.gradient(y, x)

    assert fault(lets_go(tf.constant(1.5)), lambda x: right_slope(tf.sin, x)) == ""
    assert "4 bytes more" in fault(lets_go(tf.constant(1.5)), leak)


def test_prints_compares_lines_in_order():
    assert fault(prints("a", "b"), lambda: (print("a"), print("b"))) == ""
    assert fault(prints("a", "b"), lambda: (print("b"), print("a"))) == "It prints ['b', 'a']."


def test_program_runs_the_text():
    wanted = program(d=6.0)
    flat = "x = tf.Variable(3.0)\nwith tf.GradientTape() as t:\n{}y = x * x\nd = t.gradient({}, x)"
    assert fault(wanted, flat.format("", "y")) is ...
    assert fault(wanted, flat.format("    ", "y")) == ""
    assert "Python stops at line" in fault(wanted, "if True:\n  d = 6.0\nif True:\nd = 6.0")
    assert fault(wanted, flat.format("    ", "x * x")).startswith("d is None: the recorder")
    assert "d is 7" in fault(wanted, "if True:\n  d = 7.0")
    assert "Nothing is called d" in fault(wanted, "if True:\n  e = 6.0")
    assert "raises NameError" in fault(wanted, "if True:\n  d = unknown")


def test_the_difference_is_good_to_the_third_order():
    def f(x):
        return x * x * x * x

    assert difference(f, 1.5) == pytest.approx(13.5, rel=1e-9)
    assert difference(f, 1.5, 2) == pytest.approx(27.0, rel=1e-7)
    assert difference(f, 1.5, 3) == pytest.approx(36.0, rel=1e-4)


def test_the_questions_are_valid_json_without_surprises():
    for name, one in json.loads(SEALED.read_text(encoding="utf-8")).items():
        wanted = {"hints", "solution"} if "right" not in one else {"ask", "right", "why", "wrong", "hints", "solution"}
        assert wanted <= set(one) <= wanted | {"options", "before", "until", "also", "as"}, name
