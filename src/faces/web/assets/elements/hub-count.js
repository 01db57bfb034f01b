/** Counts the characters of the text around it as they are counted on the hub, and says when there are too many. */
class Count extends HTMLElement {
  connectedCallback() {
    const field = this.closest("form")?.querySelector("textarea");
    const [shown, over] = this.querySelectorAll("span");
    if (!field || !shown || !over) return;
    const most = Number(this.dataset["most"]);
    const update = () => {
      const count = [...field.value].length;
      shown.textContent = count.toLocaleString(document.documentElement.lang);
      this.hidden = count === 0;
      over.hidden = count <= most;
    };
    field.addEventListener("input", update);
    // The field is emptied after its form has told of it.
    field.form?.addEventListener("reset", () => setTimeout(update));
    update();
  }
}

customElements.define("hub-count", Count);
