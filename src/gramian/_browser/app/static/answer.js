// @ts-check
/** The right side: what may be said of the data, or what is particular to a selection. */
import { fill, make } from "../map/payload.js";
import { byId } from "./recipe.js";

/** @param {Record<string, any>} about @param {Record<string, (...values: any[]) => void>} act */
export function answerPanel(about, act) {
  const { texts } = about;
  const write = new Intl.NumberFormat(about.language, { maximumSignificantDigits: 4 });
  const claims = byId("claims"), selection = byId("selection");

  /** @param {any} reading @param {boolean} isTesting */
  function showClaims(reading, isTesting) {
    claims.replaceChildren(make("h3", {}, texts.short));
    if (!reading.tested) {
      const wait = isTesting ? texts["tests.running"] : fill(texts["tests.wait"], { seconds: Math.ceil(reading.cost.seconds) });
      claims.append(make("p", { class: "note" }, wait));
      const button = make("button", { id: "run-tests" }, texts["tests.run"]);
      button.addEventListener("click", () => act.test());
      if (!isTesting) claims.append(button);
    }
    const list = (/** @type {any[]} */ items) => make("ul", {}, items.map((claim) => make("li", { "data-kind": claim.kind }, claim.text)));
    claims.append(list(reading.short.map((/** @type {number} */ k) => reading.claims[k])));
    if (reading.claims.length > reading.short.length) {
      claims.append(make("details", {}, [make("summary", {}, `${texts.claims} (${reading.claims.length})`), list(reading.claims)]));
    }
  }

  /** @param {number[]} rows @param {any} answer */
  function showSelection(rows, answer) {
    selection.hidden = !rows.length;
    if (!rows.length) return;
    selection.replaceChildren(make("h3", {}, `${texts.selection}: ${fill(texts["selection.count"], answer)}`));
    const acts = make("div", { class: "acts" });
    const name = make("input", { id: "group-name", "aria-label": texts["group.name"], placeholder: texts["group.name"], maxlength: 60 });
    const button = (/** @type {string} */ id, /** @type {string} */ text, /** @type {() => void} */ work) => {
      const node = make("button", { id }, text);
      node.addEventListener("click", work);
      acts.append(node);
    };
    acts.append(name);
    button("make-group", texts["group.make"], () => act.change({ action: "group", rows, name: name.value }));
    for (const action of ["only", "supplementary"]) {
      button(action, texts[action], () => {
        act.clear();
        act.change({ action, rows });
      });
    }
    button("clear", texts.clear, () => act.clear());
    selection.append(acts);
    const list = make("ul", { id: "found" });
    for (const found of answer.found) {
      const item = make("li");
      const level = found.category === null || found.category === "" ? "" : ` = ${found.category}`;
      item.append(make("b", {}, `${found.v_test > 0 ? "▲" : "▼"} ${found.variable}${level}`));
      item.append(make("span", { class: "note" }, `${detail(found)}; v = ${write.format(found.v_test)}`));
      list.append(item);
    }
    selection.append(list);
    if (answer.more) selection.append(make("p", { class: "note" }, fill(texts["selection.more"], { count: answer.more })));
    if (answer.tests && !answer.found.length) selection.append(make("p", {}, texts["selection.none"]));
    if (answer.tests) selection.append(make("p", { class: "note" }, fill(texts["selection.note"], answer)));
  }

  /** @param {any} found */
  function detail(found) {
    if (found.mean !== null) return fill(texts["selection.mean"], { mean: write.format(found.mean), overall: write.format(found.overall_mean) });
    const percent = (/** @type {number} */ x) => write.format(Math.round(1000 * x) / 10);
    return fill(texts["selection.share"], { share: percent(found.share_of_class), overall: percent(found.overall_share) });
  }

  return { showClaims, showSelection };
}
