// @ts-check
// How high everything in a player is, so that all of it is seen at once: the graph, the code beside it, the knobs under
// either.

import { hostWindow } from "./around.js";
import { unmapped } from "./stage.js";
import { readable, within } from "./view.js";

/** @typedef {import("./stage.js").Stage} Stage */

const LOW = 720;           // px of a low window
const LEAST = 150;         // px that a graph has in it: a card with its edges
const GOOD = 180;          // px of a graph that matter more than the legend
const CODE = [180, 110];   // px that code and formula have over knobs: before these go there, and once they are there

/** How high the window is in which a player stands, of which it may want only so much.
 * @param {HTMLElement} root the frame */
export function windowOf(root) {
  const high = "page" in root.dataset ? innerHeight : hostWindow(root);
  return Math.min(high, Number(root.parentElement?.dataset.most) || Infinity);
}

/** The room that is left for the graph, and for all that stands in its row.
 * @param {Stage} stage @param {boolean} [moved] whether the knobs have just changed their place
 * @returns {{ box: [number, number], most: number, other: number, aside: number }} the graph's box; how high its row
 * may be; what stands in its column besides; and the knobs under the code */
export function spaceOf(stage, moved = false) {
  const { root, find, box } = stage;
  const [work, left, right, knobs] = [".mt-work", ".mt-left", ".mt-right", ".mt-work > .mt-live"].map(find);
  const high = windowOf(root);
  root.toggleAttribute("data-low", high < LOW);
  const beside = left.getBoundingClientRect().right <= right.getBoundingClientRect().left + 1;
  const turned = knobs ? knobs.offsetHeight + parseFloat(getComputedStyle(knobs).marginTop) : 0;
  const rest = root.offsetHeight - work.offsetHeight;
  const graphs = right.offsetHeight - box.offsetHeight;

  // Knobs go under the code where the graph has no room else, if that leaves the code some: they are higher there, and
  // stay all the same.  They go there and back once, for many are too high there.
  const was = root.hasAttribute("data-aside");
  const over = high - rest - turned;
  const tight = over - graphs < Math.min(GOOD, stage.size()[1]);
  const aside = beside && turned > 0 && tight && over >= CODE[Number(was)] && (was || !moved);
  if (aside !== was) {
    root.toggleAttribute("data-aside", aside);
    return spaceOf(stage, true);
  }

  const other = graphs + (aside ? 0 : turned);
  const free = high - rest - other;
  const legend = find(":scope > .mt-legend")?.offsetHeight || 0;
  const graph = Math.max(LEAST, free, Math.min(GOOD, free + legend));
  // where one stands under the other, what stands above the graph is seen as well, if that leaves enough
  const under = high - /** @type {import("./view.js").Part} */ (within(box, root)).t;
  const alone = Math.max(GOOD, 0.3 * high, Math.min(0.6 * high, under));
  return {
    box: [unmapped(stage.shelf), beside ? graph : alone],
    most: Math.max(LEAST, high - rest),
    other,
    aside: aside ? turned : 0,
  };
}

/** The graph's box is as high as the picture needs at the size at which it is read, and no higher than there is room;
 * the code is as high as what stands beside it.  What stands already is not written again: whoever writes has the
 * browser lay out everything once more. @param {Stage} stage */
export function fitRoom(stage) {
  const { find, box, size } = stage;
  const { box: [W, H], most, other, aside } = spaceOf(stage);
  const [w, h] = size();
  const high = Math.min(H, h * readable([w, h], [W, H]));
  const tall = Math.ceil(Math.max(high, Math.min(H, LEAST)));
  if (box.style.height !== `${tall}px`) box.style.height = `${tall}px`;
  const left = find(".mt-left").style;
  const work = `${Math.max(most, tall + other) - aside}px`;
  if (left.getPropertyValue("--work") !== work) left.setProperty("--work", work);
}
