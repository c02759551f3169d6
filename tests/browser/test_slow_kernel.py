"""A kernel that answers late, as one far away does, or one that is busy with a cell: it never takes a step back."""

from __future__ import annotations

import pytest

from tests.browser.lab import Lab

CHAIN = """import minitape as tf, viz
with viz.record() as run:
    x = tf.constant(0.5)
    for _ in range(40):
        x = tf.sin(x)
{}
"""
STEPPER = "viz.step(run, unfold='all')"
KNOBS = """def chain(a=0.5):
    x = tf.constant(a)
    for _ in range(40):
        x = tf.sin(x)
    return x
viz.live(chain, a=(0.0, 1.0))"""
BUSY = "import time; time.sleep(1.5)"


@pytest.mark.parametrize("shown", [STEPPER, KNOBS], ids=["stepper", "knobs"])
def test_each_key_is_one_step_while_the_kernel_answers(lab: Lab, shown: str) -> None:
    """Keys that come faster than the kernel answers: the answer to the first arrives between two of them."""
    with lab.open(lab.write("slow", CHAIN.format(shown), BUSY)) as opened:
        opened.run_all()
        player, count = (opened.page.locator(part).first for part in (".mt-next", ".mt-count"))
        player.wait_for()
        player.press("Home")
        opened.wait_idle()
        opened.in_panel(
            """panel => {
              panel.content.activeCellIndex = 1;
              window.jupyterapp.commands.execute("notebook:run-cell");
            }"""
        )
        opened.wait('path => minitapePanel(path).sessionContext.session.kernel.status === "busy"', argument=opened.name)
        seen = []
        for pressed in range(30):
            player.press("ArrowRight")
            opened.page.wait_for_timeout(250 if pressed == 0 else 70)
            seen.append(count.inner_text().split(" / ")[0])
        assert seen == [str(number) for number in range(1, 31)]
        opened.wait_idle()
        assert count.inner_text().split(" / ")[0] == "30"
