import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { Stopping } from "../../errors.ts";
import { inTransaction, momentIn, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { sizeIn } from "../../storage/places/place.ts";
import type { Place } from "../../storage/places/place.ts";
import { sealWithPassphrase } from "../backups/seal.ts";
import { exportArchive } from "../export/archive.ts";
import { findAccountById, isInOrder } from "../identity/accounts/accounts.ts";
import type { Account } from "../identity/accounts/accounts.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { findChannelById } from "../identity/channels/channels.ts";
import { tell } from "../recovery/told.ts";
import type { Words } from "../recovery/told.ts";
import { isPaused, orderIn, rowOf } from "./archive-place.ts";
import type { ArchiveOrder, ArchivePlaceRow } from "./archive-place.ts";
import { faultOf, openArchivePlace, unreadable } from "./open-place.ts";
import type { ArchiveFault } from "./open-place.ts";

const hour = 3600 * 1000;
const rhythms: Readonly<Record<ArchiveOrder["every"], number>> = {
  day: 24 * hour,
  week: 7 * 24 * hour,
  month: 30 * 24 * hour,
};
/** After so many failures their owner is told, once. */
const toldAfter = 3;
const longestWait = 24 * hour;
/** What was begun and never came to its end is removed later than anybody can still be at it. */
const forgotten = 2 * 24 * hour;

/** How the mail to the owner is worded. */
export type FailureMail = (account: Account, channel: Channel, fault: ArchiveFault) => Words;

/**
 * Makes the archive of a channel that is due and sends it to the place of its owner, then removes what is more than they keep there. Each
 * step is written down, and an archive keeps its name from the first attempt on: whatever ends this, the next attempt goes on, and nothing is
 * there twice. Nothing is sent for an account that is locked out; it is looked at again a day later. An archive that is on its way when its
 * owner pauses, changes or drops the place does not arrive.
 */
export async function sendArchive(hub: Hub, { uid }: { uid: number }, mail: FailureMail): Promise<void> {
  const row = await rowOf(hub, uid);
  if (!row || isPaused(row) || row.next_at > now(hub)) return;
  const channel = await findChannelById(hub, uid);
  if (!channel) return;
  const account = await findAccountById(hub, channel.channel_account_id);
  if (!account || !isInOrder(hub, account))
    return void (await change(hub, row, { next_at: momentIn(hub, rhythms.day) }));
  const order = await orderIn(hub, row);
  if (!order) return fail(hub, row, channel, { fault: unreadable, mail });
  const place = openArchivePlace(hub, order, never);
  const name = row.under_way === "" ? nameFor(hub, channel, order) : row.under_way;
  if (row.under_way === "") await change(hub, row, { under_way: name, sent: 0 });
  // The hub's own failures are no fault of the place.
  let own: Error | undefined;
  const bytes = await archiveOf(hub, channel, order, row);
  bytes.once("error", (error) => (own = error));
  try {
    if (row.sent === 0) await sendOnce(hub, row, place, name, bytes);
    await tidy(hub, place, channel, order.keep);
    await change(hub, row, {
      under_way: "",
      sent: 0,
      failures: 0,
      reason: "",
      detail: "",
      last_name: name,
      last_done: now(hub),
      next_at: momentIn(hub, rhythms[order.every]),
    });
  } catch (error) {
    if (own instanceof Unwanted) return;
    if (own !== undefined) throw own;
    if (error instanceof Stopping) throw error;
    await fail(hub, row, channel, { fault: faultOf(error), mail });
  } finally {
    bytes.destroy();
  }
}

const never = new AbortController().signal;

/** It may have arrived before that was written down. */
async function sendOnce(hub: Hub, row: ArchivePlaceRow, place: Place, name: string, bytes: Readable): Promise<void> {
  if (row.under_way === "" || (await sizeIn(place, name)) === 0) await place.put(name, bytes);
  await change(hub, row, { sent: 1, last_size: await sizeIn(place, name) });
}

async function archiveOf(
  hub: Hub,
  channel: Channel,
  { passphrase }: ArchiveOrder,
  row: ArchivePlaceRow,
): Promise<Readable> {
  const bytes = Readable.from(whileWanted(hub, channel, row), { objectMode: false });
  return passphrase === "" ? bytes : sealWithPassphrase(bytes, passphrase);
}

/** The owner has thought better of it. */
class Unwanted extends Error {}

/** After so many bytes it is looked whether the archive is still meant for that place. */
const oneStretch = 4 << 20;

async function* whileWanted(hub: Hub, channel: Channel, row: ArchivePlaceRow): AsyncGenerator<Uint8Array> {
  let unchecked = 0;
  for await (const chunk of Readable.fromWeb(
    exportArchive(hub, channel) as ReadableStream,
  ) as AsyncIterable<Uint8Array>) {
    yield chunk;
    unchecked += chunk.length;
    if (unchecked < oneStretch) continue;
    unchecked = 0;
    await checkWanted(hub, row);
  }
  await checkWanted(hub, row);
}

/** Throws where nothing is to go there any more, or where another place has been named. */
async function checkWanted(hub: Hub, { uid, sealed }: ArchivePlaceRow): Promise<void> {
  const row = await rowOf(hub, uid);
  if (!row || isPaused(row) || row.sealed !== sealed) throw new Unwanted();
}

function nameFor(hub: Hub, channel: Channel, { passphrase }: ArchiveOrder): string {
  const stamp = hub
    .clock()
    .toISOString()
    .slice(0, 19)
    .replaceAll(/[^\dT]/g, "");
  return `${beginningFor(channel)}${stamp}.tar${passphrase === "" ? "" : ".age"}`;
}

function beginningFor(channel: Channel): string {
  return `hubbub-${channel.channel_address}-`;
}

/** Of what the hub has put there the newest stay; anything else in the place is none of its business. */
async function tidy(hub: Hub, place: Place, channel: Channel, keep: number): Promise<void> {
  const beginning = beginningFor(channel);
  const names: string[] = [];
  for await (const { name } of place.list(beginning))
    if (/^\d{8}T\d{6}\.tar(?:\.age)?$/.test(name.slice(beginning.length))) names.push(name);
  for (const name of names.toSorted().toReversed().slice(keep)) await place.remove(name);
  await place.sweep(beginning, new Date(hub.clock().getTime() - forgotten));
}

/** Nothing where the owner has named another place meanwhile. */
async function change(hub: Hub, { id, sealed }: ArchivePlaceRow, values: Partial<ArchivePlaceRow>): Promise<boolean> {
  const { numUpdatedRows } = await hub.db
    .updateTable("archive_place")
    .set(values)
    .where("id", "=", id)
    .where("sealed", "=", sealed)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

async function fail(
  hub: Hub,
  row: ArchivePlaceRow,
  channel: Channel,
  { fault, mail }: { fault: ArchiveFault; mail: FailureMail },
): Promise<void> {
  const failures = row.failures + 1;
  const wait = Math.min(hour * 4 ** (failures - 1), longestWait);
  await inTransaction(hub, async (hub) => {
    const isStill = await change(hub, row, {
      failures,
      reason: fault.reason,
      detail: fault.detail,
      last_failed: now(hub),
      next_at: momentIn(hub, wait),
    });
    const account = isStill && failures === toldAfter && (await findAccountById(hub, channel.channel_account_id));
    if (account) await tell(hub, account.account_email, mail(account, channel, fault));
  });
}
