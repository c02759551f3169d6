// @ts-check
// What is saved with a notebook: the state of its widgets, so that it can be opened again, and stepped, with no kernel.

const STATE = "application/vnd.jupyter.widget-state+json", VIEW = "application/vnd.jupyter.widget-view+json";
const KEEPS = Symbol.for("minitape.keeps");

/** Where a knob was turned, what stands beside the widget in its cell (a picture and words, for whoever has no kernel) is as the knobs are.
 * Nothing on the screen is touched.  @param {any} notebook @param {Record<string, any>} states by model */
function rest(notebook, states) {
  for (const { sharedModel } of notebook.model.cells || []) {
    (sharedModel?.getOutputs?.() || []).forEach((/** @type {any} */ output, /** @type {number} */ at) => {
      const state = states[output.data?.[VIEW]?.model_id]?.state, still = state?.still;
      if (!still?.["text/plain"]) return;
      sharedModel.updateOutputs(at, at + 1, [{ ...output, data: { ...output.data, ...still } }], "silent-change");
      delete state.still;                                                   // once is enough
    });
  }
}

/** From now on the notebook that shows a widget is saved as JupyterLab's "Save Widget State Automatically" would.  JupyterLab and
 * Notebook 7 let a widget reach its notebook; elsewhere this does nothing.
 * @param {any} model @param {() => Record<string, any>} [saved] what of its state only the page knows: asked when it is saved */
export function keep(model, saved) {
  const manager = model.widget_manager, notebook = manager?.context;
  if (!notebook?.saveState?.connect || !notebook.model?.setMetadata) return;
  const asked = /** @type {Map<string, () => Record<string, any>>} */ (manager[KEEPS] || new Map());
  if (saved) asked.set(`IPY_MODEL_${model.get("layout")?.model_id}`, saved);   // a widget is known by its layout, which is its own
  if (manager[KEEPS]) return;
  manager[KEEPS] = asked;
  notebook.saveState.connect((/** @type {any} */ _, /** @type {string} */ now) => {
    if (now !== "started") return;
    const all = manager.get_state_sync({ drop_defaults: true });
    for (const { state } of Object.values(all.state)) Object.assign(state, asked.get(state.layout)?.());
    rest(notebook, all.state);
    notebook.model.setMetadata("widgets", { [STATE]: all });
  });
}
