// @ts-check
/** What stands over the points: axes, hulls, names, placed rows. */
import { columnOf, fill, make, rowName } from "./payload.js";
import { LABEL_SIZE, shorten, ticks } from "./labels.js";
/** @typedef {import("./payload.js").Payload} Payload */
/** @typedef {import("./view.js").View} View */
const MAX_NAMED_GROUPS = 12;
const MIN_SEPARATION = 0.1;  // of the variance on the map: groups under it have no names there

/**
 * @param {SVGSVGElement} svg @param {View} view @param {Payload} payload @param {number[]} axes
 * @param {import("./labels.js").Placed[]} placed @param {{name: string, path: number[][]}[]} hulls
 * @param {(x: number) => string} write
 */
export function drawOverlay(svg, view, payload, axes, placed, hulls, write) {
  const lasso = svg.querySelector(".gm-lasso");
  const { left, top, right, bottom } = view.area;
  const { width, height } = view.size;
  svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const nodes = [make("rect", { class: "gm-frame", x: left, y: top, width: Math.max(right - left, 0), height: Math.max(bottom - top, 0) })];
  const [low, high] = [view.toData(left, bottom), view.toData(right, top)];
  const [ox, oy] = view.pixel(0, 0);
  if (ox > left && ox < right) nodes.push(make("line", { class: "gm-origin", x1: ox, x2: ox, y1: top, y2: bottom }));
  if (oy > top && oy < bottom) nodes.push(make("line", { class: "gm-origin", x1: left, x2: right, y1: oy, y2: oy }));
  for (const x of ticks(low[0], high[0], Math.max(2, Math.floor((right - left) / 90)))) {
    const px = view.pixel(x, 0)[0];
    if (px < left + 8 || px > right - 8) continue;
    nodes.push(make("text", { class: "gm-tick", x: px, y: bottom + 15, "text-anchor": "middle" }, write(x)));
  }
  for (const y of ticks(low[1], high[1], Math.max(2, Math.floor((bottom - top) / 70)))) {
    const py = view.pixel(0, y)[1];
    nodes.push(make("text", { class: "gm-tick", x: left - 6, y: py + 4, "text-anchor": "end" }, write(y)));
  }
  const names = axes.map((k) => (payload.axes[k - 1] || { name: "" }).name);
  nodes.push(make("text", { class: "gm-axis", x: (left + right) / 2, y: height - 5, "text-anchor": "middle" }, names[0]));
  const middle = (top + bottom) / 2;
  nodes.push(make("text", { class: "gm-axis", x: 12, y: middle, "text-anchor": "middle", transform: `rotate(-90 12 ${middle})` }, names[1]));
  for (const hull of hulls) {
    const d = "M" + hull.path.map(([x, y]) => view.pixel(x, y).map((v) => v.toFixed(1)).join(",")).join("L") + "Z";
    nodes.push(make("path", { class: "gm-hull", d }, [make("title", {}, hull.name)]));
  }
  for (const point of view.extra) {
    const [px, py] = view.pixel(point.x, point.y);
    if (!view.shows(px, py)) continue;
    const look = { class: point.inside === false ? "gm-new gm-outside" : "gm-new", d: `M${px - 6},${py}H${px + 6}M${px},${py - 6}V${py + 6}` };
    nodes.push(make("path", look, [make("title", {}, point.label)]));
  }
  for (const label of placed) {
    const look = label.bold ? "gm-label gm-bold" : "gm-label";
    const at = { x: label.left + 1, y: label.top + LABEL_SIZE };
    nodes.push(make("text", { class: look, ...at, direction: "ltr" }, label.text));
  }
  svg.replaceChildren(...nodes, ...(lasso ? [lasso] : []));
}

/**
 * Return the short names of the groups and their barycentres, where the map separates them.
 * @param {Payload} payload @param {import("./colour.js").Colouring} colours @param {Float32Array} xy
 */
export function barycentres(payload, colours, xy) {
  const k = colours.levels.length, { codes } = colours;
  if (colours.kind !== "group" || k < 2 || k > MAX_NAMED_GROUPS) return [];
  const [sx, sy, count] = [0, 1, 2].map(() => new Float64Array(k + 1));  // the last is of all rows
  let whole = 0;
  for (let i = 0; i < payload.n; i++) {
    if (codes[i] >= k) continue;
    const x = xy[2 * i], y = xy[2 * i + 1];
    for (const g of [codes[i], k]) {
      sx[g] += x;
      sy[g] += y;
      count[g] += 1;
    }
    whole += x * x + y * y;
  }
  const part = (/** @type {number} */ g) => (count[g] ? (sx[g] ** 2 + sy[g] ** 2) / count[g] : 0);
  const names = shorten(colours.levels, 18);
  const between = names.reduce((sum, _, g) => sum + part(g), 0) - part(k);
  if (!(between > MIN_SEPARATION * (whole - part(k)))) return [];
  return names.flatMap((text, g) => (count[g] ? [{ text, x: sx[g] / count[g], y: sy[g] / count[g] }] : []));
}

/** Return the hull of each level of a column, as the corners of a polygon. @param {Payload} payload */
export function hullsOf(payload, /** @type {string | null} */ key, /** @type {Float32Array} */ xy) {
  const column = columnOf(payload, key);
  if (!column || column.kind !== "group") return [];
  /** @type {number[][][]} */
  const points = column.levels.map(() => []);
  for (let i = 0; i < payload.n; i++) points[column.data[i]]?.push([xy[2 * i], xy[2 * i + 1]]);
  return points.flatMap((cloud, k) => (cloud.length > 2 ? [{ name: `${column.name} ${column.levels[k]}`, path: convexHull(cloud) }] : []));
}

/** Return the corners of the convex hull of points (monotone chain). @param {number[][]} points */
export function convexHull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const chain = (/** @type {number[][]} */ list) => {
    /** @type {number[][]} */
    const out = [];
    for (const p of list) {
      while (out.length > 1) {
        const [a, b] = [out[out.length - 2], out[out.length - 1]];
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
        out.pop();
      }
      out.push(p);
    }
    return out.slice(0, -1);
  };
  return [...chain(sorted), ...chain(sorted.reverse())];
}

/**
 * Return what is said of one row: its name, group, places and the quality of its display.
 * @param {Payload} payload @param {number} row @param {{axes: number[], colour: string | null}} state
 * @param {(x: number) => string} write
 */
export function describePoint(payload, row, state, write) {
  const lines = [String(rowName(payload, row))];
  const value = (/** @type {import("./payload.js").Column} */ column) =>
    column.kind === "group" ? column.levels[column.data[row]] || "–" : Number.isFinite(column.data[row]) ? write(column.data[row]) : "–";
  const shown = columnOf(payload, state.colour);
  const others = payload.columns.filter((c) => c.role === "group" || c.role === "class");
  for (const column of new Set([...(shown ? [shown] : []), ...others.slice(0, 3)])) lines.push(`${column.name}: ${value(column)}`);
  const { low, high, data } = payload.coordinates;
  for (const k of state.axes) {
    if (k > payload.axes.length) continue;
    const at = low[k - 1] + (data[(k - 1) * payload.n + row] / 65535) * (high[k - 1] - low[k - 1]);
    const quality = columnOf(payload, `cos2-${k}`);
    lines.push(fill(quality ? payload.texts.at : payload.texts.plainly, { k, x: write(Number(at.toPrecision(4))), cos2: quality ? write(Number(quality.data[row].toPrecision(2))) : "" }));
  }
  return lines;
}
