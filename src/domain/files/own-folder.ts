import { refusal } from "../../errors.ts";
import type { HubError } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { blobNames } from "../../storage/blobs/names.ts";
import { offerMark, readMark, removeMark, settleMark, withdrawMark } from "../../storage/folder-mark.ts";
import { getSetting, setSetting, settleSetting } from "../identity/site/site-settings.ts";

/** Of a database without a mark so many blobs are looked for before its folder is taken for a strange one. */
const looks = 100;

/** What is wrong when folder and database are not a pair. */
export function strangePair(folder: string): HubError {
  return refusal("strange_folder", { folder });
}

/**
 * Makes sure that the data folder is the one that belongs to the database, by a mark in both; the first call makes them a
 * pair. Throws conflict for a strange folder.
 */
export async function settleFolder(hub: Hub): Promise<void> {
  const { dataDir } = hub.config;
  const [ours, theirs] = [await readMark(dataDir), await getSetting(hub, "dataFolder")];
  if (ours !== undefined && ours === theirs) return;
  if (ours !== undefined || (theirs === undefined && !(await holdsBlobs(hub)))) throw strangePair(dataDir);
  const offer = await offerMark(dataDir);
  const stored = theirs ?? (await settleSetting(hub, "dataFolder", offer));
  // Also where whoever made them a pair was killed before the last step, or is just about to take it.
  if (stored === offer) return settleMark(dataDir);
  await withdrawMark(dataDir);
  if ((await readMark(dataDir)) !== stored) throw strangePair(dataDir);
}

/** Are they a pair, or can they become one at the next start? Changes nothing. */
export async function isOwnFolder(hub: Pick<Hub, "config" | "db" | "engine" | "blobs" | "caches">): Promise<boolean> {
  const ours = await readMark(hub.config.dataDir);
  return ours === (await getSetting(hub, "dataFolder")) && (ours !== undefined || (await holdsBlobs(hub)));
}

/** Makes folder and database a pair, whatever they belonged to before. */
export async function adoptFolder(hub: Hub): Promise<void> {
  const { dataDir } = hub.config;
  await withdrawMark(dataDir);
  await removeMark(dataDir);
  await setSetting(hub, "dataFolder", await offerMark(dataDir));
  await settleMark(dataDir);
}

/** Has the folder any of the bytes that the rows speak of? A hub of an earlier version has no mark, and its folder has all. */
async function holdsBlobs({ db, blobs }: Pick<Hub, "db" | "blobs">): Promise<boolean> {
  let looked = 0;
  for await (const name of blobNames(db)) {
    if ((await blobs.size(name)) !== undefined) return true;
    if (++looked === looks) return false;
  }
  return looked === 0;
}
