import type { Selectable } from "kysely";
import { missing, refusal } from "../../../errors.ts";
import { inTransaction, now } from "../../../hub.ts";
import type { Hub, Staged } from "../../../hub.ts";
import type { ListImportTable } from "../../../storage/tables/records.ts";
import { readBlob } from "../../files/blobs.ts";
import type { Channel } from "../../identity/channels/channel.ts";
import { lockChannels } from "../../identity/channels/lock-channels.ts";
import { nameFormer } from "../../identity/channels/moved.ts";
import { namesThatAreSo } from "./already-so.ts";
import { goThroughSoon, keepList } from "./keep-list.ts";
import { mostBytes, readList, storedKind } from "./read-list.ts";
import type { FileKind, ListKind } from "./read-list.ts";

/** `read`: nothing has begun. `dismissed`: its owner does not want to see it any more, but what others were asked for it still counts. */
type ListState = "read" | "running" | "done" | "stopped" | "dismissed";
export type EntryState = "waiting" | "done" | "there" | "failed" | "unusable";

/**
 * A list that a channel has brought along, in a file or with all that it has; `goesOn` is when it goes on, if it waits for that, and
 * `former` the id of the channel where those followed it who are on it.
 */
export type ListImport = {
  id: number;
  kind: ListKind;
  state: ListState;
  filename: string;
  created: string;
  goesOn: string;
  former: string;
};
export type ListEntry = { id: number; name: string; reason: string };

const mostLists = 20;

/**
 * Reads a list for the channel and keeps what it names; nothing else happens before `startList`. Throws what `readList` throws, and
 * denied for more lists than anybody has.
 */
export async function takeList(
  hub: Hub,
  { channel_id: uid }: Channel,
  file: { staged: Staged; filename: string } | undefined,
  kind: FileKind | undefined,
): Promise<number> {
  if (!file) throw refusal("list_file_missing");
  if (file.staged.size > mostBytes) throw refusal("list_file_too_large", { most: mostBytes });
  const { filename } = file;
  const read = await readList(await readBlob(hub, file.staged), { filename, kind });
  const areSo = await namesThatAreSo(hub, uid, read);
  const entries = [
    ...read.names.map((name) => ({ name, state: areSo.has(name.toLowerCase()) ? "there" : "waiting" })),
    ...read.unusable.map((name) => ({ name, state: "unusable" })),
  ];
  return inTransaction(hub, async (hub) => {
    await lockChannels(hub, [uid]);
    if ((await countLists(hub, uid)) >= mostLists) throw refusal("lists_full", { most: mostLists });
    return keepList(hub, uid, { kind: read.kind, state: "read", filename: filename.slice(0, 200) }, entries);
  });
}

async function countLists(hub: Hub, uid: number): Promise<number> {
  const { count } = await hub.db
    .selectFrom("list_import")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("uid", "=", uid)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The channel's lists, the newest first. */
export async function listLists(hub: Hub, uid: number): Promise<ListImport[]> {
  const rows = await listsOf(hub, uid).orderBy("id", "desc").execute();
  return rows.map(listOf);
}

/** One list of the channel. Throws missing. */
export async function findList(hub: Hub, uid: number, id: number): Promise<ListImport> {
  const row = await listsOf(hub, uid).where("id", "=", id).executeTakeFirst();
  if (!row) throw missing("Import");
  return listOf(row);
}

function listsOf(hub: Hub, uid: number) {
  return hub.db.selectFrom("list_import").selectAll().where("uid", "=", uid).where("state", "!=", "dismissed");
}

function listOf(row: Selectable<ListImportTable>): ListImport {
  const { id, filename, created, goes_on: goesOn, former } = row;
  return { id, kind: storedKind(row.kind), state: row.state as ListState, filename, created, goesOn, former };
}

/** How many entries of a list are in which state. */
export async function countEntries(hub: Hub, list: number): Promise<Record<EntryState, number>> {
  const rows = await hub.db
    .selectFrom("list_import_entry")
    .select(["state", (eb) => eb.fn.countAll<number>().as("count")])
    .where("list_id", "=", list)
    .groupBy("state")
    .execute();
  const count = (state: EntryState): number => Number(rows.find((row) => row.state === state)?.count ?? 0);
  return {
    waiting: count("waiting"),
    done: count("done"),
    there: count("there"),
    failed: count("failed"),
    unusable: count("unusable"),
  };
}

/** Some of the entries of a list that are in this state, as they stand in it. */
export async function listEntries(
  hub: Hub,
  { list, state, after = 0, count }: { list: number; state: EntryState; after?: number | undefined; count: number },
): Promise<ListEntry[]> {
  return hub.db
    .selectFrom("list_import_entry")
    .select(["id", "name", "reason"])
    .where("list_id", "=", list)
    .where("state", "=", state)
    .where("id", ">", after)
    .orderBy("id")
    .limit(count)
    .execute();
}

/**
 * Has the entries of a list carried out, or those that one which was stopped had still to do; with one of followers the owner says that
 * nobody answers at their former place any more. Throws missing, and conflict where it is under way already, or over.
 */
export async function startList(hub: Hub, uid: number, id: number): Promise<void> {
  await inTransaction(hub, async (hub) => {
    const { former } = await findList(hub, uid, id);
    if (!(await change(hub, { uid, id, from: ["read", "stopped"], to: "running" }))) throw refusal("list_not_waiting");
    if (former !== "") await nameFormer(hub, uid, former);
    await goThroughSoon(hub, uid, id);
  });
}

/** What has been done stays, and nothing more is. Throws missing; harmless for a list that is over. */
export async function stopList(hub: Hub, uid: number, id: number): Promise<void> {
  await inTransaction(hub, async (hub) => {
    await findList(hub, uid, id);
    await change(hub, { uid, id, from: ["running"], to: "stopped" });
  });
}

/** Its owner does not see the list any more; one that runs is stopped. Throws missing. */
export async function dismissList(hub: Hub, uid: number, id: number): Promise<void> {
  await inTransaction(hub, async (hub) => {
    await findList(hub, uid, id);
    await change(hub, { uid, id, from: ["read", "running", "done", "stopped"], to: "dismissed" });
  });
}

type Change = { uid: number; id: number; from: readonly ListState[]; to: ListState };

async function change(hub: Hub, { uid, id, from, to }: Change): Promise<boolean> {
  const { numUpdatedRows } = await hub.db
    .updateTable("list_import")
    .set({ state: to, updated: now(hub) })
    .where("uid", "=", uid)
    .where("id", "=", id)
    .where("state", "in", from)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}
