import type { Selectable } from "kysely";
import type { ObjTable } from "../../storage/tables/records.ts";

/** A thing as exports carry it. */
export function thingRecord(thing: Selectable<ObjTable>, baseUrl: string): Record<string, string> {
  return {
    obj_id: String(thing.obj_id),
    obj_page: thing.obj_page,
    obj_verb: thing.obj_verb,
    obj_type: String(thing.obj_type),
    obj_obj: thing.obj_obj,
    obj_channel: String(thing.obj_channel),
    obj_term: thing.obj_term,
    obj_url: thing.obj_url,
    obj_imgurl: thing.obj_imgurl,
    obj_created: thing.obj_created,
    obj_edited: thing.obj_edited,
    obj_quantity: String(thing.obj_quantity),
    allow_cid: thing.allow_cid,
    allow_gid: thing.allow_gid,
    deny_cid: thing.deny_cid,
    deny_gid: thing.deny_gid,
    obj_baseurl: baseUrl,
  };
}
