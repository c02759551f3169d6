"""Ask TensorFlow: `python -m tools.facts [WHAT ...] [--check]`, where it is installed.

Some cells of the guides need Keras 2, too: the package tf_keras.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from tests import expressions as subjects
from tests import guides, people
from tests.core.keras import programs as keras
from tests.core.keras import whole
from tools.facts import ALL, expressions, golden

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
OLD = os.environ.get("TF_USE_LEGACY_KERAS") == "1"
NUMBER = re.compile(r"[-+]?\d+\.\d*(?:e[-+]?\d+)?")


def ask_expressions(tf: Any) -> dict[str, Any]:
    lines, beginnings = expressions.read()
    found = {line: expressions.answer(tf, line) for line in lines}
    broken = [line for line, begins in beginnings.items() if not found[line][1].startswith(begins)]
    if broken:
        sys.exit("messages begin otherwise:\n" + "\n".join(f"{line}\n    {found[line][1]}" for line in broken))
    return {line: fact for line, (fact, _) in found.items()}


def ask_subjects(tf: Any) -> dict[str, Any]:
    return {line: subjects.answer(tf, line) for subject in subjects.SUBJECTS for line in subjects.lines(subject)}


def ask_golden(tf: Any) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    for name, program in golden.load(tf).items():
        case = golden.run(tf, program)
        facts[name] = {"outputs": case.out, **({"printed": case.printed} if case.printed else {})}
    return facts


def ask_keras(tf: Any) -> dict[str, Any]:
    def short(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: short(part) for key, part in value.items()}
        if isinstance(value, list):
            return [short(part) for part in value]
        return float(f"{value:.8g}") if isinstance(value, float) else value

    return {name: short(keras.plain(program(tf))) for name, program in keras.PROGRAMS.items()}


def ask_parts(tf: Any) -> dict[str, Any]:
    return {name: whole.marks(tf, name) for name in whole.PROGRAMS}


def ask_people(tf: Any) -> dict[str, Any]:
    return {f"{name} 1": people.printed(name, tf) for name in people.NAMES}


def ask_guides(tf: Any) -> dict[str, Any]:
    """What each cell prints; the cells of Keras 2 are asked in a process of their own, which begins with it."""
    names = [path.stem for path in sorted(guides.FOLDER.glob("*.py"))]
    found = {name: guides.run(name, tf, forgiving=True) for name in names}
    if not OLD:
        variables = {**os.environ, "TF_USE_LEGACY_KERAS": "1"}
        command = [sys.executable, "-m", "tools.facts", "guides", "--print"]
        older = json.loads(subprocess.run(command, env=variables, stdout=subprocess.PIPE, check=True).stdout)
        for name in names:
            for cell in guides.cells(name):
                if cell.state == "Keras 2":
                    found[name][cell.number] = older[f"{name} {cell.number}"]
    return {f"{name} {number}": text for name, texts in found.items() for number, text in texts.items()}


ASK: dict[str, Callable[[Any], dict[str, Any]]] = {
    "expressions": ask_expressions,
    "subjects": ask_subjects,
    "golden": ask_golden,
    "keras": ask_keras,
    "parts": ask_parts,
    "guides": ask_guides,
    "people": ask_people,
}


def near(a: Any, b: Any) -> bool:
    """Whether two answers are equal but for the last bits of their numbers, in which machines differ."""
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(near(a[key], b[key]) for key in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(near, a, b))
    if isinstance(a, float) and isinstance(b, float):
        return math.isclose(a, b, rel_tol=1e-6, abs_tol=1e-7) or (math.isnan(a) and math.isnan(b))
    if isinstance(a, str) and isinstance(b, str):
        mine, theirs = (list(map(float, NUMBER.findall(text))) for text in (a, b))
        return NUMBER.sub("#", a) == NUMBER.sub("#", b) and all(map(near, mine, theirs))
    return type(a) is type(b) and a == b


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.facts", description=__doc__)
    parser.add_argument("what", nargs="*", choices=[*ALL, []], help="all of them, if none is named")
    parser.add_argument("--check", action="store_true", help="write nothing; say what differs from what is stored")
    parser.add_argument("--print", action="store_true", help="write nothing; print the answers as JSON")
    given = parser.parse_args()

    import numpy as np
    import tensorflow as tf

    tf.get_logger().setLevel("ERROR")
    tf.autograph.set_verbosity(0)
    if given.print:
        answers = {name: fact for what in given.what or ALL for name, fact in ASK[what](tf).items()}
        print(json.dumps(answers, default=str))
        return
    versions = {"tensorflow": tf.__version__, "keras": tf.keras.__version__, "numpy": np.__version__}
    changed = 0
    for what in given.what or ALL:
        text = json.dumps(ASK[what](tf), default=str)
        facts = json.loads(re.sub(r"0x[0-9a-f]{6,}", "0x0", text))  # where an object lay
        before = ALL[what].read()
        different = [name for name in {**before, **facts} if not near(before.get(name), facts.get(name))]
        for name in different:
            print(f"{what}: {name}\n    stored: {before.get(name)}\n    now:    {facts.get(name)}")
        print(f"{what}: {len(facts)} facts, {len(different)} differ from what was stored")
        changed += len(different)
        if not given.check:
            ALL[what].write(versions, facts)
    sys.exit(1 if given.check and changed else 0)


if __name__ == "__main__":
    main()
