// @ts-check
// Questions before a reveal.  They stand in the page with both ways in which their answer can be told; here is kept
// what was guessed.

import { focusOn, press } from "./common.js";
import { besides } from "./player.js";

besides.push(({ sheet, frame, options, find, focus, again, go, step, still, remember }) => {
  const box = find(".mt-asks"), last = sheet.steps - 1;
  const all = /** @type {HTMLElement[]} */ ([...box?.children || []]);
  const [asks, truths] = [".mt-ask", ".mt-truth"].map(kind => all.filter(one => one.matches(kind)));
  const guesses = { ...options.guesses };
  let asked = true;
  function fill(/** @type {Element} */ one, /** @type {string} */ guess) {
    for (const part of one.querySelectorAll("[data-slot], [data-story]")) {
      if (part.hasAttribute("data-slot")) part.replaceChildren(guess);
      else part.toggleAttribute("hidden", part.getAttribute("data-story") !== guess);
    }
  }

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
      for (const option of one.querySelectorAll("[data-option]")) {
        press(option, option.getAttribute("data-option") === guess);
      }
      one.querySelector(".mt-skip")?.toggleAttribute("hidden", Boolean(guess));
      one.querySelector(".mt-noted")?.toggleAttribute("hidden", !guess);
      fill(one, guess || "");
    }
    for (const one of truths) {             // the guess beside the truth, at the step that reveals it
      const guess = guesses[one.dataset.of || ""];
      const due = one.classList.contains(guess === one.dataset.answer ? "right" : "wrong");
      one.classList.toggle("now", asked && Boolean(guess) && Number(one.dataset.at) === n && due);
      fill(one, guess || "");
    }
  }
  /** Whether questions are asked; null leaves it as it is. @param {boolean | null} on */
  function predict(on) {
    const changed = on !== null && on !== asked;
    asked = on ?? asked;
    show();
    press(find(".mt-predict"), asked);
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
    predict, show,
    seen: () => ({ predict: asked }),
    wall: () => (asked ? wall() : Infinity),
    nudge(/** @type {boolean} */ byHand) {
      const one = asks.find(({ dataset }) => Number(dataset.at) === step());
      const shake = [0, -5, 5, 0].map(x => ({ transform: `translateX(${x}px)` }));
      if (one && !still()) one.animate(shake, 280);
      const button = one?.querySelector("button");
      if (byHand && button) focusOn(button);
    },
    address: () => (box && !asked ? "&predict=off" : ""),
    acts: () => (box ? { predict() { predict(!asked); remember(); } } : {}),
  };
});
