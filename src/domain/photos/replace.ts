import type { Hub } from "../../hub.ts";
import type { File } from "../files/types.ts";
import { recordAvatar } from "../identity/xchans/show-avatar.ts";
import { insertPhoto, insertRenditions, renamePhoto } from "./rows.ts";
import type { Use } from "./scales.ts";
import { forUse, uses } from "./scales.ts";
import { usages } from "./types.ts";
import type { Photo } from "./columns.ts";
import type { PreparedPhoto } from "./types.ts";

/** What an image is or was used for: new bytes in its place are drawn for that as well. */
export function usesAmong(renditions: readonly Photo[]): Use[] {
  return uses.filter((use) => forUse(renditions, use).length > 0);
}

/** Writes the rows of an image whose bytes were replaced: its words and uses stay what they were. Inside a transaction. */
export async function replacePhoto(
  hub: Hub,
  file: File,
  before: readonly Photo[],
  prepared: PreparedPhoto,
): Promise<void> {
  await insertPhoto(hub, file, prepared);
  for (const use of usesAmong(before)) {
    const usage = forUse(before, use)[0]!.photo_usage;
    const renditions = forUse(prepared.used, use);
    if (renditions.length === 0) continue;
    await insertRenditions(hub, file, renditions, usage);
    if (usage === usages.profile) await recordAvatar(hub, file.uid, renditions[0]!.mimetype);
  }
  const { title = "", description = "" } = before[0] ?? {};
  await renamePhoto(hub, file, { title, description });
}
