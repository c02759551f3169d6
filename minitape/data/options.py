"""`tf.data.Options`: how TensorFlow shall go about it.  Here everything runs in order, so they are noted and change nothing."""

from __future__ import annotations

from typing import Any


class Options:
    """Whatever is set is remembered, also in groups that are made when they are named.

    >>> options = Options()
    >>> options.threading.private_threadpool_size = 2
    >>> options.deterministic = False
    >>> options
    Options(deterministic=False, threading=Options(private_threadpool_size=2))
    """

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        group = Options()
        setattr(self, name, group)
        return group

    def __repr__(self) -> str:
        return f"Options({', '.join(f'{name}={value!r}' for name, value in sorted(vars(self).items()))})"
