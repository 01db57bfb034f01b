import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "kysely";
import type { Kysely } from "kysely";
import { removeChannel } from "../src/domain/connections/remove-channel.ts";
import { beginUpload, addPiece } from "../src/domain/cloud/pieces.ts";
import { checkFiles } from "../src/domain/files/check-files.ts";
import { findAccountById } from "../src/domain/identity/accounts/accounts.ts";
import type { Channel } from "../src/domain/identity/channels/channel.ts";
import { createChannel } from "../src/domain/identity/channels/channels.ts";
import { postItem } from "../src/domain/items/posting/post.ts";
import { up } from "../src/storage/migrations/0117-ends-of-before.ts";
import { openTestApp } from "./support/app.ts";
import type { TestApp } from "./support/app.ts";
import { staged } from "./support/files.ts";
import { wholeChannel } from "./support/whole-channel.ts";

/** A channel that is removed leaves nothing, and another one of its account is as it was. */

let world: TestApp;
let alma: Channel;
let choir: Channel;

beforeAll(async () => {
  world = await openTestApp();
  const { hub } = world;
  alma = await wholeChannel(hub, "alma");
  const account = (await findAccountById(hub, alma.channel_account_id))!;
  choir = await createChannel(hub, account, { nick: "choir", name: "Choir" });
  await postItem(hub, choir, { body: "of the choir" });
  const bytes = await staged(hub, "the first piece");
  const upload = { totalBytes: 100, mediaType: "text/plain", album: "", description: "" };
  await addPiece(hub, alma, await beginUpload(hub, alma, upload), 0, bytes);
  await world.work();
});
afterAll(() => world.close());

/** How many rows each table has of a channel, by the columns that name channels. */
async function rowsOf({ channel_id }: Channel): Promise<Record<string, number>> {
  const { db } = world.hub;
  const counts: Record<string, number> = {};
  for (const { name, columns } of await db.introspection.getTables())
    for (const column of columns.filter((one) => /^(.*_)?(uid|chan|channel|channel_id)$/.test(one.name))) {
      const where = sql`select count(*) as n from ${sql.table(name)} where ${sql.ref(column.name)} = ${channel_id}`;
      const [row] = (await sql<{ n: number }>`${where}`.execute(db)).rows;
      if (Number(row!.n) > 0) counts[`${name}.${column.name}`] = Number(row!.n);
    }
  return counts;
}

const day = 24 * 3600;

test("nothing is left of it but what says that it is gone", async () => {
  const { hub } = world;
  const before = await rowsOf(choir);
  await removeChannel(hub, alma.channel_id);
  await world.work();
  expect(await hub.db.selectFrom("upload_piece").select("id").execute()).toEqual([]);
  hub.advance(day);
  await world.work();
  const left = await rowsOf(alma);
  const { "item.uid": tombstones, "config.uid": limits, ...others } = left;
  expect(others).toEqual({ "channel.channel_id": 1, "abook.abook_channel": 1 });
  const alive = hub.db.selectFrom("item").select("id").where("uid", "=", alma.channel_id).where("item_deleted", "=", 0);
  expect(await alive.execute()).toEqual([]);
  const settings = hub.db.selectFrom("config").select("cat").where("uid", "=", alma.channel_id).distinct();
  expect(await settings.execute()).toEqual([{ cat: "perm_limits" }]);
  expect([tombstones! > 0, limits! > 0]).toEqual([true, true]);
  expect(await rowsOf(choir)).toEqual(before);
  const files = await checkFiles(hub, { repair: false, tell: () => undefined });
  expect(files).toMatchObject({ lost: { count: 0 }, unknown: { count: 0 } });
});

test("what is left of one that an earlier version removed goes after the upgrade", async () => {
  const { hub } = world;
  await hub.db.updateTable("channel").set({ channel_removed: 1 }).where("channel_id", "=", choir.channel_id).execute();
  expect(Object.keys(await rowsOf(choir)).length).toBeGreaterThan(4);
  await up(hub.db as unknown as Kysely<unknown>);
  await world.work();
  hub.setClock(new Date(Date.now() + 2 * day * 1000));
  await world.work();
  const { "item.uid": _, "config.uid": __, ...others } = await rowsOf(choir);
  expect(others).toEqual({ "channel.channel_id": 1, "abook.abook_channel": 1 });
});
