import { sql } from "kysely";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { isOneOf } from "../../storage/sql.ts";
import { formatBesideShare } from "../bodies/share.ts";
import { joinedParts } from "../bodies/typed-text.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { findOwnWriting } from "../items/find.ts";
import { hashesIn } from "../items/links.ts";
import type { Quoters } from "../identity/channels/channel-settings.ts";
import { setQuoters } from "../items/posting/set-quoters.ts";
import { editItem } from "../items/posting/edit.ts";
import { sourceOf } from "../items/source-text.ts";
import type { Edit, Item } from "../items/types.ts";
import { changeMedia } from "./unattached.ts";
import type { MediaChanges } from "./unattached.ts";

/** What somebody changes of a post of theirs, in its parts; what is left out stays. */
export type PostEdit = Omit<Edit, "body" | "allowEmpty"> &
  MediaChanges & { text?: string | undefined; quoters?: Quoters | undefined };

/**
 * Changes a post of the channel: its words without its files and what it quotes, its files without its words, or what its files show.
 * Throws missing, invalid, denied.
 */
export async function editPost(
  hub: Hub,
  channel: Channel,
  id: number,
  { text, descriptions, focuses, quoters, mediaIds, mimetype, ...others }: PostEdit,
): Promise<Item> {
  return inTransaction(hub, async (hub) => {
    const item = await findOwnWriting(hub, channel, { id });
    const source = await sourceOf(hub, item);
    const parts = { ...source, text: text ?? source.text };
    const format = mimetype && source.share !== "" ? formatBesideShare(mimetype) : mimetype;
    const edit = { ...others, ...(format !== undefined && { mimetype: format }) };
    if (quoters) await setQuoters(hub, channel, { id }, quoters);
    await changeMedia(hub, channel, { descriptions, focuses });
    // Words for pictures stand in the text as well, so their codes are made anew.
    const files = mediaIds ?? (descriptions && (await filesShown(hub, channel, item, source.media)));
    const allowEmpty = parts.share !== "" || item.attach !== "" || item.obj_type === "Question" || Boolean(edit.poll);
    if (files) {
      const body = joinedParts({ ...parts, media: [] });
      return editItem(hub, channel, id, { ...edit, body, mediaIds: files, allowEmpty: allowEmpty && !mediaIds });
    }
    return editItem(hub, channel, id, { ...edit, body: joinedParts(parts), allowEmpty });
  });
}

/** A post as its author would type it, the block of what it quotes, and its files, by media ids. */
export type WrittenParts = { text: string; share: string; mediaIds: number[] };

/** A post of the channel in these parts. */
export async function writtenParts(hub: Hub, channel: Channel, item: Item): Promise<WrittenParts> {
  const { text, share, media } = await sourceOf(hub, item);
  return { text, share, mediaIds: await filesShown(hub, channel, item, media) };
}

/** The media ids of the channel's files behind the words of a post, in their order. */
async function filesShown(hub: Hub, channel: Channel, item: Item, codes: readonly string[]): Promise<number[]> {
  const hashes = [...new Set([...codes, item.attach].flatMap((part) => hashesIn(hub, part)))];
  if (hashes.length === 0) return [];
  const rows = await hub.db
    .selectFrom("attach")
    .select(["id", "hash"])
    .where("uid", "=", channel.channel_id)
    .where("latest", "=", sql.lit(1))
    .where(isOneOf(hub.engine, sql.ref("hash"), hashes))
    .execute();
  return hashes.flatMap((hash) => rows.find((row) => row.hash === hash)?.id ?? []);
}
