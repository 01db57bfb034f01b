/**
 * Runs in a page before anything else does: keeps what moves there without somebody's doing, as how much, what, from where and to
 * where. Not what moves while the page is being read: a browser that is in no hurry paints half a button, and then its other half.
 */
export const watchShifts = `window.shifts = [];
  window.read = document.readyState === "loading" ? Infinity : 0;
  document.addEventListener("DOMContentLoaded", () =>
    requestAnimationFrame(() => requestAnimationFrame(() => (window.read = performance.now()))));
  new PerformanceObserver((list) => {
    const box = ({ x, y, width, height }) => [x, y, width, height].join(" ");
    const moved = ({ node, previousRect, currentRect }) =>
      (node?.outerHTML ?? node?.textContent ?? "").slice(0, 120) + " from " + box(previousRect) + " to " + box(currentRect);
    for (const entry of list.getEntries())
      if (!entry.hadRecentInput && entry.startTime >= window.read)
        window.shifts.push(entry.value + ": " + entry.sources.map(moved).join("; "));
  }).observe({ type: "layout-shift" });`;

/** Runs in a page: what has moved so far; a browser tells of it some frames later, a busy one later than that. */
export const shiftsUpToNow = `new Promise((told) => {
  const look = (known) =>
    setTimeout(() => (window.shifts.length === known ? told(window.shifts) : look(window.shifts.length)), 200);
  look(window.shifts.length);
})`;

/** Runs in a page: where everything stands on it. */
export const places = `[...document.querySelectorAll("body *")].map((element) => {
  const { x, y, width, height } = element.getBoundingClientRect();
  return element.localName + "." + element.getAttribute("class") + " " + [x, y, width, height].map(Math.round).join(" ");
})`;
