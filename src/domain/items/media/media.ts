import { refusal } from "../../../errors.ts";
import type { Hub, Staged } from "../../../hub.ts";
import { escapeHtml } from "../../bodies/escape.ts";
import { releaseBlobs } from "../../files/blobs.ts";
import { ownerOnly } from "../../files/lists.ts";
import { lockFiles } from "../../files/lock.ts";
import type { File } from "../../files/types.ts";
import { ensureUploadFolder } from "../../files/upload-folder.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { ownerMay } from "../../permissions/may.ts";
import { prepareUpload } from "../../photos/prepare-upload.ts";
import type { Claims, PreparedUpload } from "../../photos/prepare-upload.ts";
import { renditionsOf } from "../../photos/find.ts";
import { photoFileUrl, photoPageUrl } from "../../photos/urls.ts";
import { attachmentCode } from "../attachments.ts";
import { channelSetting } from "../../identity/channels/channel-settings.ts";
import { filesOfMedia } from "./media-ids.ts";
import { photoCode } from "./photo-object.ts";
import { storeUpload } from "./photo-parts.ts";
import type { Draft } from "../types.ts";

/** A file that came with a post. */
export type Sent = Claims & { staged: Staged };

/**
 * Looks at the files of a post and keeps their bytes, then does the work that stores the post with them. When anything
 * fails, nothing stays. Never inside a transaction. Throws denied without `write_storage`, invalid, too-large, and what
 * the work throws.
 */
export async function withMedia<T>(
  hub: Hub,
  author: Channel,
  sent: readonly Sent[],
  work: (media: readonly PreparedUpload[]) => Promise<T>,
): Promise<T> {
  if (sent.length > 0) checkStorage(author);
  const prepared: PreparedUpload[] = [];
  try {
    for (const { staged, ...claims } of sent) prepared.push(await prepareUpload(hub, staged, claims));
    return await work(prepared);
  } catch (error) {
    const blobs = prepared.flatMap(({ blob, photo }) => [blob, ...(photo?.renditions ?? []).map((one) => one.blob)]);
    await releaseBlobs(hub, [...new Set(blobs)]);
    throw error;
  }
}

/**
 * Stores the media of a draft as files that the author alone sees, and answers the draft with their codes at the end of its
 * body (native contract 4.4 step 2), after those of media that were uploaded before. Inside a transaction. Throws denied, and
 * invalid for media that are not there.
 */
export async function storeMedia<T extends Pick<Draft, "body" | "mimetype" | "media" | "mediaIds">>(
  hub: Hub,
  author: Channel,
  draft: T,
): Promise<T> {
  const { media = [], mediaIds = [] } = draft;
  if (media.length === 0 && mediaIds.length === 0) return draft;
  if (media.length > 0) checkStorage(author);
  await lockFiles(hub, author.channel_account_id);
  const files = await filesOfMedia(hub, author, mediaIds);
  for (const upload of media) files.push(await storeFile(hub, author, upload));
  const codes: string[] = [];
  for (const file of files) codes.push(await codeOf(hub, author, file, draft.mimetype ?? "text/bbcode"));
  return { ...draft, body: [draft.body.trim(), ...codes].filter((part) => part !== "").join("\n\n") };
}

async function storeFile(hub: Hub, author: Channel, upload: PreparedUpload): Promise<File> {
  const creator = author.channel_hash;
  const folder = await ensureUploadFolder(hub, author, upload.photo ? "photo" : "file", creator);
  return storeUpload(hub, author, upload, { creator, folder, lists: ownerOnly(author) });
}

async function codeOf(hub: Hub, author: Channel, file: File, mimetype: string): Promise<string> {
  if (file.is_photo === 0) return attachmentCode(file);
  const renditions = await renditionsOf(hub, author.channel_id, file.hash);
  const large = await channelSetting(hub, author.channel_id, "largePhotos");
  const page = photoPageUrl(hub, author, file.hash);
  const shown = renditions.find(({ imgscale }) => imgscale === (large ? 1 : 2)) ?? renditions[0]!;
  switch (mimetype) {
    case "text/markdown":
      return `[![${shown.description.replace(/[[\]\\\s]+/g, " ").trim()}](${photoFileUrl(hub, shown)})](${page})`;
    case "text/html":
      return `<a href="${page}"><img src="${photoFileUrl(hub, shown)}" width="${shown.width}" height="${shown.height}" alt="${escapeHtml(shown.description)}"></a>`;
    case "text/plain":
      return page;
    default:
      return photoCode(hub, author, renditions, large);
  }
}

function checkStorage(author: Channel): void {
  if (!ownerMay(author, "write_storage")) throw refusal("permission_denied");
}
