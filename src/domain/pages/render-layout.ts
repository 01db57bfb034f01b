import { fillHtml } from "./fill-html.ts";
import { parseLayout } from "./layout.ts";
import type { Layout, LayoutPart } from "./layout.ts";

/** A page ready to be shown: each region is filtered HTML. */
export type RenderedPage = { template: string; regions: { name: string; html: string }[] };

/** The pieces that layouts, pages and blocks call by name, as filtered HTML. What is not here is left out. */
export type Pieces = { blocks: ReadonlyMap<string, string>; menus: ReadonlyMap<string, string> };

const mark = /\[(block|menu)(?:=[^[\]\n]{0,200})?\]([^[\]\n]{1,200})\[\/\1\]/gi;

/** A page that calls the same large block many times must not become endless. */
const mostPieces = 100;
const mostCharacters = 2_000_000;

/** The names of the blocks and menus that texts and a layout call. */
export function namesIn(layout: Layout | undefined, texts: readonly string[]): { blocks: string[]; menus: string[] } {
  const called = (layout?.regions ?? []).flatMap((region) => region.parts);
  const found = texts.flatMap((text) =>
    [...text.matchAll(mark)].map(([, kind = "", name = ""]) => ({ kind: kind.toLowerCase(), name: name.trim() })),
  );
  const names = (kind: string): string[] =>
    [
      ...new Set([...called, ...found].flatMap((part) => ("name" in part && part.kind === kind ? [part.name] : []))),
    ].slice(0, mostPieces);
  return { blocks: names("block"), menus: names("menu") };
}

/**
 * Puts a page together: its own HTML, laid out, with the blocks and menus that it and its layout call. Blocks may call
 * menus but no blocks, so nothing can call itself.
 */
export function renderLayout(layout: Layout | undefined, html: string, { blocks, menus }: Pieces): RenderedPage {
  const { template, regions } = layout ?? parseLayout("");
  const budget = { pieces: mostPieces, characters: mostCharacters };
  const spend = (piece: string | undefined): string => {
    if (piece === undefined || budget.pieces-- <= 0 || (budget.characters -= piece.length) < 0) return "";
    return piece;
  };
  const menu = (name: string): string => spend(menus.get(name));
  const block = (name: string): string => {
    const text = spend(blocks.get(name));
    return fill(text, (kind, called) => (kind === "menu" ? menu(called) : ""));
  };
  const piece = (part: LayoutPart): string => {
    if (part.kind === "content") return fill(html, (kind, name) => (kind === "menu" ? menu(name) : block(name)));
    return part.kind === "menu" ? menu(part.name) : block(part.name);
  };
  return { template, regions: regions.map(({ name, parts }) => ({ name, html: parts.map(piece).join("") })) };
}

function fill(html: string, piece: (kind: string, name: string) => string): string {
  return fillHtml(html, mark, ([, kind = "", name = ""]) => {
    const found = piece(kind.toLowerCase(), name.trim());
    return { html: found, block: found !== "" };
  });
}
