import { plainText } from "../../../domain/bodies/plain-text.ts";
import { renderBody } from "../../../domain/bodies/render.ts";
import { findShare } from "../../../domain/bodies/share.ts";
import type { StatusPage } from "../../../domain/items/statuses.ts";
import type { Item } from "../../../domain/items/types.ts";
import { presentActivities, withAnnouncers } from "./activities.ts";
import { twitterDate } from "./dates.ts";
import { presentEntities } from "./entities.ts";
import type { Look } from "./look.ts";
import { sourceOf } from "./networks.ts";
import { pointOf } from "./place.ts";
import { peopleOf } from "./user.ts";
import type { People } from "./user.ts";
import { wordsOf } from "./words.ts";

/** A status object; a value of undefined is a field that is left out. */
export type StatusObject = ReturnType<typeof statusObject>;

type Sheet = { page: StatusPage; look: Look; people: People };

/** The statuses of a page as microblog contract 7.2 has them, in the page's order. */
export function presentStatuses(page: StatusPage, look: Look): StatusObject[] {
  const sheet = { page, look, people: peopleOf(page.users) };
  return page.items.map((item) => statusWithShare(sheet, item, true));
}

/** The page's only status, without its `user`: what user objects carry. */
export function presentStatusOfUser(page: StatusPage, look: Look): StatusObject | undefined {
  const item = page.items[0];
  return item && statusWithShare({ page, look, people: peopleOf(page.users) }, item, false);
}

/** A share shows its original, where the caller may see that: as a reshare, or as a quotation when it adds words. */
function statusWithShare(sheet: Sheet, item: Item, withUser: boolean): StatusObject {
  const original = item.shared_id > 0 ? sheet.page.originals.get(item.shared_id) : undefined;
  const share = original && original.id !== item.id ? findShare(item.body) : undefined;
  if (!original || !share) return statusObject(sheet, item, item.author_id, withUser);
  const inner = statusObject(sheet, original, original.author_id, true);
  if (share.added === "") {
    return Object.assign(statusObject(sheet, item, original.author_id, withUser), { retweeted_status: inner });
  }
  return Object.assign(statusObject(sheet, item, item.author_id, withUser), {
    text: addedText(share.added, item.mimetype, sheet.look),
    is_quote_status: true,
    quoted_status: inner,
    quoted_status_id: inner.id,
    quoted_status_id_str: inner.id_str,
  });
}

function addedText(added: string, mimetype: string, look: Look): string {
  const html = renderBody(added, mimetype, { baseUrl: "", name: "" });
  return plainText(html, look.entities ? "url" : "label");
}

/** Every field in one literal, so that all statuses have the same shape: this runs more often than anything else. */
function statusObject({ page, look, people }: Sheet, item: Item, writerId: number, withUser: boolean) {
  const { id, author_id } = item;
  const isPrivate = item.item_private !== 0;
  const words = wordsOf(item, look);
  const parent = page.parents.get(id);
  const parentAuthor = parent && people(parent.authorId);
  const point = pointOf(item.coord);
  const reactions = page.reactions.get(id);
  const shares = page.shares.get(item.message_id);
  const activities = presentActivities(reactions, people);
  const author = people(author_id);
  const writer = people(writerId);
  const owner = item.item_thread_top === 1 ? people(item.owner_id) : author;
  const comments = page.comments.get(id) ?? 0;
  const entities = look.entities ? presentEntities(words.text, words.rich, page.mentioned, people) : undefined;
  return {
    id,
    id_str: String(id),
    created_at: twitterDate(item.created),
    text: words.text,
    truncated: words.truncated,
    source: sourceOf(item.app, item.item_rss === 1 ? "rss" : author.network),
    in_reply_to_status_id: parent ? parent.id : null,
    in_reply_to_status_id_str: parent ? String(parent.id) : null,
    in_reply_to_user_id: parentAuthor ? parentAuthor.id : null,
    in_reply_to_user_id_str: parentAuthor ? parentAuthor.id_str : null,
    in_reply_to_screen_name: parentAuthor ? parentAuthor.screen_name : null,
    user: withUser ? (isPrivate ? people(author_id, true) : author) : undefined,
    geo: point ? point.geo : null,
    coordinates: point ? point.coordinates : null,
    place: item.location === "" ? null : { full_name: item.location, name: item.location },
    contributors: null,
    favorited: item.item_starred === 1 && item.uid === look.uid,
    retweeted: shares ? shares.mine : false,
    favorite_count: activities.like.length,
    retweet_count: shares ? shares.count : 0,
    possibly_sensitive: item.item_nsfw === 1,
    is_quote_status: false,
    lang: item.lang,
    statusnet_html: words.simple,
    statusnet_conversation_id: item.parent,
    external_url: item.plink,
    attachments: words.attachments,
    entities,
    extended_entities: entities && { media: entities.media },
    retweeted_status: undefined as object | undefined,
    quoted_status: undefined as object | undefined,
    quoted_status_id: undefined as number | undefined,
    quoted_status_id_str: undefined as string | undefined,
    svc_author: writer,
    svc_owner: owner,
    svc_private: isPrivate,
    svc_activities: activities,
    svc_comments: comments,
    svc_title: item.title,
    svc_html: words.rich,
    friendica_author: look.aliases ? writer : undefined,
    friendica_owner: look.aliases ? owner : undefined,
    friendica_private: look.aliases ? isPrivate : undefined,
    friendica_activities: look.aliases ? withAnnouncers(activities, shares?.by, people) : undefined,
    friendica_comments: look.aliases ? comments : undefined,
    friendica_title: look.aliases ? item.title : undefined,
    friendica_html: look.aliases ? words.rich : undefined,
  };
}
