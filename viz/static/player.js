// @ts-check
// The minitape player: it applies rows.  What stands on the page at a step was written by Python, and so was every word on it; the player
// knows no scene, no mark and no number.  So back is as exact as forward, and nothing ever moves.
// These files are ES modules that import only each other; viz/paint/page.py joins them into one, so that there is nothing to fetch.

import { table, valueAt } from "./apply.js";
import { sheetPart } from "./sheet.js";
import { cameraPart } from "./camera.js";
import { fitScore } from "./score.js";
import { hoverPart } from "./hover.js";
import { searchPart } from "./search.js";
import { dragged, touchPart } from "./touch.js";
import { carried, instrumentPart } from "./instrument.js";

const PAPER = /** @type {[number, number]} */ ([700, 800]), VIEWS = ["graph", "score", "loop"];

/** What `play` gives its parts. @typedef {{listen: import("./touch.js").Listen, [other: string]: any}} Player */
/** What players can do besides, of which each page carries what something on it is for: a function a part, which is given the player and says what
 * it does when it is asked, by name. @type {((player: Player) => Record<string, ((...told: any[]) => any) | undefined>)[]} */
export const besides = [];

/** What the address says; nonsense counts as nothing. */
export function readAddress(hash = location.hash) {
  const { step, theme, view, open = "", predict } = Object.fromEntries(new URLSearchParams(hash.slice(1)));
  return {
    step: /^\d{1,9}$/.test(step) ? Number(step) : null, open, predict: predict === "on" || (predict === "off" ? false : null),
    theme: theme === "light" || theme === "dark" ? theme : "", view: VIEWS.includes(view) ? view : "",
  };
}

/**
 * Let a learner step through a sheet, which stands in `root` already.
 *
 * options: page (owns the document's keys and keeps #step=..&view=..&theme=..&predict=off in its address), step, view (graph | score | loop),
 * theme ("" | light | dark), predict (ask before a reveal), onstep(n), onview(view), onpredict(bool); open and onopen(ids): the
 * folds that are open, and how to ask for others; opens(id): whether a fold can be asked for (all, unless said); onturn(loop, turn): opens
 * all folds that a turn of a loop lies in;
 * fresh: a page whose address is to be written, not read; microscope(): what it and the inspector are given;
 * inside: what can be found in folds, and enter(way, step, thing), which opens the way there; onselect(thing): what is selected; guesses and onguess(guesses): what was guessed, by the step that asks.
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
  const frame = /** @type {HTMLElement} */ (root.querySelector(".mt-frame")), motion = matchMedia("(prefers-reduced-motion: reduce)"), still = () => motion.matches, dark = matchMedia("(prefers-color-scheme: dark)");
  const find = (/** @type {string} */ what) => /** @type {any} */ (frame.querySelector(what));
  const focus = (/** @type {string} */ what) => find(what).focus({ preventScroll: true });
  const rows = sheetPart(frame, sheet);
  let n = last, timer = 0, chosen = address.theme || options.theme || "";
  let view = address.view || (VIEWS.includes(options.view) ? options.view : "graph");

  // -- stepping
  function show(/** @type {number} */ k) {
    if (k !== n) rows.go(n, k);
    n = k;
    ask("show", n);
    hover.clear();
    instrument.show(n);
    for (const one of frame.querySelectorAll("[data-n], [data-nth]")) one.textContent = String(n);
    for (const one of /** @type {NodeListOf<SVGElement>} */ (frame.querySelectorAll("[data-at]"))) {
      one.setAttribute("x", n === last && one.dataset.end || `${100 * (n + Number(one.dataset.at)) / Math.max(1, last)}%`);
    }
    find(".mt-scrub").value = n;
    ["first", "back", "next", "last"].forEach((name, i) => find(`.mt-${name}`).setAttribute("aria-disabled", n === (i < 2 ? 0 : last)));
    options.onshow?.(n);
    camera.follow();
  }
  const inside = (/** @type {any} */ k) => Math.min(last, Math.max(0, Math.trunc(Number(k) || 0)));
  /** @param {number} k @param {boolean} [jump] */
  function go(k, jump = false) {
    const wanted = inside(k);
    k = Math.min(wanted, wall());                                          // nothing leads past a question that waits
    if (k < wanted && k === n) return void ask("nudge", jump || stop());
    const one = k === n + 1, moved = k !== n;
    show(k);
    if (one && view === "graph") camera.run();
    if (moved) { remember(); options.onstep?.(n); }
  }
  function jump(/** @type {number} */ k) { stop(); go(k, true); }
  const speeds = find(".mt-speed"), help = find(".mt-help"), stepName = /** @type {string} */ (find("[data-step-name]").dataset.stepName);   // of step 0
  function play() {
    if (n === last) go(0, true);
    timer = window.setInterval(() => { go(n + 1); if (n === last) stop(); }, 1700 / Number(speeds.value));
    showPlay();
  }
  function stop() {
    const byHand = !timer;
    clearInterval(timer);
    timer = 0;
    showPlay();
    return byHand;
  }
  function showPlay() {
    const button = find(".mt-play");
    button.title = timer ? button.dataset.on : button.dataset.off;
    button.toggleAttribute("data-playing", timer > 0);
  }
  function setSpeed(by = 0) {
    speeds.selectedIndex = Math.min(speeds.length - 1, Math.max(0, speeds.selectedIndex + by));
    if (timer) { stop(); play(); }
  }

  // -- the parts
  const camera = cameraPart(frame, still, listen), hover = hoverPart(frame, sheet.together, stepAt);
  const instrument = instrumentPart(frame, options.microscope, sheet.together.places, { jump, select: options.onselect });
  const sizes = new ResizeObserver(settle);
  const player = {
    root, frame, sheet, options, rows, over, sizes, camera, instrument, find, focus, listen, ask, still, stepName, again: show, go: jump, step: () => n, wall, view: setView, settle, stop, paint, remember,
    /** Lines of its sheet were told anew. */
    retold() { read = null; hover.clear(); },
    seen: () => ({ view, theme: chosen }), light: (/** @type {string} */ thing) => hover.light(thing, n),
    theme: (/** @type {string} */ theme) => { chosen = theme || ""; paint(); },
  };
  const parts = besides.map(part => part(player));
  /** What the parts that know of it answer, one behind the other. @param {string} what @param {any[]} told @returns {any[]} */
  function ask(what, ...told) { return parts.flatMap(part => part[what]?.(...told) ?? []); }
  /** The step at which a question waits: nothing beyond it is told. */
  function wall() { return Math.min(Infinity, ...ask("wall")); }
  let read = /** @type {import("./search.js").Hit[] | null} */ (null);
  /** The sentences as they are searched: read when somebody asks, for every turn of a knob tells them anew. */
  const said = () => (read ||= Array.from({ length: sheet.steps }, (_, step) => {
    const words = document.createElement("template");
    words.innerHTML = valueAt(rows.line(sheet.say, "html"), step) || "";
    return /** @type {import("./search.js").Hit} */ ([stepName.replace("0", String(step)), words.content.textContent || "", "", step, ""]);
  }));
  const found = /** @type {import("./search.js").Hit[]} */ (table(sheet.find));
  const hits = (/** @type {string} */ asked) => [...ask("hits", asked), ...found, ...said()].filter(([, , , step]) => step <= wall())   // no answer before its question
    .concat(ask("inside"));                                                // what is folded comes last
  const search = searchPart(find(".mt-search"), hits, { jump, enter: options.enter, turn: (/** @type {string} */ thing) => ask("take", thing)[0], light: player.light, focus: () => focus(".mt-word.mt-find") });
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
    for (const one of views) find(`.mt-to-${one}`).setAttribute("aria-pressed", one === view);
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
  function paint() { root.dataset.theme = chosen || ask("theme", dark.matches)[0] || (dark.matches ? "dark" : "light"); instrument.repaint(); }

  // -- the address, a page only: a deep link that survives a reload
  let writing = 0;
  function writeAddress() {
    clearTimeout(writing);
    writing = 0;
    const words = `#step=${n}${view === "graph" ? "" : `&view=${view}`}${chosen ? `&theme=${chosen}` : ""}${ask("address").join("")}`;
    if (over.signal.aborted || location.hash === words) return;
    try { window.history.replaceState(null, "", words); } catch { /* a sandboxed frame has no address of its own */ }
  }
  function remember() { if (page) { clearTimeout(writing); writing = window.setTimeout(writeAddress, 40); } }

  // -- hands
  const acts = /** @type {Record<string, () => any>} */ ({                // false: there is nothing to do
    first: () => jump(0), back: () => { stop(); go(n - 1); }, next: () => { stop(); go(n + 1); }, last: () => jump(last),
    play: () => (timer ? stop() : play()), graph: () => setView("graph"), score: () => setView("score"), find: () => search.open(!search.opened()),
    theme: () => { chosen = root.dataset.theme === "dark" ? "light" : "dark"; paint(); remember(); }, help: flipHelp, close: () => (help.hidden ? instrument.close() : flipHelp()),
    flip: () => setView(view === "graph" ? "score" : "graph"), scope: () => instrument.flip(), inspect: () => instrument.inspect(), slower: () => setSpeed(-1), faster: () => setSpeed(1),
    larger: () => camera.zoom(1.25), smaller: () => camera.zoom(0.8), fit: () => { if (view === "graph") camera.fit(); }, away: () => { if (view === "graph") camera.next(); },
  });
  Object.assign(acts, ...ask("acts"));
  const keys = /** @type {Record<string, string>} */ ({
    ArrowRight: "next", ArrowLeft: "back", Home: "first", End: "last", " ": "play", p: "predict", t: "theme", f: "fold", F: "shut", g: "flip", m: "scope", i: "inspect", l: "loop", v: "away",
    "[": "slower", "]": "faster", "/": "find", "?": "help", Escape: "close",
    "+": "larger", "=": "larger", "-": "smaller", "0": "fit",
  });
  function key(/** @type {KeyboardEvent} */ event) {
    const target = /** @type {Element} */ (event.target), name = event.shiftKey && keys[event.key] || keys[event.key.length === 1 ? event.key.toLowerCase() : event.key], act = acts[name];
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    if (view === "graph" ? camera.key(event) : ask("key", event, view)[0]) return taken(event);
    if (!act) return;
    if (target.closest?.("select, textarea, [contenteditable], input:not([type=range], [type=checkbox])")) return;
    if (name === "play" && target.closest?.("button, [role=button], [type=checkbox]")) return;
    if (act() !== false) taken(event);
  }
  function taken(/** @type {Event} */ event) {
    event.preventDefault();
    event.stopPropagation();
  }
  /** The step under the pointer, in any picture of time. */
  function stepAt(/** @type {PointerEvent} */ event) {
    const box = /** @type {Element} */ (event.target).closest("[data-axis]")?.querySelector("[data-zero]")?.getBoundingClientRect();
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
  touchPart(frame, listen, by => acts[by > 0 ? "next" : "back"]());
  listen(frame, "pointerover", event => hover.over(event, n));
  listen(frame, "pointerleave", hover.clear);
  listen(window, "resize", () => { if (root.checkVisibility?.() !== false) settle(); });   // one that is away does so when it comes back
  listen(window, "beforeprint", () => rows.settle(n, PAPER));               // the direction that comes out larger on paper
  listen(window, "afterprint", settle);
  listen(speeds, "change", () => setSpeed());
  listen(find(".mt-scrub"), "input", event => jump(event.target.value));
  listen(page ? document : root, "keydown", key);
  if (page) {
    listen(window, "pagehide", () => { if (writing) writeAddress(); });
    listen(window, "hashchange", () => {
      const told = readAddress();
      if (told.theme) { chosen = told.theme; paint(); }
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
  show(Math.min(inside(address.step ?? options.step), wall()));   // before the camera first looks, so that it looks at this step
  setView(view);
  for (const node of [root, ...rows.spaces]) sizes.observe(node);
  root.setAttribute("data-ready", "");
  if (page && (address.step !== null || options.fresh)) writeAddress();

  return player;
}

/** A player of the sheet that a page carries. @param {HTMLElement} root @param {any} options */
export const mountCarried = async (root, options) => play(root, await carried("sheet"), options);
