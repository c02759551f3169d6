"""A deep net: the program of `mlp`, with 100 layers of width 256 and 256 examples; nearly all of it is matrix products."""

from __future__ import annotations

from . import Workload
from .mlp import MAKERS

SIZES = {"sizes": (256,) * 101, "batch": 256}
SMALL = {"sizes": (4,) * 6, "batch": 5}
WORKLOADS = {
    "deep net, float64": Workload(MAKERS, {**SIZES, "dtype": "float64"}, {**SMALL, "dtype": "float64"}),
    "deep net, float32": Workload(MAKERS, {**SIZES, "dtype": "float32"}, {**SMALL, "dtype": "float32"}, tolerance=1e-3),
}
