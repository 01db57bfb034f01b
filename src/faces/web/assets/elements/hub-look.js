// A preview that comes into its place without the page being loaded again.
import { sayAway, sayRefusal } from "../say.js";

class Look extends HTMLElement {
  connectedCallback() {
    const form = this.closest("form");
    // Before all others: a form that is only looked at is not sent, neither by the browser nor in place.
    form?.addEventListener(
      "submit",
      (event) => {
        const { submitter } = event;
        if (!(submitter instanceof HTMLButtonElement) || submitter.value !== "look") return;
        event.preventDefault();
        event.stopImmediatePropagation();
        void this.#look(form, submitter);
      },
      { capture: true },
    );
    form?.addEventListener("reset", () => this.replaceChildren());
  }

  /**
   * @param {HTMLFormElement} form
   * @param {HTMLButtonElement} button
   */
  async #look(form, button) {
    const body = new FormData(form, button);
    const answer = await fetch(form.action, { method: "POST", body }).catch(() => undefined);
    if (!answer) return sayAway();
    const text = await answer.text();
    if (!answer.ok) return sayRefusal(text);
    const page = new DOMParser().parseFromString(text, "text/html");
    // The page has the form in one place, which may be another one than here.
    const shown = [...page.forms].find((one) => one.getAttribute("action") === form.getAttribute("action"));
    for (const selector of ["hub-look", ".poll-fields"]) {
      const [here, there] = [form.querySelector(selector), shown?.querySelector(selector)];
      if (here && there) here.replaceChildren(...there.childNodes);
    }
    this.scrollIntoView({ block: "nearest" });
  }
}

customElements.define("hub-look", Look);
