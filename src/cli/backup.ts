import { readFile, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pipeline } from "node:stream/promises";
import { backUpTo, stampOf } from "../domain/backups/back-up.ts";
import { versions } from "../domain/backups/format.ts";
import { makeSealKey } from "../domain/backups/seal.ts";
import { inside, writeBackup } from "../domain/backups/write.ts";
import type { Hub } from "../hub.ts";
import { writeWhole } from "../storage/whole-file.ts";
import { openPlace } from "../storage/places/open.ts";
import { sizeIn } from "../storage/places/place.ts";
import { placeIn, shownIn } from "./archive/locate.ts";
import { openArchive } from "./archive/read.ts";
import { verifyArchive } from "./archive/verify.ts";
import { command } from "./command.ts";
import { CommandError } from "./error-message.ts";
import { withFiles } from "./with-hub.ts";

export const backupsFrom = "the file that backup has written; of a folder, or an address on S3, the newest one there";

/** An option of whatever reads backups. */
export const identityOption = { meaning: "file with the private half of the key that seals backups", value: "file" };

export const commands = [
  command({
    name: "backup",
    summary: "write database and files to one file, also while the hub runs",
    arguments: {
      to: "the file, or a folder where a file named after the time is made; with --beside also s3://BUCKET/PREFIX",
    },
    options: { beside: { meaning: "write only files that the place does not have yet, beside the database" } },
    run: (call, { to, beside }) => withFiles(call, (hub) => (beside ? backUpBeside(hub, to) : backUp(hub, to))),
    print: ({ file, rows, blobs, bytes, missing }) =>
      `${file}: ${sum(rows)} rows and ${blobs} files in ${bytes} bytes.${missing > 0 ? missed(missing) : ""}`,
  }),
  command({
    name: "backup verify",
    summary: "restore a backup into a database that is thrown away, and compare; needs no hub",
    arguments: { from: backupsFrom },
    options: { identity: identityOption },
    run: (_call, { from, identity }) => verify(from, identity),
    print: ({ file, rows, blobs, base_url, created }) =>
      `${file} is whole: ${sum(rows)} rows and ${blobs} files of ${base_url}, from ${created}.`,
  }),
  command({
    name: "backup key",
    summary: "make a key that seals backups: HUBBUB_BACKUP_KEY, and the private half, which the hub never sees",
    run: () => makeSealKey(),
    print: ({ identity, key }) =>
      `# Keep this line away from the hub: backups cannot be read without it.\n${identity}\n# HUBBUB_BACKUP_KEY=${key}`,
  }),
];

function missed(missing: number): string {
  return `\nBeware: ${missing} files that the database speaks of are not there; \`hubbub files check\` names them.`;
}

async function verify(from: string, identity: string | undefined) {
  const archive = await openArchive(from, await readIdentities(identity));
  const { program, created, base_url } = archive.header;
  const counts = await verifyArchive(archive);
  return { file: archive.from, bytes: archive.size, ...counts, program, created, base_url };
}

/** The identities in a file as `age-keygen` and `backup key` write it. */
export async function readIdentities(file: string | undefined): Promise<string[]> {
  if (file === undefined) return [];
  const lines = (await readFile(file, "utf8")).split("\n").map((line) => line.trim());
  const found = lines.filter((line) => /^AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]+$/.test(line));
  if (found.length === 0) throw new CommandError(`${file} has no line that begins with AGE-SECRET-KEY-1.`);
  return found;
}

async function backUp(hub: Hub, to: string) {
  const created = hub.clock().toISOString();
  const file = await fileFor(hub, to, created);
  const written = await writeBackup(hub, { version: versions.whole, created, take: inside }, (bytes) =>
    writeWhole(file, (target) => pipeline(bytes, target)),
  );
  return { file, bytes: (await stat(file)).size, ...written };
}

async function backUpBeside(hub: Hub, to: string) {
  const at = placeIn(to);
  const place = openPlace(at);
  const { name, ...written } = await backUpTo(hub, place);
  return { file: shownIn(at, name), bytes: await sizeIn(place, name), ...written };
}

async function fileFor({ config }: Hub, to: string, created: string): Promise<string> {
  const found = await stat(to).catch(() => undefined);
  const name = `hubbub-${stampOf(created)}.backup.gz${config.backups.key === undefined ? "" : ".age"}`;
  return resolve(found?.isDirectory() ? join(to, name) : to);
}

function sum(rows: Record<string, number>): number {
  return Object.values(rows).reduce((total, count) => total + count, 0);
}
