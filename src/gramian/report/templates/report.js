"use strict";
(() => {
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const texts = read("texts");
  const make = (tag, attributes, text) => {
    const node = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes || {})) node.setAttribute(key, value);
    if (text !== undefined) node.textContent = text;
    return node;
  };

  // Figures. They are laid out for a wide page; a narrow one gets a smaller panel and its legend below.
  const fitted = (spec, room) => {
    const figure = structuredClone(spec);
    const layout = figure.layout;
    const old = { width: layout.width, height: layout.height - layout.margin.t };
    if (old.width <= room || !layout.xaxis || !layout.xaxis.domain) return figure;
    const [x0, x1] = layout.xaxis.domain;
    const [y0, y1] = layout.yaxis.domain;
    const second = Object.keys(layout).find((key) => /^yaxis1\d\d$/.test(key));
    const left = x0 * old.width;
    const right = second ? 56 : 12;
    const panel = { width: (x1 - x0) * old.width, height: (y1 - y0) * old.height };
    const bars = (figure.data || []).some((trace) => trace.orientation === "h");
    const width = Math.max(120, Math.min(room - left - right, panel.width));
    const scaled = layout.yaxis.scaleanchor || layout.xaxis.scaleanchor;
    const height = bars ? panel.height : panel.height * (scaled ? width / panel.width : Math.max(0.75, width / panel.width));
    const named = (figure.data || []).filter((trace) => trace.showlegend !== false && trace.name);
    const lines = layout.showlegend ? Math.ceil(named.length / (room < 460 ? 2 : 3)) : 0;
    const key = (figure.data || []).find((trace) => trace.marker && trace.marker.showscale);
    const under = 22 * lines + (key ? 64 : 0);
    const bottom = y0 * old.height + under;
    const top = Math.min((1 - y1) * old.height, 12);
    const total = { width: Math.min(room, left + width + right), height: bottom + height + top };
    layout.width = total.width;
    layout.height = total.height + layout.margin.t;
    layout.xaxis.nticks = Math.min(layout.xaxis.nticks || 9, Math.max(3, Math.floor(width / 58)));
    layout.xaxis.domain = [left / total.width, (left + width) / total.width];
    layout.yaxis.domain = [bottom / total.height, (bottom + height) / total.height];
    if (lines) {  // its columns become one
      for (const trace of figure.data) if (trace.legend) trace.legend = "legend";
      for (const column of Object.keys(layout)) if (/^legend\d+$/.test(column)) delete layout[column];
      layout.legend = Object.assign(layout.legend, { orientation: "h", x: 0, xanchor: "left", y: (under - (key ? 64 : 0)) / total.height, yanchor: "top" });
    }
    if (key) {
      Object.assign(key.marker.colorbar, { orientation: "h", x: left / total.width, xanchor: "left", y: 0, yanchor: "bottom", len: width, lenmode: "pixels", thickness: 10 });
    }
    return figure;
  };

  // Labels that would cover one another or a tick: the first, which matter most, stay.
  const declutter = (node) => {
    const kept = [...node.querySelectorAll(".xtick text, .ytick text")].map((tick) => tick.getBoundingClientRect());
    const frame = node.querySelector("svg.main-svg").getBoundingClientRect();
    for (const label of node.querySelectorAll(".annotation")) {
      label.style.visibility = "visible";
      label.style.transform = "";
      const text = label.querySelector(".annotation-text-g") || label;
      let box = text.getBoundingClientRect();
      const out = Math.max(0, box.right - frame.right) - Math.max(0, frame.left - box.left);
      if (out) {
        label.style.transform = `translateX(${-out}px)`;
        box = text.getBoundingClientRect();
      }
      const hit = kept.some((o) => box.left < o.right && o.left < box.right && box.top < o.bottom - 1 && o.top < box.bottom - 1);
      if (hit) label.style.visibility = "hidden";
      else kept.push(box);
    }
  };

  const config = texts.config;
  const draw = (node) => {
    const room = Math.floor(node.getBoundingClientRect().width);
    if (node.dataset.room === String(room)) return;
    node.dataset.room = String(room);
    const figure = fitted(read("figure-" + node.dataset.figure), room);
    Plotly.react(node, figure.data, figure.layout, config).then(() => {
      declutter(node);
      node.dataset.drawn = "yes";
      if (!node.dataset.heard) {
        node.dataset.heard = "yes";
        node.on("plotly_relayout", () => requestAnimationFrame(() => declutter(node)));
      }
    });
  };
  const plots = [...document.querySelectorAll(".plot")];
  const redraw = () => plots.forEach(draw);
  let timer = 0;
  window.addEventListener("resize", () => { clearTimeout(timer); timer = setTimeout(redraw, 150); });

  // Tables.
  const format = new Intl.NumberFormat(texts.lang, { maximumSignificantDigits: 4, useGrouping: false });
  const tiny = new Intl.NumberFormat(texts.lang, { maximumSignificantDigits: 3, notation: "scientific" });
  const number = (x) => (x !== 0 && (Math.abs(x) < 1e-4 || Math.abs(x) >= 1e9) ? tiny : format).format(x).replace("-", "−");
  const decimals = [0, 1, 2, 3].map((k) => new Intl.NumberFormat(texts.lang, { minimumFractionDigits: k, maximumFractionDigits: k, useGrouping: false }));
  const fixed = (x, places) => (places === null || places === undefined ? number(x) : decimals[places].format(x).replace("-", "−"));
  const shown = (value, places) => (value === null ? "–" : typeof value === "number" ? fixed(value, places) : value);

  // A spreadsheet would run a cell that starts like a formula.
  const cell = (value) => {
    if (value === null) return "";
    if (typeof value === "number") return String(value);
    const text = /^(?:[\s'"\u0000-\u0020\u200b-\u200f\ufeff]*[=+\-@\uff0b\uff0d\uff1d\uff20]|[\t\r\n])/.test(value) ? "'" + value : value;
    return /[",\n\r]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  };
  const csv = (table) =>
    [table.columns.map((column) => column.title), ...table.rows].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";

  const save = (name, text) => {
    const link = make("a", { download: name });
    link.href = URL.createObjectURL(new Blob(["\ufeff", text], { type: "text/csv;charset=utf-8" }));
    document.body.append(link);
    link.click();
    link.remove();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };

  const build = (node) => {
    const name = node.dataset.table;
    const table = read("table-" + name);
    const state = { column: -1, down: false, words: "", count: table.few };
    const compare = (a, b) => {
      const [x, y] = [a[state.column], b[state.column]];
      if (x === null || y === null) return (x === null) - (y === null);
      const order = typeof x === "number" ? x - y : String(x).localeCompare(String(y), texts.lang, { numeric: true });
      return state.down ? -order : order;
    };
    const grid = make("table");
    const head = make("tr");
    const titles = table.columns.map((column, k) => {
      const title = make("th", { scope: "col", class: column.number ? "number" : "" });
      const button = make("button", { type: "button", title: texts.sort }, column.title);
      button.addEventListener("click", () => {
        const first = state.column !== k;
        state.down = first ? column.number : !state.down;
        state.column = k;
        fill();
      });
      title.append(button);
      head.append(title);
      return title;
    });
    const thead = make("thead");
    thead.append(head);
    const body = make("tbody");
    grid.append(thead, body);
    node.querySelector(".scroll").append(grid);
    const tools = node.querySelector(".tools");
    const count = make("span", { class: "count", "aria-live": "polite" });
    const more = make("button", { type: "button", class: "more" }, texts.more);
    more.addEventListener("click", () => { state.count = Math.min(state.count * 5, 2000); fill(); });
    if (table.rows.length > table.few) {
      const search = make("input", { type: "search", placeholder: texts.search, "aria-label": texts.search });
      search.addEventListener("input", () => { state.words = search.value.toLowerCase(); fill(); });
      tools.append(count, search);
      node.append(more);
    }
    const cut = make("p", { class: "note cut" });
    node.append(cut);
    const button = make("button", { type: "button", class: "csv" }, texts.csv);
    button.addEventListener("click", () => save(name + ".csv", csv(table)));
    tools.append(button);

    const fill = () => {
      let rows = table.rows;
      if (state.words) rows = rows.filter((row) => row.some((value) => typeof value === "string" && value.toLowerCase().includes(state.words)));
      if (state.column >= 0) rows = [...rows].sort(compare);
      titles.forEach((title, k) => {
        if (k === state.column) title.setAttribute("aria-sort", state.down ? "descending" : "ascending");
        else title.removeAttribute("aria-sort");
      });
      const some = rows.slice(0, state.count);
      body.replaceChildren(...some.map((row) => {
        const line = make("tr");
        row.forEach((value, k) => {
          const data = make("td", table.columns[k].number ? { class: "number" } : { class: "text", dir: "auto" }, shown(value, table.columns[k].places));
          line.append(data);
        });
        return line;
      }));
      count.textContent = texts.rows.replace("{shown}", shown(some.length)).replace("{count}", shown(rows.length));
      cut.textContent = texts.cut.replace("{shown}", shown(some.length)).replace("{count}", shown(rows.length));
      cut.hidden = some.length >= rows.length;
      more.hidden = some.length >= rows.length || state.count >= 2000;
    };
    fill();
  };

  for (const button of document.querySelectorAll("[data-copy]")) {
    button.addEventListener("click", async () => {
      const text = document.getElementById(button.dataset.copy).textContent;
      try {
        await navigator.clipboard.writeText(text);
      } catch {
        const range = document.createRange();
        range.selectNodeContents(document.getElementById(button.dataset.copy));
        getSelection().removeAllRanges();
        getSelection().addRange(range);
        document.execCommand("copy");
      }
      button.textContent = texts.copied;
      setTimeout(() => { button.textContent = texts.copy; }, 1500);
    });
  }
  document.querySelectorAll("[data-table]").forEach(build);
  redraw();
})();
