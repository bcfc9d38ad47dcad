// @ts-check
/**
 * Many points as a picture: a count buffer, in a worker where there is one.
 *
 * `rasterWorker` refers to nothing outside of itself, so that its own text is the worker's script.
 */

/** @param {{onmessage: any, postMessage: (message: any, transfer?: any) => void}} scope */
export function rasterWorker(scope) {
  const GRID = 256;
  let n = 0;
  let xs = new Uint16Array(0), ys = new Uint16Array(0), order = new Uint32Array(0);
  let start = new Uint32Array(GRID * GRID + 1);
  let codes = new Uint16Array(0), chosen = new Uint8Array(0);
  let rowCodes = new Uint16Array(0);
  /** @type {Uint8Array | null} */
  let rowChosen = null;

  // Rows in the order of cells: a view then reads a few runs of memory.
  const sortPoints = (/** @type {Uint16Array} */ x, /** @type {Uint16Array} */ y) => {
    n = x.length;
    start = new Uint32Array(GRID * GRID + 1);
    for (let i = 0; i < n; i++) start[(y[i] >> 8) * GRID + (x[i] >> 8) + 1]++;
    for (let k = 0; k < GRID * GRID; k++) start[k + 1] += start[k];
    const at = start.slice();
    order = new Uint32Array(n);
    xs = new Uint16Array(n);
    ys = new Uint16Array(n);
    for (let i = 0; i < n; i++) {
      const place = at[(y[i] >> 8) * GRID + (x[i] >> 8)]++;
      order[place] = i;
      xs[place] = x[i];
      ys[place] = y[i];
    }
  };
  const sortMarks = () => {
    codes = new Uint16Array(n);
    chosen = new Uint8Array(n).fill(1);
    for (let k = 0; k < n; k++) {
      codes[k] = rowCodes.length ? rowCodes[order[k]] : 0;
      if (rowChosen) chosen[k] = rowChosen[order[k]];
    }
  };

  /** @param {{width: number, height: number, x0: number, x1: number, y0: number, y1: number,
   *   lut: number[][], grey: number[], most: number}} job */
  const draw = (job) => {
    const { width, height, x0, x1, y0, y1, lut, grey, most } = job;
    const [c0, c1] = [Math.max(0, x0 >> 8), Math.min(GRID - 1, x1 >> 8)];
    const [r0, r1] = [Math.max(0, y0 >> 8), Math.min(GRID - 1, y1 >> 8)];
    let seen = 0;
    for (let r = r0; r <= r1; r++) if (c1 >= c0) seen += start[r * GRID + c1 + 1] - start[r * GRID + c0];
    const visible = (/** @type {number} */ k) => xs[k] >= x0 && xs[k] <= x1 && ys[k] >= y0 && ys[k] <= y1;
    if (seen < 4 * most) {
      const rows = [];
      for (let r = r0; r <= r1; r++) {
        for (let k = start[r * GRID + c0]; k < start[r * GRID + c1 + 1]; k++) if (visible(k)) rows.push(order[k]);
      }
      if (rows.length <= most) return { rows: Uint32Array.from(rows).sort() };
    }
    const size = width * height;
    const counts = new Float32Array(size), red = new Float32Array(size);
    const green = new Float32Array(size), blue = new Float32Array(size);
    const [sx, sy] = [width / (x1 - x0), height / (y1 - y0)];
    const wide = seen < 150000 ? 1 : 0;  // a point is 2 × 2 pixels where there is room
    let largest = 0;
    const [R, G, B] = [0, 1, 2].map((side) => Float32Array.from([...lut, grey], (colour) => colour[side]));
    for (let r = r0; r <= r1; r++) {
      for (let k = start[r * GRID + c0]; k < start[r * GRID + c1 + 1]; k++) {
        const px = ((xs[k] - x0) * sx) | 0;
        const py = height - 1 - (((ys[k] - y0) * sy) | 0);
        if (px < 0 || py < 0 || px >= width - wide || py >= height - wide) continue;
        const code = chosen[k] ? codes[k] : lut.length;
        const weight = chosen[k] ? 1 : 0.2;  // selected points are seen through the others
        for (let dy = 0; dy <= wide; dy++) {
          for (let dx = 0; dx <= wide; dx++) {
            const at = (py + dy) * width + px + dx;
            const count = (counts[at] += weight);
            red[at] += weight * R[code];
            green[at] += weight * G[code];
            blue[at] += weight * B[code];
            if (count > largest) largest = count;
          }
        }
      }
    }
    const data = new Uint8ClampedArray(4 * size);
    const unit = 1 / Math.log1p(largest || 1);
    for (let at = 0; at < size; at++) {
      const count = counts[at];
      if (!count) continue;
      data[4 * at] = red[at] / count;
      data[4 * at + 1] = green[at] / count;
      data[4 * at + 2] = blue[at] / count;
      data[4 * at + 3] = 255 * (0.55 + 0.45 * Math.log1p(count) * unit);
    }
    return { data, width, height };
  };

  scope.onmessage = (/** @type {{data: any}} */ event) => {
    const message = event.data;
    if (message.x) sortPoints(message.x, message.y);
    if (message.codes) rowCodes = message.codes;
    if ("chosen" in message) rowChosen = message.chosen;
    if (message.x || message.codes || "chosen" in message) sortMarks();
    if (message.job) {
      const answer = draw(message.job);
      scope.postMessage(answer, answer.data ? [answer.data.buffer] : []);
    }
  };
}

/**
 * Return something to draw with: post(message) and close(); answers arrive at `answered`.
 * @param {(answer: any) => void} answered
 */
export function createRaster(answered) {
  try {
    const script = new Blob([`(${rasterWorker.toString()})(self);`], { type: "text/javascript" });
    const url = URL.createObjectURL(script);
    const worker = new Worker(url);
    worker.onmessage = (event) => answered(event.data);
    return {
      post: (/** @type {any} */ message) => worker.postMessage(message),
      close: () => { worker.terminate(); URL.revokeObjectURL(url); },
    };
  } catch {  // no workers here: the same code in the page
    const scope = { onmessage: /** @type {any} */ (null), postMessage: answered };
    rasterWorker(scope);
    return { post: (/** @type {any} */ message) => scope.onmessage({ data: message }), close: () => {} };
  }
}
