// @ts-check
// The minitape player: it applies rows.  What stands on the page at a step was written by Python, and so was every word on it; the player
// knows no scene, no mark and no number.  So back is as exact as forward, and nothing ever moves.
//
// These files are ES modules that import only each other; viz/draw/page.py joins them into the one module that widgets and
// exported pages carry, so that there is nothing to build or fetch.

import { rowsOf, forwards, between, placed, roomFor, history } from "./apply.js";
import { cameraPart } from "./camera.js";
import { hoverPart } from "./hover.js";
import { searchPart } from "./search.js";
import { predictPart } from "./predict.js";

/** @typedef {import("./apply.js").Sheet} Sheet
 * @typedef {import("./apply.js").Change} Change */

const VIEWS = ["graph", "score"];
// Ids in a document must differ between players, and a notebook loads this module once for every widget.
const COUNT = Symbol.for("minitape.players"), IDS = "mtID";
const counted = /** @type {any} */ (globalThis);

// What the surroundings ask for: JupyterLab and VS Code say it on the body, else the system's preference.
function hostTheme() {
  const { body } = document;
  if (body?.dataset.jpThemeLight) return body.dataset.jpThemeLight === "false" ? "dark" : "light";
  if (body?.classList.contains("vscode-dark") || body?.classList.contains("vscode-high-contrast")) return "dark";
  if (body?.classList.contains("vscode-light")) return "light";
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

/** What the address says; nonsense counts as nothing. */
export function readAddress() {
  const told = new URLSearchParams(location.hash.slice(1)), step = told.get("step") || "", theme = told.get("theme") || "";
  const view = told.get("view") || "", open = told.get("open") || "";
  return {
    step: /^\d{1,9}$/.test(step) ? Number(step) : null, open,
    theme: theme === "light" || theme === "dark" ? theme : "", view: VIEWS.includes(view) ? view : "",
  };
}

/**
 * Let a learner step through a sheet, which stands in `root` already or comes as `sheet.html`.
 *
 * options: page (owns the document's keys and keeps #step=..&view=..&theme=.. in its address), step, view (graph | score),
 * theme ("" | light | dark), predict (ask before a reveal), onstep(n), onview(view), onpredict(bool); open and onopen(ids): the
 * folds that are open, and how to ask for others; opens(id): whether a fold can be asked for (all, unless said);
 * fresh: a page whose address is to be written, not read.
 * @param {HTMLElement} root @param {Sheet} sheet @param {any} options
 */
export function mount(root, sheet, options = {}) {
  const page = Boolean(options.page), last = sheet.steps - 1, address = page && !options.fresh ? readAddress() : null;
  /** @type {(() => void)[]} */
  const undo = [];
  /** @param {EventTarget} target @param {string} type @param {any} handler @param {any} [how] */
  const listen = (target, type, handler, how) => {
    target.addEventListener(type, handler, how);
    undo.push(() => target.removeEventListener(type, handler, how));
  };
  const drawn = root.innerHTML;
  if (sheet.html) root.innerHTML = sheet.html.replaceAll(IDS, `mt${(counted[COUNT] = (counted[COUNT] || 0) + 1)}`);
  root.classList.add("mt");
  const frame = /** @type {HTMLElement} */ (root.querySelector(".mt-frame"));
  /** @param {string} what @returns {any} */
  const find = what => frame.querySelector(what);
  const motion = matchMedia("(prefers-reduced-motion: reduce)");

  // -- changes: an element's number may stand for several elements
  /** @type {Map<number, Element[]>} */
  const marks = new Map();
  for (const node of frame.querySelectorAll("[data-k]")) {
    const other = node.getAttribute("data-k");
    if (other) marks.get(Number(other))?.push(node);
    else marks.set(marks.size, [node]);
  }
  /** @param {number} number @param {string} what */
  function read(number, what) {
    const node = marks.get(number)?.[0];
    return !node ? null : what === "text" ? node.textContent : what === "html" ? node.innerHTML : node.getAttribute(what);
  }
  /** @param {Change[]} changes */
  function apply(changes) {
    for (const [number, what, value] of changes) for (const node of marks.get(number) || []) {
      if (what === "text") node.textContent = value;
      else if (what === "html") node.innerHTML = value || "";
      else if (value === null) node.removeAttribute(what);
      else node.setAttribute(what, value);
    }
  }
  const back = rowsOf(sheet.back, sheet.steps), forward = forwards(back, read);
  const spaces = Object.entries(sheet.rooms).map(([name, rooms]) => {
    const places = rooms.map(room => rowsOf(room.place, 1)[0]);
    places[0] = places[1].map(([number, what]) => [number, what, read(number, what)]);   // the document has it
    const told = rooms.map(({ least, back = {} }, i) => {
      const place = places[i], rows = rowsOf(back, sheet.steps), ends = new Map(place.map(([number, what, value]) => [`${number} ${what}`, value]));
      return { least, place, back: rows, forward: forwards(rows, (number, what) => ends.get(`${number} ${what}`) ?? null) };
    });
    return { node: /** @type {Element} */ (frame.querySelector(`[data-room=${name}]`)), rooms: told, now: told[0] };
  });

  // -- stepping
  let n = last, timer = 0, speed = 1, stopped = true;
  let chosen = address?.theme || options.theme || "", view = address?.view || (VIEWS.includes(options.view) ? options.view : "graph");
  const folds = sheet.folds.filter(([id]) => !options.opens || options.opens(id)), opened = /** @type {string[]} */ (options.open || []);
  const canFold = Boolean(options.onopen && (folds.length || opened.length));

  /** @param {number} k */
  function show(k) {
    if (k !== n) {
      apply(between(back, forward, n, k));
      for (const { now } of spaces) apply(between(now.back, now.forward, n, k));
      n = k;
    }
    predict.update(n);
    hover.clear();
    find("[data-n]").textContent = n;
    find(".mt-scrub").value = n;
    for (const name of ["first", "back"]) find(`.mt-${name}`).setAttribute("aria-disabled", n === 0);
    for (const name of ["next", "last"]) find(`.mt-${name}`).setAttribute("aria-disabled", n === last);
    find(".mt-fold.mt-word").toggleAttribute("data-on", !foldHere() && opened.length > 0);
    camera.follow();
  }
  /** @param {number} k @param {boolean} [jump] */
  function go(k, jump = false) {
    k = Math.min(last, Math.max(0, Math.trunc(Number(k) || 0)));
    if (!jump && k > n && predict.locked(n)) {
      const byHand = stopped;
      stop();
      predict.nudge(byHand);
      return;
    }
    const one = k === n + 1, moved = k !== n;
    show(k);
    if (one && view === "graph") camera.run();
    if (moved) { remember(); options.onstep?.(n); }
  }
  const jump = (/** @type {number} */ k) => { stop(); go(k, true); };
  function play() {
    if (n === last) go(0, true);
    stopped = false;
    timer = window.setInterval(() => { go(n + 1); if (n === last) stop(); }, 1700 / speed);
    showPlay();
  }
  function stop() {
    if (stopped) return;
    clearInterval(timer);
    stopped = true;
    showPlay();
  }
  function showPlay() {
    const button = find(".mt-play"), label = stopped ? button.dataset.off : button.dataset.on;
    button.setAttribute("aria-label", label);
    button.setAttribute("title", label);
    button.toggleAttribute("data-playing", !stopped);
  }
  const speeds = find(".mt-speed");
  function setSpeed() {
    speed = Number(speeds.value);
    if (!stopped) { stop(); play(); }
  }
  /** @param {number} by */
  function shiftSpeed(by) {
    speeds.selectedIndex = Math.min(speeds.length - 1, Math.max(0, speeds.selectedIndex + by));
    setSpeed();
  }

  // -- the parts
  const camera = cameraPart(frame, () => motion.matches), hover = hoverPart(frame, sheet.together, stepAt);
  const predict = predictPart(find(".mt-asks"), {
    reduced: () => motion.matches, next: () => find(".mt-next").focus({ preventScroll: true }), skip: () => go(n + 1),
  });
  /** @type {[string, string, string, number, string][]} */
  let said = [];                                                          // the sentences of all steps, as hits
  const hits = () => [...sheet.find, ...said].filter(([, , , step]) => step <= predict.wall());
  const search = searchPart(find(".mt-search"), hits, { jump, light: (/** @type {string} */ thing) => hover.light(thing, n), focus: () => find(".mt-find").focus({ preventScroll: true }) });
  const help = find(".mt-help");
  /** @param {boolean} on */
  function showHelp(on) {
    help.hidden = !on;
    (on ? help.querySelector("button") : find(".mt-helper")).focus({ preventScroll: true });
  }
  function foldHere() { return folds.find(([, from, to]) => from <= n && n < to); }
  function unfold() {
    const here = foldHere() || (opened.length ? undefined : folds[0]);
    options.onopen(here ? [...opened, here[0]] : opened.slice(0, -1));
  }
  /** @param {boolean} on */
  function setPredict(on) {
    if (on === predict.asked()) return;
    predict.set(on);
    find(".mt-predict").setAttribute("aria-pressed", on);
    options.onpredict?.(on);
  }
  /** @param {string} name */
  function setView(name) {
    if (!VIEWS.includes(name)) return;
    const moved = name !== view;
    view = frame.dataset.view = name;
    for (const one of VIEWS) find(`.mt-to-${one}`).setAttribute("aria-pressed", one === view);
    settle();
    if (moved) { remember(); options.onview?.(view); }
  }
  function paint() { root.dataset.theme = chosen || hostTheme(); }
  /** @param {string} theme */
  function setTheme(theme) { chosen = theme; paint(); remember(); }

  // -- room: another width is one more row
  function settle() {
    for (const space of spaces) {
      const width = space.node.clientWidth, room = roomFor(space.rooms, width);
      if (!width || room === space.now) continue;
      space.now = room;
      apply(placed(room, n));
    }
    camera.measure();
    camera.follow();
  }
  const sizes = new ResizeObserver(settle), surroundings = new MutationObserver(paint);

  // -- the address, a page only: a deep link that survives a reload
  let writing = 0;
  function writeAddress() {
    clearTimeout(writing);
    writing = 0;
    const words = `#step=${n}${view === "graph" ? "" : `&view=${view}`}${chosen ? `&theme=${chosen}` : ""}`
      + (opened.length ? `&open=${encodeURIComponent(opened[0])}` : "");
    if (location.hash === words) return;
    try { history_.replaceState(null, "", words); } catch { /* a sandboxed frame has no address of its own */ }
  }
  const history_ = window.history;
  function remember() { if (page) { clearTimeout(writing); writing = window.setTimeout(writeAddress, 40); } }

  // -- hands
  /** @type {Record<string, () => void>} */
  const acts = {
    first: () => go(0, true), back: () => go(n - 1), next: () => go(n + 1), last: () => go(last, true),
    play: () => (stopped ? play() : stop()), graph: () => setView("graph"), score: () => setView("score"),
    predict: () => setPredict(!predict.asked()), fold: () => { if (canFold) unfold(); }, find: () => search.open(!search.opened()),
    theme: () => setTheme(root.dataset.theme === "dark" ? "light" : "dark"), help: () => showHelp(help.hidden), close: () => showHelp(false),
    flip: () => setView(view === "graph" ? "score" : "graph"), slower: () => shiftSpeed(-1), faster: () => shiftSpeed(1),
  };
  /** @type {Record<string, string>} */
  const keys = {
    ArrowRight: "next", ArrowLeft: "back", Home: "first", End: "last", " ": "play", p: "predict", t: "theme", f: "fold", g: "flip",
    "[": "slower", "]": "faster", "/": "find", "?": "help", Escape: "close",
  };
  /** @param {string} name */
  function act(name) {
    if (["first", "back", "next", "last"].includes(name)) stop();
    acts[name]();
  }
  /** @param {KeyboardEvent} event */
  function key(event) {
    const target = /** @type {Element} */ (event.target), name = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !name) return;
    if (target.closest?.("select, textarea, [contenteditable], input:not([type=range])")) return;
    if ((name === "play" && target.closest?.("button")) || (name === "close" && help.hidden) || (name === "predict" && !predict.any)) return;
    if (name === "fold" && !canFold) return;
    act(name);
    event.preventDefault();
    event.stopPropagation();
  }
  /** The step under the pointer, in any picture of time.
   * @param {PointerEvent} event */
  function stepAt(event) {
    const box = /** @type {Element} */ (event.target).closest("[data-axis]")?.querySelector("[data-zero]")?.getBoundingClientRect();
    return box ? Math.min(last, Math.max(0, Math.round(((event.clientX - box.left) / Math.max(1, box.width)) * last))) : n;
  }
  for (const axis of frame.querySelectorAll("[data-axis]")) {
    listen(axis, "pointerdown", (/** @type {PointerEvent} */ event) => {
      if (event.button !== 0) return;
      axis.setPointerCapture(event.pointerId);
      jump(stepAt(event));
    });
    listen(axis, "pointermove", (/** @type {PointerEvent} */ event) => { if (axis.hasPointerCapture(event.pointerId)) jump(stepAt(event)); });
  }
  listen(frame, "click", (/** @type {Event} */ event) => {
    const target = /** @type {Element} */ (event.target), named = target.closest("[data-act]")?.getAttribute("data-act");
    const there = target.closest("[data-go]")?.getAttribute("data-go");
    if (named) act(named);
    else if (there) jump(Number(there));
  });
  listen(frame, "pointerover", (/** @type {PointerEvent} */ event) => hover.over(event, n));
  listen(frame, "pointerleave", hover.clear);
  listen(speeds, "change", setSpeed);
  listen(find(".mt-scrub"), "input", (/** @type {any} */ event) => jump(event.target.value));
  if (page) {
    listen(document, "keydown", key);
    listen(window, "pagehide", () => { if (writing) writeAddress(); });
    listen(window, "hashchange", () => {
      const told = readAddress();
      if (told.theme) { chosen = told.theme; paint(); }
      if (told.view) setView(told.view);
      if (told.step !== null) jump(told.step);
    });
  } else {
    // A host such as JupyterLab has shortcuts of its own on single keys (d d deletes a cell): while the focus is in here they
    // are off, but anything with Ctrl, Cmd or Alt still belongs to the host.  Lumino asks the focused element itself.
    const held = [root, ...root.querySelectorAll("button, input, select, [tabindex]")], quiet = "data-lm-suppress-shortcuts";
    const suppress = (/** @type {boolean} */ on) => held.forEach(node => (on ? node.setAttribute(quiet, "true") : node.removeAttribute(quiet)));
    root.setAttribute("tabindex", "-1");
    suppress(true);
    listen(root, "keydown", key);
    listen(window, "keydown", (/** @type {KeyboardEvent} */ event) => {
      if (!(event.ctrlKey || event.metaKey || event.altKey) || !root.contains(/** @type {Node} */ (event.target))) return;
      suppress(false);
      setTimeout(() => { if (!gone) suppress(true); });
    }, true);
  }

  // -- begin
  let gone = false;
  listen(matchMedia("(prefers-color-scheme: dark)"), "change", paint);
  if (document.body) surroundings.observe(document.body, { attributes: true, attributeFilter: ["class", "data-jp-theme-light"] });
  undo.push(() => surroundings.disconnect(), () => sizes.disconnect(), camera.destroy);
  said = history(back, sheet.say, "html", read(sheet.say, "html")).map((html, step) => {
    const words = document.createElement("template");
    words.innerHTML = html || "";
    const told = words.content.textContent || "";
    return [find("[data-step-name]").dataset.stepName.replace("0", step), told, "", step, ""];
  });
  paint();
  find(".mt-predict").hidden = !predict.any;
  find(".mt-fold.mt-word").hidden = !canFold;
  predict.set(options.predict !== false);
  find(".mt-predict").setAttribute("aria-pressed", predict.asked());
  setView(view);
  show(Math.min(last, Math.max(0, Math.trunc(address?.step ?? options.step ?? 0))));
  for (const { node } of spaces) sizes.observe(node);
  sizes.observe(root);
  root.setAttribute("data-ready", "");
  if (page && (address?.step != null || options.fresh)) writeAddress();

  return {
    go: jump, step: () => n, view: setView, predict: setPredict,
    seen: () => ({ view, theme: chosen, predict: predict.asked() }),
    theme: (/** @type {string} */ theme) => { chosen = theme || ""; paint(); },
    destroy() {
      stop();
      clearTimeout(writing);
      gone = true;
      for (const back of undo.splice(0)) back();
      root.innerHTML = sheet.html ? "" : drawn;
      root.classList.remove("mt");
      for (const name of ["data-theme", "data-ready", "data-lm-suppress-shortcuts", "tabindex"]) root.removeAttribute(name);
    },
  };
}
