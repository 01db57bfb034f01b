import { publicThreads } from "../../../../domain/items/timelines/public-threads.ts";
import { show } from "../../answers.ts";
import { html } from "../../html.ts";
import { linkTo } from "../../languages/say.ts";
import type { MemberContext, Page } from "../../page.ts";
import { loadThreads } from "../../parts/items/feed.ts";
import { threadCard } from "../../parts/items/status.ts";
import { beforeOf, threadList } from "../../parts/pager.ts";

const perPage = 20;

/** What people of this hub write for everybody, for members. */
export const localPages: Page[] = [{ path: "/local", access: "member", get: page }];

async function page(context: MemberContext): Promise<Response> {
  const { items, next } = await publicThreads(context.hub, context.observer, { ...beforeOf(context), count: perPage });
  const { feed, comments } = await loadThreads(context, items);
  const threads = items.map((top) => threadCard(context, feed, top, comments.get(top.id) ?? []));
  const { say } = context;
  const main = html`<h1>${say("items.on-this-hub")}</h1>
    <p class="lead">${say.html("items.on-this-hub-lead", { connect: linkTo("/directory") })}</p>
    ${
      items.length === 0
        ? html`<div class="empty">
            <p>${say("items.on-this-hub-empty")}</p>
            <p><a class="button primary" href="/network">${say("items.write-first")}</a></p>
          </div>`
        : ""
    }
    ${threadList(context, threads, next)}`;
  return show(context, { title: say("items.on-this-hub"), main });
}
