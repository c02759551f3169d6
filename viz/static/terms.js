// @ts-check
// The sum behind one number: its terms one by one, added up here, beside what was recorded.

import { agrees, reader, termsOf, total, unflat, workedOut } from "./sums.js";
import { filled, made, oddsOf, placed_, sized, written } from "./arrays.js";

const FEW = 8, LARGEST = 6;                                                 // so many are told in full; of more, the largest

/** The terms of a step's number with what they come to.
 * @param {any} step @param {any} known the arrays by the names of the rule @param {import("./arrays.js").Many} result @param {number} number */
export function summed(step, known, result, number) {
  if (!step.rule) return null;
  const place = unflat(result.shape, number), terms = termsOf(step.rule, place, known), sum = total(step.rule, place, terms, known);
  return { terms, sum, fits: agrees(sum, result.data[number], terms) };
}

/** What stands in a term: each factor with its number, in the order of the formula.
 * @param {any} step @param {any} known @param {import("./sums.js").Term} term */
export function factorsOf(step, known, term) {
  const read = (/** @type {any} */ name) => (typeof name === "string" ? known[name].data[term.from[name]] : reader(step.rule.parts[term.part], term.letters, known)(name));
  const out = /** @type {[string, string][]} */ ([]), signed = (/** @type {string} */ number) => (out.length && number.startsWith("−") ? `(${number})` : number);
  for (const token of step.form.parts[term.part]) {
    if (token.among) return [];
    if (token.array) out.push([known[token.array].kind, signed(written(token.of ? workedOut(token.of, read) : read(token.array)))]);
    else if (!token.axes && token.sign !== "where") out.push(["", token.sign === "@" ? " × " : ` ${token.sign} `]);
  }
  return out;
}

/** @param {any} hands @param {Record<string, string>} words */
export function termsPart(hands, words) {
  const node = made("div.sum", { "aria-live": "polite" });
  /** @param {any} step @param {any} known @param {import("./arrays.js").Many[]} arrays @param {number} number @param {any} found
   * @param {number} hot */
  function show(step, known, arrays, number, found, hot) {
    const result = arrays[step.result], place = unflat(result.shape, number), recorded = result.data[number];
    const title = made("h2", { style: `color:var(--${result.kind})` }, `${result.name}${placed_(place)} = ${written(recorded)}`);
    const beside = [made("span.difference"), made("b.difference"), made("span.difference")];
    if (!found) return node.replaceChildren(title, made("p.quiet", {}, words.no_sum), made("div.sums", {}, ...beside));
    const { terms, sum, fits } = found, most = terms.reduce((/** @type {number} */ m, /** @type {any} */ t) => Math.max(m, Math.abs(t.value)), 0) || 1;
    const order = terms.map((/** @type {any} */ _, /** @type {number} */ i) => i);
    const shown = terms.length <= FEW ? order : order.sort((/** @type {number} */ a, /** @type {number} */ b) => Math.abs(terms[b].value) - Math.abs(terms[a].value)).slice(0, LARGEST);
    const bar = (/** @type {number} */ value) => {
      const long = (23 * Math.abs(value)) / most;
      return made("svg", { width: 50, height: 16, "aria-hidden": "true" }, made("path", { d: "M25 0v16", stroke: "var(--line)" }),
        made("rect", { x: value < 0 ? 25 - long : 25, y: 4, width: Math.max(value ? 1 : 0, long), height: 8, fill: `var(--${value < 0 ? "mute" : result.kind})` }));
    };
    const single = terms.length === 1 && step.rule.parts.length === 1;
    const rows = shown.map((/** @type {number} */ i) => {
      const term = terms[i], over = step.rule.parts[term.part].over.map((/** @type {any} */ [name]) => term.letters[name]);
      return made("button", { type: "button", "data-term": i, "data-on": i === hot, onclick: () => hands.follow(i), onpointerenter: () => hands.point(i), onfocus: () => hands.point(i) },
        made("span.at", {}, over.length ? `[${over.join(", ")}]` : ""),
        made("span", {}, ...factorsOf(step, known, term).map(([kind, text]) => made("span", { style: kind ? `color:var(--${kind})` : null }, text))),
        made("b", {}, written(term.value)), bar(term.value));
    });
    const many = terms.length > FEW, rest = many ? terms.length - shown.length : 0;
    const others = terms.reduce((/** @type {number} */ sum, /** @type {any} */ t, /** @type {number} */ i) => (shown.includes(i) ? sum : sum + t.value), 0);
    const lines = [];
    if (many && !step.rule.join) lines.push([filled(words.others, { count: rest }), written(others), ""]);
    if (step.form.then) lines.push([step.form.then, written(sum), fits ? words.fits : words.differs]);
    else lines.push([words[step.rule.join || (single ? "that_is" : "added")], written(sum), fits ? words.fits : words.differs]);
    if (step.before !== undefined && step.total !== undefined) {
      lines.push([words.before_it, written(arrays[step.before].data[number]), ""], [words.together, written(arrays[step.total].data[number]), ""]);
    }
    if (step.of !== undefined) lines.push([`${arrays[step.of].name}${placed_(place)}`, written(arrays[step.of].data[number]), ""]);
    node.replaceChildren(
      title, made("p.quiet", {}, filled(words[terms.length === 1 ? "one_term" : "terms"], { count: terms.length })),
      many ? strip(terms, most, result.kind) : "", made("div.addends", {}, ...rows),
      made("div.sums", {}, ...lines.map(([name, value, note]) => [made("span", {}, name), made("b", {}, value), made("span", {}, note)]), ...beside),
    );
  }
  /** All terms in order, as bars. */
  function strip(/** @type {any[]} */ terms, /** @type {number} */ most, /** @type {string} */ kind) {
    const shown = terms.slice(0, 400), width = 300 / shown.length;
    const path = (/** @type {boolean} */ under) => shown.map(({ value }, i) => (value < 0) === under && value
      ? `M${(i * width).toFixed(1)} 15v${(-14 * value / most).toFixed(1)}h${Math.max(0.6, width - 0.6).toFixed(1)}V15z` : "").join("");
    return made("svg.bars", { viewBox: "0 0 300 30", "aria-hidden": "true", preserveAspectRatio: "none" }, made("path", { d: path(false), fill: `var(--${kind})` }), made("path", { d: path(true), fill: "var(--mute)" }));
  }
  return {
    node, show,
    /** Which term is pointed at. */
    mark(/** @type {number} */ hot) { for (const one of node.querySelectorAll("[data-term]")) one.toggleAttribute("data-on", Number(one.dataset.term) === hot); },
    /** What a central difference says, or why there is none. */
    difference(/** @type {string} */ name, /** @type {string} */ value, /** @type {string} */ note) {
      [name, value, note].forEach((text, i) => { const at = node.querySelectorAll(".mt-difference")[i]; if (at) at.textContent = text; });
    },
  };
}

/** Norm, range, zeros, NaN and distribution of whole arrays.
 * @param {import("./arrays.js").Many[]} many @param {(one: import("./arrays.js").Many) => any} facts @param {Map<number, number>} ratios @param {Record<string, string>} words */
export function factsTable(many, facts, ratios, words) {
  const row = (/** @type {import("./arrays.js").Many} */ one) => {
    const { norm, low, high, zeros, bins } = facts(one), most = Math.max(...bins), ratio = ratios.get(one.number);
    const path = bins.map((/** @type {number} */ count, /** @type {number} */ i) => count ? `M${4 * i} 16v${-Math.max(1, (15 * count) / most)}h3V16z` : "").join("");
    const bad = oddsOf(one.data).map(([kind, count]) => filled(words[kind], { count })).join(", "), cells = [sized(one.shape), written(norm, 3), low > high ? "–" : `${written(low, 3)} … ${written(high, 3)}`, zeros || "0", bad || "0", ratio === undefined ? "–" : `${written(100 * ratio, 3)} %`];
    return made("tr", {}, made("th", { scope: "row", style: `color:var(--${one.kind})` }, one.name), ...cells.map((text, i) => made(i === 4 && bad ? "td.bad" : "td", {}, text)),
      made("td", {}, made("svg", { width: 80, height: 16, "aria-hidden": "true" }, made("path", { d: path, fill: `var(--${one.kind})` }))));
  };
  const heads = ["whole", "shape", "norm", "range", "zeros", "none", "ratio", "spread"].map(name => made("th", { scope: "col" }, words[name]));
  return made("table.facts", {}, made("thead", {}, made("tr", {}, ...heads)), made("tbody", {}, ...many.map(row)));
}
