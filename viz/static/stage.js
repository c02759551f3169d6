// @ts-check
// A picture in its box: how large it is, how large it is drawn, which part of it is seen, and where everything in it
// stands.

import { within } from "./view.js";

/** @typedef {import("./view.js").Part} Part */
/** How many times its own size a picture is drawn, and how far its box is scrolled, in px.
 * @typedef {[number, number, number]} View */
/** @typedef {ReturnType<typeof stageOf>} Stage */

/** How wide a graph's box is where no map stands beside it. @param {HTMLElement} shelf */
export function unmapped(shelf) {
  const tools = /** @type {HTMLElement} */ (shelf.querySelector(".mt-tools"));
  return shelf.clientWidth - tools.offsetWidth - parseFloat(getComputedStyle(shelf).columnGap);
}

/** @param {HTMLElement} root the frame */
export function stageOf(root) {
  const find = (/** @type {string} */ what) => /** @type {any} */ (root.querySelector(what));
  const box = find(".mt-graph");
  const picture = find("svg.mt-picture");
  const shelf = find(".mt-room");

  /** What the picture is wide and high by itself. @returns {[number, number]} */
  const size = () => picture.getAttribute("viewBox").split(" ").slice(2).map(Number);
  /** What the box is. @returns {[number, number]} */
  const room = () => [box.clientWidth, box.clientHeight];
  const scale = () => Number(box.style.getPropertyValue("--scale")) || 1;
  const partOf = (/** @type {Element} */ node) => within(node, picture, scale());
  const parts = (/** @type {string} */ what) =>
    /** @type {Element[]} */ ([...picture.querySelectorAll(what)]).map(partOf);
  return { root, find, box, picture, shelf, size, room, scale, partOf, parts };
}
