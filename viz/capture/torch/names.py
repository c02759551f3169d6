"""The program's names: of tensors in a frame, of parameters and buffers in their module, of modules in theirs."""

from __future__ import annotations

import weakref
from typing import Any

import torch

from ...schema import clean
from ..borrowed import held_in_frames, learner_frame, name_in


class Names:
    """What the program calls things, as far as its frames and modules say."""

    def __init__(self) -> None:
        self._tensors: dict[int, tuple[Any, str]] = {}
        self._modules: dict[int, tuple[Any, str]] = {}
        self._roots: weakref.WeakSet[Any] = weakref.WeakSet()
        self._taken: set[str] = set()

    def learn(self, root: Any, name: str) -> None:
        """A module that no other module called: its parameters, buffers and children are called by their path in it."""
        if root in self._roots:
            return
        self._roots.add(root)
        own = {path for path, _ in root.named_parameters()}
        lead = f"{name}." if name and own & self._taken else ""
        self._taken |= own
        for path, tensor in [*root.named_parameters(), *root.named_buffers()]:
            self._tensors.setdefault(id(tensor), (weakref.ref(tensor), clean(lead + path)))
        for path, module in root.named_modules():
            kind = type(module).__name__
            said = f"{path} {kind}" if path.rpartition(".")[2].isdigit() else path or name or kind
            self._modules.setdefault(id(module), (weakref.ref(module), clean(said)))

    def module(self, module: Any) -> str:
        """What a module is called."""
        return _known(self._modules, module) or clean(type(module).__name__)

    def is_root(self, module: Any) -> str:
        """The name of a variable that holds this module; learns the module by it."""
        frame = learner_frame()
        name = name_in(frame, lambda held: held is module)
        self.learn(module, "" if name == "self" else name)
        return name

    def tensor(self, tensor: Any) -> str:
        """The name of a tensor from before it was first seen; "" if it has none."""
        if not _known(self._tensors, tensor) and isinstance(tensor, torch.nn.Parameter):
            for name, held in held_in_frames():
                if isinstance(held, torch.nn.Module) and name != "self":
                    self.learn(held, name)
        return _known(self._tensors, tensor) or clean(name_in(learner_frame(), lambda held: held is tensor))


def _known(names: dict[int, tuple[Any, str]], thing: Any) -> str:
    """The name that is known of a thing; "" for another one that has its id by now."""
    handle, name = names.get(id(thing), (None, ""))
    return name if handle is not None and handle() is thing else ""
