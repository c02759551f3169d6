// @ts-check
// Questions before a reveal.  They stand in the page with both ways in which their answer can be told; here is kept what was guessed.

/** @param {HTMLElement} box @param {HTMLElement} frame which says whether something waits (data-wall) @param {number} last step @param {{reduced: () => boolean, next: () => void, skip: () => void, told?: (guesses: any) => void}} hands
 * @param {Record<string, string>} known what was guessed before, by step */
export function predictPart(box, frame, last, hands, known = {}) {
  const all = /** @type {HTMLElement[]} */ ([...box.children]);
  const [asks, truths] = [".mt-ask", ".mt-truth"].map(kind => all.filter(one => one.matches(kind)));
  const guesses = { ...known };
  let shown = 0;
  const due = (/** @type {number} */ n) => asks.find(one => Number(one.dataset.at) === n);
  const fill = (/** @type {Element} */ one, /** @type {string} */ guess) => one.querySelectorAll("[data-slot], [data-story]").forEach(part =>
    part.hasAttribute("data-slot") ? part.replaceChildren(guess) : part.toggleAttribute("hidden", part.getAttribute("data-story") !== guess));

  /** The first step that waits for a guess. */
  const wall = () => Math.min(...asks.map(one => Number(one.dataset.at)).filter(at => guesses[at] === undefined));

  /** At a step, and whether questions are asked at all. @param {number} n @param {boolean} asked */
  function update(n, asked) {
    shown = n;
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
  box.addEventListener("click", event => {
    const option = /** @type {Element} */ (event.target).closest("[data-option]"), at = String(shown);
    if (option) {
      guesses[at] = option.getAttribute("data-option") || "";
      update(shown, true);
      hands.told?.({ ...guesses });
      hands.next();
    } else if (/** @type {Element} */ (event.target).closest(".mt-skip")) {
      guesses[at] = "";
      hands.skip();
    }
  });
  return {
    update, wall,
    nudge(/** @type {boolean} */ byHand) {
      const one = due(shown), shake = [0, -5, 5, 0].map(x => ({ transform: `translateX(${x}px)` }));
      if (one && !hands.reduced()) one.animate(shake, 280);
      if (byHand) one?.querySelector("button")?.focus({ preventScroll: true });
    },
  };
}
