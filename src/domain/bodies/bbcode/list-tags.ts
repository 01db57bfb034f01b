import { attribute, escapeHtml } from "../escape.ts";
import { readAttributes } from "./attributes.ts";
import type { Context, Renderer, RendererTable } from "./context.ts";
import type { BbTag } from "./scan.ts";
import type { BbElement, BbNode } from "./tree.ts";

type Entry = { mark: BbTag | undefined; nodes: BbNode[] };

const numberings: Record<string, string> = {
  "1": "decimal",
  i: "lower-roman",
  I: "upper-roman",
  a: "lower-alpha",
  A: "upper-alpha",
};

/** Divides the content of a list at its marks; `[li]` elements are entries of their own. */
function entriesOf(element: BbElement, markName: string): Entry[] {
  const entries: Entry[] = [{ mark: undefined, nodes: [] }];
  for (const node of element.children) {
    const name = node.kind === "element" ? node.tag.name : undefined;
    if (node.kind === "element" && name === markName) entries.push({ mark: node.tag, nodes: [] });
    else if (node.kind === "element" && name === "li") {
      entries.push({ mark: node.tag, nodes: node.children }, { mark: undefined, nodes: [] });
    } else entries.at(-1)?.nodes.push(node);
  }
  return entries.filter((entry) => entry.mark !== undefined || !isBlank(entry.nodes));
}

function isBlank(nodes: BbNode[]): boolean {
  return nodes.every((node) => node.kind === "text" && /^(?:\s|<br>|<\/?p>)*$/.test(node.text));
}

function renderEntry(entry: Entry, context: Context): string {
  return trimBreaks(context.render(entry.nodes, context));
}

/** The line breaks between entries are layout, not content. */
function trimBreaks(html: string): string {
  let trimmed = html.trim();
  while (trimmed.endsWith("<br>")) trimmed = trimmed.slice(0, -4).trimEnd();
  while (trimmed.startsWith("<br>")) trimmed = trimmed.slice(4).trimStart();
  return trimmed;
}

const list: Renderer = (element, context) => {
  const { name, value = "" } = element.tag;
  const numbering = numberings[value];
  const isOrdered = name === "ol" || numbering !== undefined;
  const items = entriesOf(element, "*").map((entry) => `<li>${renderEntry(entry, context)}</li>`);
  const style = numbering === undefined || value === "1" ? "" : `list-style-type:${numbering}`;
  const kind = isOrdered ? "ol" : "ul";
  return `<${kind}${attribute("style", style)}>${items.join("")}</${kind}>`;
};

const termStyles: [string, string, string][] = [
  ["b", "<strong>", "</strong>"],
  ["i", "<em>", "</em>"],
  ["u", "<u>", "</u>"],
  ["m", "<code>", "</code>"],
  ["l", '<span style="font-size:larger">', "</span>"],
];

function styledTerm(term: string, letters: string): string {
  return termStyles
    .filter(([letter]) => letters.includes(letter))
    .reduce((html, [, before, after]) => before + html + after, escapeHtml(term.trim()));
}

const definitions: Renderer = (element, context) => {
  const letters = readAttributes(element.tag.attributes).get("terms") ?? "";
  const entries = entriesOf(element, "*").map((entry) => {
    const term = entry.mark?.value === undefined ? "" : `<dt>${styledTerm(entry.mark.value, letters)}</dt>`;
    return `${term}<dd>${renderEntry(entry, context)}</dd>`;
  });
  const kind = letters.includes("h") ? "dl-horizontal" : "";
  return `<dl${attribute("class", kind)}>${entries.join("")}</dl>`;
};

const checklist: Renderer = (element, context) => {
  const items = entriesOf(element, "box").map((entry) => {
    const checked = entry.mark?.value === "x" ? " checked" : "";
    const sign = entry.mark === undefined ? "" : `<input type="checkbox" disabled${checked}> `;
    return `<li>${sign}${renderEntry(entry, context)}</li>`;
  });
  return `<ul class="checklist">${items.join("")}</ul>`;
};

/** Lists. Their marks mean nothing outside of a list, so they have no row of their own. */
export const listTags: RendererTable = {
  list,
  ul: list,
  ol: list,
  dl: definitions,
  checklist,
};
