// @ts-check
// anywidget's entry: the player, its state kept in the model.

import { table } from "./apply.js";
import { unpacked } from "./packed.js";
import { keep } from "./keep.js";
import { focusOn } from "./common.js";
import { following, telling } from "./model.js";
import { mount } from "./mount.js";

/** What lies in the folds of a long run: the kernel tells it when somebody looks for something, and opens the way to
 * it.
 * @param {any} model the widget's */
function insidePart(model) {
  const tell = telling(model);
  let looked = false, wanted = "";
  return {
    /** What can be found in folds alone, as soon as it was told. @returns {any[]} */
    hits() {
      if (!looked && model.get("sheet").folds.length) {
        looked = true;
        tell("searched", model.get("searched") + 1);
      }
      return table(model.get("inside") || []);
    },
    enter(/** @type {string} */ fold, /** @type {number} */ _, /** @type {string} */ thing) {
      wanted = thing;
      tell("opened", [...model.get("opened"), fold]);
    },
    /** Another sheet came: what was to be found in it, at whose step it begins then; "" if nothing was. */
    arrived() {
      const there = wanted && table(model.get("sheet").find).find(hit => hit[4] === wanted);
      const thing = there ? wanted : "";
      [looked, wanted] = [false, ""];
      if (there) tell("step", there[3]);
      return thing;
    },
  };
}

/** What the microscope is given: the kernel packs it when it is first wanted.
 * @param {any} model @returns {() => Promise<any>} */
const packedBy = model => () => new Promise(done => {
  const look = () => {
    if (!model.get("lens")) return;
    model.off("change:lens", look);
    done(unpacked(model.get("lens")));
  };
  model.on("change:lens", look);
  telling(model)("wanted", model.get("wanted") + 1);
});

/** The same player, its step kept in the model.  What it does is sent at once: ipywidgets keeps one message on the way
 * and then sends the newest.  Sent later, an answer to the message before would come in between, and set the step back.
 * @param {{model: any, el: HTMLElement}} host */
function render({ model, el }) {
  const root = el.appendChild(document.createElement("div"));
  const get = (/** @type {string} */ name) => model.get(name);
  const tell = telling(model), send = (/** @type {string} */ name) => (/** @type {any} */ value) => tell(name, value);
  const inside = insidePart(model);
  let player = /** @type {any} */ (null);
  keep(model, el);
  const begin = () => {
    const thing = inside.arrived();
    const [step, view, theme, predict, open, guesses] =
      ["step", "view", "theme", "predict", "opened", "guesses"].map(get);
    player?.destroy();
    player = mount(root, get("sheet"), {
      step, view, theme, predict, open, guesses,
      onstep: send("step"), onview: send("view"), onpredict: send("predict"), onopen: send("opened"),
      onselect: send("chosen"), onguess: send("guesses"),
      onturn: (/** @type {number} */ loop, /** @type {number} */ turn) =>
        tell("opened", [loop ? `turn ${turn} of loop${loop}` : `turn ${turn}`]),
      microscope: get("lensed") && packedBy(model),
      get inside() { return inside.hits(); },
      enter: inside.enter,
    });
    if (!thing) return;
    focusOn(/** @type {HTMLElement} */ (root.querySelector(".mt-word.mt-find")));
    player.light(thing);
  };
  begin();
  const ended = following(model, () => player, {
    sheet: begin,
    inside: () => root.querySelector(".mt-search input")?.dispatchEvent(new Event("input")),
  });
  return () => {
    ended();
    player.destroy();
    root.remove();
  };
}

export default { render };
