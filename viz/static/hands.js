// @ts-check
// Hands on a picture: a wheel or two fingers make it larger and smaller, a mouse drags it, and so does a hand on the
// small map.

import { dragged } from "./touch.js";

/** @typedef {import("./touch.js").Listen} Listen */

/** @param {import("./stage.js").Stage} stage @param {HTMLElement} map @param {Listen} listen
 * @param {{zoom: (by: number, x: number, y: number) => boolean, halt: () => void, moved: () => void,
 *   put: (k: number, x: number, y: number) => void}} camera `moved` hears of a box that was scrolled */
export function handsPart({ box, size, room, scale }, map, listen, camera) {
  listen(box, "wheel", event => {
    if (!event.ctrlKey && !event.metaKey && !box.contains(document.activeElement)) return;   // else the page scrolls
    const speed = event.deltaMode ? 0.05 : event.ctrlKey ? 0.01 : 0.002;
    const changed = camera.zoom(Math.exp(-event.deltaY * speed), event.clientX, event.clientY);
    if (changed || event.ctrlKey) event.preventDefault();
  }, { passive: false });

  /** Where it was taken: the pointer, and how far the box was scrolled. */
  let held = /** @type {number[] | null} */ (null);
  let moved = false;
  listen(box, "pointerdown", event => {
    moved = false;
    if (event.button === 0 && event.pointerType !== "touch") {
      held = [event.clientX, event.clientY, box.scrollLeft, box.scrollTop];
    }
  });
  listen(window, "pointermove", event => {
    if (!held) return;
    const [x, y, left, top] = held;
    if (!moved && Math.hypot(event.clientX - x, event.clientY - y) < 5) return;
    camera.halt();
    moved = true;
    box.classList.add("held");
    camera.put(scale(), left + x - event.clientX, top + y - event.clientY);
  });
  for (const end of /** @type {const} */ (["pointerup", "pointercancel"])) listen(window, end, () => {
    held = null;
    box.classList.remove("held");
  });
  listen(box, "click", event => {   // a drag is no click
    if (moved) event.stopPropagation();
    moved = false;
  });

  let apart = 0;
  const spread = (/** @type {TouchList} */ [a, b]) => Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
  listen(box, "touchstart", event => {
    if (event.touches.length === 2) apart = spread(event.touches);
  }, { passive: true });
  listen(box, "touchmove", event => {
    if (event.touches.length !== 2) return;
    const [a, b] = event.touches;
    const now = spread(event.touches);
    camera.zoom(now / apart, (a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2);
    apart = now;
    event.preventDefault();
  }, { passive: false });

  listen(box, "scroll", camera.moved, { passive: true });
  dragged(listen, map, event => {
    camera.halt();
    const m = map.getBoundingClientRect();
    const [w, h] = size(), [W, H] = room(), k = scale();
    const x = ((event.clientX - m.left) / m.width) * w * k - W / 2;
    const y = ((event.clientY - m.top) / m.height) * h * k - H / 2;
    camera.put(k, x, y);
  });
}
