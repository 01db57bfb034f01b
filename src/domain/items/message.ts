import { refusal } from "../../errors.ts";
import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { zeroDate } from "../../storage/sql.ts";
import { findShare } from "../bodies/share.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { findKnown } from "../people/known-person.ts";
import { line } from "./content.ts";
import type { Content } from "./content.ts";
import { ownLayout } from "./metadata.ts";
import { refuseUnpermittedShare } from "./permits.ts";
import { questionOf, questionType } from "./poll.ts";
import type { NewMessage } from "./save.ts";
import { sharing } from "./sharing.ts";
import type { Draft } from "./types.ts";
import { objectTypeUri, verbUri } from "./vocabulary.ts";

/** So many characters a content warning may have. */
export const longestSummary = 1000;

/** The content columns of a new message by this channel. Throws denied where it repeats what its author lets others not. */
export async function messageOf(
  hub: Hub,
  author: Channel,
  draft: Draft,
  content: Content,
  defaultType: string,
): Promise<NewMessage> {
  const created = draft.created ?? now(hub);
  const foreign = draft.remoteXchan !== undefined;
  const shared_id = await sharedMessage(hub, content.body);
  if (!foreign) await refuseUnpermittedShare(hub, author, { shared_id, body: content.body });
  return {
    ...(draft.mid !== undefined && { mid: draft.mid }),
    author_id: await authorId(hub, author, draft),
    created,
    edited: created,
    expires: futureOnly(hub, draft.expires),
    comments_closed: draft.commentsClosed ?? zeroDate,
    mimetype: content.mimetype,
    title: line(draft.title, 255),
    summary: line(draft.summary, longestSummary),
    body: content.body,
    html: content.html,
    plain: content.plain,
    lang: draft.lang ?? content.lang,
    app: line(draft.app, 255),
    verb: line(verbUri(draft.verb || "post"), 255),
    ...(draft.poll
      ? { obj_type: questionType, obj: questionOf(hub, draft.poll) }
      : { obj_type: line(objectTypeUri(draft.objType || defaultType), 255), obj: draft.obj ?? "" }),
    tgt_type: line(objectTypeUri(draft.tgtType ?? ""), 255),
    target: draft.target ?? "",
    attach: content.attach || (draft.attach ?? ""),
    resource_type: draft.resourceType ?? "",
    resource_id: draft.resourceId ?? "",
    layout_mid: await ownLayout(hub, draft.wall ?? author.channel_id, draft.layoutMid),
    plink: permalink(draft.plink),
    location: line(draft.location, 255),
    coord: coordinates(draft.coord),
    sig: content.sig,
    item_verified: foreign ? 0 : 1,
    item_consensus: draft.consensus ? 1 : 0,
    item_nocomment: draft.nocomment ? 1 : 0,
    item_nsfw: draft.nsfw ? 1 : 0,
    ...sharing(content.body, shared_id),
  };
}

/** The message that a body shares, when this hub has it. */
export async function sharedMessage(hub: Hub, body: string): Promise<number> {
  const mid = /\[share/i.test(body) ? findShare(body)?.share.messageId : undefined;
  if (!mid) return 0;
  const row = await hub.db.selectFrom("message").select("id").where("mid", "=", mid).orderBy("id").executeTakeFirst();
  return row?.id ?? 0;
}

/** The author of a draft: the channel, or whom it names. Throws invalid for an unknown one. */
export async function authorId(hub: Hub, author: Channel, draft: Draft): Promise<number> {
  if (draft.remoteXchan === undefined) return author.xchan_id;
  const xchan = await findKnown(hub, author.channel_id, { hash: draft.remoteXchan });
  if (!xchan) throw refusal("author_unknown");
  return xchan.xchan_id;
}

/** An expiry in the past is none. */
export function futureOnly(hub: Hub, expires: string | undefined): string {
  return expires !== undefined && expires > now(hub) ? expires : zeroDate;
}

/** An address of the web as permalink; empty for the usual one. Throws invalid for anything else. */
export function permalink(plink: string | undefined): string {
  const url = line(plink, 2048);
  if (url !== "" && !/^https?:\/\/[^\s/]/i.test(url)) throw refusal("permalink_wrong");
  return url;
}

/** `latitude longitude` in decimal degrees; a comma is taken for a space, anything else for nothing. */
export function coordinates(coord: string | undefined): string {
  const match = /^\s*(-?\d+(?:\.\d+)?)[\s,]+(-?\d+(?:\.\d+)?)\s*$/.exec(coord ?? "");
  return match ? `${match[1]} ${match[2]}` : "";
}
