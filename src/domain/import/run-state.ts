import type { Selectable } from "kysely";
import { missing, refusal } from "../../errors.ts";
import { now } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import type { ImportRunTable } from "../../storage/tables/records.ts";
import type { Mode } from "./channel/core-types.ts";
import { emptyReport } from "./report.ts";
import type { Report } from "./report.ts";
import { storedJson } from "../../stored-json.ts";

/** What the owner chose. */
export type ImportOptions = {
  mode: Mode;
  /** Empty: the old one. */
  nick: string;
  /** Posts and comments too, and from another hub its files. */
  posts: boolean;
};

/** Where another hub is asked; the password is forgotten when the import is over and the hub knows of it. */
export type OldHub = { url: string; login: string; password: string };

export type Progress = {
  /** The part that is all or nothing is done. */
  core: boolean;
  /** Names of the short sections that are done. */
  short: string[];
  /** How many rows of the long sections are done, in this pass. */
  position: number;
  total: number;
  /** 2: only comments whose threads came after them. */
  pass: 1 | 2;
  /** How many rows wait for the second pass. */
  held: number;
};

/** Where an import stands. */
export type RunState = "running" | "done" | "failed";

/** An import as it stands. */
export type ImportRun = {
  id: number;
  accountId: number;
  channelId: number;
  state: RunState;
  /** Name of the file, or address of the hub. */
  source: string;
  options: ImportOptions & { oldHub?: OldHub };
  progress: Progress;
  report: Report;
  blob: string;
  created: string;
  updated: string;
};

/** Notes a new import; part of the transaction that starts it. */
export async function insertRun(
  hub: Hub,
  run: Pick<ImportRun, "accountId" | "source" | "options" | "blob">,
): Promise<ImportRun> {
  const created = now(hub);
  const progress: Progress = { core: false, short: [], position: 0, total: 0, pass: 1, held: 0 };
  const row = await hub.db
    .insertInto("import_run")
    .values({
      account_id: run.accountId,
      state: "running",
      source: run.source,
      options: JSON.stringify(run.options),
      progress: JSON.stringify(progress),
      report: JSON.stringify(emptyReport()),
      blob: run.blob,
      created,
      updated: created,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return runOf(row);
}

/** One import. Throws missing. */
export async function loadRun(hub: Hub, id: number): Promise<ImportRun> {
  const row = await hub.db.selectFrom("import_run").selectAll().where("id", "=", id).executeTakeFirst();
  if (!row) throw missing("Import");
  return runOf(row);
}

/** How many imports of an account are listed, and kept. */
export const listed = 10;

/** The last imports of an account, the newest first. */
export async function listRuns(hub: Hub, accountId: number): Promise<ImportRun[]> {
  const rows = await hub.db
    .selectFrom("import_run")
    .selectAll()
    .where("account_id", "=", accountId)
    .orderBy("id", "desc")
    .limit(listed)
    .execute();
  return rows.map(runOf);
}

/**
 * Writes how far the import has come; in the transaction that writes the rows themselves. Throws conflict when somebody
 * has ended it meanwhile: then those rows are not written either.
 */
export async function saveRun(hub: Hub, run: ImportRun): Promise<void> {
  const { numUpdatedRows } = await hub.db
    .updateTable("import_run")
    .set({
      channel_id: run.channelId,
      state: run.state,
      options: JSON.stringify(run.options),
      progress: JSON.stringify(run.progress),
      report: JSON.stringify(run.report),
      blob: run.blob,
      updated: now(hub),
    })
    .where("id", "=", run.id)
    .where("state", "=", "running")
    .executeTakeFirstOrThrow();
  if (numUpdatedRows === 0n) throw refusal("import_given_up");
}

/** Writes what became of an import after its end. */
export async function closeRun(hub: Hub, { id, options, report }: ImportRun): Promise<void> {
  await hub.db
    .updateTable("import_run")
    .set({ options: JSON.stringify(options), report: JSON.stringify(report), updated: now(hub) })
    .where("id", "=", id)
    .execute();
}

/** The options without the password of the old hub. */
export function withoutPassword({ oldHub, ...options }: ImportRun["options"]): ImportRun["options"] {
  return oldHub ? { ...options, oldHub: { ...oldHub, password: "" } } : options;
}

function runOf(row: Selectable<ImportRunTable>): ImportRun {
  return {
    id: row.id,
    accountId: row.account_id,
    channelId: row.channel_id,
    state: row.state as RunState,
    source: row.source,
    options: storedJson<ImportRun["options"]>(row.options),
    progress: storedJson<Progress>(row.progress),
    report: storedJson<Report>(row.report),
    blob: row.blob,
    created: row.created,
    updated: row.updated,
  };
}
