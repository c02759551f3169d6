"""GradientTape, in two halves: `recording` writes down, `tape` is asked.

`question` checks the arguments of a question, `jacobians` puts many answers together.
"""

from __future__ import annotations

from .question import UnconnectedGradients
from .recording import REMEMBERED
from .tape import GradientTape

__all__ = ["REMEMBERED", "GradientTape", "UnconnectedGradients"]
