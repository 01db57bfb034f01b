import { mkdir, open, opendir, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { folderMark } from "./folder-mark.ts";
import { readFileAt, readFileFrom, refuse, stagingIn } from "./staging.ts";
import type { BlobStore, Staged } from "./store.ts";

/** Blobs as files in a folder of the data folder, which has the mark. */
export function directoryBlobs(dataDir: string): BlobStore {
  const folder = join(dataDir, "blobs");
  const staging = stagingIn(join(folder, "staging"));
  const path = (name: string | Staged): string =>
    typeof name === "string" ? join(folder, "kept", name.slice(0, 2), name) : staging.path(name);
  return {
    stage: staging.stage,
    sweep: staging.sweep,
    keep: (staged, name) => keep(path(staged), path(name)).catch(refuse),
    read: (name, start = 0, length) => readFileFrom(path(name), start, length),
    readAt: (name, start, length) => readFileAt(path(name), start, length),
    size: (name) => stat(path(name)).then(({ size }) => size, unlessThere),
    kept: () => listKept(join(folder, "kept")),
    setAside: (name) => keep(path(name), join(folder, "aside", name)).catch(refuse),
    remove: (name) => rm(path(name), { force: true }),
    address: () => Promise.resolve(undefined),
    origin: undefined,
    mark: folderMark(dataDir),
  };
}

async function keep(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await rename(from, to);
  await flush(dirname(to));
}

function unlessThere(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}

async function* listKept(kept: string): AsyncGenerator<{ name: string; since: Date }> {
  for (const part of await readdir(kept).catch(() => []))
    for await (const { name } of await opendir(join(kept, part))) {
      // A running hub may have removed it since.
      const found = await stat(join(kept, part, name)).catch(unlessThere);
      if (found) yield { name, since: found.mtime };
    }
}

/** A rename is durable once the folder itself is on disk. */
async function flush(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
