// @ts-check
// Swipes: to the left is the next step, to the right the step before.  A finger that goes up or down scrolls the
// page.  One that comes down beside a card or a line means the nearest: they are smaller than it is.

/** Listens as long as a player is there.
 * @typedef {<K extends keyof WindowEventMap>(target: EventTarget, type: K, handler: (event: WindowEventMap[K] &
 * {target: any}) => void, how?: AddEventListenerOptions) => void} Listen */

const FAR = 40;     // px that a swipe is long at least
const STEEP = 2;    // how much more it goes aside than up or down
const LONG = 700;   // ms that it lasts at most
const REACH = 22;   // px beside a card or a line: half of what a finger needs

/** What a finger means that came down at x, y, beside all of these: the nearest in reach.
 * @param {Iterable<Element>} all @param {number} x @param {number} y */
export function meant(all, x, y) {
  let least = REACH, found = /** @type {any} */ (null);
  for (const one of all) {
    const box = one.getBoundingClientRect();
    const far = Math.hypot(Math.max(box.left - x, 0, x - box.right), Math.max(box.top - y, 0, y - box.bottom));
    if (box.width && far < least) [least, found] = [far, one];
  }
  return found;
}

/** Whether a finger that went (x, y) px in so many ms has swiped: 1 to the next step, -1 back, 0 not at all.
 * @param {number} x @param {number} y @param {number} ms */
export function swiped(x, y, ms) {
  if (ms > LONG || Math.abs(x) < FAR || Math.abs(x) < STEEP * Math.abs(y)) return 0;
  return x < 0 ? 1 : -1;
}

/** A pointer that is down on something leads wherever it goes, until it is up.
 * @param {Listen} listen @param {HTMLElement} node @param {(event: PointerEvent & {target: any}) => void} to */
export function dragged(listen, node, to) {
  listen(node, "pointerdown", event => {
    if (event.button) return;
    node.setPointerCapture(event.pointerId);
    to(event);
  });
  listen(node, "pointermove", event => { if (node.hasPointerCapture(event.pointerId)) to(event); });
}

/** @param {HTMLElement} frame @param {Listen} listen @param {(by: number) => void} step */
export function touchPart(frame, listen, step) {
  let from = /** @type {[number, number, number] | null} */ (null);
  /** A picture that is larger than its box is moved instead. */
  const free = (/** @type {Element} */ at) => at.closest(".mt-words") || at.closest(".mt-graph:not(.wide)");
  listen(frame, "touchstart", event => {
    const [one, other] = event.touches;
    from = !other && free(event.target) ? [one.clientX, one.clientY, event.timeStamp] : null;
  }, { passive: true });
  listen(frame, "touchend", event => {
    const [one] = event.changedTouches;
    const by = from && swiped(one.clientX - from[0], one.clientY - from[1], event.timeStamp - from[2]);
    from = null;
    if (by) step(by);
  }, { passive: true });
  listen(frame, "touchcancel", () => { from = null; }, { passive: true });   // the page scrolls
}
