import { stat } from "node:fs/promises";
import { basename } from "node:path";
import { randomUUID } from "node:crypto";
import { missing, refusal } from "../../errors.ts";
import { keptForm } from "../../refusals/messages.ts";
import { inTransaction } from "../../hub.ts";
import type { Hub, Staged } from "../../hub.ts";
import { addJob } from "../../jobs/queue.ts";
import { fromSqlDate } from "../../storage/sql.ts";
import { keepBlobs } from "../files/blobs.ts";
import type { Report } from "./report.ts";
import { insertRun, listRuns, loadRun, saveRun } from "./run-state.ts";
import type { ImportOptions, ImportRun, OldHub } from "./run-state.ts";
import type { Kept } from "./sources/hub-source.ts";
import type { Source } from "./sources/source.ts";

// What does the work is large and seldom needed, so it is loaded where it is called.

/** The import of an upload, to be done by the job `run-import`. */
export async function startUploadedImport(
  hub: Hub,
  accountId: number,
  file: { staged: Staged; filename: string },
  options: ImportOptions,
): Promise<ImportRun> {
  const blob = randomUUID().replaceAll("-", "");
  await keepBlobs(hub, [{ name: blob, bytes: file.staged }]);
  return start(hub, { accountId, source: file.filename, options, blob });
}

/** The import from another hub, to be done by the job `run-import`. Throws invalid for an address that is none. */
export async function startHubImport(
  hub: Hub,
  accountId: number,
  oldHub: OldHub,
  options: ImportOptions,
): Promise<ImportRun> {
  const url = readHubUrl(oldHub.url);
  const source = { ...oldHub, url };
  return start(hub, { accountId, source: url, options: { ...options, oldHub: source }, blob: "" });
}

async function start(hub: Hub, run: Pick<ImportRun, "accountId" | "source" | "options" | "blob">): Promise<ImportRun> {
  return inTransaction(hub, async (hub) => {
    const running = (await listRuns(hub, run.accountId)).filter((one) => one.state === "running");
    for (const one of running) {
      if (await isUnderWay(hub, one)) throw refusal("import_under_way");
      await giveUpImport(hub, run.accountId, one.id);
    }
    const started = await insertRun(hub, run);
    await addJob(hub, "run-import", { run: started.id }, { lane });
    return started;
  });
}

/** So long a command may be silent before its import counts as given up (milliseconds). */
const silence = 3600 * 1000;

/** Does anybody still work on it: a job that is tried again, or a command? */
async function isUnderWay(hub: Hub, run: ImportRun): Promise<boolean> {
  const job = await hub.db
    .selectFrom("job")
    .select("dead")
    .where("name", "=", "run-import")
    .where("payload", "=", JSON.stringify({ run: run.id }))
    .orderBy("dead")
    .executeTakeFirst();
  if (job) return job.dead === 0;
  return hub.clock().getTime() - fromSqlDate(run.updated).getTime() < silence;
}

/** The address of another hub in its plain form. Throws invalid. */
export function readHubUrl(text: string): string {
  const given = text.trim();
  const url = URL.canParse(given)
    ? new URL(given)
    : URL.canParse(`https://${given}`)
      ? new URL(`https://${given}`)
      : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.hostname === "")
    throw refusal("not_a_hub_address");
  return url.origin;
}

/** Imports take turns with each other, and leave the other places of the worker to other jobs. */
const lane = "imports";

/** How long one turn of the job lasts at the least, from its first rows on. */
const turnMilliseconds = 5000;

/** The job behind imports from the web: works for a while, then lets others have their turn. May run twice. */
export async function continueImport(hub: Hub, runId: number): Promise<void> {
  const run = await loadRun(hub, runId);
  if (run.state !== "running") return;
  const { checkOwner, failRun, isFinal, runImport } = await import("./run.ts");
  try {
    // An old hub is not asked in the name of somebody who is gone here.
    await checkOwner(hub, run);
    if (!(await runImport(hub, runId, await sourceOf(hub, run), { pause: endOfTurn() })))
      await addJob(hub, "run-import", { run: runId }, { lane });
  } catch (error) {
    // What the whole import is refused for stands in its report; trying again would not help.
    if (!isFinal(error)) throw error;
    await failRun(hub, await loadRun(hub, runId), keptForm(error));
    hub.log.info("Import {run} was refused: {error}", { run: runId, error });
  }
}

/**
 * Is the turn over? What was done in earlier turns has to be read over again first, so there is at least as much time for
 * what is new: else a long import would spend most of its time on that.
 */
export function endOfTurn(): () => boolean {
  const began = performance.now();
  let end: number | undefined;
  return () => {
    const moment = performance.now();
    end ??= moment + Math.max(turnMilliseconds, moment - began);
    return moment > end;
  };
}

/** The job that tells an old hub of a move once more. */
export async function leaveOldHubAgain(hub: Hub, job: { run: number; nick: string; attempt: number }): Promise<void> {
  const { leaveAgain } = await import("./leave.ts");
  await leaveAgain(hub, job);
}

async function sourceOf(hub: Hub, run: ImportRun): Promise<Source> {
  if (run.options.oldHub) return remoteSource(hub, run, run.options.oldHub);
  const { blobSource } = await import("./sources/file-source.ts");
  return blobSource(hub, run.blob);
}

async function sourceIn(file: string): Promise<Source> {
  const { fileSource } = await import("./sources/file-source.ts");
  return fileSource(file);
}

/** Another hub; what is fetched once is kept with the run. */
async function remoteSource(hub: Hub, run: ImportRun, oldHub: OldHub): Promise<Source> {
  const { hubSource } = await import("./sources/hub-source.ts");
  const keep = (blob: string): Promise<void> => saveRun(hub, Object.assign(run, { blob }));
  return hubSource(hub, oldHub, { blob: run.blob, ...wantedOf(run.options), keep });
}

function wantedOf({ posts, mode }: ImportOptions): Pick<Kept, "posts" | "waiting"> {
  return { posts, waiting: mode === "moving" };
}

/** Where the operator's import comes from: a file of this machine, or another hub. */
export type Origin = { file: string } | OldHub;

/**
 * Imports while the operator waits. One from the same place that was cut off goes on where it was. Answers it at its end.
 * Throws what refuses the whole.
 */
export async function importNow(
  hub: Hub,
  accountId: number,
  origin: Origin,
  options: ImportOptions,
  watch: (run: ImportRun) => void,
): Promise<ImportRun> {
  const source = await nameOf(origin);
  const begun = (await listRuns(hub, accountId)).find((run) => isSame(run, source, options));
  const asked = "file" in origin ? options : { ...options, oldHub: origin };
  const run = begun ?? (await insertRun(hub, { accountId, source, options: asked, blob: "" }));
  const from = "file" in origin ? await sourceIn(origin.file) : await remoteSource(hub, run, origin);
  const { runImport } = await import("./run.ts");
  await runImport(hub, run.id, from, { watch });
  return loadRun(hub, run.id);
}

/** What the operator's import would do; nothing is written. */
export async function tryImport(hub: Hub, accountId: number, origin: Origin, options: ImportOptions): Promise<Report> {
  const { checkImport } = await import("./check.ts");
  if ("file" in origin) return checkImport(hub, accountId, await sourceIn(origin.file), options);
  const { hubSource } = await import("./sources/hub-source.ts");
  let fetched = "";
  const keep = (blob: string): Promise<void> => Promise.resolve(void (fetched = blob));
  try {
    const source = await hubSource(hub, origin, { blob: "", ...wantedOf(options), keep });
    return await checkImport(hub, accountId, source, { ...options, oldHub: origin });
  } finally {
    if (fetched !== "") await hub.blobs.remove(fetched);
  }
}

/** A file that has changed since is another one. */
async function nameOf(origin: Origin): Promise<string> {
  if (!("file" in origin)) return origin.url;
  const { size, mtimeMs } = await stat(origin.file);
  return `${basename(origin.file)} (${size} bytes, ${new Date(mtimeMs).toISOString()})`;
}

function isSame(run: ImportRun, source: string, { mode, nick, posts }: ImportOptions): boolean {
  const { options } = run;
  const alike = options.mode === mode && options.nick === nick && options.posts === posts;
  return run.state === "running" && run.source === source && alike;
}

/** The account's import with this number. Throws missing. */
export async function findImport(hub: Hub, accountId: number, id: number): Promise<ImportRun> {
  const run = await loadRun(hub, id);
  if (run.accountId !== accountId) throw missing("Import");
  return run;
}

/** Gives an import up; what it has written so far stays. */
export async function giveUpImport(hub: Hub, accountId: number, id: number): Promise<void> {
  const run = await findImport(hub, accountId, id);
  const { failRun } = await import("./run.ts");
  if (run.state === "running") await failRun(hub, run, "You gave it up; what was imported until then is here.");
}

/** The account's last imports, the newest first. */
export async function listImports(hub: Hub, accountId: number): Promise<ImportRun[]> {
  return listRuns(hub, accountId);
}
