"""The loop lens in a page: turn by turn with keys and by dragging, and into a turn."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote

import pytest

import minitape as tf
import viz
from tests.browser.pages import REST, Player, embedded, player
from tests.viz import programs
from tests.viz.test_loops import gates, rnn
from tests.viz.test_reached import training
from viz.capture import stream_of
from viz.paint.strips import shown
from viz.scene import Scene
from viz.tell import opened_folds
from viz.tell.scenes import scene_of


@pytest.fixture(scope="module")
def told() -> Scene:
    return rnn(12)[0].scene


def turn(it: Player) -> int:
    return int(it.page.get_attribute(".mt-loopbox", "aria-valuenow"))


def test_turn_by_turn(browser: Any, tmp_path: Any, told: Scene) -> None:
    loop = told.loops[0]
    h = next(one for one in loop["body"] if one["name"] == "h")
    with player(browser, tmp_path, told) as it:
        it.key("l")
        assert it.page.is_visible(".mt-looppicture") and not it.page.is_visible(".mt-graph")
        assert turn(it) == 11
        it.key("Home")
        for at in range(12):
            assert turn(it) == at
            card = it.page.locator(f"[data-card={h['id']}]")
            assert card.locator(".mt-number").all_text_contents() == [shown(h, "values", at), shown(h, "gradients", at)]
            assert f"Turn {at} of" in it.page.inner_text(".mt-lens .mt-say")
            it.key("ArrowRight")
        it.key("PageUp")
        assert turn(it) == 1
        before = it.page.inner_html(".mt-lens")
        it.key("ArrowRight", "ArrowLeft")
        assert it.page.inner_html(".mt-lens") == before  # back is as exact as forward


@pytest.mark.parametrize("width", [1280, 640])
def test_many_loops_leave_the_picture_its_room(browser: Any, tmp_path: Any, width: int) -> None:
    """Ten loops of one long line filled the window with their buttons."""
    line = "for a_name_that_is_rather_long, and_another_one_that_is_longer in zip(range(4), range(4), strict=True):"
    body = "    y = tf.sin(x) * float(a_name_that_is_rather_long + and_another_one_that_is_longer)"
    path = tmp_path / "loops.py"
    path.write_text(f"{line}\n{body}\n" * 10, encoding="utf-8")
    with viz.record("ten loops") as run, tf.GradientTape():
        exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), {"tf": tf, "x": tf.Variable(1.0, name="x")})
    told = run.scene
    assert len(told.loops) >= 10
    with player(browser, tmp_path, told, width=width) as it:
        it.key("l")
        top = "document.querySelector('.mt-looppicture').getBoundingClientRect().top"
        assert it.page.evaluate(top) < 260
        assert told.loops[0]["label"] == it.page.get_attribute("[data-loop='0']", "title")


def test_the_loop_opens_at_the_turn_of_the_step(browser: Any, tmp_path: Any) -> None:
    told = training(5).scene
    begins = told.loops[0]["steps"]
    with player(browser, tmp_path, told, step=begins[2] + 1) as it:
        it.key("l")
        assert turn(it) == 2
        it.key("ArrowLeft", "g", "l")
        assert turn(it) == 1  # where the reader left it, as long as no step was taken
        it.key("g", "End", "l")
        assert turn(it) == 4


def test_a_mirrored_axis_has_each_turn_twice(browser: Any, tmp_path: Any, told: Scene) -> None:
    with player(browser, tmp_path, told) as it:
        it.click("to-loop")
        axis = it.page.locator("[data-cells]").first.bounding_box()
        each, y = axis["width"] / 25, axis["y"] + 8
        for cell, expected in ((3, 3), (24, 0), (20, 4), (13, 11)):
            it.page.mouse.move(axis["x"] + each * (cell + 0.5), y)
            it.page.mouse.down()
            assert turn(it) == expected
            it.page.mouse.up()
        it.page.mouse.down()
        it.page.mouse.move(axis["x"] + each * 6.5, y, steps=3)
        it.page.mouse.up()
        assert turn(it) == 6


def test_a_turn_opens_in_the_graph(browser: Any, tmp_path: Any, told: Scene) -> None:
    with player(browser, tmp_path, told) as it:
        it.click("to-loop")
        it.key("Home", "ArrowRight", "ArrowRight", "Enter")
        assert it.page.is_visible(".mt-graph")
        assert it.step == told.loops[0]["steps"][2]


def test_a_turn_by_its_number(browser: Any, tmp_path: Any, told: Scene) -> None:
    """L 1 0 Enter, or / and "turn 10": the graph where that turn begins."""
    with player(browser, tmp_path, told) as it:
        it.key("l", "1")
        assert turn(it) == 1
        it.key("0")
        assert turn(it) == 10
        it.key("ArrowLeft", "8")  # another number begins
        assert turn(it) == 8
        it.key("Enter")
        assert it.page.is_visible(".mt-graph") and it.step == told.loops[0]["steps"][8]
        it.key("/")
        it.page.keyboard.type("turn 10")
        assert it.page.locator(".mt-hit").first.inner_text().split("\n")[0] == "turn 10"
        it.key("Enter")
        assert it.step == told.loops[0]["steps"][10]
        it.key("/")
        it.page.keyboard.type("turn 12")  # there are 12, from 0
        assert it.page.locator(".mt-hit").count() == 0


def test_a_page_opens_the_folds_around_a_turn(browser: Any, tmp_path: Any) -> None:
    def fold_of(scene: Scene) -> str:
        step = scene.loops[0]["steps"][31]
        return next((one["id"] for one in scene.groups if one["from"] <= step < one["to"]), "")

    run = rnn(60)[0]
    opened = opened_folds(run, everything=True)
    way = fold_of(run.scene)
    assert way, "the run is long enough to be folded"
    while (inner := f"{way}/{fold_of(opened[way])}") in opened:
        way = inner
    with player(browser, tmp_path, run.scene, opened=opened) as it:
        it.key("/")
        it.page.keyboard.type("turn 31")
        it.key("Enter")
        it.becomes(len(opened[way].values), "document.querySelectorAll('.mt-card').length")
        assert it.step == opened[way].loops[0]["steps"][31]
        assert it.fragment().split("&open=")[1] == quote(way, safe="")


def test_a_notebook_asks_its_kernel_for_a_turn(browser: Any, tmp_path: Any) -> None:
    """Four actions to an op in the midst of 300 training steps: /, its turn, Enter, a click."""
    run = training(300)
    script = """const data = {sheet: scenes.one, step: 0, view: "graph", theme: "", predict: false, opened: []};
    window.data = data; window.heard = {}; window.scenes = scenes;
    const model = {get: name => data[name], set: (name, value) => { data[name] = value; }, save_changes() {},
      on: (name, act) => { heard[name] = act; }, off() {}};
    widget.render({model, el: document.getElementById("a")});"""
    inside = scene_of(stream_of(run), ["turn 151"])
    with embedded(browser, tmp_path, script, {"one": run.scene, "two": inside}) as it:
        it.page.click(".mt-say")
        it.key("/")
        it.page.keyboard.type("turn 151")
        it.key("Enter")
        assert it.page.evaluate("data.opened") == ["turn 151"]
        begin = inside.begin_of("turn 151")
        # What the kernel answers.
        it.page.evaluate(f"data.step = {begin}, data.sheet = scenes.two, heard['change:sheet']()")
        assert it.step == begin
        value = next(one for one in inside.values if one["born"] == begin)
        it.page.locator(f".mt-card[data-value='{value['id']}']").click()
        assert it.page.evaluate("data.chosen").startswith(f"value:{value['id']}")


def test_the_lens_and_its_loops_are_seen_in_their_view_alone(browser: Any, tmp_path: Any) -> None:
    with viz.record() as run:
        x = tf.constant(0.5)
        for _ in range(2):
            for _ in range(4):
                x = tf.sin(x)
            x = x + 1.0
        for _ in range(4):
            x = tf.cos(x)
    scene = run.scene
    assert len(scene.loops) > 1
    with player(browser, tmp_path, scene) as it:
        labels = it.page.locator("[data-loop]").all_text_contents()
        assert len({*labels}) == len(scene.loops)  # a line that loops twice has two names
        for view, seen in (("graph", False), ("loop", True), ("score", False), ("loop", True), ("graph", False)):
            it.click(f"to-{view}")
            assert [it.page.is_visible(one) for one in (".mt-loops", ".mt-lens")] == [seen, seen], view
            assert it.page.is_visible(".mt-graph") == (view == "graph")


def test_a_program_without_a_loop_has_no_lens(browser: Any, tmp_path: Any) -> None:
    with player(browser, tmp_path, programs.run("slope").scene, view="loop") as it:
        assert it.page.locator(".mt-to-loop").count() == 0
        assert it.page.is_visible(".mt-graph")
        it.key("l")
        assert it.page.is_visible(".mt-graph")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_its_words_are_read(browser: Any, tmp_path: Any, told: Scene, theme: str) -> None:
    smallest = """() => Math.min(...[...document.querySelectorAll(".mt-looppicture text")].filter(node => node.textContent.trim())
      .map(node => parseFloat(getComputedStyle(node).fontSize) * node.getScreenCTM().a))"""
    for width in (640, 1280):
        with player(browser, tmp_path, told, width=width, theme=theme) as it:
            it.click("to-loop")
            assert it.page.evaluate(smallest) >= 11 - 0.05
            assert it.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


# Words of the way to the next turn that the way itself runs through.
CARRIED = """() => {
  const shown = [...document.querySelectorAll(".mt-looppicture")].filter(one => one.checkVisibility());
  return shown.flatMap(picture => [...picture.querySelectorAll("text.mt-middle.mt-value, text.mt-loopword.value")].filter(word => {
    const a = word.getBoundingClientRect();
    return [...picture.querySelectorAll("path.mt-carried")].some(path => {
      for (let at = 0; at <= path.getTotalLength(); at += 3) {
        const { x, y } = path.getPointAtLength(at).matrixTransform(path.getScreenCTM());
        if (x > a.left + 1 && x < a.right - 1 && y > a.top + 2 && y < a.bottom - 2) return true;
      }
    });
  })).map(word => word.textContent);
}"""


def short_way() -> Scene:
    """Six turns of a cell whose last op stands at the left of a further row, beneath what reads it."""
    x, h = tf.constant([[[1.0, 1.0, 1.0]] * 4] * 6), tf.zeros([4, 5])
    Wx, Wh, b = tf.Variable(tf.ones([3, 5])), tf.Variable(tf.ones([5, 5])), tf.Variable(tf.zeros([5]))
    with viz.record() as run:
        with tf.GradientTape() as tape:
            for row in x:
                h = tf.tanh(row @ Wx + h @ Wh + b)
            loss = tf.reduce_mean(h * h)
        tape.gradient(loss, [Wx, Wh, b])
    return run.scene


def test_what_is_carried_has_its_words_beside_it_and_memory_its_holders(browser: Any, tmp_path: Any) -> None:
    """A short way ran through its words; and the colours of memory were nowhere explained."""
    with player(browser, tmp_path, short_way(), view="loop") as it:
        for width in (640, 900, 1280):
            it.widen(width)
            assert it.page.evaluate(CARRIED) == []
            held = it.page.locator(".mt-loopaxis:visible .mt-loopword").all_text_contents()
            assert [*held][-4:] == ["variables", "Python names", "tapes", "in flight"], width


LOW = 647  # px that JupyterLab leaves on a small laptop

# What touches: a frame around a turn and a word of the card; and what of memory is not seen.
TOUCHES = """() => {
  const faults = [], text = [...document.querySelectorAll(".mt-looppicture [data-card] text")].map(one => [one, one.getBoundingClientRect()]);
  for (const frame of document.querySelectorAll(".mt-looppicture [data-card] .mt-sightturn")) {
    const a = frame.getBoundingClientRect(), k = frame.getScreenCTM().a;
    for (const [one, b] of text) {  // of a line of text its letters' own height, without what accents and descenders would take
      const top = b.top + 0.22 * b.height, bottom = b.bottom - 0.22 * b.height;
      if (a.left < b.right && b.left < a.right && a.top - k < bottom && top < a.bottom + k) faults.push(one.textContent);
    }
  }
  const box = document.querySelector(".mt-loopbox").getBoundingClientRect(), memory = document.querySelector(".mt-loopaxis").getBoundingClientRect();
  if (memory.bottom > Math.min(innerHeight, box.bottom) + 1 || memory.top < box.top) faults.push("memory");
  return faults;
}"""


@pytest.mark.parametrize("make", [lambda: rnn(12)[0], lambda: gates(5)], ids=["rnn", "gates"])
def test_names_are_whole_frames_touch_no_word_and_memory_is_seen(browser: Any, tmp_path: Any, make: Any) -> None:
    scene = make().scene
    with player(browser, tmp_path, scene, view="loop") as it:
        for width in (1366, 1280, 900):
            it.page.set_viewport_size({"width": width, "height": LOW})
            it.page.evaluate(REST)
            assert it.page.evaluate(TOUCHES) == []
        names = it.page.locator("[data-card]").evaluate_all(
            "all => all.map(one => [one.dataset.card, [...one.querySelectorAll('.mt-name')].map(line => line.textContent).join('')])"
        )
        told = {
            one["id"]: f"{one['name']} = {one['sign']}" if one["sign"] else one["name"]
            for one in scene.loops[0]["body"]
        }
        assert {key: name.replace(" ", "") for key, name in names} == {
            key: name.replace(" ", "") for key, name in told.items()
        }
