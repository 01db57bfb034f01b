import { inTransaction, momentIn } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { JobPayload } from "../../jobs/kinds.ts";
import { addJob } from "../../jobs/queue.ts";
import { getSetting, setSetting } from "../identity/site/site-settings.ts";

/** So many people at once, and so many milliseconds until the next ones: a hub that has just come back has other work as well. */
const together = 100;
const pause = 5 * 60_000;

/**
 * A hub that was restored from a backup has missed what those have posted since whom its people follow elsewhere: it begins to
 * fetch that, once for each restore (federation contract 18.1).
 */
export async function catchUpAfterRestore(hub: Hub): Promise<void> {
  if (!(await getSetting(hub, "hasMissed"))) return;
  await inTransaction(hub, async (hub) => {
    await setSetting(hub, "hasMissed", false);
    await addJob(hub, "catch-up", {}, { key: "catch-up" });
  });
}

/** Has what the next of them have posted fetched; a job that goes on with those behind them. */
export async function catchUp(hub: Hub, { after = 0 }: JobPayload<"catch-up">): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const people = await nextFollowed(hub, after);
    for (const { xchan_id: person } of people)
      await addJob(hub, "back-fill", { person, missed: true }, { key: `back-fill ${person}` });
    const last = people.at(-1);
    if (!last || people.length < together) return;
    const at = momentIn(hub, pause);
    await addJob(hub, "catch-up", { after: last.xchan_id }, { key: `catch-up ${last.xchan_id}`, at });
  });
}

/** People of elsewhere whom somebody here follows, by their ids. */
export async function nextFollowed(hub: Hub, after: number): Promise<{ xchan_id: number }[]> {
  return hub.db
    .selectFrom("actor")
    .innerJoin("xchan", "xchan.xchan_id", "actor.xchan_id")
    .select("actor.xchan_id")
    .where("actor.xchan_id", ">", after)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("abook")
          .select("abook_id")
          .whereRef("abook_xchan", "=", "xchan_hash")
          .where("follow_out", "=", "accepted"),
      ),
    )
    .orderBy("actor.xchan_id")
    .limit(together)
    .execute();
}
