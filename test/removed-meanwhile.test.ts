import { randomBytes } from "node:crypto";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sql } from "kysely";
import { removeAccount } from "../src/domain/connections/remove-account.ts";
import { removeChannel } from "../src/domain/connections/remove-channel.ts";
import { exportArchive } from "../src/domain/export/archive.ts";
import { exportChannel } from "../src/domain/export/export-channel.ts";
import { exportPeriod } from "../src/domain/export/items-page.ts";
import { checkFiles } from "../src/domain/files/check-files.ts";
import { listAdministrators, setAccountFlag, setAdministrator } from "../src/domain/identity/accounts/accounts.ts";
import type { Account } from "../src/domain/identity/accounts/accounts.ts";
import { createChannel, listChannels } from "../src/domain/identity/channels/channels.ts";
import { insertRun, loadRun, saveRun } from "../src/domain/import/run-state.ts";
import type { ImportOptions } from "../src/domain/import/run-state.ts";
import { runImport } from "../src/domain/import/run.ts";
import { fileSource } from "../src/domain/import/sources/file-source.ts";
import { importNow, startHubImport } from "../src/domain/import/start.ts";
import { trimRuns } from "../src/domain/import/trim-runs.ts";
import { postItem } from "../src/domain/items/posting/post.ts";
import { makeKeys } from "../src/keys.ts";
import type { KeyPair } from "../src/keys.ts";
import { openTestApp } from "./support/app.ts";
import type { TestApp } from "./support/app.ts";
import { put } from "./support/files.ts";
import { makeAccount, onPostgres } from "./support/hub.ts";
import { channelExport, jsonFile, longExport, oldHub } from "./support/hubzilla.ts";

/** Somebody is removed while something is made for them or read of theirs: nothing is left, and nothing half passes for the whole. */

let world: TestApp;
let keys: KeyPair;
let account: Account;
/** What is done, once, while keys are made or a file comes. */
let asked: number;
let meanwhile: { keys?: () => Promise<void>; file?: () => Promise<void> } = {};

async function once(what: keyof typeof meanwhile): Promise<void> {
  const work = meanwhile[what];
  if (work) meanwhile = {};
  await work?.();
}

const hash = randomBytes(16).toString("hex");
const bytes = Buffer.from("the plan of the house");
const dates = { created: "2026-11-20 10:00:00", edited: "2026-11-20 10:00:00" };
const attach = { hash, filename: "plan.txt", filetype: "text/plain", filesize: bytes.length, ...dates };

beforeEach(async () => {
  keys = (await makeKeys()).rsa;
  meanwhile = {};
  asked = 0;
  const ask: typeof fetch = async (given, init) => {
    asked++;
    if (String(given instanceof Request ? given.url : given).includes("filedata")) await once("file");
    const file = { form: { attach: [{ ...attach, is_dir: 0, is_photo: 0, revision: 0, folder: "" }] }, bytes };
    return oldHub({ basic: channelExport(keys), items: [], files: [file] })(given, init);
  };
  world = await openTestApp({
    clock: "2026-12-01T12:00:00Z",
    fetch: ask,
    makeKeys: async () => {
      await once("keys");
      return makeKeys();
    },
  });
  account = await makeAccount(world.hub, "person@example.org");
});
afterEach(() => world.close());

const clone: ImportOptions = { mode: "clone", nick: "", posts: true };
const old = { url: "https://hz.test", login: "alice", password: "horse" };

/** What is there of anybody but its own record: living items and files. */
async function left(): Promise<object> {
  const { db } = world.hub;
  const channels = db.selectFrom("channel").select("channel_id").where("channel_account_id", "=", account.account_id);
  const items = await db
    .selectFrom("item")
    .select("id")
    .where("uid", "in", channels)
    .where("item_deleted", "=", 0)
    .execute();
  const files = await db.selectFrom("attach").select("id").where("uid", "in", channels).execute();
  return {
    items: items.length,
    files: files.length,
    channels: (await listChannels(world.hub, account.account_id)).length,
  };
}

const nothing = { items: 0, files: 0, channels: 0 };

test("a file that an import was still fetching is not kept", async () => {
  const { hub } = world;
  const channel = async () => (await listChannels(hub, account.account_id))[0]!;
  const remove = async () => {
    await removeChannel(hub, (await channel()).channel_id);
    await world.work();
  };
  meanwhile = { file: remove };
  const run = importNow(hub, account.account_id, old, clone, () => undefined);
  await expect(run).rejects.toMatchObject({ code: "channel_removed_meanwhile" });
  await world.work();
  expect(await left()).toEqual(nothing);
  expect(await checkFiles(hub, { repair: false, tell: () => undefined })).toMatchObject({ lost: { count: 0 } });
});

test("an old hub is not asked for an account that is suspended, nor for a channel that is removed", async () => {
  const { hub } = world;
  const { account_id } = account;
  const suspended = await startHubImport(hub, account_id, old, clone);
  await setAccountFlag(hub, account_id, "blocked", true);
  await world.work();
  expect([asked, (await loadRun(hub, suspended.id)).state]).toEqual([0, "failed"]);
  await setAccountFlag(hub, account_id, "blocked", false);
  const { channel_id } = await createChannel(hub, account, { nick: "gone", name: "Gone" });
  const removed = await startHubImport(hub, account_id, old, clone);
  await saveRun(hub, Object.assign(removed, { channelId: channel_id }));
  await removeChannel(hub, channel_id);
  await world.work();
  expect([asked, (await loadRun(hub, removed.id)).state]).toEqual([0, "failed"]);
});

test("a batch that is being written as the channel is removed goes with it", async () => {
  const { hub } = world;
  const file = jsonFile({});
  await longExport(file, keys, 350, { sentences: 1 });
  const run = await insertRun(hub, { accountId: account.account_id, source: "x", options: clone, blob: "" });
  const step = async () => runImport(hub, run.id, await fileSource(file), { pause: () => true });
  while (((await left()) as { items: number }).items === 0) await step();
  const { channelId } = await loadRun(hub, run.id);
  const isWaiting = async (most: number) => {
    const waits = sql<{
      n: number;
    }>`select count(*) as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return !onPostgres || Number((await waits.execute(hub.db)).rows[0]!.n) >= most;
  };
  let removed = false;
  let removal: Promise<unknown> = Promise.resolve();
  let batch: Promise<unknown> = Promise.resolve();
  // The batch has written its rows, and waits for the row of its import.
  await hub.db.transaction().execute(async (held) => {
    await held.updateTable("import_run").set({ source: "y" }).where("id", "=", run.id).execute();
    batch = step().catch((error: unknown) => error);
    await expect.poll(() => isWaiting(1)).toBe(true);
    removal = removeChannel(hub, channelId).then(() => {
      removed = true;
    });
    if (onPostgres) await expect.poll(async () => removed || (await isWaiting(2))).toBe(true);
    if (removed) await world.work();
  });
  await batch;
  await removal;
  await step().catch((error: unknown) => expect(error).toMatchObject({ code: "channel_removed_meanwhile" }));
  expect((await loadRun(hub, run.id)).state).toBe("failed");
  await world.work();
  expect(await left()).toEqual(nothing);
});

test("an account that is removed gets no channel, made or imported", async () => {
  const { hub } = world;
  const remove = async () => {
    await removeAccount(hub, account, undefined);
    await world.work();
  };
  meanwhile = { keys: remove };
  await expect(createChannel(hub, account, { nick: "late", name: "Late" })).rejects.toMatchObject({ kind: "missing" });
  expect(await left()).toEqual(nothing);
  expect((await world.anonymous.get("/channel/late")).status).toBe(404);
  account = await makeAccount(hub, "another@example.org");
  meanwhile = { keys: remove };
  const run = importNow(hub, account.account_id, old, clone, () => undefined);
  await expect(run).rejects.toMatchObject({ code: "account_closed_meanwhile" });
  expect(await left()).toEqual(nothing);
});

test("of the last two administrators who go at once one stays", async () => {
  const { hub } = world;
  const other = await makeAccount(hub, "other@example.org");
  for (const { account_id } of [account, other]) await setAdministrator(hub, account_id, true);
  const gone = await Promise.allSettled([account, other].map((one) => removeAccount(hub, one, undefined)));
  expect(gone.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect(await listAdministrators(hub)).toHaveLength(1);
});

test("an export in whose middle the channel is removed has no end", async () => {
  const { hub } = world;
  const alma = await createChannel(hub, account, { nick: "alma", name: "Alma" });
  for (let n = 0; n < 5; n++) await postItem(hub, alma, { body: `Post ${n}` });
  // More than an archive holds ready for its reader (8 MiB), so that it is still being made when the channel goes.
  await put(hub, alma, "film.bin", Buffer.alloc(9 << 20));
  const archive = exportArchive(hub, alma).getReader();
  await archive.read();
  const texts = [
    await exportChannel(hub, alma, { posts: true }),
    exportPeriod(hub, alma, { since: "2026-01-01 00:00:00", until: "2026-12-31 00:00:00" }),
  ];
  const begun = await Promise.all(texts.map((pieces) => pieces.next()));
  expect(begun.every(({ done }) => !done)).toBe(true);
  await removeChannel(hub, alma.channel_id);
  await world.work();
  const rest = async () => {
    while (!(await archive.read()).done);
  };
  await expect(rest()).rejects.toMatchObject({ kind: "missing" });
  for (const pieces of texts) {
    let text = "";
    const read = async () => {
      for await (const piece of pieces) text += piece;
    };
    await expect(read()).rejects.toMatchObject({ kind: "missing" });
    expect(text.endsWith("}")).toBe(false);
  }
});

test("what an account has imported is listed ten times, and goes with it; what nobody goes on with ends", async () => {
  const { hub } = world;
  const gone = await makeAccount(hub, "gone@example.org");
  const insert = (accountId: number) => insertRun(hub, { accountId, source: "x", options: clone, blob: "" });
  const ended = await insert(gone.account_id);
  const state = (name: string, id: number) =>
    hub.db.updateTable("import_run").set({ state: name }).where("id", "=", id).execute();
  await state("done", ended.id);
  const running = await insertRun(hub, {
    accountId: gone.account_id,
    source: "x",
    options: Object.assign({ oldHub: old }, clone),
    blob: "",
  });
  for (let n = 0; n < 12; n++) await state("done", (await insert(account.account_id)).id);
  const cut = await insert(account.account_id);
  await removeAccount(hub, gone, undefined);
  await world.work();
  const runs = (id: number) =>
    hub.db.selectFrom("import_run").select(["id", "state"]).where("account_id", "=", id).orderBy("id").execute();
  hub.advance(3 * 24 * 3600);
  await trimRuns(hub);
  expect(await runs(gone.account_id)).toEqual([{ id: running.id, state: "failed" }]);
  expect((await loadRun(hub, running.id)).options.oldHub?.password).toBe("");
  expect((await runs(account.account_id)).map((one) => one.state)).toEqual([...Array(9).fill("done"), "running"]);
  hub.advance(28 * 24 * 3600);
  await trimRuns(hub);
  expect(await runs(gone.account_id)).toEqual([]);
  expect((await runs(account.account_id)).at(-1)).toEqual({ id: cut.id, state: "failed" });
});
