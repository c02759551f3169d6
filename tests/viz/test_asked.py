"""What is asked is not answered by what stands beside it: stills, stories and pages up to a question that waits."""

from __future__ import annotations

import pytest

import viz
from tests.viz import programs
from viz.lesson import question
from viz.lesson.question import covered, put
from viz.paint.svg import picture
from viz.paint.text import described, story

NAMES = ["nested", "recompute", "persistent", "reversible"]


def asked(name: str, before: int):
    scene = programs.kept(name).scene
    return scene, put(scene, question("What comes?", ["this", "that"], "this", before=before))


@pytest.mark.parametrize("name", NAMES)
def test_a_covered_scene_holds_nothing_of_later_steps(name: str) -> None:
    """Change everything that happens after the question: the covered scene, its still and its story stay the same, byte for byte."""
    scene, with_question = asked(name, -1)
    at = next(number for number, step in enumerate(with_question.steps) if step.get("ask"))
    shown = covered(with_question)
    assert len(shown.steps) == len(scene.steps) and at < len(scene.steps) - 1
    other = type(scene).from_dict(with_question.to_dict())
    for step in other.steps[at + 1 :]:
        step.update(say="something else", memory={"python": 10_000})
        step.pop("marks", None)
        step.pop("high", None)
    for value in other.values:
        for cell in value["cells"]:
            for state in cell.get("states", []):
                if state["t"] > at:
                    state["text"] = "4711"
    for edge in other.edges:
        edge["carried"] = [one for one in edge.get("carried", []) if one["t"] <= at]
    assert picture(covered(other), at) == picture(shown, at)
    assert story(covered(other)) == story(shown) and described(covered(other), at) == described(shown, at)
    assert picture(other, at) != picture(with_question, at)  # uncovered, the change is seen


def test_a_stepper_shows_the_asked_step_and_tells_no_more() -> None:
    run = programs.run("nested")
    last = run.scene.steps[-1]["say"]
    plain, stepper = viz.step(run), viz.step(run, start=-1, ask=question("What comes?", ["this", "that"], "this"))
    assert last in plain._words and last not in stepper._words
    assert stepper._words.rstrip().endswith("What comes? this / that")
    at = next(number for number, step in enumerate(stepper.scene.steps) if step.get("ask"))
    assert stepper.step == at and stepper._picture == picture(
        covered(stepper.scene), at, theme="", parts=("say", "code", "graph", "lanes", "memory")
    )


def test_without_a_question_nothing_is_covered() -> None:
    scene = programs.kept("nested").scene
    assert covered(scene) is scene


def test_two_questions_do_not_wait_at_one_step() -> None:
    first, second = question("What comes?", ["this", "that"], "this"), question("And how much?", ["1", "2"], "1")
    with pytest.raises(ValueError, match=r"two questions wait at step \d+: 'What comes\?' and 'And how much\?'"):
        put(programs.kept("nested").scene, [first, second])
