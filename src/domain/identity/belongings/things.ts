import type { Selectable } from "kysely";
import type { Hub } from "../../../hub.ts";
import type { ObjTable } from "../../../storage/tables/records.ts";
import type { Channel } from "../channels/channel.ts";
import { dateIn, listsIn, numberIn, textIn, urlIn } from "../records/portable-fields.ts";
import type { PortableRecord, Taken } from "../records/portable-fields.ts";
import type { Listed } from "../records/name-successor.ts";

/** A thing that somebody has or wants; only exports and imports carry it. */
export type Thing = Selectable<ObjTable>;

/** The things of a channel by id. */
export async function listThings(hub: Hub, uid: number): Promise<Thing[]> {
  return hub.db.selectFrom("obj").selectAll().where("obj_channel", "=", uid).orderBy("obj_id").execute();
}

/** Takes a thing over from an export; what is no older here stays, with whom its lists have got since. Part of a transaction. */
export async function importThing(hub: Hub, channel: Channel, record: PortableRecord): Promise<Taken> {
  const obj = textIn(record, "obj_obj");
  if (obj === "") return "unreadable";
  const values = {
    obj_page: textIn(record, "obj_page"),
    obj_verb: textIn(record, "obj_verb"),
    obj_type: numberIn(record, "obj_type"),
    obj_term: textIn(record, "obj_term"),
    obj_url: movedUrl(hub, record),
    obj_imgurl: urlIn(record, "obj_imgurl"),
    obj_created: dateIn(record, "obj_created"),
    obj_edited: dateIn(record, "obj_edited"),
    obj_quantity: numberIn(record, "obj_quantity"),
    ...listsIn(record),
  };
  const known = await hub.db
    .selectFrom("obj")
    .selectAll()
    .where("obj_channel", "=", channel.channel_id)
    .where("obj_obj", "=", obj)
    .executeTakeFirst();
  if (known && known.obj_edited >= values.obj_edited) return "there";
  await hub.db
    .insertInto("obj")
    .values({ obj_obj: obj, obj_channel: channel.channel_id, ...values })
    .onConflict((conflict) => conflict.columns(["obj_channel", "obj_obj"]).doUpdateSet(values))
    .execute();
  return "imported";
}

/** The page of a thing moves with it (native contract 7.5, step 8). */
function movedUrl(hub: Hub, record: PortableRecord): string {
  const [url, base] = [urlIn(record, "obj_url"), textIn(record, "obj_baseurl")];
  return base !== "" && url.startsWith(`${base}/thing/`) ? hub.config.baseUrl + url.slice(base.length) : url;
}

/** Who may see them. */
export const listedThings: Listed = { table: "obj", id: "obj_id", uid: "obj_channel" };
