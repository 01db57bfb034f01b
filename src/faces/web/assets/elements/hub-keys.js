// Keys that do without the mouse what people do most. They rest while somebody writes, and where they are switched off.

const storage = "keys";

class Keys extends HTMLElement {
  connectedCallback() {
    document.addEventListener("keydown", (event) => this.#press(event));
    const choice = this.querySelector("input");
    if (!choice) return;
    choice.checked = areOn();
    choice.addEventListener("change", () => choose(choice.checked));
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const { key, ctrlKey, metaKey, altKey, target, defaultPrevented } = event;
    if (defaultPrevented || ctrlKey || metaKey || altKey || document.querySelector("dialog[open], .pswp--open")) return;
    if (target instanceof Element && target.closest("input:not([type=checkbox], [type=radio]), textarea, select"))
      return;
    if (key !== "?" && !areOn()) return;
    const act = actions[key];
    if (!act && key !== "?") return;
    event.preventDefault();
    if (act) act();
    else this.querySelector("dialog")?.showModal();
  }
}

/** @type {Record<string, () => void>} */
const actions = {
  j: () => go(1),
  k: () => go(-1),
  n: () => open(document.querySelector("#composer textarea"), "/network#f-composer-body"),
  "/": () => open(document.querySelector("main [type=search]"), "/search"),
  o: () => press(".meta a"),
  l: () => press(".act-heart"),
  r: () => press(".act[href$='#comment']"),
  s: () => press(".act-share"),
};

/** The post that is read: the one with the focus, else the first whose end is still to come. */
function current() {
  const focused = document.activeElement?.closest(".status");
  return focused ?? posts().find((post) => post.getBoundingClientRect().bottom > 80);
}

/** @returns {HTMLElement[]} */
function posts() {
  return [...document.querySelectorAll("main .status")].filter((post) => post instanceof HTMLElement);
}

/** @param {1 | -1} step */
function go(step) {
  const all = posts();
  const focused = document.activeElement?.closest(".status");
  const at = focused instanceof HTMLElement ? all.indexOf(focused) + step : all.findIndex((post) => post === current());
  const next = all[Math.max(0, at)];
  if (!next) return;
  next.tabIndex = -1;
  next.focus({ preventScroll: true });
  next.scrollIntoView({ block: "start" });
}

/** @param {string} selector */
function press(selector) {
  const control = current()?.querySelector(selector);
  if (control instanceof HTMLElement) control.click();
}

/**
 * @param {Element | null} field
 * @param {string} elsewhere
 */
function open(field, elsewhere) {
  if (field instanceof HTMLElement) field.focus();
  else location.assign(elsewhere);
}

function areOn() {
  try {
    return localStorage.getItem(storage) !== "off";
  } catch {
    return true;
  }
}

/** @param {boolean} on */
function choose(on) {
  try {
    if (on) localStorage.removeItem(storage);
    else localStorage.setItem(storage, "off");
  } catch {
    // A browser that keeps nothing has them on again on the next page.
  }
}

customElements.define("hub-keys", Keys);
