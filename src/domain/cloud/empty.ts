import { sql } from "kysely";
import { inTransaction } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { deleteFiles } from "../files/delete.ts";
import { dropPhotos } from "../items/media/photo-parts.ts";
import { deletePhotos } from "../photos/rows.ts";
import { dropUploadsOf } from "./pieces.ts";

const oneStep = 50;

/** Removes all that a channel which is gone has stored, with its bytes; a job. */
export async function emptyCloud(hub: Hub, channel: number): Promise<void> {
  await dropUploadsOf(hub, channel);
  for (let left = true; left;) left = await inTransaction(hub, (hub) => dropSome(hub, channel));
}

/** Answers whether there may be more. */
async function dropSome(hub: Hub, channel: number): Promise<boolean> {
  const files = await hub.db
    .selectFrom("attach")
    .selectAll()
    .where("uid", "=", channel)
    .where("latest", "=", sql.lit(1))
    .limit(oneStep)
    .execute();
  await dropPhotos(
    hub,
    files.filter((file) => file.is_photo === 1),
  );
  await deleteFiles(hub, files);
  if (files.length > 0) return true;
  const bare = await hub.db
    .selectFrom("photo")
    .select("resource_id")
    .where("uid", "=", channel)
    .distinct()
    .limit(oneStep)
    .execute();
  await deletePhotos(
    hub,
    channel,
    bare.map((photo) => photo.resource_id),
  );
  return bare.length > 0;
}
