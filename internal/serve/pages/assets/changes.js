"use strict";
// A button that copies the rules, and buttons that approve or reject moves. The browser remembers them for the two runs.
(() => {
  const button = (text, act) => {
    const b = document.createElement("button");
    b.type = "button";
    b.textContent = text;
    b.addEventListener("click", act);
    return b;
  };

  const text = document.getElementById("rules-text");
  if (text && navigator.clipboard) {
    const copy = button("Copy", async () => {
      try {
        await navigator.clipboard.writeText(text.textContent);
        copy.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(text);
        copy.textContent = "Selected";
      }
      setTimeout(() => { copy.textContent = "Copy"; }, 2000);
    });
    copy.className = "copy";
    text.before(copy);
  }

  const list = document.querySelector(".moves"), form = document.getElementById("approved");
  if (!list || !form) return;
  const key = "lshclust moves " + list.dataset.runs;
  let said = {}; // true for an approved move, false for a rejected one, by the old URL
  try { said = JSON.parse(localStorage.getItem(key)) || {}; } catch { /* nothing is remembered */ }
  const rows = [...list.querySelectorAll("[data-old]")];

  function show() {
    for (const row of rows) {
      row.classList.toggle("rejected", said[row.dataset.old] === false);
      for (const b of row.querySelectorAll("[data-says]")) b.setAttribute("aria-pressed", String(said[row.dataset.old]) === b.dataset.says);
    }
    const approved = Object.keys(said).filter((url) => said[url]);
    form.hidden = Object.keys(said).length === 0;
    form.elements.only.value = approved.join("\n");
    form.querySelector(".number").textContent = approved.length;
    form.querySelector("[type=submit]").disabled = approved.length === 0;
    try { localStorage.setItem(key, JSON.stringify(said)); } catch { /* for this page only */ }
  }

  for (const row of rows) {
    const judge = document.createElement("div");
    judge.className = "judge";
    for (const [text, says] of [["approve", true], ["reject", false]]) {
      const b = button(text, () => {
        if (said[row.dataset.old] === says) delete said[row.dataset.old];
        else said[row.dataset.old] = says;
        show();
      });
      b.dataset.says = says;
      judge.append(b);
    }
    row.append(judge);
  }
  form.querySelector("[type=button]").addEventListener("click", () => { said = {}; show(); });
  show();
})();
