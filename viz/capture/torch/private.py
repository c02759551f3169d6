"""The undocumented names of PyTorch that are used, in one table, and a probe that says which are missing.

Without a name, what stands beside it cannot be shown; recording is refused only where nothing true could be shown.
"""

from __future__ import annotations

from typing import Any

import torch

from ..tried import Name, lost, reach

NAMES = (
    Name("utils._python_dispatch.TorchDispatchMode", "no op would be seen", needed=True),
    Name("_C._autograd._get_sequence_nr", "no op could be joined to its autograd node", needed=True),
    Name("autograd.graph._engine_run_backward", "no backward pass would be seen", needed=True),
    Name("autograd._engine_run_backward", "no backward pass would be seen", needed=True),
    Name("_C._current_autograd_node", "ops of a backward pass have no cause"),
    Name("_C._autograd._push_saved_tensors_default_hooks", "torch.func inside of the block is refused by PyTorch"),
    Name("_C._autograd._pop_saved_tensors_default_hooks", "torch.func inside of the block is refused by PyTorch"),
    Name("_C._are_functorch_transforms_active", "what runs inside of torch.func is told as if it ran by itself"),
    Name("utils.checkpoint._checkpoint_without_reentrant_generator", "checkpoints are told as plain ops"),
    Name("utils.checkpoint.CheckpointFunction", "reentrant checkpoints are told as a custom function"),
    Name("ops.aten._has_same_storage_numel", "tangents of forward mode are not told"),
    Name("autograd._make_grads", "the first cotangent is told as an op"),
)  # fmt: skip


def found(path: str) -> Any:
    """What stands under a name below `torch`; None where there is nothing."""
    return reach(torch, path)


def probe(names: tuple[Name, ...] = NAMES) -> tuple[str, ...]:
    """What cannot be told with this PyTorch, as sentences; raises RuntimeError where recording is refused."""
    return lost(f"PyTorch {torch.__version__}", names, found, "torch.")
