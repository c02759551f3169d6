// @ts-check
// The plot of a program with knobs: how high the function is along one of them, how steep as far as a step knows, and
// what both were before the knob was turned.

/** @typedef {import("./live.js").Turn} Turn */
/** How high the function is at a place, null where it is not known.
 * @typedef {{x: number, y: number | null}} Spot */
/** Where a gesture began. @typedef {Spot & {slopes: Turn["slopes"]}} Ghost */

export const minus = (/** @type {string} */ text) => text.replace("-", "−");
/** What is not whole is not shown as whole (arrays.js says so of the microscope).
 * @param {number} x @returns {string} */
export function brief(x, digits = 4) {
  if (digits < 7 && x % 1 && !(Number(x.toPrecision(digits)) % 1)) return brief(x, digits + 1);
  return minus(String(Number(x.toPrecision(digits))));
}

/** How steep the function is as far as a step knows, and whether that is the last word.
 * @param {Turn["slopes"]} slopes @param {number} step @returns {[number | null, boolean]} */
export function steepness(slopes, step) {
  const told = slopes.filter(([from]) => from <= step).at(-1);
  return told ? [told[1], told[2]] : [null, false];
}

/** @param {HTMLElement} box the knobs'
 * @param {import("./live.js").Knob | undefined} axis the knob that it lies along */
export function plotPart(box, axis) {
  const one = (/** @type {string} */ what) => /** @type {any} */ (box.querySelector(what));
  const line = (/** @type {string} */ name) => one(`[data-line=${name}]`);
  const node = one(".mt-plot");

  const { low: from, high: to } = axis || { low: 0, high: 1 };
  let low = 0, high = 0, room = 0;     // of all heights that are seen, and what is left free over and under them
  /** Where numbers stand in it, in per cent. */
  const x = (/** @type {number} */ at) => ((at - from) / (to - from)) * 100;
  const y = (/** @type {number} */ at) => 100 - ((at - low + room) / (high - low + 2 * room)) * 100;
  function scale(/** @type {number[]} */ heights) {
    [low, high] = [Math.min(0, ...heights), Math.max(0, ...heights)];
    room = (high - low || 1) * 0.08;
  }

  function tangent(/** @type {Spot} */ at, /** @type {number | null} */ slope) {
    if (slope === null || at.y === null) return "";
    const across = (to - from) * 0.14, rise = slope * across;
    return `M${x(at.x - across)} ${y(at.y - rise)}L${x(at.x + across)} ${y(at.y + rise)}`;
  }
  function dot(/** @type {string} */ name, /** @type {Spot | null} */ at) {
    const spot = one(`[data-spot=${name}]`);
    spot.hidden = !at || at.y === null;
    if (!at || at.y === null) return;
    spot.style.left = `${x(at.x)}%`;
    spot.style.top = `${y(at.y)}%`;
  }
  /** A number beside the plot, and what it was. @param {string} name @param {number | null} value
   * @param {number | null | undefined} was */
  function fact(name, value, was) {
    const told = one(`[data-fact=${name}]`);
    told.hidden = value === null;
    told.children[1].textContent = value === null ? "" : brief(value);
    const last = value === null || was === null || was === undefined || value === was;
    told.children[2].textContent = last ? "" : `${value > was ? "▲" : "▼"} was ${brief(was)}`;
  }
  /** The line is as steep as the number on the card at this step: none yet, so far (dashed), or touching.
   * @param {number} step @param {Turn} now @param {Record<string, any>} values where the knobs stand
   * @param {[number, number][]} curve @param {Ghost | null} ghost */
  function draw(step, now, values, curve, ghost) {
    const [slope, whole] = steepness(now.slopes, step);
    const before = ghost && steepness(ghost.slopes, step)[0];
    node.hidden = !axis || (now.y === null && !curve.length);
    fact("height", now.y, ghost?.y);
    fact("slope", slope, before);
    if (node.hidden || !axis) return;

    const here = { x: values[axis.name], y: now.y };
    scale([...curve.map(([, height]) => height), ...(now.y === null ? [] : [now.y])]);
    const points = curve.map(([a, b]) => `${x(a).toFixed(2)} ${y(b).toFixed(2)}`);
    line("zero").setAttribute("d", `M0 ${y(0)}H100`);
    line("curve").setAttribute("d", points.length ? `M${points.join("L")}` : "");
    line("tangent").setAttribute("d", tangent(here, slope));
    line("tangent").classList.toggle("sofar", !whole);
    line("ghost").setAttribute("d", ghost ? tangent(ghost, before) : "");
    dot("here", here);
    dot("ghost", ghost);
  }
  return { node, draw };
}
