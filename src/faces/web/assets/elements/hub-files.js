// Entries of a directory can be drawn onto a folder: one, or all that are ticked. It sends the form that does without scripts.

class Files extends HTMLElement {
  connectedCallback() {
    for (const entry of this.querySelectorAll(".file")) if (entry instanceof HTMLElement) this.#makeDraggable(entry);
  }

  /** @param {HTMLElement} entry */
  #makeDraggable(entry) {
    entry.draggable = true;
    entry.addEventListener("dragstart", () => this.#choose(entry));
    if (entry.dataset["folder"] === undefined) return;
    entry.addEventListener("dragover", (event) => {
      if (!this.#takes(entry)) return;
      event.preventDefault();
      entry.classList.add("over");
    });
    for (const name of ["dragleave", "drop"]) entry.addEventListener(name, () => entry.classList.remove("over"));
    entry.addEventListener("drop", (event) => {
      if (!this.#takes(entry)) return;
      event.preventDefault();
      this.#moveTo(entry.dataset["hash"] ?? "");
    });
  }

  /**
   * What is drawn goes along with what is ticked, or alone.
   * @param {HTMLElement} entry
   */
  #choose(entry) {
    if (boxOf(entry)?.checked) return;
    for (const other of this.querySelectorAll(".file")) {
      const box = boxOf(other);
      if (box) box.checked = other === entry;
    }
  }

  /**
   * Something of this list is drawn, and not the folder itself.
   * @param {HTMLElement} folder
   */
  #takes(folder) {
    return this.querySelector("input[name=chosen]:checked") !== null && !boxOf(folder)?.checked;
  }

  /** @param {string} hash */
  #moveTo(hash) {
    const place = this.querySelector("select[name=to]");
    const button = this.querySelector("button[value=move]");
    if (!(place instanceof HTMLSelectElement) || !(button instanceof HTMLButtonElement)) return;
    place.value = hash;
    button.click();
  }
}

/**
 * @param {Element} entry
 * @returns {HTMLInputElement | null}
 */
function boxOf(entry) {
  return entry.querySelector("input[name=chosen]");
}

customElements.define("hub-files", Files);
