"""JAX as a source: a function is traced to a jaxpr, and the jaxpr is interpreted; JAX is loaded when somebody records.

There is no eager tape to listen to in JAX: gradients are a transformation of a function's equations.  So the function goes in
and its run comes out.  `equations` makes a flat list of a jaxpr, `rules` asks JAX for the derivative of each equation, `plan`
puts them together before anything runs, `interpreter` runs them with real numbers and goes back, `regions` runs checkpoints.
No memory is recorded: under jit XLA decides which bytes are held when.
"""

from __future__ import annotations

from typing import Any

from ..tried import refuse_untried

TESTED = ((0, 10), (0, 11))  # from this version on, up to that one: as pyproject.toml has it


def record(
    jax: Any, f: Any, args: Any, title: str = "", lead: str = "", *, argnums: Any = 0, order: int = 1, boxes: bool = False,
    tangents: Any = None, untested: bool = False,
) -> Any:  # fmt: skip
    """The run of a function and of its gradient: see `viz.record_jax`.

    Raises RuntimeError for a version that was never tried (unless `untested`), and for one that lacks what recording needs.
    """
    refuse_untried("JAX", jax, TESTED, untested, "viz.record_jax(…, untested=True)")
    from .private import probe
    from .recording import Run, recorded

    run = Run(title, lead)
    run.missing = probe()
    return recorded(f, args, run, argnums, order, boxes, tangents)
