import { escapeHtml } from "../escape.ts";
import { lines, runningText } from "../running-text.ts";
import type { Site } from "../site.ts";
import { blockTags } from "./block-tags.ts";
import type { Anchor, Context, Renderer } from "./context.ts";
import { eventCard, isEventTag } from "./event-card.ts";
import { isLink, linkTags, renderLink, signBefore } from "./link-tags.ts";
import type { Sign } from "./link-tags.ts";
import { listTags } from "./list-tags.ts";
import { mediaTags } from "./media-tags.ts";
import type { BbTag } from "./scan.ts";
import { tableTags } from "./table-tags.ts";
import { isBlock } from "./tag-shapes.ts";
import { textTags } from "./text-tags.ts";
import { textOf } from "./tree.ts";
import type { BbElement, BbNode } from "./tree.ts";
import { viewerTags } from "./viewer-tags.ts";

const renderers = new Map<string, Renderer>(
  Object.entries({
    ...textTags,
    ...linkTags,
    ...mediaTags,
    ...listTags,
    ...tableTags,
    ...blockTags,
    ...viewerTags,
  }),
);

/** Renders the tree of a bbcode or multicode body to unfiltered HTML. */
export function renderTree(root: BbNode[], site: Site, textIsHtml: boolean, salt: string): string {
  const elements = collectElements(root, []);
  const toc = elements.find((element) => element.tag.name === "toc")?.tag;
  const anchors = toc === undefined ? new Map<BbTag, Anchor>() : headingAnchors(elements, salt);
  const emoji = !elements.some((element) => element.tag.name === "nosmile");
  const render = renderNodes;
  return render(root, { site, emoji, inLink: false, textIsHtml, anchors, toc, render });
}

function collectElements(nodes: BbNode[], found: BbElement[]): BbElement[] {
  for (const node of nodes) {
    if (node.kind !== "element") continue;
    found.push(node);
    collectElements(node.children, found);
  }
  return found;
}

function headingAnchors(elements: BbElement[], salt: string): Map<BbTag, Anchor> {
  const headings = elements.filter((element) => /^h[1-6]$/.test(element.tag.name));
  const anchor = (heading: BbElement, at: number): [BbTag, Anchor] => {
    const label = textOf(heading.children).trim();
    return [heading.tag, { id: `section-${salt}-${at + 1}`, label }];
  };
  return new Map(headings.map(anchor));
}

/** A summary stands before a fold, and what comes after it is inside. */
function renderNodes(nodes: BbNode[], context: Context): string {
  const fold = nodes.findIndex((node) => node.kind === "element" && node.tag.name === "summary");
  const summary = nodes[fold];
  if (summary?.kind !== "element") return renderRow(nodes, context);
  const shown = `<div class="summary">${renderNodes(summary.children, context)}</div>`;
  const rest = renderRow(nodes.slice(fold + 1), context);
  const folded = `<details><summary>Read more</summary>${rest}</details>`;
  return renderRow(nodes.slice(0, fold), context) + shown + folded;
}

function renderRow(nodes: BbNode[], context: Context): string {
  const parts: string[] = [];
  let previous: BbNode | undefined;
  let sign: Sign | undefined;
  let hasEvent = false;
  for (const [at, node] of nodes.entries()) {
    const next = nodes[at + 1];
    if (node.kind === "text") {
      sign = next?.kind === "element" && isLink(next) ? signBefore(node.text, next.tag.name) : undefined;
      const text = sign === undefined ? node.text : node.text.slice(0, -sign.length);
      const isBetween = isEventTag(previous) && isEventTag(next) && text.trim() === "";
      if (!isBetween) parts.push(renderText(text, endsBlock(previous), context));
    } else if (isEventTag(node)) {
      if (!hasEvent) parts.push(eventCard(nodes.filter(isEventTag), context));
      hasEvent = true;
    } else {
      parts.push(node.kind === "typed" ? escapeHtml(node.text) : renderElement(node, context, sign));
      sign = undefined;
    }
    previous = node;
  }
  return parts.join("");
}

function endsBlock(node: BbNode | undefined): boolean {
  return node?.kind === "element" && (isBlock(node.tag.name) || isCodeBlock(node));
}

function isCodeBlock({ tag }: BbElement): boolean {
  return (tag.name === "code" && (tag.raw ?? "").includes("\n")) || tag.name === "pre";
}

/** One line break right behind a block only ends the block's line. */
function renderText(text: string, afterBlock: boolean, context: Context): string {
  if (context.textIsHtml) return text;
  const shown = afterBlock ? text.replace(/^[ \t]*\r?\n/, "") : text;
  return lines(runningText(shown, { links: !context.inLink, emoji: context.emoji }));
}

function renderElement(element: BbElement, context: Context, sign: Sign | undefined): string {
  const { tag } = element;
  const content = isBlock(tag.name) ? { ...element, children: withoutEdges(element.children) } : element;
  const html = sign === undefined ? renderers.get(tag.name)?.(content, context) : renderLink(element, context, sign);
  return html ?? (sign ?? "") + asTyped(element, context);
}

function asTyped({ tag, children }: BbElement, context: Context): string {
  if (tag.partner === undefined) return lines(escapeHtml(tag.source));
  const content = renderRow(children, context);
  return escapeHtml(tag.source) + content + escapeHtml(tag.partner.source);
}

/** The line breaks behind the start and before the end of a block are layout, not content. */
function withoutEdges(nodes: BbNode[]): BbNode[] {
  const last = nodes.length - 1;
  return nodes.map((node, at) => {
    if (node.kind !== "text") return node;
    let { text } = node;
    if (at === 0) text = text.replace(/^[ \t]*\r?\n/, "");
    if (at === last) text = text.replace(/\r?\n[ \t]*$/, "");
    return { ...node, text };
  });
}
