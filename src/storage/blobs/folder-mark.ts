import { randomUUID } from "node:crypto";
import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Mark } from "./mark.ts";

/** The mark of a data folder, in a file. */
export function folderMark(folder: string): Mark {
  const [settled, offered] = [join(folder, "hubbub-id"), join(folder, "hubbub-id.new")];
  return {
    place: folder,
    read: () => read(settled),
    async offer(id = randomUUID()) {
      await mkdir(folder, { recursive: true, mode: 0o700 });
      return offer(settled, offered, id);
    },
    async settle(id) {
      if ((await read(offered)) === id) await rename(offered, settled).catch(unlessThere);
      return (await read(settled)) === id;
    },
    withdraw: () => rm(offered, { force: true }),
    async remove() {
      for (const file of [offered, settled]) await rm(file, { force: true });
    },
  };
}

async function offer(settled: string, offered: string, id: string): Promise<string> {
  const draft = `${offered}-${randomUUID()}`;
  await writeFile(draft, `${id}\n`, { flush: true });
  // Whoever comes second takes what the first one wrote.
  await link(draft, offered).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rm(draft);
  return (await read(offered)) ?? (await read(settled)) ?? offer(settled, offered, id);
}

async function read(file: string): Promise<string | undefined> {
  const text = (await readFile(file, "utf8").catch(unlessThere)) ?? "";
  return text.trim() || undefined;
}

function unlessThere(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
