// @ts-check
/** Selecting rows: lasso, box and click by the pointer, and the same by the keyboard. */

/**
 * Return the rows whose points lie inside a polygon (even-odd rule).
 * @param {Float32Array} xy points, x and y in turn @param {number[][]} polygon in the same units
 */
export function rowsInside(xy, polygon) {
  const n = xy.length / 2, m = polygon.length;
  let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
  for (const [x, y] of polygon) [x0, x1, y0, y1] = [Math.min(x0, x), Math.max(x1, x), Math.min(y0, y), Math.max(y1, y)];
  const all = new Uint32Array(n);
  let count = 0;
  for (let i = 0; i < n; i++) {
    const x = xy[2 * i], y = xy[2 * i + 1];
    if (x >= x0 && x <= x1 && y >= y0 && y <= y1) all[count++] = i;
  }
  const near = all.subarray(0, count);
  if (near.length * m <= 2e7) return near.filter((i) => inside(xy[2 * i], xy[2 * i + 1], polygon));
  // Many points: a mask of the polygon answers each of them in one look.
  const size = 1024, mask = new Uint8Array(size * size);
  const [ux, uy] = [size / (x1 - x0), size / (y1 - y0)];
  for (let r = 0; r < size; r++) {
    const y = y0 + (r + 0.5) / uy;
    const crossings = [];
    for (let k = 0, j = m - 1; k < m; j = k++) {
      const [[ax, ay], [bx, by]] = [polygon[k], polygon[j]];
      if (ay > y !== by > y) crossings.push(((bx - ax) * (y - ay)) / (by - ay) + ax);
    }
    crossings.sort((a, b) => a - b);
    for (let k = 0; k + 1 < crossings.length; k += 2) {
      const from = Math.round((crossings[k] - x0) * ux), to = Math.round((crossings[k + 1] - x0) * ux);
      mask.fill(1, r * size + from, r * size + Math.min(to, size));
    }
  }
  const cell = (/** @type {number} */ v, /** @type {number} */ low, /** @type {number} */ unit) => Math.min(size - 1, ((v - low) * unit) | 0);
  return near.filter((i) => mask[cell(xy[2 * i + 1], y0, uy) * size + cell(xy[2 * i], x0, ux)]);
}

/** @param {number} x @param {number} y @param {number[][]} polygon */
function inside(x, y, polygon) {
  let odd = false;
  for (let k = 0, j = polygon.length - 1; k < polygon.length; j = k++) {
    const [[ax, ay], [bx, by]] = [polygon[k], polygon[j]];
    if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) odd = !odd;
  }
  return odd;
}

/** Return the rows of two selections: shift adds, alt takes away. */
export function combine(/** @type {Uint32Array} */ old, /** @type {Uint32Array} */ rows, /** @type {string} */ how) {
  if (how === "add") return Uint32Array.from(new Set([...old, ...rows])).sort();
  if (how === "remove") {
    const out = new Set(rows);
    return old.filter((row) => !out.has(row));
  }
  return rows;
}

/**
 * @typedef {object} Board what a map offers to its hands: `how` is "set", "add" or "remove", a row -1 where there is none
 * @property {HTMLElement} surface @property {() => string} tool @property {() => void} reset @property {() => void} clear
 * @property {(px: number, py: number) => number[]} toData @property {(row: number) => number[]} toPixel
 * @property {(px: number, py: number, far?: number) => number} nearest @property {(row: number, direction: string) => number} neighbour
 * @property {(path: number[][] | null, closed: boolean) => void} sketch @property {(polygon: number[][], how: string) => void} enclose
 * @property {(rows: number[], how: string) => void} choose @property {(row: number) => void} point
 * @property {(dx: number, dy: number) => void} pan @property {(factor: number, px?: number, py?: number) => void} zoom
 */

/** Connect pointer and keyboard to a map; returns a function that disconnects them. @param {Board} board */
export function connect(board) {
  const { surface } = board;
  const stop = new AbortController();
  const on = (/** @type {string} */ type, /** @type {(event: any) => void} */ listener, passive = true) =>
    surface.addEventListener(type, listener, { signal: stop.signal, passive });
  const place = (/** @type {PointerEvent | WheelEvent} */ event) => {
    const box = surface.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  const how = (/** @type {any} */ event) => (event.shiftKey ? "add" : event.altKey ? "remove" : "set");
  const corners = (/** @type {number[]} */ a, /** @type {number[]} */ b) => [a, [b[0], a[1]], b, [a[0], b[1]]];
  /** @type {{id: number, tool: string, path: number[][], moved: boolean} | null} */
  let drag = null;
  let cursor = -1;
  /** @type {number[] | null} */
  let corner = null;  // of a box that the keyboard draws

  on("pointerdown", (event) => {
    if (event.button > 1) return;
    surface.setPointerCapture(event.pointerId);
    drag = { id: event.pointerId, tool: event.button === 1 ? "pan" : board.tool(), path: [place(event)], moved: false };
  });
  on("pointermove", (event) => {
    const at = place(event);
    if (!drag || drag.id !== event.pointerId) return board.point(board.nearest(at[0], at[1], 12));
    const last = drag.path[drag.path.length - 1];
    if (Math.hypot(at[0] - drag.path[0][0], at[1] - drag.path[0][1]) > 4) drag.moved = true;
    if (drag.tool === "pan") board.pan(at[0] - last[0], at[1] - last[1]);
    if (drag.tool === "lasso" && Math.hypot(at[0] - last[0], at[1] - last[1]) < 2) return;
    drag.path.push(at);
    if (drag.tool !== "pan" && drag.moved) board.sketch(drag.tool === "box" ? corners(drag.path[0], at) : drag.path, true);
  });
  on("pointerup", (event) => {
    if (!drag || drag.id !== event.pointerId) return;
    const { path, tool, moved } = drag;
    drag = null;
    board.sketch(null, false);
    if (!moved) {
      const row = board.nearest(path[0][0], path[0][1], 12);
      if (row >= 0) board.choose([row], how(event));
      else board.clear();
    } else if (tool !== "pan") {
      board.enclose(tool === "box" ? corners(path[0], path[path.length - 1]) : path, how(event));
    }
  });
  on("pointercancel", () => { drag = null; board.sketch(null, false); });
  on("pointerleave", () => board.point(-1));
  on("dblclick", (event) => board.zoom(2, ...place(event)));
  on("wheel", (event) => {
    if (!event.ctrlKey && document.activeElement !== surface) return;  // the page scrolls
    event.preventDefault();
    board.zoom(Math.exp(-event.deltaY / 300), ...place(event));
  }, false);

  on("keydown", (event) => {
    const arrows = /** @type {Record<string, number[]>} */ ({ ArrowLeft: [60, 0], ArrowRight: [-60, 0], ArrowUp: [0, 60], ArrowDown: [0, -60] });
    const key = event.key;
    if (event.ctrlKey || event.metaKey) return;
    if (key in arrows && event.shiftKey) board.pan(arrows[key][0], arrows[key][1]);
    else if (key in arrows) {
      const box = surface.getBoundingClientRect();
      cursor = cursor < 0 ? board.nearest(box.width / 2, box.height / 2) : board.neighbour(cursor, key.slice(5).toLowerCase());
      board.point(cursor);
      if (corner && cursor >= 0) board.sketch(corners(corner, board.toPixel(cursor)), true);
    } else if (key === "Enter" || key === " ") {
      if (cursor >= 0) board.choose([cursor], event.shiftKey ? "add" : event.altKey ? "remove" : "set");
    } else if (key === "b" && cursor >= 0) {
      if (corner) {
        const far = board.toPixel(cursor);
        // The two points that were named are inside, whatever the rounding.
        const [[x0, x1], [y0, y1]] = [0, 1].map((k) => [Math.min(corner?.[k] || 0, far[k]) - 1, Math.max(corner?.[k] || 0, far[k]) + 1]);
        corner = null;
        board.sketch(null, false);
        board.enclose([[x0, y0], [x1, y0], [x1, y1], [x0, y1]], "set");
      } else corner = board.toPixel(cursor);
    } else if (key === "+" || key === "=") board.zoom(1.5);
    else if (key === "-") board.zoom(1 / 1.5);
    else if (key === "0") board.reset();
    else if (key === "Escape") {
      corner = null;
      board.sketch(null, false);
      board.clear();
    } else return;
    event.preventDefault();
  }, false);
  return () => stop.abort();
}
