// @ts-check
/** The small figures below the map: variables on the two axes, and the inertia of all axes. */
import { fill, make } from "../map/payload.js";
const SIZE = 300, WIDE = 430, MIDDLE = WIDE / 2, HALF = SIZE / 2, MARGIN = 14;
const GAP = 13;  // pixels between two names

/** @param {HTMLElement} element @param {any} variables @param {Record<string, string>} texts */
export function drawVariables(element, variables, texts) {
  const { points, measure, left_out: leftOut } = variables;
  element.replaceChildren();
  if (!points.length) return;
  const isCircle = measure === "correlation";
  const reach = isCircle ? 1 : Math.max(...points.map((/** @type {any} */ p) => Math.max(Math.abs(p.x), Math.abs(p.y)))) || 1;
  const unit = (HALF - MARGIN) / reach;
  const svg = make("svg", { viewBox: `0 0 ${WIDE} ${SIZE}`, role: "img", "aria-label": `${texts.variables}: ${points.map((/** @type {any} */ p) => p.name).join(", ")}` });
  svg.append(make("line", { x1: 0, x2: WIDE, y1: HALF, y2: HALF }), make("line", { y1: 0, y2: SIZE, x1: MIDDLE, x2: MIDDLE }));
  if (isCircle) svg.append(make("circle", { class: "rim", cx: MIDDLE, cy: HALF, r: HALF - MARGIN }));
  /** @type {number[][]} */
  const taken = [];
  let hidden = leftOut;
  for (const point of points) {
    const x = MIDDLE + unit * point.x, y = HALF - unit * point.y;
    if (isCircle) svg.append(make("line", { class: "arrow", x1: MIDDLE, y1: HALF, x2: x, y2: y }));
    svg.append(make("circle", { class: "dot", cx: x, cy: y, r: 2.5 }));
    const text = point.name.length > 22 ? `${point.name.slice(0, 10)}…${point.name.slice(-10)}` : point.name;
    const width = 6.4 * text.length;
    const left = Math.min(Math.max(x < MIDDLE ? x - width - 6 : x + 6, 0), WIDE - width);
    const free = [0, GAP, -GAP].map((move) => [left, y + move - GAP / 2, left + width, y + move + GAP / 2]).find((box) =>
      box[1] > 0 && box[3] < SIZE && !taken.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3]));
    if (!free) {
      hidden += 1;
      continue;
    }
    taken.push(free);
    svg.append(make("text", { x: left, y: free[3] - 3 }, text));
  }
  element.append(svg);
  if (hidden) element.append(make("p", { class: "note" }, fill(texts["variables.more"], { count: hidden })));
}

/** @param {HTMLElement} element @param {any} reading @param {Record<string, string>} texts */
export function drawInertia(element, reading, texts) {
  const { shares, above } = reading;
  const height = 200, base = height - 20, most = Math.max(...shares, 1e-9), step = SIZE / Math.max(shares.length, 4);
  const percent = (/** @type {number} */ share) => `${(100 * share).toFixed(1)} %`;
  const svg = make("svg", { viewBox: `0 0 ${SIZE} ${height}`, role: "img", "aria-label": `${texts.inertia}: ${shares.map(percent).join(", ")}` });
  shares.forEach((/** @type {number} */ share, /** @type {number} */ k) => {
    const tall = Math.max((share / most) * (base - 20), 0.5);
    const kind = above === null || k < above ? "above" : "below";
    const bar = make("rect", { class: kind, x: k * step + 2, y: base - tall, width: step - 4, height: tall });
    bar.append(make("title", {}, percent(share)));
    svg.append(bar, make("text", { x: (k + 0.5) * step, y: height - 6, "text-anchor": "middle" }, String(k + 1)));
    if (k < 3) svg.append(make("text", { x: (k + 0.5) * step, y: base - tall - 4, "text-anchor": "middle" }, (100 * share).toFixed(1)));
  });
  element.replaceChildren(svg);
}
