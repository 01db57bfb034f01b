/** Pictures that are shown large, one after the other, with what they show in words and a way to keep them. */
class Pictures extends HTMLElement {
  connectedCallback() {
    this.addEventListener("click", (event) => {
      const link = event.target instanceof Element ? event.target.closest("a.picture") : null;
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      void this.open(link);
    });
  }

  /** @param {Element} link */
  async open(link) {
    const [{ default: PhotoSwipe }] = await Promise.all([import("../npm/photoswipe.js"), style()]);
    const links = [...this.querySelectorAll("a.picture")].filter((one) => one instanceof HTMLAnchorElement);
    const words = this.dataset;
    const shown = new PhotoSwipe({
      dataSource: links.map(slideOf),
      index: Math.max(
        0,
        links.findIndex((one) => one === link),
      ),
      bgOpacity: 0.94,
      closeTitle: words["close"] ?? "",
      zoomTitle: words["zoom"] ?? "",
      arrowPrevTitle: words["former"] ?? "",
      arrowNextTitle: words["next"] ?? "",
      errorMsg: words["fault"] ?? "",
      showHideAnimationType: matchMedia("(prefers-reduced-motion: reduce)").matches ? "none" : "zoom",
      returnFocus: true,
    });
    shown.on("uiRegister", () => {
      shown.ui?.registerElement({
        name: "words",
        order: 9,
        isButton: false,
        appendTo: "root",
        onInit: (element) => {
          const say = () => {
            const text = shown.currSlide?.data.alt ?? "";
            element.textContent = text;
            element.toggleAttribute("hidden", text === "");
          };
          shown.on("change", say);
          say();
        },
      });
      shown.ui?.registerElement({
        name: "download",
        order: 8,
        isButton: true,
        tagName: "a",
        title: words["download"] ?? "",
        html: {
          isCustomSVG: true,
          inner:
            '<path d="M20.5 14.3 17.1 18V10h-2.2v7.9l-3.4-3.6L10 16l6 6.1 6-6.1ZM23 23H9v2h14Z" id="pswp__icn-download"/>',
          outlineID: "pswp__icn-download",
        },
        onInit: (element) => {
          element.setAttribute("download", "");
          const lead = () => element.setAttribute("href", shown.currSlide?.data.src ?? "");
          shown.on("change", lead);
          lead();
        },
      });
    });
    // What is not known before is known once it is there.
    shown.on("loadComplete", ({ content }) => {
      const image = content.element;
      if (!(image instanceof HTMLImageElement) || image.naturalWidth === 0) return;
      if (content.data.w === image.naturalWidth && content.data.h === image.naturalHeight) return;
      Object.assign(content.data, { w: image.naturalWidth, h: image.naturalHeight });
      Object.assign(content, { width: image.naturalWidth, height: image.naturalHeight });
      content.slide?.resize();
      shown.updateSize(true);
    });
    shown.init();
  }
}

/** @param {HTMLAnchorElement} link */
function slideOf(link) {
  const image = link.querySelector("img");
  // Larger than it is shown, by the same form.
  const [width, height] = [image?.naturalWidth || 1600, image?.naturalHeight || 1200];
  const factor = Math.max(1, 1600 / Math.max(width, height));
  return {
    src: link.dataset["whole"] ?? link.href,
    msrc: image?.currentSrc ?? "",
    w: Math.round(width * factor),
    h: Math.round(height * factor),
    alt: image?.alt ?? "",
    element: link,
    thumbCropped: getComputedStyle(image ?? link).objectFit === "cover",
  };
}

/** @type {Promise<void> | undefined} */
let styled;

/** The library's own styles, once. */
function style() {
  styled ??= new Promise((resolve) => {
    const sheet = document.createElement("link");
    sheet.rel = "stylesheet";
    sheet.href = new URL("../npm/photoswipe.css", import.meta.url).href;
    sheet.addEventListener("load", () => resolve());
    sheet.addEventListener("error", () => resolve());
    document.head.append(sheet);
  });
  return styled;
}

customElements.define("hub-pictures", Pictures);
