// @ts-check
// Questions before a reveal.  They stand in the page with both ways in which their answer can be told; here is kept what was guessed.

import { besides } from "./player.js";

besides.push(({ sheet, frame, options, find, focus, again, go, step, still, remember }) => {
  const box = find(".mt-asks"), all = /** @type {HTMLElement[]} */ ([...box?.children || []]), last = sheet.steps - 1;
  const [asks, truths] = [".mt-ask", ".mt-truth"].map(kind => all.filter(one => one.matches(kind)));
  const guesses = { ...options.guesses };
  let asked = true;
  const fill = (/** @type {Element} */ one, /** @type {string} */ guess) => one.querySelectorAll("[data-slot], [data-story]").forEach(part =>
    part.hasAttribute("data-slot") ? part.replaceChildren(guess) : part.toggleAttribute("hidden", part.getAttribute("data-story") !== guess));

  /** The first step that waits for a guess. */
  const wall = () => Math.min(...asks.map(one => Number(one.dataset.at)).filter(at => guesses[at] === undefined));

  /** They stand as they do at this step; the frame says whether something waits. */
  function show() {
    if (!box) return;
    const n = step();
    box.hidden = !asked;
    frame.toggleAttribute("data-wall", asked && wall() < last);
    for (const one of asks) {
      const guess = guesses[one.dataset.at || ""], now = asked && Number(one.dataset.at) === n;
      one.classList.toggle("now", now);
      one.toggleAttribute("inert", !now);
      for (const option of one.querySelectorAll("[data-option]")) option.setAttribute("aria-pressed", String(option.getAttribute("data-option") === guess));
      for (const [name, hidden] of [["skip", guess], ["noted", !guess]]) one.querySelector(`.mt-${name}`)?.toggleAttribute("hidden", Boolean(hidden));
      fill(one, guess || "");
    }
    for (const one of truths) {                                             // the guess beside the truth, at the step that reveals it
      const guess = guesses[one.dataset.of || ""], right = guess === one.dataset.answer;
      one.classList.toggle("now", asked && Boolean(guess) && Number(one.dataset.at) === n && one.classList.contains(right ? "right" : "wrong"));
      fill(one, guess || "");
    }
  }
  /** Whether questions are asked; null leaves it as it is. @param {boolean | null} on */
  function predict(on) {
    const changed = on !== null && on !== asked;
    asked = on ?? asked;
    show();
    find(".mt-predict")?.setAttribute("aria-pressed", String(asked));
    if (changed) options.onpredict?.(asked);
  }
  box?.addEventListener("click", (/** @type {any} */ { target }) => {
    const option = target.closest("[data-option]");
    if (option) {
      guesses[step()] = option.getAttribute("data-option") || "";
      options.onguess?.({ ...guesses });
      again(step());
      focus(".mt-next");
    } else if (target.closest(".mt-skip")) {
      guesses[step()] = "";
      go(step() + 1);
    }
  });
  return {
    predict, show, seen: () => ({ predict: asked }), wall: () => (asked ? wall() : Infinity),
    nudge(/** @type {boolean} */ byHand) {
      const one = asks.find(({ dataset }) => Number(dataset.at) === step()), shake = [0, -5, 5, 0].map(x => ({ transform: `translateX(${x}px)` }));
      if (one && !still()) one.animate(shake, 280);
      if (byHand) one?.querySelector("button")?.focus({ preventScroll: true });
    },
    address: () => (box && !asked ? "&predict=off" : ""),
    acts: () => (box ? { predict: () => { predict(!asked); remember(); } } : {}),
  };
});
