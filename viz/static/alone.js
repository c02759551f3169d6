// @ts-check
// An exported page with knobs and no kernel: every position that it knows was traced in advance.

import { mount } from "./mount.js";
import { livePart, focusIn } from "./live.js";

/** By structure a sheet and, by slot (an element's number and an attribute), the value at each position, as the number
 * of a text.
 * @typedef {{sheet: any, slots: [number, string][], columns: number[][]}} Base */
/** @typedef {{values: any, base: number, row: number, y: number | null, slopes: any[], refused: any,
 *   curve: number}} Position */
/** @typedef {{live: any, texts: any[], bases: Base[], curves: [number, number][][], positions: Position[]}} Told */

/** The position that stands nearest: switches and choices as they are, and of the numbers the one that was turned last.
 * @param {Position[]} positions @param {Record<string, any>} wanted @param {string} turned */
export function nearest(positions, wanted, turned) {
  const far = (/** @type {Position} */ { values }) => Object.entries(wanted).reduce((sum, [name, value]) => {
    if (values[name] === value) return sum;
    if (typeof value !== "number") return sum + 1e6;
    return sum + Math.abs(values[name] - value) * (name === turned ? 1e3 : 1);
  }, 0);
  return positions.reduce((best, one) => (far(one) < far(best) ? one : best));
}

/** @param {HTMLElement} root @param {Told} told @param {any} options as of `mount` */
export function mountAlone(root, told, options = {}) {
  const html = root.innerHTML;
  let player = /** @type {any} */ (null), live = /** @type {any} */ (null);
  let base = -1, now = told.positions[0];
  function turn() {
    const { slots, columns } = told.bases[now.base];
    const texts = columns.map(column => told.texts[column[now.row]]);
    const lines = slots.map(([number, what], i) => /** @type {[number, string, any[]]} */ ([number, what, texts[i]]));
    return { ...now, curve: told.curves[now.curve], lines };
  }
  function begin() {
    const back = focusIn(root);
    const seen = player?.seen() || {}, step = player ? player.step() : options.step;
    player?.destroy();
    base = now.base;
    if (!told.bases[base].sheet.html) root.innerHTML = html;
    player = mount(root, told.bases[base].sheet, {
      page: true, ...options, ...seen, step, fresh: Boolean(player), onshow: () => live?.draw(),
    });
    live = livePart(player, told.live, turn(), values => queueMicrotask(() => turned(values)));
    live.told(turn(), true);
    back();
  }
  function turned(/** @type {any} */ values) {
    const name = Object.keys(values).find(one => values[one] !== now.values[one]) || "";
    now = nearest(told.positions, values, name);
    if (now.base !== base) return begin();
    live.told(turn(), true);
  }
  begin();
}
