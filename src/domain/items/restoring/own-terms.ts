import { sql } from "kysely";
import type { Hub } from "../../../hub.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { numberIn, textIn, urlIn } from "../../identity/records/portable-fields.ts";
import type { PortableRecord, Taken } from "../../identity/records/portable-fields.ts";
import { termKey } from "../save.ts";

/** Terms of a channel that mark no item: saved searches and things. */
const ownTypes: readonly number[] = [6, 7];

/** Takes a saved search or a thing's term over from an export; any other term is unreadable. */
export async function importOwnTerm(hub: Hub, channel: Channel, record: PortableRecord): Promise<Taken> {
  const [ttype, term] = [numberIn(record, "ttype"), textIn(record, "term")];
  if (!ownTypes.includes(ttype) || term === "") return "unreadable";
  const row = {
    message_id: 0,
    uid: channel.channel_id,
    otype: numberIn(record, "otype"),
    ttype,
    term,
    url: urlIn(record, "url"),
    imgurl: urlIn(record, "imgurl"),
    term_hash: textIn(record, "term_hash"),
    parent_hash: textIn(record, "parent_hash"),
  };
  const known = await hub.db
    .selectFrom("term")
    .select("tid")
    .where("message_id", "=", sql.lit(0))
    .where((x) => x.and(row))
    .executeTakeFirst();
  if (known) return "there";
  await hub.db
    .insertInto("term")
    .values({ ...row, oid: 0, term_key: termKey(term) })
    .execute();
  return "imported";
}
