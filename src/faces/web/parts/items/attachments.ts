import { html } from "hono/html";
import { attachedTo } from "../../../../domain/items/attached.ts";
import type { Html } from "../../page.ts";
import { icon } from "../icons.ts";
import { size } from "../files/sizes.ts";

/** Links to the files of a post or message, as its `attach` lists them. */
export function attachments(attach: string): Html {
  const links = attachedTo(attach).filter(({ href }) => typeof href === "string" && /^https?:\/\//i.test(href));
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

/** File names are percent-encoded there; what is not is shown as it is. */
function nameOf(title: unknown): string {
  const text = typeof title === "string" && title !== "" ? title : "Attachment";
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
