// @ts-check
// The minitape player: it applies rows.  What stands on the page at a step was written by Python, and so was every word
// on it; the player knows no scene, no mark and no number.  So back is as exact as forward, and nothing ever moves.
// These files are ES modules that import only each other; viz/paint/page.py joins them into one, so that there is
// nothing to fetch.

import { VIEWS, addressPart, readAddress } from "./address.js";
import { table, valueAt } from "./apply.js";
import { cameraPart } from "./camera.js";
import { clockPart } from "./clock.js";
import { chorded, clamp, focusOn, press, taken } from "./common.js";
import { runDots } from "./dots.js";
import { hoverPart } from "./hover.js";
import { carried, instrumentPart } from "./instrument.js";
import { fitScore } from "./score.js";
import { searchPart } from "./search.js";
import { sheetPart } from "./sheet.js";
import { dragged, touchPart } from "./touch.js";

/** @typedef {import("./search.js").Hit} Hit */

const PAPER = /** @type {[number, number]} */ ([700, 800]);
const KEYS = /** @type {Record<string, string>} */ ({
  ArrowRight: "next", ArrowLeft: "back", Home: "first", End: "last", " ": "play", "[": "slower", "]": "faster",
  g: "flip", m: "scope", i: "inspect", l: "loop", f: "fold", F: "shut", p: "predict", t: "theme",
  "+": "larger", "=": "larger", "-": "smaller", "0": "fit", v: "away", "/": "find", "?": "help", Escape: "close",
});

/** What `play` gives its parts. @typedef {{listen: import("./touch.js").Listen, [other: string]: any}} Player */
/** What players can do besides, of which each page carries what something on it is for: a function a part, which is
 * given the player and says what it does when it is asked, by name.
 * @type {((player: Player) => Record<string, ((...told: any[]) => any) | undefined>)[]} */
export const besides = [];

/**
 * Let a learner step through a sheet, which stands in `root` already.  The options:
 *
 * - page: it owns the document's keys, and keeps #step=..&view=..&theme=..&predict=off in its address;
 *   fresh: a page whose address is to be written, not read
 * - step, view (graph | score | loop), theme ("" | light | dark), predict (ask before a reveal)
 * - onstep(n), onview(view), onpredict(bool), onselect(thing): hear what a reader does
 * - guesses and onguess(guesses): what was guessed, by the step that asks
 * - open and onopen(ids): the folds that are open, and how to ask for others; opens(id): whether a fold can be asked
 *   for (all, unless said); onturn(loop, turn): opens all folds that a turn of a loop lies in
 * - inside: what can be found in folds, and enter(way, step, thing), which opens the way there
 * - microscope(): what it and the inspector are given
 * @param {HTMLElement} root @param {import("./apply.js").Sheet} sheet @param {any} options
 */
export function play(root, sheet, options) {
  const page = Boolean(options.page), last = sheet.steps - 1;
  const address = readAddress(page && !options.fresh ? location.hash : "");
  const over = new AbortController();
  /** @type {import("./touch.js").Listen} */
  const listen = (target, type, handler, how) =>
    target.addEventListener(type, /** @type {any} */ (handler), { signal: over.signal, ...how });
  root.classList.add("mt");
  if (sheet.score) /** @type {HTMLElement} */ (root.querySelector(".mt-score")).innerHTML = sheet.score;
  const frame = /** @type {HTMLElement} */ (root.querySelector(".mt-frame"));
  const motion = matchMedia("(prefers-reduced-motion: reduce)"), still = () => motion.matches;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const find = (/** @type {string} */ what) => /** @type {any} */ (frame.querySelector(what));
  const focus = (/** @type {string} */ what) => focusOn(find(what));
  const rows = sheetPart(frame, sheet);
  let n = last, chosen = address.theme || options.theme || "";
  let view = address.view || (VIEWS.includes(options.view) ? options.view : "graph");

  // -- stepping
  function show(/** @type {number} */ step) {
    if (step !== n) rows.go(n, step);
    n = step;
    ask("show", n);
    hover.clear();
    instrument.show(n);
    for (const one of frame.querySelectorAll("[data-n], [data-nth]")) one.textContent = String(n);
    for (const one of /** @type {NodeListOf<SVGElement>} */ (frame.querySelectorAll("[data-at]"))) {
      const along = `${100 * (n + Number(one.dataset.at)) / Math.max(1, last)}%`;
      one.setAttribute("x", n === last && one.dataset.end || along);
    }
    find(".mt-scrub").value = n;
    ["first", "back", "next", "last"].forEach((name, i) =>
      find(`.mt-${name}`).setAttribute("aria-disabled", n === (i < 2 ? 0 : last)));
    options.onshow?.(n);
    camera.follow();
  }
  const inside = (/** @type {any} */ step) => clamp(0, Math.trunc(Number(step) || 0), last);
  /** @param {number} step @param {boolean} [byHand] */
  function go(step, byHand = false) {
    const wanted = inside(step);
    const to = Math.min(wanted, wall());                                   // nothing leads past a question that waits
    if (to < wanted && to === n) return void ask("nudge", byHand || clock.stop());
    const one = to === n + 1, moved = to !== n;
    show(to);
    if (one && view === "graph" && !still()) runDots(frame);
    if (moved) { remember(); options.onstep?.(n); }
  }
  function jump(/** @type {number} */ step) { clock.stop(); go(step, true); }
  function by(/** @type {number} */ steps) { clock.stop(); go(n + steps); }
  const again = () => { if (n === last) go(0, true); };
  const onward = () => { go(n + 1); return n === last; };

  // -- the parts
  const clock = clockPart(find, again, onward);
  const camera = cameraPart(frame, still, listen);
  const hover = hoverPart(frame, sheet.together, stepAt);
  const instrument = instrumentPart(frame, options.microscope, sheet.together.places, {
    jump, select: options.onselect,
  });
  const sizes = new ResizeObserver(settle);
  const stepName = /** @type {string} */ (find("[data-step-name]").dataset.stepName);   // of step 0
  const player = {
    root, frame, sheet, options, rows, over, sizes, camera, instrument, find, focus, listen, ask, still, stepName,
    again: show, go: jump, step: () => n, wall, view: setView, settle, stop: clock.stop, paint, remember,
    /** Lines of its sheet were told anew. */
    retold() { read = null; hover.clear(); },
    seen: () => ({ view, theme: chosen }),
    light: (/** @type {string} */ thing) => hover.light(thing, n),
    theme(/** @type {string} */ theme) { chosen = theme || ""; paint(); },
  };
  const parts = besides.map(part => part(player));
  /** What the parts that know of it answer, one behind the other.
   * @param {string} what @param {any[]} told @returns {any[]} */
  function ask(what, ...told) { return parts.flatMap(part => part[what]?.(...told) ?? []); }
  /** The step at which a question waits: nothing beyond it is told. */
  function wall() { return Math.min(Infinity, ...ask("wall")); }

  let read = /** @type {Hit[] | null} */ (null);
  /** The sentences as they are searched: read when somebody asks, for every turn of a knob tells them anew. */
  const said = () => (read ||= Array.from({ length: sheet.steps }, (_, step) => {
    const words = document.createElement("template");
    words.innerHTML = valueAt(rows.line(sheet.say, "html"), step) || "";
    return /** @type {Hit} */ ([stepName.replace("0", String(step)), words.content.textContent || "", "", step, ""]);
  }));
  const found = /** @type {Hit[]} */ (table(sheet.find));
  /** What search looks through: no answer before its question, and what is folded comes last. */
  const hits = (/** @type {string} */ asked) =>
    [...ask("hits", asked), ...found, ...said()].filter(([, , , step]) => step <= wall()).concat(ask("inside"));
  const search = searchPart(find(".mt-search"), hits, {
    jump, enter: options.enter, light: player.light,
    turn: (/** @type {string} */ thing) => ask("take", thing)[0],
    focus: () => focus(".mt-word.mt-find"),
  });

  // -- how it is seen
  const help = find(".mt-help");
  function flipHelp() {
    help.hidden = !help.hidden;
    focus(help.hidden ? ".mt-helper" : ".mt-help button");
  }
  const views = VIEWS.filter(one => find(`.mt-to-${one}`));
  function setView(/** @type {string} */ name) {
    if (!views.includes(name)) return;
    const moved = name !== view;
    view = frame.dataset.view = name;
    ask("viewed", view);
    for (const one of views) press(find(`.mt-to-${one}`), one === view);
    settle();
    if (moved) { remember(); options.onview?.(view); }
  }
  function settle() {
    rows.settle(n, camera.space());
    fitScore(frame);
    camera.measure();
    camera.follow();
    ask("settled", view);
  }
  function paint() {
    root.dataset.theme = chosen || ask("theme", dark.matches)[0] || (dark.matches ? "dark" : "light");
    instrument.repaint();
  }
  function flipTheme() {
    chosen = root.dataset.theme === "dark" ? "light" : "dark";
    paint();
    remember();
  }
  const link = addressPart(over.signal, () => {
    const how = (view === "graph" ? "" : `&view=${view}`) + (chosen ? `&theme=${chosen}` : "");
    return `#step=${n}${how}${ask("address").join("")}`;
  });
  function remember() { if (page) link.remember(); }

  // -- hands
  const acts = /** @type {Record<string, () => any>} */ ({                // false: there is nothing to do
    first: () => jump(0), back: () => by(-1), next: () => by(1), last: () => jump(last),
    play: clock.flip, slower: () => clock.speed(-1), faster: () => clock.speed(1),
    graph: () => setView("graph"), score: () => setView("score"),
    flip: () => setView(view === "graph" ? "score" : "graph"),
    find: () => search.open(!search.opened()), theme: flipTheme, help: flipHelp,
    scope: () => instrument.flip(), inspect: () => instrument.inspect(),
    close: () => (help.hidden ? instrument.close() : flipHelp()),
    larger: () => camera.zoom(1.25), smaller: () => camera.zoom(0.8),
    fit() { if (view === "graph") camera.fit(); },
    away() { if (view === "graph") camera.next(); },
  });
  Object.assign(acts, ...ask("acts"));
  function key(/** @type {KeyboardEvent} */ event) {
    if (event.defaultPrevented || chorded(event)) return;
    if (view === "graph" ? camera.key(event) : ask("key", event, view)[0]) return taken(event);
    const target = /** @type {Element} */ (event.target);
    const letter = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const name = event.shiftKey && KEYS[event.key] || KEYS[letter];
    if (!acts[name]) return;
    if (target.closest?.("select, textarea, [contenteditable], input:not([type=range], [type=checkbox])")) return;
    if (name === "play" && target.closest?.("button, [role=button], [type=checkbox]")) return;
    if (acts[name]() !== false) taken(event);
  }
  /** The step under the pointer, in any picture of time. */
  function stepAt(/** @type {PointerEvent} */ event) {
    const axis = /** @type {Element} */ (event.target).closest("[data-axis]");
    const box = axis?.querySelector("[data-zero]")?.getBoundingClientRect();
    return box ? inside(Math.round(((event.clientX - box.left) / Math.max(1, box.width)) * last)) : n;
  }
  for (const axis of /** @type {NodeListOf<HTMLElement>} */ (frame.querySelectorAll("[data-axis]"))) {
    dragged(listen, axis, event => jump(stepAt(event)));
    listen(axis, "pointerover", event => {
      const step = event.target.closest("[data-step]")?.dataset.step;
      axis.title = step && step <= wall() ? said()[step].slice(0, 2).join(": ") : "";
    });
  }
  listen(frame, "click", ({ target }) => {
    const name = target.closest("[data-act]")?.dataset.act, there = target.closest("[data-go]")?.dataset.go;
    if (acts[name]) acts[name]();
    else if (there) jump(Number(there));
  });
  touchPart(frame, listen, steps => acts[steps > 0 ? "next" : "back"]());
  listen(frame, "pointerover", event => hover.over(event, n));
  listen(frame, "pointerleave", hover.clear);
  listen(window, "resize", () => {                            // one that is away does so when it comes back
    if (root.checkVisibility?.() !== false) settle();
  });
  listen(window, "beforeprint", () => rows.settle(n, PAPER));  // the direction that comes out larger on paper
  listen(window, "afterprint", settle);
  listen(clock.speeds, "change", () => clock.speed());
  listen(find(".mt-scrub"), "input", event => jump(event.target.value));
  listen(page ? document : root, "keydown", key);
  if (page) {
    listen(window, "pagehide", link.settle);
    listen(window, "hashchange", () => {
      const told = readAddress();
      if (told.theme) player.theme(told.theme);
      if (told.view) setView(told.view);
      ask("predict", told.predict);
      if (told.step !== null) jump(told.step);
    });
  }

  // -- begin
  listen(dark, "change", paint);
  paint();
  ask("predict", address.predict ?? options.predict !== false);
  if (!views.includes(view)) view = "graph";
  // before the camera first looks, so that it looks at this step
  show(Math.min(inside(address.step ?? options.step), wall()));
  setView(view);
  for (const node of [root, ...rows.spaces]) sizes.observe(node);
  root.setAttribute("data-ready", "");
  if (page && (address.step !== null || options.fresh)) link.write();

  return player;
}

/** A player of the sheet that a page carries. @param {HTMLElement} root @param {any} options */
export const mountCarried = async (root, options) => play(root, await carried("sheet"), options);
