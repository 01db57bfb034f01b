import { decodeEntities } from "./escape.ts";

/** A piece of filtered HTML; comments, which only `personalise` reads, are left out. */
export type HtmlToken = { kind: "text"; text: string } | { kind: "open" | "close"; name: string; attributes: string };

const token = /<!--|<(\/?)([a-z][a-z0-9-]*)([^<>]*)>|[^<]+|</gi;

/** Splits filtered HTML, in which angle brackets occur only around tags. */
export function htmlTokens(html: string): HtmlToken[] {
  const tokens: HtmlToken[] = [];
  token.lastIndex = 0;
  for (let match = token.exec(html); match !== null; match = token.exec(html)) {
    if (match[0] === "<!--") {
      const end = html.indexOf("-->", match.index + 4);
      if (end === -1) break;
      token.lastIndex = end + 3;
    } else tokens.push(tokenOf(match));
  }
  return tokens;
}

function tokenOf([source, slash, name, attributes = ""]: RegExpExecArray): HtmlToken {
  if (name === undefined) return { kind: "text", text: source };
  return { kind: slash === "" ? "open" : "close", name: name.toLowerCase(), attributes };
}

/** The decoded value of an attribute, or '' when it is not there. */
export function attributeOf(attributes: string, name: string): string {
  const at = attributes.indexOf(` ${name}="`);
  if (at === -1) return "";
  const start = at + name.length + 3;
  const end = attributes.indexOf('"', start);
  return end === -1 ? "" : decodeEntities(attributes.slice(start, end));
}

/** Whether an element has one of the classes. */
export function hasClass(attributes: string, ...wanted: string[]): boolean {
  const classes = attributeOf(attributes, "class").split(" ");
  return wanted.some((name) => classes.includes(name));
}
