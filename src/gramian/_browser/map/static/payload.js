// @ts-check
/** The payload of `gramian._browser.map.payload`, with its arrays as typed arrays. */

/**
 * @typedef {Uint8Array | Uint16Array | Float32Array | Float64Array} Numbers
 * @typedef {{key: string, name: string, kind: "group" | "number", role: string,
 *   data: Numbers, levels: string[]}} Column
 * @typedef {{n: number, title: string, language: string, method: string,
 *   texts: Record<string, string>, labels: string[] | null,
 *   palette: Record<string, string[]>, scale: Record<string, string[]>,
 *   axes: {name: string, share: number | null}[],
 *   coordinates: {low: number[], high: number[], data: Numbers},
 *   columns: Column[], left_out: number, start: Record<string, string | null>,
 *   model: any}} Payload
 */

/** @type {Record<string, any>} */
const ARRAYS = { u1: Uint8Array, u2: Uint16Array, f4: Float32Array, f8: Float64Array };

/**
 * Return a payload whose references to buffers are replaced by typed arrays.
 * @param {any} header
 * @param {(ArrayBuffer | DataView)[]} [buffers] by default those that the header carries as base64
 * @returns {Payload}
 */
export function decode(header, buffers) {
  const blocks = buffers || header.buffers.map(fromBase64);
  /** @param {any} value @returns {any} */
  const visit = (value) => {
    if (Array.isArray(value)) return value.length && typeof value[0] !== "object" ? value : value.map(visit);
    if (value === null || typeof value !== "object") return value;
    if ("buffer" in value && "type" in value) return view(blocks[value.buffer], value.type);
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, visit(part)]));
  };
  const { buffers: _, ...rest } = header;
  return visit(rest);
}

/**
 * Return the payload in one block of bytes, as `Payload.as_bytes` writes it.
 * @param {ArrayBuffer} bytes
 */
export function decodeBytes(bytes) {
  const length = new DataView(bytes).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length)));
  let at = 4 + length;
  const buffers = header.sizes.map((/** @type {number} */ size) => {
    at += (8 - (at % 8)) % 8;
    at += size;
    return bytes.slice(at - size, at);
  });
  return decode(header, buffers);
}

/** @param {ArrayBuffer | DataView} block @param {string} type @returns {Numbers} */
function view(block, type) {
  // A view needs an aligned start; a copy has one.
  return new ARRAYS[type](block instanceof DataView ? block.buffer.slice(block.byteOffset, block.byteOffset + block.byteLength) : block);
}

/** @param {string} text */
function fromBase64(text) {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes.buffer;
}

/** @param {Payload} payload @param {string | null} key @returns {Column | null} */
export function columnOf(payload, key) {
  return payload.columns.find((column) => column.key === key) || null;
}

/** Return the coordinates on two axes, x and y in turn. @param {Payload} payload */
export function planeOf(payload, /** @type {number} */ i, /** @type {number} */ j) {
  const { low, high, data } = payload.coordinates;
  const n = payload.n;
  const xy = new Float32Array(2 * n);
  [i - 1, j - 1].forEach((axis, side) => {
    const unit = (high[axis] - low[axis]) / 65535;
    for (let r = 0; r < n; r++) xy[2 * r + side] = low[axis] + data[axis * n + r] * unit;
  });
  return xy;
}

/** Return the name of a row: its label, or its number from 1. @param {Payload} payload */
export function rowName(payload, /** @type {number} */ row) {
  return payload.labels ? payload.labels[row] : fill(payload.texts.row, { name: row + 1 });
}

/** Return a text with its placeholders filled. */
export function fill(/** @type {string} */ text, /** @type {Record<string, any>} */ values) {
  return text.replace(/\{(\w+)\}/g, (whole, key) => (key in values ? String(values[key]) : whole));
}

/** Return an element with a text or children; texts from the data reach the page as text only. */
export function make(
  /** @type {string} */ tag, /** @type {Record<string, any>} */ attributes = {}, /** @type {string | any[]} */ content = "",
) {
  const svg = /^(svg|g|path|line|text|rect|circle|title|tspan|polyline|polygon)$/.test(tag);
  const node = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, String(value));
  if (Array.isArray(content)) node.append(...content);
  else node.textContent = content;
  return /** @type {any} */ (node);
}
