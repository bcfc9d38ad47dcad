// @ts-check
/** Names: short ones that stay different, and places for them that do not touch. */

/** @typedef {{x: number, y: number, text: string, bold?: boolean, colour?: string, r?: number}} Wish */
/** @typedef {Wish & {left: number, top: number, width: number, height: number}} Placed */
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';
export const LABEL_SIZE = 12;
/** @type {CanvasRenderingContext2D | null} */
let pen = null;

/** Return the width of a text in CSS pixels. */
export function textWidth(/** @type {string} */ text, /** @type {boolean} */ bold = false, size = LABEL_SIZE) {
  pen = pen || document.createElement("canvas").getContext("2d");
  if (!pen) return text.length * size * 0.6;
  pen.font = `${bold ? "600 " : ""}${size}px ${FONT}`;
  return pen.measureText(text).width;
}

/**
 * Return names of at most so many characters that still differ: without what all start with, and
 * shortened in the middle.
 * @param {string[]} names
 */
export function shorten(names, most = 24) {
  const long = names.some((name) => name.length > most);
  const cut = long ? commonStart(names) : 0;
  const rest = names.map((name) => (cut ? "…" + name.slice(cut) : name));
  const short = rest.map((name) => {
    const letters = [...name];
    if (letters.length <= most) return name;
    const head = Math.ceil((most - 1) / 2);
    return [...letters.slice(0, head), "…", ...letters.slice(letters.length - (most - 1 - head))].join("");
  });
  const count = new Map();
  for (const name of short) count.set(name, (count.get(name) || 0) + 1);
  return short.map((name, k) => (count.get(name) > 1 ? rest[k] : name));
}

/** Return the length of what all names start with, up to the end of a word. @param {string[]} names */
function commonStart(names) {
  if (names.length < 2) return 0;
  let length = Math.min(...names.map((name) => name.length));
  for (const name of names) {
    let k = 0;
    while (k < length && name[k] === names[0][k]) k++;
    length = k;
  }
  const end = names[0].slice(0, length).search(/[\s_.:/-][^\s_.:/-]*$/);
  return end >= 3 ? end + 1 : 0;
}

/**
 * Return the labels that find a place, the first wishes first; each stays inside of the area.
 * @param {Wish[]} wishes
 * @param {{left: number, top: number, right: number, bottom: number}} area
 * @param {number[][]} marks points that names should not cover
 * @returns {Placed[]}
 */
export function placeLabels(wishes, area, marks = []) {
  /** @type {Placed[]} */
  const placed = [];
  const height = LABEL_SIZE + 3;
  for (const wish of wishes) {
    const width = textWidth(wish.text, wish.bold) + 2;
    const r = (wish.r || 3) + 2;
    const centre = [wish.x - width / 2, wish.y - height / 2];
    const tries = wish.bold ? [centre] : [];
    for (const far of [0, 9]) {
      const gap = r + far;
      tries.push(
        [wish.x + gap, centre[1]], [wish.x - gap - width, centre[1]],
        [centre[0], wish.y - gap - height], [centre[0], wish.y + gap],
        [wish.x + gap * 0.7, wish.y - gap * 0.7 - height], [wish.x + gap * 0.7, wish.y + gap * 0.7],
        [wish.x - gap * 0.7 - width, wish.y - gap * 0.7 - height], [wish.x - gap * 0.7 - width, wish.y + gap * 0.7],
      );
    }
    const covered = (/** @type {number} */ left, /** @type {number} */ top) => {
      let count = 0;
      for (const [x, y] of marks) if (x > left - 2 && x < left + width + 2 && y > top - 1 && y < top + height + 1) count++;
      return count;
    };
    let best = null, least = wish.bold ? Infinity : 2;
    for (const [left, top] of tries) {
      const right = left + width, bottom = top + height;
      if (left < area.left || top < area.top || right > area.right || bottom > area.bottom) continue;
      if (placed.some((o) => left < o.left + o.width && o.left < right && top < o.top + o.height && o.top < bottom)) continue;
      const cost = covered(left, top);
      if (cost < least) [best, least] = [{ ...wish, left, top, width, height }, cost];
      if (!cost) break;
    }
    if (best) placed.push(best);
  }
  return placed;
}

/** Return about `count` round numbers between two. */
export function ticks(/** @type {number} */ low, /** @type {number} */ high, count = 6) {
  const raw = (high - low) / count;
  if (!(raw > 0) || !Number.isFinite(raw)) return [];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5, 10].find((k) => k * power >= raw) || 10);
  const out = [];
  for (let k = Math.ceil(low / step); k * step <= high; k++) out.push(k * step || 0);  // not −0
  return out;
}
