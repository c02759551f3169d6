// @ts-check
// The camera over the graph: how large it is drawn, which part of it is seen, and that what a step looks at is in it.
// Only boxes scroll, never the page.  A box names what it follows (data-follow); the graph's can be made larger and
// smaller as well.

import { aimPart } from "./aim.js";
import { clamp, press } from "./common.js";
import { edges, intoSight } from "./follow.js";
import { handsPart } from "./hands.js";
import { mapPart } from "./map.js";
import { fitRoom, spaceOf } from "./room.js";
import { signsPart } from "./signs.js";
import { stageOf, unmapped } from "./stage.js";
import { LEGIBLE, fitting, readable } from "./view.js";

/** @typedef {import("./stage.js").View} View */

const MOST = 4;      // times its own size, by hand
const GLIDE = 260;   // ms
const NUDGE = 90;    // px of an arrow key
const WAYS = /** @type {Record<string, number[]>} */ ({
  ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1],
});

/** @param {HTMLElement} root the frame @param {() => boolean} still whether a reader wants no motion
 * @param {import("./touch.js").Listen} listen */
export function cameraPart(root, still, listen) {
  const stage = stageOf(root);
  const { find, box, picture, shelf, size, room, scale } = stage;
  const boxes = /** @type {HTMLElement[]} */ ([...root.querySelectorAll("[data-follow]")]);
  const terms = find(".mt-terms:not([aria-hidden])"), fitter = find("[data-act=fit]");
  const aim = aimPart(stage);
  const map = mapPart(stage, aim.seen);
  const signs = picture && signsPart(find(".mt-signs"), box, aim.spoken, reveal);

  let chosen = 0;                                         // the size that was chosen by hand; 0 is "as it reads best"
  let whole = false;                                      // all of it was asked for
  let goal = /** @type {View | null} */ (null);           // where it glides to
  let gliding = 0, soon = 0;                              // frames that were asked for
  let laid = "";                                          // the picture and the box that were measured last
  let said = "";                                          // how high the formula was
  /** The size without a step. */
  const base = () =>
    (whole ? fitting(size(), room()) : chosen || readable(size(), [unmapped(shelf), box.clientHeight]));
  /** The view that is seen. @returns {View} */
  const here = () => [scale(), box.scrollLeft, box.scrollTop];
  /** What is in the middle of a view, in px of the picture. @param {View} view */
  const middle = ([k, x, y]) => room().map((side, i) => ([x, y][i] + side / 2) / k);

  // -- room
  function measure() {
    if (picture && box.clientWidth) {
      fitRoom(stage);
      map.stand(base(), whole);
      const now = `${[...size(), ...room()]}`;
      if (laid !== now) {                                 // another picture, or another box
        laid = now;
        halt();
        put(base(), 0, 0);
        map.plan();
        look(true);
      }
    }
    boxes.forEach(edges);
  }

  // -- motion
  /** @param {number} k @param {number} x @param {number} y */
  function put(k, x, y) {
    box.style.setProperty("--scale", String(Math.round(k * 1e4) / 1e4));
    box.scrollLeft = x;
    box.scrollTop = y;
    map.draw();
  }
  /** Glides to a size and a place: the middle of the view goes straight to its new one.
   * @param {number} k @param {number} x @param {number} y */
  function glide(k, x, y) {
    cancelAnimationFrame(gliding);
    const from = here();
    const to = goal = /** @type {View} */ ([k, x, y]);
    const begin = middle(from), end = middle(to);
    const [W, H] = room();
    const near = to.every((at, i) => Math.abs(at - from[i]) < (i ? 1 : 1e-3));
    const time = still() || near ? 0 : GLIDE;
    const began = performance.now();
    signs?.hide();
    const move = (/** @type {number} */ now) => {
      const part = time ? clamp(0, (now - began) / time, 1) : 1;
      if (part === 1) { put(k, x, y); return arrived(); }
      const eased = part * part * (3 - 2 * part);
      const s = from[0] + (k - from[0]) * eased;
      const [cx, cy] = [0, 1].map(i => begin[i] + (end[i] - begin[i]) * eased);
      put(s, cx * s - W / 2, cy * s - H / 2);
      gliding = requestAnimationFrame(move);
    };
    move(began);
  }
  function halt() { cancelAnimationFrame(gliding); goal = null; }
  function arrived() { goal = null; edges(box); signs?.show(); }

  // -- what a step looks at
  /** The formula has as much as it needs now, and the code the rest. */
  function measureFormula() {
    if (!terms?.getClientRects().length) return;          // hidden: see signs.js
    const tall = `${terms.getBoundingClientRect().height}px`;
    if (tall === said) return;
    said = tall;
    find(".mt-formula").style.setProperty("--now", tall);
  }
  function look(jump = false) {
    measureFormula();
    for (const one of boxes) if (one !== box || !picture) intoSight(one, () => find(".mt-scrub")?.value == 0);
    if (!picture || !box.clientWidth) return;
    const now = base(), least = Math.min(now, whole ? 0 : chosen || LEGIBLE);
    const to = aim.ofStep(now, least, middle(goal || here()));
    if (!jump) return glide(...to);
    put(...to);
    signs?.show();
  }
  /** In the next frame: asked in the middle of a step, the browser would lay out the page twice. */
  function follow() {
    cancelAnimationFrame(soon);
    soon = requestAnimationFrame(() => look());
  }
  function reveal(/** @type {Element[]} */ cards) {
    glide(...aim.ofCards(cards, scale(), middle(here())));
  }

  // -- hands
  /** Larger or smaller, about a point of the window; whether it is.
   * @param {number} by @param {number} [x] @param {number} [y] */
  function zoom(by, x, y) {
    if (!picture) return false;
    const { left, top, width, height } = box.getBoundingClientRect();
    const [px, py] = [x ?? left + width / 2, y ?? top + height / 2];
    const old = scale();
    const drawn = picture.getBoundingClientRect();
    const k = clamp(Math.min(fitting(size(), room()), 1), old * by, MOST);
    if (Math.abs(k - old) < 1e-4) return false;
    halt();
    [chosen, whole] = [k, false];
    map.stand(base(), whole);
    const [gx, gy] = [(px - drawn.left) / old, (py - drawn.top) / old];   // the point, in px of the picture
    put(k, gx * k - (px - left), gy * k - (py - top));
    arrived();
    press(fitter, whole);
    return true;
  }
  /** All of it, or as it reads best. */
  function fit() {
    if (!picture) return;
    [whole, chosen] = [!whole, 0];
    map.stand(base(), whole);
    press(fitter, whole);
    look();
  }
  /** @param {KeyboardEvent} event whether it was the camera's */
  function key(event) {
    const way = WAYS[event.key];
    const typing = /** @type {Element} */ (event.target).closest?.("input, select");
    if (!picture || !event.shiftKey || !way || typing) return false;
    const [k, x, y] = here();
    glide(k, x + NUDGE * way[0], y + NUDGE * way[1]);
    return true;
  }
  /** The box was scrolled, by itself or by a hand. */
  function moved() {
    if (goal) return;
    map.draw();
    signs?.show();
  }
  if (picture) handsPart(stage, map.node, listen, { zoom, halt, moved, put });

  return {
    measure, follow, key, zoom, fit,
    next: () => signs?.next(),
    space: () => (picture && box.clientWidth ? spaceOf(stage).box : null),
    destroy() { cancelAnimationFrame(soon); halt(); },
  };
}
