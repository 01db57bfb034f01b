// Any emoji, chosen in a picker that comes with the first press; without this the link inside leads to a page with a field.

/** Those in which the picker speaks and finds emoji by their words. */
const languages = ["en", "de", "fr", "es", "pt"];

/** @type {Promise<HTMLDialogElement> | undefined} */
let dialog;

class Emoji extends HTMLElement {
  connectedCallback() {
    this.addEventListener("click", (event) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      void this.#choose(link);
    });
  }

  /** @param {HTMLAnchorElement} link */
  async #choose(link) {
    dialog ??= makeDialog(this.dataset["label"] ?? "", this.dataset["close"] ?? "");
    const shown = await dialog.catch(() => undefined);
    if (!shown) return location.assign(link.href);
    const close = new AbortController();
    shown.addEventListener(
      "emoji-click",
      (event) => {
        const { unicode } = /** @type {CustomEvent<{ unicode?: string }>} */ (event).detail;
        shown.close();
        if (unicode) this.#react(unicode);
      },
      { signal: close.signal },
    );
    shown.addEventListener("close", () => close.abort(), { once: true });
    shown.showModal();
    return undefined;
  }

  /** @param {string} emoji */
  #react(emoji) {
    const form = this.closest("form");
    const button = document.createElement("button");
    Object.assign(button, { name: "act", value: `react#${emoji}`, hidden: true });
    button.setAttribute("aria-pressed", "false");
    this.after(button);
    form?.requestSubmit(button);
    button.remove();
  }
}

/**
 * @param {string} label
 * @param {string} close
 */
async function makeDialog(label, close) {
  const language = languages.find((one) => document.documentElement.lang.startsWith(one)) ?? "en";
  const words = /** @type {Promise<typeof import("emoji-picker-element/i18n/en.js")>} */ (
    import(`../npm/emoji/${language}.js`)
  );
  const [{ default: Picker }, { default: i18n }] = await Promise.all([import("../npm/emoji/picker.js"), words]);
  const dataSource = new URL(`../npm/emoji/${language}.json`, import.meta.url).href;
  const picker = new Picker({ dataSource, locale: language, i18n });
  const { theme } = document.documentElement.dataset;
  if (theme) picker.classList.add(theme);
  adoptStyle(picker.shadowRoot);
  const made = document.createElement("dialog");
  made.className = "emoji-dialog";
  made.setAttribute("aria-label", label);
  const button = document.createElement("button");
  Object.assign(button, { className: "button quiet small", textContent: close });
  button.addEventListener("click", () => made.close());
  made.append(button, picker);
  document.body.append(made);
  return made;
}

/**
 * Our policy takes no style that stands in the page; it has to become a sheet before the picker is on it.
 * @param {ShadowRoot | null} root
 */
function adoptStyle(root) {
  const style = root?.querySelector("style");
  if (!root || !style) return;
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(style.textContent);
  root.adoptedStyleSheets = [sheet];
  style.remove();
}

customElements.define("hub-emoji", Emoji);
