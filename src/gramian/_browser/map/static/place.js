// @ts-check
/** New rows, placed by the model of the fit. */

/**
 * @typedef {{label: string, z: number[], t2: number, q: number, inside: boolean | null,
 *   columns: string[], unknown: string[]}} PlacedRow
 * @typedef {{placed: PlacedRow[], absent: string[], bad: {label: string, column: string}[]}} Placement
 */

const NAMED = 3;  // columns that are named for a row outside

/** Return the cells of a table in text: comma, semicolon or tab, quotes doubled inside of quotes. @param {string} text */
export function parseCsv(text) {
  const source = text.replace(/^\ufeff/, "");
  const first = source.split(/\r?\n/, 1)[0].replace(/"[^"]*"/g, "");
  const count = (/** @type {string} */ mark) => first.split(mark).length;
  const comma = [";", "\t", ","].reduce((best, mark) => (count(mark) > count(best) ? mark : best), ",");
  /** @type {string[][]} */
  const rows = [];
  let row = [""], quoted = false;
  for (let k = 0; k < source.length; k++) {
    const c = source[k];
    if (quoted) {
      if (c !== '"') row[row.length - 1] += c;
      else if (source[k + 1] === '"') row[row.length - 1] += source[++k];
      else quoted = false;
    } else if (c === '"') quoted = true;
    else if (c === comma) row.push("");
    else if (c === "\n" || c === "\r") {
      if (c === "\r" && source[k + 1] === "\n") k++;
      rows.push(row);
      row = [""];
    } else row[row.length - 1] += c;
  }
  rows.push(row);
  const cells = rows.map((line) => line.map((cell) => cell.trim())).filter((line) => line.some((cell) => cell !== ""));
  return { header: cells[0] || [], rows: cells.slice(1), decimal: comma === ";" ? "," : "." };
}

/** Return a number, NaN for what is none. @param {string} cell @param {string} decimal */
function numberOf(cell, decimal) {
  const text = decimal === "," && !cell.includes(".") ? cell.replace(",", ".") : cell;
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN;
}

const MISSING = new Set(["", "na", "nan", "null", "none", "n/a", "."]);

/**
 * Return where the rows of a table lie, and which of its columns are missing.
 * @param {any} model @param {{header: string[], rows: string[][], decimal: string}} table
 * @returns {Placement}
 */
export function placeRows(model, table) {
  const at = model.variables.map((/** @type {any} */ v) => table.header.indexOf(v.name));
  const absent = model.variables.filter((/** @type {any} */ _, /** @type {number} */ k) => at[k] < 0).map((/** @type {any} */ v) => v.name);
  /** @type {Placement} */
  const out = { placed: [], absent, bad: [] };
  if (absent.length) return out;
  // The first column names the rows unless it is a variable; a header may lack its name.
  const shift = table.rows.length && table.rows[0].length === table.header.length + 1 ? 1 : 0;
  const named = shift || !at.includes(0);
  table.rows.forEach((cells, k) => {
    const label = named && cells[0] ? cells[0] : String(k + 1);
    /** @type {number[]} */
    const x = [];
    /** @type {string[]} */
    const unknown = [];
    for (const [j, variable] of model.variables.entries()) {
      const cell = cells[at[j] + shift] ?? "";
      const missing = MISSING.has(cell.toLowerCase());
      if (variable.levels === null) {
        const value = numberOf(cell, table.decimal);
        if (!Number.isFinite(value) || (model.profile && value < 0)) {
          out.bad.push({ label, column: variable.name });
          return;
        }
        x.push(value);
      } else {
        const last = variable.levels.length - 1;
        let level = missing && variable.hole ? last : variable.levels.indexOf(cell);
        if (level < 0) level = variable.levels.findIndex((/** @type {string} */ name) => name !== "" && Number(name) === Number(cell || NaN));
        if (level < 0) unknown.push(variable.name);
        for (let l = 0; l <= last; l++) x.push(l === level ? 1 : 0);
      }
    }
    if (model.profile) {
      const sum = x.reduce((a, b) => a + b, 0);
      if (!(sum > 0)) {
        out.bad.push({ label, column: model.variables[0].name });
        return;
      }
      for (let j = 0; j < x.length; j++) x[j] /= sum;
    }
    const features = x.map((value, j) => (value - model.mean[j]) * model.factor[j]);
    out.placed.push({ label, unknown, ...(model.kind === "kernel" ? byKernel(model, features) : byColumns(model, features)) });
  });
  return out;
}

/** Return z, T², Q and what puts a row outside. @param {any} model @param {number[]} features */
function byColumns(model, features) {
  const q = model.values.length;
  const z = new Array(q).fill(0);
  let d2 = 0;
  features.forEach((f, j) => {
    d2 += f * f;
    for (let k = 0; k < q; k++) z[k] += f * model.vectors[j * q + k];
  });
  const state = statistics(model, z, d2);
  /** @type {string[]} */
  let columns = [];
  if (state.inside === false) {
    const byT2 = state.t2 * model.limits.q >= state.q * model.limits.t2;
    const parts = features.map((f, j) => {
      let fitted = 0, weighted = 0;
      for (let k = 0; k < q; k++) {
        fitted += z[k] * model.vectors[j * q + k];
        if (model.values[k] > 1e-12 * model.values[0]) weighted += (z[k] / model.values[k]) * model.vectors[j * q + k];
      }
      return byT2 ? f * weighted : (f - fitted) ** 2;
    });
    columns = largest(model, parts);
  }
  return { z: z.map((value) => value * model.unit), ...state, columns };
}

/** Return the variables with the largest parts; those of the levels of a question add up. @param {any} model @param {number[]} parts */
function largest(model, parts) {
  let j = 0;
  const sums = model.variables.map((/** @type {any} */ variable) => {
    let part = 0;
    for (let l = 0; l < (variable.levels ? variable.levels.length : 1); l++) part += parts[j++];
    return { name: variable.name, part };
  });
  sums.sort((/** @type {any} */ a, /** @type {any} */ b) => b.part - a.part);
  return sums.slice(0, NAMED).filter((/** @type {any} */ s) => s.part > 0).map((/** @type {any} */ s) => s.name);
}

/** @param {any} model @param {number[]} features */
function byKernel(model, features) {
  const p = features.length, q = model.values.length, m = model.rows.length / p;
  const z = [...model.offset];
  let mean = 0;
  for (let i = 0; i < m; i++) {
    let d2 = 0;
    for (let j = 0; j < p; j++) d2 += (features[j] - model.rows[i * p + j]) ** 2;
    const value = Math.exp(-d2 / (2 * model.scale * model.scale));
    mean += value / m;
    for (let k = 0; k < q; k++) z[k] += value * model.coefficients[i * q + k];
  }
  return { z, ...statistics(model, z, 1 - 2 * mean + model.grand), columns: [] };
}

/** Return T² = Σ z²/λ and Q = d² − Σ z², and whether both keep their limits. */
function statistics(/** @type {any} */ model, /** @type {number[]} */ z, /** @type {number} */ d2) {
  let t2 = 0, squares = 0;
  z.forEach((value, k) => {
    squares += value * value;
    if (model.values[k] > 1e-12 * model.values[0]) t2 += (value * value) / model.values[k];
  });
  let q = Math.max(d2 - squares, 0);
  if (q <= 1e-10 * model.total) q = 0;
  q *= model.unit * model.unit;
  const inside = model.limits ? t2 <= model.limits.t2 && q <= model.limits.q : null;
  return { t2, q, inside };
}
