// Time: recorder lanes and memory over the same step numbers as the scrub bar.

import { MARKS, SHAPES } from "./language.js";
import { html, svg, text, put, classes, write, clamp, round, list, amount } from "./tools.js";
import { fact, peakWords } from "./facts.js";

export const EDGE = 9;                                          // half a thumb of the scrub bar: its ends are the ends of the axis

// Press or drag in a picture of time to go to the step under the pointer.
export function dragThrough(picture, stepAt, jump) {
  picture.addEventListener("pointerdown", event => {
    if (event.button !== 0) return;
    picture.setPointerCapture(event.pointerId);
    jump(stepAt(event));
  });
  picture.addEventListener("pointermove", event => { if (picture.hasPointerCapture(event.pointerId)) jump(stepAt(event)); });
}

export function timePart(scene, prefix, hands) {
  const steps = scene.steps, last = Math.max(1, steps.length - 1), lane = scene.recorders.length > 8 ? 19 : 26;
  const holders = scene.holders, bytes = (step, holder) => step.memory?.[holder.id] || 0;
  const sums = steps.map(step => holders.reduce((sum, holder) => sum + bytes(step, holder), 0));
  const highs = steps.map((step, i) => Math.max(sums[i], step.high || 0)), peak = Math.max(...highs, 0);
  const memoryHeight = holders.length ? Math.max(66, holders.length * 16) : 0, scaleTop = Math.max(1, peak);
  const gutter = html("div.mt-gutter"), node = html("div.mt-time");
  let width = 0, marks = [], clip, cursor, dot, top = 0, foot = 0;
  const X = i => EDGE + (i * (width - 2 * EDGE)) / last, Y = v => top + memoryHeight - (v / scaleTop) * (memoryHeight - 6);

  const laneWords = scene.recorders.map(recorder => ({ recorder, node: html("span.mt-state") }));
  const amounts = [...holders].reverse().map(holder => ({ holder, node: html("b") })), total = html("b");
  const laneRow = ({ recorder, node }) =>
    html("div.mt-lane", { style: `height:${lane}px`, title: recorder.name }, html("span.mt-lanename", recorder.name), node);
  const holdRow = ({ holder, node }) => html("div.mt-hold", { "data-holder": holder.id }, html("span", holder.label), node, html(`i.mt-swatch.h-${holder.id}`));
  const peakRow = html("span", html("span.mt-wide", "memory, "), `peak ${amount(peak, scene.unit)}`);
  const laneBox = html("div", laneWords.map(laneRow));
  gutter.append(laneBox);
  const sumRow = html("div.mt-hold.sum", peakRow, total, html("i"));
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
      for (const g of [all, past]) g.append(svg("polygon", { points, class: `h-${holder.id}`, "data-holder": holder.id }, svg("title", holder.label)));
      below = level;
    }
    // more than the end of a step shows: the most bytes inside it, as a whisker
    steps.forEach((step, i) => {
      if (highs[i] <= sums[i]) return;
      const d = `M${round(X(i))} ${round(Y(sums[i]))}V${round(Y(highs[i]))}m-2.5 0h5`;
      all.append(svg("path.mt-high", { d }, svg("title", `inside step ${i}: ${amount(highs[i], scene.unit)}`)));
    });
    const i = highs.indexOf(peak);
    const tip = svg("path.mt-peak", { d: `M${round(X(i))} ${round(Y(peak) - 0.5)}l-3.6-5.5h7.2Z` }, svg("title", peakWords(scene)));
    return [all, past, tip, svg("line.mt-base", { x1: EDGE, x2: width - EDGE, y1: foot, y2: foot })];
  }
  // The learner's names for stretches of time: a bracket each, inner ones under outer ones.
  const NAME = 19, until = [], rows = list(scene.names).map(one => {
    const free = until.findIndex(end => end <= one.from), row = free < 0 ? until.length : free;
    until[row] = one.to ?? steps.length;
    return row;
  });
  const namesHeight = until.length * NAME;
  function brackets() {
    return list(scene.names).flatMap((one, i) => {
      const x = X(one.from - 0.4), w = X((one.to ?? steps.length) - 0.6) - x, y = rows[i] * NAME, most = Math.floor(w / 6.4);
      const said = one.label.length <= most ? one.label : most > 2 ? `${one.label.slice(0, most - 1)}…` : "";
      return [svg("path.mt-nameline", { d: `M${round(x)} ${y + NAME - 3}v-4h${round(w)}v4` }, svg("title", one.label)),
        text(round(x + w / 2), y + 9, said, "mt-namewords", "middle")];
    });
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
    node, gutter, stepAt,
    // The score has its own staves: under it stands memory alone.
    build(room, withLanes = true) {
      width = Math.max(60, room);
      const over = withLanes ? namesHeight : 0;                              // the score says names in its own place
      top = over + (withLanes ? scene.recorders.length * lane + 10 : 10);
      laneBox.style.paddingTop = `${over}px`;
      foot = top + memoryHeight;
      laneBox.hidden = !withLanes;
      marks = [];
      clip = svg("rect", { x: 0, y: 0, width: 0, height: foot });
      cursor = svg("line.mt-cursor", { y1: 0, y2: foot });
      dot = svg("circle.mt-cursordot", { r: 3.5 });
      const lanes = (withLanes ? scene.recorders : []).flatMap((recorder, i) => {
        const y = over + i * lane + lane / 2;
        const track = svg("line.mt-track", { x1: EDGE, x2: width - EDGE, y1: y, y2: y });
        return [track, ...bands(recorder, y), ...laneMarks(recorder, y)];
      });
      const size = { width, height: foot + 17, viewBox: `0 0 ${width} ${foot + 17}` };
      const picture = svg("svg.mt-strip", { ...size, role: "img", "aria-label": withLanes ? "Recorder lanes and memory over the steps" : "Memory over the steps" },
        svg("defs", svg("clipPath", { id: `${prefix}-past` }, clip)), withLanes ? brackets() : [], lanes, holders.length ? memory() : [], ticks(),
        cursor, holders.length ? dot : null);
      dragThrough(picture, stepAt, hands.jump);
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
