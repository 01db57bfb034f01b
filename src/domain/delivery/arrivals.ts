import { oncePerHub } from "../../caches.ts";
import { inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { isSameOrigin } from "../identity/xchans/foreign-ids.ts";
import { namesIn, recordOf } from "../../record-of.ts";
import { compiled } from "../../storage/compiled-query.ts";
import { zeroDate } from "../../storage/sql.ts";
import { together } from "../../storage/together.ts";
import { wakeAfterCommit } from "./bells.ts";
import { heardFrom } from "./heard.ts";

/** An activity that came by a request whose signature holds. */
export type Arrived = {
  /** Its id, or `sha256:` and the hash of the bytes. */
  activityId: string;
  /** The id of the actor whose key has signed. */
  signer: string;
  /** The way of signing. */
  scheme: string;
  bytes: Uint8Array;
  /** The channels in whose own inbox it came; none when it came in the inbox of all. */
  recipients: readonly number[];
  /** What it is about: activities about one object take effect one after the other. */
  objectId: string;
  /** The conversation that it names, if it does: those of one take effect one after the other as well. */
  threadId?: string;
};

/**
 * Keeps what came, so that it takes effect whatever happens to this process (federation contract 12.3). What is there already
 * only gets further recipients, and then takes effect for them too. Throws when it cannot be stored.
 */
export async function recordArrival(hub: Hub, arrived: Arrived): Promise<void> {
  await heardFrom(hub, new URL(arrived.signer).host, arrived.scheme);
  // Mostly there is one row to write, which needs no transaction.
  if (arrived.recipients.length === 0 && (await insertAlone(hub, arrived)) !== undefined) {
    wakeAfterCommit(hub, "arrivals");
    return;
  }
  await inTransaction(hub, async (hub) => {
    const [added] = await insert(hub, [arrived]);
    if (added === undefined ? await repeat(hub, arrived) : await addRecipients(hub, added, arrived))
      wakeAfterCommit(hub, "arrivals");
  });
}

type Insert = (arrived: Arrived) => Promise<number | undefined>;

const inserts = oncePerHub((): { insert?: Insert } => ({}));
const mostTogether = 8;

/**
 * The same without a transaction. On PostgreSQL what costs most is to send something and wait for it, so what comes meanwhile
 * is sent together; SQLite waits for the disk once for all of them as it is.
 */
async function insertAlone(hub: Hub, arrived: Arrived): Promise<number | undefined> {
  if (hub.engine === "sqlite") return (await insert(hub, [arrived]))[0];
  const shared = inserts(hub);
  shared.insert ??= together(mostTogether, (all) => insert(hub, all));
  return shared.insert(arrived);
}

/** Answers the id of each, undefined for those that are there. */
async function insert(hub: Hub, all: readonly Arrived[]): Promise<(number | undefined)[]> {
  const moment = now(hub);
  const rows = all.map((arrived) => rowOf(arrived, moment));
  const numbered = (name: string, n: number): string => `${name} ${n}`;
  const values = Object.fromEntries(
    rows.flatMap((row, n) => Object.entries(row).map(([name, value]) => [numbered(name, n), value])),
  );
  const added = await compiled(hub, "keep arrivals", values, (slots) =>
    hub.db
      .insertInto("inbox_activity")
      .values(rows.map((row, n) => recordOf(namesIn(row), (name) => slots[numbered(name, n)]!)))
      .onConflict((conflict) => conflict.column("activity_id").doNothing())
      .returning(["id", "activity_id"]),
  );
  const ids = new Map(added.map((row) => [row.activity_id, row.id]));
  return rows.map(({ activity_id }) => {
    const id = ids.get(activity_id);
    // Another one by the same name is there by now.
    ids.delete(activity_id);
    return id;
  });
}

function rowOf(arrived: Arrived, moment: string) {
  return {
    activity_id: arrived.activityId,
    object_id: arrived.objectId,
    thread_id: arrived.threadId ?? "",
    state: "waiting",
    received: moment,
    next_at: moment,
    ...asSigned(arrived),
  };
}

function asSigned({ signer, scheme, bytes }: Arrived) {
  return { signer, host: new URL(signer).host, scheme, bytes: textOf(bytes) };
}

function textOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString();
}

/** Answers whether there is something to do that was not there before. */
async function repeat(hub: Hub, arrived: Arrived): Promise<boolean> {
  const known = await hub.db
    .selectFrom("inbox_activity")
    .select(["id", "signer", "state"])
    .where("activity_id", "=", arrived.activityId)
    .executeTakeFirstOrThrow();
  const hasMore = await addRecipients(hub, known.id, arrived);
  const isGenuine = isBetterSigned(arrived, known.signer);
  if (!hasMore && !isGenuine) return false;
  // Whoever is at work on it notices by the number of attempts, and leaves it for another time.
  await hub.db
    .updateTable("inbox_activity")
    .set({ state: "waiting", attempts: 0, next_at: now(hub), last_error: "", ended: zeroDate })
    .set(isGenuine || known.state === "done" ? asSigned(arrived) : {})
    .where("id", "=", known.id)
    .execute();
  return true;
}

/** Whoever hands something on, or only pretends to, is not in the way of the one from whom it is. */
function isBetterSigned({ activityId, signer }: Arrived, before: string): boolean {
  return signer !== before && isSameOrigin(activityId, signer) && !isSameOrigin(activityId, before);
}

/** Answers whether any of them is new. */
async function addRecipients(hub: Hub, arrival: number, { recipients }: Arrived): Promise<boolean> {
  if (recipients.length === 0) return false;
  const rows = recipients.map((channel_id) => ({ inbox_activity: arrival, channel_id }));
  const added = await hub.db
    .insertInto("inbox_recipient")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return Number(added.numInsertedOrUpdatedRows) > 0;
}
