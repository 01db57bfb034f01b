// Any emoji, chosen in a picker; without this the link inside leads to a page with a field.

class Emoji extends HTMLElement {
  connectedCallback() {
    this.addEventListener("click", (event) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      void this.#choose(link);
    });
  }

  /** @param {HTMLAnchorElement} link */
  async #choose(link) {
    try {
      const { chooseEmoji } = await import("../emoji-dialog.js");
      const emoji = await chooseEmoji(this.dataset["label"] ?? "", this.dataset["close"] ?? "");
      if (emoji) this.#react(emoji);
    } catch {
      location.assign(link.href);
    }
  }

  /** @param {string} emoji */
  #react(emoji) {
    const form = this.closest("form");
    const button = document.createElement("button");
    Object.assign(button, { name: "act", value: `react#${emoji}`, hidden: true });
    button.setAttribute("aria-pressed", "false");
    this.after(button);
    form?.requestSubmit(button);
    button.remove();
  }
}

customElements.define("hub-emoji", Emoji);
