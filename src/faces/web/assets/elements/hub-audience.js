/** Says in the closed audience picker whom the post is for. */
class Audience extends HTMLElement {
  connectedCallback() {
    const words = this.querySelector(".sum-chosen .sum-words");
    if (!words) return;
    const usual = words.textContent;
    const update = () => {
      const names = [...this.querySelectorAll(".audience-lists label:has(input:checked) .box-label")].map((label) =>
        label.textContent.trim(),
      );
      const few = names.length > 3 ? `${names.slice(0, 2).join(", ")} + ${names.length - 2}` : names.join(", ");
      words.textContent = few === "" ? usual : few;
    };
    this.addEventListener("change", update);
    update();
  }
}

customElements.define("hub-audience", Audience);
