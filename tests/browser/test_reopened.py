"""A notebook that was run and saved, opened again the day after: what was live can be stepped while nothing has run yet."""

from __future__ import annotations

import json

from tests.browser.lab import LOAD, Lab

NAME = "02_gradient_tape.ipynb"


def test_what_was_saved_can_be_stepped_before_anything_runs(lab: Lab) -> None:
    copy = "saved.ipynb"
    (lab.root / copy).write_bytes((lab.root / NAME).read_bytes())
    with lab.open(copy) as first:
        first.run_all()
        players = first.page.locator(".mt-scrub").count()
        first.in_panel("panel => panel.context.save().then(() => null)")
    assert players > 1
    saved = json.loads((lab.root / copy).read_text(encoding="utf-8"))
    assert len(json.dumps(saved)) < 2_000_000
    with lab.open(copy) as again:
        again.wait(f'() => document.querySelectorAll(".mt-scrub").length === {players}', LOAD)
        for player in again.page.locator(".mt").all():
            said = set()
            for button in (".mt-first", ".mt-next", ".mt-next"):
                player.locator(button).click(force=True)
                said.add(player.locator(".mt-say").inner_text())
            assert len(said) > 1
        assert "model not found" not in again.page.locator("body").inner_text()
        assert again.console_errors == [] and again.outside == []
        again.screenshot("reopened")
