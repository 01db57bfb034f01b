import { sql } from "kysely";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestHub } from "../../test/support/hub.ts";
import type { TestHub } from "../../test/support/hub.ts";
import { pipelined } from "./pipelined.ts";

describe("statements on PostgreSQL", () => {
  let hub: TestHub;

  beforeAll(async () => {
    hub = await openTestHub();
  });
  afterAll(() => hub.close());

  const backend = sql<number>`pg_backend_pid()`.as("pid");
  const read = async (): Promise<number> => (await hub.db.selectNoFrom(backend).executeTakeFirstOrThrow()).pid;
  const broken = (): Promise<unknown> => hub.db.selectNoFrom(sql`1 / 0`.as("x")).execute();

  test("reads of one turn share a connection, and a failure among them is its own", async () => {
    const [one, failure, other] = await Promise.allSettled([read(), broken(), read()]);
    expect(failure).toMatchObject({ status: "rejected", reason: { code: "22012" } });
    expect(one).toMatchObject({ status: "fulfilled" });
    expect(one).toEqual(other);
  });

  test("a transaction has a connection of its own, and ends with what was done in it", async () => {
    await hub.db.transaction().execute(async (db) => {
      const [inside, outside] = await Promise.all([db.selectNoFrom(backend).executeTakeFirstOrThrow(), read()]);
      expect(outside).not.toBe(inside.pid);
      await db.insertInto("config").values({ uid: 0, cat: "test", k: "kept", v: "1", updated: "" }).execute();
    });
    const failed = hub.db.transaction().execute(async (db) => {
      await db.insertInto("config").values({ uid: 0, cat: "test", k: "lost", v: "1", updated: "" }).execute();
      await db.selectNoFrom(sql`1 / 0`.as("x")).execute();
    });
    await expect(failed).rejects.toMatchObject({ code: "22012" });
    const rows = await hub.db.selectFrom("config").select("k").where("cat", "=", "test").execute();
    expect(rows).toEqual([{ k: "kept" }]);
  });

  test("a commit after a failure that was overlooked is none", async () => {
    const overlooked = hub.db.transaction().execute(async (db) => {
      await db.insertInto("config").values({ uid: 0, cat: "test", k: "overlooked", v: "1", updated: "" }).execute();
      await db
        .selectNoFrom(sql`1 / 0`.as("x"))
        .execute()
        .catch(() => undefined);
    });
    await expect(overlooked).rejects.toThrow("rolled back");
    expect(await hub.db.selectFrom("config").select("k").where("k", "=", "overlooked").execute()).toEqual([]);
  });

  test("a change whose answer nobody waits for fails what follows it, for its own reason", async () => {
    const row = { uid: 0, cat: "test", k: "sent twice", v: "1", updated: "" };
    const twice = async (db: typeof hub.db): Promise<void> => {
      await pipelined({ db }, db.insertInto("config").values(row));
      await pipelined({ db }, db.insertInto("config").values(row));
    };
    await expect(hub.db.transaction().execute(twice)).rejects.toMatchObject({ code: "23505" });
    const followed = hub.db.transaction().execute(async (db) => {
      await twice(db);
      await db.selectNoFrom(backend).execute();
    });
    await expect(followed).rejects.toMatchObject({ code: "23505" });
    await pipelined(hub, hub.db.insertInto("config").values(row));
    expect(await hub.db.selectFrom("config").select("v").where("k", "=", "sent twice").execute()).toEqual([{ v: "1" }]);
  });

  test("a statement reads the same at every run, whoever else runs it at the same time", async () => {
    const rows = (n: number) =>
      hub.db
        .selectNoFrom([sql<number>`${n}::bigint`.as("id"), sql<string>`${`ü${n}`}::text`.as("name")])
        .select([sql`null::int`.as("none"), sql`${n > 2}::boolean`.as("more")])
        .execute();
    const expected = (n: number) => [{ id: n, name: `ü${n}`, none: null, more: n > 2 }];
    expect(await Promise.all([1, 2, 3].map(rows))).toEqual([1, 2, 3].map(expected));
    for (const n of [4, 5, 6, 7, 8]) expect(await rows(n)).toEqual(expected(n));
  });

  test("a statement that fails once is none the worse for it", async () => {
    const divided = (by: number) => hub.db.selectNoFrom(sql<number>`(12 / ${by}::int)`.as("x")).execute();
    await expect(divided(0)).rejects.toMatchObject({ code: "22012" });
    expect(await divided(4)).toEqual([{ x: 3 }]);
    await expect(divided(0)).rejects.toMatchObject({ code: "22012" });
    expect(await Promise.all([divided(3), divided(2)])).toEqual([[{ x: 4 }], [{ x: 6 }]]);
  });

  test("a table that changes its columns changes no row that is read", async () => {
    await sql`create table changing (one text not null)`.execute(hub.db);
    await sql`insert into changing values ('a')`.execute(hub.db);
    const all = () => sql<object>`select * from changing where one <> ${"x"}`.execute(hub.db);
    expect((await all()).rows).toEqual([{ one: "a" }]);
    await sql`alter table changing add column two bigint not null default 2`.execute(hub.db);
    const after = await all().catch((error: unknown) => error);
    expect(after).toMatchObject({ code: "0A000" });
    await sql`drop table changing`.execute(hub.db);
  });

  test("more readers than connections are all answered", async () => {
    const later = (): Promise<number> => new Promise((resolve) => setImmediate(resolve)).then(read);
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => (n % 2 ? read() : later())));
    expect(answers.every((pid) => pid > 0)).toBe(true);
  });

  test("a connection that the server ends is replaced", async () => {
    const pid = await read();
    await hub.db
      .selectNoFrom(sql`pg_terminate_backend(${pid}::int)`.as("done"))
      .execute()
      .catch(() => undefined);
    await expect.poll(() => read().catch(() => pid)).not.toBe(pid);
  });

  test("a connection that the server ends in the middle fails what is under way, and nothing else", async () => {
    const pid = await read();
    // Whoever asks for it goes last: it might not come to the others.
    const end = sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
      order by pid = pg_backend_pid()`;
    const outcomes = await Promise.allSettled([
      end.execute(hub.db),
      hub.db.transaction().execute(() => sleep(50)),
      read(),
      read(),
    ]);
    expect(outcomes.some(({ status }) => status === "rejected")).toBe(true);
    await expect.poll(() => read().catch(() => pid)).not.toBe(pid);
  });
});
