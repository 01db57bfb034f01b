import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { addJob } from "../../jobs/queue.ts";
import { momentIn } from "../../hub.ts";
import type { Hub, Staged } from "../../hub.ts";
import { unusedBlobs } from "../../storage/blobs/names.ts";

/** How long bytes may lie about before rows must speak of them: a clock that is set right must not take them from a request under way. */
const day = 24 * 3_600_000;

export type NewBlob = { name: string; bytes: Staged | Buffer };

/**
 * Gives bytes their lasting names, before the transaction that writes the rows about them. If those rows never come,
 * a job removes the bytes. Answers the SHA-256 of each by its name, in hex.
 */
export async function keepBlobs(hub: Hub, blobs: readonly NewBlob[]): Promise<Map<string, string>> {
  const at = momentIn(hub, day);
  await addJob(hub, "drop-blobs", { names: blobs.map(({ name }) => name) }, { at });
  const digests = new Map<string, string>();
  for (const { name, bytes } of blobs) {
    const one = await staged(hub, bytes);
    await hub.blobs.keep(one, name);
    digests.set(name, one.sha256);
  }
  return digests;
}

/** Puts bytes where uploads are until somebody keeps them. */
export function stageBytes(hub: Hub, bytes: Buffer): Promise<Staged> {
  return hub.blobs.stage(Readable.from([bytes]), bytes.length);
}

async function staged(hub: Hub, bytes: Staged | Buffer): Promise<Staged> {
  return Buffer.isBuffer(bytes) ? stageBytes(hub, bytes) : bytes;
}

/** Lets blobs go whose rows the current transaction removes; those that other rows speak of stay. */
export async function releaseBlobs(hub: Hub, names: readonly string[]): Promise<void> {
  const some = names.filter((name) => name !== "");
  if (some.length > 0) await addJob(hub, "drop-blobs", { names: some });
}

/** The job behind both: removes those of the blobs that no row speaks of. May run twice. */
export async function dropBlobs(hub: Hub, names: readonly string[]): Promise<void> {
  for (const name of await unusedBlobs(hub.db, hub.engine, names)) await hub.blobs.remove(name);
}

/** Removes what uploads that never came to their end have left in the staging area. */
export async function sweepStaging(hub: Hub): Promise<void> {
  await hub.blobs.sweep(new Date(hub.clock().getTime() - day));
}

/** All bytes of a blob that is known to be small. Throws missing. */
export async function readBlob(hub: Hub, name: string | Staged): Promise<Buffer> {
  return buffer(await hub.blobs.read(name));
}
