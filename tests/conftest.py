"""Settings for all tests: their markers, what runs where and when, and how hypothesis looks for examples."""

from __future__ import annotations

import functools
import gc
import linecache
import math
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import hypothesis
import pytest

from tests.support import ROOT, UNDER_CI

if TYPE_CHECKING:
    from xdist.scheduler import LoadScopeScheduling

os.environ.setdefault("VIZ_STRICT", "1")  # a record that cannot be told is an error here, and not a step of bare facts

BEGAN = time.time()

collect_ignore = ["store.py"]  # no tests, and Jupyter takes seconds to load
collect_ignore_glob = ["data/*"]  # programs that tests run, and no tests

# ---- rooms, and what is quick ------------------------------------------------------------------------------------------------

# Which marker the tests below a folder bear, examples in docstrings too.  The first that fits counts.
ROOMS = {
    "tests/core/keras/": "keras",
    "minitape/keras/": "keras",
    "tests/core/recompute/": "recompute",
    "minitape/recompute/": "recompute",
    "tests/core/": "core",
    "tests/deep/": "core",
    "minitape/": "core",
    "tests/viz/": "viz",
    "viz/": "viz",
    "tests/browser/": "browser",
    "tests/project/test_notebooks.py": "notebooks",
    "tests/project/test_solutions.py": "notebooks",
    "": "project",
}

# Files, or single tests of one, with many cases, many examples of hypothesis, or half a second and more: each is quick, but all of
# them are not.
THOROUGH = (
    "tests/core/keras/test_parts.py::test_as_keras",
    "tests/core/recompute/test_chance.py",
    "tests/core/recompute/test_checks.py",
    "tests/core/recompute/test_compat.py::test_what_differs_is_the_same_under_compat",
    "tests/core/recompute/test_reversible.py",
    "tests/core/recompute/test_schedules.py",
    "tests/core/test_alarms.py",
    "tests/core/test_guides.py::test_a_cell_that_differs_prints_what_it_says",
    "tests/core/test_guides.py::test_a_guide_prints_what_tensorflow_prints",
    "tests/core/test_heart.py::test_random_programs_at_random_nesting",
    "tests/core/test_ledger.py",
    "tests/core/test_people.py::test_a_program_prints_what_it_prints_under_tensorflow",
    "tests/core/test_planted.py",
    "tests/core/test_programs.py",
    "tests/core/test_quiet.py",
    "tests/core/test_refusals.py::test_every_refusal_knows_the_learners_line",
    "tests/core/test_stacks.py::test_stacks_agree_with_closed_forms",
    "tests/core/test_stacks.py::test_the_ledger_is_back_at_its_start",
    "tests/core/test_table.py",
    "tests/core/test_unwinds.py",
    "tests/core/test_why.py",
    "tests/deep/test_inputs.py",
    "tests/deep/test_ledger.py",
    "tests/deep/test_numbers.py",
    "tests/deep/test_soak.py",
    "tests/deep/test_strangers.py",
    "tests/deep/test_texts.py",
    "tests/project/test_benchmarks.py",
    "tests/project/test_package.py::test_about_notices_a_stranger_called_viz",
    "tests/project/test_site.py::test_a_lesson_on_the_site_plays_shows_its_stills_and_with_an_address_has_a_way_to_run_it",
    "tests/project/test_site.py::test_a_lesson_that_shows_other_things_than_are_stored_stops_the_site",
    "tests/project/test_site.py::test_every_public_name_has_its_place",
    "tests/viz/test_aloud.py::test_a_formula_is_said_with_its_numbers_and_no_sign_is_left",
    "tests/viz/test_claims.py::test_every_formula_of_programs_on_arrays_is_true",
    "tests/viz/test_command.py",
    "tests/viz/test_cut.py",
    "tests/viz/test_differences.py::test_a_planted_edit_is_the_first_difference",
    "tests/viz/test_differences.py::test_all_moments_of_a_long_run_are_compared",
    "tests/viz/test_differences.py::test_any_program_with_one_seed_does_not_differ_and_without_it_does_by_chance_alone",
    "tests/viz/test_doctor.py",
    "tests/viz/test_dot.py::test_graphviz_reads_any_name",
    "tests/viz/test_engines.py::test_either_engine_gives_the_same_bytes_but_for_positions",
    "tests/viz/test_engines.py::test_without_graphviz_every_program_has_its_graph",
    "tests/viz/test_fold.py",
    "tests/viz/test_gallery.py::test_the_pictures_are_fresh",
    "tests/viz/test_guesses.py::test_a_check_of_a_word_or_number_has_a_field",
    "tests/viz/test_guesses.py::test_every_option_is_compared_with_the_truth",
    "tests/viz/test_held.py",
    "tests/viz/test_layers_fold.py",
    "tests/viz/test_layout.py",
    "tests/viz/test_lesson.py",
    "tests/viz/test_live.py::test_a_page_without_a_kernel_has_every_stop_and_is_small",
    "tests/viz/test_live.py::test_a_program_without_slope_is_drawn_by_what_it_gives_back",
    "tests/viz/test_live.py::test_a_structure_that_was_here_before_comes_back_as_it_is_now",
    "tests/viz/test_live.py::test_a_turned_page_says_what_a_fresh_one_says",
    "tests/viz/test_live.py::test_every_knob_of_every_lesson_turns_to_both_ends",
    "tests/viz/test_live.py::test_one_layout_for_all_positions_of_a_number",
    "tests/viz/test_live.py::test_only_what_differs_is_told",
    "tests/viz/test_live.py::test_the_tangent_is_as_steep_as_the_function",
    "tests/viz/test_live.py::test_while_nobody_turns_a_notebook_prepares_the_rest",
    "tests/viz/test_loops.py::test_a_loop_is_named_by_its_line_though_most_of_it_runs_in_a_function",
    "tests/viz/test_loops.py::test_a_stream_from_json_tells_what_its_digits_can",
    "tests/viz/test_loops.py::test_no_number_of_turns_is_without_a_picture",
    "tests/viz/test_loops.py::test_what_is_told_of_a_turn_is_true",
    "tests/viz/test_microscope_terms.py",
    "tests/viz/test_player.py::test_every_module_is_valid",
    "tests/viz/test_reached.py",
    "tests/viz/test_runs.py::test_a_comparison_with_a_loop_goes_through_json_and_wrong_loops_are_refused",
    "tests/viz/test_runs.py::test_a_long_run_is_compared_whole_though_it_is_drawn_folded",
    "tests/viz/test_runs.py::test_a_loop_of_both_is_drawn_once_with_both_runs_over_each_other",
    "tests/viz/test_runs.py::test_a_page_goes_through_more_pairs_than_the_table_has",
    "tests/viz/test_runs.py::test_each_turn_of_a_loop_of_both_opens_its_first_difference",
    "tests/viz/test_runs.py::test_loops_of_another_length_or_op_are_laid_over_each_other_too_and_others_are_not",
    "tests/viz/test_runs.py::test_of_a_long_loop_some_turns_are_listed_and_every_turn_opens_the_nearest",
    "tests/viz/test_runs.py::test_the_longer_of_two_loops_is_there_whole_and_each_turn_in_its_place",
    "tests/viz/test_score.py",
    "tests/viz/test_sheet.py::test_a_look_asked_at_every_step_says_the_same",
    "tests/viz/test_sheet.py::test_the_graph_shows_the_facts_of_its_step",
    "tests/viz/test_shown.py",
    "tests/viz/test_stream.py::test_a_run_read_from_json_is_told_as_the_run",
    "tests/viz/test_stream.py::test_a_run_within_a_limit_hears_so_much_and_says_so",
    "tests/viz/test_stream.py::test_any_program_is_told",
    "tests/viz/test_stream.py::test_what_cannot_be_told_shows_its_bare_facts",
    "tests/viz/test_svg.py::test_any_name_fits_into_xml",
    "tests/viz/test_svg.py::test_any_words_make_a_picture",
    "tests/viz/test_tasks.py::test_a_right_answer_may_be_spelled_in_many_ways",
    "tests/viz/test_tasks.py::test_no_check_ever_raises",
    "tests/viz/test_tasks.py::test_right_programs_are_accepted",
    "tests/viz/test_tasks.py::test_wrong_programs_are_refused_with_the_reason",
    "tests/viz/test_tell.py::test_two_processes_give_the_same_bytes",
    "tests/viz/test_twins.py::test_minitape_is_as_near_as_it_was",
)


def pytest_configure(config: pytest.Config) -> None:
    """Before anything is collected: tests ask how often they are to try.

    What workers warn of is read in a thread for each, and two that import the same for the first time end the whole run.
    """
    import minitape  # noqa: F401

    if config.option.markexpr == "deep":
        os.environ["MINITAPE_DEEP"] = "1"
    # The Pythons that tests start, a few hundred, find what the first of them has compiled: each would do it anew, for 0.3 s.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """After a deep run: what was tried, as a page."""
    from tests.deep.tally import written

    reports = [report for kind in ("passed", "failed") for report in terminalreporter.stats.get(kind, [])]
    whole = terminalreporter.config.args_source is not pytest.Config.ArgsSource.ARGS  # no files were named
    written(reports, time.time() - BEGAN, terminalreporter.config.getoption("numprocesses", 0) or 1, whole)


def path_of(name: str) -> str:
    """The file in the name of a test, from the root of the checkout."""
    return name.split("::")[0]


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """`-m quick` need not even import a file in which nothing is quick."""
    path = collection_path.relative_to(ROOT).as_posix() if collection_path.is_relative_to(ROOT) else ""
    left = path == "tests/browser" or path in THOROUGH
    return True if left and config.option.markexpr == "quick" else None


@pytest.hookimpl(tryfirst=True)  # before -m chooses
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give every test its room, and `quick` to all that are neither slow nor thorough; put the tests in their order.

    What asks Python for all of its objects comes first, when there are few: at the end that takes twenty times as long.
    Browser tests come last: while Playwright is up, its thread has a running event loop.  Of the others those come first
    that take long, and of all of them whole files before what is handed out test by test: so no worker is left alone.
    """
    place = functools.cache(
        lambda path: path.relative_to(ROOT).as_posix()
    )  # a few hundred files, and many thousand tests
    for item in items:
        path = place(item.path)
        room = next(room for start, room in ROOMS.items() if path.startswith(start))
        item.add_marker(room)
        if not {path, f"{path}::{item.name.partition('[')[0]}"}.isdisjoint(THOROUGH):
            item.add_marker("thorough")
        if room != "browser" and not any(map(item.get_closest_marker, ("slow", "thorough"))):
            item.add_marker("quick")
    items.sort(
        key=lambda item: [
            place(item.path) not in FIRST,
            *[item.get_closest_marker(name) is not None for name in ("browser", "quick")],
            place(item.path) in ALONE,
        ]
    )


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Nothing of what is collected is garbage, and Python need not look for any while it becomes more and more."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


def pytest_collection_finish() -> None:
    """What has been collected stays: a test that asks Python to look for garbage need not look through it.

    Nor does Python look by itself as often as it usually does, which would take a twentieth of the time of all tests.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(200_000)
    # What is frozen cannot be counted, and each run that is recorded would try.
    from viz.capture.minitape import recording

    recording.next_count[0] = math.inf


@pytest.fixture(scope="module", autouse=True)
def _what_was_there_stays() -> None:
    """The same of what earlier files made and still have, such as caches."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """For each docstring, doctest has Python look whether any of the files that it has read lines of is another one by now."""
    if not isinstance(item, pytest.DoctestItem):
        return (yield)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(linecache, "checkcache", lambda filename=None: None)
        return (yield)


# ---- three workers -------------------------------------------------------------------------------------------------------------

FIRST = ("tests/core/test_unwinds.py",)

# Here every test is for itself and takes seconds.  Of all other files the tests stay together, in their order.
ALONE = (
    "tests/browser/test_cuts.py",
    "tests/browser/test_notebooks.py",
    "tests/core/test_planted.py",
    "tests/core/test_programs.py",
    "tests/deep/test_inputs.py",
    "tests/deep/test_numbers.py",
    "tests/deep/test_strangers.py",
    "tests/deep/test_texts.py",
    "tests/project/test_notebooks.py",
    "tests/project/test_solutions.py",
    "tests/project/test_style.py",
)

# These open notebooks with no kernel, in a page of JupyterLab that sees none: another worker would load one more.
TOGETHER = dict.fromkeys(
    ["tests/browser/test_hostile.py", "tests/browser/test_no_kernel.py", "tests/browser/test_reopened.py"],
    "with no kernel",
)


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Three workers, which keep two cores busy while tests wait for kernels and pages.

    None where every argument is a file or a test in it, for then it is quicker to begin at once.
    """
    return 0 if all(os.path.isfile(path_of(argument)) for argument in config.args) else 3


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> LoadScopeScheduling:
    """Hand out files, what is `ALONE` test by test and what is `TOGETHER` at once, in the order of their collection."""
    from xdist.scheduler import LoadScopeScheduling

    class ByFile(LoadScopeScheduling):
        def _split_scope(self, nodeid: str) -> str:
            path = path_of(nodeid)
            return nodeid if path in ALONE else TOGETHER.get(path, path)

    return ByFile(config, log)


# ---- hypothesis ----------------------------------------------------------------------------------------------------------------

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
