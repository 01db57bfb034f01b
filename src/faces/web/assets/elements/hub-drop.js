/** Files can be dropped on the field inside. */
class Drop extends HTMLElement {
  connectedCallback() {
    const field = this.querySelector(".drop");
    const input = this.querySelector("input[type=file]");
    if (!field || !(input instanceof HTMLInputElement)) return;
    for (const name of ["dragenter", "dragover"])
      this.addEventListener(name, (event) => {
        event.preventDefault();
        field.classList.add("over");
      });
    for (const name of ["dragleave", "drop"]) this.addEventListener(name, () => field.classList.remove("over"));
    this.addEventListener("drop", (event) => {
      event.preventDefault();
      input.files = event.dataTransfer?.files ?? null;
    });
  }
}

customElements.define("hub-drop", Drop);
