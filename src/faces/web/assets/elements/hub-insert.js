// Puts an emoji that is chosen in a picker where somebody writes.

import { typeIn } from "../typing.js";

class Insert extends HTMLElement {
  connectedCallback() {
    this.addEventListener("click", (event) => {
      if (event.target instanceof Element && event.target.closest("button")) void this.#choose();
    });
  }

  async #choose() {
    const field = this.closest("form")?.querySelector("textarea[name=body]");
    if (!(field instanceof HTMLTextAreaElement)) return;
    const emoji = await import("../emoji-dialog.js")
      .then(({ chooseEmoji }) => chooseEmoji(this.dataset["label"] ?? "", this.dataset["close"] ?? ""))
      .catch(() => {
        // Names complete without the picker.
        field.focus();
        return undefined;
      });
    if (emoji) typeIn(field, emoji);
  }
}

customElements.define("hub-insert", Insert);
