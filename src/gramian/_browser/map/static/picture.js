// @ts-check
/** The points of a map on a canvas: discs where few are in view, counts of a worker where many are. */
import { GREY, markerPath, rgb } from "./colour.js";
import { createRaster } from "./raster.js";
/** @typedef {import("./colour.js").Colouring} Colouring */
/** @typedef {import("./view.js").View} View */

export const MOST_DISCS = 20000;  // points in view that are drawn one by one

/** Return the radius of so many discs in pixels. */
export function discRadius(/** @type {number} */ n) {
  return Math.min(Math.max(8 - 1.4 * Math.log10(n), 2.2), 6) * 0.62;
}

/**
 * @param {HTMLCanvasElement} canvas @param {View} view
 * @param {(how: "discs" | "counts") => void} drawn
 */
export function createPicture(canvas, view, drawn) {
  const { n } = view;
  /** @type {Colouring} */
  let colours;
  /** @type {Uint8Array | null} */
  let mask = null;
  /** @type {"light" | "dark"} */
  let theme = "light";
  let busy = false, again = false;
  let low = [0, 0], unit = [1, 1];

  const raster = n > MOST_DISCS ? createRaster((answer) => {
    busy = false;
    if (answer.rows) discs(answer.rows);
    else {
      const image = document.createElement("canvas");
      image.width = answer.width;
      image.height = answer.height;
      image.getContext("2d")?.putImageData(new ImageData(answer.data, answer.width), 0, 0);
      clear()?.drawImage(image, view.area.left, view.area.top);
    }
    drawn(answer.rows ? "discs" : "counts");
    if (again) paint();
  }) : null;

  const clear = () => {
    // Sharp on paper too; counts are as fine as the screen.
    const ratio = raster ? 1 : Math.min(Math.max(devicePixelRatio || 1, 2), 3);
    const [width, height] = [Math.round(view.size.width * ratio), Math.round(view.size.height * ratio)];
    if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
    const pen = canvas.getContext("2d");
    pen?.setTransform(ratio, 0, 0, ratio, 0, 0);
    pen?.clearRect(0, 0, view.size.width, view.size.height);
    return pen;
  };

  const discs = (/** @type {ArrayLike<number> | null} */ rows) => {
    const pen = clear();
    if (!pen) return;
    const { left, top, right, bottom } = view.area;
    const r = discRadius(n), count = rows ? rows.length : n;
    const shapes = colours.marks.map((mark) => new Path2D(markerPath(mark.marker, r)));
    const plain = new Path2D(markerPath("circle", 0.8 * r));
    pen.save();
    pen.beginPath();
    pen.rect(left, top, right - left, bottom - top);
    pen.clip();
    pen.lineWidth = 1.3;
    for (const turn of mask ? [0, 1] : [1]) {  // what is selected lies above the rest
      pen.globalAlpha = turn ? Math.min(Math.max(1.5 - 0.22 * Math.log10(n), 0.6), 0.95) : 0.45;
      for (let k = 0; k < count; k++) {
        const i = rows ? rows[k] : k;
        if (mask && mask[i] !== turn) continue;
        const [px, py] = view.toPixel(i);
        if (px < left - 9 || px > right + 9 || py < top - 9 || py > bottom + 9) continue;
        const mark = colours.marks[colours.codes[i]];
        const shape = turn ? shapes[colours.codes[i]] : plain;
        pen.translate(px, py);
        if (!turn || mark.filled) {
          pen.fillStyle = turn ? mark.colour : GREY[theme];
          pen.fill(shape);
        } else {
          pen.strokeStyle = mark.colour;
          pen.stroke(shape);
        }
        pen.translate(-px, -py);
      }
    }
    pen.restore();
  };

  const paint = () => {
    if (!raster) {
      discs(null);
      drawn("discs");
    } else if (busy) again = true;
    else {
      const { left, top, right, bottom } = view.area;
      const [a, b] = [view.toData(left, bottom), view.toData(right, top)];
      const [x0, y0] = a.map((x, k) => (x - low[k]) * unit[k]);
      const [x1, y1] = b.map((x, k) => (x - low[k]) * unit[k]);
      [busy, again] = [true, false];
      const box = { width: Math.round(right - left), height: Math.round(bottom - top), x0, x1, y0, y1 };
      raster.post({ job: { ...box, lut: colours.lut, grey: rgb(GREY[theme]), most: MOST_DISCS } });
    }
  };

  return {
    paint,
    close: () => raster?.close(),
    /** Take the points of the view. */
    setPoints: () => {
      if (!raster) return;
      const [x0, x1, y0, y1] = view.extent();
      low = [x0, y0];
      unit = [65535 / (x1 - x0 || 1), 65535 / (y1 - y0 || 1)];
      const [x, y] = [new Uint16Array(n), new Uint16Array(n)];
      for (let i = 0; i < n; i++) {
        x[i] = (view.xy[2 * i] - x0) * unit[0];
        y[i] = (view.xy[2 * i + 1] - y0) * unit[1];
      }
      raster.post({ x, y });
    },
    setColours: (/** @type {Colouring} */ next, /** @type {"light" | "dark"} */ look) => {
      [colours, theme] = [next, look];
      raster?.post({ codes: colours.codes });
    },
    setMask: (/** @type {Uint8Array | null} */ next) => {
      mask = next;
      raster?.post({ chosen: mask });
    },
  };
}
