import { escapeHtml } from "./escape.ts";
import { filterHtml } from "./html-filter.ts";
import { renderMarkdown } from "./markdown.ts";
import { renderMulticode } from "./multicode.ts";
import { lines, runningText } from "./running-text.ts";
import type { Site } from "./site.ts";
import { renderTree } from "./bbcode/render-tree.ts";
import { scanTags } from "./bbcode/scan.ts";
import { buildTree, pairTags, splitAtTags } from "./bbcode/tree.ts";

export type { Site } from "./site.ts";

type Renderer = (body: string, site: Site) => string;

const renderers = new Map<string, Renderer>([
  ["text/bbcode", (body, site) => renderBbcode(body, site, saltOf(body))],
  ["text/markdown", (body) => renderMarkdown(body, "markdown", true, saltOf(body))],
  ["text/html", (body) => body],
  ["text/plain", (body) => lines(runningText(body, { links: true, emoji: true }))],
  ["text/x-multicode", (body, site) => renderMulticode(body, site, saltOf(body))],
]);

/**
 * Renders a body to safe, well-formed HTML whatever it contains; content of unknown types is shown as escaped text.
 * What depends on the viewer is left to `personalise`.
 */
export function renderBody(body: string, mimetype: string, site: Site): string {
  const render = renderers.get(mimetype) ?? ((text: string) => lines(escapeHtml(text)));
  return filterHtml(render(body.toWellFormed(), site), site.baseUrl);
}

/** A short word made from the body, for anchors that must differ between the bodies on a page. */
function saltOf(body: string): string {
  let hash = 0;
  for (let at = 0; at < body.length; at++) hash = (Math.imul(hash, 31) + body.charCodeAt(at)) | 0;
  return (hash >>> 0).toString(36);
}

/** Renders bbcode to unfiltered HTML. */
function renderBbcode(body: string, site: Site, salt: string): string {
  const tags = scanTags(body);
  pairTags(tags);
  return renderTree(buildTree(splitAtTags(body, tags)), site, false, salt);
}
