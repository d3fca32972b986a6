"use strict";
(() => {
  const body = document.body;
  const at = (id) => document.getElementById(id);
  const rowsInOrder = () => [...document.querySelectorAll("li[data-neighbour]")];
  const pairOf = (li) => JSON.stringify([li.closest("section").dataset.query, li.dataset.neighbour]);
  const same = new Map(); // pair → its rows in all lists
  for (const li of rowsInOrder()) {
    const pair = pairOf(li);
    if (!same.has(pair)) same.set(pair, []);
    same.get(pair).push(li);
  }

  // Marks live in memory and, where the browser allows it, in localStorage.
  const key = "lshclust marks " + body.dataset.key;
  const known = ["good", "bad", "unknown"];
  const marks = new Map();
  let kept = true;
  try {
    for (const [pair, verdict] of JSON.parse(localStorage.getItem(key) || "[]"))
      if (same.has(pair) && known.includes(verdict)) marks.set(pair, verdict);
  } catch { kept = false; }

  const status = () => {
    let text = marks.size + " of " + same.size + " marked";
    if (!kept) text += "; this browser does not keep marks, save them before you leave";
    at("status").textContent = text;
  };
  const keep = () => {
    try { localStorage.setItem(key, JSON.stringify([...marks])); kept = true; } catch { kept = false; }
    status();
  };
  const show = (pair) => {
    const verdict = marks.get(pair) || "";
    for (const li of same.get(pair)) {
      li.dataset.mark = verdict;
      for (const input of li.querySelectorAll("input")) input.checked = input.value === verdict;
    }
  };
  const mark = (pair, verdict) => {
    if (verdict) marks.set(pair, verdict); else marks.delete(pair);
    show(pair);
    keep();
  };

  // The current row; rows are walked in the order in which they are seen.
  let here = null;
  const stand = (li) => {
    if (here) here.classList.remove("here");
    here = li;
    li.classList.add("here");
  };
  const go = (li) => {
    if (!li) return;
    stand(li);
    (li.querySelector("input:checked") || li.querySelector("input")).focus({ preventScroll: true });
    li.scrollIntoView({ block: "center" });
  };
  const step = (by) => {
    const rows = rowsInOrder();
    go(rows[here ? rows.indexOf(here) + by : 0]);
  };
  const nextUnmarked = () => {
    const rows = rowsInOrder();
    go(rows.slice(rows.indexOf(here) + 1).find((li) => !marks.has(pairOf(li))));
  };
  document.addEventListener("focusin", (e) => {
    const li = e.target.closest("li[data-neighbour]");
    if (li && li !== here) stand(li);
  });
  document.addEventListener("change", (e) => {
    const li = e.target.closest("li[data-neighbour]");
    if (li) mark(pairOf(li), e.target.value);
  });
  const verdicts = { g: "good", b: "bad", d: "unknown", x: "" };
  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key === "j") step(1);
    else if (e.key === "k") step(-1);
    else if (Object.hasOwn(verdicts, e.key) && here) {
      mark(pairOf(here), verdicts[e.key]);
      if (e.key !== "x") nextUnmarked();
    } else return;
    e.preventDefault();
  });

  // The file: what lshclust eval marks reads.
  const escape = (s) => s.replace(/[\\\t\n\r]/g, (c) => ({ "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" })[c]);
  const unescape = (s) => s.replace(/\\(.)/g, (_, c) => ({ t: "\t", n: "\n", r: "\r" })[c] || c);
  const tsv = () => {
    let out = "# query\tneighbour\tmark\tmethods\n";
    for (const [pair, rows] of same) {
      const by = rows
        .map((li) => ({ list: li.closest(".list").dataset, rank: li.dataset.rank }))
        .sort((a, b) => a.list.open - b.list.open)
        .map((x) => x.list.method + ":" + x.rank);
      out += JSON.parse(pair).map(escape).join("\t") + "\t" + (marks.get(pair) || "") + "\t" + by.join(" ") + "\n";
    }
    return out;
  };
  at("save").addEventListener("click", () => {
    const a = document.createElement("a");
    a.href = URL.createObjectURL(new Blob([tsv()], { type: "text/tab-separated-values" }));
    a.download = "marks-" + body.dataset.key + ".tsv";
    a.click();
    setTimeout(() => URL.revokeObjectURL(a.href), 10000);
  });
  at("load").addEventListener("change", async (e) => {
    let n = 0;
    for (const line of (await e.target.files[0].text()).split(/\r?\n/)) {
      const [query, neighbour, verdict] = line.split("\t");
      if (line.startsWith("#") || !known.includes(verdict)) continue;
      const pair = JSON.stringify([unescape(query), unescape(neighbour)]);
      if (!same.has(pair)) continue;
      marks.set(pair, verdict);
      show(pair);
      n++;
    }
    keep();
    at("status").textContent += "; " + n + " loaded";
    e.target.value = "";
  });
  at("clear").addEventListener("click", () => {
    if (!confirm("Forget all " + marks.size + " marks?")) return;
    marks.clear();
    for (const pair of same.keys()) show(pair);
    keep();
  });

  // Blind, the lists have letters and stand in an order of their own for each query.
  at("blind").addEventListener("click", () => {
    const on = body.classList.toggle("blind");
    at("blind").setAttribute("aria-pressed", on);
    for (const lists of document.querySelectorAll(".lists")) {
      const place = (el) => Number(on ? el.dataset.shuffled : el.dataset.open);
      lists.append(...[...lists.children].sort((a, b) => place(a) - place(b)));
    }
  });

  for (const pair of same.keys()) show(pair);
  status();
})();
