// @ts-check
// What a step speaks of and its picture does not show: a sign at the edge says which way it lies, and leads there.

import { within } from "./view.js";

const ARROWS = "↖↑↗← →↙↓↘", EDGE = 6, NAMES = 2;   // by columns and rows; px between an edge and a sign; names on one
const STEP = 18, PLACES = 120;   // px along its edge between places where a sign may stand, and how many of them there are, a third in each row

/** On which side of a room something lies: -1 before it, 1 behind it, 0 for what is in it, or in its middle and larger.
 * @param {number} from @param {number} to @param {number} room */
export function beyond(from, to, room) {
  const slack = to - from > room ? -room / 2 : 2;
  return to - from > room ? (to < -slack ? -1 : Number(from > room + slack)) : from < -slack ? -1 : Number(to > room + slack);
}

/** @param {HTMLElement} place where the signs stand; its first child is the pattern of them @param {HTMLElement} box the picture's
 * @param {() => Element[]} cards of which the step speaks @param {(cards: Element[]) => void} reveal */
export function signsPart(place, box, cards, reveal) {
  const pattern = /** @type {HTMLElement} */ (place.firstElementChild);
  let last = /** @type {Element | undefined} */ (undefined);
  const all = () => cards().map(card => {
    const part = /** @type {import("./view.js").Part} */ (within(card.querySelector(".mt-face") || card, box)), name = card.querySelector(".mt-name")?.textContent;
    return { card, part, name, way: name ? 4 + beyond(part.l, part.r, box.clientWidth) + 3 * beyond(part.t, part.b, box.clientHeight) : 4 };   // 4: it is seen
  });
  function show() {
    if (!box.clientWidth) return;   // a host hides it, as JupyterLab does between two themes: nobody hears when it is shown again, as large as before
    const told = all(), [W, H] = [box.clientWidth, box.clientHeight], seen = told.filter(({ way }) => way === 4).map(({ part }) => part), placed = /** @type {typeof seen} */ ([]);
    if (place.contains(document.activeElement)) box.focus({ preventScroll: true });
    if (place.lastChild !== pattern) place.replaceChildren(pattern);
    place.hidden = seen.length === told.length;
    if (place.hidden) return;
    const others = [...box.querySelectorAll(".mt-face, .mt-capsule, .mt-disc, .mt-rlabel, .mt-tag")].flatMap(node => within(node, box) || []);
    [...ARROWS].forEach((arrow, way) => {
      const those = told.filter(one => one.way === way && way !== 4), names = those.map(({ name }) => name), more = names.length - NAMES;
      if (!those[0]) return;
      const node = /** @type {HTMLElement} */ (pattern.cloneNode()), { part } = those[0], x = way % 3 - 1;
      place.append(node);
      node.hidden = false;
      node.textContent = `${arrow} ${names.slice(0, NAMES).join(", ")}${more > 0 ? ` +${more}` : ""}`;
      node.ariaLabel = `${node.title}: ${names.join(", ")}`;
      node.onclick = () => { reveal(those.map(({ card }) => card)); box.focus({ preventScroll: true }); };
      const w = node.offsetWidth, h = node.offsetHeight, inside = (/** @type {number} */ at, /** @type {number} */ room) => Math.max(EDGE, Math.min(at, room - EDGE));
      const left = inside((part.l + part.r - w) / 2, W - w), top = inside((part.t + part.b - h) / 2, H - h);
      // where it would stand, and to both sides of that along its edge; then the same further from the edge
      const spots = Array.from({ length: PLACES }, (_, at) => {
        const by = (at % 2 || -1) * STEP * Math.ceil(at % 40 / 2), deep = Math.floor(at / 40) * (h + 3);
        const l = inside(left + (x ? -x * deep : by), W - w), t = inside(top + (x ? by : way < 4 ? deep : -deep), H - h);
        return { l, t, r: l + w, b: t + h };
      });
      const free = (/** @type {typeof spots} */ parts) => spots.find(one => !parts.some(other => one.l < other.r && other.l < one.r && one.t < other.b && other.t < one.b));
      const spot = free([...placed, ...seen, ...others]) || free([...placed, ...seen]) || free(placed) || spots[0];
      placed.push(spot);
      node.style.translate = `${spot.l}px ${spot.t}px`;
    });
  }
  /** To the next card that is not in view: each in turn. */
  function next() {
    const told = all(), from = told.findIndex(({ card }) => card === last) + 1, found = [...told.slice(from), ...told].find(({ way }) => way !== 4);
    if (found) reveal([last = found.card]);
  }
  return { show, hide: () => { place.hidden = true; }, next };
}
