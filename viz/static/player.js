// The minitape player: draws one Scene (see viz/scene.py) and steps through it.
//
// Everything on the page at step n is a function of the scene and n alone.  A part is built once for a given width; its
// `update(n)` then only changes classes and text.  So back is as exact as forward, and nothing ever moves.
//
// These files are ES modules that import only each other; viz/draw/html.py joins them into the one module that widgets and
// exported pages carry, so that there is nothing to build or fetch.

import { SCHEMA, ICONS } from "./language.js";
import { html, svg, put, write, clamp, list } from "./tools.js";
import { wordsPart, codePart, formulaPart } from "./words.js";
import { graphPart } from "./graph.js";
import { tablePart } from "./table.js";
import { timePart } from "./time.js";
import { scorePart } from "./score.js";
import { searchPart } from "./search.js";
import { hoverPart } from "./hover.js";
import { legendPart, helpPart } from "./legend.js";

// Ids in a document must differ between players, and a notebook loads this module once for every widget.
const COUNT = Symbol.for("minitape.players");
const nextId = () => `mt${(globalThis[COUNT] = (globalThis[COUNT] || 0) + 1)}`;

// What the surroundings ask for: JupyterLab and VS Code say it on the body, else the system's preference.
function hostTheme() {
  const body = document.body;
  if (body?.dataset.jpThemeLight) return body.dataset.jpThemeLight === "false" ? "dark" : "light";
  if (body?.classList.contains("vscode-dark") || body?.classList.contains("vscode-high-contrast")) return "dark";
  if (body?.classList.contains("vscode-light")) return "light";
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

const VIEWS = ["graph", "score"];

// What the address says; nonsense counts as nothing.
function readAddress() {
  const said = new URLSearchParams(location.hash.slice(1)), step = said.get("step"), theme = said.get("theme");
  const view = said.get("view");
  return {
    step: step && /^\d{1,9}$/.test(step) ? Number(step) : null,
    theme: theme === "light" || theme === "dark" ? theme : "",
    view: VIEWS.includes(view) ? view : "",
  };
}

/**
 * Draw `scene` in `root` and let a learner step through it.
 *
 * options: page (owns the document's keys and keeps #step=..&view=..&theme=.. in its address), step, view (graph | score),
 * theme ("" | light | dark), predict (ask before a reveal), onstep(n), onview(view), onpredict(bool); open and onopen(ids): the
 * folds that are open, and how to ask for a scene with others open; opens(id): whether it can be asked for (all, unless said);
 * fresh: a page whose address is to be written, not read.
 * Returns {go, step, view, seen, theme, predict, destroy}.
 */
export function mount(root, scene, options = {}) {
  const prefix = nextId(), page = Boolean(options.page), undo = [];
  const listen = (target, type, handler, how) => {
    target.addEventListener(type, handler, how);
    undo.push(() => target.removeEventListener(type, handler, how));
  };
  root.classList.add("mt");
  if (!scene || scene.schema !== SCHEMA) {
    const found = scene?.schema || "an unknown kind";
    root.replaceChildren(html("p.mt-note", `This player reads scenes of ${SCHEMA}, not of ${found}: export the run again.`));
    return { go() {}, step: () => 0, view() {}, seen: () => ({}), theme() {}, predict() {}, destroy: () => root.replaceChildren() };
  }
  scene = { sources: [], recorders: [], holders: [], values: [], edges: [], regions: [], notes: [], unit: "B", ...scene };
  if (!list(scene.steps).length) scene.steps = [{ say: "This scene has no steps." }];

  const last = scene.steps.length - 1, answers = {}, address = page && !options.fresh ? readAddress() : { step: null, theme: "", view: "" };
  let n = clamp(address.step ?? options.step ?? 0, 0, last), asked = options.predict !== false;
  let chosen = address.theme || options.theme || "", view = address.view || (VIEWS.includes(options.view) ? options.view : "graph");
  const opened = list(options.open), foldable = list(scene.groups).filter(one => !options.opens || options.opens(one.id));
  const canFold = Boolean(options.onopen && (foldable.length || opened.length));
  let timer = null, speed = 1, built = "";
  const motion = matchMedia("(prefers-reduced-motion: reduce)"), hasQuestions = scene.steps.some(step => step.ask);

  // -- the parts, and the frame around them
  const hands = {
    jump: k => { stop(); go(k, true); }, predict: () => asked, reduced: () => motion.matches,
    answer: option => { answers[n] = option; draw(); controls.next.focus({ preventScroll: true }); },
    skip: () => { answers[n] = ""; go(n + 1); },
    light: ids => hover.light(ids), focus: () => controls.find.focus({ preventScroll: true }),
  };
  const words = wordsPart(scene, answers, hands), code = codePart(scene), formula = formulaPart(scene);
  const time = timePart(scene, prefix, hands), help = helpPart(() => showHelp(false)), search = searchPart(scene, hands);
  const drawn = Boolean(scene.layout?.LR || scene.layout?.TB), graph = drawn ? graphPart(scene, prefix) : tablePart(scene);
  const pictures = { graph, score: scorePart(scene, prefix, hands) };
  const moves = { first: () => go(0, true), back: () => go(n - 1), next: () => go(n + 1), last: () => go(last, true) };
  const move = name => { stop(); moves[name](); };
  const size = { viewBox: "0 0 20 20", width: 20, height: 20, "aria-hidden": "true" };
  const icon = name => svg("svg.mt-icon", size, svg("path", { d: ICONS[name] }));
  const button = (name, label, act) =>
    html(`button.mt-ctl.mt-${name}`, { type: "button", "aria-label": label, title: label, onclick: act }, icon(name));
  const word = (name, label, title, act) => html(`button.mt-word.mt-${name}`, { type: "button", title, onclick: act }, label);
  const speeds = [0.5, 1, 2, 4].map(v => html("option", { value: v, selected: v === 1 }, `${v}×`));
  const scrubbed = event => { stop(); go(event.target.value, true); };
  const controls = {
    first: button("first", "First step (Home)", () => move("first")), back: button("back", "Back (←)", () => move("back")),
    play: button("play", "Play (Space)", () => (timer ? stop() : play())),
    next: button("next", "Next (→)", () => move("next")), last: button("last", "Last step (End)", () => move("last")),
    count: html("span.mt-count"),
    speed: html("select.mt-speed", { "aria-label": "Speed", title: "Speed", onchange: setSpeed }, speeds),
    scrub: html("input.mt-scrub", { type: "range", min: 0, max: last, value: n, step: 1, "aria-label": "Step", oninput: scrubbed }),
    predict: word("predict", "predict", "Ask me before a reveal (P)", () => setPredict(!asked)),
    views: VIEWS.map(name => word(`view.mt-to-${name}`, name, `The ${name} (G)`, () => setView(name))),
    fold: word("fold", "unfold", "Unfold what is folded here, or fold it again (F)", unfold),
    find: word("find", "find", "Find a value, an op, a line (/)", () => search.open(!search.opened())),
    theme: word("theme", "theme", "Light or dark (T)", flipTheme),
    help: word("helper", "?", "Keys (?)", () => showHelp(help.hidden)),
  };
  controls.predict.hidden = !hasQuestions;
  controls.fold.hidden = !canFold;
  const { first, back, play: playButton, next, last: lastButton, count, speed: speedBox, scrub } = controls;
  const notes = drawn ? list(scene.notes).map(note => html("p.mt-note", note)) : [];
  const measure = html("div.mt-measure", { "aria-hidden": "true" });
  const buttons = html("div.mt-controls", { role: "group", "aria-label": "Steps" },
    first, back, playButton, next, lastButton, count, speedBox);
  const left = html("div.mt-left", code.node, formula.node), right = html("div.mt-right", words.node, graph.node, notes);
  const legend = html("div.mt-legendbox");
  const frame = html("div.mt-frame", { style: `--columns: ${Math.ceil(code.needed)}` },
    html("div.mt-head",
      html(page ? "h1.mt-title" : "h3.mt-title", scene.title || "A run"),
      html("div.mt-options", html("div.mt-views", { role: "group", "aria-label": "View" }, controls.views),
        controls.predict, controls.fold, controls.find, controls.theme, controls.help),
      html("p.mt-lead", scene.lead || "")),
    html("div.mt-work", left, right),
    html("div.mt-below", buttons, scrub, pictures.score.node, time.gutter, time.node),
    legend, search.node, help, measure);

  // -- stepping
  function locked() { const step = scene.steps[n]; return asked && Boolean(step.ask) && answers[n] === undefined; }
  function go(k, jump = false) {
    k = clamp(Math.trunc(Number(k) || 0), 0, last);
    if (!jump && k > n && locked()) {
      const byHand = timer === null;
      stop();
      words.nudge(byHand);
      return;
    }
    const forward = k === n + 1, moved = k !== n;
    n = k;
    draw();
    if (forward && !motion.matches) pictures[view].run(n);
    if (moved) { remember(); options.onstep?.(n); }
  }
  function play() {
    if (n === last) go(0, true);
    timer = setInterval(() => { go(n + 1); if (n === last) stop(); }, 1700 / speed);
    showPlay();
  }
  function stop() {
    if (timer === null) return;
    clearInterval(timer);
    timer = null;
    showPlay();
  }
  function setSpeed() {
    speed = Number(speedBox.value);
    if (timer) { stop(); play(); }
  }
  function shiftSpeed(by) {
    speedBox.selectedIndex = clamp(speedBox.selectedIndex + by, 0, speedBox.length - 1);
    setSpeed();
  }
  function showPlay() {
    const label = timer ? "Pause (Space)" : "Play (Space)";
    playButton.replaceChildren(icon(timer ? "pause" : "play"));
    put(playButton, "aria-label", label);
    put(playButton, "title", label);
  }

  // -- drawing: build for the room there is, then update
  function build() {
    const width = root.clientWidth, key = `${view}${width}x${page ? Math.round(innerHeight / 20) : 0}`;
    if (width < 80 || key === built) return;                              // not shown yet: no room to draw in
    built = key;
    const score = view === "score";
    put(frame, "data-view", view);
    graph.node.hidden = score;
    for (const note of notes) note.hidden = score;
    pictures.score.node.hidden = !score;
    legend.replaceChildren(legendPart(scene, view));
    (score ? right : left).append(formula.node);                           // where the graph was there is room for it
    reserve(words.node, words.variants());
    reserve(formula.node, formula.variants());
    code.build();
    time.build(time.node.clientWidth || width, !score);
    const most = roomFor(pictures[view].node);
    if (score) pictures.score.build(time.node.clientWidth || width, most);
    else graph.build(graph.node.clientWidth || width, Math.min(most, 620), most);
    draw();
  }
  // What the window leaves to the picture, so that the time strip stands above the fold.
  function roomFor(node) {
    if (!page) return clamp(innerHeight * 0.5, 300, 520);
    const above = node.getBoundingClientRect().top - root.getBoundingClientRect().top;
    const beneath = view === "score" ? time.node.offsetHeight : time.node.offsetHeight + buttons.offsetHeight + 24;
    return clamp(innerHeight - above - beneath - 30, view === "score" ? 420 : 280, 660);
  }
  // The room for the longest sentence is kept from the start: what stands below it never moves.
  function reserve(node, variants) {
    node.style.minHeight = "";
    const copies = variants.map(children => html("div", { class: node.className, style: `width:${node.clientWidth}px` }, children));
    measure.replaceChildren(...copies);
    const most = Math.ceil(Math.max(0, ...copies.map(copy => copy.getBoundingClientRect().height)));
    measure.replaceChildren();
    node.style.minHeight = `${most}px`;
  }
  function draw() {
    if (!built) return;
    hover.clear();
    graph.still();
    for (const part of [words, code, formula, pictures[view], time]) part.update(n);
    write(controls.fold, foldHere() || !opened.length ? "unfold" : "fold");
    for (const one of controls.views) put(one, "aria-pressed", one.textContent === view);
    write(count, `${n} / ${last}`);
    scrub.value = n;
    put(scrub, "aria-valuetext", `step ${n} of ${last}`);
    put(controls.predict, "aria-pressed", asked);
    for (const b of [first, back]) put(b, "aria-disabled", n === 0);
    for (const b of [next, lastButton]) put(b, "aria-disabled", n === last);
  }

  // -- pointing
  const hover = hoverPart(scene, frame, () => n, time.stepAt);
  listen(frame, "pointerover", hover.over);
  listen(frame, "pointerleave", hover.clear);
  listen(frame, "click", event => {
    const id = event.target.closest?.("[data-value]")?.dataset.value, value = scene.values.find(one => one.id === id);
    if (value) { stop(); go(value.born, true); }
  });

  // -- what a long run folds: only who has the run can tell more of it
  function foldHere() { return foldable.find(one => one.from <= n && n < one.to); }
  function unfold() {
    const here = foldHere() || (opened.length ? null : foldable[0]);
    options.onopen(here ? [...opened, here.id] : opened.slice(0, -1));
  }

  // -- options: prediction, theme, help
  function setPredict(on) { if (on === asked) return; asked = on; built = ""; build(); options.onpredict?.(asked); }
  function setView(name) {
    if (name === view || !VIEWS.includes(name)) return;
    view = name;
    build();
    remember();
    options.onview?.(view);
  }
  function paint() { root.dataset.theme = chosen || hostTheme(); }
  function setTheme(theme) { chosen = theme; paint(); remember(); }
  function flipTheme() { setTheme(root.dataset.theme === "dark" ? "light" : "dark"); }
  function showHelp(on) {
    help.hidden = !on;
    (on ? help.querySelector("button") : controls.help).focus({ preventScroll: true });
  }

  // -- the address, a page only: a deep link that survives a reload
  let writing = null;
  function writeAddress() {
    clearTimeout(writing);
    writing = null;
    const said = `#step=${n}${view === "graph" ? "" : `&view=${view}`}${chosen ? `&theme=${chosen}` : ""}`
      + (opened.length ? `&open=${encodeURIComponent(opened[0])}` : "");
    if (location.hash === said) return;
    try { history.replaceState(null, "", said); } catch { /* a sandboxed frame has no address of its own */ }
  }
  function remember() { if (page) { clearTimeout(writing); writing = setTimeout(writeAddress, 40); } }

  // -- keys: a page owns them all; an embedded player only those pressed inside it
  function key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const { target } = event, onButton = target.closest?.("button");
    const acts = {
      ArrowRight: () => move("next"), ArrowLeft: () => move("back"), Home: () => move("first"), End: () => move("last"),
      " ": onButton ? null : () => (timer ? stop() : play()), p: hasQuestions ? () => setPredict(!asked) : null, t: flipTheme,
      f: canFold ? unfold : null, g: () => setView(view === "graph" ? "score" : "graph"),
      "[": () => shiftSpeed(-1), "]": () => shiftSpeed(1),
      "/": () => search.open(true), "?": () => showHelp(help.hidden), Escape: help.hidden ? null : () => showHelp(false),
    };
    if (target.closest?.("select, textarea, [contenteditable], input:not([type=range])")) return;
    const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!act) return;
    act();
    event.preventDefault();
    event.stopPropagation();
  }
  if (page) {
    listen(document, "keydown", key);
    listen(window, "pagehide", () => { if (writing) writeAddress(); });
    listen(window, "hashchange", () => {
      const said = readAddress();
      if (said.theme) { chosen = said.theme; paint(); }
      if (said.view) setView(said.view);
      if (said.step !== null) { stop(); go(said.step, true); }
    });
    listen(window, "resize", build);
  } else {
    // A host such as JupyterLab has shortcuts of its own on single keys (d d deletes a cell): while the focus is in here they
    // are off, but anything with Ctrl, Cmd or Alt still belongs to the host.
    root.setAttribute("tabindex", "-1");
    root.setAttribute("data-lm-suppress-shortcuts", "true");
    listen(root, "keydown", key);
    listen(window, "keydown", event => {
      if (!(event.ctrlKey || event.metaKey || event.altKey) || !root.contains(event.target)) return;
      root.removeAttribute("data-lm-suppress-shortcuts");
      setTimeout(() => { if (!gone) root.setAttribute("data-lm-suppress-shortcuts", "true"); });
    }, true);
  }

  // -- begin
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  const surroundings = new MutationObserver(paint), room = new ResizeObserver(() => build());
  listen(scheme, "change", paint);
  if (document.body) surroundings.observe(document.body, { attributes: true, attributeFilter: ["class", "data-jp-theme-light"] });
  undo.push(() => surroundings.disconnect(), () => room.disconnect());
  paint();
  root.replaceChildren(frame);
  build();
  room.observe(root);
  if (page && (address.step !== null || options.fresh)) writeAddress();
  let gone = false;
  document.fonts?.ready.then(() => { if (!gone) { built = ""; build(); } });

  return {
    go: hands.jump,
    step: () => n,
    view: name => setView(name),
    seen: () => ({ view, theme: chosen, predict: asked }),
    theme: theme => { chosen = theme || ""; paint(); },
    predict: on => setPredict(Boolean(on)),
    destroy() {
      stop();
      clearTimeout(writing);
      gone = true;
      for (const act of undo.splice(0)) act();
      root.replaceChildren();
      root.classList.remove("mt");
      for (const name of ["data-theme", "data-lm-suppress-shortcuts", "tabindex"]) root.removeAttribute(name);
    },
  };
}
