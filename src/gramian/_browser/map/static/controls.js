// @ts-check
/** The controls of a map: colour, names, axes, search and tools. */
import { fill, make } from "./payload.js";
/** @typedef {import("./payload.js").Payload} Payload */
const ICONS = /** @type {Record<string, string>} */ ({
  lasso: "M8 2C3 2 1 5 2 7s5 3 8 2 5-4 3-6-4-1-5-1M5 9c-2 1-2 4 0 5",
  box: "M2 3H14V13H2Z",
  pan: "M8 1V15M1 8H15M8 1L6 3M8 1L10 3M8 15L6 13M8 15L10 13M1 8L3 6M1 8L3 10M15 8L13 6M15 8L13 10",
  in: "M8 3V13M3 8H13",
  out: "M3 8H13",
  reset: "M2 6V2H6M10 2H14V6M14 10V14H10M6 14H2V10",
  clear: "M3 3L13 13M13 3L3 13",
});
const MOST_OPTIONS = 300;

/**
 * @param {Payload} payload
 * @param {Record<string, (...values: any[]) => any>} act
 */
export function buildControls(payload, act) {
  const { texts } = payload;
  const node = make("div", { class: "gm-controls" });

  const field = (/** @type {string} */ name, /** @type {HTMLElement} */ input) => {
    node.append(make("label", {}, [name + " ", input]));
    return /** @type {any} */ (input);
  };
  const option = (/** @type {string} */ value, /** @type {string} */ text) => make("option", { value }, text);

  const colour = make("select", { class: "gm-colour" });
  colour.append(option("", texts.none));
  const roles = { groups: ["group", "class"], columns: ["supplementary", "active"], measures: ["measure"] };
  for (const [title, wanted] of Object.entries(roles)) {
    const columns = payload.columns.filter((c) => wanted.includes(c.role)).slice(0, MOST_OPTIONS);
    if (!columns.length) continue;
    const short = (/** @type {string} */ name) => (name.length > 40 ? name.slice(0, 39) + "…" : name);
    colour.append(make("optgroup", { label: texts[title] }, columns.map((c) => option(c.key, short(c.name)))));
  }
  field(texts.colour, colour).addEventListener("change", () => act.setColour(colour.value || null));

  const axes = [0, 1].map((side) => make("select", { "aria-label": `${texts.axes} ${side ? "y" : "x"}` }));
  if (payload.axes.length > 2) {
    const span = make("span", { class: "gm-axes" }, texts.axes + " ");
    axes.forEach((select) => {
      select.append(...payload.axes.map((_, k) => option(String(k + 1), String(k + 1))));
      select.addEventListener("change", () => act.setAxes(Number(axes[0].value), Number(axes[1].value)));
      span.append(select);
    });
    node.append(span);
  }
  if (payload.labels) {
    const names = make("select", { class: "gm-names" });
    names.append(option("contribution", texts["by.contribution"]), option("cos2", texts["by.cos2"]), option("none", texts.none));
    field(texts.names, names).addEventListener("change", () => act.setNames(names.value));
  }
  const search = make("input", { type: "search", class: "gm-search", placeholder: texts.search, "aria-label": texts.search });
  search.addEventListener("input", () => act.find(search.value));
  node.append(search);

  const tools = make("span", { class: "gm-tools", role: "group", "aria-label": texts.tools });
  const button = (/** @type {string} */ name, /** @type {() => void} */ press) => {
    const made = make("button", { type: "button", title: texts[name], "aria-label": texts[name], "data-tool": name });
    const icon = make("svg", { viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true", focusable: "false" });
    icon.append(make("path", { d: ICONS[name], fill: "none", stroke: "currentColor", "stroke-width": 1.5 }));
    made.append(icon);
    made.addEventListener("click", press);
    tools.append(made);
    return made;
  };
  const modes = ["lasso", "box", "pan"].map((name) => button(name, () => act.setTool(name)));
  button("in", () => act.zoom(1.5));
  button("out", () => act.zoom(1 / 1.5));
  button("reset", () => act.reset());
  button("clear", () => { search.value = ""; act.find(""); });
  node.append(tools);

  const help = make("details", { class: "gm-help" });
  help.append(make("summary", {}, texts.help), make("p", {}, texts.keyboard));
  if (payload.left_out) help.append(make("p", {}, fill(texts.cut, { count: payload.left_out })));
  node.append(help);

  return {
    node,
    /** Show the state of the map. @param {{axes: number[], colour: string | null, tool: string}} state */
    update: (state) => {
      colour.value = state.colour || "";
      axes.forEach((select, side) => { select.value = String(state.axes[side]); });
      for (const mode of modes) mode.setAttribute("aria-pressed", String(mode.dataset.tool === state.tool));
    },
  };
}
