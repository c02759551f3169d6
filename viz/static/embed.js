// @ts-check
// A page inside of another page: it tells its host how high it would be where nothing had to be made smaller or
// scrolled.

import { clamp } from "./common.js";
import { unmapped } from "./stage.js";
import { readable } from "./view.js";

const HIGHEST = 560, LOWEST = 150;   // px of a picture: more is scrolled in its own box, less is air

/** How high one of the boxes would be that give way to a low window. @param {HTMLElement} box */
function needed(box) {
  const drawn = box.querySelector(":scope > svg.mt-picture")?.getAttribute("viewBox");
  if (!drawn) return Math.min(HIGHEST, box.scrollHeight);
  const [w, h] = drawn.split(" ").slice(2).map(Number);
  const wide = unmapped(/** @type {HTMLElement} */ (box.closest(".mt-room")));
  return clamp(LOWEST, Math.ceil(h * readable([w, h], [wide, HIGHEST])), HIGHEST);
}

/** Posts `{type: "minitape", height}` to the host, in px, whenever that is another height; at one width it takes no
 * room back by itself, so that a host that follows comes to rest.  What is opened under the picture is added, and the
 * picture does not grow with it (`data-most`).  A host that does not listen loses nothing.
 * @param {HTMLElement} root */
export function embedPart(root) {
  let told = 0;                        // the height that the host knows
  let most = 0, state = "";            // the highest at this width and in this view
  function tell() {
    const frame = /** @type {HTMLElement | null} */ (root.querySelector(".mt-frame"));
    const more = /** @type {HTMLDetailsElement | null} */ (root.querySelector(".mt-more"));
    if (!frame || !more || !root.clientWidth) return;
    const all = root.querySelectorAll(".mt-graph:not(.mt-flat), .mt-strings");
    const boxes = /** @type {HTMLElement[]} */ ([...all]).filter(one => one.clientHeight);
    const under = more.offsetHeight - /** @type {HTMLElement} */ (more.firstElementChild).offsetHeight;
    const now = `${root.clientWidth} ${frame.dataset.view}`;
    const own = frame.offsetHeight - under;
    const high = Math.ceil(boxes.reduce((sum, one) => sum + needed(one) - one.clientHeight, own));
    most = now === state ? Math.max(most, high) : high;
    state = now;
    root.dataset.most = String(most);
    if (told === most + under) return;
    told = most + under;
    parent.postMessage({ type: "minitape", height: told }, "*");
  }
  if (parent === window) return;
  new ResizeObserver(tell).observe(root);
  // another view may be as high, and want more
  new MutationObserver(tell).observe(root, { subtree: true, attributeFilter: ["data-view"] });
}
