// The files of a post: chosen, dropped on the form or pasted into it, each is sent at once and takes its place in the
// list with what the hub answers. Without this they go along with the form.

import { refusalIn } from "../say.js";

class Media extends HTMLElement {
  /** Uploads go one after the other, so that they come in their order. */
  #line = Promise.resolve();
  #waiting = 0;

  connectedCallback() {
    const form = this.closest("form");
    const field = this.querySelector("input[type=file]");
    if (!form || !(field instanceof HTMLInputElement)) return;
    const takeChosen = () => {
      this.#take([...(field.files ?? [])], form);
      field.value = "";
    };
    // Also what was chosen before this came.
    takeChosen();
    field.addEventListener("change", takeChosen);
    form.addEventListener("paste", (event) => this.#takeFrom(event, event.clipboardData, form));
    for (const name of /** @type {const} */ (["dragenter", "dragover"]))
      form.addEventListener(name, (event) => {
        if (!event.dataTransfer?.types.includes("Files")) return;
        event.preventDefault();
        form.classList.add("over");
      });
    form.addEventListener("dragleave", (event) => {
      if (!(event.relatedTarget instanceof Node && form.contains(event.relatedTarget))) form.classList.remove("over");
    });
    form.addEventListener("drop", (event) => {
      form.classList.remove("over");
      this.#takeFrom(event, event.dataTransfer, form);
    });
    this.addEventListener("click", (event) => this.#press(event));
    form.addEventListener("submit", (event) => this.#holdBack(event, form), { capture: true });
    form.addEventListener("reset", () => this.#empty());
  }

  /**
   * @param {Event} event
   * @param {DataTransfer | null} carried
   * @param {HTMLFormElement} form
   */
  #takeFrom(event, carried, form) {
    const files = [...(carried?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    this.#take(files, form);
  }

  /**
   * @param {File[]} files
   * @param {HTMLFormElement} form
   */
  #take(files, form) {
    const [list, template] = [this.querySelector("ol"), this.querySelector("template")];
    const model = template?.content.firstElementChild;
    if (!list || !model) return;
    for (const file of files) {
      const row = /** @type {HTMLElement} */ (model.cloneNode(true));
      const name = row.querySelector(".chosen-name");
      if (name) name.textContent = file.name;
      list.append(row);
      list.hidden = false;
      this.#waiting += 1;
      this.#line = this.#line.then(() => this.#send(file, row, form)).then(() => void (this.#waiting -= 1));
    }
  }

  /**
   * @param {File} file
   * @param {HTMLElement} row
   * @param {HTMLFormElement} form
   * @returns {Promise<void>}
   */
  #send(file, row, form) {
    if (!row.isConnected) return Promise.resolve();
    const body = new FormData();
    const token = form.elements.namedItem("form_security_token");
    if (token instanceof HTMLInputElement) body.append(token.name, token.value);
    body.append("media", file);
    const request = new XMLHttpRequest();
    request.open("POST", this.dataset["address"] ?? "");
    const bar = row.querySelector("progress");
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      if (bar && total > 0) bar.value = (100 * loaded) / total;
    });
    row.addEventListener("remove", () => request.abort());
    return new Promise((resolve) => {
      request.addEventListener("loadend", () => {
        if (request.status === 200) this.#place(row, request.responseText);
        else if (row.isConnected) this.#refuse(row, request.status === 0 ? "" : request.responseText);
        resolve();
      });
      request.send(body);
    });
  }

  /**
   * @param {HTMLElement} row
   * @param {string} answer
   */
  #place(row, answer) {
    const made = new DOMParser().parseFromString(answer, "text/html").querySelector("li");
    if (!made || !row.isConnected) return;
    row.replaceWith(made);
    this.#changed();
  }

  /**
   * @param {HTMLElement} row
   * @param {string} answer
   */
  #refuse(row, answer) {
    row.querySelector("progress")?.remove();
    const words = row.querySelector(".field-fault");
    const sentence = answer.trimStart().startsWith("<") ? refusalIn(answer) : answer;
    if (words) words.textContent = sentence || (this.dataset["broken"] ?? "");
  }

  /** @param {MouseEvent} event */
  #press(event) {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    const row = button?.closest("li");
    if (!button || !row || !["raise_media", "drop_media"].includes(button.name)) return;
    event.preventDefault();
    if (button.name === "raise_media") {
      row.previousElementSibling?.before(row);
      button.focus();
    } else {
      const next = row.nextElementSibling ?? row.previousElementSibling;
      row.dispatchEvent(new Event("remove"));
      row.remove();
      const list = this.querySelector("ol");
      if (list) list.hidden = list.children.length === 0;
      const place = next?.querySelector("button") ?? this.querySelector("input[type=file]");
      if (place instanceof HTMLElement) place.focus();
    }
    this.#changed();
  }

  #empty() {
    const list = this.querySelector("ol");
    list?.replaceChildren();
    if (list) list.hidden = true;
  }

  #changed() {
    this.dispatchEvent(new Event("change", { bubbles: true }));
  }

  /**
   * A post waits for its files.
   * @param {SubmitEvent} event
   * @param {HTMLFormElement} form
   */
  #holdBack(event, form) {
    if (this.#waiting === 0) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    // What was refused before has been read, and is not posted.
    const known = new Set(this.#faults());
    void this.#line.then(() => {
      if (this.#faults().every((fault) => known.has(fault))) form.requestSubmit(event.submitter);
    });
  }

  #faults() {
    return [...this.querySelectorAll(".field-fault:not(:empty)")];
  }
}

customElements.define("hub-media", Media);
