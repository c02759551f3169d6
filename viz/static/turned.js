// @ts-check
// anywidget's entry for a program with knobs.  Where they stand is sent at once: ipywidgets keeps one message on the way and then sends
// the newest, so a slow kernel is never asked for a position that is gone.

import { mount } from "./player.js";
import { turnPlayer, numbersOf } from "./turns.js";
import { livePart, focusIn } from "./live.js";
import { keep } from "./keep.js";

/** @param {{model: any, el: HTMLElement}} host */
function renderTurned({ model, el }) {
  const root = el.appendChild(document.createElement("div")), get = (/** @type {string} */ name) => model.get(name);
  let player = /** @type {any} */ (null), live = /** @type {any} */ (null), waiting = 0, last = -1, shown = /** @type {any} */ (null);
  keep(model);
  const tell = (/** @type {string} */ name, /** @type {any} */ value, wait = 0) => {
    if (get(name) === value) return;
    model.set(name, value);
    clearTimeout(waiting);
    if (wait) waiting = window.setTimeout(() => model.save_changes(), wait);
    else model.save_changes();
  };
  function begin() {
    if (get("sheet") === shown) return;
    shown = get("sheet");
    const back = focusIn(root), seen = player?.seen() || { view: get("view"), theme: get("theme"), predict: get("predict") };
    const ended = player && player.step() === player.sheet.steps - 1;       // who is at the end stays there
    const step = ended ? get("sheet").steps - 1 : player ? player.step() : get("step"), turn = get("turn");
    live?.destroy();
    player?.destroy();
    live = null;
    player = mount(root, get("sheet"), {
      ...seen, step, onstep: (/** @type {number} */ n) => tell("step", n, 150), onview: (/** @type {string} */ view) => tell("view", view, 150),
      onpredict: (/** @type {boolean} */ on) => tell("predict", on, 150), onshow: () => live?.draw(),
    });
    live = livePart(player.frame, get("live"), turn, {
      turn: values => tell("values", values), rest: () => tell("settled", get("settled") + 1), go: player.go, step: player.step, numbers: () => numbersOf(player),
    });
    last = turn.count;
    turnPlayer(player, turn.lines);
    live.draw();
    back();
  }
  function turned() {
    const turn = get("turn");
    if (get("sheet") !== shown) return begin();                             // they come together, in any order
    if (turn.count === last) return;
    last = turn.count;
    turnPlayer(player, turn.lines);
    live.told(turn);
  }
  const changes = Object.entries({
    sheet: begin, turn: turned, step: () => { if (get("step") !== player.step()) player.go(get("step")); },
    view: () => player.view(get("view")), theme: () => player.theme(get("theme")), predict: () => player.predict(get("predict")),
  });
  begin();
  for (const [name, act] of changes) model.on(`change:${name}`, act);
  return () => {
    clearTimeout(waiting);
    for (const [name, act] of changes) model.off(`change:${name}`, act);
    live.destroy();
    player.destroy();
    root.remove();
  };
}

export default { render: renderTurned };
