import { typeIn } from "./typing.js";

/** How a text leads somewhere, by its format; what becomes of the address so that it ends where it does. */
const links = {
  /** @type {(words: string, address: string) => string} */
  "text/markdown": (words, address) =>
    `[${words}](${address.replace(/[()]/g, (sign) => (sign === "(" ? "%28" : "%29"))})`,
  /** @type {(words: string, address: string) => string} */
  "text/bbcode": (words, address) => `[url=${address.replaceAll("]", "%5D")}]${words}[/url]`,
};

/**
 * An address that is pasted over words makes them a link.
 * @param {ClipboardEvent} event
 */
export function linkPasted(event) {
  const field = event.target;
  if (!(field instanceof HTMLTextAreaElement)) return;
  const address = event.clipboardData?.getData("text/plain").trim() ?? "";
  const words = field.value.slice(field.selectionStart, field.selectionEnd);
  const link = linkIn(field.form);
  if (!link || !isAddress(address) || words.trim() === "" || /[\n[\]]/.test(words) || isAddress(words.trim())) return;
  event.preventDefault();
  typeIn(field, link(words, address));
}

/** @param {HTMLFormElement | null} form */
function linkIn(form) {
  const chosen = form?.elements.namedItem("mimetype");
  const format = chosen instanceof HTMLSelectElement ? chosen.value : form?.dataset["format"];
  return Object.entries(links).find(([name]) => name === format)?.[1];
}

/** @param {string} text */
function isAddress(text) {
  return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
}
