// @ts-check
// How large a picture is seen in its box, where a view of it begins, and where elements stand: functions of the camera
// that keep nothing.

import { clamp } from "./common.js";

export const AIR = 14;         // px around what is looked at
export const LEGIBLE = 0.92;   // of its own size: the smallest at which all words are 11 px
const LARGE = 1.5;             // times its own size: the largest, by itself
const GAP = 12;                // px over which a picture fades at an edge

/** What stands around a picture, in px of the picture. @typedef {{l: number, t: number, r: number, b: number}} Part */

/** Where an element stands in another one that is drawn so many times its own size, in px of that; null where it is
 * hidden.
 * @param {Element} node @param {Element} other @returns {Part | null} */
export function within(node, other, scale = 1) {
  const one = node.getBoundingClientRect(), all = other.getBoundingClientRect();
  const sides = [one.left - all.left, one.top - all.top, one.right - all.left, one.bottom - all.top];
  const [l, t, r, b] = sides.map(px => px / scale);
  return node.getClientRects().length ? { l, t, r, b } : null;
}

/** What stands around parts, those that are hidden left out. @param {(Part | null)[]} parts @returns {Part | null} */
export function around(parts) {
  const there = /** @type {Part[]} */ (parts.filter(Boolean));
  if (!there.length) return null;
  const all = (/** @type {keyof Part} */ side) => there.map(part => part[side]);
  return { l: Math.min(...all("l")), t: Math.min(...all("t")), r: Math.max(...all("r")), b: Math.max(...all("b")) };
}

/** The size at which all of a picture is seen in a box.
 * @param {[number, number]} picture @param {[number, number]} box */
export const fitting = ([w, h], [W, H]) => Math.min(LARGE, W / w, H / h);

/** The size at which a picture is read in a box: all of it where its words can be read then, else its own size.
 * @param {[number, number]} picture @param {[number, number]} box */
export function readable(picture, box) {
  const fits = fitting(picture, box);
  return fits < LEGIBLE ? 1 : fits;
}

/** Which of several pictures of one thing reads best in a box: the first, unless another comes out a good deal larger.
 * @param {[number, number][]} pictures @param {[number, number]} box */
export function best(pictures, box) {
  const sizes = pictures.map(picture => fitting(picture, box));
  const most = Math.max(...sizes);
  return sizes.findIndex(size => size * 1.1 >= most);
}

/** Where along one axis a view of `room` px begins, so that what must be seen is in it: where it is, if all that moves
 * is there too; else as far towards the rest as it can.
 * @param {number} at @param {number} room @param {[number, number]} must from where to where
 * @param {[number, number]} all @param {number} whole */
export function into(at, room, [from, to], all, whole) {
  const seen = all[0] - AIR >= at && all[1] + AIR <= at + room;
  const middle = (all[0] + all[1] - room) / 2;
  const air = Math.min(AIR, (room - to + from) / 2);   // less where there is no room for more
  const there = to - from > room ? from - AIR : clamp(to + air - room, middle, from - air);
  return clamp(0, seen ? at : there, whole - room);
}

/** Where it begins so that its edges cut the fewest words, and as near as can be to where it was: half a number is
 * another number.  No less than before is seen of what must be.
 * @param {number} at @param {number} room @param {[number, number]} must @param {[number, number][]} words
 * @param {number} whole */
export function uncut(at, room, [from, to], words, whole) {
  const cost = (/** @type {number} */ x) => {
    const cut = words.filter(([a, b]) => [x, x + room].some(edge => a < edge && b > edge));
    return cut.length * whole + Math.abs(x - at);
  };
  const least = Math.max(0, Math.min(to - room, at)), most = Math.max(from, at);
  return words.flatMap(([a, b]) => [a - GAP, b + GAP, a - GAP - room, b + GAP - room])
    .filter(x => x >= least && x <= most && x + room <= whole)
    .reduce((best, x) => (cost(x) < cost(best) ? x : best), at);
}
