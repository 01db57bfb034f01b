import { sql } from "kysely";
import type { LongStep } from "../../jobs/long-step.ts";
import { isOneOf } from "../../storage/sql.ts";
import { isPureShare } from "../bodies/share.ts";

/** What a message says of the one that it shares (0 if none): also whether it repeats it and adds nothing, which statements ask for. */
export function sharing(body: string, shared_id: number): { shared_id: number; shares_purely: number } {
  return { shared_id, shares_purely: Number(shared_id > 0 && isPureShare(body)) };
}

/** How many ids a piece covers: most messages share nothing. */
const together = 500;

/** Says of shares from before that was written down whether they add something. */
export const oldShares: LongStep = {
  async range(hub) {
    const newest = await hub.db.selectFrom("message").select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
    return newest && { first: 0, last: newest.id };
  },
  async piece(hub, after) {
    const upTo = after + together;
    const shares = await hub.db
      .selectFrom("message")
      .select(["id", "body"])
      .where("id", ">", after)
      .where("id", "<=", upTo)
      .where("shared_id", ">", sql.lit(0))
      .where("shares_purely", "=", -1)
      .execute();
    const later = await hub.db.selectFrom("message").select("id").where("id", ">", upTo).limit(1).executeTakeFirst();
    const byKind = Map.groupBy(shares, ({ body }) => Number(isPureShare(body)));
    return {
      next: later && upTo,
      async write(hub) {
        for (const [shares_purely, some] of byKind) {
          const ids = some.map(({ id }) => id);
          // An edit in the meantime has said it itself.
          await hub.db
            .updateTable("message")
            .set({ shares_purely })
            .where(isOneOf(hub.engine, sql.ref("id"), ids))
            .where("shares_purely", "=", -1)
            .execute();
        }
      },
    };
  },
};
