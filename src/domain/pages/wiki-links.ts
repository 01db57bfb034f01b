import { escapeHtml } from "../bodies/escape.ts";
import { fillHtml } from "./fill-html.ts";

const mark = /\[\[([^[\]|\n]{1,191})(?:\|([^[\]\n]{1,200}))?\]\]/g;

/**
 * Makes `[[Page name]]` and `[[Page name|words]]` in a wiki's text links to its pages. `addressOf` answers where a page is,
 * or undefined when the words stay words; pages that are `unwritten` are marked.
 */
export function linkWikiPages(
  html: string,
  addressOf: (name: string) => { path: string; unwritten: boolean } | undefined,
): string {
  return fillHtml(html, mark, ([, name = "", words]) => {
    const target = addressOf(name.trim());
    const label = escapeHtml((words ?? name).trim());
    if (!target) return { html: label, block: false };
    const title = target.unwritten ? ' class="unwritten" title="Not written yet"' : "";
    return { html: `<a href="${escapeHtml(target.path)}"${title}>${label}</a>`, block: false };
  });
}
