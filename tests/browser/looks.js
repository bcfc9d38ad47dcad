() => {
  const faults = [];
  const boxes = (nodes) => [...nodes].map((n) => [n.textContent, n.getBoundingClientRect()])
    .filter(([t, b]) => t.trim() && b.width > 0 && b.height > 0);
  const apart = (where, nodes, slack) => {
    const list = boxes(nodes);
    list.forEach(([s, a], i) => list.slice(0, i).forEach(([t, b]) => {
      const x = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const y = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      if (x > slack && y > slack) faults.push(`${where}: "${s}" over "${t}"`);
    }));
  };
  document.querySelectorAll("svg.fig").forEach((n) =>
    apart(n.closest("figure").id, n.querySelectorAll("text"), 2.5));
  document.querySelectorAll(".gm-map").forEach((n) => apart("map", n.querySelectorAll(".gm-overlay text"), 2.5));
  const wide = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > wide) faults.push("the page is wider than the window");
  const head = JSON.parse(document.getElementById("map-data")?.textContent || "null");
  if (head) document.querySelectorAll(".gm-map").forEach((n) => {
    const column = head.columns.find((c) => c.key === n.dataset.colour);
    const entries = [...n.querySelectorAll("button.gm-entry")];
    if (column && column.levels) {
      if (entries.length !== column.levels.length) faults.push("a group is not in the legend");
      if (new Set(entries.map((e) => e.querySelector("bdi").textContent)).size < entries.length) faults.push("names in the legend are the same");
    }
    if (entries.some((e) => e.getBoundingClientRect().right > wide + 1)) faults.push("the legend leaves the window");
    if (head.labels) {
      const names = n.querySelectorAll("text.gm-label:not(.gm-bold)").length;
      const groups = column && column.levels ? n.querySelectorAll("text.gm-bold").length : 0;
      const said = Number((n.querySelector(".gm-note").textContent.match(/[\d\s\u202f.,]+/) || ["0"])[0].replace(/\D/g, ""));
      if (names + said < head.n || said > head.n + groups + 12 - names) faults.push(`${names} names shown, ${said} said to be hidden, of ${head.n}`);
    }
  });
  const light = (c) => { const v = c.map((x) => { x /= 255; return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4; }); return 0.2126 * v[0] + 0.7152 * v[1] + 0.0722 * v[2]; };
  const parse = (s) => { const m = s.match(/[\d.]+/g); return m ? m.map(Number) : [0, 0, 0, 0]; };
  const under = (n) => { for (let k = n; k; k = k.parentElement) { const c = parse(getComputedStyle(k).backgroundColor); if (c.length < 4 || c[3] > 0.5) return c; } return [255, 255, 255]; };
  const contrast = (ink, paper) => { const [a, b] = [light(ink), light(paper)].sort((x, y) => y - x); return (a + 0.05) / (b + 0.05); };
  const weak = new Set();
  for (const n of document.querySelectorAll("svg.fig [data-bar], svg.fig [data-label], .gm-legend svg path, .legend svg *")) {
    const { fill, stroke, fillOpacity } = getComputedStyle(n);
    const inks = [Number(fillOpacity) > 0.3 ? fill : "none", stroke].filter((c) => c !== "none").map(parse).filter((c) => c.length < 4 || c[3] > 0);
    if (inks.length && n.tagName !== "g" && !n.closest(".gm-entry:not(button)")) {
      const best = Math.max(...inks.map((ink) => contrast(ink, under(n))));
      if (best < 3) weak.add(`${best.toFixed(2)} in ${(n.closest("figure") || {}).id || "a legend"}`);
    }
  }
  weak.forEach((text) => faults.push(`contrast of marks ${text}`));
  // Every piece of text that is seen: whole inside of the page, and not over another.
  const pieces = [], range = document.createRange(), walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const boxOf = (n) => { for (let k = n; k; k = k.parentElement) if (/auto|scroll|hidden/.test(getComputedStyle(k).overflowX)) return k; return null; };
  while (walk.nextNode()) {
    const n = walk.currentNode.parentElement, data = walk.currentNode.data.trim();
    if (!data || !n.checkVisibility({ visibilityProperty: true }) || n.closest("script, style, select, title, svg.fig, .gm-overlay, .gm-tip")) continue;
    range.selectNodeContents(walk.currentNode);
    const box = boxOf(n);
    for (const b of range.getClientRects()) {
      if (b.width < 2 || b.height < 2) continue;
      if (!box && (b.right > wide + 1 || (b.left < -1 && b.right > 0))) faults.push(`"${data.slice(0, 30)}" leaves the page`);
      pieces.push({ text: data.slice(0, 30), box, b });
    }
  }
  pieces.sort((p, q) => p.b.top - q.b.top);
  pieces.forEach((p, i) => {
    for (let k = i + 1; k < pieces.length && pieces[k].b.top < p.b.bottom - 5; k++) {
      const q = pieces[k];
      const x = Math.min(p.b.right, q.b.right) - Math.max(p.b.left, q.b.left);
      if (p.box === q.box && x > 2.5 && faults.length < 50) faults.push(`"${p.text}" over "${q.text}"`);
    }
  });
  for (const n of document.querySelectorAll("svg.fig, .gm-stage")) {
    const frame = n.getBoundingClientRect();
    for (const [text, b] of boxes(n.querySelectorAll("text"))) {
      const out = Math.max(frame.left - b.left, b.right - frame.right, frame.top - b.top, b.bottom - frame.bottom);
      if (out > 2) faults.push(`"${text}" is cut by ${out.toFixed(0)} pixels in ${(n.closest("figure") || {}).id}`);
    }
  }
  if (matchMedia("print").matches) {
    for (const n of document.querySelectorAll("main *")) {
      if (n.scrollWidth > n.clientWidth + 1 && n.clientWidth && /auto|scroll|hidden/.test(getComputedStyle(n).overflowX)) faults.push(`${n.tagName} ${n.className} is cut on paper`);
    }
  }
  const seen = new Set();
  for (const n of document.querySelectorAll("p, li, h1, h2, h3, a, td, th, label, button, summary, svg text")) {
    const box = n.getBoundingClientRect();
    if (!box.width || ![...n.childNodes].some((c) => c.nodeType === 3 && c.textContent.trim())) continue;
    const style = getComputedStyle(n);
    const ink = parse(n.namespaceURI.endsWith("svg") ? style.fill : style.color), paper = under(n);
    const ratio = contrast(ink, paper);
    const key = ink.join() + "/" + paper.join();
    if (ratio < 4.5 && !seen.has(key)) { seen.add(key); faults.push(`contrast ${ratio.toFixed(2)} of "${n.textContent.trim().slice(0, 30)}"`); }
  }
  if (!matchMedia("print").matches) {
    for (const n of document.querySelectorAll("button, select, summary, nav a, input:not([type=checkbox], [type=range])")) {
      const { width, height } = n.getBoundingClientRect();
      if (width && Math.min(width, height) < 23.5 && !n.classList.contains("gm-link")) faults.push(`"${(n.title || n.textContent).slice(0, 30)}" is ${Math.round(width)} × ${Math.round(height)} pixels`);
    }
    document.querySelectorAll("svg.fig").forEach((f) => {
      const unit = f.getBoundingClientRect().width / f.viewBox.baseVal.width;
      const sizes = [...f.querySelectorAll("text")].map((t) => parseFloat(getComputedStyle(t).fontSize) * unit);
      if (sizes.length && Math.min(...sizes) < 8) faults.push(`${f.closest("figure").id}: letters of ${Math.min(...sizes).toFixed(1)} pixels`);
    });
  }
  const first = document.querySelector(".gm-stage");
  if (first && first.getBoundingClientRect().top + scrollY > 900) faults.push("the first map is below 900 px");
  const words = [...document.querySelectorAll("#summary > ul li")].map((n) => n.textContent).join(" ").split(/\s+/).filter((w) => w !== "◎");
  if (words.length > 120) faults.push(`the summary has ${words.length} words`);
  return faults;
}
