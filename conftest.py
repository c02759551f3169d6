"""What an example in a docstring knows without an import, as in a notebook: `tf` and `viz`."""

from __future__ import annotations

from typing import Any

import pytest


@pytest.fixture(scope="session", autouse=True)
def names_of_examples(doctest_namespace: dict[str, Any]) -> None:
    """They are loaded by whatever is tested; only a run of single files waits for them."""
    import minitape as tf
    import viz

    doctest_namespace.update(tf=tf, viz=viz)
