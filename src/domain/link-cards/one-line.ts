import { inOneLine } from "../identity/hidden-signs.ts";

/** What pages, and those who write of them, say in words and addresses, as plain as it is shown. */

const longestAddress = 2048;

/** Plain text in one line of so many characters; nothing in it hides, or turns the direction of what follows. */
export function oneLine(text: string, most: number): string {
  const plain = inOneLine(text.slice(0, 8 * most).toWellFormed());
  const all = [...plain];
  return all.length > most
    ? `${all
        .slice(0, most - 1)
        .join("")
        .trimEnd()}…`
    : plain;
}

/** The whole address of something that a page names; empty for what is none of the web. */
export function webAddress(address: string, page: string): string {
  if (address === "" || address.length > longestAddress || !URL.canParse(address, page)) return "";
  const { protocol, href } = new URL(address, page);
  return (protocol === "https:" || protocol === "http:") && href.length <= longestAddress ? href : "";
}

/** The tag of a language; empty for what is none. */
export function languageTag(text: string): string {
  return /^[a-z]{2,3}(?:-[a-z\d]{2,8})*$/i.exec(text.trim())?.[0] ?? "";
}
