"""Twins: one program recorded on TensorFlow and on minitape, held against each other entry by entry.

`python -m tools.twins` records all of them where TensorFlow is installed and stores TensorFlow's accounts, and how minitape's
differ; `--again` needs no TensorFlow: it holds what minitape does today against the accounts that are stored.
"""

from __future__ import annotations

import hashlib
import json
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import minitape
from tools.facts import golden
from viz.capture import record
from viz.tell.account import ASPECTS, Account, Fact, Teller, near
from viz.tell.twins import Compared, compared

from .programs import PROGRAMS
from .reasons import reason

HERE = Path(__file__).parent
PATH = HERE.parents[1] / "tests" / "data" / "twins.json"
OUT = {
    **dict.fromkeys(
        ("recompute_random", "recompute_keras_doc", "recompute_keras_float", "recompute_keras_second_order"),
        "its numbers are by chance",
    ),
    "tape_saved_tensors_per_op": "it asks weak references of a hundred tapes, and takes long",
}
UNEXPLAINED = "other"


def programs(tf: Any) -> dict[str, Callable[[], Any]]:
    """Every program with a module as `tf`: those of the documents first, then those of tools/facts."""
    stored = golden.load(tf)
    own = {name: lambda one=one: one(tf) for name, one in PROGRAMS.items()}
    return own | {name: lambda one=one: golden.run(tf, one) for name, one in stored.items() if name not in OUT}


def digest() -> str:
    """A digest of the programs as they are now."""
    found = hashlib.sha256()
    for path in (HERE / "programs.py", *golden.SOURCES):
        found.update(path.read_text(encoding="utf-8").encode())
    return found.hexdigest()[:16]


def told(program: Callable[[], Any], *framework: Any) -> Account:
    """The account of a program that is recorded."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        (*framework, minitape)[0].keras.backend.clear_session()  # layers are named by their number since it began
        with record(*framework) as run:
            program()
    return Teller(run.stream).facts


def verdicts(minitape: Account, tensorflow: Account) -> dict[str, Any]:
    """By aspect: how many entries each has and both share, and for what reasons entries differ."""
    both = compared(minitape, tensorflow)
    facts = _facts_of(minitape, tensorflow, both)
    found = {}
    for aspect, one in both.items():
        reasons = Counter(reason(aspect, difference, facts) or UNEXPLAINED for difference in one.differences)
        found[aspect] = [one.verdict, one.shared, *one.counts, *([dict(sorted(reasons.items()))] if reasons else [])]
    return found


def _facts_of(minitape: Account, tensorflow: Account, both: Mapping[str, Compared]) -> set[str]:
    """What occurs in a program, as far as reasons ask."""
    found = {"sums"} if tensorflow["sums"] else set()
    found |= {"rule"} if not tensorflow["regions"] and len(tensorflow["kept"]) > len(minitape["kept"]) else set()
    found |= {"unrecorded"} if not tensorflow["kept"] else set()
    if any("replay" in fact.words[0] for fact in tensorflow["regions"]) and "recorders" in both:
        more = [one.other for one in both["recorders"].differences if one.one is None and one.other is not None]
        found |= {f"rerun {fact.words[1]}" for fact in more if fact.words[0] == "watch"}
    for aspect in {"back", "answers"} & set(both):
        found |= {f"in shares {fact}" for fact in _in_shares(both[aspect], 3 if aspect == "back" else 1)}
    if "back" in both:
        differences = both["back"].differences
        ours = {str(one.one) for one in differences if one.other is None}
        found |= {f"moved {one.other}" for one in differences if one.one is None and str(one.other) in ours}
        begun, their = (
            {fact.words[0] for fact in one["back"] if "begins" in fact.words} for one in (minitape, tensorflow)
        )
        found |= {f"through tangents {tape}" for tape in begun - their} if tensorflow["tangents"] else set()
    found |= {"normalizes"} if any("squared_difference" in fact.words for fact in tensorflow["ops"]) else set()
    return found


def _in_shares(one: Compared, words: int) -> Iterator[Fact]:
    """What minitape tells in one piece and TensorFlow in several that add up to it; alike in so many words."""
    for start in {difference.one.words[:words] for difference in one.differences if difference.one}:
        ours = [each.one for each in one.differences if each.one and each.one.words[:words] == start]
        shares = [each.other for each in one.differences if each.other and each.other.words[:words] == start]
        sums = [sum(numbers) for numbers in zip(*[share.numbers for share in shares], strict=False)]
        if len(ours) == 1 < len(shares) and near(ours[0], Fact(ours[0].words, tuple(sums))):
            yield from (*ours, *shares)


def plain(one: Account) -> dict[str, Any]:
    """An account as JSON has it: words as one text, then numbers."""
    return {aspect: [["|".join(fact.words), *fact.numbers] for fact in facts] for aspect, facts in one.items() if facts}


def read(data: dict[str, Any]) -> Account:
    """An account again."""
    return {
        aspect: [Fact(tuple(words.split("|")), tuple(numbers)) for words, *numbers in data.get(aspect, [])]
        for aspect in ASPECTS
    }


def stored() -> dict[str, Any]:
    """What is stored: who gave it, and by program TensorFlow's account and the verdicts."""
    data: dict[str, Any] = json.loads(PATH.read_text(encoding="utf-8"))
    return data


def write(versions: dict[str, str], facts: dict[str, Any]) -> None:
    """Store what was found, a program to a line."""
    meta = json.dumps({**versions, "programs": digest()})
    lines = ",\n".join(f"  {json.dumps(name)}: {json.dumps(one)}" for name, one in facts.items())
    PATH.write_text(f'{{\n "_meta": {meta},\n "facts": {{\n{lines}\n }}\n}}\n', encoding="utf-8")


def explained(verdicts: Mapping[str, Any]) -> bool:
    """Whether every entry that differs has a reason."""
    return not any(UNEXPLAINED in reasons for one in verdicts.values() for reasons in one[4:])


def rows(name: str) -> list[str]:
    """The rows of docs/differences.md that name an answer of a program's: then what leads to it differs too."""
    lines = (HERE.parents[1] / "docs" / "differences.md").read_text(encoding="utf-8").splitlines()
    return [line.strip("| ").split("<br>")[0].split(" | ")[0] for line in lines if f"`{name}/" in line]


def same(verdicts: Mapping[str, Any]) -> bool:
    """Whether no entry differs, but for what is kept and for the ops inside rules."""
    return all(one[0] == "the same" for aspect, one in verdicts.items() if aspect not in ("kept", "rules"))


def lines(facts: dict[str, Any]) -> Iterator[str]:
    """A line on each program: whether the twins are the same, and how many entries both have in the aspects where some differ."""
    for name, one in facts.items():
        found = one["verdicts"]
        other = {aspect: verdict for aspect, verdict in found.items() if verdict[0] != "the same"}
        said = ", ".join(f"{aspect} {verdict[1]} of {max(verdict[2:4])}" for aspect, verdict in other.items())
        own = rows(name) if not explained(found) else []
        yes = (
            "same"
            if not other
            else "on purpose"
            if explained(found)
            else f"answers of its own: {'; '.join(own)}"
            if own
            else ""
        )
        yield f"| `{name}` | {yes} | {said} |"


def summary(facts: dict[str, Any]) -> str:
    """How many twins are the same, and how many differ only where it is meant."""
    found = [one["verdicts"] for one in facts.values()]
    own = sum(bool(rows(name)) and not explained(one["verdicts"]) for name, one in facts.items())
    meant, alike = sum(map(explained, found)), sum(map(same, found))
    return (
        f"Of {len(facts)} programs, {meant} differ nowhere or only where it is meant ({alike} of all are the same "
        "entry by entry but for what is kept and for the ops inside rules); the other "
        f"{own} have answers that differ on purpose, each with its row, and what leads to these differs too."
    )


PAGE = HERE.parents[1] / "docs" / "twins.md"
HEAD = """# Twins: one program on TensorFlow and on minitape

Programs that are documented for TensorFlow, recorded on both and held against each other entry by entry: ops and who writes
them down, what is kept, what recorders do, what runs again, what comes back along each edge with its number, sums, answers,
tangents, and the ops inside the rules. What differs on purpose is [said with its reason](differences.md). `python -m tools.twins`
makes this page where TensorFlow is installed, `python -m tools.twins --again` with TensorFlow's stored accounts; a test holds
minitape to it.

"""


def page(data: dict[str, Any]) -> str:
    """docs/twins.md."""
    facts, meta = data["facts"], data["_meta"]
    first = f"{HEAD}TensorFlow {meta['tensorflow']}. {summary(facts)}\n\n"
    table = "| program | | entries that both have, where some differ |\n|---|---|---|\n"
    return first + table + "\n".join(lines(facts)) + "\n"
