import { createReadStream } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { missing } from "../../errors.ts";
import { writeWhole } from "../../storage/whole-file.ts";

/** Where backups are kept: files by name, which have slashes in them. */
export type Place = {
  /** Writes a file; it is there when it is whole. */
  put(name: string, bytes: Readable): Promise<void>;
  /** Throws missing. */
  read(name: string): Promise<Readable>;
  /** All files whose names begin so, and since when each is there. */
  list(prefix: string): AsyncIterable<{ name: string; since: Date }>;
  /** Harmless when it is gone. */
  remove(name: string): Promise<void>;
};

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
    async *list(prefix) {
      const found = await readdir(join(folder, dirname(`${prefix}x`)), { recursive: true, withFileTypes: true }).catch(
        () => [],
      );
      for (const entry of found) {
        const name = relative(folder, join(entry.parentPath, entry.name));
        const file =
          entry.isFile() && name.startsWith(prefix) && (await stat(join(folder, name)).catch(() => undefined));
        if (file) yield { name, since: file.mtime };
      }
    },
    remove: (name) => rm(join(folder, name), { force: true }),
  };
}
