// @ts-check
// A question in a notebook: what is pressed in it is the question's own.  It lies in the question itself, as a widget with nothing to see.

import { quietHost } from "./around.js";
import { keep } from "./keep.js";

export default {
  /** @param {{ model: any, el: HTMLElement }} it */
  render({ model, el }) {
    keep(model, el);
    const over = new AbortController();
    const listen = (/** @type {EventTarget} */ target, /** @type {string} */ type, /** @type {any} */ handler, how = {}) =>
      target.addEventListener(type, handler, { signal: over.signal, ...how });
    const settle = (/** @type {number} */ tries) => {
      const box = /** @type {HTMLElement | null} */ (el.closest(".mt-question"));
      if (!box) return void (tries && requestAnimationFrame(() => settle(tries - 1)));                     // not in the page yet
      new MutationObserver(quietHost(box, listen)).observe(box, { childList: true, subtree: true });
      listen(box, "click", () => setTimeout(() => {                              // a button that is used up hands its focus on
        const now = /** @type {HTMLButtonElement | null} */ (document.activeElement);
        if (!box.contains(now) || now?.disabled) box.focus({ preventScroll: true });
      }));
      for (const kind of ["keydown", "keypress"]) listen(box, kind, (/** @type {KeyboardEvent} */ event) => {
        if (!(event.ctrlKey || event.metaKey || event.altKey)) event.stopPropagation();
      });
    };
    settle(600);
    return () => over.abort();
  },
};
