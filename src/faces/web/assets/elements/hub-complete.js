// Lets what is typed after one of the keys be chosen from a list that the hub makes, and words be made a link by what is pasted over
// them. What finds the keys comes when somebody begins to write.

import { linkPasted } from "../link-pasted.js";

/**
 * What is being typed, and what was chosen.
 * @typedef {{ key: string, text: string, provide: (list: Promise<object>) => void }} Typed
 * @typedef {{ item: HTMLElement, value?: string | undefined }} Chosen
 */

/** One sign of these says too little. */
const shortest = new Map([[":", 2]]);
const nothing = { matched: false };
/** @type {Promise<never>} */
const never = new Promise(() => {});

class Complete extends HTMLElement {
  #asked = new AbortController();

  connectedCallback() {
    const expander = this.querySelector("text-expander");
    if (!expander) return;
    this.addEventListener("paste", linkPasted);
    this.addEventListener("focusin", () => void this.#begin(), { once: true });
    if (this.contains(document.activeElement)) void this.#begin();
    expander.addEventListener("text-expander-change", (event) => {
      const { key, text, provide } = /** @type {CustomEvent<Typed>} */ (event).detail;
      provide(this.#ask(key, text));
    });
    expander.addEventListener("text-expander-value", (event) => {
      const { detail } = /** @type {CustomEvent<Chosen>} */ (event);
      detail.value = detail.item.dataset.value;
    });
    // Others hear of what was put in as of what is typed.
    expander.addEventListener("text-expander-committed", () => {
      this.querySelector("textarea")?.dispatchEvent(new Event("input", { bubbles: true }));
    });
  }

  async #begin() {
    await import("../npm/text-expander.js");
    // What was typed meanwhile.
    const field = this.querySelector("textarea");
    if (field && field.value !== "") field.dispatchEvent(new Event("input", { bubbles: true }));
  }

  /**
   * What the hub proposes; never settles once something else was asked, so that a late answer takes no list away.
   * @param {string} key
   * @param {string} text
   */
  async #ask(key, text) {
    this.#asked.abort();
    const { signal } = (this.#asked = new AbortController());
    const found = await this.#find(key, text, signal);
    return signal.aborted ? never : found;
  }

  /**
   * @param {string} key
   * @param {string} text
   * @param {AbortSignal} signal
   */
  async #find(key, text, signal) {
    if (text.length < (shortest.get(key) ?? 1)) return nothing;
    const query = new URLSearchParams({ key, text });
    const words = await fetch(`${this.dataset["address"]}?${query}`, { signal })
      .then((answer) => (answer.ok ? answer.text() : ""))
      .catch(() => "");
    const list = new DOMParser().parseFromString(words, "text/html").querySelector("ul.suggestions");
    return list?.firstElementChild ? { matched: true, fragment: list } : nothing;
  }
}

customElements.define("hub-complete", Complete);
