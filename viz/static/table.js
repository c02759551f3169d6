// The values in words, where there are no positions for a graph.

import { NEVER, CUT } from "./language.js";
import { html, put, classes, write, keepInView, list, steady } from "./tools.js";
import { fact, focusOf, lineText, stateWords } from "./facts.js";

export function tablePart(scene) {
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
