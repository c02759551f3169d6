// The score: a string per value, a stem per step with its marks on the staff of every recorder that heard it, arcs from a
// backward step to the entry that it reads, the roads of gradients back along the strings.  plan.js says what stands where.

import { CUT, NEVER, NOT_YET, MARKS, SHAPES, LINE_MARKS } from "./language.js";
import { html, svg, text, put, classes, write, keepInView, clamp, round, list, columns, shorten } from "./tools.js";
import { fact, shortText, stateWords } from "./facts.js";
import { EDGE, dragThrough } from "./time.js";
import { MOST, STAFF, planOf, heightsOf } from "./plan.js";
import { labelSpace } from "./labels.js";

const HEAD = 16, NOTE = 9, NUMBER_CHAR = 6.63, ROAD_LANES = 3, ROAD_APART = 3.5, SLACK = 130;
const COLUMN = 6.6;                                        // pixels for a column of a band's name
const LEAST = 6;                                         // columns of a band's name that are worth showing
// A backward step colours its stem before an op does: the same step may be one recorder's entry and another one's way back.
const STEMS = [["back2", "gradient2"], ["seed2", "gradient2"], ["back", "gradient"], ["seed", "gradient"],
  ["tangent2", "tangent2"], ["tangent", "tangent"], ["replay", "replay"], ["rebuild", "replay"], ["ghost", "ghost"]];

const NOTES = ["op", "ghost", "replay", "rebuild"];      // marks with a sign in them
const SILENT = ["enter", "exit", "pause", "resume", "free"];                // marks without a stem: nothing is read or written

export function scorePart(scene, prefix, hands) {
  if (scene.values.length > MOST) {
    const said = `${scene.values.length} values are too many for one score: it shows up to ${MOST}.`;
    return { node: html("div.mt-score", html("p.mt-note", said)), build() {}, update() {}, run() {}, still() {} };
  }
  const plan = planOf(scene), steps = scene.steps, last = Math.max(1, steps.length - 1), { rows, all } = heightsOf(plan.levels);
  const values = new Map(scene.values.map(one => [one.id, one])), strings = new Map(plan.strings.map(one => [one.id, one]));
  const cellOf = (value, cell) => values.get(value).cells.find(one => one.id === cell);
  const rowOf = (value, cell) => strings.get(value).row + strings.get(value).lines.find(one => one.id === cell).sub;
  const shown = ([value, cell]) => Boolean(strings.get(value)?.lines.some(one => one.id === cell));
  const Y = ([value, cell]) => rows[rowOf(value, cell)];
  const edges = new Map(scene.edges.map(one => [one.id, one])), staves = new Map();
  const madeAt = new Map([...scene.values].reverse().filter(one => one.sign || one.op).map(one => [one.born, one]));
  let high = 4 + HEAD * (1 + Math.max(-1, ...plan.bands.map(one => one.row)));       // first the names of the bands
  for (let k = 0; plan.staves.some(one => one.staff === k); k++) {
    const here = plan.staves.filter(one => one.staff === k), arch = Math.max(...here.map(one => one.arch));
    for (const { id, far } of here) staves.set(id, { k, y: high + arch + STAFF / 2, arch: Math.max(arch, 14), far });
    high += arch + STAFF;
  }
  const twins = steps.map(() => []);                     // the steps whose numbers are told again at a step: the entries it reads
  for (const { from, to } of plan.arcs) twins[from].push(to);

  let width = 0, X = i => i, pitch = 1, dated = [], labels = null, clips = [], cursors = [];
  const [names, rowNames] = gutters();
  const stavesBox = html("div.mt-staves");
  const stringsBox = html("div.mt-strings", { tabindex: -1, role: "group", "aria-label": "Values over time" });
  const node = html("div.mt-score", stavesBox, stringsBox);

  // -- the names beside the picture, with what each value and derivative is now
  function gutters() {
    const staffRows = [...new Set([...staves.values()].map(one => one.k))].map(k => {
      const users = scene.recorders.filter(one => staves.get(one.id).k === k), { y } = staves.get(users[0].id);
      const name = html("span.mt-lanename"), state = html("span.mt-state");
      return { users, name, state, node: html("div.mt-lane", { style: `top:${y - STAFF / 2}px` }, name, state) };
    });
    const tops = plan.levels.map((level, i) => (level ? -1 : i));
    const lineRows = plan.levels.map((level, i) => {
      const name = html("span.mt-linename"), number = html("b.mt-linenumber"), top = Math.max(...tops.slice(0, i + 1));
      const users = plan.strings.filter(one => one.row === top);
      const style = `top:${rows[i] - (level ? 7 : 9)}px`;
      return { i, level, users, name, number, node: html("div", { style }, name, number) };
    });
    return [staffRows, lineRows];
  }

  function staff(recorder) {
    const { y } = staves.get(recorder.id), states = list(recorder.states);
    const out = [svg("line.mt-track", { x1: EDGE, x2: width - EDGE, y1: y, y2: y })];
    states.forEach(({ t, state }, i) => {
      const wide = Math.max(0, X(i + 1 < states.length ? states[i + 1].t : last) - X(t));
      const size = { x: X(t), y: y - STAFF / 2 + 3, width: wide, height: STAFF - 6, rx: 2 };
      if (state === "listening" || state === "paused") out.push(svg(`rect.mt-band.${state}`, size));
    });
    steps.forEach((step, k) => {
      const here = list(step.marks).filter(([id]) => id === recorder.id);
      here.forEach(([, mark], i) => out.push(note(step, k, mark, y + (i - (here.length - 1) / 2) * 9)));
    });
    return out;
  }
  // A mark of the lanes; an op's grows to a note that carries its sign, where the column is wide enough.
  function note(step, k, mark, y) {
    const made = madeAt.get(step.twin ?? k), sign = made ? shorten(made.sign || made.op, 6) : "";
    const wide = Math.max(2 * NOTE, columns(sign) * 6.4 + 8), small = clamp(pitch / 12, 0.5, 1);
    const title = svg("title", `step ${k}, ${MARKS[mark] || mark}: ${step.say}`), tag = { "data-step": k, "data-mark": mark };
    let g;
    if (sign && NOTES.includes(mark) && wide <= pitch - 2) {
      const box = svg("rect.mt-notebox", { x: round(X(k) - wide / 2), y: y - NOTE, width: wide, height: 2 * NOTE, rx: NOTE });
      g = svg("g", tag, title, box, text(round(X(k)), round(y + 4), sign, "mt-notesign", "middle"));
    } else {
      const transform = `translate(${round(X(k))} ${round(y)}) scale(${round(small)})`;
      g = svg("g", { ...tag, transform }, title, svg("path", { d: SHAPES[mark] || SHAPES.write }));
    }
    dated.push({ t: k, node: g, cls: `mt-mark m-${mark}` });
    return g;
  }
  function arc({ by, kind, from, to }) {
    const { y, arch, far } = staves.get(by), x1 = round(X(from)), x2 = round(X(to)), base = y - 10;
    const over = round(base - 1.33 * (12 + ((arch - 14) * (from - to)) / Math.max(1, far)));
    const d = `M${x1} ${base}C${x1} ${over} ${x2} ${over} ${x2} ${base - 1}`, tip = `M${x2} ${base}l-3-6h6z`;
    const g = svg("g", { "data-step": from }, svg("path.mt-arcline", { d }), svg("path.mt-arctip", { d: tip }));
    dated.push({ t: from, node: g, cls: `mt-arc ${kind}`, hide: true });
    return g;
  }
  function stemsAt({ step, reads, writes }) {
    const marked = list(steps[step].marks).filter(([, mark]) => !SILENT.includes(mark)), kinds = marked.map(([, mark]) => mark);
    const ys = [...reads, ...writes].filter(shown).map(Y);
    const tops = marked.map(([id]) => staves.get(id)?.y).filter(y => y !== undefined);
    if (!ys.length || (!tops.length && ys.length < 2)) return [null, null];
    const kind = STEMS.find(([mark]) => kinds.includes(mark))?.[1] || "op", x = round(X(step)), cls = `mt-stem ${kind}`;
    const line = (y1, y2) => {
      const one = svg("line", { x1: x, x2: x, y1, y2, "data-step": step });
      dated.push({ t: step, node: one, cls });
      return one;
    };
    return [tops.length ? line(Math.min(...tops), high) : null, line(tops.length ? 0 : Math.min(...ys), Math.max(...ys))];
  }

  function string(one) {
    const y = rows[one.row], value = values.get(one.id), at = t => round(Math.min(t >= steps.length ? width : X(t), width));
    const line = (cls, from, to, y) => svg(`line.${cls}`, { x1: at(from), x2: at(to), y1: y, y2: y, "data-ref": one.id });
    const spans = (cls, all) => all.map(([from, to]) => line(cls, from, to, y));
    const ends = [...one.alive, ...one.again].map(([, to]) => to).filter(to => to < steps.length);
    const out = [...spans("mt-kept", one.kept), ...spans("mt-string", one.alive), ...spans("mt-string.again", one.again)];
    out.push(...ends.map(to => svg("line.mt-end", { x1: at(to), x2: at(to), y1: y - 4, y2: y + 4 })));
    for (const { kind, from, to, sub } of one.lines.slice(1)) {
      if (from < to) out.push(line(`mt-derivative.${kind}`, from, to, rows[one.row + sub]));
    }
    const ghost = value.ghost ? " ghost" : value.twin ? " twin" : "";
    const title = `${value.name}${value.ghost ? `, not written down: ${value.ghost}` : ""}`;
    return svg("g", { class: `mt-life ${value.kind}${ghost}` }, svg("title", title), out);
  }
  function lineMarks({ step, reads, writes }, layer) {
    const shape = ([value, cell], read) => {
      const { kind, states } = cellOf(value, cell), state = fact(list(states), step), y = Y([value, cell]), x = round(X(step));
      const sign = !read && (state?.text === CUT || state?.text === NEVER) ? (state.text === CUT ? "✂" : NEVER) : "";
      const size = clamp(pitch / 12, 0.55, 1) * (read ? 0.72 : 1);
      const g = svg("g", { "data-ref": value }, sign ? text(x, y + 4, sign, "mt-linesign", "middle")
        : svg("path", { d: SHAPES[LINE_MARKS[kind]], transform: `translate(${x} ${y}) scale(${round(size * 100) / 100})` }));
      if (!sign && !read) g.append(svg("title", `${values.get(value).name}: ${stateWords(state)}`));
      dated.push({ t: step, node: g, cls: `mt-touch ${kind}${read ? " read" : ""}` });
      layer.append(g);
      if (!read && !sign && state) number(shortText(state), x, y - 3.5, step, kind);
    };
    for (const one of reads.filter(shown)) shape(one, true);
    for (const one of writes.filter(shown)) shape(one, false);
  }
  function number(said, x, y, t, kind, before = false) {
    const w = columns(said) * NUMBER_CHAR, left = Math.max(0, before || x + 6 + w > width ? x - 6 - w : x + 6);
    labels.add({ x: left, y: y - 9, w, h: 11, t, node: text(round(left), round(y), said), cls: `mt-mnumber ${kind}` });
  }
  function road({ edge, kind, t, text: said, at, back, nth }) {
    const one = edges.get(edge), a = rows[strings.get(one.a).row], b = rows[strings.get(one.b).row];
    const off = (nth % ROAD_LANES) * ROAD_APART, y = a + 5 + off;
    const x = X(at) - Math.min(4.5 + off, pitch / 2), end = Math.min(X(back) + 7, x);
    const d = `M${round(X(at))} ${b + 4}H${round(x)}V${round(y)}H${round(end)}`;
    const tip = `M${round(end - 6)} ${round(y)}l7-3.6v7.2z`;
    const g = svg("g", { "data-step": t }, svg("path.mt-roadline", { d }), svg("path.mt-arctip", { d: tip }));
    dated.push({ t, node: g, cls: `mt-road ${kind}`, hide: true });
    number(said, x + 2, a + 17, t, kind, true);
    return g;
  }

  function build(room, most) {
    width = Math.max(60, room);
    X = i => EDGE + (i * (width - 2 * EDGE)) / last;
    pitch = X(1) - X(0);
    [dated, clips, cursors, labels] = [[], [], [], labelSpace(width)];
    const above = svg("g"), beneath = svg("g"), under = svg("g"), marks = svg("g");
    const cursor = h => {
      const g = svg("g.mt-now", svg("rect", { x: -pitch / 2, y: 0, width: pitch, height: h }), svg("line.mt-cursor", { y1: 0, y2: h }));
      cursors.push(g);
      return g;
    };
    for (const stem of plan.stems) {
      const [over, below] = stemsAt(stem);
      if (over) above.append(over);
      if (below) beneath.append(below);
    }
    for (const stem of plan.stems) lineMarks(stem, marks);
    for (const one of plan.roads) under.append(road(one));
    shared();
    const clip = svg("rect", { x: 0, y: 0, width: 0, height: all });
    clips.push(clip);
    const across = { x1: EDGE, x2: width - EDGE };
    const guides = rows.map((y, i) => svg("line", { class: plan.levels[i] ? "mt-guide sub" : "mt-guide", ...across, y1: y, y2: y }));
    const since = (t, kind, ...parts) => {
      const g = svg("g", parts);
      dated.push({ t, node: g, cls: `mt-phase ${kind}` });
      return g;
    };
    const left = ({ from }) => Math.max(0, X(from) - pitch / 2);
    const wide = one => Math.min(width, X(one.to) + pitch / 2) - left(one);
    const ground = (one, h) => svg("rect", { x: left(one), y: -5, width: wide(one), height: h + 10 });
    const bands = h => plan.bands.map(one => since(one.from, one.kind, ground(one, h)));
    // A name begins where its band does; at the right edge, where it would be cut, it ends where the band does.
    const ended = new Map();
    const bandNames = plan.bands.flatMap(one => {
      let label = shorten(one.label, Math.max(1, Math.floor((wide(one) - 12) / COLUMN))), x = left(one) + 5, anchor = "start";
      if (label !== one.label && left(one) + wide(one) >= X(last)
        && width - 5 - columns(one.label) * COLUMN > (ended.get(one.row) ?? 0) + 8) [label, x, anchor] = [one.label, width - 5, "end"];
      if (columns(label) < Math.min(columns(one.label), LEAST)) return [];
      ended.set(one.row, anchor === "end" ? x : x + columns(label) * COLUMN);
      return [since(one.from, one.kind, text(round(x), 12 + HEAD * one.row, label, "mt-bandname", anchor))];
    });
    const size = (h, label) => ({ width, height: h, viewBox: `0 0 ${width} ${h}`, role: "img", "aria-label": label });
    const top = svg("svg.mt-picture.mt-sheetmusic", size(high, "Who heard which step"), bands(high), cursor(high), bandNames,
      plan.arcs.map(arc), above, scene.recorders.map(staff));
    const bottom = svg("svg.mt-picture.mt-sheetmusic", size(all, "What every value was, and when"),
      svg("defs", svg("clipPath", { id: `${prefix}-lived` }, clip)),
      bands(all), cursor(all), guides, svg("g", { "clip-path": `url(#${prefix}-lived)` }, plan.strings.map(string)),
      under, beneath, marks, labels.nodes());
    const stepAt = event => {
      const x = event.clientX - top.getBoundingClientRect().left - EDGE;
      return clamp(Math.round(x / pitch), 0, steps.length - 1);
    };
    for (const picture of [top, bottom]) dragThrough(picture, stepAt, hands.jump);
    stavesBox.replaceChildren(html("div.mt-names", { style: `height:${high}px` }, names.map(one => one.node)), top);
    stringsBox.replaceChildren(html("div.mt-names", { style: `height:${all}px` }, rowNames.map(one => one.node)), bottom);
    stavesBox.hidden = !scene.recorders.length;
    const box = Math.max(170, most - high);                               // a little too tall is better than a second scroll bar
    stringsBox.style.maxHeight = all <= box + SLACK ? "" : `${box}px`;
    stringsBox.classList.toggle("tall", all > box + SLACK);
  }
  // Where several strings share a row, each says its name where it begins.
  function shared() {
    for (const one of plan.strings) {
      const { name: said, cells } = values.get(one.id), first = plan.strings.find(other => other.row === one.row);
      if (first === one || said === list(cells[0]?.states)[0]?.text) continue;                       // a number is its own name
      const w = columns(said) * NUMBER_CHAR, x = X(one.from) - w - 8, y = rows[one.row];
      labels.add({ x, y: y - 5.5, w, h: 11, t: one.from, node: text(round(x), y + 4, said), cls: "mt-mnumber name" });
    }
  }

  function tell(row, n) {
    const { i, level, users, name, number, node } = row, one = users.findLast(user => user.from <= n) || users[0];
    put(node, "data-value", one.id);
    const lines = one.lines.filter(each => each.sub === i - one.row), line = lines.findLast(each => each.first <= n) || lines[0];
    if (!line) {                                         // who has this row now needs fewer lines than who had it
      write(name, "");
      write(number, "");
      put(node, "title", "");
      return classes(node, "mt-linerow sub");
    }
    const value = values.get(one.id), cell = cellOf(one.id, line.id), state = fact(list(cell.states), n), unborn = one.from > n;
    const said = level ? cell.label : value.name, face = unborn ? "" : state ? shortText(state) : NOT_YET;
    write(name, said);
    write(number, face);
    put(node, "title", unborn ? `${said}: not made yet` : `${said}: ${stateWords(state)}`);
    const gone = !level && n >= one.from && ![...one.alive, ...one.again].some(([from, to]) => from <= n && n < to);
    const sign = state?.text === CUT ? "none" : state?.text === NEVER ? "never" : "";
    const now = [unborn && "future", state?.t === n && n > 0 && "fresh", gone && "gone", !state && "faint"];
    classes(node, "mt-linerow", level ? "sub" : "", cell.kind, sign, ...now);
  }

  return {
    node, build, run() {}, still() {},
    update(n) {
      const when = (t, hide) => (t > n ? (hide ? "off" : "later") : t === n ? "here" : "past");
      for (const one of dated) {                          // most of them stay what they were: only the others are touched
        const now = when(one.t, one.hide);
        if (now !== one.now) classes(one.node, one.cls, one.now = now);
      }
      labels.update(n, twins[n]);
      for (const clip of clips) put(clip, "width", round(n === steps.length - 1 ? width : X(n) + Math.min(8, pitch / 2)));
      for (const cursor of cursors) put(cursor, "transform", `translate(${round(X(n))} 0)`);
      for (const { users, name, state } of names) {
        const who = users.findLast(one => list(one.states).some(state => state.t <= n)) || users[0];
        write(name, who.name);
        write(state, fact(list(who.states), n)?.state || "");
      }
      for (const row of rowNames) tell(row, n);
      const touched = plan.stems[n].writes.filter(shown).map(Y);
      if (touched.length) {
        const first = Math.min(...touched);
        keepInView(stringsBox, { x: 0, w: 0, y: first - 10, h: Math.max(...touched) - first + 20 });
      }
    },
  };
}
