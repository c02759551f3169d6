"""The undocumented names of JAX that are used, in one table, and a probe that says which are missing.

Without a name, what stands beside it cannot be shown; recording is refused only where nothing true could be shown.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.extend.core.primitives

from ..tried import Name, lost, reach

NAMES = (
    Name("extend.core.Literal", "numbers in formulas could not be told from arrays", needed=True),
    Name("extend.core.ClosedJaxpr", "no jaxpr could be opened", needed=True),
    Name("extend.core.Primitive.get_bind_params", "no equation could be run", needed=True),
    Name("extend.core.JaxprEqn.ctx", "no equation could be run under the settings that it was traced with", needed=True),
    Name("extend.core.JaxprEqn.source_info", "no equation has a line"),
    Name("extend.core.primitives.add_jaxvals_p", "cotangents could not be added up as JAX adds them", needed=True),
    Name("_src.core.trace_state_clean", "a call from inside of jax.jit fails in words that do not say so"),
    Name("typeof", "no array has a shape", needed=True),
)  # fmt: skip


def found(path: str) -> Any:
    """What stands under a name below `jax`; None where there is nothing."""
    return reach(jax, path)


def probe(names: tuple[Name, ...] = NAMES) -> tuple[str, ...]:
    """What cannot be told with this JAX, as sentences; raises RuntimeError where recording is refused."""
    return lost(f"JAX {jax.__version__}", names, found, "jax.")
