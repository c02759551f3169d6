// @ts-check
// What is saved with a notebook: the state of its widgets, so that it can be opened again, and stepped, with no kernel;
// and behind each widget its still, for whoever shows no widgets, as a page that nbconvert made and that is read
// without a network.

const STATE = "application/vnd.jupyter.widget-state+json", VIEW = "application/vnd.jupyter.widget-view+json";
const HTML = "text/html", WORDS = "text/plain", STILL = "mt-still";
const KEEPS = Symbol.for("minitape.keeps");

/** What a cell's outputs are in a file: what stood beside a widget (a picture and words) stands behind it, as an output
 * of its own, as the knobs are now.  Where a widget's state is saved, nbconvert looks at nothing that stands beside it.
 * @param {any[]} outputs @param {Record<string, any>} states by model */
export function filed(outputs, states) {
  return outputs.filter(({ metadata }) => !metadata?.[STILL]).flatMap(output => {
    const state = states[output.data?.[VIEW]?.model_id]?.state;
    const next = outputs[outputs.indexOf(output) + 1];
    const before = next?.metadata?.[STILL] ? next.data : {};                // of the last time that it was saved
    const still = { ...output.data, ...before, ...(state?.still?.[WORDS] ? state.still : {}) };
    if (!state || !still[HTML]) return [output];
    delete state.still;                                                     // once is enough
    const html = [still[HTML]].flat().join("");
    const behind = html.includes(STILL) ? html : `<div class="${STILL}">${html}</div>`;
    return [
      { ...output, data: { [VIEW]: output.data[VIEW], [WORDS]: "" } },
      { output_type: "display_data", metadata: { [STILL]: true }, data: { [HTML]: behind, [WORDS]: still[WORDS] } },
    ];
  });
}

/** Put that into a notebook; nothing on the screen is touched.
 * @param {any} notebook @param {Record<string, any>} states @returns {() => void} what puts everything back */
function rest(notebook, states) {
  const undo = /** @type {(() => void)[]} */ ([]);
  for (const { sharedModel } of notebook.model.cells || []) {
    const outputs = sharedModel?.getOutputs?.() || [], saved = filed(outputs, states);
    if (!saved.some(({ metadata }) => metadata?.[STILL])) continue;
    sharedModel.updateOutputs(0, outputs.length, saved, "silent-change");
    undo.push(() => sharedModel.updateOutputs(0, saved.length, outputs, "silent-change"));
  }
  return () => undo.splice(0).forEach(act => act());
}

/** The still behind a widget that is seen is not.  @param {HTMLElement} el @param {number} [tries] */
function cover(el, tries = 600) {
  // not in the page yet
  if (!el.isConnected) return void (tries && requestAnimationFrame(() => cover(el, tries - 1)));
  const next = /** @type {HTMLElement | null | undefined} */ (el.closest(".jp-OutputArea-child")?.nextElementSibling);
  if (next?.querySelector(`.${STILL}`)) next.style.display = "none";
}

/** From now on the notebook that shows a widget is saved as JupyterLab's "Save Widget State Automatically" would.
 * JupyterLab and Notebook 7 let a widget reach its notebook; elsewhere this does nothing.
 * @param {any} model @param {HTMLElement} el
 * @param {() => Record<string, any>} [saved] what of its state only the page knows: asked when it is saved */
export function keep(model, el, saved) {
  cover(el);
  const manager = model.widget_manager, notebook = manager?.context;
  if (!notebook?.saveState?.connect || !notebook.model?.setMetadata) return;
  const asked = /** @type {Map<string, () => Record<string, any>>} */ (manager[KEEPS] || new Map());
  // a widget is known by its layout, which is its own
  if (saved) asked.set(`IPY_MODEL_${model.get("layout")?.model_id}`, saved);
  if (manager[KEEPS]) return;
  manager[KEEPS] = asked;
  let undo = () => {};
  notebook.saveState.connect((/** @type {any} */ _, /** @type {string} */ now) => {
    const { dirty } = notebook.model;
    undo();
    notebook.model.dirty = dirty;                                           // it is as it was saved
    if (now !== "started") return;
    const all = manager.get_state_sync({ drop_defaults: true });
    for (const { state } of Object.values(all.state)) Object.assign(state, asked.get(state.layout)?.());
    undo = rest(notebook, all.state);
    notebook.model.setMetadata("widgets", { [STATE]: all });
  });
}
