import { sql } from "kysely";
import type { Hub } from "../../../hub.ts";
import { isOneOf } from "../../../storage/sql.ts";
import { lockThread } from "../queries.ts";
import { makeTombstones, threadMessages } from "../tombstones.ts";
import { itemsOfPhotos } from "../photo-item.ts";

/** Turns the linked items of deleted images, with their threads, into tombstones. Inside a transaction. */
export async function tombstonePhotoItems(hub: Hub, uid: number, hashes: readonly string[]): Promise<void> {
  const items = await itemsOfPhotos(hub, uid, hashes);
  if (items.length === 0) return;
  for (const item of items) await lockThread(hub, item.message_id);
  const copies = await hub.db
    .selectFrom("item")
    .select("id")
    .where(
      isOneOf(
        hub.engine,
        sql.ref("message_id"),
        items.map((item) => item.message_id),
      ),
    )
    .execute();
  await makeTombstones(
    hub,
    await threadMessages(
      hub,
      copies.map((copy) => copy.id),
    ),
  );
}
