import { randomUUID } from "node:crypto";
import { access, constants, rm, stat, statfs, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Config } from "../../config/config.ts";
import { blobFolder } from "../../storage/blobs/open.ts";
import { compareClocks } from "./database.ts";
import { failed, ok, warning } from "./finding.ts";
import type { Finding } from "./finding.ts";

const megabyte = 1024 * 1024;

/** Can the hub write its files and nobody else read them, is there room, does the file system's clock agree? Folders that are missing stay so. */
export async function checkFolders(config: Config): Promise<Finding[]> {
  const { dataDir, database } = config;
  const existing = await nearestFolder(dataDir);
  return [
    await checkFolder("data folder", dataDir),
    ...(config.blobs.at.kind === "directory" ? [await checkFolder("blobs", blobFolder(config))] : []),
    await checkPrivacy(dataDir, database),
    await checkRoom(existing),
    ...(await checkClock(existing)),
  ];
}

async function checkFolder(check: string, folder: string): Promise<Finding> {
  const existing = await nearestFolder(folder);
  const advice = `Give the user of the hub the right to write to ${existing}.`;
  const writable = await access(existing, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (!writable) return failed(check, `${existing} cannot be written`, advice);
  return ok(check, existing === folder ? folder : `${folder} will be made`);
}

/** Passwords, private keys and private posts are nobody's business but the hub's. */
async function checkPrivacy(dataDir: string, database: Config["database"]): Promise<Finding> {
  const check = "privacy of the data";
  const file = database.engine === "sqlite" ? database.file : undefined;
  // Who cannot enter the folder cannot read what is in it.
  const inside = file !== undefined && dirname(file) === dataDir;
  const open = [];
  for (const path of inside || file === undefined ? [dataDir] : [dataDir, file]) {
    const found = await stat(path).catch(() => undefined);
    if (found && (found.mode & 0o077) !== 0) open.push(path);
  }
  if (open.length === 0) return ok(check, "nobody but their owner can read them");
  return warning(
    check,
    `others on this machine may look into ${open.join(" and ")}`,
    `Run: chmod -R go= ${open.join(" ")}`,
  );
}

async function checkRoom(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(folder);
  const free = Math.floor((bavail * bsize) / megabyte);
  const found = `${free} MB free`;
  if (free < 50) return failed("disk", found, "Make room: without it nothing can be saved.");
  return free < 1024 ? warning("disk", found, "Make room soon.") : ok("disk", found);
}

/** A file on another machine gets that machine's time. */
async function checkClock(folder: string): Promise<Finding[]> {
  const file = join(folder, `.hubbub-doctor-${randomUUID()}`);
  try {
    await writeFile(file, "");
    const { mtimeMs } = await stat(file);
    return [compareClocks("clock of the disk", mtimeMs / 1000, Date.now() / 1000)];
  } catch {
    return [];
  } finally {
    await rm(file, { force: true });
  }
}

/** The folder itself, or the one above it that is there. */
async function nearestFolder(folder: string): Promise<string> {
  const found = await stat(folder).catch(() => undefined);
  const above = dirname(folder);
  return found || above === folder ? folder : nearestFolder(above);
}
