"""PyTorch as a source: `private` says what is asked of it, `recording` watches; PyTorch is loaded when somebody records.

Watching stands on three doors of PyTorch's own: a dispatch mode is shown every op (`forward`), saved-tensor hooks every tensor
that autograd saves (`saving`), and hooks on nodes every share of a backward pass (`backward`).
"""

from __future__ import annotations

from typing import Any

TESTED = ((2, 13), (2, 14))  # from this version on, up to that one: as pyproject.toml has it


def record(torch: Any, title: str = "", lead: str = "", *, untested: bool = False) -> Any:
    """The block of `with viz.record(torch) as run`.

    Raises RuntimeError for a version that was never tried (unless `untested`), and for one that lacks what watching needs.
    """
    version = tuple([int(part) for part in torch.__version__.split("+")[0].split(".")[:2]])
    first, last = TESTED
    if not first <= version < last and not untested:
        raise RuntimeError(
            f"PyTorch {torch.__version__} was never tried here: recording is tested from {first[0]}.{first[1]} up to "
            f"{last[0]}.{last[1]}; viz.record(torch, untested=True) tries all the same"
        )
    from .private import probe
    from .recording import Recording

    return Recording(title, lead, probe())
