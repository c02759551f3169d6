"""A gradient that is None is said once, at its line: `tape.why` knows the reason.  The answer itself stays what it is."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from minitape.record.diary import Diary
from minitape.record.provenance import Site, learner_frame

ASKED = re.compile(r"(\w+)\.(?:gradient|jacobian)\(([^()=]+(?:\[[^()=]*\])?)\)")  # a question with nothing nested in it


def tell_nothing(say: Callable[[str], None]) -> None:
    """From now on say so where a line of the learner's own, in no function, asks a tape and gets None for a source.

    Whoever asks within a function may well want to know just that; and `unconnected_gradients="zero"` answers no None.
    """
    behind, said = Diary.look_at, set[tuple[str, int, str]]()
    if behind.__module__ == __name__:
        return  # somebody says so already

    def look(tape: Any, targets: Any, sources: Any, answers: Any, whole: bool = False) -> None:
        behind(tape, targets, sources, answers, whole)
        if any(answer is None for answer in answers):
            frame = learner_frame()
            site = Site(frame.f_code, frame.f_lasti)
            line = site.label, site.line, site.text
            if frame.f_code.co_name == "<module>" and line not in said:
                said.add(line)
                say(_sentence(tape, targets, sources, answers, site.text))

    Diary.look_at = staticmethod(look)


def _sentence(tape: Any, targets: Any, sources: Any, answers: Any, text: str) -> str:
    missing = [source for source, answer in zip(sources, answers, strict=True) if answer is None]
    asked = " and ".join(
        dict.fromkeys(Diary.explain(tape, targets, source, None, len(sources) > 1).asked for source in missing[:2])
    )
    more = f" and {len(missing) - 2} more are" if len(missing) > 2 else " is" if len(missing) == 1 else " are"
    found = ASKED.search(text)
    question = (
        f"{found[1]}.why({found[2]})".replace(",", ", ").replace(",  ", ", ") if found else "tape.why(target, source)"
    )
    return f"○ {asked}{more} None here: {question} knows the reason"
