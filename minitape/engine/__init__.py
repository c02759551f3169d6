"""The engine: for each row of the table, functions that do what heart.py says in one piece, with hardly a call.

`trace.compute` and `Recording.record` are the plain way of an op: they take any row, any operands, anybody who listens.  What
they ask again and again (how many operands, which dtypes, what to keep) a row knows beforehand.  So a function is written
for each row that is called, from a template in which those questions are answered and calls to other functions are replaced by
what these do.  It is made when it is first needed, and hands whatever is unusual to the plain way.

>>> import minitape as tf
>>> print(source(tf.exp)[:27])
def exp(x, params=NOTHING):
"""

from __future__ import annotations

from .backward import back, heard
from .forward import fresh, landed, straight
from .text import source

__all__ = ["back", "fresh", "heard", "landed", "source", "straight"]
