// @ts-check
// Where a view of a picture begins, along one axis: what must be seen is in it, and its edges cut as few words as can be.

export const AIR = 14;   // px around what is looked at
const GAP = 12;          // px over which a picture fades at an edge

/** Where a view of `room` px begins, so that what must be seen is in it: where it is, if all that moves is there too; else as far
 * towards the rest as it can.
 * @param {number} at @param {number} room @param {[number, number]} must from where to where @param {[number, number]} all @param {number} whole */
export function into(at, room, [from, to], all, whole) {
  const seen = all[0] - AIR >= at && all[1] + AIR <= at + room, middle = (all[0] + all[1] - room) / 2;
  const there = to - from + 2 * AIR > room ? from - AIR : Math.max(to + AIR - room, Math.min(from - AIR, middle));
  return Math.max(0, Math.min(seen ? at : there, whole - room));
}

/** Where it begins so that its edges cut the fewest words, and as near as can be to where it was: half a number is another number.
 * No less than before is seen of what must be.
 * @param {number} at @param {number} room @param {[number, number]} must @param {[number, number][]} words @param {number} whole */
export function uncut(at, room, [from, to], words, whole) {
  const cost = (/** @type {number} */ x) => words.filter(([a, b]) => [x, x + room].some(edge => a < edge && b > edge)).length * whole + Math.abs(x - at);
  return words.flatMap(([a, b]) => [a - GAP, b + GAP, a - GAP - room, b + GAP - room])
    .filter(x => x >= Math.min(to - room, at) && x <= Math.max(from, at) && x >= 0 && x + room <= whole).reduce((best, x) => (cost(x) < cost(best) ? x : best), at);
}
