"""Settings for all tests: how hypothesis looks for examples, and what runs last."""

from __future__ import annotations

import os

import hypothesis
import pytest

from tests.support import UNDER_CI

os.environ.setdefault("VIZ_STRICT", "1")  # a record that cannot be told is an error here, and not a step of bare facts

collect_ignore_glob = ["data/*"]  # programs that tests run, and no tests

# "ci" is the same on every run and every machine; "dev" looks for new examples each time and remembers the bad ones.
hypothesis.settings.register_profile(
    "ci",
    derandomize=True,
    deadline=None,
    database=None,
    print_blob=True,
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
hypothesis.settings.register_profile("dev", deadline=None, print_blob=True)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if UNDER_CI else "dev"))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Browser tests come last: they are the slowest, and while Playwright is up this thread has a running event loop."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)
