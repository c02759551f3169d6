// @ts-check
// What a step looks at in a picture, and the view that shows it.

import { AIR, around, into, uncut } from "./view.js";

/** @typedef {import("./view.js").Part} Part */
/** @typedef {import("./stage.js").View} View */

const SAID = ".mt-rlabel, .mt-tag, .mt-chip:not(.off)";   // words that stand by themselves

/** @param {import("./stage.js").Stage} stage */
export function aimPart({ box, picture, shelf, size, room, partOf, parts }) {
  const nodes = () => /** @type {Element[]} */ ([...picture.querySelectorAll(box.dataset.follow)]);
  /** The cards that a step looks at. */
  const looked = () => [...new Set(nodes().map(node => node.closest(".mt-card") || node))];
  const seen = () => looked().map(partOf);
  /** Those that its sentence names besides. @returns {Element[]} */
  const named = () => (shelf.dataset.named || "").split(" ")
    .map((/** @type {string} */ id) => picture.querySelector(`.mt-card[data-value="${id}"]`)).filter(Boolean);

  /** Where the card is that was made last, or what is there where the first will be: what is seen at a step that looks
   * at none. */
  function latest() {
    const made = (/** @type {HTMLElement} */ card) => Number(card.dataset.go);
    const all = /** @type {HTMLElement[]} */ ([...picture.querySelectorAll(".mt-card[data-go]")]);
    const cards = all.filter(made).sort((a, b) => made(a) - made(b));
    const last = cards.findLast(card => !card.classList.contains("future"));
    if (last) return partOf(last);
    const first = cards[0] && partOf(cards[0]);
    if (!first) return null;
    const far = (/** @type {Part} */ part) => Math.abs(part.l - first.l) + Math.abs(part.t - first.t);
    const there = /** @type {Part[]} */ (parts(".mt-card:not(.future)").filter(Boolean));
    return there.sort((a, b) => far(a) - far(b))[0] || first;
  }

  /** The size at which a part is in view, with air around it. @param {Part | null | undefined} part */
  function largest(part, air = AIR) {
    if (!part) return 0;
    const [w, h] = size(), [W, H] = room();
    const wide = Math.min(w, part.r + air) - Math.max(0, part.l - air);
    const high = Math.min(h, part.b + air) - Math.max(0, part.t - air);
    return Math.min(W / wide, H / high);
  }

  /** The size at which all of a step is in view, and what of it is: all that moves; else the cards that are named, too;
   * else the cards, edge to edge if need be, and as much of the rest as there is room for; else a row of one that is
   * too large.
   * @param {number} now the largest that it may be @param {number} least the smallest; at 0 it is `now`, since all of
   * the picture is in view then */
  function aim(now, least) {
    const fit = (/** @type {Part | null} */ part, air = AIR) => Math.min(now, largest(part, air) + 1e-3);
    const cards = seen();
    const also = [...cards, ...parts(".mt-chip.fresh"), ...named().map(partOf)];
    const all = around([...also, ...parts(".mt-flow:not(.off)")]);
    const some = also.reduce((/** @type {Part | null} */ part, card) => {   // as many as there is room for
      const both = card && around([part, card]);
      return both && fit(both) >= least ? both : part;
    }, null);
    // what is said beside a card is not what a step looks at
    const faces = around(looked().map(card => partOf(card.querySelector(".mt-face") || card)));
    const views = /** @type {[Part | null, number?][]} */ ([
      [all],
      [around(also)],
      fit(around(cards)) < least ? [faces, 1] : [some],
      [some],
    ]);
    const found = views.find(view => fit(...view) >= least);
    if (!found) return { k: now, part: nodes().map(partOf).find(Boolean) || all, all };
    return { k: least ? fit(...found) : now, part: found[0], all };
  }

  /** A view of this size, near one with that in its middle, that has one part in it and as much of more as it can, and
   * cuts few words.
   * @param {number} k @param {number[]} about @param {Part} at @param {Part} more @returns {View} */
  function towards(k, about, at, more) {
    const spans = (/** @type {Part} */ part) =>
      /** @type {[number, number][]} */ ([[part.l * k, part.r * k], [part.t * k, part.b * k]]);
    const must = spans(at);
    const all = spans(more);
    const whole = size().map(side => side * k);
    const rooms = room();
    const view = about.map((mid, i) => into(mid * k - rooms[i] / 2, rooms[i], must[i], all[i], whole[i]));
    const words = parts(SAID).flatMap(part => part || []).map(spans);
    view.forEach((from, i) => {
      const across = 1 - i, near = view[across], far = near + rooms[across];
      const beside = words.filter(word => word[across][1] > near && word[across][0] < far);
      view[i] = uncut(from, rooms[i], all[i], beside.map(word => word[i]), whole[i]);
    });
    return [k, view[0], view[1]];
  }
  return {
    seen,
    /** The cards that a step speaks of. */
    spoken: () => [...looked(), ...named()],
    /** The view of a step, near one with that in its middle.
     * @param {number} now @param {number} least as of `aim` @param {number[]} about */
    ofStep(now, least, about) {
      const { k, part, all } = aim(now, least), [x, y] = about;
      const at = part || latest() || { l: x, r: x, t: y, b: y };
      return towards(k, about, at, part && all || at);
    },
    /** The view of cards: of all of them where there is room, else of the first.
     * @param {Element[]} cards @param {number} k @param {number[]} about */
    ofCards(cards, k, about) {
      const all = around(cards.map(partOf));
      const part = /** @type {Part} */ (largest(all) >= k ? all : partOf(cards[0]));
      return towards(k, about, part, part);
    },
  };
}
