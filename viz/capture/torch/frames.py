"""Who called an op: the program itself, or Python of PyTorch's that does more."""

from __future__ import annotations

import os
import sys
from types import FrameType

import torch

from ..borrowed import is_library, library_frames
from .private import found

_HOME = os.path.dirname(torch.__file__)
_PASSED_ON = frozenset(
    os.path.join(_HOME, *path)
    for path in (
        ("_tensor.py",), ("functional.py",), ("nn", "functional.py"), ("_dynamo", "eval_frame.py"),
        ("utils", "_python_dispatch.py"), ("_jit_internal.py",), ("_compile.py",),
    )
) | {os.path.join(os.path.dirname(__file__), "forward.py")}  # fmt: skip


def asked_by_the_program() -> bool:
    """Whether the program itself called the op, and not a function of PyTorch's that does more."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename in _PASSED_ON:
        frame = frame.f_back
    return frame is not None and not is_library[frame.f_code.co_filename]


_FIRST = getattr(found("autograd._make_grads"), "__code__", None)


def first_cotangent() -> bool:
    """Whether a call of `backward` makes the cotangent that it starts with."""
    return any(frame.f_code is _FIRST for frame in library_frames(sys._getframe(2)))
