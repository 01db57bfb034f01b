import { shapeOf } from "./tag-shapes.ts";

/** One tag as it stands in a body. For raw tags it reaches to the end of the closing tag. */
export type BbTag = {
  name: string;
  closing: boolean;
  value: string | undefined;
  /** `[observer.language!=de]` */
  negated: boolean;
  /** The text behind the name, for tags with named attributes. */
  attributes: string;
  /** The content of a raw tag. */
  raw: string | undefined;
  source: string;
  start: number;
  end: number;
  /** The tag that closes or opens this one, once they have been paired. */
  partner: BbTag | undefined;
};

type Scanner = { body: string; checklists: number; unclosed: Set<string> };

/** Longer tags are taken for text, which keeps scanning linear whatever quotes a body contains. */
const longestTag = 4096;
const head = /\[(\/?)([a-z][a-z0-9.-]{0,24}|\*|&)/iy;
const box = /\[[ x]?\](?=\s)/iy;

/** Finds the tags of a body, from left to right; words in brackets that are no tags are left out. */
export function scanTags(body: string): BbTag[] {
  const scanner: Scanner = { body, checklists: 0, unclosed: new Set() };
  const tags: BbTag[] = [];
  let at = body.indexOf("[");
  while (at !== -1) {
    const tag = tagAt(scanner, at);
    if (tag !== undefined) tags.push(tag);
    at = body.indexOf("[", tag?.end ?? at + 1);
  }
  return tags;
}

function tagAt(scanner: Scanner, at: number): BbTag | undefined {
  if (scanner.checklists > 0) {
    const found = boxAt(scanner, at);
    if (found !== undefined) return found;
  }
  head.lastIndex = at;
  const match = head.exec(scanner.body);
  if (match === null) return undefined;
  const name = (match[2] ?? "").toLowerCase();
  const closing = match[1] === "/";
  if (name === "&") return entityAt(scanner, at, closing);
  const tag = completeTag(scanner, at, at + match[0].length, name, closing);
  if (tag?.name === "checklist") scanner.checklists += closing ? -1 : 1;
  return tag;
}

function completeTag(
  scanner: Scanner,
  start: number,
  nameEnd: number,
  name: string,
  closing: boolean,
): BbTag | undefined {
  const { body } = scanner;
  const end = endOfTag(body, nameEnd, start + longestTag);
  const behind = end === -1 ? "?" : body.slice(nameEnd, end - 1);
  const isTag = closing ? behind === "" : /^(?:$|!?=|\s)/.test(behind);
  if (!isTag) return undefined;
  const value = valueOf(behind);
  const shape = shapeOf(name, value !== undefined);
  if (closing) return isClosable(name) ? makeTag(body, start, end, name, { closing }) : undefined;
  if (shape === undefined) return undefined;
  const opener = makeTag(body, start, end, name, {
    value,
    negated: behind.startsWith("!"),
    attributes: behind.startsWith("=") ? "" : behind,
  });
  return shape === "raw" || shape === "either" ? withContent(scanner, opener, shape) : opener;
}

/** The closing tags of raw elements are consumed with them; one that stands alone is text. */
function isClosable(name: string): boolean {
  return shapeOf(name, true) === "pair";
}

function makeTag(body: string, start: number, end: number, name: string, rest: Partial<BbTag>): BbTag {
  const none = { closing: false, value: undefined, negated: false, attributes: "", raw: undefined };
  const source = body.slice(start, end);
  return { ...none, partner: undefined, name, source, start, end, ...rest };
}

/** The position after the `]` that ends a tag, or -1. Quotes count only where a value begins. */
function endOfTag(body: string, from: number, limit: number): number {
  const last = Math.min(body.length, limit);
  for (let at = from; at < last; at++) {
    const character = body[at];
    if (character === "]") return at + 1;
    if (character === "[" || character === "\n") return -1;
    const next = body[at + 1];
    if (character === "=" && (next === "'" || next === '"')) {
      const close = body.indexOf(next, at + 2);
      // An apostrophe may be just that, as in [quote='t Hooft]; then the tag ends at the next bracket.
      if (close !== -1 && close < last && /^[\s\]]/.test(body.slice(close + 1, close + 2))) at = close;
    }
  }
  return -1;
}

function valueOf(behind: string): string | undefined {
  const value = /^!?=(.*)$/s.exec(behind)?.[1]?.trim();
  if (value === undefined) return undefined;
  return /^(?:"[^"]*"|'[^']*')$/.test(value) ? value.slice(1, -1) : value;
}

function withContent(scanner: Scanner, opener: BbTag, shape: "raw" | "either"): BbTag | undefined {
  const close = findClosing(scanner, opener.name, opener.end);
  if (close === -1) return shape === "either" ? opener : undefined;
  const end = close + opener.name.length + 3;
  const raw = scanner.body.slice(opener.end, close);
  return { ...opener, raw, end, source: scanner.body.slice(opener.start, end) };
}

const closings = new Map<string, RegExp>();

function findClosing(scanner: Scanner, name: string, from: number): number {
  // What was not found once is not there further on either.
  if (scanner.unclosed.has(name)) return -1;
  const closing = closings.get(name) ?? new RegExp(`\\[/${name}\\]`, "gi");
  closings.set(name, closing);
  closing.lastIndex = from;
  const found = closing.exec(scanner.body)?.index ?? -1;
  if (found === -1) scanner.unclosed.add(name);
  return found;
}

function boxAt(scanner: Scanner, at: number): BbTag | undefined {
  box.lastIndex = at;
  const match = box.exec(scanner.body)?.[0];
  if (match === undefined) return undefined;
  const value = /x/i.test(match) ? "x" : "";
  return makeTag(scanner.body, at, at + match.length, "box", { value });
}

const entity = /\[(&#?[a-z0-9]{1,31};)\]/iy;

function entityAt(scanner: Scanner, at: number, closing: boolean): BbTag | undefined {
  entity.lastIndex = at;
  const match = closing ? null : entity.exec(scanner.body);
  if (match === null) return undefined;
  return makeTag(scanner.body, at, at + match[0].length, "&", { value: match[1] });
}
