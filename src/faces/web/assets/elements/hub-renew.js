// A part of the page that is asked for again when more waits for the reader than before: `data-count` names what is counted.
import htmx from "../npm/htmx.js";

class Renew extends HTMLElement {
  #known = Infinity;

  connectedCallback() {
    const badge = document.querySelector(`[data-count=${this.dataset["count"]}].badge`);
    this.#known = badge?.hasAttribute("hidden") ? 0 : Number.parseInt(badge?.textContent ?? "", 10) || 0;
    document.addEventListener("hub:news", (event) => {
      const { counts, missed } = /** @type {CustomEvent<{ counts?: Record<string, number>, missed: boolean }>} */ (
        event
      ).detail;
      const count = counts?.[this.dataset["count"] ?? ""] ?? this.#known;
      if (count > this.#known || missed) void this.#renew();
      this.#known = count;
    });
  }

  async #renew() {
    const part = this.dataset["part"] ?? "";
    const options = { source: this, target: part, select: part, swap: "outerMorph ignoreTitle:true" };
    await htmx.ajax("GET", location.pathname + location.search, options).catch(() => {});
  }
}

customElements.define("hub-renew", Renew);
