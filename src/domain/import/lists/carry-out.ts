import type { Updateable } from "kysely";
import { HubError, refusal } from "../../../errors.ts";
import { inTransaction, momentIn, now } from "../../../hub.ts";
import type { Hub } from "../../../hub.ts";
import { addDeed } from "../../../jobs/queue.ts";
import { keptForm } from "../../../refusals/messages.ts";
import type { ListImportEntryTable } from "../../../storage/tables/records.ts";
import { block, blockHost, connect, mute } from "../../connections/connections.ts";
import { hasYetToAsk, isFollower } from "../../connections/restore.ts";
import { followsFreeAgain } from "../../connections/sent-follows.ts";
import { findStayed, reunite } from "../../connections/stayed.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { isActor } from "../../identity/xchans/actors.ts";
import { isWebUrl } from "../../identity/xchans/web-url.ts";
import type { Xchan } from "../../identity/xchans/xchans.ts";
import { findKnown } from "../../people/known-person.ts";
import { isElsewhere, lookInTime } from "../../people/look-elsewhere.ts";
import type { LookFault, Scout } from "../../peers/scout.ts";
import { namesThatAreSo } from "./already-so.ts";
import { looksFreeAgain } from "./budget.ts";
import type { ListKind } from "./read-list.ts";

export type WaitingEntry = { id: number; name: string; tries: number; next_at: string };
type Entry = WaitingEntry & { list: number; kind: ListKind; former: string };

/** `notBefore`: others have been asked so often for this channel that it goes on only then. */
export type Outcome = "settled" | { notBefore: string };

/** Who does not answer is asked again after these waits (seconds), and then no more. */
const waits = [3600, 6 * 3600, 24 * 3600];
/** An entry that so often came to no end, because the process did, keeps the others no longer. */
const mostTries = 8;

/** Does what the list wants with one entry, or notes why not. */
export async function carryOut(hub: Hub, channel: Channel, entry: Entry, look: Scout["lookUp"]): Promise<Outcome> {
  const { kind, name } = entry;
  const uid = channel.channel_id;
  if (entry.tries >= mostTries) return fail(hub, entry, keptForm(refusal("list_entry_given_up")));
  if (await isSo(hub, uid, entry)) return settle(hub, entry, { state: "there" });
  // Followers and those who stayed are what an export says; who that is now only their hubs know.
  const known = ["follow", "block", "mute"].includes(kind) ? await knownPerson(hub, name) : undefined;
  const asks = kind !== "hosts" && !known && isElsewhere(hub, name);
  const notBefore =
    (kind === "follow" || kind === "stayed" ? await followsFreeAgain(hub, uid) : undefined) ??
    (asks ? await looksFreeAgain(hub, uid) : undefined);
  if (notBefore !== undefined) return { notBefore };
  await change(hub, entry, { tries: entry.tries + 1, ...(asks && { looked: now(hub) }) });
  if (kind === "hosts") return act(hub, entry, (hub) => blockHost(hub, channel, name, "block"));
  const found = known ?? (await lookFor(hub, channel, name, look));
  return "fault" in found
    ? notFound(hub, entry, found.fault)
    : act(hub, entry, (hub) => deeds[kind](hub, channel, found, entry));
}

const deeds: Readonly<
  Record<Exclude<ListKind, "hosts">, (hub: Hub, channel: Channel, xchan: Xchan, entry: Entry) => Promise<unknown>>
> = {
  follow: (hub, channel, xchan) => connect(hub, channel, xchan),
  block: (hub, channel, xchan) => block(hub, channel, xchan),
  mute: (hub, channel, xchan) => mute(hub, channel, xchan),
  followers: (hub, channel, { xchan_hash: person }, { former }) =>
    addDeed(hub, channel.channel_id, { deed: "arrive", person, former }),
  stayed: (hub, channel, xchan, { name }) => reunite(hub, channel, name, xchan),
};

/** Is nothing left to do? Whom an export has named by an id, the owner may have asked, left or blocked by hand since then. */
async function isSo(hub: Hub, uid: number, { kind, name }: Entry): Promise<boolean> {
  if (kind === "followers") return !(await isFollower(hub, uid, name));
  if (kind === "stayed") return !(await findStayed(hub, uid, name));
  if (isWebUrl(name)) return !(await hasYetToAsk(hub, uid, name));
  return (await namesThatAreSo(hub, uid, { kind, names: [name] })).has(name.toLowerCase());
}

/** Of somebody of elsewhere whom nobody has met, this hub has no more than a name, and that is nobody. */
async function knownPerson(hub: Hub, name: string): Promise<Xchan | undefined> {
  const known = await findKnown(hub, 0, isWebUrl(name) ? { hash: name } : { address: name });
  if (known?.xchan_deleted !== 0) return undefined;
  return known.xchan_network !== "activitypub" || (await isActor(hub, known.xchan_hash)) ? known : undefined;
}

async function lookFor(
  hub: Hub,
  channel: Channel,
  address: string,
  look: Scout["lookUp"],
): Promise<Xchan | { fault: LookFault }> {
  if (!isElsewhere(hub, address)) return { fault: "unknown" };
  const looked = await lookInTime(hub, channel, address, look);
  if ("person" in looked && (!isWebUrl(address) || looked.person.xchan_hash === address)) return looked.person;
  return { fault: "fault" in looked ? looked.fault : "unusable" };
}

async function notFound(hub: Hub, entry: Entry, found: LookFault): Promise<Outcome> {
  const wait = found === "silent" ? waits[entry.tries] : undefined;
  const reason = lookReason(found);
  if (wait === undefined) return fail(hub, entry, reason);
  return settle(hub, entry, { reason, next_at: momentIn(hub, wait * 1000) });
}

const looking = "look ";

function lookReason(found: LookFault): string {
  return looking + found;
}

/** Why nobody was found, if that is the reason; all others are kept refusals. */
export function lookFaultIn(reason: string): LookFault | undefined {
  const faults: readonly LookFault[] = ["unknown", "refused", "silent", "unusable"];
  return faults.find((one) => lookReason(one) === reason);
}

/** What is done and the note that it was are one; a worker that comes back late finds the note. */
async function act(hub: Hub, entry: Entry, deed: (hub: Hub) => Promise<unknown>): Promise<Outcome> {
  try {
    await inTransaction(hub, async (hub) => {
      const isNext = await isRunning(hub, entry);
      if (isNext && (await change(hub, entry, { state: "done", reason: "" }))) await deed(hub);
    });
    return "settled";
  } catch (error) {
    if (!(error instanceof HubError) || error.kind === "unavailable") throw error;
    return fail(hub, entry, keptForm(error));
  }
}

/** Nobody stops the list until the end of the transaction. */
async function isRunning(hub: Hub, { list }: Entry): Promise<boolean> {
  const { numUpdatedRows } = await hub.db
    .updateTable("list_import")
    .set({ updated: now(hub) })
    .where("id", "=", list)
    .where("state", "=", "running")
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

function fail(hub: Hub, entry: Entry, reason: string): Promise<Outcome> {
  return settle(hub, entry, { state: "failed", reason });
}

async function settle(hub: Hub, entry: Entry, values: Updateable<ListImportEntryTable>): Promise<Outcome> {
  await change(hub, entry, values);
  return "settled";
}

/** Answers false for an entry that is settled already. */
async function change(hub: Hub, { id }: Entry, values: Updateable<ListImportEntryTable>): Promise<boolean> {
  const { numUpdatedRows } = await hub.db
    .updateTable("list_import_entry")
    .set(values)
    .where("id", "=", id)
    .where("state", "=", "waiting")
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
