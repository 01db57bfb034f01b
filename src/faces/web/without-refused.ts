import { ElementType, parseDocument } from "htmlparser2";
import type { DomUtils } from "htmlparser2";
import type { PageContext } from "./page.ts";

/** Pages of whose channel has moved away: what would only be refused is not on them. */

type Element = NonNullable<ReturnType<typeof DomUtils.getElementById>>;
type Node = Element["children"][number];

/**
 * A page, or a part of one, without the forms that the hub refuses, without links that lead to nothing else, and without what
 * stood there for them alone: their headings, and boxes and folds that would be empty.
 */
export function withoutRefused({ hub, here, refuses }: PageContext, page: string): string {
  const base = new URL(here, hub.config.baseUrl);
  const removed = new Set<Element>();

  function isRefused({ name, attribs, parent }: Element): boolean {
    if (name === "form")
      return /^post$/i.test(attribs["method"] ?? "") && isRefusedAt(attribs["action"] ?? here, "form");
    // A link in the midst of a sentence is one of its words.
    if (name !== "a" || parent?.children.some((node) => isText(node) && !isBlank(node))) return false;
    return isRefusedAt(attribs["href"] ?? here, "link");
  }

  function isRefusedAt(address: string, what: "form" | "link"): boolean {
    if (!URL.canParse(address, base.href)) return false;
    const { origin, pathname } = new URL(address, base);
    return origin === base.origin && refuses(pathname, what);
  }

  /** Nothing of it is left? What goes of one that stays is taken down. */
  function isGone(element: Element): boolean {
    if (isRefused(element)) return true;
    const elements = element.children.filter(isElement);
    const gone = new Set(elements.filter(isGone));
    if (gone.size === 0) return false;
    if (element.children.every((node) => gone.has(node as Element) || isBlank(node)) && !lasting.has(element.name))
      return true;
    for (const one of [...gone, ...headingsOf(elements, gone)]) removed.add(one);
    return false;
  }

  for (const element of parseDocument(page, positions).children.filter(isElement))
    if (isGone(element)) removed.add(element);
  return cut(page, removed);
}

const positions = { withStartIndices: true, withEndIndices: true };

function isElement(node: Node): node is Element {
  return "attribs" in node;
}

function isText(node: Node): node is Extract<Node, { data: string }> {
  return node.type === ElementType.Text;
}

/** What each page has, even an empty one. */
const lasting: ReadonlySet<string> = new Set(["html", "body", "main"]);

/** It says nothing by itself: room, a heading, a hint, or something for scripts. */
function isBlank(node: Node): boolean {
  if (isText(node)) return node.data.trim() === "";
  if (!isElement(node)) return true;
  const { name, attribs } = node;
  return (
    levelOf(node) > 1 || name === "summary" || name === "legend" || attribs["class"] === "hint" || "hidden" in attribs
  );
}

/** Headings, with their hints, of which nothing is left up to the next one. */
function headingsOf(elements: readonly Element[], gone: ReadonlySet<Element>): Element[] {
  return elements.flatMap((heading, at) => {
    const level = levelOf(heading);
    if (level < 2) return [];
    const rest = elements.slice(at + 1);
    const end = rest.findIndex((one) => levelOf(one) > 0 && levelOf(one) <= level);
    const under = end === -1 ? rest : rest.slice(0, end);
    const isEmpty = under.some((one) => gone.has(one)) && under.every((one) => gone.has(one) || isBlank(one));
    return isEmpty ? [heading, ...under] : [];
  });
}

/** Of a heading; 0 for everything else. */
function levelOf({ name }: Element): number {
  return Number(/^h([1-6])$/.exec(name)?.[1] ?? 0);
}

/** The title of the page stays, also where it stood in a form. */
function cut(page: string, removed: ReadonlySet<Element>): string {
  const parts: string[] = [];
  let from = 0;
  for (const { startIndex, endIndex } of [...removed].toSorted((a, b) => a.startIndex! - b.startIndex!)) {
    if (startIndex! < from) continue;
    // The parser leaves the end of `</a\n>` away.
    const to = page.indexOf(">", endIndex!) + 1;
    const [title = ""] = /<h1\b[\s\S]*?<\/h1>/.exec(page.slice(startIndex!, to)) ?? [];
    parts.push(page.slice(from, startIndex!), title);
    from = to;
  }
  return [...parts, page.slice(from)].join("");
}
