import type { Site } from "../site.ts";
import type { BbTag } from "./scan.ts";
import type { BbElement, BbNode } from "./tree.ts";

export type Anchor = { id: string; label: string };

/** What the renderers of tags share while one body is rendered. */
export type Context = {
  site: Site;
  emoji: boolean;
  /** Inside of a link no further links are made. */
  inLink: boolean;
  /** In multicode the texts between the tags are HTML already. */
  textIsHtml: boolean;
  /** The anchors of headings, if the body has a contents list. */
  anchors: Map<BbTag, Anchor>;
  /** The tag that shows the contents list; only the first does, or many lists of many headings would be endless. */
  toc: BbTag | undefined;
  /** Renders what is inside of an element. */
  render: (nodes: BbNode[], context: Context) => string;
};

/** Renders one element; undefined shows it as it was typed. */
export type Renderer = (element: BbElement, context: Context) => string | undefined;

export type RendererTable = Record<string, Renderer>;

/** The rendered content of an element. */
export function inner(element: BbElement, context: Context): string {
  return context.render(element.children, context);
}
