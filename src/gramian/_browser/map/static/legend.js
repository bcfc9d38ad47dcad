// @ts-check
/** The key to the colours: every group, or the ends of a scale. */
import { fill, make } from "./payload.js";
import { markerPath } from "./colour.js";
import { shorten } from "./labels.js";

/** @typedef {import("./payload.js").Payload} Payload */
/** @typedef {import("./colour.js").Colouring} Colouring */

/** @param {import("./colour.js").Mark} mark */
export function swatch(mark) {
  const svg = make("svg", { width: 14, height: 14, viewBox: "-7 -7 14 14", "aria-hidden": "true", focusable: "false" });
  const look = mark.filled ? { fill: mark.colour } : { fill: "none", stroke: mark.colour, "stroke-width": 1.6 };
  svg.append(make("path", { d: markerPath(mark.marker, 5), ...look }));
  return svg;
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
    const names = shorten(colours.levels);
    colours.levels.forEach((level, k) => {
      const button = make("button", { type: "button", class: "gm-entry", title: level });
      button.append(swatch(colours.marks[k]), make("bdi", {}, names[k]), make("span", { class: "gm-count" }, String(colours.counts[k])));
      button.addEventListener("click", () => pick(k));
      node.append(button);
    });
  }
  if (colours.missing) {
    const entry = make("span", { class: "gm-entry" });
    entry.append(swatch(colours.marks[colours.marks.length - 1]));
    entry.append(make("span", {}, fill(payload.texts.missing, { count: colours.missing })));
    node.append(entry);
  }
}
