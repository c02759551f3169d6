// @ts-check
// Every number of an array, in the inspector: as heat maps, each with what is said of it whole.

import { decoded, made, once, told } from "./arrays.js";
import { cellsFor, columnsOf, heatMap } from "./heat.js";
import { factsTable } from "./terms.js";
import { makersOf, readersOf } from "./way.js";

/** @param {HTMLElement} box @param {any} data @returns {(id: string, n: number) => void} what puts the arrays of a value at a step behind what is told of it */
export function whole(box, data) {
  const arrays = decoded(data.arrays), makers = makersOf(data.steps, arrays), { words } = data, first = readersOf(data.steps);
  const factsOf = once((/** @type {import("./arrays.js").Many} */ one) => told(one.data));
  const since = (/** @type {number} */ array) => makers.get(array)?.step ?? (first.get(array) || 1) - 1;
  /** Of each kind of number that a value has, the array of that moment. */
  function arraysOf(/** @type {string} */ id, /** @type {number} */ n) {
    const now = new Map();
    for (const one of arrays) if (one.of === id && one.shape.length && since(one.number) <= n) if (!now.has(one.name) || since(now.get(one.name).number) <= since(one.number)) now.set(one.name, one);
    return [...now.values()];
  }
  return (id, n) => {
    const many = arraysOf(id, n);
    for (const one of many) {
      const [cell] = cellsFor([columnsOf(one.shape, false, undefined)], box.clientWidth - 60);
      let at = 0, map = /** @type {any} */ (null);
      const choose = (/** @type {number} */ number) => { at = number; map.show({ number: at, part: [] }); };
      map = heatMap({ name: one.name, kind: one.kind, shape: one.shape, numbers: one.data, most: one.most, id: one.name }, cell, {
        chosen: choose, turned: (/** @type {number[]} */ held) => map.show({ part: [], held }),
        moved: (/** @type {number[] | undefined} */ by) => { if (by) choose(map.plane.beside(at, by)); },
      }, words);
      box.append(map.node);
      map.show({ part: [] });
      map.paint();
    }
    if (many.length) box.append(made("div.table", {}, factsTable(many, factsOf, new Map(), words)));
  };
}
