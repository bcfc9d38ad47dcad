// @ts-check
/** The description of a selection, in words. */
import { numberWriter } from "./legend.js";
import { fill, make, rowName } from "./payload.js";
import { describeRows } from "./describe.js";
/** @typedef {import("./payload.js").Payload} Payload */
const MAX_FINDINGS = 12;
const MAX_ROWS = 12;

/**
 * Fill an element with what is particular about rows; returns the description.
 * @param {HTMLElement} node @param {Payload} payload @param {Uint32Array} rows @param {number[]} axes
 * @param {{colour?: (key: string) => void, clear?: () => void}} [act]
 */
export function fillAnswer(node, payload, rows, axes, act = {}) {
  const { texts, language } = payload;
  const write = numberWriter(language);
  const share = new Intl.NumberFormat(language, { style: "percent", maximumSignificantDigits: 3 });
  const short = (/** @type {number} */ x) => write(Number(x.toPrecision(3)));
  node.replaceChildren();
  if (!rows.length) return null;
  const found = describeRows(payload, rows, axes);
  const names = [...rows.slice(0, MAX_ROWS)].map((row) => rowName(payload, row)).join(", ");
  node.append(make("h3", {}, fill(texts.particular, { count: write(found.rows), n: write(found.n) })));
  node.append(make("p", { class: "gm-rows", dir: "auto" }, rows.length > MAX_ROWS ? names + ", …" : names));
  if (found.findings.length) {
    const list = make("ul", { class: "gm-findings" });
    for (const { column, level, v, own, all } of found.findings.slice(0, MAX_FINDINGS)) {
      const item = make("li");
      const name = make("button", { type: "button", class: "gm-link", title: texts.colour }, column.name);
      name.addEventListener("click", () => act.colour?.(column.key));
      const values = level < 0 ? { own: write(own), all: write(all), v: short(v) } : { own: share.format(own), all: share.format(all), v: short(v) };
      item.append(name);
      if (level >= 0) item.append(" = ", make("bdi", {}, column.levels[level]));
      item.append(" ", make("span", {}, fill(level < 0 ? texts.mean : texts.share, values)));
      list.append(item);
    }
    node.append(list);
    const more = found.findings.length - MAX_FINDINGS;
    if (more > 0) node.append(make("p", {}, fill(texts.further, { count: write(more) })));
  } else node.append(make("p", {}, texts.nothing));
  const facts = found.contributions.map(({ axis, share: part }) => fill(texts.contributes, { k: axis, share: share.format(part) }));
  if (facts.length) node.append(make("p", {}, fill(texts.rows, { facts: facts.join(", "), share: share.format(found.rows / found.n) })));
  if (rows.length > 1) node.append(make("p", {}, fill(texts.compact, { share: share.format(found.compactness) })));
  node.append(make("p", { class: "gm-small" }, fill(texts.tests, { count: write(found.tests) }) + " " + texts.chosen));
  const clear = make("button", { type: "button" }, texts.clear);
  clear.addEventListener("click", () => act.clear?.());
  node.append(clear);
  return found;
}
