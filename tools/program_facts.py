"""Ask TensorFlow what the programs under tests/data/programs-of-people/ print.

Run with a Python that has TensorFlow 2.21: `python tools/program_facts.py [NAME ...]`, from the project's root.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")
os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
sys.path.insert(0, str(Path(__file__).parents[1]))

import tensorflow as tf

from tests import people

for name in sys.argv[1:] or people.NAMES:
    text = people.printed(name, tf)
    (people.FOLDER / f"{name}.out").write_text(text, encoding="utf-8")
    print(f"{name}: {len(text.splitlines())} lines")
