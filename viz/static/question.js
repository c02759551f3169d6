// @ts-check
// A question in a notebook: what is pressed in it is the question's own.  It lies in the question itself, as a widget
// with nothing to see.

import { quietHost } from "./around.js";
import { keep } from "./keep.js";
import { chorded, focusOn } from "./common.js";

export default {
  /** @param {{ model: any, el: HTMLElement }} it */
  render({ model, el }) {
    keep(model, el);
    const over = new AbortController(), { signal } = over;
    const settle = (/** @type {number} */ tries) => {
      const box = /** @type {HTMLElement | null} */ (el.closest(".mt-question"));
      if (!box) return void (tries && requestAnimationFrame(() => settle(tries - 1)));   // not in the page yet
      quietHost(box, signal);
      box.addEventListener("click", () => setTimeout(() => {   // a button that is used up hands its focus on
        const now = /** @type {HTMLButtonElement | null} */ (document.activeElement);
        if (!box.contains(now) || now?.disabled) focusOn(box);
      }), { signal });
      for (const kind of /** @type {const} */ (["keydown", "keypress"])) box.addEventListener(kind, event => {
        if (!chorded(event)) event.stopPropagation();
      }, { signal });
    };
    settle(600);
    return () => over.abort();
  },
};
