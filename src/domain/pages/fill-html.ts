import { decodeEntities, escapeHtml } from "../bodies/escape.ts";
import { htmlTokens, voidTags } from "../bodies/html-tokens.ts";
import type { HtmlToken } from "../bodies/html-tokens.ts";

/** What stands in place of a mark in a text. `block`: it may hold paragraphs, so no paragraph may be around it. */
export type Filling = { html: string; block: boolean };

type Open = { name: string; attributes: string };

/** Text in these is shown as it was typed: code, and links, which hold no other links. */
const literal = new Set(["a", "code", "kbd", "pre", "samp", "tt"]);
/** Elements that may hold paragraphs; a block closes everything else around it and opens it again behind. */
const containers = new Set(
  "address article aside blockquote dd details div figcaption figure footer header li nav section td th".split(" "),
);
/** Elements that cannot be closed and opened again: inside of them nothing but words can stand. */
const unbreakable = new Set("caption dt h1 h2 h3 h4 h5 h6 rp rt ruby summary".split(" "));

/**
 * Replaces marks in the texts of filtered HTML, never in its tags, code or links. `fill` answers undefined for what
 * stays as it was typed. The result is well-formed if the fillings are.
 */
export function fillHtml(html: string, mark: RegExp, fill: (match: RegExpExecArray) => Filling | undefined): string {
  const stack: Open[] = [];
  let filled = "";
  for (const token of htmlTokens(html)) {
    if (token.kind === "text") {
      const isLiteral = stack.some(({ name }) => literal.has(name));
      filled += isLiteral ? token.text : fillText(token.text, stack, mark, fill);
      continue;
    }
    if (token.kind === "close") stack.pop();
    else if (!voidTags.has(token.name)) stack.push(token);
    filled += sourceOf(token);
  }
  return filled.replaceAll("<p></p>", "");
}

function fillText(
  text: string,
  stack: Open[],
  mark: RegExp,
  fill: (match: RegExpExecArray) => Filling | undefined,
): string {
  let filled = "";
  let done = 0;
  const plain = decodeEntities(text);
  for (const match of plain.matchAll(mark)) {
    const filling = fill(match);
    if (!filling || (filling.block && stack.some(({ name }) => unbreakable.has(name)))) continue;
    filled += escapeHtml(plain.slice(done, match.index));
    filled += filling.block ? between(stack, filling.html) : filling.html;
    done = match.index + match[0].length;
  }
  return done === 0 ? text : filled + escapeHtml(plain.slice(done));
}

/** The block with the paragraph around it closed before and opened again behind. */
function between(stack: Open[], html: string): string {
  const from = stack.findLastIndex(({ name }) => containers.has(name)) + 1;
  const broken = stack.slice(from);
  const close = broken.map(({ name }) => `</${name}>`).toReversed();
  // An id names one element only.
  const reopen = broken.map(({ name, attributes }) => `<${name}${attributes.replace(/ id="[^"]*"/, "")}>`);
  return close.join("") + html + reopen.join("");
}

function sourceOf(token: Exclude<HtmlToken, { kind: "text" }>): string {
  return token.kind === "close" ? `</${token.name}>` : `<${token.name}${token.attributes}>`;
}
