"""Knobs: a program of the learner's is traced anew at each turn, while the picture stays.

`abbreviations` reads what may be turned, `traced` runs the program and keeps positions by structure, `curve` finds height and
slope, `panel` draws the knobs, `session` puts these together; `widget` and `page` bring it to a notebook and to a file.
`idle` does work in a notebook that a turn need not wait for.
"""

from .session import Live

__all__ = ["Live"]
