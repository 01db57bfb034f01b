import { sql } from "kysely";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { oneStep } from "../../storage/in-steps.ts";
import { describeFile } from "../files/describe.ts";
import { ownerOnly } from "../files/lists.ts";
import { lockFiles } from "../files/lock.ts";
import type { File } from "../files/types.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { findChannelById } from "../identity/channels/channels.ts";
import { fileOfMedia, findMedia } from "../items/media/media-ids.ts";
import { endWaiting, recordAttached, recordUnattached, waitedLongEnough } from "../items/unattached.ts";
import { renditionsOf } from "../photos/find.ts";
import { withUploads } from "../photos/uploads.ts";
import type { Sent } from "../photos/uploads.ts";
import { remove } from "./change.ts";
import { describePhoto, focusMedia, readDescription } from "./describe.ts";
import type { Focus } from "./describe.ts";
import { placeOf } from "./media.ts";
import { storeFile, upload } from "./upload.ts";

/**
 * Files for a post that is still being written: they are stored while one writes, the author alone sees them, the post then names
 * them by their media ids (`mediaIds`), and what no post has used after a day goes again.
 */

/** Stores such files, all or none, in their order. Throws as `withUploads`, and denied when too many wait already. */
export async function uploadUnattached(hub: Hub, channel: Channel, sent: readonly Sent[]): Promise<File[]> {
  return withUploads(hub, channel, sent, (uploads) =>
    inTransaction(hub, async (hub) => {
      const files: File[] = [];
      for (const prepared of uploads) {
        const file = await storeFile(hub, channel, channel, prepared, placeOf(channel, { album: "", description: "" }));
        await recordUnattached(hub, channel, file.hash);
        files.push(file);
      }
      return files;
    }),
  );
}

/**
 * Stores one such file with what is said of it: what it shows, and what of it stays in sight. Throws as `upload`, and denied when too many
 * wait already.
 */
export async function uploadOne(
  hub: Hub,
  channel: Channel,
  sent: Sent,
  { description, focus }: { description: string; focus: Focus | undefined },
): Promise<File> {
  const { staged, filename, type } = sent;
  const place = placeOf(channel, { album: "", description });
  const claims = { filename, type, refuses: "false images" } as const;
  return upload(hub, channel, channel, staged, { ...claims, ...place }, async (hub, { id, hash }) => {
    if (focus) await focusMedia(hub, channel, new Map([[id, focus]]));
    await recordUnattached(hub, channel, hash);
  });
}

/** Media of the channel as a form shows it: the description is empty where there is none. */
export type ChosenMedia = { file: File; description: string };

/** These media of the channel in their order, without those that are not there. */
export async function chosenMedia(hub: Hub, channel: Channel, ids: readonly number[]): Promise<ChosenMedia[]> {
  const chosen: ChosenMedia[] = [];
  for (const id of ids) {
    const file = await findMedia(hub, channel, id);
    if (!file) continue;
    const [photo] = file.is_photo === 1 ? await renditionsOf(hub, channel.channel_id, file.hash) : [];
    chosen.push({ file, description: photo?.description ?? file.description });
  }
  return chosen;
}

/** Says what is to be seen or heard in media of the channel, for those who do not see or hear it. Throws invalid. */
export async function describeMedia(hub: Hub, channel: Channel, words: ReadonlyMap<number, string>): Promise<void> {
  for (const { file, description } of await chosenMedia(hub, channel, [...words.keys()])) {
    const wanted = words.get(file.id) ?? "";
    if (wanted === description) continue;
    if (file.is_photo === 0) {
      await describeFile(hub, file, readDescription(wanted));
      continue;
    }
    const [photo] = await renditionsOf(hub, channel.channel_id, file.hash);
    await describePhoto(hub, channel, channel, file.hash, { title: photo?.title ?? "", description: wanted });
  }
}

/** What is to be seen in files, and the points of pictures that stay in sight, by media ids. */
export type MediaChanges = {
  descriptions?: ReadonlyMap<number, string> | undefined;
  focuses?: ReadonlyMap<number, Focus> | undefined;
};

/** Says that of media of the channel, all or none. Throws invalid. */
export async function changeMedia(hub: Hub, channel: Channel, { descriptions, focuses }: MediaChanges): Promise<void> {
  await inTransaction(hub, async (hub) => {
    if (descriptions) await describeMedia(hub, channel, descriptions);
    if (focuses) await focusMedia(hub, channel, focuses);
  });
}

/** Removes a file that was uploaded for a post, as long as none has used it; others stay as they are. Throws invalid. */
export async function dropUnattached(hub: Hub, channel: Channel, id: number): Promise<void> {
  const { hash } = await fileOfMedia(hub, channel, id);
  await dropOf(hub, channel, hash, "whenever");
}

/** The regular job: what was uploaded and not used goes with its bytes. What its owner has shown to others stays. */
export async function trimUnattached(hub: Hub): Promise<void> {
  for (;;) {
    const rows = await waitedLongEnough(hub, oneStep);
    for (const { uid, hash } of rows) {
      const channel = await findChannelById(hub, uid);
      if (channel) await dropOf(hub, channel, hash, "over");
      else await inTransaction(hub, (hub) => recordAttached(hub, uid, [hash]));
    }
    if (rows.length < oneStep) return;
  }
}

/** A post may take it at the same moment: whoever takes the row of the file first decides. */
async function dropOf(hub: Hub, channel: Channel, hash: string, when: "whenever" | "over"): Promise<void> {
  await inTransaction(hub, async (hub) => {
    await lockFiles(hub, channel.channel_account_id);
    if (!(await endWaiting(hub, channel.channel_id, hash, when))) return;
    const alone = ownerOnly(channel);
    const file = await hub.db
      .selectFrom("attach")
      .select("id")
      .where("uid", "=", channel.channel_id)
      .where("hash", "=", hash)
      .where("latest", "=", sql.lit(1))
      .where("allow_cid", "=", alone.allow_cid)
      .where("allow_gid", "=", "")
      .executeTakeFirst();
    if (file) await remove(hub, channel, channel, hash);
  });
}
