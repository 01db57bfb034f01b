import { findChannelsByXchan } from "../../../../domain/identity/channels/channels.ts";
import { isNobody } from "../../../../domain/identity/channels/observer.ts";
import { midOfLink } from "../../../../domain/items/links.ts";
import { isClosed } from "../../../../domain/items/posting/close-comments.ts";
import { followingOf } from "../../../../domain/items/posting/follow.ts";
import { waits } from "../../../../domain/items/posting/moderation.ts";
import { markSeen } from "../../../../domain/items/timelines/stream.ts";
import { findVisibleItem } from "../../../../domain/items/find.ts";
import { refuseUnshown } from "../../../../domain/people/foreign-person.ts";
import { loadUsers } from "../../../../domain/people/users.ts";
import { html } from "../../html.ts";
import { localPath } from "../../local-path.ts";
import { threadPart } from "../../../../domain/items/timelines/thread.ts";
import type { ThreadPart } from "../../../../domain/items/timelines/thread.ts";
import type { Item } from "../../../../domain/items/types.ts";
import { may } from "../../../../domain/permissions/may.ts";
import { redirect, show, showPart } from "../../answers.ts";
import type { Fields } from "../../fields.ts";
import { isMember } from "../../page.ts";
import type { Html, MemberContext, Page, PageContext } from "../../page.ts";
import { back, inPlace, token } from "../../parts/forms.ts";
import { icon } from "../../parts/icons.ts";
import { answerForm, commentList, newComment, whyNoAnswer } from "../../parts/items/conversation.ts";
import { elsewhereNote, threadElsewhere } from "../../parts/items/elsewhere.ts";
import type { Elsewhere } from "../../parts/items/elsewhere.ts";
import { loadFeed } from "../../parts/items/feed.ts";
import { windowOf } from "../../parts/pager.ts";
import { anchorOf, displayPath, threadOf } from "../../parts/item-paths.ts";
import type { ComposerState } from "../../parts/items/composer.ts";
import { takeComment } from "../../parts/items/take-comment.ts";
import { postPreview } from "../../parts/items/post-preview.ts";
import { statusCard } from "../../parts/items/status.ts";

/** A thread, by the copy that the visitor may see. */
export const displayPages: Page[] = [
  {
    path: "/display/:link",
    access: "reader",
    mayBeStale: true,
    get: (context) => thread(context),
    post: comment,
    again: (context, typed, fault) => thread(context, { typed, fault }),
    files: ["media"],
    kept: true,
  },
];

async function comment(context: MemberContext, typed: Fields): Promise<Response> {
  const mid = await linkedMid(context);
  const [top] = (await loadThread(context, mid)).items;
  return takeComment(context, typed, {
    parent: () => Promise.resolve({ mid }),
    async done(item) {
      const done = (await waits(context.hub, item)) ? "waits" : "commented";
      if (context.inPlace) return inItsPlace(context, top, item, typed, done);
      return redirect(context, `${displayPath(context, top)}#${anchorOf(item)}`, done);
    },
    again: (kept, more) => thread(context, { typed: kept, ...more }),
  });
}

/** The new comment, as the page shows it on which it was written. */
async function inItsPlace(
  context: MemberContext,
  top: Item,
  { id }: Pick<Item, "id">,
  form: Fields,
  done: string,
): Promise<Response> {
  const item = await findVisibleItem(context.hub, context.observer, { id });
  const feed = await loadFeed(context, [item, top]);
  const here = localPath(form.text("back"), context.here);
  return showPart(context, newComment({ ...context, here }, feed, item), done);
}

function linkedMid({ hub, params }: PageContext): Promise<string> {
  return midOfLink(hub, params["link"] ?? "");
}

function loadThread(context: PageContext, mid: string): Promise<ThreadPart> {
  return threadPart(context.hub, context.observer, { mid }, windowOf(context));
}

async function thread(context: PageContext, state: ComposerState = {}): Promise<Response> {
  const mid = await linkedMid(context);
  if (context.inPlace && context.query.has("under")) return formUnder(context, mid);
  const { items, older, newer } = await loadThread(context, mid);
  const [top, ...comments] = items;
  const feed = await loadFeed(context, items);
  const author = feed.users.get(top.author_id);
  if (author?.local === false) await refuseUnshown(context.hub, context.observer, author.xchan_id);
  const linked = comments.find((item) => item.mid === mid);
  const elsewhere = await threadElsewhere(context, feed, top);
  const main = html`<h1 class="unseen">
      ${context.say("items.post-by", { name: author?.xchan_name ?? context.say("items.some-person") })}
    </h1>
    <section id="${threadOf(top)}" class="thread whole">
      ${statusCard(context, feed, top, { whole: true })} ${elsewhereNote(context, elsewhere)}
      ${await threadTools(context, items, elsewhere)} ${commentList(context, feed, comments, { older, newer, linked })}
      ${newer === undefined ? "" : toNewest(context, top)}
    </section>
    ${await answerForm(context, top, { answered: linked && feed.users.get(linked.author_id)?.xchan_name, ...state })}`;
  if (context.member) await markSeen(context.hub, context.member.channel, items);
  return show(context, {
    title: titleOf(context, top, author?.xchan_name),
    main,
    status: state.fault?.status ?? 200,
    preview: () => postPreview(context, top, author),
    ...(await feedOfAuthor(context, top)),
  });
}

/** The feed of whoever has written a post of this hub, for those who may read one. */
async function feedOfAuthor({ hub, observer }: PageContext, top: Item): Promise<{ feed?: string }> {
  const [author] = isNobody(observer) ? await findChannelsByXchan(hub, [top.author_id]) : [];
  const isThere = author && (await may(hub, observer, "view_stream", author.channel_id));
  return isThere ? { feed: `/feed/${author.channel_address}` } : {};
}

/** The way back from older comments. */
function toNewest(context: PageContext, top: Item): Html {
  return html`<p class="all-comments">
    <a href="${displayPath(context, top)}#comment">${context.say("items.newest-comments")}</a>
  </p>`;
}

/** The form that answers one post or comment, for the place under it on whichever page that is. */
async function formUnder(context: PageContext, mid: string): Promise<Response> {
  const { hub, observer } = context;
  const item = await findVisibleItem(hub, observer, { mid });
  const top = item.item_thread_top === 1 ? item : await findVisibleItem(hub, observer, { id: item.parent });
  const refused = isMember(context) ? await whyNoAnswer(context, top) : undefined;
  if (refused !== undefined)
    return show(context, { title: refused, main: html`<p class="empty">${refused}</p>`, status: 403 });
  const author = (await loadUsers(hub, observer, [item.author_id])).get(item.author_id);
  const form = await answerForm(context, top, { answered: author?.xchan_name, under: anchorOf(item) });
  return showPart(context, form);
}

/** What a member decides about a thread as a whole: its notices, what is fetched of it, and as its owner whether it takes comments. */
async function threadTools(context: PageContext, items: Item[], elsewhere: Elsewhere | undefined): Promise<Html> {
  const { hub, member, say } = context;
  const top = items[0];
  if (!member || !top) return html``;
  const me = member.channel;
  const own = top.uid === me.channel_id;
  const said = own ? await followingOf(hub, me, top.id) : undefined;
  const takesPart = top.owner_id === me.xchan_id || items.some((item) => item.author_id === me.xchan_id);
  const told = said === undefined ? takesPart : said === "follow";
  const closed = isClosed(hub, top);
  const path = `/item/${top.id}/act`;
  return html`<form
    class="thread-tools"
    id="thread-tools"
    method="post"
    action="${path}"
    ${inPlace(path, "#thread-tools", ["#comment"])}
  >
    ${token(context)}${back(context)}
    <button class="act" name="act" value="${told ? "unfollow" : "follow"}">
      ${icon("bell")} ${say(told ? "items.notices-off" : "items.notices-on")}
    </button>
    ${elsewhere?.mayFetch ? html`<button class="act" name="act" value="fetch">${icon("download")} ${say("items.fetch-missing")}</button>` : ""}
    ${own && top.owner_id === me.xchan_id ? html`<button class="act" name="act" value="${closed ? "open" : "close"}">${icon(closed ? "reply" : "lock")} ${say(closed ? "items.take-comments" : "items.close-comments")}</button>` : ""}
  </form>`;
}

function titleOf({ say }: PageContext, top: Item, name = say("items.some-person")): string {
  const words = (top.summary || top.plain).replace(/\s+/g, " ").slice(0, 60);
  return top.title || say("items.title-of", { name, words });
}
