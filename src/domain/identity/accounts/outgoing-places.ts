import { sql } from "kysely";
import { now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { zeroDate } from "../../../storage/sql.ts";

/** Where what is here goes by itself, on servers that somebody who knew the password may have named. */

/** How many webhooks and places of archives. */
export type Places = { webhooks: number; archives: number };

/** Those of all channels of an account to which something goes; `paused`: those to which nothing goes since a change of the password. */
export async function countPlaces(hub: Hub, accountId: number, which: "open" | "paused" = "open"): Promise<Places> {
  const isPaused = which === "paused";
  const [webhooks, archives] = await Promise.all([
    hub.db
      .selectFrom("webhook")
      .select(sql<number>`count(*)`.as("places"))
      .where("uid", "in", channelsOf(hub, accountId))
      .where("is_on", "=", isPaused ? 0 : 1)
      .where("paused", isPaused ? ">" : "=", zeroDate)
      .executeTakeFirstOrThrow(),
    hub.db
      .selectFrom("archive_place")
      .select(sql<number>`count(*)`.as("places"))
      .where("uid", "in", channelsOf(hub, accountId))
      .where("paused", isPaused ? ">" : "=", zeroDate)
      .executeTakeFirstOrThrow(),
  ]);
  return { webhooks: Number(webhooks.places), archives: Number(archives.places) };
}

/** Nothing goes there any more until the owner of the channel says so; part of a transaction. */
export async function pausePlaces(hub: Hub, accountId: number): Promise<void> {
  const paused = now(hub);
  await hub.db
    .updateTable("webhook")
    .set({ is_on: 0, paused })
    .where("uid", "in", channelsOf(hub, accountId))
    .where("is_on", "=", 1)
    .execute();
  await hub.db
    .updateTable("archive_place")
    .set({ paused })
    .where("uid", "in", channelsOf(hub, accountId))
    .where("paused", "=", zeroDate)
    .execute();
}

function channelsOf(hub: Hub, accountId: number) {
  return hub.db.selectFrom("channel").select("channel_id").where("channel_account_id", "=", accountId);
}
