"""Step numbers under an axis."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from viz.layout.sizes import sans_width
from viz.paint import time


@pytest.mark.parametrize("steps", [3, 45, 101, 141, 1_001, 1_403, 10_001])
@pytest.mark.parametrize("room", [300.0, 660.0, 1_200.0])
def test_no_step_number_is_cut_at_the_end_of_the_axis(steps: int, room: float) -> None:
    """Beyond the axis is room for half a thumb of the scrub bar."""
    scene: Any = SimpleNamespace(steps=[None] * steps)
    axis = time.Axis(scene, room, [room])
    for place in time.ticks(scene, axis, 0.0):
        [number] = place.kids
        middle = float(place.attrs["x"]) * room + (number.attrs["x"] or 0)
        assert middle + sans_width(str(number.attrs["text"]), time.SMALL_TYPE) / 2 <= room + time.BESIDE + 0.1
        assert abs(number.attrs["x"] or 0) <= 9, "it stands at its step all the same"
