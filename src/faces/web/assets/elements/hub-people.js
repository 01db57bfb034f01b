// Boxes to tick for people: the page has a few of them, and the hub brings those whom somebody looks for.

class People extends HTMLElement {
  #asked = new AbortController();

  connectedCallback() {
    const field = this.querySelector("input[type=search]");
    if (!(field instanceof HTMLInputElement)) return;
    field.hidden = false;
    const find = () => void this.#find(field.value.trim());
    field.addEventListener("focus", find, { once: true });
    field.addEventListener("input", find);
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") event.preventDefault();
    });
  }

  /** @param {string} text */
  async #find(text) {
    this.#asked.abort();
    const { signal } = (this.#asked = new AbortController());
    const query = new URLSearchParams({ list: this.dataset["list"] ?? "", find: text });
    const words = await fetch(`/suggestions/people?${query}`, { signal })
      .then((answer) => (answer.ok && !answer.redirected ? answer.text() : ""))
      .catch(() => "");
    if (words !== "" && !signal.aborted) this.#show(new DOMParser().parseFromString(words, "text/html"));
  }

  /**
   * Those who are ticked stay in sight, whoever is looked for.
   * @param {Document} found
   */
  #show(found) {
    const list = this.querySelector(".choosable");
    const ticked = [...this.querySelectorAll(".box:has(:checked)")];
    const known = new Set(ticked.map(valueOf));
    const others = [...found.querySelectorAll(".box")].filter((box) => !known.has(valueOf(box)));
    list?.replaceChildren(...ticked, ...others);
    const [here, there] = [this, found].map((place) => place.querySelector("[role=status]"));
    if (here && there) here.textContent = there.textContent.trim();
  }
}

/** @param {Element} box */
function valueOf(box) {
  return box.querySelector("input")?.value;
}

customElements.define("hub-people", People);
