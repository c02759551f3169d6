// The minitape player: draws one Scene (see viz/scene.py) and steps through it.  One ES module, nothing to build or fetch.
//
// Everything on the page at step n is a function of the scene and n alone.  A part is built once for a given width; its
// `update(n)` then only changes classes and text.  So back is as exact as forward, and nothing ever moves.
//
//   1 the picture language   2 small tools   3 facts   4 words   5 code and formula   6 graph   7 table   8 time
//   9 legend and help        10 mount        11 the widget

// ---- 1 the picture language (a test compares it with viz/style.py) ---------------------------------------------------

export const SIZES = { ROW: 21, PAD: 9, DISC: 30, CHAR: 7.4, LABEL_CHAR: 6.6, PIXEL: 9 };
const CAPSULE = 38, SIGN_CHAR = 6.4;                          // px: the widest disc beside a card, the advance of its letters
export const NOT_YET = "·", NEVER = "∅", CUT = "None";
export const MARKS = {
  enter: "starts listening", exit: "stops listening", pause: "pauses", resume: "goes on listening", watch: "watches a value",
  op: "op, written down", ghost: "op, not written down", seed: "the way back starts", back: "backward step",
  seed2: "the way back of an outer recorder starts", back2: "backward step of an outer recorder",
  tangent: "tangent", tangent2: "tangent of an outer accumulator", look: "look-up", miss: "look-up that finds nothing",
  free: "lets go", write: "a variable changes",
};
export const CELLS = {
  value: "value, forward", gradient: "gradient, back", gradient2: "gradient of an outer tape", tangent: "tangent",
  tangent2: "tangent of an outer accumulator",
};
const SCHEMA = "minitape-scene/1";
const WAYS = { forward: "value", back: "gradient", back2: "gradient2", tangent: "tangent", tangent2: "tangent2" };
const isBack = way => way === "back" || way === "back2";

// One outline per event, centred on 0 0: the shape says what happened, colour only repeats it.
const SHAPES = {
  enter: "M3-6H0V6H3", exit: "M-3-6H0V6H-3", pause: "M-2.2-5V5M2.2-5V5", resume: "M-3.4-5V5M0-4.4L5 0L0 4.4Z",
  watch: "M4.6 0A4.6 4.6 0 1 1-4.6 0A4.6 4.6 0 1 1 4.6 0ZM1.2 0A1.2 1.2 0 1 1-1.2 0A1.2 1.2 0 1 1 1.2 0Z",
  op: "M4 0A4 4 0 1 1-4 0A4 4 0 1 1 4 0Z", ghost: "M4 0A4 4 0 1 1-4 0A4 4 0 1 1 4 0Z",
  seed: "M3.6-4.6L-4.6 0L3.6 4.6Z", back: "M3.6-4.6L-4.6 0L3.6 4.6Z",
  seed2: "M2.6-4.6L-5 0L2.6 4.6ZM5.4-4.6V4.6", back2: "M2.6-4.6L-5 0L2.6 4.6ZM5.4-4.6V4.6",
  tangent: "M-3.6-4.6L4.6 0L-3.6 4.6Z", tangent2: "M-2.6-4.6L5 0L-2.6 4.6ZM-5.4-4.6V4.6",
  look: "M1.6 1.6L5.6 5.6M2.6-1A3.6 3.6 0 1 1-4.6-1A3.6 3.6 0 1 1 2.6-1", miss: "M-4-4L4 4M4-4L-4 4",
  free: "M0-5L5 0L0 5L-5 0Z", write: "M-3.5-3.5H3.5V3.5H-3.5Z",
};
const ICONS = {
  first: "M5 4v12M15 4L7 10l8 6z", back: "M13 4L5 10l8 6z", play: "M6 4l10 6-10 6z", pause: "M6 4h3v12H6zM11 4h3v12h-3z",
  next: "M7 4l8 6-8 6z", last: "M15 4v12M5 4l8 6-8 6z",
};
const KEYS = [
  ["→", "next step"], ["←", "step back"], ["Home, End", "first, last step"], ["Space", "play, pause"],
  ["P", "ask me before a reveal, or not"], ["T", "light or dark"], ["?", "this sheet"], ["Esc", "close it"],
];

// ---- 2 small tools ---------------------------------------------------------------------------------------------------

function fill(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter(child => child !== null && child !== undefined && child !== false));
  return node;
}
const html = (tag, attributes = {}, ...children) => fill(document.createElement(tag), attributes, children);
const svg = (tag, attributes = {}, ...children) => fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
const text = (x, y, content, cls, anchor = "start") => svg("text", { x, y, class: cls, "text-anchor": anchor }, content);

// Attributes and text are touched only where they change: a step through 300 marks stays cheap.
const put = (node, name, value) => { if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value); };
const classes = (node, ...names) => put(node, "class", names.filter(Boolean).join(" "));
const write = (node, content) => { if (node.textContent !== content) node.textContent = content; };

// Scroll a box (never the page) so that the part {x, y, w, h} of what it holds shows.  In the next frame: asking the
// browser for positions in the middle of a step would make it lay out the page twice.
const waiting = new WeakMap();
function keepInView(box, part) {
  cancelAnimationFrame(waiting.get(box));
  waiting.set(box, requestAnimationFrame(() => {
    const { scrollLeft: x, scrollTop: y, clientWidth: w, clientHeight: h } = box;
    if (part.w && (part.x < x + 24 || part.x + part.w > x + w - 24)) box.scrollLeft = part.x + part.w / 2 - w / 2;
    if (part.y < y + 16 || part.y + part.h > y + h - 16) box.scrollTop = part.y + part.h / 2 - h / 2;
  }));
}

const clamp = (value, low, high) => Math.min(high, Math.max(low, value));
const round = value => Math.round(value * 10) / 10;
const list = value => value || [];

// A text that changes keeps the room of its widest form from the start (CSS draws that one unseen): no line ever jumps.
const steady = (texts, attributes = {}) => html("span", { ...attributes, "data-widest": texts.reduce((a, b) => (columns(b) > columns(a) ? b : a), "") }, html("span"));

// Columns of a monospaced face that a string takes, as the layout counts them: combining marks none, CJK two.
const columns = string => [...string].reduce((sum, c) => sum + (/\p{M}/u.test(c) ? 0 : /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/.test(c) ? 2 : 1), 0);

function shorten(string, most) {
  return columns(string) <= most ? string : `${[...string].slice(0, most - 1).join("")}…`;
}
function wrap(string, most) {
  const lines = [];
  for (const word of string.split(" ")) {
    if (lines.length && columns(`${lines.at(-1)} ${word}`) <= most) lines.push(`${lines.pop()} ${word}`);
    else lines.push(word);
  }
  return lines;
}
// A number of the scene, whichever way it was written: what JSON cannot say (NaN, infinity) comes as text and stays text.
const numeric = value => (typeof value === "string" && /^[−-]?[\d.]+(e[−+-]?\d+)?$/.test(value) ? Number(value.replaceAll("−", "-")) : value);
function digits(value, count = 4) {
  value = numeric(value);
  if (typeof value !== "number") return String(value ?? "nan");
  return String(Number(value.toPrecision(count))).replace("-", "−");
}
// Three digits, as short as the layout counts them (Python's .3g): 0.000031 and 12345 turn to powers of ten.
function brief(value) {
  value = numeric(value);
  if (typeof value !== "number") return String(value ?? "nan");
  const exponent = value ? Math.floor(Math.log10(Math.abs(Number(value.toPrecision(3))))) : 0;
  if (exponent >= -4 && exponent < 3) return digits(value, 3);
  const [mantissa, power] = Number(value.toPrecision(3)).toExponential().split("e");
  return `${mantissa}e${power[0]}${power.slice(1).padStart(2, "0")}`.replace(/^-/, "−").replace("e-", "e−");
}
function amount(bytes, unit) {
  if (unit !== "B" || bytes < 10000) return `${digits(bytes)} ${unit}`;
  return bytes < 1e6 ? `${digits(bytes / 1e3, 3)} kB` : bytes < 1e9 ? `${digits(bytes / 1e6, 3)} MB` : `${digits(bytes / 1e9, 3)} GB`;
}

// ---- 3 facts: what holds at step n -----------------------------------------------------------------------------------

function latest(facts, n) {
  let found = -1;
  for (let i = 0; i < facts.length && facts[i].t <= n; i++) found = i;
  return found;
}
const fact = (facts, n) => facts[latest(facts, n)];
// A span starts to hold at its step `from` and ends to hold at its step `to`.
const begun = (spans, n) => spans.some(span => span.from <= n);
const holds = (spans, n) => spans.some(span => span.from <= n && (span.to === undefined || span.to === null || n < span.to));
const placeOf = place => (place ? place.join("|") : "");

// The focus of a step as a map: value id -> null for the whole card, or the set of its cells.
function focusOf(step) {
  const focus = new Map();
  for (const one of list(step.focus)) {
    if (typeof one === "string") focus.set(one, focus.get(one) || { card: true, cells: new Set() }).get(one).card = true;
    else focus.set(one[0], focus.get(one[0]) || { card: false, cells: new Set() }).get(one[0]).cells.add(one[1]);
  }
  return focus;
}

// An array as rows of numbers (leading axes under each other), or null where it is too large to be drawn as squares.
const SIDE = 8;
function rowsOf(data) {
  if (!data?.numbers || !list(data.shape).length) return null;
  const flat = [data.numbers].flat(9), across = data.shape.at(-1), down = data.shape.slice(0, -1).reduce((a, b) => a * b, 1);
  if (!(across > 0 && across <= SIDE && down > 0 && down <= SIDE) || flat.length !== across * down) return null;
  return Array.from({ length: down }, (_, i) => flat.slice(i * across, (i + 1) * across));
}
const shapeText = shape => (list(shape).length === 1 ? `[${shape[0]}]` : list(shape).join("×"));
// What a cell shows as text: its number, the range of a large array, or one of the three signs.
function faceText(state) {
  if (!state) return NOT_YET;
  if (state.text === CUT) return `✂ ${CUT}`;
  const { numbers, low, high } = state.data || {};
  if (numbers) {
    const known = [numbers].flat(9).map(Number).filter(Number.isFinite);
    return known.length > 1 ? `${brief(Math.min(...known))}…${brief(Math.max(...known))}` : state.text || "[ ]";
  }
  return low !== undefined && high !== undefined ? `${brief(low)}…${brief(high)}` : state.text || NOT_YET;
}
// The same where there is room for words: a few numbers one by one, more of them as shape and range.
function lineText(state) {
  const rows = state && rowsOf(state.data), one = row => `[${row.map(brief).join(", ")}]`;
  if (rows && rows.flat().length <= 4) return rows.length > 1 ? `[${rows.map(one).join(", ")}]` : one(rows[0]);
  return state?.data ? `${shapeText(state.data.shape)}: ${faceText(state)}` : faceText(state);
}
function stateWords(state) {
  if (!state) return "not yet";
  if (state.text === CUT) return `None, cut${state.why ? `: ${state.why}` : ""}`;
  if (state.text === NEVER) return "∅, this recorder does not see it";
  if (!state.data) return state.text;
  const { shape, numbers } = state.data, head = `[${list(shape).join(", ")}]`;
  if (!numbers) return `${head} from ${digits(state.data.low)} to ${digits(state.data.high)}`;
  const line = row => (Array.isArray(row) ? row.map(line).join(Array.isArray(row[0]) ? "\n" : "  ") : digits(row));
  return `${head}\n${line(numbers)}`;
}
const cellWords = (cell, n) => `${cell.label} ${stateWords(fact(list(cell.states), n))}`;

// ---- 4 words: the sentence, the reason of a None, the question ------------------------------------------------------

function wordsPart(scene, answers, hands) {
  const say = html("p.mt-say", { "aria-live": "polite" }), why = html("div.mt-why"), ask = html("div.mt-ask");
  const node = html("div.mt-words", say, why, ask);

  const reasons = n => [...new Set(scene.values.flatMap(value => list(value.cells).flatMap(cell => list(cell.states).filter(s => s.t === n && s.text === CUT && s.why).map(s => s.why))))];
  const sentence = step => (step.say || "").replace(/ ([=+×−]) /g, "\u00a0$1\u00a0");
  function question(n, into) {
    const { ask: asked } = scene.steps[n];
    if (asked && hands.predict()) {
      const got = answers[n];
      into.append(html("span.mt-question", asked.question));
      for (const option of asked.options) into.append(html("button", { type: "button", class: "mt-option", "aria-pressed": String(got === option), onclick: () => hands.answer(option) }, option));
      if (got) into.append(html("span.mt-noted", `You say ${got}. Step on to see.`));
      else into.append(html("button", { type: "button", class: "mt-skip", onclick: () => hands.skip() }, "skip"));
    }
    scene.steps.forEach((step, i) => {
      const got = answers[i];
      if (!step.ask || !got || n !== Math.min(i + (step.ask.after || 1), scene.steps.length - 1)) return;
      const right = got === step.ask.answer;
      into.append(html("span", { class: `mt-truth ${right ? "right" : "wrong"}` }, html("b", right ? "✓" : "✗"), ` You said ${got}; it is ${step.ask.answer}. ${step.ask.note || ""}`));
    });
  }
  const whyLines = n => reasons(n).map(reason => html("div", html("b", { "aria-hidden": "true" }, "✂ "), `None: ${reason}`));
  return {
    node,
    variants: () => scene.steps.map((step, n) => {                        // for measuring: every step's words, answered or not
      const asked = html("div.mt-ask");
      question(n, asked);
      scene.steps.forEach((s, i) => { if (s.ask && n === Math.min(i + (s.ask.after || 1), scene.steps.length - 1)) asked.append(html("span.mt-truth", `✗ You said ${s.ask.answer}; it is ${s.ask.answer}. ${s.ask.note || ""}`)); });
      return [html("p.mt-say", sentence(step)), html("div.mt-why", whyLines(n)), asked];
    }),
    update(n) {
      write(say, sentence(scene.steps[n]));
      why.replaceChildren(...whyLines(n));
      ask.replaceChildren();
      question(n, ask);
    },
    nudge() {
      if (!hands.reduced()) ask.animate([{ transform: "none" }, { transform: "translateX(-5px)" }, { transform: "translateX(5px)" }, { transform: "none" }], 280);
      ask.querySelector("button")?.focus({ preventScroll: true });
    },
  };
}

// ---- 5 code and formula ----------------------------------------------------------------------------------------------

function codePart(scene) {
  const produced = new Map();                                             // place -> [{t, text}], what the line made, by step
  scene.steps.forEach((step, t) => list(step.produced).forEach(([place, what]) => {
    const key = placeOf(place);
    produced.set(key, [...(produced.get(key) || []), { t, text: what }]);
  }));
  const rows = new Map(), node = html("div.mt-code", { role: "region", "aria-label": "Program", tabindex: -1 });
  for (const source of scene.sources) {
    if (scene.sources.length > 1) node.append(html("div.mt-source", source.label));
    const lines = html("ol.mt-lines", { "aria-label": source.label });
    let previous = null;
    for (const [number, content] of list(source.lines)) {
      if (previous !== null && number > previous + 1) lines.append(html("li.mt-fold", { "aria-label": `lines ${previous + 1} to ${number - 1} are left out` }, "⋮"));
      previous = number;
      const key = `${source.id}|${number}`, facts = produced.get(key) || [];
      const out = facts.length ? steady(facts.map(one => one.text)) : null;
      const hang = /^ */.exec(content || "")[0].length + 3;                // a wrapped line goes on a little to the right
      const row = html("li.mt-line", { "data-place": key, "aria-current": "false" }, html("span.mt-lineno", { "aria-hidden": "true" }, String(number)), html("code.mt-text", { style: `padding-left:${hang}ch;text-indent:-${hang}ch` }, content || " "), out);
      rows.set(key, { row, out, facts });
      lines.append(row);
    }
    node.append(lines);
  }
  const longest = ([number, content], id) => columns(content || "") + Math.max(0, ...(produced.get(`${id}|${number}`) || []).map(one => columns(one.text) + 2));
  const needed = Math.max(0, ...scene.sources.flatMap(source => list(source.lines).map(line => longest(line, source.id))));
  let boxes = null;                                                       // where the lines are, if the panel scrolls
  return {
    node, needed,                                                         // columns that no line of it would have to be broken for
    build() {
      const scrolls = node.scrollHeight > node.clientHeight + 2;
      boxes = scrolls ? new Map([...rows].map(([key, { row }]) => [key, { y: row.offsetTop, h: row.offsetHeight }])) : null;
    },
    update(n) {
      const step = scene.steps[n], place = placeOf(step.place), cause = placeOf(step.cause);
      for (const [key, { row, out, facts }] of rows) {
        classes(row, "mt-line", key === place && "now", key === cause && "cause");
        put(row, "aria-current", key === place ? "step" : "false");
        if (!out) continue;
        const now = fact(facts, n);
        write(out.firstChild, now ? now.text : "");
        classes(out, "mt-out mt-steady", now?.t === n && "fresh");
      }
      const box = boxes?.get(place);
      if (box) keepInView(node, { x: 0, w: 0, ...box });
    },
  };
}

function formulaPart(scene) {
  const node = html("div.mt-formula", { role: "group", "aria-label": "Current entry" });
  const terms = step => list(step.formula).map(([symbol, number, kind, id]) =>
    html("span", { class: `mt-term ${kind || "op"}`, "data-ref": id || null }, html("b", symbol), html("i", symbol === "+=" ? "=" : String(number))));
  return { node, variants: () => scene.steps.map(terms), update: n => node.replaceChildren(...terms(scene.steps[n])) };
}

// ---- 6 graph ---------------------------------------------------------------------------------------------------------

function graphPart(scene, prefix, hands) {
  const { DISC, CHAR, LABEL_CHAR, PAD, ROW, PIXEL } = SIZES, layout = scene.layout;
  const node = html("div.mt-graph", { tabindex: -1, role: "group", "aria-label": "Dataflow graph" });
  const values = new Map(scene.values.map(value => [value.id, value])), recorders = new Map(scene.recorders.map(r => [r.id, r]));
  const kinds = new Set(scene.steps.flatMap(step => list(step.flow).map(([, way]) => WAYS[way] || "value")));
  let draws = [], dots = new Map(), running = [], placed = null, zoom = 1;

  // Left to right unless that would shrink the text and top to bottom fits better; text too small to read scrolls instead.
  function pick(width, height) {
    const fit = L => Math.min((width - 4) / (L.w + 20), height / (L.h + 34), 1.5);
    const ways = ["LR", "TB"].filter(way => layout[way]);
    const way = ways.length < 2 ? ways[0] : fit(layout.LR) >= Math.min(0.84, fit(layout.TB)) ? "LR" : "TB";
    const all = fit(layout[way]);
    return { L: layout[way], vertical: way === "TB", scale: all >= 0.74 ? all : 0.8 };
  }

  // Where free-standing text may go: rectangles already taken, and how much of one a new rectangle would cover.
  function space(taken) {
    const covered = ([x, y, w, h]) => taken.reduce((sum, [a, b, c, d]) => sum + Math.max(0, Math.min(x + w, a + c) - Math.max(x, a)) * Math.max(0, Math.min(y + h, b + d) - Math.max(y, b)), 0);
    return {
      take: box => taken.push(box),
      best(options) {
        const scored = options.map((option, i) => [covered(option.box), i, option]).sort((a, b) => a[0] - b[0] || a[1] - b[1])[0];
        taken.push(scored[2].box);
        return { ...scored[2], covered: scored[0] };
      },
    };
  }

  function region(one, box, L) {
    const [x, y, w, h, base] = box, label = svg("text.mt-rlabel", { x: x + 10, y: base }, one.label), word = svg("tspan.mt-rword");
    label.append(word);
    const g = svg("g", { "data-region": one.id }, svg("rect", { x, y, width: w, height: h, rx: 10 }), label);
    const states = list(one.states).length ? one.states : list(recorders.get(one.recorder)?.states);
    draws.push(({ n }) => {
      const state = fact(states, n)?.state;
      classes(g, "mt-region", one.kind, `s-${state || "none"}`);
      write(word, state && columns(one.label + state) * 6.7 + 26 < w ? ` · ${state}` : "");
    });
    return g;
  }

  const pinAt = line => line.getPointAtLength(Math.max(0, line.getTotalLength() - 9));

  // An edge: the line itself, the flow over it, the dot that runs along it once, the pin of a kept input, the carried number.
  function edge(one, d, room) {
    const a = values.get(one.a), b = values.get(one.b), line = svg("path", { d, "data-edge": one.id });
    const length = line.getTotalLength(), at = u => line.getPointAtLength(length * u);
    const flow = svg("path", { d }), dot = svg("circle", { r: 5, class: "mt-dot", style: `offset-path: path("${d}")` }), above = svg("g");
    dots.set(one.id, dot);
    const cuts = cutPairs(a, b);
    const spot = (width, height) => room.best([0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.2, 0.8].map(u => { const p = at(u); return { u, x: p.x, y: p.y, box: [p.x - width / 2 - 1, p.y - height / 2 - 1, width + 2, height + 2] }; }));

    const carried = list(one.carried), kept = list(one.kept);
    if (kept.length) {
      const p = pinAt(line, length), title = svg("title"), pin = svg("path", { d: `M${round(p.x)} ${round(p.y - 5)}l5 5l-5 5l-5-5Z` }, title);
      const who = [...new Set(kept.map(k => recorders.get(k.by)?.name || k.by))].join(" and ");
      above.append(pin);
      draws.push(({ n }) => {
        const state = holds(kept, n) ? "kept" : begun(kept, n) ? "free" : "off";
        classes(pin, "mt-pin", state, kept.some(k => k.from === n || k.to === n) && state !== "off" && "fresh");
        write(title, state === "kept" ? `${who} keeps ${a.name} for the way back` : `${who} let go of ${a.name}`);
      });
    }
    if (carried.length) {
      const width = Math.max(...carried.map(c => columns(c.text))) * CHAR + 12, { x, y } = spot(width, 18);
      const title = svg("title"), number = text(round(x), round(y + 4.3), "", "mt-chiptext", "middle"), capsule = svg("rect", { y: round(y - 9), height: 18, rx: 9 }), chip = svg("g", title, capsule, number);
      above.append(chip);
      draws.push(({ n }) => {
        const now = fact(carried, n), w = now ? columns(now.text) * CHAR + 12 : 0;
        classes(chip, "mt-chip", now ? now.kind : "off", now?.t === n && "fresh");
        put(capsule, "x", round(x - w / 2));
        put(capsule, "width", round(w));
        write(number, now ? now.text : "");
        write(title, now ? `${now.text} through this use of ${a.name} (${recorders.get(now.by)?.name || now.by})` : "");
      });
    }
    if (cuts.length || b.ghost) {
      const p = spot(22, 20), gap = Math.min(26, length * 0.6), before = Math.max(0, length * p.u - gap / 2);
      line.setAttribute("style", `--cut: ${round(before)}px ${round(gap)}px ${round(length)}px`);
      const scissors = text(round(p.x), round(p.y + 7), "✂", "", "middle");
      above.append(scissors);
      draws.push(({ n }) => classes(scissors, "mt-scissors", cuts.some(isCut => isCut(n)) ? "" : "off"));
    }
    draws.push(({ n, flow: flows }) => {
      const way = flows.get(one.id), kind = WAYS[way] || "value", live = a.born <= n && b.born <= n;
      classes(line, "mt-edge", live && "live", b.ghost && "ghost", cuts.some(isCut => isCut(n)) && "cut", way && "beneath");
      classes(flow, "mt-flow", way ? kind : "off", isBack(way) && "back");
      put(flow, "marker-start", isBack(way) ? `url(#${prefix}-${kind})` : "none");
      put(flow, "marker-end", way && !isBack(way) ? `url(#${prefix}-${kind})` : "none");
      classes(dot, "mt-dot", way ? kind : "off");
    });
    return { under: [line, flow, dot], above };
  }

  // Where the way back is cut: the source says None while the result either had a gradient or was never written down.
  function cutPairs(a, b) {
    const isNone = (cell, n) => fact(list(cell.states), n)?.text === CUT;
    return list(a.cells).filter(cell => cell.kind !== "value" && list(cell.states).some(s => s.text === CUT)).map(cell => {
      const twin = list(b.cells).find(other => other.by === cell.by && other.kind === cell.kind && other.id === cell.id) || list(b.cells).find(other => other.by === cell.by && other.kind === cell.kind);
      return n => isNone(cell, n) && b.born <= n && (Boolean(b.ghost) || Boolean(twin && fact(list(twin.states), n) && !isNone(twin, n) && fact(list(twin.states), n).text !== NEVER));
    });
  }

  // One row of a card: its label, and on the right "not yet", a number, a sign, or an array as squares or as a range.
  function cellRow(value, cell, x, y, w, h, first) {
    const isValue = cell.id === "v", ring = svg("rect", { x: x + 2, y: y + 1, width: w - 4, height: h - 2, rx: 5 }), base = y + h / 2 + 4.4;
    const label = text(x + PAD, base, isValue ? value.name : cell.label, ""), holder = svg("g"), g = svg("g", { "data-cell": `${value.id}|${cell.id}` });
    const labelWidth = columns(label.textContent) * (isValue ? CHAR : LABEL_CHAR), room = w - 2 * PAD - labelWidth - 6;
    if (!first) g.append(svg("line.mt-rule", { x1: x + 7, x2: x + w - 7, y1: y, y2: y }));
    g.append(ring, label, holder);
    const states = list(cell.states);
    let shown;
    function content(state) {
      const rows = state && rowsOf(state.data);
      if (rows) return [...squares(rows, x + w - PAD, y, h), shapeLabel(state.data.shape, rows, base)];
      const words = faceText(state);
      const node = text(x + w - PAD, base, words, "", "end");
      if (columns(words) * CHAR > room + 3) fill(node, { textLength: round(Math.max(8, room)), lengthAdjust: "spacingAndGlyphs" }, []);
      return [node];
    }
    function shapeLabel(shape, rows, y) {
      const said = shapeText(shape), left = room - rows[0].length * PIXEL - 4;
      return said && columns(said) * 5.6 < left ? text(x + PAD + labelWidth + 5, y, said, "mt-shape") : null;
    }
    draws.push(({ n, focus }) => {
      const index = latest(states, n), state = states[index], unborn = value.born > n;
      classes(ring, "mt-cell", !focus.get(value.id)?.cells.has(cell.id) && "off");
      classes(label, isValue ? "mt-name" : `mt-label ${cell.kind}`, !state && "faint");
      if (index !== shown) holder.replaceChildren(...content(state).filter(Boolean));
      shown = index;
      const sign = !state ? "notyet" : state.text === CUT ? "none" : state.text === NEVER ? "never" : "";
      classes(holder, "mt-number", cell.kind, sign, state?.t === n && n > 0 && "fresh", unborn && "unborn");
    });
    return g;
  }

  function squares(rows, right, y, h) {
    const size = Math.min(PIXEL, (h - 4) / rows.length), top = y + (h - rows.length * size) / 2, left = right - rows[0].length * size;
    const most = Math.max(1e-300, ...rows.flat().filter(v => typeof v === "number").map(Math.abs));
    return rows.flatMap((row, i) => row.map((v, j) => {
      const cx = left + (j + 0.5) * size, cy = top + (i + 0.5) * size;
      if (typeof v !== "number") return svg("path", { d: `M${round(cx - 2)} ${round(cy - 2)}l4 4m0-4l-4 4`, class: "mt-sq odd" });
      const side = v === 0 ? 1.6 : Math.max(1.6, (size - 1.4) * Math.sqrt(Math.abs(v) / most));
      return svg("rect", { x: round(cx - side / 2), y: round(cy - side / 2), width: round(side), height: round(side), class: `mt-sq ${v < 0 ? "neg" : v === 0 ? "zero" : "pos"}` });
    }));
  }

  function opSign(value, vertical, [x, y, w, h]) {
    // a word makes the disc a capsule: beside a card it may grow to CAPSULE px, above one as wide as the card
    const cx = vertical ? x + w / 2 : x + 11, cy = vertical ? y + 11 : y + h / 2, most = vertical ? w : CAPSULE;
    const said = value.sign || value.op, wanted = columns(said) * SIGN_CHAR + 7, wide = clamp(wanted, 22, most);
    const sign = wanted > most * 1.35 ? shorten(said, Math.floor(most / SIGN_CHAR) - 1) : said, word = columns(sign) > 1;
    const label = text(cx, cy + (word ? 3.6 : 5), sign, word ? "mt-opname" : "mt-opsign", "middle");
    if (columns(sign) * SIGN_CHAR + 7 > wide + 1) fill(label, { textLength: round(wide - 7), lengthAdjust: "spacingAndGlyphs" }, []);
    const link = vertical ? svg("line.mt-link", { x1: cx, x2: cx, y1: cy + 11, y2: y + DISC }) : svg("line.mt-link", { x1: cx + wide / 2, x2: x + DISC, y1: cy, y2: cy });
    const parts = [link, svg("rect.mt-disc", { x: cx - wide / 2, y: cy - 11, width: wide, height: 22, rx: 11 }), label];
    // an op that keeps its own output (exp, tanh): the pin sits between its disc and its card
    const own = list(value.held).filter(span => span.by === "tape" && span.from === value.born);
    if (own.length) {
      const [px, py] = vertical ? [cx, y + DISC - 4] : [x + DISC - 4, cy], pin = svg("path", { d: `M${px} ${py - 4.5}l4.5 4.5l-4.5 4.5l-4.5-4.5Z` }, svg("title", `${value.name} itself is kept for the way back`));
      parts.push(pin);
      draws.push(({ n }) => classes(pin, "mt-pin", holds(own, n) ? "kept" : begun(own, n) ? "free" : "off"));
    }
    return parts;
  }

  function card(value, box, vertical, room) {
    const op = Boolean(value.op || value.sign), side = op && !vertical ? DISC : 0, over = op && vertical ? DISC : 0;
    const x = box[0] + side, y = box[1] + over, w = box[2] - side, h = box[3] - over, rx = value.kind === "variable" ? 2 : 8;
    const title = svg("title"), g = svg("g", { "data-value": value.id }, title);
    if (op) g.append(...opSign(value, vertical, box));
    g.append(svg("rect.mt-halo", { x: x - 4, y: y - 4, width: w + 8, height: h + 8, rx: rx + 4 }), svg("rect.mt-face", { x, y, width: w, height: h, rx }));
    const heights = list(layout.rows?.[value.id]);
    let top = y + 3;
    list(value.cells).forEach((cell, i) => {
      const tall = heights[i] || ROW;
      g.append(cellRow(value, cell, x, top, w, tall, i === 0));
      top += tall;
    });
    if (value.ghost) g.append(ghostTag(value.ghost, x + w / 2, y, w, h, room));
    let told = "";
    draws.push(({ n, focus }) => {
      const unborn = value.born > n;
      classes(g, "mt-card", value.kind, value.ghost && "ghost", unborn && "future", focus.get(value.id)?.card && "on");
      const key = unborn ? "unborn" : list(value.cells).map(cell => latest(list(cell.states), n)).join();
      if (key === told) return;
      told = key;
      const made = value.op ? `, made by ${value.op}` : "", kind = `${value.dtype || ""}${list(value.shape).length ? `[${value.shape.join(", ")}]` : ""}`;
      write(title, unborn ? `${value.name}: not made yet` : [`${value.name}${made}${kind ? ` (${kind})` : ""}`, value.ghost && `not written down: ${value.ghost}`, ...list(value.cells).map(cell => cellWords(cell, n))].filter(Boolean).join("\n"));
    });
    return g;
  }

  // The reason of a ghost in a few short lines, under its card or above it; where it fits nowhere, the tooltip alone has it.
  function ghostTag(reason, middle, y, w, h, room) {
    const options = [Math.max(w + 36, 118) / 6, 15, 11].flatMap(most => {
      const broken = wrap(reason, most), lines = broken.length > 3 ? ["not written", "down"] : broken;
      const wide = Math.max(...lines.map(columns)) * 6, tall = lines.length * 13;
      const x = clamp(middle, wide / 2 - 6, placed.w + 6 - wide / 2);       // inside the picture, at its edges too
      return [y + h + 4, y - tall - 5].map(top => ({ x, top, lines, box: [x - wide / 2, top, wide, tall + 2] }));
    });
    const spot = room.best(options);
    if (spot.covered > 20) return svg("g");
    return svg("g.mt-tag", spot.lines.map((line, i) => text(round(spot.x), round(spot.top + 11 + i * 13), line, "", "middle")));
  }

  function build(width, height, most) {
    draws = [];
    dots = new Map();
    const { L, vertical, scale } = pick(width, height);
    placed = L;
    zoom = scale;
    const tags = scene.values.some(value => value.ghost) ? 44 : 6;
    const W = L.w + 20, H = L.h + 14 + tags, depth = one => (one?.parent ? 1 + depth(scene.regions.find(r => r.id === one.parent)) : 0);
    const shown = scene.values.filter(value => L.nodes[value.id]), regions = scene.regions.filter(one => L.regions[one.id]).sort((a, b) => depth(a) - depth(b));
    const room = space([...shown.map(value => L.nodes[value.id]), ...regions.map(one => { const [x, , , , base] = L.regions[one.id]; return [x + 8, base - 11, columns(one.label) * 6.7 + 70, 15]; })]);
    const grounds = svg("g"), lines = svg("g"), cards = svg("g"), above = svg("g");
    for (const one of regions) grounds.append(region(one, L.regions[one.id]));
    for (const one of scene.edges) {
      if (!list(one.kept).length || !L.edges[one.id]) continue;
      const p = pinAt(svg("path", { d: L.edges[one.id] }));
      room.take([p.x - 6, p.y - 6, 12, 12]);
    }
    for (const value of shown) cards.append(card(value, L.nodes[value.id], vertical, room));
    for (const one of scene.edges) {
      if (!L.edges[one.id] || !values.has(one.a) || !values.has(one.b)) continue;
      const parts = edge(one, L.edges[one.id], room);
      lines.append(...parts.under);
      above.append(parts.above);
    }
    const markers = [...kinds].map(kind => svg("marker", { id: `${prefix}-${kind}`, viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 9, markerHeight: 9, markerUnits: "userSpaceOnUse", orient: "auto-start-reverse" }, svg("path", { d: "M0 .5L8 4L0 7.5Z", class: `mt-fill ${kind}` })));
    const picture = svg("svg.mt-picture", { viewBox: `0 0 ${W} ${H}`, width: round(W * scale), height: round(H * scale) }, svg("defs", markers), svg("g", { transform: "translate(10 10)" }, grounds, lines, cards, above));
    node.style.maxHeight = `${most}px`;
    node.replaceChildren(picture);
    node.classList.toggle("wide", node.scrollWidth > node.clientWidth + 2);
    node.classList.toggle("tall", node.scrollHeight > node.clientHeight + 2);
  }

  // A graph larger than its box follows what happens.
  function follow(focus) {
    const boxes = [...focus.keys()].map(id => placed.nodes[id]).filter(Boolean);
    if (!boxes.length || !(node.classList.contains("wide") || node.classList.contains("tall"))) return;
    const [x, y, w, h] = boxes[0];
    keepInView(node, { x: (x + 6) * zoom, y: (y + 6) * zoom, w: (w + 8) * zoom, h: (h + 8) * zoom });
  }

  return {
    node, build,
    update(n) {
      const step = scene.steps[n], now = { n, focus: focusOf(step), flow: new Map(list(step.flow)) };
      for (const draw of draws) draw(now);
      follow(now.focus);
    },
    // One dot runs along each active edge.  An animation leaves no trace in the document, so nothing has to be tidied up.
    run(n) {
      for (const [id, way] of list(scene.steps[n].flow)) {
        const way100 = isBack(way) ? ["100%", "0%"] : ["0%", "100%"], dot = dots.get(id);
        if (dot) running.push(dot.animate({ offsetDistance: way100, opacity: [1, 1] }, { duration: 300, easing: "ease-in-out" }));
      }
    },
    still: () => running.splice(0).forEach(animation => animation.cancel()),
  };
}

// ---- 7 table: the values in words, where there are no positions -------------------------------------------------------

function tablePart(scene) {
  const draws = [], body = html("tbody");
  for (const value of scene.values) {
    const cells = list(value.cells).map(cell => {
      const states = list(cell.states), words = state => (cell.id === "v" ? lineText(state) : `${cell.label} ${lineText(state)}`);
      const node = steady([null, ...states].map(words), { "data-cell": `${value.id}|${cell.id}` });
      draws.push(({ n, focus }) => {
        const state = fact(states, n), inFocus = focus.get(value.id)?.cells.has(cell.id);
        write(node.firstChild, words(state));
        put(node, "title", stateWords(state));
        classes(node, "mt-number mt-steady", cell.kind, !state && "notyet", state?.text === CUT && "none", state?.text === NEVER && "never", state?.t === n && n > 0 && "fresh", inFocus && "on");
      });
      return node;
    });
    const row = html("tr", { "data-value": value.id }, html("th", { scope: "row" }, value.name), html("td.mt-made", value.sign || value.op || "", value.ghost ? html("span.mt-tag", { title: value.ghost }, " not written down") : null), html("td", cells.slice(0, 1)), html("td", cells.slice(1)));
    draws.push(({ n, focus }) => classes(row, "mt-row", value.born > n && "future", value.ghost && "ghost", focus.get(value.id)?.card && "on"));
    body.append(row);
  }
  const head = html("thead", html("tr", ["name", "made by", "value", "derivatives"].map(word => html("th", { scope: "col" }, word))));
  const notes = list(scene.notes).length ? scene.notes : ["This scene has no positions, so its values stand in a table instead of a graph."];
  const node = html("div.mt-graph.mt-flat", { tabindex: -1, role: "group", "aria-label": "Values" }, notes.map(note => html("p.mt-note", note)), html("table.mt-values", head, body));
  return {
    node, run() {}, still() {},
    build(width, height, most) { node.style.maxHeight = `${most}px`; },
    update(n) {
      const now = { n, focus: focusOf(scene.steps[n]) };
      for (const draw of draws) draw(now);
      const hot = body.querySelector(".mt-row.on");
      if (hot) requestAnimationFrame(() => keepInView(node, { x: 0, w: 0, y: hot.offsetTop, h: hot.offsetHeight }));
    },
  };
}

// ---- 8 time: recorder lanes and memory over the same step numbers as the scrub bar -----------------------------------

const EDGE = 9;                                          // half a thumb of the scrub bar: its ends are the ends of the axis

function timePart(scene, prefix, hands) {
  const steps = scene.steps, last = Math.max(1, steps.length - 1), lane = scene.recorders.length > 8 ? 19 : 26;
  const holders = scene.holders, bytes = (step, holder) => step.memory?.[holder.id] || 0;
  const sums = steps.map(step => holders.reduce((sum, holder) => sum + bytes(step, holder), 0));
  const highs = steps.map((step, i) => Math.max(sums[i], step.high || 0)), peak = Math.max(...highs, 0), scaleTop = Math.max(1, peak);
  const memoryHeight = holders.length ? Math.max(66, holders.length * 16) : 0, top = scene.recorders.length * lane + 10, foot = top + memoryHeight;
  const gutter = html("div.mt-gutter"), node = html("div.mt-time");
  let width = 0, marks = [], clip, cursor, dot;
  const X = i => EDGE + (i * (width - 2 * EDGE)) / last, Y = v => top + memoryHeight - (v / scaleTop) * (memoryHeight - 6);

  const laneWords = scene.recorders.map(recorder => ({ recorder, node: html("span.mt-state") }));
  const amounts = [...holders].reverse().map(holder => ({ holder, node: html("b") })), total = html("b");
  gutter.append(...laneWords.map(({ recorder, node }) => html("div.mt-lane", { style: `height:${lane}px`, title: recorder.name }, html("span.mt-lanename", recorder.name), node)));
  if (holders.length) gutter.append(html("div.mt-memory", amounts.map(({ holder, node }) => html("div.mt-hold", html("span", holder.label), node, html("i", { class: `mt-swatch h-${holder.id}` }))), html("div.mt-hold.sum", html("span", html("span.mt-wide", "memory, "), `peak ${amount(peak, scene.unit)}`), total, html("i"))));

  function bands(recorder, y) {
    const states = list(recorder.states);
    return states.flatMap(({ t, state }, i) => {
      const end = i + 1 < states.length ? states[i + 1].t : last;
      return state === "listening" || state === "paused" ? [svg("rect", { x: X(t), y: y - lane * 0.38, width: Math.max(0, X(end) - X(t)), height: lane * 0.76, rx: 2, class: `mt-band ${state}` })] : [];
    });
  }
  function laneMarks(recorder, y) {
    const small = clamp((X(1) - X(0)) / 12, 0.5, 1) * (lane < 26 ? 0.85 : 1);
    return steps.flatMap((step, k) => {
      const here = list(step.marks).filter(([id]) => id === recorder.id);
      return here.map(([, mark], i) => {
        const g = svg("g", { transform: `translate(${round(X(k))} ${round(y + (i - (here.length - 1) / 2) * 8)}) scale(${round(small * 10) / 10})`, "data-step": k, "data-mark": mark }, svg("title", `step ${k}, ${MARKS[mark] || mark}: ${step.say}`), svg("path", { d: SHAPES[mark] || SHAPES.write }));
        marks.push({ k, g, mark });
        return g;
      });
    });
  }
  function memory() {
    const half = (X(1) - X(0)) / 2, stairs = levels => levels.map((v, i) => [[Math.max(EDGE, X(i) - half), Y(v)], [Math.min(width - EDGE, X(i) + half), Y(v)]]);
    const all = svg("g.mt-mem.all"), past = svg("g.mt-mem.past", { "clip-path": `url(#${prefix}-past)` });
    let below = steps.map(() => 0);
    for (const holder of holders) {
      const level = below.map((v, i) => v + bytes(steps[i], holder)), points = [...stairs(level).flat(), ...stairs(below).flat().reverse()].map(p => p.map(round).join(",")).join(" ");
      for (const g of [all, past]) g.append(svg("polygon", { points, class: `h-${holder.id}` }, svg("title", holder.label)));
      below = level;
    }
    // more than the end of a step shows: the most bytes inside it, as a whisker
    steps.forEach((step, i) => { if (highs[i] > sums[i]) all.append(svg("path", { d: `M${round(X(i))} ${round(Y(sums[i]))}V${round(Y(highs[i]))}m-2.5 0h5`, class: "mt-high" }, svg("title", `inside step ${i}: ${amount(highs[i], scene.unit)}`))); });
    return [all, past, svg("line.mt-base", { x1: EDGE, x2: width - EDGE, y1: foot, y2: foot })];
  }
  function ticks() {
    const gap = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find(g => X(g) - X(0) >= 34) || last;
    return steps.map((_, i) => i).filter(i => i % gap === 0).map(i => text(round(X(i)), foot + 13, String(i), "mt-tick", "middle"));
  }
  const stepAt = event => clamp(Math.round(((event.clientX - node.firstChild.getBoundingClientRect().left - EDGE) * last) / Math.max(1, width - 2 * EDGE)), 0, steps.length - 1);

  return {
    node, gutter,
    build(room) {
      width = Math.max(60, room);
      marks = [];
      clip = svg("rect", { x: 0, y: 0, width: 0, height: foot });
      cursor = svg("line.mt-cursor", { y1: 0, y2: foot });
      dot = svg("circle.mt-cursordot", { r: 3.5 });
      const lanes = scene.recorders.flatMap((recorder, i) => {
        const y = i * lane + lane / 2;
        return [svg("line.mt-track", { x1: EDGE, x2: width - EDGE, y1: y, y2: y }), ...bands(recorder, y), ...laneMarks(recorder, y)];
      });
      const picture = svg("svg.mt-strip", { width, height: foot + 17, viewBox: `0 0 ${width} ${foot + 17}`, role: "img", "aria-label": "Recorder lanes and memory over the steps" },
        svg("defs", svg("clipPath", { id: `${prefix}-past` }, clip)), lanes, holders.length ? memory() : [], ticks(), cursor, holders.length ? dot : []);
      picture.addEventListener("pointerdown", event => { if (event.button === 0) { picture.setPointerCapture(event.pointerId); hands.go(stepAt(event), true); } });
      picture.addEventListener("pointermove", event => { if (picture.hasPointerCapture(event.pointerId)) hands.go(stepAt(event), true); });
      node.replaceChildren(picture);
    },
    update(n) {
      const x = round(X(n));
      for (const { k, g, mark } of marks) classes(g, "mt-mark", `m-${mark}`, k > n ? "later" : k === n ? "here" : "past");
      put(clip, "width", x);
      put(cursor, "x1", x);
      put(cursor, "x2", x);
      put(dot, "cx", x);
      put(dot, "cy", round(Y(sums[n])));
      for (const { recorder, node } of laneWords) write(node, fact(list(recorder.states), n)?.state || "");
      for (const { holder, node } of amounts) write(node, amount(bytes(steps[n], holder), scene.unit));
      write(total, amount(sums[n], scene.unit));
    },
  };
}

// ---- 9 legend and help -----------------------------------------------------------------------------------------------

function legendPart(scene) {
  const item = (shapes, words) => html("span.mt-item", svg("svg.mt-icon", { width: 22, height: 16, viewBox: "0 0 22 16", "aria-hidden": "true" }, shapes), words);
  const centred = (mark, cls) => svg("g", { transform: "translate(11 8)", class: cls }, svg("path", { d: SHAPES[mark] }));
  const arrow = kind => (kind.startsWith("gradient") ? [svg("path", { d: "M5 8H21", class: `mt-flow ${kind} back` }), svg("path", { d: "M8 4L1 8L8 12Z", class: `mt-fill ${kind}` })] : [svg("path", { d: "M1 8H16", class: `mt-flow ${kind}` }), svg("path", { d: "M14 4L21 8L14 12Z", class: `mt-fill ${kind}` })]);
  const cells = scene.values.flatMap(value => list(value.cells)), states = cells.flatMap(cell => list(cell.states)), kinds = new Set(cells.map(cell => cell.kind));
  const marks = new Set(scene.steps.flatMap(step => list(step.marks).map(([, mark]) => mark))), graph = Boolean(scene.layout);
  const sign = glyph => text(11, 12.5, glyph, "mt-glyph", "middle");
  const items = [];
  if (graph) {
    for (const [kind, words] of Object.entries(CELLS)) if (kinds.has(kind)) items.push(item(arrow(kind), words));
    if (scene.edges.some(edge => list(edge.kept).length)) items.push(item(centred("free", "mt-pin kept"), "kept for the way back"), item(centred("free", "mt-pin free"), "let go"));
    if (scene.regions.some(one => one.kind === "tape")) items.push(item(svg("rect.mt-ground", { x: 2, y: 1, width: 18, height: 14, rx: 4 }), "what a tape knows"));
    if (scene.values.some(value => value.kind === "variable")) items.push(item(svg("rect.mt-square", { x: 3, y: 2, width: 16, height: 12, rx: 1 }), "square corners: a variable"));
    if (states.some(state => state.data)) items.push(item([svg("rect.mt-sq.pos.demo", { x: 2, y: 4, width: 8, height: 8 }), svg("rect.mt-sq.neg.demo", { x: 13, y: 5, width: 6, height: 6 })], "positive, negative; area is size"));
  }
  if (kinds.size > 1) items.push(item(sign(NOT_YET), "not yet"));
  if (states.some(state => state.text === CUT)) items.push(item(sign("✂"), "None: the way is cut"));
  if (states.some(state => state.text === NEVER)) items.push(item(sign(NEVER), "this recorder does not see it"));
  if (scene.steps.some(step => step.high)) items.push(item(svg("path.mt-high", { d: "M11 14V3m-2.5 0h5" }), "most inside a step"));
  for (const [mark, words] of Object.entries(MARKS)) if (marks.has(mark) && !(graph && mark === "free")) items.push(item(centred(mark, `mt-mark m-${mark}`), words));
  return html("div.mt-legend", items, html("span.mt-keys", "← → step · Space play · ? keys"));
}

function helpPart(close) {
  const rows = KEYS.map(([keys, words]) => html("div.mt-key", html("kbd.mt-kbd", keys), html("span", words)));
  return html("div.mt-help", { role: "dialog", "aria-label": "Keys", hidden: true },
    html("div.mt-sheet", html("div.mt-sheethead", html("b", "Keys"), html("button", { type: "button", class: "mt-word mt-close", onclick: close }, "close")), rows,
      html("p.mt-hint", "Drag in the lanes to move through time. Click a card to go to the step that made it. Point at a card, a line or a term of the formula to see where else it is.")));
}

// ---- 10 mount --------------------------------------------------------------------------------------------------------

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

// What the address says; nonsense counts as nothing.
function readAddress() {
  const said = new URLSearchParams(location.hash.slice(1)), step = said.get("step"), theme = said.get("theme");
  return { step: step && /^\d{1,9}$/.test(step) ? Number(step) : null, theme: theme === "light" || theme === "dark" ? theme : "" };
}

/**
 * Draw `scene` in `root` and let a learner step through it.
 *
 * options: page (owns the document's keys and keeps #step=..&theme=.. in its address), step, theme ("" | light | dark),
 * predict (ask before a reveal), onstep(n), onpredict(bool).  Returns {go, step, theme, predict, destroy}.
 */
export function mount(root, scene, options = {}) {
  const prefix = nextId(), page = Boolean(options.page), undo = [];
  const listen = (target, type, handler, how) => { target.addEventListener(type, handler, how); undo.push(() => target.removeEventListener(type, handler, how)); };
  root.classList.add("mt");
  if (!scene || scene.schema !== SCHEMA) {
    root.replaceChildren(html("p.mt-note", `This player reads scenes of ${SCHEMA}, not of ${scene?.schema || "an unknown kind"}: export the run again.`));
    return { go() {}, step: () => 0, theme() {}, predict() {}, destroy: () => root.replaceChildren() };
  }
  scene = { sources: [], recorders: [], holders: [], values: [], edges: [], regions: [], notes: [], unit: "B", ...scene };
  if (!list(scene.steps).length) scene.steps = [{ say: "This scene has no steps." }];

  const last = scene.steps.length - 1, answers = {}, address = page ? readAddress() : { step: null, theme: "" };
  let n = clamp(address.step ?? options.step ?? 0, 0, last), asked = options.predict !== false, chosen = address.theme || options.theme || "";
  let timer = null, speed = 1, built = "";
  const motion = matchMedia("(prefers-reduced-motion: reduce)"), hasQuestions = scene.steps.some(step => step.ask);

  // -- the parts, and the frame around them
  const hands = {
    go, predict: () => asked, reduced: () => motion.matches,
    answer: option => { answers[n] = option; draw(); controls.next.focus({ preventScroll: true }); },
    skip: () => { answers[n] = ""; go(n + 1); },
  };
  const words = wordsPart(scene, answers, hands), code = codePart(scene), formula = formulaPart(scene), time = timePart(scene, prefix, hands);
  const drawn = Boolean(scene.layout?.LR || scene.layout?.TB), graph = drawn ? graphPart(scene, prefix, hands) : tablePart(scene);
  const help = helpPart(() => showHelp(false));
  const icon = name => svg("svg.mt-icon", { viewBox: "0 0 20 20", width: 20, height: 20, "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
  const button = (name, label, act) => html("button", { type: "button", class: `mt-ctl mt-${name}`, "aria-label": label, title: label, onclick: act }, icon(name));
  const controls = {
    first: button("first", "First step (Home)", () => { stop(); go(0, true); }), back: button("back", "Back (←)", () => { stop(); go(n - 1); }),
    play: button("play", "Play (Space)", () => (timer ? stop() : play())), next: button("next", "Next (→)", () => { stop(); go(n + 1); }),
    last: button("last", "Last step (End)", () => { stop(); go(last, true); }), count: html("span.mt-count"),
    speed: html("select.mt-speed", { "aria-label": "Speed", title: "Speed", onchange: event => { speed = Number(event.target.value); if (timer) { stop(); play(); } } }, [0.5, 1, 2, 4].map(v => html("option", { value: v, selected: v === 1 }, `${v}×`))),
    scrub: html("input", { type: "range", class: "mt-scrub", min: 0, max: last, value: n, step: 1, "aria-label": "Step", oninput: event => { stop(); go(Number(event.target.value), true); } }),
    predict: html("button", { type: "button", class: "mt-word mt-predict", title: "Ask me before a reveal (P)", hidden: !hasQuestions, onclick: () => setPredict(!asked) }, "predict"),
    theme: html("button", { type: "button", class: "mt-word mt-theme", title: "Light or dark (T)", onclick: flipTheme }, "theme"),
    help: html("button", { type: "button", class: "mt-word mt-helper", "aria-label": "Keys (?)", title: "Keys (?)", onclick: () => showHelp(help.hidden) }, "?"),
  };
  const { first, back, play: playButton, next, last: lastButton, count, speed: speedBox, scrub } = controls;
  const measure = html("div.mt-measure", { "aria-hidden": "true" }), right = html("div.mt-right", words.node, graph.node, (drawn ? list(scene.notes) : []).map(note => html("p.mt-note", note)));
  const axis = html("div.mt-axis", scrub, time.node);
  const frame = html("div.mt-frame", { style: `--columns: ${Math.ceil(code.needed)}` },
    html("div.mt-head", html(page ? "h1" : "h3", { class: "mt-title" }, scene.title || "A run"), html("div.mt-options", controls.predict, controls.theme, controls.help), html("p.mt-lead", scene.lead || "")),
    html("div.mt-work", html("div.mt-left", code.node, formula.node), right),
    html("div.mt-below", html("div.mt-side", html("div.mt-controls", { role: "group", "aria-label": "Steps" }, first, back, playButton, next, lastButton, count, speedBox), time.gutter), axis),
    legendPart(scene), help, measure);

  // -- stepping
  function locked() { const step = scene.steps[n]; return asked && Boolean(step.ask) && answers[n] === undefined; }
  function go(k, jump = false) {
    k = clamp(Math.trunc(Number(k) || 0), 0, last);
    if (!jump && k > n && locked()) { stop(); words.nudge(); return; }
    const forward = k === n + 1, moved = k !== n;
    n = k;
    draw();
    if (forward && !motion.matches) graph.run(n);
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
  function showPlay() {
    const label = timer ? "Pause (Space)" : "Play (Space)";
    playButton.replaceChildren(icon(timer ? "pause" : "play"));
    put(playButton, "aria-label", label);
    put(playButton, "title", label);
  }

  // -- drawing: build for the room there is, then update
  function build() {
    const width = root.clientWidth, key = `${width}x${page ? Math.round(innerHeight / 20) : 0}`;
    if (width < 80 || key === built) return;                              // not shown yet: no room to draw in
    built = key;
    reserve(words.node, words.variants());
    reserve(formula.node, formula.variants());
    code.build();
    graph.build(graph.node.clientWidth || width, page ? clamp(innerHeight - 420, 300, 620) : clamp(innerHeight * 0.5, 300, 460), page ? 660 : 520);
    time.build(time.node.clientWidth || width);
    draw();
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
    light(null);
    graph.still();
    for (const part of [words, code, formula, graph, time]) part.update(n);
    write(count, `${n} / ${last}`);
    scrub.value = n;
    put(scrub, "aria-valuetext", `step ${n} of ${last}`);
    put(controls.predict, "aria-pressed", asked);
    for (const b of [first, back]) put(b, "aria-disabled", n === 0);
    for (const b of [next, lastButton]) put(b, "aria-disabled", n === last);
  }

  // -- pointing at one thing lights it everywhere else: card, code line, lane marks, term of the formula
  const stepsOf = new Map(scene.values.map(value => [value.id, new Set([value.born])])), valuesAt = new Map();
  scene.steps.forEach((step, i) => { for (const id of focusOf(step).keys()) stepsOf.get(id)?.add(i); });
  for (const value of scene.values) if (value.place) valuesAt.set(placeOf(value.place), [...(valuesAt.get(placeOf(value.place)) || []), value.id]);
  let lit = [];
  function light(ids) {
    for (const node of lit) node.removeAttribute("data-lit");
    lit = [];
    if (!ids?.length) return;
    const wanted = new Set(ids), places = new Set(scene.values.filter(v => wanted.has(v.id)).map(v => placeOf(v.place))), when = new Set(ids.flatMap(id => [...(stepsOf.get(id) || [])]));
    for (const node of frame.querySelectorAll("[data-value],[data-ref],[data-place],[data-step]")) {
      const { value, ref, place, step } = node.dataset;
      if (wanted.has(value) || wanted.has(ref) || places.has(place) || when.has(Number(step))) { node.setAttribute("data-lit", ""); lit.push(node); }
    }
  }
  listen(frame, "pointerover", event => {
    const thing = event.pointerType !== "touch" && event.target.closest?.("[data-value],[data-ref],[data-place]");
    if (!thing) return light(null);
    const { value, ref, place } = thing.dataset;
    light(place ? valuesAt.get(place) : [value || ref]);
  });
  listen(frame, "pointerleave", () => light(null));
  listen(frame, "click", event => {
    const id = event.target.closest?.("[data-value]")?.dataset.value, value = scene.values.find(one => one.id === id);
    if (value) { stop(); go(value.born, true); }
  });

  // -- options: prediction, theme, help
  function setPredict(on) { if (on === asked) return; asked = on; built = ""; build(); options.onpredict?.(asked); }
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
    const said = `#step=${n}${chosen ? `&theme=${chosen}` : ""}`;
    try { if (location.hash !== said) history.replaceState(null, "", said); } catch { /* a sandboxed frame has no address of its own */ }
  }
  function remember() { if (page) { clearTimeout(writing); writing = setTimeout(writeAddress, 40); } }

  // -- keys: a page owns them all; an embedded player only those pressed inside it
  function key(event) {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const target = event.target, onButton = target.closest?.("button"), acts = {
      ArrowRight: () => { stop(); go(n + 1); }, ArrowLeft: () => { stop(); go(n - 1); }, Home: () => { stop(); go(0, true); }, End: () => { stop(); go(last, true); },
      " ": onButton ? null : () => (timer ? stop() : play()), p: hasQuestions ? () => setPredict(!asked) : null, t: flipTheme, "?": () => showHelp(help.hidden), Escape: help.hidden ? null : () => showHelp(false),
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
    listen(window, "pagehide", writeAddress);
    listen(window, "hashchange", () => { const said = readAddress(); if (said.theme) { chosen = said.theme; paint(); } if (said.step !== null) { stop(); go(said.step, true); } });
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
      setTimeout(() => root.setAttribute("data-lm-suppress-shortcuts", "true"));
    }, true);
  }

  // -- begin
  const scheme = matchMedia("(prefers-color-scheme: dark)"), host = new MutationObserver(paint), size = new ResizeObserver(() => build());
  listen(scheme, "change", paint);
  if (document.body) host.observe(document.body, { attributes: true, attributeFilter: ["class", "data-jp-theme-light"] });
  undo.push(() => host.disconnect(), () => size.disconnect());
  paint();
  root.replaceChildren(frame);
  build();
  size.observe(root);
  if (page && address.step !== null) writeAddress();
  document.fonts?.ready.then(() => { if (root.isConnected) { built = ""; build(); } });

  return {
    go: k => { stop(); go(k, true); },
    step: () => n,
    theme: theme => { chosen = theme || ""; paint(); },
    predict: on => setPredict(Boolean(on)),
    destroy() {
      stop();
      clearTimeout(writing);
      for (const act of undo.splice(0)) act();
      root.replaceChildren();
    },
  };
}

// ---- 11 the widget ---------------------------------------------------------------------------------------------------

/** anywidget's entry: the same player, its step kept in the model (a moment later, so that a drag is one message). */
function render({ model, el }) {
  const root = document.createElement("div");
  el.append(root);
  let player = null, waiting = null;
  const send = (name, value) => {
    model.set(name, value);
    clearTimeout(waiting);
    waiting = setTimeout(() => model.save_changes(), 150);
  };
  const begin = () => {
    player?.destroy();
    player = mount(root, model.get("scene"), {
      step: model.get("step"), theme: model.get("theme"), predict: model.get("predict"),
      onstep: n => send("step", n), onpredict: on => send("predict", on),
    });
  };
  const changes = {
    "change:scene": begin,
    "change:step": () => { if (model.get("step") !== player.step()) player.go(model.get("step")); },
    "change:theme": () => player.theme(model.get("theme")),
    "change:predict": () => player.predict(model.get("predict")),
  };
  begin();
  for (const [name, act] of Object.entries(changes)) model.on(name, act);
  return () => {
    clearTimeout(waiting);
    for (const [name, act] of Object.entries(changes)) model.off(name, act);
    player.destroy();
    root.remove();
  };
}

export default { render };
