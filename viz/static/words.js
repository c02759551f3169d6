// Words: the sentence of a step, the reason of a None, the question; the code and the formula.

import { CUT } from "./language.js";
import { html, put, classes, write, keepInView, list, steady, columns } from "./tools.js";
import { fact, placeOf } from "./facts.js";

export function wordsPart(scene, answers, hands) {
  const say = html("p.mt-say", { "aria-live": "polite" }), why = html("div.mt-why"), ask = html("div.mt-ask");
  const { steps } = scene, sentence = step => (step.say || "").replace(/ ([=+×−]) /g, "\u00a0$1\u00a0");
  const revealedAt = i => Math.min(i + (steps[i].ask.after || 1), steps.length - 1);

  const reasons = new Map();                                              // step -> why a value became None just there
  for (const value of scene.values) for (const cell of list(value.cells)) for (const state of list(cell.states)) {
    if (state.text === CUT && state.why) reasons.set(state.t, (reasons.get(state.t) || new Set()).add(state.why));
  }
  const again = new Map();                                                // step -> the steps that run it again
  steps.forEach(({ twin }, i) => { if (twin !== undefined) again.set(twin, [...(again.get(twin) || []), i]); });
  const goTo = (n, said) => html("button.mt-goto", { type: "button", "data-step": n, onclick: () => hands.jump(n) }, said);
  // The sentence; where it speaks of the op's first run, and where an op runs again later, it leads there.
  function spoken(n) {
    const said = sentence(steps[n]), { twin } = steps[n], later = again.get(n);
    const at = twin === undefined ? -1 : said.lastIndexOf(`step ${twin}`), length = `step ${twin}`.length;
    if (at >= 0) return [said.slice(0, at), goTo(twin, said.slice(at, at + length)), said.slice(at + length)];
    if (!later) return [said];
    return [`${said} `, html("span.mt-later", "Again: ", later.flatMap((k, i) => [i ? ", " : "", goTo(k, `step ${k}`)]))];
  }
  const because = reason => html("div", html("b", { "aria-hidden": "true" }, "✂ "), `None: ${reason}`);
  const whyLines = n => [...(reasons.get(n) || [])].filter(one => !sentence(steps[n]).includes(one)).map(because);

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
      html("p.mt-say", spoken(n)), html("div.mt-why", whyLines(n)),
      html("div.mt-ask", question(n), truth(n, i => steps[i].ask.answer)),
    ]),
    update(n) {
      say.replaceChildren(...spoken(n));
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

export function codePart(scene) {
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

export function formulaPart(scene) {
  const node = html("div.mt-formula", { role: "group", "aria-label": "Current entry" });
  const terms = step => list(step.formula).map(([symbol, number, kind, id]) =>
    html("span", { class: `mt-term ${kind || "op"}`, "data-ref": id || null },
      html("b", symbol), html("i", symbol === "+=" ? "=" : String(number))));
  return { node, variants: () => scene.steps.map(terms), update: n => node.replaceChildren(...terms(scene.steps[n])) };
}
