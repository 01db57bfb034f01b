import { sql } from "kysely";
import type { Hub } from "../../hub.ts";
import { storedJson } from "../../stored-json.ts";
import { isOneOf } from "../../storage/sql.ts";
import type { Observer } from "../identity/channels/observer.ts";
import { findXchan } from "../identity/xchans/xchans.ts";
import { comparableId } from "../identity/xchans/foreign-ids.ts";
import { permitsMark } from "./permits.ts";
import type { Permits } from "./permits.ts";
import { termTypes } from "./vocabulary.ts";

/**
 * Those of these messages that mention somebody of this hub, or, of elsewhere, let them answer by name: whatever else they say, that
 * person may (federation contract 7).
 */
export async function messagesNaming(
  hub: Hub,
  { xchanId }: Pick<Observer, "xchanId">,
  messages: readonly number[],
): Promise<Set<number>> {
  const person = messages.length === 0 ? undefined : await findXchan(hub, { id: xchanId });
  if (!person) return new Set();
  const mentions = await hub.db
    .selectFrom("term")
    .select("message_id")
    .where(isOneOf(hub.engine, sql.ref("message_id"), messages))
    .where("uid", "=", 0)
    .where("ttype", "=", termTypes.mention)
    .where("url", "=", person.xchan_url)
    .execute();
  const permits = await hub.db
    .selectFrom("iconfig")
    .select(["message_id", "v"])
    .where(isOneOf(hub.engine, sql.ref("message_id"), messages))
    .where("uid", "=", sql.lit(permitsMark.uid))
    .where("cat", "=", sql.lit(permitsMark.cat))
    .where("k", "=", sql.lit(permitsMark.k))
    .execute();
  const own = comparableId(person.xchan_url);
  const named = permits.filter(({ v }) => storedJson<Permits>(v).reply?.some((id) => comparableId(id) === own));
  return new Set([...mentions, ...named].map(({ message_id }) => message_id));
}
