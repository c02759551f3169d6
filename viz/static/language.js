// The picture language: marks, signs and sizes.  A test compares them with viz/style.py.

export const SIZES = { ROW: 21, PAD: 9, DISC: 30, CHAR: 7.4, LABEL_CHAR: 6.6, PIXEL: 9 };
export const CAPSULE = 38, SIGN_CHAR = 6.4;                          // px: the widest disc beside a card, the advance of its letters
export const NOT_YET = "·", NEVER = "∅", CUT = "None";
export const MARKS = {
  enter: "starts listening", exit: "stops listening", pause: "pauses", resume: "goes on listening", watch: "watches a value",
  op: "op, written down", ghost: "op, not written down", seed: "the way back starts", back: "backward step",
  seed2: "the way back of an outer recorder starts", back2: "backward step of an outer recorder",
  tangent: "tangent", tangent2: "tangent of an outer accumulator", replay: "op, run again",
  rebuild: "op, run backwards to rebuild a value", look: "look-up", miss: "look-up that finds nothing",
  free: "lets go", write: "a variable changes",
};
export const CELLS = {
  value: "value, forward", gradient: "gradient, back", gradient2: "gradient of an outer tape", tangent: "tangent",
  tangent2: "tangent of an outer accumulator",
};
export const SCHEMA = "minitape-scene/1";
export const WAYS = { forward: "value", back: "gradient", back2: "gradient2", tangent: "tangent", tangent2: "tangent2" };
export const isBack = way => way === "back" || way === "back2";

// One outline per event, centred on 0 0: the shape says what happened, colour only repeats it.
export const SHAPES = {
  enter: "M3-6H0V6H3", exit: "M-3-6H0V6H-3", pause: "M-2.2-5V5M2.2-5V5", resume: "M-3.4-5V5M0-4.4L5 0L0 4.4Z",
  watch: "M4.6 0A4.6 4.6 0 1 1-4.6 0A4.6 4.6 0 1 1 4.6 0ZM1.2 0A1.2 1.2 0 1 1-1.2 0A1.2 1.2 0 1 1 1.2 0Z",
  op: "M4 0A4 4 0 1 1-4 0A4 4 0 1 1 4 0Z", ghost: "M4 0A4 4 0 1 1-4 0A4 4 0 1 1 4 0Z",
  seed: "M3.6-4.6L-4.6 0L3.6 4.6Z", back: "M3.6-4.6L-4.6 0L3.6 4.6Z",
  seed2: "M2.6-4.6L-5 0L2.6 4.6ZM5.4-4.6V4.6", back2: "M2.6-4.6L-5 0L2.6 4.6ZM5.4-4.6V4.6",
  tangent: "M-3.6-4.6L4.6 0L-3.6 4.6Z", tangent2: "M-2.6-4.6L5 0L-2.6 4.6ZM-5.4-4.6V4.6",
  replay: "M3.4 2.4A4.2 4.2 0 1 1 3.4-2.4M4.6-5.6V-1.6H.8", rebuild: "M-3.4 2.4A4.2 4.2 0 1 0-3.4-2.4M-4.6-5.6V-1.6H-.8",
  look: "M1.6 1.6L5.6 5.6M2.6-1A3.6 3.6 0 1 1-4.6-1A3.6 3.6 0 1 1 2.6-1", miss: "M-4-4L4 4M4-4L-4 4",
  free: "M0-5L5 0L0 5L-5 0Z", write: "M-3.5-3.5H3.5V3.5H-3.5Z",
};
// The disc of an op that goes back by a rule of the learner's: its corners are cut instead of round.
export const octagon = (cx, cy, wide) =>
  `M${cx - wide / 2 + 6.4} ${cy - 11}h${wide - 12.8}l6.4 6.4v9.2l-6.4 6.4h${12.8 - wide}l-6.4-6.4v-9.2Z`;
// The mark of a line of the score: what its numbers are.
export const LINE_MARKS = { value: "op", gradient: "back", gradient2: "back2", tangent: "tangent", tangent2: "tangent2" };
export const ICONS = {
  first: "M5 4v12M15 4L7 10l8 6z", back: "M13 4L5 10l8 6z", play: "M6 4l10 6-10 6z", pause: "M6 4h3v12H6zM11 4h3v12h-3z",
  next: "M7 4l8 6-8 6z", last: "M15 4v12M5 4l8 6-8 6z",
};
export const KEYS = [
  ["→", "next step"], ["←", "step back"], ["Home, End", "first, last step"], ["Space", "play, pause"],
  ["[ ]", "slower, faster"],
  ["G", "graph or score"], ["F", "unfold what a long run folds, fold it again"],
  ["P", "ask me before a reveal, or not"], ["/", "find a value, an op, a line"], ["T", "light or dark"], ["?", "this sheet"],
  ["Esc", "close it"],
];
