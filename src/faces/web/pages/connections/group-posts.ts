import { activeGroup } from "../../../../domain/groups/groups.ts";
import { networkPage } from "../../../../domain/items/timelines/network-page.ts";
import { show } from "../../answers.ts";
import { html } from "../../html.ts";
import type { MemberContext, Page } from "../../page.ts";
import { idOf } from "../../path-id.ts";
import { cursorOf, cursorText } from "../../parts/cursor.ts";
import { loadThreads } from "../../parts/items/feed.ts";
import { groupHead } from "../../parts/connections/group-head.ts";
import { threadList } from "../../parts/pager.ts";
import { threadCard } from "../../parts/items/status.ts";

const perPage = 20;

/** What the members of a group wrote. */
export const groupPostsPages: Page[] = [{ path: "/group/:id/posts", access: "member", get: posts }];

async function posts(context: MemberContext): Promise<Response> {
  const { hub, member, say } = context;
  const group = await activeGroup(hub, member.channel.channel_id, idOf(context.params["id"]));
  const page = await networkPage(
    hub,
    member.channel,
    { groupId: group.id },
    { before: cursorOf(context), count: perPage },
  );
  const { feed, comments } = await loadThreads(context, page.tops);
  const threads = page.tops.map((top) => threadCard(context, feed, top, comments.get(top.id) ?? []));
  const main = html`${groupHead(say, group, "posts")}
  ${page.tops.length === 0 ? html`<p class="empty">${say("connections.group-posts-none")}</p>` : ""}
  ${threadList(context, threads, cursorText(page.next))}`;
  return show(context, { title: say("connections.posts-of", { name: group.gname }), main });
}
