"""Writes what Keras gives for the programs of tests/core/keras, into tests/data: run it with a Python that has TensorFlow.

python tools/keras_facts.py            # writes the facts
python tools/keras_facts.py LSTM GRU   # those whose name holds one of these texts; the others stay as they are
python tools/keras_facts.py --all      # those of programs.py too
python tools/keras_facts.py --check    # says where the facts that are there differ from what Keras gives now
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")

import tensorflow as tf  # noqa: E402

from tests.core.keras.parts import ONLY_FLOAT32, PARTS, mark, unlike  # noqa: E402
from tests.core.keras.programs import PROGRAMS, plain  # noqa: E402
from tests.core.keras.whole import WHOLE  # noqa: E402

DATA = ROOT / "tests" / "data"


def parts(wanted: list[str], known: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """The marks of what each part gives, in both dtypes; what is not wanted is as it is known."""
    for name, program in {**PARTS, **WHOLE}.items():
        for dtype in ("float32", "float64"):
            if dtype == "float64" and (name in ONLY_FLOAT32 or name in WHOLE):
                continue
            key = f"{name}, {dtype}"
            if wanted and key in known and not any(text in name for text in wanted):
                yield key, known[key]
                continue
            tf.keras.utils.clear_session()
            yield key, mark(program(tf, dtype))


def programs() -> dict[str, Any]:
    """What each program gives, as nested lists."""
    return {name: plain(program(tf)) for name, program in PROGRAMS.items()}


def _written(facts: dict[str, Any], digits: int) -> str:
    """JSON with a line for each program, and no more digits than count."""

    def short(value: Any) -> Any:
        if isinstance(value, float):
            return float(f"{value:.{digits}g}")
        if isinstance(value, dict):
            return {name: short(each) for name, each in value.items()}
        return [short(each) for each in value] if isinstance(value, list) else value

    lines = [f"{json.dumps(name)}:{json.dumps(short(value), separators=(',', ':'))}" for name, value in facts.items()]
    return "{" + ",\n".join(lines) + "}\n"


def _meta(what: str) -> dict[str, str]:
    version = f"Keras {tf.keras.__version__.rsplit('.', 1)[0]} on TensorFlow {tf.__version__.rsplit('.', 1)[0]} (CPU)"
    return {"_meta": f"what {version} gave for {what}; tools/keras_facts.py wrote it"}


def main() -> None:
    """Write the facts, or compare them."""
    path = DATA / "keras-parts.json"
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    wanted = [each for each in sys.argv[1:] if not each.startswith("--")]
    if "--check" in sys.argv:
        for name, marks in parts(wanted, known):
            print(*unlike(marks, known.get(name), 1e-6 if name.endswith("32") else 1e-12, name), sep="\n", end="")
        return
    facts = _meta("tests/core/keras/parts.py and whole.py")
    for name, marks in parts(wanted, known):
        facts[name] = marks
        print(name, flush=True)
        rest = {key: value for key, value in known.items() if key not in facts}  # so that a run may be broken off
        path.write_text(_written({**facts, **rest}, 17), encoding="utf-8")
    path.write_text(_written(facts, 17), encoding="utf-8")
    if "--all" in sys.argv:
        lists = {**_meta("tests/core/keras/programs.py"), **programs()}
        (DATA / "keras-facts.json").write_text(_written(lists, 9), encoding="utf-8")


if __name__ == "__main__":
    main()
