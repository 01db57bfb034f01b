import { sql } from "kysely";
import { addJob } from "../../jobs/queue.ts";
import { inTransaction, momentIn } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { removeInSteps } from "../../storage/in-steps.ts";
import { isOneOf } from "../../storage/sql.ts";
import { releaseBlobs } from "../files/blobs.ts";
import { copiesOfPeople, dropPictures } from "../photos/foreign-avatar.ts";
import { forgetEmoji } from "./emoji.ts";
import { mediaRules, mediaUsage } from "./usage.ts";

const keptFor = 30 * 24 * 3600_000;

/** How many copies go in one transaction. */
const together = 100;

/**
 * Keeps the copies of remote media within their budgets, of each host and of all: those go first that nobody has looked at for the
 * longest time, and the pictures of people last (federation contract 14). What is known of media without a copy goes after 30 days. A scheduled job.
 */
export async function trimMedia(hub: Hub): Promise<void> {
  await forgetOld(hub);
  const { mediaBudget, mediaHostBudget } = await mediaRules(hub);
  for (const { host, bytes } of await largeHosts(hub, mediaHostBudget)) await drop(hub, bytes - mediaHostBudget, host);
  const { copies, emoji, people } = await mediaUsage(hub);
  const excess = await drop(hub, copies + emoji + people - mediaBudget);
  const left = await dropEmoji(hub, excess);
  await dropPeople(hub, left);
}

/** Has all copies of remote media removed by a job. Whatever somebody looks at afterwards is fetched again. */
export async function emptyMediaSoon(hub: Hub): Promise<void> {
  await inTransaction(hub, (hub) => addJob(hub, "empty-media", {}));
}

/** Removes all copies of remote media, some at a time; emoji and the pictures of people stay. A job. */
export async function emptyMedia(hub: Hub): Promise<void> {
  await drop(hub, Infinity);
}

/** The oldest go first; one that is used again is fetched again. */
async function dropEmoji(hub: Hub, excess: number): Promise<number> {
  let left = excess;
  while (left > 0) {
    const oldest = hub.db.selectFrom("emoji").select(["id", "blob", "filesize"]).orderBy("id").limit(together);
    const some = await oldest.execute();
    if (some.length === 0) break;
    await inTransaction(hub, (hub) => forgetEmoji(hub, some));
    left -= some.reduce((sum, { filesize }) => sum + filesize, 0);
  }
  return left;
}

/** The pictures of people go last, and those of connections after all others. */
async function dropPeople(hub: Hub, excess: number): Promise<void> {
  for (let left = excess; left > 0;) {
    const some = await copiesOfPeople(hub, together);
    if (some.length === 0) return;
    for (const { hash, bytes } of some) {
      if (left <= 0) return;
      await inTransaction(hub, (hub) => dropPictures(hub, hash));
      left -= bytes;
    }
  }
}

async function forgetOld(hub: Hub): Promise<void> {
  const oldest = momentIn(hub, -keptFor);
  const old = hub.db.selectFrom("remote_media").select("id").where("viewed", "<", oldest).where("blob", "=", "");
  await removeInSteps((most) =>
    hub.db.deleteFrom("remote_media").where("id", "in", old.limit(most)).executeTakeFirst(),
  );
}

async function largeHosts(hub: Hub, budget: number): Promise<{ host: string; bytes: number }[]> {
  const rows = await hub.db
    .selectFrom("remote_media")
    .select(["host", (eb) => eb.fn.sum<number>("filesize").as("bytes")])
    .where("blob", "<>", sql.lit(""))
    .groupBy("host")
    .having((eb) => eb.fn.sum("filesize"), ">", budget)
    .execute();
  return rows.map(({ host, bytes }) => ({ host, bytes: Number(bytes) }));
}

/** Drops copies until so many bytes are free, or none are left; of one host or of all. Answers the bytes that are still too many. */
async function drop(hub: Hub, excess: number, host?: string): Promise<number> {
  const found = hub.db
    .selectFrom("remote_media")
    .select(["id", "blob", "filesize"])
    .where("blob", "<>", sql.lit(""))
    .where((eb) => eb.and(host === undefined ? {} : { host }))
    .orderBy("viewed")
    .limit(together);
  let left = excess;
  while (left > 0) {
    const oldest = await found.execute();
    if (oldest.length === 0) return left;
    const going = oldest.filter(({ filesize }) => {
      const goes = left > 0;
      left -= goes ? filesize : 0;
      return goes;
    });
    await dropCopies(hub, going);
  }
  return 0;
}

async function dropCopies(hub: Hub, copies: readonly { id: number; blob: string }[]): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const ids = copies.map(({ id }) => id);
    await hub.db
      .deleteFrom("remote_media")
      .where(isOneOf(hub.engine, sql.ref("id"), ids))
      .execute();
    await releaseBlobs(
      hub,
      copies.map(({ blob }) => blob),
    );
  });
}
