import { sql } from "kysely";
import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { emit } from "../live/emit.ts";
import { fromSqlDate, isOneOf } from "../../storage/sql.ts";

const fourDays = 4 * 24 * 3600 * 1000;

/** Tells all copies of a thread on this hub that something in it changed. */
export async function touchAll(hub: Hub, topMessageId: number): Promise<void> {
  await hub.db
    .updateTable("item")
    .set({ changed: now(hub) })
    .where("message_id", "=", topMessageId)
    .where("item_deleted", "=", 0)
    .execute();
  await emit(hub, { what: "touch", message: topMessageId });
}

/**
 * Tells these channels' copies of a thread that something in it changed; a comment that is younger than four days also
 * moves the thread up (native contract 4.4 step 8). Reactions do not: they would bring back every liked thread.
 */
export async function touchThread(
  hub: Hub,
  topMessageId: number,
  uids: number[],
  comment?: { created: string },
): Promise<void> {
  const young = comment && hub.clock().getTime() - fromSqlDate(comment.created).getTime() < fourDays;
  await hub.db
    .updateTable("item")
    .set((x) => ({
      changed: now(hub),
      ...(young && {
        commented: x
          .case()
          .when("commented", "<", comment.created)
          .then(comment.created)
          .else(x.ref("commented"))
          .end(),
      }),
    }))
    .where("message_id", "=", topMessageId)
    .where(isOneOf(hub.engine, sql.ref("uid"), uids))
    .execute();
}
