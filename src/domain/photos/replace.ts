import type { Hub } from "../../hub.ts";
import type { File } from "../files/types.ts";
import { recordAvatar } from "../identity/xchans/show-avatar.ts";
import { prepareUse } from "./prepare.ts";
import type { Use } from "./renditions.ts";
import { insertPhoto, insertRenditions, renamePhoto } from "./rows.ts";
import { usages } from "./types.ts";
import type { Photo, PreparedPhoto, Rendition } from "./types.ts";

/** New renditions for the uses that an image has or had. */
export type Again = { use: Use; usage: number; renditions: Rendition[] }[];

/** Scales that stand for a use. */
const scaleOf: Readonly<Record<Use, number>> = { profile: 4, cover: 7 };

/** Draws and keeps what an image needs besides its ordinary scales when its bytes are replaced; never inside a transaction. */
export async function prepareAgain(hub: Hub, blob: string, before: readonly Photo[]): Promise<Again> {
  const again: Again = [];
  for (const use of ["profile", "cover"] as const) {
    const used = before.find(({ imgscale }) => imgscale === scaleOf[use]);
    if (used) again.push({ use, usage: used.photo_usage, renditions: await prepareUse(hub, blob, use) });
  }
  return again;
}

/** Writes the rows of an image whose bytes were replaced: its words and uses stay what they were. Inside a transaction. */
export async function replacePhoto(
  hub: Hub,
  file: File,
  before: readonly Photo[],
  prepared: PreparedPhoto,
  again: Again,
): Promise<void> {
  await insertPhoto(hub, file, prepared);
  for (const { usage, renditions } of again) {
    await insertRenditions(hub, file, renditions, usage);
    if (usage === usages.profile) await recordAvatar(hub, file.uid, renditions[0]!.mimetype);
  }
  const { title = "", description = "" } = before[0] ?? {};
  await renamePhoto(hub, file, { title, description });
}
