import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The link to the administrator's account, as a file in the data folder that only its owner reads. */

function fileIn(folder: string): string {
  return join(folder, "setup-link");
}

/** Writes the link and answers the path of the file. */
export async function keepSetupLink(folder: string, link: string): Promise<string> {
  const file = fileIn(folder);
  // An older file keeps the rights that it has.
  await rm(file, { force: true });
  await writeFile(file, `${link}\n`, { mode: 0o600 });
  return file;
}

/** Removes the file once the link is of no use. */
export async function dropSetupLink(folder: string): Promise<void> {
  await rm(fileIn(folder), { force: true });
}
