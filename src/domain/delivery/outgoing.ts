import { inTransaction, momentIn, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { storedJson } from "../../stored-json.ts";
import { getSetting } from "../identity/site/site-settings.ts";
import { hasDeedsOf } from "../../jobs/queue.ts";
import { hostStates } from "../peers/circuits.ts";
import type { HostState } from "../peers/circuits.ts";
import { suspended } from "../peers/site-blocks.ts";
import { mostBehind } from "../../storage/replica.ts";
import { wakeAfterCommit } from "./bells.ts";
import { bulk, doubtful, parked, urgent } from "./states.ts";
import { withdraw } from "./withdraw.ts";

/** Something that somebody did here, in the bytes in which everybody elsewhere gets it (federation contract 12.1). */
export type Outgoing = {
  /** What was done, unlike anything else that ever was, such as `create {uuid}`. */
  deed: string;
  /** Whose form of it this is, where it has several: a host; else empty. */
  variant: string;
  /** The channel that signs. */
  sender: number;
  /** What is about the same object reaches a host in the order in which it happened. */
  objectId: string;
  bytes: string;
  to: readonly Addressee[];
  /**
   * `first`: nobody elsewhere had anything of the object before. `last`: they shall have nothing of it any more, so what was
   * never tried is not sent, nor is this where the first never was.
   */
  stage?: "first" | "last";
};

/** An inbox, and whom one request to it reaches: ids of identities. */
export type Addressee = { inbox: string; people: readonly number[]; shared: boolean };

/** How many rows go into one statement. */
const together = 500;
/** What goes to more inboxes than that can wait for what goes to few. */
const fewInboxes = 10;

/**
 * Has activities sent to inboxes elsewhere: part of the caller's transaction, so they go out exactly when what caused them is
 * committed. What was sent out before, by deed and variant, is not sent again; hosts that are dead or suspended get nothing.
 */
export async function sendOut(hub: Hub, outgoing: readonly Outgoing[]): Promise<void> {
  await inTransaction(hub, async (hub) => {
    for (const one of outgoing) {
      const activity = await addActivity(hub, one);
      if (activity !== undefined) await addDeliveries(hub, activity, one);
    }
    wakeAfterCommit(hub, "outgoing");
  });
}

/** Which channel has sent this deed out, in the last weeks? */
export async function senderOfDeed(hub: Hub, deed: string): Promise<number | undefined> {
  const row = await hub.db
    .selectFrom("outbox_activity")
    .select("sender")
    .where("deed", "=", deed)
    .where("variant", "=", "")
    .executeTakeFirst();
  return row?.sender;
}

/** Where this deed was sent, in the last weeks, in the form that all got. */
export async function targetsOfDeed(hub: Hub, deed: string): Promise<Addressee[]> {
  const rows = await hub.db
    .selectFrom("outbox_activity")
    .innerJoin("delivery", "delivery.activity", "outbox_activity.id")
    .select(["inbox", "recipients", "shared"])
    .where("deed", "=", deed)
    .where("variant", "=", "")
    .execute();
  return rows.map(({ inbox, recipients, shared }) => ({
    inbox,
    people: storedJson<number[]>(recipients),
    shared: shared === 1,
  }));
}

/** Undefined when it is there. */
async function addActivity(hub: Hub, { deed, variant, sender, objectId, bytes, stage }: Outgoing) {
  const begins = stage === "first" ? 1 : 0;
  const row = await hub.db
    .insertInto("outbox_activity")
    .values({ deed, variant, sender, object_id: objectId, bytes, begins, created: now(hub) })
    .onConflict((conflict) => conflict.columns(["deed", "variant"]).doNothing())
    .returning("id")
    .executeTakeFirst();
  return row?.id;
}

async function addDeliveries(hub: Hub, activity: number, { sender, objectId, to, stage }: Outgoing): Promise<void> {
  const without = stage === "last" ? await withdraw(hub, objectId) : new Set<string>();
  const all = onePerInbox(to).filter(({ host }) => !without.has(host));
  const refused = await Promise.all(all.map(({ host }) => suspended(hub, host)));
  const byInbox = all.filter((_, place) => !refused[place]);
  const state = (await isOfBefore(hub, sender)) ? "held" : "waiting";
  const known = await hostStates(hub, [...new Set(byInbox.map(({ host }) => host))]);
  // Whoever hears of it may come and look, and must find no less than they were told.
  const begin = momentIn(hub, hub.replica ? mostBehind : 0);
  const rows = byInbox
    .filter(({ host }) => known.get(host) !== "dead")
    .map(({ inbox, host, people, shared }) => ({
      activity,
      inbox,
      host,
      object_id: objectId,
      recipients: JSON.stringify(people),
      state,
      shared: shared ? 1 : 0,
      priority: priorityOf(byInbox.length, known.get(host)),
      next_at: known.get(host) === "open" ? parked : begin,
      created: now(hub),
    }));
  for (let at = 0; at < rows.length; at += together)
    await hub.db
      .insertInto("delivery")
      .values(rows.slice(at, at + together))
      .execute();
}

/**
 * Was it done before the backup that the hub was restored from? Then it may have gone out long ago, and the operator decides
 * (federation contract 18.1). Deeds of one channel are translated in their order, so this is one of them while there are any.
 */
async function isOfBefore(hub: Hub, sender: number): Promise<boolean> {
  const backup = await getSetting(hub, "restoredFrom");
  return backup !== undefined && hasDeedsOf(hub, sender, backup);
}

/** One request reaches all who are named with the same inbox. */
function onePerInbox(to: readonly Addressee[]): (Addressee & { host: string })[] {
  const inboxes = new Map<string, Addressee & { host: string }>();
  for (const { inbox, people, shared } of to) {
    const before = inboxes.get(inbox);
    const all = new Set([...(before?.people ?? []), ...people]);
    inboxes.set(inbox, { inbox, host: new URL(inbox).host, people: [...all], shared: before?.shared ?? shared });
  }
  return [...inboxes.values()];
}

/** Answers go before what many get, and that goes to hosts that answer before it is tried at others. */
function priorityOf(inboxes: number, state: HostState | undefined): number {
  if (inboxes <= fewInboxes) return urgent;
  return state === "good" ? bulk : doubtful;
}
