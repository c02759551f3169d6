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

// html("div.mt-a.mt-b", {title: "t"}, child, ...): attributes may be left out, children may be nested lists with gaps.
const maker = create => (what, ...rest) => {
  const [tag, ...names] = what.split("."), node = create(tag), first = rest[0];
  const attributes = first && Object.getPrototypeOf(first) === Object.prototype ? rest.shift() : {};
  if (names.length) node.setAttribute("class", names.join(" "));
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...rest.flat(2).filter(child => child !== null && child !== undefined && child !== false));
  return node;
};
const html = maker(tag => document.createElement(tag));
const svg = maker(tag => document.createElementNS("http://www.w3.org/2000/svg", tag));
const text = (x, y, content, cls, anchor = "start") => svg("text", { x, y, class: cls, "text-anchor": anchor }, content);
const squeeze = (node, width) => { put(node, "textLength", round(width)); put(node, "lengthAdjust", "spacingAndGlyphs"); };

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
const widest = texts => texts.reduce((a, b) => (columns(b) > columns(a) ? b : a), "");
const steady = (texts, attributes = {}) => html("span", { ...attributes, "data-widest": widest(texts) }, html("span"));

// Columns of a monospaced face that a string takes, as the layout counts them: combining marks none, CJK two.
const MARK = /\p{M}/u, WIDE = /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/;
const columns = string => [...string].reduce((sum, char) => sum + (MARK.test(char) ? 0 : WIDE.test(char) ? 2 : 1), 0);

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
const NUMBER = /^[−-]?[\d.]+(e[−+-]?\d+)?$/;
const numeric = value => (typeof value === "string" && NUMBER.test(value) ? Number(value.replaceAll("−", "-")) : value);
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
  const [size, word] = bytes < 1e6 ? [1e3, "kB"] : bytes < 1e9 ? [1e6, "MB"] : [1e9, "GB"];
  return `${digits(bytes / size, 3)} ${word}`;
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
  const { steps } = scene, sentence = step => (step.say || "").replace(/ ([=+×−]) /g, "\u00a0$1\u00a0");
  const revealedAt = i => Math.min(i + (steps[i].ask.after || 1), steps.length - 1);

  const reasons = new Map();                                              // step -> why a value became None just there
  for (const value of scene.values) for (const cell of list(value.cells)) for (const state of list(cell.states)) {
    if (state.text === CUT && state.why) reasons.set(state.t, (reasons.get(state.t) || new Set()).add(state.why));
  }
  const because = reason => html("div", html("b", { "aria-hidden": "true" }, "✂ "), `None: ${reason}`);
  const whyLines = n => [...(reasons.get(n) || [])].map(because);

  function question(n) {
    const asked = steps[n].ask, got = answers[n];
    if (!asked || !hands.predict()) return [];
    const button = (name, pressed, act, label) =>
      html(`button.mt-${name}`, { type: "button", "aria-pressed": pressed, onclick: act }, label);
    const option = one => button("option", String(got === one), () => hands.answer(one), one);
    const skip = button("skip", null, hands.skip, "skip");
    return [
      html("span.mt-question", asked.question), ...asked.options.map(option),
      got ? html("span.mt-noted", `You say ${got}. Step on to see.`) : skip,
    ];
  }
  // The guess beside the truth, at the step that reveals it.
  function truth(n, guess) {
    const told = steps.map((step, i) => [step.ask, i]).filter(([asked, i]) => asked && n === revealedAt(i) && guess(i));
    return told.map(([asked, i]) => {
      const right = guess(i) === asked.answer, said = ` You said ${guess(i)}; it is ${asked.answer}. ${asked.note || ""}`;
      return html("span", { class: `mt-truth ${right ? "right" : "wrong"}` }, html("b", right ? "✓" : "✗"), said);
    });
  }
  return {
    node: html("div.mt-words", say, why, ask),
    // for measuring: the words of every step, as if every question had been answered
    variants: () => steps.map((step, n) => [
      html("p.mt-say", sentence(step)), html("div.mt-why", whyLines(n)),
      html("div.mt-ask", question(n), truth(n, i => steps[i].ask.answer)),
    ]),
    update(n) {
      write(say, sentence(steps[n]));
      why.replaceChildren(...whyLines(n));
      ask.replaceChildren(...question(n), ...truth(n, i => answers[i]));
    },
    nudge(byHand) {
      const shake = [0, -5, 5, 0].map(x => ({ transform: `translateX(${x}px)` }));
      if (!hands.reduced()) ask.animate(shake, 280);
      if (byHand) ask.querySelector("button")?.focus({ preventScroll: true });
    },
  };
}

// ---- 5 code and formula ----------------------------------------------------------------------------------------------

function codePart(scene) {
  const produced = new Map();                                             // place -> [{t, text}], what the line made, by step
  scene.steps.forEach((step, t) => list(step.produced).forEach(([place, text]) => {
    const key = placeOf(place);
    produced.set(key, [...(produced.get(key) || []), { t, text }]);
  }));
  const rows = new Map(), node = html("div.mt-code", { role: "region", "aria-label": "Program", tabindex: -1 });
  for (const source of scene.sources) {
    if (scene.sources.length > 1) node.append(html("div.mt-source", source.label));
    const lines = html("ol.mt-lines", { "aria-label": source.label });
    let previous = null;
    for (const [number, content] of list(source.lines)) {
      if (previous !== null && number > previous + 1) {
        lines.append(html("li.mt-fold", { "aria-label": `lines ${previous + 1} to ${number - 1} are left out` }, "⋮"));
      }
      previous = number;
      const key = `${source.id}|${number}`, facts = produced.get(key) || [];
      const out = facts.length ? steady(facts.map(one => one.text)) : null;
      const hang = /^ */.exec(content || "")[0].length + 3;                // a wrapped line goes on a little to the right
      const row = html("li.mt-line", { "data-place": key, "aria-current": "false" },
        html("span.mt-lineno", { "aria-hidden": "true" }, String(number)),
        html("code.mt-text", { style: `padding-left:${hang}ch;text-indent:-${hang}ch` }, content || " "), out);
      rows.set(key, { row, out, facts });
      lines.append(row);
    }
    node.append(lines);
  }
  const outs = key => (produced.get(key) || []).map(one => columns(one.text) + 2);
  const length = (id, [k, content]) => columns(content || "") + Math.max(0, ...outs(`${id}|${k}`));
  const lengths = scene.sources.flatMap(({ id, lines }) => list(lines).map(one => length(id, one)));
  const needed = Math.max(0, ...lengths);
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
    html("span", { class: `mt-term ${kind || "op"}`, "data-ref": id || null },
      html("b", symbol), html("i", symbol === "+=" ? "=" : String(number))));
  return { node, variants: () => scene.steps.map(terms), update: n => node.replaceChildren(...terms(scene.steps[n])) };
}

// ---- 6 graph ---------------------------------------------------------------------------------------------------------

function graphPart(scene, prefix) {
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

  // Where free-standing text may go: of several places the one that covers least of what is taken already.
  function space(taken) {
    const common = (from, size, other, otherSize) => Math.max(0, Math.min(from + size, other + otherSize) - Math.max(from, other));
    const covered = ([x, y, w, h]) => taken.reduce((sum, [a, b, c, d]) => sum + common(x, w, a, c) * common(y, h, b, d), 0);
    return {
      take: box => taken.push(box),
      best(options) {
        const [least] = options.map(option => ({ ...option, covered: covered(option.box) })).sort((a, b) => a.covered - b.covered);
        taken.push(least.box);
        return least;
      },
    };
  }

  function region(one, box) {
    const [x, y, w, h, base] = box, word = svg("tspan.mt-rword");
    const label = svg("text.mt-rlabel", { x: x + 10, y: base }, one.label, word);
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
    const flow = svg("path", { d }), dot = svg("circle.mt-dot", { r: 5, style: `offset-path: path("${d}")` }), above = svg("g");
    dots.set(one.id, dot);
    const cuts = cutPairs(a, b);
    const spot = (width, height) => room.best([0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.2, 0.8].map(u => {
      const { x, y } = at(u);
      return { u, x, y, box: [x - width / 2 - 1, y - height / 2 - 1, width + 2, height + 2] };
    }));

    const carried = list(one.carried), kept = list(one.kept);
    if (kept.length) {
      const p = pinAt(line), title = svg("title");
      const pin = svg("path", { d: `M${round(p.x)} ${round(p.y - 5)}l5 5l-5 5l-5-5Z` }, title);
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
      const title = svg("title"), number = text(round(x), round(y + 4.3), "", "mt-chiptext", "middle");
      const capsule = svg("rect", { y: round(y - 9), height: 18, rx: 9 }), chip = svg("g", title, capsule, number);
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
    const stateOf = (cell, n) => cell && fact(list(cell.states), n), isNone = state => state?.text === CUT;
    const cutCells = list(a.cells).filter(cell => cell.kind !== "value" && list(cell.states).some(isNone));
    return cutCells.map(cell => {
      const twins = list(b.cells).filter(other => other.by === cell.by && other.kind === cell.kind);
      const twin = twins.find(other => other.id === cell.id) || twins[0];
      return n => {
        if (b.born > n || !isNone(stateOf(cell, n))) return false;
        const after = stateOf(twin, n);
        return Boolean(b.ghost) || Boolean(after && !isNone(after) && after.text !== NEVER);
      };
    });
  }

  // One row of a card: its label, and on the right "not yet", a number, a sign, or an array as squares or as a range.
  function cellRow(value, cell, x, y, w, h, first) {
    const isValue = cell.id === "v", base = y + h / 2 + 4.4, label = text(x + PAD, base, isValue ? value.name : cell.label, "");
    const ring = svg("rect", { x: x + 2, y: y + 1, width: w - 4, height: h - 2, rx: 5 }), holder = svg("g");
    const g = svg("g", { "data-cell": `${value.id}|${cell.id}` });
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
      if (columns(words) * CHAR > room + 3) squeeze(node, Math.max(8, room));
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
    const size = Math.min(PIXEL, (h - 4) / rows.length);
    const top = y + (h - rows.length * size) / 2, left = right - rows[0].length * size;
    const most = Math.max(1e-300, ...rows.flat().filter(v => typeof v === "number").map(Math.abs));
    return rows.flatMap((row, i) => row.map((v, j) => {
      const cx = left + (j + 0.5) * size, cy = top + (i + 0.5) * size;
      if (typeof v !== "number") return svg("path.mt-sq.odd", { d: `M${round(cx - 2)} ${round(cy - 2)}l4 4m0-4l-4 4` });
      const sign = v < 0 ? "neg" : v === 0 ? "zero" : "pos";
      const side = v === 0 ? 1.6 : Math.max(1.6, (size - 1.4) * Math.sqrt(Math.abs(v) / most)), from = -side / 2;
      return svg(`rect.mt-sq.${sign}`, { x: round(cx + from), y: round(cy + from), width: round(side), height: round(side) });
    }));
  }

  function opSign(value, vertical, [x, y, w, h]) {
    // a word makes the disc a capsule: beside a card it may grow to CAPSULE px, above one as wide as the card
    const cx = vertical ? x + w / 2 : x + 11, cy = vertical ? y + 11 : y + h / 2, most = vertical ? w : CAPSULE;
    const said = value.sign || value.op, wanted = columns(said) * SIGN_CHAR + 7, wide = clamp(wanted, 22, most);
    const sign = wanted > most * 1.35 ? shorten(said, Math.floor(most / SIGN_CHAR) - 1) : said, word = columns(sign) > 1;
    const label = text(cx, cy + (word ? 3.6 : 5), sign, word ? "mt-opname" : "mt-opsign", "middle");
    if (columns(sign) * SIGN_CHAR + 7 > wide + 1) squeeze(label, wide - 7);
    const link = vertical ? { x1: cx, x2: cx, y1: cy + 11, y2: y + DISC } : { x1: cx + wide / 2, x2: x + DISC, y1: cy, y2: cy };
    const disc = svg("rect.mt-disc", { x: cx - wide / 2, y: cy - 11, width: wide, height: 22, rx: 11 });
    const parts = [svg("line.mt-link", link), disc, label];
    // an op that keeps its own output (exp, tanh): the pin sits between its disc and its card
    const own = list(value.held).filter(span => span.by === "tape" && span.from === value.born);
    if (own.length) {
      const [px, py] = vertical ? [cx, y + DISC - 4] : [x + DISC - 4, cy], said = `${value.name} itself is kept for the way back`;
      const pin = svg("path", { d: `M${px} ${py - 4.5}l4.5 4.5l-4.5 4.5l-4.5-4.5Z` }, svg("title", said));
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
    g.append(svg("rect.mt-halo", { x: x - 4, y: y - 4, width: w + 8, height: h + 8, rx: rx + 4 }));
    g.append(svg("rect.mt-face", { x, y, width: w, height: h, rx }));
    const heights = list(layout.rows?.[value.id]);
    let top = y + 3;
    list(value.cells).forEach((cell, i) => {
      const tall = heights[i] || ROW;
      g.append(cellRow(value, cell, x, top, w, tall, i === 0));
      top += tall;
    });
    if (value.ghost) g.append(ghostTag(value.ghost, x + w / 2, y, w, h, room));
    const type = `${value.dtype || ""}${list(value.shape).length ? `[${value.shape.join(", ")}]` : ""}`;
    const about = [`${value.name}${value.op ? `, made by ${value.op}` : ""}${type ? ` (${type})` : ""}`];
    if (value.ghost) about.push(`not written down: ${value.ghost}`);
    let told = "";
    draws.push(({ n, focus }) => {
      const unborn = value.born > n;
      classes(g, "mt-card", value.kind, value.ghost && "ghost", unborn && "future", focus.get(value.id)?.card && "on");
      const key = unborn ? "unborn" : list(value.cells).map(cell => latest(list(cell.states), n)).join();
      if (key === told) return;
      told = key;
      const rows = list(value.cells).map(cell => cellWords(cell, n));
      write(title, unborn ? `${value.name}: not made yet` : [...about, ...rows].join("\n"));
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
    const at = i => round(spot.top + 11 + i * 13);
    return svg("g.mt-tag", spot.lines.map((line, i) => text(round(spot.x), at(i), line, "", "middle")));
  }

  function build(width, height, most) {
    draws = [];
    dots = new Map();
    const { L, vertical, scale } = pick(width, height);
    placed = L;
    zoom = scale;
    const tags = scene.values.some(value => value.ghost) ? 44 : 6;
    const W = L.w + 20, H = L.h + 14 + tags, byId = new Map(scene.regions.map(one => [one.id, one]));
    const depth = one => (one?.parent ? 1 + depth(byId.get(one.parent)) : 0);
    const shown = scene.values.filter(value => L.nodes[value.id]);
    const regions = scene.regions.filter(one => L.regions[one.id]).sort((a, b) => depth(a) - depth(b));
    const labelBox = ({ id, label }) => [L.regions[id][0] + 8, L.regions[id][4] - 11, columns(label) * 6.7 + 70, 15];
    const room = space([...shown.map(value => L.nodes[value.id]), ...regions.map(labelBox)]);
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
    const size = { viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 9, markerHeight: 9 };
    const turned = { markerUnits: "userSpaceOnUse", orient: "auto-start-reverse" };
    const head = kind => svg("path", { d: "M0 .5L8 4L0 7.5Z", class: `mt-fill ${kind}` });
    const markers = [...kinds].map(kind => svg("marker", { id: `${prefix}-${kind}`, ...size, ...turned }, head(kind)));
    const picture = svg("svg.mt-picture", { viewBox: `0 0 ${W} ${H}`, width: round(W * scale), height: round(H * scale) },
      svg("defs", markers), svg("g", { transform: "translate(10 10)" }, grounds, lines, cards, above));
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
        const ends = isBack(way) ? ["100%", "0%"] : ["0%", "100%"], dot = dots.get(id);
        if (dot) running.push(dot.animate({ offsetDistance: ends, opacity: [1, 1] }, { duration: 300, easing: "ease-in-out" }));
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
        const sign = !state ? "notyet" : state.text === CUT ? "none" : state.text === NEVER ? "never" : "";
        classes(node, "mt-number mt-steady", cell.kind, sign, state?.t === n && n > 0 && "fresh", inFocus && "on");
      });
      return node;
    });
    const ghost = value.ghost ? html("span.mt-tag", { title: value.ghost }, " not written down") : null;
    const row = html("tr", { "data-value": value.id }, html("th", { scope: "row" }, value.name),
      html("td.mt-made", value.sign || value.op || "", ghost), html("td", cells.slice(0, 1)), html("td", cells.slice(1)));
    draws.push(({ n, focus }) => {
      const inFocus = focus.get(value.id)?.card;
      classes(row, "mt-row", value.born > n && "future", value.ghost && "ghost", inFocus && "on");
    });
    body.append(row);
  }
  const titles = ["name", "made by", "value", "derivatives"].map(word => html("th", { scope: "col" }, word));
  const alone = "This scene has no positions: its values stand in a table instead of a graph.";
  const notes = list(scene.notes).length ? scene.notes : [alone];
  const node = html("div.mt-graph.mt-flat", { tabindex: -1, role: "group", "aria-label": "Values" },
    notes.map(note => html("p.mt-note", note)), html("table.mt-values", html("thead", html("tr", titles)), body));
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
  const highs = steps.map((step, i) => Math.max(sums[i], step.high || 0)), peak = Math.max(...highs, 0);
  const memoryHeight = holders.length ? Math.max(66, holders.length * 16) : 0, scaleTop = Math.max(1, peak);
  const top = scene.recorders.length * lane + 10, foot = top + memoryHeight;
  const gutter = html("div.mt-gutter"), node = html("div.mt-time");
  let width = 0, marks = [], clip, cursor, dot;
  const X = i => EDGE + (i * (width - 2 * EDGE)) / last, Y = v => top + memoryHeight - (v / scaleTop) * (memoryHeight - 6);

  const laneWords = scene.recorders.map(recorder => ({ recorder, node: html("span.mt-state") }));
  const amounts = [...holders].reverse().map(holder => ({ holder, node: html("b") })), total = html("b");
  const laneRow = ({ recorder, node }) =>
    html("div.mt-lane", { style: `height:${lane}px`, title: recorder.name }, html("span.mt-lanename", recorder.name), node);
  const holdRow = ({ holder, node }) => html("div.mt-hold", html("span", holder.label), node, html(`i.mt-swatch.h-${holder.id}`));
  const peakWords = html("span", html("span.mt-wide", "memory, "), `peak ${amount(peak, scene.unit)}`);
  gutter.append(...laneWords.map(laneRow));
  const sumRow = html("div.mt-hold.sum", peakWords, total, html("i"));
  if (holders.length) gutter.append(html("div.mt-memory", amounts.map(holdRow), sumRow));

  function bands(recorder, y) {
    const states = list(recorder.states);
    return states.flatMap(({ t, state }, i) => {
      const end = i + 1 < states.length ? states[i + 1].t : last;
      if (state !== "listening" && state !== "paused") return [];
      const length = Math.max(0, X(end) - X(t));
      return svg(`rect.mt-band.${state}`, { x: X(t), y: y - lane * 0.38, width: length, height: lane * 0.76, rx: 2 });
    });
  }
  function laneMarks(recorder, y) {
    const small = clamp((X(1) - X(0)) / 12, 0.5, 1) * (lane < 26 ? 0.85 : 1);
    return steps.flatMap((step, k) => {
      const here = list(step.marks).filter(([id]) => id === recorder.id);
      return here.map(([, mark], i) => {
        const place = `translate(${round(X(k))} ${round(y + (i - (here.length - 1) / 2) * 8)}) scale(${round(small)})`;
        const g = svg("g", { transform: place, "data-step": k, "data-mark": mark },
          svg("title", `step ${k}, ${MARKS[mark] || mark}: ${step.say}`), svg("path", { d: SHAPES[mark] || SHAPES.write }));
        marks.push({ k, g, mark });
        return g;
      });
    });
  }
  function memory() {
    const half = (X(1) - X(0)) / 2, left = i => Math.max(EDGE, X(i) - half), right = i => Math.min(width - EDGE, X(i) + half);
    const stairs = levels => levels.flatMap((v, i) => [[left(i), Y(v)], [right(i), Y(v)]]);
    const all = svg("g.mt-mem.all"), past = svg("g.mt-mem.past", { "clip-path": `url(#${prefix}-past)` });
    let below = steps.map(() => 0);
    for (const holder of holders) {
      const level = below.map((v, i) => v + bytes(steps[i], holder));
      const points = [...stairs(level), ...stairs(below).reverse()].map(p => p.map(round).join(",")).join(" ");
      for (const g of [all, past]) g.append(svg("polygon", { points, class: `h-${holder.id}` }, svg("title", holder.label)));
      below = level;
    }
    // more than the end of a step shows: the most bytes inside it, as a whisker
    steps.forEach((step, i) => {
      if (highs[i] <= sums[i]) return;
      const d = `M${round(X(i))} ${round(Y(sums[i]))}V${round(Y(highs[i]))}m-2.5 0h5`;
      all.append(svg("path.mt-high", { d }, svg("title", `inside step ${i}: ${amount(highs[i], scene.unit)}`)));
    });
    return [all, past, svg("line.mt-base", { x1: EDGE, x2: width - EDGE, y1: foot, y2: foot })];
  }
  function ticks() {
    const gap = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000].find(g => X(g) - X(0) >= 34) || last;
    return steps.map((_, i) => i).filter(i => i % gap === 0).map(i => text(round(X(i)), foot + 13, String(i), "mt-tick", "middle"));
  }
  function stepAt(event) {
    const x = event.clientX - node.firstChild.getBoundingClientRect().left - EDGE;
    return clamp(Math.round((x * last) / Math.max(1, width - 2 * EDGE)), 0, steps.length - 1);
  }

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
        const track = svg("line.mt-track", { x1: EDGE, x2: width - EDGE, y1: y, y2: y });
        return [track, ...bands(recorder, y), ...laneMarks(recorder, y)];
      });
      const size = { width, height: foot + 17, viewBox: `0 0 ${width} ${foot + 17}` };
      const picture = svg("svg.mt-strip", { ...size, role: "img", "aria-label": "Recorder lanes and memory over the steps" },
        svg("defs", svg("clipPath", { id: `${prefix}-past` }, clip)), lanes, holders.length ? memory() : [], ticks(),
        cursor, holders.length ? dot : null);
      picture.addEventListener("pointerdown", event => {
        if (event.button !== 0) return;
        picture.setPointerCapture(event.pointerId);
        hands.jump(stepAt(event));
      });
      picture.addEventListener("pointermove", event => {
        if (picture.hasPointerCapture(event.pointerId)) hands.jump(stepAt(event));
      });
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
  const icon = shapes => svg("svg.mt-icon", { width: 22, height: 16, viewBox: "0 0 22 16", "aria-hidden": "true" }, shapes);
  const items = [], item = (shapes, words) => items.push(html("span.mt-item", icon(shapes), words));
  const centred = (mark, cls) => svg("g", { transform: "translate(11 8)", class: cls }, svg("path", { d: SHAPES[mark] }));
  const sign = glyph => text(11, 12.5, glyph, "mt-glyph", "middle"), box = (cls, size) => svg(`rect.${cls}`, size);
  function arrow(kind) {
    const [line, head] = kind.startsWith("gradient") ? ["M5 8H21", "M8 4L1 8L8 12Z"] : ["M1 8H16", "M14 4L21 8L14 12Z"];
    const back = kind.startsWith("gradient") ? " back" : "";
    return [svg("path", { d: line, class: `mt-flow ${kind}${back}` }), svg("path", { d: head, class: `mt-fill ${kind}` })];
  }
  const cells = scene.values.flatMap(value => list(value.cells)), states = cells.flatMap(cell => list(cell.states));
  const kinds = new Set(cells.map(cell => cell.kind)), graph = Boolean(scene.layout);
  const marks = new Set(scene.steps.flatMap(step => list(step.marks).map(([, mark]) => mark)));
  if (graph) {
    for (const [kind, words] of Object.entries(CELLS)) if (kinds.has(kind)) item(arrow(kind), words);
    if (scene.edges.some(edge => list(edge.kept).length)) {
      item(centred("free", "mt-pin kept"), "kept for the way back");
      item(centred("free", "mt-pin free"), "let go");
    }
    const tape = scene.regions.some(one => one.kind === "tape"), variable = scene.values.some(value => value.kind === "variable");
    if (tape) item(box("mt-ground", { x: 2, y: 1, width: 18, height: 14, rx: 4 }), "what a tape knows");
    if (variable) item(box("mt-square", { x: 3, y: 2, width: 16, height: 12, rx: 1 }), "square corners: a variable");
    if (states.some(state => rowsOf(state.data))) {
      const positive = box("mt-sq.pos", { x: 2, y: 4, width: 8, height: 8 });
      const negative = box("mt-sq.neg", { x: 13, y: 5, width: 6, height: 6 });
      item([positive, negative], "positive, negative; area is size");
    }
  }
  if (kinds.size > 1) item(sign(NOT_YET), "not yet");
  if (states.some(state => state.text === CUT)) item(sign("✂"), "None: the way is cut");
  if (states.some(state => state.text === NEVER)) item(sign(NEVER), "this recorder does not see it");
  if (scene.steps.some(step => step.high)) item(svg("path.mt-high", { d: "M11 14V3m-2.5 0h5" }), "most inside a step");
  for (const [mark, words] of Object.entries(MARKS)) {
    if (marks.has(mark) && !(graph && mark === "free")) item(centred(mark, `mt-mark m-${mark}`), words);
  }
  return html("div.mt-legend", items, html("span.mt-keys", "← → step · Space play · ? keys"));
}

function helpPart(close) {
  const rows = KEYS.map(([keys, words]) => html("div.mt-key", html("kbd.mt-kbd", keys), html("span", words)));
  const closer = html("button.mt-word.mt-close", { type: "button", onclick: close }, "close");
  const hint = "Drag in the lanes to move through time. Click a card to go to the step that made it. " +
    "Point at a card, a line or a term of the formula to see where else it is.";
  const sheet = html("div.mt-sheet", html("div.mt-sheethead", html("b", "Keys"), closer), rows, html("p.mt-hint", hint));
  return html("div.mt-help", { role: "dialog", "aria-label": "Keys", hidden: true }, sheet);
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
  const listen = (target, type, handler, how) => {
    target.addEventListener(type, handler, how);
    undo.push(() => target.removeEventListener(type, handler, how));
  };
  root.classList.add("mt");
  if (!scene || scene.schema !== SCHEMA) {
    const found = scene?.schema || "an unknown kind";
    root.replaceChildren(html("p.mt-note", `This player reads scenes of ${SCHEMA}, not of ${found}: export the run again.`));
    return { go() {}, step: () => 0, theme() {}, predict() {}, destroy: () => root.replaceChildren() };
  }
  scene = { sources: [], recorders: [], holders: [], values: [], edges: [], regions: [], notes: [], unit: "B", ...scene };
  if (!list(scene.steps).length) scene.steps = [{ say: "This scene has no steps." }];

  const last = scene.steps.length - 1, answers = {}, address = page ? readAddress() : { step: null, theme: "" };
  let n = clamp(address.step ?? options.step ?? 0, 0, last), asked = options.predict !== false;
  let chosen = address.theme || options.theme || "";
  let timer = null, speed = 1, built = "";
  const motion = matchMedia("(prefers-reduced-motion: reduce)"), hasQuestions = scene.steps.some(step => step.ask);

  // -- the parts, and the frame around them
  const hands = {
    jump: k => { stop(); go(k, true); }, predict: () => asked, reduced: () => motion.matches,
    answer: option => { answers[n] = option; draw(); controls.next.focus({ preventScroll: true }); },
    skip: () => { answers[n] = ""; go(n + 1); },
  };
  const words = wordsPart(scene, answers, hands), code = codePart(scene), formula = formulaPart(scene);
  const time = timePart(scene, prefix, hands), help = helpPart(() => showHelp(false));
  const drawn = Boolean(scene.layout?.LR || scene.layout?.TB), graph = drawn ? graphPart(scene, prefix) : tablePart(scene);
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
    theme: word("theme", "theme", "Light or dark (T)", flipTheme),
    help: word("helper", "?", "Keys (?)", () => showHelp(help.hidden)),
  };
  controls.predict.hidden = !hasQuestions;
  const { first, back, play: playButton, next, last: lastButton, count, speed: speedBox, scrub } = controls;
  const notes = drawn ? list(scene.notes).map(note => html("p.mt-note", note)) : [];
  const measure = html("div.mt-measure", { "aria-hidden": "true" });
  const buttons = html("div.mt-controls", { role: "group", "aria-label": "Steps" },
    first, back, playButton, next, lastButton, count, speedBox);
  const frame = html("div.mt-frame", { style: `--columns: ${Math.ceil(code.needed)}` },
    html("div.mt-head",
      html(page ? "h1.mt-title" : "h3.mt-title", scene.title || "A run"),
      html("div.mt-options", controls.predict, controls.theme, controls.help),
      html("p.mt-lead", scene.lead || "")),
    html("div.mt-work", html("div.mt-left", code.node, formula.node), html("div.mt-right", words.node, graph.node, notes)),
    html("div.mt-below",
      html("div.mt-side", buttons, time.gutter), html("div.mt-axis", scrub, time.node)),
    legendPart(scene), help, measure);

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
  function setSpeed(event) {
    speed = Number(event.target.value);
    if (timer) { stop(); play(); }
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
    const [high, most] = page ? [clamp(innerHeight - 420, 300, 620), 660] : [clamp(innerHeight * 0.5, 300, 460), 520];
    graph.build(graph.node.clientWidth || width, high, most);
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
  const stepsOf = new Map(scene.values.map(value => [value.id, new Set([value.born])]));
  scene.steps.forEach((step, i) => { for (const id of focusOf(step).keys()) stepsOf.get(id)?.add(i); });
  let lit = [];
  function light(ids) {
    for (const node of lit) node.removeAttribute("data-lit");
    lit = [];
    if (!ids?.length) return;
    const wanted = new Set(ids), when = new Set(ids.flatMap(id => [...(stepsOf.get(id) || [])]));
    const places = new Set(scene.values.filter(value => wanted.has(value.id)).map(value => placeOf(value.place)));
    for (const node of frame.querySelectorAll("[data-value],[data-ref],[data-place],[data-step]")) {
      const { value, ref, place, step } = node.dataset;
      if (!wanted.has(value) && !wanted.has(ref) && !places.has(place) && !when.has(Number(step))) continue;
      node.setAttribute("data-lit", "");
      lit.push(node);
    }
  }
  listen(frame, "pointerover", event => {
    const thing = event.pointerType !== "touch" && event.target.closest?.("[data-value],[data-ref],[data-place]");
    if (!thing) return light(null);
    const { value, ref, place } = thing.dataset;
    light(place ? scene.values.filter(one => placeOf(one.place) === place).map(one => one.id) : [value || ref]);
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
      "?": () => showHelp(help.hidden), Escape: help.hidden ? null : () => showHelp(false),
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
  if (page && address.step !== null) writeAddress();
  let gone = false;
  document.fonts?.ready.then(() => { if (!gone) { built = ""; build(); } });

  return {
    go: hands.jump,
    step: () => n,
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

// ---- 11 the widget ---------------------------------------------------------------------------------------------------

/** anywidget's entry: the same player, its step kept in the model (a moment later, so that a drag is one message). */
function render({ model, el }) {
  const root = document.createElement("div");
  el.append(root);
  let player = null, waiting = null;
  const send = (name, value) => {
    if (model.get(name) === value) return;                                // it came from there
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
