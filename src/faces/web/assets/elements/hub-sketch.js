// Keeps what is typed into the form around it: here until the hub has it, and on the hub. A page that opens later goes
// on with it. What was sent and has arrived does not come back: the hub knows its name and keeps nothing under it.
import htmx from "../npm/htmx.js";
import { newName } from "../new-name.js";

const pause = 1500;

/**
 * What this browser knows of the form of a page: the name of the draft, whether it was sent, and the fields that the hub has not got yet.
 * @typedef {{ name: string, sent?: boolean, fields?: [string, string][] }} Known
 */

class Sketch extends HTMLElement {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  #timer;
  #changes = 0;

  connectedCallback() {
    const form = this.closest("form");
    if (!form) return;
    const change = () => this.#change(form);
    form.addEventListener("input", change);
    form.addEventListener("change", change);
    form.addEventListener("submit", ({ submitter }) => {
      clearTimeout(this.#timer);
      const doing = submitter instanceof HTMLButtonElement && submitter.name === "do" ? submitter.value : "post";
      const known = this.#known();
      if (known && doing === "post") this.#note({ ...known, sent: true });
    });
    // What was sent in place has arrived, and what is typed next is another draft.
    form.addEventListener("reset", () => {
      this.#note(undefined);
      this.#rename(form);
      this.#say(false);
    });
    addEventListener("visibilitychange", () => {
      if (document.visibilityState === "hidden" && this.isConnected) void this.#keep(form);
    });
    if (isTypedIn(form)) this.#takeUp(form);
    else void this.#goOn(form);
  }

  /**
   * What was typed before this came is a draft of its own; the one before goes to the hub, if it is not there yet.
   * @param {HTMLFormElement} form
   */
  #takeUp(form) {
    const known = this.#known();
    if (known?.fields && !known.sent) void this.#send(form, known);
    this.#change(form);
  }

  get #key() {
    return `draft ${this.dataset["owner"]} ${this.dataset["place"]}`;
  }

  /** @returns {Known | undefined} */
  #known() {
    try {
      return /** @type {Known | null} */ (JSON.parse(localStorage.getItem(this.#key) ?? "")) ?? undefined;
    } catch {
      return undefined;
    }
  }

  /** @param {Known | undefined} known */
  #note(known) {
    try {
      if (known) localStorage.setItem(this.#key, JSON.stringify(known));
      else localStorage.removeItem(this.#key);
    } catch {
      // A browser that keeps nothing still has the hub.
    }
  }

  /**
   * Goes on with what was typed before, unless the form has it already or is being filled in.
   * @param {HTMLFormElement} form
   */
  async #goOn(form) {
    const known = this.#known();
    if (!known) return;
    if (known.name === this.#nameIn(form)) return this.#note({ ...known, sent: false });
    if (isFilled(form) || (known.sent && new URLSearchParams(location.search).has("done") && !known.fields))
      return known.sent ? this.#note(undefined) : undefined;
    if (known.fields && !(await this.#send(form, known))) return undefined;
    const answer = await fetch(`/drafts/${known.name}`).catch(() => undefined);
    if (!answer) return undefined;
    if (!answer.redirected) return this.#note(undefined);
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const keeper = [...page.querySelectorAll("hub-sketch")].find(
      (one) => one.getAttribute("data-place") === this.dataset["place"],
    );
    const filled = keeper?.closest("form");
    if (filled && this.#changes === 0 && this.isConnected) replaceForm(form, document.importNode(filled, true));
    return undefined;
  }

  /** @param {HTMLFormElement} form */
  #nameIn(form) {
    const field = form.elements.namedItem("sketch");
    return field instanceof HTMLInputElement ? field.value : "";
  }

  /** @param {HTMLFormElement} form */
  #rename(form) {
    const field = form.elements.namedItem("sketch");
    if (field instanceof HTMLInputElement) field.value = newName();
  }

  /** @param {HTMLFormElement} form */
  #change(form) {
    this.#changes += 1;
    const name = this.#nameIn(form);
    this.#say(false);
    clearTimeout(this.#timer);
    if (!isFilled(form)) {
      if (this.#known()?.name !== name) return;
      this.#note(undefined);
      void fetch("/drafts/drop", { method: "POST", body: this.#bodyOf(form, [["draft", name]]), redirect: "manual" });
      return;
    }
    this.#note({ name, fields: fieldsOf(form) });
    this.#timer = setTimeout(() => void this.#keep(form), pause);
  }

  /** @param {HTMLFormElement} form */
  async #keep(form) {
    clearTimeout(this.#timer);
    const known = this.#known();
    if (!known?.fields || known.sent || known.name !== this.#nameIn(form)) return;
    const changes = this.#changes;
    if (!(await this.#send(form, known)) || changes !== this.#changes) return;
    const { fields: _, ...rest } = this.#known() ?? known;
    this.#note(rest);
    this.#say(true);
  }

  /**
   * Gives the hub what it has not got; answers whether it has the draft now.
   * @param {HTMLFormElement} form
   * @param {Known} known
   */
  async #send(form, { name, fields = [] }) {
    const body = this.#bodyOf(form, fields);
    body.set("sketch", name);
    body.set("place", this.dataset["place"] ?? "/");
    // What outlives its page has to be short.
    const keepalive = String(body).length < 60_000;
    const answer = await fetch("/drafts/keep", { method: "POST", body, keepalive }).catch(() => undefined);
    if (!answer?.ok || answer.redirected) return false;
    const said = /** @type {{ kept: boolean } | undefined} */ (await answer.json().catch(() => undefined));
    if (said?.kept === false) this.#forget(form, name);
    return said?.kept === true;
  }

  /**
   * A draft of this name was posted. Whoever came back to its form and goes on typing writes another one.
   * @param {HTMLFormElement} form
   * @param {string} name
   */
  #forget(form, name) {
    const known = this.#known();
    if (known?.name !== name) return;
    this.#note(undefined);
    if (known.sent || name !== this.#nameIn(form)) return;
    this.#rename(form);
    this.#change(form);
  }

  /**
   * @param {HTMLFormElement} form
   * @param {[string, string][]} fields
   */
  #bodyOf(form, fields) {
    const body = new URLSearchParams(fields);
    const token = form.elements.namedItem("form_security_token");
    if (token instanceof HTMLInputElement) body.set(token.name, token.value);
    return body;
  }

  /** @param {boolean} kept */
  #say(kept) {
    const words = this.querySelector("span");
    if (words) words.hidden = !kept;
  }
}

const words = ["body", "title", "summary", "option", "media_id", "quote"];

/** @param {HTMLFormElement} form */
function isFilled(form) {
  const data = new FormData(form);
  return words.some((name) => data.getAll(name).some((value) => typeof value === "string" && value.trim() !== ""));
}

/**
 * Has somebody typed into it? What a browser brings back of a page that is loaded again is known already.
 * @param {HTMLFormElement} form
 */
function isTypedIn(form) {
  const [navigation] = performance.getEntriesByType("navigation");
  if (!(navigation instanceof PerformanceNavigationTiming) || navigation.type !== "navigate") return false;
  return [...form.elements].some(
    (field) =>
      (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) &&
      words.includes(field.name) &&
      field.value !== field.defaultValue,
  );
}

/**
 * Puts what is filled in where the empty form was, which keeps its place on this page. Whoever had begun to go through it stays
 * where they were.
 * @param {HTMLFormElement} form
 * @param {HTMLFormElement} filled
 */
function replaceForm(form, filled) {
  const focused = document.activeElement instanceof HTMLElement && form.contains(document.activeElement);
  const name = focused ? document.activeElement?.getAttribute("name") : undefined;
  for (const { name, value } of form.attributes) filled.setAttribute(name, value);
  form.replaceWith(filled);
  htmx.process(filled);
  const field = name ? filled.elements.namedItem(name) : undefined;
  if (field instanceof HTMLElement) field.focus();
}

/**
 * @param {HTMLFormElement} form
 * @returns {[string, string][]}
 */
function fieldsOf(form) {
  /** @type {[string, string][]} */
  const fields = [];
  for (const [name, value] of new FormData(form))
    if (typeof value === "string" && name !== "form_security_token") fields.push([name, value]);
  return fields;
}

customElements.define("hub-sketch", Sketch);
