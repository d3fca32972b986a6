"use strict";
// A card beside the circle that is pointed at or has the focus: what the list says about it.
(() => {
  const figure = document.querySelector(".map"), rows = [...document.querySelectorAll(".map-rows .row")];
  if (!figure) return;
  const card = document.createElement("div");
  card.className = "map-card card";
  card.hidden = true;
  card.setAttribute("aria-hidden", "true"); // the name of the circle says the same
  figure.append(card);

  function hide() {
    card.hidden = true;
    rows.forEach((row) => row.classList.remove("pointed"));
  }

  function show(node) {
    const row = rows[Number((node.querySelector(".n") || {}).textContent) - 1];
    hide();
    if (!row) return;
    row.classList.add("pointed");
    const what = row.querySelector(".what").cloneNode(true);
    what.querySelectorAll("a").forEach((a) => a.replaceWith(...a.childNodes));
    card.replaceChildren(what, row.querySelector(".score").cloneNode(true));
    card.hidden = false;
    const at = node.querySelector("circle").getBoundingClientRect(), frame = figure.getBoundingClientRect();
    const left = at.left + at.width / 2 - frame.left < frame.width / 2 ? at.right + 6 : at.left - card.offsetWidth - 6;
    card.style.left = Math.max(0, Math.min(left - frame.left, frame.width - card.offsetWidth)) + "px";
    card.style.top = at.bottom + 4 - frame.top + "px";
  }

  for (const node of figure.querySelectorAll(".node")) {
    const title = node.querySelector("title");
    if (title) { // or the browser shows it over the card
      node.setAttribute("aria-label", title.textContent);
      title.remove();
    }
    node.addEventListener("pointerenter", () => show(node));
    node.addEventListener("pointerleave", hide);
    node.addEventListener("focus", () => show(node));
    node.addEventListener("blur", hide);
  }
  document.addEventListener("keydown", (e) => { if (e.key === "Escape") hide(); });
})();
