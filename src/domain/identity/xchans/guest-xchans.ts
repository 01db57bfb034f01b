import { now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { avatarUrls } from "./avatar-urls.ts";

/** Whatever has been told about this hash before: it is the guest's. */
export async function addGuestXchan(hub: Hub, hash: string, name: string): Promise<void> {
  const { l, m, s } = avatarUrls(hub, 0);
  const values = {
    xchan_name: name,
    xchan_network: "token",
    xchan_guid: "",
    xchan_guid_sig: "",
    xchan_pubkey: "",
    xchan_addr: "",
    xchan_url: "",
    xchan_photo_mimetype: "image/png",
    xchan_photo_l: l,
    xchan_photo_m: m,
    xchan_photo_s: s,
    xchan_hidden: 1,
    xchan_deleted: 0,
  };
  const date = now(hub);
  await hub.db
    .insertInto("xchan")
    .values({ xchan_hash: hash, xchan_created: date, xchan_name_date: date, xchan_photo_date: date, ...values })
    .onConflict((conflict) => conflict.column("xchan_hash").doUpdateSet(values))
    .execute();
}

/** The guest is nobody from now on. */
export async function removeGuestXchan(hub: Hub, hash: string): Promise<void> {
  await hub.db.updateTable("xchan").set({ xchan_deleted: 1 }).where("xchan_hash", "=", hash).execute();
}
