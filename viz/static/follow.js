// @ts-check
// Boxes that follow a step without a size of their own, such as the one of the code: what the step looks at is scrolled
// into sight.

import { around, within } from "./view.js";

/** @typedef {import("./view.js").Part} Part */

const CLOSE = 56, MARGIN = 24;   // px to an edge of a box, and to a side: what is nearer is moved to its middle

/** Which sides of a box hide something. @param {HTMLElement} box */
export function edges(box) {
  box.classList.toggle("wide", box.scrollWidth > box.clientWidth + 2);
  box.classList.toggle("tall", box.scrollHeight > box.clientHeight + 2);
}

/** @param {HTMLElement} box @param {() => boolean} begins whether nothing has run yet */
export function intoSight(box, begins) {
  box.classList.remove("tall");   // what sticks to an edge is measured where it stands
  scroll(box, begins);
  edges(box);
  uncover(box);
}

/** @param {HTMLElement} box @param {() => boolean} begins */
function scroll(box, begins) {
  const fits = box.scrollWidth <= box.clientWidth + 2 && box.scrollHeight <= box.clientHeight + 2;
  if (fits) return void (box.scrollTop = 0);
  const looked = (box.dataset.follow || "-").split(", ").flatMap(what => [...box.querySelectorAll(what)]);
  const parts = looked.flatMap(node => within(node, box) || []);
  const [first] = parts, all = around(parts);
  if (!all) return void (begins() && (box.scrollTop = 0));
  const { r: W, b: H } = /** @type {Part} */ (within(box, box));
  const { t, b } = all.b - all.t <= H - 32 ? all : first;   // what it names first is seen in any case
  if (first.l < MARGIN || first.r > W - MARGIN) box.scrollLeft += (first.l + first.r - W) / 2;
  if (t < CLOSE || b > H - CLOSE) box.scrollTop += (t + b - H) / 2;
}

/** Where the line that asked sticks to an edge, the one that is gone back through is seen whole, or from its first row
 * on, and none beside is shown by half. @param {HTMLElement} box */
function uncover(box) {
  const [now, cause] = [".now", ".cause"].map(what => {
    const line = box.querySelector(what);
    return line && within(line, box);
  });
  if (!now || !cause) return;
  const H = box.clientHeight;
  const last = now.t + now.b > H;                           // it sticks to the lower edge
  const edge = last ? now.t : now.b;
  box.scrollTop += Math.min(cause.t - (last ? 0 : edge), Math.max(0, cause.b - (last ? edge : H)));
  for (const line of box.querySelectorAll("li")) {
    const part = within(line, box);
    line.style.visibility = part && part.t < edge - 1 && part.b > edge + 1 ? "hidden" : "";
  }
}
