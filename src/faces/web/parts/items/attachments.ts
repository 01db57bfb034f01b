import { html } from "hono/html";
import type { Html } from "../../page.ts";
import { icon } from "../icons.ts";
import { size } from "../files/sizes.ts";

type Attachment = { href?: unknown; title?: unknown; length?: unknown };

/** Links to the files of a post or message, as its `attach` lists them. */
export function attachments(attach: string): Html {
  const links = entriesOf(attach).filter(({ href }) => typeof href === "string" && /^https?:\/\//i.test(href));
  if (links.length === 0) return html``;
  return html`<ul class="plain-list attachments" aria-label="Attachments">
    ${links.map(
      ({ href, title, length }) =>
        html`<li>
          <a href="${String(href)}" rel="nofollow noopener">${icon("page")} ${nameOf(title)}</a>
          ${Number(length) > 0 ? html`<span class="meta">${size(Number(length))}</span>` : ""}
        </li>`,
    )}
  </ul>`;
}

/** What comes from elsewhere may be anything. */
function entriesOf(attach: string): Attachment[] {
  if (attach === "") return [];
  try {
    const value: unknown = JSON.parse(attach);
    if (!Array.isArray(value)) return [];
    return value.filter((entry: unknown): entry is Attachment => typeof entry === "object" && entry !== null);
  } catch {
    return [];
  }
}

/** File names are percent-encoded there; what is not is shown as it is. */
function nameOf(title: unknown): string {
  const text = typeof title === "string" && title !== "" ? title : "Attachment";
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
