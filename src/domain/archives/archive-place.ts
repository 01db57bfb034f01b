import type { Selectable } from "kysely";
import { missing } from "../../errors.ts";
import { inTransaction, now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { addJob } from "../../jobs/queue.ts";
import { lock, unlock } from "../identity/site/locked.ts";
import { zeroDate } from "../../storage/sql.ts";
import type { ArchivePlaceTable } from "../../storage/tables/archives.ts";

export const archiveKinds = ["webdav", "s3"] as const;
export const archiveRhythms = ["day", "week", "month"] as const;
export const mostKept = 100;

/** What the owner of a channel says of the place of its archives. */
export type ArchiveOrder = {
  kind: (typeof archiveKinds)[number];
  /** The folder on a WebDAV server, or server, bucket and prefix on S3. */
  address: string;
  /** User and password, or the two keys of S3. */
  login: string;
  password: string;
  region: string;
  /** What seals the archives; empty: nothing. */
  passphrase: string;
  every: (typeof archiveRhythms)[number];
  keep: number;
};

/** What one sees of a place: never what opens it. */
export type ArchivePlace = Omit<ArchiveOrder, "password" | "passphrase"> & {
  isSealed: boolean;
  isUnderWay: boolean;
  /** Since when nothing is sent, because the password of the account was changed. */
  paused: string | undefined;
  nextAt: string;
  last: { name: string; size: number; at: string } | undefined;
  /** Since the last one that arrived. */
  failure: { times: number; reason: string; detail: string; at: string } | undefined;
};

/** What keeps archives of the channel from their place: they are paused, or the last try has failed. */
export async function archivesStand(hub: Hub, uid: number): Promise<"as usual" | "paused" | "failing"> {
  const row = await rowOf(hub, uid);
  if (row && isPaused(row)) return "paused";
  return row && row.failures > 0 ? "failing" : "as usual";
}

/** Where the archives of a channel go, if its owner has said so. */
export async function findArchivePlace(hub: Hub, uid: number): Promise<ArchivePlace | undefined> {
  const row = await rowOf(hub, uid);
  if (!row) return undefined;
  const secrets = await secretsIn(hub, row);
  return {
    ...toldIn(row),
    nextAt: row.next_at,
    // What cannot be read any more may have been sealed.
    isSealed: secrets?.passphrase !== "",
    isUnderWay: row.under_way !== "" && row.failures === 0,
    paused: isPaused(row) ? row.paused : undefined,
    last: row.last_name === "" ? undefined : { name: row.last_name, size: row.last_size, at: row.last_done },
    failure:
      row.failures === 0
        ? undefined
        : { times: row.failures, reason: row.reason, detail: row.detail, at: row.last_failed },
  };
}

/**
 * Has archives of a channel sent there from now on. What opens the place is kept where it is left out, for the same place only:
 * nobody is told what was meant for another. Answers what cannot be used of it, with nothing done.
 */
export async function saveArchivePlace(
  hub: Hub,
  uid: number,
  order: Omit<ArchiveOrder, "password" | "passphrase"> & {
    password: string | undefined;
    passphrase: string | undefined;
  },
): Promise<"address" | "secret" | "passphrase" | undefined> {
  if (!isAddress(order)) return "address";
  return inTransaction(hub, async (hub) => {
    const before = await rowOf(hub, uid);
    const known = before && (await orderIn(hub, before));
    const isSame = known?.kind === order.kind && known.address === order.address && known.login === order.login;
    const password = order.password ?? (isSame ? known.password : undefined);
    if (password === undefined) return "secret";
    const passphrase = order.passphrase ?? (before ? known?.passphrase : "");
    if (passphrase === undefined) return "passphrase";
    const secrets = { password, passphrase };
    const { kind, address, login, region, every, keep } = order;
    const sealed = await lock(hub, lockedAs(uid), JSON.stringify(secrets));
    const values = { kind, address, login, region, every, keep, sealed };
    const anew = { paused: zeroDate, failures: 0, reason: "", detail: "", under_way: "", sent: 0, next_at: now(hub) };
    await hub.db
      .insertInto("archive_place")
      .values({ uid, ...values, ...anew })
      .onConflict((conflict) => conflict.column("uid").doUpdateSet({ ...values, ...anew }))
      .execute();
    await addArchiveJob(hub, uid);
    return undefined;
  });
}

/** Forgets the place and what opens it; what lies there stays. */
export async function dropArchivePlace(hub: Hub, uid: number): Promise<void> {
  await hub.db.deleteFrom("archive_place").where("uid", "=", uid).execute();
}

/** Has an archive made now, and others again from now on where they were paused. Throws missing where no place is known. */
export async function archiveNow(hub: Hub, uid: number): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const { numUpdatedRows } = await hub.db
      .updateTable("archive_place")
      .set({ next_at: now(hub), paused: zeroDate })
      .where("uid", "=", uid)
      .executeTakeFirstOrThrow();
    if (numUpdatedRows === 0n) throw missing("Page");
    await addArchiveJob(hub, uid);
  });
}

/** The regular job: adds one for each archive that is due. */
export async function planArchives(hub: Hub): Promise<void> {
  const due = await hub.db
    .selectFrom("archive_place")
    .select("uid")
    .where("next_at", "<=", now(hub))
    .where("paused", "=", zeroDate)
    .orderBy("next_at")
    .limit(500)
    .execute();
  await inTransaction(hub, async (hub) => {
    for (const { uid } of due) await addArchiveJob(hub, uid);
  });
}

/** One at a time: each reads all that a channel has. */
async function addArchiveJob(hub: Hub, uid: number): Promise<void> {
  await addJob(hub, "send-archive", { uid }, { key: `send-archive ${uid}`, lane: "archives" });
}

export type ArchivePlaceRow = Selectable<ArchivePlaceTable>;

export async function rowOf(hub: Hub, uid: number): Promise<ArchivePlaceRow | undefined> {
  return hub.db.selectFrom("archive_place").selectAll().where("uid", "=", uid).executeTakeFirst();
}

/** Does nothing go there until its owner says so? */
export function isPaused({ paused }: ArchivePlaceRow): boolean {
  return paused !== zeroDate;
}

/** What its owner has said, with what opens the place; undefined where that cannot be read any more. */
export async function orderIn(hub: Hub, row: ArchivePlaceRow): Promise<ArchiveOrder | undefined> {
  const secrets = await secretsIn(hub, row);
  return secrets && { ...toldIn(row), ...secrets };
}

type Secrets = Pick<ArchiveOrder, "password" | "passphrase">;

/** A row opens for its own channel alone. */
function lockedAs(uid: number): string {
  return `archive place of ${uid}`;
}

async function secretsIn(hub: Hub, { uid, sealed }: ArchivePlaceRow): Promise<Secrets | undefined> {
  const text = await unlock(hub, lockedAs(uid), sealed);
  return text === undefined ? undefined : (JSON.parse(text) as Secrets);
}

function toldIn({ kind, address, login, region, every, keep }: ArchivePlaceRow): Omit<ArchiveOrder, keyof Secrets> {
  return {
    kind: kind as ArchiveOrder["kind"],
    address,
    login,
    region,
    every: every as ArchiveOrder["every"],
    keep,
  };
}

/** Whether it may be asked is found out when it is. */
function isAddress({ kind, address }: Pick<ArchiveOrder, "kind" | "address">): boolean {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol) || `${url.username}${url.search}${url.hash}` !== "") return false;
  return kind === "webdav" || /^\/[^/%][^%]*$/.test(url.pathname);
}
