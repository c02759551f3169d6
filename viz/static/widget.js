// @ts-check
// anywidget's entry: the player, its state kept in the model.

import { table } from "./apply.js";
import { unpacked } from "./instrument.js";
import { keep } from "./keep.js";
import { mount } from "./player.js";

/** What lies in the folds of a long run: the kernel tells it when somebody looks for something, and opens the way to it.
 * @param {any} model the widget's */
function insidePart(model) {
  let looked = false, wanted = "";
  return {
    /** What can be found in folds alone, as soon as it was told. @returns {any[]} */
    hits() {
      if (!looked && model.get("sheet").folds.length) {
        looked = true;
        model.set("searched", model.get("searched") + 1);
        model.save_changes();
      }
      return table(model.get("inside") || []);
    },
    enter(/** @type {string} */ fold, /** @type {number} */ _, /** @type {string} */ thing) {
      wanted = thing;
      model.set("opened", [...model.get("opened"), fold]);
      model.save_changes();
    },
    /** Another sheet came: what was to be found in it, at whose step it begins then; "" if nothing was. */
    arrived() {
      const there = wanted && table(model.get("sheet").find).find(hit => hit[4] === wanted), thing = there ? wanted : "";
      [looked, wanted] = [false, ""];
      if (there) model.set("step", there[3]), model.save_changes();
      return thing;
    },
  };
}

/** What the microscope is given: the kernel packs it when it is first wanted.
 * @param {any} model @returns {() => Promise<any>} */
const packedBy = model => () => new Promise(done => {
  const look = () => { if (model.get("lens")) { model.off("change:lens", look); done(unpacked(model.get("lens"))); } };
  model.on("change:lens", look);
  model.set("wanted", model.get("wanted") + 1);
  model.save_changes();
});

/** The same player, its step kept in the model.  What it does is sent at once: ipywidgets keeps one message on the way and then sends
 * the newest.  Sent later, an answer to the message before would come in between, and set the step back.
 * @param {{model: any, el: HTMLElement}} host */
function render({ model, el }) {
  const root = el.appendChild(document.createElement("div")), get = (/** @type {string} */ name) => model.get(name);
  let player = /** @type {any} */ (null);
  const inside = insidePart(model);
  keep(model, el);
  const send = (/** @type {string} */ name) => (/** @type {any} */ value) => {
    if (get(name) === value) return;                                      // it came from there
    model.set(name, value);
    model.save_changes();
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
    for (const [name, act] of changes) model.off(`change:${name}`, act);
    player.destroy();
    root.remove();
  };
}

export default { render };
