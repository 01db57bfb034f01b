import type { BbTag } from "./scan.ts";
import { shapeOf } from "./tag-shapes.ts";

export type BbText = { kind: "text"; text: string };
/** A tag without a partner: it is shown as it was typed. */
export type BbTyped = { kind: "typed"; text: string };
export type BbElement = { kind: "element"; tag: BbTag; children: BbNode[] };
/** A piece of a text in bbcode. */
export type BbNode = BbText | BbTyped | BbElement;

/** Deeper elements are shown as typed. */
const deepest = 64;

/** Finds for each opening tag the one that closes it; on crossing tags the inner one stays without a partner. */
export function pairTags(tags: BbTag[]): void {
  const open: BbTag[] = [];
  const counts = new Map<string, number>();
  for (const tag of tags) {
    if (!isPaired(tag)) continue;
    if (tag.closing) close(tag, open, counts);
    else {
      open.push(tag);
      counts.set(family(tag), (counts.get(family(tag)) ?? 0) + 1);
    }
  }
}

function isPaired(tag: BbTag): boolean {
  return tag.raw === undefined && shapeOf(tag.name, true) === "pair";
}

/** `[observer.language=en]` is closed by `[/observer]` on existing hubs, so both names are one. */
function family(tag: BbTag): string {
  return tag.name === "observer.language" ? "observer" : tag.name;
}

function close(tag: BbTag, open: BbTag[], counts: Map<string, number>): void {
  // Asking the count first keeps a body full of stray closing tags linear.
  if ((counts.get(family(tag)) ?? 0) === 0) return;
  let opener: BbTag | undefined;
  do {
    opener = open.pop();
    if (opener !== undefined) counts.set(family(opener), (counts.get(family(opener)) ?? 1) - 1);
  } while (opener !== undefined && family(opener) !== family(tag));
  tag.partner = opener;
  if (opener !== undefined) opener.partner = tag;
}

/** Builds the tree of a body given as its texts and paired tags in order. */
export function buildTree(pieces: (string | BbTag)[]): BbNode[] {
  const root: BbNode[] = [];
  const stack: { children: BbNode[]; end: BbTag | undefined }[] = [{ children: root, end: undefined }];
  for (const piece of pieces) {
    const top = stack.at(-1) ?? { children: root, end: undefined };
    if (typeof piece === "string") top.children.push({ kind: "text", text: piece });
    else if (piece === top.end) stack.pop();
    else if (!isPaired(piece)) top.children.push({ kind: "element", tag: piece, children: [] });
    else if (piece.closing || piece.partner === undefined || stack.length > deepest) {
      top.children.push({ kind: "typed", text: piece.source });
    } else {
      const children: BbNode[] = [];
      top.children.push({ kind: "element", tag: piece, children });
      stack.push({ children, end: piece.partner });
    }
  }
  return root;
}

/** Splits a body at its tags. */
export function splitAtTags(body: string, tags: BbTag[]): (string | BbTag)[] {
  const pieces: (string | BbTag)[] = [];
  let at = 0;
  for (const tag of tags) {
    if (tag.start > at) pieces.push(body.slice(at, tag.start));
    pieces.push(tag);
    at = tag.end;
  }
  if (at < body.length) pieces.push(body.slice(at));
  return pieces;
}

/** The text of a few nodes without their tags. */
export function textOf(nodes: BbNode[]): string {
  return nodes.map((node) => (node.kind === "element" ? (node.tag.raw ?? textOf(node.children)) : node.text)).join("");
}
