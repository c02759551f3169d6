// @ts-check
// anywidget's entry: the player, its state kept in the model.

import { mount } from "./player.js";

/** The same player, its step kept in the model (a moment later, so that a drag is one message).
 * @param {{model: any, el: HTMLElement}} host */
function render({ model, el }) {
  const root = document.createElement("div");
  el.append(root);
  /** @type {any} */
  let player = null;
  let waiting = 0;
  /** @param {string} name @param {any} value */
  const send = (name, value) => {
    if (model.get(name) === value) return;                                // it came from there
    model.set(name, value);
    clearTimeout(waiting);
    waiting = window.setTimeout(() => model.save_changes(), 150);
  };
  const begin = () => {
    player?.destroy();
    player = mount(root, model.get("sheet"), {
      step: model.get("step"), view: model.get("view"), theme: model.get("theme"), predict: model.get("predict"),
      onstep: (/** @type {number} */ n) => send("step", n), onview: (/** @type {string} */ view) => send("view", view),
      open: model.get("opened"), onopen: (/** @type {string[]} */ ids) => send("opened", ids),
      onpredict: (/** @type {boolean} */ on) => send("predict", on),
    });
  };
  /** @type {Record<string, () => void>} */
  const changes = {
    "change:sheet": begin,
    "change:step": () => { if (model.get("step") !== player.step()) player.go(model.get("step")); },
    "change:view": () => player.view(model.get("view")),
    "change:theme": () => player.theme(model.get("theme")),
    "change:predict": () => player.predict(model.get("predict")),
  };
  begin();
  for (const [name, act] of Object.entries(changes)) model.on(name, act);
  return () => {
    clearTimeout(waiting);
    for (const [name, act] of Object.entries(changes)) model.off(name, act);
    player.destroy();
    root.remove();
  };
}

export default { render };
