// @ts-check
/** New rows: a file dropped onto the page is read and placed here; nothing leaves the browser. */
import { numberWriter } from "./legend.js";
import { fill, make } from "./payload.js";
import { parseCsv, placeRows } from "./place.js";
import { saveCsv } from "./tables.js";
/** @typedef {import("./payload.js").Payload} Payload */
const MAX_BYTES = 50e6;
const MAX_LINES = 20;  // rows that are described one by one

/**
 * Build the field for new rows. Each map shows them on its own axes.
 * @param {HTMLElement | null} node @param {Payload} payload
 * @param {{axes: number[], setSupplementary: (points: any[]) => void, onaxes: (callback: () => void) => any}[]} maps
 * @param {EventTarget} target where a file is dropped
 */
export function buildDrop(node, payload, maps, target = document) {
  const { texts, model } = payload;
  if (!node || !model) return;
  const write = numberWriter(payload.language);
  const input = make("input", { type: "file", accept: ".csv,.tsv,.txt,text/csv", class: "gm-file" });
  const label = make("label", { class: "gm-drop" }, [texts.drop + " ", input]);
  const result = make("div", { class: "gm-placed", "aria-live": "polite" });
  node.append(label, result);

  let rows = /** @type {import("./place.js").PlacedRow[]} */ ([]);
  const show = (/** @type {import("./place.js").PlacedRow[]} */ next) => {
    rows = next;
    for (const map of maps) {
      const [i, j] = map.axes;
      map.setSupplementary(rows.map((row) => ({ x: row.z[i - 1], y: row.z[j - 1] ?? 0, label: row.label, inside: row.inside })));
    }
  };
  const take = async (/** @type {File | undefined} */ file) => {
    result.replaceChildren();
    if (!file) return;
    const say = (/** @type {string} */ text) => result.append(make("p", {}, text));
    if (file.size > MAX_BYTES) return say(texts.large);
    const table = parseCsv(await file.text());
    const { placed, absent, bad } = placeRows(model, table);
    if (absent.length) return say(fill(texts.absent, { names: absent.slice(0, 5).join(", ") + (absent.length > 5 ? ", …" : "") }));
    say(fill(texts.placed, { count: write(placed.length) }) + " " + (model.kind === "kernel" && !model.exact
      ? fill(texts.approximate, { count: write(model.landmarks), error: write(Number((100 * model.error).toPrecision(2))) }) : ""));
    if (bad.length) say(fill(texts.bad, { count: write(bad.length), name: bad[0].label, column: bad[0].column }));
    const outside = placed.filter((row) => row.inside === false);
    if (model.limits) say(outside.length ? fill(texts.outside, { count: write(outside.length) }) : texts["outside.none"]);
    const list = make("ul");
    for (const row of placed.filter((r) => r.inside === false || r.unknown.length).slice(0, MAX_LINES)) {
      const parts = [];
      if (row.inside === false) parts.push(row.columns.length ? fill(texts.because, { names: row.columns.join(", ") }) : texts.beyond);
      if (row.unknown.length) parts.push(fill(texts.unknown, { names: row.unknown.join(", ") }));
      list.append(make("li", {}, [make("bdi", {}, row.label), ": " + parts.join("; ")]));
    }
    if (list.children.length) result.append(list);
    const save = make("button", { type: "button", class: "gm-save" }, texts.save);
    save.addEventListener("click", () => saveCsv("placed.csv", [
      ["name", ...payload.axes.map((_, k) => String(k + 1)), "t2", "q", "inside"],
      ...placed.map((row) => [row.label, ...row.z.slice(0, payload.axes.length), row.t2, row.q, row.inside === null ? "" : String(row.inside)]),
    ]));
    const remove = make("button", { type: "button" }, texts.remove);
    remove.addEventListener("click", () => { input.value = ""; result.replaceChildren(); show([]); });
    result.append(save, " ", remove);
    show(placed);
  };
  for (const map of maps) map.onaxes(() => { if (rows.length) show(rows); });
  input.addEventListener("change", () => take(input.files?.[0]));
  target.addEventListener("dragover", (event) => { event.preventDefault(); label.classList.add("gm-over"); });
  target.addEventListener("dragleave", () => label.classList.remove("gm-over"));
  target.addEventListener("drop", (event) => {
    event.preventDefault();
    event.stopPropagation();
    label.classList.remove("gm-over");
    take(/** @type {DragEvent} */ (event).dataTransfer?.files[0]);
  });
}
