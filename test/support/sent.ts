import { runDue } from "../../src/jobs/runner.ts";
import type { TestApp } from "./app.ts";

/** What goes out to other hubs: one request, as its row says it. */
export type Sent = { inbox: string; activity: any; bytes: string; people: number[] };

/** Everything that the hub has sent to others since it was asked last, oldest first; none of it leaves. */
export function outOf(world: TestApp): () => Promise<Sent[]> {
  let last = 0;
  return async () => {
    await runDue(world.hub);
    const failed = await world.hub.db.selectFrom("job").select("last_error").where("attempts", ">", 0).execute();
    if (failed.length > 0) throw new Error(failed.map((job) => job.last_error).join("; "));
    const rows = await world.hub.db
      .selectFrom("delivery")
      .innerJoin("outbox_activity", "outbox_activity.id", "delivery.activity")
      .select(["delivery.id", "inbox", "bytes", "recipients"])
      .where("delivery.id", ">", last)
      .orderBy("delivery.id")
      .execute();
    last = rows.at(-1)?.id ?? last;
    await world.hub.db.updateTable("delivery").set({ state: "done", attempts: 1 }).execute();
    return rows.map(({ inbox, bytes, recipients }) => ({
      inbox,
      bytes,
      activity: JSON.parse(bytes),
      people: JSON.parse(recipients) as number[],
    }));
  };
}
