/** A film of another site, played here as soon as somebody wants to see it. */
class Film extends HTMLElement {
  connectedCallback() {
    const start = this.querySelector(".film-start");
    if (!(start instanceof HTMLAnchorElement)) return;
    start.addEventListener("click", (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      const player = document.createElement("iframe");
      player.title = this.dataset["title"] ?? "";
      player.allow = "autoplay; encrypted-media; fullscreen; picture-in-picture";
      player.allowFullscreen = true;
      // Some sites play nothing for whoever does not say from where.
      player.referrerPolicy = "strict-origin-when-cross-origin";
      player.src = this.dataset["player"] ?? "";
      start.replaceWith(player);
      player.focus();
    });
  }
}

customElements.define("hub-film", Film);
