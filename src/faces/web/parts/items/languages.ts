import { fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";

/** The languages that a form offers for a text, by ISO 639-1 code; others are said by whoever writes in them through an API. */
export const languages = [
  ["", "As it looks"],
  ["ar", "Arabic"],
  ["eu", "Basque"],
  ["bn", "Bengali"],
  ["bg", "Bulgarian"],
  ["ca", "Catalan"],
  ["zh", "Chinese"],
  ["hr", "Croatian"],
  ["cs", "Czech"],
  ["da", "Danish"],
  ["nl", "Dutch"],
  ["en", "English"],
  ["eo", "Esperanto"],
  ["et", "Estonian"],
  ["fi", "Finnish"],
  ["fr", "French"],
  ["gl", "Galician"],
  ["de", "German"],
  ["el", "Greek"],
  ["he", "Hebrew"],
  ["hi", "Hindi"],
  ["hu", "Hungarian"],
  ["is", "Icelandic"],
  ["id", "Indonesian"],
  ["ga", "Irish"],
  ["it", "Italian"],
  ["ja", "Japanese"],
  ["ko", "Korean"],
  ["lv", "Latvian"],
  ["lt", "Lithuanian"],
  ["ms", "Malay"],
  ["nb", "Norwegian"],
  ["oc", "Occitan"],
  ["fa", "Persian"],
  ["pl", "Polish"],
  ["pt", "Portuguese"],
  ["ro", "Romanian"],
  ["ru", "Russian"],
  ["sr", "Serbian"],
  ["sk", "Slovak"],
  ["sl", "Slovenian"],
  ["es", "Spanish"],
  ["sw", "Swahili"],
  ["sv", "Swedish"],
  ["th", "Thai"],
  ["tr", "Turkish"],
  ["uk", "Ukrainian"],
  ["ur", "Urdu"],
  ["vi", "Vietnamese"],
  ["cy", "Welsh"],
] as const;

/** The language that a form names; nothing where it shall be found out. */
export function languageOf(typed: Fields): { lang?: string } {
  const code = typed.word("lang");
  if (code === "") return {};
  if (!languages.some(([known]) => known === code)) throw fault("lang", "Choose a language of the list.");
  return { lang: code };
}
