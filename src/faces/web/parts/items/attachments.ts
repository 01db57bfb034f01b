import { attachedTo } from "../../../../domain/items/attached.ts";
import { html } from "../../html.ts";
import type { Html, PageContext } from "../../page.ts";
import { icon } from "../icons.ts";
import { size } from "../files/sizes.ts";

/** Links to the files of a post or message, as its `attach` lists them. */
export function attachments(context: PageContext, attach: string): Html {
  const { say } = context;
  const links = attachedTo(attach).filter(({ href }) => typeof href === "string" && /^https?:\/\//i.test(href));
  if (links.length === 0) return html``;
  return html`<ul class="plain-list attachments" aria-label="${say("items.attachments")}">
    ${links.map(
      ({ href, title, length }) =>
        html`<li>
          <a href="${String(href)}" rel="nofollow noopener"
            >${icon("page")} ${nameOf(title) ?? say("items.attachment")}</a
          >
          ${Number(length) > 0 ? html`<span class="meta">${size(context, Number(length))}</span>` : ""}
        </li>`,
    )}
  </ul>`;
}

/** File names are percent-encoded there; what is not is shown as it is. */
function nameOf(title: unknown): string | undefined {
  if (typeof title !== "string" || title === "") return undefined;
  try {
    return decodeURIComponent(title);
  } catch {
    return title;
  }
}
