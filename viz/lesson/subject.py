"""What lessons are about: minitape, as a learner has it. No other file here imports it."""

from __future__ import annotations

import minitape as tf
from minitape.record.events import listening

__all__ = ["listening", "tf"]
