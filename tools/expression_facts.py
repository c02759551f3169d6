"""Ask TensorFlow for the facts that tests/core/test_expressions.py compares with.

Run with a Python that has TensorFlow 2.21: `python tools/expression_facts.py [SUBJECT ...]`, from the project's root.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, str(Path(__file__).parents[1]))

import tensorflow as tf

from tests import expressions

tf.get_logger().setLevel("ERROR")
tf.autograph.set_verbosity(0)

for subject in sys.argv[1:] or expressions.SUBJECTS:
    answers = {line: expressions.answer(tf, line) for line in expressions.lines(subject)}
    text = ",\n".join(f"{json.dumps(line)}: {json.dumps(found)}" for line, found in answers.items())
    (expressions.FOLDER / f"{subject}.json").write_text(f"{{\n{text}\n}}\n", encoding="utf-8")
    print(
        f"{subject}: {len(answers)} facts, {sum(str(found).startswith('! ') for found in answers.values())} of refusals"
    )
