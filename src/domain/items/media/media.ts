import type { Hub } from "../../../hub.ts";
import { escapeHtml } from "../../bodies/escape.ts";
import { ownerOnly } from "../../files/lists.ts";
import { lockFiles } from "../../files/lock.ts";
import type { File } from "../../files/types.ts";
import { ensureUploadFolder } from "../../files/upload-folder.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import type { PreparedUpload } from "../../photos/uploads.ts";
import { renditionsOf } from "../../photos/find.ts";
import { attachmentCode } from "../attachments.ts";
import { channelSetting } from "../../identity/channels/channel-settings.ts";
import { photoFileUrl, photoPageUrl } from "../../photos/urls.ts";
import { filesOfMedia } from "./media-ids.ts";
import { inPosts, photoCode } from "../photo-object.ts";
import { storeUpload } from "./photo-parts.ts";
import { recordAttached } from "../unattached.ts";
import type { Draft } from "../types.ts";

/**
 * Stores the media of a draft as files that the author alone sees, and answers the draft with their codes at the end of its
 * body (native contract 4.4 step 2), after those of media that were uploaded before. Inside a transaction. Throws invalid for
 * media that are not there.
 */
export async function storeMedia<T extends Pick<Draft, "body" | "mimetype" | "media" | "mediaIds">>(
  hub: Hub,
  author: Channel,
  draft: T,
): Promise<T> {
  const { media = [], mediaIds = [] } = draft;
  if (media.length === 0 && mediaIds.length === 0) return draft;
  await lockFiles(hub, author.channel_account_id);
  const files = await filesOfMedia(hub, author, mediaIds);
  await recordAttached(
    hub,
    author.channel_id,
    files.map(({ hash }) => hash),
  );
  for (const upload of media) files.push(await storeFile(hub, author, upload));
  return withCodes(hub, author, draft, files);
}

/** A draft with the codes of these files at the end of its body. */
export async function withCodes<T extends Pick<Draft, "body" | "mimetype">>(
  hub: Hub,
  author: Channel,
  draft: T,
  files: readonly File[],
): Promise<T> {
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
  const shown = inPosts(renditions, large)!;
  switch (mimetype) {
    case "text/markdown":
      return `[![${shown.description.replace(/[[\]\\\s]+/g, " ").trim()}](${photoFileUrl(hub.config.baseUrl, shown)})](${page})`;
    case "text/html":
      return `<a href="${page}"><img src="${photoFileUrl(hub.config.baseUrl, shown)}" width="${shown.width}" height="${shown.height}" alt="${escapeHtml(shown.description)}"></a>`;
    case "text/plain":
      return page;
    default:
      return photoCode(hub, author, renditions, large);
  }
}
