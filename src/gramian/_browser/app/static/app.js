// @ts-check
/** The app: one session, one map, and the panels around it. The server computes, the page draws. */
import { createMap } from "../map/map.js";
import { decodeBytes, fill, make, planeOf } from "../map/payload.js";
import { buildDrop } from "../map/drop.js";
import { answerPanel } from "./answer.js";
import { ask, download, hasToken, listen, Refusal, request, setSession } from "./api.js";
import { drawInertia, drawVariables } from "./figures.js";
import { byId, recipePanel } from "./recipe.js";
import { tableView } from "./table.js";
const EXPORTS = ["code", "report", "svg", "png", "pdf", "table", "model"];
let about = /** @type {any} */ ({ texts: {} });
let [description, payload, map, reading, panel, answers, table] = /** @type {any[]} */ (Array(7).fill(null));
let wish = /** @type {{selected: string[], view: any} | null} */ (null);  // of a state file
let isTesting = false;
const early = /** @type {any[]} */ ([]);  // events of a recipe whose description is still on its way
let axes = [1, 2];
let dropped = /** @type {any[]} */ ([]);  // rows of a file that the page placed

const text = (/** @type {string} */ key, /** @type {any} */ values = {}) => fill(about.texts[key] || key, values);
const memory = (/** @type {number} */ bytes) => (bytes > 1e9 ? `${(bytes / 1e9).toPrecision(2)} GB` : `${Math.ceil(bytes / 1e6)} MB`);

/** @param {string} message @param {boolean} [busy] */
function status(message, busy = false) {
  byId("mode").textContent = message;
  byId("status").dataset.busy = String(busy);
  byId("cancel").hidden = !busy;
}

/** Show what went wrong, or nothing. @param {any} problem */
function alarm(problem) {
  const node = byId("alert");
  if (!problem) return node.replaceChildren();
  const said = problem instanceof Refusal ? problem.message : typeof problem === "string" ? problem : null;
  node.textContent = said ?? text("lost");
  if (said === null && !(problem instanceof TypeError)) console.error(problem);  // fetch fails with a TypeError
}

/** Run work of a button; what is refused is said. @param {() => Promise<any>} work */
async function attempt(work) {
  alarm(null);
  try {
    return await work();
  } catch (problem) {
    alarm(problem);
    return null;
  }
}

/** Show a description of data and recipe. @param {any} next */
function show(next) {
  if (!next || (description && next.revision < description.revision)) return;  // answers may overtake each other
  description = next;
  document.title = `${next.name} · Gramian`;
  byId("name").textContent = next.name;
  byId("shape").textContent = next.rows ? `${next.rows} × ${next.n_columns}` : "";
  byId("undo").disabled = !next.undo;
  byId("redo").disabled = !next.redo;
  byId("save").disabled = byId("export").disabled = false;
  byId("welcome").hidden = true;
  panel.show(next);
  if (next.waits) {
    const button = make("button", { id: "confirm" }, text("wait.run"));
    button.addEventListener("click", () => change({ action: "run", confirm: true }));
    byId("alert").replaceChildren(make("span", {}, text("wait", { seconds: Math.ceil(next.estimate.seconds), memory: memory(next.estimate.bytes) }) + " "), button);
  }
  early.splice(0).forEach(hear);
}

const change = (/** @type {any} */ action) => attempt(async () => show(await ask("/api/recipe", action)));

// Files: dropped, chosen, or an example.
/** @param {File} file */
const openFile = (file) => attempt(async () => {
  if (file.size > about.largest) throw new Refusal(text("too_large", { size: Math.round(about.largest / 1e6) }));
  status(text("status.opening", { name: file.name }), true);
  forget();
  const isState = file.name.endsWith(".gramian.json");
  const path = isState ? "/api/state" : `/api/open?name=${encodeURIComponent(file.name)}`;
  try {
    const next = await (await request(path, { body: file })).json();
    if (isState) wish = { selected: next.selected, view: next.view };
    show(next);
  } catch (problem) {
    status(text("status.ready"));
    throw problem;
  }
});

/** @param {string} query */
const openKnown = (query) => attempt(async () => {
  forget();
  show(await ask(`/api/open${query}`, {}));
});

function forget() {
  if (map) map.destroy();
  map = payload = reading = null;
  for (const id of ["map", "place"]) byId(id).replaceChildren();
  byId("selection").hidden = true;
  axes = [1, 2];
}

/** The map. @param {number} revision */
async function drawMap(revision) {
  const bytes = await (await request("/api/map")).arrayBuffer();
  if (revision < Number(byId("map").dataset.revision)) return;  // a later map was drawn meanwhile
  const next = decodeBytes(bytes);
  const isSame = payload && map && next.n === payload.n && String(next.labels) === String(payload.labels)
    && String(next.columns.map((c) => [c.name, c.role])) === String(payload.columns.map((/** @type {any} */ c) => [c.name, c.role]))
    && next.axes.length === payload.axes.length;
  for (const id of ["map", "below", "drawer"]) byId(id).hidden = false;
  if (isSame) {  // points glide to where they are now
    const colour = currentColour();
    Object.assign(payload, next);
    map.setCoordinates(planeOf(payload, axes[0], axes[1]));
    map.setColour(colour);
  } else {
    const colour = payload ? nameOf(currentColour()) : wish && wish.view.colour;
    const names = wish ? wish.selected : selectedNames();
    if (wish && wish.view.axes) axes = wish.view.axes;
    axes = axes.map((k) => Math.min(k, next.axes.length));
    if (axes[0] === axes[1]) axes = [1, Math.min(2, next.axes.length)];
    if (map) map.destroy();
    byId("map").replaceChildren();
    payload = next;
    const known = next.columns.find((c) => c.name === colour);
    const options = { axes, ...(known ? { colour: known.key } : {}), height: Math.max(320, Math.min(byId("centre").clientHeight - 400, 560)) };
    map = createMap(byId("map"), payload, options);
    map.onselect(selected);
    map.onaxes((/** @type {number[]} */ now) => {
      axes = now;
      if (reading) attempt(read);
    });
    table.show(payload);
    wish = null;
    const wanted = new Set(names);
    answers.showSelection([], null);
    if (wanted.size) map.select(Array.from({ length: payload.n }, (_, k) => k).filter((k) => wanted.has(labelOf(k))));
  }
  dropped = [];
  placeField();
  byId("map").dataset.revision = String(revision);
}

/** Offer to place new rows by the model of the screen. */
function placeField() {
  const field = make("div");
  byId("place").replaceChildren(field);
  const board = { get axes() { return axes; }, onaxes: map.onaxes, setSupplementary: (/** @type {any[]} */ points) => { dropped = points; supplement(); } };
  buildDrop(field, payload, [board], field);
}
const supplement = () => map && map.setSupplementary([...(reading ? reading.placed : []), ...dropped]);

const labelOf = (/** @type {number} */ k) => (payload.labels ? payload.labels[k] : String(k + 1));
const currentColour = () => (map ? map.colour : null);
const nameOf = (/** @type {string | null} */ key) => (payload.columns.find((/** @type {any} */ c) => c.key === key) || { name: null }).name;
const selectedNames = () => (map && payload ? Array.from(map.selected, (k) => labelOf(/** @type {number} */ (k))) : []);

async function read() {
  const asked = description.revision;
  const next = await ask(`/api/reading?axes=${axes.join(",")}`);
  if (asked !== description.revision) return;
  reading = next;
  answers.showClaims(reading, isTesting);
  drawVariables(byId("variables"), reading.variables, about.texts);
  drawInertia(byId("inertia"), reading, about.texts);
  panel.setUsualScale(reading.usual_scale);
  supplement();
}

let latest = 0;
/** @param {Uint32Array} rows */
async function selected(rows) {
  table.select(rows);
  const mine = ++latest, list = Array.from(rows);
  if (!list.length) return answers.showSelection([], null);
  await attempt(async () => {
    const answer = await ask("/api/select", { rows: list });
    if (mine === latest) answers.showSelection(list, answer);
  });
}

// The slider: one preview at a time, always of the latest value.
let waiting = /** @type {any} */ (null), isPreviewing = false;
async function preview(/** @type {any} */ kernel) {
  waiting = kernel;
  if (isPreviewing) return;
  isPreviewing = true;
  while (waiting) {
    const spec = waiting;
    waiting = null;
    try {
      const bytes = await (await request("/api/preview", { json: { kernel: spec } })).arrayBuffer();
      const xy = new Float32Array(bytes);
      if (map && xy.length === 2 * payload.n && String(axes) === "1,2") {
        map.setCoordinates(xy, { jump: true });  // the next one is on its way: frames would delay it
        status(text("status.preview"));
        byId("map").dataset.previews = String(Number(byId("map").dataset.previews || 0) + 1);
      }
    } catch (problem) {
      alarm(problem);
    }
  }
  isPreviewing = false;
}

/** @param {any} event */
function hear(event) {
  const current = description ? description.revision : 0;
  if (event.revision > current) return void early.push(event);  // a fit may end before its recipe is described
  if (event.revision < current) return;
  isTesting = event.type === "started" && event.tests;
  if (event.type === "started") {
    const { seconds, bytes } = event.estimate;
    status(text(event.tests ? "status.testing" : "status.fitting", { seconds: Math.ceil(seconds), memory: memory(bytes) }), true);
  } else if (event.type === "exact") {
    attempt(async () => {
      await drawMap(event.revision);
      await read();
    });
    status(text("status.exact", { seconds: event.seconds }));
  } else {
    if (event.type === "failed") alarm(event.text);
    status(event.type === "stopped" ? text("status.stopped") : text("status.ready"));
    if (reading || event.type === "tested") attempt(read);
  }
  byId("status").dataset.event = event.type;
}

async function start() {
  about = await ask("/api/session", {});
  setSession(about.session);
  document.documentElement.lang = about.language;
  for (const node of document.querySelectorAll("[data-text]")) node.textContent = text(/** @type {any} */ (node).dataset.text);
  panel = recipePanel(about, change, preview);
  answers = answerPanel(about, {
    change, clear: () => map && map.select(null), test: () => attempt(() => ask("/api/test", {})),
  });
  table = tableView(byId("table"), (row) => map && map.select([row]));
  const menu = byId("export");
  menu.append(make("option", { value: "" }, text("export")), ...EXPORTS.map((what) => make("option", { value: what }, text(`export.${what}`))));
  menu.addEventListener("change", () => {
    const what = menu.value;
    menu.value = "";
    if (what) save(what);
  });
  byId("datasets").append(make("option", { value: "" }, "–"), ...about.datasets.map((/** @type {string} */ name) => make("option", { value: name }, name)));
  byId("datasets").addEventListener("change", (/** @type {any} */ e) => e.target.value && openKnown(`?dataset=${e.target.value}`));
  connect();
  status(text("status.ready"));
  listen(hear, () => alarm(text("lost")));
  if (about.given !== null) await openKnown("");
  document.body.dataset.ready = "true";
}

/** Save a file of the screen. @param {string} what */
function save(what) {
  const isFigure = ["svg", "png", "pdf"].includes(what);
  const colour = payload ? nameOf(currentColour()) : null;
  const key = currentColour() || "";
  const measure = /^(cos2|contribution)-/.exec(key);
  const view = { axes, colour: measure ? measure[1] : colour };
  return attempt(() => download({ what: isFigure ? "figure" : what, format: what, view, rows: map ? Array.from(map.selected) : [] }));
}

function connect() {
  for (const action of ["undo", "redo"]) byId(action).addEventListener("click", () => change({ action }));
  byId("save").addEventListener("click", () => save("state"));
  byId("cancel").addEventListener("click", () => attempt(() => ask("/api/cancel", {})));
  for (const id of ["open", "choose"]) byId(id).addEventListener("click", () => byId("file").click());
  byId("file").addEventListener("change", () => {
    const file = byId("file").files[0];
    if (file) openFile(file);
    byId("file").value = "";
  });
  byId("drawer").addEventListener("toggle", () => table.redraw());
  for (const tab of document.querySelectorAll("[data-tab]")) {
    tab.addEventListener("click", () => { document.body.dataset.view = /** @type {any} */ (tab).dataset.tab; });
  }
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    byId(event.shiftKey ? "redo" : "undo").click();
  });
  const over = (/** @type {DragEvent} */ event, /** @type {boolean} */ on) => {
    event.preventDefault();
    document.body.classList.toggle("over", on);
  };
  for (const type of ["dragover", "dragleave"]) document.addEventListener(type, (event) => over(/** @type {DragEvent} */ (event), type === "dragover"));
  document.addEventListener("drop", (event) => {
    over(event, false);
    const file = event.dataTransfer && event.dataTransfer.files[0];
    if (file) openFile(file);
  });
}

if (hasToken()) start().catch(alarm);
else byId("alert").textContent = "This address has no token: open the address that the command printed.";
