// A preview that comes into its place without the page being loaded again.
import { sayAway, sayRefusal } from "../say.js";

class Look extends HTMLElement {
  connectedCallback() {
    const form = this.closest("form");
    form?.addEventListener("submit", (event) => {
      const { submitter } = event;
      if (event.defaultPrevented || !(submitter instanceof HTMLButtonElement) || submitter.value !== "look") return;
      event.preventDefault();
      void this.#look(form, submitter);
    });
  }

  /**
   * @param {HTMLFormElement} form
   * @param {HTMLButtonElement} button
   */
  async #look(form, button) {
    const body = new FormData(form, button);
    const answer = await fetch(form.action, { method: "POST", body }).catch(() => undefined);
    // The document is told last, and then takes it for a form that is on its way.
    delete form.dataset["sent"];
    if (!answer) return sayAway();
    const text = await answer.text();
    if (!answer.ok) return sayRefusal(text);
    const page = new DOMParser().parseFromString(text, "text/html");
    for (const selector of ["hub-look", ".poll-fields"]) {
      const [here, there] = [form.querySelector(selector), page.querySelector(`#${form.id} ${selector}`)];
      if (here && there) here.replaceChildren(...there.childNodes);
    }
    this.scrollIntoView({ block: "nearest" });
  }
}

customElements.define("hub-look", Look);
