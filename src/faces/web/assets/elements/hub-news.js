// New posts above a stream: how many there are, and what brings them in, as the page would show them now.
import htmx from "../npm/htmx.js";

class News extends HTMLElement {
  /** @type {Set<string>} */
  #waiting = new Set();

  connectedCallback() {
    document.addEventListener("hub:news", (event) => {
      const { posts, gone } = /** @type {CustomEvent<{ posts: number[], gone: number[] }>} */ (event).detail;
      for (const id of posts) if (!document.getElementById(`thread-${id}`)) this.#waiting.add(`thread-${id}`);
      for (const id of gone) this.#waiting.delete(`thread-${id}`);
      this.#show();
    });
    this.querySelector("a")?.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      void this.#bring();
    });
  }

  #show() {
    const link = this.querySelector("a");
    const count = this.#waiting.size;
    const words = this.dataset[count === 1 ? "one" : "many"] ?? "";
    if (link) link.textContent = words.replace("%", String(count));
    this.hidden = count === 0;
  }

  async #bring() {
    const link = this.querySelector("a");
    const answer = await fetch(link?.href ?? "").catch(() => undefined);
    // What cannot be brought here is found where the link leads.
    if (!answer?.ok || answer.redirected) return location.assign(link?.href ?? "");
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const cards = [...page.querySelectorAll(".thread[id]")].filter(({ id }) => !document.getElementById(id));
    for (const card of cards.toReversed()) {
      const own = document.importNode(card, true);
      this.after(own);
      htmx.process(own);
    }
    this.#waiting.clear();
    this.#show();
    const first = this.nextElementSibling;
    if (!(first instanceof HTMLElement) || cards.length === 0) return undefined;
    first.tabIndex = -1;
    first.focus({ preventScroll: true });
    return undefined;
  }
}

customElements.define("hub-news", News);
