// @ts-check
// Of a picture that is larger than its box stands a small one beside the box, in a column of its own: it covers
// nothing.

import { unmapped } from "./stage.js";

/** @typedef {import("./view.js").Part} Part */

/** @param {import("./stage.js").Stage} stage
 * @param {() => (Part | null)[]} seen where the cards are that a step looks at */
export function mapPart({ find, box, shelf, size, room, scale, parts }, seen) {
  const [map, plan, sight, lit] = ["svg.mt-map", ".mt-plan", ".mt-sight", ".mt-here"].map(find);
  function outline(/** @type {Element} */ node, /** @type {(Part | null)[]} */ all) {
    const told = all.map(part => {
      if (!part) return "";
      const { l, t, r, b } = part;
      const [x, y, right, down, left] = [l, t, r - l, b - t, l - r].map(Math.round);
      return `M${x} ${y}h${right}v${down}h${left}z`;
    }).join("");
    if (node.getAttribute("d") !== told) node.setAttribute("d", told);
  }
  return {
    node: map,
    /** Whether it is there depends on no step, so none moves anything.
     * @param {number} k the size without a step @param {boolean} whole whether all of the picture is asked for */
    stand(k, whole) {
      const [w, h] = size();
      const is = !whole && (w * k > unmapped(shelf) + 2 || h * k > box.clientHeight + 2);
      shelf.toggleAttribute("data-map", is);
      map.toggleAttribute("hidden", !is);
    },
    /** Another picture. */
    plan: () => outline(plan, parts(".mt-card")),
    /** What is seen. */
    draw() {
      if (map.hasAttribute("hidden") || !box.clientWidth) return;   // hidden: see signs.js
      const [w, h] = size(), [W, H] = room(), k = scale();
      const l = Math.max(0, box.scrollLeft / k);
      const t = Math.max(0, box.scrollTop / k);
      outline(sight, [{ l, t, r: l + Math.min(w, W / k), b: t + Math.min(h, H / k) }]);
      // each card for itself: one box around cards far from each other is around nearly everything
      outline(lit, seen());
    },
  };
}
