import { isAbsolute } from "node:path";
import { refusal } from "../../errors.ts";
import type { HubError } from "../../errors.ts";
import type { Hub } from "../../hub.ts";
import { blobNames } from "../../storage/blobs/names.ts";
import type { BlobStore } from "../../storage/blobs/store.ts";
import { getSetting, setSetting, settleSetting } from "../identity/site/site-settings.ts";

/** Of a database without a mark so many blobs are looked for before its store is taken for a strange one. */
const looks = 100;

/** What is wrong when blob store and database are not a pair. */
export function strangePair({ mark: { place } }: BlobStore): HubError {
  return isAbsolute(place) ? refusal("strange_folder", { folder: place }) : refusal("strange_store", { store: place });
}

/**
 * Makes sure that the blob store is the one that belongs to the database, by a mark in both; the first call makes them a
 * pair. Throws conflict for a strange one.
 */
export async function settleFolder(hub: Hub): Promise<void> {
  const { mark } = hub.blobs;
  const [ours, theirs] = [await mark.read(), await getSetting(hub, "dataFolder")];
  if (ours !== undefined) {
    // Of two stores between which blobs are moved, the other one may have none yet.
    if (ours === theirs && (await mark.settle(ours))) return;
    throw strangePair(hub.blobs);
  }
  if (theirs === undefined && !(await holdsBlobs(hub))) throw strangePair(hub.blobs);
  const offer = await mark.offer();
  const stored = theirs ?? (await settleSetting(hub, "dataFolder", offer));
  // Also where whoever made them a pair was killed before the last step, or is just about to take it.
  if (await mark.settle(stored)) return;
  await mark.withdraw(offer);
  throw strangePair(hub.blobs);
}

/** Are they a pair, or can they become one at the next start? Changes nothing. */
export async function isOwnFolder(hub: Pick<Hub, "db" | "engine" | "blobs" | "caches">): Promise<boolean> {
  const ours = await hub.blobs.mark.read();
  return ours === (await getSetting(hub, "dataFolder")) && (ours !== undefined || (await holdsBlobs(hub)));
}

/** Makes blob store and database a pair, whatever they belonged to before. */
export async function adoptFolder(hub: Hub): Promise<void> {
  const { mark } = hub.blobs;
  await mark.remove();
  const offer = await mark.offer();
  await setSetting(hub, "dataFolder", offer);
  await mark.settle(offer);
}

/** Has the store any of the bytes that the rows speak of? A hub of an earlier version has no mark, and its store has all. */
async function holdsBlobs({ db, blobs }: Pick<Hub, "db" | "blobs">): Promise<boolean> {
  let looked = 0;
  for await (const name of blobNames(db)) {
    if ((await blobs.size(name)) !== undefined) return true;
    if (++looked === looks) return false;
  }
  return looked === 0;
}
