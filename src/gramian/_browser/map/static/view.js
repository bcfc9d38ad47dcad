// @ts-check
/** Where points are on the screen: the part of the plane that a map shows, one unit as long on both axes. */

const MARGIN = { left: 50, right: 12, top: 10, bottom: 40 };
/** @typedef {{x: number, y: number, label: string, inside: boolean | null}} Extra */

export class View {
  /** @param {Float32Array} xy points, x and y in turn */
  constructor(xy) {
    this.xy = xy;
    this.n = xy.length / 2;
    /** @type {Extra[]} */
    this.extra = [];
    this.size = { width: 0, height: 0 };
    this.x = 0;
    this.y = 0;
    this.scale = 1;  // pixels per unit
  }

  get area() {
    const { width, height } = this.size;
    return { left: MARGIN.left, top: MARGIN.top, right: width - MARGIN.right, bottom: height - MARGIN.bottom };
  }

  get centre() {
    const { left, right, top, bottom } = this.area;
    return [(left + right) / 2, (top + bottom) / 2];
  }

  /** Return where a point of the plane is, in pixels. */
  pixel(/** @type {number} */ x, /** @type {number} */ y) {
    const [cx, cy] = this.centre;
    return [cx + (x - this.x) * this.scale, cy - (y - this.y) * this.scale];
  }

  toPixel(/** @type {number} */ row) {
    return this.pixel(this.xy[2 * row], this.xy[2 * row + 1]);
  }

  toData(/** @type {number} */ px, /** @type {number} */ py) {
    const [cx, cy] = this.centre;
    return [this.x + (px - cx) / this.scale, this.y - (py - cy) / this.scale];
  }

  shows(/** @type {number} */ px, /** @type {number} */ py) {
    const { left, right, top, bottom } = this.area;
    return px >= left && px <= right && py >= top && py <= bottom;
  }

  /** Return the extent of all points: x0, x1, y0, y1. */
  extent() {
    let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
    const reach = (/** @type {number} */ x, /** @type {number} */ y) => {
      if (x < x0) x0 = x;
      if (x > x1) x1 = x;
      if (y < y0) y0 = y;
      if (y > y1) y1 = y;
    };
    for (let i = 0; i < this.n; i++) reach(this.xy[2 * i], this.xy[2 * i + 1]);
    for (const point of this.extra) reach(point.x, point.y);
    return [x0, x1, y0, y1];
  }

  /** Show all points. */
  fit() {
    const [x0, x1, y0, y1] = this.extent();
    const { left, right, top, bottom } = this.area;
    const wide = Math.max(x1 - x0, 1e-300), high = Math.max(y1 - y0, 1e-300);
    this.x = (x0 + x1) / 2;
    this.y = (y0 + y1) / 2;
    this.scale = 0.9 * Math.min((right - left) / wide, (bottom - top) / high);
  }

  zoom(/** @type {number} */ factor, px = this.centre[0], py = this.centre[1]) {
    const [x, y] = this.toData(px, py);
    this.scale *= Math.min(Math.max(factor, 0.2), 5);
    const [cx, cy] = this.centre;
    this.x = x - (px - cx) / this.scale;
    this.y = y + (py - cy) / this.scale;
  }

  pan(/** @type {number} */ dx, /** @type {number} */ dy) {
    this.x -= dx / this.scale;
    this.y += dy / this.scale;
  }

  /** Return the row that is nearest to a place, -1 where none is as near as `far` pixels. */
  nearest(/** @type {number} */ px, /** @type {number} */ py, far = Infinity) {
    let [best, least] = [-1, far * far];
    const [x, y] = this.toData(px, py);
    const unit = this.scale * this.scale;
    for (let i = 0; i < this.n; i++) {
      const d = ((this.xy[2 * i] - x) ** 2 + (this.xy[2 * i + 1] - y) ** 2) * unit;
      if (d < least) [best, least] = [i, d];
    }
    return best;
  }

  /** Return the next row in a direction: "left", "right", "up" or "down". */
  neighbour(/** @type {number} */ row, /** @type {string} */ direction) {
    const sides = /** @type {Record<string, number[]>} */ ({ left: [-1, 0], right: [1, 0], up: [0, 1], down: [0, -1] });
    const [dx, dy] = sides[direction];
    let [best, least] = [row, Infinity];
    for (let i = 0; i < this.n; i++) {
      const x = this.xy[2 * i] - this.xy[2 * row], y = this.xy[2 * i + 1] - this.xy[2 * row + 1];
      const along = x * dx + y * dy, across = Math.abs(x * dy - y * dx);
      if (along > 0 && across <= along && along + 2 * across < least) [best, least] = [i, along + 2 * across];
    }
    return best;
  }
}

/** Return a map turned or mirrored so that it lies on another (Procrustes, without scaling). */
export function aligned(/** @type {Float32Array} */ map, /** @type {Float32Array} */ onto) {
  const n = map.length / 2;
  const mean = (/** @type {Float32Array} */ z, /** @type {number} */ side) => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += z[2 * i + side];
    return sum / n;
  };
  const [ax, ay, bx, by] = [mean(map, 0), mean(map, 1), mean(onto, 0), mean(onto, 1)];
  let [xx, xy, yx, yy] = [0, 0, 0, 0];
  for (let i = 0; i < n; i++) {
    const [u, v, s, t] = [map[2 * i] - ax, map[2 * i + 1] - ay, onto[2 * i] - bx, onto[2 * i + 1] - by];
    xx += u * s;
    xy += u * t;
    yx += v * s;
    yy += v * t;
  }
  // The best rotation, or the best reflection where that brings the maps closer.
  const turned = Math.hypot(xx + yy, xy - yx) >= Math.hypot(xx - yy, xy + yx);
  const angle = turned ? Math.atan2(xy - yx, xx + yy) : Math.atan2(xy + yx, xx - yy);
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const out = new Float32Array(2 * n);
  for (let i = 0; i < n; i++) {
    const [u, v] = [map[2 * i] - ax, map[2 * i + 1] - ay];
    out[2 * i] = c * u - (turned ? s : -s) * v + bx;
    out[2 * i + 1] = s * u + (turned ? c : -c) * v + by;
  }
  return out;
}
