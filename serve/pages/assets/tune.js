"use strict";
// Sliders show their values while they move, and ask for predictions when they rest. The field keeps the focus.
(() => {
  const form = document.getElementById("tune");
  if (!form) return;
  const kept = "lshclust.tune";
  let timer = 0;

  form.addEventListener("input", (e) => {
    const shown = form.querySelector(`output[for="${e.target.name}"]`);
    if (shown) shown.textContent = e.target.value;
    clearTimeout(timer);
  });
  form.addEventListener("change", (e) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      try { sessionStorage.setItem(kept, `${e.target.name} ${window.scrollY}`); } catch { /* no storage: the focus is lost */ }
      form.requestSubmit();
    }, 500);
  });

  let last = null;
  try {
    last = sessionStorage.getItem(kept);
    sessionStorage.removeItem(kept);
  } catch { /* no storage */ }
  const [name, y] = (last || "").split(" ");
  const field = name && form.elements.namedItem(name);
  if (field) {
    field.focus({ preventScroll: true });
    window.scrollTo(0, Number(y));
  }
})();
