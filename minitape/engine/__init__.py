"""The engine: for each row of the table, functions that do what the heart says in one straight line.

`trace.compute` and `Recording.record` are the plain way of an op: they take any row, any operands, anybody who listens.  What
they ask again and again (how many operands, which dtypes, what to keep) a row knows beforehand.  So of each row that is called
a function is written out from a template, with those questions answered and with all calls to other functions replaced by what
these do; it is made the first time that it is needed, and whatever is unusual it hands to the plain way.

>>> import minitape as tf
>>> print(source(tf.exp)[:27])
def exp(x, params=NOTHING):
"""

from __future__ import annotations

from .backward import back, heard
from .forward import fresh, landed, straight
from .text import source

__all__ = ["back", "fresh", "heard", "landed", "source", "straight"]
