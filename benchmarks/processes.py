"""Asks `measure` one question in a fresh process, and tells in a line what went wrong if something did."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from . import ONE_THREAD

HERE = Path(__file__).resolve().parents[1]
LIMIT = 100  # seconds of CPU for one process; of the wall's clock ten times as many, on a machine that does other things too
LONG = 30  # seconds of CPU: a peer that takes longer is not asked again in the next round


class Broke(Exception):
    """A framework that is installed could not do it; the message says why."""


def ask(what: str, name: str, **more: Any) -> dict[str, Any]:
    """The answer of `measure` from a process of its own; raises Broke."""
    quiet = {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "", "JAX_PLATFORMS": "cpu"}
    settings = {**os.environ, **ONE_THREAD, **quiet, "PYTHONPATH": str(HERE)}
    try:
        run = subprocess.run(
            [sys.executable, "-m", "benchmarks.measure"], input=json.dumps({"limit": LIMIT, "what": what, "name": name, **more}),
            capture_output=True, text=True, cwd=HERE, env=settings, timeout=10 * LIMIT,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise Broke(f"no answer in {10 * LIMIT} s") from None
    if run.returncode < 0:
        raise Broke(f"ended by signal {-run.returncode}")
    if run.returncode:
        raise Broke(next((line for line in reversed(run.stderr.splitlines()) if line.strip()), "no word")[:200])
    found: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    return found
