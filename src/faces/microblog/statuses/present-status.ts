import { plainText } from "../../../domain/bodies/plain-text.ts";
import type { NameOf } from "../../../domain/bodies/plain-text.ts";
import { renderBody } from "../../../domain/bodies/render.ts";
import { findShare } from "../../../domain/bodies/share.ts";
import type { StatusPage } from "../../../domain/items/timelines/statuses.ts";
import type { StatusItem } from "../../../domain/items/columns.ts";
import { inTurns } from "../../../http/in-turns.ts";
import { presentActivities, withAnnouncers } from "./present-activities.ts";
import { twitterDate } from "../present/dates.ts";
import { presentEntities } from "./present-entities.ts";
import type { RenderOptions } from "../present/render-options.ts";
import { sourceOf } from "../present/networks.ts";
import { namesOf, peopleOf } from "../people/present-user.ts";
import type { People, UserObject } from "../people/present-user.ts";
import { statusTextOf } from "./present-text.ts";
import type { StatusText } from "./present-text.ts";

/**
 * A status on its way out. Its people are kept apart from what it says: a page names the same few people in every status,
 * and in JSON each of them is written once (status-json.ts).
 */
export type PresentedStatus = {
  fields: ReturnType<typeof statusFields>;
  /** A value of undefined is a field that is left out. */
  people: ReturnType<typeof peopleIn>;
  shared: { as: "retweeted_status" | "quoted_status"; status: PresentedStatus } | undefined;
};

type Sheet = { page: StatusPage; options: RenderOptions; people: People; nameOf: NameOf };

/** The statuses of a page, in the page's order. */
export async function presentStatuses(page: StatusPage, options: RenderOptions): Promise<PresentedStatus[]> {
  const sheet = { page, options, people: peopleOf(page.users), nameOf: namesOf(page.mentioned, page.users) };
  return inTurns(page.items, (item) => statusWithShare(sheet, item));
}

/** The status as one object. */
export function statusObject({ fields, people, shared }: PresentedStatus): object {
  return { ...fields, ...people, ...(shared && { [shared.as]: statusObject(shared.status) }) };
}

function quoting(id: number | undefined) {
  return { quoted_status_id: id, quoted_status_id_str: id === undefined ? undefined : String(id) };
}

/** A share shows its original, where the caller may see that: as a reshare, or as a quotation when it adds words. */
function statusWithShare(sheet: Sheet, item: StatusItem): PresentedStatus {
  const original = item.shared_id > 0 ? sheet.page.originals.get(item.shared_id) : undefined;
  const share = original && original.id !== item.id ? findShare(item.body) : undefined;
  if (!original || !share) return plainStatus(sheet, item);
  const status = plainStatus(sheet, original);
  if (share.added === "") {
    return {
      fields: statusFields(sheet, item, undefined, original),
      people: peopleIn(sheet, item, original.author_id),
      shared: { as: "retweeted_status", status },
    };
  }
  const fields = {
    ...statusFields(sheet, item, addedWords(sheet, item, share.added)),
    is_quote_status: true,
    ...quoting(original.id),
  };
  return { fields, people: peopleIn(sheet, item, item.author_id), shared: { as: "quoted_status", status } };
}

function plainStatus(sheet: Sheet, item: StatusItem): PresentedStatus {
  return { fields: statusFields(sheet, item), people: peopleIn(sheet, item, item.author_id), shared: undefined };
}

/** What a quotation says itself: the original is in the status that it quotes. */
function addedWords({ page, options, nameOf }: Sheet, item: StatusItem, added: string): StatusText {
  const html = renderBody(added, item.mimetype, { baseUrl: "", name: "" });
  return statusTextOf({ ...item, html, plain: plainText(html, "label") }, options, page.media, nameOf);
}

/**
 * Every field in one literal, so that all statuses have the same shape: this runs more often than anything else. `own` are the
 * words of a quotation, which are its text; viewers of HTML get all of it. Who shares a share, shares what it repeats (`shared`).
 */
function statusFields({ page, options, people, nameOf }: Sheet, item: StatusItem, own?: StatusText, shared = item) {
  const { id } = item;
  const isPrivate = item.item_private !== 0;
  const words = statusTextOf(item, options, page.media, nameOf);
  const { text, lead, truncated, rich, attachments } = own ?? words;
  const parent = page.parents.get(id);
  const parentAuthor = parent && people(parent.authorId);
  const point = pointOf(item.coord);
  const shares = page.shares.get(shared.message_id);
  const comments = page.comments.get(id) ?? 0;
  const entities = options.entities
    ? presentEntities(text, rich, { idOf: page.mentioned, people, nameOf }, { attachments, known: page.media, lead })
    : undefined;
  return {
    id,
    id_str: String(id),
    created_at: twitterDate(item.created),
    text,
    truncated,
    source: sourceOf(item.app, item.item_rss === 1 ? "rss" : people(item.author_id).network),
    in_reply_to_status_id: parent ? parent.id : null,
    in_reply_to_status_id_str: parent ? String(parent.id) : null,
    in_reply_to_user_id: parentAuthor ? parentAuthor.id : null,
    in_reply_to_user_id_str: parentAuthor ? parentAuthor.id_str : null,
    in_reply_to_screen_name: parentAuthor ? parentAuthor.screen_name : null,
    geo: point ? point.geo : null,
    coordinates: point ? point.coordinates : null,
    place: item.location === "" ? null : { full_name: item.location, name: item.location },
    contributors: null,
    // On a copy of somebody else's the star is theirs.
    favorited: item.item_starred === 1 && item.uid === options.uid,
    retweeted: shares ? shares.mine : false,
    favorite_count: page.reactions.get(id)?.["like"]?.length ?? 0,
    retweet_count: shares ? shares.count : 0,
    possibly_sensitive: item.item_nsfw === 1,
    is_quote_status: false,
    ...quoting(undefined),
    lang: item.lang,
    statusnet_html: words.simple,
    statusnet_conversation_id: item.parent,
    external_url: item.plink,
    attachments: words.attachments.map(({ description: _description, ...file }) => file),
    entities,
    extended_entities: entities && { media: entities.media },
    svc_private: isPrivate,
    svc_comments: comments,
    svc_title: item.title,
    svc_summary: item.summary || undefined,
    svc_html: words.rich,
    friendica_private: options.aliases ? isPrivate : undefined,
    friendica_comments: options.aliases ? comments : undefined,
    friendica_title: options.aliases ? item.title : undefined,
    friendica_html: options.aliases ? words.rich : undefined,
  };
}

/** Who wrote it, whose it is, and who reacted; `writerId` is the author of the content, which a reshare only repeats. */
function peopleIn({ page, options, people }: Sheet, item: StatusItem, writerId: number) {
  const author = people(item.author_id);
  const writer = people(writerId);
  const owner = item.item_thread_top === 1 ? people(item.owner_id) : author;
  const activities = presentActivities(page.reactions.get(item.id), people);
  return {
    user: (item.item_private === 0 ? author : people(item.author_id, true)) as UserObject | undefined,
    svc_author: writer,
    svc_owner: owner,
    svc_activities: activities,
    friendica_author: options.aliases ? writer : undefined,
    friendica_owner: options.aliases ? owner : undefined,
    friendica_activities: options.aliases
      ? withAnnouncers(activities, page.shares.get(item.message_id)?.by, people)
      : undefined,
  };
}

type Point = { type: "Point"; coordinates: [number, number] };

/** Where a status was written, as `latitude longitude` in decimal degrees; null when it does not say. */
function pointOf(coord: string): { geo: Point; coordinates: Point } | undefined {
  if (coord === "") return undefined;
  const [lat = Number.NaN, long = Number.NaN] = coord.split(" ").map(Number);
  if (Number.isNaN(lat) || Number.isNaN(long)) return undefined;
  // The old field has the latitude first, GeoJSON the longitude (microblog contract 7.2).
  return { geo: { type: "Point", coordinates: [lat, long] }, coordinates: { type: "Point", coordinates: [long, lat] } };
}
