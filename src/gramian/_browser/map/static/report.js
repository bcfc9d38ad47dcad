// @ts-check
/** The page of a report: maps, description of a selection, tables, all linked. */
import { fillAnswer } from "./answer.js";
import { createMap } from "./map.js";
import { decode, fill, make } from "./payload.js";
import { buildDrop } from "./drop.js";
import { buildTable } from "./tables.js";

const read = (/** @type {string} */ id) => {
  const node = document.getElementById(id);
  return node ? JSON.parse(node.textContent || "null") : null;
};
const texts = read("texts");
const header = read("map-data");
const payload = header ? decode(header) : null;
const maps = payload ? [...document.querySelectorAll("[data-axes]")].map((node) =>
  createMap(/** @type {HTMLElement} */ (node), payload, { axes: (/** @type {any} */ (node)).dataset.axes.split(",").map(Number) })) : [];
const answer = document.getElementById("answer");
const tables = [...document.querySelectorAll("[data-table]")].map((node) => {
  const name = /** @type {HTMLElement} */ (node).dataset.table || "";
  const data = read("table-" + name);
  // A table of all rows is in the order of the map; others are found by their labels.
  const own = payload && name === "individuals";
  const rowOf = (/** @type {number} */ k) => (data.rows.length === payload?.n ? k : payload?.labels?.indexOf(data.rows[k][0]) ?? -1);
  const table = buildTable(/** @type {HTMLElement} */ (node), data, texts, own ? (k) => { if (rowOf(k) >= 0) select([rowOf(k)]); } : null);
  const place = own ? new Map(data.rows.map((/** @type {any} */ _, /** @type {number} */ k) => [rowOf(k), k])) : null;
  return { ...table, markRows: (/** @type {Uint32Array} */ rows) => { if (place) table.mark([...rows].flatMap((row) => place.get(row) ?? [])); } };
});

let linking = false;
/** Select rows on all maps, in the tables and in the description. @param {ArrayLike<number> | null} rows */
function select(rows) {
  if (linking) return;
  linking = true;
  for (const map of maps) map.select(rows);
  linking = false;
  const chosen = Uint32Array.from(rows || []);
  for (const table of tables) table.markRows(chosen);
  if (!answer || !payload) return;
  const found = fillAnswer(answer, payload, chosen, [1, 2].filter((k) => k <= payload.axes.length), { colour: colourBy, clear: () => select(null) });
  answer.hidden = !chosen.length;
  const names = new Set(found ? found.findings.map(({ column, level }) => (level < 0 ? column.name : column.levels[level])) : []);
  for (const mark of document.querySelectorAll("svg.fig [data-label]")) {
    mark.classList.toggle("named", names.has(mark.getAttribute("data-label") || ""));
  }
}

/** Colour all maps by a column. @param {string | null} key */
function colourBy(key) {
  for (const map of maps) map.setColour(key);
}

/** Return the key of the column of a name; of a category, the key of its question. @param {string} name */
function keyOf(name) {
  const columns = payload ? payload.columns : [];
  const found = columns.find((c) => c.name === name) || columns.find((c) => c.kind === "group" && c.levels.some((level) => level === name || `${c.name}=${level}` === name));
  return found ? found.key : null;
}

maps.forEach((map) => map.onselect((rows) => select(rows)));
for (const mark of document.querySelectorAll("svg.fig [data-label]")) {
  mark.addEventListener("click", () => {
    const key = keyOf(mark.getAttribute("data-label") || "");
    if (key) colourBy(key);
  });
}
for (const bar of document.querySelectorAll("#fig-scree [data-bar]")) {
  bar.addEventListener("click", () => {
    const k = Number(bar.getAttribute("data-bar"));
    if (payload && maps.length && k <= payload.axes.length) maps[0].setAxes(k === 2 ? 1 : k, k === 1 || k === 2 ? 2 : 1);
  });
}

// What a claim is about can be shown on the map.
for (const claim of document.querySelectorAll(".claim[data-subject]")) {
  const subject = claim.getAttribute("data-subject") || "";
  const kind = claim.getAttribute("data-kind") || "";
  const key = keyOf(subject), row = kind === "row" && payload?.labels ? payload.labels.indexOf(subject) : -1;
  if (!maps.length || (key === null && row < 0)) continue;
  const button = make("button", { type: "button", class: "show", title: fill(texts.show, { name: subject }), "aria-label": fill(texts.show, { name: subject }) }, "◎");
  button.addEventListener("click", () => {
    if (row >= 0) select([row]);
    else colourBy(key);
    document.getElementById("maps")?.scrollIntoView();
  });
  claim.after(button);
}

if (payload && maps.length) buildDrop(document.getElementById("drop"), payload, maps);

for (const button of document.querySelectorAll("[data-copy]")) {
  const source = document.getElementById(/** @type {HTMLElement} */ (button).dataset.copy || "");
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(source?.textContent || "");
    } catch {  // pages of files may not write to the clipboard
      const range = document.createRange();
      if (source) range.selectNodeContents(source);
      getSelection()?.removeAllRanges();
      getSelection()?.addRange(range);
      document.execCommand("copy");
    }
    button.textContent = texts.copied;
    setTimeout(() => { button.textContent = texts.copy; }, 1500);
  });
}

// Paper shows everything: what is folded is opened, tables are laid out in parts.
const paper = matchMedia("print");
const folds = [...document.querySelectorAll("main details")].filter((fold) => !fold.closest(".gm-map"));
const toPaper = () => {
  for (const fold of folds) fold.toggleAttribute("open", paper.matches || fold.hasAttribute("data-open"));
  for (const table of tables) table.print(paper.matches);
};
folds.forEach((fold) => fold.addEventListener("toggle", () => { if (!paper.matches) fold.toggleAttribute("data-open", fold.hasAttribute("open")); }));
paper.addEventListener("change", toPaper);
if (paper.matches) toPaper();
document.documentElement.dataset.ready = "yes";
