// @ts-check
/**
 * One map: rows of a fit as points, to look at, zoom, select and colour.
 *
 * Contract, for the report, the widget and the app. All modules are plain ES modules without
 * dependencies; `static_folder()` in Python is the folder to serve, `bundle("report.js")` joins a
 * module with its imports into one script. The count buffer runs in a worker made from a blob
 * (Content-Security-Policy `worker-src blob:`); without it the same code runs in the page.
 *
 *   import {decode} from "./payload.js";   // decode(header, buffers?) -> Payload
 *   import {createMap} from "./map.js";
 *   const map = createMap(element, payload, options);
 *
 * `header` is the JSON of `gramian._browser.map.payload`, `buffers` a list of ArrayBuffer or DataView; in a
 * report the header carries its own buffers as base64 (`Payload.as_json()` in Python).
 *
 * options (all optional):
 *   axes        [i, j], counted from 1 (default [1, 2])
 *   colour      key of a column, or null; default payload.start["i,j"]
 *   tool        "lasso" | "box" | "pan" (default lasso; pan where the pointer is a finger)
 *   controls    whether the toolbar, colour menu and legend are made (default true)
 *   hulls       key of a column of groups drawn as hulls (default: the classes, if any)
 *   height      of the drawing in CSS pixels (default: from the width of the element)
 *
 * The map:
 *   select(rows)          row numbers (from 0), or null for none; calls the listeners
 *   selected              Uint32Array of the selected rows, in ascending order
 *   onselect(callback)    callback(rows); returns a function that removes it
 *   onpoint(callback)     callback(row or null): the row under the pointer or the keyboard cursor
 *   setColour(key)        key of a column, or null
 *   setAxes(i, j)         counted from 1
 *   setCoordinates(xy, options)   xy: Float32Array (2n), x and y of each row in turn; the points
 *                         glide there; options.align (default true) rotates and scales nothing but
 *                         turns or mirrors the new map so that it lies on the old one
 *   setSupplementary(points)      [{x, y, label, inside}] placed rows, drawn as crosses
 *   axes, onaxes(callback)        the axes that are shown, and callback([i, j]) after a change
 *   find(text)            selects the rows whose label contains the text; returns their number
 *   redraw()              after a change of theme or size (both are observed anyway)
 *   destroy()
 */
import { colouring, themeOf } from "./colour.js";
import { buildControls } from "./controls.js";
import { placeLabels } from "./labels.js";
import { fillLegend, numberWriter } from "./legend.js";
import { describePoint, drawOverlay, groupWishes, hullsOf } from "./overlay.js";
import { columnOf, fill, make, planeOf, rowName } from "./payload.js";
import { createPicture, discRadius, MOST_DISCS } from "./picture.js";
import { combine, connect, rowsInside } from "./select.js";
import { aligned, View } from "./view.js";

/** @typedef {import("./payload.js").Payload} Payload */

const GLIDE_MS = 450;
const MAX_NAMES = 25;
const MAX_OBSTACLES = 2000;  // points that names keep clear of

/**
 * @param {HTMLElement} element @param {Payload} payload
 * @param {{axes?: number[], colour?: string | null, tool?: string, controls?: boolean,
 *   hulls?: string | null, height?: number}} [options]
 */
export function createMap(element, payload, options = {}) {
  const { n, texts } = payload;
  const write = numberWriter(payload.language);
  const classes = payload.columns.find((column) => column.role === "class");
  const state = {
    axes: options.axes || [1, 2],
    colour: /** @type {string | null} */ (null),
    tool: options.tool || (matchMedia("(pointer: coarse)").matches ? "pan" : "lasso"),
    names: "contribution",
    hulls: options.hulls === undefined ? classes?.key || null : options.hulls,
  };
  const view = new View(planeOf(payload, state.axes[0], state.axes[1]));
  let selected = new Uint32Array(0);
  let pointed = -1, frame = 0, wide = 0;
  let theme = themeOf(element);
  let colours = colouring(payload, null, theme);
  /** @type {Set<(rows: Uint32Array) => void>} */
  const selectListeners = new Set();
  /** @type {Set<(row: number | null) => void>} */
  const pointListeners = new Set();
  /** @type {Set<(axes: number[]) => void>} */
  const axesListeners = new Set();

  const root = make("div", { class: "gm-map" });
  const stage = make("div", { class: "gm-stage" });
  const canvas = make("canvas", { role: "img" });
  const svg = make("svg", { class: "gm-overlay" });
  const surface = make("div", { class: "gm-surface", tabindex: 0, role: "application", "aria-label": texts.keyboard });
  const tip = make("div", { class: "gm-tip", hidden: "" });
  const status = make("p", { class: "gm-status", "aria-live": "polite" });
  const note = make("p", { class: "gm-note" });
  const legend = make("div", { class: "gm-legend" });
  stage.append(canvas, svg, surface, tip);
  root.append(stage, legend, note, status);
  element.append(root);
  const picture = createPicture(canvas, view, (how) => { root.dataset.drawn = how; });

  // Names: of the selected rows, else of those that contribute most; what finds no place is counted.
  const rowWishes = () => {
    if (!payload.labels || state.names === "none") return { wishes: [], count: 0 };
    const measures = state.axes.flatMap((k) => columnOf(payload, `${state.names}-${k}`) || []);
    const share = (/** @type {string} */ key) => (state.names === "cos2" ? 1 : payload.axes[Number(key.split("-")[1]) - 1].share || 1);
    const scored = [];
    for (const row of selected.length ? selected : Array.from({ length: n }, (_, i) => i)) {
      const [x, y] = view.toPixel(row);
      if (view.shows(x, y)) scored.push({ row, x, y, score: measures.reduce((sum, c) => sum + (c.data[row] || 0) * share(c.key), 0) });
    }
    scored.sort((a, b) => b.score - a.score || a.row - b.row);
    const wishes = scored.slice(0, MAX_NAMES).map(({ row, x, y }) => {
      const name = String(rowName(payload, row));
      return { x, y, text: name.length > 40 ? name.slice(0, 39) + "…" : name, r: discRadius(n) };
    });
    return { wishes, count: scored.length };
  };
  const paint = () => {
    frame = 0;
    view.size = { width: stage.clientWidth, height: stage.clientHeight };
    if (!view.size.width || !view.size.height) return;
    picture.paint();
    const placedRows = view.extra.map((point) => {
      const [x, y] = view.pixel(point.x, point.y);
      return { x, y, text: point.label, r: 6 };
    }).filter(({ x, y }) => view.shows(x, y));
    const groups = groupWishes(payload, colours, view);
    const { wishes, count } = rowWishes();
    const marks = n <= MAX_OBSTACLES ? Array.from({ length: n }, (_, row) => view.toPixel(row)) : [];
    const placed = placeLabels([...placedRows, ...groups, ...wishes], view.area, marks);
    drawOverlay(svg, view, payload, state.axes, placed, hullsOf(payload, state.hulls, view.xy), write);
    const hidden = placedRows.length + groups.length + count - placed.length;
    note.textContent = hidden > 0 ? fill(texts[hidden === 1 ? "hidden.one" : "hidden"], { count: write(hidden) }) : "";
    const [x, y] = state.axes.map((k) => (payload.axes[k - 1] || { name: "" }).name);
    canvas.setAttribute("aria-label", fill(texts.counted, { n: write(n), x, y }));
  };
  const schedule = () => { if (!frame) frame = requestAnimationFrame(paint); };
  const reset = () => {
    view.size = { width: stage.clientWidth, height: stage.clientHeight };
    view.fit();
    schedule();
  };

  const setColour = (/** @type {string | null} */ key) => {
    state.colour = key;
    colours = colouring(payload, key, theme);
    picture.setColours(colours, theme);
    fillLegend(legend, payload, colours, theme, (level) => {
      const rows = [];
      for (let i = 0; i < n; i++) if (colours.codes[i] === level) rows.push(i);
      select(rows);
    });
    controls?.update(state);
    root.dataset.colour = key || "";
    schedule();
  };
  const select = (/** @type {ArrayLike<number> | null} */ rows) => {
    selected = Uint32Array.from(rows || []).filter((row) => row < n).sort();
    const mask = selected.length ? new Uint8Array(n) : null;
    if (mask) for (const row of selected) mask[row] = 1;
    picture.setMask(mask);
    status.textContent = mask ? fill(texts.selected, { count: write(selected.length), n: write(n) }) : "";
    root.dataset.selected = String(selected.length);
    schedule();
    for (const listener of selectListeners) listener(selected);
  };
  const find = (/** @type {string} */ text) => {
    const words = text.trim().toLowerCase();
    const rows = [];
    if (words) for (let i = 0; i < n; i++) if (String(rowName(payload, i)).toLowerCase().includes(words)) rows.push(i);
    select(rows);
    return rows.length;
  };
  const point = (/** @type {number} */ row) => {
    if (row === pointed) return;
    pointed = row;
    tip.hidden = row < 0;
    if (row >= 0) {
      const lines = describePoint(payload, row, state, write);
      tip.replaceChildren(...lines.map((line, k) => make(k ? "div" : "strong", { dir: "auto" }, line)));
      if (surface === document.activeElement) status.textContent = lines.join("; ");
      const [px, py] = view.toPixel(row);
      tip.style.left = `${Math.max(4, Math.min(px + 12, view.size.width - tip.offsetWidth - 4))}px`;
      tip.style.top = `${py > view.size.height / 2 ? py - tip.offsetHeight - 10 : py + 12}px`;
    }
    for (const listener of pointListeners) listener(row < 0 ? null : row);
  };

  const glide = (/** @type {Float32Array} */ target) => {
    const from = view.xy, started = performance.now();
    const still = n > MOST_DISCS || matchMedia("(prefers-reduced-motion: reduce)").matches;
    const step = () => {
      if (view.xy !== from && view.xy !== moved) return;  // another move has begun
      const t = still ? 1 : Math.min((performance.now() - started) / GLIDE_MS, 1);
      const s = t * t * (3 - 2 * t);
      moved = t < 1 ? from.map((x, i) => x + (target[i] - x) * s) : target;
      view.xy = moved;
      if (t < 1) requestAnimationFrame(step);
      else picture.setPoints();
      reset();
    };
    let moved = from;
    step();
  };
  const setAxes = (/** @type {number} */ i, /** @type {number} */ j) => {
    state.axes = [i, j];
    glide(planeOf(payload, i, j));
    controls?.update(state);
    for (const listener of axesListeners) listener(state.axes);
  };
  const setTool = (/** @type {string} */ tool) => {
    state.tool = tool;
    surface.dataset.tool = tool;
    controls?.update(state);
  };
  const zoom = (/** @type {number} */ factor, /** @type {number | undefined} */ px = undefined, /** @type {number | undefined} */ py = undefined) => {
    view.zoom(factor, px, py);
    schedule();
  };
  const controls = options.controls === false ? null : buildControls(payload, {
    setColour, setAxes, setTool, zoom, reset, find,
    setNames: (/** @type {string} */ rule) => { state.names = rule; schedule(); },
  });
  if (controls) root.prepend(controls.node);
  const disconnect = connect({
    surface, point, zoom, reset,
    toData: (px, py) => view.toData(px, py),
    toPixel: (row) => view.toPixel(row),
    nearest: (px, py, far) => view.nearest(px, py, far),
    neighbour: (row, direction) => view.neighbour(row, direction),
    pan: (dx, dy) => { view.pan(dx, dy); schedule(); },
    sketch: (path) => {
      svg.querySelector(".gm-lasso")?.remove();
      if (path) svg.append(make("path", { class: "gm-lasso", d: "M" + path.map((p) => p.map((v) => v.toFixed(1)).join(",")).join("L") + "Z" }));
    },
    tool: () => state.tool,
    clear: () => select(null),
    choose: (rows, how) => select(combine(selected, Uint32Array.from(rows), how)),
    enclose: (polygon, how) => select(combine(selected, rowsInside(view.xy, polygon.map(([px, py]) => view.toData(px, py))), how)),
  });

  const restyle = () => {
    theme = themeOf(element);
    setColour(state.colour);
    if (frame) cancelAnimationFrame(frame);
    paint();  // at once: a page that is printed waits for no frame
  };
  const queries = ["(prefers-color-scheme: dark)", "print"].map((query) => matchMedia(query));
  queries.forEach((query) => query.addEventListener("change", restyle));
  if (options.height) stage.style.height = `${options.height}px`;
  const observer = new ResizeObserver(() => {
    if (stage.clientWidth === wide || !stage.clientWidth) return;
    wide = stage.clientWidth;
    reset();
  });
  observer.observe(stage);
  picture.setPoints();
  setTool(state.tool);
  setColour(options.colour !== undefined ? options.colour : payload.start[state.axes.join(",")] || null);
  reset();

  return {
    select, setColour, setAxes, setTool, find, point, redraw: restyle,
    get selected() { return selected; },
    get axes() { return state.axes; },
    onaxes: (/** @type {(axes: number[]) => void} */ callback) => {
      axesListeners.add(callback);
      return () => axesListeners.delete(callback);
    },
    onselect: (/** @type {(rows: Uint32Array) => void} */ callback) => {
      selectListeners.add(callback);
      return () => selectListeners.delete(callback);
    },
    onpoint: (/** @type {(row: number | null) => void} */ callback) => {
      pointListeners.add(callback);
      return () => pointListeners.delete(callback);
    },
    setCoordinates: (/** @type {Float32Array} */ xy, /** @type {{align?: boolean}} */ { align = true } = {}) =>
      glide(align ? aligned(xy, view.xy) : xy),
    setSupplementary: (/** @type {import("./view.js").Extra[]} */ points) => {
      view.extra = points;
      picture.setPoints();
      reset();
    },
    destroy: () => {
      disconnect();
      observer.disconnect();
      picture.close();
      queries.forEach((query) => query.removeEventListener("change", restyle));
      root.remove();
    },
  };
}
