// @ts-check
// What a step speaks of and its picture does not show: a sign at the edge says which way it lies, and leads there.

import { clamp, focusOn } from "./common.js";
import { within } from "./view.js";

const ARROWS = "↖↑↗← →↙↓↘";     // by columns and rows
const EDGE = 6, NAMES = 2;       // px between an edge and a sign; names on one
const STEP = 18, PLACES = 120;   // px between places where a sign may stand, along its edge; how many there are,
const ROW = PLACES / 3;          // a third in each row
const SEEN = 4;                  // the way to what is in view
const OTHERS = ".mt-face, .mt-capsule, .mt-disc, .mt-rlabel, .mt-tag";   // what a sign covers only where it must

/** @typedef {import("./view.js").Part} Part */

/** On which side of a room something lies: -1 before it, 1 behind it, 0 for what is in it, or in its middle and larger.
 * @param {number} from @param {number} to @param {number} room */
export function beyond(from, to, room) {
  const large = to - from > room, slack = large ? -room / 2 : 2;
  if ((large ? to : from) < -slack) return -1;
  return Number((large ? from : to) > room + slack);
}

const meets = (/** @type {Part} */ one, /** @type {Part} */ other) =>
  one.l < other.r && other.l < one.r && one.t < other.b && other.t < one.b;

/** Where a sign would stand, and to both sides of that along its edge; then the same further from the edge.
 * @param {HTMLElement} node the sign @param {Part} part what it leads to @param {number} way
 * @param {number} W @param {number} H what the box is wide and high @returns {Part[]} */
function spotsOf(node, part, way, W, H) {
  const w = node.offsetWidth, h = node.offsetHeight, side = way % 3 - 1;
  const inside = (/** @type {number} */ at, /** @type {number} */ room) => clamp(EDGE, at, room - EDGE);
  const left = inside((part.l + part.r - w) / 2, W - w), top = inside((part.t + part.b - h) / 2, H - h);
  return Array.from({ length: PLACES }, (_, at) => {
    const by = (at % 2 || -1) * STEP * Math.ceil(at % ROW / 2);
    const deep = Math.floor(at / ROW) * (h + 3);
    const l = inside(left + (side ? -side * deep : by), W - w);
    const t = inside(top + (side ? by : way < SEEN ? deep : -deep), H - h);
    return { l, t, r: l + w, b: t + h };
  });
}

/** @param {HTMLElement} place where the signs stand; its first child is the pattern of them
 * @param {HTMLElement} box the picture's @param {() => Element[]} cards of which the step speaks
 * @param {(cards: Element[]) => void} reveal */
export function signsPart(place, box, cards, reveal) {
  const pattern = /** @type {HTMLElement} */ (place.firstElementChild);
  let last = /** @type {Element | undefined} */ (undefined);
  const all = () => cards().map(card => {
    const part = /** @type {Part} */ (within(card.querySelector(".mt-face") || card, box));
    const name = card.querySelector(".mt-name")?.textContent;
    const way = name ? beyond(part.l, part.r, box.clientWidth) + 3 * beyond(part.t, part.b, box.clientHeight) : 0;
    return { card, part, name, way: SEEN + way };
  });
  function show() {
    // a host hides it, as JupyterLab does between two themes: nobody hears when it is shown again, as large as before
    if (!box.clientWidth) return;
    const told = all(), [W, H] = [box.clientWidth, box.clientHeight];
    const seen = told.filter(({ way }) => way === SEEN).map(({ part }) => part);
    const placed = /** @type {Part[]} */ ([]);
    if (place.contains(document.activeElement)) focusOn(box);
    if (place.lastChild !== pattern) place.replaceChildren(pattern);
    place.hidden = seen.length === told.length;
    if (place.hidden) return;
    const others = [...box.querySelectorAll(OTHERS)].flatMap(node => within(node, box) || []);
    [...ARROWS].forEach((arrow, way) => {
      const those = told.filter(one => one.way === way && way !== SEEN);
      if (!those[0]) return;
      const names = those.map(({ name }) => name), more = names.length - NAMES;
      const node = /** @type {HTMLElement} */ (pattern.cloneNode());
      place.append(node);
      node.hidden = false;
      node.textContent = `${arrow} ${names.slice(0, NAMES).join(", ")}${more > 0 ? ` +${more}` : ""}`;
      node.ariaLabel = `${node.title}: ${names.join(", ")}`;
      node.onclick = () => {
        reveal(those.map(({ card }) => card));
        focusOn(box);
      };
      const spots = spotsOf(node, those[0].part, way, W, H);
      const free = (/** @type {Part[]} */ parts) => spots.find(one => !parts.some(other => meets(one, other)));
      const spot = free([...placed, ...seen, ...others]) || free([...placed, ...seen]) || free(placed) || spots[0];
      placed.push(spot);
      node.style.translate = `${spot.l}px ${spot.t}px`;
    });
  }
  /** To the next card that is not in view: each in turn. */
  function next() {
    const told = all(), from = told.findIndex(({ card }) => card === last) + 1;
    const found = [...told.slice(from), ...told].find(({ way }) => way !== SEEN);
    if (!found) return;
    last = found.card;
    reveal([last]);
  }
  return { show, hide: () => { place.hidden = true; }, next };
}
