import { sql } from "kysely";
import { refusal } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { getSetting, setSetting } from "../identity/site/site-settings.ts";

/** How many bytes the files of one account may take; 0 is as many as the disk takes. */
export async function storageQuota(hub: Hub): Promise<number> {
  return getSetting(hub, "storageQuota");
}

/** Sets how many bytes the files of one account may take; 0 is no limit. */
export async function setStorageQuota(hub: Hub, bytes: number): Promise<void> {
  await setSetting(hub, "storageQuota", bytes);
}

/** How many bytes the files of this account take, all revisions together, and what has been drawn or came along for them. */
export async function storageUsed(hub: Hub, accountId: number): Promise<number> {
  const files = hub.db
    .selectFrom("attach")
    .select((eb) => eb.fn.sum<number>("filesize").as("bytes"))
    .where("aid", "=", accountId);
  // Scales of small images share their bytes, with each other or with the file.
  const each = hub.db
    .selectFrom("photo")
    .innerJoin("channel", "channel.channel_id", "photo.uid")
    .select(["photo.blob", "photo.filesize"])
    .distinct()
    .where("channel.channel_account_id", "=", accountId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom("attach")
            .select("attach.id")
            .where("attach.blob", "<>", sql.lit(""))
            .whereRef("attach.blob", "=", "photo.blob"),
        ),
      ),
    );
  const drawn = hub.db.selectFrom(each.as("each")).select((eb) => eb.fn.sum<number>("each.filesize").as("bytes"));
  const row = await hub.db.selectNoFrom([files.as("files"), drawn.as("drawn")]).executeTakeFirstOrThrow();
  return Number(row.files ?? 0) + Number(row.drawn ?? 0);
}

/** May so many more bytes be stored? Throws denied with the reason `limit_reached`; under the lock of `lockFiles`. */
export async function checkQuota(hub: Hub, accountId: number, more: number): Promise<void> {
  const quota = await storageQuota(hub);
  if (quota === 0 || more <= 0) return;
  if ((await storageUsed(hub, accountId)) + more > quota) {
    throw refusal("storage_full");
  }
}
