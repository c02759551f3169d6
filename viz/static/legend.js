// The legend, with only the marks that a scene uses, and the sheet of keys.

import { NOT_YET, NEVER, CUT, MARKS, CELLS, SHAPES, LINE_MARKS, KEYS, octagon } from "./language.js";
import { html, svg, text, list } from "./tools.js";
import { rowsOf, peakWords } from "./facts.js";

export function legendPart(scene, view) {
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
  const kinds = new Set(cells.map(cell => cell.kind)), score = view === "score", graph = Boolean(scene.layout) && !score;
  const marks = new Set(scene.steps.flatMap(step => list(step.marks).map(([, mark]) => mark)));
  if (graph) {
    for (const [kind, words] of Object.entries(CELLS)) if (kinds.has(kind)) item(arrow(kind), words);
    if (scene.edges.some(edge => list(edge.kept).length)) {
      item(centred("free", "mt-pin kept"), "kept for the way back");
      item(centred("free", "mt-pin free"), "let go");
    }
    if (scene.regions.some(one => one.kind === "recompute" || one.kind === "rebuild")) {
      const region = cls => svg(`g.mt-region.recompute.${cls}`, svg("rect", { x: 2, y: 1, width: 18, height: 14, rx: 4 }));
      item([region("s-closed")], "a region: its values are let go");
      item([svg("g.mt-card.a-replay", box("mt-sheet2", { x: 5, y: 4, width: 15, height: 11, rx: 4 }), box("mt-face", { x: 2, y: 1, width: 15, height: 11, rx: 4 }))], "run again");
    }
    const tape = scene.regions.some(one => one.kind === "tape"), variable = scene.values.some(value => value.kind === "variable");
    if (tape) item(box("mt-ground", { x: 2, y: 1, width: 18, height: 14, rx: 4 }), "what a tape knows");
    if (variable) item(box("mt-square", { x: 3, y: 2, width: 16, height: 12, rx: 1 }), "square corners: a variable");
    if (scene.values.some(value => value.custom)) {
      item(svg("path.mt-disc", { d: octagon(11, 8, 22), transform: "translate(3.3 2.4) scale(.7)" }), "a gradient rule of your own");
    }
    if (scene.values.some(value => value.group)) {
      const sheet = x => svg("rect.mt-stack", { x, y: x - 1, width: 13, height: 9, rx: 3 });
      item([7, 4.5, 2].map(sheet), "a stack: many values told as one");
    }
    if (states.some(state => rowsOf(state.data))) {
      const positive = box("mt-sq.pos", { x: 2, y: 4, width: 8, height: 8 });
      const negative = box("mt-sq.neg", { x: 13, y: 5, width: 6, height: 6 });
      item([positive, negative], "positive, negative; area is size");
    }
  }
  if (score) {
    const line = (cls, ...more) => [svg("line", { x1: 0, x2: 22, y1: 8, y2: 8, class: cls }), ...more];
    const life = (...parts) => svg("g.mt-life", parts), shape = (mark, cls) => svg("g", { class: `mt-touch ${cls}` }, centred(mark, ""));
    item(life(line("mt-string")), "alive");
    if ([...scene.edges, ...scene.values].some(one => list(one.kept).length)) item(life(line("mt-kept"), line("mt-string")), "kept by a tape");
    if (scene.values.some(one => list(one.again).length)) item(line("mt-string again"), "there once more");
    item([shape("op", "value")], "written");
    item([shape("op", "value read")], "read");
    for (const [kind, words] of Object.entries(CELLS)) {
      if (kind !== "value" && kinds.has(kind)) item(line(`mt-derivative ${kind}`, shape(LINE_MARKS[kind], kind)), words);
    }
    if (scene.edges.some(edge => list(edge.carried).some(one => one.kind.startsWith("gradient")))) {
      item(svg("g.mt-road.gradient", svg("path.mt-roadline", { d: "M21 15V8H6" }), svg("path.mt-arctip", { d: "M1 8l7-3.6v7.2z" })), "road it took back");
      item(svg("g.mt-arc.gradient", svg("path.mt-arcline", { d: "M20 14C20 0 4 0 4 10" }), svg("path.mt-arctip", { d: "M4 15l-3-6h6z" })), "reads this entry");
    }
  }
  if (kinds.size > 1) item(sign(NOT_YET), "not yet");
  if (states.some(state => state.text === CUT)) item(sign("✂"), "None: the way is cut");
  if (states.some(state => state.text === NEVER)) item(sign(NEVER), "this recorder does not see it");
  if (scene.steps.some(step => step.high)) item(svg("path.mt-high", { d: "M11 14V3m-2.5 0h5" }), "most inside a step");
  for (const [mark, words] of Object.entries(MARKS)) {
    if (marks.has(mark) && !(graph && mark === "free")) item(centred(mark, `mt-mark m-${mark}`), words);
  }
  if (scene.holders.length) {
    item(svg("path.mt-peak", { d: "M11 12l-4.3-7h8.6Z" }), peakWords(scene));
    items.at(-1).classList.add("mt-long");
  }
  return html("div.mt-legend", items, html("span.mt-keys", "← → step · Space play · ? keys"));
}

export function helpPart(close) {
  const rows = KEYS.map(([keys, words]) => html("div.mt-key", html("kbd.mt-kbd", keys), html("span", words)));
  const closer = html("button.mt-word.mt-close", { type: "button", onclick: close }, "close");
  const hint = "Drag in the lanes, the score or memory to move through time. Click a card or a name to go to the step that made it. " +
    "Point at a card, a line, a term, a mark or a band of memory to see where else it is.";
  const sheet = html("div.mt-sheet", html("div.mt-sheethead", html("b", "Keys"), closer), rows, html("p.mt-hint", hint));
  return html("div.mt-help", { role: "dialog", "aria-label": "Keys", hidden: true }, sheet);
}
