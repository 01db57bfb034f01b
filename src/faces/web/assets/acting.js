// Forms that are answered in place (`inPlace` in parts/forms.ts): what was pressed shows at once what it will be, and
// once more what it was where the hub refuses or is away.
import htmx from "./npm/htmx.js";
import { sayAway, sayRefusal } from "./say.js";

// An answer that says no takes no place on the page, and the browser alone keeps the history. Menus and warnings that
// somebody has opened stay open when what is around them is renewed, and a post keeps the focus that a script gave it.
const morphIgnore = [...htmx.config.morphIgnore, "open", "tabindex"];
Object.assign(htmx.config, { history: false, noSwap: [204, 304, "4xx", "5xx"], morphIgnore });

/**
 * What htmx tells of a request.
 * @typedef {{
 *   sourceElement: Element,
 *   request: { submitter?: HTMLElement | null, headers: Record<string, string> },
 *   response?: { status: number },
 *   text?: string,
 * }} Asking
 */

/** @type {WeakMap<object, () => void>} */
const undoing = new WeakMap();

/**
 * @param {string} name
 * @param {(asking: Asking, event: Event) => void} act
 */
function on(name, act) {
  document.addEventListener(name, (event) => {
    const { ctx } = /** @type {CustomEvent<{ ctx?: Asking }>} */ (event).detail;
    if (ctx) act(ctx, event);
  });
}

// A page says who it is, and is not told of what it has done itself (hub-live.js).
on("htmx:config:request", ({ request }) => {
  const live = document.querySelector("hub-live");
  if (live instanceof HTMLElement) Object.assign(request.headers, { "hub-page": live.dataset["page"] ?? "" });
});

/** @param {HTMLElement} button */
function stateOf(button) {
  const { innerHTML } = button;
  const [pressed, value] = [button.getAttribute("aria-pressed"), button.getAttribute("value")];
  return () => {
    button.innerHTML = innerHTML;
    button.setAttribute("aria-pressed", pressed ?? "false");
    button.setAttribute("value", value ?? "");
  };
}

/** @param {HTMLElement} button */
function flip(button) {
  const pressed = button.getAttribute("aria-pressed") !== "true";
  const value = button.getAttribute("value") ?? "";
  // What cannot be taken back stays pressed.
  if (!pressed && !value.startsWith("un")) return;
  button.setAttribute("aria-pressed", String(pressed));
  button.setAttribute("value", pressed ? `un${value}` : value.replace(/^un/, ""));
  recount(button, pressed ? 1 : -1);
}

/**
 * @param {HTMLElement} button
 * @param {number} change
 */
function recount(button, change) {
  const place = button.querySelector(".count");
  if (!place) return;
  const count = Number(place.textContent) + change;
  place.textContent = count > 0 ? String(count) : "";
}

/**
 * Presses the button, and lets go of the others in a group of which one counts.
 * @param {HTMLElement} button
 */
function press(button) {
  const group = button.closest("[data-one]");
  /** @type {HTMLElement[]} */
  const others = group ? [...group.querySelectorAll("[aria-pressed=true]")].filter(isHtml) : [];
  const changed = [...new Set([button, ...others])];
  const undo = [...changed.map(stateOf), keepRoom(button)];
  for (const one of changed) flip(one);
  return () => {
    for (const back of undo) back();
  };
}

/**
 * The line in which it will stand who likes this has its room at once where it is the first, and goes at once where it is the last:
 * so nothing moves when the answer comes late.
 * @param {HTMLElement} button
 */
function keepRoom(button) {
  const foot = button.closest(".status-foot");
  const lines = foot?.querySelector(":scope > .reactions");
  const isGiven = button.getAttribute("aria-pressed") !== "true";
  const count = button.querySelector(".count")?.textContent ?? (button.matches(".emoji") ? "" : undefined);
  if (!foot || count === undefined) return () => {};
  if (isGiven && !lines) {
    const room = document.createElement("ul");
    room.className = "reactions";
    room.ariaHidden = "true";
    room.append(document.createElement("li"));
    foot.append(room);
    return () => room.remove();
  }
  if (isGiven || count !== "1" || lines?.childElementCount !== 1) return () => {};
  lines.remove();
  return () => foot.append(lines);
}

/**
 * @param {Element} element
 * @returns {element is HTMLElement}
 */
function isHtml(element) {
  return element instanceof HTMLElement;
}

/**
 * A menu has served when something in it is pressed; what was pressed would lose the focus with it.
 * @param {Element} pressed
 */
function closeMenu(pressed) {
  const menu = pressed.closest("details.menu[open]");
  if (!menu) return;
  menu.removeAttribute("open");
  menu.querySelector("summary")?.focus();
}

/**
 * What was sent of a text, from then on.
 * @type {WeakMap<HTMLTextAreaElement, string>}
 */
const sent = new WeakMap();

/** @param {Element} form */
function textOf(form) {
  const text = form instanceof HTMLFormElement ? form.elements.namedItem("body") : null;
  return text instanceof HTMLTextAreaElement ? text : undefined;
}

/**
 * Whoever goes on typing while a text is on its way, types the next one; a form whose place the answer takes has no next one.
 * @param {HTMLTextAreaElement} text
 */
function hold(text) {
  sent.set(text, text.value);
  text.readOnly = text.form?.getAttribute("hx-target") === "this";
  return () => void (text.readOnly = false);
}

/**
 * Takes what has arrived out of its form.
 * @param {HTMLFormElement} form
 */
function empty(form) {
  const text = textOf(form);
  const arrived = text ? (sent.get(text) ?? "") : "";
  const typed = text?.value ?? "";
  form.reset();
  const next = typed.startsWith(arrived) ? typed.slice(arrived.length).trimStart() : typed;
  if (!text || next === "") return;
  text.value = next;
  text.dispatchEvent(new Event("input", { bubbles: true }));
}

/**
 * Where the form stands that a link brings: under what it answers.
 * @param {Element} link
 */
function answered(link) {
  return link.matches("a[hx-swap=beforeend]") ? link.closest(".status") : null;
}

/**
 * The room of a form that is on its way, so that nothing moves when it comes late.
 * @param {Element} place
 */
function awaitForm(place) {
  const room = document.createElement("div");
  room.className = "comment-form";
  room.ariaBusy = "true";
  place.append(room);
  return () => room.remove();
}

/** @param {Asking} asking */
function undo(asking) {
  undoing.get(asking)?.();
  undoing.delete(asking);
}

/**
 * The log-in is over, or the page has been open for too long: the way without scripts loses nothing that was typed.
 * @param {Asking} asking
 */
function sendPlainly({ sourceElement: form, request: { submitter } }) {
  if (!(form instanceof HTMLFormElement)) return location.reload();
  if (submitter instanceof HTMLButtonElement && submitter.name !== "") {
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name: submitter.name, value: submitter.value });
    form.append(field);
  }
  return HTMLFormElement.prototype.submit.call(form);
}

/**
 * Where a list grows in place: its neighbour before, so that whoever acts by keyboard goes on at what has come.
 * @type {{ before: Element | null, list: Element | null } | undefined}
 */
let growing;

/** @param {Element} link */
function noteGrowth(link) {
  const place = link.closest(".pager")?.closest("li, .pager");
  growing = place ? { before: place.previousElementSibling, list: place.parentElement } : undefined;
  place?.closest(".comments")?.setAttribute("data-grown", "");
}

function goOnInGrowth() {
  const first = growing?.before ? growing.before.nextElementSibling : growing?.list?.firstElementChild;
  growing = undefined;
  const aim = first?.querySelector("a[rel]") ?? first;
  if (!(aim instanceof HTMLElement)) return;
  if (!aim.matches("a")) aim.tabIndex = -1;
  aim.focus({ preventScroll: true });
}

on("htmx:before:request", (asking, event) => {
  noteGrowth(asking.sourceElement);
  const { submitter } = asking.request;
  const place = answered(asking.sourceElement);
  const form = place?.querySelector(":scope > .comment-form");
  if (form) {
    event.preventDefault();
    form.querySelector("textarea")?.focus();
    return undefined;
  }
  if (place) undoing.set(asking, awaitForm(place));
  if (!submitter) return undefined;
  // A draft leads to the drafts.
  if (submitter instanceof HTMLButtonElement && submitter.value === "keep") {
    event.preventDefault();
    return sendPlainly(asking);
  }
  if (submitter.hasAttribute("aria-pressed")) undoing.set(asking, press(submitter));
  const text = textOf(asking.sourceElement);
  if (text?.form?.hasAttribute("data-emptied")) undoing.set(asking, hold(text));
  closeMenu(submitter);
  return undefined;
});
on("htmx:response:error", (asking) => {
  undo(asking);
  if (asking.response?.status === 401) sendPlainly(asking);
  else sayRefusal(asking.text ?? "");
});
on("htmx:before:swap", (asking) => {
  if (answered(asking.sourceElement)) undo(asking);
});
on("htmx:after:swap", ({ sourceElement: form }) => {
  if (form instanceof HTMLFormElement && form.hasAttribute("data-emptied")) empty(form);
});
// Whoever acts by keyboard goes on where they were, also when what they pressed is gone.
document.addEventListener("htmx:after:settle", (event) => {
  const { task } = /** @type {CustomEvent<{ task: { sourceElement?: Element, target: Element } }>} */ (event).detail;
  const { sourceElement, target } = task;
  if (document.activeElement !== document.body || !sourceElement?.matches("form, a")) return;
  if (growing) return goOnInGrowth();
  // What is of another kind has taken its place and its name.
  const place = target.isConnected ? target : document.getElementById(target.id);
  if (!(place instanceof HTMLElement)) return;
  if (!place.hasAttribute("tabindex")) place.tabIndex = -1;
  place.focus({ preventScroll: true });
});
on("htmx:error", (asking) => {
  undo(asking);
  if (!asking.response) sayAway();
});
