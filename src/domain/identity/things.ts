import type { Selectable } from "kysely";
import type { Hub } from "../../hub.ts";
import type { ObjTable } from "../../storage/tables/records.ts";
import type { Channel } from "./channel.ts";
import { dateIn, listsIn, numberIn, textIn, urlIn } from "./portable-fields.ts";
import type { PortableRecord } from "./portable-fields.ts";

/** A thing that somebody has or wants; only exports and imports carry it (native contract 2.15). */
export type Thing = Selectable<ObjTable>;

/** The things of a channel by id. */
export async function listThings(hub: Hub, uid: number): Promise<Thing[]> {
  return hub.db.selectFrom("obj").selectAll().where("obj_channel", "=", uid).orderBy("obj_id").execute();
}

/** Takes a thing over from an export; repeating it changes nothing. Answers false for a record that names none. */
export async function importThing(hub: Hub, channel: Channel, record: PortableRecord): Promise<boolean> {
  const obj = textIn(record, "obj_obj");
  if (obj === "") return false;
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
  await hub.db
    .insertInto("obj")
    .values({ obj_obj: obj, obj_channel: channel.channel_id, ...values })
    .onConflict((conflict) => conflict.columns(["obj_channel", "obj_obj"]).doUpdateSet(values))
    .execute();
  return true;
}

/** The page of a thing moves with it (native contract 7.5, step 8). */
function movedUrl(hub: Hub, record: PortableRecord): string {
  const [url, base] = [urlIn(record, "obj_url"), textIn(record, "obj_baseurl")];
  return base !== "" && url.startsWith(`${base}/thing/`) ? hub.config.baseUrl + url.slice(base.length) : url;
}
