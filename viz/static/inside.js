// @ts-check
// What lies in the folds of a long run, in a notebook: the kernel tells it when somebody looks for something, and opens the way to it.

import { table } from "./apply.js";

/** @param {any} model the widget's */
export function insidePart(model) {
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
