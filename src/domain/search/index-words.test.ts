import { observerOf } from "../identity/channels/observer.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { onPostgres, openTestHub } from "../../../test/support/hub.ts";
import type { TestHub } from "../../../test/support/hub.ts";
import { befriend, deliver, newcomer } from "../../../test/support/people.ts";
import { addJob } from "../../jobs/queue.ts";
import { listJobs } from "../../jobs/operate.ts";
import { runDue } from "../../jobs/runner.ts";
import { zeroDate } from "../../storage/sql.ts";
import { sql } from "kysely";
import type { Channel } from "../identity/channels/channel.ts";
import { commentOn } from "../items/posting/comment.ts";
import { blockItem, unblockItem } from "../items/posting/moderation.ts";
import { postItem } from "../items/posting/post.ts";
import { react } from "../items/posting/react.ts";
import { searchStatuses } from "../items/timelines/search.ts";
import { purgeTombstones } from "../items/posting/trim.ts";
import { deleteItem } from "../items/posting/delete.ts";

let hub: TestHub;
let ann: Channel;
let bob: Channel;
/** How many messages were given their words, and what is told of each. */
let filled = 0;
let onFilled: () => unknown = () => undefined;

beforeAll(async () => {
  hub = await openTestHub({
    onQuery({ query }) {
      if (!query.sql.startsWith('update "message" set "words"')) return;
      filled += 1;
      onFilled();
    },
  });
  [ann, bob] = [await newcomer(hub, "ann"), await newcomer(hub, "bob")];
  await befriend(hub, ann, bob);
});
afterAll(() => hub.close());

test.runIf(onPostgres)("what brings items into the index is planned once for each connection", async () => {
  const { rows } = await sql<{ settings: string[] }>`select proconfig as settings from pg_proc
    where proname = 'search_add'`.execute(hub.db);
  expect(rows.map(({ settings }) => settings.includes("plan_cache_mode=force_generic_plan"))).toEqual([true]);
});

async function found(who: Channel, text: string): Promise<string[]> {
  const items = await searchStatuses(hub, observerOf(who), text, { count: 200, skip: 0 });
  return items.map((item) => item.plain);
}

async function rowsOfIndex(): Promise<number> {
  const column = hub.engine === "sqlite" ? "rowid" : "id";
  return (await hub.db.selectFrom("search").select(column).execute()).length;
}

async function indexable(): Promise<number> {
  const rows = await hub.db
    .selectFrom("item")
    .select("id")
    .where("item_type", "=", 0)
    .where("item_notshown", "=", 0)
    .where("item_hidden", "=", 0)
    .where("item_deleted", "=", 0)
    .execute();
  return rows.length;
}

function indexed() {
  return hub.db.selectFrom("message").select("id").where("words", "<>", "").execute();
}

describe("the index", () => {
  test("has a row for each item that is shown, whatever happens to it", async () => {
    const top = await postItem(hub, ann, { body: "walnut cake" });
    const closed = await postItem(hub, ann, { body: "walnut secret", publicPolicy: "contacts" });
    await commentOn(hub, bob, { id: top.id }, { body: "walnut answer" });
    await react(hub, bob, { id: top.id }, "like", "stays");
    await deliver(hub);
    expect(await rowsOfIndex()).toBe(await indexable());
    expect(await found(bob, "walnut")).toHaveLength(3);
    await blockItem(hub, ann, { id: top.id });
    expect(await found(bob, "walnut")).toEqual(["walnut secret"]);
    await unblockItem(hub, ann, top.id);
    expect(await found(bob, "walnut")).toHaveLength(3);
    await hub.db.updateTable("item").set({ item_hidden: 1 }).where("id", "=", top.id).execute();
    expect(await rowsOfIndex()).toBe(await indexable());
    await hub.db.updateTable("item").set({ item_hidden: 0 }).where("id", "=", top.id).execute();
    await hub.db.updateTable("item").set({ item_private: 0 }).where("id", "=", closed.id).execute();
    expect(await found(bob, "walnut secret")).toEqual(["walnut secret"]);
    await deleteItem(hub, ann, { id: closed.id });
    expect(await rowsOfIndex()).toBe(await indexable());
    hub.advance(50 * 24 * 3600);
    await purgeTombstones(hub);
    hub.advance(50 * 24 * 3600);
    await purgeTombstones(hub);
    expect(await rowsOfIndex()).toBe(await indexable());
  });

  test("is filled with what was there before it, in steps, the newest first", async () => {
    for (let n = 0; n < 30; n++)
      await postItem(hub, ann, { body: `old plum ${n} #plums`, title: n === 3 ? "Damson" : "" });
    await deliver(hub);
    const before = [await found(bob, "plum"), await found(ann, "#plums"), await found(ann, "damson from:me")];
    expect(before.map((list) => list.length)).toEqual([30, 30, 1]);
    await hub.db.updateTable("message").set({ words: "" }).execute();
    expect([await rowsOfIndex(), await found(bob, "#plums")]).toEqual([0, []]);
    const { id } = await hub.db.selectFrom("message").select("id").orderBy("id", "desc").executeTakeFirstOrThrow();
    await addJob(hub, "index-words", { below: id + 1 });
    await deliver(hub);
    expect([await found(bob, "plum"), await found(ann, "#plums"), await found(ann, "damson from:me")]).toEqual(before);
    expect(await rowsOfIndex()).toBe(await indexable());
  });

  test("is filled with nothing twice when the hub is stopped meanwhile", async () => {
    for (let n = 0; n < 120; n++) await postItem(hub, ann, { body: `old quince ${n}` });
    await deliver(hub);
    await hub.db.updateTable("message").set({ words: "" }).execute();
    const missing = await indexable();
    const { id } = await hub.db.selectFrom("message").select("id").orderBy("id", "desc").executeTakeFirstOrThrow();
    await addJob(hub, "index-words", { below: id + 1 });
    const stopping = new AbortController();
    filled = 0;
    onFilled = () => filled >= 60 && stopping.abort();
    await runDue(hub, stopping.signal);
    const messages = (await indexed()).length;
    expect([messages > 0, (await rowsOfIndex()) < missing]).toEqual([true, true]);
    expect(await listJobs(hub, false)).toMatchObject([{ name: "index-words", attempts: 0, leased_until: zeroDate }]);
    onFilled = () => undefined;
    await runDue(hub);
    expect([await rowsOfIndex(), filled]).toEqual([missing, (await indexed()).length]);
  });
});
