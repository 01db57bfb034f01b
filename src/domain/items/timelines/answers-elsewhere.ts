import type { Hub } from "../../../hub.ts";
import { answersElsewhere } from "../save.ts";

/** How many answers the hub of a message said that it has, when the message came; undefined where it said nothing. */
export async function countElsewhere(hub: Hub, messageId: number): Promise<number | undefined> {
  const row = await hub.db
    .selectFrom("iconfig")
    .select("v")
    .where("message_id", "=", messageId)
    .where("uid", "=", answersElsewhere.uid)
    .where("cat", "=", answersElsewhere.cat)
    .where("k", "=", answersElsewhere.k)
    .executeTakeFirst();
  return row && Number(row.v);
}
