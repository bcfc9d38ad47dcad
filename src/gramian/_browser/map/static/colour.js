// @ts-check
/** Rows as colours and marks: groups by colour and shape, numbers on a scale. */
import { columnOf } from "./payload.js";
/** @typedef {import("./payload.js").Payload} Payload */
/**
 * @typedef {{colour: string, marker: string, filled: boolean}} Mark
 * @typedef {{kind: "none" | "group" | "number", title: string, codes: Uint16Array, marks: Mark[],
 *   lut: number[][], levels: string[], counts: number[], low: number, high: number, missing: number}} Colouring
 */

export const MARKERS = ["circle", "triangle", "square", "diamond", "triangle-down"];
const STEPS = 64;
export const GREY = { light: "#8a8f94", dark: "#7d8388" };

/** Return "dark" or "light": the style sheet says it, as `--map-theme`. @param {Element} element @returns {"light" | "dark"} */
export function themeOf(element) {
  const set = getComputedStyle(element).getPropertyValue("--map-theme").trim();
  return set === "dark" ? "dark" : "light";
}

/** @param {string} hex @returns {number[]} */
export function rgb(hex) {
  return [1, 3, 5].map((k) => parseInt(hex.slice(k, k + 2), 16));
}

/** Return the colour at a place from 0 to 1 of a list of colours. */
export function between(/** @type {string[]} */ colours, /** @type {number} */ place) {
  const at = Math.min(Math.max(place, 0), 1) * (colours.length - 1);
  const k = Math.min(Math.floor(at), colours.length - 2);
  const [a, b] = [rgb(colours[k]), rgb(colours[k + 1])];
  return "#" + a.map((x, i) => Math.round(x + (b[i] - x) * (at - k)).toString(16).padStart(2, "0")).join("");
}

/** Return the look of the group at a position; colour and shape change from one to the next. */
export function lookOf(/** @type {number} */ position, /** @type {string[]} */ colours) {
  const place = position % colours.length;
  const turn = Math.floor(position / colours.length);
  const marker = MARKERS[(place + (turn % MARKERS.length)) % MARKERS.length];
  return { colour: colours[place], marker, filled: Math.floor(turn / MARKERS.length) % 2 === 0 };
}

/**
 * Return the codes of the rows and the mark of each code; the last code is for missing values.
 * @param {Payload} payload @param {string | null} key @param {"light" | "dark"} theme
 * @returns {Colouring}
 */
export function colouring(payload, key, theme) {
  const column = columnOf(payload, key);
  const missing = { colour: GREY[theme], marker: "circle", filled: false };
  if (!column) {
    const mark = { colour: payload.palette[theme][0], marker: "circle", filled: true };
    const base = { codes: new Uint16Array(payload.n), marks: [mark], levels: [], counts: [] };
    return { kind: "none", title: "", ...base, lut: [rgb(mark.colour)], low: 0, high: 0, missing: 0 };
  }
  const codes = new Uint16Array(payload.n);
  /** @type {Mark[]} */
  let marks;
  let [low, high, lost] = [Infinity, -Infinity, 0];
  /** @type {number[]} */
  let counts = [];
  if (column.kind === "group") {
    const none = column.data instanceof Uint8Array ? 255 : 65535;
    const k = column.levels.length;
    marks = column.levels.map((_, place) => lookOf(place, payload.palette[theme]));
    counts = new Array(k).fill(0);
    for (let i = 0; i < payload.n; i++) {
      codes[i] = column.data[i] === none ? k : column.data[i];
      if (codes[i] < k) counts[codes[i]]++;
      else lost++;
    }
  } else {
    for (const x of column.data) if (Number.isFinite(x)) [low, high] = [Math.min(low, x), Math.max(high, x)];
    const unit = high > low ? (STEPS - 1) / (high - low) : 0;
    for (let i = 0; i < payload.n; i++) {
      const x = column.data[i];
      codes[i] = Number.isFinite(x) ? Math.round((x - low) * unit) : STEPS;
      if (codes[i] === STEPS) lost++;
    }
    const colours = Array.from({ length: STEPS }, (_, k) => between(payload.scale[theme], k / (STEPS - 1)));
    marks = colours.map((colour) => ({ colour, marker: "circle", filled: true }));
  }
  marks.push(missing);
  const lut = marks.map((mark) => rgb(mark.colour));
  return { kind: column.kind, title: column.name, codes, marks, lut, levels: column.levels || [], counts, low, high, missing: lost };
}

/** Return the outline of a marker of radius r around the origin, as an SVG path. */
export function markerPath(/** @type {string} */ marker, /** @type {number} */ r) {
  const s = 0.9 * r, h = 1.2 * r, t = 1.04 * r;
  if (marker === "square") return `M${-s},${-s}H${s}V${s}H${-s}Z`;
  if (marker === "diamond") return `M0,${-h}L${h},0L0,${h}L${-h},0Z`;
  if (marker === "triangle") return `M0,${-h}L${t},${0.75 * r}H${-t}Z`;
  if (marker === "triangle-down") return `M0,${h}L${t},${-0.75 * r}H${-t}Z`;
  return `M${-r},0A${r},${r} 0 1 0 ${r},0A${r},${r} 0 1 0 ${-r},0Z`;
}
