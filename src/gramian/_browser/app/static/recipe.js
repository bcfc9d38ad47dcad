// @ts-check
/** The left side: findings with buttons, columns by role, and the settings of the method. */
import { fill, make } from "../map/payload.js";
const ROLES = /** @type {const} */ (["active", "supplementary", "group", "ignored"]);
const MOST_COLUMNS = 200;  // of a role that are listed
const METRICS = ["euclidean", "cityblock", "chebyshev", "cosine", "correlation", "braycurtis", "gower"];
const STEPS = 12;  // of the slider on each side of the usual scale; four to a factor of two

/**
 * @param {Record<string, any>} about what the session was started with
 * @param {(action: any) => void} act sends a change of the recipe
 * @param {(kernel: any) => void} preview asks for a quick map
 */
export function recipePanel(about, act, preview) {
  const { texts } = about;
  const parts = Object.fromEntries(["findings", "settings", "columns"].map((id) => [id, byId(id)]));
  let usualScale = 1;
  let state = /** @type {any} */ (null);

  const set = (/** @type {any} */ value) => act({ action: "set", value });

  function findings() {
    parts.findings.replaceChildren(make("h3", {}, texts.findings));
    if (!state.findings.length) parts.findings.append(make("p", { class: "help" }, texts["findings.none"]));
    for (const found of state.findings) {
      const node = make("div", { class: "finding" });
      node.append(make("p", {}, found.text));
      for (const fix of found.fixes) {
        const button = make("button", { "data-fix": fix.name }, fix.label);
        button.addEventListener("click", () => act({ action: "fix", value: { name: fix.name, value: fix.value } }));
        node.append(button);
      }
      parts.findings.append(node);
    }
  }

  function columns() {
    parts.columns.replaceChildren(make("h3", {}, texts.columns));
    parts.columns.hidden = !state.columns.length;
    parts.columns.append(make("p", { class: "help" }, texts["columns.help"]));
    for (const role of ROLES) {
      const own = state.columns.filter((/** @type {any} */ c) => c.role === role);
      const box = make("div", { class: "role", "data-role": role });
      const list = make("ul", { "aria-label": texts[`role.${role}`] });
      box.append(make("h3", {}, `${texts[`role.${role}`]} (${own.length})`), list);
      own.slice(0, MOST_COLUMNS).forEach((/** @type {any} */ column) => list.append(item(column)));
      if (own.length > MOST_COLUMNS) box.append(make("p", { class: "help" }, fill(texts["columns.more"], { count: own.length - MOST_COLUMNS })));
      box.addEventListener("dragover", (/** @type {DragEvent} */ event) => {
        if (!event.dataTransfer || !event.dataTransfer.types.includes("text/x-column")) return;
        event.preventDefault();
        box.classList.add("over");
      });
      box.addEventListener("dragleave", () => box.classList.remove("over"));
      box.addEventListener("drop", (/** @type {DragEvent} */ event) => {
        const name = event.dataTransfer ? event.dataTransfer.getData("text/x-column") : "";
        box.classList.remove("over");
        if (!name) return;
        event.preventDefault();
        event.stopPropagation();
        move(name, role);
      });
      parts.columns.append(box);
    }
  }

  const move = (/** @type {string} */ column, /** @type {string} */ role) => {
    const known = state.columns.find((/** @type {any} */ c) => c.name === column);
    if (known && known.role !== role) act({ action: "role", value: { column, role } });
  };

  /** A column that can be dragged, or moved by a key. @param {any} column */
  function item(column) {
    const missing = column.missing ? ` (${column.missing} NA)` : "";
    const node = make("li", { draggable: "true", tabindex: 0, "data-column": column.name }, column.name + missing);
    node.addEventListener("dragstart", (/** @type {DragEvent} */ event) => {
      if (event.dataTransfer) event.dataTransfer.setData("text/x-column", column.name);
    });
    node.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
      const role = ROLES.find((name) => name[0] === event.key.toLowerCase());
      const near = { ArrowDown: node.nextElementSibling, ArrowUp: node.previousElementSibling };
      if (role && !event.ctrlKey && !event.metaKey) move(column.name, role);
      else if (event.key in near) /** @type {any} */ (near)[event.key]?.focus();
      else return;
      event.preventDefault();
    });
    return node;
  }

  /** @param {string} label @param {any} input @param {string} id */
  function field(label, input, id) {
    input.id = id;
    parts.settings.append(make("label", {}, [label + " ", input]));
    return input;
  }

  /** @param {string[]} values @param {(value: string) => string} word @param {string} chosen */
  function choice(values, word, chosen) {
    const node = make("select");
    for (const value of values) {
      const option = make("option", { value }, word(value));
      option.selected = value === chosen;
      node.append(option);
    }
    return node;
  }

  function settings() {
    const { recipe } = state;
    const focus = document.activeElement ? document.activeElement.id : "";
    parts.settings.replaceChildren();
    if (state.kind !== "fit") {
      field(texts.method, choice(about.methods, (m) => texts[`method.${m}`], recipe.method), "method")
        .addEventListener("change", (/** @type {any} */ e) => set({ method: e.target.value }));
      if (["pca", "auto", "kernel-pca", "mds", "classical-mds"].includes(recipe.method)) scaling(recipe);
      if (state.kind === "table" && recipe.method.includes("mds")) {
        field(texts.metric, choice(METRICS, (m) => m, recipe.metric || "euclidean"), "metric")
          .addEventListener("change", (/** @type {any} */ e) => set({ metric: e.target.value }));
      }
      if (state.kind === "table" && recipe.method === "kernel-pca") kernels(recipe);
    }
    clusters(recipe);
    rows(recipe);
    if (focus) document.getElementById(focus)?.focus();
  }

  function scaling(/** @type {any} */ recipe) {
    const box = make("input", { type: "checkbox", id: "scale" });
    box.checked = recipe.scale;
    box.addEventListener("change", () => set({ scale: box.checked }));
    parts.settings.append(make("label", { class: "line" }, [box, make("span", {}, texts.scale)]));
  }

  function kernels(/** @type {any} */ recipe) {
    const kernel = recipe.kernel || { name: "gaussian" };
    field(texts.kernel, choice(Object.keys(about.kernels), (k) => k.replace("_", " "), kernel.name), "kernel")
      .addEventListener("change", (/** @type {any} */ e) => set({ kernel: { name: e.target.value } }));
    const moved = about.kernels[kernel.name];
    if (!moved) return;
    const isScale = moved === "scale";
    const value = isScale ? 4 * Math.log2((kernel.scale || usualScale) / usualScale) : kernel.degree || 3;
    const slider = make("input", { type: "range", min: isScale ? -STEPS : 1, max: isScale ? STEPS : 6, step: isScale ? 0.25 : 1 });
    slider.value = String(value);
    const shown = make("span", { class: "value" });
    const spec = () => ({ name: kernel.name, [moved]: isScale ? usualScale * 2 ** (Number(slider.value) / 4) : Number(slider.value) });
    const show = () => { shown.textContent = Number(spec()[moved]).toPrecision(3); };
    show();
    parts.settings.append(shown);
    field(texts[`kernel.${moved}`], slider, "slider");
    slider.addEventListener("input", () => { show(); preview(spec()); });
    slider.addEventListener("change", () => set({ kernel: spec() }));
  }

  function clusters(/** @type {any} */ recipe) {
    const shown = make("span", { class: "value" });
    const number = typeof recipe.clusters === "number" ? recipe.clusters : 1;
    const slider = make("input", { type: "range", min: 1, max: 12, step: 1 });
    slider.value = String(number);
    const word = () => (Number(slider.value) < 2 ? texts["clusters.none"] : slider.value);
    shown.textContent = recipe.clusters === "auto" ? texts["clusters.auto"] : word();
    parts.settings.append(shown);
    field(texts.clusters, slider, "clusters");
    slider.addEventListener("input", () => { shown.textContent = word(); });
    slider.addEventListener("change", () => set({ clusters: Number(slider.value) < 2 ? null : Number(slider.value) }));
    const auto = make("button", { id: "clusters-auto" }, texts["clusters.auto"]);
    auto.addEventListener("click", () => set({ clusters: "auto" }));
    parts.settings.append(auto);
  }

  function rows(/** @type {any} */ recipe) {
    const line = (/** @type {string} */ text, /** @type {string} */ label, /** @type {any} */ value) => {
      const button = make("button", {}, label);
      button.addEventListener("click", () => set(value));
      parts.settings.append(make("div", { class: "row" }, [make("p", {}, text), button]));
    };
    if (recipe.only) line(fill(texts["rows.only"], { count: recipe.only.length }), texts["rows.all"], { only: null });
    const extra = recipe.supplementary_rows.length;
    if (extra) line(fill(texts["rows.supplementary"], { count: extra }), texts["rows.active"], { supplementary_rows: [] });
  }

  return {
    show(/** @type {any} */ description) {
      state = description;
      findings();
      settings();
      columns();
    },
    setUsualScale(/** @type {number | null} */ scale) {
      if (!scale || scale === usualScale || !state) return;
      usualScale = scale;
      settings();
    },
  };
}

/** @param {string} id @returns {any} */
export function byId(id) {
  return document.getElementById(id);
}
