import { createReadStream } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { pipeline } from "node:stream/promises";
import { missing } from "../../errors.ts";
import { partialEnding, writeWhole } from "../whole-file.ts";
import type { Place, PlacedFile } from "./place.ts";

/** A folder, which has to be there: what is not mounted is not filled. */
export function folderPlace(folder: string): Place {
  return {
    async put(name, bytes) {
      await stat(folder);
      const file = join(folder, name);
      await mkdir(dirname(file), { recursive: true, mode: 0o700 });
      await writeWhole(file, (target) => pipeline(bytes, target));
    },
    async read(name) {
      const file = join(folder, name);
      await stat(file).catch(() => {
        throw missing("File");
      });
      return createReadStream(file);
    },
    list: (prefix) => listFolder(folder, prefix),
    remove: (name) => rm(join(folder, name), { force: true }),
    async sweep(prefix, before) {
      for await (const { name, since } of listFolder(folder, prefix))
        if (name.endsWith(partialEnding) && since < before) await rm(join(folder, name), { force: true });
    },
  };
}

async function* listFolder(folder: string, prefix: string): AsyncGenerator<PlacedFile> {
  const above = join(folder, dirname(`${prefix}x`));
  const found = await readdir(above, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of found) {
    const name = relative(folder, join(entry.parentPath, entry.name));
    const file = entry.isFile() && name.startsWith(prefix) && (await stat(join(folder, name)).catch(() => undefined));
    if (file) yield { name, since: file.mtime, size: file.size };
  }
}
