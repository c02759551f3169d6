"""What ops on whole arrays say of themselves, in formulas that can be worked out: value, VJP and JVP, with a call's settings.

Ops that work number by number say it in their row already.  Here stand those that join, sum, move or pick numbers, and those
whose VJP is another formula than their JVP.  A formula is in the row's own names, with `d` for the cotangent or tangent
that arrives; where no formula would be true it is left empty, and pictures show none.  `tests/viz/claims.py` works them out.
"""

from __future__ import annotations

from . import counts, moves, products, sums
from .words import ROWS, STAYS, WHOLE, Claims, Use, claims, repeated, shaped, summed

__all__ = [
    "ROWS", "STAYS", "WHOLE", "Claims", "Use", "claims", "counts", "moves", "products", "repeated", "shaped", "summed", "sums",
]  # fmt: skip
