import { unlessMissing } from "../../errors.ts";
import type { Mark } from "./mark.ts";
import type { BlobStore } from "./store.ts";

/** Blobs on their way from one store to another: all is kept in the new one, and what is not there yet is in the old one. */
export function movingBlobs(to: BlobStore, from: BlobStore): BlobStore {
  /** While one looks from the one to the other, a blob may be moved the same way. */
  const places = [to, from, to];
  const firstWith = async (name: string): Promise<BlobStore> => {
    for (const store of places) if ((await store.size(name)) !== undefined) return store;
    return to;
  };
  return {
    stage: to.stage,
    sweep: to.sweep,
    keep: to.keep,
    async read(name, ...part) {
      if (typeof name !== "string") return to.read(name, ...part);
      const found = (await unlessMissing(to.read(name, ...part))) ?? (await unlessMissing(from.read(name, ...part)));
      return found ?? to.read(name, ...part);
    },
    async readAt(name, ...part) {
      if (typeof name !== "string") return to.readAt(name, ...part);
      const found =
        (await unlessMissing(to.readAt(name, ...part))) ?? (await unlessMissing(from.readAt(name, ...part)));
      return found ?? to.readAt(name, ...part);
    },
    size: async (name) => (await firstWith(name)).size(name),
    async *kept() {
      yield* from.kept();
      yield* to.kept();
    },
    setAside: async (name) => (await firstWith(name)).setAside(name),
    async remove(name) {
      // In this order, so that what is being moved meanwhile is found gone (`moveAll`).
      if (typeof name === "string") await from.remove(name);
      await to.remove(name);
    },
    address: async (name, type) => ((await to.size(name)) === undefined ? undefined : to.address(name, type)),
    origin: to.origin,
    mark: movingMark(to.mark, from.mark),
  };
}

/** Both belong to the same database, or one of them to none yet or any more. */
function movingMark(to: Mark, from: Mark): Mark {
  return {
    place: `${to.place} and ${from.place}`,
    async read() {
      const [ours, former] = [await to.read(), await from.read()];
      const isStrange = ours !== undefined && former !== undefined && ours !== former;
      return isStrange ? `${ours} and ${former}` : (ours ?? former);
    },
    offer: (id) => to.offer(id),
    async settle(id) {
      if (await to.settle(id)) return true;
      if ((await from.read()) !== id || (await to.read()) !== undefined) return false;
      await to.offer(id);
      return to.settle(id);
    },
    withdraw: (id) => to.withdraw(id),
    async remove() {
      await from.remove();
      await to.remove();
    },
  };
}

/** How far a move is. */
export type Moved = { blobs: number; bytes: number };

/**
 * Moves each blob of the old store to the new one, while hubs use both; may end at any time and begin again. In the end the
 * old store belongs to no database any more.
 */
export async function moveAll(to: BlobStore, from: BlobStore, tell: (moved: Moved) => void): Promise<Moved> {
  const moved = { blobs: 0, bytes: 0 };
  // Somebody may have kept something in the old one meanwhile.
  for (let before = -1; before < moved.blobs;) {
    before = moved.blobs;
    await moveListed(to, from, (bytes) => {
      moved.blobs++;
      moved.bytes += bytes;
      tell(moved);
    });
  }
  await from.mark.remove();
  return moved;
}

/** So many at once: each waits for the other machine most of the time. */
const together = 8;

async function moveListed(to: BlobStore, from: BlobStore, add: (bytes: number) => void): Promise<void> {
  const underWay = new Set<Promise<void>>();
  try {
    for await (const { name } of from.kept()) {
      const one = moveOne(to, from, name, add).finally(() => underWay.delete(one));
      // It is looked at below, also where another one fails first.
      one.catch(() => undefined);
      underWay.add(one);
      if (underWay.size >= together) await Promise.race(underWay);
    }
    await Promise.all(underWay);
  } finally {
    await Promise.allSettled(underWay);
  }
}

async function moveOne(to: BlobStore, from: BlobStore, name: string, add: (bytes: number) => void): Promise<void> {
  const bytes = await unlessMissing(from.read(name));
  if (!bytes) return;
  const staged = await to.stage(bytes, Infinity);
  await to.keep(staged, name);
  // It may have been removed from both while it was nowhere but on the way.
  if ((await from.size(name)) === undefined) await to.remove(name);
  await from.remove(name);
  add(staged.size);
}
