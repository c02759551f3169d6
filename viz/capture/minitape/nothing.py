"""A hint, once per line, where a gradient is None: `tape.why` knows the reason.  The answer itself is not changed."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from minitape.record.diary import Diary
from minitape.record.provenance import Site, learner_frame

ASKED = re.compile(r"(\w+)\.(?:gradient|jacobian)\(([^()=]+(?:\[[^()=]*\])?)\)")  # a question without nested brackets


def tell_nothing(say: Callable[[str], None]) -> None:
    """From now on say so where a line outside of any function asks a tape and gets None for a source.

    Inside a function None may be what is wanted; and with `unconnected_gradients="zero"` there is no None.
    """
    behind, said = Diary.look_at, set[tuple[str, int, str]]()
    if behind.__module__ == __name__:
        return  # it is said already

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
    place = "[…]" if len(sources) > 1 else ""  # in a list or in a dict: here they come one after the other
    asked = " and ".join(
        dict.fromkeys(Diary.explain(tape, targets, source, place=place).asked for source in missing[:2])
    )
    more = f" and {len(missing) - 2} more are" if len(missing) > 2 else " is" if len(missing) == 1 else " are"
    found = ASKED.search(text)
    question = (
        f"{found[1]}.why({found[2]})".replace(",", ", ").replace(",  ", ", ") if found else "tape.why(target, source)"
    )
    return f"○ {asked}{more} None here: {question} knows the reason"
