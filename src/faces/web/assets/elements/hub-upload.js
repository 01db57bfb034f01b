/** Sends the form around it with a bar that says how far it is; without this the browser sends it by itself. */
class Upload extends HTMLElement {
  connectedCallback() {
    const form = this.closest("form");
    form?.addEventListener("submit", (event) => {
      const files = [...form.querySelectorAll("input")].some(({ type, value }) => type === "file" && value !== "");
      if (event.defaultPrevented || !files) return;
      event.preventDefault();
      this.#send(form, event.submitter);
    });
  }

  /**
   * @param {HTMLFormElement} form
   * @param {HTMLElement | null} submitter the button, which may say what is to be done
   */
  #send(form, submitter) {
    const bar = this.querySelector("progress");
    const request = new XMLHttpRequest();
    request.open("POST", form.action);
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      const share = total > 0 ? Math.floor((100 * loaded) / total) : 0;
      if (bar) bar.value = share;
      this.#say(share < 100 ? (this.dataset["sending"] ?? "").replace("%", String(share)) : this.dataset["storing"]);
    });
    request.addEventListener("load", () => {
      if (request.status < 300 && request.responseURL !== form.action) return location.assign(request.responseURL);
      document.open();
      document.write(request.responseText);
      return document.close();
    });
    request.addEventListener("error", () => {
      this.#say(this.dataset["broken"]);
      delete form.dataset["sent"];
    });
    if (bar) bar.hidden = false;
    request.send(new FormData(form, submitter));
  }

  #say(words = "") {
    const place = this.querySelector("p");
    if (!place) return;
    place.textContent = words;
    place.hidden = false;
  }
}

customElements.define("hub-upload", Upload);
