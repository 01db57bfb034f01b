import type { Writable } from "node:stream";
import { checkFiles } from "../domain/files/check-files.ts";
import type { FilesReport } from "../domain/files/check-files.ts";
import { adoptFolder } from "../domain/files/own-folder.ts";
import type { Hub } from "../hub.ts";
import { moveBlobs } from "../storage/blobs/open.ts";
import type { Moved } from "../storage/blobs/open.ts";
import { takeHold } from "../storage/hold.ts";
import { command } from "./command.ts";
import { CommandError } from "./error-message.ts";
import { withFiles, withHub } from "./with-hub.ts";

export const commands = [
  command({
    name: "files check",
    summary: "compare what the database says of files with the files that are there",
    options: { repair: { meaning: "put unknown files aside and note lost ones" } },
    run: (call, { repair }) =>
      withFiles(call, (hub) => checkFiles(hub, { repair: repair === true, tell: tell(process.stderr) })),
    print: describe,
    failed: ({ lost, unknown, aside }) => lost.count > 0 || unknown.count > aside,
  }),
  command({
    name: "files adopt",
    summary: "make this blob store (or data folder) and this database a pair, whatever they belonged to",
    run: (call) =>
      withHub(call, async (hub) => {
        const hold = await takeHold(hub.config.database, "alone");
        if (!hold)
          throw new CommandError("A hub is running on this database: stop it (every `serve` and `work`) first.");
        try {
          await adoptFolder(hub);
          return { folder: hub.blobs.mark.place };
        } finally {
          await hold.release();
        }
      }),
    print: ({ folder }) => `${folder} belongs to this database now. \`hubbub files check\` says what it lacks.`,
  }),
  command({
    name: "files move",
    summary: "move files from HUBBUB_BLOBS_FROM_URL to HUBBUB_BLOBS_URL while hubs with both serve",
    run: (call) => withFiles(call, move),
    print: ({ blobs, bytes, to, from }) =>
      `${blobs} files with ${bytes} bytes are in ${to} now, and ${from} has none. HUBBUB_BLOBS_FROM_URL is not needed any more.`,
  }),
];

async function move({ config }: Hub) {
  if (!config.blobs.from)
    throw new CommandError("HUBBUB_BLOBS_FROM_URL has to say where the files are that are to be moved.");
  return moveBlobs(config, progressOfMove(process.stderr));
}

function describe({ named, kept, lost, unknown, aside }: FilesReport): string {
  const lines = [
    `The database speaks of ${named} files, ${kept} are there.`,
    ...lost.first.map(({ blob, files }) => `lost: ${blob} (${files.join("; ") || "of nobody's files or photos"})`),
    ...more(lost),
    ...unknown.first.map((name) => `unknown: ${name}`),
    ...more(unknown),
  ];
  if (lost.count === 0 && unknown.count === 0) lines.push("All is as it should be.");
  if (aside > 0) lines.push(`${aside} unknown files are in aside, beside kept; remove them when nobody misses them.`);
  return lines.join("\n");
}

function more({ count, first }: { count: number; first: readonly unknown[] }): string[] {
  return count > first.length ? [`and ${count - first.length} more`] : [];
}

function tell(to: Writable): (report: FilesReport) => void {
  return onceASecond<FilesReport>(to, ({ named, kept, lost, unknown }) => {
    return `${named} of the database's, ${kept} of the store's; ${lost.count} lost, ${unknown.count} unknown`;
  });
}

function progressOfMove(to: Writable): (moved: Moved) => void {
  return onceASecond<Moved>(to, ({ blobs, bytes }) => `${blobs} files with ${bytes} bytes`);
}

/** Says how far it is, but not too often. */
function onceASecond<T>(to: Writable, line: (state: T) => string): (state: T) => void {
  let next = performance.now() + 1000;
  return (state) => {
    if (performance.now() < next) return;
    next = performance.now() + 1000;
    to.write(`${line(state)}\n`);
  };
}
