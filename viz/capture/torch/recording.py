"""The block of `with viz.record(torch) as run`: what is put on when it begins is taken off when it ends, however it ends."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import torch
import torch.utils.checkpoint
from torch.nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook
from torch.optim.optimizer import register_optimizer_step_post_hook, register_optimizer_step_pre_hook

from minitape.record.provenance import adopt

from ..records import Failed
from .backward import Backward
from .before import Before
from .forward import Mode
from .notes import Notes, Run
from .private import found
from .regions import Regions
from .saving import Saving

adopt(os.path.dirname(torch.__file__))
_open: list[Recording] = []


class Recording:
    """Watches PyTorch while its block runs."""

    def __init__(self, title: str, lead: str, missing: tuple[str, ...] = ()) -> None:
        self.run = Run(title, lead)
        self.run.missing = missing

    def __enter__(self) -> Run:
        if _open:
            raise RuntimeError("PyTorch is being recorded already: one viz.record(torch) at a time")
        notes = self.notes = Notes(self.run)
        notes.stream.block = notes.site()
        saving = self.saving = Saving(notes)
        mode = self.mode = Mode(notes, saving)
        with ExitStack() as stack:
            _open.append(self)
            stack.callback(_open.clear)
            engine = torch.autograd.graph._engine_run_backward
            around = Backward(notes, engine)
            for place in (torch.autograd.graph, torch.autograd):
                stack.callback(setattr, place, "_engine_run_backward", place._engine_run_backward)
                place._engine_run_backward = around
            self._modules(stack)
            self._optimizers(stack)
            notes.before, notes.duals = Before(notes, saving), mode.duals
            mode.duals.put_on(stack)
            self._checkpoints(stack)
            self._transforms(stack)
            stack.enter_context(torch.autograd.graph.saved_tensors_hooks(saving.pack, saving.unpack))
            stack.enter_context(mode)
            self._undo = stack.pop_all()
        self.run.listening = True
        return self.run

    def __exit__(self, kind: Any, problem: Any, traceback: Any) -> None:
        self._undo.close()
        self.run.listening = False
        notes = self.notes
        notes.finish()
        if kind is not None:
            name, message = notes.said(problem)
            last = notes.stream.records[-1] if notes.stream.records else None
            if not isinstance(last, Failed):  # a backward pass that failed has said so
                notes.add(Failed(site=notes.stream.block, error=name, message=message))

    def _checkpoints(self, stack: ExitStack) -> None:
        place = torch.utils.checkpoint
        plain = getattr(place, "_checkpoint_without_reentrant_generator", None)
        function = getattr(place, "CheckpointFunction", None)
        regions = Regions(self.notes, plain, getattr(function, "forward", None))
        if plain is not None:
            stack.callback(setattr, place, "_checkpoint_without_reentrant_generator", plain)
            place._checkpoint_without_reentrant_generator = regions.generator
        if function is not None:
            stack.callback(setattr, function, "forward", function.__dict__["forward"])
            function.forward = staticmethod(regions.forward)

    def _transforms(self, stack: ExitStack) -> None:
        """torch.func refuses to run under saved-tensor hooks: for as long as it runs, ours are taken off."""
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
            stack.callback(setattr, place, "disable_saved_tensors_hooks", disabled)
            place.disable_saved_tensors_hooks = without_ours

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
