import { createHash } from "node:crypto";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { createGunzip, createGzip } from "node:zlib";
import { unlessMissing } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { versions } from "./format.ts";
import type { Place } from "../../storage/places/place.ts";
import { retained } from "./retained.ts";
import { nameOfKey, seal } from "./seal.ts";
import { writeBackup } from "./write.ts";
import type { TakeBlob, Written } from "./write.ts";

/** Blobs that nothing names may have been put there for a backup that is still being written. */
const underWay = 2 * 24 * 3600 * 1000;

const blobFolder = "blobs/";
const beginning = "hubbub-";
const ending = /^hubbub-(\d{8}T\d{6})\.database\.gz(?:\.age)?$/;

/** How the moment of a backup is written in names of files. */
export function stampOf(created: string): string {
  return created.slice(0, 19).replaceAll(/[^\dT]/g, "");
}

/**
 * Makes a backup of which only those blobs are written that the place does not have yet, and removes what it need not keep any longer.
 * Beside each stands a list of its blobs, so that what it needs is known without the key to it.
 */
export async function backUpTo(hub: Hub, place: Place): Promise<Written & { name: string; sent: number }> {
  const created = hub.clock().toISOString();
  const stamp = `hubbub-${stampOf(created)}`;
  const name = `${stamp}.database.gz${hub.config.backups.key === undefined ? "" : ".age"}`;
  const known = await knownBlobs(hub, place);
  const used: string[] = [];
  let sent = 0;
  const take: TakeBlob = async (hub, blob) => {
    let at = known.get(blob);
    if (at === undefined) {
      at = await unlessMissing(putBlob(hub, place, blob));
      if (at === undefined) return undefined;
      sent++;
    }
    used.push(at);
    return Readable.from([JSON.stringify({ kept: blob, at })]);
  };
  const written = await writeBackup(hub, { version: versions.besides, created, take }, async (bytes) => {
    await place.put(name, bytes);
    await place.put(`${stamp}.blobs.gz`, Readable.from(used.map((at) => `${at}\n`)).pipe(createGzip()));
  });
  await tidy(hub, place);
  return { name, sent, ...written };
}

/** Where the place has which blob, in the form that belongs to the key. */
async function knownBlobs({ config }: Hub, place: Place): Promise<Map<string, string>> {
  const { key } = config.backups;
  const form = key === undefined ? /^(.+)\.[0-9a-f]{64}$/ : new RegExp(`^(.+)\\.${nameOfKey(key)}\\.age$`);
  const known = new Map<string, string>();
  for await (const { name } of place.list(blobFolder)) {
    const blob = form.exec(name.split("/").at(-1)!)?.[1];
    if (blob !== undefined) known.set(blob, name);
  }
  return known;
}

/** What is sealed shows by itself when it is damaged; anything else has its digest in its name. */
async function putBlob(hub: Hub, place: Place, blob: string): Promise<string> {
  const { key } = hub.config.backups;
  const form = key === undefined ? await digestOf(await hub.blobs.read(blob)) : `${nameOfKey(key)}.age`;
  const at = `${blobFolder}${blob.slice(0, 2)}/${blob}.${form}`;
  await place.put(at, await seal(await hub.blobs.read(blob), key));
  return at;
}

/** The SHA-256 of bytes, in hex. */
export async function digestOf(bytes: AsyncIterable<Buffer>): Promise<string> {
  const digest = createHash("sha256");
  for await (const piece of bytes) digest.update(piece);
  return digest.digest("hex");
}

/** Removes the backups that the rule does not keep, and the blobs that none of the others names. */
async function tidy(hub: Hub, place: Place): Promise<void> {
  const found = await databasesIn(place);
  const stays = retained([...found.keys()]);
  for (const [stamp, name] of found)
    if (!stays.has(stamp)) for (const one of [name, `hubbub-${stamp}.blobs.gz`]) await place.remove(one);
  const before = new Date(hub.clock().getTime() - underWay);
  await place.sweep("", before);
  const needed = await namesOfBlobs(place, stays);
  if (!needed) return;
  for await (const { name, since } of place.list(blobFolder))
    if (!needed.has(name) && since < before) await place.remove(name);
}

/** The newest of the backups in a place. */
export async function newestIn(place: Place): Promise<string | undefined> {
  return [...(await databasesIn(place))].toSorted(([one], [other]) => (one < other ? 1 : -1))[0]?.[1];
}

/** The names of the backups in a place, by their moments. */
async function databasesIn(place: Place): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for await (const { name } of place.list(beginning)) {
    const stamp = ending.exec(name)?.[1];
    if (stamp !== undefined) found.set(stamp, name);
  }
  return found;
}

/** Undefined where a list is missing: then nobody knows. */
async function namesOfBlobs(place: Place, stamps: ReadonlySet<string>): Promise<Set<string> | undefined> {
  const names = new Set<string>();
  for (const stamp of stamps) {
    const list = await unlessMissing(place.read(`hubbub-${stamp}.blobs.gz`));
    if (!list) return undefined;
    for (const name of (await text(list.pipe(createGunzip()))).split("\n")) names.add(name);
  }
  return names;
}
