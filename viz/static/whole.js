// @ts-check
// Every number of an array, in the inspector: as heat maps, each with what is said of it whole.

import { decoded } from "./arrays.js";
import { made } from "./elements.js";
import { cellsFor, columnsOf, heatMap } from "./heat.js";
import { factsTable } from "./terms.js";
import { makersOf, readersOf } from "./way.js";

/** @param {HTMLElement} box @param {any} data
 * @returns {(id: string, n: number) => void} what puts the arrays of a value at a step behind what is told of it */
export function whole(box, data) {
  const arrays = decoded(data.arrays), { words } = data;
  const makers = makersOf(data.steps, arrays), first = readersOf(data.steps);
  const since = (/** @type {number} */ array) => makers.get(array)?.step ?? (first.get(array) || 1) - 1;
  /** Of each kind of number that a value has, the array of that moment. */
  function arraysOf(/** @type {string} */ id, /** @type {number} */ n) {
    const now = new Map();
    for (const one of arrays) {
      const at = since(one.number), last = now.get(one.name);
      if (one.of !== id || !one.shape.length || at > n) continue;
      if (!last || since(last.number) <= at) now.set(one.name, one);
    }
    return [...now.values()];
  }
  return (id, n) => {
    const many = arraysOf(id, n);
    for (const one of many) {
      const [cell] = cellsFor([columnsOf(one.shape, false, undefined)], box.clientWidth - 60);
      let at = 0;
      const choose = (/** @type {number} */ number) => map.show({ number: at = number, part: [] });
      const map = heatMap({ ...one, numbers: one.data, id: one.name }, cell, {
        chosen: choose,
        moved: (/** @type {number[] | undefined} */ by) => { if (by) choose(map.plane.beside(at, by)); },
        turned: (/** @type {number[]} */ held) => map.show({ part: [], held }),
      }, words);
      box.append(map.node);
      map.show({ part: [] });
      map.paint();
    }
    if (many.length) box.append(made("div.table", {}, factsTable(many, undefined, words)));
  };
}
