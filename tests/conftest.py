"""Settings for all tests: how hypothesis looks for examples, and what runs where and when."""

from __future__ import annotations

import os

import hypothesis
import pytest

from tests.support import ROOT, UNDER_CI

collect_ignore_glob = ["data/*"]  # programs that tests run, and no tests

# Every case of these takes seconds and shares nothing but what a worker has once.
ALONE = ("tests/browser/test_notebooks.py", "tests/project/test_solutions.py")

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


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Two workers, but where every argument is a file or a test in it: that is quicker here."""
    return 0 if all(os.path.isfile(argument.split("::")[0]) for argument in config.args) else 2


@pytest.hookimpl(tryfirst=True)  # before -m chooses, and before xdist looks for groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The tests of a file stay together in one worker, in their order; only those of a notebook need nobody else.

    Browser tests come last: they are the slowest, and while Playwright is up its thread has a running event loop.
    """
    for item in items:
        path = item.path.relative_to(ROOT).as_posix()
        if path.startswith("tests/browser/"):
            item.add_marker(pytest.mark.browser)
        alone = path in ALONE and isinstance(item, pytest.Function) and hasattr(item, "callspec")
        item.add_marker(pytest.mark.xdist_group(f"{path}:{item.callspec.id}" if alone else path))
    items.sort(key=lambda item: item.get_closest_marker("browser") is not None)
