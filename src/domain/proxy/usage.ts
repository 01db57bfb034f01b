import { sql } from "kysely";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { getSettings, setSetting } from "../identity/site/site-settings.ts";
import type { MediaCopies } from "../identity/site/site-settings.ts";

/** Bytes that copies of what other sites have take here: of media, of emoji, and of the pictures of people. */
export type MediaUsage = { copies: number; emoji: number; people: number };

export async function mediaUsage(hub: Hub): Promise<MediaUsage> {
  const copies = hub.db
    .selectFrom("remote_media")
    .select((eb) => eb.fn.sum<number>("filesize").as("bytes"))
    .where("blob", "<>", sql.lit(""));
  const emoji = hub.db.selectFrom("emoji").select((eb) => eb.fn.sum<number>("filesize").as("bytes"));
  const people = hub.db
    .selectFrom("photo")
    .select((eb) => eb.fn.sum<number>("filesize").as("bytes"))
    .where("uid", "=", sql.lit(0));
  const row = await hub.db
    .selectNoFrom([copies.as("copies"), emoji.as("emoji"), people.as("people")])
    .executeTakeFirstOrThrow();
  return { copies: Number(row.copies ?? 0), emoji: Number(row.emoji ?? 0), people: Number(row.people ?? 0) };
}

/** Of which media the hub keeps copies, and how many bytes they may take, all together and of one host. */
export type MediaRules = { mediaCopies: MediaCopies; mediaBudget: number; mediaHostBudget: number };

export async function mediaRules(hub: Hub): Promise<MediaRules> {
  return getSettings(hub, ["mediaCopies", "mediaBudget", "mediaHostBudget"]);
}

/** Sets what is given. */
export async function setMediaRules(hub: Hub, rules: Partial<MediaRules>): Promise<void> {
  const { mediaCopies, mediaBudget, mediaHostBudget } = rules;
  await inTransaction(hub, async (hub) => {
    if (mediaCopies !== undefined) await setSetting(hub, "mediaCopies", mediaCopies);
    if (mediaBudget !== undefined) await setSetting(hub, "mediaBudget", mediaBudget);
    if (mediaHostBudget !== undefined) await setSetting(hub, "mediaHostBudget", mediaHostBudget);
  });
}
