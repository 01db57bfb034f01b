import { missing, refusal } from "../../errors.ts";
import { afterCommit, inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addJob } from "../../jobs/queue.ts";
import { zeroDate } from "../../storage/sql.ts";
import { applicationHtml } from "../bodies/application-html.ts";
import { layOut } from "../bodies/texts.ts";
import { emit } from "../live/emit.ts";
import { forgetAnnouncements } from "./announcements.ts";
import type { Announcement } from "./announcements.ts";

/** What those who run the hub do with announcements. */

/** As it is typed: in Markdown; shown from `published` (undefined: not yet) until `ends` (undefined: for good), in the stored form. */
export type WrittenAnnouncement = { body: string; published: string | undefined; ends: string | undefined };

const longest = 10_000;

/** All of them, the newest first. */
export async function listAnnouncements(hub: Hub): Promise<Announcement[]> {
  return hub.db.selectFrom("announcement").selectAll().orderBy("id", "desc").limit(100).execute();
}

/** One, whatever its state. Throws missing. */
export async function findAnnouncement(hub: Hub, id: number): Promise<Announcement> {
  const found = await hub.db.selectFrom("announcement").selectAll().where("id", "=", id).executeTakeFirst();
  if (!found) throw missing("Announcement");
  return found;
}

/** Writes a new one, or another text and times for a known one. Throws invalid, missing. */
export async function writeAnnouncement(hub: Hub, given: WrittenAnnouncement, id?: number): Promise<number> {
  const body = given.body.trim();
  if (body === "") throw refusal("announcement_empty");
  if (body.length > longest) throw refusal("announcement_too_long", { most: longest });
  if (given.ends !== undefined && given.ends <= (given.published ?? now(hub)))
    throw refusal("announcement_ends_before");
  const { html } = await layOut(hub, body, "text/markdown");
  const values = {
    body,
    html: applicationHtml(html, { personAt: () => undefined, tagUrl: () => "" }),
    published: given.published ?? zeroDate,
    ends: given.ends ?? zeroDate,
    updated: now(hub),
  };
  return inTransaction(hub, async (hub) => {
    const written =
      id === undefined
        ? await hub.db
            .insertInto("announcement")
            .values({ ...values, created: now(hub) })
            .returning("id")
            .executeTakeFirstOrThrow()
        : await hub.db.updateTable("announcement").set(values).where("id", "=", id).returning("id").executeTakeFirst();
    if (!written) throw missing("Announcement");
    await emitChange(hub, written.id, values);
    return written.id;
  });
}

/** It is shown from now on. Throws missing. */
export async function publishAnnouncement(hub: Hub, id: number): Promise<void> {
  await changeTimes(hub, id, { published: now(hub), ends: zeroDate });
}

/** It is not shown any more. Throws missing. */
export async function endAnnouncement(hub: Hub, id: number): Promise<void> {
  await changeTimes(hub, id, { ends: now(hub) });
}

/** Removes it with all that was said to it. Throws missing. */
export async function removeAnnouncement(hub: Hub, id: number): Promise<void> {
  await inTransaction(hub, async (hub) => {
    await findAnnouncement(hub, id);
    await hub.db.deleteFrom("announcement").where("id", "=", id).execute();
    await hub.db.deleteFrom("announcement_reaction").where("announcement_id", "=", id).execute();
    await hub.db.deleteFrom("dismissed_announcement").where("announcement_id", "=", id).execute();
    await tell(hub, id);
  });
}

/** Tells all members that one is shown, or is not any more, now that its time has come. A job. */
export async function timeAnnouncement(hub: Hub, id: number): Promise<void> {
  await tell(hub, id);
}

async function changeTimes(hub: Hub, id: number, times: { published?: string; ends: string }): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const changed = await hub.db
      .updateTable("announcement")
      .set({ ...times, updated: now(hub) })
      .where("id", "=", id)
      .returning("id")
      .executeTakeFirst();
    if (!changed) throw missing("Announcement");
    await tell(hub, id);
  });
}

/** Members hear of it now, and when it begins and ends. */
async function emitChange(
  hub: Hub,
  id: number,
  { published, ends }: { published: string; ends: string },
): Promise<void> {
  for (const at of [published, ends])
    if (at > now(hub))
      await addJob(hub, "time-announcement", { announcement: id }, { at, key: `announcement ${id} ${at}` });
  await tell(hub, id);
}

async function tell(hub: Hub, id: number): Promise<void> {
  await emit(hub, { what: "announcement", announcement: id });
  afterCommit(hub, () => forgetAnnouncements(hub));
}
