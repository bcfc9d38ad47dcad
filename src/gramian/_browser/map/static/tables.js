// @ts-check
/** Tables of a page: sorted, searched, unfolded, downloaded; on paper in parts that fit. */
import { fill, make } from "./payload.js";
import { numberWriter } from "./legend.js";

/**
 * @typedef {{title: string, few: number, rows: (string | number | null)[][],
 *   columns: {title: string, number: boolean, places: number | null}[]}} TableData
 */

const PRINTED_ROWS = 200;
const PRINTED_COLUMNS = 7;

/** Return a cell of a CSV file; a spreadsheet would run one that starts like a formula. @param {string | number | null} value */
function csvCell(value) {
  if (value === null) return "";
  if (typeof value === "number") return String(value);
  const text = /^(?:[\s'"\u0000-\u0020\u200b-\u200f\ufeff]*[=+\-@\uff0b\uff0d\uff1d\uff20]|[\t\r\n])/.test(value) ? "'" + value : value;
  return /[",\n\r]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
}

/** Offer rows of cells as a CSV file. */
export function saveCsv(/** @type {string} */ name, /** @type {(string | number | null)[][]} */ rows) {
  const text = rows.map((row) => row.map(csvCell).join(",")).join("\r\n") + "\r\n";
  const link = make("a", { download: name });
  link.href = URL.createObjectURL(new Blob(["\ufeff", text], { type: "text/csv;charset=utf-8" }));
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

/**
 * Build the table of a node; returns what marks its rows.
 * @param {HTMLElement} node @param {TableData} table @param {Record<string, any>} texts
 * @param {((row: number) => void) | null} pick called with the position of a row that was clicked
 */
export function buildTable(node, table, texts, pick = null) {
  const name = node.dataset.table || "table";
  const state = { column: -1, down: false, words: "", count: table.few };
  let marked = /** @type {Set<number>} */ (new Set());
  const write = numberWriter(texts.lang);
  const places = [0, 1, 2, 3].map((k) => new Intl.NumberFormat(texts.lang, { minimumFractionDigits: k, maximumFractionDigits: k, useGrouping: false }));
  const shown = (/** @type {string | number | null} */ value, /** @type {number | null} */ digits = null) => {
    if (value === null) return "–";
    if (typeof value === "string") return value;
    if (digits === null || digits === undefined) return write(value);
    return places[digits].format(value).replace(/^-(?=[0.,]*$)/, "").replace("-", "−"); // no "−0.00"
  };
  const compare = (/** @type {any} */ a, /** @type {any} */ b) => {
    const [x, y] = [a[state.column], b[state.column]];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    const order = typeof x === "number" ? x - y : String(x).localeCompare(String(y), texts.lang, { numeric: true });
    return state.down ? -order : order;
  };
  const data = (/** @type {string | number | null} */ value, /** @type {number} */ k) => {
    const column = table.columns[k];
    return make("td", column.number ? { class: "number" } : { class: "text", dir: "auto" }, shown(value, column.places));
  };

  const lineOf = (/** @type {HTMLElement[]} */ cells, /** @type {Record<string, string>} */ look = {}) => make("tr", look, cells);
  const titles = table.columns.map((column, k) => {
    const title = make("th", { scope: "col", class: column.number ? "number" : "" });
    const button = make("button", { type: "button", title: texts.sort }, column.title);
    button.addEventListener("click", () => {
      state.down = state.column !== k ? column.number : !state.down;
      state.column = k;
      update();
    });
    // Long names get room for words, before the numbers beside them do.
    if (!column.number) title.style.minWidth = `${3 + Math.min(20, table.rows.reduce((most, row) => Math.max(most, String(row[k] ?? "").length), 0))}ch`;
    title.append(button);
    return title;
  });
  const body = make("tbody"), grid = make("table", {}, [make("thead", {}, [lineOf(titles)]), body]);
  const scroll = /** @type {HTMLElement} */ (node.querySelector(".scroll"));
  scroll.append(grid);
  const tools = /** @type {HTMLElement} */ (node.querySelector(".tools"));
  const count = make("span", { class: "count", "aria-live": "polite" });
  const more = make("button", { type: "button", class: "more" }, texts.more);
  more.addEventListener("click", () => { state.count = Math.min(state.count * 5, 2000); update(); });
  if (table.rows.length > table.few) {
    const search = make("input", { type: "search", placeholder: texts.search, "aria-label": texts.search });
    search.addEventListener("input", () => { state.words = search.value.toLowerCase(); update(); });
    tools.append(count, search);
    node.append(more);
  }
  const paper = make("div", { class: "paper", hidden: "" });
  node.append(paper);
  const button = make("button", { type: "button", class: "csv" }, texts.csv);
  button.addEventListener("click", () => saveCsv(name + ".csv", [table.columns.map((column) => column.title), ...table.rows]));
  tools.append(button);

  const chosen = () => {
    let order = table.rows.map((_, k) => k);
    if (state.words) order = order.filter((k) => table.rows[k].some((value) => typeof value === "string" && value.toLowerCase().includes(state.words)));
    if (state.column >= 0) order.sort((a, b) => compare(table.rows[a], table.rows[b]));
    if (marked.size) order = [...order.filter((k) => marked.has(k)), ...order.filter((k) => !marked.has(k))];
    return order;
  };
  const update = () => {
    titles.forEach((title, k) => {
      if (k === state.column) title.setAttribute("aria-sort", state.down ? "descending" : "ascending");
      else title.removeAttribute("aria-sort");
    });
    const order = chosen(), some = order.slice(0, state.count);
    body.replaceChildren(...some.map((k) => {
      const line = lineOf(table.rows[k].map(data), marked.has(k) ? { class: "marked", "aria-selected": "true" } : {});
      if (pick) line.addEventListener("click", () => pick(k));
      return line;
    }));
    count.textContent = fill(texts.rows, { shown: shown(some.length), count: shown(order.length) });
    more.hidden = some.length >= order.length || state.count >= 2000;
  };
  update();

  return {
    /** Mark rows by their positions; they come first. */
    mark: (/** @type {Iterable<number>} */ rows) => { marked = new Set(rows); update(); },
    /** Lay the table out for paper: all columns, in parts, and as many rows as are printed. */
    print: (/** @type {boolean} */ on) => {
      scroll.hidden = on;
      paper.hidden = !on;
      paper.replaceChildren();
      if (!on) return;
      const order = chosen().slice(0, PRINTED_ROWS);
      const width = table.columns.length;
      const parts = [];
      for (let k = 1; k < width; k += PRINTED_COLUMNS) parts.push([0, ...Array.from({ length: Math.min(PRINTED_COLUMNS, width - k) }, (_, j) => k + j)]);
      for (const part of parts.length ? parts : [[0]]) {
        const [sheet, top, rest] = [make("table"), make("thead"), make("tbody")];
        top.append(lineOf(part.map((k) => make("th", table.columns[k].number ? { class: "number" } : {}, table.columns[k].title))));
        rest.append(...order.map((row) => lineOf(part.map((k) => data(table.rows[row][k], k)))));
        sheet.append(top, rest);
        paper.append(sheet);
      }
      if (order.length < table.rows.length) paper.append(make("p", { class: "note cut" }, fill(texts.cut, { shown: shown(order.length), count: shown(table.rows.length) })));
    },
  };
}
