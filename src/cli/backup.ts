import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Hub } from "../hub.ts";
import { migrationSteps } from "../storage/database.ts";
import { version as program } from "../version.ts";
import { version } from "./archive/format.ts";
import { openArchive, verifyArchive } from "./archive/read.ts";
import { writeArchive } from "./archive/write.ts";
import { command } from "./command.ts";
import { withFiles } from "./with-hub.ts";

export const commands = [
  command({
    name: "backup",
    summary: "write database and files to one file, also while the hub runs",
    arguments: { to: "the file, or a folder where a file named after the time is made" },
    options: { verify: { meaning: "write nothing: read the backup that is there to its end" } },
    run: (call, { to, verify }) => (verify ? readThrough(to) : withFiles(call, (hub) => backUp(hub, to))),
    print: ({ file, rows, blobs, bytes, missing }) =>
      `${file}: ${sum(rows)} rows and ${blobs} files in ${bytes} bytes.${missing > 0 ? missed(missing) : ""}`,
  }),
];

function missed(missing: number): string {
  return `\nBeware: ${missing} files that the database speaks of are not there; \`hubbub files check\` names them.`;
}

async function readThrough(file: string) {
  const archive = await openArchive(file);
  const { program, created, base_url } = archive.header;
  const counts = await verifyArchive(archive);
  return { file, bytes: (await stat(file)).size, ...counts, missing: 0, program, created, base_url };
}

async function backUp(hub: Hub, to: string) {
  const created = hub.clock().toISOString();
  const file = await fileFor(to, created);
  const steps = await migrationSteps(hub.db, hub.engine);
  const migration = steps.findLast((step) => step.taken)!.name;
  const counts = await writeArchive(
    hub,
    { hubbub_backup: version, program, created, base_url: hub.config.baseUrl, migration },
    file,
  );
  return { file, bytes: (await stat(file)).size, ...counts };
}

async function fileFor(to: string, created: string): Promise<string> {
  const found = await stat(to).catch(() => undefined);
  const name = `hubbub-${created.slice(0, 19).replaceAll(/[^\dT]/g, "")}.backup.gz`;
  return resolve(found?.isDirectory() ? join(to, name) : to);
}

function sum(rows: Record<string, number>): number {
  return Object.values(rows).reduce((total, count) => total + count, 0);
}
