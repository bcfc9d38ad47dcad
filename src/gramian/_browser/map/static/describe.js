// @ts-check
/**
 * What is particular about some rows, computed where the page is open.
 *
 * A number is compared by v = (mean − overall mean)/sd·√(m (n − 1)/(n − m)), a category by the
 * hypergeometric law, as `gramian.clusters.describe` does. Something is named where it would be
 * rare among all columns at once if the rows were drawn at random: by the largest |v| of sets of rows
 * drawn at random, which holds for long tails too, and by Bonferroni's correction where the data are
 * too large for that.
 */
import { columnOf } from "./payload.js";
/** @typedef {import("./payload.js").Payload} Payload */
/** @typedef {import("./payload.js").Column} Column */
/**
 * @typedef {{column: Column, level: number, v: number, p: number, own: number, all: number}} Finding
 * @typedef {{rows: number, n: number, findings: Finding[], tests: number, compactness: number,
 *   contributions: {axis: number, share: number}[]}} Description
 */

const LEVEL = 0.05;
const [MIN_DRAWS, MAX_DRAWS] = [499, 1999];
const RARE = 0.03;  // of the draws may be larger: a margin for their own error
const MAX_WORK = 3e7;  // sums over the draws; larger sets are normal enough without them
const LOG_FACTORIALS = [0];
/** @param {number} n */
function logFactorial(n) {
  if (n > 1e5) return n * Math.log(n) - n + 0.5 * Math.log(2 * Math.PI * n) + 1 / (12 * n);
  for (let k = LOG_FACTORIALS.length; k <= n; k++) LOG_FACTORIALS.push(LOG_FACTORIALS[k - 1] + Math.log(k));
  return LOG_FACTORIALS[n];
}

/** @param {number} n @param {number} k */
const logChoose = (n, k) => logFactorial(n) - logFactorial(k) - logFactorial(n - k);

/** Return log P(Z > z) for z ≥ 0. @param {number} z */
export function logTail(z) {
  if (z < 2) {  // by the series of the distribution function
    let term = z, sum = z;
    for (let k = 1; k < 60; k++) {
      term *= (z * z) / (2 * k + 1);
      sum += term;
    }
    return Math.log(Math.max(0.5 - sum * Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI), 1e-300));
  }
  let fraction = z;  // by the continued fraction of Mills' ratio
  for (let k = 120; k > 0; k--) fraction = z + k / fraction;
  return (-z * z) / 2 - 0.5 * Math.log(2 * Math.PI) - Math.log(fraction);
}

/** Return z ≥ 0 with log P(Z > z) as given. @param {number} logP */
export function tailQuantile(logP) {
  let [low, high] = [0, 2];
  while (logTail(high) > logP && high < 1e4) high *= 2;
  for (let k = 0; k < 60; k++) {
    const middle = (low + high) / 2;
    if (logTail(middle) > logP) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** Return log of min(2P(X < k) + P(k), 2P(X > k) + P(k)), X hypergeometric. */
export function logHypergeometric(
  /** @type {number} */ k, /** @type {number} */ category, /** @type {number} */ m, /** @type {number} */ n,
) {
  const base = logChoose(n, m);
  const [least, most] = [Math.max(0, m + category - n), Math.min(m, category)];
  const log = (/** @type {number} */ x) => logChoose(category, x) + logChoose(n - category, m - x) - base;
  const at = log(k);
  // Sums beside k, relative to P(k), so that nothing underflows.
  const side = (/** @type {number} */ step) => {
    let sum = 0;
    for (let x = k + step; x >= least && x <= most; x += step) {
      const part = Math.exp(log(x) - at);
      sum += part;
      if (part < 1e-17 * sum) break;
    }
    return at + Math.log(1 + 2 * sum);
  };
  return Math.min(0, side(-1), side(1));
}

/** @param {number} seed */
function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Return a column as centred numbers, missing ones 0, and what a v-test needs; null where constant. @param {Column} column */
function numberTest(column) {
  const n = column.data.length;
  const values = new Float64Array(n);
  let known = 0, mean = 0, squares = 0;
  for (const x of column.data) if (Number.isFinite(x)) { known++; mean += x; }
  mean /= known || 1;
  for (let i = 0; i < n; i++) {
    if (Number.isFinite(column.data[i])) values[i] = column.data[i] - mean;
    squares += values[i] * values[i];
  }
  const sd = Math.sqrt(squares / (known || 1));
  if (known < 2 || !(sd > 1e-7 * Math.abs(mean))) return null;
  const missing = known < n ? Uint8Array.from(column.data, (x) => (Number.isFinite(x) ? 0 : 1)) : null;
  const v = (/** @type {number} */ sum, /** @type {number} */ m) => (m > 0 && m < known ? (sum / m / sd) * Math.sqrt((m * (known - 1)) / (known - m)) : 0);
  return { column, values, missing, mean, v };
}

/** Return what a test of the categories of a column needs. @param {Column} column */
function categoryTest(column) {
  const k = column.levels.length, totals = new Array(k).fill(0);
  let known = 0;
  for (const code of column.data) if (code < k) { totals[code]++; known++; }
  /** @type {Map<number, number>} */
  const cache = new Map();
  const v = (/** @type {number} */ level, /** @type {number} */ count, /** @type {number} */ m) => {
    if (!totals[level] || m <= 0 || m >= known) return 0;
    const key = (m * k + level) * (known + 1) + count;
    let found = cache.get(key);
    if (found === undefined) {
      const size = tailQuantile(logHypergeometric(count, totals[level], m, known) - Math.LN2);
      found = count / m > totals[level] / known ? size : -size;
      cache.set(key, found);
    }
    return found;
  };
  return { column, totals, known, v, live: totals.filter((t) => t > 0 && t < known).length };
}

/**
 * Return what is particular about rows.
 * @param {Payload} payload @param {ArrayLike<number>} rows @param {number[]} [axes]
 * @returns {Description}
 */
export function describeRows(payload, rows, axes = [1, 2]) {
  const { n } = payload, m = rows.length;
  const tested = payload.columns.filter((c) => c.role !== "measure" && c.role !== "class");
  const numbers = tested.filter((c) => c.kind === "number").flatMap((c) => numberTest(c) || []);
  const factors = tested.filter((c) => c.kind === "group").map(categoryTest);
  const tests = numbers.length + factors.reduce((sum, f) => sum + f.live, 0);

  const visit = (/** @type {ArrayLike<number>} */ some, /** @type {(test: any, level: number, v: number, own: number) => void} */ each) => {
    const size = some.length;
    for (const test of numbers) {
      let sum = 0, known = size;
      for (let k = 0; k < size; k++) sum += test.values[some[k]];
      if (test.missing) for (let k = 0; k < size; k++) known -= test.missing[some[k]];
      each(test, -1, test.v(sum, known), test.mean + sum / (known || 1));
    }
    for (const test of factors) {
      const counts = new Array(test.totals.length).fill(0);
      let known = 0;
      for (let k = 0; k < size; k++) {
        const code = test.column.data[some[k]];
        if (code < counts.length) { counts[code]++; known++; }
      }
      counts.forEach((count, level) => {
        const all = test.totals[level];
        if (all > 0 && all < test.known) each(test, level, test.v(level, count, known), count / (known || 1));
      });
    }
  };

  /** @type {Finding[]} */
  const findings = [];
  if (m > 0 && m < n) {
    const draws = Math.min(Math.floor(MAX_WORK / (Math.min(m, n - m) * tests)), MAX_DRAWS);
    const bound = draws < MIN_DRAWS ? LEVEL : 1;  // where draws decide, they are better than the normal law
    visit(rows, (test, level, v, own) => {
      const p = Math.min(1, 2 * Math.exp(logTail(Math.abs(v))));
      const all = level < 0 ? test.mean : test.totals[level] / test.known;
      if (p * tests <= bound) findings.push({ column: test.column, level, v, p, own, all });
    });
    if (findings.length && draws >= MIN_DRAWS) keepRare(findings, n, m, draws, visit);
    findings.sort((a, b) => Math.abs(b.v) - Math.abs(a.v));
  }
  return { rows: m, n, findings, tests, compactness: compactness(payload, rows), contributions: contributions(payload, rows, axes) };
}

/** Drop the findings that sets of rows drawn at random have too. */
function keepRare(
  /** @type {Finding[]} */ findings, /** @type {number} */ n, /** @type {number} */ m, /** @type {number} */ draws,
  /** @type {(some: ArrayLike<number>, each: (test: any, level: number, v: number, own: number) => void) => void} */ visit,
) {
  const size = Math.min(m, n - m);  // v of the others is the same but for its sign
  const random = generator(1 + n * 31 + m);
  const order = Uint32Array.from({ length: n }, (_, i) => i);
  const larger = findings.map(() => 0);
  for (let draw = 0; draw < draws; draw++) {
    for (let k = 0; k < size; k++) {
      const other = k + Math.floor(random() * (n - k));
      [order[k], order[other]] = [order[other], order[k]];
    }
    let largest = 0;
    visit(order.subarray(0, size), (_, __, v) => { if (Math.abs(v) > largest) largest = Math.abs(v); });
    findings.forEach((finding, k) => { if (largest >= Math.abs(finding.v)) larger[k]++; });
  }
  const kept = findings.filter((_, k) => larger[k] + 1 <= RARE * (draws + 1));
  findings.splice(0, findings.length, ...kept);
}

/** Return the variance inside of the rows over that of all, on all axes that were sent. */
function compactness(/** @type {Payload} */ payload, /** @type {ArrayLike<number>} */ rows) {
  const { low, high, data } = payload.coordinates;
  const { n } = payload;
  let inside = 0, whole = 0;
  low.forEach((start, axis) => {
    const unit = (high[axis] - start) / 65535;
    const spread = (/** @type {number} */ count, /** @type {(k: number) => number} */ at) => {
      let sum = 0, squares = 0;
      for (let k = 0; k < count; k++) {
        const x = data[axis * n + at(k)] * unit;
        sum += x;
        squares += x * x;
      }
      return count ? squares / count - (sum / count) ** 2 : 0;
    };
    inside += spread(rows.length, (k) => rows[k]);
    whole += spread(n, (k) => k);
  });
  return whole > 0 ? Math.max(inside, 0) / whole : 0;
}

/** Return the share of each axis that the rows contribute, where contributions were sent. */
function contributions(/** @type {Payload} */ payload, /** @type {ArrayLike<number>} */ rows, /** @type {number[]} */ axes) {
  return axes.flatMap((axis) => {
    const column = columnOf(payload, `contribution-${axis}`);
    if (!column) return [];
    let share = 0;
    for (let k = 0; k < rows.length; k++) share += column.data[rows[k]] || 0;
    return [{ axis, share }];
  });
}
