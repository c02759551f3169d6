"""TensorFlow as a source: `private` says what is asked of it, `recording` watches; TensorFlow is loaded when somebody records.

Watching stands on four doors of TensorFlow's own: an op callback is shown every eager op (`forward`), the gradient function every
entry that is reversed (`backward`), `record_operation` every call with a rule of its own (`calls`), and a tape's own methods what
is asked of it (`recorders`).  No memory is recorded: TensorFlow does not say who holds an eager tensor.
"""

from __future__ import annotations

from typing import Any

from ..tried import refuse_untried

TESTED = ((2, 21), (2, 22))  # from this version on, up to that one: as pyproject.toml has it


def record(tensorflow: Any, title: str = "", lead: str = "", *, untested: bool = False) -> Any:
    """The block of `with viz.record(tensorflow) as run`.

    Raises RuntimeError for a version that was never tried (unless `untested`), and for one that lacks what watching needs.
    """
    refuse_untried("TensorFlow", tensorflow, TESTED, untested)
    from .notes import Notes, Run
    from .private import probe
    from .recording import Recording

    missing = probe()
    return Recording(Notes(Run(title, lead)), missing)
