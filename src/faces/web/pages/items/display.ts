import { html } from "hono/html";
import { midOfLink } from "../../../../domain/items/links.ts";
import { waits } from "../../../../domain/items/posting/moderation.ts";
import { postItem } from "../../../../domain/items/posting/post.ts";
import { markSeen } from "../../../../domain/items/timelines/stream.ts";
import { visibleThread } from "../../../../domain/items/timelines/thread.ts";
import type { Item } from "../../../../domain/items/types.ts";
import { redirect, show } from "../../answers.ts";
import { tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import type { MemberVisit, Page, Visit } from "../../page.ts";
import { answerForm, commentList } from "../../parts/items/conversation.ts";
import { loadFeed } from "../../parts/items/feed.ts";
import { beforeOf } from "../../parts/pager.ts";
import { anchorOf, displayPath } from "../../parts/item-paths.ts";
import { statusCard } from "../../parts/items/status.ts";
import { threadTools } from "../../parts/items/thread-tools.ts";

/** A thread, by the copy that the visitor may see. */
export const displayPages: Page[] = [
  { path: "/display/:link", access: "reader", get: (visit) => thread(visit), post: comment, again: thread, kept: true },
];

async function comment(visit: MemberVisit, typed: Fields): Promise<Response> {
  const { member, hub } = visit;
  const [top] = await loadThread(visit, await linkedMid(visit));
  return tryForm(
    async () => {
      const mid = await linkedMid(visit);
      const item = await postItem(hub, member.channel, { body: typed.text("body"), parent: { mid } });
      const done = (await waits(hub, item)) ? "waits" : "commented";
      return redirect(visit, `${displayPath(visit, top!)}#${anchorOf(item)}`, done);
    },
    (fault) => thread(visit, typed, fault),
  );
}

function linkedMid({ hub, params }: Visit): Promise<string> {
  return midOfLink(hub, params["link"] ?? "");
}

function loadThread(visit: Visit, mid: string): Promise<Item[]> {
  return visibleThread(visit.hub, visit.observer, { mid }, beforeOf(visit).before);
}

async function thread(visit: Visit, typed?: Fields, fault?: Fault): Promise<Response> {
  const mid = await linkedMid(visit);
  const items = await loadThread(visit, mid);
  const [top, ...comments] = items;
  const feed = await loadFeed(visit, items);
  const linked = comments.find((item) => item.mid === mid);
  const main = html`<h1 class="unseen">Post by ${feed.users.get(top!.author_id)?.xchan_name ?? "somebody"}</h1>
    <section class="thread whole">
      ${statusCard(visit, feed, top!, { whole: true })} ${await threadTools(visit, items)}
      ${commentList(visit, feed, comments, linked)}
    </section>
    ${await answerForm(visit, top!, linked && feed.users.get(linked.author_id)?.xchan_name, typed, fault)}`;
  if (visit.member) await markSeen(visit.hub, visit.member.channel, items);
  return show(visit, {
    title: titleOf(top!, feed.users.get(top!.author_id)?.xchan_name),
    main,
    status: fault?.status ?? 200,
  });
}

function titleOf(top: Item, author = "somebody"): string {
  return top.title || `${author}: ${(top.summary || top.plain).replace(/\s+/g, " ").slice(0, 60)}`;
}
