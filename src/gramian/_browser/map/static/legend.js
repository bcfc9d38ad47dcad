// @ts-check
/** The key to the colours: every group, or the ends of a scale. */
import { fill, make } from "./payload.js";
import { markerPath } from "./colour.js";
import { shorten } from "./labels.js";
/** @typedef {import("./payload.js").Payload} Payload */
/** @typedef {import("./colour.js").Colouring} Colouring */

/** @param {import("./colour.js").Mark} mark */
export function swatch(mark) {
  const look = mark.filled ? { fill: mark.colour } : { fill: "none", stroke: mark.colour, "stroke-width": 1.6 };
  const path = make("path", { d: markerPath(mark.marker, 5), ...look });
  return make("svg", { width: 14, height: 14, viewBox: "-7 -7 14 14", "aria-hidden": "true", focusable: "false" }, [path]);
}

/** Return a number in the writing of the language. @param {string} language */
export function numberWriter(language) {
  const plain = new Intl.NumberFormat(language, { maximumSignificantDigits: 4, useGrouping: false });
  const tiny = new Intl.NumberFormat(language, { maximumSignificantDigits: 3, notation: "scientific" });
  return (/** @type {number} */ x) => {
    const size = Math.abs(x);
    return (size !== 0 && (size < 1e-4 || size >= 1e9) ? tiny : plain).format(x).replace("-", "−");
  };
}

/**
 * Fill an element with the legend of a colouring; a click on a group picks its rows.
 * @param {HTMLElement} node @param {Payload} payload @param {Colouring} colours
 * @param {"light" | "dark"} theme @param {(level: number) => void} pick
 */
export function fillLegend(node, payload, colours, theme, pick) {
  node.replaceChildren();
  node.hidden = colours.kind === "none";
  if (colours.kind === "none") return;
  node.append(make("span", { class: "gm-legend-title", dir: "auto" }, colours.title));
  if (colours.kind === "number") {
    const write = numberWriter(payload.language);
    const bar = make("span", { class: "gm-scale", "aria-hidden": "true" });
    bar.style.background = `linear-gradient(to right, ${payload.scale[theme].join(", ")})`;
    const ends = Number.isFinite(colours.low) ? [write(colours.low), write(colours.high)] : ["", ""];
    node.append(make("span", {}, ends[0]), bar, make("span", {}, ends[1]));
  } else {
    const { levels } = colours, names = shorten(levels), order = levels.map((_, k) => k);
    // Names in the order of the alphabet are counted: 2 before 10. Others have an order of their own.
    if (levels.every((level, k) => !k || levels[k - 1] <= level)) order.sort((a, b) => levels[a].localeCompare(levels[b], payload.language, { numeric: true }));
    order.forEach((k) => {
      const level = levels[k];
      const button = make("button", { type: "button", class: "gm-entry", title: level });
      button.append(swatch(colours.marks[k]), make("bdi", {}, names[k]), make("span", { class: "gm-count" }, String(colours.counts[k])));
      button.addEventListener("click", () => pick(k));
      node.append(button);
    });
  }
  if (colours.missing) {
    const words = make("span", {}, fill(payload.texts.missing, { count: colours.missing }));
    node.append(make("span", { class: "gm-entry" }, [swatch(colours.marks[colours.marks.length - 1]), words]));
  }
}
