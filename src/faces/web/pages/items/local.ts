import { html } from "hono/html";
import { publicThreads } from "../../../../domain/items/timelines/public-threads.ts";
import { show } from "../../answers.ts";
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
  const main = html`<h1>On this hub</h1>
    <p class="lead">
      What people of this hub write for everybody, the newest first. Whom you like to read you can
      <a href="/directory">connect with</a>: then it comes into your stream.
    </p>
    ${
      items.length === 0
        ? html`<div class="empty">
            <p>Public posts of the people of this hub appear here. There are none yet.</p>
            <p><a class="button primary" href="/network">Write the first one</a></p>
          </div>`
        : ""
    }
    ${threadList(context, threads, next)}`;
  return show(context, { title: "On this hub", main });
}
