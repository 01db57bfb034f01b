import { observerOf } from "../identity/channels/observer.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { freshDatabase, openTestHub } from "../../../test/support/hub.ts";
import { befriend, deliver, newcomer, nobody } from "../../../test/support/people.ts";
import { readConfig } from "../../config/config.ts";
import type { DatabaseSettings } from "../../config/database.ts";
import { openHub } from "../../hub.ts";
import type { Hub } from "../../hub.ts";
import { migrate, openDatabase } from "../../storage/database.ts";
import { insertRows, raiseLastId } from "../../storage/reload.ts";
import { openSnapshot } from "../../storage/snapshot.ts";
import type { Channel } from "../identity/channels/channel.ts";
import { commentOn } from "../items/posting/comment.ts";
import { deleteItem } from "../items/posting/delete.ts";
import { postItem } from "../items/posting/post.ts";
import { react } from "../items/posting/react.ts";
import { searchStatuses } from "../items/timelines/search.ts";

/** A database of the version before the search came to be finds after its update what a new one finds. */

const before = "0002-files-events-mail";
const questions = ["walnut", "#nuts", '"brown walnut"', "from:ann", "until:2026-03-01 walnut", "-brown walnut", "wal*"];

async function fill(hub: Hub): Promise<{ ann: Channel; bob: Channel }> {
  const [ann, bob] = [await newcomer(hub, "ann"), await newcomer(hub, "bob")];
  await befriend(hub, ann, bob);
  const top = await postItem(hub, ann, { body: "a brown walnut #nuts", title: "Trees" });
  await postItem(hub, ann, { body: "walnut of my own", audience: { ...nobody, allow_cid: [ann.channel_hash] } });
  await deliver(hub);
  await commentOn(hub, bob, { id: top.id }, { body: "walnut, brown #nuts" });
  await react(hub, bob, { id: top.id }, "like", "stays");
  await deleteItem(hub, ann, { id: (await postItem(hub, ann, { body: "no walnut" })).id });
  await deliver(hub);
  return { ann, bob };
}

async function answers(hub: Hub, people: readonly Channel[]): Promise<number[][]> {
  const found: number[][] = [];
  for (const who of people)
    for (const text of questions)
      found.push((await searchStatuses(hub, observerOf(who), text, { count: 50, skip: 0 })).map((item) => item.id));
  return found;
}

/** What the hub has, in the tables of the earlier version. */
async function copyInto(url: string, hub: Hub): Promise<void> {
  const db = openDatabase(settingsOf(url));
  await migrate(db, hub.engine, before);
  const old = new Map((await db.introspection.getTables()).map(({ name, columns }) => [name, columns]));
  const snapshot = await openSnapshot(hub.config.database);
  for (const shape of await snapshot.tables()) {
    const columns = shape.columns.filter((column) => old.get(shape.table)?.some(({ name }) => name === column));
    // Notices of that version were words, which nobody looks for.
    if (columns.length === 0 || shape.table === "notify") continue;
    const rows = await Array.fromAsync(snapshot.rows({ ...shape, columns }));
    if (rows.length > 0) await insertRows(db, hub.engine, { ...shape, columns }, rows);
    if (shape.lastId !== undefined) await raiseLastId(db, hub.engine, shape.table, shape.lastId);
  }
  await snapshot.close();
  await db.destroy();
}

test("an update indexes what is there", async () => {
  const hub = await openTestHub();
  const { ann, bob } = await fill(hub);
  const expected = await answers(hub, [ann, bob]);
  expect(expected.filter((ids) => ids.length > 0).length).toBeGreaterThan(10);
  const folder = mkdtempSync(join(tmpdir(), "hubbub-test-"));
  const { url, drop } = await freshDatabase(folder);
  await copyInto(url, hub);
  const updated = await openHub({ ...hub.config, database: settingsOf(url) });
  await deliver(updated);
  expect(await answers(updated, [ann, bob])).toEqual(expected);
  await postItem(updated, ann, { body: "another walnut" });
  expect(await answers(updated, [ann])).not.toEqual(expected.slice(0, questions.length));
  await updated.close();
  await hub.close();
  await drop();
  rmSync(folder, { recursive: true, force: true });
});

function settingsOf(url: string): DatabaseSettings {
  return readConfig({ HUBBUB_BASE_URL: "http://hub.example", HUBBUB_DATABASE_URL: url }).database;
}
