// @ts-check
// The rows of the score end where the window does, so that the one that moves is seen.

import { windowOf } from "./room.js";
import { within } from "./view.js";

/** @typedef {import("./view.js").Part} Part */

const WELL = 150, FAIR = 72;   // px of rows: for which the code gives way; in any case
const SOME = 110, UNDER = 14;  // px of code; under the rows

/** @param {HTMLElement} root the frame */
export function fitScore(root) {
  const [rows, code] = [".mt-strings", ".mt-code"].map(part => /** @type {HTMLElement} */ (root.querySelector(part)));
  const room = () => windowOf(root) - /** @type {Part} */ (within(rows, root)).t - UNDER;
  code.style.maxHeight = "";
  if (!rows?.clientWidth || "embed" in root.dataset) return;
  if (room() < WELL) code.style.maxHeight = `${Math.max(SOME, code.offsetHeight + room() - WELL)}px`;
  rows.style.maxHeight = `${Math.max(FAIR, room())}px`;
}
