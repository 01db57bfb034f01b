import { html } from "hono/html";
import { findVisibleItem } from "../../../../domain/items/find.ts";
import { formerVersions } from "../../../../domain/items/history.ts";
import type { FormerVersion } from "../../../../domain/items/history.ts";
import { show } from "../../answers.ts";
import type { Html, Page, PageContext } from "../../page.ts";
import { attachments } from "../../parts/items/attachments.ts";
import { body } from "../../parts/items/body.ts";
import { viewerOf } from "../../parts/items/status.ts";
import { folded } from "../../parts/items/summary.ts";
import { displayPath } from "../../parts/item-paths.ts";
import { exactTime } from "../../parts/times.ts";

/** What a post said before it was edited, for whoever may see the post. */
export const itemHistoryPages: Page[] = [{ path: "/item/:uuid/history", access: "reader", get: page }];

type Version = Pick<FormerVersion, "title" | "summary" | "html" | "attach" | "written">;

async function page(context: PageContext): Promise<Response> {
  const { hub, observer, params } = context;
  const item = await findVisibleItem(hub, observer, { uuid: params["uuid"] ?? "" });
  const former = await formerVersions(hub, item.message_id);
  const versions: Version[] = [...former, { ...item, written: item.edited }].toReversed();
  const main = html`<h1>History</h1>
    <p class="lead">
      What <a href="${displayPath(context, item)}">this</a> said, the newest version first.
      ${item.revision > former.length ? "Not all of its versions are known." : ""}
    </p>
    <ol class="comments versions">
      ${versions.map((version, at) => html`<li>${versionCard(context, version, at === 0, item.lang)}</li>`)}
    </ol>`;
  return show(context, { title: "History", main });
}

function versionCard(context: PageContext, version: Version, isNewest: boolean, language: string): Html {
  const { title, summary, html: text, attach, written } = version;
  const lang = language ? html`lang="${language}"` : "";
  const content = html`<div class="body" ${lang}>${body(context, text, viewerOf(context))}</div>
    ${attachments(attach)}`;
  return html`<article class="card">
    <p class="meta">${exactTime(context, written)} ${isNewest ? html`<span>as it is now</span>` : ""}</p>
    ${title === "" ? "" : html`<h2 class="status-title">${title}</h2>`}
    ${summary === "" ? content : folded(summary, content)}
  </article>`;
}
