// @ts-check
// A page with many players and no kernel, such as a lesson on the site: each stands where its still stood, and begins
// when a reader comes near.

import { mountAlone } from "./alone.js";
import { press } from "./common.js";
import { unpacked } from "./packed.js";
import { mount } from "./mount.js";

/** @typedef {{kind: string, name: string, after: string[], words: Record<string, string>, html: string, sheet: any,
 *   opened: Record<string, string>, lens: string, options: any, live: string, hints: string[]}} Part */

const NEAR = "800px";
const guesses = /** @type {Map<string, string>} */ (new Map());
const waiting = /** @type {Set<() => void>} */ (new Set());

/** A run: its folds open one at a time, from what the page carries.
 * @param {HTMLElement} root @param {Part} told */
function steps(root, told) {
  let player = /** @type {any} */ (null);
  const { opened: packs, lens } = told;
  async function show(/** @type {string} */ id, /** @type {any} */ more = {}) {
    const sheet = packs[id] ? await unpacked(packs[id]) : told.sheet;
    player?.destroy();
    player = mount(root, sheet, {
      ...told.options, ...more,
      open: packs[id] ? [id] : [],
      opens: (/** @type {string} */ one) => Boolean(packs[one]),
      microscope: !packs[id] && lens && (() => unpacked(lens)),
      onopen(/** @type {string[]} */ ids) {
        const next = ids.at(-1) || "";
        const fold = told.sheet.folds.find((/** @type {any} */ [one]) => one === (next || id));
        show(next, { ...player.seen(), step: fold?.[1] ?? 0 });
      },
    });
  }
  show("");
}

/** A question in its place: what is written in its field, at Enter, or the button that is pressed, is an answer.
 * @param {HTMLElement} root @param {Part} told @param {(text: string, button: Element | null) => void} answer
 * @returns {HTMLElement} where it is told what that is worth */
function question(root, told, answer) {
  root.innerHTML = told.html;
  const field = root.querySelector("input"), written = () => field?.value.trim() || "";
  field?.addEventListener("keydown", event => {
    if (event.key === "Enter") answer(written(), null);
  });
  root.addEventListener("click", event => {
    const button = /** @type {Element} */ (event.target).closest("button");
    if (button) answer(button.getAttribute("data-option") ?? written(), button);
  });
  return /** @type {HTMLElement} */ (root.querySelector("[role=status]"));
}

/** A question: the guess is committed once, and what waits for it shows itself.
 * @param {HTMLElement} root @param {Part} told */
function asks(root, told) {
  const said = question(root, told, guess => {
    if (!guess || guesses.has(told.name)) return;
    guesses.set(told.name, guess);
    for (const one of root.querySelectorAll("button, input")) one.toggleAttribute("disabled", true);
    for (const one of root.querySelectorAll("[data-option]")) {
      press(one, one.getAttribute("data-option") === guess);
    }
    said.textContent = told.words[""].replace("%s", guess);
    for (const look of [...waiting]) look();
  });
}

/** A field whose answer is judged here: the right one is known, in its plainest spelling.
 * @param {HTMLElement} root @param {Part} told */
function checks(root, told) {
  const plain = (/** @type {string} */ text) =>
    text.trim().toLowerCase().replace("−", "-").replace(/^["']|["']$/g, "");
  let given = 0;
  const said = question(root, told, (text, button) => {
    const guess = plain(text);
    const is = (/** @type {string} */ one) => plain(one) === guess || Number(plain(one)) === Number(guess);
    const same = Object.keys(told.words).find(one => one && is(one));
    if (button?.hasAttribute("data-hint")) said.textContent = told.hints[given++ % told.hints.length];
    else if (guess) said.textContent = told.words[same || ""].replace("%s", text);
  });
}

/** Something that waits for guesses, and then is done once.
 * @param {HTMLElement} root @param {string[]} names @param {() => void} act */
function when(root, names, act) {
  root.dataset.waits = names.join(" ");
  const look = () => {
    if (!names.every(name => guesses.has(name))) return;
    waiting.delete(look);
    root.removeAttribute("data-waits");
    act();
  };
  waiting.add(look);
  look();
}

const kinds = /** @type {Record<string, (root: HTMLElement, told: Part) => void>} */ ({
  steps, asks, checks,
  async turns(root, told) {
    root.innerHTML = told.html;
    mountAlone(root, await unpacked(told.live), { ...told.options, page: false });
  },
  shows: (root, told) => when(root, told.after, () => {
    root.innerHTML = told.html;
    begin(root);
  }),
  compares: (root, told) => when(root, [told.name], () => {
    const guess = guesses.get(told.name) || "";
    root.querySelector("pre")?.replaceChildren((told.words[guess] ?? told.words[""]).replace("%s", guess));
  }),
});

/** Every part in here begins when it comes near.
 * @param {ParentNode} all */
function begin(all) {
  const near = new IntersectionObserver(seen => seen.filter(one => one.isIntersecting).forEach(async ({ target }) => {
    near.unobserve(target);
    const root = /** @type {HTMLElement} */ (target);
    const told = /** @type {Part} */ (await unpacked(root.dataset.told || ""));
    root.removeAttribute("data-told");
    kinds[told.kind](root, told);
  }), { rootMargin: NEAR });
  for (const root of all.querySelectorAll("[data-told]")) near.observe(root);
}

begin(document);
