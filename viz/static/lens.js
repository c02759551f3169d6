// @ts-check
// The loop lens: a sheet whose rows lead from turn to turn instead of from step to step.  It is put into the page when
// it is first opened.

import { clamp, press } from "./common.js";
import { besides } from "./player.js";
import { windowOf } from "./room.js";
import { sheetPart } from "./sheet.js";

/** A loop's sheet; `at` has the step at which each turn opens, `begins` is the turn to begin at, `label` its line where
 * a turn can be opened. @typedef {import("./apply.js").Sheet & {at: number[], label: string, begins: number}} Loop */

/** The turn that a place on an axis stands for; on a mirrored one, which has the turns twice, the way back comes after
 * the loop's end.
 * @param {number} share @param {number} turns @param {number} cells */
export function turnAt(share, turns, cells) {
  const cell = clamp(0, Math.floor(share * cells), cells - 1);
  return cell < turns ? cell : clamp(0, 2 * turns - cell, turns - 1);
}

besides.push(player => {
  const { frame, listen, find } = player;
  const loops = /** @type {Loop[]} */ (player.sheet.loops);
  if (!loops) return {};
  const node = /** @type {HTMLElement} */ (frame.querySelector("[data-lens]"));
  let chosen = -1, turn = 0;   // which loop, and its turn
  let shown = 0;               // the step at which it was opened last
  let typed = "";
  let rows = /** @type {ReturnType<typeof sheetPart> | null} */ (null);

  /** @param {number} which */
  function choose(which) {
    chosen = which;
    node.innerHTML = loops[which].html || "";
    rows = sheetPart(node, loops[which]);
    turn = loops[which].steps - 1;
    go(loops[which].begins);
    fit();
    for (const one of frame.querySelectorAll("[data-loop]")) {
      press(one, Number(one.getAttribute("data-loop")) === which);
    }
  }
  /** Open it, at the turn that a step lies in. @param {number} step */
  function show(step) {
    if (chosen < 0) choose(0);
    const { at, label } = loops[chosen];
    const within = label && step !== shown ? at.findLastIndex(begin => begin <= step) : -1;
    if (step && within >= 0) go(within);
    shown = step;
  }
  /** No higher than the window: the cards scroll, the turns and memory stay under them. */
  function fit() {
    const box = /** @type {Element} */ (node.querySelector(".mt-loopbox"));
    const above = box.getBoundingClientRect().top - frame.getBoundingClientRect().top;
    rows?.settle(turn, null);
    node.style.setProperty("--high", `${Math.max(300, Math.floor(windowOf(frame) - above - 8))}px`);
    seen();
  }
  /** The turn is in view on an axis that is wider than the window. */
  function seen() {
    const box = node.querySelector(".mt-loopbox"), sight = box?.querySelector(".mt-loopaxis .mt-sightturn");
    if (!box || !sight || box.scrollWidth <= box.clientWidth + 2) return;
    const a = sight.getBoundingClientRect(), b = box.getBoundingClientRect();
    if (a.left < b.left || a.right > b.right) box.scrollLeft += (a.left + a.right - b.left - b.right) / 2;
  }
  /** @param {number} to */
  function go(to) {
    const next = clamp(0, to, loops[chosen].steps - 1);
    rows?.go(turn, next);
    turn = next;
    node.style.setProperty("--turn", String(turn / (loops[chosen].steps - 1)));
    node.querySelector(".mt-loopbox")?.setAttribute("aria-valuenow", String(turn));
    seen();
  }
  function enter(loop = chosen, at = turn) {
    player.view("graph");
    player.go(loops[loop].at[at]);
    player.ask("entered", loop, at);
  }
  const open = () => enter();

  const ways = /** @type {Record<string, () => void>} */ ({
    ArrowRight: () => go(turn + 1), ArrowLeft: () => go(turn - 1),
    PageDown: () => go(turn + 10), PageUp: () => go(turn - 10),
    Home: () => go(0), End: () => go(Infinity), Enter: open, ArrowDown: open,
  });
  /** @param {KeyboardEvent} event whether it was the lens's @param {string} view */
  function key(event, view) {
    if (view !== "loop" || chosen < 0) return false;
    typed = /^\d$/.test(event.key) ? typed + event.key : "";               // a turn by its number
    if (typed) go(Number(typed));
    if (typed) return true;
    if (!ways[event.key]) return false;
    if (event.key === "Enter" && /** @type {Element} */ (event.target).closest?.("button")) return false;
    ways[event.key]();
    return true;
  }
  /** The turn that is asked for by its number, of every loop that has it, as search lists it.
   * @type {(asked: string) => import("./search.js").Hit[]} */
  const hits = asked => loops.flatMap((loop, i) => {
    const number = Number(asked.match(/\d+(?=\s*$)/) ?? NaN);
    if (!loop.label || !(number < loop.steps)) return [];
    const say = (/** @type {string} */ word) => word.replace("0", String(number));
    return [/** @type {import("./search.js").Hit} */ ([
      say(find(".mt-search").dataset.turn), loop.label, say(player.stepName), loop.at[number], `turn:${i}:${number}`,
    ])];
  });
  /** Open what search found. @param {string} thing */
  function take(thing) {
    const [kind, loop, at] = thing.split(":");
    if (kind === "turn") enter(Number(loop), Number(at));
    return kind === "turn";
  }
  /** @param {PointerEvent} event */
  function point(event) {
    const node = /** @type {Element} */ (event.target).closest("[data-turns]");
    const axis = /** @type {SVGGraphicsElement | null} */ (node);
    const placed = axis?.getScreenCTM();
    if (!axis || !placed) return false;
    const { turns, cells, wide } = axis.dataset;
    const share = (event.clientX - placed.e) / placed.a / Number(wide);
    go(turnAt(share, Number(turns), Number(cells || turns)));
    return true;
  }
  let held = false;
  listen(node, "pointerdown", event => { if (event.button === 0) held = point(event); });
  listen(node, "pointermove", event => { if (held) point(event); });
  listen(window, "pointerup", () => { held = false; });
  listen(node, "dblclick", event => { if (event.target.closest("[data-turns]")) open(); });
  listen(frame, "click", event => {
    const which = event.target.closest("[data-loop]")?.dataset.loop;
    if (which) choose(Number(which));
  });
  return {
    key, hits, take,
    viewed: view => { if (view === "loop") show(player.step()); },
    settled: view => { if (view === "loop") fit(); },
    acts: () => ({ enter: open, loop() { player.view("loop"); player.focus(".mt-loopbox"); } }),
  };
});
