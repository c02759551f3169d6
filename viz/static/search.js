// "Where is w1?": a box that finds values, ops, lines and steps by their words, lists them, and leads to where they are.

import { html, list } from "./tools.js";
import { placeOf } from "./facts.js";

const MOST_HITS = 12;

// Everything that can be found: its words, what the list says, the step to go to, and what lights up there.
function indexOf(scene) {
  const found = [], of = new Map(scene.values.map(value => [placeOf(value.place), []]));
  for (const value of scene.values) {
    const derivatives = list(value.cells).slice(1).map(cell => cell.label);
    const ghost = value.ghost ? `, not written down: ${value.ghost}` : "";
    const made = value.op ? `made by ${value.op}` : value.kind;
    of.get(placeOf(value.place)).push(value.id);
    const also = [value.op, value.kind, ghost, ...derivatives], lit = [value.id];
    found.push({ kind: "value", name: value.name, also, said: `${made}${ghost}`, step: value.born, lit });
    for (const cell of list(value.cells).slice(1)) {
      const first = list(cell.states).find(state => state.text || state.data);
      if (!first) continue;
      const kind = cell.kind.startsWith("gradient") ? "gradient" : "tangent";
      const said = `of ${value.name}${first.why ? `, None: ${first.why}` : ""}`;
      found.push({ kind, name: cell.label, also: [first.text, first.why], said, step: first.t, lit });
    }
  }
  for (const source of scene.sources) for (const [number, text] of list(source.lines)) {
    const place = `${source.id}|${number}`, step = scene.steps.findIndex(one => placeOf(one.place) === place);
    const lit = of.get(place) || [], also = [text, source.label];
    if (step >= 0) found.push({ kind: "line", name: `line ${number}`, also, said: text.trim(), step, lit });
  }
  for (const recorder of scene.recorders) {
    const step = scene.steps.findIndex(one => list(one.marks).some(([id]) => id === recorder.id));
    if (step >= 0) found.push({ kind: recorder.kind, name: recorder.name, also: [], said: "begins", step, lit: [] });
  }
  scene.steps.forEach(({ say }, step) => found.push({ kind: "step", name: `step ${step}`, also: [say], said: say, step, lit: [] }));
  return found;
}

// Whole names first, then names that begin so, then names that hold it, then everything else that says it.
function rank({ name, also }, asked) {
  const low = name.toLowerCase();
  if (low === asked) return 0;
  if (low.startsWith(asked)) return 1;
  if (low.includes(asked)) return 2;
  return also.some(words => words && words.toLowerCase().includes(asked)) ? 3 : -1;
}

export function findIn(scene, question) {
  const asked = question.trim().toLowerCase().replace(/^where is |\?$/g, "").replace(/^(line|step):/, "$1 ");
  if (!asked) return [];
  const ranked = indexOf(scene).map((one, i) => ({ ...one, i, rank: rank(one, asked) })).filter(one => one.rank >= 0);
  return ranked.sort((a, b) => a.rank - b.rank || a.i - b.i);
}

export function searchPart(scene, hands) {
  const plain = { autocomplete: "off", spellcheck: "false", "aria-label": "Find a value, an op, a line" };
  const input = html("input.mt-query", { type: "search", placeholder: "where is …?", ...plain });
  const hits = html("ul.mt-hits", { role: "listbox", "aria-label": "Found" }), none = html("p.mt-none", { role: "status" });
  const node = html("div.mt-search", { role: "search", hidden: true }, input, hits, none);
  let found = [], at = 0;

  function show() {
    const all = findIn(scene, input.value);
    found = all.slice(0, MOST_HITS);
    at = 0;
    hits.replaceChildren(...found.map((one, i) => {
      const acts = { onclick: () => take(i), onpointerenter: () => hands.light(one.lit) };
      return html("li.mt-hit", { role: "option", "aria-selected": "false", ...acts },
        html("b", one.name), html("span", one.said), html("i", one.kind === "step" ? "" : `step ${one.step}`));
    }));
    const more = all.length > found.length ? `and ${all.length - found.length} more` : "";
    const nothing = input.value.trim() ? "nothing of that name" : "a name, an op, a line, a word";
    none.textContent = all.length ? more : nothing;
    mark(0);
  }
  function mark(i) {
    at = Math.min(Math.max(0, i), found.length - 1);
    [...hits.children].forEach((one, k) => one.setAttribute("aria-selected", String(k === at)));
    hits.children[at]?.scrollIntoView({ block: "nearest" });
  }
  function take(i) {
    const one = found[i];
    if (!one) return;
    open(false);
    hands.jump(one.step);
    hands.light(one.lit);
  }
  function open(on) {
    if (node.hidden !== on) return;
    node.hidden = !on;
    if (on) {
      show();
      input.focus({ preventScroll: true });
      input.select();
    } else hands.focus();
  }
  input.addEventListener("input", show);
  node.addEventListener("keydown", event => {
    const acts = { ArrowDown: () => mark(at + 1), ArrowUp: () => mark(at - 1), Enter: () => take(at), Escape: () => open(false) };
    if (acts[event.key]) {
      acts[event.key]();
      event.preventDefault();
    }
    event.stopPropagation();                                              // what is typed here is nobody's shortcut
  });
  node.addEventListener("focusout", event => { if (event.relatedTarget && !node.contains(event.relatedTarget)) open(false); });
  return { node, open, opened: () => !node.hidden };
}
