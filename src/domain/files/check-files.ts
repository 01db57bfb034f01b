import { sql } from "kysely";
import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { blobNames, unusedBlobs } from "../../storage/blobs/names.ts";
import { isOneOf } from "../../storage/sql.ts";

/** Names of one kind: how many there are, and the first of them. */
export type Names<T> = { count: number; first: T[] };

/** A blob that rows speak of and that is not there; `files` says which files of whom these are. */
export type LostBlob = { blob: string; files: string[] };

export type FilesReport = {
  /** How many blobs rows speak of, and how many are there. */
  named: number;
  kept: number;
  lost: Names<LostBlob>;
  /** Blobs that no row speaks of. */
  unknown: Names<string>;
  /** How many of those were put aside. */
  aside: number;
};

/** So many of each kind are named. */
const most = 100;
const together = 500;
/** What is younger may belong to an upload that has not come to its end (storage/blobs/store.ts, `sweep`). */
const day = 24 * 3_600_000;

/**
 * Compares what the rows say with the bytes that are there, in both directions, while the hub runs. With `repair`, unknown
 * blobs are put aside and lost ones noted; no row is changed or deleted. `tell` hears how far it is.
 */
export async function checkFiles(
  hub: Hub,
  { repair, tell }: { repair: boolean; tell: (report: FilesReport) => void },
): Promise<FilesReport> {
  const report: FilesReport = {
    named: 0,
    kept: 0,
    lost: { count: 0, first: [] },
    unknown: { count: 0, first: [] },
    aside: 0,
  };
  if (repair) await forgetFound(hub);
  for await (const names of inGroups(blobNames(hub.db))) {
    report.named += names.length;
    await lookForBytes(hub, names, repair, report);
    tell(report);
  }
  for await (const blobs of inGroups(hub.blobs.kept())) {
    report.kept += blobs.length;
    await lookForRows(hub, blobs, repair, report);
    tell(report);
  }
  return report;
}

async function lookForBytes(hub: Hub, names: readonly string[], repair: boolean, report: FilesReport): Promise<void> {
  const there = await whichAreThere(hub, names);
  const absent = names.filter((name) => !there.has(name));
  if (absent.length === 0) return;
  // A row that was there a moment ago may be gone, and its bytes with it.
  const unused = new Set(await unusedBlobs(hub.db, hub.engine, absent));
  const lost = absent.filter((name) => !unused.has(name));
  report.lost.count += lost.length;
  report.lost.first.push(...(await describe(hub, lost.slice(0, most - report.lost.first.length))));
  if (!repair || lost.length === 0) return;
  const noted = now(hub);
  await hub.db
    .insertInto("lost_blob")
    .values(lost.map((blob) => ({ blob, noted })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function lookForRows(
  hub: Hub,
  blobs: readonly { name: string; since: Date }[],
  repair: boolean,
  report: FilesReport,
): Promise<void> {
  const before = hub.clock().getTime() - day;
  const old = blobs.filter(({ since }) => since.getTime() < before).map(({ name }) => name);
  const unknown = await unusedBlobs(hub.db, hub.engine, old);
  report.unknown.count += unknown.length;
  report.unknown.first.push(...unknown.slice(0, most - report.unknown.first.length));
  if (!repair) return;
  for (const name of unknown) await hub.blobs.setAside(name);
  report.aside += unknown.length;
}

/** What was noted as lost and is there again, or is not spoken of any more, is not lost. */
async function forgetFound(hub: Hub): Promise<void> {
  let last = "";
  for (;;) {
    const rows = await hub.db
      .selectFrom("lost_blob")
      .select("blob")
      .where("blob", ">", last)
      .orderBy("blob")
      .limit(together)
      .execute();
    const names = rows.map(({ blob }) => blob);
    const end = names.at(-1);
    if (end === undefined) return;
    last = end;
    const found = await unusedBlobs(hub.db, hub.engine, names);
    found.push(...(await whichAreThere(hub, names)));
    await hub.db
      .deleteFrom("lost_blob")
      .where(isOneOf(hub.engine, sql.ref("blob"), found))
      .execute();
  }
}

/** So many are looked for at once: each may be a question to another machine. */
const asked = 16;

async function whichAreThere({ blobs }: Hub, names: readonly string[]): Promise<Set<string>> {
  const there = new Set<string>();
  const left = names.values();
  const lookFor = async (): Promise<void> => {
    for (const name of left) if ((await blobs.size(name)) !== undefined) there.add(name);
  };
  await Promise.all(Array.from({ length: asked }, lookFor));
  return there;
}

/** How many blobs are noted as lost. */
export async function countLost({ db }: Pick<Hub, "db">): Promise<number> {
  const { count } = await db
    .selectFrom("lost_blob")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function describe(hub: Hub, blobs: readonly string[]): Promise<LostBlob[]> {
  if (blobs.length === 0) return [];
  const files = await hub.db
    .selectFrom("attach")
    .innerJoin("channel", "channel_id", "uid")
    .select(["blob", "channel_address", "display_path"])
    .where(isOneOf(hub.engine, sql.ref("blob"), blobs))
    .where("blob", "<>", sql.lit(""))
    .limit(1000)
    .execute();
  const photos = await hub.db
    .selectFrom("photo")
    .innerJoin("channel", "channel_id", "uid")
    .select(["blob", "channel_address", "resource_id", "imgscale"])
    .where(isOneOf(hub.engine, sql.ref("blob"), blobs))
    .where("blob", "<>", sql.lit(""))
    .limit(1000)
    .execute();
  const lines = [
    ...files.map((row) => ({ blob: row.blob, line: `${row.channel_address}: ${row.display_path}` })),
    ...photos.map((row) => ({
      blob: row.blob,
      line: `${row.channel_address}: photo ${row.resource_id}-${row.imgscale}`,
    })),
  ];
  return blobs.map((blob) => ({ blob, files: lines.filter((one) => one.blob === blob).map(({ line }) => line) }));
}

async function* inGroups<T>(all: AsyncIterable<T>): AsyncGenerator<T[]> {
  let group: T[] = [];
  for await (const one of all) {
    group.push(one);
    if (group.length < together) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
