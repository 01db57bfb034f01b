/** A field that shortens a long list of boxes to tick. */
class Filter extends HTMLElement {
  connectedCallback() {
    const field = this.querySelector("input[type=search]");
    const rows = this.querySelectorAll(".box");
    if (!(field instanceof HTMLInputElement) || rows.length < 8) return;
    field.hidden = false;
    field.addEventListener("input", () => {
      const wanted = field.value.trim().toLowerCase();
      for (const row of rows)
        row.toggleAttribute(
          "hidden",
          !row.textContent.toLowerCase().includes(wanted) && row.querySelector("input:checked") === null,
        );
    });
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") event.preventDefault();
    });
  }
}

customElements.define("hub-filter", Filter);
