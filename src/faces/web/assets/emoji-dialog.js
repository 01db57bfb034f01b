// The picker of emoji, which comes with the first press of whatever opens it.

/** Those in which the picker speaks and finds emoji by their words. */
const languages = ["en", "de", "fr", "es", "pt"];

/** @type {Promise<HTMLDialogElement> | undefined} */
let dialog;

/**
 * Lets somebody choose an emoji; answers undefined when they close the picker without. Throws when it cannot be had.
 * @param {string} label
 * @param {string} close
 * @returns {Promise<string | undefined>}
 */
export async function chooseEmoji(label, close) {
  // What could not be loaded is asked for again at the next press.
  dialog ??= makeDialog(label, close).catch((error) => {
    dialog = undefined;
    throw error;
  });
  const shown = await dialog;
  return new Promise((resolve) => {
    /** @type {string | undefined} */
    let chosen;
    const closed = new AbortController();
    shown.addEventListener(
      "emoji-click",
      (event) => {
        chosen = /** @type {CustomEvent<{ unicode?: string }>} */ (event).detail.unicode;
        shown.close();
      },
      { signal: closed.signal },
    );
    shown.addEventListener(
      "close",
      () => {
        closed.abort();
        resolve(chosen);
      },
      { once: true },
    );
    shown.showModal();
  });
}

/**
 * @param {string} label
 * @param {string} close
 */
async function makeDialog(label, close) {
  const language = languages.find((one) => document.documentElement.lang.startsWith(one)) ?? "en";
  const words = /** @type {Promise<typeof import("emoji-picker-element/i18n/en.js")>} */ (
    import(`./npm/emoji/${language}.js`)
  );
  const [{ default: Picker }, { default: i18n }] = await Promise.all([import("./npm/emoji/picker.js"), words]);
  const dataSource = new URL(`./npm/emoji/${language}.json`, import.meta.url).href;
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
