"""The block of `with viz.record(torch) as run`."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import torch
import torch.utils.checkpoint
from torch.nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook
from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook

from ..block import FrameworkBlock, stand_in
from ..borrowed import adopt
from .backward import Backward
from .before import Before
from .forward import Mode
from .notes import Notes
from .private import found
from .regions import Regions
from .saving import Saving

adopt(os.path.dirname(torch.__file__))


class Recording(FrameworkBlock):
    """Watches PyTorch while its block runs."""

    framework, module = "PyTorch", "torch"
    notes: Notes

    def put_on(self, stack: ExitStack) -> None:
        """Wrap the engine, forward mode, checkpoints and transforms, and be shown every op and every saved tensor."""
        notes = self.notes
        saving = self.saving = Saving(notes)
        mode = self.mode = Mode(notes, saving)
        notes.before, notes.duals = Before(notes, saving), mode.duals
        around = Backward(notes, torch.autograd.graph._engine_run_backward)
        for place in (torch.autograd.graph, torch.autograd):
            stand_in(stack, place, "_engine_run_backward", around)
        self._modules(stack)
        self._optimizers(stack)
        mode.duals.put_on(stack)
        self._checkpoints(stack)
        self._transforms(stack)
        stack.enter_context(torch.autograd.graph.saved_tensors_hooks(saving.pack, saving.unpack))
        stack.enter_context(mode)

    def _checkpoints(self, stack: ExitStack) -> None:
        place = torch.utils.checkpoint
        plain = getattr(place, "_checkpoint_without_reentrant_generator", None)
        function = getattr(place, "CheckpointFunction", None)
        regions = Regions(self.notes, plain, getattr(function, "forward", None))
        if plain is not None:
            stand_in(stack, place, "_checkpoint_without_reentrant_generator", regions.generator)
        if function is not None:
            stand_in(stack, function, "forward", staticmethod(regions.forward))

    def _transforms(self, stack: ExitStack) -> None:
        """torch.func refuses to run under saved-tensor hooks, so ours are off while it runs."""
        push = found("_C._autograd._push_saved_tensors_default_hooks")
        pop = found("_C._autograd._pop_saved_tensors_default_hooks")
        place, saving = torch.autograd.graph, self.saving
        disabled = place.disable_saved_tensors_hooks

        @contextmanager
        def without_ours(message: str) -> Iterator[None]:
            top = torch._C._autograd._top_saved_tensors_default_hooks(True)
            ours = top is not None and top[0] == saving.pack
            if ours:
                pop()
            try:
                with disabled(message):
                    yield
            finally:
                if ours:
                    push(saving.pack, saving.unpack)

        if push is not None and pop is not None:
            stand_in(stack, place, "disable_saved_tensors_hooks", without_ours)

    def _modules(self, stack: ExitStack) -> None:
        notes = self.notes

        def enters(module: Any, args: Any) -> None:
            root = not notes.layers
            name = notes.names.is_root(module) if root else ""
            said = notes.names.module(module)
            notes.layers.append("" if root and name and said == name else said)

        def leaves(module: Any, args: Any, out: Any) -> None:
            if notes.layers:
                notes.layers.pop()

        for handle in (
            register_module_forward_pre_hook(enters),
            register_module_forward_hook(leaves, always_call=True),
        ):
            stack.callback(handle.remove)

    def _optimizers(self, stack: ExitStack) -> None:
        mode = self.mode

        def begins(optimizer: Any, args: Any, kwargs: Any) -> None:
            mode.stepping = {}

        def ends(optimizer: Any, args: Any, kwargs: Any) -> None:
            mode.stepped(f"{type(optimizer).__name__}.step")

        for handle in (register_optimizer_step_pre_hook(begins), register_optimizer_step_post_hook(ends)):
            stack.callback(handle.remove)
