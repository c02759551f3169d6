"""PyTorch as a source: `private` says what is asked of it, `recording` watches; PyTorch is loaded when somebody records.

Watching stands on three doors of PyTorch's own: a dispatch mode is shown every op (`forward`), saved-tensor hooks every tensor
that autograd saves (`saving`), and hooks on nodes every share of a backward pass (`backward`).
"""

from __future__ import annotations

from typing import Any

from ..tried import refuse_untried

TESTED = ((2, 13), (2, 14))  # from this version on, up to that one: as pyproject.toml has it


def record(torch: Any, title: str = "", lead: str = "", *, untested: bool = False) -> Any:
    """The block of `with viz.record(torch) as run`.

    Raises RuntimeError for a version that was never tried (unless `untested`), and for one that lacks what watching needs.
    """
    refuse_untried("PyTorch", torch, TESTED, untested)
    from .notes import Notes, Run
    from .private import probe
    from .recording import Recording

    missing = probe()
    return Recording(Notes(Run(title, lead)), missing)
