// @ts-check
// Playing: one step after the other by itself, as fast as a reader has chosen.

import { clamp } from "./common.js";

const BEAT = 1700;   // ms between two steps

/** @param {(what: string) => any} find @param {() => void} begin before the first step
 * @param {() => boolean} step takes one; whether that was the last */
export function clockPart(find, begin, step) {
  const speeds = find(".mt-speed");
  let timer = 0;
  function play() {
    begin();
    timer = window.setInterval(() => { if (step()) stop(); }, BEAT / Number(speeds.value));
    show();
  }
  /** Whether nothing was played. */
  function stop() {
    const byHand = !timer;
    clearInterval(timer);
    timer = 0;
    show();
    return byHand;
  }
  function show() {
    const button = find(".mt-play");
    button.title = timer ? button.dataset.on : button.dataset.off;
    button.toggleAttribute("data-playing", timer > 0);
  }
  /** Faster or slower by so many of the speeds; by none where a reader has chosen one. */
  function speed(by = 0) {
    speeds.selectedIndex = clamp(0, speeds.selectedIndex + by, speeds.length - 1);
    if (timer) { stop(); play(); }
  }
  return { speeds, stop, speed, flip: () => { if (timer) stop(); else play(); } };
}
