import type { Viewer } from "../../../../domain/bodies/personalise.ts";
import { termTypes } from "../../../../domain/items/vocabulary.ts";
import type { Item } from "../../../../domain/items/types.ts";
import { articleKinds } from "../../../../domain/pages/kinds.ts";
import type { User } from "../../../../domain/people/users.ts";
import { html } from "../../html.ts";
import type { Html, PageContext } from "../../page.ts";
import { statusFoot } from "./actions.ts";
import { attachments } from "./attachments.ts";
import { body, foldedBody } from "./body.ts";
import type { Feed } from "./feed.ts";
import { anchorOf, displayPath, threadOf } from "../item-paths.ts";
import { nameOf } from "../channels/name.ts";
import { avatar, personUrl } from "../channels/person.ts";
import { linkCard } from "./link-card.ts";
import { pollPart } from "./poll.ts";
import { shorten } from "../shorten.ts";
import { folded } from "./summary.ts";
import { time } from "../times.ts";
import { visibility } from "./visibility.ts";

type Form = {
  /** The address names this one. */
  linked?: boolean;
  /** It has just been made: that is where one reads on. */
  focused?: boolean;
  /** Articles are shown whole, not only their beginning. */
  whole?: boolean;
};

/** One post or comment as a card. */
export function statusCard(
  context: PageContext,
  feed: Feed,
  item: Item,
  { linked = false, whole = false, focused = false }: Form = {},
): Html {
  const author = feed.users.get(item.author_id);
  const anchor = anchorOf(item);
  const comment = item.item_thread_top === 0;
  return html`<article
    class="status ${comment ? "comment" : "post"} ${linked ? "linked" : ""}"
    id="${anchor}"
    aria-labelledby="${anchor}-by"
    ${focused ? html`tabindex="-1" autofocus` : ""}
  >
    <header class="status-head">
      ${avatar(context, author?.xchan_photo_m, comment ? "small" : "medium")}
      <div class="byline">
        <p class="who-wrote" id="${anchor}-by">${names(context, feed, item, author)}</p>
        <p class="meta">
          <a href="${displayPath(context, item)}">${time(context, item.created)}</a>
          ${item.revision > 0 ? html`<a href="/item/${item.uuid}/history">${context.say("items.edited")}</a>` : ""}
          ${comment ? "" : visibility(context, feed, item)} ${item.location ? html`<span>${item.location}</span>` : ""}
        </p>
      </div>
    </header>
    ${words(context, feed, item, { whole, unfolded: whole || linked || focused })}
    ${categories(feed, item, author, context)} ${statusFoot(context, feed, item)}
  </article>`;
}

const previewLength = 400;

/** How much of it is shown: an article whole, and a long text without a click. */
type Extent = { whole: boolean; unfolded: boolean };

/** Title and text, folded where a filter of the member has found its words in them. */
function words(context: PageContext, feed: Feed, item: Item, extent: Extent): Html {
  const title = item.title
    ? html`<h2 class="status-title"><a href="${displayPath(context, item)}">${item.title}</a></h2>`
    : "";
  const all = html`${title} ${statusBody(context, feed, item, extent)}`;
  const found = feed.filtered.get(item.message_id);
  return found === undefined ? all : folded(context, context.say("items.filtered", { words: found }), all);
}

/** What it says: folded behind its warning, if it has one; of an article in a stream what it is about, and its beginning. */
function statusBody(context: PageContext, feed: Feed, item: Item, { whole, unfolded }: Extent): Html {
  const lang = item.lang ? html`lang="${item.lang}"` : "";
  const summary = item.item_kind > 0 && item.summary ? html`<p class="lead" ${lang}>${item.summary}</p>` : "";
  if (item.item_kind > 0 && !whole) {
    const isArticle = item.item_kind === articleKinds.article.itemKind;
    const more = context.say(isArticle ? "items.read-article" : "items.see-card");
    return html`${summary}
      <p ${lang}>${shorten(item.plain, previewLength)}</p>
      <p><a class="button" href="${displayPath(context, item)}">${more}</a></p>`;
  }
  const text = (unfolded ? body : foldedBody)(context, item.html, viewerOf(context), feed);
  const content = html`<div class="body" ${lang}>${text}</div>
    ${attachments(context, item.attach)} ${pollPart(context, feed, item)} ${linkCard(context, feed, item)}`;
  if (item.item_kind > 0) return html`${summary} ${content}`;
  return item.summary ? folded(context, item.summary, content) : content;
}

/** A thread in a stream: its top, its newest comments, and the way to the others. */
export function threadCard(context: PageContext, feed: Feed, top: Item, comments: Item[]): Html {
  const total = feed.comments.get(top.id) ?? comments.length;
  const path = displayPath(context, top);
  return html`<section
    id="${threadOf(top)}"
    class="thread ${top.item_unseen === 1 && top.uid === context.observer.channelId ? "fresh" : ""}"
  >
    ${statusCard(context, feed, top)}
    ${total > comments.length ? html`<p class="all-comments"><a href="${path}">${context.say("items.show-all-comments", { count: total })}</a></p>` : ""}
    ${
      comments.length > 0
        ? html`<ol class="comments">
            ${comments.map((comment) => html`<li>${statusCard(context, feed, comment)}</li>`)}
          </ol>`
        : ""
    }
  </section>`;
}

/** What somebody has on top of their page, above everything else. */
export function pinnedPart({ say }: PageContext, cards: readonly Html[]): Html {
  if (cards.length === 0) return html``;
  return html`<section aria-labelledby="pinned">
    <h2 id="pinned" class="meta">${say("items.pinned")}</h2>
    ${cards}
  </section>`;
}

function names(context: PageContext, feed: Feed, item: Item, author: User | undefined): Html {
  const owner =
    item.item_thread_top === 1 && item.owner_id !== item.author_id ? feed.users.get(item.owner_id) : undefined;
  const answered = item.item_thread_top === 0 ? answeredComment(feed, item) : undefined;
  return html`${person(context, author)}
  ${owner ? html`<span class="arrow" aria-label="${context.say("items.on-wall-of")}">→</span> ${person(context, owner)}` : ""}
  ${answered ? html`<span class="answers">${context.say.html("items.answers", { name: nameOf(context, answered) })}</span>` : ""}`;
}

/** Whose comment this one answers; the top is what all of them answer. */
function answeredComment(feed: Feed, item: Item): User | undefined {
  const parent = feed.parents.get(item.id);
  return parent && parent.id !== item.parent ? feed.users.get(parent.authorId) : undefined;
}

function person(context: PageContext, user: User | undefined): Html {
  if (!user) return html`<span class="name">${context.say("items.somebody")}</span>`;
  return html`<a class="name" href="${personUrl(context, user)}">${nameOf(context, user)}</a>`;
}

/** Categories by the author, and tags that readers have added. */
function categories(feed: Feed, item: Item, author: User | undefined, context: PageContext): Html {
  const all = feed.terms.get(item.message_id) ?? [];
  const terms = all.filter((term) => term.ttype === termTypes.category);
  const tags = all.filter((term) => term.ttype === termTypes.communityTag);
  if (terms.length === 0 && tags.length === 0) return html``;
  const wall = author ? personUrl(context, author) : "";
  const link = (term: string): Html =>
    author?.local ? html`<a href="${wall}?cat=${encodeURIComponent(term)}">${term}</a>` : html`<span>${term}</span>`;
  return html`<ul class="categories" aria-label="${context.say("items.tags")}">
    ${terms.map(({ term }) => html`<li>${link(term)}</li>`)}
    ${tags.map(({ term }) => html`<li><a href="/search?tag=${encodeURIComponent(term)}">#${term}</a></li>`)}
  </ul>`;
}

/** Who looks at a page, as bodies that say different things to different people know them. */
export function viewerOf({ hub, member, language }: PageContext): Viewer {
  if (!member) return undefined;
  const { channel } = member;
  const { baseUrl, host } = hub.config;
  return {
    name: channel.channel_name,
    address: `${channel.channel_address}@${host}`,
    url: `${baseUrl}/channel/${channel.channel_address}`,
    photo: `${baseUrl}/photo/profile/m/${channel.channel_id}`,
    language: language.tag,
    local: true,
    zone: channel.channel_timezone || "UTC",
  };
}
