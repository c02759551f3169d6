"""What a screen reader is given, asked of Chromium's accessibility tree: step and sentence once, the formula in words, the graph as a list.

And what axe-core, which checks pages by WCAG's rules, finds on each kind of page.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe

import minitape as tf
import viz
from tests.browser.pages import REST, Player, exported, player
from tests.viz import lives, programs
from tests.viz.test_runs import step
from viz.paint.aloud import aloud, formula


class Tree:
    """The accessibility tree of a page, without what is ignored."""

    def __init__(self, it: Player) -> None:
        session = it.page.context.new_cdp_session(it.page)
        self.nodes = {one["nodeId"]: one for one in session.send("Accessibility.getFullAXTree")["nodes"]}
        session.detach()

    def all(self, role: str) -> list[dict[str, Any]]:
        return [one for one in self.nodes.values() if not one["ignored"] and one["role"]["value"] == role]

    @staticmethod
    def name(node: dict[str, Any]) -> str:
        return str(node.get("name", {}).get("value", ""))

    def under(self, node: dict[str, Any]) -> list[dict[str, Any]]:
        """All that is read of a node, in order."""
        out = []
        for child in (self.nodes[one] for one in node["childIds"] if one in self.nodes):
            out += [] if child["ignored"] else [child]
            out += self.under(child)
        return [one for one in out if one["role"]["value"] not in ("InlineTextBox", "generic", "none")]

    def text(self, node: dict[str, Any]) -> str:
        return " ".join(self.name(one) for one in self.under(node) if one["role"]["value"] == "StaticText")

    def live(self) -> list[dict[str, Any]]:
        def own(node: dict[str, Any]) -> dict[str, Any]:
            return {one["name"]: one["value"].get("value") for one in node.get("properties", [])}

        found = [one for one in self.all("paragraph") + self.all("status") if own(one).get("live") == "polite"]
        return [one for one in found if own(one).get("atomic")]


def settled(it: Player, at: int) -> Tree:
    """The tree at a step: on a busy machine Chromium's follows the page a moment later."""
    tree = Tree(it)
    for _ in range(40):
        if any(tree.text(node).split()[:2] == ["Step", str(at)] for node in tree.live()):
            break
        it.page.wait_for_timeout(50)
        it.page.evaluate(REST)  # Chromium brings the tree up to date with a frame, and a page that rests draws none
        tree = Tree(it)
    return tree


# Of each kind of page what it shows, how it is written, and the keys after which it is looked at again.
PAGES: dict[str, tuple[Callable[[], Any], dict[str, Any], list[str]]] = {
    "run": (lambda: programs.kept("keras_step"), {}, ["ArrowRight", "m", "i", "?", "Escape", "/", "Escape"]),
    "score": (lambda: programs.kept("nested"), {"view": "score", "start": 12}, ["End"]),
    "loop": (lambda: programs.kept("loop"), {"view": "loop"}, ["ArrowRight"]),
    "embed": (lambda: programs.kept("nested"), {"embed": True}, ["ArrowRight"]),
    "comparison": (lambda: viz.compare(before=step(), after=step(tf.nn.relu)), {}, ["ArrowRight"]),
    "knobs": (lambda: viz.live(lives.wave, x=(-3.0, 3.0)), {}, ["ArrowRight"]),
}


# What axe finds wrong, by its rule and the first place.  The page keeps axe: it is half a megabyte.
VIOLATIONS = """() => axe.run({ exclude: [[".future"]] }, { resultTypes: ["violations"] })
  .then(({ violations }) => violations.map(one => [one.id, one.nodes[0].html]))"""


@pytest.mark.parametrize("kind", PAGES)
def test_axe_finds_nothing(browser: Any, tmp_path: Path, kind: str) -> None:
    """What is not there yet is faint, as what cannot be used may be: it is left out."""
    make, how, keys = PAGES[kind]
    with exported(browser, Path(viz.export(make(), tmp_path / "page.html", **how))) as it:
        it.page.evaluate(Axe().axe_script)
        for theme in ("light", "dark"):
            it.page.emulate_media(color_scheme=theme)
            for key in ["Home", *keys]:
                it.key(key)
                it.page.wait_for_timeout(50)
                assert it.page.evaluate(VIOLATIONS) == [], (theme, key)


@pytest.mark.parametrize("name", ["nested", "recompute", "keras_step", "custom_gradient"])
def test_step_sentence_formula_and_graph_are_each_said_once(browser: Any, tmp_path: Any, name: str) -> None:
    scene = programs.run(name).scene
    with_formula = [at for at, step in enumerate(scene.steps) if step.get("formula")]
    with player(browser, tmp_path, scene) as it:
        for at in (0, with_formula[0], with_formula[-1], it.last):
            it.turn(f"#step={at}")
            assert it.step == at
            tree = settled(it, at)
            [live] = tree.live()
            said = " ".join(tree.text(live).split())
            assert said.startswith(f"Step {at} of {it.last}. ")
            assert said.partition(". ")[2].split()[:4] == scene.steps[at]["say"].split()[:4]
            everything = [tree.name(one) for one in tree.all("StaticText")]
            wanted = formula(scene.steps[at].get("formula", []))
            assert everything.count(wanted) == bool(wanted)
            assert "=" not in everything  # the drawn formula is for the eye
            [listed] = [one for one in tree.all("list") if tree.name(one) == "Dataflow graph"]
            inside = tree.under(listed)
            assert {one["role"]["value"] for one in inside} == {"listitem", "image"}
            names = [tree.name(one) for one in inside if one["role"]["value"] == "image"]
            way = "LR" if "LR" in scene.layout else "TB"
            drawn = [value for value in scene.values if value["id"] in scene.layout[way]["nodes"]]
            assert len(names) == len(drawn)
            for value, told in zip(drawn, names, strict=True):
                assert told.startswith(aloud(value["name"])) and (value.get("born", 0) > at) == ("not made yet" in told)
                assert not any("description" in one and one["description"].get("value") for one in inside)


def test_time_is_labelled_once_and_every_control_has_a_name(browser: Any, tmp_path: Any) -> None:
    with player(browser, tmp_path, programs.run("nested").scene) as it:
        for view, labels in (
            ("graph", {"Lanes", "Memory"}),
            ("score", {"Who heard which step", "What every value was, and when", "Memory"}),
        ):
            it.turn(f"#step=0&view={view}")
            tree = Tree(it)
            images = [tree.name(one) for one in tree.all("image") if "not made yet" not in tree.name(one)]
            assert sorted(one.partition(":")[0] for one in images) == sorted(labels)
            assert not any(tree.under(one) for one in tree.all("image"))  # an image is one thing
            for role in ("button", "slider", "combobox", "searchbox"):
                assert all(map(tree.name, tree.all(role))), role


def test_a_screen_reader_is_told_a_step_in_one_piece(browser: Any, tmp_path: Any) -> None:
    """Count and sentence change together, in one region that is read whole."""
    with player(browser, tmp_path, programs.run("slope").scene) as it:
        it.open("#step=2")
        it.page.evaluate(
            "() => { window.said = []; const node = document.querySelector('.mt-say');"
            " new MutationObserver(() => said.push(node.textContent)).observe(node, { subtree: true, childList: true, characterData: true }); }"
        )
        it.key("ArrowRight", "ArrowRight")
        it.page.evaluate("() => new Promise(requestAnimationFrame)")
        assert [one.partition(".")[0] for one in it.page.evaluate("said")] == ["Step 3 of 8", "Step 4 of 8"]
