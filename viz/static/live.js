// @ts-check
// Knobs: the same positions in the program's first line, as dials, and as the plot's own axis.  Left and right go through time, up and
// down turn the knob; either keeps the other.  Who traces the program is not known here: `turn` is called with where the knobs stand.

import { nameOf, valueAt } from "./apply.js";
import { dragged } from "./touch.js";

/** What a knob is (viz/live/knobs.py).
 * @typedef {{name: string, kind: string, low: number, high: number, step: number, options: string[]}} Knob */
/** What a turn tells: how high the function is, how steep from which step on, the curve, what was refused, and of attributes
 * that are told
 * anew what they are over the steps: step, value, step, value, each until the next; the first from the beginning on.
 * @typedef {{values: Record<string, any>, y: number | null, slopes: [number, number | null, boolean][], curve: [number, number][] | null,
 *   refused: any, lines: [number, string, any[]][]}} Turn */

const PAUSE = 1000, REST = 250, LATE = 4000;                              // ms: between two gestures; after which one has ended; without an answer
const decimals = (/** @type {number} */ step) => (String(step).split(".")[1] || "").length;
const minus = (/** @type {string} */ text) => text.replace("-", "−");
const numeric = (/** @type {string | null} */ text) => (text && /\d|∞/.test(text) ? Number(text.replaceAll("−", "-").replace("∞", "Infinity")) : NaN);
/** What is not whole is not shown as whole (arrays.js says so of the microscope).
 * @param {number} x @returns {string} */
export const brief = (x, digits = 4) => digits < 7 && x % 1 && !(Number(x.toPrecision(digits)) % 1) ? brief(x, digits + 1) : minus(String(Number(x.toPrecision(digits))));

/** Where a knob stands after one of its keys, or null.
 * @param {Knob} knob @param {number} value @param {string} key */
export function keyed({ low, high, step }, value, key) {
  const by = /** @type {Record<string, number>} */ ({ ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 })[key];
  return by ? stopped({ low, high, step }, value + by * step) : null;
}

/** The position nearest to a number.
 * @param {{low: number, high: number, step: number}} knob @param {number} value */
export function stopped({ low, high, step }, value) {
  const near = low + Math.round((value - low) / step) * step;
  return Number(Math.min(high, Math.max(low, near)).toFixed(Math.max(decimals(step), decimals(low))));
}

/** How steep the function is as far as a step knows, and whether that is the last word.
 * @param {[number, number | null, boolean][]} slopes @param {number} step @returns {[number | null, boolean]} */
export function steepness(slopes, step) {
  const told = slopes.filter(([from]) => from <= step).at(-1);
  return told ? [told[1], told[2]] : [null, false];
}

/** @param {[number, string, any[]]} told @returns {import("./apply.js").Line} */
export const lineOf = ([number, what, line]) => ({
  number, what, until: line.filter((_, i) => i && i % 2 === 0), values: line.filter((_, i) => i % 2),
});

/** @param {import("./player.js").Player} player as `mount` gives it @param {{knobs: Knob[], axis: string}} told
 * @param {Turn} first
 * @param {(values: any) => void} turns @param {() => void} [rests] hears when a gesture has ended; there is none without a
 * kernel */
export function livePart(player, told, first, turns, rests) {
  const frame = /** @type {HTMLElement} */ (player.frame);
  const box = /** @type {HTMLElement} */ (frame.querySelector(".mt-live")), one = (/** @type {string} */ what) => /** @type {any} */ (box.querySelector(what));
  const plot = one(".mt-plot"), knobs = new Map(told.knobs.map(knob => [knob.name, knob])), axis = knobs.get(told.axis);
  const say = frame.querySelector(".mt-say"), { listen } = player;
  const shows = new Map(told.knobs.map(({ name }) => [name, frame.querySelectorAll(`[data-knob="${name}"], [data-shows="${name}"]`)]));
  let now = first, values = { ...first.values }, curve = first.curve || [], ghost = /** @type {any} */ (null), moved = -Infinity, resting = 0, late = 0;

  // these are not turned at once
  one(".alone").hidden = Boolean(rests) || told.knobs.filter(knob => knob.kind === "number").length < 2;
  /** The marks under a player's numbers that say what these were, each with its number's text over the steps. */
  const numbers = () => [...frame.querySelectorAll("[data-was]")].map(node => {
    const { rows } = player,
      at = rows.marks.findIndex((/** @type {Element[]} */ [first]) => first === node.previousElementSibling);
    return [node, rows.line(at, "text")];
  });

  function shown(/** @type {Knob} */ knob) {
    const value = values[knob.name];
    if (knob.kind === "number") return minus(Number(value).toFixed(decimals(knob.step)));
    return knob.kind === "switch" ? (value ? "True" : "False") : knob.kind === "choice" ? knob.options[value] : `"${value}"`;
  }
  function showKnobs() {
    for (const knob of told.knobs) {
      const text = shown(knob);
      for (const node of /** @type {NodeListOf<Element>} */ (shows.get(knob.name))) {
        if (node instanceof HTMLInputElement) {
          if (node.type === "checkbox") node.checked = Boolean(values[knob.name]);
          else if (node !== document.activeElement || node.type === "range") node.value = String(values[knob.name]);
          node.setAttribute("aria-valuetext", text);
        } else if (node instanceof HTMLSelectElement) node.value = String(values[knob.name]);
        else {
          node.textContent = text;
          if (knob.kind === "number" && node.hasAttribute("data-knob")) node.setAttribute("aria-valuenow", String(values[knob.name]));
        }
      }
    }
  }

  // -- the plot
  const heights = () => [...curve.map(([, y]) => y), ...(now.y === null ? [] : [now.y])];
  function scale() {
    const all = heights(), low = Math.min(0, ...all), high = Math.max(0, ...all), room = (high - low || 1) * 0.08;
    const { low: a, high: b } = /** @type {Knob} */ (axis);
    return { x: (/** @type {number} */ x) => ((x - a) / (b - a)) * 100, y: (/** @type {number} */ y) => 100 - ((y - low + room) / (high - low + 2 * room)) * 100 };
  }
  function tangent(/** @type {any} */ at, /** @type {number | null} */ slope) {
    if (slope === null || at.y === null || !axis) return "";
    const { x, y } = scale(), across = (axis.high - axis.low) * 0.14;
    return `M${x(at.x - across)} ${y(at.y - slope * across)}L${x(at.x + across)} ${y(at.y + slope * across)}`;
  }
  function dot(/** @type {string} */ name, /** @type {any} */ at) {
    const node = one(`[data-spot=${name}]`);
    node.hidden = !at || at.y === null;
    if (!node.hidden) { const { x, y } = scale(); node.style.left = `${x(at.x)}%`; node.style.top = `${y(at.y)}%`; }
  }
  function fact(/** @type {string} */ name, /** @type {number | null} */ value, /** @type {number | null | undefined} */ was) {
    const node = one(`[data-fact=${name}]`), last = was !== null && was !== undefined && value !== null && was !== value;
    node.hidden = value === null;
    node.children[1].textContent = value === null ? "" : brief(value);
    node.children[2].textContent = last ? `${/** @type {number} */ (value) > /** @type {number} */ (was) ? "▲" : "▼"} was ${brief(/** @type {number} */ (was))}` : "";
  }
  /** The line is as steep as the number on the card at this step: none yet, so far (dashed), or touching. */
  function draw() {
    const step = player.step(), [slope, whole] = steepness(now.slopes, step);
    for (const [node, line] of ghost?.numbers || []) {                      // on the cards: what each number was
      const text = valueAt(line, step), is = numeric(/** @type {Element} */ (node.previousElementSibling).textContent), was = numeric(text);
      const said = is > was ? `▲ ${text}` : is < was ? `▼ ${text}` : "";
      if (node.textContent !== said) node.textContent = said;
    }
    plot.hidden = !axis || (now.y === null && !curve.length);
    fact("height", now.y, ghost?.y);
    fact("slope", slope, ghost && steepness(ghost.slopes, step)[0]);
    if (plot.hidden || !axis) return;
    const { x, y } = scale(), here = { x: values[axis.name], y: now.y }, line = (/** @type {string} */ name) => one(`[data-line=${name}]`);
    line("zero").setAttribute("d", `M0 ${y(0)}H100`);
    line("curve").setAttribute("d", curve.map(([a, b], i) => `${i ? "L" : "M"}${x(a).toFixed(2)} ${y(b).toFixed(2)}`).join(""));
    line("tangent").setAttribute("d", tangent(here, slope));
    line("tangent").classList.toggle("sofar", !whole);
    line("ghost").setAttribute("d", ghost ? tangent(ghost, steepness(ghost.slopes, step)[0]) : "");
    dot("here", here);
    dot("ghost", ghost);
  }
  function showRefusal() {
    const node = one(".mt-refused");
    node.hidden = !now.refused;
    node.innerHTML = now.refused?.html || "";
  }

  // -- hands
  function turn(/** @type {string} */ name, /** @type {any} */ value) {
    if (values[name] === value) return;
    const time = performance.now(), begins = time - moved > PAUSE, before = values;
    moved = time;
    values = { ...values, [name]: value };
    turns(values);                                                         // first, so that the answer is on its way meanwhile; it never comes at once
    // a gesture begins
    if (begins) ghost = { x: axis && before[axis.name], y: now.y, slopes: now.slopes, numbers: numbers() };
    say?.setAttribute("aria-live", "off");                                 // it is said when the gesture ends, not sixty times
    showKnobs();
    clearTimeout(late);
    late = window.setTimeout(() => { one(".waiting").hidden = false; }, LATE);
    clearTimeout(resting);
    resting = window.setTimeout(() => { say?.setAttribute("aria-live", "polite"); rests?.(); }, REST);
  }
  function onward(/** @type {Knob} */ knob) {
    const value = values[knob.name];
    turn(knob.name, knob.kind === "switch" ? !value : (value + 1) % knob.options.length);
  }
  const given = (/** @type {any} */ node, /** @type {Knob} */ knob) =>
    knob.kind === "switch" ? node.checked : knob.kind === "text" ? node.value : Number(node.value);
  const knobOf = (/** @type {any} */ target) => knobs.get(target.closest?.("[data-knob]")?.dataset.knob);
  listen(box, "input", event => { const knob = knobOf(event.target); if (knob) turn(knob.name, given(event.target, knob)); });
  listen(frame, "keydown", event => {
    const node = event.target, knob = knobOf(node);
    if (!knob || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = knob.kind === "number" ? keyed(knob, values[knob.name], event.key) : null;
    const click = node.matches("b") && knob.kind !== "number" && (event.key === "Enter" || event.key === " ");
    if (next === null && !click) return;
    event.preventDefault();
    event.stopPropagation();
    if (next !== null) turn(knob.name, next);
    else onward(knob);
  });
  listen(frame, "pointerdown", event => {
    const node = event.target, knob = knobOf(node);
    if (event.button || !knob || !node.matches("b")) return;
    if (knob.kind !== "number") return onward(knob);
    const from = event.clientX, start = values[knob.name], wide = Math.max(160, (knob.high - knob.low) / knob.step * 2);
    node.focus({ preventScroll: true });
    node.setPointerCapture(event.pointerId);
    const move = (/** @type {any} */ to) => turn(knob.name, stopped(knob, start + ((to.clientX - from) / wide) * (knob.high - knob.low)));
    node.addEventListener("pointermove", move);
    node.addEventListener("lostpointercapture", () => node.removeEventListener("pointermove", move), { once: true });
    event.preventDefault();
  });
  if (axis) dragged(listen, plot, event => {
    const { left, width } = plot.getBoundingClientRect();
    turn(axis.name, stopped(axis, axis.low + ((event.clientX - left) / Math.max(1, width)) * (axis.high - axis.low)));
  });
  listen(box, "click", event => {
    if (event.target.closest("[data-refused=mends]")) turn(now.refused.mends.knob, now.refused.mends.value);
  });

  player.over.signal.addEventListener("abort", () => { clearTimeout(resting); clearTimeout(late); });
  showKnobs();
  showRefusal();
  return {
    draw,
    /** What a turn told; a knob that is held already stands further, unless this is `sure`. @param {Turn} next @param {boolean} [sure] */
    told(next, sure = false) {
      for (const line of next.lines.map(lineOf)) {
        player.rows.lines.set(nameOf(line), line);
        player.rows.put(line, player.step());
      }
      player.retold();
      clearTimeout(late);
      one(".waiting").hidden = true;
      now = next;
      if (sure || performance.now() - moved > PAUSE) values = { ...next.values };
      curve = next.curve || curve;
      showKnobs();
      showRefusal();
      draw();
    },
    /** Another structure: no gesture goes on. @param {Turn} next */
    begin(next) { ghost = null; moved = -Infinity; this.told(next, true); },
  };
}

/** What was focused in a player, to be found again in the next one, in the same place or another. @param {HTMLElement} root */
export function focusIn(root) {
  const node = /** @type {HTMLElement | null} */ (root.contains(document.activeElement) ? document.activeElement : null);
  const knob = node?.dataset.knob, part = [...(node?.classList || [])].filter(name => name.startsWith("mt-")).at(-1);
  const what = knob ? `${node?.localName}[data-knob="${knob}"]` : node?.dataset.refused ? "input[data-knob]" : part ? `.${part}` : "";
  return (/** @type {HTMLElement} */ there = root) => { if (what) /** @type {HTMLElement | null} */ (there.querySelector(what))?.focus({ preventScroll: true }); };
}
