// @ts-check
// What several parts of a player do alike.

/** A number, or the end of a range that it lies beyond.
 * @param {number} low @param {number} number @param {number} high */
export const clamp = (low, number, high) => Math.max(low, Math.min(number, high));

/** Whether a key is pressed with one that makes it a shortcut of the host's.
 * @param {KeyboardEvent} event */
export const chorded = event => event.ctrlKey || event.metaKey || event.altKey;

/** A key that is used up: nobody else hears of it.
 * @param {Event} event */
export function taken(event) {
  event.preventDefault();
  event.stopPropagation();
}

/** An element has the focus, and no page scrolls to it.
 * @param {HTMLElement} node */
export const focusOn = node => node.focus({ preventScroll: true });

/** A button says that it is on, or off.
 * @param {Element | null} node @param {boolean} on */
export const press = (node, on) => node?.setAttribute("aria-pressed", String(on));
