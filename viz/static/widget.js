// @ts-check
// anywidget's entry: the player, its state kept in the model.

import { insidePart } from "./inside.js";
import { packedBy } from "./instrument.js";
import { keep } from "./keep.js";
import { mount } from "./player.js";

/** The same player, its step kept in the model (a moment later, so that a drag is one message).
 * @param {{model: any, el: HTMLElement}} host */
function render({ model, el }) {
  const root = el.appendChild(document.createElement("div")), get = (/** @type {string} */ name) => model.get(name);
  let player = /** @type {any} */ (null), waiting = 0;
  const inside = insidePart(model);
  keep(model, el);
  const send = (/** @type {string} */ name) => (/** @type {any} */ value) => {
    if (get(name) === value) return;                                      // it came from there
    model.set(name, value);
    clearTimeout(waiting);
    waiting = window.setTimeout(() => model.save_changes(), 150);
  };
  const begin = () => {
    const thing = inside.arrived();
    const [step, view, theme, predict, open, guesses] = ["step", "view", "theme", "predict", "opened", "guesses"].map(get);
    player?.destroy();
    player = mount(root, get("sheet"), {
      step, view, theme, predict, open, onstep: send("step"), onview: send("view"), onopen: send("opened"), onpredict: send("predict"), onturn: (/** @type {number} */ loop, /** @type {number} */ turn) => send("opened")([loop ? `turn ${turn} of loop${loop}` : `turn ${turn}`]),
      microscope: get("lensed") && packedBy(model), onselect: send("chosen"), guesses, onguess: send("guesses"),
      get inside() { return inside.hits(); }, enter: inside.enter,
    });
    if (!thing) return;
    /** @type {HTMLElement} */ (root.querySelector(".mt-word.mt-find")).focus({ preventScroll: true });
    player.light(thing);
  };
  const changes = Object.entries({
    sheet: begin, step: () => { if (get("step") !== player.step()) player.go(get("step")); },
    inside: () => root.querySelector(".mt-search input")?.dispatchEvent(new Event("input")),
    view: () => player.view(get("view")), theme: () => player.theme(get("theme")), predict: () => player.predict(get("predict")),
  });
  begin();
  for (const [name, act] of changes) model.on(`change:${name}`, act);
  return () => {
    clearTimeout(waiting);
    for (const [name, act] of changes) model.off(`change:${name}`, act);
    player.destroy();
    root.remove();
  };
}

export default { render };
