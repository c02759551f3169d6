// The plan of a score: what stands in which row, and what joins what.  No pixels: viz/draw/plan.py says the rules and makes
// the same plan in Python, and a test compares the two.

import { CUT, NEVER } from "./language.js";
import { list } from "./tools.js";

export const STAFF = 32, LINE = 18, SUB = 14, GAP = 4, ROOMY = 24, STAVES = 3, ARCH = 46, MOST = 300;

const REGIONS = ["recompute", "rebuild", "custom"];      // what runs in them is one entry to a tape
const isGradient = kind => kind.startsWith("gradient"), pair = (value, cell) => `${value}|${cell}`;

// Spans that touch or overlap become one; an open end is the end of the run.
function joined(spans, end) {
  const all = spans.map(({ from, to }) => [from, to ?? end]).filter(([from, to]) => from < to).sort((p, q) => p[0] - q[0]);
  const out = [];
  for (const [from, to] of all) {
    if (out.length && from <= out.at(-1)[1]) out.at(-1)[1] = Math.max(out.at(-1)[1], to);
    else out.push([from, to]);
  }
  return out;
}

// What each step reads and writes, as lines of the score: [value id, cell id].
function stemsOf(scene, values, edges) {
  const writes = scene.steps.map(() => []), reads = scene.steps.map(() => []), add = (rows, t, one) => {
    if (rows[t] && !rows[t].some(([value, cell]) => value === one[0] && cell === one[1])) rows[t].push(one);
  };
  for (const value of scene.values) for (const cell of list(value.cells)) for (const state of list(cell.states)) {
    if (written(state)) add(writes, state.t, [value.id, cell.id]);
  }
  scene.steps.forEach((step, t) => {
    for (const [id, way] of list(step.flow)) {
      const edge = edges.get(id);
      if (!edge) continue;
      if (way === "forward") { add(reads, t, [edge.a, "v"]); continue; }
      const back = way.startsWith("back"), [end, start] = back ? [edge.a, edge.b] : [edge.b, edge.a];
      for (const [value, cell] of writes[t].filter(([value, cell]) => value === end && cell !== "v")) {
        if (values.get(start)?.cells.some(one => one.id === cell)) add(reads, t, [start, cell]);
      }
    }
  });
  return scene.steps.map((step, t) => {
    const fresh = new Set(writes[t].map(one => pair(...one)));
    return { step: t, reads: reads[t].filter(one => !fresh.has(pair(...one))), writes: writes[t] };
  });
}

// The step at which a value was last made, up to step t: where it was born, changed, or brought back by a rerun.
const latestLife = (value, t) => Math.max(value.born, ...list(value.cells[0]?.states).map(state => state.t).filter(at => at <= t));

// The ways back, as stretches of time: from a recorder's seed to its answer.
function bandsOf(scene) {
  const names = new Map(scene.recorders.map(one => [one.id, one.name])), open = new Map(), bands = [];
  scene.steps.forEach((step, t) => {
    for (const [id, mark] of list(step.marks)) {
      if (mark.startsWith("seed") && !open.has(id)) {
        const kind = mark === "seed" ? "gradient" : "gradient2";
        const band = { row: 0, from: t, to: t, kind, label: `${names.get(id)} goes back` };
        open.set(id, band);
        bands.push(band);
      }
      if (mark.startsWith("back") && open.has(id)) open.get(id).to = t;
    }
    if (step.kind === "gradients") {
      for (const band of open.values()) band.to = t;
      open.clear();
    }
  });
  const regions = new Map(scene.regions.map(one => [one.id, one]));
  const depth = one => (one ? depth(regions.get(one.parent)) + (REGIONS.includes(one.kind) ? 1 : 0) : 0);
  for (const region of scene.regions.filter(one => REGIONS.includes(one.kind))) {
    const states = list(region.states);
    states.forEach(({ t, state }, i) => {
      const kind = { open: "first", replaying: "replay", rebuilding: "replay" }[state];
      const to = i + 1 < states.length ? states[i + 1].t : scene.steps.length - 1;
      const label = kind === "first" ? region.label : `${region.label} again`;
      if (kind) bands.push({ row: depth(region), from: t, to, kind, label });
    });
  }
  const beneath = Math.max(-1, ...bands.map(one => one.row)) + 1;
  for (const { label, from, to } of list(scene.names)) {
    bands.push({ row: beneath, from, to: to ?? scene.steps.length - 1, kind: "name", label });
  }
  return bands;
}

const written = state => Boolean(state.text) || Boolean(state.data);
const number = state => written(state) && state.text !== CUT && state.text !== NEVER;
const within = (spans, alive) => {
  const both = spans.flatMap(([from, to]) => alive.map(([a, b]) => [Math.max(from, a), Math.min(to, b)]));
  return both.filter(([from, to]) => from < to);
};

const inside = ({ from, to }, others, end) => others.some(([a, b]) => a <= from && (to ?? end) <= b);

export function planOf(scene) {
  const end = scene.steps.length, values = new Map(scene.values.map(one => [one.id, one]));
  const edges = new Map(scene.edges.map(one => [one.id, one])), stems = stemsOf(scene, values, edges);
  const touched = new Map();                             // the last step that reads or writes a line
  for (const { step, reads, writes } of stems) for (const one of [...reads, ...writes]) touched.set(pair(...one), step);
  const answers = scene.steps.filter(step => step.kind === "gradients" || step.kind === "look");
  const lines = answers.flatMap(step => list(step.focus)).filter(one => typeof one !== "string");
  const answered = new Set(lines.map(one => pair(...one)));

  const pinsOf = new Map();
  for (const edge of scene.edges) pinsOf.set(edge.a, [...(pinsOf.get(edge.a) || []), ...list(edge.kept)]);

  const strings = scene.values.map(value => {
    const cells = list(value.cells).filter((cell, i) => i === 0 || list(cell.states).some(written));
    const again = joined(list(value.again), end), once = list(value.held).filter(span => !inside(span, again, end));
    const alive = joined(once.length ? once : [{ from: value.born, to: value.gone }], end);
    const whole = joined([...alive, ...again].map(([from, to]) => ({ from, to })), end);
    const pins = [...(pinsOf.get(value.id) || []), ...list(value.kept)];
    const lines = cells.map(cell => {
      const starts = list(cell.states).filter(number).map(state => state.t);
      const last = touched.get(pair(value.id, cell.id)) ?? value.born;
      const stays = cell.id !== "v" && (answered.has(pair(value.id, cell.id)) || cell.kind.startsWith("tangent"));
      const to = stays ? end : last;
      const first = Math.min(...list(cell.states).filter(written).map(state => state.t), end);
      return { id: cell.id, kind: cell.kind, first, last, from: Math.min(...starts, end), to };
    });
    const last = Math.max(value.born, ...whole.map(span => span[1]), ...lines.map(line => line.to));
    return { id: value.id, row: 0, from: value.born, to: last, lines, alive, again, kept: within(joined(pins, end), whole) };
  });
  const levels = rowsFor(strings);

  const arcs = [], roads = [], into = new Map();
  for (const edge of scene.edges) for (const { t, by, kind, text } of list(edge.carried)) {
    const a = values.get(edge.a), b = values.get(edge.b);
    if (!isGradient(kind) || !a || !b) continue;
    arcs.push({ by, kind, from: t, to: latestLife(b, t) });
    into.set(edge.a, (into.get(edge.a) ?? -1) + 1);
    const at = latestLife(b, t);
    roads.push({ edge: edge.id, kind, t, text, at, back: latestLife(a, at), nth: into.get(edge.a) });
  }
  scene.steps.forEach((step, t) => {
    if (step.twin === undefined) return;
    for (const [by, mark] of list(step.marks)) {
      if (mark === "replay" || mark === "rebuild") arcs.push({ by, kind: "replay", from: t, to: step.twin });
    }
  });
  const staves = scene.recorders.map(({ id }) => {
    const far = Math.max(0, ...arcs.filter(arc => arc.by === id).map(arc => arc.from - arc.to));
    return { id, far, arch: far ? Math.min(ARCH, 14 + 3 * far) : 0, staff: 0 };
  });
  staffsFor(scene, staves);
  return { levels, strings, staves, stems, arcs, roads, bands: bandsOf(scene) };
}

// Rows from the top: a string takes one for its value and one for each derivative.  Where that would be more than ROOMY, a
// string takes over the rows of one that has ended.
function rowsFor(strings) {
  const share = strings.reduce((sum, one) => sum + one.lines.length, 0) > ROOMY, blocks = [], levels = [];
  for (const string of strings) {
    const size = linesFor(string, share);
    const free = blocks.filter(block => share && block.until < string.from && block.size >= size);
    let block = free.sort((p, q) => p.size - q.size || p.row - q.row)[0];
    if (!block) {
      block = { row: levels.length, size };
      blocks.push(block);
      for (let i = 0; i < size; i++) levels.push(i ? 1 : 0);
    }
    block.until = string.to;
    string.row = block.row;
  }
  return levels;
}

// The rows of one string: derivatives of one kind that come after each other share one, too.  Returns how many there are.
function linesFor(string, share) {
  const users = [];
  string.lines.forEach((line, i) => {
    const free = share && i ? users.findIndex((other, k) => k && other.kind === line.kind && other.last < line.first) : -1;
    line.sub = free < 0 ? users.length : free;
    if (free >= 0) users[free].to = Math.min(users[free].to, line.first);
    users[line.sub] = line;
  });
  return users.length;
}

// Recorders that listen one after the other share a staff where each would otherwise need one of many.
function staffsFor(scene, staves) {
  const share = staves.length > STAVES, until = [];
  scene.recorders.forEach((recorder, i) => {
    const steps = scene.steps.flatMap((step, t) => (list(step.marks).some(([id]) => id === recorder.id) ? [t] : []));
    const from = Math.min(...steps, scene.steps.length), free = share ? until.findIndex(t => t < from) : -1;
    staves[i].staff = free < 0 ? until.length : free;
    until[staves[i].staff] = Math.max(from, ...steps);
  });
}

// The heights of the rows, and where the last one ends.
export function heightsOf(levels) {
  let y = GAP;
  const rows = levels.map((level, i) => (y += level ? SUB : LINE + (i ? GAP : 0)));
  return { rows, all: y + 10 };
}
