"use strict";
// Keys. A row is an element with data-row; a key that opens something is in data-key of a link, in the row or on the page.
(() => {
  document.documentElement.classList.add("js");
  const rows = () => [...document.querySelectorAll("[data-row]")].filter((row) => row.getClientRects().length > 0);
  const current = () => document.activeElement && document.activeElement.closest("[data-row]");
  const typing = (at) => at.closest("input:not([type=range]):not([type=radio]):not([type=checkbox]), textarea, select, [contenteditable]");

  function step(by) {
    const all = rows();
    if (all.length === 0) return;
    const at = all.indexOf(current());
    const row = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(Math.max(at + by, 0), all.length - 1)];
    const link = row.matches("a") ? row : row.querySelector("a");
    if (!link) return;
    link.focus();
    row.scrollIntoView({ block: "nearest" });
  }

  function open(key) {
    const row = current();
    const link = (row && row.querySelector(`[data-key="${key}"]`)) || (row && key === "o" && (row.matches("a") ? row : row.querySelector("a"))) ||
      [...document.querySelectorAll(`[data-key="${key}"]`)].find((a) => !a.closest("[data-row]"));
    if (link) link.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, view: window }));
    return Boolean(link);
  }

  function help() {
    const keys = document.getElementById("keys");
    keys.open = !keys.open;
    if (keys.open) {
      keys.scrollIntoView({ block: "nearest" });
      keys.querySelector("summary").focus();
    }
  }

  const on = document.getElementById("keys-on");
  try { on.checked = localStorage.getItem("keys") !== "off"; } catch { /* it cannot be kept */ }
  on.addEventListener("change", () => { try { localStorage.setItem("keys", on.checked ? "on" : "off"); } catch { /* it cannot be kept */ } });

  document.addEventListener("keydown", (e) => {
    if (e.ctrlKey || e.altKey || e.metaKey || e.isComposing) return;
    if (typing(e.target)) {
      if (e.key === "Escape") e.target.blur();
      return;
    }
    if (!on.checked) return;
    switch (e.key) {
      case "/": {
        const box = document.getElementById("q");
        if (!box) return;
        box.focus();
        box.select();
        break;
      }
      case "j": step(1); break;
      case "k": step(-1); break;
      case "?": help(); break;
      case "o": case "w": case "d": case "m":
        if (!open(e.key)) return;
        break;
      default: return;
    }
    e.preventDefault();
  });
})();
