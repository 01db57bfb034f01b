import { findVisibleItem } from "../../../../domain/items/find.ts";
import { formerPoll, formerVersions } from "../../../../domain/items/history.ts";
import type { FormerVersion } from "../../../../domain/items/history.ts";
import { pollOf } from "../../../../domain/items/poll.ts";
import type { Poll } from "../../../../domain/items/poll.ts";
import { show } from "../../answers.ts";
import { html } from "../../html.ts";
import { linkTo } from "../../languages/say.ts";
import type { Html, Page, PageContext } from "../../page.ts";
import { attachments } from "../../parts/items/attachments.ts";
import { body } from "../../parts/items/body.ts";
import { viewerOf } from "../../parts/items/status.ts";
import { folded } from "../../parts/items/summary.ts";
import { displayPath } from "../../parts/item-paths.ts";
import { exactTime } from "../../parts/times.ts";

/** What a post said before it was edited, for whoever may see the post. */
export const itemHistoryPages: Page[] = [
  { path: "/item/:uuid/history", access: "reader", mayBeStale: true, get: page },
];

type Version = Pick<FormerVersion, "title" | "summary" | "html" | "attach" | "item_nsfw" | "written"> & {
  poll: Poll | undefined;
};

async function page(context: PageContext): Promise<Response> {
  const { hub, observer, params, say } = context;
  const item = await findVisibleItem(hub, observer, { uuid: params["uuid"] ?? "" });
  const former = await formerVersions(hub, item.message_id);
  const versions: Version[] = [
    ...former.map((version) => ({ ...version, poll: formerPoll(version, item) })),
    { ...item, written: item.edited, poll: pollOf(item) },
  ].toReversed();
  const main = html`<h1>${say("items.history")}</h1>
    <p class="lead">
      ${say.html("items.history-lead", { post: linkTo(displayPath(context, item)) })}
      ${item.revision > former.length ? say("items.history-gaps") : ""}
    </p>
    <ol class="versions">
      ${versions.map((version, at) => html`<li>${versionCard(context, version, at === 0, item.lang)}</li>`)}
    </ol>`;
  return show(context, { title: say("items.history"), main });
}

function versionCard(context: PageContext, version: Version, isNewest: boolean, language: string): Html {
  const { title, summary, html: text, attach, item_nsfw, written, poll } = version;
  const lang = language ? html`lang="${language}"` : "";
  const content = html`<div class="body" ${lang}>${body(context, text, viewerOf(context))}</div>
    ${
      poll
        ? html`<ul>
            ${poll.options.map(({ name }) => html`<li><bdi>${name}</bdi></li>`)}
          </ul>`
        : ""
    }
    ${attachments(context, attach)}`;
  return html`<article class="card">
    <p class="meta">
      ${exactTime(context, written)} ${isNewest ? html`<span>${context.say("items.as-now")}</span>` : ""}
      ${item_nsfw === 1 ? html`<span>${context.say("items.sensitive")}</span>` : ""}
    </p>
    ${title === "" ? "" : html`<h2 class="status-title">${title}</h2>`}
    ${summary === "" ? content : folded(context, summary, content)}
  </article>`;
}
