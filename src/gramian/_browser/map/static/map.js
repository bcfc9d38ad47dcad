// @ts-check
/**
 * One map: rows of a fit as points, to look at, zoom, select and colour.
 *
 * The report, the widget and the app use it; docs/protocol.md says what they send and call. The
 * modules have no dependencies. The count buffer runs in a worker made from a blob
 * (Content-Security-Policy `worker-src blob:`); where there is none, the same code runs in the page.
 */
import { colouring, themeOf } from "./colour.js";
import { buildControls } from "./controls.js";
import { placeLabels, shorten } from "./labels.js";
import { fillLegend, numberWriter } from "./legend.js";
import { barycentres, describePoint, drawOverlay, hullsOf } from "./overlay.js";
import { columnOf, fill, make, planeOf, rowName } from "./payload.js";
import { createPicture, discRadius, MOST_DISCS } from "./picture.js";
import { combine, connect, rowsInside } from "./select.js";
import { aligned, View } from "./view.js";
/** @typedef {import("./payload.js").Payload} Payload */
const GLIDE_MS = 450;
const MAX_NAMES = 25;
const NARROW = 500;  // pixels: names are shorter on narrower maps
const MAX_OBSTACLES = 2000;  // points that names keep clear of

/** Listeners: add(callback) returns what removes it, tell(value) calls all. */
function channel() {
  const listeners = /** @type {Set<(value: any) => void>} */ (new Set());
  return {
    add: (/** @type {(value: any) => void} */ callback) => { listeners.add(callback); return () => listeners.delete(callback); },
    tell: (/** @type {any} */ value) => listeners.forEach((hear) => hear(value)),
  };
}

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
  const [selections, turns] = [channel(), channel()];
  // What all rows decide is computed once for a set of points and colours, not for every frame.
  let shapes = /** @type {any} */ ({});

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
    const best = scored.slice(0, MAX_NAMES);
    const names = shorten(best.map(({ row }) => String(rowName(payload, row))), view.size.width < NARROW ? 20 : 32);
    return { wishes: best.map(({ x, y }, k) => ({ x, y, text: names[k], r: discRadius(n) })), count: scored.length };
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
    if (shapes.xy !== view.xy || shapes.colours !== colours) {
      shapes = { xy: view.xy, colours, centres: barycentres(payload, colours, view.xy), hulls: hullsOf(payload, state.hulls, view.xy) };
    }
    const groups = shapes.centres.map((/** @type {any} */ { x, y, text }) => ({ x: view.pixel(x, y)[0], y: view.pixel(x, y)[1], text, bold: true })).filter((/** @type {any} */ { x, y }) => view.shows(x, y));
    const { wishes, count } = rowWishes();
    const marks = n <= MAX_OBSTACLES ? Array.from({ length: n }, (_, row) => view.toPixel(row)) : [];
    const placed = placeLabels([...placedRows, ...groups, ...wishes], view.area, marks);
    drawOverlay(svg, view, payload, state.axes, placed, shapes.hulls, write);
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
    if (rows === selected) return;  // as another map or the page tells it back
    selected = Uint32Array.from(rows || []);
    if (!selected.every((row, k) => row < n && (!k || selected[k - 1] < row))) selected = selected.filter((row) => row < n).sort();
    const mask = selected.length ? new Uint8Array(n) : null;
    if (mask) for (const row of selected) mask[row] = 1;
    picture.setMask(mask);
    status.textContent = mask ? fill(texts.selected, { count: write(selected.length), n: write(n) }) : "";
    root.dataset.selected = String(selected.length);
    schedule();
    selections.tell(selected);
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
  };

  const glide = (/** @type {Float32Array} */ target, jump = false) => {
    const from = view.xy, started = performance.now();
    const still = jump || n > MOST_DISCS || matchMedia("(prefers-reduced-motion: reduce)").matches;
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
    turns.tell(state.axes);
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
    select, setColour, setAxes, find,
    get selected() { return selected; },
    get axes() { return state.axes; },
    get colour() { return state.colour; },
    onaxes: (/** @type {(axes: number[]) => void} */ callback) => turns.add(callback),
    onselect: (/** @type {(rows: Uint32Array) => void} */ callback) => selections.add(callback),
    setCoordinates: (/** @type {Float32Array} */ xy, /** @type {{align?: boolean, jump?: boolean}} */ { align = true, jump = false } = {}) =>
      glide(align ? aligned(xy, view.xy) : xy, jump),
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
