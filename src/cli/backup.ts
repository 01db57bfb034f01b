import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Hub } from "../hub.ts";
import { migrationSteps } from "../storage/database.ts";
import { version as program } from "../version.ts";
import { version } from "./archive/format.ts";
import { writeArchive } from "./archive/write.ts";
import { command } from "./command.ts";
import { withHub } from "./with-hub.ts";

export const commands = [
  command({
    name: "backup",
    summary: "write database and files to one file, also while the hub runs",
    arguments: { to: "the file, or a folder where a file named after the time is made" },
    run: (call, { to }) => withHub(call, (hub) => backUp(hub, to)),
    print: ({ file, rows, blobs, bytes }) => `${file}: ${sum(rows)} rows and ${blobs} files in ${bytes} bytes.`,
  }),
];

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
