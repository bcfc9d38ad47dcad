// @ts-check
/** The table of the rows: only those in view are in the page. */
import { make, rowName } from "../map/payload.js";
const ROW = 24;  // pixels
const MOST_COLUMNS = 60;

/** @param {HTMLElement} element @param {(row: number) => void} choose */
export function tableView(element, choose) {
  let payload = /** @type {any} */ (null);
  let order = new Uint32Array(0);
  let selected = new Set();
  let sort = { column: /** @type {any} */ (null), down: true };

  const cell = (/** @type {any} */ column, /** @type {number} */ row) => {
    const value = column.data[row];
    if (column.kind === "group") return column.levels[value] ?? "";
    return Number.isNaN(value) ? "" : String(Number(value.toPrecision(6)));
  };
  const columns = () => payload.columns.filter((/** @type {any} */ c) => c.role !== "measure").slice(0, MOST_COLUMNS);

  function arrange() {
    const rows = Array.from({ length: payload.n }, (_, k) => k);
    const { column, down } = sort;
    const sign = down ? -1 : 1;
    const key = (/** @type {number} */ k) => (column.kind === "group" ? cell(column, k) : column.data[k]);
    rows.sort((a, b) => {
      const first = Number(selected.has(b)) - Number(selected.has(a));
      if (first || !column) return first || a - b;
      const [x, y] = [key(a), key(b)];
      return x < y ? -sign : x > y ? sign : a - b;
    });
    order = Uint32Array.from(rows);
    draw();
  }

  function draw() {
    if (!payload || !element.offsetParent) return;
    const shown = columns();
    const start = Math.max(Math.floor(element.scrollTop / ROW) - 5, 0);
    const end = Math.min(start + Math.ceil(element.clientHeight / ROW) + 12, payload.n);
    const table = make("table"), head = make("tr"), body = make("tbody");
    head.append(make("th"));
    for (const column of shown) {
      const th = make("th", column === sort.column ? { "aria-sort": sort.down ? "descending" : "ascending" } : {});
      const button = make("button", {}, column.name);
      button.addEventListener("click", () => {
        sort = { column, down: sort.column === column ? !sort.down : true };
        arrange();
      });
      th.append(button);
      head.append(th);
    }
    const space = (/** @type {number} */ rows) => {
      const td = make("td");
      td.style.height = `${rows * ROW}px`;
      return make("tr", {}, [td]);
    };
    body.append(space(start));
    for (const k of order.subarray(start, end)) {
      const row = make("tr", selected.has(k) ? { class: "on" } : {});
      row.append(make("td", {}, rowName(payload, k)), ...shown.map((/** @type {any} */ column) => make("td", {}, cell(column, k))));
      row.addEventListener("click", () => choose(k));
      body.append(row);
    }
    body.append(space(payload.n - end));
    const top = make("thead");
    top.append(head);
    table.append(top, body);
    const place = element.scrollTop;
    element.replaceChildren(table);
    element.scrollTop = place;
  }

  element.addEventListener("scroll", () => requestAnimationFrame(draw));
  return {
    show(/** @type {any} */ next) {
      payload = next;
      sort = { column: null, down: true };
      selected = new Set();
      arrange();
    },
    select(/** @type {Iterable<number>} */ rows) {
      selected = new Set(rows);
      if (payload) arrange();
    },
    redraw: draw,
  };
}
