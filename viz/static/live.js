// @ts-check
// Knobs: the same positions in the program's first line, as dials, and as the plot's own axis.  Left and right go
// through time, up and down turn the knob; either keeps the other.  Who traces the program is not known here: `turns`
// is called with where the knobs stand.

import { nameOf, valueAt } from "./apply.js";
import { chorded, clamp, focusOn, taken } from "./common.js";
import { minus, plotPart } from "./plot.js";
import { dragged } from "./touch.js";

/** What a knob is (viz/knobs/session.py).
 * @typedef {{name: string, kind: string, low: number, high: number, step: number, options: string[]}} Knob */
/** What a turn tells: how high the function is, how steep from which step on, the curve, what was refused, and of
 * attributes that are told anew what they are over the steps: step, value, step, value, each until the next; the first
 * from the beginning on.
 * @typedef {{values: Record<string, any>, y: number | null, slopes: [number, number | null, boolean][],
 *   curve: [number, number][] | null, refused: any, lines: [number, string, any[]][]}} Turn */

const PAUSE = 1000;   // ms between two gestures
const REST = 250;     // ms after which one has ended
const LATE = 4000;    // ms without an answer
const KEY_STEPS = /** @type {Record<string, number>} */ ({ ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 });

const decimals = (/** @type {number} */ step) => (String(step).split(".")[1] || "").length;
function numeric(/** @type {string | null} */ text) {
  return text && /\d|∞/.test(text) ? Number(text.replaceAll("−", "-").replace("∞", "Infinity")) : NaN;
}

/** Where a knob stands after one of its keys, or null.
 * @param {Knob} knob @param {number} value @param {string} key */
export function keyed({ low, high, step }, value, key) {
  const by = KEY_STEPS[key];
  return by ? stopped({ low, high, step }, value + by * step) : null;
}

/** The position nearest to a number.
 * @param {{low: number, high: number, step: number}} knob @param {number} value */
export function stopped({ low, high, step }, value) {
  const near = low + Math.round((value - low) / step) * step;
  return Number(clamp(low, near, high).toFixed(Math.max(decimals(step), decimals(low))));
}

/** @param {[number, string, any[]]} told @returns {import("./apply.js").Line} */
export const lineOf = ([number, what, line]) => ({
  number, what, until: line.filter((_, i) => i && i % 2 === 0), values: line.filter((_, i) => i % 2),
});

/** @param {import("./player.js").Player} player as `mount` gives it @param {{knobs: Knob[], axis: string}} told
 * @param {Turn} first @param {(values: any) => void} turns
 * @param {() => void} [rests] hears when a gesture has ended; there is none without a kernel */
export function livePart(player, told, first, turns, rests) {
  const frame = /** @type {HTMLElement} */ (player.frame), { listen } = player;
  const box = /** @type {HTMLElement} */ (frame.querySelector(".mt-live"));
  const one = (/** @type {string} */ what) => /** @type {any} */ (box.querySelector(what));
  const say = frame.querySelector(".mt-say");
  const knobs = new Map(told.knobs.map(knob => [knob.name, knob])), axis = knobs.get(told.axis);
  const shows = new Map(told.knobs.map(({ name }) =>
    [name, frame.querySelectorAll(`[data-knob="${name}"], [data-shows="${name}"]`)]));
  const plot = plotPart(box, axis);
  let now = first, values = { ...first.values }, curve = first.curve || [];
  let ghost = /** @type {any} */ (null);                                    // what was when the gesture began
  let moved = -Infinity, resting = 0, late = 0;

  // without a kernel several knobs are not turned at once, and it is said so
  one(".alone").hidden = Boolean(rests) || told.knobs.filter(knob => knob.kind === "number").length < 2;
  /** The marks under a player's numbers that say what these were, each with its number's text over the steps. */
  const numbers = () => [...frame.querySelectorAll("[data-was]")].map(node => {
    const { rows } = player, number = node.previousElementSibling;
    const at = rows.marks.findIndex((/** @type {Element[]} */ [first]) => first === number);
    return [node, rows.line(at, "text")];
  });

  // -- what it shows
  function shown(/** @type {Knob} */ knob) {
    const value = values[knob.name];
    if (knob.kind === "number") return minus(Number(value).toFixed(decimals(knob.step)));
    if (knob.kind === "switch") return value ? "True" : "False";
    return knob.kind === "choice" ? knob.options[value] : `"${value}"`;
  }
  function showKnob(/** @type {Element} */ node, /** @type {Knob} */ knob) {
    const value = values[knob.name], text = shown(knob);
    if (node instanceof HTMLInputElement) {
      if (node.type === "checkbox") node.checked = Boolean(value);
      else if (node !== document.activeElement || node.type === "range") node.value = String(value);
      node.setAttribute("aria-valuetext", text);
    } else if (node instanceof HTMLSelectElement) node.value = String(value);
    else {
      node.textContent = text;
      if (knob.kind === "number" && node.hasAttribute("data-knob")) node.setAttribute("aria-valuenow", String(value));
    }
  }
  function showKnobs() {
    for (const knob of told.knobs) {
      for (const node of /** @type {NodeListOf<Element>} */ (shows.get(knob.name))) showKnob(node, knob);
    }
  }
  function showRefusal() {
    const node = one(".mt-refused");
    node.hidden = !now.refused;
    node.innerHTML = now.refused?.html || "";
  }
  function draw() {
    const step = player.step();
    for (const [node, line] of ghost?.numbers || []) {                      // on the cards: what each number was
      const text = valueAt(line, step), was = numeric(text);
      const is = numeric(/** @type {Element} */ (node.previousElementSibling).textContent);
      const said = is > was ? `▲ ${text}` : is < was ? `▼ ${text}` : "";
      if (node.textContent !== said) node.textContent = said;
    }
    plot.draw(step, now, values, curve, ghost);
  }

  // -- hands
  function turn(/** @type {string} */ name, /** @type {any} */ value) {
    if (values[name] === value) return;
    const time = performance.now(), begins = time - moved > PAUSE, before = values;
    moved = time;
    values = { ...values, [name]: value };
    // first, so that the answer is on its way meanwhile; it never comes at once
    turns(values);
    if (begins) ghost = { x: axis && before[axis.name], y: now.y, slopes: now.slopes, numbers: numbers() };
    say?.setAttribute("aria-live", "off");   // it is said when the gesture ends, not sixty times
    showKnobs();
    clearTimeout(late);
    late = window.setTimeout(() => { one(".waiting").hidden = false; }, LATE);
    clearTimeout(resting);
    resting = window.setTimeout(() => {
      say?.setAttribute("aria-live", "polite");
      rests?.();
    }, REST);
  }
  function onward(/** @type {Knob} */ knob) {
    const value = values[knob.name];
    turn(knob.name, knob.kind === "switch" ? !value : (value + 1) % knob.options.length);
  }
  const given = (/** @type {any} */ node, /** @type {Knob} */ knob) =>
    knob.kind === "switch" ? node.checked : knob.kind === "text" ? node.value : Number(node.value);
  const knobOf = (/** @type {any} */ target) => knobs.get(target.closest?.("[data-knob]")?.dataset.knob);
  listen(box, "input", event => {
    const knob = knobOf(event.target);
    if (knob) turn(knob.name, given(event.target, knob));
  });
  listen(frame, "keydown", event => {
    const node = event.target, knob = knobOf(node);
    if (!knob || chorded(event)) return;
    const next = knob.kind === "number" ? keyed(knob, values[knob.name], event.key) : null;
    const click = node.matches("b") && knob.kind !== "number" && (event.key === "Enter" || event.key === " ");
    if (next === null && !click) return;
    taken(event);
    if (next !== null) turn(knob.name, next);
    else onward(knob);
  });
  listen(frame, "pointerdown", event => {
    const node = event.target, knob = knobOf(node);
    if (event.button || !knob || !node.matches("b")) return;
    if (knob.kind !== "number") return onward(knob);
    const from = event.clientX, start = values[knob.name], { low, high, step } = knob;
    const wide = Math.max(160, (high - low) / step * 2);                    // px from one end to the other
    focusOn(node);
    node.setPointerCapture(event.pointerId);
    const move = (/** @type {any} */ to) =>
      turn(knob.name, stopped(knob, start + ((to.clientX - from) / wide) * (high - low)));
    node.addEventListener("pointermove", move);
    node.addEventListener("lostpointercapture", () => node.removeEventListener("pointermove", move), { once: true });
    event.preventDefault();
  });
  if (axis) dragged(listen, plot.node, event => {
    const { left, width } = plot.node.getBoundingClientRect();
    const share = (event.clientX - left) / Math.max(1, width);
    turn(axis.name, stopped(axis, axis.low + share * (axis.high - axis.low)));
  });
  listen(box, "click", event => {
    if (event.target.closest("[data-refused=mends]")) turn(now.refused.mends.knob, now.refused.mends.value);
  });

  player.over.signal.addEventListener("abort", () => {
    clearTimeout(resting);
    clearTimeout(late);
  });
  showKnobs();
  showRefusal();
  return {
    draw,
    /** What a turn told; a knob that is held already stands further, unless this is `sure`.
     * @param {Turn} next @param {boolean} [sure] */
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

/** What was focused in a player, to be found again in the next one, in the same place or another.
 * @param {HTMLElement} root */
export function focusIn(root) {
  const now = root.contains(document.activeElement) ? document.activeElement : null;
  const node = /** @type {HTMLElement | null} */ (now);
  const what = node ? selectorOf(node) : "";
  return (/** @type {HTMLElement} */ there = root) => {
    const same = /** @type {HTMLElement | null} */ (what && there.querySelector(what));
    if (same) focusOn(same);
  };
}
function selectorOf(/** @type {HTMLElement} */ { dataset, localName, classList }) {
  if (dataset.knob) return `${localName}[data-knob="${dataset.knob}"]`;
  if (dataset.refused) return "input[data-knob]";
  const part = [...classList].filter(name => name.startsWith("mt-")).at(-1);
  return part ? `.${part}` : "";
}
