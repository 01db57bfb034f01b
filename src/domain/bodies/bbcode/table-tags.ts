import { attribute } from "../escape.ts";
import { readAttributes } from "./attributes.ts";
import type { Context, Renderer, RendererTable } from "./context.ts";
import type { BbElement, BbNode } from "./tree.ts";

/** Renders the wanted children; other content is gathered into a cell so that nothing typed is lost. */
function renderOnly(
  nodes: BbNode[],
  isWanted: (name: string) => boolean,
  wanted: (element: BbElement) => string,
  loose: (nodes: BbNode[]) => string,
): string {
  return nodes
    .map((node) => {
      if (node.kind === "element" && isWanted(node.tag.name)) return wanted(node);
      const isLayout = node.kind === "text" && /^(?:\s|<br>|<\/?p>)*$/.test(node.text);
      return isLayout ? "" : loose([node]);
    })
    .join("");
}

function renderRow(row: BbElement, context: Context): string {
  const isCell = (name: string): boolean => name === "td" || name === "th";
  const cell = (element: BbElement): string => {
    const { name } = element.tag;
    return `<${name}>${context.render(element.children, context)}</${name}>`;
  };
  const loose = (nodes: BbNode[]): string => `<td>${context.render(nodes, context)}</td>`;
  return `<tr>${renderOnly(row.children, isCell, cell, loose)}</tr>`;
}

const table: Renderer = (element, context) => {
  const border = readAttributes(element.tag.attributes).get("border");
  const isRow = (name: string): boolean => name === "tr";
  const row = (found: BbElement): string => renderRow(found, context);
  const loose = (nodes: BbNode[]): string => `<tr><td>${context.render(nodes, context)}</td></tr>`;
  const rows = renderOnly(element.children, isRow, row, loose);
  const known = border === "0" || border === "1" ? border : undefined;
  return `<table${attribute("border", known)}><tbody>${rows}</tbody></table>`;
};

/** Tables; rows and cells outside of a table are shown as typed, so they have no row here. */
export const tableTags: RendererTable = { table };
