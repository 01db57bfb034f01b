import { html } from "hono/html";
import { midOfLink } from "../../../../domain/items/links.ts";
import { isClosed } from "../../../../domain/items/posting/close-comments.ts";
import { followingOf } from "../../../../domain/items/posting/follow.ts";
import { waits } from "../../../../domain/items/posting/moderation.ts";
import { postItem } from "../../../../domain/items/posting/post.ts";
import { markSeen } from "../../../../domain/items/timelines/stream.ts";
import { visibleThread } from "../../../../domain/items/timelines/thread.ts";
import type { Thread } from "../../../../domain/items/timelines/thread.ts";
import type { Item } from "../../../../domain/items/types.ts";
import { redirect, show } from "../../answers.ts";
import { tryForm } from "../../faults.ts";
import type { Fault } from "../../faults.ts";
import type { Fields } from "../../fields.ts";
import type { Html, MemberContext, Page, PageContext } from "../../page.ts";
import { back, token } from "../../parts/forms.ts";
import { icon } from "../../parts/icons.ts";
import { answerForm, commentList } from "../../parts/items/conversation.ts";
import { elsewhereNote, threadElsewhere } from "../../parts/items/elsewhere.ts";
import type { Elsewhere } from "../../parts/items/elsewhere.ts";
import { loadFeed } from "../../parts/items/feed.ts";
import { beforeOf } from "../../parts/pager.ts";
import { anchorOf, displayPath } from "../../parts/item-paths.ts";
import { statusCard } from "../../parts/items/status.ts";

/** A thread, by the copy that the visitor may see. */
export const displayPages: Page[] = [
  {
    path: "/display/:link",
    access: "reader",
    get: (context) => thread(context),
    post: comment,
    again: thread,
    kept: true,
  },
];

async function comment(context: MemberContext, typed: Fields): Promise<Response> {
  const { member, hub } = context;
  const [top] = await loadThread(context, await linkedMid(context));
  return tryForm(
    async () => {
      const mid = await linkedMid(context);
      const item = await postItem(hub, member.channel, { body: typed.text("body"), parent: { mid } });
      const done = (await waits(hub, item)) ? "waits" : "commented";
      return redirect(context, `${displayPath(context, top)}#${anchorOf(item)}`, done);
    },
    (fault) => thread(context, typed, fault),
  );
}

function linkedMid({ hub, params }: PageContext): Promise<string> {
  return midOfLink(hub, params["link"] ?? "");
}

function loadThread(context: PageContext, mid: string): Promise<Thread> {
  return visibleThread(context.hub, context.observer, { mid }, beforeOf(context).before);
}

async function thread(context: PageContext, typed?: Fields, fault?: Fault): Promise<Response> {
  const mid = await linkedMid(context);
  const items = await loadThread(context, mid);
  const [top, ...comments] = items;
  const feed = await loadFeed(context, items);
  const linked = comments.find((item) => item.mid === mid);
  const elsewhere = await threadElsewhere(context, feed, top);
  const main = html`<h1 class="unseen">Post by ${feed.users.get(top.author_id)?.xchan_name ?? "somebody"}</h1>
    <section class="thread whole">
      ${statusCard(context, feed, top, { whole: true })} ${elsewhereNote(context, elsewhere)}
      ${await threadTools(context, items, elsewhere)} ${commentList(context, feed, comments, linked)}
    </section>
    ${await answerForm(context, top, linked && feed.users.get(linked.author_id)?.xchan_name, typed, fault)}`;
  if (context.member) await markSeen(context.hub, context.member.channel, items);
  return show(context, {
    title: titleOf(top, feed.users.get(top.author_id)?.xchan_name),
    main,
    status: fault?.status ?? 200,
  });
}

/** What a member decides about a thread as a whole: its notices, what is fetched of it, and as its owner whether it takes comments. */
async function threadTools(context: PageContext, items: Item[], elsewhere: Elsewhere | undefined): Promise<Html> {
  const { hub, member } = context;
  const top = items[0];
  if (!member || !top) return html``;
  const me = member.channel;
  const own = top.uid === me.channel_id;
  const said = own ? await followingOf(hub, me, top.id) : undefined;
  const takesPart = top.owner_id === me.xchan_id || items.some((item) => item.author_id === me.xchan_id);
  const told = said === undefined ? takesPart : said === "follow";
  const closed = isClosed(hub, top);
  return html`<form class="thread-tools" method="post" action="/item/${top.id}/act" aria-label="This thread">
    ${token(context)}${back(context)}
    <button class="act" name="act" value="${told ? "unfollow" : "follow"}">
      ${icon("bell")} ${told ? "Stop notices of this thread" : "Get notices of this thread"}
    </button>
    ${elsewhere?.mayFetch ? html`<button class="act" name="act" value="fetch">${icon("download")} Fetch missing answers</button>` : ""}
    ${own && top.owner_id === me.xchan_id ? html`<button class="act" name="act" value="${closed ? "open" : "close"}">${icon(closed ? "reply" : "lock")} ${closed ? "Take comments again" : "Close for comments"}</button>` : ""}
  </form>`;
}

function titleOf(top: Item, author = "somebody"): string {
  return top.title || `${author}: ${(top.summary || top.plain).replace(/\s+/g, " ").slice(0, 60)}`;
}
