// @ts-check
// The sum behind one number: its terms one by one, added up here, beside what was recorded.

import { agrees, reader, termsOf, total, unflat, workedOut } from "./sums.js";
import { oddsOf, placed_, sized, told, written } from "./arrays.js";
import { filled, made } from "./elements.js";

/** @typedef {import("./sums.js").Term} Term */

const FEW = 8, LARGEST = 6;   // so many are told in full; of more, the largest

/** The terms of a step's number with what they come to.
 * @param {any} step @param {any} known the arrays by the names of the rule
 * @param {import("./arrays.js").Many} result @param {number} number */
export function summed(step, known, result, number) {
  if (!step.rule) return null;
  const place = unflat(result.shape, number);
  const terms = termsOf(step.rule, place, known), sum = total(step.rule, place, terms, known);
  return { terms, sum, fits: agrees(sum, result.data[number], terms) };
}

/** What stands in a term: each factor with its number, in the order of the formula.
 * @param {any} step @param {any} known @param {Term} term */
export function factorsOf(step, known, term) {
  const inner = reader(step.rule?.parts[term.part] || {}, term.letters, known);
  const out = /** @type {[string, string][]} */ ([]);
  const read = (/** @type {any} */ name) =>
    (typeof name === "string" ? known[name].data[term.from[name]] : inner(name));
  const signed = (/** @type {string} */ number) => (out.length && number.startsWith("−") ? `(${number})` : number);
  for (const { part, array, among, of, sign } of step.row) {
    if (part !== term.part) continue;
    if (among) return [];
    if (array) out.push([known[array].kind, signed(written(of ? workedOut(of, read) : read(array)))]);
    else out.push(["", sign === "@" ? " × " : ` ${sign} `]);
  }
  return out;
}

/** @param {any} hands @param {Record<string, string>} words */
export function termsPart(hands, words) {
  const node = made("div.sum", { "aria-live": "polite" });
  /** @param {any} step @param {any} known @param {import("./arrays.js").Many[]} arrays @param {number} number
   * @param {any} found @param {number} hot */
  function show(step, known, arrays, number, found, hot) {
    const result = arrays[step.result], place = unflat(result.shape, number);
    const told = { name: `${result.name}${placed_(place)}`, number: written(result.data[number]) };
    const title = made("h2", { style: `color:var(--${result.kind})` },
      step.share ? filled(words.adds, told) : `${told.name} = ${told.number}`);
    const beside = [made("span.difference"), made("b.difference"), made("span.difference")];
    if (!found) return node.replaceChildren(title, made("p.quiet", {}, words.no_sum), made("div.sums", {}, ...beside));
    const { terms, sum, fits } = /** @type {{terms: Term[], sum: number, fits: boolean}} */ (found);
    const many = terms.length > FEW;
    const size = (/** @type {number} */ i) => Math.abs(terms[i].value);
    const most = terms.reduce((top, _, i) => Math.max(top, size(i)), 0) || 1;
    const shown = many ? [...terms.keys()].sort((a, b) => size(b) - size(a)).slice(0, LARGEST) : [...terms.keys()];
    const bar = (/** @type {number} */ value) => {
      const long = (23 * Math.abs(value)) / most, hue = value < 0 ? "mute" : result.kind;
      return made("svg", { width: 50, height: 16, "aria-hidden": "true" },
        made("path", { d: "M25 0v16", stroke: "var(--line)" }),
        made("rect", {
          x: value < 0 ? 25 - long : 25, y: 4, width: Math.max(value ? 1 : 0, long), height: 8, fill: `var(--${hue})`,
        }));
    };
    const rows = shown.map(i => {
      const term = terms[i], factors = factorsOf(step, known, term);
      const over = step.rule.parts[term.part].over.map((/** @type {any} */ [name]) => term.letters[name]);
      const point = () => hands.point(i);
      const hears = { onclick: () => hands.follow(i), onpointerenter: point, onfocus: point };
      return made("button", { type: "button", "data-term": i, "data-on": i === hot, ...hears },
        made("span.at", {}, placed_(over)),
        made("span", {}, ...factors.map(([kind, text]) =>
          made("span", { style: kind ? `color:var(--${kind})` : null }, text))),
        made("b", {}, written(term.value)),
        bar(term.value));
    });
    const { join } = step.rule, single = terms.length === 1 && step.rule.parts.length === 1;
    const lines = [];
    if (many && !join) {
      const others = terms.reduce((all, { value }, i) => (shown.includes(i) ? all : all + value), 0);
      lines.push([filled(words.others, { count: terms.length - shown.length }), written(others)]);
    }
    const does = step.then || words[join || (single ? "that_is" : "added")];
    lines.push([does, written(sum), fits ? words.fits : words.differs]);
    const line = (/** @type {string} */ name, /** @type {number} */ array) =>
      lines.push([name, written(arrays[array].data[number])]);
    if (step.before !== undefined && step.total !== undefined) {
      line(words.before_it, step.before);
      line(words.together, step.total);
    }
    if (step.of !== undefined) line(`${arrays[step.of].name}${placed_(place)}`, step.of);
    node.replaceChildren(
      title,
      made("p.quiet", {}, filled(words[terms.length === 1 ? "one_term" : "terms"], { count: terms.length })),
      many ? strip(terms, most, result.kind) : "",
      made("div.addends", {}, ...rows),
      made("div.sums", {}, ...lines.map(([name, value, note = ""]) =>
        [made("span", {}, name), made("b", {}, value), made("span", {}, note)]), ...beside),
    );
  }
  /** All terms in order, as bars. */
  function strip(/** @type {Term[]} */ terms, /** @type {number} */ most, /** @type {string} */ kind) {
    const shown = terms.slice(0, 400), width = 300 / shown.length;
    const wide = Math.max(0.6, width - 0.6).toFixed(1);
    const path = (/** @type {boolean} */ under) => shown.map(({ value }, i) => {
      if (!value || value < 0 !== under) return "";
      return `M${(i * width).toFixed(1)} 15v${(-14 * value / most).toFixed(1)}h${wide}V15z`;
    }).join("");
    return made("svg.bars", { viewBox: "0 0 300 30", "aria-hidden": "true", preserveAspectRatio: "none" },
      made("path", { d: path(false), fill: `var(--${kind})` }),
      made("path", { d: path(true), fill: "var(--mute)" }));
  }
  return {
    node, show,
    /** Which term is pointed at. */
    mark(/** @type {number} */ hot) {
      for (const one of node.querySelectorAll("[data-term]")) {
        one.toggleAttribute("data-on", Number(one.dataset.term) === hot);
      }
    },
    /** What a central difference says, or why there is none. */
    difference(/** @type {string} */ name, /** @type {string} */ value, /** @type {string} */ note) {
      [name, value, note].forEach((text, i) => {
        const at = node.querySelectorAll(".mt-difference")[i];
        if (at) at.textContent = text;
      });
    },
  };
}

/** Norm, range, zeros, NaN and distribution of whole arrays; of the first also its norm beside the one of another.
 * @param {import("./arrays.js").Many[]} many @param {import("./arrays.js").Many | undefined} other
 * @param {Record<string, string>} words */
export function factsTable(many, other, words) {
  const rows = many.map(({ name, kind, shape, data }, at) => {
    const { norm, low, high, zeros, bins } = told(data), most = Math.max(...bins);
    const range = `${written(low, 3)} … ${written(high, 3)}`;
    const bad = oddsOf(data).map(([kind, count]) => filled(words[kind], { count })).join(", ");
    const path = bins.map((count, i) =>
      (count ? `M${4 * i} 16v${-Math.max(1, (15 * count) / most)}h3V16z` : "")).join("");
    const ratio = at || !other ? "–" : `${written((100 * norm) / told(other.data).norm, 3)} %`;
    const cells = [sized(shape), written(norm, 3), low > high ? "–" : range, zeros, bad || "0", ratio];
    return made("tr", {}, made("th", { scope: "row", style: `color:var(--${kind})` }, name),
      ...cells.map((text, i) => made(i === 4 && bad ? "td.bad" : "td", {}, text)),
      made("td", {},
        made("svg", { width: 80, height: 16, "aria-hidden": "true" },
          made("path", { d: path, fill: `var(--${kind})` }))));
  });
  const heads = ["whole", "shape", "norm", "range", "zeros", "none", "ratio", "spread"]
    .map(name => made("th", { scope: "col" }, words[name]));
  return made("table.facts", {}, made("thead", {}, made("tr", {}, ...heads)), made("tbody", {}, ...rows));
}
