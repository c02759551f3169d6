"""`tf.data.Options`, which are remembered and change nothing, because here everything runs in order."""

from __future__ import annotations

from typing import Any


class Options:
    """Remembers whatever is set, also in groups, which exist as soon as they are named.

    >>> options = tf.data.Options()
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
