import { randomUUID } from "node:crypto";
import { link, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The mark by which a data folder is known to its database: a random id in a file. */

const settled = "hubbub-id";
const offered = "hubbub-id.new";

/** The mark of the folder, if it has one. */
export async function readMark(folder: string): Promise<string | undefined> {
  return read(join(folder, settled));
}

/** A mark for a folder that has none, not valid before `settleMark`; the same one when it was offered before. */
export async function offerMark(folder: string): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const [file, draft] = [join(folder, offered), join(folder, `${offered}-${randomUUID()}`)];
  await writeFile(draft, `${randomUUID()}\n`, { flush: true });
  // Whoever comes second takes what the first one wrote.
  await link(draft, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  await rm(draft);
  return (await read(file)) ?? (await readMark(folder)) ?? offerMark(folder);
}

/** Makes the offered mark the folder's; harmless when somebody else has done it. */
export async function settleMark(folder: string): Promise<void> {
  await rename(join(folder, offered), join(folder, settled)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
}

/** Takes back an offer that nobody has settled. */
export async function withdrawMark(folder: string): Promise<void> {
  await rm(join(folder, offered), { force: true });
}

/** Takes the mark away: the folder belongs to no database until it gets another one. */
export async function removeMark(folder: string): Promise<void> {
  await rm(join(folder, settled), { force: true });
}

async function read(file: string): Promise<string | undefined> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
  return text.trim() || undefined;
}
